"""What the database says when it cannot, in our words.

The one place where errors of SQLite, of PostgreSQL and of the file system become errors of
Callsheet. Each message says what happened, to which file or database, and what to do now.
"""

from __future__ import annotations

import errno
import sqlite3
from typing import TYPE_CHECKING

from callsheet.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Final

    from psycopg import Error as PgError

_PRIMARY = 0xFF
"""The part of a SQLite error code that says what kind of error it is."""

_DETAIL = 200
"""Characters of their message that are shown: it may quote what it could not read."""

_ADVICE: Final[Mapping[type[StoreError], str]] = {
    StoreBusyError: "is locked by another process. Wait for it, or stop it, and try again",
    StoreReadOnlyError: (
        "cannot be opened or written. Give this user the right to write the file and its "
        "directory, or use another home"
    ),
    StoreFullError: (
        "cannot grow: the disk is full. What was acknowledged is kept; make room and try again"
    ),
    StoreCorruptError: (
        "is damaged, truncated, or not a database. Restore a backup, or move it away to begin anew"
    ),
    StoreError: "could not be used",
}

_BY_SQLITE: Final[Mapping[int, type[StoreError]]] = {
    sqlite3.SQLITE_BUSY: StoreBusyError,
    sqlite3.SQLITE_LOCKED: StoreBusyError,
    sqlite3.SQLITE_READONLY: StoreReadOnlyError,
    sqlite3.SQLITE_CANTOPEN: StoreReadOnlyError,
    sqlite3.SQLITE_PERM: StoreReadOnlyError,
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_CORRUPT: StoreCorruptError,
    sqlite3.SQLITE_NOTADB: StoreCorruptError,
}

_BY_EXTENDED: Final[Mapping[int, type[StoreError]]] = {
    # The shared memory beside the log cannot grow: what a full disk looks like at opening.
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFullError,
}

_BY_ERRNO: Final[Mapping[int, type[StoreError]]] = {
    errno.EACCES: StoreReadOnlyError,
    errno.EPERM: StoreReadOnlyError,
    errno.EROFS: StoreReadOnlyError,
    errno.ENOSPC: StoreFullError,
    errno.EDQUOT: StoreFullError,
}


def translated(exc: sqlite3.Error | OSError, path: Path) -> StoreError:
    """Our error for theirs; raise it `from` theirs."""
    kind = _kind(exc)
    name = getattr(exc, "sqlite_errorname", None)
    detail = f"{str(exc)[:_DETAIL]} ({name})" if name else str(exc)[:_DETAIL]
    return kind(f"{str(path)!r} {_ADVICE[kind]}. The system says: {detail}.")


def _kind(exc: sqlite3.Error | OSError) -> type[StoreError]:
    if isinstance(exc, OSError):
        return _BY_ERRNO.get(exc.errno or 0, StoreError)
    code = getattr(exc, "sqlite_errorcode", None)
    if code is None:
        # Not from SQLite but from Python's driver, which says this of text that is no text.
        return StoreCorruptError if isinstance(exc, sqlite3.OperationalError) else StoreError
    return _BY_EXTENDED.get(code) or _BY_SQLITE.get(code & _PRIMARY, StoreError)


_UNREACHABLE = (
    "cannot be reached. What was acknowledged is kept; see that the server runs and that the "
    "address is right, and try again"
)

_BY_STATE: Final[Mapping[str, tuple[type[StoreError], str]]] = {
    "08": (StoreError, _UNREACHABLE),
    "28": (StoreError, "does not let this user in. Check the user, and the password or ~/.pgpass"),
    "3D": (StoreError, "does not exist. Create it, as in: createdb NAME"),
    "3F": (StoreError, "has no schema to put tables into. Create it, or set search_path"),
    "25006": (StoreReadOnlyError, "takes no writes: it is a standby, or set to read only"),
    "42501": (
        StoreReadOnlyError,
        "does not let this user write. Grant it the right to create and use tables there",
    ),
    "53100": (StoreFullError, _ADVICE[StoreFullError]),
    "53300": (
        StoreBusyError,
        "has no connection left. Close some, or raise max_connections, and try again",
    ),
    "55P03": (StoreBusyError, "is locked by another session. Wait for it, or end it"),
    "57014": (StoreBusyError, "took too long to answer, and was not waited for. Try again"),
    "57P": (StoreError, _UNREACHABLE),
    "XX001": (StoreCorruptError, "is damaged. Restore a backup"),
    "XX002": (StoreCorruptError, "is damaged. Restore a backup"),
}
"""By SQLSTATE, or how it begins."""


def of_server(exc: PgError, name: str) -> StoreError:
    """Our error for one of PostgreSQL; raise it `from` theirs. `name` shows no password."""
    kind, advice = _for_state(exc.sqlstate)
    line = first_line(exc)
    if exc.sqlstate is None and "FATAL:" in line:
        # Said while connecting, when the driver does not pass the state on.
        advice = "refuses the connection. Check the name of the database, the user, the password"
    state = f" ({exc.sqlstate})" if exc.sqlstate else ""
    return kind(f"{name!r} {advice}. The server says: {line}{state}.")


def first_line(exc: Exception) -> str:
    """What an error says to people; what follows is for whoever wrote the library."""
    lines = str(exc).strip().splitlines() or [type(exc).__name__]
    return lines[0][:_DETAIL]


def _for_state(state: str | None) -> tuple[type[StoreError], str]:
    if state is None:  # it is not the server that speaks, but the driver: there is no server
        return StoreError, _UNREACHABLE
    for length in (5, 3, 2):
        if found := _BY_STATE.get(state[:length]):
            return found
    return StoreError, _ADVICE[StoreError]
