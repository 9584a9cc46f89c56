"""The door: shots, brief and tool stack in, a plan that can be proved out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.solve.case import Case
from callsheet_studio.solve.others import alternatives
from callsheet_studio.solve.relax import infeasible
from callsheet_studio.solve.result import production_plan
from callsheet_studio.solve.terms import Goal, Terms, wish_of

if TYPE_CHECKING:
    from datetime import date

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack

_TERMS = Terms()


def solve(
    shots: ShotList,
    brief: Brief,
    stack: Stack,
    today: date,
    *,
    goal: Goal | None = None,
    terms: Terms = _TERMS,
) -> ProductionPlan:
    """The best plan for all shots at once, as the brief's constraints ask for it.

    Pure: the same arguments give the same plan. `goal` overrides what comes first, `terms` what is
    assumed about attempts, lanes and machines.

    Raises:
        InputError: there are no shots.
        InfeasibleError: no plan keeps to all constraints; says which to relax, and what the
            cheapest and the fastest plan would be then.
    """
    if not shots.shots:
        raise InputError("A film without shots cannot be planned. Plan the shots first.")
    case, wish = Case.of(shots, stack, today, terms), wish_of(brief)
    decision = case.decide(wish, goal)
    if decision is None:
        raise infeasible(case, wish)
    return production_plan(case, decision, alternatives(case, decision))
