"""How a run stands, told by whoever drives it: by its snapshot, and only what is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet import Engine, Plan, RunState, Step, StepState
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.errors import StoreError
from callsheet.stores.memory.store import MemoryJournal, MemoryStore
from callsheet.testing import SimulatedClock, World, simulated, waits
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from callsheet.core.ids import RunId
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.snapshot import Snapshot


class HeldJournal(MemoryJournal):
    """Holds an append of such an entry until it is let go, and then may fail."""

    def __init__(self, right: MemoryStore, kind: type[AnyEntry]) -> None:
        self.__dict__.update(vars(right.journal))
        self._kind = kind
        self.reached = asyncio.Event()
        self.let_go = asyncio.Event()
        self.fails = False

    @override
    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        if any(isinstance(entry, self._kind) for entry in entries):
            self.reached.set()
            await self.let_go.wait()
            if self.fails:
                raise StoreError("The disk has failed.")
        return await super().append(run, entries, after=after)


def engine_held_at(kind: type[AnyEntry], world: World) -> tuple[Engine, HeldJournal]:
    store = MemoryStore()
    store.journal = journal = HeldJournal(store, kind)
    return Engine(store, Registry(world.tools), SimulatedClock()), journal


ONE = Plan(steps=(Step(id="a", tool="look"),))


@simulated
async def test_what_is_about_to_be_written_is_told_when_it_is() -> None:
    world = World()
    world.tool("look")
    engine, journal = engine_held_at(e.AttemptEnded, world)
    async with engine.runtime:
        run = await engine.start(ONE)
        await journal.reached.wait()
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(run.status())
            await SimulatedClock().sleep(60)
            assert not asked.done(), "the loop knows that the step has ended, nobody else does"
            journal.let_go.set()
        assert asked.result().steps["a"].state is StepState.SUCCEEDED


@simulated
async def test_what_could_not_be_written_is_not_told() -> None:
    world = World()
    world.tool("look")
    engine, journal = engine_held_at(e.AttemptEnded, world)
    async with engine.runtime:
        run = await engine.start(ONE)
        await journal.reached.wait()
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(run.status())
            journal.fails = True
            journal.let_go.set()
    told = asked.result()
    assert (told.state, told.steps["a"].state) == (RunState.RUNNING, StepState.RUNNING)


@simulated
async def test_whoever_changes_what_was_shown_does_not_change_the_run() -> None:
    world = World()
    world.tool("look")
    world.tool("sleep", waits(60))
    steps = (
        Step(id="a", tool="look", args={"names": ["Ada"]}),
        Step(id="b", tool="sleep", needs=("a",)),
        Step(id="c", tool="look", args={"names": "${steps.a.names}"}, needs=("b",)),
    )
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=steps))
        async for shown in run.watch():
            output = shown.steps["a"].output
            if isinstance(output, dict) and isinstance(output["names"], list):
                output["names"].append("Mallory")
        assert world.calls[-1].args == {"names": ["Ada"]}


@simulated
async def test_a_result_stays_as_it_was_while_the_run_goes_on() -> None:
    world = World()
    world.tool("look", waits(5))
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(ONE)
        before = await run.status()
        after = await run.wait()
    assert (before.state, before.steps["a"].state) == (RunState.RUNNING, StepState.RUNNING)
    assert (after.state, after.steps["a"].state) == (RunState.SUCCEEDED, StepState.SUCCEEDED)


@simulated
async def test_nothing_is_folded_again_to_watch_a_run_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    world.tool("look", waits(5))
    applied: list[AnyEntry] = []
    right = fold.apply

    def apply(snapshot: Snapshot, entry: AnyEntry) -> None:
        applied.append(entry)
        right(snapshot, entry)

    monkeypatch.setattr(fold, "apply", apply)
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(ONE)
        shown = [result async for result in run.watch()]
        assert shown[-1].state is RunState.SUCCEEDED
        assert applied == await run.journal()


@simulated
async def test_a_sub_plan_that_is_driven_here_is_seen_through_its_own_loop() -> None:
    world = World()
    inner = Plan(steps=(Step(id="ok", ask="Go on?"),))
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=(Step(id="part", plan=inner),)))
        async for result in run.watch():
            if result.questions:
                assert result.state is RunState.WAITING
                assert [question.step for question in result.questions] == ["part/ok"]
                await run.answer("part/ok", "yes")
        assert result.state is RunState.SUCCEEDED
