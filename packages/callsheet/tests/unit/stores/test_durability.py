"""What was acknowledged is there after `kill -9`, and nothing else is half there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from callsheet.stores.sql.statements import Bound
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.session import Session
from callsheet.stores.sqlite.store import DATABASE, SqlStore
from callsheet.testing.contracts.samples import run_id

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.stores.sql.session import Sync

pytestmark = pytest.mark.requirement("E11")

RUN = run_id(1)
AT_ONCE = 3

WRITE_FOR_EVER = """
import asyncio, pathlib, sys
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts.samples import noted, run_id, started

async def main():
    run, store = run_id(1), await SqlStore.open(pathlib.Path(sys.argv[1]), sync=sys.argv[2])
    length = await store.journal.append(run, [started(run)], after=0)
    while True:
        length = await store.journal.append(run, [noted(str(length))] * 3, after=length)
        print(length, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize(("sync", "pragma"), [("full", 2), ("normal", 1)])
def test_sync_is_what_was_asked_for(tmp_path: Path, sync: Sync, pragma: int) -> None:
    versions.create(tmp_path / DATABASE)
    session = Session(tmp_path / DATABASE, sync=sync)
    assert session.one(Bound("PRAGMA synchronous", ())) == (pragma,)
    session.close()


# About 1 s: a process of its own, and it has to be killed.
@pytest.mark.slow
@pytest.mark.requirement("durability:acknowledged-survives")
@pytest.mark.parametrize("sync", ["full", "normal"])
async def test_acknowledged_entries_survive_a_kill(tmp_path: Path, sync: str) -> None:
    acknowledged = _write_and_be_killed(tmp_path, sync)
    store = await SqlStore.open(tmp_path)
    kept = await store.journal.read(RUN)
    assert len(kept) >= acknowledged
    assert (len(kept) - 1) % AT_ONCE == 0
    assert await store.journal.append(RUN, kept[-1:], after=len(kept)) == len(kept) + 1
    await store.close()


def _write_and_be_killed(home: Path, sync: str) -> int:
    """How many entries a process had acknowledged when it was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_FOR_EVER, str(home), sync],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    ) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(200)]
        writer.send_signal(signal.SIGKILL)
        # What it said between our last look and its death counts as well; a line cut off does not.
        lines += writer.stdout.read().splitlines(keepends=True)
    return int([line for line in lines if line.endswith("\n")][-1])
