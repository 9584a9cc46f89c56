"""Pause: nothing starts, what runs may finish, answers are recorded and timers run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.stage import (
    a_plan,
    finish,
    kinds,
    opened,
    pass_time,
    records,
    states,
    until,
)

from callsheet import Retry, Step
from callsheet.errors import FatalError, RequestRefusedError, TransientError
from callsheet.testing import World, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path


def a_world() -> World:
    world = World()
    world.pair("book", "cancel")
    world.tool("ok", waits(5))
    world.tool("flaky", [raises(TransientError("x")), returns(1)], retry=Retry(backoff=20))
    world.tool("boom", waits(5, raises(FatalError("boom"))))
    return world


@pytest.mark.requirement("pause:nothing-starts", "E3")
@simulated
async def test_nothing_starts_in_a_paused_run_and_what_runs_may_finish() -> None:
    world = a_world()
    plan = a_plan(*(Step(id=f"s{n}", tool="ok") for n in range(6)), concurrency=2)
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.pause(by="ann")
        await pass_time(100)
        status = await run.status()
        assert status.paused
        assert status.state == "running"
        assert list(states(status).values()) == ["succeeded"] * 2 + ["ready"] * 4
        assert len(world.calls) == 2
        assert not any(call.told for call in world.calls)
        await run.resume(by="ann")
        result = await finish(engine, run)
        (paused,) = await records(run, "RunPaused")
        (resumed,) = await records(run, "RunResumed")
    assert (paused.by, resumed.by) == ("ann", "ann")
    assert result.state == "succeeded"
    assert not result.paused
    assert len(world.calls) == 6
    assert all(call.began_at >= 100 for call in world.calls[2:])


@pytest.mark.requirement("pause:answers-and-timers-go-on", "E17")
@simulated
async def test_answers_are_recorded_and_timers_run_while_paused() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="flaky", tool="flaky"),
        Step(id="q", ask="Which?", choices=("a", "b")),
        Step(id="after", tool="ok", args={"x": "${steps.q}"}),
        Step(id="book", tool="book", approval="required"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="flaky")
        await run.pause()
        await run.answer("q", "b")
        await run.answer("book", "approve")
        await pass_time(50)
        journal = await kinds(run)
        assert journal.count("AnswerRecorded") == 2
        assert journal.count("TimerFired") == 1
        assert not (await run.status()).questions
        assert world.steps == ["flaky"], "and nothing has started"
        await run.resume()
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert world.step("after")[0].args == {"x": "b"}
    assert all(call.began_at >= 50 for call in world.calls[1:])


@pytest.mark.requirement("pause:answers-and-timers-go-on")
@simulated
async def test_a_question_times_out_while_paused() -> None:
    world = a_world()
    plan = a_plan(Step(id="q", ask="Which?", timeout=30), Step(id="b", tool="ok", needs=("q",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.pause()
        result = await finish(engine, run)
    assert result.state == "failed"
    assert states(result) == {"q": "failed", "b": "cancelled"}


@pytest.mark.requirement("pause:nothing-starts")
@simulated
async def test_a_failure_in_a_paused_run_stops_it_and_takes_back_what_is_owed() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="book"), Step(id="boom", tool="boom"), Step(id="b", tool="ok"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.pause()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert not world.standing


@pytest.mark.requirement("pause:nothing-starts", "E3")
@simulated
async def test_pausing_twice_and_resuming_what_is_not_paused_change_nothing() -> None:
    world = a_world()
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="ok")))
        await run.resume()
        await run.pause()
        await run.pause()
        await run.resume()
        await run.resume()
        await finish(engine, run)
        journal = await kinds(run)
        for ask in (run.pause, run.resume):
            with pytest.raises(RequestRefusedError, match="succeeded"):
                await ask()
    assert journal.count("RunPaused") == journal.count("RunResumed") == 1


@pytest.mark.requirement("pause:nothing-starts", "E3")
@simulated
async def test_an_engine_resumes_a_run_as_its_handle_does() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="ok"), Step(id="b", tool="ok", needs=("a",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.pause()
        await until(run, "AttemptEnded", step="a")
        assert [each.id for each in await engine.recover()] == [run.id]
        assert (await run.status()).paused, "to drive a run is not to go on with it"
        again = await engine.resume(run.id, by="ada")
        assert (await finish(engine, again)).state == "succeeded"
    assert world.steps == ["a", "b"]


@pytest.mark.slow  # with a database at work, simulated time only hurries
@pytest.mark.requirement("pause:nothing-starts", "E3")
@simulated
async def test_a_paused_run_stays_paused_when_the_engine_is_reopened(tmp_path: Path) -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="ok"), Step(id="b", tool="ok", needs=("a",)))
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await run.pause()
        await until(run, "AttemptEnded", step="a")
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        await pass_time(2)
        assert (await run.status()).paused
        assert world.steps == ["a"]
        await run.resume()
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert world.steps == ["a", "b"], "what had finished did not run again"
