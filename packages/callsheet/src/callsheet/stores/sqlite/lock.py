"""Locks in a home, of the operating system: they die with their process, however that dies.

Every driver holds one of its own, `drivers/<number>.lock`, as long as it lives. One for the home as
a whole is held only while its database is made or migrated. Versions that knew a single driver held
that one all the time, so they and we keep out of each other's way.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.errors import StoreBusyError

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.stores.sql.session import Session

LOCK_FILE = "driver.lock"
DRIVERS = "drivers"
PATIENCE = 5.0
"""Seconds to wait for another process that makes or migrates the same home."""
_LOOKS = 3
_MOMENT = 0.005


class Lock:
    """A lock on a file, held from construction to `release`.

    Raises:
        BlockingIOError: another process (or another engine of this one) holds it.
        OSError: the home cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file: int | None = os.open(path, flags, 0o600)
        try:
            _take(self._file)
        except BaseException:
            self.release()
            raise
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)
        # A forked child shares the lock, and would keep it after the death of its parent.
        me = weakref.ref(self)
        os.register_at_fork(after_in_child=lambda: _let_go(me()))

    def release(self, *, remove: bool = False) -> None:
        """Give it back, and perhaps remove the file. Harmless the second time."""
        file, self._file = self._file, None
        if file is not None:
            if remove:
                with suppress(OSError):
                    self._path.unlink()
            os.close(file)


class HomeLock(Lock):
    """The home as a whole, while its database is made or migrated.

    Raises:
        StoreBusyError: another process is at it, or one of an older version drives it.
    """

    def __init__(self, home: Path) -> None:
        path = home / LOCK_FILE
        until = time.monotonic() + PATIENCE
        held = False
        while not held:
            try:
                super().__init__(path)
                held = True
            except BlockingIOError as exc:
                if time.monotonic() >= until or not _is_ours(path):
                    raise StoreBusyError(_taken(path)) from exc
                time.sleep(_MOMENT)


class DriverLocks:
    """The locks of a home's drivers, by their numbers."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._mine: Lock | None = None

    def hold(self, number: int) -> bool:
        """Be alive, as the driver of this number; False: another is.

        Whoever enters does so alone, in a transaction; what those before it have left behind who
        were killed is removed then.
        """
        path = self._path(number)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            self._mine = Lock(path)
        except BlockingIOError:
            return False
        for other in path.parent.glob("*.lock"):
            if other.stem.isdecimal() and int(other.stem) < number and not is_held(other):
                other.unlink(missing_ok=True)
        return True

    def release(self) -> None:
        """Be alive no more. Harmless the second time."""
        if self._mine is not None:
            self._mine.release(remove=True)

    def is_gone(self, _: Session, number: int) -> bool:
        """Whether a driver has ended. It never comes back: whoever opens gets another number."""
        return not self.is_held(number)

    async def is_alive(self, number: int) -> bool:
        """Whether a driver is alive."""
        return self.is_held(number)

    def is_held(self, number: int) -> bool:
        """Whether some process holds the lock of a driver right now."""
        return is_held(self._path(number))

    def _path(self, number: int) -> Path:
        return self._home / DRIVERS / f"{number}.lock"


def is_held(path: Path) -> bool:
    """Whether some process holds a lock right now."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _take(file: int) -> None:
    """Take a lock; somebody who only looks (`is_held`) has it for less than a moment."""
    for _ in range(_LOOKS):
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_MOMENT)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return None


def _let_go(lock: Lock | None) -> None:
    if lock is not None:
        lock.release()


def _is_ours(path: Path) -> bool:
    """Whether whoever holds the home's lock gives it back soon: it makes or migrates a database.

    One of an older version holds it for as long as it drives. It knows no drivers by number.
    """
    return (path.parent / DRIVERS).is_dir() or not (path.parent / "callsheet.db").exists()


def _taken(path: Path) -> str:
    holder = ""
    with suppress(OSError):
        holder = path.read_text("ascii", "replace").strip()
    who = f"Process {holder}" if holder else "Another process"
    return (
        f"{who} holds {str(path.parent)!r}: it is making or migrating the database, or it is an "
        "older version of callsheet that drives alone. Wait for it, or stop it, or use another "
        "--home."
    )
