"""A driver that was replaced writes nothing more, and stops what it has begun."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from callsheet import Context, Engine, tool
from callsheet.core.run import entries as e
from callsheet.errors import DriverReplacedError
from callsheet.stores.sqlite.lock import DRIVERS
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts.samples import noted, run_id, started

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.requirement("E26", "E11")

RUN = run_id(1)
HOLDS: dict[str, Any] = {
    "callsheet": 1,
    "name": "holds",
    "steps": [{"id": "held", "tool": "hold"}],
}


class Held:
    """A tool that holds on until it is told to stop, and how often it was called and told."""

    def __init__(self) -> None:
        self.calls = 0
        self.begun = asyncio.Event()
        self.told = asyncio.Event()

        @tool("hold", effect="read")
        async def hold(ctx: Context) -> None:
            self.calls += 1
            self.begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.told.set()

        self.tool = hold


@pytest.fixture
def _quick_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.stores.sql.fence.BEAT", 0.02)


def unlock(home: Path) -> None:
    """Delete the locks of all drivers, as somebody might who cleans up."""
    for lock in (home / DRIVERS).iterdir():
        lock.unlink()


async def test_what_a_replaced_driver_writes_is_refused(tmp_path: Path) -> None:
    old = await SqlStore.open(tmp_path)
    await old.journal.append(RUN, [started(RUN)], after=0)
    unlock(tmp_path)
    new = await SqlStore.open(tmp_path)
    assert await new.owners.claim(RUN)
    # The length of the journal would let it in: it is the fence that does not.
    with pytest.raises(DriverReplacedError, match=rf"Process {os.getpid()} on .* has found"):
        await old.journal.append(RUN, [noted("old")], after=1)
    assert (old.driving, new.driving) == (False, True)
    assert await new.journal.append(RUN, [noted("new")], after=1) == 2
    with pytest.raises(DriverReplacedError):
        await old.journal.delete(RUN)
    await old.close()
    assert await new.journal.append(RUN, [noted("new")], after=2) == 3
    await new.close()


@pytest.mark.usefixtures("_quick_beat")
async def test_a_driver_whose_lock_was_deleted_stops_its_calls_when_another_drives(
    tmp_path: Path,
) -> None:
    mine, theirs = Held(), Held()
    async with asyncio.timeout(20), AsyncExitStack() as stack:
        old = await stack.enter_async_context(Engine.open(tmp_path, [mine.tool], drain=0))
        run = await old.start(HOLDS)
        waiting = asyncio.get_running_loop().create_task(run.wait())
        await mine.begun.wait()
        unlock(tmp_path)
        new = await stack.enter_async_context(Engine.open(tmp_path, [theirs.tool], drain=0))
        await mine.told.wait()
        with pytest.raises(DriverReplacedError, match="its calls are stopped"):
            await waiting
        assert not old.driving
        # It goes on where it belongs now, and the replaced one has not written a word.
        await theirs.begun.wait()
        kinds = [type(entry) for entry in await (await new.get(run.id)).journal()]
        assert kinds.count(e.RunRecovered) == 1
        assert str((await (await old.get(run.id)).status()).state) == "running"
        assert (mine.calls, theirs.calls) == (1, 1)


SLEEPER = """
import asyncio, sys
from callsheet import Engine, tool

@tool("hold", effect="read")
async def hold():
    print("begun", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("told", flush=True)

async def main(home):
    async with Engine.open(home, [hold], drain=0) as engine:
        run = await engine.start({"callsheet": 1, "steps": [{"id": "held", "tool": "hold"}]})
        try:
            await run.wait()
        except Exception as exc:
            print(type(exc).__name__, flush=True)

asyncio.run(main(sys.argv[1]))
"""


def a_sleeper(home: Path | str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SLEEPER, str(home)], stdout=subprocess.PIPE, text=True
    )


def cut_off(database: str) -> None:
    """End all sessions of a database, as a server does whose peer does not answer any more."""
    with psycopg.connect(database) as server:
        server.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.slow  # a process that is stopped and woken
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_a_driver_that_slept_while_another_took_over_writes_nothing_when_it_wakes(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    theirs = Held()
    home = str(tmp_path if store == "sqlite" else request.getfixturevalue("database"))
    with a_sleeper(home) as sleeper:
        assert sleeper.stdout is not None
        assert await asyncio.to_thread(sleeper.stdout.readline) == "begun\n"
        sleeper.send_signal(signal.SIGSTOP)
        if store == "sqlite":
            unlock(tmp_path)
        else:
            await asyncio.to_thread(cut_off, home)
        async with asyncio.timeout(60), Engine.open(home, [theirs.tool], drain=0) as engine:
            await theirs.begun.wait()
            (head,) = await engine.runs()
            before = await (await engine.get(head.run)).journal()
            sleeper.send_signal(signal.SIGCONT)
            rest = await asyncio.to_thread(sleeper.stdout.read)
            assert rest.splitlines() == ["told", "DriverReplacedError"]
            assert await (await engine.get(head.run)).journal() == before
