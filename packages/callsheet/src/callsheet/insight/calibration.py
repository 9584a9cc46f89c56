"""How good forecasts have been: each run held against what its predecessors foretold of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.graph import Graph
from callsheet.core.run.snapshot import Snapshot
from callsheet.insight.forecast import Forecast, Outlook, forecast
from callsheet.insight.plain import plain
from callsheet.insight.statistics import History
from callsheet.insight.tally import tally_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.value import Json

_CURRENCIES = ("usd", "credits", "tokens", "calls")


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """What was foretold, and what came."""

    runs: int
    """Runs that succeeded, of which everything was known beforehand."""
    seconds_within: int
    """Those that took as long as foretold: between the low and the high end."""
    cost_within: int
    """Those that cost as much as foretold, in every currency."""
    foretold: int
    """Runs whose chance was known, and that succeeded or failed."""
    chance: float | None
    """The chance they had, on average."""
    succeeded: float | None
    """The share of them that did succeed; as large as `chance`, if that is any good."""

    def to_json(self) -> Json:
        """As plain data: every field."""
        return plain(self)


class _Count:
    """Sums over the runs looked at."""

    def __init__(self) -> None:
        self.runs = self.seconds = self.cost = self.foretold = self.succeeded = 0
        self.chances = 0.0

    def add(self, found: Forecast, snapshot: Snapshot) -> None:
        if found.chance is not None and snapshot.ended in ("succeeded", "failed", "undone"):
            self.foretold += 1
            self.chances += found.chance
            self.succeeded += snapshot.ended == "succeeded"
        if snapshot.ended == "succeeded" and not found.unknown:
            self.runs += 1
            self.seconds += found.seconds.low <= snapshot.ran <= found.seconds.high
            self.cost += _is_within(found, snapshot)


def calibrate(journals: Iterable[Sequence[e.AnyEntry]]) -> Calibration:
    """Hold runs against forecasts from those before them; journals come oldest first."""
    history, count = History(), _Count()
    for entries in journals:
        started = entries[0]
        assert isinstance(started, e.RunStarted), "the journal's own promise"
        snapshot = Snapshot()
        for entry in entries:
            fold.apply(snapshot, entry)
        if history.runs and snapshot.ended:
            graph = Graph(started.plan, started.tools, started.children)
            inputs = value.decode(started.inputs)
            count.add(forecast(Outlook(graph, graph.tools, history.observed(), inputs)), snapshot)
        history.add(tally_of(entries))
    return Calibration(
        runs=count.runs,
        seconds_within=count.seconds,
        cost_within=count.cost,
        foretold=count.foretold,
        chance=count.chances / count.foretold if count.foretold else None,
        succeeded=count.succeeded / count.foretold if count.foretold else None,
    )


def _is_within(found: Forecast, snapshot: Snapshot) -> bool:
    spent = msgspec.structs.replace(snapshot.pot.spent, calls=snapshot.pot.calls)
    return all(
        getattr(found.cost.low, currency)
        <= getattr(spent, currency)
        <= getattr(found.cost.high, currency)
        for currency in _CURRENCIES
    )
