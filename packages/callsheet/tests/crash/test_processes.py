"""Several processes and one home: who may drive it, and what the others can still do."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crash import program
from tests.crash.victim import (
    KILLED,
    LOOK,
    PATIENCE,
    Case,
    Life,
    answer_id,
    check_end,
    check_journal,
    until,
)

from callsheet import Engine
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request
from callsheet.runtime.clock import SystemClock
from callsheet.stores.sqlite.store import SqlStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds

pytestmark = pytest.mark.slow  # real processes


async def is_settled(case: Case, request: str) -> bool:
    store = await SqlStore.open(case.home, drive=False)
    try:
        return await store.inbox.settled(request) is not None
    finally:
        await store.close()


async def until_waiting(case: Case, life: Life) -> None:
    """Return when the run can only wait for its person."""
    await life.until_event(e.QuestionAsked, "ok")
    async with Engine.open(case.home, drive=False) as engine:
        run = await engine.get(case.run)
        async with asyncio.timeout(PATIENCE):
            while (await run.status()).state != "waiting":
                await SystemClock().sleep(LOOK)


@pytest.mark.requirement("E26")
async def test_a_second_process_leaves_the_runs_of_the_first_alone(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life() as life:
        await life.until_event(e.AttemptStarted, "flight")
        async with Engine.open(case.home, program.TOOLS) as engine:
            run = await engine.get(case.run)
            assert not run.is_driven_here
            assert await life.end() == 0, case.complaints()
            assert (await run.wait()).state.ended
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.requirement("E26", "E11")
async def test_a_killed_driver_leaves_its_run_free_at_once(tmp_path: Path) -> None:
    case = Case(tmp_path)
    async with case.life() as life:
        await life.until_event(e.AttemptStarted, "flight")
        await life.kill()
    async with Engine.open(case.home, program.TOOLS, recover=False) as engine:
        assert not await (await engine.get(case.run)).is_driven()
        assert (await engine.resume(case.run)).is_driven_here


@pytest.mark.requirement("E26", "processes:second-terminal")
async def test_a_driver_that_was_stopped_and_continued_goes_on(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life(answers=False) as life:
        # Stopped in the middle of a commit, it would keep everybody from writing.
        await until_waiting(case, life)
        os.kill(life.pid, signal.SIGSTOP)
        async with Engine.open(case.home, program.TOOLS) as engine:
            assert not (await engine.get(case.run)).is_driven_here
        await case.answer_all()
        os.kill(life.pid, signal.SIGCONT)
        await life.until_event(e.QuestionAsked, "mail")
        await case.answer_all()
        assert await life.end() == 0, case.complaints()
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.requirement("processes:second-terminal", "E11")
async def test_a_request_left_for_a_dead_driver_is_served_by_the_next(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life(answers=False) as life:
        await life.until_event(e.QuestionAsked, "ok")
        await life.kill()
    await case.answer_all()
    assert not await is_settled(case, answer_id(case.run, "ok#1"))
    await case.live_on()
    assert await is_settled(case, answer_id(case.run, "ok#1"))
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.requirement("processes:second-terminal", "cancel:no-start-after-journalled")
async def test_a_cancel_left_for_a_dead_driver_takes_the_run_back(tmp_path: Path) -> None:
    case = Case(tmp_path)
    async with case.life(answers=False) as life:
        # Killed earlier, the car could be in doubt: it cannot be given back without its number.
        await life.until_event(e.AttemptEnded, "car")
        await life.kill()
    await case.leave(Request(id="cancel", run=case.run, kind="cancel", by="ann"))
    await case.live_on()
    result = case.said("ended")[-1].data
    assert (result["state"], result["cause"]["kind"]) == ("undone", "cancel")
    await check_journal(case)
    entries = await case.journal()
    cancelled = [isinstance(entry, e.CancelRequested) for entry in entries].index(True)
    assert not [x for x in entries[cancelled:] if isinstance(x, e.AttemptStarted)]
    done = {step for what, step in case.world.effects if what == "done"}
    taken_back = {step for what, step in case.world.effects if what == "taken back"}
    assert done == taken_back


@pytest.mark.requirement("approval:answered-once", "E17")
async def test_a_request_that_was_journalled_and_not_settled_is_done_once(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    assert await case.live("request.after:1") == KILLED
    assert [x.request for x in await case.journal() if isinstance(x, e.AnswerRecorded)]
    assert not await is_settled(case, answer_id(case.run, "ok#1"))
    await case.live_on()
    assert await is_settled(case, answer_id(case.run, "ok#1"))
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.requirement("cancel:isolated-writes-are-killed", "E11")
async def test_a_worker_process_dies_with_its_driver_and_its_call_is_made_again(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    expected = await undisturbed("isolated")
    case = Case(tmp_path, "isolated")
    async with case.life() as life:
        await until(lambda: case.world.calls, "a call in a worker process")
        worker = psutil.Process(case.world.calls[0].process)
        assert worker.pid != life.pid
        await life.kill()
    await until(lambda: is_dead(worker), "the death of the worker")
    await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)
    first = [line.key for line in case.world.calls if line.step == "first"]
    assert len(first) == 2
    assert len(set(first)) == 1, "all attempts of a step have one key"


def is_dead(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
