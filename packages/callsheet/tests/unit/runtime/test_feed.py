from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from callsheet.core.ids import RunId
from callsheet.core.plan.plan import Plan, Step
from callsheet.core.run.entries import NULL, ProblemNoted, RunEnded, RunStarted
from callsheet.errors import EngineClosedError
from callsheet.runtime.feed import QUEUE, Event, Feed, Progress
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Journal

RUN = RunId("r")


class Stage:
    """A journal of one run, and a feed that is told of what is written."""

    def __init__(self) -> None:
        self.journal: Journal = MemoryStore().journal
        self.feed = Feed(self.journal, SimulatedClock())
        self.live = True
        self.length = 0

    async def write(self, *entries: AnyEntry) -> None:
        after = self.length
        self.length = await self.journal.append(RUN, entries, after=after)
        self.feed.publish(RUN, after, entries)

    async def begin(self) -> None:
        plan = Plan(steps=(Step(id="a", tool="t"),))
        await self.write(
            RunStarted(
                at=now(),
                run=RUN,
                plan=plan,
                inputs=NULL,
                tools={},
                seed="s",
                format=1,
                core=1,
                flags=(),
            )
        )

    async def note(self, count: int = 1) -> None:
        await self.write(*(ProblemNoted(at=now(), message=f"{n}") for n in range(count)))

    async def end(self) -> None:
        await self.write(RunEnded(at=now(), state="succeeded"))

    async def watch(self, after: int = 0, slowly: float = 0) -> list[Any]:
        told = []
        async for event in self.feed.events(RUN, after=after, live=lambda: self.live):
            told.append(event)
            if slowly:
                await pass_time(slowly)
        return told


def now() -> Any:
    return SimulatedClock().now()


async def pass_time(seconds: float) -> None:
    await SimulatedClock().sleep(seconds)


def numbers(told: Sequence[Any]) -> list[int]:
    return [event.seq for event in told if isinstance(event, Event)]


@simulated
async def test_entries_are_told_once_and_in_order_until_the_end() -> None:
    stage = Stage()
    await stage.begin()
    async with asyncio.TaskGroup() as group:
        early = group.create_task(stage.watch())
        await pass_time(1)
        await stage.note(3)
        late = group.create_task(stage.watch(after=2))
        await pass_time(1)
        await stage.note()
        await stage.end()
    assert numbers(early.result()) == [1, 2, 3, 4, 5, 6]
    assert numbers(late.result()) == [3, 4, 5, 6]
    assert early.result()[-1].kind == "RunEnded"


@simulated
async def test_a_batch_larger_than_the_queue_loses_nothing() -> None:
    stage = Stage()
    await stage.begin()
    async with asyncio.TaskGroup() as group:
        watcher = group.create_task(stage.watch())
        await pass_time(1)
        await stage.note(QUEUE * 3)
        await stage.end()
    assert numbers(watcher.result()) == list(range(1, QUEUE * 3 + 3))


@simulated
async def test_a_slow_subscriber_catches_up_from_the_journal() -> None:
    stage = Stage()
    await stage.begin()
    async with asyncio.TaskGroup() as group:
        watcher = group.create_task(stage.watch(slowly=0.01))
        for _ in range(10):
            await pass_time(0.1)
            await stage.note(QUEUE // 2)
        await stage.end()
    assert numbers(watcher.result()) == list(range(1, 10 * (QUEUE // 2) + 3))


class SlowJournal:
    """A journal in which things are written while it is being read."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.during: Callable[[], Any] | None = None

    async def read(self, run: RunId, *, after: int = 0, limit: int | None = None) -> Any:
        found = await self._journal.read(run, after=after, limit=limit)
        if not found and (during := self.during):
            self.during = None
            await during()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


@pytest.mark.requirement("events:lagging-subscriber-catches-up")
@simulated
async def test_what_overflows_the_queue_while_the_journal_is_read_is_not_lost() -> None:
    stage = Stage()
    await stage.begin()
    slow: Any = SlowJournal(stage.journal)
    stage.feed = Feed(slow, SimulatedClock())

    async def much() -> None:
        await stage.note(QUEUE * 2 + 5)

    slow.during = much
    async with asyncio.TaskGroup() as group:
        watcher = group.create_task(stage.watch())
        await pass_time(1)
        await stage.end()
    assert numbers(watcher.result()) == list(range(1, QUEUE * 2 + 8))


@simulated
async def test_a_run_that_has_ended_is_told_and_then_the_stream_ends() -> None:
    stage = Stage()
    await stage.begin()
    await stage.end()
    stage.live = False
    assert numbers(await stage.watch()) == [1, 2]
    assert numbers(await stage.watch(after=1)) == [2]
    assert numbers(await stage.watch(after=2)) == []
    assert numbers(await stage.watch(after=99)) == []


@simulated
async def test_a_run_that_another_process_drives_is_looked_at_again_and_again() -> None:
    stage = Stage()
    await stage.begin()
    stage.live = False
    other = Feed(stage.journal, SimulatedClock())
    async with asyncio.TaskGroup() as group:
        watcher = group.create_task(stage.watch())
        stage.feed = other  # whoever writes now tells nobody here
        await pass_time(1)
        await stage.note()
        await pass_time(1)
        await stage.end()
    assert numbers(watcher.result()) == [1, 2, 3]


class EndsInBetween:
    """A journal whose run ends, driven elsewhere, after it was read and before its head is."""

    def __init__(self, stage: Stage) -> None:
        self._stage, self._journal = stage, stage.journal

    async def head(self, run: RunId) -> RunHead | None:
        head = await self._journal.head(run)
        if head is not None and head.ended is None:
            await self._stage.note(3)
            await self._stage.end()
        return await self._journal.head(run)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


@pytest.mark.requirement("E15")
@simulated
async def test_a_run_that_ends_elsewhere_between_two_looks_is_told_to_its_end() -> None:
    stage = Stage()
    await stage.begin()
    stage.live = False
    journal: Any = EndsInBetween(stage)
    watching = Feed(journal, SimulatedClock())
    told = [each async for each in watching.events(RUN, live=lambda: False)]
    assert numbers(told) == [1, 2, 3, 4, 5]


@simulated
async def test_who_waits_is_told_when_the_engine_is_closed() -> None:
    stage = Stage()
    await stage.begin()
    async with asyncio.TaskGroup() as group:

        async def watch() -> None:
            with pytest.raises(EngineClosedError):
                await stage.watch()

        group.create_task(watch())
        await pass_time(1)
        stage.live = False
        stage.feed.close()
        stage.feed.wake(RUN)


@simulated
async def test_listeners_are_called_in_order_and_what_one_raises_is_its_own() -> None:
    stage = Stage()
    heard: list[Any] = []

    def bad(told: Any) -> None:
        heard.append("bad")
        raise ValueError("bad")

    stop = stage.feed.listen(bad)
    stage.feed.listen(lambda told: heard.extend(numbers([told])))
    await stage.begin()
    stop()
    stop()
    await stage.end()
    assert heard == ["bad", 1, 2]


@simulated
async def test_progress_is_told_to_whoever_is_there_and_to_nobody_else() -> None:
    stage = Stage()
    await stage.begin()
    half = Progress(run=RUN, step="a", fraction=0.5, message="")
    stage.feed.progress(half)
    async with asyncio.TaskGroup() as group:
        watcher = group.create_task(stage.watch())
        await pass_time(1)
        stage.feed.progress(half)
        await stage.end()
    assert [type(told).__name__ for told in watcher.result()] == ["Event", "Progress", "Event"]


@simulated
async def test_whoever_leaves_is_forgotten() -> None:
    stage = Stage()
    await stage.begin()
    events = stage.feed.events(RUN, live=lambda: True)
    assert numbers([await anext(events)]) == [1]
    await events.aclose()  # type: ignore[attr-defined]
    assert not stage.feed._subscribers  # noqa: SLF001 -- the leak would be in there
