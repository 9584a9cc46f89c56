"""The machine's clock is set back: nothing stalls, and nothing waits longer than its own wait."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.stage import a_plan, finish, pass_time, until

from callsheet import Budget, Engine, Limit, Step
from callsheet.errors import TransientError
from callsheet.runtime.clock import SystemClock
from callsheet.testing import World, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

HOUR = timedelta(hours=1)


class Machine:
    """A machine whose clock somebody may set."""

    def __init__(self) -> None:
        self.off = timedelta()

    def clock(self) -> SystemClock:
        """The clock of a process that starts now."""
        time = asyncio.get_running_loop().time
        noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
        return SystemClock(lambda: noon + timedelta(seconds=time()) + self.off, time)


@simulated
async def test_a_tool_with_a_rate_is_called_as_before() -> None:
    world, machine = World(), Machine()
    world.tool("rated", limit=Limit(rate=2, per=1.0))
    plan = a_plan(*(Step(id=f"s{n}", tool="rated") for n in range(6)))
    async with Engine.open(None, world.tools, clock=machine.clock()) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", times=2)
        machine.off = -HOUR
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert asyncio.get_running_loop().time() < 5


@simulated
async def test_running_time_is_counted_as_before() -> None:
    world, machine = World(), Machine()
    world.tool("work", waits(4))
    plan = a_plan(Step(id="a", tool="work"), budget=Budget(seconds=60))
    async with Engine.open(None, world.tools, clock=machine.clock()) as engine:
        run = await engine.start(plan)
        await pass_time(1)
        machine.off = -HOUR
        result = await finish(engine, run)
    assert result.seconds == pytest.approx(4, abs=0.1)


@pytest.mark.slow  # with a database at work, simulated time only hurries
@pytest.mark.requirement("E5")
@simulated
async def test_a_retry_after_a_restart_waits_no_longer_than_it_has_to(tmp_path: Path) -> None:
    world, machine = World(), Machine()
    world.tool("flaky", [raises(TransientError("x", retry_after=20)), returns(1)])
    async with Engine.open(tmp_path, world.tools, clock=machine.clock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="flaky"), budget=Budget(seconds=600)))
        await until(run, "AttemptEnded")
    machine.off = -HOUR
    before = asyncio.get_running_loop().time()
    async with Engine.open(tmp_path, world.tools, clock=machine.clock()) as engine:
        result = await finish(engine, run := await engine.get(run.id))
        entries = await run.journal()
    assert result.state == "succeeded"
    assert asyncio.get_running_loop().time() - before < 60
    assert all(one.at <= other.at for one, other in pairwise(entries)), "time goes forward"
    assert result.seconds < 60
