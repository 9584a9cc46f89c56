"""What a run of a plan will probably take: order, duration, cost, chance, and whether it fits.

Pure: the same plan with the same history gives the same forecast. Totals count what is known;
whatever is not is listed as unknown, beside them.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import structs

from callsheet.core.ids import StepId
from callsheet.core.plan.plan import Budget, Cost
from callsheet.core.plan.subplan import child_plan
from callsheet.core.run.graph import Graph
from callsheet.insight.estimate import CostRange, Range, StepForecast, estimate, times
from callsheet.insight.schedule import Work, longest_path, play, waves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.insight.estimate import Observed

Missing = Literal["calls", "seconds", "cost", "chance"]
Verdict = Literal["fits", "should fit", "may not fit", "does not fit"]
MOST_UNKNOWN = 1_000
"""A plan in plans has the unknown of all of them; nobody reads more."""
_CURRENCIES = ("usd", "credits", "tokens", "calls")


class Unknown(msgspec.Struct, frozen=True, kw_only=True):
    """Something that nobody knows before the run."""

    step: str
    what: Missing
    why: str


class BudgetLine(msgspec.Struct, frozen=True, kw_only=True):
    """One cap of the plan, and what is likely to be made of it."""

    currency: str
    cap: float
    expected: float
    high: float
    worst: float | None
    """If every call takes all its tries and its ceiling; None: there is no such bound."""
    verdict: Verdict


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """A run of a plan, before it is started."""

    steps: tuple[StepForecast, ...]
    waves: tuple[tuple[str, ...], ...]
    """Steps that could go on together, one wave after the other."""
    width: int
    """The most calls in a wave."""
    at_once: int
    """How many of them go on at once under the plan's concurrency."""
    critical_path: tuple[str, ...]
    """The chain that takes longest, however many calls go on at once."""
    critical_seconds: float
    seconds: Range
    cost: CostRange
    chance: float | None
    """That every step that counts succeeds; None: some tool has never been called."""
    observations: int
    """The fewest steps that any part of the chance is drawn from."""
    budget: tuple[BudgetLine, ...]
    asks: tuple[str, ...]
    """Steps that wait for a person; how long is not counted."""
    unknown: tuple[Unknown, ...]


class Outlook:
    """A plan with its estimates: what forecasts and suggestions are drawn from."""

    def __init__(
        self,
        graph: Graph,
        tools: Mapping[str, ToolSpec],
        history: Mapping[str, Observed],
        inputs: Json,
        known: dict[str, Forecast] | None = None,
    ) -> None:
        """`known` are the saved plans whose forecasts were made already, by their names."""
        self._known: dict[str, Forecast] = {} if known is None else known
        self.graph = graph
        self.tools = tools
        self.history = history
        self.nested: dict[str, Forecast] = {}
        """Of the steps that are plans of their own."""
        self.steps = [self._whole(each) for each in estimate(graph, tools, history, inputs)]
        self._places = {planned.id: place for place, planned in enumerate(graph.steps.values())}
        limits = {name: spec.limit.at_once for name, spec in tools.items() if spec.limit}
        self.limits = {f"tool {name}": most for name, most in limits.items() if most}

    def _whole(self, step: StepForecast) -> StepForecast:
        """A step that is a plan, with the forecast of that plan; any other as it is."""
        planned = self.graph.steps[StepId(step.step)]
        child = child_plan(planned.step, self.graph.children) if planned.is_child else None
        if child is None:
            return step
        found = self.nested[step.step] = self._of_child(planned.step, child)
        return structs.replace(
            step,
            plan=child.name,
            seconds=found.seconds,
            # What an agent will do nobody knows; what it may spend is known.
            cost=found.cost if planned.step.plan else CostRange(high=planned.reserve),
            worst=planned.reserve,
            bounded=child.budget is not None,
            chance=found.chance,
            observations=found.observations,
            asks=step.asks or bool(found.asks),
        )

    def _of_child(self, step: Step, child: Plan) -> Forecast:
        """The forecast of the plan of a step; of a saved one, made once however often it is named.

        What it is named with does not matter: inputs of sub-plans are known when they start.
        """
        name = step.plan if isinstance(step.plan, str) else None
        found = self._known.get(name) if name else None
        if found is None:
            inner = Graph(child, self.tools, self.graph.children)
            found = forecast(Outlook(inner, self.tools, self.history, None, self._known))
            if name:
                self._known[name] = found
        return found

    def works(self, seconds: Callable[[StepForecast], float], *, maybe: bool) -> list[Work]:
        """The steps as work of so many seconds a call; with or without those that may not run."""
        wanted = {"always", "maybe"} if maybe else {"always"}
        return [
            Work(
                needs=tuple(self._places[need] for need in planned.needs),
                calls=(step.counted if maybe else step.calls or 0)
                if step.presence in wanted
                else 0,
                seconds=seconds(step),
                priority=planned.step.priority,
                slot=planned.step.tool is not None,
                holds=self._holds(planned.step.touches, planned.tool),
            )
            for step, planned in zip(self.steps, self.graph.steps.values(), strict=True)
        ]

    def _holds(self, touches: Iterable[str], tool: str) -> tuple[str, ...]:
        keys = tuple(dict.fromkeys(key for key in touches if "${" not in key))
        limited = f"tool {tool}"
        return (*keys, limited) if limited in self.limits else keys

    def played(self, concurrency: int | None = None) -> float:
        """The expected seconds, perhaps with another concurrency."""
        places = concurrency or self.graph.plan.concurrency
        return play(self.works(expected_seconds, maybe=True), places, self.limits).seconds


def low_seconds(step: StepForecast) -> float:
    """The low end of one call."""
    return step.seconds.low if step.seconds else 0.0


def expected_seconds(step: StepForecast) -> float:
    """What one call probably takes."""
    return step.seconds.expected if step.seconds else 0.0


def high_seconds(step: StepForecast) -> float:
    """The high end of one call: as observed, else as its timeouts say."""
    return step.seconds.high if step.seconds else step.at_most or 0.0


def forecast(outlook: Outlook) -> Forecast:
    """The forecast of a plan."""
    works = outlook.works(expected_seconds, maybe=True)
    names = [step.step for step in outlook.steps]
    found = waves(works)
    width = max([1, *(sum(works[i].calls for i in wave if works[i].slot) for wave in found)])
    critical_seconds, path = longest_path(works)
    seconds = _duration(outlook)
    cost = _cost(outlook)
    chance, observations = _chance(outlook)
    return Forecast(
        steps=tuple(outlook.steps),
        waves=tuple(tuple(names[index] for index in wave) for wave in found),
        width=width,
        at_once=min(width, outlook.graph.plan.concurrency),
        critical_path=tuple(names[index] for index in path),
        critical_seconds=critical_seconds,
        seconds=seconds,
        cost=cost,
        chance=chance,
        observations=observations,
        budget=tuple(_budget(outlook, seconds, cost)),
        asks=tuple(step.step for step in outlook.steps if step.asks and step.presence != "never"),
        unknown=tuple(islice(_unknown(outlook), MOST_UNKNOWN)),
    )


def _duration(outlook: Outlook) -> Range:
    plan = outlook.graph.plan
    low, expected, high = (
        play(outlook.works(seconds, maybe=maybe), plan.concurrency, outlook.limits).seconds
        for seconds, maybe in (
            (low_seconds, False),
            (expected_seconds, True),
            (high_seconds, True),
        )
    )
    # Shorter steps can make a longer schedule, when they let the wrong one go first.
    return Range(low=min(low, expected, high), expected=expected, high=max(low, expected, high))


def _cost(outlook: Outlook) -> CostRange:
    total = CostRange()
    for step in outlook.steps:
        if not step.works or step.presence == "never":
            continue
        one, count = step.cost or CostRange(), step.counted
        certain = (step.calls or 0) if step.presence == "always" else 0
        if step.plan is not None:
            inner = (times(one.low, certain), times(one.expected, count), times(one.high, count))
            total = total.plus(CostRange(low=inner[0], expected=inner[1], high=inner[2]))
            continue
        total = total.plus(
            CostRange(
                low=_with_calls(one.low, certain, 1),
                expected=_with_calls(one.expected, count, step.tries.expected),
                high=_with_calls(one.high, count, step.tries.high),
            )
        )
    return total


def _with_calls(cost: Cost, count: int, tries: float) -> Cost:
    """What so many calls cost, each with so many tries in it; the tries are counted as calls."""
    return structs.replace(times(cost, count), calls=round(count * tries))


def _chance(outlook: Outlook) -> tuple[float | None, int]:
    calls: Counter[str] = Counter()
    chances: list[float | None] = []
    observations: list[int] = []
    for step, planned in zip(outlook.steps, outlook.graph.steps.values(), strict=True):
        if not _counts(step) or planned.step.on_failure != "fail":
            continue  # the run does not fail with it
        observations.append(step.observations)
        if step.tool is not None:
            calls[step.tool] += step.counted
        else:
            chances.append(None if step.chance is None else step.chance**step.counted)
    seen = {tool: outlook.history.get(tool) for tool in calls}
    chances += [found.chance(calls[tool]) if found else None for tool, found in seen.items()]
    known = [chance for chance in chances if chance is not None]
    if not known or len(known) < len(chances):
        return None, 0
    return prod(known), min(observations)


def _counts(step: StepForecast) -> bool:
    return step.works and step.presence != "never" and step.counted > 0


def _budget(outlook: Outlook, seconds: Range, cost: CostRange) -> Iterable[BudgetLine]:
    caps = outlook.graph.plan.budget or Budget()
    called = [step for step in outlook.steps if _counts(step)]
    for currency in _CURRENCIES:
        cap: float | None = getattr(caps, currency)
        if cap is not None:
            expected, high = getattr(cost.expected, currency), getattr(cost.high, currency)
            yield _line(currency, cap, expected, high, _worst(called, currency))
    if caps.seconds is not None:
        bounded = all(step.at_most is not None and step.calls is not None for step in called)
        works = outlook.works(lambda step: step.at_most or 0.0, maybe=True)
        places = outlook.graph.plan.concurrency
        worst = play(works, places, outlook.limits).seconds if bounded else None
        yield _line("seconds", caps.seconds, seconds.expected, seconds.high, worst)


def _worst(called: Sequence[StepForecast], currency: str) -> float | None:
    """If everything takes all its tries and its ceiling; None where there is no ceiling."""
    if any(step.calls is None for step in called):
        return None
    if currency == "calls":
        return sum(step.counted * step.attempts for step in called)
    free = CostRange()
    if any(not step.bounded and step.cost != free for step in called):
        return None
    amounts: list[float] = [step.counted * getattr(step.worst, currency) for step in called]
    return round(sum(amounts), 9)


def _line(
    currency: str, cap: float, expected: float, high: float, worst: float | None
) -> BudgetLine:
    if expected > cap:
        verdict: Verdict = "does not fit"
    elif high > cap:
        verdict = "may not fit"
    else:
        verdict = "fits" if worst is not None and max(worst, high) <= cap else "should fit"
    return BudgetLine(
        currency=currency, cap=cap, expected=expected, high=high, worst=worst, verdict=verdict
    )


def _unknown(outlook: Outlook) -> Iterable[Unknown]:
    for step in outlook.steps:
        if step.presence == "never" or (step.asks and not step.works):
            continue
        if step.calls is None:
            why = "the number of items is known only when it runs; one is counted"
            yield Unknown(step=step.step, what="calls", why=why)
        if step.tool is not None:
            yield from _unknown_of_call(step, step.tool)
        elif step.plan is None:
            why = "its saved plan is looked up when the run starts"
            yield Unknown(step=step.step, what="seconds", why=why)
        else:
            for each in outlook.nested[step.step].unknown:
                yield structs.replace(each, step=f"{step.step}/{each.step}")


def _unknown_of_call(step: StepForecast, tool: str) -> Iterable[Unknown]:
    if step.seconds is None:
        limit = f"; its timeouts end it after {step.at_most:g} s" if step.at_most else ""
        why = f"{tool} has not been called yet{limit}"
        yield Unknown(step=step.step, what="seconds", why=why)
    if step.cost is None:
        why = f"{tool} declares no cost and has not been called yet"
        yield Unknown(step=step.step, what="cost", why=why)
    if step.chance is None:
        yield Unknown(step=step.step, what="chance", why=f"{tool} has not been called yet")
