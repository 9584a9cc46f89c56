"""Undo is not admitted, so it must not be counted out either."""

from __future__ import annotations

import pytest

from callsheet import Engine, Plan, Step
from callsheet.core.plan.plan import Undo
from callsheet.errors import FatalError
from callsheet.testing import SimulatedClock, World, raises, simulated, waits


@pytest.mark.requirement("E4")
@simulated
async def test_a_tool_that_has_served_as_an_undo_keeps_its_limit() -> None:
    world = World()
    world.tool("post", waits(1), effect="write", idempotent=True, limit=1)
    world.tool("book", effect="write")
    world.tool("boom", raises(FatalError("It broke.")))
    fails = Plan(
        steps=(
            Step(id="book", tool="book", undo=Undo(tool="post", args={"back": True})),
            Step(id="boom", tool="boom", needs=("book",)),
        )
    )
    posts = Plan(steps=tuple(Step(id=f"post_{n}", tool="post") for n in range(3)))
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        assert (await (await engine.start(fails)).wait()).state == "undone"
        world.calls.clear()
        assert (await (await engine.start(posts)).wait()).state == "succeeded"
    assert world.count("post") == 3
    assert world.most_at_once == 1
