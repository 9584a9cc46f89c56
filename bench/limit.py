"""The limit: a bare asyncio program that makes each result durable, and does nothing else.

No plan, no retries, no journal to resume from: a tool is called, its result is committed together
with whatever else is there (SQLite, WAL, synchronous=FULL), then what depends on it may start. Two
ways to commit: in a writer thread, and once for each turn of the event loop on the loop itself.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from contextlib import contextmanager
from itertools import count
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol

from bench.work import result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path

MAX_BATCH = 256

Row = tuple[str, int, str]
Waiting = tuple[Row, "asyncio.Future[None]"]


class Recorder(Protocol):
    """Makes rows durable."""

    def put(self, row: Row, durable: asyncio.Future[None]) -> None:
        """Take a row; the future is resolved when it is durable."""
        ...


class Program:
    """The program, on one of the recorders."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._loop = asyncio.get_running_loop()
        self._serial = count()

    async def chain(self, length: int) -> None:
        """Steps one after the other."""
        run = self._new_run()
        for i in range(length):
            await self._step(run, i, _noop)

    async def fan(self, width: int) -> None:
        """One, then many at once, then one."""
        run = self._new_run()
        await self._step(run, 0, _noop)
        await asyncio.gather(*(self._step(run, i + 1, _noop) for i in range(width)))
        await self._step(run, width + 1, _noop)

    async def many(self, runs: int, length: int) -> None:
        """Many chains at once."""
        await asyncio.gather(*(self.chain(length) for _ in range(runs)))

    async def sleepers(self, width: int, seconds: float) -> None:
        """Many steps that sleep, at once."""
        run = self._new_run()

        async def rest(i: int) -> dict[str, object]:
            await asyncio.sleep(seconds)
            return result(i)

        await asyncio.gather(*(self._step(run, i, rest) for i in range(width)))

    async def start(self) -> float:
        """Seconds until the body of the first tool, after a durable record that the run exists."""
        run, body = self._new_run(), 0.0

        async def first(i: int) -> dict[str, object]:
            nonlocal body
            body = time.perf_counter()
            return result(i)

        began = time.perf_counter()
        await self._record(run, -1, {})
        await self._step(run, 0, first)
        return body - began

    async def _step(
        self, run: str, i: int, tool: Callable[[int], Awaitable[dict[str, object]]]
    ) -> None:
        await self._record(run, i, await tool(i))

    async def _record(self, run: str, i: int, output: dict[str, object]) -> None:
        durable = self._loop.create_future()
        self._recorder.put((run, i, json.dumps(output)), durable)
        await durable

    def _new_run(self) -> str:
        return f"run-{next(self._serial)}"


class Turns:
    """One commit for each turn of the event loop, on the loop."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._db = _open(path)
        self._waiting: list[Waiting] = []

    def put(self, row: Row, durable: asyncio.Future[None]) -> None:
        if not self._waiting:
            self._loop.call_soon(self._commit)
        self._waiting.append((row, durable))

    def _commit(self) -> None:
        batch, self._waiting = self._waiting, []
        _write(self._db, batch)
        _tell(batch)

    def close(self) -> None:
        self._db.close()


class Thread:
    """A thread that commits whatever has gathered while it committed the last time."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._loop = loop
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="limit-writer", daemon=True)
        self._thread.start()

    def put(self, row: Row, durable: asyncio.Future[None]) -> None:
        self._queue.put((row, durable))

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        db = _open(self._path)
        while batch := self._next():
            _write(db, batch)
            self._loop.call_soon_threadsafe(_tell, batch)
        db.close()

    def _next(self) -> list[Waiting]:
        """What is there, waiting for the first; nothing: it is over."""
        first = self._queue.get()
        batch = [first] if first is not None else []
        while batch and len(batch) < MAX_BATCH:
            try:
                another = self._queue.get_nowait()
            except Empty:
                break
            if another is None:
                self._queue.put(None)
                break
            batch.append(another)
        return batch


@contextmanager
def limits(scratch: Path) -> Iterator[dict[str, Program]]:
    """Both programs, each with a database of its own."""
    loop = asyncio.get_running_loop()
    thread = Thread(scratch / "limit-thread.db", loop)
    turns = Turns(scratch / "limit-turns.db", loop)
    try:
        yield {"thread": Program(thread), "turn": Program(turns)}
    finally:
        thread.close()
        turns.close()


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(
        "CREATE TABLE IF NOT EXISTS results"
        " (run TEXT, step INTEGER, output TEXT, PRIMARY KEY (run, step)) WITHOUT ROWID"
    )
    return db


def _write(db: sqlite3.Connection, batch: Sequence[Waiting]) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO results VALUES (?, ?, ?)", [row for row, _ in batch])
    db.execute("COMMIT")


def _tell(batch: Sequence[Waiting]) -> None:
    for _, durable in batch:
        if not durable.done():
            durable.set_result(None)


async def _noop(i: int) -> dict[str, object]:
    return result(i)
