"""Idempotency: one key per step, one run per start key, and what a checkpoint put down."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records

from callsheet import Plan, Retry, Step
from callsheet.errors import FatalError, InputError, TransientError
from callsheet.testing import World, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Engine, Run


@pytest.mark.requirement("idempotency:one-key-per-step", "E18")
@simulated
async def test_all_attempts_of_a_step_have_one_key_and_its_undo_another() -> None:
    world = World()
    again = [raises(TransientError("1")), raises(TransientError("2")), world.stands]
    world.pair("book", "cancel", again, idempotent=True)
    world.tool("boom", raises(FatalError("boom")))
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="book", for_each=[1, 2]),
        Step(id="boom", tool="boom", needs=("a", "b")),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
        await carry_out(engine, plan)
    books, cancels = world.of("book"), world.of("cancel")
    assert len(books) == 18
    for place in {(call.run, call.step) for call in books}:
        keys = {call.key for call in books if (call.run, call.step) == place}
        undo = {call.key for call in cancels if (call.run, call.step) == place}
        (key,) = keys
        assert undo == {f"{key}:undo"}
    assert len({call.key for call in books}) == 6, "other steps, items and runs have other keys"
    assert {call.args["key"] for call in cancels} == {call.key for call in books}


def count_plan(**fields: Any) -> Plan:
    return a_plan(Step(id="a", tool="book", args={"n": "${inputs.n}"}), **fields)


def a_world() -> World:
    world = World()
    world.pair("book", "cancel", waits(1))
    return world


INPUTS = {"n": {"type": "integer", "default": 1}}


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("idempotency:same-start-is-one-run", "E18")
@simulated
async def test_the_same_start_key_and_content_is_the_same_run(
    durable: bool, tmp_path: Path
) -> None:
    world = a_world()
    plan = count_plan(inputs=INPUTS)
    async with opened(world, tmp_path / "home" if durable else None) as engine:
        first = await engine.start(plan, {"n": 2}, key="order-17")
        again = await engine.start(plan, {"n": 2}, key="order-17")
        result = await finish(engine, first)
        ended = await engine.start(plan, {"n": 2}, key="order-17")
        other = await engine.start(plan, {"n": 2}, key="order-18")
        assert first.id == again.id == ended.id != other.id
        assert (await ended.wait()).output == result.output
        await other.wait()
        assert len(await engine.runs()) == 2
    assert world.count("book") == 2


@pytest.mark.requirement("idempotency:same-start-is-one-run", "E18")
@simulated
async def test_a_default_that_is_spelled_out_is_the_same_content() -> None:
    world = a_world()
    async with opened(world) as engine:
        first = await engine.start(count_plan(inputs=INPUTS), key="k")
        again = await engine.start(count_plan(inputs=INPUTS), {"n": 1}, key="k")
        await first.wait()
    assert first.id == again.id


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("idempotency:same-start-is-one-run", "E18")
@simulated
async def test_starts_with_one_key_at_the_same_time_are_one_run(
    durable: bool, tmp_path: Path
) -> None:
    world = a_world()
    async with opened(world, tmp_path / "home" if durable else None) as engine:
        async with asyncio.TaskGroup() as group:
            starts = [
                group.create_task(engine.start(count_plan(inputs=INPUTS), key="k"))
                for _ in range(10)
            ]
        assert len({start.result().id for start in starts}) == 1
        result = await starts[0].result().wait()
        assert result.state == "succeeded"
        assert len(await engine.runs()) == 1
    assert world.count("book") == 1


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("idempotency:other-content-is-refused", "E18")
@simulated
async def test_the_same_start_key_with_other_content_is_refused(
    durable: bool, tmp_path: Path
) -> None:
    world = a_world()
    async with opened(world, tmp_path / "home" if durable else None) as engine:
        first = await engine.start(count_plan(inputs=INPUTS), {"n": 1}, key="k")
        with pytest.raises(InputError, match=first.id):
            await engine.start(count_plan(inputs=INPUTS), {"n": 2}, key="k")
        with pytest.raises(InputError, match="'k'"):
            await engine.start(count_plan(inputs=INPUTS, name="other"), {"n": 1}, key="k")
        await first.wait()
        with pytest.raises(InputError, match="other inputs"):
            await engine.start(count_plan(inputs=INPUTS), {"n": 2}, key="k")
    assert world.count("book") == 1


@pytest.mark.requirement("idempotency:other-content-is-refused")
@simulated
async def test_one_of_two_different_starts_with_one_key_at_the_same_time_is_refused() -> None:
    world = a_world()
    outcomes: list[str] = []

    async def try_start(engine: Engine, n: int) -> None:
        try:
            run: Run = await engine.start(count_plan(inputs=INPUTS), {"n": n}, key="k")
        except InputError:
            outcomes.append("refused")
        else:
            outcomes.append((await run.wait()).state)

    async with opened(world) as engine, asyncio.TaskGroup() as group:
        for n in (1, 2):
            group.create_task(try_start(engine, n))
    assert sorted(outcomes) == ["refused", "succeeded"]
    assert world.count("book") == 1


@pytest.mark.requirement("idempotency:checkpoint-comes-back", "E18")
@simulated
async def test_what_an_attempt_put_down_the_next_one_gets_back() -> None:
    world = World()

    async def render(call: Any, ctx: Any) -> Any:
        if ctx.saved is None:
            await ctx.checkpoint({"job": 1})
            await ctx.checkpoint({"job": 2})
            raise TransientError("lost the connection to the provider")
        return ctx.saved

    world.tool("render", render, retry=Retry(backoff=0.1))
    world.tool("other")
    plan = a_plan(Step(id="a", tool="render"), Step(id="b", tool="other", needs=("a",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        saved = await records(run, "CheckpointSaved")
    assert [call.saved for call in world.step("a")] == [None, {"job": 2}]
    assert world.step("b")[0].saved is None
    assert result.steps["a"].output == {"job": 2}
    assert [(entry.step, entry.attempt) for entry in saved] == [("a", 1), ("a", 1)]


@pytest.mark.requirement("idempotency:checkpoint-comes-back")
@simulated
async def test_a_checkpoint_is_journalled_when_the_tool_goes_on(tmp_path: Path) -> None:
    world = World()
    found: list[int] = []
    engines: list[Engine] = []

    async def render(call: Any, ctx: Any) -> None:
        await ctx.checkpoint({"job": 1})
        run = await engines[0].get(ctx.run)
        found.append(len(await records(run, "CheckpointSaved")))

    world.tool("render", render)
    async with opened(world, tmp_path / "home") as engine:
        engines.append(engine)
        await carry_out(engine, a_plan(Step(id="a", tool="render")))
    assert found == [1]


@pytest.mark.requirement("idempotency:checkpoint-comes-back", "E3")
@simulated
async def test_a_checkpoint_outlives_the_engine(tmp_path: Path) -> None:
    world, reached = World(), asyncio.Event()

    async def render(call: Any, ctx: Any) -> Any:
        if ctx.saved is None:
            await ctx.checkpoint({"job": 9})
            reached.set()
            await ctx.sleep(1000)
        return ctx.saved

    world.tool("render", render)
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(a_plan(Step(id="a", tool="render"), output="${steps.a}"))
        await reached.wait()
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    assert result.output == {"job": 9}
    assert [call.saved for call in world.calls] == [None, {"job": 9}]


@pytest.mark.requirement("idempotency:one-key-per-step")
@simulated
async def test_runs_without_a_start_key_are_different_runs() -> None:
    world = World()
    world.tool("ok", returns(1))
    async with opened(world) as engine:
        one = await engine.start(a_plan(Step(id="a", tool="ok")))
        other = await engine.start(a_plan(Step(id="a", tool="ok")))
        await one.wait()
        await other.wait()
    assert one.id != other.id
    assert len({call.key for call in world.calls}) == 2
