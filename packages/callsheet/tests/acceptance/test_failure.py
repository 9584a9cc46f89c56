"""Failure: what a failed step means for the others, by the policy of the run and of the step."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    of_kind,
    opened,
    records,
    states,
)

from callsheet import Retry, Step, Undo
from callsheet.errors import FatalError, InvalidError, TransientError
from callsheet.testing import World, hangs, ignores_stop, raises, simulated, waits


def a_world() -> World:
    """`book` and `cancel`, `slow` (10 s), and `boom`, which fails after a second."""
    world = World()
    world.pair("book", "cancel")
    world.tool("slow", waits(10))
    world.tool("boom", waits(1, raises(FatalError("no"))))
    world.tool("ok")
    return world


@pytest.mark.parametrize("policy", ["undo", "stop"])
@pytest.mark.requirement("failure:nothing-starts-after-it")
@simulated
async def test_nothing_starts_once_a_step_has_failed(policy: Any) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="boom", tool="boom"),
        *(Step(id=f"s{n}", tool="slow") for n in range(30)),
        Step(id="after", tool="book", needs=("boom",)),
        on_failure=policy,
        concurrency=4,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        journal = await run.journal()
    failed_at = next(
        place for place, entry in enumerate(journal) if getattr(entry, "outcome", "") == "failed"
    )
    assert not of_kind(journal[failed_at:], "AttemptStarted")
    assert world.count("slow") == 3, "those that ran beside it"
    assert world.count("book") == 0
    assert states(result)["after"] == "cancelled"
    assert result.cause is not None
    assert (result.cause.kind, result.cause.step, result.cause.message) == ("failure", "boom", "no")


@pytest.mark.requirement("failure:running-attempts-are-drained")
@simulated
async def test_running_attempts_are_told_and_end_before_the_run_does() -> None:
    world = a_world()
    world.tool("tidy", tidies_up)
    plan = a_plan(
        Step(id="boom", tool="boom"),
        Step(id="slow", tool="slow"),
        Step(id="tidy", tool="tidy"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert all(call.ended is not None for call in world.calls), "nobody is left at work"
        ends = {entry.step: entry.outcome for entry in await records(run, "AttemptEnded")}
    assert world.step("slow")[0].told
    assert world.step("slow")[0].ended_at == pytest.approx(1)
    assert world.step("tidy")[0].ended_at == pytest.approx(6), "it had time to tidy up"
    assert ends == {"boom": "failed", "slow": "cancelled", "tidy": "cancelled"}
    assert states(result) == {"boom": "failed", "slow": "cancelled", "tidy": "cancelled"}
    error = result.steps["slow"].error
    assert error is not None
    assert error.error_class == "cancelled"


async def tidies_up(_call: Any, ctx: Any) -> None:
    try:
        await ctx.sleep(1000)
    finally:
        assert ctx.cancelled
        await ctx.sleep(5)


@pytest.mark.requirement("failure:running-attempts-are-drained", "E3")
@simulated
async def test_one_that_does_not_listen_is_abandoned_after_the_grace_and_reported() -> None:
    world, release = a_world(), asyncio.Event()
    world.tool("deaf", ignores_stop(release))
    plan = a_plan(Step(id="boom", tool="boom"), Step(id="deaf", tool="deaf"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        ends = {entry.step: entry for entry in await records(run, "AttemptEnded")}
    release.set()
    assert world.step("deaf")[0].told
    assert ends["deaf"].abandoned
    assert 11 <= (ends["deaf"].at - ends["boom"].at).total_seconds() + 1 <= 14
    assert [problem.step for problem in result.problems] == ["deaf"]
    assert "may still be running" in result.problems[0].message


@pytest.mark.requirement("failure:undo-takes-back-what-is-owed", "E9")
@simulated
async def test_with_undo_everything_that_is_owed_is_taken_back() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="flight", tool="book", args={"to": "Oslo"}),
        Step(id="hotel", tool="book", needs=("flight",)),
        Step(id="read", tool="ok", needs=("flight",)),
        Step(id="kept", tool="book", undo="none"),
        Step(id="boom", tool="boom", needs=("hotel",)),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "undone"
    assert [call.step for call in world.of("cancel")] == ["hotel", "flight"]
    assert [call.step for call in world.standing.values()] == ["kept"]
    assert states(result) == {
        "flight": "undone",
        "hotel": "undone",
        "read": "succeeded",
        "kept": "succeeded",
        "boom": "failed",
    }


@pytest.mark.requirement("failure:undo-takes-back-what-is-owed")
@simulated
async def test_what_ends_well_while_the_run_stops_is_taken_back_too() -> None:
    world = a_world()
    world.pair("deaf", "undeaf", waits_it_out(world))
    plan = a_plan(Step(id="boom", tool="boom"), Step(id="late", tool="deaf"))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert states(result) == {"boom": "failed", "late": "undone"}
    assert world.count("undeaf") == 1
    assert not world.standing


def waits_it_out(world: World) -> Any:
    async def act(call: Any, ctx: Any) -> Any:
        try:
            await ctx.sleep(1000)
        except asyncio.CancelledError:
            return await world.stands(call, ctx)

    return act


@pytest.mark.requirement("failure:nothing-starts-after-it", "failure:running-attempts-are-drained")
@simulated
async def test_with_stop_nothing_is_undone() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="boom", tool="boom", needs=("a",)),
        Step(id="slow", tool="slow", needs=("a",)),
        on_failure="stop",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert result.state == "failed"
        assert states(result) == {"a": "succeeded", "boom": "failed", "slow": "cancelled"}
        assert world.count("cancel") == 0
        await run.undo()
        undone = await finish(engine, run)
    assert undone.state == "undone"
    assert not world.standing


@pytest.mark.requirement("failure:continue-runs-the-rest")
@simulated
async def test_with_continue_everything_not_downstream_runs_on_and_nothing_is_undone() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="boom", tool="boom"),
        Step(id="down", tool="book", needs=("boom",)),
        Step(id="further", tool="book", needs=("down",)),
        Step(id="beside", tool="book", args={"n": 1}),
        Step(id="after", tool="slow", args={"n": "${steps.beside.n}"}),
        on_failure="continue",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "failed"
    assert states(result) == {
        "boom": "failed",
        "down": "skipped",
        "further": "skipped",
        "beside": "succeeded",
        "after": "succeeded",
    }
    assert "'boom'" in result.steps["down"].reason
    assert world.count("cancel") == 0
    assert [call.step for call in world.standing.values()] == ["beside"]
    assert result.output is None


@pytest.mark.requirement("failure:continue-runs-the-rest", "E9")
@simulated
async def test_a_run_that_continued_can_still_be_undone() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="boom", tool="boom"), Step(id="beside", tool="book"), on_failure="continue"
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo(by="ann")
        result = await finish(engine, run)
    assert result.state == "undone"
    assert result.cause is not None
    assert (result.cause.kind, result.cause.by) == ("request", "ann")
    assert not world.standing


@pytest.mark.requirement("failure:nothing-starts-after-it")
@simulated
async def test_a_step_may_fail_and_be_skipped_over() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="boom", tool="boom", on_failure="skip"),
        Step(id="down", tool="ok", needs=("boom",)),
        Step(id="anyway", tool="ok", needs=("boom",), run_if_skipped=True),
        Step(id="beside", tool="book"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert states(result) == {
        "boom": "failed",
        "down": "skipped",
        "anyway": "succeeded",
        "beside": "succeeded",
    }
    assert [problem.step for problem in result.problems] == ["boom"]
    assert "no" in result.problems[0].message
    assert world.count("cancel") == 0


@pytest.mark.requirement("failure:nothing-starts-after-it")
@simulated
async def test_a_failure_that_is_ignored_gives_null_and_dependents_run() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="boom", tool="boom", on_failure="ignore"),
        Step(id="down", tool="ok", args={"x": "${steps.boom || 'nothing'}"}),
        output="${steps.boom}",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert states(result) == {"boom": "failed", "down": "succeeded"}
    assert world.step("down")[0].args == {"x": "nothing"}
    assert result.output is None
    assert [problem.step for problem in result.problems] == ["boom"]


@pytest.mark.requirement("failure:nothing-starts-after-it")
@simulated
async def test_the_first_failure_is_the_cause() -> None:
    world = a_world()
    world.tool("later", waits(2, raises(FatalError("later"))))
    world.tool("deaf_boom", fails_when_told)
    plan = a_plan(
        Step(id="later", tool="later"),
        Step(id="deaf", tool="deaf_boom"),
        Step(id="boom", tool="boom"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.cause is not None
    assert result.cause.step == "boom"
    assert states(result) == {"later": "cancelled", "deaf": "cancelled", "boom": "failed"}


async def fails_when_told(_call: Any, ctx: Any) -> None:
    try:
        await ctx.sleep(1000)
    finally:
        raise FatalError("told")


@pytest.mark.requirement("E7")
@simulated
async def test_errors_are_counted_by_class_and_tool() -> None:
    world = a_world()
    twice = [raises(TransientError("a")), raises(TransientError("b")), raises(InvalidError("c"))]
    world.tool("flaky", twice, retry=Retry(backoff=0.1))
    plan = a_plan(
        Step(id="a", tool="flaky"),
        Step(id="b", tool="boom"),
        Step(id="c", tool="boom"),
        Step(id="d", tool="ok"),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        again = await run.status()
    assert result.errors == {"flaky": {"transient": 2, "invalid": 1}, "boom": {"fatal": 2}}
    assert again.errors == result.errors
    assert {
        step: result.steps[step].error.error_class  # type: ignore[union-attr]
        for step in ("a", "b", "c")
    } == {"a": "invalid", "b": "fatal", "c": "fatal"}


@pytest.mark.requirement("failure:undo-takes-back-what-is-owed")
@simulated
async def test_a_failed_write_that_says_nothing_happened_is_not_undone() -> None:
    world = a_world()
    world.tool("full", raises(FatalError("no room")), effect="write", undo="cancel")
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="full", needs=("a",), undo=Undo(tool="cancel", args={"key": "x"})),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert [call.step for call in world.of("cancel")] == ["a"]
    assert states(result) == {"a": "undone", "b": "failed"}


@pytest.mark.requirement("states:every-step-is-final")
@simulated
async def test_every_step_of_an_ended_run_is_final_whatever_it_was_doing() -> None:
    world = a_world()
    world.tool("flaky", raises(TransientError("x")), retry=Retry(attempts=9, backoff=60))
    world.tool("hangs", hangs())
    plan = a_plan(
        Step(id="running", tool="hangs"),
        Step(id="retrying", tool="flaky"),
        Step(id="asking", ask="Well?"),
        Step(id="approving", tool="book", approval="required"),
        Step(id="listing", tool="hangs", for_each=[1, 2]),
        Step(id="pending", tool="ok", needs=("running",)),
        Step(id="boom", tool="boom"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert set(states(result).values()) == {"cancelled", "failed"}
    assert states(result)["boom"] == "failed"
    assert not result.questions
