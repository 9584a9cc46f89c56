"""A program that looks at a home on a disk that takes no writes, and opens one on a full disk.

It runs in a process of its own, since what it does to its disk must not be done to the tests.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import sys
from pathlib import Path

from tests.crash.faults import mount_small_disk

from callsheet import CallsheetError, Engine

PLAN = {"callsheet": 1, "steps": [{"id": "a", "tool": "value", "args": {"value": 7}}]}


def remount_read_only(home: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    flags = ctypes.c_ulong(1 | 32)  # MS_RDONLY | MS_REMOUNT
    if libc.mount(b"none", str(home).encode(), b"tmpfs", flags, None):
        raise PermissionError(ctypes.get_errno(), "cannot mount a disk here")


def fill(home: Path) -> None:
    with (home / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


async def make(home: Path) -> str:
    async with Engine.open(home) as engine:
        run = await engine.start(PLAN)
        await run.wait()
        return run.id


async def look(home: Path, run: str) -> list[object]:
    async with Engine.open(home, drive=False) as engine:
        heads = await engine.runs()
        status = await (await engine.get(run)).status()
        return [len(heads), str(status.state), status.steps["a"].output]


async def refused(home: Path) -> str:
    try:
        async with Engine.open(home):
            return ""
    except CallsheetError as exc:
        return exc.code


def main(place: str, kind: str) -> object:
    home = Path(place)
    mount_small_disk(home)
    run = asyncio.run(make(home))
    if kind == "full":
        fill(home)
        return asyncio.run(refused(home))
    remount_read_only(home)
    return asyncio.run(look(home, run))


if __name__ == "__main__":
    try:
        sys.stdout.write(json.dumps(main(*sys.argv[1:])))
    except PermissionError:
        sys.stdout.write("null")
