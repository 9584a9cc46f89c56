"""Who drives which run: a column of the run's head, written with its start or when it is claimed.

A driver is alive as long as it holds a lock of its own, which its process cannot outlive: no lease
runs out and no clock is compared. Whoever finds one gone says so in the database, in a transaction
in which it cannot come back; from then on the fence keeps it out (see `fence.py`), and its runs may
be claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet.core.ids import RunId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session


class Liveness(Protocol):
    """How it is seen whether a driver is alive; another way on each database."""

    def is_gone(self, session: Session, driver: int) -> bool:
        """Whether a driver has ended; if so, it cannot come back until the transaction ends."""
        ...

    async def is_alive(self, driver: int) -> bool:
        """Whether a driver is alive, as far as can be seen from outside."""
        ...


class SqlOwners:
    """`Owners` on SQL."""

    def __init__(self, access: Access, liveness: Liveness) -> None:
        self._access = access
        self._liveness = liveness
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements
        self._fence = access.fence
        self._seen: tuple[int, frozenset[int]] | None = None
        """The last driver that had entered, and those alive, when it looked at all runs."""

    @property
    def driver(self) -> int:
        """The number of this driver; 0: it does not drive."""
        return self._fence.number

    async def is_alive(self, driver: int | None) -> bool:
        """Whether a driver is alive, this one or another."""
        if not driver:
            return False
        if driver == self._fence.number:
            return self._fence.lost is None
        left = await self._reader.one(self._sql.replaced_by.bind(id=driver))
        if left is None or left[0] is not None:
            return False
        return await self._liveness.is_alive(driver)

    async def process_of(self, driver: int | None) -> str:
        """Which process a driver is."""
        row = await self._reader.one(self._sql.process.bind(id=driver))
        return str(row[0]) if row else ""

    async def claim(self, run: RunId) -> bool:
        """Make a run this driver's; False: it is another's, who is alive."""
        self._access.must_drive()
        owner = await self._reader.one(self._sql.owner.bind(run=run))
        if owner is None or owner[0] == self._fence.number:
            return True  # there is no such run, or nothing to be done

        def act(session: Session) -> bool:
            self._access.must_drive()
            return self._take(session, run)

        return bool(await self._writer.call(act))

    def _take(self, session: Session, run: RunId) -> bool:
        row = session.one(self._sql.owner.bind(run=run))
        owner, me = (row[0] if row else None), self._fence.number
        if owner is not None and owner != me:
            if not self._liveness.is_gone(session, owner):
                return False
            session.do(self._sql.replace_driver.bind(id=owner, by=me))
        session.do(self._sql.own.bind(run=run, driver=me))
        return True

    async def abandoned(self, *, newest: int | None = None) -> Sequence[RunId]:
        """Open runs whose driver is gone: all of them, whenever a driver has come or gone."""
        self._access.must_drive()
        rows = await self._reader.all(self._sql.other_drivers.bind(id=self._fence.number))
        gone = [number for (number,) in rows if not await self._liveness.is_alive(number)]
        if gone:
            gone = await self._replace(gone)
        last = await self._reader.one(self._sql.last_driver.bind())
        alive = frozenset(number for (number,) in rows) - frozenset(gone)
        seen = (last[0] if last else 0, alive)
        if newest is not None:
            rows = await self._reader.all(self._sql.newest_orphans.bind(limit=newest))
            return tuple(RunId(run) for (run,) in reversed(rows))
        if seen == self._seen:
            return ()  # nobody has come or gone
        found = await self._reader.apart(self._sql.orphans.bind(), _runs)
        self._seen = seen
        return found

    async def _replace(self, drivers: list[int]) -> list[int]:
        """Say of drivers that they are gone; returns those that really are."""

        def act(session: Session) -> list[int]:
            gone = [each for each in drivers if self._liveness.is_gone(session, each)]
            for each in gone:
                session.do(self._sql.replace_driver.bind(id=each, by=self._fence.number))
            return gone

        gone = await self._writer.call(act)
        assert isinstance(gone, list)
        return gone


def _runs(rows: list[Row]) -> Sequence[RunId]:
    return tuple(RunId(run) for (run,) in rows)
