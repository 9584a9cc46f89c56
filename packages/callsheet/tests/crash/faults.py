"""A program whose disk fails it in the middle of a run, and which goes on when there is room again.

It runs in a process of its own, since what it does to its disk must not be done to the tests.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import resource
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.crash.program import WORLD, Diary, Word, line_of, watch
from tests.crash.world import World

from callsheet import CallsheetError, Context, Engine, tool
from callsheet.runtime.clock import SystemClock
from callsheet.stores.sqlite.session import log_of
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from collections.abc import Callable

Fault = Literal["full", "too large"]

COUNT = 12
FAILS_AT = 5
PAYLOAD = "x" * 5_000
PLAN: dict[str, Any] = {
    "callsheet": 1,
    "name": "grows",
    "steps": [
        {"id": "grow", "tool": "grow", "for_each": list(range(COUNT)), "args": {"n": "${item}"}},
        {"id": "after", "tool": "grow", "args": {"n": -1}, "needs": ["grow"]},
    ],
}


def world_of(home: Path) -> World:
    return World(home.parent / WORLD)


def disk_of(home: Path, fault: Fault) -> tuple[Callable[[], None], Callable[[], None]]:
    """How the disk is made to fail, and how it is mended."""
    if fault == "too large":
        return _largest_file(home)
    mount_small_disk(home)
    ballast = home / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                return

    return fill, ballast.unlink


def _largest_file(home: Path) -> tuple[Callable[[], None], Callable[[], None]]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill() -> None:
        size = log_of(home / DATABASE).stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    return fill, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def mount_small_disk(home: Path) -> None:
    """A disk of 1 MB at this place, which only this process sees.

    Raises:
        PermissionError: this process may not do that.
    """
    if sys.platform != "linux":
        raise PermissionError(errno.EPERM, "only Linux lets a process have disks of its own")
    libc = ctypes.CDLL(None, use_errno=True)
    new_mounts, private = 0x00020000, 0x4000 | 1 << 18  # CLONE_NEWNS; MS_REC | MS_PRIVATE
    failed = (
        libc.unshare(new_mounts)
        or libc.mount(b"none", b"/", None, ctypes.c_ulong(private), None)
        # Nobody else may write to a home.
        or libc.mount(
            b"tmpfs", str(home).encode(), b"tmpfs", ctypes.c_ulong(0), b"size=1m,mode=0700"
        )
    )
    if failed:
        raise PermissionError(ctypes.get_errno(), "cannot mount a disk here")


async def live(home: Path, fault: Fault, diary: Diary) -> None:
    """Run into the fault, see how things stand, mend the disk; the run goes on by itself."""
    fill, mend = disk_of(home, fault)
    filled = asyncio.Event()

    @tool("grow", effect="write", idempotent=True, limit=2, retry={"backoff": "10ms"})
    async def grow(n: int, ctx: Context) -> str:
        world = world_of(home)
        world.write(line_of("called", "grow", ctx))
        if not world.has("done", ctx.key):
            world.write(line_of("done", "grow", ctx))
        if n == FAILS_AT and ctx.attempt == 1:
            fill()
            filled.set()
        return PAYLOAD

    async with Engine.open(home, [grow]) as engine:
        engine.listen(diary.hear)
        run = await engine.start(PLAN)
        diary.say(Word(said="started", run=run.id))
        await filled.wait()
        # Long enough for an engine that gives up to have done so.
        await SystemClock().sleep(0.5)
        status = await run.status()
        diary.say(Word(said="status", data=str(status.state)))
        mend()
        # Nobody resumes it.
        result = await run.wait()
        await watch(run, diary)
        diary.say(Word(said="ended", run=run.id, data=result.to_json()))
        report = await engine.replay(run.id)
        diary.say(Word(said="replayed", data=report.same))


def main(place: str, fault: Fault) -> None:
    """Live once, in the home at this place."""
    home = Path(place)
    home.mkdir(parents=True)
    diary = Diary(home.parent)
    try:
        asyncio.run(live(home, fault, diary))
    except PermissionError as exc:
        diary.say(Word(said="not allowed", data=str(exc)))
    except (CallsheetError, OSError):
        diary.say(Word(said="error", data=traceback.format_exc()))
        raise
