"""Reading from PostgreSQL: in threads, through a few connections that are kept.

A connection that turns out to be broken is replaced, and the query is asked once more: a server
that was restarted in the meantime is not noticed.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from callsheet.stores import refusals
from callsheet.stores.postgres.session import LostError, PgSession

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.stores.postgres.address import Address
    from callsheet.stores.sql.session import Row
    from callsheet.stores.sql.statements import Bound

T = TypeVar("T")

CONNECTIONS = 4
"""How many there are at most, for reading."""


class PgReader:
    """A pool of connections to read through."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._idle: SimpleQueue[PgSession] = SimpleQueue()
        self._closed = False
        self.threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="callsheet-reader")

    async def all(self, bound: Bound) -> list[Row]:
        """The rows of a query that has few."""
        return await self.apart(bound, _as_they_are)

    async def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        return await self.apart(bound, _first)

    def soon(self, bound: Bound, convert: Callable[[list[Row]], T]) -> asyncio.Future[T]:
        """The rows of a query, converted; never done at once."""
        if self._closed:
            raise refusals.closed()
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self.threads, partial(self.read, bound, convert))

    async def apart(self, bound: Bound, convert: Callable[[list[Row]], T]) -> T:
        """The rows of a query, converted without disturbing the loop."""
        return await self.soon(bound, convert)

    def read(self, bound: Bound, convert: Callable[[list[Row]], T]) -> T:
        """The same, for a thread.

        Raises:
            StoreError: the server cannot be reached.
        """
        return convert(self.with_session(lambda session: session.all(bound)))

    def with_session(self, act: Callable[[PgSession], T]) -> T:
        """Do something that only reads, on a connection of the pool."""
        session = self._borrow()
        while session is not None:
            try:
                return self._on(session, act)
            except LostError:
                # It may have been idle while the server was restarted, and so may the others.
                session = self._borrow()
        try:
            return self._on(PgSession(self._address), act)
        except LostError as lost:
            raise lost.error from lost

    def close(self) -> None:
        """Close it. Harmless the second time."""
        self._closed = True
        self.threads.shutdown()
        while (session := self._borrow()) is not None:
            session.close()

    def _borrow(self) -> PgSession | None:
        try:
            return self._idle.get_nowait()
        except Empty:
            return None

    def _on(self, session: PgSession, act: Callable[[PgSession], T]) -> T:
        try:
            result = act(session)
        except BaseException:
            session.close()
            raise
        self._idle.put(session)
        return result


def _as_they_are(rows: list[Row]) -> list[Row]:
    return rows


def _first(rows: list[Row]) -> Row | None:
    return rows[0] if rows else None
