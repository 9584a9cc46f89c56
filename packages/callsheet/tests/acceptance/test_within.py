"""`within`: the time that a step has as a whole, from ready to final."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    kinds,
    opened,
    pass_time,
    states,
    until,
)

from callsheet import Budget, Plan, Retry, Step
from callsheet.errors import TransientError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("step:within", "E27")


def a_world() -> World:
    world = World()
    world.tool("ok")
    world.tool("slow", waits(40))
    world.tool("hangs", hangs(), timeout=5)
    world.tool("flaky", raises(TransientError("not yet")), retry=Retry(attempts=99, backoff=4))
    world.pair("book", "cancel", hangs(), timeout=1000)
    world.tool("put", hangs(), effect="write", idempotent=True, timeout=1000)
    return world


def error_of(result: Any, step: str) -> tuple[str, str]:
    error = result.steps[step].error
    return error.error_class, error.message


@simulated
async def test_all_attempts_together_take_no_longer() -> None:
    world = a_world()
    plan = a_plan(Step(id="x", tool="hangs", within="12s", retry=9), on_failure="continue")
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
    assert error_of(result, "x") == ("timeout", "It was not done within 12 s.")
    assert 2 <= world.count("hangs") <= 3
    assert result.seconds == pytest.approx(12, abs=0.01)


@simulated
async def test_backoff_counts_and_nothing_is_tried_after_it() -> None:
    world = a_world()
    plan = a_plan(Step(id="x", tool="flaky", within=30))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert "StepExpired" in await kinds(run)
    assert error_of(result, "x") == (
        "timeout",
        "It was not done within 30 s. Its last error: not yet",
    )
    assert result.seconds == pytest.approx(30, abs=0.01)


@simulated
async def test_queueing_counts_for_what_never_started() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="first", tool="slow"),
        Step(id="second", tool="slow", within=10, on_failure="ignore"),
        Step(id="told", tool="ok", args={"seen": "${outcomes.second.error.class}"}),
        concurrency=1,
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert states(result) == {"first": "succeeded", "second": "failed", "told": "succeeded"}
    assert world.step("told")[0].args == {"seen": "timeout"}
    assert world.step("second") == []


@simulated
async def test_each_item_has_its_own_time() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="each", tool="slow", for_each=[1, 2], within=60, on_failure="ignore"),
        concurrency=1,
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert states(result)["each[0]"] == "succeeded"
    assert error_of(result, "each[1]")[0] == "timeout"


@simulated
async def test_waiting_for_a_person_and_a_pause_do_not_count() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="slow", within=50, approval="required"),
        Step(id="q", ask="Well?"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked", times=2)
        await pass_time(500)
        await run.answer("x", "approve")
        await until(run, "AttemptStarted", step="x")
        await pass_time(5)
        await run.pause()
        await pass_time(20)
        assert states(await run.status())["x"] == "running"
        await run.resume()
        await run.answer("q", "yes")
        result = await finish(engine, run)
    assert result.state == "succeeded"


@simulated
async def test_a_doubt_is_not_counted_and_what_is_left_is_left_afterwards() -> None:
    world = World()
    world.pair("book", "cancel", [waits(8, raises(TransientError("lost"))), waits(8), hangs()])
    plan = a_plan(Step(id="x", tool="book", within=10), on_failure="continue")
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await pass_time(100)
        await run.answer("x", "did_not_happen")
        await until(run, "QuestionAsked", times=2)
        status = await run.status()
        assert error_of(status, "x")[0] == "timeout"
        await run.answer("x", "did_not_happen")
        result = await finish(engine, run)
    assert world.count("book") == 2, "its time is over: it is not tried again"
    assert error_of(result, "x") == ("timeout", "It was not done within 10 s.")


@pytest.mark.parametrize(
    ("in_doubt", "state"), [("ask", "in_doubt"), ("fail", "failed"), ("retry", "failed")]
)
@simulated
async def test_a_write_whose_time_is_over_is_in_doubt_as_with_a_timeout(
    in_doubt: str, state: str
) -> None:
    world = a_world()
    step = Step(id="x", tool="book", within=10, in_doubt=in_doubt, on_failure="ignore")  # type: ignore[arg-type]
    async with opened(world) as engine:
        run = await engine.start(a_plan(step))
        await until(run, "AttemptEnded")
        assert states(await run.status())["x"] == state
        if state == "in_doubt":
            await run.answer("x", "did_not_happen")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert world.count("book") == 1


@simulated
async def test_a_stopping_run_ends_and_a_waiting_one_stays_waiting() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="put", within=1000),
        Step(id="q", ask="Well?"),
        Step(id="held", tool="ok", touches=["t"], within=1000, needs=["q"]),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
        await run.stop("x")
        await until(run, "AttemptEnded")
        assert (await run.status()).state == "waiting"
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == "cancelled"


@simulated
async def test_a_sub_plan_whose_time_is_over_is_cancelled() -> None:
    world = a_world()
    inner = Plan(steps=(Step(id="a", tool="slow"),), name="inner")
    plan = a_plan(
        Step(id="child", plan=inner, within=10, on_failure="ignore"),
        Step(id="told", tool="ok", args={"seen": "${outcomes.child.error}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await engine.get(result.steps["child"].child)
        assert (await child.status()).state == "cancelled"
    seen: Any = world.step("told")[0].args["seen"]
    assert (seen["class"], seen["happened"]) == ("timeout", "no")


@simulated
async def test_time_in_which_nobody_drove_the_run_does_not_count(tmp_path: Path) -> None:
    world = a_world()
    async with opened(world, tmp_path, drain=0) as engine:
        run = await engine.start(a_plan(Step(id="x", tool="slow", within=60)))
        await until(run, "AttemptStarted")
        await pass_time(10)
    await pass_time(55)
    async with opened(world, tmp_path) as engine:
        result = await finish(engine, (await engine.get(run.id)))
    assert result.state == "succeeded"


@simulated
async def test_an_undo_is_not_bounded_by_it() -> None:
    world = World()
    world.tool("unmake", waits(100), effect="write", idempotent=True)
    world.tool("make", returns(1), effect="write", undo="unmake")
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="x", tool="make", within=5)))
        await finish(engine, run)
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"


@simulated
async def test_what_ends_before_its_time_is_over_leaves_nothing_behind() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="ok", within=5),
        Step(id="y", tool="slow"),
        budget=Budget(seconds=500),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert "StepExpired" not in await kinds(run)
    assert result.state == "succeeded"
