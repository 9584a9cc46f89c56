"""What the acceptance tests share: an engine in simulated time, a run seen from outside."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from callsheet import Engine, Plan, Step
from callsheet.core.problem import Problem
from callsheet.testing import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet import Result, Run
    from callsheet.errors import PlanError
    from callsheet.testing import World

FINAL = {"succeeded", "failed", "skipped", "cancelled", "in_doubt", "undone", "undo_failed"}


@asynccontextmanager
async def opened(
    world: World,
    home: Path | None = None,
    *,
    recover: bool = True,
    drive: bool = True,
    secrets: dict[str, str] | None = None,
    drain: float = 10.0,
) -> AsyncIterator[Engine]:
    """An engine with the tools of a world, in simulated time."""
    clock = SimulatedClock()
    async with Engine.open(
        home, world.tools, clock=clock, recover=recover, drive=drive, secrets=secrets, drain=drain
    ) as engine:
        yield engine


def a_plan(*steps: Step, **fields: Any) -> Plan:
    """A plan of these steps."""
    return Plan(steps=steps, **fields)


async def finish(engine: Engine, run: Run) -> Result:
    """Wait for a run, and insist on what is true of every run that has ended."""
    result = await run.wait()
    entries = await run.journal()
    assert type(entries[-1]).__name__ == "RunEnded", "the end is the last word"
    begun = [(e.step, e.attempt) for e in of_kind(entries, "AttemptStarted")]
    ended = [(e.step, e.attempt) for e in of_kind(entries, "AttemptEnded")]
    assert sorted(begun) == sorted(ended), "every started attempt has one final record"
    assert {str(step.state) for step in result.steps.values()} <= FINAL
    report = await engine.replay(run.id)
    assert report.same, report.difference
    return result


def places(refused: PlanError) -> list[str]:
    """Where a plan does not check."""
    return [problem.place for problem in refused.problems if isinstance(problem, Problem)]


async def carry_out(engine: Engine, plan: Plan, inputs: dict[str, Any] | None = None) -> Result:
    """Start a run and wait for its end."""
    return await finish(engine, await engine.start(plan, inputs))


def of_kind(entries: list[Any], kind: str) -> list[Any]:
    """The entries of one kind."""
    return [entry for entry in entries if type(entry).__name__ == kind]


async def records(run: Run, kind: str) -> list[Any]:
    """The entries of one kind, from a run's journal."""
    return of_kind(await run.journal(), kind)


async def kinds(run: Run) -> list[str]:
    """What happened, in order, as kinds of entries."""
    return [type(entry).__name__ for entry in await run.journal()]


def states(result: Result) -> dict[str, str]:
    """The state of every step."""
    return {key: str(step.state) for key, step in result.steps.items()}


async def until(run: Run, kind: str, *, step: str | None = None, times: int = 1) -> None:
    """Return when an entry of this kind (of this step) has been journalled so many times."""
    async for event in run.events():
        entry: Any = getattr(event, "entry", None)
        if type(entry).__name__ == kind and step in (None, getattr(entry, "step", None)):
            times -= 1
            if not times:
                return
    raise AssertionError(f"the run ended without {kind}")


async def pass_time(seconds: float) -> None:
    """Let simulated time pass."""
    await SimulatedClock().sleep(seconds)
