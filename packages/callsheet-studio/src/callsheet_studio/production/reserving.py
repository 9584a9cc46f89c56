"""One production at a time into one directory, whichever homes they are made in.

An advisory lock of the operating system, so it dies with the process, however that dies. It lies
beside the machine's other temporary files: the directory may not be there yet, and holds what is
delivered and nothing else.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _lock_of(out: Path) -> Path:
    name = hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:32]
    return Path(tempfile.gettempdir()) / f"callsheet-{os.geteuid()}-{name}.lock"


def _locked(path: Path) -> int | None:
    """The lock, as an open file; None: somebody has it."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        if _is_at(file, path):
            return file
        os.close(file)  # whoever had it before has removed it in between


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _holder(path: Path) -> str:
    try:
        return path.read_text("ascii")[:_PID]
    except (OSError, ValueError):
        return ""
