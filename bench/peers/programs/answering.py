"""The side of a peer's program that answers: a request per line comes in, a line of JSON goes out.

    {"case": "chain", "args": [200]}    in
    {"case": "chain", "seconds": 0.9, "cpu": 0.7}    out

The first line says that it is ready, and with which settings. The end of the input ends the program
in the ordinary way, so that what it started is stopped even if whoever asked is gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

_TICKS = os.sysconf("SC_CLK_TCK")


async def answer(
    cases: Mapping[str, Callable[..., Awaitable[object]]],
    packages: str,
    *,
    settings: str,
    also: Mapping[str, str] | None = None,
) -> None:
    """Do what is asked for until there is nothing more. A case may say its seconds itself."""
    end_when_told()
    lines = await _stdin()
    versions = {name: version(name) for name in packages.split()} | dict(also or {})
    say(ready={"settings": settings, "versions": versions})
    while line := await lines.readline():
        asked = json.loads(line)
        case = asked["case"]
        began, spent = time.perf_counter(), cpu_seconds()
        said = await cases[case](*asked["args"])
        seconds = time.perf_counter() - began
        say(
            case=case,
            seconds=said if isinstance(said, float) else seconds,
            cpu=cpu_seconds() - spent,
        )


def end_when_told() -> None:
    """SIGTERM ends the program as its end of input does: servers are stopped on the way out."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _stdin() -> asyncio.StreamReader:
    # Not a thread: the loop goes on turning while we wait, and a wait can be cancelled.
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


def say(**line: Any) -> None:
    """One line for whoever asked."""
    print(json.dumps(line), flush=True)


def cpu_seconds() -> float:
    """What this process and the servers it started have used of the CPU."""
    times = os.times()
    return times.user + times.system + sum(_used(pid) for pid in descendants(os.getpid()))


def descendants(pid: int) -> Iterator[int]:
    """What a process has started, and what that has, and so on."""
    for place in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(word) for word in place.read_text("utf-8").split()]
        except OSError:  # the thread is gone
            continue
        for child in children:
            yield child
            yield from descendants(child)


def _used(pid: int) -> float:
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(after_name[11]) + int(after_name[12])) / _TICKS
