"""The writer: what is grouped, where it is committed, and what one failure does to the others."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest
from tests.unit.stores.desk import a_desk

from callsheet.errors import (
    EngineClosedError,
    KeyReusedError,
    RequestRefusedError,
    StaleWriteError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from callsheet.stores.sql import writer
from callsheet.stores.sql.writer import Company, Pace
from callsheet.stores.sqlite.session import Session as FileSession
from callsheet.stores.sqlite.session import statements
from callsheet.testing.contracts.samples import noted, run_id, started

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.stores.sql.session import Session

RUN, OTHER = run_id(1), run_id(2)


async def test_all_that_arrives_in_one_turn_is_one_commit(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        futures = [desk.start(run_id(number)) for number in range(500)]
        assert [await future for future in futures] == [1] * 500
        assert len(desk.session.commits) == 1


async def test_what_arrives_in_another_turn_is_another_commit(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        for after in range(1, 4):
            await (desk.start(RUN) if after == 1 else desk.append(RUN, noted(), after=after - 1))
        assert len(desk.session.commits) == 3


async def test_more_than_the_loop_can_spare_is_split_and_stays_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_BATCH", 10)
    async with a_desk(tmp_path) as desk:
        futures = [desk.start(RUN), *(desk.append(RUN, noted(), after=n) for n in range(1, 35))]
        assert [await future for future in futures] == list(range(1, 36))
        assert len(desk.session.commits) == 4


async def test_whoever_comes_between_two_parts_of_a_batch_makes_no_commit_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_BATCH", 2)
    async with a_desk(tmp_path) as desk:

        async def start_then_note(run: RunId) -> None:
            await desk.start(run)
            await desk.append(run, noted(), after=1)

        async with asyncio.TaskGroup() as tasks:
            for number in range(4):
                tasks.create_task(start_then_note(run_id(number)))
        assert len(desk.session.commits) == 4


async def test_a_stale_append_costs_its_neighbours_nothing(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        good, stale = desk.start(RUN), desk.append(OTHER, noted(), after=3)
        also_good = desk.append(RUN, noted(), after=1)
        assert (await good, await also_good) == (1, 2)
        with pytest.raises(StaleWriteError, match="has 0 entries, not 3"):
            await stale
        assert len(desk.session.commits) == 1


async def test_when_one_breaks_the_batch_the_others_are_written_alone(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN, key="k")
        before, reused = desk.append(RUN, noted(), after=1), desk.start(OTHER, key="k")
        behind = desk.append(RUN, noted(), after=2)
        assert (await before, await behind) == (2, 3)
        with pytest.raises(KeyReusedError, match=f"belongs to run '{RUN}'"):
            await reused
        assert desk.session.length(OTHER) == 0


async def test_what_another_process_wrote_is_found_out_by_the_primary_key(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        other = FileSession(tmp_path / "test.db")
        other.do(statements.advance.bind(count=1))
        other.insert(statements.append.text, [(RUN, 2, "{}", 0)])
        stale, fine = desk.append(RUN, noted(), after=1), desk.start(OTHER)
        with pytest.raises(StaleWriteError, match="has 2 entries, not 1"):
            await stale
        assert await fine == 1
        other.do(statements.advance.bind(count=1))
        other.insert(statements.append.text, [(RUN, 3, "{}", 0)])
        assert await desk.append(RUN, noted(), after=3) == 4
        other.close()


async def test_lengths_that_were_forgotten_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callsheet.stores.sql.transactor.MAX_LENGTHS", 2)
    async with a_desk(tmp_path) as desk:
        runs = [run_id(number) for number in range(5)]
        for run in runs:
            await desk.start(run)
        for run in runs:
            with pytest.raises(StaleWriteError):
                await desk.append(run, noted(), after=2)
            assert await desk.append(run, noted(), after=1) == 2


async def test_a_refused_call_costs_its_neighbours_nothing(tmp_path: Path) -> None:
    def refuse(_: Session) -> None:
        raise RequestRefusedError("no")

    async with a_desk(tmp_path) as desk:
        good, refused, called = desk.start(RUN), desk.writer.call(refuse), desk.writer.call(_seven)
        assert (await good, await called) == (1, 7)
        with pytest.raises(RequestRefusedError):
            await refused


async def test_an_unforeseen_error_reaches_whoever_waits(tmp_path: Path) -> None:
    def stumble(_: Session) -> None:
        raise ZeroDivisionError

    async with a_desk(tmp_path) as desk:
        with pytest.raises(ZeroDivisionError):
            await desk.writer.call(stumble)
        with pytest.raises(ZeroDivisionError):
            await desk.writer.call(stumble, heavy=True)
        assert await desk.start(RUN) == 1


async def test_quick_commits_happen_on_the_loop(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        for number in range(20):
            await desk.start(run_id(number))
        assert set(desk.session.commits) == {threading.get_ident()}


async def test_a_slow_disk_moves_commits_to_a_thread_until_it_has_recovered(
    tmp_path: Path,
) -> None:
    async with a_desk(tmp_path) as desk:
        desk.session.commit_takes = 0.050
        for number in range(10):
            await desk.start(run_id(number))
        assert desk.session.commits[-1] != threading.get_ident()
        desk.session.commit_takes = 0.0001
        desk.session.clock += Pace.AGAIN
        for number in range(10, 20):
            await desk.start(run_id(number))
        assert set(desk.session.commits[-10:]) == {threading.get_ident()}


async def test_heavy_work_is_done_in_the_thread(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        assert await desk.writer.call(_thread, heavy=True) != threading.get_ident()
        assert await desk.writer.call(_thread) == threading.get_ident()


async def test_while_a_batch_is_in_the_thread_the_loop_goes_on_and_the_next_waits(
    tmp_path: Path,
) -> None:
    async with a_desk(tmp_path) as desk:
        desk.session.may_commit.clear()
        first = desk.writer.call(_seven, heavy=True)
        await _turns(3)
        later = [desk.start(RUN), desk.append(RUN, noted(), after=1)]
        await _turns(3)
        assert not first.done()
        assert not later[0].done()
        assert desk.session.commits == []
        desk.session.may_commit.set()
        assert await first == 7
        assert [await future for future in later] == [1, 2]
        assert len(desk.session.commits) == 2


async def test_a_caller_who_gives_up_takes_nothing_back(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        given_up = desk.start(RUN)
        given_up.cancel()
        assert await desk.append(RUN, noted(), after=1) == 2


async def test_a_full_disk_fails_the_batch_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        desk.session.pragma("max_page_count = 1")
        wanted = [
            desk.append(RUN, *[noted()] * 2000, after=1),
            desk.append(OTHER, started(OTHER), *[noted()] * 2000, after=0),
        ]
        errors = await _errors(wanted)
        assert [type(error) for error in errors] == [StoreFullError, StoreFullError]
        assert errors[0] is not errors[1]
        assert "disk is full" in str(errors[0])
        assert "test.db" in str(errors[0])
        desk.session.pragma("max_page_count = 100000")
        assert (desk.session.length(RUN), desk.session.length(OTHER)) == (1, 0)
        assert await desk.append(RUN, noted(), after=1) == 2


async def test_a_database_that_turns_read_only_says_so_and_recovers(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        desk.session.pragma("query_only = 1")
        with pytest.raises(StoreReadOnlyError, match="cannot be opened or written"):
            await desk.append(RUN, noted(), after=1)
        desk.session.pragma("query_only = 0")
        assert await desk.append(RUN, noted(), after=1) == 2


async def test_a_closing_that_was_interrupted_can_be_finished(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        desk.session.may_commit.clear()
        last = desk.writer.call(_seven, heavy=True)
        async with asyncio.TaskGroup() as tasks:
            closing = tasks.create_task(desk.writer.close())
            asyncio.get_running_loop().call_soon(closing.cancel)
        with pytest.raises(EngineClosedError):
            await desk.start(RUN)
        desk.session.may_commit.set()
        await desk.writer.close()
        assert await last == 7


def _seven(_: Session) -> int:
    return 7


def _thread(_: Session) -> int:
    return threading.get_ident()


async def _turns(number: int) -> None:
    """Let the loop go round so many times."""
    for _ in range(number):
        turn = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(turn.set_result, None)
        await turn


async def _errors(futures: list[asyncio.Future[object]]) -> list[BaseException | None]:
    await asyncio.wait(futures)
    return [future.exception() for future in futures]


async def a_turn() -> None:
    """Let the event loop turn once."""
    loop = asyncio.get_running_loop()
    turned = loop.create_future()
    loop.call_soon(turned.set_result, None)
    await turned


async def test_who_comes_alone_for_long_is_written_on_the_spot(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        for after in range(1, Company.ALONE_AFTER):
            future = desk.append(RUN, noted(), after=after)
            assert not future.done(), "others may come in this turn"
            await future
        for after in range(Company.ALONE_AFTER, Company.ALONE_AFTER + 3):
            future = desk.append(RUN, noted(), after=after)
            assert future.done()
            await a_turn()
        assert len(desk.session.commits) == Company.ALONE_AFTER + 3


async def test_two_in_one_turn_wait_for_each_other_again(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        for after in range(1, Company.ALONE_AFTER):
            await desk.append(RUN, noted(), after=after)
        commits = len(desk.session.commits)
        at_once = desk.append(RUN, noted(), after=Company.ALONE_AFTER)
        others = [desk.start(run_id(number)) for number in range(2, 6)]
        assert at_once.done()
        assert not any(other.done() for other in others)
        assert [await other for other in others] == [1] * 4
        assert len(desk.session.commits) == commits + 2, "the first alone, the others together"
        assert not desk.append(RUN, noted(), after=Company.ALONE_AFTER + 1).done()


class Interrupt(BaseException):
    """As Ctrl-C, without ending the tests."""


@pytest.mark.parametrize("done", [False, True])
async def test_an_interrupt_in_a_commit_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, done: bool
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    async with asyncio.timeout(10), a_desk(tmp_path) as desk:
        await desk.start(RUN)
        commit = desk.session.commit

        def interrupted() -> None:
            if done:
                commit()
            raise Interrupt

        with monkeypatch.context() as patched:
            patched.setattr(desk.session, "commit", interrupted)
            with pytest.raises(StoreError, match="nobody knows whether it was made"):
                await desk.append(RUN, noted(), after=1)
        # What was made is seen, and what was not is written.
        assert await desk.append(RUN, noted(), after=2 if done else 1) == (3 if done else 2)
