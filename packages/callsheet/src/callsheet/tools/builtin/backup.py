"""What files held before they were written, kept by the key of the write.

A record is made, durably, before the file is touched: so the write can be taken back whatever
happens in between, and by whoever knows the key. A record that exists is never made again: a
repeated write must not take its own work for what was there before.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.tools.builtin import disk, walk

if TYPE_CHECKING:
    from typing import BinaryIO

    from callsheet.tools.builtin.walk import Spot

_RECORD = "record.json"
_CONTENT = "content"
_RESTORED = "restored"
"""Says that a write was taken back: there is nothing to do if somebody asks again."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What was there before a write."""

    path: str
    written: str
    """Digest of what the write puts there."""
    existed: bool
    size: int = 0
    digest: str | None = None
    mode: int | None = None
    created: tuple[str, ...] = ()
    """Directories that had to be made for it, outermost first."""


class Restored(msgspec.Struct, frozen=True):
    """What was done to take a write back."""

    path: str
    removed: bool
    """The file was not there before, so it was removed."""
    kept: str | None
    """A copy of what somebody else had put there in the meantime."""


class Backups:
    """The records, each in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def lie_in(self, directory: Path) -> None:
        """Where they are is known now: nothing has been kept before."""
        self._directory = directory

    @property
    def where(self) -> str:
        """Where they are, for messages."""
        return str(self._directory)

    def was_restored(self, key: str) -> bool:
        """Whether a write was taken back before."""
        return (self._place(key) / _RESTORED).exists()

    def find(self, key: str) -> Record | None:
        """The record of a write, or None: it has not touched anything."""
        try:
            data = (self._place(key) / _RECORD).read_bytes()
        except FileNotFoundError:
            return None
        return msgspec.json.decode(data, type=Record)

    def keep(self, key: str, spot: Spot, *, written: str) -> Record:
        """Make the record of a write that is about to happen."""
        place = self._place(key)
        disk.make_directories(place)
        (place / _RESTORED).unlink(missing_ok=True)
        content: disk.Content | None = None
        mode: int | None = None
        # A descriptor has no `Path.open`.
        with contextlib.suppress(FileNotFoundError), open(spot.open(), "rb") as source:  # noqa: PTH123
            mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
            content = _put(place / _CONTENT, source)
        record = Record(
            path=str(spot.path),
            written=written,
            existed=content is not None,
            size=content.size if content else 0,
            digest=content.digest if content else None,
            mode=mode,
            created=spot.created,
        )
        # Last: with it, the backup is complete.
        _put(place / _RECORD, io.BytesIO(msgspec.json.encode(record)))
        return record

    def restore(self, key: str) -> Restored | None:
        """Take a write back; None when there is nothing to take back. May be repeated.

        Wherever that was: the path is our own, and has no links in it.
        """
        record = self.find(key)
        if record is None:
            return None
        with _reached(record.path) as spot:
            kept = self._take_back(key, record, spot)
        for directory in reversed(record.created):
            with contextlib.suppress(OSError), _reached(directory) as gone:
                os.rmdir(gone.name, dir_fd=gone.directory)
        place = self._place(key)
        _put(place / _RESTORED, io.BytesIO(b""))
        (place / _RECORD).unlink(missing_ok=True)
        disk.sync_directory(place)
        (place / _CONTENT).unlink(missing_ok=True)
        return Restored(record.path, removed=not record.existed, kept=str(kept) if kept else None)

    def _take_back(self, key: str, record: Record, spot: Spot) -> Path | None:
        _clear(key, spot)
        now = disk.content_of(spot)
        kept = None
        if now is not None and now.digest not in (record.written, record.digest):
            kept = self._directory / f"{self._place(key).name}.found"
            with open(spot.open(), "rb") as source:  # noqa: PTH123 -- of a descriptor
                _put(kept, source)
        if record.existed:
            self._put_back(key, record, spot, now)
        elif not spot.missing:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(spot.name, dir_fd=spot.directory)
            walk.sync(spot.directory)
        return kept

    def _put_back(self, key: str, record: Record, spot: Spot, now: disk.Content | None) -> None:
        if now is not None and now.digest == record.digest:
            return
        spot.make_directories()
        with (self._place(key) / _CONTENT).open("rb") as source:
            disk.replace(spot, source, temporary=temporary_for(key, "undo"), mode=record.mode)

    def forget(self, key: str) -> None:
        """Drop a record that nobody will ask for again. Harmless when there is none."""
        if self._place(key).is_dir():
            self._forget(key)

    def copy_to(self, directory: Path) -> None:
        """Copy all records, so that a copy of the home can take back what this one can."""
        if self._directory.is_dir():
            shutil.copytree(self._directory, directory, dirs_exist_ok=True)

    def _forget(self, key: str) -> None:
        place = self._place(key)
        # First: without it, the rest is only litter.
        (place / _RECORD).unlink(missing_ok=True)
        disk.sync_directory(place)
        shutil.rmtree(place, ignore_errors=True)

    def _place(self, key: str) -> Path:
        return self._directory / _short(key)


def temporary_for(key: str, attempt: int | str) -> str:
    """The name under which an attempt at a write prepares the new content, beside the file."""
    return f"{_leading(key)}{attempt}.tmp"


def _leading(key: str) -> str:
    return f".callsheet-{_short(key)}-"


def _clear(key: str, spot: Spot) -> None:
    """A writer that was left behind finds its temporary file gone, and cannot finish."""
    if spot.missing:
        return
    handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=spot.directory)
    try:
        names = os.listdir(handle)  # noqa: PTH208 -- of a descriptor
    finally:
        os.close(handle)
    for name in names:
        if name.startswith(_leading(key)) and name.endswith(".tmp"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=spot.directory)


def _reached(path: str) -> Spot:
    return walk.reach(Path("/"), path, links=False)


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _put(target: Path, source: BinaryIO) -> disk.Content:
    with walk.reach(target.parent, target.name, links=False) as spot:
        return disk.replace(spot, source, temporary=f"{target.name}.tmp", mode=0o600)
