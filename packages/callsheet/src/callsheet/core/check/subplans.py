"""Checking steps that are runs themselves: that the plan is there, and what the step may say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.agent import all_agents, cards_in
from callsheet.core.plan.plan import Budget, Plan, Step, Undo, tool_names
from callsheet.core.plan.subplan import MAX_NESTED
from callsheet.core.problem import one_of, show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.check.survey import SpecOf, Subject, Survey
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.problem import Report

_NOT_OF_PLANS = {
    "retry": "its own steps are retried",
    "idempotent": "its own steps say that",
    "destructive": "its own steps say that",
    "cost": "its own steps say what they cost",
    "in_doubt": "what became of it is never in doubt",
    "cache": "its own steps may be cached",
    "literal": "what it is given are its inputs",
}
_OF_AGENTS = frozenset(("literal", "in_doubt"))
"""What a call that a model asks for always says."""
_DEFAULT = Step(id="default")


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What plans are checked against."""

    tools: Tools
    children: Mapping[str, Plan] | None
    seen: set[tuple[str, int]] = msgspec.field(default_factory=set)
    """The saved plans that were checked, and how deep they stood. Plans that name each other ten
    times a level are a hundred million plans eight levels down, and no more than eight problems."""


def check_child(
    survey: Survey,
    subject: Subject,
    case: Case,
    nested: tuple[str, ...],
    report: Report,
) -> tuple[str, Plan] | None:
    """Report what is wrong with a step that is a run of its own.

    Returns its plan, to be checked like any other; that of an agent is the engine's own.
    """
    step = subject.step
    _check_fields(subject, report)
    if step.plan is None:
        if subject.child is None:
            _check_agent(subject, case.tools, report)
        elif gone := [c.name for c in cards_in(subject.child) if not case.tools.spec(c.tool)]:
            what = f"there is no agent {show(gone[0])}"
            report.error(subject.place, what, "`callsheet agents` lists those there are.")
        else:
            _check_caps(survey, subject, subject.child, case.tools.spec, report)
        return None
    place, child = (*subject.place, "plan"), subject.child
    name = step.plan if isinstance(step.plan, str) else ""
    if child is None:
        if case.children is not None:
            fix = "Save it first (`callsheet plan save`), or write the plan itself."
            report.error(place, f"there is no saved plan {show(name)}", fix)
        return None
    if len(nested) >= MAX_NESTED or (name and name in nested):
        way = " -> ".join((*filter(None, nested), name or child.name))
        what = f"sub-plans are nested more than {MAX_NESTED} deep, or in a circle: {way}"
        report.error(place, what, "Remove one of them.")
        return None
    _check_caps(survey, subject, child, case.tools.spec, report)
    if name and (name, len(nested)) in case.seen:
        return None  # what is wrong in it stands at the first step that names it
    case.seen.add((name, len(nested)))
    return name, child


def _check_agent(subject: Subject, tools: Tools, report: Report) -> None:
    """Nobody can do what a step wants: say who there is."""
    step, agents = subject.step, all_agents(tools)
    if step.agent is None:
        card = next((each for each in agents if each.tool == step.tool), None)
        has = one_of(card.capabilities) if card else "none"
        what = f"{step.tool} has no capability {show(step.args.get('capability'))}"
        report.error((*subject.place, "args", "capability"), what, f"It has {has}.")
        return
    role = f" and the role {show(step.agent.role)}" if step.agent.role else ""
    what = f"no agent has the capability {show(step.agent.capability)}{role}"
    there = "; ".join(f"{each.name} has {one_of(each.capabilities)}" for each in agents)
    fix = f"There are: {there}." if there else "Declare agents in the configuration: [agents.NAME]."
    report.error((*subject.place, "agent"), what, fix)


def _check_fields(subject: Subject, report: Report) -> None:
    kind = "a sub-plan" if subject.step.plan is not None else "an agent's work"
    for field, why in _NOT_OF_PLANS.items():
        if subject.step.plan is None and field in _OF_AGENTS:
            continue
        if getattr(subject.step, field) != getattr(_DEFAULT, field):
            what = f"{kind} has no `{field}`: {why}"
            report.error((*subject.place, field), what, "Leave it out.")
    if isinstance(subject.step.undo, Undo):
        what = f"{kind} is undone by undoing its own steps"
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
        is_agent = subject.step.plan is None and currency in ("usd", "tokens")
        if is_agent or currency == "calls" or _spends(child, currency, spec_of):
            who = "agent" if subject.step.plan is None else "sub-plan"
            what = f"the run has a cap on {currency}, and its {who} has none"
            fix = f"Give the {who} `budget: {{{currency}: …}}`, or the step a ceiling."
            report.error(subject.place, what, fix)


def _spends(plan: Plan, currency: str, spec_of: SpecOf) -> bool:
    specs = [spec for name in tool_names(plan) if (spec := spec_of(name)) is not None]
    amounts = [amount for spec in specs for amount in (spec.cost, spec.ceiling)]
    amounts += [amount for step in plan.steps for amount in (step.cost, step.ceiling)]
    inside = any(
        isinstance(step.plan, Plan) and _spends(step.plan, currency, spec_of) for step in plan.steps
    )
    return inside or any(amount is not None and getattr(amount, currency) for amount in amounts)
