"""What an undo is given: on its own terms, and with what the call saved."""

from __future__ import annotations

from typing import Any

import pytest
from tests.acceptance.stage import a_plan, finish

from callsheet import Context, Engine, Step, Undo, tool
from callsheet.errors import FatalError
from callsheet.testing import SimulatedClock, simulated

GIVEN: list[dict[str, Any]] = []


@tool("hotels.book", effect="write", idempotent=True)
async def book(city: str, ctx: Context) -> str:
    await ctx.checkpoint({"before": "empty"})
    return f"room in {city}"


@tool("hotels.cancel", effect="write", idempotent=True)
async def cancel(key: str, output: str, saved: dict[str, str], ctx: Context) -> None:
    assert ctx.saved == saved
    GIVEN.append({"key": key, "output": output, "saved": saved})


@tool("hotels.forget", effect="write", idempotent=True)
async def forget(before: str) -> None:
    GIVEN.append({"before": before})


@tool(effect="read")
async def boom() -> None:
    raise FatalError("boom")


async def undone(undo: Any) -> dict[str, Any]:
    GIVEN.clear()
    async with Engine.in_memory([book, cancel, forget, boom], clock=SimulatedClock()) as engine:
        plan = {
            "steps": [
                {"id": "a", "tool": "hotels.book", "args": {"city": "Oslo"}, "undo": undo},
                {"id": "b", "tool": "boom", "needs": ["a"]},
            ]
        }
        assert [each for each in await engine.check(plan) if each.severity == "error"] == []
        run = await engine.start(plan)
        assert str((await finish(engine, run)).state) == "undone"
    (given,) = GIVEN
    return given


@pytest.mark.requirement("undo:own-terms", "E9")
@pytest.mark.parametrize("undo", ["hotels.cancel", {"tool": "hotels.cancel"}], ids=["name", "call"])
@simulated
async def test_an_undo_without_arguments_is_given_what_its_tool_asks_for(undo: Any) -> None:
    given = await undone(undo)
    assert given["output"] == "room in Oslo"
    assert given["saved"] == {"before": "empty"}
    assert given["key"]


@pytest.mark.requirement("undo:own-terms")
@simulated
async def test_an_undo_may_refer_to_what_the_call_saved() -> None:
    undo = {"tool": "hotels.forget", "args": {"before": "${saved.before}"}}
    assert await undone(undo) == {"before": "empty"}


@pytest.mark.requirement("undo:own-terms")
async def test_one_that_asks_for_something_else_is_refused() -> None:
    step = Step(id="a", tool="hotels.book", args={"city": "Oslo"}, undo=Undo(tool="hotels.forget"))
    async with Engine.in_memory([book, forget]) as engine:
        (problem,) = [p for p in await engine.check(a_plan(step)) if p.severity == "error"]
    assert "requires before" in problem.what


@pytest.mark.requirement("undo:own-terms")
@simulated
async def test_the_calls_of_undos_are_counted_in_the_result() -> None:
    async with Engine.in_memory([book, cancel, boom], clock=SimulatedClock()) as engine:
        plan = a_plan(
            Step(id="a", tool="hotels.book", args={"city": "Oslo"}, undo="hotels.cancel"),
            Step(id="b", tool="boom", needs="a"),
        )
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert result.cost.calls == len(await run.attempts()) == 3
