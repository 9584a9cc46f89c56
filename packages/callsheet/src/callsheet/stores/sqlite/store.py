"""The SQL store: one file in a home, one process that drives it, any number that read.

SQLAlchemy is imported only to migrate a home, and when its database is lent.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import EngineClosedError, StoreError, StoreFullError, StoreMissingError
from callsheet.stores import refusals
from callsheet.stores.failures import translated
from callsheet.stores.sql.access import Access
from callsheet.stores.sql.fence import Beat, Fence
from callsheet.stores.sql.parts import SqlParts
from callsheet.stores.sql.transactor import Transactor
from callsheet.stores.sql.writer import Writer
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.lending import LentDatabase, SqliteLender
from callsheet.stores.sqlite.lock import DriverLocks, HomeLock
from callsheet.stores.sqlite.queue import queue_of
from callsheet.stores.sqlite.reader import Reader
from callsheet.stores.sqlite.session import Session, statements
from callsheet.stores.threads import made_in_thread, to_the_end

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet.errors import DriverReplacedError
    from callsheet.ports import Branch, Database
    from callsheet.stores.sql.session import Sync

DATABASE = "callsheet.db"


class SqlStore(SqlParts):
    """`Store` on SQLite. Made by `open`; belongs to the event loop it was opened on."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._fence = connections.fence
        self._writer = Writer(
            Transactor(
                connections.session, statements, fence=self._fence if self._fence.number else None
            ),
            asyncio.get_running_loop(),
        )
        self._closing = asyncio.Lock()
        self._closed = False
        access = Access(
            name=str(connections.path.parent),
            reader=connections.reader,
            writer=self._writer,
            statements=statements,
            fence=self._fence,
        )
        self._lender = SqliteLender(connections.path, connections.sync, lambda: self._closed)
        super().__init__(access, connections.locks)
        self._beat = Beat(self._look) if self.driving else None

    @classmethod
    async def open(
        cls, home: Path, *, sync: Sync = "full", drive: bool = True, create: bool = True
    ) -> SqlStore:
        """Open the store of a home.

        `sync="full"`: what was acknowledged survives the loss of power; `"normal"`: the death of
        the process. `drive=True` takes the driver lock; without it the store reads, takes
        requests and saves plans, and writes no journal. Only a driver creates a missing store, and
        only with `create=True`.

        Raises:
            StoreBusyError: another process drives the home, or holds the database.
            StoreReadOnlyError, StoreFullError, StoreCorruptError, StoreVersionError: as they say.
            StoreMissingError: there is nothing there, and nothing was to be created.
        """
        connect = partial(_connect, home, sync, drive=drive, create=create)
        opened = await made_in_thread(connect, Connections.close)
        try:
            return cls(opened)
        except BaseException:
            opened.close()
            raise

    @property
    def driving(self) -> bool:
        """Whether this store was opened to drive, and has not been found gone."""
        return self._fence.number > 0 and self._fence.lost is None

    @property
    def upgraded(self) -> str | None:
        """The revision that the home had before this opened it; None: it has not changed."""
        return self._connections.upgraded

    async def replaced(self) -> DriverReplacedError:
        """Return when another process drives instead of this one, with what to tell."""
        return await self._fence.replaced()

    def _look(self, looked: Callable[[], None]) -> None:
        # Without a transaction that writes: a look costs the disk nothing.
        with suppress(StoreError, EngineClosedError):
            reader = self._connections.reader
            if reader.look(self._fence.check) is None:
                self._fence.lose(reader.look(self._fence.successor))
        looked()

    def listen(self, wake: Callable[[], object], *, requests: bool = False) -> None:
        """Nobody is woken: SQLite does not tell what another process has written."""

    def lend(self, branch: Branch) -> Database:
        """The file, for tables of a client's own."""
        return LentDatabase(self._lender, branch)

    async def backup(self, target: Path) -> None:
        """Write a consistent copy into a new directory, which opens as a home.

        Raises:
            StoreError: there is something at `target`.
        """
        await asyncio.to_thread(_copy, self._connections.path, target)

    async def close(self) -> None:
        """Finish what is being written, release the lock. Harmless the second time.

        Whoever is cancelled while it closes is only told when it is closed.
        """
        await to_the_end(self._close())

    async def _close(self) -> None:
        async with self._closing:
            if not self._closed:
                if self._beat is not None:
                    self._beat.close()
                await self._writer.close()
                # On this thread, as reads are: a watcher may wake while another closes the rest.
                self._connections.reader.close()
                await asyncio.to_thread(self._connections.close)
                self._closed = True


class Connections(msgspec.Struct, frozen=True, kw_only=True):
    """What an open store holds of the system."""

    path: Path
    session: Session
    """The writer's."""
    reader: Reader
    locks: DriverLocks
    fence: Fence
    sync: Sync
    upgraded: str | None
    """The revision that it had before this opened it; None: ours."""

    def close(self) -> None:
        """Give it all back."""
        with ExitStack() as stack:
            stack.callback(self.locks.release)
            stack.callback(self.session.close)
            stack.callback(self.reader.close)
            if self.fence.number:
                # Whoever reads or writes just now is not waited for: the log is as good a place.
                # So it is where the file cannot grow.
                self.session.wait_for_locks(0)
                with suppress(StoreError):
                    self.fence.leave(self.session)
                with suppress(StoreFullError):
                    self.session.checkpoint()


def _connect(home: Path, sync: Sync, *, drive: bool, create: bool) -> Connections:
    path = home / DATABASE
    try:
        with ExitStack() as stack:
            if drive and not path.exists():
                _create(path, create=create)
            if not path.exists():
                raise _nothing_in(home)
            # A home that nobody here may write (a copy, a snapshot of a disk) can be looked at.
            look_only = not drive and not os.access(home, os.W_OK)
            queue = None if look_only else queue_of(home)
            session = Session(path, sync=sync, look_only=look_only, queue=queue)
            stack.callback(session.close)
            upgraded = _bring_up_to_date(session, path, drive=drive)
            fence, locks = Fence(str(home), statements), DriverLocks(home)
            stack.callback(locks.release)
            if drive:
                fence.enter(session, locks.hold, partial(versions.must_be_known, name=str(path)))
            reader = Reader(path, look_only=look_only)
            stack.pop_all()
            return Connections(
                path=path,
                session=session,
                reader=reader,
                locks=locks,
                fence=fence,
                sync=sync,
                upgraded=upgraded,
            )
    except OSError as exc:
        raise translated(exc, home) from exc


def _create(path: Path, *, create: bool) -> None:
    if not create:
        raise _nothing_in(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = HomeLock(path.parent)
    try:
        if not path.exists():  # somebody else was quicker
            versions.create(path)
    finally:
        lock.release()


def _bring_up_to_date(session: Session, path: Path, *, drive: bool) -> str | None:
    """Have a file at our revision; returns the one that it had, if it was another."""
    before: str | None = None
    if versions.revision_of(session, path) != versions.HEAD:
        lock = HomeLock(path.parent) if drive else None
        try:
            revision = versions.revision_of(session, path)
            if lock is None:
                raise versions.too_old(str(path), revision)
            if revision != versions.HEAD:
                versions.upgrade(path)
                before = revision
        finally:
            if lock is not None:
                lock.release()
    if drive:
        session.use_log()
    return before


def _nothing_in(home: Path) -> StoreMissingError:
    return StoreMissingError(
        f"There is no Callsheet store in {str(home)!r}. Start a run there first, or name the home "
        "that has one (--home)."
    )


def _copy(path: Path, target: Path) -> None:
    draft = target / (DATABASE + ".new")
    session = Session(path)
    try:
        refusals.claim(target)
        session.copy_to(draft)
        with closing(Session(draft)) as copy:
            copy.run(statements.forget_directories.bind())
        draft.replace(target / DATABASE)
    except OSError as exc:
        raise translated(exc, target) from exc
    finally:
        session.close()
