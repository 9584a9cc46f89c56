from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from callsheet.runtime.clock import SystemClock
from callsheet.testing import SimulatedClock, SimulatedLoop, run_simulated, simulated


async def test_the_time_is_aware_and_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


def test_the_time_never_goes_back_and_never_stands_still() -> None:
    noon, hour = datetime(2030, 1, 1, 12, tzinfo=UTC), timedelta(hours=1)
    wall = iter([noon, noon, noon - hour, noon - hour, noon + hour])
    monotonic = iter([100.0, 100.0, 102.0, 105.0, 106.0])
    clock = SystemClock(lambda: next(wall), lambda: next(monotonic))
    given = [clock.now() for _ in range(4)]
    second = timedelta(seconds=1)
    assert given == [noon, noon + 2 * second, noon + 5 * second, noon + hour]


async def test_it_calls_back_on_the_loop_unless_it_is_cancelled() -> None:
    clock, called = SystemClock(), asyncio.Event()
    never = clock.call_later(0.0, lambda: pytest.fail("it was cancelled"))
    never.cancel()
    clock.call_later(-1, called.set)
    async with asyncio.timeout(5):
        await called.wait()
        await clock.sleep(0)


async def test_nobody_foresees_chance() -> None:
    clock = SystemClock()
    assert len({clock.chance() for _ in range(100)}) == 100
    assert all(0 <= clock.chance() < 2**64 for _ in range(100))


# Simulated time


@simulated
async def test_simulated_time_passes_without_waiting() -> None:
    clock = SimulatedClock()
    before = clock.now()
    await clock.sleep(900)
    assert clock.now() - before == timedelta(seconds=900)


@simulated
async def test_simulated_timers_fire_in_order_and_can_be_cancelled() -> None:
    clock, order = SimulatedClock(), []
    for seconds in (30, 10, 20):
        clock.call_later(seconds, lambda seconds=seconds: order.append(seconds))  # type: ignore[misc]
    clock.call_later(15, lambda: order.append(0)).cancel()
    await clock.sleep(60)
    assert order == [10, 20, 30]


def test_a_simulation_with_the_same_seed_has_the_same_chance() -> None:
    async def draw() -> list[int]:
        return [SimulatedClock().chance() for _ in range(5)]

    assert run_simulated(draw(), seed=1) == run_simulated(draw(), seed=1)
    assert run_simulated(draw(), seed=1) != run_simulated(draw(), seed=2)
    assert len(set(run_simulated(draw()))) == 5


def test_a_simulation_that_hangs_is_found_out() -> None:
    async def waits_for_nobody() -> None:
        await asyncio.Event().wait()

    async def waits_and_ticks() -> None:
        clock = SimulatedClock()
        while True:
            await clock.sleep(1)

    with pytest.raises(TimeoutError):
        run_simulated(waits_for_nobody(), at_most=10)
    with pytest.raises(TimeoutError):
        run_simulated(waits_and_ticks(), at_most=10)
    loop = SimulatedLoop()
    waiting = loop.create_task(waits_for_nobody())
    with pytest.raises(RuntimeError, match="nothing is left"):
        loop.run_until_complete(waiting)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        loop.run_until_complete(waiting)
    loop.close()


@simulated
async def test_threads_have_time_to_speak_in_simulated_time() -> None:
    import threading

    heard = threading.Event()

    async with asyncio.timeout(100), asyncio.TaskGroup() as group:
        group.create_task(asyncio.to_thread(heard.wait, 30))
        await SimulatedClock().sleep(1)
        heard.set()
    assert asyncio.get_running_loop().time() < 100
