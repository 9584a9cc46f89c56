"""The contract of `Journal`, as far as it is about runs: keys, heads and deleting."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.ids import RunId
from callsheet.core.index.heads import Filter, RunHead
from callsheet.core.run.entries import RunEnded, RunStarted, UndoRequested
from callsheet.errors import KeyReusedError, RequestRefusedError, StaleWriteError
from callsheet.testing.contracts.samples import (
    NOON,
    a_plan,
    a_request,
    at,
    ended,
    noted,
    run_id,
    started,
    undo_requested,
)
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Journal

RUN, OTHER, THIRD = run_id(1), run_id(2), run_id(3)
OPEN = Filter(open_only=True)


class RunsContract(Subject):
    """The index says of runs what their journals say, and nothing else."""

    async def test_a_head_says_what_the_start_said(self) -> None:
        plan = a_plan("film")
        async with self.opened() as store:
            first = started(RUN, plan=plan, inputs={"city": "Oslo"}, key="k", tenant="t")
            await store.journal.append(RUN, [first], after=0)
            assert _told(await store.journal.head(RUN)) == RunHead(
                run=RUN,
                name="film",
                plan=plan.digest,
                content=value.digest([plan.digest, {"city": "Oslo"}]),
                tenant="t",
                key="k",
                started_at=NOON,
                ended=None,
                ended_at=None,
            )

    async def test_a_run_that_does_not_exist_has_no_head(self) -> None:
        async with self.opened() as store:
            assert await store.journal.head(RUN) is None

    async def test_content_is_the_same_however_the_inputs_are_spelled(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN, inputs={"a": 1, "b": 2})
            await _start(store.journal, OTHER, inputs={"b": 2, "a": 1})
            await _start(store.journal, THIRD, inputs={"a": 1})
            heads = [await store.journal.head(run) for run in (RUN, OTHER, THIRD)]
            contents = [head.content for head in heads if head]
            assert contents[0] == contents[1] != contents[2]

    async def test_an_end_shows_with_its_time(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN)
            await store.journal.append(RUN, [noted(), ended("failed", seconds=9)], after=1)
            head = await store.journal.head(RUN)
            assert head is not None
            assert (head.ended, head.ended_at) == ("failed", at(9))

    async def test_a_run_that_starts_and_ends_in_one_append_has_ended(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), ended("cancelled")], after=0)
            head = await store.journal.head(RUN)
            assert head is not None
            assert head.ended == "cancelled"

    async def test_an_undo_opens_an_ended_run_until_it_ends_again(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), ended()], after=0)
            await store.journal.append(RUN, [undo_requested()], after=2)
            assert _runs(await store.journal.heads(OPEN)) == [RUN]
            head = await store.journal.head(RUN)
            assert head is not None
            assert (head.ended, head.ended_at) == (None, None)
            await store.journal.append(RUN, [ended("undone", seconds=9)], after=3)
            head = await store.journal.head(RUN)
            assert head is not None
            assert (head.ended, head.ended_at) == ("undone", at(9))
            assert _runs(await store.journal.heads(OPEN)) == []

    async def test_the_index_says_what_the_journals_say(self) -> None:
        histories: list[list[AnyEntry]] = [
            [started(run_id(1), key="a")],
            [started(run_id(2)), noted(), ended("stuck")],
            [started(run_id(3), tenant="t", key="a"), ended(), undo_requested()],
            [started(run_id(4)), undo_requested(), ended("undone")],
        ]
        async with self.opened() as store:
            for number, history in enumerate(histories, 1):
                for after, entry in enumerate(history):
                    await store.journal.append(run_id(number), [entry], after=after)
            for head in await store.journal.heads():
                assert _told(head) == _derived(await store.journal.read(head.run))

    async def test_heads_come_newest_first(self) -> None:
        async with self.opened() as store:
            for number in (2, 1, 3):
                await _start(store.journal, run_id(number))
            assert _runs(await store.journal.heads()) == [run_id(3), run_id(2), run_id(1)]

    async def test_heads_are_paged_by_the_last_one_seen(self) -> None:
        async with self.opened() as store:
            for number in range(1, 6):
                await _start(store.journal, run_id(number))
            first = await store.journal.heads(limit=2)
            second = await store.journal.heads(limit=2, before=first[-1].run)
            third = await store.journal.heads(limit=2, before=second[-1].run)
            assert [_runs(page) for page in (first, second, third)] == [
                [run_id(5), run_id(4)],
                [run_id(3), run_id(2)],
                [run_id(1)],
            ]

    async def test_heads_can_be_asked_for_open_runs_only(self) -> None:
        async with self.opened() as store:
            for number in range(1, 6):
                await _start(store.journal, run_id(number))
            for number in (2, 4):
                await store.journal.append(run_id(number), [ended()], after=1)
            open_runs = [run_id(5), run_id(3), run_id(1)]
            heads = store.journal.heads
            assert _runs(await heads(OPEN)) == open_runs
            assert _runs(await heads(OPEN, limit=1_000_000)) == open_runs
            assert _runs(await heads(OPEN, before=run_id(4), limit=1)) == [run_id(3)]

    async def test_a_run_is_found_by_its_key(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN, key="k")
            found = await store.journal.find("default", "k")
            assert found == await store.journal.head(RUN)
            assert await store.journal.find("default", "other") is None
            assert await store.journal.find("other", "k") is None

    async def test_a_key_belongs_to_one_run_and_the_other_leaves_nothing(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN, key="k")
            with refused(KeyReusedError):
                await store.journal.append(OTHER, [started(OTHER, key="k"), noted()], after=0)
            assert list(await store.journal.read(OTHER)) == []
            assert await store.journal.head(OTHER) is None
            await _start(store.journal, OTHER, key="another")

    async def test_each_tenant_has_keys_of_its_own(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN, key="k")
            await _start(store.journal, OTHER, key="k", tenant="t")
            found = await store.journal.find("t", "k")
            assert found is not None
            assert found.run == OTHER

    async def test_any_number_of_runs_may_have_no_key(self) -> None:
        async with self.opened() as store:
            for number in range(3):
                await _start(store.journal, run_id(number))
            assert len(await store.journal.heads()) == 3

    async def test_a_deleted_run_is_gone_whole(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, key="k"), ended()], after=0)
            await _start(store.journal, OTHER)
            await store.inbox.put(a_request(1, run=RUN))
            await store.inbox.put(a_request(2, run=OTHER))
            assert await store.journal.delete(RUN) is True
            assert list(await store.journal.read(RUN)) == []
            assert await store.journal.head(RUN) is None
            assert _runs(await store.journal.heads()) == [OTHER]
            assert [request.id for request in await store.inbox.pending()] == ["q2"]

    async def test_deleting_frees_the_key(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, key="k"), ended()], after=0)
            await store.journal.delete(RUN)
            assert await store.journal.find("default", "k") is None
            await _start(store.journal, OTHER, key="k")

    async def test_a_writer_of_a_deleted_run_is_stale(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), ended()], after=0)
            await store.journal.delete(RUN)
            with refused(StaleWriteError):
                await store.journal.append(RUN, [undo_requested()], after=2)
            assert list(await store.journal.read(RUN)) == []

    async def test_deleting_what_does_not_exist_says_so(self) -> None:
        async with self.opened() as store:
            assert await store.journal.delete(RUN) is False

    async def test_an_open_run_is_not_deleted(self) -> None:
        async with self.opened() as store:
            await _start(store.journal, RUN)
            with refused(RequestRefusedError):
                await store.journal.delete(RUN)
            assert len(await store.journal.read(RUN)) == 1

    async def test_a_run_that_is_open_again_is_not_deleted(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), ended(), undo_requested()], after=0)
            with refused(RequestRefusedError):
                await store.journal.delete(RUN)
            assert len(await store.journal.read(RUN)) == 3


async def _start(
    journal: Journal,
    run: RunId,
    *,
    inputs: dict[str, value.Json] | None = None,
    key: str | None = None,
    tenant: str = "default",
) -> None:
    first = started(run, inputs=inputs, key=key, tenant=tenant)
    assert await journal.append(run, [first], after=0) == 1


def _told(head: RunHead | None) -> RunHead | None:
    """What the journal says of a run: who drives it is the store's own knowledge."""
    return head and replace(head, owner=None)


def _runs(heads: Iterable[RunHead]) -> list[RunId]:
    return [head.run for head in heads]


def _derived(entries: Sequence[AnyEntry]) -> RunHead:
    """The head that a journal stands for, written down once more and independently."""
    first = entries[0]
    assert isinstance(first, RunStarted)
    telling = [entry for entry in entries if isinstance(entry, (RunEnded, UndoRequested))]
    last = telling[-1] if telling else None
    end = last if isinstance(last, RunEnded) else None
    return RunHead(
        run=RunId(first.run),
        name=first.plan.name,
        plan=first.plan.digest,
        content=value.digest([first.plan.digest, value.decode(first.inputs)]),
        tenant=first.tenant,
        key=first.key,
        started_at=first.at,
        ended=end.state if end else None,
        ended_at=end.at if end else None,
    )
