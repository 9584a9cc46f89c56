"""The fence: who drives is in the database, and every transaction of a driver looks there.

Whoever begins to drive gets a number, and holds a lock of that number for as long as it lives. A
lock can be lost without a word (a server that is restarted, a file that is deleted), and then
others take the driver for dead. So whoever finds it gone says so in the database, and a driver of
which that was said writes nothing more, whatever it believes.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from callsheet.errors import DriverReplacedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.stores.sql.session import Session
    from callsheet.stores.sql.statements import Bound, Statements

BEAT = 2.0
"""Seconds after which a driver that had nothing to write sees whether it still may."""
REMEMBERED = 100
"""Drivers of the past whose numbers are kept; of one before them it is known all the same."""


class Fence:
    """One driver's number, and whether it still counts."""

    def __init__(self, name: str, statements: Statements) -> None:
        self._name = name
        self._sql = statements
        self.number = 0
        """0: it has not entered, and drives nothing."""
        self.check = statements.fence.bind(id=0)
        """What every transaction of this driver begins with; made once, as it is made often."""
        self.lost: DriverReplacedError | None = None
        """Somebody else drives now; this one never will again."""
        self._told: list[Callable[[DriverReplacedError], None]] = []

    def enter(
        self,
        session: Session,
        hold: Callable[[int], bool],
        look: Callable[[Session], None] = lambda _: None,
    ) -> None:
        """Begin to drive; `hold` takes the lock of a number, unless another has it.

        Before anybody knows of the number: nobody may find it without its lock. `look` is called
        when nobody can migrate the database any more, and may refuse it.
        """
        sql = self._sql
        session.begin()
        try:
            row = session.one(sql.last_driver.bind())
            look(session)
            number = ((row[0] if row else None) or 0) + 1
            while not hold(number):  # somebody else enters at the same time
                number += 1
            process = f"{os.getpid()} on {os.uname().nodename}"
            session.do(sql.enter_driver.bind(id=number, process=process))
            session.do(sql.forget_drivers.bind(id=number - REMEMBERED))
            session.commit()
        except BaseException:
            session.rollback()
            raise
        self.number = number
        self.check = self._sql.fence.bind(id=number)

    def leave(self, session: Session) -> None:
        """Drive no more, in good order: nobody has to find out."""
        if self.number and self.lost is None:
            session.begin()
            session.do(self._sql.replace_driver.bind(id=self.number, by=self.number))
            session.commit()

    @property
    def successor(self) -> Bound:
        """Who has replaced it, for `lose`."""
        return self._sql.successor.bind(id=self.number)

    def lose(self, successor: Sequence[object] | None) -> DriverReplacedError:
        """It was replaced, by the row of `successor`. May be called in any thread."""
        if self.lost is None:
            who = f"Process {successor[1]} (since {successor[2]})" if successor else "Another one"
            self.lost = DriverReplacedError(
                f"{who} has found this process gone from {self._name!r}: its lock was lost or "
                "removed. Nothing more is written from here and its calls are stopped; its runs go "
                "on in other processes. Look, leave requests, or open the engine again."
            )
            for tell in self._told:
                tell(self.lost)
        return self.lost

    async def replaced(self) -> DriverReplacedError:
        """Return when it has been replaced."""
        loop = asyncio.get_running_loop()
        told: asyncio.Future[DriverReplacedError] = loop.create_future()

        def settle(error: DriverReplacedError) -> None:
            if not told.done():
                told.set_result(error)

        def tell(error: DriverReplacedError) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, error)

        self._told.append(tell)
        try:
            return self.lost or await told
        finally:
            self._told.remove(tell)


class Beat:
    """Looks every now and then whether a driver that has nothing to write still drives."""

    def __init__(self, look: Callable[[Callable[[], None]], None]) -> None:
        """`look` is given what to call when it has looked."""
        self._look = look
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._is_looking = False
        self._closed = False
        self._later()

    def now(self) -> None:
        """Look at once: something has happened."""
        if not self._closed and not self._is_looking:
            if self._timer is not None:
                self._timer.cancel()
            self._is_looking = True
            self._look(self._looked)

    def close(self) -> None:
        """Look no more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _looked(self) -> None:
        self._is_looking = False
        if not self._closed:
            self._later()

    def _later(self) -> None:
        self._timer = self._loop.call_later(BEAT, self.now)
