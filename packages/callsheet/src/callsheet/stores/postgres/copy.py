"""A consistent copy of a database, as a home of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import MetaData, bindparam, insert, select
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable

from callsheet.stores import refusals
from callsheet.stores.failures import of_server, translated
from callsheet.stores.postgres.lending import client_tables, engine_of
from callsheet.stores.postgres.session import LostError, PgSession, statements
from callsheet.stores.sql.statements import Bound
from callsheet.stores.sqlite import session as sqlite
from callsheet.stores.sqlite import versions

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import BindParameter, Table
    from sqlalchemy.schema import ExecutableDDLElement

    from callsheet.stores.postgres.address import Address

ROWS = 1000
"""How many rows are in memory at a time."""

_ONE_STATE = Bound("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
_END = Bound("COMMIT", ())
_OWN = statements.schema.keys() - {versions.STAMP}


def copy_to_home(address: Address, target: Path, file: str) -> None:
    """Write everything, as it is at one moment, into a new home on SQLite.

    Raises:
        StoreError: there is something at `target`, or the copy cannot be made.
    """
    draft = target / (file + ".new")
    try:
        refusals.claim(target)
        versions.create(draft)
        _copy(address, draft)
        draft.replace(target / file)
    except OSError as exc:
        raise translated(exc, target) from exc
    except LostError as lost:
        raise lost.error from lost


def _copy(address: Address, path: Path) -> None:
    own, lent = _tables(address)
    theirs = PgSession(address)
    try:
        ours = sqlite.Session(path)
        try:
            theirs.run(_ONE_STATE)
            ours.begin()
            for text in _ddl(lent):
                ours.do(Bound(text, ()))
            for table in [*own, *lent]:
                _copy_table(theirs, ours, table)
            ours.do(sqlite.statements.forget_directories.bind())
            ours.commit()
            theirs.run(_END)
        finally:
            ours.close()
    finally:
        theirs.close()


def _tables(address: Address) -> tuple[list[Table], list[Table]]:
    """Our own, but for the stamp, which the copy has already; and those of clients."""
    own = MetaData()
    engine = engine_of(address)
    try:
        with engine.connect() as connection:
            own.reflect(connection, only=lambda name, _: name in _OWN)
            return own.sorted_tables, client_tables(connection)
    except DBAPIError as exc:
        if isinstance(exc.orig, psycopg.Error):
            raise of_server(exc.orig, address.shown) from exc
        raise


def _ddl(tables: list[Table]) -> list[str]:
    creates: list[ExecutableDDLElement] = [CreateTable(table) for table in tables]
    creates += [CreateIndex(index) for table in tables for index in table.indexes]
    return [str(create.compile(dialect=sqlite_dialect())) for create in creates]


def _copy_table(theirs: PgSession, ours: sqlite.Session, table: Table) -> None:
    # Named one by one: else SQLAlchemy would leave a number out that the database may give.
    columns: dict[str, BindParameter[Any]] = {
        column.name: bindparam(column.name) for column in table.columns
    }
    text = str(insert(table).values(columns).compile(dialect=sqlite_dialect()))
    for rows in theirs.chunks(str(select(table).compile()), ROWS):
        ours.insert(text, rows)
