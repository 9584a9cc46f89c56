"""The index of runs, derived from their journals.

Every store keeps a `RunHead` per run and changes it together with the entries it follows from, so
the index never says anything the journal does not; likewise what is `derived` for the others.
Nothing is stored here.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.ids import RunId
from callsheet.core.index.derived import NOTHING_DERIVED, Derived, derived_of, is_telling
from callsheet.core.run.entries import AnyEntry, EndState, RunEnded, RunStarted, UndoRequested

if TYPE_CHECKING:
    from collections.abc import Sequence

_TELLING = frozenset({RunStarted, RunEnded, UndoRequested})
"""The only entries that the index of runs shows."""


class RunHead(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of a run without reading its journal: an index, never the truth."""

    run: RunId
    name: str
    """Of the plan."""
    plan: str
    """The plan's digest."""
    content: str
    """Digest of plan and inputs together: what a start key stands for."""
    tenant: str
    key: str | None
    started_at: datetime
    ended: EndState | None
    """None while the run is open (or open again, being undone)."""
    ended_at: datetime | None
    parent: str | None = None
    """The run that it is a step of, where a list says so; an index does not know it."""

    @property
    def id(self) -> RunId:
        """The run's id, under the name that its handle has for it."""
        return self.run

    def to_json(
        self, *, state: str = "running", paused: bool = False, interrupted: bool = False
    ) -> dict[str, value.Json]:
        """As plain data; of an open run, its status says what the index does not know."""
        return {
            "run": self.run,
            "plan": self.name,
            "state": str(self.ended or state),
            "paused": paused,
            "interrupted": interrupted,
            "started_at": msgspec.to_builtins(self.started_at),
            "ended_at": msgspec.to_builtins(self.ended_at),
            "key": self.key,
            "tenant": self.tenant,
            "digest": self.plan,
            **({"parent": self.parent} if self.parent else {}),
        }


class Ending(msgspec.Struct, frozen=True):
    """How a run stands after its last entry about that; None: it is open (again)."""

    state: EndState | None
    at: datetime | None


class Change(msgspec.Struct, frozen=True):
    """What an append does to the indexes."""

    started: RunHead | None = None
    ending: Ending | None = None
    derived: Derived | None = None
    """What it says to the other indexes; None, as for most: nothing."""
    fault: str | None = None
    """Why these entries cannot stand where they are to stand."""

    def apply(self, head: RunHead | None) -> RunHead | None:
        """The run's head after the append, given the one before."""
        head = self.started or head
        if head is None or self.ending is None:
            return head
        return replace(head, ended=self.ending.state, ended_at=self.ending.at)


_NOTHING = Change()


def content_of(started: RunStarted) -> str:
    """The digest of plan and inputs together: what a start key stands for."""
    return value.digest([started.plan.digest, value.decode(started.inputs)])


def change_of(run: RunId, entries: Sequence[AnyEntry], *, after: int) -> Change:
    """What appending these entries does to the indexes."""
    # Most appends change nothing, and they are the hot path: this is all that is done for them.
    for entry in entries:
        if type(entry) in _TELLING or is_telling(entry):
            return _change(run, entries, after)
    return _NOTHING if after or not entries else Change(fault=_beginning(run))


def _change(run: RunId, entries: Sequence[AnyEntry], after: int) -> Change:
    started: RunHead | None = None
    ending: Ending | None = None
    for seq, entry in enumerate(entries, after + 1):
        if isinstance(entry, RunStarted):
            if seq != 1 or entry.run != run:
                return Change(fault=_beginning(run))
            started = _head(entry)
        elif isinstance(entry, RunEnded):
            ending = Ending(entry.state, entry.at)
        elif isinstance(entry, UndoRequested):
            ending = Ending(None, None)
    if after == 0 and started is None:
        return Change(fault=_beginning(run))
    derived = derived_of(run, entries, after=after)
    return Change(started, ending, derived if derived != NOTHING_DERIVED else None)


def _head(started: RunStarted) -> RunHead:
    return RunHead(
        run=RunId(started.run),
        name=started.plan.name,
        plan=started.plan.digest,
        content=content_of(started),
        tenant=started.tenant,
        key=started.key,
        started_at=started.at,
        ended=None,
        ended_at=None,
    )


def _beginning(run: RunId) -> str:
    return f"the journal of {run!r} begins with its own RunStarted, and has no other"
