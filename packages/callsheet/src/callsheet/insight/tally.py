"""What a run, or many, made of each tool: counts, times, costs. Tallies can be added."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from callsheet.core.past.calls import Calls
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.plan.subplan import SUB_PLAN
from callsheet.core.run import entries as e
from callsheet.core.run.policy import RETRYABLE
from callsheet.insight.estimate import CostRange, Observed, Range
from callsheet.insight.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.past.calls import Call

LOW, HIGH = 0.1, 0.9
_CURRENCIES = ("usd", "credits", "tokens")


class Tally:
    """One tool's numbers."""

    __slots__ = (
        "cached",
        "calls",
        "cost",
        "costs",
        "errors",
        "in_doubt",
        "outcomes",
        "retries",
        "seconds",
        "steps",
        "steps_succeeded",
        "undone",
        "undos",
    )

    def __init__(self) -> None:
        self.calls = 0
        """Attempts that have ended."""
        self.outcomes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        """By class; `lost` is one."""
        self.retries = 0
        """Attempts after the first of their step."""
        self.in_doubt = 0
        self.cached = 0
        """Calls that another run's answer saved."""
        self.seconds = Spread()
        self.cost = NOTHING
        self.costs: dict[str, Spread] = {}
        """Per currency that was ever spent, the calls that spent some of it."""
        self.steps = 0
        """Steps that came to an end of their own."""
        self.steps_succeeded = 0
        self.undone = 0
        """Calls that have been taken back."""
        self.undos = 0
        """Calls that this tool made as an undo."""

    def add(self, call: Call) -> None:
        """Count a call that has ended."""
        self.calls += 1
        self.undos += call.undo
        self.outcomes[str(call.outcome)] += 1
        if call.error_class:
            self.errors[call.error_class] += 1
        self.retries += call.attempt > 1
        self.in_doubt += call.in_doubt
        if call.seconds is not None:
            self.seconds.add(call.seconds)
        if call.cost != NOTHING:
            self._charge(call.cost)

    def _charge(self, cost: Cost) -> None:
        self.cost = self.cost.plus(cost)
        for currency in _CURRENCIES:
            if amount := getattr(cost, currency):
                self.costs.setdefault(currency, Spread()).add(amount)

    def merge(self, other: Tally) -> None:
        """Count all of another one's too."""
        for name in ("calls", "retries", "in_doubt", "cached", "steps", "steps_succeeded"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.undone += other.undone
        self.undos += other.undos
        self.outcomes.update(other.outcomes)
        self.errors.update(other.errors)
        self.seconds.merge(other.seconds)
        self.cost = self.cost.plus(other.cost)
        for currency, spread in other.costs.items():
            self.costs.setdefault(currency, Spread()).merge(spread)

    def observed(self) -> Observed:
        """What a forecast may know of it."""
        own = self.outcomes["succeeded"] + self.outcomes["failed"]
        again = sum(self.errors[name] for name in RETRYABLE)
        return Observed(
            calls=own,
            seconds=_range(self.seconds) if self.seconds.count else None,
            retried=min(again / own, 1.0) if own else 0.0,
            steps=self.steps,
            succeeded=self.steps_succeeded,
            cost=self._cost(own) if own else None,
        )

    def _cost(self, calls: int) -> CostRange:
        """Of one call: the average is what many of them will come to."""
        ends: dict[str, dict[str, float]] = {"low": {}, "expected": {}, "high": {}}
        for currency, spread in self.costs.items():
            mean = spread.total / max(calls, spread.count)
            # Calls that cost nothing are not in the spread: where there are some, it begins there.
            low = spread.quantile(LOW) if spread.count >= calls else 0.0
            ends["low"][currency] = min(low or 0.0, mean)
            ends["expected"][currency] = mean
            ends["high"][currency] = max(spread.quantile(HIGH) or 0.0, mean)
        return CostRange(**{end: _amount(amounts) for end, amounts in ends.items()})


def _range(spread: Spread) -> Range:
    low, middle, high = (spread.quantile(share) or 0.0 for share in (LOW, 0.5, HIGH))
    return Range(low=low, expected=middle, high=high)


def _amount(amounts: dict[str, float]) -> Cost:
    return Cost(
        usd=round(amounts.get("usd", 0.0), 9),
        credits=round(amounts.get("credits", 0.0), 9),
        tokens=round(amounts.get("tokens", 0)),
    )


def tally_of(entries: Iterable[e.AnyEntry]) -> dict[str, Tally]:
    """One run, in time linear in its journal. An attempt that goes on is not counted."""
    calls = Calls()
    found: dict[str, Tally] = {}
    last: dict[str, Call] = {}
    for entry in entries:
        if isinstance(entry, e.StepCached):
            found.setdefault(calls.tool_of(entry.step), Tally()).cached += 1
        call = calls.take(entry)
        if call is None or call.outcome is None or call.tool == SUB_PLAN or call.is_unbegun:
            continue  # a sub-plan's calls are in a journal of their own
        found.setdefault(call.tool, Tally()).add(call)
        if not call.undo:
            last[call.step] = call
        elif call.outcome == "succeeded" and call.step in last:
            found[last[call.step].tool].undone += 1
    for call in last.values():
        if call.outcome != "cancelled":
            found[call.tool].steps += 1
            found[call.tool].steps_succeeded += call.outcome == "succeeded"
    return found
