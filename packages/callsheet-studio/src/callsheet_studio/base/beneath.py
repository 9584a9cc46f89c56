"""The one rule for paths that somebody else has written, in a brief, a report or a delivery.

Relative, beneath a folder, through no link, a regular file, and no larger than is said. A file is
opened step by step from the handle of its folder, and what was opened is looked at: nothing can be
exchanged between the look and the reading.
"""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack
from typing import TYPE_CHECKING

from callsheet.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST, _DEEPEST = 255, 16
"""Bytes of a part of a name, and parts of one."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A pipe or a device is not waited for: it is opened, looked at, and refused.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class NotBeneathError(InputError):
    """A path leads out of its folder, through a link, or to what is no file."""


def parts_of(name: str, folder: str = "the folder") -> tuple[str, ...]:
    """The parts of a relative name.

    Raises:
        NotBeneathError: it is absolute, leads upwards, or is no name of a file.
    """
    parts = tuple(part for part in name.split("/") if part != ".")
    wrong = name.startswith("/") or not parts or len(parts) > _DEEPEST or not name.isprintable()
    if wrong or any(part in {"", ".."} or len(os.fsencode(part)) > _LONGEST for part in parts):
        raise NotBeneathError(f"{name[:80]!r} is not in {folder}.")
    return parts


def is_beneath(name: str) -> bool:
    """Whether a name follows the rule, as far as a name can."""
    try:
        return bool(parts_of(name))
    except (NotBeneathError, UnicodeError):
        return False


def read_beneath(folder: Path, name: str, most: int, called: str = "the folder") -> bytes:
    """The bytes of a file; one byte more than `most`, if it has more.

    Raises:
        NotBeneathError: the name breaks the rule, or what it names does.
        OSError: it is not there, or may not be read.
    """
    *above, last = parts_of(name, called)
    with ExitStack() as stack:
        # The folder itself is the user's own word, and may be a link.
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, handle)
        for part in above:
            handle = _opened(part, _FOLDER, handle, name)
            stack.callback(os.close, handle)
        found = _opened(last, _FILE, handle, name)
        stack.callback(os.close, found)
        kind = os.fstat(found).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(name)
        if not stat.S_ISREG(kind):
            raise NotBeneathError(f"{name!r} is no regular file.")
        return _bytes(found, most + 1)


def _opened(part: str, how: int, folder: int, name: str) -> int:
    try:
        return os.open(part, how, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        linked = _is_link(part, folder)
        if linked:
            raise NotBeneathError(f"{name!r} is a link, or leads through one.") from error
        raise


def _is_link(part: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _bytes(file: int, most: int) -> bytes:
    found = bytearray()
    while len(found) < most and (chunk := os.read(file, min(most - len(found), 1 << 20))):
        found += chunk
    return bytes(found)
