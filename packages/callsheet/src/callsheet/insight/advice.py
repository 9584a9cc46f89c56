"""What would make a plan better, beyond what checking says: order, repetition, width, ceilings.

Each suggestion is a `Problem` of severity warning: a place, what stands there, what to write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import StepId
from callsheet.core.plan.plan import Budget
from callsheet.core.problem import Report
from callsheet.core.run.graph import needs_of, watched_by

if TYPE_CHECKING:
    from callsheet.core.problem import Problem
    from callsheet.core.run.graph import Graph, PlannedStep
    from callsheet.insight.forecast import Forecast, Outlook

WORTH = 0.05
"""A wider plan is suggested if it saves at least this share of the time."""
_CURRENCIES = ("usd", "credits", "tokens")


def advise(outlook: Outlook, forecast: Forecast) -> tuple[Problem, ...]:
    """Everything that deserves a second thought."""
    report = Report()
    above = _above(outlook.graph)
    for planned in outlook.graph.steps.values():
        if planned.step.needs:
            _look_at_needs(outlook.graph, above, planned, report)
    _look_for_twins(outlook.graph, above, report)
    _look_at_width(outlook, forecast, report)
    _look_at_ceilings(outlook, report)
    return report.ordered


def _above(graph: Graph) -> dict[StepId, int]:
    """For each step, everything it waits for, as a set of bits: bit n is the nth step."""
    found: dict[StepId, int] = {}
    for planned in sorted(graph.steps.values(), key=lambda planned: planned.rank):
        bits = 0
        for need in planned.needs:
            bits |= found[need] | 1 << graph.steps[need].order
        found[planned.id] = bits
    return found


def _look_at_needs(
    graph: Graph, above: dict[StepId, int], planned: PlannedStep, report: Report
) -> None:
    """`needs` that follow from others, and those that make reads wait without giving them data."""
    alone = structs.replace(planned.step, needs=())
    # What is only watched (`outcomes`) does not hold it back when it fails; `needs` does.
    used = set(needs_of(alone)) - watched_by(alone)
    for index, need in enumerate(planned.step.needs):
        place = ("steps", planned.order, "needs", index)
        needed = graph.steps[StepId(need)]
        others = (above[other] for other in planned.needs if other not in (need, *planned.watches))
        if need in used or any(bits >> needed.order & 1 for bits in others):
            what = f"{planned.id} waits for {need} anyway"
            report.warn(place, what, "Leave it out: it adds nothing.")
        elif _reads(needed):
            what = f"{planned.id} waits for {need}, which only reads, and uses nothing of it"
            guard = "" if _reads(planned) else ", unless it must not happen when that fails"
            report.warn(place, what, f"Leave it out: they could run in parallel{guard}.")


def _reads(planned: PlannedStep) -> bool:
    return planned.step.tool is not None and not planned.writes


def _look_for_twins(graph: Graph, above: dict[StepId, int], report: Report) -> None:
    """Reads that are made twice, with no write in between that could change what they give."""
    writes = sum(1 << planned.order for planned in graph.steps.values() if not _reads(planned))
    first: dict[tuple[bytes, int], PlannedStep] = {}
    for planned in graph.steps.values():
        if not _reads(planned):
            continue
        step = planned.step
        call = value.canonical([step.tool, step.args, step.for_each, step.when])
        twin = first.setdefault((call, above[planned.id] & writes), planned)
        if twin is not planned:
            what = f"{planned.id} makes the same call as {twin.id}"
            report.warn(
                ("steps", planned.order), what, f"Leave it out, and use ${{steps.{twin.id}}}."
            )


def _look_at_width(outlook: Outlook, forecast: Forecast, report: Report) -> None:
    """A concurrency that keeps calls waiting that could go on."""
    concurrency = outlook.graph.plan.concurrency
    if forecast.width <= concurrency:
        return
    now, wider = forecast.seconds.expected, outlook.played(forecast.width)
    saved = now - wider
    if now == 0:
        gain = "how much it would save is not known yet"
    elif saved >= WORTH * now:
        gain = f"it would save {saved:.3g} of {now:.3g} s"
    else:
        return
    what = f"{forecast.width} calls could run at once, and {concurrency} do: {gain}"
    report.warn(("concurrency",), what, f"Write `concurrency: {forecast.width}`.")


def _look_at_ceilings(outlook: Outlook, report: Report) -> None:
    """Calls that have cost something before, and reserve nothing in a plan with a cap on it."""
    caps = outlook.graph.plan.budget or Budget()
    capped = [name for name in _CURRENCIES if getattr(caps, name) is not None]
    for step, planned in zip(outlook.steps, outlook.graph.steps.values(), strict=True):
        seen = outlook.history.get(step.tool) if step.tool and not step.bounded else None
        if seen is None or seen.cost is None:
            continue
        for currency in capped:
            if (high := getattr(seen.cost.high, currency)) > 0:
                what = f"{step.tool} has cost up to {high:.3g} {currency}, and reserves nothing"
                fix = f"Declare a ceiling: `ceiling: {{{currency}: {high:.3g}}}`."
                report.warn(("steps", planned.order), what, fix)
