from __future__ import annotations

import asyncio

import pytest

from callsheet.runtime.children import Children
from callsheet.testing import SimulatedClock, simulated


async def sleep(seconds: float) -> None:
    await SimulatedClock().sleep(seconds)


@simulated
async def test_closing_cancels_all_children_and_waits_for_them() -> None:
    children, ended = Children(), []

    async def child(name: str) -> None:
        try:
            await sleep(1000)
        finally:
            await sleep(1)
            ended.append(name)

    for name in "ab":
        children.begin(child(name), name=name)
    await sleep(1)
    await children.close(10)
    assert sorted(ended) == ["a", "b"]


@simulated
async def test_closing_does_not_wait_for_one_that_does_not_listen() -> None:
    children, release = Children(), asyncio.Event()

    async def deaf() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    children.begin(deaf(), name="deaf")
    await sleep(1)
    began = asyncio.get_running_loop().time()
    await children.close(10)
    assert asyncio.get_running_loop().time() - began == pytest.approx(10)
    release.set()


@simulated
async def test_a_child_that_raises_harms_no_other() -> None:
    children, done = Children(), asyncio.Event()

    async def bad() -> None:
        raise ValueError("bad")

    async def good() -> None:
        await sleep(1)
        done.set()

    raising = children.create_task(bad(), name="bad")
    children.begin(good(), name="good")
    await done.wait()
    assert isinstance(raising.exception(), ValueError)
    await children.close(1)


@simulated
async def test_a_child_that_has_ended_is_forgotten() -> None:
    children = Children()
    task = children.create_task(sleep(1), name="brief")
    await task
    await sleep(0)
    began = asyncio.get_running_loop().time()
    await children.close(10)
    assert asyncio.get_running_loop().time() == began
