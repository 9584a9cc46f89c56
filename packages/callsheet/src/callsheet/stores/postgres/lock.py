"""The driver lock: held by the very connection that writes.

An advisory lock of the server, at the level of the session. Since it belongs to the connection
through which journals are written, whoever loses the one loses the other. A driver that has lost
it takes it again, unless somebody else was quicker: the fence says so (see `sql/fence.py`). And
whoever has got the lock again knows that the connection before has ended, so that what became of
its last commit is settled.
"""

from __future__ import annotations

import time
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.errors import CallsheetError, StoreBusyError
from callsheet.stores.postgres.session import LostError
from callsheet.stores.sql.statements import Bound

if TYPE_CHECKING:
    import psycopg

    from callsheet.stores.postgres.session import PgSession
    from callsheet.stores.sql.fence import Fence
    from callsheet.stores.sql.session import Row

OURS = 0x63616C6C
"""The first half of the lock's key, in every database (it spells "call")."""
FRESH = 0.25
"""Seconds for which it is believed that somebody drives, or nobody does."""

_LOOKS = 6
_MOMENT = 0.05

_RELEASE = Bound("SELECT pg_advisory_unlock_all()", ())
_TAKE = b"SELECT pg_try_advisory_lock($1, $2)"
_SCHEMA = b"SELECT coalesce(current_schema(), '')"
_HOLDER = (
    "SELECT l.pid, coalesce(a.client_addr::text, 'local') FROM pg_locks l "
    "LEFT JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND l.classid = $1 AND l.objid = $2"
)


class DriverLock:
    """The right to drive, for as long as the connection lives that it was taken on."""

    def __init__(self, name: str, fence: Fence) -> None:
        self._name = name
        self._fence = fence

    def take(self, db: psycopg.Connection[Row]) -> None:
        """Take it on a new connection; one that was replaced does without.

        Raises:
            DriverReplacedError: somebody else has driven since it was held here.
            StoreBusyError: another session holds it.
        """
        if self._fence.lost:
            return
        key = _key(db)
        for _ in range(_LOOKS):
            row = db.execute(_TAKE, key).fetchone()
            if row is not None and row[0]:
                return
            self._must_not_be_replaced(db)
            # The server takes a moment to notice that a process has died.
            time.sleep(_MOMENT)
        raise StoreBusyError(self._taken(db, key))

    def _must_not_be_replaced(self, db: psycopg.Connection[Row]) -> None:
        if self._fence.number:
            who = self._fence.successor
            row = db.execute(who.text.encode(), who.params).fetchone()
            if row is not None:
                raise self._fence.lose(row)

    def release(self, session: PgSession) -> None:
        """Let another process drive, now: a closed connection is noticed only after a moment."""
        with suppress(LostError, CallsheetError):
            session.all(_RELEASE)

    def _taken(self, db: psycopg.Connection[Row], key: tuple[int, int]) -> str:
        holder = db.execute(_HOLDER.encode(), key).fetchone()
        who = f"Session {holder[0]} ({holder[1]})" if holder else "Another process"
        return (
            f"{who} drives {self._name!r}. Use pause, cancel, answer and watch from here, or "
            "another --home."
        )


class Driven:
    """Whether anybody drives, as far as was seen a moment ago."""

    def __init__(self) -> None:
        self.value = False
        self._until = 0.0

    @property
    def is_old(self) -> bool:
        """Whether somebody should look again."""
        return time.monotonic() >= self._until

    def look(self, session: PgSession) -> None:
        """Look."""
        row = session.one(Bound(_SCHEMA.decode(), ()))
        self.value = session.one(Bound(_HOLDER, (OURS, _half(row)))) is not None
        self._until = time.monotonic() + FRESH


def _key(db: psycopg.Connection[Row]) -> tuple[int, int]:
    return OURS, _half(db.execute(_SCHEMA).fetchone())


def _half(row: Row | None) -> int:
    """The second half: stores in two schemas of a database have two drivers."""
    return zlib.crc32(row[0].encode() if row else b"") & 0x7FFFFFFF
