"""The database, lent to a client of the engine for tables of its own.

Through connections of its own, and not through the engine's writer: what a client does wrong in its
tables must never take entries of a run back. The database itself sees to it that one writes at a
time.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from sqlalchemy import (
    Column,
    MetaData,
    NullPool,
    PrimaryKeyConstraint,
    StaticPool,
    String,
    Table,
    create_engine,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError

from callsheet.errors import StoreCorruptError, StoreError, StoreVersionError
from callsheet.stores import refusals, versions
from callsheet.stores.failures import translated
from callsheet.stores.transactor import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from callsheet.ports import Branch
    from callsheet.stores.session import Sync

T = TypeVar("T")


class Lender(Protocol):
    """What a store lends: a way into its database, and its words for what can go wrong there."""

    name: str
    """What messages call the database."""
    writes: AbstractContextManager[object]
    """Held while somebody of this process writes: at the database, who waits asks all the time."""
    reads: AbstractContextManager[object]
    """Held while somebody of this process reads."""

    @property
    def closed(self) -> bool:
        """Whether the store is."""
        ...

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's access to it; keeps no connection open."""
        ...

    def begin(self, connection: Connection, branch: str, *, write: bool) -> None:
        """What comes first in a transaction: who writes is alone among those of the branch."""
        ...

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of the driver's; None: it is not one."""
        ...


class LentDatabase:
    """`Database` on SQL."""

    def __init__(self, lender: Lender, branch: Branch) -> None:
        self._lender = lender
        self._branch = branch
        self._is_ready = False

    async def exists(self) -> bool:
        """Whether its tables are there; makes nothing."""
        return await self._apart(partial(self._reading, self._revision)) is not None

    async def read(self, act: Callable[[Connection], T]) -> T:
        """Have something read, in a thread; all its queries see the database at one moment."""
        await self._make_ready()
        return await self._apart(partial(self._reading, act))

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Have something written, in a thread and one transaction; nobody else writes meanwhile."""
        await self._make_ready()
        return await self._apart(partial(self._writing, act))

    async def _apart(self, act: Callable[[], T]) -> T:
        if self._lender.closed:
            raise refusals.closed()
        return await asyncio.to_thread(act)

    def _reading(self, act: Callable[[Connection], T]) -> T:
        with self._lender.reads, self._connected(write=False) as connection:
            return act(connection)

    def _writing(self, act: Callable[[Connection], T]) -> T:
        with self._lender.writes, self._connected(write=True) as connection:
            return act(connection)

    @contextmanager
    def _connected(self, *, write: bool) -> Iterator[Connection]:
        try:
            with self._lender.engine.connect() as connection:
                self._lender.begin(connection, self._branch.name, write=write)
                yield connection
                if write:
                    connection.commit()
        except DBAPIError as exc:
            error = self._lender.failure(exc)
            if error is None:
                raise
            raise error from exc

    # Which revision the tables are at

    async def _make_ready(self) -> None:
        if self._is_ready:
            return
        if await self._apart(partial(self._reading, self._revision)) != self._branch.head:
            await self._apart(partial(self._writing, self._bring_up_to_date))
        self._is_ready = True

    def _bring_up_to_date(self, connection: Connection) -> None:
        # Looked at again: another process may have been first.
        revision = self._revision(connection)
        if revision is None:
            self._branch.metadata.create_all(connection, checkfirst=False)
            stamp = _stamp(self._branch)
            stamp.create(connection, checkfirst=False)
            connection.execute(stamp.insert().values(version_num=self._branch.head))
        elif revision != self._branch.head:
            versions.migrate_branch(connection, self._branch)

    def _revision(self, connection: Connection) -> str | None:
        """Which one the tables are at; None: there are none."""
        branch = self._branch
        tables = set(inspect(connection).get_table_names())
        if branch.stamp not in tables:
            if foreign := sorted(tables & set(branch.metadata.tables)):
                raise StoreCorruptError(
                    f"{self._lender.name!r} has a table {foreign[0]!r} of somebody else where one "
                    f"of {branch.name!r} would be. Move it away, or use another home."
                )
            return None
        revision = connection.scalar(select(_stamp(branch).c.version_num))
        if revision in branch.revisions:
            return str(revision)
        raise StoreVersionError(
            f"The tables of {branch.name!r} in {self._lender.name!r} were written by a newer "
            f"version (schema {revision}; this one knows up to {branch.head}). Upgrade callsheet."
        )


def _stamp(branch: Branch) -> Table:
    """Alembic's own table, exactly as Alembic makes it."""
    return Table(
        branch.stamp,
        MetaData(),
        Column("version_num", String(32), nullable=False),
        PrimaryKeyConstraint("version_num", name=f"{branch.stamp}_pkc"),
    )


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

    @cached_property
    def engine(self) -> Engine:
        """Access to the file; one that is missing is an error, never silently a new one."""
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

    @cached_property
    def engine(self) -> Engine:
        """Access to what is gone with it."""
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

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of SQLite's."""
        return StoreError(f"In memory: {error.orig}.") if error.orig else None
