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

CHANNELS: tuple[Channel, ...] = ("inbox", "news")
AGAIN = 0.5
"""Seconds after which a lost connection is made again."""


class News:
    """Wakes whoever listens, on the event loop."""

    def __init__(
        self,
        db: psycopg.Connection[Row],
        address: Address,
        threads: Executor,
        *,
        own: Callable[[], int] = lambda: 0,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        """Hear a connection that `listening` made; later ones are made in `threads`.

        `own` is the server's process for what is written here, which is no news. `on_lost` is
        called when a connection has broken: whoever has others may want to look after them.
        """
        self._own = own
        self._on_lost = on_lost
        self._address = address
        self._threads = threads
        self._loop = asyncio.get_running_loop()
        self._wakes: dict[object, tuple[Channel, Callable[[], object]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._making: asyncio.Future[psycopg.Connection[Row]] | None = None
        self._closed = False
        self._db: psycopg.Connection[Row] | None = None
        self._number = -1
        self._hear(db)

    def listen(self, wake: Callable[[], object], channel: Channel) -> Callable[[], None]:
        """Call back when there may be something new; returns how to stop that."""
        token = object()
        self._wakes[token] = (channel, wake)
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
        connection, own = self._db.pgconn, self._own()
        heard: set[bytes] = set()
        try:
            connection.consume_input()
            while (note := connection.notifies()) is not None:
                if note.be_pid != own:
                    heard.add(note.relname)
        except psycopg.Error:
            self._let_go()
            self._later()
            self._on_lost()
        for channel in CHANNELS:
            if channel_name(channel).encode() in heard:
                self._wake(channel)

    def _wake(self, channel: Channel) -> None:
        for about, wake in tuple(self._wakes.values()):
            if about == channel:
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
        making = self._loop.run_in_executor(self._threads, listening, self._address)
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
        for channel in CHANNELS:
            self._wake(channel)


def listening(address: Address) -> psycopg.Connection[Row]:
    """A connection that is told of every channel.

    Raises:
        StoreError: there is none to be had.
    """
    db = connect(address)
    for channel in CHANNELS:
        db.execute(f"LISTEN {channel_name(channel)}".encode())
    return db
