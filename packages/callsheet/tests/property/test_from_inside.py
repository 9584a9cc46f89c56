"""Laws of steps from inside a step: a plan comes to the same, whole or step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.choice import Choice

from callsheet import Engine, Event
from callsheet.core.run.entries import AttemptStarted
from callsheet.errors import FatalError, RequestRefusedError
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import (
    SimulatedClock,
    World,
    echo,
    hangs,
    raises,
    run_simulated,
    waits,
)
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet import Context, Run
    from callsheet.core.value import Json
    from callsheet.testing import Call

# Two whole runs for each of a hundred plans.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E27", "E19")]

NAMES = tuple("abcdefg")
TOOLS = ("look", "look", "make", "make", "bad", "late", "endless")
Document = dict[str, Any]


@st.composite
def some_steps(draw: st.DrawFn) -> list[Document]:
    """Calls that work, fail, take too long or never end; some are built on others."""
    choose = Choice(draw)
    steps: list[Document] = []
    for n, name in enumerate(NAMES[: choose.below(len(NAMES)) + 1]):
        tool = choose.of(TOOLS)
        step: Document = {"id": name, "tool": tool, "on_failure": choose.of(POLICIES)}
        before = NAMES[max(n - 3, 0) : n]
        needs = choose.some_of(before, 2)
        if needs:
            step["needs"] = list(needs)
        if before and choose.rarely(3):
            step["args"] = {"seen": f"${{outcomes.{choose.of(before)}}}"}
        if tool == "late":
            step["within"] = 3
        steps.append(step)
    return steps


POLICIES = ("skip", "ignore", "fail")


def a_world(pauses: list[float], later: list[Document]) -> World:
    world = World()

    async def add(_call: Call, ctx: Context) -> None:
        for pause, step in zip(pauses, later, strict=True):
            await ctx.sleep(pause)
            await ctx.add([step])
        await ctx.then(seal=True)

    world.tool("look", waits(0.5, echo))
    world.pair("make", "unmake")
    world.tool("bad", raises(FatalError("Never.")))
    world.tool("late", hangs())
    world.tool("endless", hangs())
    world.tool("add", add)
    return world


async def ended(world: World, plan: Document, endless: set[str], *, grows: bool) -> dict[str, Json]:
    """How every step has ended, and what became of those that somebody took back alone."""
    clock = SimulatedClock()
    engine = Engine(MemoryStore(), Registry(world.tools), clock, watched=False)
    async with engine.runtime:
        run = await engine.start(plan, open=grows)
        # What never ends is stopped as soon as it has begun.
        async for told in run.events():
            entry = told.entry if isinstance(told, Event) else None
            if isinstance(entry, AttemptStarted) and entry.step in endless:
                await run.stop(entry.step)
        result = await run.wait()
        undone = {step: await taken_back(run, step) for step in reversed(NAMES)}
        report = await engine.replay(run.id)
        assert report.same, report.difference
        steps = (await run.status()).steps
    return {
        "steps": {key: str(step.state) for key, step in steps.items() if key in NAMES},
        "state": str(result.state),
        "undone": cast("Json", undone),
    }


async def taken_back(run: Run, step: str) -> str:
    """Whether what one step did could be taken back alone."""
    try:
        await run.undo(only=step)
    except RequestRefusedError:
        return "refused"
    await run.wait()
    return str((await run.step(step).result()).state)


@given(some_steps(), st.data())
def test_a_plan_comes_to_the_same_whole_or_added_from_inside_step_by_step(
    steps: list[Document], data: st.DataObject
) -> None:
    choose = Choice(cast("st.DrawFn", data.draw))
    first = choose.below(len(steps) + 1)
    pauses = [choose.of((0.0, 0.2, 2.0)) for _ in steps[first:]]
    terms: Document = {"callsheet": 1, "on_failure": "continue"}
    endless = {step["id"] for step in steps if step["tool"] == "endless"}
    whole = ended(a_world([], []), {**terms, "steps": steps}, endless, grows=False)
    begun = {**terms, "steps": [*steps[:first], {"id": "adder", "tool": "add"}]}
    grown = ended(a_world(pauses, steps[first:]), begun, endless, grows=True)
    assert run_simulated(grown, seed=1) == run_simulated(whole, seed=1)
