"""What every store of artifacts does the same way: naming content, and saying what is wrong."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.artifact import is_digest
from callsheet.errors import InputError, StoreCorruptError, UnknownArtifactError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHUNK = 1 << 20
"""Bytes that are held of a file at a time."""
SHARD = 2
"""Characters of a digest that name the directory it lies in."""


class Content(msgspec.Struct, frozen=True):
    """What bytes are: their name, and how many there are."""

    digest: str
    size: int


class Check:
    """Bytes that are counted and named while they pass."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._size = 0

    def passed(self, chunk: bytes) -> bytes:
        """Count these too."""
        self._hash.update(chunk)
        self._size += len(chunk)
        return chunk

    @property
    def content(self) -> Content:
        """What has passed so far."""
        return Content(self._hash.hexdigest(), self._size)


def content_of(data: bytes | Path) -> Content:
    """What bytes, or those of a file, are; a file is never held whole.

    Raises:
        InputError: the file cannot be read.
    """
    check = Check()
    for chunk in pieces_of(data):
        check.passed(chunk)
    return check.content


def pieces_of(data: bytes | Path) -> Iterator[bytes]:
    """The bytes, or those of a file, piece by piece.

    Raises:
        InputError: the file cannot be read.
    """
    if isinstance(data, bytes):
        yield data
        return
    # What goes wrong while a piece is used elsewhere is not an error of this file.
    try:
        file = data.open("rb")
    except OSError as exc:
        raise _unreadable(data, exc) from exc
    with file:
        while True:
            try:
                chunk = file.read(CHUNK)
            except OSError as exc:
                raise _unreadable(data, exc) from exc
            if not chunk:
                return
            yield chunk


def place_of(digest: str) -> str:
    """Where an artifact lies in its store.

    Raises:
        UnknownArtifactError: it is not a digest at all: nothing can be there.
    """
    if not is_digest(digest):
        raise UnknownArtifactError(
            f"{digest[:80]!r} is not the digest of an artifact: 64 characters, 0-9 and a-f."
        )
    return f"{digest[:SHARD]}/{digest}"


def unknown(digest: str, where: str) -> UnknownArtifactError:
    """There is nothing under a digest."""
    return UnknownArtifactError(
        f"There is no artifact {digest} in {where}. It was collected, or never kept there; "
        "`callsheet artifacts` lists what there is."
    )


def damaged(digest: str, place: str) -> StoreCorruptError:
    """There is something else under a digest than was put there."""
    return StoreCorruptError(
        f"The artifact {digest} is damaged: {place} does not hold the bytes that were kept there. "
        "Put the file of a backup in its place; or delete it, and run what made it again."
    )


def _unreadable(path: Path, exc: OSError) -> InputError:
    return InputError(f"Cannot read the file {str(path)!r}: {exc.strerror}.")
