"""Runs: their journals, the requests to them, and the plans that are kept for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet.core.index.heads import EVERY_RUN
from callsheet.core.run.start import TENANT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import Filter, Placed, RunHead
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
            RequestRefusedError: the request that it begins with was dealt with before. It is
                settled in the same transaction.
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
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        ...

    async def since(
        self, position: int, which: Filter = EVERY_RUN, *, limit: int = 1000
    ) -> Sequence[Placed]:
        """Entries of all runs after a position, in the order in which they were committed.

        An entry never appears before the position of one that was returned. Deleted runs leave
        gaps.
        """
        ...

    async def position(self) -> int:
        """The position of the newest entry; 0 while there has been none."""
        ...

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole, in one transaction; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        ...


class Owners(Protocol):
    """Who drives which run. A driver is a number; it is alive as long as its process is."""

    @property
    def driver(self) -> int:
        """The number of this one; 0: it does not drive."""
        ...

    async def is_alive(self, driver: int | None) -> bool:
        """Whether a driver is alive, this one or another. None is not."""
        ...

    async def process_of(self, driver: int | None) -> str:
        """Which process a driver is, for a person: its number and machine; empty: not known."""
        ...

    async def claim(self, run: RunId) -> bool:
        """Make a run this driver's; False: it is another's, who is alive.

        Whose owner is gone, is claimed by one only. The owner, should it still live after all,
        writes nothing more (see `Store.replaced`).
        """
        ...

    async def abandoned(self, *, newest: int | None = None) -> Sequence[RunId]:
        """Open runs whose driver is gone, oldest first; cheap enough to ask twice a second.

        The first time all of them; then those whose driver was found gone since. With `newest`,
        always that many of the newest, without looking at all: soon, however many there are.
        """
        ...


class Inbox(Protocol):
    """Requests to runs, from any process, in the order they were put."""

    async def put(self, request: Request) -> Request:
        """Leave a request, and return the one that stands. Durable when this returns.

        The same id twice is one request, and the first.
        """
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

    async def withdraw(self, request: str, settled: Settled) -> bool:
        """Take back a request that nobody has dealt with; False: somebody has, or it is not there.

        From any process. Of two who deal with it at the same time one is told that it is done: a
        run whose start was withdrawn does not begin.
        """
        ...

    async def start_of(self, run: RunId) -> tuple[Request, Settled | None] | None:
        """The start that was left under this id, and what became of it; None: there is none."""
        ...

    async def over(self) -> Sequence[tuple[Request, Settled]]:
        """What was settled and belongs to no run, newest first: starts that never began."""
        ...

    async def forget(self, request: str, *, unless: str = "") -> bool:
        """Remove a request that is settled, unless there is one of the other id; False: it stays.

        From any process.
        """
        ...


class PlanShelf(Protocol):
    """Saved plans; every version is kept until the plan is deleted.

    Names are each tenant's own: of the same name, each may have a plan.
    """

    async def save(
        self, plan: Plan, at: datetime, *, key: str | None = None, tenant: str = TENANT
    ) -> SavedPlan:
        """Save under the plan's name. The same content as the newest version is that version.

        The same key of a tenant is the same save, and returns the version that it made.

        Raises:
            KeyReusedError: another plan was saved with the key.
        """
        ...

    async def get(
        self, name: str, version: int | None = None, *, tenant: str = TENANT
    ) -> SavedPlan | None:
        """A version, or the newest."""
        ...

    async def list(self, *, tenant: str | None = TENANT) -> Sequence[SavedPlan]:
        """The newest version of each, by name; None: every tenant's, by tenant and name."""
        ...

    async def versions(self, name: str, *, tenant: str = TENANT) -> Sequence[SavedPlan]:
        """All versions, oldest first."""
        ...

    async def delete(self, name: str, *, tenant: str = TENANT) -> bool:
        """Remove all versions; False when there is none.

        Raises:
            RequestRefusedError: an open run of this tenant is of one of them.
        """
        ...
