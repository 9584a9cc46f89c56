"""What the database says when it cannot, in our words.

The one place where errors of SQLite and of the file system become errors of Callsheet. Each
message says what happened, to which file, and what to do now.
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
    return _BY_SQLITE.get(code & _PRIMARY, StoreError)
