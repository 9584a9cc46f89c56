"""Where artifacts and backups lie: settled when an engine is opened, and remembered by the store.

In a home they lie in the home, wherever that is moved to. Of a database nobody could tell, so it
remembers: a process in another directory finds them, and one that cannot reach them is told before
it runs anything. A file in each such directory says that it is the one that is meant.
"""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import StoreMissingError
from callsheet.ports import Place
from callsheet.runtime.log import log
from callsheet.stores.artifacts.opening import directory_of
from callsheet.stores.failures import translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from callsheet.ports import Store

ARTIFACTS = "artifacts"
UNDO = "undo"
BESIDE = ".callsheet"
"""Where the files of this machine lie when the home is a database."""
MARK_FILE = "callsheet.place"
"""What says which directory it is."""


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine is opened on, settled once: changing the current directory changes nothing."""

    address: str | None
    """Of a database."""
    root: Path | None
    """The directory that it is, from the root on."""
    directory: Path | None
    """Where what belongs to it lies on this machine; None: in memory."""

    @classmethod
    def of(cls, home: str | Path | None) -> Home:
        """What somebody means: a directory, the URL of a database, or None for memory."""
        if home is None:
            return cls(address=None, root=None, directory=None)
        if isinstance(home, str) and "://" in home:
            return cls(address=home, root=None, directory=Path(BESIDE).absolute())
        root = Path(home).absolute()
        return cls(address=None, root=root, directory=root)

    @property
    def name(self) -> str:
        """What messages call it."""
        if self.address is not None:
            from callsheet.stores.postgres.address import Address

            return Address.of(self.address).shown
        return str(self.root)


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything is, for one engine."""

    artifacts: str | Path | None
    """None: in memory."""
    undo: Path | None
    """What `file.write` keeps for its undo; None: nobody asks for it later."""
    remember: Callable[[], Awaitable[None]]
    """Has the store remember all that, once it has turned out to be right."""


async def located(home: Home, store: Store, artifacts: str | Path | None) -> Located:
    """Where artifacts and backups are.

    Whoever names a place for artifacts is believed, also if they were elsewhere before.

    Raises:
        StoreMissingError: they are somewhere that this process cannot reach.
    """
    if home.directory is None:
        return Located(artifacts=_absolute(artifacts), undo=None, remember=_nothing)
    search = _Search(home, store, await store.places.all(), is_told=artifacts is not None)
    found = await search.find(ARTIFACTS, _absolute(artifacts))
    undo = await search.find(UNDO, None)
    return Located(artifacts=found, undo=Path(undo), remember=search.remember)


async def _nothing() -> None:
    """What is in memory is not looked for later."""


def _absolute(place: str | Path | None) -> str | Path | None:
    """The same place, whatever the current directory is later."""
    directory = directory_of(place) if place is not None else None
    return directory.absolute() if directory is not None else place


class _Search:
    def __init__(
        self, home: Home, store: Store, known: Mapping[str, Place], *, is_told: bool
    ) -> None:
        self._home = home
        self._store = store
        self._known = known
        self._is_told = is_told
        """Whoever opens this says where things are: what is missing is not looked for."""
        self._news: list[tuple[str, Place]] = []

    async def find(self, name: str, told: str | Path | None) -> str | Path:
        assert self._home.directory is not None, "asked before"
        known = self._known.get(name)
        where = told or (self._where(known) if known else self._home.directory / name)
        if isinstance(where, Path) and not where.is_relative_to(self._home.root or where / "no"):
            return await self._beside(name, where, known, is_told=told is not None)
        place = Place(where=self._spelled(where))
        if place != (known or Place(where=name)):
            self._news.append((name, place))
        return where

    async def _beside(
        self, name: str, where: Path, known: Place | None, *, is_told: bool
    ) -> str | Path:
        """A directory that is not in the home: it must be the one that is meant."""
        exists, mark = await asyncio.to_thread(_look_at, where)
        is_meant = known is None or known == Place(where=str(where), mark=mark)
        is_there = exists or name != ARTIFACTS or not await self._store.places.are_needed()
        is_believed = is_told or (name == UNDO and self._is_told)
        if not (is_meant and is_there) and not is_believed:
            if self._store.driving:
                raise StoreMissingError(self._missing(name, where))
            log.warning("place.missing", what=name, place=str(where))
            return where
        if self._store.driving:
            if exists and not mark:
                mark = await asyncio.to_thread(_make_mark, where)
            place = Place(where=str(where), mark=mark)
            if place != known:
                self._news.append((name, place))
        return where

    async def remember(self) -> None:
        """Have the store remember what it did not know."""
        for name, place in self._news if self._store.driving else ():
            known = self._known.get(name)
            if known is not None and known.where != place.where:
                log.warning("place.changed", what=name, before=known.where, now=place.where)
            await self._store.places.settle(name, place)

    def _where(self, known: Place) -> str | Path:
        if "://" in known.where:
            return known.where
        return (self._home.root or Path("/")) / known.where

    def _spelled(self, where: str | Path) -> str:
        if isinstance(where, Path) and self._home.root and where.is_relative_to(self._home.root):
            return str(where.relative_to(self._home.root))
        return str(where)

    def _missing(self, name: str, where: Path) -> str:
        what = "artifacts" if name == ARTIFACTS else "the backups that undos need"
        return (
            f"{self._home.name!r} keeps {what} in {str(where)!r}, which cannot be reached from "
            "here, or is another of the same name. Make that directory available at this path; "
            "or copy it, and name the copy of the artifacts when you open this (artifacts=…). To "
            "look only, open it with drive=False."
        )


def _look_at(directory: Path) -> tuple[bool, str]:
    """Whether there is such a directory, and its mark."""
    try:
        return True, (directory / MARK_FILE).read_text("ascii").strip()
    except (OSError, ValueError):
        return directory.is_dir(), ""


def _make_mark(directory: Path) -> str:
    mark = secrets.token_hex(16)
    try:
        (directory / MARK_FILE).write_text(mark + "\n", "ascii")
    except OSError as exc:
        raise translated(exc, directory) from exc
    return mark
