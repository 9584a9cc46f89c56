"""Runs: their journals, the requests to them, and the plans that are kept for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from callsheet.core.plan import Plan
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.entries import AnyEntry, EndState
    from callsheet.core.ids import RunId

RequestKind = Literal["pause", "resume", "cancel", "undo", "answer", "add", "seal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHead:
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


class Journal(Protocol):
    """An append-only record of runs. Entries of a run are numbered from 1."""

    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """Append entries atomically and return the new length.

        The entries are durable when this returns (see the store's `sync`). It writes all of them
        or none. A journal begins with `RunStarted` at `after=0`. Cancelling the caller does not
        take the entries back.

        Raises:
            StaleWriteError: the journal is not `after` entries long.
            KeyReusedError: the first entry's `(tenant, key)` belongs to another run.
            LedgerShortError: the tenant's account does not cover what the first entry reserves.
        """
        ...

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries numbered after+1 and up, in order; empty for a run that does not exist."""
        ...

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run."""
        ...

    async def find(self, tenant: str, key: str) -> RunHead | None:
        """The run that was started with this key."""
        ...

    async def heads(
        self, *, limit: int = 50, before: RunId | None = None, open_only: bool = False
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        ...

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole, in one transaction; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        ...


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something asked of a run, perhaps by another process."""

    id: str
    run: str
    kind: RequestKind
    by: str | None = None
    step: str | None = None
    """`answer`: which step; `undo`: the step to keep."""
    question: str | None = None
    """`answer`: the question it is meant for; None: whichever the step asks now."""
    answer: Json = None
    output: Json = None
    reason: str = ""
    steps: list[dict[str, Json]] = []
    """`add`: the steps, as a plan would write them."""
    plans: dict[str, Plan] = {}
    """`add`: the saved plans that they name."""
    left: bool = False
    """Nobody drove the run when it was asked, and nobody waits for what becomes of it."""


class Settled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a request."""

    refusal: str | None = None
    """Why it was not done; None: it was journalled."""


class Inbox(Protocol):
    """Requests to runs, from any process, in the order they were put."""

    async def put(self, request: Request) -> None:
        """Leave a request. Durable when this returns. The same id twice is one request."""
        ...

    async def pending(self) -> Sequence[Request]:
        """Requests that are not settled, oldest first. Cheap enough to ask ten times a second."""
        ...

    async def settle(self, request: str, settled: Settled) -> None:
        """Say what became of a request."""
        ...

    async def settled(self, request: str) -> Settled | None:
        """What became of a request; None while nobody has dealt with it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """One version of a saved plan."""

    name: str
    version: int
    plan: Plan
    saved_at: datetime


class PlanShelf(Protocol):
    """Saved plans; every version is kept until the plan is deleted."""

    async def save(self, plan: Plan, at: datetime) -> SavedPlan:
        """Save under the plan's name. The same content as the newest version is that version."""
        ...

    async def get(self, name: str, version: int | None = None) -> SavedPlan | None:
        """A version, or the newest."""
        ...

    async def list(self) -> Sequence[SavedPlan]:
        """The newest version of each, by name."""
        ...

    async def versions(self, name: str) -> Sequence[SavedPlan]:
        """All versions, oldest first."""
        ...

    async def delete(self, name: str) -> bool:
        """Remove all versions; False when there is none.

        Raises:
            RequestRefusedError: an open run is of one of them.
        """
        ...
