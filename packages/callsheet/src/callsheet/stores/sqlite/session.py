"""All that is particular to SQLite: opening a file, transactions, who holds a lock.

The rest of the SQL store knows a `Session` and statements. A session is used by one thread at a
time; it does not see to that itself.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.errors import StoreBusyError
from callsheet.stores import refusals
from callsheet.stores.failures import translated
from callsheet.stores.sql.session import ConflictError, ReplacedError
from callsheet.stores.sql.statements import Bound, statements_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Engine

    from callsheet.stores.sql.session import Channel, Row, Sync
    from callsheet.stores.sql.statements import Param
    from callsheet.stores.sqlite.queue import WriteQueue

OPENING_PATIENCE = 5.0
"""Seconds to wait for another process that opens, recovers or closes the same file."""

_SYNC = {"full": "PRAGMA synchronous = FULL", "normal": "PRAGMA synchronous = NORMAL"}
_WRITE_LOCK = "120"
"""Where in the -shm file SQLite locks for writing (WAL_WRITE_LOCK of its file format)."""

statements = statements_for("sqlite")


class Session:
    """One connection to the file, in autocommit mode between `begin` and `commit`."""

    def __init__(
        self,
        path: Path,
        *,
        sync: Sync = "full",
        look_only: bool = False,
        queue: WriteQueue | None = None,
    ) -> None:
        """Open the file; to `look_only`, nothing need be writable, not even its directory.

        `queue` is where it stands with others who write; it is closed with the session.
        """
        self._path = path
        self._queue = queue
        self._patience = OPENING_PATIENCE
        self._open = True
        # mode=rw: a file that is missing is an error, never silently a new and empty store.
        uri = f"{path.absolute().as_uri()}?{_looking_mode(path) if look_only else 'mode=rw'}"
        try:
            self._db = sqlite3.connect(
                uri,
                uri=True,
                timeout=OPENING_PATIENCE,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as exc:
            raise translated(exc, path) from exc
        try:
            self._db.execute(_SYNC[sync])
        except sqlite3.Error as exc:
            self._db.close()
            raise translated(exc, path) from exc

    def use_log(self) -> None:
        """Write through a write-ahead log: readers and the writer do not wait for each other."""
        self.all(_LOG)

    def wait_for_locks(self, seconds: float) -> None:
        """How long a lock of another process is waited for, from now on."""
        if seconds != self._patience:
            self._patience = seconds
            # A pragma takes no parameters.
            self.all(Bound(f"PRAGMA busy_timeout = {int(seconds * 1000)}", ()))

    def begin(self) -> None:
        """Begin a transaction that may write; nobody else may, until it ends."""
        if self._db.in_transaction:
            self.rollback()  # an interrupt has kept whoever began it from ending it
        if self._queue is None:
            self.run(_BEGIN)
            return
        patience = self._patience
        # SQLite is not to sleep: who stands behind the gate looks often.
        self.wait_for_locks(0)
        try:
            begun = self._queue.take(self._has_begun, patience)
        finally:
            self.wait_for_locks(patience)
        if not begun:
            raise self._busy()

    def _has_begun(self) -> bool:
        try:
            self.run(_BEGIN)
        except StoreBusyError:
            return False
        return True

    def commit(self) -> None:
        """Make everything since `begin` durable."""
        self.run(_COMMIT)

    def rollback(self) -> None:
        """Take everything since `begin` back."""
        # Some errors (a full disk) have rolled back already; then there is nothing to do.
        if self._open and self._db.in_transaction:
            self.run(_ROLLBACK)

    def do(self, bound: Bound) -> None:
        """Execute a statement whose answer nobody needs."""
        self._execute(bound)

    def run(self, bound: Bound) -> int:
        """Execute a statement and return how many rows it changed."""
        return self._execute(bound).rowcount

    def all(self, bound: Bound) -> list[Row]:
        """The rows of a query."""
        cursor = self._execute(bound)
        try:
            # To the end, always: an open cursor would hold the session's view in the past.
            return cursor.fetchall()
        except sqlite3.Error as exc:
            raise self._failure(exc) from exc

    def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        return next(iter(self.all(bound)), None)

    def insert(self, text: str, rows: Iterable[tuple[Param, ...]]) -> None:
        """Insert many rows with one statement.

        Raises:
            ConflictError: one of them is there already.
        """
        try:
            self._db.executemany(text, rows)
        except sqlite3.Error as exc:
            raise self._failure(exc) from exc

    def check(self, fence: Bound) -> None:
        """See that a driver has not been replaced; nobody replaces it until the transaction ends.

        Raises:
            ReplacedError: it has.
        """
        # In every transaction: nothing between this and the driver but the translation of errors.
        try:
            mine = self._db.execute(fence.text, fence.params).fetchall()
        except sqlite3.Error as exc:
            raise self._failure(exc) from exc
        if not mine:
            raise ReplacedError

    def tell(self, channel: Channel) -> None:
        """Nobody is woken: SQLite cannot, and who waits looks often enough."""

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to a new file, however much is being written meanwhile."""
        try:
            copy = sqlite3.connect(target)
        except sqlite3.Error as exc:
            raise translated(exc, target) from exc
        try:
            # All pages in one step: it reads one state and never has to begin again.
            self._db.backup(copy, pages=-1)
        except sqlite3.Error as exc:
            raise translated(exc, target) from exc
        finally:
            copy.close()

    def checkpoint(self) -> None:
        """Move what the write-ahead log holds into the file, as far as readers allow."""
        self.all(_CHECKPOINT)

    def close(self) -> None:
        """Close the connection. Harmless the second time."""
        if self._queue is not None:
            self._queue.close()
        self._open = False
        self._db.close()

    def _execute(self, bound: Bound) -> sqlite3.Cursor:
        try:
            return self._db.execute(bound.text, bound.params)
        except sqlite3.Error as exc:
            raise self._failure(exc) from exc

    def _failure(self, exc: sqlite3.Error) -> Exception:
        if not self._open:
            return refusals.closed()
        if isinstance(exc, sqlite3.IntegrityError):
            return ConflictError(str(exc))
        error = translated(exc, self._path)
        if not self._patience or not isinstance(error, StoreBusyError):
            return error
        return self._busy()

    def _busy(self) -> StoreBusyError:
        return StoreBusyError(
            f"{str(self._path)!r} has been locked by {_writer_of(self._path)} for more than "
            f"{self._patience:g} s. Let it finish, or stop it, and try again."
        )


_LOG = Bound("PRAGMA journal_mode = WAL", ())
_BEGIN = Bound("BEGIN IMMEDIATE", ())
_COMMIT = Bound("COMMIT", ())
_ROLLBACK = Bound("ROLLBACK", ())
_CHECKPOINT = Bound("PRAGMA wal_checkpoint(TRUNCATE)", ())


def _looking_mode(path: Path) -> str:
    """How to open a file that nobody here can write.

    With a log beside it, it is read with that; without, SQLite would want to make one, unless it is
    told that nothing changes.
    """
    log = log_of(path)
    return "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"


def log_of(path: Path) -> Path:
    """The write-ahead log beside a database file."""
    return path.with_name(path.name + "-wal")


def tables_of(session: Session) -> frozenset[str]:
    """The names of all tables."""
    rows = session.all(Bound("SELECT name FROM sqlite_master WHERE type = 'table'", ()))
    return frozenset(name for (name,) in rows)


def engine_of(path: Path) -> Engine:
    """SQLAlchemy's own access to the file, for migrations; dispose of it after use."""
    # Imported here: SQLAlchemy is slow to import, and hardly ever is there something to migrate.
    from sqlalchemy import NullPool, create_engine, event

    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(path, isolation_level=None),
        poolclass=NullPool,
    )
    # Python's driver would begin no transaction before DDL, and a migration that fails half-way
    # would stay half-way.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(_BEGIN.text))
    return engine


def _writer_of(path: Path) -> str:
    """Who holds the write lock, as far as the system tells (Linux does)."""
    nobody_known = "another process"
    try:
        inode = str(path.with_name(path.name + "-shm").stat().st_ino)
        locks = Path("/proc/locks").read_text("ascii").splitlines()
    except OSError:
        return nobody_known
    for line in locks:
        _, _, _, mode, pid, where, first, *_ = line.replace("->", "").split()
        if (mode, where.rpartition(":")[2], first) == ("WRITE", inode, _WRITE_LOCK):
            return f"process {pid}"
    return nobody_known
