"""The contract of `Store` itself: backup and close."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from abc import abstractmethod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from callsheet.core.index.context import ContextItem
from callsheet.core.plan.plan import Cost
from callsheet.core.run.entries import encode
from callsheet.core.run.request import Settled
from callsheet.errors import EngineClosedError, StoreError
from callsheet.testing.contracts.samples import (
    a_plan,
    a_request,
    at,
    ended,
    noted,
    run_id,
    started,
    succeeded,
)
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from callsheet.ports import Store

RUN, OTHER = run_id(1), run_id(2)


class StoreContract(Subject):
    """A store can be copied while in use, and closed."""

    @abstractmethod
    async def open_backup(self, target: Path) -> Store:
        """Open what `backup(target)` wrote."""

    async def test_whoever_opens_a_store_first_drives_it(self) -> None:
        async with self.opened() as store:
            assert store.driving
            assert await store.owners.is_alive(store.owners.driver)

    async def test_a_backup_has_all_there_was(self) -> None:
        with TemporaryDirectory() as directory:
            async with self.opened() as store:
                await store.journal.append(RUN, [started(RUN, key="k"), ended()], after=0)
                await store.inbox.put(a_request(1))
                await store.inbox.put(a_request(2))
                await store.inbox.settle("q1", Settled(refusal="no"))
                await store.plans.save(a_plan(), at(1))
                await _fill(store)
                await store.backup(Path(directory) / "copy")
                original = await _contents(store)
            copy = await self.open_backup(Path(directory) / "copy")
            assert await _contents(copy) == original
            # And it goes on counting where the original stands.
            await copy.journal.append(OTHER, [ended(spent=Cost(usd=1))], after=2)
            account = await copy.ledger.account("acme")
            assert account is not None
            assert (account.available, account.spent) == (Cost(usd=8), Cost(usd=1))
            await copy.close()

    async def test_a_backup_and_its_original_go_on_apart(self) -> None:
        with TemporaryDirectory() as directory:
            async with self.opened() as store:
                await store.journal.append(RUN, [started(RUN)], after=0)
                await store.backup(Path(directory) / "copy")
                copy = await self.open_backup(Path(directory) / "copy")
                await copy.journal.append(RUN, [noted("copy"), noted("copy")], after=1)
                await store.journal.append(RUN, [noted("original")], after=1)
                assert len(await copy.journal.read(RUN)) == 3
                assert len(await store.journal.read(RUN)) == 2
                await copy.close()

    async def test_a_backup_made_while_writing_has_whole_appends_only(self) -> None:
        with TemporaryDirectory() as directory:
            target = Path(directory) / "copy"
            async with self.opened() as store:
                await store.journal.append(RUN, [started(RUN)], after=0)
                async with asyncio.TaskGroup() as tasks:
                    for after in range(1, 401, 4):
                        entries = [noted(str(after))] * 4
                        tasks.create_task(store.journal.append(RUN, entries, after=after))
                    tasks.create_task(store.backup(target))
            copy = await self.open_backup(target)
            kept = await copy.journal.read(RUN)
            assert (len(kept) - 1) % 4 == 0
            # And it is as long as it believes: the next entry is accepted.
            assert await copy.journal.append(RUN, [noted()], after=len(kept)) == len(kept) + 1
            await copy.close()

    async def test_a_backup_overwrites_nothing(self) -> None:
        with TemporaryDirectory() as directory:
            async with self.opened() as store:
                target = Path(directory) / "taken"
                target.mkdir()
                (target / "precious").write_text("mine", "utf-8")
                with refused(StoreError):
                    await store.backup(target)
                with refused(StoreError):
                    await store.backup(target / "precious")
                with refused(StoreError):
                    await store.backup(target / "precious" / "below")
                assert [path.name for path in target.iterdir()] == ["precious"]
                assert (target / "precious").read_text("utf-8") == "mine"
                await store.backup(Path(directory) / "copy")
                with refused(StoreError):
                    await store.backup(Path(directory) / "copy")

    async def test_closing_twice_is_harmless(self) -> None:
        async with self.opened() as store:
            await store.close()
            await store.close()

    async def test_closing_finishes_what_is_being_written(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            async with asyncio.TaskGroup() as tasks:
                append = tasks.create_task(store.journal.append(RUN, [noted()], after=1))
                tasks.create_task(store.close())
            assert append.result() == 2

    async def test_a_closed_store_takes_nothing_more(self) -> None:
        async with self.opened() as store:
            await store.close()
            with refused(EngineClosedError):
                await store.journal.append(RUN, [started(RUN)], after=0)
            with refused(EngineClosedError):
                await store.inbox.put(a_request(1))
            with refused(EngineClosedError):
                await store.plans.save(a_plan(), at(1))
            with refused(EngineClosedError):
                await _fill(store)


async def _fill(store: Store) -> None:
    """Something for every part of the store that is not about requests and plans."""
    await store.ledger.grant("acme", Cost(usd=9), at=at(1), note="May")
    begun = started(OTHER, tenant="acme", reserves=Cost(usd=2), consumed=("a" * 64,))
    call = succeeded(1, cache_key="k")
    await store.journal.append(OTHER, [begun, call], after=0)
    item = ContextItem(
        scope="p", name="n", version=1, value=[1], size=3, saved_at=at(1), expires_at=at(9)
    )
    await store.context.put(item, after=0, most=100)


async def _contents(store: Store) -> list[object]:
    heads = await store.journal.heads()
    journals = [list(map(encode, await store.journal.read(head.run))) for head in heads]
    settled = [await store.inbox.settled(request) for request in ("q1", "q2")]
    call = await store.cache.find("k")
    return [
        *(heads, journals, await store.inbox.pending(), settled, await store.plans.list()),
        list(await store.lineage.uses("a" * 64)),
        call and call.run,
        list(await store.ledger.accounts()),
        list(await store.ledger.postings("acme")),
        list(await store.context.list("p", at=at(2))),
    ]
