"""A connection to PostgreSQL as the SQL store wants it.

What has no answer is kept back and sent together with the next statement that has one, or with
the commit: a batch of appends is one message to the server and one answer, however many rows and
runs it has. Everything here blocks; it is called in threads.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from callsheet.errors import DriverReplacedError, InputError, StoreError
from callsheet.stores import refusals
from callsheet.stores.failures import of_server
from callsheet.stores.postgres.wire import Wire
from callsheet.stores.sql.session import ConflictError, ReplacedError
from callsheet.stores.sql.statements import Bound, statements_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet.stores.postgres.address import Address
    from callsheet.stores.sql.session import Channel, Row, Sync
    from callsheet.stores.sql.statements import Param

T = TypeVar("T")

PAUSE = 0.05
"""Seconds between two attempts to reach a server that is not there."""

_DEFAULTS = {
    "connect_timeout": "10",
    # A peer that vanished without a word is noticed within half a minute, by either side: by
    # ours, so that nobody waits for ever; by theirs, so that a dead driver's lock is released.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
    "application_name": "callsheet",
}
_SETTINGS = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
}
_LOST_STATES = ("08", "57P")
"""SQLSTATEs that mean that there is no connection any more."""

statements = statements_for("postgresql")

_BEGIN, _COMMIT, _ROLLBACK = (Bound(word, ()) for word in ("BEGIN", "COMMIT", "ROLLBACK"))
_TELL = "SELECT pg_notify($1, '')"
_TABLES = Bound("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()", ())


class LostError(Exception):
    """The connection broke. What was sent last may have been done or not.

    Never leaves the stores: `error` is what to tell others.
    """

    def __init__(self, error: StoreError) -> None:
        super().__init__(error.message)
        self.error = error


def connect(address: Address, *, sync: Sync = "full") -> psycopg.Connection[Row]:
    """A connection.

    Raises:
        StoreError: there is none to be had.
    """
    settings = {**_SETTINGS, "synchronous_commit": "on" if sync == "full" else "off"}
    given = address.params.get("options", "")
    options = " ".join([*(f"-c {name}={value}" for name, value in settings.items()), given])
    params: dict[str, Any] = {**_DEFAULTS, **address.params, "options": options.strip()}
    try:
        return psycopg.connect(**params, autocommit=True, cursor_factory=psycopg.RawCursor)
    except psycopg.Error as exc:
        raise of_server(exc, address.shown) from exc


class PgSession:
    """One connection, used by one thread at a time; it can be renewed when it was lost."""

    def __init__(
        self,
        address: Address,
        *,
        sync: Sync = "full",
        prepare: Callable[[psycopg.Connection[Row]], None] = lambda _: None,
    ) -> None:
        """Connect; `prepare` is called with every new connection before it is used."""
        self._address = address
        self._sync = sync
        self._prepare = prepare
        self._open = True
        self._within = False
        """A transaction has begun; perhaps the server does not know yet."""
        self._held_back: list[tuple[str, Sequence[Sequence[Param]]]] = []
        self._db: psycopg.Connection[Row] | None = None
        self._connect()

    def _connect(self) -> None:
        db = connect(self._address, sync=self._sync)
        try:
            self._prepare(db)
        except psycopg.Error as exc:
            db.close()
            raise of_server(exc, self._address.shown) from exc
        except BaseException:
            db.close()
            raise
        self._db, self._wire = db, Wire(db.pgconn)

    def renew(self, patience: float) -> None:
        """Connect again, waiting so many seconds for a server that is restarting.

        Raises:
            DriverReplacedError: it came back, and somebody else drives.
            StoreError: it did not come back.
        """
        self._drop()
        until = time.monotonic() + patience
        while self._open:
            try:
                self._connect()
            except DriverReplacedError:
                raise
            except StoreError:
                if time.monotonic() >= until:
                    raise
                time.sleep(PAUSE)
            else:
                return
        raise refusals.closed()

    def process(self) -> int:
        """The server's process for this connection; 0: there is none."""
        return self._db.info.backend_pid if self._db is not None and not self._db.closed else 0

    def begin(self) -> None:
        """Begin a transaction that may write."""
        self._within = True
        self._held_back = [(_BEGIN.text, [()])]

    def commit(self) -> None:
        """Make everything since `begin` durable."""
        self._held_back.append((_COMMIT.text, [()]))
        self._send()
        self._within = False

    def post_commit(self) -> None:
        """As `commit`, without waiting; `is_sent` and `is_committed` say how far it is."""
        self._connection()
        held_back, self._held_back = [*self._held_back, (_COMMIT.text, [()])], []
        self._guarded(lambda: self._wire.post(held_back))

    def is_sent(self) -> bool:
        """Whether all of it is on its way."""
        return self._guarded(self._wire.is_sent)

    def is_committed(self) -> bool:
        """Whether it is durable; raises whatever `commit` would."""
        if not self._guarded(self._wire.has_answered):
            return False
        self._within = False
        return True

    def fileno(self) -> int:
        """What the event loop watches until it is committed."""
        return self._connection().fileno()

    def rollback(self) -> None:
        """Take everything since `begin` back."""
        self._held_back, self._within = [], False
        db = self._db
        if db is None or db.closed or db.pgconn.transaction_status == TransactionStatus.IDLE:
            return
        try:
            # Not through psycopg, which would deallocate all prepared statements, ours as well.
            self._wire.send([(_ROLLBACK.text, [()])])
        except psycopg.Error:
            self._drop()  # which takes it back, too

    def do(self, bound: Bound) -> None:
        """Execute a statement whose answer nobody needs."""
        self._held_back.append((bound.text, [bound.params]))
        if not self._within:
            self._send()

    def insert(self, text: str, rows: Sequence[Sequence[Param]]) -> None:
        """Insert many rows with one statement."""
        self._held_back.append((text, rows))

    def check(self, fence: Bound) -> None:
        """See that a driver has not been replaced: the server refuses all that follows, if so."""
        self._held_back.append((fence.text, [fence.params]))

    def tell(self, channel: Channel) -> None:
        """With the commit, wake whoever listens in other processes."""
        self._held_back.append((_TELL, [(channel_name(channel),)]))

    def run(self, bound: Bound) -> int:
        """Execute a statement and return how many rows it changed."""
        return self._ask(bound).rowcount

    def all(self, bound: Bound) -> list[Row]:
        """The rows of a query."""
        return self._ask(bound).fetchall()

    def one(self, bound: Bound) -> Row | None:
        """The first row of a query."""
        return next(iter(self.all(bound)), None)

    def wait_for_locks(self, seconds: float) -> None:
        """Every connection waits for locks as long as `lock_timeout` says."""

    def chunks(self, text: str, size: int) -> Iterator[list[Row]]:
        """The rows of a query that may have any number, so many at a time."""
        try:
            with self._connection().cursor("chunks") as cursor:
                cursor.execute(text.encode())
                while rows := cursor.fetchmany(size):
                    yield rows
        except psycopg.Error as exc:
            raise self._failure(exc) from exc

    def close(self) -> None:
        """Close the connection. Harmless the second time."""
        self._open = False
        self._drop()

    def _drop(self) -> None:
        db, self._db = self._db, None
        self._held_back, self._within = [], False
        if db is not None:
            db.close()

    def _connection(self) -> psycopg.Connection[Row]:
        if not self._open:
            raise refusals.closed()
        if self._db is None:
            raise LostError(StoreError(f"The connection to {self._address.shown!r} was lost."))
        return self._db

    def _ask(self, bound: Bound) -> psycopg.Cursor[Row]:
        db = self._connection()
        if self._held_back:
            self._send()
        try:
            return db.execute(bound.text.encode(), bound.params)
        except psycopg.Error as exc:
            raise self._failure(exc) from exc

    def _send(self) -> None:
        """Send what was held back, in one go, and read the answers."""
        self._connection()
        held_back, self._held_back = self._held_back, []
        self._guarded(lambda: self._wire.send(held_back))

    def _guarded(self, act: Callable[[], T]) -> T:
        try:
            return act()
        except psycopg.Error as exc:
            raise self._failure(exc) from exc

    def _failure(self, exc: psycopg.Error) -> Exception:
        db, state = self._db, exc.sqlstate or ""
        if not self._open:
            return refusals.closed()
        if isinstance(exc, psycopg.errors.UniqueViolation):
            return ConflictError(str(exc))
        if isinstance(exc, psycopg.errors.DivisionByZero):
            return ReplacedError()  # how the fence says it; nothing else divides
        error = of_server(exc, self._address.shown)
        # Without a state it is not the server that speaks, but somebody who misses it.
        is_gone = isinstance(exc, psycopg.OperationalError) and not state
        if db is None or db.closed or is_gone or state.startswith(_LOST_STATES):
            self._drop()
            return LostError(error)
        if isinstance(exc, psycopg.DataError):
            return InputError(
                f"PostgreSQL cannot store this: {str(exc).splitlines()[0]}. Leave it out, or "
                "encode it."
            )
        return error


def channel_name(channel: Channel) -> str:
    """What a channel is called on the server."""
    return f"callsheet_{channel}"


def tables_of(session: PgSession) -> frozenset[str]:
    """The names of all tables where ours belong."""
    return frozenset(name for (name,) in session.all(_TABLES))
