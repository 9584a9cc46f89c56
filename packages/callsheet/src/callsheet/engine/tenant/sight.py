"""The ports of an engine as one tenant sees them: what is another's is not there.

Every rule of the engine stays where it is; it is asked on these ports, and so has the same words
for what is another's and for what never was. Whatever a store can ask for one tenant alone, it is
asked so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.index.heads import EVERY_RUN
from callsheet.core.plan.artifact import is_digest
from callsheet.errors import UnknownArtifactError
from callsheet.runtime.belonging import digests_named

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.core.index.derived import ArtifactUse
    from callsheet.core.index.heads import Filter, Placed, RunHead
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.request import Request, Settled
    from callsheet.errors import CallsheetError
    from callsheet.ports import (
        ArtifactStore,
        Branch,
        Clock,
        Database,
        Inbox,
        Journal,
        KeptArtifact,
        Lineage,
        PlanShelf,
        Store,
    )

MOST_KNOWN = 10_000
"""Runs that are remembered to be the tenant's."""


class OwnJournal:
    """`Journal`, with the runs of one tenant."""

    def __init__(self, journal: Journal, tenant: str) -> None:
        self._journal = journal
        self._tenant = tenant
        self._own: set[RunId] = set()
        """Runs that are known to be the tenant's; a run never becomes another's."""

    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """As `Journal.append`: the runtime writes, whoever looks."""
        return await self._journal.append(run, entries, after=after)

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """As `Journal.read`; empty for a run that is another's."""
        if not await self._is_own(run):
            return ()
        return await self._journal.read(run, after=after, limit=limit)

    async def lines(self, run: RunId) -> Sequence[tuple[int, str]]:
        """As `Journal.lines`; empty for a run that is another's."""
        return await self._journal.lines(run) if await self._is_own(run) else ()

    async def head(self, run: RunId) -> RunHead | None:
        """As `Journal.head`; None for a run that is another's."""
        head = await self._journal.head(run)
        return head if head is not None and head.tenant == self._tenant else None

    async def find(self, tenant: str, key: str) -> RunHead | None:
        """As `Journal.find`."""
        return await self._journal.find(tenant, key) if tenant == self._tenant else None

    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """As `Journal.heads`, of the tenant."""
        own = replace(which, tenant=self._tenant)
        return await self._journal.heads(own, limit=limit, before=before)

    async def since(
        self, position: int, which: Filter = EVERY_RUN, *, limit: int = 1000
    ) -> Sequence[Placed]:
        """As `Journal.since`, of the tenant."""
        own = replace(which, tenant=self._tenant)
        return await self._journal.since(position, own, limit=limit)

    async def position(self) -> int:
        """As `Journal.position`: the order is one over all."""
        return await self._journal.position()

    async def delete(self, run: RunId) -> bool:
        """As `Journal.delete`; False for a run that is another's."""
        return await self._journal.delete(run) if await self._is_own(run) else False

    async def _is_own(self, run: RunId) -> bool:
        if run not in self._own:
            if await self.head(run) is None:
                return False
            if len(self._own) >= MOST_KNOWN:
                self._own.clear()
            self._own.add(run)
        return True


class OwnShelf:
    """`PlanShelf`, with the plans of one tenant, whoever is named."""

    def __init__(self, shelf: PlanShelf, tenant: str) -> None:
        self._shelf = shelf
        self._tenant = tenant

    async def save(
        self, plan: Plan, at: datetime, *, key: str | None = None, tenant: str = ""
    ) -> SavedPlan:
        """As `PlanShelf.save`."""
        assert tenant in ("", self._tenant)
        return await self._shelf.save(plan, at, key=key, tenant=self._tenant)

    async def get(
        self, name: str, version: int | None = None, *, tenant: str = ""
    ) -> SavedPlan | None:
        """As `PlanShelf.get`."""
        assert tenant in ("", self._tenant)
        return await self._shelf.get(name, version, tenant=self._tenant)

    async def list(self, *, tenant: str | None = None) -> Sequence[SavedPlan]:
        """As `PlanShelf.list`."""
        assert tenant in (None, self._tenant)
        return await self._shelf.list(tenant=self._tenant)

    async def versions(self, name: str, *, tenant: str = "") -> Sequence[SavedPlan]:
        """As `PlanShelf.versions`."""
        assert tenant in ("", self._tenant)
        return await self._shelf.versions(name, tenant=self._tenant)

    async def delete(self, name: str, *, tenant: str = "") -> bool:
        """As `PlanShelf.delete`."""
        assert tenant in ("", self._tenant)
        return await self._shelf.delete(name, tenant=self._tenant)


class OwnLineage:
    """`Lineage`, in the runs of one tenant."""

    def __init__(self, lineage: Lineage, journal: OwnJournal, tenant: str) -> None:
        self._lineage = lineage
        self._journal = journal
        self._tenant = tenant

    async def uses(self, digest: str, *, tenant: str | None = None) -> Sequence[ArtifactUse]:
        """As `Lineage.uses`."""
        assert tenant in (None, self._tenant)
        return await self._lineage.uses(digest, tenant=self._tenant)

    async def of_run(self, run: RunId) -> Sequence[ArtifactUse]:
        """As `Lineage.of_run`; nothing for a run that is another's."""
        if await self._journal.head(run) is None:
            return ()
        return await self._lineage.of_run(run)

    async def referenced(self, digests: Sequence[str]) -> set[str]:
        """As `Lineage.referenced`: what anybody names is kept."""
        return await self._lineage.referenced(digests)

    async def of_tenant(self, tenant: str, *, begins: str = "") -> Sequence[str]:
        """As `Lineage.of_tenant`."""
        assert tenant == self._tenant
        return await self._lineage.of_tenant(tenant, begins=begins)

    async def note_upload(self, tenant: str, digest: str, *, at: datetime) -> None:
        """As `Lineage.note_upload`."""
        assert tenant == self._tenant
        await self._lineage.note_upload(tenant, digest, at=at)

    async def forget_uploads(self, digests: Collection[str]) -> None:
        """As `Lineage.forget_uploads`."""
        await self._lineage.forget_uploads(digests)


class OwnInbox:
    """`Inbox`, with the starts of one tenant; other requests are found by the runs they are to."""

    def __init__(self, inbox: Inbox, tenant: str) -> None:
        self._inbox = inbox
        self._tenant = tenant

    async def put(self, request: Request) -> Request:
        """As `Inbox.put`."""
        return await self._inbox.put(request)

    async def pending(self) -> Sequence[Request]:
        """As `Inbox.pending`, without the starts of others."""
        found = await self._inbox.pending()
        return [each for each in found if each.start is None or each.start.tenant == self._tenant]

    async def settle(self, request: str, settled: Settled) -> None:
        """As `Inbox.settle`."""
        await self._inbox.settle(request, settled)

    async def settled(self, request: str) -> Settled | None:
        """As `Inbox.settled`."""
        return await self._inbox.settled(request)

    async def withdraw(self, request: str, settled: Settled) -> bool:
        """As `Inbox.withdraw`."""
        return await self._inbox.withdraw(request, settled)

    async def over(self) -> Sequence[tuple[Request, Settled]]:
        """As `Inbox.over`, without the starts of others."""
        found = await self._inbox.over()
        return [each for each in found if each[0].start and each[0].start.tenant == self._tenant]

    async def forget(self, request: str, *, unless: str = "") -> bool:
        """As `Inbox.forget`."""
        return await self._inbox.forget(request, unless=unless)

    async def start_of(self, run: RunId) -> tuple[Request, Settled | None] | None:
        """As `Inbox.start_of`; None for one that is another's."""
        found = await self._inbox.start_of(run)
        start = found[0].start if found else None
        return found if start is not None and start.tenant == self._tenant else None


class OwnStore:
    """`Store`, as one tenant sees it."""

    def __init__(self, store: Store, tenant: str) -> None:
        self._store = store
        journal = OwnJournal(store.journal, tenant)
        self.journal: Journal = journal
        self.plans: PlanShelf = OwnShelf(store.plans, tenant)
        self.lineage: Lineage = OwnLineage(store.lineage, journal, tenant)
        self.inbox: Inbox = OwnInbox(store.inbox, tenant)
        # Asked with a run, a key or a name that is the tenant's, or for it by name.
        self.cache = store.cache
        self.ledger = store.ledger
        self.context = store.context
        self.owners = store.owners
        self.places = store.places

    @property
    def driving(self) -> bool:
        """As `Store.driving`."""
        return self._store.driving

    async def replaced(self) -> CallsheetError:
        """As `Store.replaced`."""
        return await self._store.replaced()

    def listen(
        self, wake: Callable[[], object], *, requests: bool = False
    ) -> Callable[[], None] | None:
        """As `Store.listen`."""
        return self._store.listen(wake, requests=requests)

    def lend(self, branch: Branch) -> Database:
        """As `Store.lend`: tables of an app are the app's."""
        return self._store.lend(branch)

    async def backup(self, target: Path) -> None:
        """As `Store.backup`: whoever looks through a tenant's eyes has no way to ask for it."""
        await self._store.backup(target)

    async def close(self) -> None:
        """Nothing: the engine closes its store."""


class OwnArtifacts:
    """What `Artifacts` needs of an `ArtifactStore`, with the artifacts of one tenant."""

    def __init__(self, kept: ArtifactStore, lineage: Lineage, clock: Clock, tenant: str) -> None:
        self._kept = kept
        self._lineage = lineage
        self._clock = clock
        self._tenant = tenant
        self.where = kept.where

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """As `ArtifactStore.put`; from then on they are the tenant's."""
        digest, size = await self._kept.put(data)
        await self._lineage.note_upload(self._tenant, digest, at=self._clock.now())
        return digest, size

    async def get(self, digest: str) -> bytes:
        """As `ArtifactStore.get`."""
        await self._must_be_own(digest)
        return await self._kept.get(digest)

    async def read(self, digest: str) -> AsyncIterator[bytes]:
        """As `ArtifactStore.read`."""
        await self._must_be_own(digest)
        async for piece in self._kept.read(digest):
            yield piece

    async def size(self, digest: str) -> int | None:
        """As `ArtifactStore.size`."""
        return await self._kept.size(digest) if await self._is_own(digest) else None

    async def kept(self) -> AsyncIterator[KeptArtifact]:
        """As `ArtifactStore.kept`."""
        own = frozenset(await self._lineage.of_tenant(self._tenant))
        async for each in self._kept.kept():
            if each.digest in own:
                yield each

    async def vet(self, *said: object) -> None:
        """See that nothing of what a tenant says names an artifact that is another's.

        Raises:
            UnknownArtifactError: it does, or names one that never was.
        """
        for digest in sorted(digests_named(value.encode(said))):
            await self._must_be_own(digest)

    async def _is_own(self, digest: str) -> bool:
        if not is_digest(digest):
            return True  # of nobody: what it is about says so
        return bool(await self._lineage.of_tenant(self._tenant, begins=digest))

    async def _must_be_own(self, digest: str) -> None:
        if not await self._is_own(digest):
            # Where artifacts lie is no tenant's business.
            raise UnknownArtifactError(
                f"There is no artifact {digest}. `callsheet artifacts` lists what there is."
            )
