"""Another process is writing: wait in the thread, and say who it is when it takes too long."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.unit.stores.desk import a_desk

from callsheet.errors import StoreBusyError
from callsheet.stores.sqlite.session import Session
from callsheet.testing.contracts.samples import noted, run_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUN = run_id(1)

HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def a_process_that_writes(path: Path) -> Iterator[int]:
    """A process that holds the write lock, and its id."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield process.pid
        # Leaving the block closes its input; it ends, and the lock with it.


async def test_an_append_waits_for_a_lock_without_holding_up_the_loop(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        other = Session(tmp_path / "test.db")
        other.begin()
        waiting = desk.append(RUN, noted(), after=1)
        # Only a loop that goes on can come back from here while the append is waiting.
        await asyncio.to_thread(desk.session.waits_for_locks.wait, 5)
        assert not waiting.done()
        other.rollback()
        assert await waiting == 2
        other.close()


async def test_a_lock_held_for_too_long_is_an_error_that_names_the_holder(tmp_path: Path) -> None:
    async with a_desk(tmp_path, patience=0.01) as desk:
        await desk.start(RUN)
        with (
            a_process_that_writes(tmp_path / "test.db") as holder,
            pytest.raises(StoreBusyError, match=f"locked by process {holder} for more than 0.01 s"),
        ):
            await desk.append(RUN, noted(), after=1)
        assert await desk.append(RUN, noted(), after=1) == 2


async def test_whoever_comes_while_the_database_is_locked_keeps_his_place(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        await desk.start(RUN)
        other = Session(tmp_path / "test.db")
        other.begin()
        first = desk.append(RUN, noted(), after=1)
        await asyncio.to_thread(desk.session.waits_for_locks.wait, 5)
        second, third = desk.append(RUN, noted(), after=2), desk.append(RUN, noted(), after=3)
        other.rollback()
        assert (await first, await second, await third) == (2, 3, 4)
        other.close()
