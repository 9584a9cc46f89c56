"""The contract of `Journal`, as far as it is about all runs together: their one order."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core.index.heads import Filter
from callsheet.core.run.entries import ParentStep
from callsheet.testing.contracts.samples import a_plan, at, ended, noted, run_id, started
from callsheet.testing.contracts.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import Placed
    from callsheet.ports import Journal

RUN, OTHER, THIRD = run_id(1), run_id(2), run_id(3)


class OrderContract(Subject):
    """Every entry has a place among those of all runs, and readers miss none."""

    async def test_a_new_store_is_at_position_0(self) -> None:
        async with self.opened() as store:
            assert await store.journal.position() == 0
            assert await store.journal.since(0) == ()

    async def test_entries_of_all_runs_come_in_the_order_in_which_they_were_appended(self) -> None:
        async with self.opened() as store:
            journal = store.journal
            await journal.append(RUN, [started(RUN)], after=0)
            await journal.append(OTHER, [started(OTHER), noted()], after=0)
            await journal.append(RUN, [noted(), ended()], after=1)
            placed = await journal.since(0)
            assert _names(placed) == [(RUN, 1), (OTHER, 1), (OTHER, 2), (RUN, 2), (RUN, 3)]
            positions = [each.position for each in placed]
            assert positions == sorted(set(positions))
            assert positions[-1] == await journal.position()

    async def test_a_reader_goes_on_where_it_stopped(self) -> None:
        async with self.opened() as store:
            journal = store.journal
            await journal.append(RUN, [started(RUN), *[noted()] * 8], after=0)
            first = await journal.since(0, limit=4)
            rest = await journal.since(first[-1].position, limit=1000)
            assert [each.seq for each in (*first, *rest)] == list(range(1, 10))
            assert await journal.since(rest[-1].position) == ()

    async def test_an_entry_says_whose_it_is(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, tenant="t")], after=0)
            (placed,) = await store.journal.since(0)
            assert placed.head == await store.journal.head(RUN)
            assert placed.entry == started(RUN, tenant="t")

    async def test_a_reader_may_ask_for_some_runs_only(self) -> None:
        async with self.opened() as store:
            await _three(store.journal)
            for which, runs in _FILTERS:
                assert {each.head.run for each in await store.journal.since(0, which)} == runs, (
                    which
                )

    async def test_heads_may_be_asked_for_in_the_same_way(self) -> None:
        async with self.opened() as store:
            await _three(store.journal)
            for which, runs in _FILTERS:
                heads = await store.journal.heads(which)
                assert {head.run for head in heads} == runs, which
                assert all(map(which.takes, heads))

    async def test_a_head_says_what_its_run_is_about_and_part_of(self) -> None:
        async with self.opened() as store:
            await _three(store.journal)
            head = await store.journal.head(THIRD)
            assert head is not None
            assert (head.subject, head.parent, head.root) == ("project:1", OTHER, RUN)

    async def test_a_deleted_run_leaves_a_gap_and_no_position_is_given_again(self) -> None:
        async with self.opened() as store:
            journal = store.journal
            await journal.append(RUN, [started(RUN)], after=0)
            await journal.append(OTHER, [started(OTHER), ended()], after=0)
            last = await journal.position()
            assert await journal.delete(OTHER)
            await journal.append(RUN, [noted()], after=1)
            placed = await journal.since(0)
            assert _names(placed) == [(RUN, 1), (RUN, 2)]
            assert placed[-1].position > last

    async def test_a_reader_beside_many_writers_misses_nothing(self) -> None:
        async with self.opened() as store:
            journal = store.journal
            seen: list[tuple[RunId, int]] = []
            runs = [run_id(number) for number in range(20)]

            async def write(run: RunId) -> None:
                await journal.append(run, [started(run)], after=0)
                for after in range(1, 10):
                    await journal.append(run, [noted()], after=after)

            async def read() -> None:
                position = 0
                while len(seen) < 200:
                    await _next_turn()
                    for placed in await journal.since(position, limit=7):
                        assert placed.position > position
                        position = placed.position
                        seen.append((placed.head.run, placed.seq))

            async with asyncio.TaskGroup() as group:
                group.create_task(read())
                for run in runs:
                    group.create_task(write(run))
            assert sorted(seen) == [(run, seq) for run in runs for seq in range(1, 11)]
            for run in runs:
                assert [seq for name, seq in seen if name == run] == list(range(1, 11))


async def _three(journal: Journal) -> None:
    """Three runs that differ in all that can be asked for."""
    first = replace(started(RUN, plan=a_plan("film"), key="k"), subject=None)
    second = replace(started(OTHER, tenant="t", seconds=5), subject="project:1")
    third = replace(
        started(THIRD, plan=a_plan("clip"), seconds=9),
        subject="project:1",
        parent=ParentStep(run=OTHER, step="flight"),
        root=RUN,
    )
    for run, entry in zip((RUN, OTHER, THIRD), (first, second, third), strict=True):
        await journal.append(run, [entry], after=0)
    await journal.append(RUN, [ended("failed")], after=1)


_FILTERS: tuple[tuple[Filter, set[RunId]], ...] = (
    (Filter(), {RUN, OTHER, THIRD}),
    (Filter(ended="failed"), {RUN}),
    (Filter(ended="undone"), set()),
    (Filter(plan="film"), {RUN}),
    (Filter(tenant="t"), {OTHER}),
    (Filter(subject="project:1"), {OTHER, THIRD}),
    (Filter(key="k"), {RUN}),
    (Filter(since=at(5)), {OTHER, THIRD}),
    (Filter(top_level=True), {RUN, OTHER}),
    (Filter(open_only=True), {OTHER, THIRD}),
    (Filter(subject="project:1", top_level=True, open_only=True), {OTHER}),
)


async def _next_turn() -> None:
    """Let everybody else on the event loop have their turn."""
    turn = asyncio.get_running_loop().create_future()
    turn.get_loop().call_soon(turn.set_result, None)
    await turn


def _names(placed: Sequence[Placed]) -> list[tuple[RunId, int]]:
    return [(each.head.run, each.seq) for each in placed]
