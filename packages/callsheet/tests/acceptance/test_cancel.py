"""Cancel: once it is journalled nothing starts, and everything that had started gets an end."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.acceptance.isolated import stubborn, unstubborn
from tests.acceptance.stage import (
    a_plan,
    finish,
    kinds,
    of_kind,
    opened,
    pass_time,
    records,
    states,
    until,
)

from callsheet import Retry, Step, tool
from callsheet.errors import FatalError, RequestRefusedError, TransientError
from callsheet.testing import World, hangs, ignores_stop, raises, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path


def a_world() -> World:
    world = World()
    world.pair("book", "cancel")
    world.tool("ok", waits(1))
    world.tool("slow", hangs())
    return world


@pytest.mark.requirement("cancel:no-start-after-journalled", "E3")
@simulated
async def test_no_attempt_starts_once_the_cancel_is_journalled() -> None:
    world = a_world()
    plan = a_plan(*(Step(id=f"s{n}", tool="ok") for n in range(100)), concurrency=10)
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", times=35)
        await run.cancel(reason="changed my mind", by="ann")
        made = len(world.calls)
        result = await finish(engine, run)
        journal = await run.journal()
        (cancel,) = of_kind(journal, "CancelRequested")
    assert len(world.calls) == made < 100, "counted outside"
    assert not of_kind(journal[journal.index(cancel) :], "AttemptStarted")
    assert (cancel.by, cancel.reason) == ("ann", "changed my mind")
    assert result.state == "cancelled"
    assert result.cause is not None
    assert (result.cause.kind, result.cause.by) == ("cancel", "ann")


@pytest.mark.requirement("cancel:every-attempt-gets-a-final-record", "E3")
@simulated
async def test_what_had_finished_is_kept_and_what_was_running_has_a_final_record() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="done", tool="ok", args={"x": 1}),
        Step(id="slow", tool="slow"),
        Step(id="later", tool="ok", needs=("slow",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="done")
        await run.cancel()
        result = await finish(engine, run)
        ends = {entry.step: entry for entry in await records(run, "AttemptEnded")}
    assert states(result) == {"done": "succeeded", "slow": "cancelled", "later": "cancelled"}
    assert result.steps["done"].output == {"x": 1}
    assert ends["slow"].outcome == "cancelled"
    assert ends["slow"].error.error_class == "cancelled"
    assert result.steps["later"].attempts == 0


@pytest.mark.requirement("cancel:every-attempt-gets-a-final-record")
@simulated
async def test_a_hundred_running_calls_are_all_told_at_once() -> None:
    world = a_world()
    plan = a_plan(*(Step(id=f"s{n}", tool="slow") for n in range(100)), concurrency=100)
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", times=100)
        now = asyncio.get_running_loop().time()
        await run.cancel()
        result = await finish(engine, run)
    assert len(world.calls) == 100
    assert all(call.told for call in world.calls)
    assert {call.ended_at for call in world.calls} == {now}, "in the same moment"
    assert result.state == "cancelled"


@pytest.mark.requirement("cancel:every-attempt-gets-a-final-record")
@simulated
async def test_a_tool_that_is_told_has_the_grace_and_may_even_succeed() -> None:
    world = a_world()

    async def finishes(call: Any, ctx: Any) -> str:
        try:
            await ctx.sleep(1000)
        except asyncio.CancelledError:
            assert ctx.cancelled
            await ctx.sleep(9)
        return "saved"

    world.tool("finishes", finishes)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="finishes")))
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == "cancelled"
    assert states(result) == {"a": "succeeded"}
    assert result.steps["a"].output == "saved"


@pytest.mark.requirement("cancel:isolated-writes-are-killed")
@simulated
async def test_after_the_grace_a_tool_that_does_not_listen_is_abandoned_and_reported() -> None:
    world, release = a_world(), asyncio.Event()
    world.tool("deaf", ignores_stop(release))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="deaf")))
        await until(run, "AttemptStarted")
        await run.cancel()
        result = await finish(engine, run)
        (cancel,) = await records(run, "CancelRequested")
        (end,) = await records(run, "AttemptEnded")
    release.set()
    assert end.abandoned
    assert 10 <= (end.at - cancel.at).total_seconds() <= 13
    assert [problem.step for problem in result.problems] == ["a"]


@pytest.mark.slow  # with a thread at work, simulated time only hurries
@pytest.mark.requirement("cancel:isolated-writes-are-killed")
@simulated
async def test_a_thread_that_does_not_listen_is_abandoned_and_reported() -> None:
    begun, release = threading.Event(), threading.Event()

    @tool("stuck_thread", effect="read")
    def stuck_thread() -> None:
        begun.set()
        release.wait(30)

    world = a_world()
    world.tools.append(stuck_thread)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="stuck_thread")))
        await asyncio.to_thread(begun.wait, 30)
        await run.cancel()
        result = await finish(engine, run)
        (end,) = await records(run, "AttemptEnded")
    release.set()
    assert states(result) == {"a": "cancelled"}
    assert end.abandoned
    assert [problem.step for problem in result.problems] == ["a"]
    assert "may still be running" in result.problems[0].message


@pytest.mark.slow  # a worker process has to come up
@pytest.mark.requirement("cancel:isolated-writes-are-killed")
@simulated
async def test_an_isolated_write_that_does_not_listen_is_killed_and_taken_back(
    tmp_path: Path,
) -> None:
    world, mark = World(tools=[stubborn, unstubborn]), tmp_path / "pid"
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="stubborn", args={"file": str(mark)})))
        pid = await asyncio.to_thread(read_when_there, mark)
        assert psutil.pid_exists(pid)
        await run.cancel()
        result = await finish(engine, run)
        assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie"
        (end,) = await records(run, "AttemptEnded")
    assert not end.abandoned, "it was killed, so nothing of it is left"
    assert result.state == "undone"
    assert states(result) == {"a": "undone"}
    assert mark.with_suffix(".undone").exists()


def read_when_there(file: Path) -> int:
    patience = threading.Event()
    for _ in range(3000):
        if file.exists() and file.read_text("utf-8"):
            return int(file.read_text("utf-8"))
        patience.wait(0.01)
    raise AssertionError(f"{file.name} was not written")


@pytest.mark.parametrize(
    ("fields", "taken_back"),
    [
        ({}, True),
        ({"on_failure": "stop"}, False),
        ({"on_failure": "continue"}, False),
        ({"on_cancel": "keep"}, False),
        ({"on_failure": "continue", "on_cancel": "undo"}, True),
    ],
    ids=str,
)
@pytest.mark.requirement("E9", "failure:undo-takes-back-what-is-owed")
@simulated
async def test_a_cancelled_run_is_undone_or_kept_by_its_policy(
    fields: Any, taken_back: bool
) -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="book"), Step(id="slow", tool="slow", needs=("a",)), **fields)
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="slow")
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == ("undone" if taken_back else "cancelled")
    assert len(world.standing) == (0 if taken_back else 1)
    assert result.cause is not None
    assert result.cause.kind == "cancel"


@pytest.mark.requirement("cancel:undo-goes-through", "E9")
@simulated
async def test_an_undo_is_not_cancelled() -> None:
    world = a_world()
    world.tool("slow_undo", waits(60), effect="write", idempotent=True)
    world.tool("write", effect="write", undo="slow_undo")
    world.tool("boom", raises(FatalError("boom")))
    plan = a_plan(
        Step(id="a", tool="write"),
        Step(id="b", tool="write", needs=("a",)),
        Step(id="boom", tool="boom", needs=("b",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "UndoStarted")
        assert (await run.status()).state == "undoing"
        with pytest.raises(RequestRefusedError, match="undo"):
            await run.cancel()
        result = await finish(engine, run)
        assert "CancelRequested" not in await kinds(run)
    assert result.state == "undone"
    assert [(call.step, call.told) for call in world.of("slow_undo")] == [
        ("b", False),
        ("a", False),
    ]


@pytest.mark.requirement("cancel:undo-goes-through", "doubt:answered-or-decided-beforehand")
@simulated
async def test_an_undo_that_a_person_asked_for_goes_through_when_the_run_is_cancelled() -> None:
    world = a_world()
    world.tool("slow_undo", waits(60), effect="write", idempotent=True)
    world.tool("pay", raises(ConnectionResetError()), effect="write", undo="slow_undo")
    plan = a_plan(Step(id="pay", tool="pay"), Step(id="slow", tool="slow"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await run.answer("pay", "undo")
        await until(run, "UndoStarted")
        await run.cancel()
        result = await finish(engine, run)
    assert [call.told for call in world.of("slow_undo")] == [False]
    assert world.step("slow")[0].told
    assert states(result) == {"pay": "undone", "slow": "cancelled"}


@pytest.mark.requirement("cancel:no-start-after-journalled")
@simulated
async def test_cancel_during_a_backoff_means_no_further_attempt() -> None:
    world = a_world()
    world.tool("flaky", raises(TransientError("x")), retry=Retry(attempts=9, backoff=100))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="flaky")))
        await until(run, "AttemptEnded")
        await run.cancel()
        result = await finish(engine, run)
        await pass_time(500)
    assert world.count("flaky") == 1
    assert states(result) == {"a": "cancelled"}
    assert result.state == "cancelled"


@pytest.mark.requirement("cancel:no-start-after-journalled", "E17")
@simulated
async def test_cancel_while_somebody_is_asked_takes_the_question_back() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="q", ask="Go on?"),
        Step(id="b", tool="book", approval="required"),
        Step(id="c", tool="ok", needs=("q",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.cancel()
        result = await finish(engine, run)
        assert not result.questions
        with pytest.raises(RequestRefusedError):
            await run.answer("q", "yes")
        with pytest.raises(RequestRefusedError):
            await run.answer("b", "approve")
    assert result.state == "cancelled"
    assert not world.calls


@pytest.mark.requirement("cancel:no-start-after-journalled", "E3")
@simulated
async def test_cancelling_twice_is_cancelling_once() -> None:
    world = a_world()

    async def tidies(call: Any, ctx: Any) -> None:
        try:
            await ctx.sleep(1000)
        finally:
            await ctx.sleep(5)

    world.tool("tidies", tidies)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="tidies")))
        await until(run, "AttemptStarted")
        await run.cancel()
        await run.cancel()
        result = await finish(engine, run)
        assert (await kinds(run)).count("CancelRequested") == 1
        with pytest.raises(RequestRefusedError, match="ended"):
            await run.cancel()
    assert result.state == "cancelled"
    assert (world.calls[0].ended_at or 0) - world.calls[0].began_at == pytest.approx(5, abs=0.1)


@pytest.mark.requirement("cancel:no-start-after-journalled", "pause:nothing-starts")
@simulated
async def test_a_paused_run_can_be_cancelled() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="book"), Step(id="b", tool="slow"), concurrency=1)
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.pause()
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert not result.paused
    assert not world.standing
