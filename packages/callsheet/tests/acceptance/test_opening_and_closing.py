"""Whatever goes wrong while an engine is opened or closed, the home can be opened again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Engine
from callsheet.engine import opening
from callsheet.engine.toolroom import Toolroom
from callsheet.errors import InputError
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.runtime import Runtime
from callsheet.stores.sqlite import store as sqlite_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.requirement("E11", "E26")

PARTS: list[tuple[Any, str]] = [
    (sqlite_store, "Reader"),
    (sqlite_store, "Writer"),
    (opening, "located"),
    (opening, "open_artifacts"),
    (Toolroom, "join"),
    (Runtime, "__aenter__"),
    (Runtime, "recover"),
]


class MishapError(Exception):
    """Something that nobody expects."""


def broken(*_: object, **__: object) -> Any:
    raise MishapError


async def opens(home: str | Path) -> None:
    async with asyncio.timeout(30), Engine.open(home) as engine:
        assert engine.driving


@pytest.mark.parametrize(("owner", "name"), PARTS, ids=str)
async def test_a_part_of_opening_that_fails_gives_everything_back(
    owner: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, broken)
        with pytest.raises(MishapError):
            await opens(tmp_path)
    await opens(tmp_path)


async def test_artifacts_that_are_nowhere_leave_no_lock_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a place for artifacts"):
        async with Engine.open(tmp_path, artifacts="nonsense://x"):
            pass
    await opens(tmp_path)


async def cancelled_after(turns: int, work: Callable[[], Any], *, times: int = 1) -> bool:
    """Whether something was cancelled after so many turns of the loop, before it was done."""
    task = asyncio.get_running_loop().create_task(work())
    for _ in range(turns):
        await SystemClock().sleep(0)
    was_open = not task.done()
    for _ in range(times):
        task.cancel()
        await SystemClock().sleep(0)
    with suppress(asyncio.CancelledError):
        await task
    return was_open


@pytest.mark.slow  # one opening for each turn of the loop
async def test_an_opening_that_is_cancelled_anywhere_gives_everything_back(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        for turns in (*range(12), 20, 50, 200, 1000):
            await cancelled_after(turns, lambda: opens(tmp_path))
            await opens(tmp_path)


@pytest.mark.slow  # as above, with a server
@pytest.mark.requirement("store:postgresql")
async def test_an_opening_on_a_server_that_is_cancelled_gives_everything_back(
    database: str,
) -> None:
    async with asyncio.timeout(60):
        for turns in (0, 1, 2, 5, 50, 1000):
            await cancelled_after(turns, lambda: opens(database))
            await opens(database)


@pytest.mark.slow  # one closing for each turn of the loop
async def test_a_closing_that_is_cancelled_three_times_closes_all_the_same(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        for turns in (*range(12), 50):
            ready = asyncio.Event()

            async def closes(ready: asyncio.Event = ready) -> None:
                async with Engine.open(tmp_path):
                    ready.set()

            task = asyncio.get_running_loop().create_task(closes())
            await ready.wait()
            for _ in range(turns):
                await SystemClock().sleep(0)
            for _ in range(3):
                task.cancel()
                await SystemClock().sleep(0)
            with suppress(asyncio.CancelledError):
                await task
            await opens(tmp_path)
