"""The database, lent to a client of the engine for tables of its own.

Through connections of its own, and not through the engine's writer: what a client does wrong in its
tables must never take entries of a run back. The database itself sees to it that one writes at a
time. SQLAlchemy is imported when there is something to read or to write, not before.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from callsheet.errors import StoreError
from callsheet.stores import refusals
from callsheet.stores.failures import translated
from callsheet.stores.sql.transactor import PATIENCE
from callsheet.stores.sqlite.session import Session, statements, tables_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.exc import DBAPIError

    from callsheet.ports import Branch
    from callsheet.stores.sql.session import Sync
    from callsheet.stores.sqlite.client_tables import ClientTables, Lender

T = TypeVar("T")


_WRITES = statements.schema["writes"].replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1)


class LentDatabase:
    """`Database` on SQL."""

    def __init__(self, lender: Lender, branch: Branch) -> None:
        self._lender = lender
        self._branch = branch
        self._is_ready = False

    async def exists(self) -> bool:
        """Whether its tables are there; makes nothing."""
        if not await self._apart(partial(self._lender.may_hold, self._branch)):
            return False
        return await self._apart(self._tables.revision) is not None

    async def read(self, act: Callable[[Connection], T]) -> T:
        """Have something read, in a thread; all its queries see the database at one moment."""
        await self._make_ready()
        return await self._apart(partial(self._tables.reading, act))

    async def write(self, act: Callable[[Connection], T], *, key: str | None = None) -> T:
        """Have something written, in a thread and one transaction; nobody else writes meanwhile."""
        await self._make_ready()
        return await self._apart(partial(self._tables.writing, act, key=key))

    @cached_property
    def _tables(self) -> ClientTables:
        # Imported here, since few ever get here. By the event loop's thread: no two at once.
        from callsheet.stores.sqlite.client_tables import ClientTables

        return ClientTables(self._lender, self._branch)

    async def _make_ready(self) -> None:
        if self._is_ready:
            return
        if await self._apart(self._tables.revision) != self._branch.head:
            await self._apart(self._tables.bring_up_to_date)
        self._is_ready = True

    async def _apart(self, act: Callable[[], T]) -> T:
        if self._lender.closed:
            raise refusals.closed()
        return await asyncio.to_thread(act)


class SqliteLender:
    """Lends the file of a home."""

    def __init__(self, path: Path, sync: Sync, is_closed: Callable[[], bool]) -> None:
        self.name = str(path.parent)
        self.writes: AbstractContextManager[object] = threading.Lock()
        self.reads: AbstractContextManager[object] = nullcontext()
        self._path = path
        self._sync = sync
        self._is_closed = is_closed

    @property
    def closed(self) -> bool:
        """Whether the store is."""
        return self._is_closed()

    def may_hold(self, branch: Branch) -> bool:
        """Whether any table is called as those of the branch are."""
        with closing(Session(self._path)) as session:
            names = tables_of(session)
        return branch.stamp in names or any(name.startswith(f"{branch.name}_") for name in names)

    @cached_property
    def engine(self) -> Engine:
        """Access to the file; one that is missing is an error, never silently a new one."""
        from sqlalchemy import NullPool, create_engine

        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        return create_engine(
            "sqlite://",
            creator=lambda: sqlite3.connect(
                uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            ),
            poolclass=NullPool,
        )

    def begin(self, connection: Connection, branch: str, *, write: bool) -> None:
        """SQLite has one writer at a time, whatever it writes."""
        del branch
        connection.exec_driver_sql(f"PRAGMA synchronous = {self._sync}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of SQLite's."""
        return translated(error.orig, self._path) if isinstance(error.orig, sqlite3.Error) else None

    def number(self, connection: Connection) -> str | None:
        """None: a commit of a file is made, or raises."""
        del connection
        return None

    def was_made(self, number: str) -> bool | None:
        """Nobody asks."""
        del number
        return False


class MemoryLender:
    """Lends a database in memory: one connection, used by one thread at a time."""

    def __init__(self, is_closed: Callable[[], bool]) -> None:
        self.name = "memory"
        self.writes: AbstractContextManager[object] = threading.Lock()
        self.reads: AbstractContextManager[object] = self.writes
        self._is_closed = is_closed

    @property
    def closed(self) -> bool:
        """Whether the store is."""
        return self._is_closed()

    def may_hold(self, branch: Branch) -> bool:
        """Whether anybody ever kept anything there."""
        del branch
        return "engine" in vars(self)

    @cached_property
    def engine(self) -> Engine:
        """Access to what is gone with it."""
        from sqlalchemy import StaticPool, create_engine

        return create_engine(
            "sqlite://",
            creator=lambda: sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False
            ),
            poolclass=StaticPool,
        )

    def begin(self, connection: Connection, branch: str, *, write: bool) -> None:
        """Nobody else is there."""
        del branch, write
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql(_WRITES)

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of SQLite's."""
        return StoreError(f"In memory: {error.orig}.") if error.orig else None

    def number(self, connection: Connection) -> str | None:
        """None: a commit in memory is made, or raises."""
        del connection
        return None

    def was_made(self, number: str) -> bool | None:
        """Nobody asks."""
        del number
        return False
