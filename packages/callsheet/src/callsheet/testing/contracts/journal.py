"""The contract of `Journal`, as far as it is about entries."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.core.run.entries import ProblemNoted, encode
from callsheet.errors import CallsheetError, StaleWriteError
from callsheet.testing.contracts.samples import noted, run_id, started, succeeded
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from callsheet.core.run.entries import AnyEntry

RUN, OTHER = run_id(1), run_id(2)
MANY = 1500
"""More entries than a store is likely to read in one go."""


class EntriesContract(Subject):
    """Entries are appended whole and in order, or not at all."""

    async def test_entries_come_back_as_they_were_and_in_their_order(self) -> None:
        entries: list[AnyEntry] = [
            started(RUN),
            succeeded({"id": 17, "name": "Ærø \u0000 \U0001f3ac"}),
            noted(),
        ]
        async with self.opened() as store:
            await store.journal.append(RUN, entries, after=0)
            assert _spelled(await store.journal.read(RUN)) == _spelled(entries)

    async def test_an_append_returns_the_new_length(self) -> None:
        async with self.opened() as store:
            assert await store.journal.append(RUN, [started(RUN), noted()], after=0) == 2
            assert await store.journal.append(RUN, [noted()], after=2) == 3

    async def test_entries_are_numbered_from_one(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), noted("2"), noted("3")], after=0)
            assert _messages(await store.journal.read(RUN, after=1)) == ["2", "3"]
            assert _messages(await store.journal.read(RUN, after=2)) == ["3"]
            assert _messages(await store.journal.read(RUN, after=3)) == []

    async def test_a_read_stops_at_its_limit(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), noted("2"), noted("3")], after=0)
            assert _messages(await store.journal.read(RUN, after=1, limit=1)) == ["2"]
            assert _messages(await store.journal.read(RUN, after=1, limit=9)) == ["2", "3"]
            assert _messages(await store.journal.read(RUN, limit=0)) == []

    async def test_a_run_that_does_not_exist_has_no_entries(self) -> None:
        async with self.opened() as store:
            assert list(await store.journal.read(RUN)) == []

    async def test_a_long_journal_is_read_whole(self) -> None:
        notes = [noted(str(number)) for number in range(MANY)]
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), *notes], after=0)
            assert _messages(await store.journal.read(RUN))[1:] == [n.message for n in notes]

    async def test_what_is_stored_does_not_change_with_the_callers_list(self) -> None:
        entries: list[AnyEntry] = [started(RUN)]
        async with self.opened() as store:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(store.journal.append(RUN, entries, after=0))
                # The loop takes turns in order: the append has begun, and may not have ended.
                asyncio.get_running_loop().call_soon(entries.append, noted())
            assert len(await store.journal.read(RUN)) == 1

    async def test_a_writer_who_is_behind_is_refused_and_leaves_nothing(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), noted("2")], after=0)
            with refused(StaleWriteError):
                await store.journal.append(RUN, [noted("x"), noted("y"), noted("z")], after=1)
            assert _messages(await store.journal.read(RUN, after=1)) == ["2"]

    async def test_a_writer_who_is_ahead_is_refused_and_leaves_nothing(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            with refused(StaleWriteError):
                await store.journal.append(RUN, [noted()], after=2)
            with refused(StaleWriteError):
                await store.journal.append(OTHER, [noted()], after=1)
            assert len(await store.journal.read(RUN)) == 1
            assert len(await store.journal.read(OTHER)) == 0

    async def test_after_a_refusal_the_right_length_is_still_accepted(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            with refused(StaleWriteError):
                await store.journal.append(RUN, [noted()], after=7)
            assert await store.journal.append(RUN, [noted()], after=1) == 2

    async def test_a_run_begins_only_once(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, key="k")], after=0)
            with refused(StaleWriteError):
                await store.journal.append(RUN, [started(RUN, key="k")], after=0)
            assert len(await store.journal.read(RUN)) == 1

    async def test_an_append_of_nothing_is_refused_when_stale_and_changes_nothing(self) -> None:
        async with self.opened() as store:
            assert await store.journal.append(RUN, [], after=0) == 0
            with refused(StaleWriteError):
                await store.journal.append(RUN, [], after=1)
            assert await store.journal.head(RUN) is None

    async def test_a_journal_begins_with_its_own_run_started_and_has_no_other(self) -> None:
        async with self.opened() as store:
            beginnings: list[list[AnyEntry]] = [
                [noted()],
                [noted(), started(RUN)],
                [started(OTHER)],
            ]
            for wrong in beginnings:
                with refused(ValueError):
                    await store.journal.append(RUN, wrong, after=0)
            await store.journal.append(RUN, [started(RUN)], after=0)
            with refused(ValueError):
                await store.journal.append(RUN, [started(RUN)], after=1)
            assert len(await store.journal.read(RUN)) == 1

    async def test_appends_made_at_once_to_many_runs_are_all_kept(self) -> None:
        runs = [run_id(number) for number in range(100)]
        async with self.opened() as store:
            async with asyncio.TaskGroup() as tasks:
                for run in runs:
                    tasks.create_task(store.journal.append(run, [started(run)], after=0))
            async with asyncio.TaskGroup() as tasks:
                for run in runs:
                    tasks.create_task(store.journal.append(run, [noted(run)], after=1))
            for run in runs:
                assert _messages(await store.journal.read(run, after=1)) == [run]

    async def test_appends_made_at_once_to_one_run_keep_their_order(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            async with asyncio.TaskGroup() as tasks:
                for after in range(1, 50):
                    tasks.create_task(store.journal.append(RUN, [noted(str(after))], after=after))
            kept = _messages(await store.journal.read(RUN, after=1))
            assert kept == [str(after) for after in range(1, 50)]

    async def test_of_two_appends_at_the_same_place_one_is_kept_and_one_refused(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            async with asyncio.TaskGroup() as tasks:
                tries = [
                    tasks.create_task(_attempt(store.journal.append(RUN, [noted(name)], after=1)))
                    for name in ("a", "b")
                ]
            assert sorted(str(one.result()) for one in tries) == ["2", "StaleWriteError"]
            assert len(await store.journal.read(RUN)) == 2

    async def test_one_that_is_refused_does_not_harm_its_neighbours(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, key="k")], after=0)
            async with asyncio.TaskGroup() as tasks:
                good = tasks.create_task(store.journal.append(OTHER, [started(OTHER)], after=0))
                stale = tasks.create_task(_attempt(store.journal.append(RUN, [noted()], after=5)))
                third = store.journal.append(run_id(3), [started(run_id(3), key="k")], after=0)
                reused = tasks.create_task(_attempt(third))
                also_good = tasks.create_task(store.journal.append(RUN, [noted()], after=1))
            assert (good.result(), also_good.result()) == (1, 2)
            assert (stale.result(), reused.result()) == ("StaleWriteError", "KeyReusedError")
            assert list(await store.journal.read(run_id(3))) == []

    async def test_cancelling_the_caller_does_not_take_the_entries_back(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN)], after=0)
            async with asyncio.TaskGroup() as tasks:
                caller = tasks.create_task(store.journal.append(RUN, [noted("kept")], after=1))
                # The loop takes turns in order: it has begun, and may not be written yet.
                asyncio.get_running_loop().call_soon(caller.cancel)
            # The next append finds them, and is in its place behind them.
            assert await store.journal.append(RUN, [noted()], after=2) == 3
            assert _messages(await store.journal.read(RUN, after=1))[0] == "kept"


def _spelled(entries: Iterable[AnyEntry]) -> list[bytes]:
    return [encode(entry) for entry in entries]


def _messages(entries: Iterable[AnyEntry]) -> list[str]:
    return [entry.message if isinstance(entry, ProblemNoted) else "" for entry in entries]


async def _attempt(append: Awaitable[int]) -> int | str:
    try:
        return await append
    except CallsheetError as exc:
        return type(exc).__name__
