"""Reading, beside the writer and never behind it.

Small answers are read on the event loop: a query is a few microseconds, a change of thread fifty.
Large ones are read in a thread, through a connection of their own.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from callsheet.stores import refusals
from callsheet.stores.sqlite.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet.stores.sql.session import Row
    from callsheet.stores.sql.statements import Bound

T = TypeVar("T")


class Reader:
    """A view of the database that is always as new as the last commit."""

    def __init__(self, path: Path, *, look_only: bool = False) -> None:
        self._path = path
        self._look_only = look_only
        self._session = Session(path, look_only=look_only)
        self._closed = False

    async def all(self, bound: Bound) -> list[Row]:
        """The rows of a query that has few."""
        return self._session.all(bound)

    async def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        return self._session.one(bound)

    def look(self, bound: Bound) -> Row | None:
        """The first row of a query, at once."""
        return self._session.one(bound)

    def soon(self, bound: Bound, convert: Callable[[list[Row]], T]) -> asyncio.Future[T]:
        """The rows of a query that has few, converted; done already."""
        found: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        found.set_result(convert(self._session.all(bound)))
        return found

    async def apart(self, bound: Bound, convert: Callable[[list[Row]], T]) -> T:
        """The rows of a query that may have many, converted without disturbing the loop."""
        if self._closed:
            raise refusals.closed()
        return await asyncio.to_thread(self._read_apart, bound, convert)

    def _read_apart(self, bound: Bound, convert: Callable[[list[Row]], T]) -> T:
        # Not through the shared session: as long as a query is under way there, all others of
        # that session would see the database as it was when it began.
        session = Session(self._path, look_only=self._look_only)
        try:
            return convert(session.all(bound))
        finally:
            session.close()

    def close(self) -> None:
        """Close it. Harmless the second time."""
        self._closed = True
        self._session.close()
