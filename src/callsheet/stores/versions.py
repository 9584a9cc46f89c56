"""Which version of the schema a database has, and how it gets to ours.

Revisions of the engine's own tables are four digits; whoever keeps tables of his own in the same
database has a branch, with names that begin otherwise. Alembic is imported only when there is
something to migrate.
"""

from __future__ import annotations

import os
import re
import sqlite3
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from callsheet.errors import StoreCorruptError, StoreVersionError
from callsheet.stores.failures import translated
from callsheet.stores.sqlite import Session, engine_of, log_of, statements, tables_of
from callsheet.stores.statements import Bound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BRANCH = "engine"
REVISIONS = ("0001",)
"""All we know, oldest first. A test compares them with the migration scripts."""

HEAD = REVISIONS[-1]

_STAMP = "alembic_version"
_OURS = re.compile(r"\d{4}\Z")


def create(path: Path) -> None:
    """Create an empty store. It is there whole, or not at all.

    The caller holds the driver lock, so nobody else is at it.
    """
    log = log_of(path)
    if log.exists() and log.stat().st_size:
        # SQLite would play the old log into the new file.
        raise StoreCorruptError(
            f"{str(path)!r} is missing, but its log {log.name!r} is there: it was moved or deleted "
            "while in use. Put it back, or move the log away to begin anew."
        )
    draft = path.with_name(path.name + ".new")
    draft.write_bytes(b"")
    _fill(draft)
    draft.replace(path)
    _sync_directory(path.parent)


def _fill(path: Path) -> None:
    session = Session(path)
    try:
        session.begin()
        for text in statements.ddl:
            session.run(Bound(text, ()))
        session.insert(statements.stamp.text, [(HEAD,)])
        session.commit()
        session.use_log()
    finally:
        session.close()


def _sync_directory(path: Path) -> None:
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def revision_of(session: Session, path: Path, *, known: Sequence[str] = REVISIONS) -> str:
    """The engine's revision of a database.

    Raises:
        StoreVersionError: a newer version wrote it.
        StoreCorruptError: it is not a Callsheet store.
    """
    tables = tables_of(session)
    if not tables:
        raise StoreCorruptError(
            f"{str(path)!r} is empty: it was truncated, or never was a store. Restore a backup, or "
            "move it away to begin anew."
        )
    rows = session.all(statements.revisions.bind()) if _STAMP in tables else []
    ours = [name for (name,) in rows if _OURS.match(name)]
    if len(ours) != 1:
        raise StoreCorruptError(
            f"{str(path)!r} is a database, but not a Callsheet store. Use another home."
        )
    if ours[0] not in known:
        raise StoreVersionError(
            f"{str(path)!r} was written by a newer version (schema {ours[0]}; this one knows up to "
            f"{known[-1]}). Upgrade callsheet."
        )
    return str(ours[0])


def upgrade(path: Path) -> None:
    """Bring a database to our revision, in one transaction."""
    # Imported here: 0.4 s and 10 MB that nobody should pay who has nothing to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "callsheet.stores:migrations")
    engine = engine_of(path)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, f"{BRANCH}@head")
    except DBAPIError as exc:
        if isinstance(exc.orig, sqlite3.Error):
            raise translated(exc.orig, path) from exc
        raise
    finally:
        engine.dispose()
