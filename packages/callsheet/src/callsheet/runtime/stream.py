"""The stream over all runs, in the order of commits: one reader for any number of subscribers.

Whoever subscribes catches up from the journal by himself; from then on one task reads what is new,
once for all, and hands it out. A subscriber who lags catches up again: nothing is lost, and nothing
is held in memory for him.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.core.index.heads import EVERY_RUN
from callsheet.errors import CallsheetError, EngineClosedError, MissingValueError
from callsheet.runtime.feed import Event
from callsheet.runtime.listening import Listening
from callsheet.runtime.log import log
from callsheet.runtime.wakeup import News, never

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from callsheet.core.index.heads import Filter, Placed
    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Clock
    from callsheet.runtime.children import Children
    from callsheet.runtime.journal import WholeJournal
    from callsheet.runtime.listening import Handler
    from callsheet.runtime.wakeup import Listen

QUEUE = 1000
"""Entries that wait for a subscriber, before he has to catch up by himself."""
PAGE = 500
"""Entries that are read at a time."""
POLL = 0.05
"""How often other processes' entries are looked for, in seconds, where the store cannot tell."""


class Stream:
    """Subscribers to the entries of all runs."""

    def __init__(
        self, journal: WholeJournal, clock: Clock, group: Children, *, listen: Listen = never
    ) -> None:
        """`listen` is the store's, if it can tell what other processes write."""
        self._journal = journal
        self._clock = clock
        self._group = group
        self._listen = listen
        self._news: News | None = None
        """While somebody reads on."""
        self._position = 0
        """Up to where everything was handed out."""
        self._subscribers: dict[_Subscriber, None] = {}
        self._closed = False

    def close(self) -> None:
        """Nothing comes any more: whoever still waits is told."""
        self._closed = True
        for subscriber in self._subscribers:
            subscriber.ready.set()

    def nudge(self) -> None:
        """Something was written here."""
        if self._news is not None:
            self._news.tell()

    async def events(self, after: int, which: Filter) -> AsyncIterator[Event]:
        """Entries from a position on, each once and in order, for as long as the engine is open.

        Raises:
            EngineClosedError: the engine was closed.
        """
        subscriber = _Subscriber(which)
        await self._join(subscriber)
        try:
            while True:
                # First: what does not fit into the queue while the journal is read is read again.
                subscriber.behind = False
                while page := await self._journal.journal.since(after, which, limit=PAGE):
                    for placed in page:
                        after = placed.position
                        if placed.entry is not None:
                            yield await self._event(placed, placed.entry)
                async for placed in self._queued(subscriber, after):
                    after = placed.position
                    if placed.entry is not None:
                        yield await self._event(placed, placed.entry)
        finally:
            self._subscribers.pop(subscriber, None)

    async def on(self, topic: str, handler: Handler, after: int | None, which: Filter) -> Listening:
        """Have a handler told of a topic; from now on, if not from a position on.

        Raises:
            InputError: the topic is none.
        """
        begin = after if after is not None else await self._journal.journal.position()
        listening = Listening(topic, handler, begin)
        listening.begin(self.events(begin, which), self._group)
        return listening

    async def _queued(self, subscriber: _Subscriber, after: int) -> AsyncIterator[Placed]:
        """What is handed out after a position, until the subscriber has fallen behind."""
        while not subscriber.behind:
            while subscriber.queue and not subscriber.behind:
                placed = subscriber.queue.popleft()
                if placed.position > after:
                    after = placed.position
                    yield placed
            if self._closed:
                raise EngineClosedError(
                    f"The engine was closed. Everything up to position {after} was told; go on "
                    "from there when it is open again."
                )
            await subscriber.ready.wait()
            subscriber.ready.clear()

    async def _event(self, placed: Placed, entry: AnyEntry) -> Event:
        with suppress(MissingValueError):  # it stands as the journal has it
            entry = await self._journal.whole_of(entry)
        return Event(run=placed.head.run, seq=placed.seq, entry=entry, position=placed.position)

    async def _join(self, subscriber: _Subscriber) -> None:
        """Have what is committed from now on put into the queue."""
        if self._news is None:
            self._news = News(self._listen, self._clock)
            self._position = await self._journal.journal.position()
            self._subscribers[subscriber] = None
            self._group.begin(self._read_on(self._news), name="callsheet-stream")
        else:
            self._subscribers[subscriber] = None

    async def _read_on(self, news: News) -> None:
        """Hand out what is new, as long as anybody is there."""
        try:
            while self._subscribers:
                await news.wait(POLL)
                try:
                    await self._hand_out()
                except CallsheetError as exc:
                    log.warning("stream.unreadable", error=exc.message)
        finally:
            news.close()
            self._news = None
            for subscriber in self._subscribers:  # they read by themselves, and find out why
                subscriber.lag()

    async def _hand_out(self) -> None:
        while page := await self._journal.journal.since(self._position, EVERY_RUN, limit=PAGE):
            self._position = page[-1].position
            for subscriber in self._subscribers:
                subscriber.put(page)


class _Subscriber:
    """A bounded queue. What does not fit is not lost: it is in the journal."""

    __slots__ = ("behind", "queue", "ready", "which")

    def __init__(self, which: Filter) -> None:
        self.which = which
        self.queue: deque[Placed] = deque()
        self.behind = False
        self.ready = asyncio.Event()

    def put(self, page: Sequence[Placed]) -> None:
        for placed in page:
            if self.which.takes(placed.head):
                self.queue.append(placed)
        if len(self.queue) > QUEUE:
            self.lag()
        elif self.queue:
            self.ready.set()

    def lag(self) -> None:
        self.queue.clear()
        self.behind = True
        self.ready.set()
