"""Which version of the schema a database has, and how it gets to ours.

Revisions of the engine's own tables are four digits. Whoever keeps tables of his own in the same
database has a branch, with scripts and a stamp of its own (`alembic_version_<branch>`). SQLAlchemy
and Alembic are imported only when there is something to migrate.
"""

from __future__ import annotations

import os
import re
import sqlite3
from typing import TYPE_CHECKING

from callsheet.errors import StoreBusyError, StoreCorruptError, StoreVersionError
from callsheet.stores.failures import translated
from callsheet.stores.sql.statements import Bound
from callsheet.stores.sqlite.lock import DriverLocks
from callsheet.stores.sqlite.session import Session, engine_of, log_of, statements, tables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from callsheet.ports import Branch
    from callsheet.stores.sql.session import Session as AnySession
    from callsheet.stores.sql.statements import Statements

BRANCH = "engine"
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""All we know, oldest first. A test compares them with the migration scripts."""

HEAD = REVISIONS[-1]

ADDING = frozenset({"0003"})
"""Those that only add: whoever knows the revision before reads and writes on, beside them."""

STAMP = "alembic_version"
_DRIVERS = "SELECT id, process, since FROM drivers WHERE replaced_by IS NULL ORDER BY id"
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
        fill(session, statements)
        session.commit()
        session.use_log()
    finally:
        session.close()


def fill(session: AnySession, sql: Statements) -> None:
    """Make every table in an empty database, and say which revision it is at."""
    for text in sql.schema.values():
        session.do(Bound(text, ()))
    session.insert(sql.stamp.text, [(HEAD,)])


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
    rows = session.all(statements.revisions.bind()) if STAMP in tables else []
    return known_revision([name for (name,) in rows], str(path), known=known)


def known_revision(stamps: Iterable[str], name: str, *, known: Sequence[str] = REVISIONS) -> str:
    """The engine's revision among the stamps of a database.

    Raises:
        StoreVersionError: a newer version wrote it.
        StoreCorruptError: it is not a Callsheet store.
    """
    ours = [stamp for stamp in stamps if _OURS.match(stamp)]
    if len(ours) != 1:
        raise StoreCorruptError(
            f"{name!r} is a database, but not a Callsheet store. Use another home."
        )
    if ours[0] not in known:
        raise StoreVersionError(
            f"{name!r} was written by a newer version (schema {ours[0]}; this one knows up to "
            f"{known[-1]}). Upgrade callsheet."
        )
    return ours[0]


def must_be_known(session: AnySession, *, name: str) -> None:
    """See, in the transaction that begins to drive, that the revision is still one that we know.

    Raises:
        StoreVersionError: a newer version has migrated it meanwhile.
    """
    known_revision([stamp for (stamp,) in session.all(statements.revisions.bind())], name)


def too_old(name: str, revision: str) -> StoreVersionError:
    """Somebody who does not drive, and so changes no tables, found old ones."""
    return StoreVersionError(
        f"{name!r} was written by an older version (schema {revision}, not {HEAD}). Stop the "
        "process that drives it; whatever drives it next upgrades it, `callsheet gc --dry-run` too."
    )


def upgrade(path: Path) -> None:
    """Bring a file to our revision, in one transaction.

    Raises:
        StoreBusyError: that would disturb another process.
    """
    # Imported here, as Alembic is: nobody should pay for it who has nothing to migrate.
    from sqlalchemy.exc import DBAPIError

    locks = DriverLocks(path.parent)
    engine = engine_of(path)
    try:
        migrate(engine, str(path), lambda _, number: locks.is_held(number))
    except DBAPIError as exc:
        if isinstance(exc.orig, sqlite3.Error):
            raise translated(exc.orig, path) from exc
        raise
    finally:
        engine.dispose()


def migrate(engine: Engine, name: str, is_alive: Callable[[Connection, int], bool]) -> None:
    """Bring a database to our revision, in one transaction in which nobody begins to drive it.

    Raises:
        StoreBusyError: somebody drives it, and could not go on beside the new tables.
    """
    # Imported here: 0.4 s and 10 MB that nobody should pay who has nothing to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "callsheet.stores:migrations")
    with engine.begin() as connection:
        _must_not_disturb(connection, name, is_alive)
        config.attributes["connection"] = connection
        command.upgrade(config, f"{BRANCH}@head")


def _must_not_disturb(
    connection: Connection, name: str, is_alive: Callable[[Connection, int], bool]
) -> None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("drivers"):
        return  # older ones hold the lock of the home as a whole
    if connection.dialect.name == "postgresql":
        # Whoever begins to drive reads this table first, and looks at the revision after that.
        connection.exec_driver_sql("LOCK TABLE drivers IN ACCESS EXCLUSIVE MODE")
    stamps = connection.exec_driver_sql(statements.revisions.text).scalars()
    revision = known_revision(stamps, name)
    if ADDING.issuperset(REVISIONS[REVISIONS.index(revision) + 1 :]):
        return
    for number, process, since in connection.exec_driver_sql(_DRIVERS).all():
        if is_alive(connection, number):
            raise StoreBusyError(
                f"{name!r} has the tables of an older version (schema {revision}, not {HEAD}), and "
                f"process {process} drives it (since {since}, UTC). It could not go on beside the "
                "new tables: stop it, then open this again. Nothing was changed."
            )


def migrate_branch(connection: Connection, branch: Branch) -> None:
    """Bring the tables of a client to its revision, in the transaction that has begun."""
    from importlib.resources import files

    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "callsheet.stores:migrations")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", str(files(branch.migrations)).replace("%", "%%"))
    config.attributes.update(connection=connection, branch=branch)
    command.upgrade(config, branch.head)
