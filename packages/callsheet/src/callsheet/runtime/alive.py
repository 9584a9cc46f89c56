"""Which writes may still be at work in this process, whoever has begun them.

A tool that does not listen outlives the loop of its run, and even its engine. Two calls with one
key must never be alive at once, so the next attempt of that step waits, also one of an engine that
was opened later: what is alive is known for the whole process, not for an engine.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.ports import Clock

Name: TypeAlias = tuple[str, str, bool]
"""The run, the step, and whether it is the step's undo: what has one idempotency key."""

LOOK = 0.1
"""Seconds between two looks."""

_calls: dict[Name, asyncio.AbstractEventLoop] = {}
"""On which loop each goes on. One whose loop is closed does not."""
_threads: dict[Name, Callable[[], bool]] = {}
"""Threads that were left behind, and how to know that they have ended."""


def enter(name: Name) -> None:
    """A call begins."""
    _calls[name] = asyncio.get_running_loop()


def leave(name: Name) -> None:
    """It has ended."""
    _calls.pop(name, None)


def leave_behind(name: Name, has_ended: Callable[[], bool]) -> None:
    """It has ended, but a thread of it has not."""
    _threads[name] = has_ended


def is_alive(name: Name) -> bool:
    """Whether a call of this name may be at work."""
    loop = _calls.get(name)
    if loop is not None and not loop.is_closed():
        return True
    has_ended = _threads.get(name)
    if has_ended is not None and has_ended():
        del _threads[name]
        return False
    return has_ended is not None


async def until_ended(run: str, clock: Clock, seconds: float, enough: Callable[[], bool]) -> None:
    """Return when no call of this run is at work, or after so many seconds, or if it is enough."""
    while seconds > 0 and not enough() and _is_any_alive(run):
        await clock.sleep(LOOK)
        seconds -= LOOK


def _is_any_alive(run: str) -> bool:
    return any(is_alive(name) for name in (*_calls, *_threads) if name[0] == run)
