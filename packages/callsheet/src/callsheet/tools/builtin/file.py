"""The tools `file.read`, `file.write` and `file.restore`."""

from __future__ import annotations

import asyncio
import base64 as base64_codec
import contextlib
import errno
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

import msgspec
from typing_extensions import TypedDict

from callsheet.errors import DeniedError, FatalError, InvalidError, ToolError, TransientError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.builtin import disk, walk
from callsheet.tools.builtin.backup import Backups, temporary_for
from callsheet.tools.builtin.undoing import UNDO_ONLY, written_by
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from callsheet.tools.builtin.walk import Spot
    from callsheet.tools.registry import AnyTool

LARGEST = 10_000_000
"""Bytes that `file.read` gives out."""

_WRONG_PATH = {
    errno.EEXIST,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
}
HOME = ".callsheet"
"""What homes are usually called: of other engines, too."""
SYSTEM = (Path("/proc"), Path("/sys"), Path("/dev"))


class FileRead(TypedDict):
    """What `file.read` returns: `text` or `base64`, as asked for."""

    path: str
    bytes: int
    digest: str
    text: NotRequired[str]
    base64: NotRequired[str]


class Previous(TypedDict):
    """What was in a file before it was written."""

    bytes: int
    digest: str | None


class FileWritten(TypedDict):
    """What `file.write` returns."""

    path: str
    bytes: int
    digest: str
    previous: Previous | None
    """None: there was no file."""


class FileRestored(TypedDict):
    """What `file.restore` returns."""

    restored: bool
    """False: nothing had been written."""
    path: NotRequired[str]
    removed: NotRequired[bool]
    kept: NotRequired[str | None]
    """A copy of what somebody else had put there in the meantime."""


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """Which files the tools may touch, and where they keep what was there before."""

    root: Path
    """Paths are relative to it and may not lead out of it. It has no links in it."""
    never: tuple[Path, ...]
    """Directories that no plan may look into, wherever the root is: the engine's home."""
    backups: Backups

    def spot(self, path: str) -> Spot:
        """Where the file is that is meant."""
        closed = (*self.never, Path(self.backups.where), *SYSTEM)
        never = frozenset(_identities(closed))
        try:
            if any(self.root.is_relative_to(each) for each in closed):
                raise walk.ForbiddenError  # noqa: TRY301 -- told in one place
            return walk.reach(self.root, path, forbids=lambda *found: _is_closed(never, *found))
        except walk.OutsideError:
            msg = (
                f"{path!r} is outside of {str(self.root)!r}, the directory that plans may use. "
                "Whoever runs the engine can name another one: --files DIR."
            )
            raise DeniedError(msg) from None
        except walk.ForbiddenError:
            msg = f"{path!r} is in the engine's home or the system's: no plan may use it."
            raise DeniedError(msg) from None
        except OSError as exc:
            raise _mapped(exc, path) from exc


def _is_closed(never: frozenset[tuple[int, int]], handle: int | None, name: str) -> bool:
    return name == HOME or (handle is not None and _identity(os.fstat(handle)) in never)


def _identities(directories: Iterable[Path]) -> Iterator[tuple[int, int]]:
    for each in directories:
        with contextlib.suppress(OSError):
            yield _identity(each.stat())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def file_tools(area: Area) -> list[AnyTool]:
    """The tools, for an area. They are short and end by themselves: threads will do."""
    from pydantic import Field

    @tool("file.read", effect="read", touches="file:${args.path}")
    def read(
        path: str,
        encoding: Annotated[
            Literal["text", "base64"], Field(description="text is UTF-8; base64 is for any bytes")
        ] = "text",
    ) -> FileRead:
        """Read a file of at most 10 MB: its path, size, digest, and `text` or `base64`."""
        return _read(area, path, encoding)

    @tool(
        "file.write",
        effect="write",
        idempotent=True,
        undo="file.restore",
        touches="file:${args.path}",
        isolated=False,
    )
    def write(
        ctx: SyncContext,
        path: str,
        text: Annotated[str | None, Field(description="the new content")] = None,
        base64: Annotated[str | None, Field(description="or the new content in base64")] = None,
    ) -> FileWritten:
        """Write a file, whole or not at all; directories are made. What was there is kept."""
        return _write(area, path, _bytes_of(text, base64), ctx)

    @tool("file.restore", effect="write", idempotent=True, isolated=False)
    def restore(
        ctx: SyncContext,
        key: Annotated[str, Field(description=UNDO_ONLY)] = "",  # noqa: ARG001 -- see UNDO_ONLY
        args: dict[str, Any] | None = None,  # noqa: ARG001 -- what every undo is given
        output: Any = None,
    ) -> FileRestored:
        """Take a `file.write` back: the file is as it was, or gone if it was not there."""
        return _restore(area, written_by(ctx.key, "file.write"), was_written=output is not None)

    return [read, write, restore]


def _read(area: Area, path: str, encoding: str) -> FileRead:
    with area.spot(path) as spot:
        try:
            with open(spot.open(), "rb") as file:  # noqa: PTH123 -- of a descriptor
                data = file.read(LARGEST + 1)
        except OSError as exc:
            raise _mapped(exc, path) from exc
    if len(data) > LARGEST:
        raise InvalidError(f"{path!r} is larger than {LARGEST:,} bytes.")
    found = FileRead(path=str(spot.path), bytes=len(data), digest=disk.digest_of(data))
    if encoding == "base64":
        found["base64"] = base64_codec.b64encode(data).decode()
        return found
    try:
        found["text"] = data.decode()
    except UnicodeDecodeError as exc:
        raise InvalidError(f"{path!r} is not UTF-8 text. Read it as base64.") from exc
    return found


def _bytes_of(text: str | None, base64: str | None) -> bytes:
    if (text is None) == (base64 is None):
        raise InvalidError("Wrong arguments: give either args.text or args.base64.")
    if text is not None:
        return text.encode()
    try:
        return base64_codec.b64decode(base64 or "", validate=True)
    except ValueError as exc:
        raise InvalidError(f"Wrong arguments: args.base64 is not base64 ({exc}).") from exc


def _write(area: Area, path: str, data: bytes, ctx: SyncContext) -> FileWritten:
    with area.spot(path) as spot:
        return _write_at(spot, area, path, data, ctx)


def _write_at(spot: Spot, area: Area, path: str, data: bytes, ctx: SyncContext) -> FileWritten:
    digest = disk.digest_of(data)
    record = area.backups.find(ctx.key)
    is_first = record is None
    if record is None:
        _stop_if_told(ctx)
        try:
            record = area.backups.keep(ctx.key, spot, written=digest)
        except OSError as exc:
            area.backups.forget(ctx.key)
            raise _mapped(exc, path) from exc
    elif record.path != str(spot.path):
        raise InvalidError(f"The key of this call was used to write {record.path!r}.")
    _stop_if_told(ctx)
    try:
        spot.make_directories()
        temporary = temporary_for(ctx.key, ctx.attempt)
        disk.replace(spot, io.BytesIO(data), temporary=temporary, mode=record.mode)
    except OSError as exc:
        raise _taken_back(area, ctx.key, path, exc, is_first=is_first) from exc
    previous = Previous(bytes=record.size, digest=record.digest) if record.existed else None
    return FileWritten(path=str(spot.path), bytes=len(data), digest=digest, previous=previous)


def _taken_back(area: Area, key: str, path: str, exc: OSError, *, is_first: bool) -> ToolError:
    """The error of a write that failed; one that has certainly left nothing behind, if it can."""
    if is_first:
        try:
            area.backups.restore(key)
            area.backups.forget(key)
        except OSError:
            return TransientError(f"{path!r} could not be written: {exc.strerror}.")
        return _mapped(exc, path)
    return TransientError(f"{path!r} could not be written: {exc.strerror}.")


def _stop_if_told(ctx: SyncContext) -> None:
    if ctx.cancelled:
        raise asyncio.CancelledError


def _restore(area: Area, key: str, *, was_written: bool) -> FileRestored:
    """After a crash nobody may know whether there is anything to take back; else there is."""
    try:
        if was_written and area.backups.find(key) is None and not area.backups.was_restored(key):
            raise FatalError(
                f"What the file held before is not in {area.backups.where!r}, so nothing was put "
                "back. Undo it where the backups are, or put the file back by hand."
            )
        restored = area.backups.restore(key)
    except OSError as exc:
        raise FatalError(f"It could not be put back: {exc}") from exc
    if restored is None:
        return FileRestored(restored=False)
    return FileRestored(
        restored=True, path=restored.path, removed=restored.removed, kept=restored.kept
    )


def _mapped(exc: OSError, path: str) -> ToolError:
    if isinstance(exc, walk.IrregularError):
        return InvalidError(f"{path!r} is not a file.")
    if exc.errno in (errno.ELOOP, errno.EINVAL):
        return InvalidError(f"{path!r} is not a path: {exc.strerror}.")
    if isinstance(exc, PermissionError):
        return DeniedError(f"{path!r}: not allowed ({exc.strerror}).")
    if isinstance(exc, FileNotFoundError):
        return InvalidError(f"There is no file {path!r}.")
    if exc.errno in _WRONG_PATH:
        return InvalidError(f"{path!r}: {exc.strerror}.")
    return FatalError(f"{path!r}: {exc.strerror}.")
