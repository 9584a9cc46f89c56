"""Outcomes as values: a step that refers to what became of another, whatever that was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records, states, until

from callsheet import Retry, Step
from callsheet.errors import FatalError, InvalidError, TransientError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing.scripted import Call

pytestmark = pytest.mark.requirement("step:outcomes", "E27")


async def _all_but_two(call: Call, _ctx: Context) -> Json:
    if call.args["n"] == 2:
        raise InvalidError("Not you.")
    return {"n": call.args["n"]}


def a_world() -> World:
    world = World()
    world.tool("tell")
    world.tool("ok", returns({"id": 7}))
    world.tool("boom", raises(FatalError("It broke.")))
    world.tool("odd", _all_but_two)
    world.pair("book", "cancel")
    world.tool("send", raises(TransientError("gone")), effect="write", retry=Retry(attempts=1))
    world.tool(
        "post",
        raises(TransientError("gone")),
        effect="write",
        idempotent=True,
        retry=Retry(attempts=1),
    )
    return world


def seen_by(world: World, step: str) -> Any:
    (call,) = world.step(step)
    return call.args["seen"]


def teller(what: Any, **fields: Any) -> Step:
    return Step(id="teller", tool="tell", args={"seen": what}, **fields)


@simulated
async def test_a_step_sees_success_failure_and_skip_of_others_as_values() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="good", tool="ok"),
        Step(id="bad", tool="boom"),
        Step(id="below", tool="ok", args={"x": "${steps.bad}"}),
        teller(["${outcomes.good}", "${outcomes.bad}", "${outcomes.below}"]),
        on_failure="continue",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert states(result) == {
        "good": "succeeded",
        "bad": "failed",
        "below": "skipped",
        "teller": "succeeded",
    }
    assert result.state == "failed", "an outcome that somebody has seen is a failure all the same"
    assert seen_by(world, "teller") == [
        {"state": "succeeded", "output": {"id": 7}, "error": None},
        {
            "state": "failed",
            "output": None,
            "error": {"class": "fatal", "message": "It broke.", "happened": "no"},
        },
        {"state": "skipped", "output": None, "error": None},
    ]


@pytest.mark.parametrize(
    ("tool", "fields", "happened"),
    [
        ("send", {"in_doubt": "fail"}, "unknown"),
        ("post", {}, "unknown"),
        ("boom", {}, "no"),
    ],
)
@simulated
async def test_an_error_says_whether_it_may_have_happened(
    tool: str, fields: dict[str, Any], happened: str
) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool=tool, on_failure="ignore", **fields),
        teller("${outcomes.x.error.happened}"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert seen_by(world, "teller") == happened


@simulated
async def test_the_outcomes_of_a_for_each_are_a_list_in_order() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="each", tool="odd", for_each=[1, 2, 3], args={"n": "${item}"}, on_failure="ignore"),
        Step(id="none", tool="ok", for_each=[]),
        teller(["${outcomes.each[*].state}", "${outcomes.none}", "${outcomes.each[2].output.n}"]),
        concurrency=1,
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    assert seen_by(world, "teller") == [["succeeded", "failed", "succeeded"], [], 3]


@simulated
async def test_a_list_that_was_never_made_has_one_outcome_its_own() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="bad", tool="boom", on_failure="skip"),
        Step(id="each", tool="ok", for_each="${steps.bad.rows}"),
        teller("${outcomes.each}"),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    assert seen_by(world, "teller") == [{"state": "skipped", "output": None, "error": None}]


@simulated
async def test_outcomes_may_stand_wherever_a_reference_may() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="bad", tool="boom", on_failure="ignore"),
        Step(id="each", tool="odd", for_each=[1, 2], args={"n": "${item}"}, on_failure="ignore"),
        Step(id="mend", tool="tell", when="${outcomes.bad.state == 'failed'}"),
        Step(id="not_at_all", tool="tell", when="${outcomes.bad.state == 'succeeded'}"),
        Step(
            id="again",
            tool="tell",
            for_each="${outcomes.each}",
            args={"what": "${item.state}"},
            touches=["${outcomes.bad.error.class}"],
        ),
        Step(id="q", ask="It said ${outcomes.bad.error.message} Go on?"),
        output={"bad": "${outcomes.bad.error.message}"},
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        (question,) = (await run.status()).questions
        await run.answer("q", "yes")
        result = await finish(engine, run)
    assert question.text == "It said It broke. Go on?"
    assert states(result)["mend"] == "succeeded"
    assert states(result)["not_at_all"] == "skipped"
    assert [call.args["what"] for call in world.calls if call.step.startswith("again")] == [
        "succeeded",
        "failed",
    ]
    assert result.output == {"bad": "It broke."}


@simulated
async def test_a_failure_that_stops_the_run_stops_it_whoever_would_have_seen_it() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="bad", tool="boom"),
        teller("${outcomes.bad}"),
        on_failure="stop",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "failed"
    assert states(result)["teller"] == "cancelled"
    assert not world.of("tell")


@simulated
async def test_what_a_step_saw_is_fixed_with_its_first_start() -> None:
    world = a_world()
    world.tool("flaky", [raises(TransientError("x")), returns("done")], retry=Retry(backoff=50))
    world.tool("once", [raises(FatalError("first")), returns("second")])
    plan = a_plan(
        Step(id="x", tool="once"),
        Step(
            id="reader",
            tool="flaky",
            args={"seen": "${outcomes.x.state}", "key": "Bearer ${secrets.TOKEN}"},
        ),
        on_failure="continue",
    )
    async with opened(world, secrets={"TOKEN": "s3cr3t"}) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="reader")
        await run.retry("x", by="ann")
        result = await finish(engine, run)
        first, second = [e for e in await records(run, "AttemptStarted") if e.step == "reader"]
    assert result.state == "succeeded"
    assert bytes(first.args) == bytes(second.args)
    assert b"s3cr3t" not in bytes(second.args)
    assert [call.args for call in world.step("reader")] == [
        {"seen": "failed", "key": "Bearer s3cr3t"}
    ] * 2


@simulated
async def test_what_was_approved_is_what_is_called() -> None:
    world = a_world()
    world.tool("once", [raises(FatalError("first")), returns("second")])
    plan = a_plan(
        Step(id="x", tool="once"),
        teller("${outcomes.x.state}", approval="required"),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await run.retry("x")
        await until(run, "AttemptEnded", step="x", times=2)
        await run.answer("teller", "approve")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert seen_by(world, "teller") == "failed"


@simulated
async def test_an_outcome_waits_for_what_is_still_running_and_for_what_was_stopped() -> None:
    world = a_world()
    world.tool("slow", waits(30, returns("late")))
    world.tool("stuck", hangs())
    plan = a_plan(
        Step(id="slow", tool="slow"),
        Step(id="stuck", tool="stuck"),
        teller(["${outcomes.slow.output}", "${outcomes.stuck.state}"]),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="stuck")
        await run.stop("stuck", by="ann", reason="enough")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert seen_by(world, "teller") == ["late", "cancelled"]


@simulated
async def test_what_read_an_outcome_is_undone_before_what_it_read() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="first", tool="book"),
        Step(id="second", tool="book", args={"seen": "${outcomes.first.state}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert [call.step for call in world.of("cancel")] == ["second", "first"]


@simulated
async def test_a_fork_carries_the_errors_of_what_it_copies() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="x", tool="send", on_failure="ignore", in_doubt="fail"),
        Step(id="y", tool="ok"),
        teller(["${outcomes.x}", "${steps.y.id}"]),
    )
    async with opened(world) as engine:
        first = await engine.start(plan)
        await finish(engine, first)
        fork = await engine.fork(first.id, "teller")
        result = await finish(engine, fork)
    assert result.state == "succeeded"
    assert world.count("send") == 1
    one, other = world.step("teller")
    assert one.args == other.args
    seen: Any = one.args["seen"]
    assert seen[0]["error"] == {
        "class": "transient",
        "message": "gone",
        "happened": "unknown",
    }


@simulated
async def test_a_fork_takes_over_what_was_stopped_and_does_again_what_its_run_cancelled() -> None:
    world = a_world()
    world.tool("stuck", hangs())
    plan = a_plan(
        Step(id="stopped", tool="stuck", on_failure="ignore"),
        Step(id="cancelled", tool="stuck", on_failure="ignore"),
        teller("${outcomes.stopped.state}"),
    )
    async with opened(world) as engine:
        first = await engine.start(plan)
        await until(first, "AttemptStarted", step="cancelled")
        await first.stop("stopped")
        await until(first, "AttemptEnded", step="teller")
        await first.cancel()
        await first.wait()
        fork = await engine.fork(first.id, "teller")
        await until(fork, "AttemptStarted", step="cancelled")
        await fork.stop("cancelled")
        result = await finish(engine, fork)
    assert states(result)["stopped"] == "cancelled"
    assert [call.step for call in world.of("stuck")] == ["stopped", "cancelled", "cancelled"]
