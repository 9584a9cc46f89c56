"""Undo: everything is taken back after what was built on it, once, and it is known beforehand."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    kinds,
    of_kind,
    opened,
    records,
    states,
    until,
)

from callsheet import Retry, Step, Undo
from callsheet.errors import FatalError, InvalidError, RequestRefusedError, TransientError
from callsheet.testing import World, hangs, raises, returns, simulated, waits


def a_world(undo_takes: float = 0) -> World:
    world = World()
    world.tool("write", world.stands, effect="write", undo="unwrite")
    world.tool("unwrite", waits(undo_takes, world.takes_back), effect="write", idempotent=True)
    world.tool("read")
    world.tool("boom", raises(FatalError("boom")))
    return world


@pytest.mark.requirement("undo:reverse-order", "E9")
@simulated
async def test_a_step_is_undone_after_all_that_depended_on_it_and_the_rest_in_parallel() -> None:
    world = a_world(undo_takes=5)
    plan = a_plan(
        Step(id="root", tool="write"),
        Step(id="left", tool="write", needs=("root",)),
        Step(id="right", tool="write", needs=("root",)),
        Step(id="look", tool="read", needs=("left",)),
        Step(id="deep", tool="write", needs=("look",)),
        Step(id="boom", tool="boom", needs=("deep", "right")),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    undo = {call.step: call for call in world.of("unwrite")}
    assert undo["deep"].before(undo["left"]), "through a read that owes nothing"
    assert undo["left"].before(undo["root"])
    assert undo["right"].before(undo["root"])
    assert undo["deep"].overlaps(undo["right"]), "what is independent is undone in parallel"
    assert len(undo) == world.count("unwrite") == 4
    assert not world.standing
    assert result.state == "undone"


@pytest.mark.requirement("undo:reverse-order")
@simulated
async def test_a_step_is_undone_after_what_touched_its_key_after_it() -> None:
    world = a_world(undo_takes=5)
    plan = a_plan(
        *(Step(id=f"s{n}", tool="write", touches=("scene",)) for n in range(4)),
        Step(id="other", tool="write", touches=("sound",)),
        Step(id="boom", tool="boom", needs=("s3", "other")),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    undone = [call for call in world.of("unwrite") if call.step != "other"]
    assert [call.step for call in undone] == ["s3", "s2", "s1", "s0"]
    assert all(one.before(next_) for one, next_ in pairwise(undone))
    (other,) = world.step("other")[1:]
    assert other.overlaps(undone[0])


@pytest.mark.requirement("undo:reverse-order")
@simulated
async def test_the_undos_of_a_list_run_in_parallel_within_the_concurrency() -> None:
    world = a_world(undo_takes=5)
    plan = a_plan(
        Step(id="each", tool="write", for_each=list(range(10))),
        Step(id="boom", tool="boom", needs=("each",)),
        concurrency=5,
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    assert World(calls=world.of("unwrite")).most_at_once == 5
    assert not world.standing


@pytest.mark.requirement("undo:at-most-once", "E9")
@simulated
async def test_an_effect_is_undone_at_most_once_however_often_it_is_asked() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="write"), Step(id="b", tool="write", needs=("a",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo(to="a")
        assert (await finish(engine, run)).state == "undone"
        with pytest.raises(RequestRefusedError, match="undone"):
            await run.undo()
    assert [call.step for call in world.of("unwrite")] == ["b"]


@pytest.mark.requirement("undo:at-most-once")
@simulated
async def test_an_undo_has_its_own_attempts() -> None:
    world = a_world()
    again = [raises(TransientError("1")), raises(TransientError("2")), returns(None)]
    world.tool("shaky", again, effect="write", idempotent=True)
    world.tool("once", effect="write", undo="shaky")
    plan = a_plan(
        Step(id="a", tool="once", retry=Retry(attempts=1, backoff=0.5)),
        Step(id="boom", tool="boom", needs=("a",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        ended = await records(run, "UndoEnded")
    assert result.state == "undone"
    assert [call.attempt for call in world.of("shaky")] == [1, 2, 3]
    assert [entry.outcome for entry in ended] == ["failed", "failed", "succeeded"]
    assert world.count("once") == 1


@pytest.mark.requirement("E9")
@simulated
async def test_an_undo_that_fails_is_loud_and_can_be_asked_for_again() -> None:
    world = a_world()
    working = asyncio.Event()

    async def undo(call: Any, ctx: Any) -> Any:
        if not working.is_set():
            raise FatalError("the airline is closed")
        return await world.takes_back(call, ctx)

    world.tool("closed", undo, effect="write", idempotent=True)
    plan = a_plan(
        Step(id="root", tool="write"),
        Step(id="flight", tool="write", needs=("root",), undo=Undo(tool="closed", args=THE_KEY)),
        Step(id="hotel", tool="write", needs=("root",)),
        Step(id="boom", tool="boom", needs=("flight", "hotel")),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        stuck = await finish(engine, run)
        assert stuck.state == "stuck"
        assert states(stuck) == {
            "root": "succeeded",
            "flight": "undo_failed",
            "hotel": "undone",
            "boom": "failed",
        }
        assert any("airline" in problem.message for problem in stuck.problems)
        assert {call.step for call in world.standing.values()} == {"root", "flight"}
        working.set()
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert states(result)["flight"] == states(result)["root"] == "undone"
    assert [call.step for call in world.of("unwrite")] == ["hotel", "root"]
    assert not world.standing


THE_KEY: dict[str, Any] = {"key": "${key}"}


@pytest.mark.requirement("undo:journalled-with-the-start", "E9")
@simulated
async def test_the_undo_is_journalled_with_the_start_and_resolved_with_the_outcome() -> None:
    world = a_world()
    world.tool("book", returns({"id": "b7"}), effect="write")
    undo = Undo(tool="unwrite", args={"id": "${output.id}", "to": "${args.to}", "key": "${key}"})
    plan = a_plan(
        Step(id="a", tool="book", args={"to": "${inputs.city}"}, undo=undo),
        Step(id="b", tool="write", args={"x": 1}),
        inputs={"city": {"type": "string"}},
    )
    async with opened(world) as engine:
        run = await engine.start(plan, {"city": "Oslo"})
        await finish(engine, run)
        journal = await run.journal()
        started = {entry.step: entry for entry in of_kind(journal, "AttemptStarted")}
        ended = {entry.step: entry for entry in of_kind(journal, "AttemptEnded")}
        await run.undo()
        await finish(engine, run)
    assert started["a"].undo.tool == started["b"].undo.tool == "unwrite"
    assert started["a"].undo.needs_output
    assert not started["b"].undo.needs_output
    key = world.step("a")[0].key
    assert ended["a"].undo.resolved
    assert bytes(ended["a"].undo.args) == b'{"id":"b7","to":"Oslo","key":"%b"}' % key.encode()
    (undone,) = world.step("a")[1:]
    assert undone.args == {"id": "b7", "to": "Oslo", "key": key}
    assert undone.key == f"{key}:undo"


@pytest.mark.requirement("undo:journalled-with-the-start", "E9")
@simulated
async def test_a_tool_that_names_an_undo_is_undone_with_args_output_and_key() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="write", args={"x": 1}))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo()
        await finish(engine, run)
    did, undid = world.calls
    assert undid.args == {"args": {"x": 1}, "output": {"id": "write-a", "x": 1}, "key": did.key}


@pytest.mark.requirement("undo:to-keeps-what-it-needed", "E9")
@simulated
async def test_undo_to_keeps_that_step_and_what_it_needed() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="write"),
        Step(id="b", tool="write", needs=("a",)),
        Step(id="c", tool="write", needs=("b",)),
        Step(id="d", tool="write", needs=("c",)),
        Step(id="beside", tool="write", needs=("a",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        with pytest.raises(RequestRefusedError, match="'nowhere'"):
            await run.undo(to="nowhere")
        await run.undo(to="b")
        result = await finish(engine, run)
    assert result.state == "undone"
    assert states(result) == {
        "a": "succeeded",
        "b": "succeeded",
        "c": "undone",
        "d": "undone",
        "beside": "undone",
    }
    assert {call.step for call in world.standing.values()} == {"a", "b"}


@pytest.mark.requirement("undo:recovered-errors-undo-nothing", "E9")
@simulated
async def test_an_error_that_the_plan_recovers_from_undoes_nothing() -> None:
    world = a_world()
    world.tool("flaky", [raises(TransientError("x")), returns(1)], retry=Retry(backoff=0.1))
    plan = a_plan(
        Step(id="a", tool="write"),
        Step(id="retried", tool="flaky", needs=("a",)),
        Step(id="ignored", tool="boom", needs=("a",), on_failure="ignore"),
        Step(id="skipped", tool="boom", needs=("a",), on_failure="skip"),
        Step(id="b", tool="write", needs=("retried", "ignored")),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert "UndoStarted" not in await kinds(run)
    assert result.state == "succeeded"
    assert world.count("unwrite") == 0
    assert len(world.standing) == 2


@pytest.mark.requirement("E9", "states:ended-is-absorbing")
@simulated
async def test_a_running_run_is_stopped_and_undone_on_demand() -> None:
    world = a_world()
    world.tool("slow", hangs())
    plan = a_plan(
        Step(id="a", tool="write"),
        Step(id="slow", tool="slow", needs=("a",)),
        Step(id="b", tool="write", needs=("slow",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="slow")
        await run.undo(by="ann")
        result = await finish(engine, run)
    assert result.state == "undone"
    assert states(result) == {"a": "undone", "slow": "cancelled", "b": "cancelled"}
    assert world.step("slow")[0].told
    assert result.cause is not None
    assert (result.cause.kind, result.cause.by) == ("request", "ann")
    assert not world.standing


@pytest.mark.requirement("E9")
@simulated
async def test_an_undo_that_cannot_be_resolved_is_stuck_and_says_why() -> None:
    world = a_world()
    undo = Undo(tool="unwrite", args={"key": "${abs(output.id)}"})
    plan = a_plan(Step(id="a", tool="write", undo=undo), Step(id="boom", tool="boom", needs=("a",)))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "stuck"
    assert any(problem.step == "a" for problem in result.problems)
    assert world.count("unwrite") == 0


@pytest.mark.requirement("E9")
@simulated
async def test_an_undo_may_find_that_nothing_was_done() -> None:
    world = a_world()
    world.tool("maybe", hangs(), effect="write", undo="unwrite", timeout=5, idempotent=True)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="maybe", retry=Retry(attempts=1))))
        result = await finish(engine, run)
    assert result.state == "undone"
    (undo,) = world.of("unwrite")
    assert undo.args["output"] is None


@pytest.mark.requirement("E9", "undo:at-most-once")
@simulated
async def test_only_the_undo_that_was_wrong_is_not_tried_again() -> None:
    world = a_world()
    world.tool("strict", raises(InvalidError("no such key")), effect="write", idempotent=True)
    undo = Undo(tool="strict", args={})
    plan = a_plan(Step(id="a", tool="write", undo=undo), Step(id="boom", tool="boom", needs=("a",)))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "stuck"
    assert world.count("strict") == 1


@pytest.mark.requirement("E9", "idempotency:checkpoint-comes-back")
@simulated
async def test_an_undo_may_put_something_down_too() -> None:
    world = a_world()
    saved: list[Any] = []

    async def undo(call: Any, ctx: Any) -> Any:
        saved.append(ctx.saved)
        await ctx.checkpoint({"refund": call.attempt})
        if call.attempt < 3:
            raise TransientError("not yet")
        return await world.takes_back(call, ctx)

    async def write(call: Any, ctx: Any) -> Any:
        await ctx.checkpoint({"job": 1})
        return await world.stands(call, ctx)

    world.tool("refund", undo, effect="write", idempotent=True)
    world.tool("pay", write, effect="write", undo="refund")
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="pay")))
        await run.wait()
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert saved == [None, {"refund": 1}, {"refund": 2}]
