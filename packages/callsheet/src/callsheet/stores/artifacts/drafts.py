"""Drafts: files that are being written, and will be renamed when they are whole."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from callsheet.stores.artifacts.digest import Check, pieces_of

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.stores.artifacts.digest import Content

_READ_ONLY = 0o400


def new_draft(draft: Path) -> int:
    """A new file, locked; the mode is that of a file that nobody is to write to again."""
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _READ_ONLY)
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def write_all(file: int, data: bytes) -> None:
    """Write bytes to the end."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def copy_into(file: int, source: Path) -> Content:
    """Write a file's bytes, and say what was written."""
    check = Check()
    for chunk in pieces_of(source):
        write_all(file, check.passed(chunk))
    return check.content


def remove_abandoned(draft: Path) -> bool:
    """Remove a draft, unless somebody is writing it; whether it was removed."""
    try:
        file = os.open(draft, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False  # its writer has just given up
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink(missing_ok=True)
    except BlockingIOError:
        return False  # somebody is writing it
    finally:
        os.close(file)
    return True


def sync_directory(directory: Path) -> None:
    """Make what was created, renamed or removed in a directory durable."""
    file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
