"""Runs: their journals, the requests to them, and the plans that are kept for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.request import Request, Settled


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
        """The entries numbered after+1 and up, in order; empty for a run that does not exist.

        Raises:
            StoreCorruptError: one is missing or damaged.
            ReplayImpossibleError: one was written by a newer version.
        """
        ...

    async def lines(self, run: RunId) -> Sequence[tuple[int, str]]:
        """The entries as they are written, with their numbers, whether they can be read or not."""
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
