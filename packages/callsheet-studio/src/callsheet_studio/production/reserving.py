"""One production at a time into one directory, whichever homes they are made in.

An advisory lock of the operating system, so it dies with the process, however that dies. It lies
beside the directory, which may not be there yet, and holds what is delivered and nothing else: not
among the temporary files of everybody, where a stranger could lay a link under its name.
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PID = 20
"""Characters of a process id, at most."""


@contextmanager
def reserved(out: Path) -> Iterator[None]:
    """Let no other process deliver into a directory, until this is left.

    Within one process it may be asked for again.

    Raises:
        InputError: another process is making something for it.
    """
    path = _lock_of(out)
    made = _made(path.parent)
    file = _locked(path)
    if file is None:
        holder = _holder(path)
        if holder == str(os.getpid()):
            yield
            return
        who = f"Process {holder}" if holder else "Another process"
        raise InputError(
            f"{who} is making something for {out} just now, and two would overwrite each other. "
            "Wait until it has ended, or give another directory with -o."
        )
    try:
        os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode(), 0)
        yield
    finally:
        # While it is held: whoever waits for this file sees that it is gone, and takes a new one.
        path.unlink(missing_ok=True)
        os.close(file)
        for folder in made:
            with suppress(OSError):  # what was delivered keeps it
                folder.rmdir()


def _lock_of(out: Path) -> Path:
    place = out.resolve()
    beside = place.parent
    # Whoever may not write there has a directory already, or could not make it.
    if place.is_dir() and not os.access(beside, os.W_OK):
        return place / ".callsheet.lock"
    return beside / f".{place.name}.callsheet.lock"


def _made(folder: Path) -> list[Path]:
    """Make a folder and those above it; returns those that were not there, the deepest first."""
    lacking = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return lacking


def _locked(path: Path) -> int | None:
    """The lock, as an open file; None: somebody has it.

    Raises:
        InputError: what lies there is no lock of ours.
    """
    how = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    while True:
        try:
            file = os.open(path, how, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)  # removed by who was here before us
            continue
        except OSError as error:
            what = f"{path} is no lock of ours, or cannot be made ({error.strerror})"
            raise InputError(f"{what}. Remove it, or give another directory with -o.") from error
        if not _is_ours(file):
            os.close(file)
            what = f"{path} is not a lock that this user has made"
            raise InputError(f"{what}. Remove it, or give another directory with -o.")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        if _is_at(file, path):
            return file
        os.close(file)  # whoever had it before has removed it in between


def _is_ours(file: int) -> bool:
    """Whether it is a file with one name: another name of somebody's file is not written to."""
    found = os.fstat(file)
    return stat.S_ISREG(found.st_mode) and found.st_nlink <= 1


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.lstat())
    except FileNotFoundError:
        return False


def _holder(path: Path) -> str:
    try:
        return path.read_text("ascii")[:_PID]
    except (OSError, ValueError):
        return ""
