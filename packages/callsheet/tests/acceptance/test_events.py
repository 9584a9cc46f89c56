"""Events: the journal is the stream, and no listener can harm a run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, pass_time, until

from callsheet import CallsheetError, Event, Progress, Retry, Step
from callsheet.errors import TransientError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Run


def a_world() -> World:
    world = World()
    world.pair("book", "cancel", waits(1, world.stands))
    world.tool("flaky", [raises(TransientError("x")), returns(1)], retry=Retry(backoff=0.5))
    world.tool("ok", waits(1))
    return world


def a_busy_plan() -> Any:
    return a_plan(
        Step(id="a", tool="flaky"),
        Step(id="each", tool="book", for_each=[1, 2, 3]),
        Step(id="b", tool="ok", needs=("a", "each")),
    )


async def seen(run: Run, after: int = 0) -> list[Event]:
    return [event async for event in run.events(after=after) if isinstance(event, Event)]


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("events:resume-without-loss", "E15")
@simulated
async def test_a_stream_is_the_journal_in_order_and_ends_with_the_run(
    durable: bool, tmp_path: Path
) -> None:
    async with opened(a_world(), tmp_path / "home" if durable else None) as engine:
        run = await engine.start(a_busy_plan())
        live = await seen(run)
        late = await seen(run)
        journal = await run.journal()
    assert [event.seq for event in live] == list(range(1, len(journal) + 1))
    assert [event.entry for event in live] == journal
    assert late == live
    assert live[0].kind == "RunStarted"
    assert [event.kind for event in live].count("RunEnded") == 1
    assert live[-1].kind == "RunEnded"
    assert {event.run for event in live} == {run.id}


@pytest.mark.requirement("events:resume-without-loss", "E15")
@simulated
async def test_a_stream_resumed_anywhere_neither_loses_nor_repeats() -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(a_busy_plan())
        whole = await seen(run)
        for after in range(len(whole) + 1):
            assert await seen(run, after) == whole[after:]


@pytest.mark.requirement("events:resume-without-loss", "E15")
@simulated
async def test_who_leaves_and_comes_back_while_it_runs_misses_nothing() -> None:
    got: list[Event] = []
    async with opened(a_world()) as engine:
        run = await engine.start(a_busy_plan())
        while not got or got[-1].kind != "RunEnded":
            async for event in run.events(after=got[-1].seq if got else 0):
                assert isinstance(event, Event)
                got.append(event)
                break
            await pass_time(0.1)
        assert got == await seen(run)


@pytest.mark.requirement("events:resume-without-loss")
@simulated
async def test_a_stream_goes_on_when_an_ended_run_is_undone() -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="book")))
        before = await seen(run)
        await run.undo()
        after = await seen(run, before[-1].seq)
        whole = await seen(run)
    assert [event.kind for event in after] == [
        "UndoRequested",
        "UndoStarted",
        "UndoEnded",
        "RunEnded",
    ]
    assert whole == before + after


@pytest.mark.requirement("events:listener-cannot-break-a-run", "E15")
@simulated
async def test_listeners_are_called_in_order_and_one_that_raises_harms_nobody() -> None:
    world = a_world()
    first: list[Any] = []
    second: list[Any] = []
    order: list[str] = []

    def hears(event: Any) -> None:
        first.append(event)
        order.append("first")

    def breaks(event: Any) -> None:
        order.append("bad")
        raise RuntimeError("a bug in a listener")

    def gives_up(event: Any) -> None:
        raise asyncio.CancelledError

    def hears_too(event: Any) -> None:
        second.append(event)
        order.append("second")

    async with opened(world) as engine:
        for listener in (hears, breaks, gives_up, hears_too):
            engine.listen(listener)
        run = await engine.start(a_busy_plan())
        result = await finish(engine, run)
        whole = await seen(run)
    assert result.state == "succeeded"
    assert first == second == whole
    assert order == ["first", "bad", "second"] * len(whole)


@pytest.mark.requirement("events:listener-cannot-break-a-run")
@simulated
async def test_a_listener_hears_of_all_runs_until_it_stops_listening() -> None:
    heard: list[Any] = []
    async with opened(a_world()) as engine:
        stop = engine.listen(heard.append)
        one = await engine.start(a_plan(Step(id="a", tool="ok")))
        other = await engine.start(a_plan(Step(id="b", tool="ok")))
        await one.wait()
        await other.wait()
        so_far = list(heard)
        stop()
        await carry_out(engine, a_plan(Step(id="c", tool="ok")))
    assert heard == so_far
    for run in (one, other):
        assert [event.seq for event in heard if event.run == run.id] == [1, 2, 3, 4]


@pytest.mark.requirement("events:listener-cannot-break-a-run")
@simulated
async def test_what_a_listener_hears_is_already_written(tmp_path: Path) -> None:
    lengths: list[tuple[int, asyncio.Task[list[Any]]]] = []
    async with opened(a_world(), tmp_path / "home") as engine, asyncio.TaskGroup() as group:
        run = await engine.start(a_busy_plan())

        def look(event: Any) -> None:
            lengths.append((event.seq, group.create_task(run.journal())))

        engine.listen(look)
        await run.wait()
    assert lengths
    assert all(len(journal.result()) >= seq for seq, journal in lengths)


@pytest.mark.requirement("events:lagging-subscriber-catches-up", "E15")
@simulated
async def test_a_subscriber_that_lags_catches_up_and_the_run_does_not_wait() -> None:
    world = World()
    world.tool("ok")
    got: list[int] = []
    plan = a_plan(Step(id="each", tool="ok", for_each=list(range(1500))), concurrency=100)
    async with opened(world) as engine:
        run = await engine.start(plan)

        async def dawdle() -> None:
            async for event in run.events():
                if isinstance(event, Event):
                    got.append(event.seq)
                    await pass_time(0.001 if len(got) > 1 else 100)

        async with asyncio.TaskGroup() as group:
            group.create_task(dawdle())
            result = await run.wait()
            assert asyncio.get_running_loop().time() < 50, "the run did not wait"
        length = len(await run.journal())
    assert result.state == "succeeded"
    assert length > 3000
    assert got == list(range(1, length + 1)), "each once, in order"


@pytest.mark.requirement("E15", "events:resume-without-loss")
@simulated
async def test_progress_is_ephemeral() -> None:
    world, told = World(), asyncio.Event()

    async def renders(call: Any, ctx: Any) -> None:
        await told.wait()
        ctx.progress(0.5, "half way")
        await ctx.sleep(1)
        ctx.progress(message="nearly")

    world.tool("render", renders)
    heard: list[Any] = []
    async with opened(world) as engine:
        engine.listen(heard.append)
        run = await engine.start(a_plan(Step(id="a", tool="render")))

        async def watch() -> list[Any]:
            return [event async for event in run.events()]

        async with asyncio.TaskGroup() as group:
            watching = group.create_task(watch())
            await until(run, "AttemptStarted")
            await pass_time(1)
            told.set()
        journal = await run.journal()
        late = [event async for event in run.events()]
    both = [
        Progress(run=run.id, step="a", fraction=0.5, message="half way"),
        Progress(run=run.id, step="a", fraction=None, message="nearly"),
    ]
    assert [event for event in watching.result() if isinstance(event, Progress)] == both
    assert [event for event in heard if isinstance(event, Progress)] == both
    assert len(late) == len(journal), "later, only what was journalled"
    assert watching.result()[-1].kind == "RunEnded"


@pytest.mark.requirement("E15", "E3")
@simulated
async def test_many_may_watch_and_whoever_stops_watching_changes_nothing() -> None:
    world, release = World(), asyncio.Event()
    world.tool("hangs", hangs(release))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="hangs")))

        async def watch() -> list[Event]:
            return await seen(run)

        async with asyncio.TaskGroup() as group:
            watchers = [group.create_task(watch()) for _ in range(5)]
            waiter = group.create_task(run.wait())
            await until(run, "AttemptStarted")
            watchers[0].cancel()
            waiter.cancel()
            await pass_time(1)
            release.set()
        result = await finish(engine, run)
        whole = await seen(run)
    assert result.state == "succeeded"
    assert [watcher.result() for watcher in watchers[1:]] == [whole] * 4
    assert not world.calls[0].told


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("E15")
@simulated
async def test_a_stream_ends_with_an_error_when_the_engine_is_closed(
    durable: bool, tmp_path: Path
) -> None:
    world = World()
    world.tool("hangs", hangs())
    got: list[Any] = []
    home = tmp_path / "home" if durable else None
    async with asyncio.TaskGroup() as group, opened(world, home) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="hangs")))

        async def watch() -> None:
            with pytest.raises(CallsheetError) as closed:
                got.extend([event async for event in run.events()])
            got.append(closed.value)

        group.create_task(watch())
        await until(run, "AttemptStarted")
        await pass_time(1)
    (error,) = got
    assert error.code == "engine_closed"
