"""Child runs: a step that is a plan is a run of its own, and belongs to the run it is a step of."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    kinds,
    opened,
    pass_time,
    places,
    records,
    states,
    until,
)

from callsheet import Budget, Cost, Plan, Step
from callsheet.core.ids import RunId, StepKey, child_run
from callsheet.errors import FatalError, PlanError, RequestRefusedError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Engine, Result, Run
    from callsheet.testing import Act, Call

pytestmark = pytest.mark.requirement("children:one-run-per-step")


def shop() -> World:
    world = World()
    world.tool("look", returns({"price": 7}))
    world.tool("slow", waits(5))
    world.pair("book", "cancel", waits(1, world.stands))
    world.tool("boom", raises(FatalError("boom")))
    world.tool("hang", hangs())
    return world


def step(name: str, tool: str, *needs: str, **fields: Any) -> Step:
    return Step(id=name, tool=tool, needs=needs, **fields)


def sub(name: str, plan: Plan | str, *needs: str, **fields: Any) -> Step:
    return Step(id=name, plan=plan, needs=needs, **fields)


async def child_of(engine: Engine, run: Run, step: str) -> Run:
    return await engine.get(child_run(run.id, StepKey(step)))


async def child_result(engine: Engine, run: Run, step: str) -> Result:
    return await finish(engine, await child_of(engine, run, step))


@simulated
async def test_a_sub_plan_is_a_run_of_its_own_with_its_own_journal() -> None:
    world = shop()
    trip = a_plan(
        step("a", "book", args={"to": "${inputs.city}"}),
        inputs={"city": {"type": "string"}, "class": {"type": "string", "default": "second"}},
        output={"id": "${steps.a.id}", "class": "${inputs.class}"},
        name="trip",
    )
    plan = a_plan(
        step("look", "look"),
        sub("trip", trip, "look", args={"city": "Oslo"}),
        step("last", "slow", args={"of": "${steps.trip.id}"}),
        output="${steps.trip}",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await child_of(engine, run, "trip")
        inner = await finish(engine, child)
        (started,) = await records(child, "RunStarted")
    assert result.state == inner.state == "succeeded"
    assert result.output == {"id": "book-a", "class": "second"}
    assert world.of("slow")[0].args == {"of": "book-a"}
    assert world.of("book")[0].run == child.id == result.steps["trip"].child
    assert (started.parent.run, started.parent.step) == (run.id, "trip")
    assert set(result.steps) == {"look", "trip", "last"}, "the child's steps are the child's"


@pytest.mark.parametrize("policy", ["undo", "stop", "continue"])
@pytest.mark.parametrize("inner", ["undo", "stop", "continue"])
@pytest.mark.requirement("failure:undo-takes-back-what-is-owed")
@simulated
async def test_the_failure_of_a_child_is_the_failure_of_its_step(policy: Any, inner: Any) -> None:
    world = shop()
    bad = a_plan(
        step("in1", "book"), step("in2", "boom", "in1"), step("in3", "book"), on_failure=inner
    )
    plan = a_plan(
        step("before", "book"),
        sub("bad", bad, "before"),
        step("after", "book", "bad"),
        on_failure=policy,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await (await child_of(engine, run, "bad")).status()
    error = result.steps["bad"].error
    assert error is not None
    assert error.error_class == "fatal"
    assert child.run in error.message
    assert "boom" in error.message
    standing = sorted(call.step for call in world.standing.values())
    if policy == "undo":
        assert (result.state, standing) == ("undone", [])
        assert states(child) == {"in1": "undone", "in2": "failed", "in3": "undone"}
        undone = [call.step for call in world.calls if call.key.endswith(":undo")]
        assert undone[-1] == "before", "what the child was built on is undone after it"
    else:
        kept = [] if inner == "undo" else ["in1", "in3"]
        assert (result.state, standing) == ("failed", ["before", *kept])
    assert world.count("boom") == 1
    assert result.steps["after"].attempts == 0


@pytest.mark.parametrize("own", ["skip", "ignore"])
@simulated
async def test_a_step_may_live_with_the_failure_of_its_child(own: Any) -> None:
    world = shop()
    plan = a_plan(
        sub("bad", a_plan(step("x", "boom")), on_failure=own),
        step("after", "book", "bad"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert result.steps["bad"].state == "failed"
    assert result.steps["after"].state == ("skipped" if own == "skip" else "succeeded")


@pytest.mark.requirement("children:reached", "undo:reverse-order")
@simulated
async def test_undo_reaches_a_child_in_its_place() -> None:
    world = shop()
    inner = a_plan(step("in1", "book"), step("in2", "book", "in1"))
    plan = a_plan(step("first", "book"), sub("sub", inner, "first"), step("last", "book", "sub"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        assert len(world.standing) == 4
        await run.undo()
        result = await finish(engine, run)
        child = await child_result(engine, run, "sub")
    undone = [call.step for call in world.calls if call.key.endswith(":undo")]
    assert undone == ["last", "in2", "in1", "first"]
    assert states(result) == dict.fromkeys(("first", "sub", "last"), "undone")
    assert (child.state, world.standing) == ("undone", {})


@pytest.mark.requirement("children:reached", "undo:to-keeps-what-it-needed")
@simulated
async def test_undo_keeps_a_child_that_is_needed_by_what_is_kept() -> None:
    world = shop()
    plan = a_plan(
        sub("one", a_plan(step("a", "book"))),
        step("two", "book", "one"),
        sub("three", a_plan(step("c", "book")), "two"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await run.undo(to="two")
        result = await finish(engine, run)
        one = await child_result(engine, run, "one")
    assert states(result) == {"one": "succeeded", "two": "succeeded", "three": "undone"}
    assert (one.state, len(world.standing)) == ("succeeded", 2)


@pytest.mark.requirement("children:reached")
@simulated
async def test_a_sub_plan_with_undo_none_is_kept() -> None:
    world = shop()
    plan = a_plan(
        sub("kept", a_plan(step("a", "book")), undo="none"),
        step("other", "book"),
        step("boom", "boom", "kept", "other"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await child_result(engine, run, "kept")
    assert (result.state, child.state) == ("undone", "succeeded")
    assert [call.step for call in world.standing.values()] == ["a"]


@pytest.mark.requirement("children:reached", "failure:undo-takes-back-what-is-owed")
@simulated
async def test_a_child_that_could_not_be_undone_leaves_its_parent_stuck_until_it_can() -> None:
    world = shop()
    world.tool("sell", world.stands, effect="write", undo="buy_back")
    stubborn = [raises(FatalError("closed")), world.takes_back]
    world.tool("buy_back", stubborn, effect="write", idempotent=True)
    plan = a_plan(
        step("first", "book"),
        sub("sub", a_plan(step("a", "sell")), "first"),
        step("x", "boom", "sub"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await child_result(engine, run, "sub")
        assert (result.state, child.state) == ("stuck", "stuck")
        assert any("closed" in problem.message for problem in result.problems)
        assert len(world.standing) == 2, "what it was built on is held back"
        await run.undo()
        result = await finish(engine, run)
        child = await child_result(engine, run, "sub")
    assert (result.state, child.state, world.standing) == ("undone", "undone", {})


@pytest.mark.parametrize("on_cancel", ["undo", "keep"])
@pytest.mark.requirement("children:reached", "cancel:every-attempt-gets-a-final-record")
@simulated
async def test_cancel_reaches_a_child_and_the_parent_ends_after_it(on_cancel: Any) -> None:
    world = shop()
    inner = a_plan(step("in1", "book"), step("in2", "hang", "in1"), on_cancel=on_cancel)
    plan = a_plan(sub("sub", inner), step("never", "book", "sub"), on_cancel="keep")
    async with opened(world) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await until(child, "AttemptStarted", step="in2")
        await run.cancel()
        result = await finish(engine, run)
        inside = await finish(engine, child)
        (ended,) = await records(run, "RunEnded")
        (child_ended,) = await records(child, "RunEnded")
    assert result.state == "cancelled"
    assert states(result) == {"sub": "cancelled", "never": "cancelled"}
    assert inside.state == ("undone" if on_cancel == "undo" else "cancelled")
    assert bool(world.standing) == (on_cancel == "keep")
    assert child_ended.at <= ended.at
    assert world.of("hang")[0].told


@pytest.mark.requirement("children:reached")
@simulated
async def test_a_cancel_that_takes_back_takes_back_what_its_child_has_kept() -> None:
    world = shop()
    inner = a_plan(step("in1", "book"), step("in2", "hang", "in1"), on_cancel="keep")
    plan = a_plan(step("out", "book"), sub("sub", inner, "out"), on_cancel="undo")
    async with opened(world) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await until(child, "AttemptStarted", step="in2")
        await run.cancel()
        result = await finish(engine, run)
    assert (result.state, world.standing) == ("undone", {})
    undone = [call.step for call in world.calls if call.key.endswith(":undo")]
    assert undone == ["in1", "out"]


@pytest.mark.requirement("children:reached")
@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "disk"])
@pytest.mark.slow  # a database
@simulated
async def test_a_child_is_not_left_behind_by_a_run_that_stops_as_it_begins(
    tmp_path: Path, *, on_disk: bool
) -> None:
    world = shop()
    # The second is refused in the moment that the first begins: nobody can know what it is given.
    plan = a_plan(
        step("look", "look"),
        sub("sub", a_plan(step("in1", "book")), "look"),
        step("bad", "book", args={"x": "${steps.look.nowhere}"}),
    )
    async with opened(world, tmp_path if on_disk else None) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        await pass_time(20)
        heads = await engine.runs()
        assert all(head.ended for head in heads), "nobody goes on alone"
    assert (result.state, result.steps["sub"].state) == ("failed", "cancelled")
    assert len(heads) == 1, "it was told before it was begun, so it never was"
    assert not world.of("book")


@pytest.mark.requirement("children:reached")
@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "disk"])
@pytest.mark.slow  # a database
@simulated
async def test_a_child_whose_parent_is_cancelled_as_it_begins_is_begun_once_at_most(
    tmp_path: Path, *, on_disk: bool
) -> None:
    world = shop()
    plan = a_plan(step("t", "slow"), sub("sub", a_plan(step("in1", "book")), "t"))
    async with opened(world, tmp_path if on_disk else None) as engine:
        run = await engine.start(plan)
        async with asyncio.TaskGroup() as group:

            def hear(told: Any) -> None:
                entry: Any = getattr(told, "entry", None)
                if type(entry).__name__ == "AttemptStarted" and entry.step == "sub":
                    group.create_task(run.cancel())

            engine.listen(hear)
            result = await finish(engine, run)
        await pass_time(20)
        for head in await engine.runs():
            assert head.ended, "nobody goes on alone"
            await finish(engine, await engine.get(head.run))
    assert result.state in ("cancelled", "undone")
    assert not world.standing


@pytest.mark.requirement("children:reached", "pause:nothing-starts")
@simulated
async def test_pause_and_resume_reach_children_and_theirs() -> None:
    world = shop()
    innermost = a_plan(step("x", "slow"), step("y", "slow", "x"))
    plan = a_plan(sub("a", a_plan(sub("b", innermost))))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
        await pass_time(1)
        await run.pause()
        await pass_time(50)
        assert world.steps == ["x"], "what runs may finish; nothing starts"
        child = await child_of(engine, run, "a")
        deepest = await child_of(engine, child, "b")
        assert (await child.status()).paused
        assert (await deepest.status()).paused
        await run.resume()
        result = await finish(engine, run)
    assert (result.state, world.steps) == ("succeeded", ["x", "y"])
    assert result.steps["a"].output is None


@pytest.mark.requirement("children:reached", "E8")
@simulated
async def test_a_step_that_takes_too_long_has_its_child_cancelled() -> None:
    world = shop()
    inner = a_plan(step("in1", "book"), step("in2", "hang", "in1"))
    plan = a_plan(sub("sub", inner, timeout=20.0, on_failure="ignore"), step("z", "book", "sub"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        child = await child_result(engine, run, "sub")
    error = result.steps["sub"].error
    assert error is not None
    assert error.error_class == "timeout"
    assert "20 s" in error.message
    assert (result.state, child.state) == ("succeeded", "undone")
    assert result.steps["sub"].attempts == 1, "its own steps are retried, it is not"
    assert [call.step for call in world.standing.values()] == ["z"]


@pytest.mark.requirement("E17")
@simulated
async def test_a_question_in_a_child_is_answered_there() -> None:
    world = shop()
    inner = a_plan(
        Step(id="ok", ask="Go on?", choices=("yes", "no")),
        step("buy", "book", approval="required", when="${steps.ok == 'yes'}"),
        output="${steps.buy.id}",
    )
    plan = a_plan(sub("sub", inner), step("z", "slow", args={"id": "${steps.sub}"}))
    async with opened(world) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await until(child, "QuestionAsked")
        await pass_time(10)
        assert (await child.status()).state == "waiting"
        await child.answer("ok", "yes")
        await until(child, "QuestionAsked", times=2)
        await child.answer("buy", "approve", by="ann")
        result = await finish(engine, run)
    assert world.of("slow")[0].args == {"id": "book-buy"}
    assert result.state == "succeeded"


@pytest.mark.requirement("E17")
@simulated
async def test_a_question_in_a_child_is_answered_in_the_name_of_the_whole() -> None:
    inner = a_plan(Step(id="ok", ask="Go on?", choices=("yes", "no")), output="${steps.ok}")
    middle = a_plan(sub("deep", inner), output="${steps.deep}")
    plan = a_plan(sub("sub", middle), output="${steps.sub}")
    async with opened(shop()) as engine:
        run = await engine.start(plan)
        async for status in run.watch():
            if status.questions:
                break
        (question,) = status.questions
        assert question.step == "sub/deep/ok"
        with pytest.raises(RequestRefusedError, match="answered as sub/STEP"):
            await run.answer("sub", "yes")
        with pytest.raises(RequestRefusedError, match=r"'other' of run .* is no sub-plan"):
            await run.answer("other/ok", "yes")
        with pytest.raises(RequestRefusedError, match="no longer open"):
            await run.answer(question.step, "yes", question="sub/deep/ok#7")
        await run.answer(question.step, "yes", question=question.id)
        result = await finish(engine, run)
    assert (result.state, result.output) == ("succeeded", "yes")


@pytest.mark.requirement("E4")
@simulated
async def test_sub_plans_hold_no_slot_however_deep() -> None:
    world = shop()
    plan = a_plan(step("deep", "slow"), concurrency=1)
    for depth in range(3):
        plan = a_plan(sub(f"sub{depth}", plan), step(f"t{depth}", "slow"), concurrency=1)
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert sorted(world.steps) == ["deep", "t0", "t1", "t2"]


@simulated
async def test_many_children_at_once_beside_a_tool_with_one_slot() -> None:
    world = shop()
    inner = a_plan(
        step("x", "slow", args={"n": "${inputs.n}"}),
        inputs={"n": {"type": "integer"}},
        output="${steps.x.n}",
    )
    plan = a_plan(
        sub("subs", inner, for_each=list(range(5)), args={"n": "${item}"}),
        step("t", "slow"),
        concurrency=1,
        output="${steps.subs}",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        children = [await child_result(engine, run, f"subs[{n}]") for n in range(5)]
    assert result.output == [0, 1, 2, 3, 4]
    assert world.most_at_once == 1, "the calls of all are bounded by what the root plan says"
    assert len({child.run for child in children}) == 5


@pytest.mark.requirement("E1")
@simulated
async def test_saved_plans_are_pinned_at_the_start() -> None:
    world = shop()

    def version(text: str) -> Plan:
        ask = Step(id="go", ask="?")
        return a_plan(ask, step("x", "slow", "go", args={"v": text}), name="part", output=text)

    plan = a_plan(
        step("t", "slow"),
        sub("newest", "part", "t"),
        sub("first", "part@1", "t"),
        output=["${steps.newest}", "${steps.first}"],
    )
    async with opened(world) as engine:
        await engine.plans.save(version("one"))
        await engine.plans.save(version("two"))
        run = await engine.start(plan)
        await engine.plans.save(version("three"))
        for name in ("newest", "first"):
            child = await child_when_started(engine, run, name)
            await until(child, "QuestionAsked")
            await child.answer("go", "yes")
        result = await finish(engine, run)
        other = await engine.start(plan)
        for name in ("newest", "first"):
            child = await child_when_started(engine, other, name)
            await until(child, "QuestionAsked")
            await child.answer("go", "yes")
        later = await finish(engine, other)
    assert result.output == ["two", "one"]
    assert later.output == ["three", "one"]


@pytest.mark.requirement("E2")
@simulated
async def test_circles_depth_and_what_a_sub_plan_cannot_say_are_refused() -> None:
    world = shop()
    deep = a_plan(step("x", "look"))
    for _ in range(9):
        deep = a_plan(sub("s", deep))
    async with opened(world) as engine:
        with pytest.raises(PlanError, match="nested more than 8 deep"):
            await engine.start(deep)
        await engine.plans.save(a_plan(sub("s", "pong"), name="ping"))
        await engine.plans.save(a_plan(sub("s", "ping"), name="pong"))
        with pytest.raises(PlanError, match="circle: ping -> pong -> ping"):
            await engine.start(a_plan(sub("s", "ping")))
        with pytest.raises(PlanError, match="no saved plan 'nobody@3'"):
            await engine.start(a_plan(sub("s", "nobody@3")))
        inner = a_plan(step("x", "look"), inputs={"n": {"type": "integer"}})
        with pytest.raises(PlanError) as refused:
            await engine.start(
                a_plan(
                    sub("a", inner, args={"m": 1}),
                    sub("b", inner, args={"n": "many"}),
                    sub("c", inner, args={"n": 1}, cache=True),
                    sub("d", a_plan(step("x", "lok"))),
                )
            )
        found = places(refused.value)
        assert {"steps[1].args.n", "steps[2].cache", "steps[3].plan.steps[0].tool"} <= {*found}
        assert any(place.startswith("steps[0].args") for place in found)
        assert not await engine.runs()


@pytest.mark.requirement("E7")
@simulated
async def test_inputs_that_turn_out_wrong_refuse_the_step_and_start_no_child() -> None:
    world = shop()
    inner = a_plan(step("x", "book"), inputs={"n": {"type": "integer", "maximum": 3}})
    plan = a_plan(step("look", "look"), sub("sub", inner, args={"n": "${steps.look.price}"}))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert len(await engine.runs()) == 1
    error = result.steps["sub"].error
    assert error is not None
    assert error.error_class == "invalid"
    assert not world.of("book")


# Money


def bills(usd: float, seconds: float = 1.0, then: Act | None = None) -> Act:
    async def act(call: Call, ctx: Any) -> Any:
        await ctx.sleep(seconds)
        ctx.charge(usd=usd)
        return await then(call, ctx) if then else None

    return act


@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
@simulated
async def test_children_in_parallel_cannot_overspend_the_cap_of_their_parent() -> None:
    world = World()
    world.tool("paid", bills(1.0), ceiling=1)
    inner = a_plan(
        *(step(f"s{n}", "paid", on_failure="skip") for n in range(9)), budget=Budget(usd=4)
    )
    plan = a_plan(
        *(sub(f"c{n}", inner, on_failure="skip") for n in range(4)),
        budget=Budget(usd=10),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        reserved = [entry.reserved.usd for entry in await records(run, "AttemptStarted")]
    assert world.count("paid") == result.cost.usd == 8
    assert world.most_at_once == 8
    assert reserved == [4, 4], "the third would have had too little"
    refused = [step.error.message for step in result.steps.values() if step.error]
    assert all("may cost 4 usd, 2 of 10 are left" in words for words in refused)
    assert len(refused) == 2


@pytest.mark.requirement("E16", "order:priority-then-plan-order")
@simulated
async def test_a_better_step_has_the_money_before_a_sub_plan() -> None:
    world = World()
    world.tool("paid", bills(3.0), ceiling=3)
    inner = a_plan(step("in", "paid"), budget=Budget(usd=3))
    plan = a_plan(
        sub("late", inner, on_failure="skip"),
        step("first", "paid", priority=2, on_failure="skip"),
        sub("then", inner, priority=1, on_failure="skip"),
        budget=Budget(usd=6),
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        started = [entry.step for entry in await records(run, "AttemptStarted")]
    assert started == ["first", "then"]
    assert states(result) == {"late": "failed", "first": "succeeded", "then": "succeeded"}


@pytest.mark.requirement("E16", "budget:reserved-with-the-start")
@simulated
async def test_a_child_gives_back_what_it_did_not_spend() -> None:
    world = World()
    world.tool("paid", bills(0.5), ceiling=1)
    inner = a_plan(step("a", "paid"), step("b", "paid", "a"), budget=Budget(usd=4))
    plan = a_plan(*(sub(f"c{n}", inner) for n in range(6)), budget=Budget(usd=9))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        ended = [entry.cost.usd for entry in await records(run, "AttemptEnded")]
    assert (result.state, result.cost.usd) == ("succeeded", 6)
    assert ended == [1.0] * 6
    assert world.most_at_once == 2, "two of 4 fit under 9 at once"


@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
@simulated
async def test_a_ceiling_of_the_step_caps_its_child_in_every_currency() -> None:
    world = World()

    async def both(_call: Call, ctx: Any) -> Any:
        await ctx.sleep(1)
        ctx.charge(usd=1, credits=1)

    world.tool("paid", both, ceiling={"usd": 1, "credits": 1})
    inner = a_plan(
        *(step(f"s{n}", "paid", on_failure="skip") for n in range(9)),
        budget=Budget(usd=7, credits=3),
    )
    plan = a_plan(
        sub("c0", inner, ceiling=Cost(usd=5)),
        sub("c1", inner, ceiling=Cost(usd=2)),
        sub("c2", inner, ceiling=Cost(usd=2), on_failure="skip"),
        budget=Budget(usd=100, credits=7),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        costs = {key: each.cost for key, each in result.steps.items()}
        reserved = {x.step: x.reserved for x in await records(run, "AttemptStarted")}
    assert (costs["c0"].usd, costs["c0"].credits) == (3, 3), "its own cap on credits is lower"
    assert (costs["c1"].usd, costs["c1"].credits) == (2, 2), "its ceiling is lower"
    assert result.cost.credits <= 7
    assert reserved["c0"] == Cost(usd=5, credits=3), "what it may spend of each"
    assert result.cost.credits == world.count("paid") <= 7


@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
@simulated
async def test_the_calls_of_children_count_against_the_cap_on_calls() -> None:
    world = shop()
    inner = a_plan(step("a", "look"), step("b", "look"), budget=Budget(calls=3))
    plan = a_plan(
        sub("c0", inner),
        sub("c1", inner),
        step("late", "look", "c0", "c1", on_failure="skip"),
        step("later", "look", "late", on_failure="skip", run_if_skipped=True),
        budget=Budget(calls=6),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
        with pytest.raises(PlanError, match="cap on calls, and its sub-plan has none"):
            await engine.start(a_plan(sub("c", a_plan(step("a", "look"))), budget=Budget(calls=6)))
    assert result.state == "succeeded"
    assert world.count("look") == result.cost.calls == 6
    assert result.steps["late"].state == "succeeded", "the children gave two back"


@pytest.mark.requirement("E16", "budget:reserved-with-the-start")
@simulated
async def test_what_the_undo_of_a_child_may_cost_stays_reserved() -> None:
    world = World()
    world.tool(
        "refund", bills(1.0, then=world.takes_back), effect="write", idempotent=True, ceiling=1
    )
    world.tool("pay", bills(1.0, then=world.stands), effect="write", undo="refund", ceiling=1)
    world.tool("paid", bills(1.0), ceiling=1)
    world.tool("boom", raises(FatalError("boom")))
    inner = a_plan(step("a", "pay"), step("b", "pay"), budget=Budget(usd=4))
    plan = a_plan(
        sub("c", inner),
        step("d", "paid", "c"),
        step("e", "paid", "d", on_failure="ignore"),
        step("boom", "boom", "e"),
        budget=Budget(usd=5),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        ended = await records(run, "AttemptEnded")
        (undone,) = await records(run, "UndoEnded")
    assert ended[0].kept == Cost(usd=2)
    assert world.count("paid") == 1, "the other would have left too little to take back with"
    assert undone.cost.usd == 2
    assert (result.state, result.cost.usd, world.standing) == ("undone", 5, {})
    assert result.kept == Cost()


@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
@simulated
async def test_a_child_without_a_cap_is_refused_in_a_run_that_has_one() -> None:
    world = World()
    world.tool("paid", bills(1.0), ceiling=1)
    world.tool("free")
    async with opened(world) as engine:
        with pytest.raises(PlanError, match="cap on usd, and its sub-plan has none"):
            await engine.start(a_plan(sub("c", a_plan(step("a", "paid"))), budget=Budget(usd=6)))
        free = await carry_out(
            engine, a_plan(sub("c", a_plan(step("a", "free"))), budget=Budget(usd=6))
        )
        capped = await carry_out(
            engine,
            a_plan(sub("c", a_plan(step("a", "paid")), ceiling=Cost(usd=2)), budget=Budget(usd=6)),
        )
    assert (free.state, capped.state, capped.cost.usd) == ("succeeded", "succeeded", 1)


@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
@simulated
async def test_a_child_that_overruns_stops_its_parent_when_the_cap_is_passed() -> None:
    world = World()
    world.tool("greedy", bills(9.0), ceiling=1)
    world.tool("paid", bills(1.0), ceiling=1)
    inner = a_plan(step("a", "greedy"), step("b", "paid", "a"), budget=Budget(usd=2))
    plan = a_plan(
        sub("c", inner, on_failure="ignore"), step("d", "paid", "c"), budget=Budget(usd=6)
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.cause is not None
    assert (result.state, result.cause.kind, result.cost.usd) == ("failed", "budget", 9)
    assert world.count("paid") == 0


# What is left when a process dies


@pytest.mark.requirement("E11", "durability:killed-anywhere-ends-the-same")
@pytest.mark.slow  # a database
@simulated
async def test_a_parent_taken_up_again_finds_its_child_where_it_is(tmp_path: Path) -> None:
    world = shop()
    release = asyncio.Event()
    world.tool("gate", hangs(release))
    inner = a_plan(step("in1", "book"), step("in2", "gate", "in1"), output="${steps.in1.id}")
    plan = a_plan(sub("sub", inner), step("z", "slow", args={"id": "${steps.sub}"}))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await until(child, "AttemptStarted", step="in2")
    release.set()
    async with opened(world, tmp_path) as engine:
        result = await finish(engine, await engine.get(run.id))
        inside = await child_result(engine, run, "sub")
        assert len(await engine.runs()) == 2
    assert (result.state, inside.state) == ("succeeded", "succeeded")
    assert (result.steps["sub"].attempts, world.count("book")) == (1, 1)
    assert inside.steps["in1"].attempts == 1
    assert world.of("slow")[0].args == {"id": "book-in1"}


@pytest.mark.requirement("children:reached", "pause:nothing-starts")
@pytest.mark.slow  # a database
@simulated
async def test_a_child_that_a_person_has_paused_stays_paused_after_a_restart(
    tmp_path: Path,
) -> None:
    world = shop()
    plan = a_plan(sub("sub", a_plan(step("in1", "slow"), step("in2", "look", "in1"))))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await child.pause(by="ann")
    async with opened(world, tmp_path) as engine:
        child = await engine.get(child.id)
        await pass_time(30)
        assert (await child.status()).paused
        assert world.count("look") == 0
        await child.resume(by="ann")
        assert (await finish(engine, await engine.get(run.id))).state == "succeeded"


@pytest.mark.requirement("children:reached", "pause:nothing-starts")
@pytest.mark.slow  # a database
@simulated
async def test_a_child_that_was_paused_with_its_parent_goes_on_with_it_after_a_restart(
    tmp_path: Path,
) -> None:
    world = shop()
    plan = a_plan(sub("sub", a_plan(step("in1", "slow"), step("in2", "look", "in1"))))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        child = await child_when_started(engine, run, "sub")
        await run.pause()
        await until(child, "RunPaused")
        # Its parent goes on, and the process dies before the child is told.
        loop = engine.runtime.loop_of(RunId(run.id))
        assert loop is not None
        for attempt in list(loop._attempts.values()):  # noqa: SLF001 -- nobody else can
            attempt.drop()
        await run.resume()
    async with opened(world, tmp_path) as engine:
        assert (await finish(engine, await engine.get(run.id))).state == "succeeded"


async def child_when_started(engine: Engine, run: Run, step: str) -> Run:
    """The child, as soon as it is there."""
    await until(run, "AttemptStarted", step=step)
    name = RunId(child_run(run.id, StepKey(step)))
    while not await engine.runtime.exists(name):
        await pass_time(0.01)
    return await engine.get(name)


@simulated
async def test_the_kinds_of_entry_of_a_parent_are_those_of_any_run() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await engine.start(a_plan(sub("sub", a_plan(step("a", "look")))))
        await finish(engine, run)
        assert await kinds(run) == ["RunStarted", "AttemptStarted", "AttemptEnded", "RunEnded"]
