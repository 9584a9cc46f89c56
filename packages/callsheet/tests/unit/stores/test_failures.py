"""Errors of SQLite and of the file system, in our words."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from callsheet.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from callsheet.stores.failures import translated

PATH = Path("somewhere") / "callsheet.db"


def an_error(code: int) -> sqlite3.Error:
    exc = sqlite3.OperationalError("what SQLite says")
    exc.sqlite_errorcode = code
    exc.sqlite_errorname = "SQLITE_SOMETHING"
    return exc


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusyError),
        (sqlite3.SQLITE_BUSY_RECOVERY, StoreBusyError),
        (sqlite3.SQLITE_LOCKED, StoreBusyError),
        (sqlite3.SQLITE_READONLY, StoreReadOnlyError),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreReadOnlyError),
        (sqlite3.SQLITE_CANTOPEN, StoreReadOnlyError),
        (sqlite3.SQLITE_FULL, StoreFullError),
        (sqlite3.SQLITE_CORRUPT, StoreCorruptError),
        (sqlite3.SQLITE_NOTADB, StoreCorruptError),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreError),
    ],
)
def test_an_error_of_sqlite_is_ours_by_its_code(code: int, kind: type[StoreError]) -> None:
    error = translated(an_error(code), PATH)
    assert type(error) is kind
    assert str(PATH) in error.message
    assert "what SQLite says (SQLITE_SOMETHING)" in error.message


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.EACCES, StoreReadOnlyError),
        (errno.EROFS, StoreReadOnlyError),
        (errno.ENOSPC, StoreFullError),
        (errno.EDQUOT, StoreFullError),
        (errno.EIO, StoreError),
    ],
)
def test_an_error_of_the_file_system_is_ours_by_its_number(
    code: int, kind: type[StoreError]
) -> None:
    assert type(translated(OSError(code, "what the system says"), PATH)) is kind


def test_text_that_cannot_be_read_is_damage_and_is_not_quoted_at_length() -> None:
    error = translated(sqlite3.OperationalError("Could not decode " + "x" * 10_000), PATH)
    assert type(error) is StoreCorruptError
    assert len(error.message) < 500


def test_misuse_of_the_driver_is_no_damage() -> None:
    assert type(translated(sqlite3.ProgrammingError("wrong"), PATH)) is StoreError
