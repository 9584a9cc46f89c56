"""From commands to entries, where it goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Limit, Plan, Step
from callsheet.core.plan.plan import Undo
from callsheet.errors import FatalError, TransientError
from callsheet.testing import SimulatedClock, World, raises, returns, simulated, waits

if TYPE_CHECKING:
    from callsheet import Result, Run


async def finish(engine: Engine, run: Run) -> Result:
    result = await run.wait()
    report = await engine.replay(run.id)
    assert report.same, report.difference
    return result


@pytest.mark.requirement("E9", "undo:journalled-with-the-start")
@simulated
async def test_an_undo_that_cannot_be_resolved_leaves_the_run_stuck_and_not_alone() -> None:
    world = World()
    world.tool("book", raises(TransientError("gone")), effect="write")
    world.tool("cancel", returns(None), effect="write", idempotent=True)
    undo = Undo(tool="cancel", args={"size": "${length(args.n)}"})
    plan = Plan(steps=(Step(id="a", tool="book", args={"n": 5}, undo=undo),))
    async with Engine.open(None, world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(plan)
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == "stuck"
    assert result.steps["a"].state == "undo_failed"
    assert "cannot be evaluated" in str(result.problems)


@pytest.mark.requirement("failure:nothing-starts-after-it")
@simulated
async def test_what_was_decided_together_with_a_step_that_is_refused_does_not_start() -> None:
    world = World()
    world.tool("look", returns(1))
    plan = Plan(
        steps=(
            Step(id="a", tool="look", args={"n": "${length(inputs.n)}"}, priority=1),
            Step(id="b", tool="look"),
        ),
        inputs={"n": {"type": "integer"}},
    )
    async with Engine.open(None, world.tools, clock=SimulatedClock()) as engine:
        result = await finish(engine, await engine.start(plan, {"n": 5}))
    assert result.state == "failed"
    assert world.calls == []
    assert result.steps["b"].state == "cancelled"


@pytest.mark.requirement("E4")
@simulated
async def test_a_tool_at_its_limit_does_not_stand_in_the_way_of_others() -> None:
    world = World()
    world.tool("scarce", waits(10), limit=Limit(at_once=1))
    world.tool("plenty", waits(1))
    scarce = tuple(Step(id=f"s{n}", tool="scarce", priority=1) for n in range(5))
    plenty = tuple(Step(id=f"p{n}", tool="plenty") for n in range(4))
    plan = Plan(steps=(*scarce, *plenty), concurrency=2)
    async with Engine.open(None, world.tools, clock=SimulatedClock()) as engine:
        await finish(engine, await engine.start(plan))
    steps = [call.step for call in world.calls]
    assert steps[:5] == ["s0", "p0", "p1", "p2", "p3"], "one slot is free all the time"


@pytest.mark.requirement("undo:recovered-errors-undo-nothing")
@simulated
async def test_a_refusal_that_may_happen_lets_the_rest_go_on() -> None:
    world = World()
    world.tool("look", returns(1))
    world.tool("break", raises(FatalError("no")))
    plan = Plan(
        steps=(
            Step(id="a", tool="look", args={"n": "${length(inputs.n)}"}, on_failure="ignore"),
            Step(id="after", tool="look", needs=("a",), priority=9),
            Step(id="b", tool="look"),
        ),
        inputs={"n": {"type": "integer"}},
        concurrency=1,
    )
    async with Engine.open(None, world.tools, clock=SimulatedClock()) as engine:
        result = await finish(engine, await engine.start(plan, {"n": 5}))
    assert result.state == "succeeded"
    assert [call.step for call in world.calls] == ["after", "b"], "what became ready was better"
