"""The contract of `Inbox`."""
# ruff: noqa: D102 - the names are the sentences

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.run.request import Request, Settled
from callsheet.errors import RequestRefusedError
from callsheet.testing.contracts.samples import a_request, a_start, at, run_id, started
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from callsheet.ports import Inbox


class InboxContract(Subject):
    """Requests are kept in order until somebody has dealt with them."""

    async def test_a_request_comes_back_as_it_was_put(self) -> None:
        request = Request(
            id="q1",
            run=run_id(1),
            kind="answer",
            by="ada",
            step="ok",
            answer={"keep": [1, None, "Ærø"]},
            output={"id": 7},
            reason="because",
        )
        async with self.opened() as store:
            await store.inbox.put(request)
            assert list(await store.inbox.pending()) == [request]

    async def test_an_empty_inbox_has_nothing_pending(self) -> None:
        async with self.opened() as store:
            assert list(await store.inbox.pending()) == []

    async def test_requests_are_pending_in_the_order_they_were_put(self) -> None:
        async with self.opened() as store:
            for number in (3, 1, 2):
                await store.inbox.put(a_request(number))
            assert await _pending(store.inbox) == ["q3", "q1", "q2"]

    async def test_requests_put_at_once_are_all_kept(self) -> None:
        async with self.opened() as store:
            async with asyncio.TaskGroup() as tasks:
                for number in range(20):
                    tasks.create_task(store.inbox.put(a_request(number)))
            assert sorted(await _pending(store.inbox)) == sorted(f"q{n}" for n in range(20))

    async def test_the_same_id_twice_is_one_request_and_the_first(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_request(1, kind="pause"))
            await store.inbox.put(a_request(1, kind="cancel"))
            assert [request.kind for request in await store.inbox.pending()] == ["pause"]

    async def test_a_settled_request_is_no_longer_pending(self) -> None:
        async with self.opened() as store:
            for number in (1, 2, 3):
                await store.inbox.put(a_request(number))
            await store.inbox.settle("q2", Settled())
            assert await _pending(store.inbox) == ["q1", "q3"]

    async def test_whoever_asked_can_see_what_became_of_it(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_request(1))
            await store.inbox.put(a_request(2))
            assert await store.inbox.settled("q1") is None
            await store.inbox.settle("q1", Settled())
            await store.inbox.settle("q2", Settled(refusal="It has ended."))
            assert await store.inbox.settled("q1") == Settled()
            assert await store.inbox.settled("q2") == Settled(refusal="It has ended.")

    async def test_what_was_said_first_of_a_request_stands(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_request(1))
            await store.inbox.settle("q1", Settled())
            await store.inbox.settle("q1", Settled(refusal="late"))
            assert await store.inbox.settled("q1") == Settled()

    async def test_putting_a_settled_request_again_does_not_open_it(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_request(1))
            await store.inbox.settle("q1", Settled())
            await store.inbox.put(a_request(1))
            assert await _pending(store.inbox) == []
            assert await store.inbox.settled("q1") == Settled()

    async def test_what_stands_is_told_to_whoever_puts_the_same(self) -> None:
        async with self.opened() as store:
            first, second = a_request(1, kind="pause"), a_request(1, kind="cancel")
            assert await store.inbox.put(first) == first
            assert await store.inbox.put(second) == first

    async def test_a_request_is_withdrawn_once_and_not_after_it_was_settled(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_request(1))
            gone = Settled(refusal="Nobody wants it.", cancelled=True)
            assert await store.inbox.withdraw("q1", gone)
            assert not await store.inbox.withdraw("q1", Settled(refusal="late"))
            assert await store.inbox.settled("q1") == gone
            await store.inbox.put(a_request(2))
            await store.inbox.settle("q2", Settled())
            assert not await store.inbox.withdraw("q2", gone)
            assert not await store.inbox.withdraw("q3", gone)

    async def test_a_start_is_found_by_the_run_that_it_will_be(self) -> None:
        async with self.opened() as store:
            await store.inbox.put(a_start(1))
            assert await store.inbox.start_of(run_id(1)) == (a_start(1), None)
            assert await store.inbox.start_of(run_id(2)) is None
            await store.inbox.put(a_request(2, run=run_id(2)))
            assert await store.inbox.start_of(run_id(2)) is None
            gone = Settled(refusal="No.", error="plan")
            await store.inbox.settle(a_start(1).id, gone)
            assert await store.inbox.start_of(run_id(1)) == (a_start(1), gone)

    async def test_a_run_begins_with_its_request_or_not_at_all(self) -> None:
        begins = structs.replace(started(run_id(1)), request=a_start(1).id)
        async with self.opened() as store:
            with refused(RequestRefusedError):  # nobody has left it
                await store.journal.append(run_id(1), [begins], after=0)
            await store.inbox.put(a_start(1))
            assert await store.journal.append(run_id(1), [begins], after=0) == 1
            assert await store.inbox.settled(a_start(1).id) == Settled()
            assert not await store.inbox.withdraw(a_start(1).id, Settled(refusal="late"))
            await store.inbox.put(a_start(2))
            assert await store.inbox.withdraw(a_start(2).id, Settled(refusal="No."))
            late = structs.replace(started(run_id(2)), request=a_start(2).id)
            with refused(RequestRefusedError):
                await store.journal.append(run_id(2), [late], after=0)
            assert await store.journal.head(run_id(2)) is None

    async def test_what_is_settled_and_belongs_to_no_run_is_over_and_can_be_forgotten(self) -> None:
        begins = structs.replace(started(run_id(1)), request=a_start(1).id)
        gone = Settled(refusal="No.", at=at(1))
        async with self.opened() as store:
            for number in (1, 2, 3, 4):
                await store.inbox.put(a_start(number))
            await store.journal.append(run_id(1), [begins], after=0)
            await store.inbox.settle(a_start(2).id, gone)
            await store.inbox.withdraw(a_start(3).id, gone)
            assert list(await store.inbox.over()) == [(a_start(3), gone), (a_start(2), gone)]
            assert not await store.inbox.forget(a_start(4).id)  # it may still begin
            assert not await store.inbox.forget(a_start(2).id, unless=a_start(3).id)
            assert await store.inbox.forget(a_start(3).id, unless=a_start(9).id)
            assert await store.inbox.forget(a_start(2).id, unless=a_start(3).id)
            assert not await store.inbox.forget(a_start(2).id)
            assert list(await store.inbox.over()) == []
            assert await store.inbox.start_of(run_id(2)) is None
            assert await _pending(store.inbox) == [a_start(4).id]

    async def test_settling_what_nobody_asked_for_is_harmless(self) -> None:
        async with self.opened() as store:
            await store.inbox.settle("q9", Settled())
            assert await store.inbox.settled("q9") is None
            await store.inbox.put(a_request(9))
            assert await _pending(store.inbox) == ["q9"]


async def _pending(inbox: Inbox) -> list[str]:
    return [request.id for request in await inbox.pending()]
