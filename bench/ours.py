"""Our side: the same work as plans, through the public door and nothing else."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bench.work import result
from callsheet import Engine, Plan, Step, tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet import Result, Run

LANES = 10
"""How many chains stand side by side in a plan of many steps."""
WINDOW = 50
"""How many steps of a wide plan may run at once."""


class Marks:
    """When things happened in tools."""

    def __init__(self) -> None:
        self.bodies: list[float] = []
        self.told: list[float] = []
        self.running = asyncio.Event()
        self.expected = 0
        """`running` is set when so many wait to be cancelled."""


class Ours:
    """An open engine with the tools of the benchmark."""

    def __init__(self, engine: Engine, marks: Marks) -> None:
        self.engine = engine
        self.marks = marks

    async def run(self, plan: Plan) -> Result:
        """Start a run and wait for its end, which must be a success."""
        run = await self.engine.start(plan)
        return _succeeded(await run.wait())

    async def many(self, plan: Plan, runs: int) -> None:
        """Many runs of a plan at once."""
        async with asyncio.TaskGroup() as group:
            for _ in range(runs):
                group.create_task(self.run(plan))

    async def start(self, plan: Plan) -> float:
        """Seconds from the call of `start` to the first line of the first tool."""
        self.marks.bodies.clear()
        began = time.perf_counter()
        run = await self.engine.start(plan)
        _succeeded(await run.wait())
        return self.marks.bodies[0] - began

    async def cancel(self, plan: Plan) -> float:
        """Seconds from the call of `cancel` until the last of the running tools is told."""
        marks = self.marks
        marks.told.clear()
        marks.running.clear()
        marks.expected = len(plan.steps)
        run: Run = await self.engine.start(plan)
        await marks.running.wait()
        began = time.perf_counter()
        await run.cancel()
        await run.wait()
        assert len(marks.told) == len(plan.steps), f"{len(marks.told)} tools were told"
        return max(marks.told) - began


@asynccontextmanager
async def ours(home: Path | str) -> AsyncIterator[Ours]:
    """An engine on a home, with every entry synced before it is acknowledged."""
    marks = Marks()

    @tool(effect="read")
    async def noop(i: int = 0) -> dict[str, object]:
        return result(i)

    @tool(effect="read")
    async def mark(i: int = 0) -> dict[str, object]:
        marks.bodies.append(time.perf_counter())
        return result(i)

    @tool(effect="read")
    async def rest(seconds: float, i: int = 0) -> dict[str, object]:
        await asyncio.sleep(seconds)
        return result(i)

    @tool(effect="read")
    async def hang(i: int = 0) -> dict[str, object]:
        marks.expected -= 1
        if not marks.expected:
            marks.running.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            marks.told.append(time.perf_counter())
            raise
        return result(i)

    async with Engine.open(home, tools=[noop, mark, rest, hang], sync="full") as engine:
        yield Ours(engine, marks)


def chain(length: int, *, name: str = "chain", tool: str = "noop") -> Plan:
    """Steps one after the other."""
    return Plan(name=name, steps=tuple(_step(i, tool, after=i - 1) for i in range(length)))


def relay(length: int) -> Plan:
    """The same, and each step is given what the one before it returned."""
    first, *others = chain(length, name="relay").steps
    given = (
        Step(id=step.id, tool=step.tool, args={"i": f"${{steps.{before}.i}}"})
        for step in others
        for before in step.needs
    )
    return Plan(name="relay", steps=(first, *given))


def fan(width: int, *, name: str = "fan", window: int | None = None) -> Plan:
    """One, then many at once, then one."""
    middle = [_step(i, "noop", after=0) for i in range(1, width + 1)]
    last = Step(id="last", tool="noop", needs=tuple(step.id for step in middle))
    return Plan(name=name, concurrency=window or width, steps=(_step(0, "noop"), *middle, last))


def lanes(steps: int, *, name: str = "lanes") -> Plan:
    """A few long chains side by side: the same parallelism whatever the number of steps."""
    return Plan(
        name=name,
        concurrency=LANES,
        steps=tuple(_step(i, "noop", after=i - LANES) for i in range(steps)),
    )


def at_once(width: int, tool: str, **args: float) -> Plan:
    """Many steps that depend on nothing."""
    steps = tuple(Step(id=f"s{i}", tool=tool, args={"i": i, **args}) for i in range(width))
    return Plan(name=f"at-once-{tool}", concurrency=width, steps=steps)


def _step(i: int, tool: str, *, after: int = -1) -> Step:
    needs = (f"s{after}",) if after >= 0 else ()
    return Step(id=f"s{i}", tool=tool, args={"i": i}, needs=needs)


def _succeeded(result: Result) -> Result:
    assert result.state == "succeeded", f"{result.state}: {result.cause}"
    return result
