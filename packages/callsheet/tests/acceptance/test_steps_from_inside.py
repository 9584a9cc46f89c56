"""Steps from inside a step: added at once with a checkpoint, or with the end of the attempt."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.acceptance.isolated import plans, plans_in_a_thread, speaks_too_much, where_read
from tests.acceptance.stage import a_plan, finish, kinds, opened, pass_time, places, records, states
from typing_extensions import override

from callsheet import Engine, Retry, Step
from callsheet.errors import (
    FatalError,
    InvalidError,
    PlanError,
    RequestRefusedError,
    TransientError,
)
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import (
    SimulatedClock,
    World,
    raises,
    returns,
    run_simulated,
    simulated,
    waits,
)
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Context, Result
    from callsheet.testing import Call

pytestmark = pytest.mark.requirement("E19", "E27", "step:add", "step:then")


def shop() -> World:
    world = World()
    world.tool("look", returns({"price": 7}))
    world.tool("slow", waits(5))
    world.pair("book", "cancel")
    return world


async def planned_by(world: World, *acts: Any, home: Path | None = None, **fields: Any) -> Result:
    """An open run whose first step plans the rest."""
    world.tool("plan", list(acts))
    async with opened(world, home) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan"), **fields), open=True)
        return await finish(engine, run)


@simulated
async def test_a_step_adds_steps_that_start_before_it_goes_on() -> None:
    world = shop()

    async def plan(_call: Call, ctx: Context) -> str:
        await ctx.add([{"id": "one", "tool": "look", "label": "call_AbC-1"}])
        await ctx.sleep(1)
        assert world.count("look") == 1, "it started while this attempt goes on"
        await ctx.add([Step(id="two", tool="book", args={"price": "${steps.one.price}"})])
        await ctx.then(seal=True)
        return "planned"

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")), open=True)
        result = await finish(engine, run)
        added = await records(run, "StepsAdded")
        (sealed,) = await records(run, "RunSealed")
    assert states(result) == dict.fromkeys(("first", "one", "two"), "succeeded")
    assert [(each.step, each.attempt) for each in added] == [("first", 1), ("first", 1)]
    assert (sealed.step, sealed.attempt) == ("first", 1)
    assert world.of("book")[0].args == {"price": 7}
    assert result.steps["one"].label == "call_AbC-1"
    assert result.steps["one"].to_json()["label"] == "call_AbC-1"


@simulated
async def test_steps_and_checkpoint_are_one_append() -> None:
    world = shop()

    async def plan(_call: Call, ctx: Context) -> None:
        await ctx.add([{"id": "one", "tool": "look"}], checkpoint={"seen": 1})
        await ctx.then(seal=True)

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")), open=True)
        told = [event async for event in run.events()]
        names = [type(getattr(event, "entry", None)).__name__ for event in told]
    at = names.index("StepsAdded")
    assert names[at + 1] == "CheckpointSaved"


@simulated
async def test_a_later_attempt_that_adds_the_same_adds_nothing() -> None:
    world = shop()
    steps: list[dict[str, Any]] = [
        {"id": "one", "tool": "look", "label": "a"},
        {"id": "two", "tool": "slow", "args": {"x": 1, "y": [2]}},
    ]

    async def once(_call: Call, ctx: Context) -> None:
        await ctx.add(steps, checkpoint={"seen": 2})
        raise TransientError("the stream broke")

    async def again(_call: Call, ctx: Context) -> None:
        assert ctx.saved == {"seen": 2}
        turned = [{**steps[1], "args": {"y": [2], "x": 1}}, steps[0]]
        await ctx.add([*turned, {"id": "three", "tool": "look"}])
        await ctx.add(steps)
        await ctx.then([*steps, {"id": "four", "tool": "look"}], seal=True)

    world.tool("plan", [once, again])
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")), open=True)
        result = await finish(engine, run)
        added = await records(run, "StepsAdded")
    assert [[step.id for step in each.steps] for each in added] == [
        ["one", "two"],
        ["three"],
        ["four"],
    ]
    assert [each.attempt for each in added] == [1, 2, 2]
    assert result.state == "succeeded"
    assert world.count("look") == 3


@simulated
async def test_other_content_under_the_same_id_fails_the_attempt_even_if_it_is_caught() -> None:
    world = shop()

    async def once(_call: Call, ctx: Context) -> None:
        await ctx.add([{"id": "one", "tool": "look", "label": "a", "args": {"n": 1}}])
        raise TransientError("the stream broke")

    async def again(_call: Call, ctx: Context) -> str:
        with pytest.raises(InvalidError) as refused:
            await ctx.add([{"id": "one", "tool": "look", "label": "b", "args": {"n": True}}])
        assert 'args was {"n":1} and is {"n":true}' in refused.value.message
        assert 'label was "a" and is "b"' in refused.value.message
        return "as if nothing had happened"

    result = await planned_by(world, once, again, on_failure="stop")
    assert result.state == "failed"
    error = result.steps["first"].error
    assert error is not None
    assert error.error_class == "invalid"


@simulated
async def test_nothing_follows_an_attempt_that_fails() -> None:
    world = shop()

    async def once(_call: Call, ctx: Context) -> None:
        await ctx.then([{"id": "next", "tool": "look"}], seal=True)
        raise TransientError("not yet")

    async def again(_call: Call, ctx: Context) -> None:
        await ctx.then([{"id": "other", "tool": "look"}])
        await ctx.then([{"id": "last", "tool": "look", "needs": ["other"]}], seal=True)

    result = await planned_by(world, once, again)
    assert states(result) == dict.fromkeys(("first", "other", "last"), "succeeded")


@simulated
async def test_what_follows_is_written_right_after_the_end_of_the_attempt() -> None:
    world = shop()

    async def plan(_call: Call, ctx: Context) -> int:
        await ctx.then([{"id": "next", "tool": "book", "args": {"n": "${steps.first}"}}], seal=True)
        return 3

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")), open=True)
        await finish(engine, run)
        names = await kinds(run)
    at = names.index("AttemptEnded")
    assert names[at : at + 4] == ["AttemptEnded", "StepsAdded", "RunSealed", "AttemptStarted"]
    assert world.of("book")[0].args == {"n": 3}


@simulated
async def test_what_does_not_check_is_refused_at_once_with_places_of_what_was_given() -> None:
    world = shop()
    seen: list[list[str]] = []

    async def plan(_call: Call, ctx: Context) -> None:
        await ctx.add([{"id": "one", "tool": "look"}])
        wrong: tuple[Any, ...] = (
            [{"id": "ok", "tool": "look"}, {"id": "x", "tool": "nope"}],
            [{"id": "first", "tool": "look"}],
            [{"id": "x", "tool": "look", "needs": ["x"]}],
            [{"id": "x", "tool": "look", "args": {"a": "${steps.y}"}}],
            [
                {"id": "x", "tool": "look", "needs": ["y"]},
                {"id": "y", "tool": "look", "needs": ["x"]},
            ],
            [{"id": "x", "tool": "look", "literal": "maybe"}],
            [{"id": "x", "tool": "look", "label": "l" * 201}],
            [{"id": f"x{n}", "tool": "look"} for n in range(1001)],
            ["nonsense"],
        )
        for steps in wrong:
            for verb in (ctx.add, ctx.then):
                with pytest.raises(PlanError) as refused:
                    await verb(steps)
                seen.append(places(refused.value))
        await ctx.then([{"id": "next", "tool": "look"}])
        with pytest.raises(PlanError) as refused:
            await ctx.then([{"id": "next", "tool": "slow"}], seal=True)
        assert places(refused.value) == ["steps[0].id"]
        await ctx.then(seal=True)

    result = await planned_by(world, plan)
    assert states(result) == dict.fromkeys(("first", "one", "next"), "succeeded")
    assert seen[::2] == seen[1::2]
    assert seen[::2] == [
        ["steps[1].tool"],
        ["steps[0].id"],
        ["steps[0].needs[0]"],
        ["steps[0].args.a"],
        ["steps[0]"],
        ["steps[0].literal"],
        ["steps[0].label"],
        ["steps"],
        ["steps[0]"],
    ]


@simulated
async def test_a_run_that_is_closed_or_stops_refuses_and_so_does_an_attempt_that_is_over() -> None:
    world = shop()
    left: list[Context] = []
    refusals: list[str] = []

    async def plan(_call: Call, ctx: Context) -> None:
        left.append(ctx)
        for verb in (ctx.add, ctx.then):
            with pytest.raises(RequestRefusedError) as refused:
                await verb([{"id": "x", "tool": "look"}])
            refusals.append(refused.value.message)

    world.tool("plan", plan)

    async def late(_call: Call, ctx: Context) -> None:
        try:
            await ctx.sleep(100)
        except asyncio.CancelledError:
            await plan(_call, ctx)
            raise

    world.tool("late", late)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")))
        await finish(engine, run)
        for verb in (left[0].add, left[0].then):
            with pytest.raises(RequestRefusedError, match="is over"):
                await verb([{"id": "x", "tool": "look"}])
        assert all("is not open" in each for each in refusals)
        refusals.clear()
        run = await engine.start(a_plan(Step(id="first", tool="late")), open=True)
        await pass_time(1)
        await run.cancel()
        await finish(engine, run)
    assert len(refusals) == 2
    assert all("is stopping" in each for each in refusals)


@pytest.mark.slow(reason="it adds ten thousand steps")
@simulated
async def test_ten_thousand_steps_are_all_that_a_run_takes() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await engine.start(a_plan(), open=True)
        await run.pause()
        for part in range(10):
            await run.add([{"id": f"s{part}_{n}", "tool": "look"} for n in range(1000)])
        with pytest.raises(PlanError) as refused:
            await run.add([{"id": "one_more", "tool": "look"}])
        assert "at most 10,000 steps, not 10,001" in refused.value.message
        await run.cancel()
        await run.wait()


@simulated
async def test_a_step_that_another_has_added_meanwhile_fails_what_was_to_follow() -> None:
    world = shop()

    async def plan(_call: Call, ctx: Context) -> None:
        await ctx.then([{"id": "next", "tool": "look"}], seal=True)
        await ctx.sleep(10)

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(
            a_plan(Step(id="first", tool="plan"), on_failure="stop"), open=True
        )
        await pass_time(1)
        await run.add([{"id": "next", "tool": "slow"}])
        result = await finish(engine, run)
    error = result.steps["first"].error
    assert error is not None
    assert error.error_class == "invalid"
    assert "has a step 'next' already" in error.message


@simulated
async def test_a_run_that_somebody_seals_first_says_that_nothing_follows() -> None:
    world = shop()

    async def plan(_call: Call, ctx: Context) -> None:
        await ctx.then([{"id": "next", "tool": "look"}])
        await ctx.sleep(10)

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="plan")), open=True)
        await pass_time(1)
        await run.seal()
        result = await finish(engine, run)
    assert states(result) == {"first": "succeeded"}
    assert "sealed meanwhile" in result.problems[0].message


@simulated
async def test_an_undo_adds_nothing() -> None:
    world = shop()
    refused: list[str] = []

    async def back(_call: Call, ctx: Context) -> None:
        for verb in (ctx.add, ctx.then):
            with pytest.raises(RequestRefusedError) as error:
                await verb([{"id": "x", "tool": "look"}])
            refused.append(error.value.message)

    world.tool("make", world.stands, effect="write", undo="unmake")
    world.tool("unmake", back, effect="write", idempotent=True)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="first", tool="make")), open=True)
        await pass_time(1)
        await run.undo()
        await finish(engine, run)
    assert len(refused) == 2


@simulated
async def test_items_of_a_for_each_add_steps_of_their_own() -> None:
    world = shop()

    async def plan(call: Call, ctx: Context) -> None:
        await ctx.add([{"id": f"of_{call.args['n']}", "tool": "look"}])

    world.tool("plan", plan)
    async with opened(world) as engine:
        step = Step(id="first", tool="plan", for_each=[1, 2], args={"n": "${item}"})
        run = await engine.start(a_plan(step), open=True)
        await pass_time(1)
        await run.seal()
        result = await finish(engine, run)
        added = await records(run, "StepsAdded")
    assert [each.step for each in added] == ["first[0]", "first[1]"]
    assert result.state == "succeeded"


@simulated
async def test_a_secret_that_a_tool_was_given_is_not_written_with_what_it_adds() -> None:
    world = shop()

    async def plan(call: Call, ctx: Context) -> None:
        await ctx.add(
            [{"id": "one", "tool": "look", "literal": True, "args": {"t": call.args["token"]}}]
        )
        await ctx.then(
            [{"id": "two", "tool": "book", "args": {"t": call.args["token"]}}], seal=True
        )

    world.tool("plan", plan)
    async with opened(world, secrets={"TOKEN": "s3cr3t-value"}) as engine:
        step = Step(id="first", tool="plan", args={"token": "${secrets.TOKEN}"})
        run = await engine.start(a_plan(step), open=True)
        await finish(engine, run)
        journal = repr(await run.journal())
    assert "s3cr3t" not in journal
    assert world.of("look")[0].args == {"t": "${secrets.TOKEN}"}, "data is data"
    assert world.of("book")[0].args == {"t": "s3cr3t-value"}, "passed on by its name"


@pytest.mark.slow  # a process of its own
async def test_an_isolated_tool_has_all_verbs() -> None:
    async with Engine.in_memory([plans, where_read]) as engine:
        step = Step(id="plan", tool="plans", args={"fail": True}, retry=Retry(backoff=0))
        run = await engine.start(a_plan(step), open=True)
        result = await finish(engine, run)
        text = await records(run, "TextEmitted")
    output: Any = result.steps["plan"].output
    pid, timed, refused, emitted, saved = output
    assert result.state == "succeeded"
    assert pid != os.getpid()
    assert timed
    assert "there is no tool 'nope'" in refused[0]
    assert "has a step 'plan' already" in refused[1]
    assert (emitted, saved) == ("I plan in a process.", {"added": 1})
    assert "".join(each.text for each in text) == "I plan in a process." * 2
    assert result.steps["one"].label == "call_1"
    assert all("has not added a step 'plan'" in each for each in refused[2:])
    assert len(refused) == 4
    assert states(result) == {
        **dict.fromkeys(("plan", "one", "two"), "succeeded"),
        **dict.fromkeys(("slow", "gate"), "cancelled"),
    }


async def test_a_sync_tool_in_a_thread_has_all_verbs() -> None:
    async with Engine.in_memory([plans_in_a_thread, where_read]) as engine:
        run = await engine.start(a_plan(Step(id="plan", tool="plans_in_a_thread")), open=True)
        result = await finish(engine, run)
        (text,) = await records(run, "TextEmitted")
    assert states(result) == dict.fromkeys(("plan", "one"), "succeeded")
    assert (text.text, result.steps["plan"].output) == ("In a thread.", "")


@pytest.mark.slow  # a process of its own, and ten megabytes
@pytest.mark.requirement("step:text")
async def test_an_isolated_tool_that_says_too_much_fails() -> None:
    async with Engine.in_memory([speaks_too_much]) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speaks_too_much"), on_failure="stop"))
        result = await finish(engine, run)
    error = result.steps["a"].error
    assert error is not None
    assert error.error_class == "invalid"


@simulated
async def test_one_step_of_an_add_is_checked_against_all_that_are_there_and_not_they_again() -> (
    None
):
    world = shop()
    asked: list[str] = []

    class Counting(Registry):
        @override
        def spec(self, name: str) -> Any:
            asked.append(name)
            return super().spec(name)

    toolbox = Counting(world.tools)
    engine = Engine(MemoryStore(), toolbox, SimulatedClock())
    async with engine.runtime:
        run = await engine.start(
            a_plan(*(Step(id=f"s{n}", tool="look") for n in range(50))), open=True
        )
        await pass_time(10)
        counts = []
        for n in range(2):
            asked.clear()
            await run.add([Step(id=f"more{n}", tool="slow", args={"x": "${steps.s7.price}"})])
            counts.append(asked.count("look"))
        await run.seal()
        await run.wait()
    assert max(counts) <= 2, "the tool of the step it refers to, and no other"


@simulated
async def test_a_step_stops_and_takes_back_what_it_has_added_itself_and_nothing_else() -> None:
    world = shop()
    refusals: list[str] = []

    async def plan(_call: Call, ctx: Context) -> None:
        await ctx.add([{"id": "one", "tool": "slow"}, {"id": "two", "tool": "book"}])
        await ctx.sleep(1)
        for _ in range(2):
            await ctx.stop("one")
            await ctx.undo("two")
        if ctx.attempt == 1:
            raise TransientError("again")
        for verb, step in (
            (ctx.stop, "other"),
            (ctx.undo, "first"),
            (ctx.stop, "nobody"),
            (ctx.stop, "two"),
            (ctx.undo, "one"),
        ):
            with pytest.raises(RequestRefusedError) as refused:
                await verb(step)
            refusals.append(refused.value.message)
        await ctx.then(seal=True)

    world.tool("plan", plan)
    async with opened(world) as engine:
        run = await engine.start(
            a_plan(Step(id="first", tool="plan"), Step(id="other", tool="slow")), open=True
        )
        result = await finish(engine, run)
        stopped = await records(run, "StopRequested")
        undone = await records(run, "StepUndoRequested")
    assert states(result) == {
        "first": "succeeded",
        "other": "succeeded",
        "one": "cancelled",
        "two": "undone",
    }
    assert [(each.step, each.by, each.request) for each in (*stopped, *undone)] == [
        ("one", "step first", None),
        ("two", "step first", None),
    ]
    assert not world.standing
    assert all("has not added a step" in each for each in refusals[:3])


@st.composite
def some_steps(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Steps in an order in which each may be added after those before it."""
    steps: list[dict[str, Any]] = []
    for n in range(draw(st.integers(1, 7))):
        names = [step["id"] for step in steps]
        touched: list[list[str]] = [[], ["x"]]
        step: dict[str, Any] = {
            "id": f"s{n}",
            "tool": draw(st.sampled_from(["look", "book", "boom", "slow"])),
            "needs": draw(st.lists(st.sampled_from(names), unique=True, max_size=2))
            if names
            else [],
            "on_failure": draw(st.sampled_from(["fail", "skip", "ignore"])),
            "run_if_skipped": draw(st.booleans()),
            "touches": draw(st.sampled_from(touched)),
        }
        if names and draw(st.sampled_from(["plain", "sees"])) == "sees":
            step["args"] = {"seen": f"${{outcomes.{draw(st.sampled_from(names))}.state}}"}
        if step["tool"] == "slow":
            step["within"] = draw(st.sampled_from([2, 60, None]))
        steps.append(step)
    return steps


@pytest.mark.slow  # many runs
@given(some_steps(), st.data())
@settings(max_examples=40)
def test_steps_added_from_inside_one_by_one_come_to_what_the_closed_plan_comes_to(
    steps: list[dict[str, Any]], data: st.DataObject
) -> None:
    skipped = data.draw(st.sampled_from([None, *(step["id"] for step in steps)]))
    pauses = [data.draw(st.sampled_from([0.0, 0.5, 7.0])) for _ in steps]

    async def inside() -> tuple[str, dict[str, str], list[str]]:
        world = a_rough_world()

        async def plan(_call: Call, ctx: Context) -> None:
            for step, pause in zip(steps, pauses, strict=True):
                await ctx.add([{**step, "when": "${`false`}"} if step["id"] == skipped else step])
                await ctx.sleep(pause)
            await ctx.then(seal=True)

        world.tool("plan", plan)
        async with opened(world) as engine:
            first = Step(id="first", tool="plan")
            run = await engine.start(
                a_plan(first, on_failure="continue", concurrency=20), open=True
            )
            result = await finish(engine, run)
        seen = states(result)
        assert seen.pop("first") == "succeeded"
        return str(result.state), seen, sorted(world.standing)

    async def closed() -> tuple[str, dict[str, str], list[str]]:
        world = a_rough_world()
        async with opened(world) as engine:
            whole = [
                {**step, "when": "${`false`}"} if step["id"] == skipped else step for step in steps
            ]
            plan = {"steps": whole, "on_failure": "continue", "concurrency": 20}
            result = await finish(engine, await engine.start(plan))
        return str(result.state), states(result), sorted(world.standing)

    grown, known = run_simulated(inside()), run_simulated(closed())
    assert grown[:2] == known[:2]
    assert len(grown[2]) == len(known[2]), "as much stands"


def a_rough_world() -> World:
    world = shop()
    world.tool("boom", raises(FatalError("boom")))
    return world
