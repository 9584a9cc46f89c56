"""Verbs for one step: stop it, take it back, try it again; the run goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
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

from callsheet import Plan, Retry, Step
from callsheet.errors import FatalError, InputError, RequestRefusedError, TransientError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet import Context, Run
    from callsheet.core.value import Json
    from callsheet.testing.scripted import Act, Call


def a_world() -> World:
    world = World()
    world.tool("ok")
    world.tool("hangs", hangs())
    world.tool("slow", waits(20))
    world.tool("once", [raises(FatalError("first")), returns("second")])
    world.tool("boom", raises(FatalError("boom")))
    world.tool("flaky", raises(TransientError("x")), retry=Retry(attempts=9, backoff=100))
    world.pair("book", "cancel")
    world.pair("wait_book", "unwait", hangs())
    return world


def fails_first(*names: str) -> Act:
    """Return what it is given; for some of that, only the second time."""
    left = set(names)

    async def act(call: Call, _ctx: Context) -> Json:
        name = call.args["v"]
        if name in left:
            left.discard(str(name))
            raise FatalError("no")
        return name

    return act


# Stop


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_a_step_that_runs_is_told_and_the_run_goes_on() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="hangs"),
        Step(id="below", tool="ok", args={"v": "${steps.x}"}),
        Step(id="cleanup", tool="ok", needs=["x"], run_if_skipped=True),
        Step(id="y", tool="slow"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="x")
        await run.stop("x", by="ann", reason="too slow")
        result = await finish(engine, run)
        (entry,) = await records(run, "StopRequested")
    assert result.state == "succeeded"
    assert (entry.step, entry.by, entry.reason) == ("x", "ann", "too slow")
    assert states(result) == {
        "x": "cancelled",
        "below": "skipped",
        "cleanup": "succeeded",
        "y": "succeeded",
    }
    assert result.steps["below"].reason == "needs 'x', which was stopped"
    assert world.step("x")[0].told
    assert [problem.step for problem in result.problems] == ["x"]


@pytest.mark.parametrize("where", ["pending", "ready", "retrying", "waiting", "asking"])
@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_a_step_that_has_not_started_never_does(where: str) -> None:
    world = a_world()
    step = {
        "pending": Step(id="x", tool="ok", needs=["slow"]),
        "ready": Step(id="x", tool="ok", touches=["k"]),
        "retrying": Step(id="x", tool="flaky"),
        "waiting": Step(id="x", tool="ok", approval="required"),
        "asking": Step(id="x", ask="Well?", timeout=1000),
    }[where]
    plan = a_plan(Step(id="slow", tool="slow", touches=["k"]), step, Step(id="end", tool="ok"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await pass_time(0.5)
        await run.stop("x", by="ann")
        result = await finish(engine, run)
    assert states(result) == {"slow": "succeeded", "x": "cancelled", "end": "succeeded"}
    assert len(world.step("x")) == (where == "retrying")
    assert result.steps["x"].error is not None
    assert result.steps["x"].error.message == "Stopped by ann."
    assert result.state == "succeeded"
    assert result.seconds < 100


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_what_ignores_the_failure_of_a_stopped_step_runs_with_null() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="hangs", on_failure="ignore"),
        Step(id="below", tool="ok", args={"v": "${steps.x || 'none'}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
        await run.stop("x")
        await finish(engine, run)
    assert world.step("below")[0].args == {"v": "none"}


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_one_item_or_all_of_a_list_can_be_stopped() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="some", tool="hangs", for_each=[1, 2]),
        Step(id="all", tool="hangs", for_each=[1, 2]),
        Step(id="after_some", tool="ok", args={"v": "${steps.some[*]}"}),
        Step(id="after_all", tool="ok", needs=["all"]),
        Step(id="told", tool="ok", args={"v": "${outcomes.all[*].state}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", times=4)
        await run.stop("all")
        await run.stop("some[0]")
        await run.stop("some[1]")
        result = await finish(engine, run)
    assert states(result)["some"] == "succeeded", "an item that was stopped is a null in the list"
    assert states(result)["all"] == "cancelled"
    assert states(result)["after_all"] == "skipped"
    assert world.step("told")[0].args == {"v": ["cancelled", "cancelled"]}


@pytest.mark.parametrize(
    ("in_doubt", "answer", "state"),
    [
        ("ask", "did_not_happen", "cancelled"),
        ("ask", "happened", "succeeded"),
        ("ask", "undo", "undone"),
        ("fail", None, "cancelled"),
        ("retry", None, "cancelled"),
    ],
)
@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_a_write_that_may_have_happened_is_in_doubt(
    in_doubt: str, answer: str | None, state: str
) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="wait_book", in_doubt=in_doubt),  # type: ignore[arg-type]
        Step(id="told", tool="ok", args={"v": "${outcomes.x.error.happened || 'done'}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
        await run.stop("x")
        if answer is not None:
            await until(run, "QuestionAsked")
            with pytest.raises(RequestRefusedError, match="in doubt"):
                await run.stop("x")
            await run.answer("x", answer)
        result = await finish(engine, run)
    assert result.state == "succeeded", "it never stops the run"
    assert states(result) == {"x": state, "told": "succeeded"}
    seen = {"cancelled": "no" if answer else "unknown", "succeeded": "done", "undone": "no"}
    assert world.step("told")[0].args == {"v": seen[state]}
    assert world.count("wait_book") == 1


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_a_sub_plan_that_is_stopped_is_cancelled() -> None:
    world = a_world()
    inner = Plan(steps=(Step(id="b", tool="book"), Step(id="a", tool="hangs")), name="inner")
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="child", plan=inner)))
        await pass_time(1)
        await run.stop("child")
        result = await finish(engine, run)
        child = await (await engine.get(result.steps["child"].child)).status()
    assert result.state == "succeeded"
    assert states(result) == {"child": "cancelled"}
    assert child.state == "undone"
    assert not world.standing


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_what_is_over_or_unknown_is_not_stopped() -> None:
    world = a_world()
    async with opened(world) as engine:
        plan = a_plan(Step(id="x", tool="ok"), Step(id="y", tool="hangs"))
        run = await engine.start(plan)
        await until(run, "AttemptEnded")
        with pytest.raises(RequestRefusedError, match=r"'x' has ended already \(succeeded\)"):
            await run.stop("x")
        with pytest.raises(RequestRefusedError, match="no step 'z'; there are: x, y"):
            await run.stop("z")
        await run.stop("y")
        await run.stop("y")
        await run.wait()
        with pytest.raises(RequestRefusedError, match="already ended"):
            await run.stop("y")
        assert (await kinds(run)).count("StopRequested") == 1


@pytest.mark.requirement("step:stop", "E27")
@simulated
async def test_a_step_that_ends_while_it_is_stopped_is_what_it_became() -> None:
    world = a_world()
    world.tool("deaf", waits(1, returns("made it")))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="x", tool="deaf")))
        await until(run, "AttemptStarted")
        await pass_time(1)
        with suppress(RequestRefusedError):
            await run.stop("x")
        result = await finish(engine, run)
    assert states(result)["x"] in ("succeeded", "cancelled")


# Undo


@pytest.mark.requirement("step:undo", "E27")
@simulated
async def test_one_write_is_taken_back_while_the_run_goes_on() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="book"),
        Step(id="slow", tool="slow"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", times=2)
        await run.undo(only="a", by="ann")
        await until(run, "UndoEnded", step="a")
        with pytest.raises(RequestRefusedError, match="undone already"):
            await run.undo(only="a")
        result = await finish(engine, run)
        (entry,) = await records(run, "StepUndoRequested")
    assert (entry.step, entry.by) == ("a", "ann")
    assert result.state == "succeeded"
    assert states(result) == {"a": "undone", "b": "succeeded", "slow": "succeeded"}
    assert [call.step for call in world.of("cancel")] == ["a"]
    assert len(world.standing) == 1


@pytest.mark.requirement("step:undo", "E27")
@simulated
async def test_one_write_of_a_run_that_has_ended_is_taken_back_and_the_rest_stands() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="book"),
        Step(id="bad", tool="boom"),
        on_failure="continue",
        output="${steps.b}",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        before = await finish(engine, run)
        await run.undo(only="a")
        result = await finish(engine, run)
        assert (await kinds(run)).count("RunEnded") == 2
        await run.undo()
        whole = await finish(engine, run)
    assert result.state == before.state == "failed"
    assert result.cause == before.cause
    assert result.output == before.output
    assert states(result) == {"a": "undone", "b": "succeeded", "bad": "failed"}
    assert whole.state == "undone"
    assert not world.standing
    assert [call.step for call in world.of("cancel")] == ["a", "b"]


@pytest.mark.requirement("step:undo", "E27")
@simulated
async def test_what_something_was_built_on_is_not_taken_back_alone() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="ok", args={"v": "${steps.a}"}),
        Step(id="c", tool="hangs", needs=["b"]),
        Step(id="d", tool="book", touches=["k"]),
        Step(id="e", tool="book", touches=["k"], needs=["d"]),
        Step(id="q", ask="Well?"),
        Step(id="late", tool="ok", args={"v": "${outcomes.f.state}"}, needs=["q"]),
        Step(id="f", tool="book"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="c")
        await until(run, "AttemptEnded", step="e")
        for step, named in (("a", "b, c"), ("d", "e"), ("f", "late")):
            with pytest.raises(
                RequestRefusedError, match=f"alone: others depend on it, or may yet: {named}"
            ):
                await run.undo(only=step)
        for step, why in (("b", "only reads"), ("c", "is running"), ("nope", "no step")):
            with pytest.raises(RequestRefusedError, match=why):
                await run.undo(only=step)
        with pytest.raises(InputError, match="`to` or `only`"):
            await run.undo("a", only="b")
        await run.undo(only="e")
        await until(run, "UndoEnded", step="e")
        await run.undo(only="d")
        await until(run, "UndoEnded", step="d")
        await run.cancel()
        result = await run.wait()
    assert result.state == "undone"
    assert not world.standing


@pytest.mark.requirement("step:undo", "E27")
@simulated
async def test_an_undo_that_fails_leaves_the_run_stuck_and_can_be_tried_again() -> None:
    world = World()
    world.tool("unmake", [raises(FatalError("no")), returns(None)], effect="write", idempotent=True)
    world.tool("make", returns(1), effect="write", undo="unmake")
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="x", tool="make"), Step(id="y", tool="make")))
        await finish(engine, run)
        await run.undo(only="x")
        stuck = await finish(engine, run)
        await run.undo(only="x")
        result = await finish(engine, run)
    assert (stuck.state, states(stuck)) == ("stuck", {"x": "undo_failed", "y": "succeeded"})
    assert (result.state, states(result)) == ("succeeded", {"x": "undone", "y": "succeeded"})


# Retry


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_a_failed_step_is_tried_again_and_what_was_skipped_follows() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="once"),
        Step(id="below", tool="ok", args={"v": "${steps.x}"}),
        Step(id="deeper", tool="ok", args={"v": "${steps.below.v}"}),
        Step(id="slow", tool="slow"),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "StepDecided", step="deeper")
        await run.retry("x", by="ann")
        result = await finish(engine, run)
        (entry,) = await records(run, "RetryRequested")
        first, second = [e for e in await records(run, "AttemptStarted") if e.step == "x"]
    assert (entry.step, entry.by) == ("x", "ann")
    assert result.state == "succeeded"
    assert set(states(result).values()) == {"succeeded"}
    assert world.step("deeper")[0].args == {"v": "second"}
    assert (first.attempt, second.attempt) == (1, 2)
    one, other = world.step("x")
    assert one.key == other.key
    assert result.problems == ()
    assert result.cause is None


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_a_run_that_has_ended_failed_goes_on_when_a_step_is_tried_again(
    tmp_path: Path,
) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="once"),
        Step(id="below", tool="ok", args={"v": "${steps.x}"}),
        Step(id="other", tool="ok"),
        on_failure="continue",
        output="${steps.below.v}",
    )
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        assert (await finish(engine, run)).state == "failed"
    async with opened(world, tmp_path) as engine:
        run = await engine.get(run.id)
        await run.retry("x", by="ann")
        result = await finish(engine, run)
        (entry,) = await records(run, "RunReopened")
        told = [kind async for kind in _kinds_told(run)]
    assert (entry.step, entry.by) == ("x", "ann")
    assert result.state == "succeeded"
    assert result.output == "second"
    assert world.count("ok") == 2, "what was done is not done again"
    assert told.count("RunEnded") == 2, "whoever was told the end is told again"


async def _kinds_told(run: Run) -> AsyncIterator[str]:
    async for event in run.events():
        yield type(getattr(event, "entry", None)).__name__


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_a_stopped_step_and_single_items_are_tried_again() -> None:
    world = a_world()
    world.tool("third", fails_first("b"))
    world.tool("hesitates", [hangs(), returns("now")])
    plan = a_plan(
        Step(id="x", tool="hesitates"),
        Step(id="each", tool="third", for_each=["a", "b", "c"], args={"v": "${item}"}),
        Step(id="sum", tool="ok", args={"v": "${steps.each}", "w": "${steps.x}"}),
        on_failure="continue",
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="x")
        await run.stop("x")
        assert (await finish(engine, run)).state == "failed"
        await run.retry("each[1]")
        half = await finish(engine, run)
        assert states(half)["each"] == "succeeded"
        assert states(half)["sum"] == "skipped", "it needs x, too"
        assert half.state == "succeeded"
        with pytest.raises(RequestRefusedError, match="failure is why the run failed"):
            await run.retry("x")


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_a_whole_list_is_tried_again_where_it_failed() -> None:
    world = a_world()
    world.tool("picky", fails_first("b", "c"))
    plan = a_plan(
        Step(id="each", tool="picky", for_each=["a", "b", "c"], args={"v": "${item}"}),
        Step(id="sum", tool="ok", args={"v": "${steps.each}"}),
        on_failure="continue",
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        assert (await finish(engine, run)).state == "failed"
        await run.retry("each")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert world.step("sum")[0].args == {"v": ["a", "b", "c"]}
    assert world.count("picky") == 5


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_what_may_have_happened_was_undone_or_went_well_is_not_tried_again() -> None:
    world = a_world()
    world.tool("send", raises(TransientError("gone")), effect="write")
    plan = a_plan(
        Step(id="good", tool="ok"),
        Step(id="unsure", tool="send", in_doubt="fail"),
        Step(id="gone", tool="book"),
        Step(id="bad", tool="boom"),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo(only="gone")
        await finish(engine, run)
        for step, why in (
            ("good", "is succeeded: only what failed"),
            ("unsure", "may have happened"),
            ("gone", "is undone"),
            ("nope", "no step"),
        ):
            with pytest.raises(RequestRefusedError, match=why):
                await run.retry(step)
        stopping = await engine.start(a_plan(Step(id="bad", tool="boom"), on_failure="stop"))
        await finish(engine, stopping)
        with pytest.raises(RequestRefusedError, match="Fork it at the step"):
            await stopping.retry("bad")


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_of_two_who_retry_at_once_one_is_told_that_it_goes_on_already() -> None:
    world = World()
    world.tool("once", [raises(FatalError("first")), waits(5, returns("second"))])
    async with opened(world) as engine:
        plan = a_plan(Step(id="x", tool="once"), on_failure="continue")
        run = await engine.start(plan)
        await finish(engine, run)
        said: list[str] = []

        async def again() -> None:
            try:
                await run.retry("x")
            except RequestRefusedError as refusal:
                said.append(refusal.message)

        async with asyncio.TaskGroup() as group:
            group.create_task(again())
            group.create_task(again())
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert said == ["Step 'x' is ready: only what failed or was stopped can be retried."]
    assert world.count("once") == 2


@pytest.mark.requirement("step:retry", "E27")
@simulated
async def test_a_child_that_has_ended_is_not_reopened() -> None:
    world = a_world()
    inner = Plan(steps=(Step(id="a", tool="once"),), name="inner", on_failure="continue")
    plan = a_plan(Step(id="child", plan=inner), on_failure="continue")
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        with pytest.raises(RequestRefusedError, match="is a step of another run"):
            await (await engine.get(result.steps["child"].child)).retry("a")
