"""What one step of a plan will probably take: calls, seconds, cost, and its chance of success.

From what is declared and from what was observed, and from nothing else: where neither says
anything, the number is None.
"""

from __future__ import annotations

from math import exp, lgamma
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.refs.references import prepare, prepare_condition
from callsheet.errors import CallsheetError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.plan.plan import Retry
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.graph import Graph, PlannedStep
    from callsheet.core.value import Json

ENOUGH = 5
"""So many calls with a cost outweigh the cost that is declared."""
RARE = 0.1
"""The high end of a range is passed in one of ten cases."""
NEGLIGIBLE = 0.001
ONLY_INPUTS = frozenset({"inputs"})

Presence = Literal["always", "maybe", "never"]


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """A number that is not known yet: in eight of ten cases between low and high."""

    low: float
    expected: float
    high: float


class CostRange(msgspec.Struct, frozen=True, kw_only=True):
    """An amount that is not known yet."""

    low: Cost = NOTHING
    expected: Cost = NOTHING
    high: Cost = NOTHING

    def plus(self, other: CostRange) -> CostRange:
        """The sum, end by end."""
        return CostRange(
            low=self.low.plus(other.low),
            expected=self.expected.plus(other.expected),
            high=self.high.plus(other.high),
        )


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What history says of a tool."""

    calls: int = 0
    seconds: Range | None = None
    """Of one attempt that was not stopped from outside."""
    retried: float = 0.0
    """The share of attempts whose error was one to try again."""
    steps: int = 0
    """Steps that came to an end of their own."""
    succeeded: int = 0
    """Those of them that ended well, perhaps at the third try."""
    cost: CostRange | None = None
    """Of one attempt."""

    def chance(self, times: int) -> float | None:
        """That so many steps in a row end well; None if there has been none.

        Jeffreys' rule: ten of ten is 95 %, not certainty. And as whatever is wrong with a tool is
        wrong with all its calls, two of them are likelier to go well than each by itself, twice.
        """
        if not self.steps:
            return None
        good, all_ = self.succeeded + 0.5, self.steps + 1.0
        return exp(lgamma(good + times) - lgamma(good) - lgamma(all_ + times) + lgamma(all_))


class StepForecast(msgspec.Struct, frozen=True, kw_only=True):
    """One step, before it runs."""

    step: str
    tool: str | None
    """None: it is a question, or a plan of its own."""
    presence: Presence
    """Whether it runs at all, as far as its `when` and those above it can be told."""
    calls: int | None
    """Known only now for a `for_each` over an output: None, and all else is said per item."""
    attempts: int
    """Tries that a call may have."""
    tries: Range
    """Those that it will probably need."""
    seconds: Range | None
    """Of one call, with the tries it will probably take; None: nobody knows."""
    at_most: float | None
    """Seconds after which its timeouts end it; None where none is declared."""
    cost: CostRange | None
    """Of one call; None: none is declared, and none was observed."""
    worst: Cost
    """All that one call can cost if every try takes its ceiling, and its undo too."""
    bounded: bool
    """Whether `worst` is a promise: a ceiling is declared."""
    chance: float | None
    """That one call succeeds; None: it has never been called."""
    observations: int
    """Steps that the chance is drawn from."""
    asks: bool
    """It waits for a person, for nobody knows how long."""
    plan: str | None = None
    """The sub-plan that it runs; all numbers are then those of the whole of it."""

    @property
    def works(self) -> bool:
        """Whether it does anything: calls a tool, or runs a plan."""
        return self.tool is not None or self.plan is not None

    @property
    def counted(self) -> int:
        """How many calls the totals count: one, where it is not known."""
        return 1 if self.calls is None else self.calls


def estimate(
    graph: Graph,
    tools: Mapping[str, ToolSpec],
    history: Mapping[str, Observed],
    inputs: Json,
) -> list[StepForecast]:
    """All steps, in plan order. `inputs` is None where they are not known either."""
    presence = _presences(graph, inputs)
    return [
        _forecast(
            planned,
            tools.get(tool := planned.step.tool or ""),
            history.get(tool),
            inputs,
            presence[planned.id],
        )
        for planned in graph.steps.values()
    ]


def _forecast(
    planned: PlannedStep,
    spec: ToolSpec | None,
    seen: Observed | None,
    inputs: Json,
    presence: Presence,
) -> StepForecast:
    step = planned.step
    ceiling = step.ceiling or (spec.ceiling if spec else None)
    declared = step.cost or (spec.cost if spec else None)
    tries = _tries(planned.attempts, seen.retried if seen else 0.0)
    cost = _cost(declared, ceiling, seen, tries)
    dearest = ceiling or (cost.high if cost else NOTHING)
    steps = seen.steps if seen else 0
    return StepForecast(
        step=planned.id,
        tool=step.tool,
        presence=presence,
        calls=_count(planned, inputs),
        attempts=planned.attempts if step.tool else 1,
        tries=tries,
        seconds=_seconds(planned, seen, tries),
        at_most=_at_most(planned),
        cost=cost,
        worst=times(dearest, planned.attempts).plus(planned.undo_reserve),
        bounded=ceiling is not None,
        chance=seen.chance(1) if seen else None,
        observations=steps,
        asks=step.ask is not None or planned.asks,
    )


def times(cost: Cost, count: float) -> Cost:
    """So many times an amount."""
    return Cost(
        usd=round(cost.usd * count, 9),
        credits=round(cost.credits * count, 9),
        tokens=round(cost.tokens * count),
        calls=round(cost.calls * count),
    )


def _presences(graph: Graph, inputs: Json) -> dict[str, Presence]:
    found: dict[str, Presence] = {}
    for planned in sorted(graph.steps.values(), key=lambda planned: planned.rank):
        own = _condition(planned, inputs)
        above = set() if planned.step.run_if_skipped else {found[need] for need in planned.needs}
        if own == "never" or "never" in above:
            found[planned.id] = "never"
        else:
            found[planned.id] = "maybe" if own == "maybe" or "maybe" in above else "always"
    return found


def _condition(planned: PlannedStep, inputs: Json) -> Presence:
    when = planned.step.when
    if when is None:
        return "always"
    condition = prepare_condition(when)
    if inputs is None or not condition.roots <= ONLY_INPUTS:
        return "maybe"
    try:
        return "always" if condition.truth({"inputs": inputs}) else "never"
    except CallsheetError:
        return "maybe"  # the run will say what is wrong with it


def _count(planned: PlannedStep, inputs: Json) -> int | None:
    items = planned.step.for_each
    if items is None:
        return 1
    if isinstance(items, list):
        return len(items)
    prepared = prepare(items)
    if inputs is None or not prepared.roots <= ONLY_INPUTS:
        return None
    try:
        found = prepared.resolve({"inputs": inputs})
    except CallsheetError:
        return None
    return len(found) if isinstance(found, list) else None


def _tries(most: int, retried: float) -> Range:
    """How many tries are to be expected, and how many are passed in one of ten cases only."""
    expected, high, left = 1.0, 1, retried
    for _ in range(most - 1):
        if left < NEGLIGIBLE:
            break
        expected += left
        high += left > RARE
        left *= retried
    return Range(low=1, expected=expected, high=max(high, expected))


def _seconds(planned: PlannedStep, seen: Observed | None, tries: Range) -> Range | None:
    if seen is None or seen.seconds is None:
        return None
    again = tries.expected - 1
    return Range(
        low=seen.seconds.low,
        # A wait is drawn between nothing and its longest: half of that, on average.
        expected=seen.seconds.expected * tries.expected + again * planned.retry.backoff / 2,
        high=seen.seconds.high * tries.high
        + max(sum(_waits(planned.retry, int(tries.high))), again * planned.retry.backoff),
    )


def _at_most(planned: PlannedStep) -> float | None:
    within = planned.step.within
    if planned.timeout is None or planned.step.tool is None:
        return within
    tried = planned.timeout * planned.attempts + sum(_waits(planned.retry, planned.attempts))
    return tried if within is None else min(tried, within)


def _waits(retry: Retry, tries: int) -> list[float]:
    """The longest waits between so many tries."""
    return [
        min(retry.backoff * 2.0 ** min(wait, 30), retry.max_backoff) for wait in range(tries - 1)
    ]


def _cost(
    declared: Cost | None, ceiling: Cost | None, seen: Observed | None, tries: Range
) -> CostRange | None:
    observed = seen.cost if seen and (seen.calls >= ENOUGH or declared is None) else None
    if observed is None and declared is not None:
        observed = CostRange(low=declared, expected=declared, high=ceiling or declared)
    if observed is None:
        return CostRange(high=ceiling) if ceiling is not None else None
    expected = times(observed.expected, tries.expected)
    return CostRange(
        low=observed.low,
        expected=expected,
        high=_dearer(times(observed.high, tries.high), expected),
    )


def _dearer(one: Cost, other: Cost) -> Cost:
    return Cost(
        usd=max(one.usd, other.usd),
        credits=max(one.credits, other.credits),
        tokens=max(one.tokens, other.tokens),
        calls=max(one.calls, other.calls),
    )
