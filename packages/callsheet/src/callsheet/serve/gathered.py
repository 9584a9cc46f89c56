"""Writes to the tables of the service that come at the same time: one transaction for all.

Each is durable when it returns, as if it were alone: an answer is told when it is kept, and nobody
acts on a claim that is not made. Alone, each would take a connection and a commit of its own, which
is several times what the request itself takes.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sqlalchemy import Connection

    from callsheet.ports import Database

T = TypeVar("T")
MOST = 200
"""How many are written together."""


class _Waiting:
    __slots__ = ("act", "done")

    def __init__(self, act: Callable[[Connection], Any]) -> None:
        self.act = act
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


_YOURS = object()
"""What somebody is told whose turn it is to write for all who wait."""


class Gathered:
    """Writes for whoever comes; the first of those who wait writes for the others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._is_busy = False

    async def write(self, act: Callable[[Connection], T]) -> T:
        """As `Database.write`; what is done must be such that doing it again does no harm."""
        own = _Waiting(act)
        self._waiting.append(own)
        if self._is_busy:
            try:
                told = await own.done
            except asyncio.CancelledError:
                self._left(own)
                raise
            if told is not _YOURS:
                found: T = told
                return found
        mine: T = await self._write_all(own)
        return mine

    async def _write_all(self, own: _Waiting) -> Any:
        """Write for all who wait; what comes of one's own."""
        self._is_busy = True
        batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            results = await self._database.write(lambda on: [each.act(on) for each in batch])
        except asyncio.CancelledError:
            # Whether it was written nobody knows: the next one writes it for the others, again.
            self._waiting[:0] = [each for each in batch if each is not own]
            raise
        except Exception as error:
            for future in _still(batch):
                future.set_exception(error)
                future.exception()  # whoever has gone away does not ask for it
            raise
        else:
            told = dict(zip(batch, results, strict=True))
            for each in batch:
                if not each.done.done():
                    each.done.set_result(told[each])
            return told[own]
        finally:
            self._hand_on()

    def _hand_on(self) -> None:
        """Let the first who waits write; nobody waits: whoever comes next does."""
        self._is_busy = False
        for future in _still(self._waiting):
            self._is_busy = True
            future.set_result(_YOURS)
            return

    def _left(self, own: _Waiting) -> None:
        """Somebody does not wait any more."""
        if own in self._waiting:
            self._waiting.remove(own)
        if own.done.done() and not own.done.cancelled() and own.done.result() is _YOURS:
            self._hand_on()


def _still(waiting: Iterable[_Waiting]) -> Iterator[asyncio.Future[Any]]:
    return (each.done for each in waiting if not each.done.done())
