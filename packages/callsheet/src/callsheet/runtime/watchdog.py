"""Notices a tool that blocks the event loop, and names it.

An `async` tool that computes or waits without awaiting stops everything: timeouts, cancels, other
runs. Nothing can interrupt it, but somebody can be told which one it is.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCKED_AFTER = 1.0
_BEAT = 0.25


class Watchdog:
    """A thread that watches the loop's heartbeat. Used as a context manager on the loop."""

    def __init__(self, blocked: Callable[[str, float], None]) -> None:
        self._blocked = blocked
        """Called on the loop, with the blocking task's name, once it breathes again."""
        self._stop = threading.Event()
        self._beat = time.monotonic()
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._watch, name="callsheet-watchdog", daemon=True)

    def __enter__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tick()
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()

    def _tick(self) -> None:
        self._beat = time.monotonic()
        if not self._stop.is_set():
            self._loop.call_later(_BEAT, self._tick)

    def _watch(self) -> None:
        reported = 0.0
        while not self._stop.wait(_BEAT):
            beat = self._beat
            if time.monotonic() - beat < BLOCKED_AFTER or beat == reported:
                continue
            reported = beat
            task = asyncio.current_task(self._loop)
            if task is not None:
                self._tell(task.get_name(), beat)

    def _tell(self, name: str, beat: float) -> None:
        def breathing() -> None:
            self._blocked(name, time.monotonic() - beat)

        try:
            self._loop.call_soon_threadsafe(breathing)
        except RuntimeError:
            return  # the loop has been closed meanwhile
