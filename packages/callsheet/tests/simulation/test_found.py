"""What the simulation has found in the engine, each as the shortest story that shows it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from callsheet import Budget, Engine, Plan, Retry, RunState, Step
from callsheet.core.ids import RunId, StepKey
from callsheet.core.index.derived import CachedCall
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request, Settled
from callsheet.errors import (
    KeyReusedError,
    RequestRefusedError,
    StoreCorruptError,
    StoreError,
    TransientError,
)
from callsheet.runtime.cache import Lookups
from callsheet.runtime.journal import WholeJournal
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.stores.memory.store import MemoryInbox, MemoryJournal, MemoryStore
from callsheet.stores.sql import records
from callsheet.testing import (
    SimulatedClock,
    World,
    echo,
    ignores_stop,
    raises,
    returns,
    simulated,
    waits,
)
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.run.entries import AnyEntry
    from callsheet.runtime.run import Run


class FailingJournal(MemoryJournal):
    """Fails once, when an entry of this kind is appended."""

    def __init__(self, right: MemoryStore, kind: type[AnyEntry], error: StoreError) -> None:
        self.__dict__.update(vars(right.journal))
        self._fails_at: type[AnyEntry] | None = kind
        self._error = error

    @override
    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        if self._fails_at and any(isinstance(entry, self._fails_at) for entry in entries):
            self._fails_at = None
            raise self._error
        return await super().append(run, entries, after=after)


def engine_that_fails_at(
    kind: type[AnyEntry], world: World, error: StoreError | None = None
) -> tuple[Engine, MemoryStore]:
    store = MemoryStore()
    store.journal = FailingJournal(store, kind, error or StoreError("The disk has failed."))
    return Engine(store, Registry(world.tools), SimulatedClock()), store


@simulated
async def test_an_end_that_could_not_be_written_is_told_to_nobody() -> None:
    world = World()
    world.tool("look")
    engine, _ = engine_that_fails_at(e.RunEnded, world)
    async with engine.runtime:
        run = await engine.start(Plan(steps=(Step(id="a", tool="look"),)))
        # Nobody resumes it: the end is told when it is written, which is a moment later.
        assert (await run.wait()).state is RunState.SUCCEEDED
        assert isinstance((await run.journal())[-1], e.RunEnded)


@simulated
async def test_a_request_that_the_disk_did_not_take_is_not_refused_but_served_later() -> None:
    world = World()
    engine, store = engine_that_fails_at(e.CancelRequested, world)
    async with engine.runtime:
        run = await engine.start(Plan(steps=(Step(id="a", ask="Shall it be?"),)))
        await store.inbox.put(Request(id="q1", run=run.id, kind="cancel"))
        while await store.inbox.settled("q1") is None:
            await SimulatedClock().sleep(0.1)
        settled = await store.inbox.settled("q1")
        assert settled is not None
        assert settled.refusal is None
        assert (await run.status()).state is RunState.CANCELLED


DOUBTFUL = Plan(steps=(Step(id="a", tool="pay"),))


async def question(run: Run, number: int) -> str:
    while len([x for x in await run.journal() if isinstance(x, e.QuestionAsked)]) < number:
        await SimulatedClock().sleep(0.1)
    return [x.question for x in await run.journal() if isinstance(x, e.QuestionAsked)][-1]


@simulated
async def test_a_late_answer_is_not_taken_for_one_to_the_next_question() -> None:
    world = World()
    world.tool("pay", raises(TransientError("lost")), effect="write")
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(DOUBTFUL)
        first = await question(run, 1)
        await run.answer("a", "did_not", question=first)
        second = await question(run, 2)
        assert second != first
        with pytest.raises(RequestRefusedError, match="answered"):
            await run.answer("a", "did_not", question=first)
        assert world.count("pay") == 2


@simulated
async def test_a_paid_call_in_doubt_is_charged_also_when_it_is_taken_back() -> None:
    world = World()
    world.pair("pay", "refund", raises(TransientError("lost")), ceiling=2.0)
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(DOUBTFUL)
        await question(run, 1)
        await run.answer("a", "undo")
        result = await run.wait()
    assert result.cost.usd == 2.0


class ForgetfulInbox(MemoryInbox):
    """Fails to keep what became of requests, so often."""

    def __init__(self, right: MemoryStore, failures: int) -> None:
        self.__dict__.update(vars(right.inbox))
        self._left = failures

    @override
    async def settle(self, request: str, settled: Settled) -> None:
        self._left -= 1
        if self._left >= 0:
            raise StoreError("The disk has failed.")
        await super().settle(request, settled)


@pytest.mark.parametrize("failures", range(1, 8))
@simulated
async def test_a_request_that_is_served_again_is_not_refused_because_it_was_done(
    failures: int,
) -> None:
    world = World()
    world.pair("book", "cancel")
    store = MemoryStore()
    store.inbox = ForgetfulInbox(store, failures)
    engine = Engine(store, Registry(world.tools), SimulatedClock())
    async with engine.runtime:
        run = await engine.start(Plan(steps=(Step(id="a", tool="book"),)))
        await run.wait()
        await store.inbox.put(Request(id="q1", run=run.id, kind="undo"))
        while (settled := await store.inbox.settled("q1")) is None:
            await SimulatedClock().sleep(0.1)
        assert (await run.status()).state is RunState.UNDONE
    assert settled.refusal is None


@simulated
async def test_a_step_is_not_refused_for_money_that_a_retry_may_still_release() -> None:
    world = World()
    world.tool("shred", effect="write", idempotent=True, ceiling=0.1)
    acts = [raises(TransientError("lost")), echo]
    world.tool("print", acts, effect="write", undo="shred", ceiling=1.0, retry={"backoff": 1})
    world.tool("look", waits(5))
    world.tool("fetch", ceiling=1.2)
    plan = Plan(
        steps=(
            Step(id="print", tool="print", in_doubt="retry", retry=Retry(attempts=2)),
            Step(id="look", tool="look"),
            Step(id="fetch", tool="fetch", needs=("look",), on_failure="skip"),
        ),
        budget=Budget(usd=1.25),
    )
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(plan)
        await run.pause()
        await SimulatedClock().sleep(20)
        await run.resume()
        await run.wait()
        starts = [x.step for x in await run.journal() if isinstance(x, e.AttemptStarted)]
        report = await engine.replay(run.id)
    assert starts.count("print") == 2
    assert report.same, report.difference


@simulated
async def test_a_fork_that_is_asked_for_again_is_the_same_fork() -> None:
    # Its start was written, and whoever wanted it was told that the disk had failed.
    world = World()
    world.tool("look")
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="look", args={"x": 1}),)), key="k")
        await run.wait()
        fork = await engine.fork(run.id, "a", key="again")
        assert (await engine.fork(run.id, "a", key="again")).id == fork.id
        with pytest.raises(KeyReusedError):
            await engine.fork(run.id, "a", {"x": 2}, key="again")
        with pytest.raises(KeyReusedError):
            await engine.fork(run.id, "a", key="k")


@simulated
async def test_it_is_the_same_fork_also_when_its_open_source_has_grown() -> None:
    world = World()
    world.tool("look")
    async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="look"),)), open=True)
        fork = await engine.fork(run.id, "a", key="again")
        await run.add([Step(id="b", tool="look")])
        assert (await engine.fork(run.id, "a", key="again")).id == fork.id


class OneCall:
    """A cache that knows one call."""

    def __init__(self, entry: e.AttemptEnded) -> None:
        self._call = CachedCall(run=RunId("r1"), entry=entry)

    def find(self, key: str) -> asyncio.Future[CachedCall | None]:
        del key
        found: asyncio.Future[CachedCall | None] = asyncio.get_running_loop().create_future()
        found.set_result(self._call)
        return found


@simulated
async def test_a_cached_read_that_grows_too_old_while_its_step_is_held_back_is_not_used() -> None:
    clock, store = SimulatedClock(), MemoryStore()
    entry = e.AttemptEnded(at=clock.now(), step="a", attempt=1, outcome="succeeded")
    lookups = Lookups(
        OneCall(entry),
        WholeJournal(store.journal, open_artifacts(None, now=clock.now), clock),
        clock,
        spawn=lambda work: asyncio.get_running_loop().create_task(work),
        nudge=lambda: None,
    )
    step = StepKey("s")
    assert not lookups.is_pending(step, "key", 4.0)
    assert lookups.answer(step, 4.0) is not None
    await clock.sleep(5)
    assert lookups.answer(step, 4.0) is None
    assert lookups.answer(step, None) is not None


@pytest.mark.requirement("doubt:never-blindly-repeated")
@simulated
async def test_a_run_resumed_after_its_loop_was_dropped_calls_no_write_beside_itself() -> None:
    world, end = World(), asyncio.Event()
    world.tool("deaf", [ignores_stop(end), returns(2)], effect="write", idempotent=True)
    world.tool("look", waits(1))
    engine, _ = engine_that_fails_at(e.AttemptEnded, world, StoreCorruptError("It is damaged."))
    async with engine.runtime:
        plan = Plan(steps=(Step(id="a", tool="deaf"), Step(id="b", tool="look")))
        run = await engine.start(plan)
        with pytest.raises(StoreCorruptError):
            await run.wait()
        await engine.resume(run.id)
        await SimulatedClock().sleep(60)
        assert world.count("deaf") == 1, "the first one is still at work"
        end.set()
        assert (await run.wait()).state == "succeeded"
    first, second = world.of("deaf")
    assert first.before(second)


class AwayJournal(MemoryJournal):
    """Cannot be read so often, once it is told."""

    def __init__(self, right: MemoryStore) -> None:
        self.__dict__.update(vars(right.journal))
        self.away = 0

    @override
    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        if self.away:
            self.away -= 1
            raise StoreError("The disk has failed.")
        return await super().read(run, after=after, limit=limit)


@pytest.mark.requirement("E26")
@simulated
async def test_a_run_that_cannot_be_read_when_it_is_found_is_taken_over_a_moment_later() -> None:
    world, store, clock = World(), MemoryStore(), SimulatedClock()
    world.tool("look")
    journal = store.journal = AwayJournal(store)
    before = Engine(store, Registry(world.tools), clock)
    async with before.runtime:
        plan = Plan(steps=(Step(id="a", ask="Well?"), Step(id="b", tool="look", needs=("a",))))
        run = (await before.start(plan)).id
    after = Engine(store, Registry(world.tools), clock)
    journal.away = 3
    async with after.runtime:
        await after.runtime.recover()
        while after.runtime.loop_of(run) is None:
            await clock.sleep(0.1)
    assert not journal.away


@pytest.mark.requirement("E14")
@simulated
async def test_a_sub_plan_that_had_not_begun_is_not_begun_while_its_run_is_paused() -> None:
    world, clock = World(), SimulatedClock()
    world.tool("look")
    inside = Plan(name="inside", steps=(Step(id="a", tool="look"),))
    async with Engine.in_memory(world.tools, clock=clock) as engine:
        run = await engine.start(Plan(steps=(Step(id="in", plan=inside),)))
        await run.wait()
        begun = (e.RunStarted, e.AttemptStarted)
        entries: list[AnyEntry] = [x for x in await run.journal() if isinstance(x, begun)]
    # As after a crash between the start of the step and the start of the run that it is.
    left = MemoryStore()
    entries.append(e.RunPaused(at=entries[-1].at))
    await left.journal.append(run.id, entries, after=0)
    again = Engine(left, Registry(world.tools), clock)
    async with again.runtime:
        await again.runtime.recover()
        await clock.sleep(60)
        assert world.count("look") == 1, "it was called before the pause, and not since"
        await (await again.get(run.id)).resume()
        assert (await (await again.get(run.id)).wait()).state is RunState.SUCCEEDED
    assert world.count("look") == 2


class StaleInbox(MemoryInbox):
    """Shows a request once more, as to somebody who has looked before it was settled."""

    def __init__(self, right: MemoryStore) -> None:
        self.__dict__.update(vars(right.inbox))
        self.stale = False

    @override
    async def pending(self) -> Sequence[Request]:
        if not self.stale:
            return await super().pending()
        self.stale = False
        return tuple(records.request_of(body) for body in self._contents.requests.values())


@simulated
async def test_a_request_whose_refusal_was_told_is_not_done_later() -> None:
    world, clock, store = World(), SimulatedClock(), MemoryStore()
    world.tool("look", waits(5))
    inbox = store.inbox = StaleInbox(store)
    engine = Engine(store, Registry(world.tools), clock)
    async with engine.runtime:
        steps = Step(id="a", tool="look"), Step(id="b", ask="Well?", needs=("a",))
        run = await engine.start(Plan(steps=steps))
        await inbox.put(Request(id="q1", run=run.id, kind="answer", step="b", answer="yes"))
        while (settled := await inbox.settled("q1")) is None:
            await clock.sleep(0.1)
        assert settled.refusal, "nothing is asked yet"
        await question(run, 1)
        inbox.stale = True
        await clock.sleep(10)
        assert not inbox.stale
        assert not [x for x in await run.journal() if isinstance(x, e.AnswerRecorded)]
