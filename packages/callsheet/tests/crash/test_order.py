"""One order over all runs: many writers, whose connections or processes die, and many readers."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import AsyncExitStack, suppress
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import psycopg
import pytest

from callsheet.errors import StoreError
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts.samples import noted, run_id, started

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from callsheet.ports import Store

# Many writers on a real database, and processes that are killed.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E15", "E26", "S7")]

WRITERS, READERS = 8, 4
RUNS, ENTRIES = 6, 12
"""Of each writer; entries of each run."""
PATIENCE = 400.0
PATHS = os.pathsep.join(sys.path)
"""So that a process of its own finds this module."""
Heard = list[tuple[int, str, int]]
"""Position, run, number."""


async def write(store: Store, number: int) -> None:
    """A run, entry by entry; what nobody knows of is looked at and made again, as a driver does."""
    run, length = run_id(number), 0
    while length < ENTRIES:
        entry = noted(f"{number}/{length}") if length else started(run)
        try:
            length = await store.journal.append(run, [entry], after=length)
        except StoreError:
            with suppress(StoreError):
                length = len(await store.journal.read(run))
            await turn()


async def read(store: Store, heard: Heard, over: asyncio.Event) -> None:
    """Everything from the beginning on, page by page, until nothing more comes."""
    after, last = 0, False
    while True:
        is_over = over.is_set()
        try:
            page = await store.journal.since(after, limit=7)
        except StoreError:
            await turn()
            continue
        heard += [(placed.position, placed.head.run, placed.seq) for placed in page]
        after = page[-1].position if page else after
        if last and not page:
            return
        last = is_over
        await turn()


def check(heard: Heard, runs: Sequence[str], lengths: dict[str, int]) -> None:
    """Each entry of each run once, in the order of positions, and each run's in its own order."""
    positions = [position for position, _, _ in heard]
    assert all(one < other for one, other in pairwise(positions))
    for run in runs:
        assert [seq for _, name, seq in heard if name == run] == list(range(1, lengths[run] + 1))
    assert len(heard) == sum(lengths.values())


async def turn() -> None:
    """A moment for others."""
    over = asyncio.get_running_loop().create_future()
    over.get_loop().call_later(0.002, over.set_result, None)
    await over


async def write_all(store: Store, first: int) -> None:
    """So many runs, one after the other."""
    for number in range(first, first + RUNS):
        await write(store, number)


async def cut(url: str, writing: Sequence[asyncio.Task[None]]) -> int:
    """Cut connections, one after the other, while anybody writes; returns how many."""
    random, count = Random(7), 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as admin:
        while not all(task.done() for task in writing):
            answer = await admin.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() ORDER BY pid"
            )
            found = [pid for (pid,) in await answer.fetchall()]
            await admin.execute("SELECT pg_terminate_backend(%s)", [random.choice(found)])
            count += 1
            for _ in range(20):
                await turn()
    return count


@pytest.mark.requirement("store:postgresql")
async def test_no_reader_passes_what_commits_late_on_postgresql(database: str) -> None:
    over = asyncio.Event()
    heard: list[Heard] = [[] for _ in range(READERS)]
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        stores = []
        for place in range(WRITERS + READERS):
            stores.append(await PostgresStore.open(database, drive=place < WRITERS))
            stack.push_async_callback(stores[-1].close)
        async with asyncio.TaskGroup() as group:
            for store, found in zip(stores[WRITERS:], heard, strict=True):
                group.create_task(read(store, found, over))
            writing = [
                group.create_task(write_all(store, 1 + place * RUNS))
                for place, store in enumerate(stores[:WRITERS])
            ]
            cuts = group.create_task(cut(database, writing))
            await asyncio.wait(writing)
            over.set()
    assert cuts.result() > 0
    names = [run_id(number) for number in range(1, 1 + WRITERS * RUNS)]
    for found in heard:
        check(found, names, dict.fromkeys(names, ENTRIES))


WRITER = """
import asyncio, sys
from pathlib import Path
from tests.crash.test_order import write
from callsheet.stores.sqlite.store import SqlStore

async def main(home, first):
    store = await SqlStore.open(Path(home), sync="normal")
    number = int(first)
    while True:
        number += 1
        await write(store, number)

asyncio.run(main(*sys.argv[1:]))
"""


class Processes:
    """Writers that are processes of their own."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._at: dict[int, asyncio.subprocess.Process] = {}

    async def begin(self, place: int, life: int) -> None:
        """A writer begins, with runs that no other has."""
        first = str(place * 100_000 + life * 1_000)
        command = (sys.executable, "-c", WRITER, str(self._home), first)
        self._at[place] = await asyncio.create_subprocess_exec(
            *command, env={**os.environ, "PYTHONPATH": PATHS}, stderr=subprocess.DEVNULL
        )

    async def kill(self, place: int) -> None:
        """As `kill -9`."""
        process = self._at.pop(place)
        process.kill()
        await process.wait()

    async def kill_all(self) -> None:
        """All that are left."""
        for place in list(self._at):
            await self.kill(place)


async def test_no_reader_passes_what_commits_late_on_sqlite(tmp_path: Path) -> None:
    home, random, over = tmp_path / "home", Random(7), asyncio.Event()
    heard: list[Heard] = [[] for _ in range(READERS)]
    await (await SqlStore.open(home)).close()  # so that there is something to look at
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        readers = [await SqlStore.open(home, drive=False) for _ in heard]
        for store in readers:
            stack.push_async_callback(store.close)
        writers = Processes(home)
        stack.push_async_callback(writers.kill_all)
        async with asyncio.TaskGroup() as group:
            for store, found in zip(readers, heard, strict=True):
                group.create_task(read(store, found, over))
            for place in (1, 2, 3):
                await writers.begin(place, 0)
            for life in range(1, 6):
                before = len(heard[0])
                while len(heard[0]) < before + 100:
                    await turn()
                place = random.choice((1, 2, 3))
                await writers.kill(place)
                await writers.begin(place, life)
            await writers.kill_all()
            over.set()
        journal = readers[0].journal
        heads = await journal.heads(limit=100_000)
        lengths = {str(head.run): len(await journal.read(head.run)) for head in heads}
    for found in heard:
        check(found, list(lengths), lengths)
