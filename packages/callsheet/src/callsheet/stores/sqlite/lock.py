"""The driver lock: one process drives the runs of a home.

An advisory lock of the operating system on a file, so it dies with the process, however that
dies. The file holds the process id, for messages only.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from typing import TYPE_CHECKING

from callsheet.errors import StoreBusyError

if TYPE_CHECKING:
    from pathlib import Path

LOCK_FILE = "driver.lock"
_LOOKS = 3
_MOMENT = 0.005


class DriverLock:
    """Held from construction to `release`.

    Raises:
        StoreBusyError: another process (or another engine of this one) holds it.
        OSError: the home cannot be written.
    """

    def __init__(self, home: Path) -> None:
        path = home / LOCK_FILE
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._take(path)
        # A forked child shares the lock, and would keep it after the death of the driver.
        me = weakref.ref(self)
        os.register_at_fork(after_in_child=lambda: _let_go(me()))

    def _take(self, path: Path) -> None:
        assert self._file is not None
        try:
            _lock(self._file)
        except BlockingIOError as exc:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            self.release()
            raise StoreBusyError(_taken(path, holder)) from exc
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let another process drive. Harmless the second time."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def is_held(home: Path) -> bool:
    """Whether some process drives the home right now."""
    try:
        file = os.open(home / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _lock(file: int) -> None:
    """Take the lock; somebody who only looks (`is_held`) has it for less than a moment."""
    for _ in range(_LOOKS):
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_MOMENT)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return None


def _let_go(lock: DriverLock | None) -> None:
    if lock is not None:
        lock.release()


def _taken(path: Path, holder: str) -> str:
    home = str(path.parent)
    if holder == str(os.getpid()):
        return f"This process already drives {home!r}. Use that engine, or another home."
    who = f"Process {holder}" if holder else "Another process"
    return (
        f"{who} drives {home!r}. Use pause, cancel, answer and watch from here, or another --home."
    )
