"""What other processes have written, told by the server the moment they commit (LISTEN, NOTIFY).

A connection of its own, which the event loop watches: nothing blocks, and nothing runs between two
notifications. When it breaks, another is made after a while, and everybody is woken, since nobody
knows what was missed.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg

from callsheet.errors import StoreError
from callsheet.stores.postgres.session import channel_name, connect

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from callsheet.stores.postgres.address import Address
    from callsheet.stores.sql.session import Channel, Row

AGAIN = 0.5
"""Seconds after which a lost connection is made again."""


class News:
    """Wakes whoever listens, on the event loop."""

    def __init__(
        self,
        db: psycopg.Connection[Row],
        address: Address,
        channel: Channel,
        threads: Executor,
        *,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        """Hear a connection that `listening` made; later ones are made in `threads`.

        `on_lost` is called when one has broken: whoever has others may want to look after them.
        """
        self._on_lost = on_lost
        self._address = address
        self._channel = channel
        self._threads = threads
        self._loop = asyncio.get_running_loop()
        self._wakes: dict[object, Callable[[], object]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._making: asyncio.Future[psycopg.Connection[Row]] | None = None
        self._closed = False
        self._db: psycopg.Connection[Row] | None = None
        self._number = -1
        self._hear(db)

    def listen(self, wake: Callable[[], object]) -> Callable[[], None]:
        """Call back when there may be something new; returns how to stop that."""
        token = object()
        self._wakes[token] = wake
        return lambda: self._wakes.pop(token, None) and None

    async def close(self) -> None:
        """Hear no more. Harmless the second time."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._making is not None:
            with suppress(StoreError):
                (await self._making).close()
        self._let_go()

    def _hear(self, db: psycopg.Connection[Row]) -> None:
        self._db, self._number = db, db.fileno()
        self._loop.add_reader(self._number, self._take_in)

    def _take_in(self) -> None:
        assert self._db is not None
        connection, heard = self._db.pgconn, False
        try:
            connection.consume_input()
            while connection.notifies() is not None:
                heard = True
        except psycopg.Error:
            self._let_go()
            self._later()
            self._on_lost()
        if heard:
            self._wake()

    def _wake(self) -> None:
        for wake in tuple(self._wakes.values()):
            wake()

    def _let_go(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            # By the number it was watched under: a broken connection has forgotten its own.
            self._loop.remove_reader(self._number)
            db.close()

    def _later(self) -> None:
        self._timer = self._loop.call_later(AGAIN, self._make)

    def _make(self) -> None:
        making = self._loop.run_in_executor(self._threads, listening, self._address, self._channel)
        self._making = making
        making.add_done_callback(self._made)

    def _made(self, making: asyncio.Future[psycopg.Connection[Row]]) -> None:
        self._making = None
        if self._closed or making.cancelled():
            return
        if making.exception() is not None:
            self._later()
            return
        self._hear(making.result())
        self._wake()


def listening(address: Address, channel: Channel) -> psycopg.Connection[Row]:
    """A connection that is told of a channel.

    Raises:
        StoreError: there is none to be had.
    """
    db = connect(address)
    db.execute(f"LISTEN {channel_name(channel)}".encode())
    return db
