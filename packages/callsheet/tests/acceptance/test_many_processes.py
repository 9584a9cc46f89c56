"""Any number of processes on one home: each drives its own runs, and none is left alone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from callsheet import Context, Engine, Plan, Step, tool
from callsheet.errors import (
    DriverReplacedError,
    EngineClosedError,
    RequestPendingError,
    RequestRefusedError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from callsheet import Result, Run

pytestmark = pytest.mark.requirement("E26", "E3")

PATIENCE = 60.0
ASKING = Plan(name="asking", steps=(Step(id="ok", ask="Go on?", choices=("yes", "no")),))


class Calls:
    """A tool that holds every call until it is let go, and who was called."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.begun = asyncio.Event()
        self.free = asyncio.Event()

        @tool("hold", effect="write", idempotent=True)
        async def hold(ctx: Context) -> str:
            """Hold on."""
            self.keys.append(ctx.key)
            self.begun.set()
            await self.free.wait()
            return "done"

        self.tool = hold


HOLDING = Plan(name="holding", steps=(Step(id="h", tool="hold"),))


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "home")
    return str(request.getfixturevalue("database"))


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        yield stack


async def until(run: Run, wanted: Callable[[Result], bool]) -> Result:
    """The run as soon as it is so."""
    async for status in run.watch(0.01):
        if wanted(status):
            return status
    return await run.status()


async def test_two_processes_drive_their_own_runs_on_one_home(
    home: str, stack: AsyncExitStack
) -> None:
    mine, theirs = Calls(), Calls()
    one = await stack.enter_async_context(Engine.open(home, [mine.tool]))
    two = await stack.enter_async_context(Engine.open(home, [theirs.tool]))
    first, second = await one.start(HOLDING), await two.start(HOLDING)
    await mine.begun.wait()
    await theirs.begun.wait()
    assert (len(mine.keys), len(theirs.keys)) == (1, 1)
    assert {head.run for head in await one.runs()} == {first.id, second.id}
    seen = await two.get(first.id)
    assert await seen.is_driven()
    assert not seen.is_driven_here
    mine.free.set()
    theirs.free.set()
    assert (await seen.wait()).state == "succeeded"
    assert (await second.wait()).state == "succeeded"


async def test_a_request_reaches_the_process_that_drives_the_run(
    home: str, stack: AsyncExitStack
) -> None:
    one = await stack.enter_async_context(Engine.open(home))
    two = await stack.enter_async_context(Engine.open(home))
    run = await one.start(ASKING)
    seen = await two.get(run.id)
    await until(seen, lambda status: bool(status.questions))
    await seen.pause(by="two")
    assert (await run.status()).paused
    await seen.resume(by="two")
    with pytest.raises(RequestRefusedError):
        await seen.answer("nothing", "yes")
    await seen.answer("ok", "yes", by="two")
    assert (await seen.wait()).state == "succeeded"
    assert run.is_driven_here or (await run.status()).state == "succeeded"


async def test_a_run_whose_process_is_gone_is_taken_over_by_one_that_recovers(
    home: str, stack: AsyncExitStack
) -> None:
    mine, theirs = Calls(), Calls()
    two = await stack.enter_async_context(Engine.open(home, [theirs.tool]))
    async with Engine.open(home, [mine.tool]) as one:
        run = await one.start(HOLDING)
        await mine.begun.wait()
        mine.free.set()
        await run.wait()
        other = await one.start(ASKING)
        await until(other, lambda status: bool(status.questions))
    seen = await two.get(other.id)
    while not seen.is_driven_here:
        await _turn()
    await seen.answer("ok", "yes")
    assert (await seen.wait()).state == "succeeded"
    assert theirs.keys == []


async def test_what_was_opened_for_its_own_runs_wakes_nothing_that_it_finds(
    home: str, stack: AsyncExitStack
) -> None:
    async with Engine.open(home) as one:
        run = await one.start(ASKING)
        await until(run, lambda status: bool(status.questions))
    two = await stack.enter_async_context(Engine.open(home, recover=False))
    seen = await two.get(run.id)
    assert not await seen.is_driven()
    with pytest.raises(EngineClosedError, match="no process is driving it"):
        await seen.wait()
    await two.resume(run.id)
    assert await seen.is_driven()


async def test_a_run_is_left_where_the_tools_are_not_the_same(
    home: str, stack: AsyncExitStack
) -> None:
    mine = Calls()

    @tool("hold", effect="write", idempotent=True, version="2")
    async def newer(ctx: Context) -> str:
        """Hold on."""
        return ctx.key

    async with Engine.open(home, [mine.tool], drain=0) as one:
        run = await one.start(HOLDING)
        await mine.begun.wait()
    two = await stack.enter_async_context(Engine.open(home, [newer]))
    seen = await two.get(run.id)
    assert not await seen.is_driven()
    # Mended tools are why people resume: whoever asks for it gets it.
    await two.resume(run.id)
    assert (await seen.wait()).state == "succeeded"


async def test_one_key_from_many_processes_is_one_run(home: str, stack: AsyncExitStack) -> None:
    engines = [await stack.enter_async_context(Engine.open(home)) for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        starts = [group.create_task(engine.start(ASKING, key="once")) for engine in engines * 3]
    assert len({start.result().id for start in starts}) == 1
    assert len(await engines[0].runs()) == 1


async def test_a_family_is_driven_by_one_process(home: str, stack: AsyncExitStack) -> None:
    family = Plan(name="family", steps=(Step(id="inner", plan=ASKING),))
    async with Engine.open(home) as one:
        runs = [await one.start(family) for _ in range(3)]
        for run in runs:
            await until(run, lambda status: bool(status.questions))
    others = [await stack.enter_async_context(Engine.open(home)) for _ in range(2)]
    for run in runs:
        seen = await others[0].get(run.id)
        await until(seen, lambda status: bool(status.questions))
        while not await seen.is_driven():
            await _turn()
        await seen.answer("inner/ok", "yes")
        assert (await seen.wait()).state == "succeeded"
        report = await others[0].replay(run.id)
        assert report.same


async def test_one_that_was_taken_for_dead_writes_nothing_more(
    tmp_path: Path, stack: AsyncExitStack
) -> None:
    mine, theirs = Calls(), Calls()
    one = await stack.enter_async_context(Engine.open(tmp_path / "home", [mine.tool]))
    run = await one.start(HOLDING)
    await mine.begun.wait()
    for lock in (tmp_path / "home" / "drivers").iterdir():
        lock.unlink()
    two = await stack.enter_async_context(Engine.open(tmp_path / "home", [theirs.tool]))
    await theirs.begun.wait()
    with pytest.raises(DriverReplacedError):
        await one.start(ASKING)
    theirs.free.set()
    assert (await (await two.get(run.id)).wait()).state == "succeeded"
    assert mine.keys == theirs.keys


PROGRAM = """
import asyncio, sys
from callsheet import Engine, Plan, Step

ASKING = Plan(name="asking", steps=(Step(id="ok", ask="Go on?", choices=("yes", "no")),))

async def main(home):
    async with Engine.open(home) as engine:
        run = await engine.start(ASKING)
        print(run.id, flush=True)
        await run.wait()

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.slow  # a process of its own
async def test_a_killed_process_is_replaced_and_a_stopped_one_is_not(
    home: str, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callsheet.runtime.run.PATIENCE", 0.1)
    two = await stack.enter_async_context(Engine.open(home))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, home, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        name = (await process.stdout.readline()).decode().strip()
        seen = await two.get(name)
        await until(seen, lambda status: bool(status.questions))
        os.kill(process.pid, signal.SIGSTOP)
        assert await seen.is_driven()
        assert not seen.is_driven_here
        with pytest.raises(RequestPendingError, match=f"Process {process.pid} on .* it is stopped"):
            await seen.pause()
        process.kill()
        # What was asked of the one is done by the other.
        await until(seen, lambda status: status.paused)
        assert seen.is_driven_here
        monkeypatch.undo()
        await seen.resume()
        await seen.answer("ok", "yes")
        assert (await seen.wait()).state == "succeeded"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _turn() -> None:
    """A turn of the event loop, and a moment for others."""
    turn = asyncio.get_running_loop().create_future()
    turn.get_loop().call_later(0.01, turn.set_result, None)
    await turn
