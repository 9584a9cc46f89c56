"""The SQL store on a PostgreSQL server: one process that drives it, any number that read.

Importing this module imports SQLAlchemy and psycopg; the engine does so when it opens a database.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import psycopg
from sqlalchemy.exc import DBAPIError

from callsheet.errors import StoreCorruptError, StoreError, StoreMissingError
from callsheet.stores.failures import of_server
from callsheet.stores.postgres.address import Address
from callsheet.stores.postgres.copy import copy_to_home
from callsheet.stores.postgres.lending import PgLender, engine_of
from callsheet.stores.postgres.lock import DriverLock, is_held
from callsheet.stores.postgres.news import News, listening
from callsheet.stores.postgres.reader import PgReader
from callsheet.stores.postgres.session import LostError, PgSession, statements, tables_of
from callsheet.stores.postgres.transactor import PgTransactor
from callsheet.stores.postgres.writer import PgWriter
from callsheet.stores.sql.access import Access
from callsheet.stores.sql.fence import Beat, Fence
from callsheet.stores.sql.parts import SqlParts
from callsheet.stores.sql.statements import Bound
from callsheet.stores.sql.transactor import PATIENCE
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.lending import LentDatabase
from callsheet.stores.sqlite.store import DATABASE
from callsheet.stores.threads import made_in_thread, to_the_end

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet.errors import DriverReplacedError
    from callsheet.ports import Branch, Database
    from callsheet.stores.sql.session import Row, Session, Sync

_NOTHING = Bound("SELECT 1", ())


class PostgresStore(SqlParts):
    """`Store` on PostgreSQL. Made by `open`; belongs to the event loop it was opened on."""

    def __init__(self, connections: Connections, *, patience: float = PATIENCE) -> None:
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._fence = connections.fence
        transactor = PgTransactor(
            connections.session, self._fence if connections.drives else None, patience=patience
        )
        self._writer = PgWriter(transactor, self._loop)
        self._news = News(
            connections.listening,
            connections.address,
            connections.reader.threads,
            own=connections.session.process,
            on_lost=self._see_at_once,
        )
        self._closing = asyncio.Lock()
        self._closed = False
        self._beat = Beat(self._see) if connections.drives else None
        self._lender = PgLender(connections.address, connections.sync, lambda: self._closed)
        super().__init__(
            Access(
                name=connections.address.shown,
                reader=connections.reader,
                writer=self._writer,
                statements=statements,
                fence=self._fence,
            ),
            connections.lock,
        )

    @classmethod
    async def open(
        cls,
        where: str | Address,
        *,
        sync: Sync = "full",
        drive: bool = True,
        create: bool = True,
        patience: float = PATIENCE,
    ) -> PostgresStore:
        """Open the store in a database.

        `sync="full"`: what was acknowledged survives the loss of power; `"normal"`: the death of
        the process, and of the server's but for its last moment. `drive=True` takes the driver
        lock; without it the store reads, takes requests and saves plans, and writes no journal.
        Only a driver creates missing tables, and only with `create=True`. A server that goes away
        is waited for, `patience` seconds, before a write fails.

        Raises:
            InputError: the URL cannot be understood.
            StoreBusyError: another process drives it.
            StoreReadOnlyError, StoreFullError, StoreCorruptError, StoreVersionError: as they say.
            StoreMissingError: there is nothing there, and nothing was to be created.
        """
        address = where if isinstance(where, Address) else Address.of(where)
        connect = partial(_connect, address, sync, drive=drive, create=create)
        opened = await made_in_thread(connect, Connections.give_back)
        try:
            return cls(opened, patience=patience)
        except BaseException:
            opened.give_back()
            raise

    @property
    def driving(self) -> bool:
        """Whether this store was opened to drive, and has not been found gone."""
        return self._connections.drives and self._fence.lost is None

    @property
    def upgraded(self) -> str | None:
        """The revision that the database had before this opened it; None: it has not changed."""
        return self._connections.upgraded

    async def replaced(self) -> DriverReplacedError:
        """Return when another process drives instead of this one, with what to tell."""
        return await self._fence.replaced()

    def listen(self, wake: Callable[[], object], *, requests: bool = False) -> Callable[[], None]:
        """Call back when another process has committed something; returns how to stop that."""
        return self._news.listen(wake, "inbox" if requests else "news")

    def lend(self, branch: Branch) -> Database:
        """The database, for tables of a client's own."""
        return LentDatabase(self._lender, branch)

    async def backup(self, target: Path) -> None:
        """Write a consistent copy into a new directory, which opens as a home (on SQLite).

        Raises:
            StoreError: there is something at `target`.
        """
        await asyncio.to_thread(copy_to_home, self._connections.address, target, DATABASE)

    async def close(self) -> None:
        """Finish what is being written, release the lock. Harmless the second time.

        Whoever is cancelled while it closes is only told when it is closed.
        """
        await to_the_end(self._close())

    async def _close(self) -> None:
        async with self._closing:
            if not self._closed:
                self._closed = True
                if self._beat is not None:
                    self._beat.close()
                await self._writer.close()
                await self._news.close()
                await asyncio.to_thread(self._connections.close)

    # The driver sees to it that it notices when it has been replaced.

    def _see_at_once(self) -> None:
        """The server has closed a connection: it may be back without us."""
        if self._beat is not None:
            self._beat.now()

    def _see(self, seen: Callable[[], None]) -> None:
        def done(looked: asyncio.Future[object]) -> None:
            if not looked.cancelled():
                looked.exception()  # whoever writes something is told
            seen()

        if self.driving and not self._closed:
            self._writer.call(_nothing).add_done_callback(done)


def _nothing(session: Session) -> None:
    session.one(_NOTHING)


class Connections(msgspec.Struct, frozen=True, kw_only=True):
    """What an open store holds of the server."""

    address: Address
    session: PgSession
    """The writer's; a driver's holds the lock."""
    reader: PgReader
    listening: psycopg.Connection[Row]
    """Belongs to the news, once there are any."""
    drives: bool
    sync: Sync
    lock: DriverLock
    fence: Fence
    upgraded: str | None
    """The revision that it had before this opened it; None: ours."""

    def give_back(self) -> None:
        """Close it although nobody has used it."""
        self.listening.close()
        self.close()

    def close(self) -> None:
        """Give back all but what the news have."""
        if self.drives:
            with suppress(LostError, StoreError):
                self.fence.leave(self.session)
            self.lock.release(self.session)
        self.session.close()
        self.reader.close()


def _connect(address: Address, sync: Sync, *, drive: bool, create: bool) -> Connections:
    fence = Fence(address.shown, statements)
    lock = DriverLock(fence)
    try:
        with ExitStack() as stack:
            session = PgSession(address, sync=sync, prepare=lock.take)
            stack.callback(session.close)
            upgraded = _bring_up_to_date(session, address, drive=drive, create=create)
            if drive:
                look = partial(versions.must_be_known, name=address.shown)
                fence.enter(session, partial(lock.hold, session), look)
            told = listening(address)
            stack.callback(told.close)
            lock.reader = reader = PgReader(address)
            stack.pop_all()
    except LostError as lost:
        raise lost.error from lost
    return Connections(
        address=address,
        session=session,
        reader=reader,
        listening=told,
        drives=drive,
        sync=sync,
        lock=lock,
        fence=fence,
        upgraded=upgraded,
    )


def _bring_up_to_date(
    session: PgSession, address: Address, *, drive: bool, create: bool
) -> str | None:
    """Have the tables at our revision; returns the one that they had, if it was another."""
    name, tables = address.shown, tables_of(session)
    if versions.STAMP not in tables:
        if tables & statements.schema.keys():
            raise StoreCorruptError(
                f"{name!r} has tables of somebody else where ours would be. Use another database, "
                "or another schema (?options=-csearch_path%3DNAME)."
            )
        if not (drive and create):
            raise _nothing_in(name)
        _fill(session)
        return None
    stamps = [stamp for (stamp,) in session.all(statements.revisions.bind())]
    revision = versions.known_revision(stamps, name)
    if revision == versions.HEAD:
        return None
    if not drive:
        raise versions.too_old(name, revision)
    upgrade(address)
    return revision


def _fill(session: PgSession) -> None:
    """Make the tables; two who open an empty database at once make them one after the other."""
    session.begin()
    session.one(Bound("SELECT pg_advisory_xact_lock(hashtext('callsheet tables'))", ()))
    if versions.STAMP not in tables_of(session):
        versions.fill(session, statements)
    session.commit()


def upgrade(address: Address) -> None:
    """Bring a database to our revision, in one transaction.

    Raises:
        StoreBusyError: that would disturb another process.
    """
    engine = engine_of(address)
    try:
        versions.migrate(engine, address.shown, is_held)
    except DBAPIError as exc:
        if isinstance(exc.orig, psycopg.Error):
            raise of_server(exc.orig, address.shown) from exc
        raise
    finally:
        engine.dispose()


def _nothing_in(name: str) -> StoreMissingError:
    return StoreMissingError(
        f"There is no Callsheet store in {name!r}. Start a run there first, or name the home that "
        "has one (--home)."
    )
