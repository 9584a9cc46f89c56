"""Sync tools in threads."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext

from callsheet.errors import AbandonedError, DeniedError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.registry import Registry, tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def registry() -> AsyncIterator[Registry]:
    registry = Registry()
    async with asyncio.timeout(PATIENCE):
        yield registry
        await registry.close()


async def test_a_sync_read_runs_in_a_thread_beside_the_event_loop(registry: Registry) -> None:
    loop = asyncio.get_running_loop()
    free = threading.Event()

    @tool(effect="read")
    def look(number: int) -> list[Any]:
        # Would never return if the loop were blocked meanwhile.
        loop.call_soon_threadsafe(free.set)
        assert free.wait(PATIENCE)
        return [number + 1, threading.current_thread().name, threading.current_thread().daemon]

    registry.add(look)
    assert await registry.call("look", {"number": 1}, FakeContext()) == [2, "callsheet-tool", True]


async def test_reads_run_side_by_side_and_threads_are_used_again(registry: Registry) -> None:
    together = threading.Barrier(20)

    @tool(effect="read")
    def meet() -> int:
        together.wait(PATIENCE)
        return threading.get_ident()

    registry.add(meet)
    first: list[asyncio.Task[Any]] = []
    async with asyncio.TaskGroup() as group:
        first = [group.create_task(registry.call("meet", {}, FakeContext())) for _ in range(20)]
    threads = {call.result() for call in first}
    assert len(threads) == 20
    async with asyncio.TaskGroup() as group:
        again = [group.create_task(registry.call("meet", {}, FakeContext())) for _ in range(20)]
    # A thread that is just putting itself back may be passed over, so: most of them.
    assert len({call.result() for call in again} & threads) >= 10


async def test_a_thread_sees_the_context_variables_of_its_caller(registry: Registry) -> None:
    request: contextvars.ContextVar[str] = contextvars.ContextVar("request")

    @tool(effect="read")
    def look() -> str:
        return request.get()

    registry.add(look)
    request.set("r-17")
    assert await registry.call("look", {}, FakeContext()) == "r-17"


async def test_a_sync_tool_says_what_an_async_one_says_and_waits_until_it_is_done(
    registry: Registry,
) -> None:
    ctx = FakeContext(saved={"job": 16}, attempt=2)

    @tool(effect="read")
    def speak(ctx: SyncContext) -> Any:
        ctx.progress(0.5, "half")
        ctx.log.info("tool.spoke", number=7)
        ctx.log.warning("tool.worried", thing=print)
        ctx.checkpoint({"job": 17})
        ctx.charge(usd=0.25, tokens=3)
        ctx.sleep(0)
        return [ctx.run, ctx.step, ctx.attempt, ctx.key, ctx.saved, ctx.grace, ctx.cancelled]

    registry.add(speak)
    output = await registry.call("speak", {}, ctx)
    assert output == ["r1", "s1", 2, "key-1", {"job": 16}, 5.0, False]
    assert ctx.progressed == [(0.5, "half")]
    assert ctx.checkpoints == [{"job": 17}]
    assert ctx.charges == [(0.25, 0.0, 3)]
    assert ctx.log.said == [
        ("info", "tool.spoke", {"number": 7}),
        ("warning", "tool.worried", {"thing": "<built-in function print>"}),
    ]


async def test_a_checkpoint_that_cannot_be_journalled_raises_in_the_tool(
    registry: Registry,
) -> None:
    @tool(effect="read")
    def save(ctx: SyncContext) -> str:
        try:
            ctx.checkpoint(1)
        except RuntimeError as exc:
            return str(exc)
        return "saved"

    registry.add(save)
    ctx = FakeContext(checkpoint_error=OSError("disk full"))
    assert await registry.call("save", {}, ctx) == "OSError: disk full"


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("error", [DeniedError("no"), ValueError("x"), SystemExit(3)])
async def test_what_a_sync_tool_raises_comes_out_as_it_is(
    registry: Registry, error: BaseException
) -> None:
    @tool(effect="read")
    def fail() -> None:
        raise error

    registry.add(fail)
    # Caught in the task: asyncio stops the whole loop for a SystemExit that leaves it.
    with pytest.raises(type(error)) as caught:
        await registry.call("fail", {}, FakeContext())
    assert caught.value is error


async def test_a_cancelled_thread_is_told_and_how_it_ends_counts(registry: Registry) -> None:
    @tool(effect="read")
    def listen(ctx: SyncContext) -> str:
        ctx.progress()
        while not ctx.cancelled:
            threading.Event().wait(0.001)
        ctx.checkpoint("still heard")
        return "cleaned up"

    registry.add(listen)
    ctx = FakeContext()
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("listen", {}, ctx))
        await ctx.wait_heard()
        call.cancel()
    assert call.result() == "cleaned up"
    assert ctx.checkpoints == ["still heard"]


async def test_a_blocking_sleep_ends_when_the_tool_is_told_to_stop(registry: Registry) -> None:
    @tool(effect="read")
    def nap(ctx: SyncContext) -> None:
        ctx.progress()
        ctx.sleep(3600)

    registry.add(nap)
    ctx = FakeContext()
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("nap", {}, ctx))
        await ctx.wait_heard()
        call.cancel()
    assert call.cancelled()


@pytest.mark.requirement("E8")
async def test_a_thread_that_does_not_listen_is_abandoned_after_the_grace_and_reported(
    registry: Registry,
) -> None:
    release = threading.Event()
    late: list[str] = []
    threads: list[threading.Thread] = []

    @tool(effect="read")
    def hang(ctx: SyncContext) -> None:
        threads.append(threading.current_thread())
        ctx.progress()
        release.wait(PATIENCE)
        try:
            ctx.checkpoint("nobody listens")
        except asyncio.CancelledError:
            late.append("told")

    registry.add(hang)
    ctx = FakeContext(grace=0.01)

    async def call() -> None:
        with pytest.raises(AbandonedError, match="could not be stopped and may still be running"):
            await registry.call("hang", {}, ctx)

    async with asyncio.TaskGroup() as group:
        task = group.create_task(call())
        await ctx.wait_heard()
        task.cancel()
    assert ctx.log.events() == ["tool.abandoned"]
    # Whoever was left behind is told when it speaks, and is not heard.
    await registry.close()
    release.set()
    (thread,) = threads
    thread.join(PATIENCE)
    assert late == ["told"]
    assert ctx.checkpoints == []


async def test_a_second_cancellation_does_not_wait_for_the_grace(registry: Registry) -> None:
    release = threading.Event()

    @tool(effect="read")
    def hang(ctx: SyncContext) -> None:
        ctx.progress()
        while not ctx.cancelled:
            threading.Event().wait(0.001)
        ctx.progress(message="told")
        release.wait(PATIENCE)

    registry.add(hang)
    ctx = FakeContext(grace=3600)
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("hang", {}, ctx))
        await ctx.wait_heard()
        call.cancel()
        assert await ctx.wait_heard() == "told"
        call.cancel()
    assert call.cancelled()
    release.set()


ABANDONS = """
import asyncio, threading
from callsheet.tools.registry import Registry, tool
from tests.unit.tools.ctx import FakeContext

@tool(effect="read")
def hang(ctx):
    ctx.progress()
    threading.Event().wait()

async def main():
    ctx = FakeContext(grace=0.01)
    registry = Registry([hang])
    try:
        async with asyncio.TaskGroup() as group:
            call = group.create_task(registry.call("hang", {}, ctx))
            await ctx.wait_heard()
            call.cancel()
    except ExceptionGroup as group:
        print(group.exceptions[0])
    await registry.close()

asyncio.run(main())
print("over")
"""


@pytest.mark.slow  # a whole Python starts
def test_an_abandoned_read_does_not_keep_the_process_from_exiting() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ABANDONS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "'hang' could not be stopped and may still be running.\nover\n"
