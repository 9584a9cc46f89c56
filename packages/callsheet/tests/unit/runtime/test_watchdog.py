from __future__ import annotations

import asyncio
import threading
import time

import pytest

from callsheet.runtime import watchdog as module
from callsheet.runtime.watchdog import Watchdog

pytestmark = pytest.mark.slow  # the watchdog has a real clock


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCKED_AFTER", 0.1)
    monkeypatch.setattr(module, "_BEAT", 0.02)


async def blocks(seconds: float) -> None:
    time.sleep(seconds)  # noqa: ASYNC251 -- this is the mistake that is to be noticed


async def test_a_task_that_blocks_the_loop_is_named_once_it_breathes_again() -> None:
    told = asyncio.Event()
    names: list[tuple[str, float]] = []

    def blocked(name: str, seconds: float) -> None:
        names.append((name, seconds))
        told.set()

    dog = Watchdog(blocked)
    dog.__enter__()
    try:
        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            group.create_task(blocks(0.3), name="the blocker")
            await told.wait()
    finally:
        dog.__exit__()
    assert [name for name, _ in names] == ["the blocker"], "once, and not everybody who waited"
    assert names[0][1] >= 0.1


async def test_a_loop_that_breathes_is_left_alone() -> None:
    names: list[str] = []
    dog = Watchdog(lambda name, _: names.append(name))
    dog.__enter__()
    for _ in range(10):
        await asyncio.to_thread(threading.Event().wait, 0.03)
    dog.__exit__()
    assert not names


async def test_it_stops_when_it_is_told_to() -> None:
    before = set(threading.enumerate())
    dog = Watchdog(lambda name, seconds: None)
    dog.__enter__()
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon, "it keeps nobody from exiting"
    dog.__exit__()
    await asyncio.to_thread(thread.join, 10)
    assert not thread.is_alive()
