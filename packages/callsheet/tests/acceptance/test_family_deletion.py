"""Runs that are steps of others are deleted with them, and not before."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Plan, Step, tool
from callsheet.errors import RequestRefusedError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("E14", "S7")


@tool(effect="read")
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at}"


def family() -> Plan:
    """A plan within a plan within a plan."""
    inner = Plan(name="inner", steps=(Step(id="a", tool="look", args={"at": "a"}),))
    middle = Plan(name="middle", steps=(Step(id="b", plan=inner),))
    return Plan(name="outer", steps=(Step(id="c", plan=middle, for_each=[1, 2]),))


async def names(engine: Engine) -> list[str]:
    return sorted(head.name for head in await engine.runs())


async def test_deleting_a_run_deletes_the_runs_that_were_its_steps(tmp_path: Path) -> None:
    async with Engine.open(tmp_path, tools=[look]) as engine:
        run = await engine.start(family())
        await run.wait()
        assert await names(engine) == ["inner", "inner", "middle", "middle", "outer"]
        assert await engine.delete(run.id)
        assert await names(engine) == []


async def test_a_run_that_is_a_step_is_kept_while_the_run_around_it_is(tmp_path: Path) -> None:
    async with Engine.open(tmp_path, tools=[look]) as engine:
        run = await engine.start(family())
        child = (await run.wait()).steps["c[1]"].child
        with pytest.raises(RequestRefusedError, match=rf"step 'c\[1\]' of run '{run.id}'"):
            await engine.delete(child)
        removed = await engine.prune(timedelta(0))
        assert [head.run for head in removed] == [run.id]
        assert await names(engine) == []
