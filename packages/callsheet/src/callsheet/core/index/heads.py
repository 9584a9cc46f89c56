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
from callsheet.core.run.verbs import RunReopened, StepUndoRequested

if TYPE_CHECKING:
    from collections.abc import Sequence

_REOPENING = (UndoRequested, StepUndoRequested, RunReopened)
_TELLING = frozenset({RunStarted, RunEnded, *_REOPENING})
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
    """None while the run is open (or open again: being undone, or with a step tried again)."""
    ended_at: datetime | None
    subject: str | None = None
    """What it is about, in the words of whoever started it."""
    parent: RunId | None = None
    """The run that it is a step of."""
    root: RunId | None = None
    """The run at the top of its family; None: this one is."""
    owner: int | None = None
    """The number of the driver whose run it is: the store's knowledge, not the journal's."""

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
            "subject": self.subject,
            "parent": self.parent,
            "root": self.root,
        }


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs are meant; what is None is not asked about."""

    ended: EndState | None = None
    plan: str | None = None
    """The name of the plan."""
    tenant: str | None = None
    subject: str | None = None
    key: str | None = None
    since: datetime | None = None
    """None that started before it."""
    top_level: bool = False
    """None that is a step of another."""
    open_only: bool = False

    def takes(self, head: RunHead) -> bool:
        """Whether a run is one of those."""
        asked = (self.ended, self.plan, self.tenant, self.subject, self.key)
        there = (head.ended, head.name, head.tenant, head.subject, head.key)
        return (
            all(want in (None, has) for want, has in zip(asked, there, strict=True))
            and not (self.since is not None and head.started_at < self.since)
            and not (self.top_level and head.parent is not None)
            and not (self.open_only and head.ended is not None)
        )


EVERY_RUN = Filter()


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in the order over all runs, and which run it belongs to."""

    position: int
    head: RunHead
    """Of its run, as the index has it now."""
    seq: int
    entry: AnyEntry | None
    """None: it cannot be read. Others are not kept from going on by it."""


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
    request: str | None = None
    """The request that was left for the run which begins: dealt with by this append."""

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
    request: str | None = None
    for seq, entry in enumerate(entries, after + 1):
        if isinstance(entry, RunStarted):
            if seq != 1 or entry.run != run:
                return Change(fault=_beginning(run))
            started, request = _head(entry), entry.request
        elif isinstance(entry, RunEnded):
            ending = Ending(entry.state, entry.at)
        elif isinstance(entry, _REOPENING):
            ending = Ending(None, None)
    if after == 0 and started is None:
        return Change(fault=_beginning(run))
    derived = derived_of(run, entries, after=after)
    return Change(started, ending, derived if derived != NOTHING_DERIVED else None, request=request)


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
        subject=started.subject,
        parent=RunId(started.parent.run) if started.parent else None,
        root=_root(started),
    )


def _root(started: RunStarted) -> RunId | None:
    # Before the root was recorded, the run around it is the best that can be said.
    root = started.root or (started.parent.run if started.parent else None)
    return RunId(root) if root else None


def _beginning(run: RunId) -> str:
    return f"the journal of {run!r} begins with its own RunStarted, and has no other"
