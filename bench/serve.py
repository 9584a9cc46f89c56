"""The service: what it adds to a constant answer and to an engine, its streams, and its start."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bench import fresh
from bench.processes import WAITING
from bench.sampling import Series, in_turns, number, spread
from bench.served import KEY, noop, plan_of
from bench.table import Row
from bench.wire import Wire
from callsheet import Engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bench.cases import Bench

READERS = 16
WRITERS = 32
SHARES = {5: 0.6, 500: 0.5}
"""The share of the requests/s of a constant, by the steps of the run."""
RUNS = 0.7
"""The share of the runs that an engine has done in the same time."""
LATE = 0.1
"""Seconds after which an entry is told to 99 of 100."""
MEMORY = 45.0
"""KB a stream."""
READY = 1.5
_PLAN = json.dumps({"plan": plan_of(5)}).encode()


class Server:
    """The process that serves."""

    def __init__(self, process: asyncio.subprocess.Process, told: dict[str, Any]) -> None:
        self._process = process
        self.told = told
        parts = urlsplit(told["url"])
        self.host, self.port = str(parts.hostname), int(parts.port or 0)

    def wire(self) -> Wire:
        """A new connection."""
        return Wire(self.host, self.port, KEY)

    async def constant(self, name: str, content: bytes) -> None:
        """Have something answered each time."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([name, content.decode()]).encode() + b"\n")
        await self._process.stdout.readline()

    async def memory(self) -> float:
        """MB that are resident."""
        async with self.wire() as wire:
            return float(await wire.ask("/api/memory"))


@asynccontextmanager
async def served(home: Path, streamed: int = 0) -> AsyncIterator[Server]:
    """A service in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.served", str(home), str(streamed)),
        cwd=fresh.ROOT,
        env=fresh.keeping_bytecode(home.parent),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    assert process.stdin
    assert process.stdout
    try:
        yield Server(process, json.loads(await process.stdout.readline()))
    finally:
        process.stdin.close()
        process.kill()
        await process.wait()


async def serve(bench: Bench) -> list[Row]:
    """Requests, streams, and how soon it is ready."""
    return [*await _requests(bench), *await _streams(bench), await _ready(bench)]


async def _requests(bench: Bench) -> list[Row]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(served(bench.scratch / "home"))
        opened = Engine.open(bench.scratch / "engine", [noop])
        engine = await stack.enter_async_context(opened)
        wires = [await stack.enter_async_context(server.wire()) for _ in range(WRITERS)]
        paths = {5: "", 500: "?steps=failed"}
        sides = {}
        for steps, query in paths.items():
            path = f"/api/runs/{server.told[f'of{steps}']}{query}"
            await server.constant(str(steps), await wires[0].ask(path))
            sides[f"run{steps}"] = _asking(wires[:READERS], path)
            sides[f"constant{steps}"] = _asking(wires[:READERS], f"/api/constant/{steps}")
        sides["post"] = _asking(wires, "/api/runs?wait=10", _PLAN, times=2)
        plan = plan_of(5)

        async def run() -> None:
            for _ in range(2):
                await engine.run(plan)

        async def runs() -> None:
            await asyncio.gather(*(run() for _ in wires))

        series = await in_turns({**sides, "runs": runs}, bench.sizes)
    rows = [
        _row(
            f"`GET runs/{{run}}` of {steps} steps, against a constant of its size",
            (series[f"run{steps}"], series[f"constant{steps}"]),
            READERS * 8,
            ("requests/s", SHARES[steps]),
        )
        for steps in paths
    ]
    posted = (series["post"], series["runs"])
    case = f"`POST runs?wait` of 5 steps, {WRITERS} connections, against `engine.run`"
    return [*rows, _row(case, posted, WRITERS * 2, ("runs/s", RUNS))]


def _asking(wires: list[Wire], path: str, body: bytes = b"", times: int = 8) -> Any:
    async def each(wire: Wire) -> None:
        for _ in range(times):
            await wire.ask(path, body)

    async def ask() -> None:
        await asyncio.gather(*(each(wire) for wire in wires))

    return ask


def _row(case: str, sides: tuple[Series, Series], count: int, bar: tuple[str, float]) -> Row:
    ours, other = sides
    share = other.times(ours)
    rates = " : ".join(f"{number(count / side.median)} {bar[0]}" for side in sides)
    return Row(
        case=case,
        ours=f"{share.median:.2f} ({spread(share.seconds)}): {rates}",
        bar=f"≥ {bar[1]} of it",
        met=share.median >= bar[1],
    )


# Streams


class Reader:
    """One stream, and what it has told."""

    def __init__(self, server: Server, run: str) -> None:
        self._server = server
        self._path = f"/api/runs/{run}/events"
        self.seen: list[int] = []
        self.late: list[float] = []
        self.is_live = False
        self._wire: Wire | None = None

    async def read(self) -> None:
        """Read until the connection ends."""
        async with self._server.wire() as wire:
            self._wire = wire
            async for line in wire.stream(self._path, self.seen[-1] if self.seen else 0):
                told = json.loads(line)
                if "seq" not in told:
                    continue
                self.seen.append(told["seq"])
                if self.is_live:
                    at = datetime.fromisoformat(told["at"])
                    self.late.append(time.time() - at.timestamp())

    def kill(self) -> None:
        """Cut it off."""
        if self._wire is not None:
            self._wire.drop()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing, and nothing came twice."""
        return self.seen == list(range(1, len(self.seen) + 1))


async def _streams(bench: Bench) -> list[Row]:
    sizes = bench.sizes
    runs = max(sizes.streams // 10, 1)
    async with served(bench.scratch / "streams", runs) as server:
        before = await server.memory()
        readers = [
            Reader(server, server.told["streamed"][index % runs]) for index in range(sizes.streams)
        ]
        async with asyncio.TaskGroup() as group:
            tasks = []
            for reader in readers:
                tasks.append(group.create_task(reader.read()))
                await asyncio.sleep(0.001)
            await asyncio.sleep(2)
            memory = (await server.memory() - before) * 1000 / sizes.streams
            for reader in readers:
                reader.is_live = True
            await asyncio.sleep(sizes.streaming)
            late = sorted(each for reader in readers for each in reader.late)
            killed = readers[: sizes.streams // 4]
            for reader in killed:
                reader.is_live = False
                reader.kill()
            await asyncio.sleep(1)
            tasks += [group.create_task(reader.read()) for reader in killed]
            await asyncio.sleep(sizes.streaming / 2)
            for task in tasks:
                task.cancel()
    whole = sum(reader.is_whole for reader in readers)
    p99 = late[int(len(late) * 0.99)] if late else 0.0
    rate = len(late) / sizes.streaming
    return [
        Row(
            case=f"{len(readers):,} streams over {runs} runs: p99 from the entry to its reader",
            ours=f"{number(p99 * 1e3)} ms, {number(rate)} deliveries/s",
            bar=f"≤ {number(LATE * 1e3)} ms",
            met=p99 <= LATE,
        ),
        Row(
            case="memory of a stream",
            ours=f"{number(memory)} KB",
            bar=f"≤ {number(MEMORY)} KB",
            met=memory <= MEMORY,
        ),
        Row(
            case=f"streams without loss or repetition, {len(killed)} of them killed and resumed",
            ours=f"{whole:,} of {len(readers):,}",
            bar="all",
            met=whole == len(readers),
        ),
    ]


# The start


async def _ready(bench: Bench) -> Row:
    home = bench.scratch / "waiting"
    async with Engine.open(home, drain=0, sync="normal") as engine:
        for _ in range(0, bench.sizes.waiting, 100):
            await asyncio.gather(*(engine.start(WAITING) for _ in range(100)))
    times = [await asyncio.to_thread(_start, bench.scratch, home) for _ in range(bench.sizes.fresh)]
    took = statistics.median(times[1:] or times)
    return Row(
        case=f"`callsheet serve` is ready, with {bench.sizes.waiting:,} waiting runs",
        ours=f"{number(took)} s ({spread(times)})",
        bar=f"≤ {READY} s",
        met=took <= READY,
    )


def _start(scratch: Path, home: Path) -> float:
    """Seconds from the start of the process until it says that it is ready."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "callsheet", "serve", "--port", "0", "--json", "--home", str(home)],
        cwd=scratch,
        env=fresh.keeping_bytecode(scratch),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    try:
        assert b"url" in process.stdout.readline()
        return time.perf_counter() - began
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
