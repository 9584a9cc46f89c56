"""Checking steps that are plans themselves: that the plan is there, and what the step may say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.plan import Budget, Plan, Step, Undo, tool_names
from callsheet.core.plan.subplan import MAX_NESTED, child_plan
from callsheet.core.problem import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.check.survey import SpecOf, Subject, Survey
    from callsheet.core.problem import Report

_NOT_OF_PLANS = {
    "retry": "its own steps are tried again",
    "idempotent": "its own steps say that",
    "destructive": "its own steps say that",
    "cost": "its own steps say what they cost",
    "in_doubt": "what became of it is never in doubt",
    "cache": "its own steps may be cached",
    "literal": "what it is given are its inputs",
}
_DEFAULT = Step(id="default")


def check_child(
    survey: Survey,
    subject: Subject,
    children: Mapping[str, Plan] | None,
    spec_of: SpecOf,
    nested: tuple[str, ...],
    report: Report,
) -> tuple[str, Plan] | None:
    """Report what is wrong with a `plan:` step; returns its plan, to be checked like any other."""
    step, place = subject.step, (*subject.place, "plan")
    _check_fields(subject, report)
    child = child_plan(step, children or {})
    name = step.plan if isinstance(step.plan, str) else ""
    if child is None:
        if children is not None:
            fix = "Save it first (`callsheet plan save`), or write the plan itself."
            report.error(place, f"there is no saved plan {show(name)}", fix)
        return None
    if len(nested) >= MAX_NESTED or (name and name in nested):
        way = " -> ".join((*filter(None, nested), name or child.name))
        what = f"sub-plans are nested more than {MAX_NESTED} deep, or in a circle: {way}"
        report.error(place, what, "Remove one of them.")
        return None
    _check_caps(survey, subject, child, spec_of, report)
    return name, child


def _check_fields(subject: Subject, report: Report) -> None:
    for field, why in _NOT_OF_PLANS.items():
        if getattr(subject.step, field) != getattr(_DEFAULT, field):
            what = f"a sub-plan has no `{field}`: {why}"
            report.error((*subject.place, field), what, "Leave it out.")
    if isinstance(subject.step.undo, Undo):
        what = "a sub-plan is taken back by undoing its own steps"
        report.error((*subject.place, "undo"), what, "Leave it out, or write `undo: none`.")


def _check_caps(
    survey: Survey, subject: Subject, child: Plan, spec_of: SpecOf, report: Report
) -> None:
    """In a run with a cap, what a sub-plan may spend must be known before it starts."""
    caps, own = survey.plan.budget or Budget(), child.budget or Budget()
    for currency in ("usd", "credits", "tokens", "calls"):
        said = subject.step.ceiling and getattr(subject.step.ceiling, currency)
        capped = getattr(caps, currency) is not None
        if not capped or said or getattr(own, currency) is not None:
            continue
        if currency == "calls" or _spends(child, currency, spec_of):
            what = f"the run has a cap on {currency}, and its sub-plan has none"
            fix = f"Give the sub-plan `budget: {{{currency}: …}}`, or the step a ceiling."
            report.error(subject.place, what, fix)


def _spends(plan: Plan, currency: str, spec_of: SpecOf) -> bool:
    specs = [spec for name in tool_names(plan) if (spec := spec_of(name)) is not None]
    amounts = [amount for spec in specs for amount in (spec.cost, spec.ceiling)]
    amounts += [amount for step in plan.steps for amount in (step.cost, step.ceiling)]
    inside = any(
        isinstance(step.plan, Plan) and _spends(step.plan, currency, spec_of) for step in plan.steps
    )
    return inside or any(amount is not None and getattr(amount, currency) for amount in amounts)
