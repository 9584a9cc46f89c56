"""Several processes on one home: what they cost each other, and what happens when one dies."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bench import ours as o
from bench.postgres import server
from bench.sampling import number
from bench.table import Row
from callsheet import Engine, Plan, Step

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from bench.cases import Bench
    from callsheet import Run

OTHERS = 3
SUBSCRIBERS = 100
WAITING = Plan(name="waiting", steps=(Step(id="ok", ask="Go on?"),))
DELIVERY = 15e-6


class Counted:
    """A journal, and how often it was read for the feed."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal
        self.reads = 0

    async def since(self, *args: Any, **options: Any) -> Any:
        self.reads += 1
        return await self._journal.since(*args, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


async def processes(bench: Bench) -> list[Row]:
    """Everything that is said of several processes on one home."""
    return [
        await _beside_idle_ones(bench),
        await _four_at_once(bench),
        await _four_on_a_server(bench),
        *await _subscribers(bench),
        await _take_over(bench),
        await _opening(bench),
        await _worst_commit(bench),
    ]


async def _beside_idle_ones(bench: Bench) -> Row:
    sizes, home = bench.sizes, bench.scratch / "idle"
    plan = o.chain(sizes.chain)
    alone: list[float] = []
    beside: list[float] = []
    async with o.ours(home) as engine:
        await engine.run(plan)
        for _ in range(sizes.samples):
            alone.append(await _seconds(engine, plan))
            async with _others(home, OTHERS):
                beside.append(await _seconds(engine, plan))
    share = statistics.median(a / b for a, b in zip(alone, beside, strict=True))
    return _share(f"chain of {sizes.chain}, {OTHERS} idle processes on the home", share, 0.9)


async def _seconds(engine: o.Ours, plan: Plan) -> float:
    began = time.perf_counter()
    await engine.run(plan)
    return time.perf_counter() - began


async def _four_at_once(bench: Bench) -> Row:
    rates = {count: await _rate(bench, bench.scratch / f"many{count}", count) for count in (1, 4)}
    return _share(_four(bench, "processes"), rates[4] / rates[1], 0.7)


async def _four_on_a_server(bench: Bench) -> Row:
    with server() as url:
        rates = {count: await _rate(bench, url, count) for count in (1, 4)}
    return _share(_four(bench, "processes on PostgreSQL"), rates[4] / rates[1], 0.9)


def _four(bench: Bench, processes: str) -> str:
    sizes = bench.sizes
    return f"4 {processes}, each {sizes.runs} runs x {sizes.run_length}, against one alone"


async def _rate(bench: Bench, place: Path | str, count: int) -> float:
    """Steps a second of so many processes together."""
    sizes = bench.sizes
    async with Engine.open(place):
        pass
    words = ("many", place, sizes.runs, sizes.run_length)
    started = [await _spawn(*words) for _ in range(count)]
    for each in started:
        await _line(each)
    began = time.perf_counter()
    for each in started:
        _go(each)
    for each in started:
        assert await each.wait() == 0
    return count * sizes.runs * sizes.run_length / (time.perf_counter() - began)


async def _subscribers(bench: Bench) -> list[Row]:
    """How often the journal is read for many subscribers, and what a delivery costs."""
    plan = o.chain(bench.sizes.run_length)
    told = 0
    cpu: dict[int, float] = {}
    reads: dict[int, int] = {}
    for count in (1, SUBSCRIBERS):
        async with o.ours(bench.scratch / f"feed{count}") as engine:
            journal = Counted(engine.engine.runtime.journal.journal)
            engine.engine.runtime.journal.journal = journal
            heard = [0] * count
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(_hear(engine.engine, heard, n)) for n in range(count)]
                await _all_have_heard(engine, heard, plan, 1)
                first = await journal.position()
                journal.reads, began = 0, time.process_time()
                await _all_have_heard(engine, heard, plan, bench.sizes.samples)
                cpu[count] = time.process_time() - began
                reads[count] = journal.reads
                told = (await journal.position() - first) * (SUBSCRIBERS - 1)
                for task in tasks:
                    task.cancel()
    each = (cpu[SUBSCRIBERS] - cpu[1]) / told
    return [
        Row(
            case=f"feed, {SUBSCRIBERS} subscribers: reads of the journal, against 1",
            ours=f"{reads[SUBSCRIBERS]} : {reads[1]}",
            bar="no more",
            met=reads[SUBSCRIBERS] <= reads[1],
        ),
        Row(
            case="feed: CPU of a delivery",
            ours=f"{number(each * 1e6)} µs",
            bar="≤ 15 µs",
            met=each <= DELIVERY,
        ),
    ]


async def _all_have_heard(engine: o.Ours, heard: list[int], plan: Plan, times: int) -> None:
    for _ in range(times):
        await engine.run(plan)
    last = await engine.engine.runtime.journal.journal.position()
    await _until(lambda: min(heard) >= last)


async def _until(happened: Callable[[], bool]) -> None:
    while not happened():  # noqa: ASYNC110 -- nobody tells
        await asyncio.sleep(0.001)


def _is_driven(run: Run) -> Callable[[], bool]:
    return lambda: run.is_driven_here


async def _hear(engine: Engine, heard: list[int], place: int) -> None:
    async for event in engine.feed():
        heard[place] = event.position or 0


async def _take_over(bench: Bench) -> Row:
    """From the death of a process to the first word of whoever goes on with its run."""
    times = []
    home = bench.scratch / "takeover"
    async with Engine.open(home) as engine:
        for _ in range(bench.sizes.takeovers):
            victim = await _spawn("wait", home)
            run = await engine.get((await _line(victim)).decode().split()[1])
            victim.kill()
            began = time.perf_counter()
            await victim.wait()
            await _until(_is_driven(run))
            times.append(time.perf_counter() - began)
            await run.cancel()
    soon = sum(each <= 1.0 for each in times)
    return Row(
        case="take-over of a run whose process was killed",
        ours=f"{number(max(times) * 1e3)} ms at most, {soon} of {len(times)} within 1 s",
        bar=f"{len(times)} of {len(times)}",
        met=soon == len(times),
    )


async def _opening(bench: Bench) -> Row:
    many, none = bench.scratch / "waiting", bench.scratch / "none"
    async with Engine.open(many, drain=0) as engine:
        for _ in range(0, bench.sizes.waiting, 100):
            await asyncio.gather(*(engine.start(WAITING) for _ in range(100)))
    times: dict[Path, list[float]] = {many: [], none: []}
    for _ in range(bench.sizes.samples + 1):
        for home, found in times.items():
            began = time.perf_counter()
            async with Engine.open(home, drain=0):
                found.append(time.perf_counter() - began)
    ratio = statistics.median(times[many][1:]) / statistics.median(times[none][1:])
    return Row(
        case=f"Engine.open with {bench.sizes.waiting} waiting runs, against none",
        ours=f"{number(ratio)} x",
        bar="≤ 3 x",
        met=ratio <= 3,
    )


async def _worst_commit(bench: Bench) -> Row:
    home = bench.scratch / "writers"
    async with Engine.open(home):
        pass
    each = bench.sizes.commits // 4
    started = [await _spawn("write", home, each) for _ in range(4)]
    for one in started:
        await _line(one)
    for one in started:
        _go(one)
    worst = max([float((await _line(one)).decode()) for one in started])
    for one in started:
        await one.wait()
    return Row(
        case=f"worst commit of {4 * each}, 4 processes write",
        ours=f"{number(worst * 1e3)} ms",
        bar="≤ 100 ms",
        met=worst <= 0.1,
    )


def _share(case: str, share: float, least: float) -> Row:
    return Row(case=case, ours=f"{number(share)} x", bar=f"≥ {least} x", met=share >= least)


# Other processes


@asynccontextmanager
async def _others(home: Path, count: int) -> AsyncIterator[None]:
    idle = [await _spawn("idle", home) for _ in range(count)]
    for each in idle:
        await _line(each)
    try:
        yield
    finally:
        for each in idle:
            each.kill()
            await each.wait()


async def _spawn(*words: object) -> Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.processes", *map(str, words), stdin=pipe, stdout=pipe
    )


async def _line(process: Process) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readline()


def _go(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.write(b"go\n")


async def _told_to_go() -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


async def _act(what: str, home: Path | str, *sizes: int) -> None:
    """What another process does."""
    if what == "write":
        await _write(home, *sizes)
        return
    async with o.ours(home) as engine:
        if what == "wait":
            print("run", (await engine.engine.start(WAITING)).id, flush=True)
            await asyncio.Event().wait()
        await _told_to_go()
        if what == "many":
            runs, length = sizes
            await engine.many(o.chain(length, name="many"), runs)


async def _write(home: Path | str, count: int) -> None:
    worst = 0.0
    async with o.ours(home) as engine:
        await _told_to_go()
        shelf = engine.engine.context
        for number_ in range(count):
            began = time.perf_counter()
            await shelf.set(f"process:{os.getpid()}", "n", number_)
            worst = max(worst, time.perf_counter() - began)
    print(worst, flush=True)


if __name__ == "__main__":
    word, place, *rest = sys.argv[1:]
    asyncio.run(_act(word, place, *map(int, rest)))
