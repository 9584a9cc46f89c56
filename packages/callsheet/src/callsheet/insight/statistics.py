"""Statistics per tool, from the journals: the only truth there is about calls.

Each run is folded into tallies once. Those of an ended run do not change, so they are kept; asking
again reads only what is new.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import structs

from callsheet.core.past.outputs import MISFITS
from callsheet.core.plan.plan import Cost
from callsheet.core.run.unknown import UNREADABLE
from callsheet.insight.estimate import times
from callsheet.insight.plain import plain
from callsheet.insight.tally import Tally, tally_of
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.insight.estimate import Observed

DEFAULT_RUNS = 1000
"""How many runs are looked at, the newest first."""
PAGE = 200
MAX_KEPT = 10_000
"""Runs whose tallies are kept; one takes a few kilobytes."""


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """How long calls took, in seconds; quantiles are at most 5 % off."""

    mean: float
    p50: float
    p90: float
    p99: float
    max: float


class ToolStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """One tool, over all runs that were looked at."""

    tool: str
    calls: int
    """Attempts that have ended, undos included."""
    succeeded: int
    failed: int
    cancelled: int
    lost: int
    """Gone in a crash."""
    error_rate: float
    """The share that failed, of those that succeeded or failed."""
    errors: dict[str, int]
    """Per class of error; `lost` is one."""
    retries: int
    """Attempts after the first of their step."""
    in_doubt: int
    """Writes of which nobody knew what had become."""
    cached: int
    """Calls that an earlier answer saved."""
    seconds: Latency | None
    """Of the calls that succeeded or failed; None: there is none."""
    cost: Cost
    """In all."""
    cost_per_call: Cost
    steps: int
    """Steps that came to an end of their own, whatever it took."""
    steps_succeeded: int
    undone: int
    """Steps whose effect was taken back."""
    undo_rate: float
    """The share of the successful steps that was taken back."""
    undos: int
    """Calls that were themselves an undo."""

    def to_json(self) -> Json:
        """As plain data: every field, amounts with every currency."""
        return plain(self)


class History:
    """What was looked at: tallies per tool, and of how many runs."""

    __slots__ = ("passed_over", "runs", "tallies")

    def __init__(self) -> None:
        self.runs = 0
        self.tallies: dict[str, Tally] = {}
        self.passed_over: list[str] = []
        """Runs that cannot be read."""

    def add(self, tallies: Mapping[str, Tally]) -> None:
        """Count one more run."""
        self.runs += 1
        for tool, tally in tallies.items():
            self.tallies.setdefault(tool, Tally()).merge(tally)

    def observed(self) -> dict[str, Observed]:
        """What a forecast may know."""
        return {tool: tally.observed() for tool, tally in self.tallies.items()}

    def statistics(self) -> list[ToolStatistics]:
        """For people, by tool."""
        return [statistics_of(tool, self.tallies[tool]) for tool in sorted(self.tallies)]


class Journals(Protocol):
    """What statistics need of the journal."""

    async def heads(self, *, limit: int, before: RunId | None) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        ...

    async def read(self, run: RunId) -> Sequence[AnyEntry]:
        """All entries of a run."""
        ...


class Statistics:
    """Reads journals, and remembers what it made of those that have ended."""

    def __init__(self, journal: Journals) -> None:
        self._journal = journal
        self._kept: OrderedDict[tuple[str, str, datetime], dict[str, Tally]] = OrderedDict()

    async def history(self, *, since: datetime | None = None, limit: int = DEFAULT_RUNS) -> History:
        """The newest runs, at most `limit`, none started before `since`."""
        history = History()
        async for head in heads(self._journal, since=since, limit=limit):
            try:
                history.add(await self._tallies(head))
            except (*UNREADABLE, *MISFITS) as exc:
                history.passed_over.append(head.run)
                log.warning("run.unreadable", run=head.run, reason=str(exc))
        return history

    async def _tallies(self, head: RunHead) -> dict[str, Tally]:
        if head.ended_at is None:
            return tally_of(await self._journal.read(head.run))
        # A run that is undone after its end is open again, and then ends another way.
        name = (head.run, head.ended or "", head.ended_at)
        if (found := self._kept.get(name)) is not None:
            self._kept.move_to_end(name)
            return found
        found = self._kept[name] = tally_of(await self._journal.read(head.run))
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return found


async def heads(
    journal: Journals, *, since: datetime | None = None, limit: int = DEFAULT_RUNS
) -> AsyncIterator[RunHead]:
    """Runs, newest first, page by page."""
    last = None
    while limit > 0:
        page = await journal.heads(limit=min(limit, PAGE), before=last)
        for head in page:
            if since is not None and head.started_at < since:
                return
            yield head
            last = head.run
        if len(page) < min(limit, PAGE):
            return
        limit -= len(page)


def statistics_of(tool: str, tally: Tally) -> ToolStatistics:
    """One tool's numbers, for people."""
    succeeded, failed = tally.outcomes["succeeded"], tally.outcomes["failed"]
    own = succeeded + failed
    per_call = times(tally.cost, 1 / tally.calls) if tally.calls else Cost()
    return ToolStatistics(
        tool=tool,
        calls=tally.calls,
        succeeded=succeeded,
        failed=failed,
        cancelled=tally.outcomes["cancelled"],
        lost=tally.outcomes["lost"],
        error_rate=failed / own if own else 0.0,
        errors=dict(sorted(tally.errors.items())),
        retries=tally.retries,
        in_doubt=tally.in_doubt,
        cached=tally.cached,
        seconds=_latency(tally),
        cost=structs.replace(tally.cost, calls=tally.calls),
        cost_per_call=per_call,
        steps=tally.steps,
        steps_succeeded=tally.steps_succeeded,
        undone=tally.undone,
        undo_rate=tally.undone / tally.steps_succeeded if tally.steps_succeeded else 0.0,
        undos=tally.undos,
    )


def _latency(tally: Tally) -> Latency | None:
    spread = tally.seconds
    if spread.mean is None:
        return None
    p50, p90, p99 = (spread.quantile(share) or 0.0 for share in (0.5, 0.9, 0.99))
    return Latency(mean=spread.mean, p50=p50, p90=p90, p99=p99, max=spread.most)
