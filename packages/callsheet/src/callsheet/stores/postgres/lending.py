"""A PostgreSQL database, lent to a client of the engine; and its tables, copied to a home."""

from __future__ import annotations

import threading
import time
import zlib
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import (
    Column,
    Index,
    MetaData,
    NullPool,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError

from callsheet.errors import StoreError
from callsheet.stores.failures import of_server
from callsheet.stores.postgres.session import PAUSE, connect
from callsheet.stores.sql.transactor import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Constraint, Engine
    from sqlalchemy.types import TypeEngine

    from callsheet.ports import Branch
    from callsheet.stores.postgres.address import Address
    from callsheet.stores.sql.session import Row, Sync

BRANCH_LOCK = 0x63616C6D
"""The first half of the key of a branch's lock; the driver's is one less."""
STAMPS = "alembic_version_"
"""How the names of tables begin that say which revision a branch is at."""


class PgLender:
    """Lends a database on a server."""

    def __init__(self, address: Address, sync: Sync, is_closed: Callable[[], bool]) -> None:
        self.name = address.shown
        self.writes: AbstractContextManager[object] = threading.Lock()
        self.reads: AbstractContextManager[object] = nullcontext()
        self._address = address
        self._sync = sync
        self._is_closed = is_closed

    @property
    def closed(self) -> bool:
        """Whether the store is."""
        return self._is_closed()

    def may_hold(self, branch: Branch) -> bool:
        """SQLAlchemy is here already, and is asked."""
        del branch
        return True

    @cached_property
    def engine(self) -> Engine:
        """Access to the database."""
        return engine_of(self._address, self._sync)

    def begin(self, connection: Connection, branch: str, *, write: bool) -> None:
        """Who writes waits for others of the branch, and for nobody else."""
        if write:
            key = zlib.crc32(branch.encode()) & 0x7FFFFFFF
            connection.execute(select(func.pg_advisory_xact_lock(BRANCH_LOCK, key)))
        else:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))

    def failure(self, error: DBAPIError) -> StoreError | None:
        """Our error for one of the server's."""
        return of_server(error.orig, self.name) if isinstance(error.orig, psycopg.Error) else None

    def number(self, connection: Connection) -> str | None:
        """What the server calls the transaction; None: nothing was written in it."""
        asked = text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")
        number: str | None = connection.scalar(asked)
        return number

    def was_made(self, number: str) -> bool | None:
        """What became of a transaction; None: nobody can tell now."""
        asked = text("SELECT pg_xact_status(CAST(:number AS xid8))")
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with self.engine.connect() as connection:
                    fate = connection.scalar(asked, {"number": number})
            except (DBAPIError, StoreError):
                fate = "in progress"
            if fate != "in progress":
                return bool(fate == "committed")
            if time.monotonic() >= until:
                return None
            time.sleep(PAUSE)


def engine_of(address: Address, sync: Sync = "full") -> Engine:
    """SQLAlchemy's own access to the database, for whatever is not a journal."""

    def connected() -> psycopg.Connection[Row]:
        db = connect(address, sync=sync)
        # As SQLAlchemy expects it: the driver begins transactions, and %s stands for a value.
        db.autocommit = False
        db.cursor_factory = psycopg.Cursor
        return db

    return create_engine("postgresql+psycopg://", creator=connected, poolclass=NullPool)


def client_tables(connection: Connection) -> list[Table]:
    """The tables of all clients, as SQLite can have them."""
    inspector = inspect(connection)
    names = inspector.get_table_names()
    branches = tuple(n.removeprefix(STAMPS) + "_" for n in names if n.startswith(STAMPS))
    ours = [n for n in names if n.startswith(STAMPS) or (branches and n.startswith(branches))]
    found = MetaData()
    found.reflect(connection, only=ours)
    return [_portable(table) for table in found.sorted_tables]


def _portable(table: Table) -> Table:
    """The same table without what only PostgreSQL knows."""
    columns = [Column(c.name, _plain(c), nullable=c.nullable) for c in table.columns]
    keys = [PrimaryKeyConstraint(*table.primary_key.columns.keys(), name=_name(table.primary_key))]
    uniques = [
        UniqueConstraint(*each.columns.keys(), name=_name(each))
        for each in table.constraints
        if isinstance(each, UniqueConstraint)
    ]
    copy = Table(table.name, MetaData(), *columns, *keys, *uniques)
    for index in table.indexes:
        where = index.dialect_kwargs.get("postgresql_where")
        Index(
            index.name,
            *(copy.c[name] for name in index.columns.keys()),  # noqa: SIM118 -- no mapping
            unique=index.unique,
            sqlite_where=None if where is None else text(str(where)),
        )
    return copy


def _name(constraint: Constraint) -> str | None:
    return constraint.name if isinstance(constraint.name, str) else None


def _plain(column: Column[Any]) -> TypeEngine[Any]:
    kind = column.type.as_generic()
    if isinstance(kind, String):
        kind.collation = None
    return kind
