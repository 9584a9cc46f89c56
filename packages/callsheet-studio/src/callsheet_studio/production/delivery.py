"""Handing files over: into a directory, whole or not at all, and never over somebody's work.

`report.json` says what we have put there. A file of ours is replaced; one that is not ours, or
that somebody has changed since, is left alone unless it is said that it may go.
"""

from __future__ import annotations

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from callsheet.errors import FatalError, InputError
from callsheet_studio.base.beneath import is_beneath, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

REPORT = "report.json"
MAKER = "callsheet"
_MOST_NAMED = 8
_AT_ONCE = 8
"""Files that are written together."""


def digest(data: bytes) -> str:
    """What a file is recognised by."""
    return hashlib.sha256(data).hexdigest()


def earlier(out: Path) -> dict[str, str]:
    """The files that an earlier report says are ours, with their digests."""
    return _claimed(out / REPORT)


def _claimed(report: Path) -> dict[str, str]:
    try:
        told = json.loads(report.read_bytes())
        files = told["files"] if told.get("made_by") == MAKER else {}
        # A report that somebody else has put there claims nothing outside.
        return {str(name): str(known) for name, known in files.items() if is_beneath(str(name))}
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return {}


def manifest(out: Path, coming: Mapping[str, str]) -> dict[str, object]:
    """What a report says about the files beside it, given the digests of those that are made.

    Files of ours that are not made this time stay, and are said to be old.
    """
    stale = {
        name: known
        for name, known in sorted(earlier(out).items())
        if name not in coming and (out / name).is_file()
    }
    return {"made_by": MAKER, "files": dict(sorted(coming.items())) | stale, "stale": list(stale)}


def check_place(out: Path, names: Iterable[str], *, force: bool = False) -> None:
    """Make sure that files of these names can be written, before anything is made.

    Raises:
        InputError: it is no directory, cannot be written, or holds files that are not ours.
    """
    nearest = next(each for each in (out, *out.absolute().parents) if each.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file. Give a directory, as in: -o film")
    try:
        # Asked for permissions alone, a file system that takes no files says yes to root. This one
        # has no name, and is gone when it is closed.
        with TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        what = f"{nearest} cannot be written ({error.strerror})"
        raise InputError(f"{what}. Give another directory with -o.") from error
    if not force:
        _refuse(out, _foreign(out, dict.fromkeys(names), lambda name: _content(out / name)))


def check_names(out: Path, names: Iterable[str]) -> None:
    """Make sure that files of these names lie beneath a directory, and not behind a link.

    Raises:
        InputError: one does not.
    """
    for name in names:
        *above, _ = parts_of(name)
        folder = out
        for part in above:
            folder /= part
            if folder.is_symlink():
                what = f"{folder} is a link, and leads out of the directory"
                raise InputError(f"{what}. Remove it, or give another directory with -o.")


def _foreign(
    out: Path, files: Mapping[str, bytes | None], lies_there: Callable[[str], bytes | None]
) -> list[str]:
    """Those that would be lost: neither ours, nor already what they are to become."""
    # A delivery that was killed half-way has left its draft of the report, and files that it names.
    ours, begun = earlier(out), _claimed(_draft(out / REPORT))
    found = []
    for name, coming in sorted(files.items()):
        path = out / name
        if not path.exists() and not path.is_symlink():
            continue
        data = lies_there(name)
        if data is not None and data == coming:
            continue
        if name == REPORT:
            is_ours = bool(ours)
        else:
            is_ours = data is not None and digest(data) in {ours.get(name), begun.get(name)}
        if not is_ours:
            found.append(name)
    return found


def _refuse(out: Path, foreign: list[str]) -> None:
    if not foreign:
        return
    more = len(foreign) - _MOST_NAMED
    named = ", ".join(foreign[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    what = "is not" if len(foreign) == 1 else "are not"
    raise InputError(
        f"{out} holds what {what} ours, or was changed since: {named}. "
        "Give another directory with -o, or --force to replace it."
    )


def missing(out: Path, digests: Mapping[str, str]) -> list[str]:
    """Those of the files that do not lie there as they are to be."""
    return [
        name
        for name, wanted in sorted(digests.items())
        if not (out / name).is_file() or digest((out / name).read_bytes()) != wanted
    ]


def contents(out: Path, names: Iterable[str]) -> dict[str, bytes | None]:
    """What lies there now under these names."""
    return {name: _content(out / name) for name in names}


def _content(path: Path) -> bytes | None:
    # A link is somebody else's work, wherever it leads.
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def put(out: Path, files: Mapping[str, bytes], *, force: bool = False) -> list[str]:
    """Write all files; those that are already so are left alone. Returns what was written.

    Nothing half-written ever stands under a final name: each is written beside it first.

    Raises:
        InputError: something is in the way.
        FatalError: the disk does not take it; all is as it was.
    """
    check_names(out, files)
    there = contents(out, files)
    if not force:
        _refuse(out, _foreign(out, files, there.get))
    changed = [name for name in sorted(files) if there[name] != files[name]]
    before = {name: there[name] for name in changed}
    try:
        _put(out, {name: files[name] for name in changed})
    except OSError as error:
        with suppress(OSError):
            _restore(out, before)
        raise FatalError(
            f"{out} could not be written: {error.strerror or error}. It is as it was before. "
            "Make room there, or give another directory with -o."
        ) from error
    finally:
        for name in files:
            with suppress(OSError):
                _draft(out / name).unlink(missing_ok=True)
    return changed


def _put(out: Path, files: Mapping[str, bytes]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    drafts = [_draft(out / name) for name in files]
    for directory in {draft.parent for draft in drafts}:
        directory.mkdir(parents=True, exist_ok=True)
    # Together: each waits for the disk, and the disk can do more than one at a time.
    with ThreadPoolExecutor(_AT_ONCE) as hands:
        list(hands.map(_write, drafts, files.values()))
    # The report last: until it is there, the old one says what is ours.
    for name in sorted(files, key=lambda each: each == REPORT):
        _draft(out / name).replace(out / name)


def _restore(out: Path, before: Mapping[str, bytes | None]) -> None:
    _put(out, {name: data for name, data in before.items() if data is not None})
    _remove(out, [name for name, data in before.items() if data is None])


def put_back(out: Path, before: Mapping[str, bytes | None]) -> None:
    """Let these files be what they were; what was not there goes."""
    check_names(out, before)
    put(out, {name: data for name, data in before.items() if data is not None}, force=True)
    _remove(out, [name for name, data in before.items() if data is None])


def _remove(out: Path, names: Iterable[str]) -> None:
    for name in sorted(names, reverse=True):
        for path in (out / name, _draft(out / name)):
            path.unlink(missing_ok=True)
        _remove_if_empty((out / name).parent, out)
    _remove_if_empty(out, out)


def _remove_if_empty(directory: Path, out: Path) -> None:
    if directory.is_dir() and not any(directory.iterdir()) and directory.is_relative_to(out):
        directory.rmdir()


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def _write(path: Path, data: bytes) -> None:
    # A draft is new: what lies there is a rest of ours, or a link that somebody has laid.
    path.unlink(missing_ok=True)
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(path, how, 0o666), "wb") as file:  # noqa: PTH123 -- by its handle
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
