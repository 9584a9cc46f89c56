"""A run is held in memory for as long as it is driven, and no longer."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Plan, Step
from callsheet.core.run.snapshot import Snapshot
from callsheet.testing import World

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
async def test_a_run_that_has_ended_is_freed_without_the_collector() -> None:
    world = World()
    world.tool("look")
    plan = Plan(steps=(Step(id="first", tool="look"), Step(id="last", tool="look")))
    before = _runs_in_memory()
    async with Engine.in_memory(world.tools) as engine:
        run = await engine.start(plan)
        assert _runs_in_memory() == before + 1
        assert (await run.wait()).state == "succeeded"
    assert _runs_in_memory() == before


def _runs_in_memory() -> int:
    return sum(type(thing) is Snapshot for thing in gc.get_objects())
