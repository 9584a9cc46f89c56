"""Files replaced whole or not at all, and durable when that is said."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING

import msgspec

from callsheet.tools.builtin.walk import sync

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from callsheet.tools.builtin.walk import Spot

_CHUNK = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Content(msgspec.Struct, frozen=True):
    """What a file holds, by size and SHA-256."""

    size: int
    digest: str


def replace(spot: Spot, source: BinaryIO, *, temporary: str, mode: int | None) -> Content:
    """Put the source's bytes into a file: a crash leaves the old content or the new one.

    Durable when this returns. `mode` None: what the umask gives a new file; else nobody may open it
    who may not in the end. The temporary file is in the same directory, and gone afterwards.
    """
    digest = hashlib.sha256()
    here = spot.directory
    try:
        fd = _new(here, temporary, 0o666 if mode is None else 0o600)
        with open(fd, "wb") as file:  # noqa: PTH123 -- of a descriptor
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                file.write(chunk)
            size = file.tell()
            file.flush()
            if mode is not None:
                os.fchmod(fd, mode)
            os.fsync(fd)
        os.replace(temporary, spot.name, src_dir_fd=here, dst_dir_fd=here)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=here)
        raise
    sync(here)
    return Content(size, digest.hexdigest())


def _new(directory: int, name: str, mode: int) -> int:
    try:
        return os.open(name, _NEW, mode, dir_fd=directory)
    except FileExistsError:
        # Of an attempt that did not come to its end, or put there by somebody else.
        os.unlink(name, dir_fd=directory)
        return os.open(name, _NEW, mode, dir_fd=directory)


def digest_of(data: bytes) -> str:
    """The digest of bytes, as `Content` has it."""
    return hashlib.sha256(data).hexdigest()


def content_of(spot: Spot) -> Content | None:
    """What a file holds; None when there is no file."""
    try:
        handle = spot.open()
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:  # noqa: PTH123 -- of a descriptor
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Content(file.tell(), digest)


def make_directories(path: Path) -> None:
    """Create a directory and those above it, durably, for nobody else to look into."""
    missing = [parent for parent in (path, *path.parents) if not parent.exists()]
    for directory in reversed(missing):
        directory.mkdir(mode=0o700, exist_ok=True)
        sync_directory(directory.parent)


def sync_directory(directory: Path) -> None:
    """Make what was created, renamed or removed in a directory durable."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
