from __future__ import annotations

import asyncio

import pytest

from callsheet import Engine, Plan, Step
from callsheet.errors import TransientError
from callsheet.testing import (
    SimulatedClock,
    World,
    hangs,
    ignores_stop,
    raises,
    returns,
    simulated,
    waits,
)


async def play(world: World, *steps: Step, concurrency: int = 8) -> str:
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=steps, concurrency=concurrency))
        return (await run.wait()).state


@simulated
async def test_a_tool_without_a_script_returns_its_arguments_and_every_call_is_written_down() -> (
    None
):
    world = World()
    world.tool("t")
    assert await play(world, Step(id="a", tool="t", args={"x": 1})) == "succeeded"
    (call,) = world.calls
    assert (call.tool, call.step, call.attempt, call.args) == ("t", "a", 1, {"x": 1})
    assert (call.began, call.ended, call.told, call.saved) == (1, 2, False, None)
    assert world.count("t") == 1
    assert world.count("other") == 0


@simulated
async def test_a_script_has_an_act_per_attempt_and_the_last_serves_all_further_ones() -> None:
    world = World()
    world.tool("t", [raises(TransientError("1")), raises(TransientError("2")), returns(3)], retry=9)
    await play(world, Step(id="a", tool="t"), Step(id="b", tool="t"))
    assert [call.attempt for call in world.step("a")] == [1, 2, 3]
    assert [call.attempt for call in world.step("b")] == [1, 2, 3]


@simulated
async def test_overlap_and_order_are_seen_from_outside() -> None:
    world = World()
    world.tool("t", waits(5))
    await play(world, *(Step(id=each, tool="t") for each in "abc"), concurrency=2)
    a, b, c = world.calls
    assert a.overlaps(b)
    assert a.before(c)
    assert not c.before(a)
    assert world.most_at_once == 2
    assert world.steps == ["a", "b", "c"]
    assert (c.began_at, c.ended_at) == (5, 10)


@simulated
async def test_a_pair_stands_until_it_is_taken_back() -> None:
    world = World()
    world.pair("book", "cancel")
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="book", args={"to": "Oslo"}),)))
        result = await run.wait()
        assert result.steps["a"].output == {"id": "book-a", "to": "Oslo"}
        assert [call.step for call in world.standing.values()] == ["a"]
        await run.undo()
        await run.wait()
    assert not world.standing
    assert [call.tool for call in world.calls] == ["book", "cancel"]


@simulated
async def test_one_that_hangs_stops_when_it_is_told_and_a_deaf_one_does_not() -> None:
    world, release = World(), asyncio.Event()
    world.tool("hangs", hangs(), retry=1)
    world.tool("deaf", ignores_stop(release), retry=1)
    await play(world, Step(id="a", tool="hangs", timeout=1, on_failure="ignore"))
    await play(world, Step(id="b", tool="deaf", timeout=1, on_failure="ignore"))
    stopped, deaf = world.calls
    assert (stopped.told, stopped.ended is None) == (True, False)
    assert (deaf.told, deaf.ended) == (True, None)
    release.set()


@simulated
async def test_it_goes_on_when_it_is_released() -> None:
    world, release = World(), asyncio.Event()
    world.tool("t", hangs(release, returns("free")))
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="t"),), output="${steps.a}"))
        await SimulatedClock().sleep(100)
        assert not (await run.status()).state.ended
        release.set()
        assert (await run.wait()).output == "free"
    assert world.calls[0].ended_at == pytest.approx(100)
