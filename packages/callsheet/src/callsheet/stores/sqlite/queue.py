"""The queue of those who write one SQLite file, so that nobody waits for long.

SQLite lets whoever waits for its write lock sleep and look again, longer each time; a process that
writes all the time has it again before anybody has woken up. Here whoever wants to write passes a
gate, and keeps it shut until the file is theirs: who has just written stands behind them. The gate
is a file of its own. The database itself is never opened or locked beside SQLite, which would drop
its locks.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GATE = "write.lock"
"""Its name in a home."""
STEP, LAST_STEP = 0.001, 0.0003
"""Seconds between two looks: before the gate, where many stand, and behind it, where one does."""


class WriteQueue:
    """One's place in the queue. Whoever dies in it leaves it: the lock is the kernel's."""

    def __init__(self, home: Path) -> None:
        """Open the gate of a home.

        Raises:
            OSError: it cannot be made.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file: int | None = os.open(home / GATE, flags, 0o600)
        # A forked child shares the lock, and would keep it after the death of its parent.
        me = weakref.ref(self)
        os.register_at_fork(after_in_child=lambda: _let_go(me()))

    def take(self, begin: Callable[[], bool], seconds: float) -> bool:
        """Have something begun in turn; False: it could not be, within so many seconds.

        `begin` says whether it has; with 0 seconds it is tried once.
        """
        assert self._file is not None, "whoever has left does not come back"
        until = time.monotonic() + seconds
        if not _until(self._enter, until, STEP):
            return False
        try:
            return _until(begin, until, LAST_STEP)
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _enter(self) -> bool:
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Leave it for good. Harmless the second time."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def queue_of(home: Path) -> WriteQueue | None:
    """The queue of a home; None: the disk is full or cannot be written, and says so by itself."""
    try:
        return WriteQueue(home)
    except OSError:
        return None


def _let_go(queue: WriteQueue | None) -> None:
    if queue is not None:
        queue.close()


def _until(act: Callable[[], bool], until: float, step: float) -> bool:
    while not act():
        if time.monotonic() >= until:
            return False
        # In a thread that has nothing else to do, and in no task.
        time.sleep(step)
    return True
