"""A store in memory: the reference that the others are compared with.

Simple and obviously right, for tests, for trying things out, and for runs nobody needs tomorrow. It
keeps the encoded bytes, as a database does, so that nobody can change what was stored.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core.ids import RunId
from callsheet.core.index import heads
from callsheet.core.index.heads import EVERY_RUN, Filter, Placed
from callsheet.core.run import entries as codec
from callsheet.core.run.request import Settled
from callsheet.core.run.start import TENANT
from callsheet.stores import refusals
from callsheet.stores.memory.contents import Contents, PlanVersion
from callsheet.stores.memory.context import MemoryContext
from callsheet.stores.memory.indexes import MemoryIndexes
from callsheet.stores.memory.ledger import MemoryLedger
from callsheet.stores.memory.places import MemoryPlaces
from callsheet.stores.sql import records
from callsheet.stores.sql.keyed import other_content, plans_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.index.heads import Change, RunHead
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.request import Request
    from callsheet.errors import CallsheetError
    from callsheet.ports import (
        Branch,
        Cache,
        ContextShelf,
        Database,
        Inbox,
        Journal,
        Ledger,
        Lineage,
        Owners,
        Places,
        PlanShelf,
    )
    from callsheet.stores.sqlite.client_tables import Lender

BACKUP_FILE = "callsheet.json"
EVERY = 1_000_000


class MemoryJournal:
    """`Journal` in memory."""

    def __init__(self, contents: Contents, indexes: MemoryIndexes, ledger: MemoryLedger) -> None:
        self._contents = contents
        self._indexes = indexes
        self._ledger = ledger
        self._heads: dict[str, RunHead] = {}
        for run, bodies in contents.journals.items():
            entries = [codec.decode(body) for body in bodies]
            self._index(run, heads.change_of(RunId(run), entries, after=0))
        if not contents.order:  # of a backup that was made before there was an order
            contents.order = [
                (run, n) for run, own in contents.journals.items() for n in range(len(own))
            ]

    def _index(self, run: str, change: Change) -> None:
        head = change.apply(self._heads.get(run))
        if head is not None:
            self._heads[run] = structs.replace(head, owner=MemoryOwners.driver)
        if change.derived is not None:
            self._indexes.note(run, change.derived, head.tenant if head else TENANT)

    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """Append entries atomically and return the new length."""
        self._contents.writable()
        bodies = [codec.encode(entry) for entry in entries]
        journal = self._contents.journals.get(run, [])
        if len(journal) != after:
            raise refusals.stale(run, after=after, length=len(journal))
        change = heads.change_of(run, entries, after=after)
        if change.fault:
            raise ValueError(change.fault)
        if change.started:
            self._refuse_reused_key(change.started)
        if change.request is not None and not self._contents.is_waiting(change.request):
            raise refusals.withdrawn(run)
        if change.derived and (short := self._ledger.post(run, change.derived)):
            raise short
        if bodies:
            self._contents.order += ((run, after + place) for place in range(len(bodies)))
            self._contents.journals[run] = journal + bodies
            self._index(run, change)
        if change.request is not None:
            self._contents.settled[change.request] = records.encode(Settled())
        return after + len(bodies)

    def _refuse_reused_key(self, head: RunHead) -> None:
        owner = self._find(head.tenant, head.key)
        if owner is not None:
            raise refusals.key_reused(head, owner.run)

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries numbered after+1 and up, in order."""
        bodies = self._contents.journals.get(run, [])[after:]
        return tuple(codec.decode(body) for body in bodies[:limit])

    async def lines(self, run: RunId) -> Sequence[tuple[int, str]]:
        """The entries as they are written, with their numbers."""
        bodies = self._contents.journals.get(run, [])
        return [(seq, body.decode()) for seq, body in enumerate(bodies, 1)]

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run."""
        return self._heads.get(run)

    async def find(self, tenant: str, key: str) -> RunHead | None:
        """The run that was started with this key."""
        return self._find(tenant, key)

    def _find(self, tenant: str, key: str | None) -> RunHead | None:
        if key is None:
            return None
        named = (tenant, key)
        return next((h for h in self._heads.values() if (h.tenant, h.key) == named), None)

    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        found = (
            head
            for run, head in sorted(self._heads.items(), reverse=True)
            if (before is None or run < before) and which.takes(head)
        )
        return tuple(found)[:limit]

    async def since(
        self, position: int, which: Filter = EVERY_RUN, *, limit: int = 1000
    ) -> Sequence[Placed]:
        """Entries of all runs after a position, in the order of appends."""
        found: list[Placed] = []
        order, journals = self._contents.order, self._contents.journals
        for place in range(position, len(order)):
            run, index = order[place]
            head = self._heads.get(run)
            if head is not None and which.takes(head):
                entry = codec.decode(journals[run][index])
                found.append(Placed(position=place + 1, head=head, seq=index + 1, entry=entry))
                if len(found) == limit:
                    break
        return tuple(found)

    async def position(self) -> int:
        """The position of the newest entry."""
        return len(self._contents.order)

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole."""
        self._contents.writable()
        head = self._heads.get(run)
        if head is None:
            return False
        if head.ended is None:
            raise refusals.still_open(run)
        del self._heads[run], self._contents.journals[run]
        self._indexes.forget(run)
        self._ledger.forget(run)
        for request in await MemoryInbox(self._contents).of(run):
            self._contents.requests.pop(request)
            self._contents.settled.pop(request, None)
        return True


class MemoryInbox:
    """`Inbox` in memory."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    async def put(self, request: Request) -> Request:
        """Leave a request. The same id twice is one request."""
        self._contents.writable()
        body = self._contents.requests.setdefault(request.id, records.encode(request))
        return records.request_of(body)

    async def pending(self) -> Sequence[Request]:
        """Requests that are not settled, oldest first."""
        return tuple(
            records.request_of(body)
            for id_, body in self._contents.requests.items()
            if id_ not in self._contents.settled
        )

    async def settle(self, request: str, settled: Settled) -> None:
        """Say what became of a request; the first word stands."""
        self._contents.writable()
        if request in self._contents.requests:
            self._contents.settled.setdefault(request, records.encode(settled))

    async def settled(self, request: str) -> Settled | None:
        """What became of a request."""
        body = self._contents.settled.get(request)
        return None if body is None else records.settled_of(body)

    async def withdraw(self, request: str, settled: Settled) -> bool:
        """Take back a request that nobody has dealt with."""
        self._contents.writable()
        if not self._contents.is_waiting(request):
            return False
        self._contents.settled[request] = records.encode(settled)
        return True

    async def start_of(self, run: RunId) -> tuple[Request, Settled | None] | None:
        """The start that was left under this id, and what became of it."""
        for body in self._contents.requests.values():
            request = records.request_of(body)
            if request.run == run and request.kind == "start":
                return request, await self.settled(request.id)
        return None

    async def over(self) -> Sequence[tuple[Request, Settled]]:
        """What was settled and belongs to no run, newest first."""
        found = [
            (records.request_of(body), records.settled_of(self._contents.settled[id_]))
            for id_, body in reversed(self._contents.requests.items())
            if id_ in self._contents.settled
        ]
        return [each for each in found if RunId(each[0].run) not in self._contents.journals]

    async def forget(self, request: str, *, unless: str = "") -> bool:
        """Remove a request that is settled, unless there is one of the other id."""
        self._contents.writable()
        if request not in self._contents.settled or unless in self._contents.requests:
            return False
        self._contents.requests.pop(request)
        self._contents.settled.pop(request)
        return True

    async def of(self, run: RunId) -> Sequence[str]:
        """The ids of all requests to a run."""
        requests = self._contents.requests.items()
        return [id_ for id_, body in requests if records.request_of(body).run == run]


class MemoryShelf:
    """`PlanShelf` in memory."""

    def __init__(self, contents: Contents, journal: Journal) -> None:
        self._contents = contents
        self._journal = journal

    async def save(
        self, plan: Plan, at: datetime, *, key: str | None = None, tenant: str = TENANT
    ) -> SavedPlan:
        """Save under the plan's name. The same content as the newest version is that version."""
        self._contents.writable()
        name = f"{plans_of(tenant)}:{key}"
        made = self._contents.writes.get(name) if key is not None else None
        if made and made[0] != plan.digest:
            raise other_content(key or "")
        if made and (found := await self.get(plan.name, int(made[1]), tenant=tenant)):
            return found
        kept = self._contents.shelf(tenant).setdefault(plan.name, [])
        if not kept or kept[-1].digest != plan.digest:
            kept.append(PlanVersion(digest=plan.digest, body=records.encode(plan), saved_at=at))
        if key is not None:
            self._contents.writes[name] = plan.digest, str(len(kept))
        return (await self.versions(plan.name, tenant=tenant))[-1]

    async def get(
        self, name: str, version: int | None = None, *, tenant: str = TENANT
    ) -> SavedPlan | None:
        """A version, or the newest."""
        versions = await self.versions(name, tenant=tenant)
        if version is None:
            return versions[-1] if versions else None
        return next((saved for saved in versions if saved.version == version), None)

    async def list(self, *, tenant: str | None = TENANT) -> Sequence[SavedPlan]:
        """The newest version of each, by name."""
        tenants = sorted({TENANT, *self._contents.shelves}) if tenant is None else [tenant]
        return [
            (await self.versions(name, tenant=each))[-1]
            for each in tenants
            for name in sorted(self._contents.shelf(each))
        ]

    async def versions(self, name: str, *, tenant: str = TENANT) -> Sequence[SavedPlan]:
        """All versions, oldest first."""
        return [
            records.saved_plan(
                name=name, version=number, text=kept.body, saved_at=kept.saved_at, tenant=tenant
            )
            for number, kept in enumerate(self._contents.shelf(tenant).get(name, []), 1)
        ]

    async def delete(self, name: str, *, tenant: str = TENANT) -> bool:
        """Remove all versions, unless an open run is of one of them."""
        self._contents.writable()
        shelf = self._contents.shelf(tenant)
        digests = {kept.digest for kept in shelf.get(name, [])}
        every = len(self._contents.journals)
        for head in await self._journal.heads(Filter(open_only=True, tenant=tenant), limit=every):
            if head.plan in digests:
                raise refusals.plan_in_use(name, head.run)
        return shelf.pop(name, None) is not None


class MemoryOwners:
    """`Owners` in memory: there is one driver, and all runs are its."""

    driver = 1

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._looked = False

    async def is_alive(self, driver: int | None) -> bool:
        """Whether it is this one: the runs of a backup are nobody's."""
        return driver == self.driver

    async def process_of(self, driver: int | None) -> str:
        """This one: nobody else can reach it."""
        return f"{os.getpid()}" if driver == self.driver else ""

    async def claim(self, run: RunId) -> bool:
        """Always: nobody else can reach it."""
        assert run
        return True

    async def abandoned(self, *, newest: int | None = None) -> Sequence[RunId]:
        """Open runs of a backup, once."""
        if self._looked:
            return ()
        self._looked = newest is None
        heads = await self._journal.heads(Filter(open_only=True), limit=newest or EVERY)
        return tuple(head.run for head in reversed(heads))


class MemoryStore:
    """`Store` in memory. Gone with the process, unless it is backed up."""

    def __init__(self, backup: Path | None = None) -> None:
        """An empty store, or what `backup` wrote."""
        self._contents = Contents()
        if backup is not None:
            text = (backup / BACKUP_FILE).read_bytes()
            self._contents = msgspec.json.decode(text, type=Contents)
            self._contents.closed = False
        indexes, ledger = MemoryIndexes(self._contents), MemoryLedger(self._contents)
        self.journal: Journal = MemoryJournal(self._contents, indexes, ledger)
        self.inbox: Inbox = MemoryInbox(self._contents)
        self.plans: PlanShelf = MemoryShelf(self._contents, self.journal)
        self.lineage: Lineage = indexes
        self.cache: Cache = indexes
        self.ledger: Ledger = ledger
        self.context: ContextShelf = MemoryContext(self._contents)
        self.owners: Owners = MemoryOwners(self.journal)
        self.places: Places = MemoryPlaces()
        self._lender: Lender | None = None

    @property
    def driving(self) -> bool:
        """Always: nobody else can reach it."""
        return True

    async def replaced(self) -> CallsheetError:
        """Never: nobody else can reach it."""
        never: asyncio.Future[CallsheetError] = asyncio.get_running_loop().create_future()
        return await never

    def listen(self, wake: Callable[[], object], *, requests: bool = False) -> None:
        """Nobody is woken: there is no other process."""

    def lend(self, branch: Branch) -> Database:
        """A database in memory, for tables of a client's own. A backup does not hold it."""
        # Imported here: few ask for it, and it is SQL.
        from callsheet.stores.sqlite.lending import LentDatabase, MemoryLender

        if self._lender is None:
            self._lender = MemoryLender(lambda: self._contents.closed)
        return LentDatabase(self._lender, branch)

    async def backup(self, target: Path) -> None:
        """Write everything to a new directory, from which a `MemoryStore` can be made again."""
        text = msgspec.json.encode(self._contents)
        await asyncio.to_thread(_write, target, text)

    async def close(self) -> None:
        """Take no more entries. Harmless the second time."""
        self._contents.closed = True


def _write(target: Path, text: bytes) -> None:
    refusals.claim(target)
    (target / BACKUP_FILE).write_bytes(text)
