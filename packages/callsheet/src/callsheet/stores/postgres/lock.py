"""The lock of a driver: held by the very connection that writes.

An advisory lock of the server, at the level of the session. Since it belongs to the connection
through which journals are written, whoever loses the one loses the other. A driver that has lost
it takes it again, unless somebody has found it gone meanwhile: the fence says so (see
`sql/fence.py`). And whoever has got the lock again knows that the connection before has ended, so
that what became of its last commit is settled.
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
    from collections.abc import Sequence

    import psycopg
    from sqlalchemy import Connection

    from callsheet.stores.postgres.reader import PgReader
    from callsheet.stores.postgres.session import PgSession
    from callsheet.stores.sql.fence import Fence
    from callsheet.stores.sql.session import Row, Session

OURS = "callsheet drivers of "
"""What the first half of a lock's key is made of, with the name of the schema."""
_LOOKS = 6
_MOMENT = 0.05
_AGAIN = 0.5
"""Seconds before somebody whose lock is free is taken for gone: it may be connecting again."""

_RELEASE = Bound("SELECT pg_advisory_unlock_all()", ())
_HOLD = "SELECT pg_try_advisory_lock($1::int, $2::int)"
_HOLD_FOR_NOW = "SELECT pg_try_advisory_xact_lock($1::int, $2::int)"
_SCHEMA = "SELECT coalesce(current_schema(), '')"
_HOLDER = (
    "SELECT l.pid FROM pg_locks l "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND l.classid = $1::int::oid AND l.objid = $2::int::oid"
)


class DriverLock:
    """A driver's lock, and whether others hold theirs."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence
        self._half: int | None = None
        self.reader: PgReader | None = None
        """What others' locks are looked at through; there once the store is open."""
        self._free_since: dict[int, float] = {}

    def hold(self, session: PgSession, number: int) -> bool:
        """Be alive, as the driver of this number; False: another is."""
        if self._half is None:
            self._half = _half(session.one(Bound(_SCHEMA, ())))
        row = session.one(Bound(_HOLD, (self._half, number)))
        return row is not None and bool(row[0])

    def take(self, db: psycopg.Connection[Row]) -> None:
        """Take it on a new connection; one that does not drive (yet, or any more) does without.

        Raises:
            DriverReplacedError: somebody has found this driver gone.
            StoreBusyError: the connection before has not ended.
        """
        number = self._fence.number
        if self._fence.lost or not number:
            return
        half = _half(db.execute(_SCHEMA.encode()).fetchone())
        for _ in range(_LOOKS):
            row = db.execute(_HOLD.encode(), (half, number)).fetchone()
            if row is not None and row[0]:
                return
            self._must_not_be_replaced(db)
            # The server takes a moment to notice that a connection has died.
            time.sleep(_MOMENT)
        raise StoreBusyError("The server has not noticed yet that the connection before is gone.")

    def _must_not_be_replaced(self, db: psycopg.Connection[Row]) -> None:
        who = self._fence.successor
        row = db.execute(who.text.encode(), who.params).fetchone()
        if row is not None:
            raise self._fence.lose(row)

    def release(self, session: PgSession) -> None:
        """Be alive no more, now: a closed connection is noticed only after a moment."""
        with suppress(LostError, CallsheetError):
            session.all(_RELEASE)

    # Others

    def is_gone(self, session: Session, number: int) -> bool:
        """Whether a driver has ended; until the transaction ends its lock is held here."""
        row = session.one(Bound(_HOLD_FOR_NOW, (self._half, number)))
        return row is not None and bool(row[0])

    async def is_alive(self, number: int) -> bool:
        """Whether a driver is alive; one whose lock is free may be connecting again."""
        assert self.reader is not None, "set when the store was opened"
        if self._half is None:
            self._half = _half(await self.reader.one(Bound(_SCHEMA, ())))
        held = await self.reader.one(Bound(_HOLDER, (self._half, number))) is not None
        if held:
            self._free_since.pop(number, None)
            return True
        since = self._free_since.setdefault(number, time.monotonic())
        return time.monotonic() - since < _AGAIN


def is_held(connection: Connection, number: int) -> bool:
    """Whether some session holds the lock of a driver right now."""
    half = _half(connection.exec_driver_sql(_SCHEMA).one())
    held = _HOLDER.replace("$1", "%s").replace("$2", "%s")
    return connection.exec_driver_sql(held, (half, number)).first() is not None


def _half(row: Sequence[object] | None) -> int:
    """The first half of a key: stores in two schemas of a database have drivers of their own."""
    name = OURS + (str(row[0]) if row else "")
    return zlib.crc32(name.encode()) & 0x7FFFFFFF
