"""Requests of other processes: each run's in its order, and nobody waits for another's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.stage import a_plan, of_kind, opened, until

from callsheet import Engine, Step
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request
from callsheet.stores.memory.store import MemoryStore
from callsheet.stores.sqlite.store import DATABASE
from callsheet.testing import SimulatedClock, World, hangs, simulated
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.request import RequestKind
    from callsheet.ports import Journal

pytestmark = pytest.mark.requirement("processes:second-terminal", "E11")


class SlowJournal:
    """A journal that counts who reads it, and makes readers of some runs wait."""

    def __init__(self, inner: Journal) -> None:
        self._inner = inner
        self.reads: Counter[str] = Counter()
        self.slow: dict[str, asyncio.Event] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        self.reads[run] += 1
        if run in self.slow:
            await self.slow[run].wait()
        return await self._inner.read(run, after=after, limit=limit)


def a_store() -> tuple[MemoryStore, SlowJournal]:
    store = MemoryStore()
    journal = SlowJournal(store.journal)
    store.journal = journal  # type: ignore[assignment]
    return store, journal


@asynccontextmanager
async def driving(store: MemoryStore, world: World) -> AsyncIterator[Engine]:
    engine = Engine(store, Registry(world.tools), SimulatedClock(), watched=False)
    async with engine.runtime:
        yield engine


def a_world() -> World:
    world = World()
    world.tool("hangs", hangs())
    return world


PLAN = a_plan(Step(id="a", tool="hangs"))


@simulated
async def test_a_run_whose_tools_are_missing_is_looked_at_less_and_less() -> None:
    store, journal = a_store()
    async with driving(store, a_world()) as engine:
        run = await engine.start(PLAN)
    journal.reads.clear()
    async with driving(store, World()) as engine:
        await store.inbox.put(Request(id="q", run=run.id, kind="cancel"))
        await SimulatedClock().sleep(60)
        assert 2 <= journal.reads[run.id] <= 40
        assert await store.inbox.settled("q") is None
    async with driving(store, a_world()) as engine:
        await engine.resume(run.id)
        assert (await (await engine.get(run.id)).wait()).state == "cancelled"


@pytest.mark.requirement("E26")
@simulated
async def test_a_run_that_was_left_alone_is_served_at_once_when_it_is_driven_here() -> None:
    store, _ = a_store()
    async with driving(store, a_world()) as engine:
        run = await engine.start(PLAN)
    tools = Registry()
    engine = Engine(store, tools, SimulatedClock(), watched=False)
    async with engine.runtime:
        await store.inbox.put(Request(id="q1", run=run.id, kind="pause"))
        await SimulatedClock().sleep(60)  # without its tools it is looked at less and less
        assert await store.inbox.settled("q1") is None
        for each in a_world().tools:
            tools.add(each)
        await engine.resume(run.id)
        assert await store.inbox.settled("q1") is not None
        await store.inbox.put(Request(id="q2", run=run.id, kind="resume"))
        await SimulatedClock().sleep(0.1)
        assert await store.inbox.settled("q2") is not None


@simulated
async def test_one_slow_run_delays_nobody_elses_cancel() -> None:
    store, journal = a_store()
    async with driving(store, a_world()) as engine:
        slow, other = await engine.start(PLAN), await engine.start(PLAN)
    journal.slow[slow.id] = asyncio.Event()
    async with driving(store, a_world()) as engine:
        await store.inbox.put(Request(id="q1", run=slow.id, kind="cancel"))
        await store.inbox.put(Request(id="q2", run=other.id, kind="cancel"))
        await SimulatedClock().sleep(1)
        assert await store.inbox.settled("q1") is None
        assert await store.inbox.settled("q2") is not None
        journal.slow.pop(slow.id).set()
        await SimulatedClock().sleep(1)
        assert await store.inbox.settled("q1") is not None


@simulated
async def test_requests_to_one_run_are_served_in_the_order_they_were_left() -> None:
    store, _ = a_store()
    async with driving(store, a_world()) as engine:
        run = await engine.start(PLAN)
        for number in range(10):
            kind: RequestKind = "resume" if number % 2 else "pause"
            await store.inbox.put(Request(id=f"q{number}", run=run.id, kind=kind, by=str(number)))
        await SimulatedClock().sleep(1)
        said = [
            (type(entry).__name__, entry.by)
            for entry in await run.journal()
            if isinstance(entry, (e.RunPaused, e.RunResumed))
        ]
    assert said == [("RunResumed" if n % 2 else "RunPaused", str(n)) for n in range(10)]


NONSENSE = {
    "no JSON": "rubbish",
    "a list": "[1]",
    "a number for a name": '{"id":"q","run":"RUN","kind":"pause","by":7}',
    "half a pair": '{"id":"q","run":"RUN","kind":"pause","by":"\\ud800"}',
    "deeper than any stack": '{"id":"q","run":"RUN","kind":"answer","step":"ok","answer":'
    + "[" * 50_000
    + "]" * 50_000
    + "}",
    "too deep": '{"id":"q","run":"RUN","kind":"answer","step":"ok","answer":'
    + "[" * 100
    + "]" * 100
    + "}",
    "steps that are none": '{"id":"q","run":"RUN","kind":"add","steps":[{"id":"x","tool":[]}]}',
    "an unknown step": '{"id":"q","run":"RUN","kind":"answer","step":"no","answer":1}',
}


@pytest.mark.parametrize("case", NONSENSE)
@simulated
async def test_nonsense_in_the_inbox_is_refused_and_the_run_does_not_notice(
    case: str, tmp_path: Path
) -> None:
    plan = a_plan(Step(id="ok", ask="Go on?"), Step(id="b", tool="hangs"))
    async with opened(a_world(), tmp_path) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        before = await run.journal()
        body = NONSENSE[case].replace("RUN", run.id)
        with sqlite3.connect(tmp_path / DATABASE) as database:
            database.execute("INSERT INTO inbox (id, run, body) VALUES ('q', ?, ?)", (run.id, body))
        database.close()
        inbox = engine._store.inbox  # noqa: SLF001 -- as another process would see it
        async with asyncio.timeout(60):
            while (settled := await inbox.settled("q")) is None:
                await SimulatedClock().sleep(0.1)
        assert settled.refusal
        assert await run.journal() == before
        await run.cancel()
        assert (await run.wait()).state == "cancelled"
        assert of_kind(await run.journal(), "ProblemNoted") == []
