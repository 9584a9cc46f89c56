"""Files replaced whole or not at all, and durable when that is said."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

_CHUNK = 1 << 20


class Content(msgspec.Struct, frozen=True):
    """What a file holds, by size and SHA-256."""

    size: int
    digest: str


def replace(target: Path, source: BinaryIO, *, temporary: Path, mode: int | None) -> Content:
    """Put the source's bytes into the target: a crash leaves the old content or the new one.

    Durable when this returns. `mode` None: what the umask gives a new file. The temporary file must
    be in the target's directory; it is gone afterwards.
    """
    digest = hashlib.sha256()
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        with open(fd, "wb") as file:  # noqa: PTH123 -- of a descriptor
            if mode is not None:
                os.fchmod(fd, mode)
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                file.write(chunk)
            size = file.tell()
            file.flush()
            os.fsync(fd)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_directory(target.parent)
    return Content(size, digest.hexdigest())


def digest_of(data: bytes) -> str:
    """The digest of bytes, as `Content` has it."""
    return hashlib.sha256(data).hexdigest()


def content_of(path: Path) -> Content | None:
    """What a file holds; None when there is no file."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return Content(file.tell(), digest)
    except (FileNotFoundError, NotADirectoryError):
        return None


def missing_parents(path: Path) -> list[Path]:
    """The directories above a path that do not exist, outermost first."""
    found: list[Path] = []
    for parent in path.parents:
        if parent.exists():
            break
        found.insert(0, parent)
    return found


def make_directories(path: Path) -> None:
    """Create a directory and those above it, durably."""
    missing = [*missing_parents(path), path]
    path.mkdir(parents=True, exist_ok=True)
    for directory in missing:
        sync_directory(directory.parent)


def remove_empty(directory: Path) -> None:
    """Remove a directory, if it is there and empty."""
    with contextlib.suppress(OSError):
        directory.rmdir()


def sync_directory(directory: Path) -> None:
    """Make what was created, renamed or removed in a directory durable."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
