"""The store as a whole, and the named data that tools share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet.core.run.start import TENANT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.index.context import ContextItem
    from callsheet.errors import CallsheetError
    from callsheet.ports.accounts import Ledger
    from callsheet.ports.artifacts import Cache, Lineage
    from callsheet.ports.database import Branch, Database
    from callsheet.ports.places import Places
    from callsheet.ports.runs import Inbox, Journal, Owners, PlanShelf


class ContextShelf(Protocol):
    """Named data that tools share: versioned, sized, expiring. What has expired is not there.

    A scope is a tenant's: of the same name, each tenant has one of its own.
    """

    async def put(self, item: ContextItem, *, after: int | None, most: int) -> ContextItem:
        """Keep an item and return it as it is kept: numbered after all versions of its name.

        `item.version` is ignored. `after` is the version it must follow (0: there must be none);
        None: whichever is newest. `most` is how many bytes the scope may have in all, counting
        newest versions; older versions are kept until they expire or the name is deleted. The
        same `item.key` twice is one version, and stands as it was put first.

        Raises:
            StaleContextError: the newest version is another.
            InputError: the scope would be too large.
        """
        ...

    async def get(
        self,
        scope: str,
        name: str,
        *,
        at: datetime,
        version: int | None = None,
        tenant: str = TENANT,
    ) -> ContextItem | None:
        """A version, or the newest."""
        ...

    async def list(
        self, scope: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """The newest version of each, by name."""
        ...

    async def history(
        self, scope: str, name: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """Every version of a name, oldest first."""
        ...

    async def withdraw(self, key: str, *, at: datetime) -> ContextItem | None:
        """Have the version that a call wrote expire now; returns it, or None if there is none.

        The version before it is the newest again, unless others have been put since.
        """
        ...

    async def delete(self, scope: str, name: str | None = None, *, tenant: str = TENANT) -> int:
        """Remove all versions of a name, or everything in a scope; returns how many."""
        ...

    async def prune(self, *, at: datetime) -> int:
        """Remove what has expired; returns how many.

        The last number of a name is remembered for as long as there is anything of that name.
        """
        ...


class Store(Protocol):
    """Where everything durable lives, but for artifacts' bytes. Opened once, closed once."""

    journal: Journal
    inbox: Inbox
    plans: PlanShelf
    lineage: Lineage
    cache: Cache
    ledger: Ledger
    context: ContextShelf
    owners: Owners
    places: Places

    @property
    def driving(self) -> bool:
        """Whether runs are driven from here. Others may read, and write to the inbox."""
        ...

    async def replaced(self) -> CallsheetError:
        """Return when another process has found this one gone, with what to tell its runs.

        From then on nothing of theirs is written from here. Waits for ever if that never happens.
        """
        ...

    def listen(
        self, wake: Callable[[], object], *, requests: bool = False
    ) -> Callable[[], None] | None:
        """Call back, on the event loop, when another process may have left something to read.

        Entries and verdicts; or `requests`. Returns how to stop it; None: this store cannot tell.
        One that can may miss something while it is cut off, so whoever waits still looks by
        himself, now and then.
        """
        ...

    def lend(self, branch: Branch) -> Database:
        """The database, for tables of a client's own. Nothing happens before they are used."""
        ...

    async def backup(self, target: Path) -> None:
        """Write a consistent copy while the store is in use. Refuses to overwrite."""
        ...

    async def close(self) -> None:
        """Finish what is being written, release the lock. Harmless the second time."""
        ...
