"""What a store that outlives the process promises besides."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.core.plan.plan import Cost
from callsheet.core.run.entries import encode
from callsheet.core.run.request import Settled
from callsheet.errors import KeyReusedError, LedgerShortError, StaleWriteError
from callsheet.testing.contracts.samples import (
    a_plan,
    a_request,
    at,
    ended,
    noted,
    run_id,
    started,
)
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from callsheet.core.run.entries import AnyEntry

RUN, OTHER = run_id(1), run_id(2)


class DurableContract(Subject):
    """Whoever opens the store again finds it as it was left."""

    async def test_journals_are_there_again(self) -> None:
        entries: list[AnyEntry] = [started(RUN, key="k"), noted("Ærø"), ended()]
        async with self.opened() as store:
            await store.journal.append(RUN, entries, after=0)
            heads = await store.journal.heads()
        async with self.opened() as store:
            kept = [encode(entry) for entry in await store.journal.read(RUN)]
            assert kept == [encode(entry) for entry in entries]
            assert await store.journal.heads() == heads
            assert await store.journal.find("default", "k") == heads[0]

    async def test_entries_of_a_caller_who_gave_up_are_there_again(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            async with asyncio.TaskGroup() as tasks:
                caller = tasks.create_task(store.journal.append(RUN, [noted()], after=1))
                asyncio.get_running_loop().call_soon(caller.cancel)
        async with self.opened() as store:
            assert len(await store.journal.read(RUN)) == 2

    async def test_a_journal_goes_on_where_it_stopped_and_nowhere_else(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), noted()], after=0)
        async with self.opened() as store:
            for wrong in (0, 1, 3):
                for entries in ([noted()], []):
                    with refused(StaleWriteError):
                        await store.journal.append(RUN, entries, after=wrong)
            assert await store.journal.append(RUN, [noted()], after=2) == 3

    async def test_a_key_is_still_taken(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, key="k")], after=0)
        async with self.opened() as store:
            with refused(KeyReusedError):
                await store.journal.append(OTHER, [started(OTHER, key="k")], after=0)

    async def test_requests_are_there_again_in_their_order(self) -> None:
        async with self.opened() as store:
            for number in (3, 1, 2):
                await store.inbox.put(a_request(number))
            await store.inbox.settle("q1", Settled(refusal="no"))
        async with self.opened() as store:
            await store.inbox.put(a_request(0))
            assert [request.id for request in await store.inbox.pending()] == ["q3", "q2", "q0"]
            assert await store.inbox.settled("q1") == Settled(refusal="no")

    async def test_accounts_go_on_where_they_stood(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant("acme", Cost(usd=3), at=at(0))
            begun = started(RUN, tenant="acme", reserves=Cost(usd=2))
            await store.journal.append(RUN, [begun], after=0)
        async with self.opened() as store:
            begun = started(OTHER, tenant="acme", reserves=Cost(usd=2))
            with refused(LedgerShortError):
                await store.journal.append(OTHER, [begun], after=0)
            await store.journal.append(RUN, [ended(spent=Cost(usd=0.5))], after=1)
            await store.journal.append(OTHER, [begun], after=0)
        async with self.opened() as store:
            account = await store.ledger.account("acme")
            assert account is not None
            assert (account.available, account.reserved) == (Cost(usd=0.5), Cost(usd=2))
            assert len(await store.ledger.postings("acme")) == 5

    async def test_saved_plans_are_there_again(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan(tool="a"), at(1))
            await store.plans.save(a_plan(tool="b"), at(2))
            versions = await store.plans.versions("trip")
        async with self.opened() as store:
            assert await store.plans.versions("trip") == versions
            assert (await store.plans.save(a_plan(tool="c"), at(3))).version == 3
