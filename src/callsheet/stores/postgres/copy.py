"""A consistent copy of a database, as a home of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

from callsheet.stores import refusals, sqlite, versions
from callsheet.stores.failures import translated
from callsheet.stores.postgres.session import LostError, PgSession
from callsheet.stores.schema import metadata
from callsheet.stores.statements import Bound

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import BindParameter, Table

    from callsheet.stores.postgres.address import Address

ROWS = 1000
"""How many rows are in memory at a time."""

_ONE_STATE = Bound("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
_END = Bound("COMMIT", ())


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
    theirs = PgSession(address)
    try:
        ours = sqlite.Session(path)
        try:
            theirs.run(_ONE_STATE)
            ours.begin()
            for table in metadata.sorted_tables:
                _copy_table(theirs, ours, table)
            ours.commit()
            theirs.run(_END)
        finally:
            ours.close()
    finally:
        theirs.close()


def _copy_table(theirs: PgSession, ours: sqlite.Session, table: Table) -> None:
    # Named one by one: else SQLAlchemy would leave a number out that the database may give.
    columns: dict[str, BindParameter[Any]] = {
        column.name: bindparam(column.name) for column in table.columns
    }
    text = str(insert(table).values(columns).compile(dialect=sqlite_dialect()))
    for rows in theirs.chunks(str(select(table).compile()), ROWS):
        ours.insert(text, rows)
