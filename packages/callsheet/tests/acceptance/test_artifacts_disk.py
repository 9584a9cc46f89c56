"""A disk that is full when a tool stores what it has made: the run waits for room, and goes on."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Context, Engine, SyncContext, tool
from callsheet.core.run.entries import AttemptEnded
from callsheet.errors import StoreFullError
from callsheet.stores.artifacts import directory as directory_blobs
from callsheet.stores.artifacts import drafts
from callsheet.stores.artifacts.memory import MemoryArtifacts

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.requirement("E14"), pytest.mark.requirement("E11")]


class Disk:
    """A disk that takes nothing more while it is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self.refused = threading.Event()
        self._write = drafts.write_all
        monkeypatch.setattr(directory_blobs, "write_all", self._written)

    def _written(self, file: int, data: bytes) -> None:
        if self.is_full:
            self.refused.set()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._write(file, data)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def plan_of(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"callsheet": 1, "name": "drawn", "steps": list(steps)}


@pytest.mark.parametrize("drawn", ["draw", "draw_beside"])
async def test_a_call_whose_artifact_finds_no_room_goes_on_when_there_is(
    tmp_path: Path, disk: Disk, drawn: str
) -> None:
    calls: list[str] = []

    @tool(effect="read")
    async def draw(ctx: Context) -> str:
        calls.append("draw")
        return (await ctx.store(b"a picture")).digest

    @tool(effect="read")
    def draw_beside(ctx: SyncContext) -> str:
        calls.append("draw_beside")
        return ctx.store(b"a picture").digest

    plan = plan_of({"id": "picture", "tool": drawn}, {"id": "copy", "tool": drawn})
    async with Engine.open(tmp_path / "home", [draw, draw_beside], sync="normal") as engine:
        disk.is_full = True
        run = await engine.start(plan)
        assert await asyncio.to_thread(disk.refused.wait, 10)
        assert str((await run.status()).state) == "running"
        ended = [entry for entry in await run.journal() if isinstance(entry, AttemptEnded)]
        assert ended == [], "nothing is said to have failed"
        disk.is_full = False
        result = await run.wait()
        assert str(result.state) == "succeeded"
        assert (await engine.replay(run.id)).same
        assert await engine.artifacts.get(str(result.steps["picture"].output)) == b"a picture"
    assert calls == [drawn] * 2


async def test_what_others_have_done_by_then_is_not_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[str] = []
    drawn: list[str] = []
    both, refused = asyncio.Event(), asyncio.Event()

    async def no_room(*_: object) -> tuple[str, int]:
        refused.set()
        raise StoreFullError

    @tool(effect="write")
    async def send(ctx: Context) -> str:
        sent.append(ctx.key)
        await both.wait()
        return "sent"

    @tool(effect="read")
    async def draw(ctx: Context) -> str:
        drawn.append(ctx.key)
        # The mail is sent in the same moment, and the run hears of both at once.
        both.set()
        await ctx.sleep(0)
        return (await ctx.store(b"a picture")).digest

    plan = plan_of({"id": "mail", "tool": "send"}, {"id": "picture", "tool": "draw"})
    async with Engine.in_memory([send, draw]) as engine:
        with monkeypatch.context() as full:
            full.setattr(MemoryArtifacts, "put", no_room)
            run = await engine.start(plan)
            await refused.wait()
        async for result in run.watch():
            assert not result.questions, "nobody is asked whether the mail was sent"
        assert str((await run.status()).state) == "succeeded"
    assert (len(sent), len(drawn)) == (1, 1)
