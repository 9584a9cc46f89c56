"""Files beneath a directory, reached one name at a time.

A path is never resolved first and opened then: between the two somebody could put a link in its
place. Every directory is opened beneath the one before, links are read and walked in the same way,
and what is held in the end is the directory itself.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_LINKS = 40
_DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Only Linux opens a directory that may be entered but not listed.
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) | _DIRECTORY
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class OutsideError(Exception):
    """A path leads out of the directory that it must stay in."""


class ForbiddenError(Exception):
    """A path leads through a directory that nobody may touch."""


class IrregularError(OSError):
    """It is not a file: a directory, a pipe, a device."""


class Spot:
    """Where a file is, or would be: its directory, held open, and its name there."""

    def __init__(self, directory: int, path: Path, missing: tuple[str, ...]) -> None:
        self.path = path
        """As it is without links."""
        self.name = path.name
        self.missing = missing
        """Directories on the way that are not there, outermost first."""
        self.directory = directory
        """The handle of the innermost that is there."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.directory)

    @property
    def created(self) -> tuple[str, ...]:
        """The paths of the directories that would have to be made."""
        parents = [str(parent) for parent in self.path.parents]
        return tuple(reversed(parents[: len(self.missing)]))

    def open(self) -> int:
        """A handle for reading the file.

        Raises:
            FileNotFoundError: it is not there.
            IrregularError: it is not a file.
        """
        if self.missing:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        handle = os.open(self.name, _READING, dir_fd=self.directory)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
        raise IrregularError(errno.EINVAL, "it is not a file")

    def make_directories(self) -> None:
        """Make the directories that are missing, durably."""
        for name in self.missing:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, dir_fd=self.directory)
            sync(self.directory)
            below = os.open(name, _PASSING, dir_fd=self.directory)
            os.close(self.directory)
            self.directory = below
        self.missing = ()


def sync(directory: int) -> None:
    """Make what was created, renamed or removed in a directory durable."""
    handle = os.open(".", os.O_RDONLY | _DIRECTORY, dir_fd=directory)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def reach(
    root: Path,
    path: str,
    *,
    links: bool = True,
    forbids: Callable[[int | None, str], bool] | None = None,
) -> Spot:
    """The place of a file beneath a root.

    Args:
        root: a directory without links in its path.
        path: relative to it, or absolute and beneath it.
        links: whether links that stay beneath the root are followed.
        forbids: whether a directory, by its handle (None: it is not there) and its name, may not
            be entered.

    Raises:
        OutsideError: it leads out of the root.
        ForbiddenError: it leads through a directory that is forbidden.
        OSError: it is no path, or something on the way is no directory.
    """
    if "\0" in path:
        raise OSError(errno.EINVAL, "there is a NUL character in it")
    with _Walk(root, links=links, forbids=forbids) as walk:
        return walk.to(path)


class _Walk:
    """A walk that is going on: the handles of the directories between the root and here."""

    def __init__(
        self, root: Path, *, links: bool, forbids: Callable[[int | None, str], bool] | None
    ) -> None:
        self._root = root
        self._links = MOST_LINKS if links else 0
        self._forbids = forbids
        self._handles: list[int] = []
        self._names: list[str] = []

    def __enter__(self) -> Self:
        self._enter(os.open(self._root, _PASSING), self._root.name)
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            os.close(handle)

    def to(self, path: str) -> Spot:
        """The place that a path names."""
        ahead = self._parts(path)
        while ahead:
            name = ahead.pop()
            if name == "..":
                self._leave()
                continue
            # Nearly everything on the way is a directory: whether it is a link is asked for what
            # cannot be entered, and for the last name, which may be anything.
            entered = self._step(name) if ahead else None
            if entered:
                continue
            link = self._link(name) if entered is None else None
            if link is not None:
                if link.startswith("/"):
                    self._back_to_root()
                ahead += self._parts(link)
            elif ahead:
                return self._beyond(name, ahead)
            else:
                return Spot(self._handles.pop(), self._path(name), ())
        raise IrregularError(errno.EISDIR, "it is not a file")

    def _parts(self, path: str) -> list[str]:
        """The names on the way, the last one first."""
        if path.startswith("/"):
            path = str(_beneath(self._root, path))
        return [part for part in reversed(path.split("/")) if part not in ("", ".")]

    def _link(self, name: str) -> str | None:
        """Where a link leads; None: it is none."""
        try:
            link = os.readlink(name, dir_fd=self._handles[-1])
        except OSError as exc:
            if exc.errno in (errno.EINVAL, errno.ENOENT):
                return None
            raise
        if not self._links:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        self._links -= 1
        return link

    def _step(self, name: str) -> bool | None:
        """Enter a directory; False: it is not there, None: it may be a link."""
        try:
            handle = os.open(name, _PASSING, dir_fd=self._handles[-1])
        except FileNotFoundError:
            return False
        except OSError as exc:
            if exc.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
            if self._is_link(name):
                return None
            raise
        self._names.append(name)
        self._enter(handle, name)
        return True

    def _is_link(self, name: str) -> bool:
        """Whether that is why a name cannot be entered; one that is none by now is no directory."""
        status = os.stat(name, dir_fd=self._handles[-1], follow_symlinks=False)
        return stat.S_ISLNK(status.st_mode)

    def _enter(self, handle: int, name: str) -> None:
        self._handles.append(handle)
        if self._forbids is not None and self._forbids(handle, name):
            raise ForbiddenError

    def _leave(self) -> None:
        if not self._names:
            raise OutsideError
        self._names.pop()
        os.close(self._handles.pop())

    def _back_to_root(self) -> None:
        while self._names:
            self._leave()

    def _beyond(self, name: str, ahead: list[str]) -> Spot:
        """A place in directories that are not there."""
        rest = [name, *reversed(ahead)]
        if ".." in rest:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if self._forbids is not None and any(self._forbids(None, each) for each in rest[:-1]):
            raise ForbiddenError
        return Spot(self._handles.pop(), self._path(*rest), tuple(rest[:-1]))

    def _path(self, *names: str) -> Path:
        return self._root.joinpath(*self._names, *names)


def _beneath(root: Path, path: str) -> Path:
    """An absolute path, as seen from the root. What it says is only where to walk."""
    for absolute in (Path(path), Path(os.path.realpath(path))):
        if absolute.is_relative_to(root):
            return absolute.relative_to(root)
    raise OutsideError
