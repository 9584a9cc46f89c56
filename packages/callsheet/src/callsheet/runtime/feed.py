"""The stream of what happens: the journal itself, told to whoever listens.

Delivery is never on the path of execution. Sync listeners are called in order and cannot break a
run; subscribers have bounded queues and, when they lag, catch up from the journal.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import RunId
from callsheet.core.run.entries import AnyEntry, RunEnded, encode
from callsheet.errors import EngineClosedError
from callsheet.runtime.log import log
from callsheet.runtime.wakeup import News, never

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from callsheet.core.index.heads import RunHead
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Timer
    from callsheet.runtime.wakeup import Listen

QUEUE = 1000
MOMENT = 0.02
"""Seconds in which texts are gathered, before subscribers are told."""
POLL = 0.05
"""How often another process's run is looked at, in seconds."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a run's journal; `seq` is its number."""

    run: RunId
    seq: int
    entry: AnyEntry
    position: int | None = None
    """Its place in the order over all runs; None where only one run is told of."""

    @property
    def kind(self) -> str:
        """What kind of entry it is."""
        return type(self.entry).__name__

    def to_json(self) -> dict[str, Json]:
        """As plain data: the entry as the journal has it, with its number as `seq`.

        In the stream over all runs also with its `position`, and its `run`.
        """
        entry = value.decode(encode(self.entry))
        told: dict[str, Json] = {"seq": self.seq, **(entry if isinstance(entry, dict) else {})}
        if self.position is None:
            return told
        return {"position": self.position, "run": self.run, **told}


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a step is. Ephemeral: it has no number and is not journalled."""

    run: RunId
    step: str
    fraction: float | None
    message: str

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """What a step has just said. It has no number; the journal has it a moment later."""

    run: RunId
    step: str
    attempt: int
    offset: int
    """Characters of the step's text before this, those of earlier attempts among them."""
    text: str

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


Told: TypeAlias = Event | Progress | Text


class _Subscriber:
    """A bounded queue. What does not fit is not lost: it is in the journal."""

    __slots__ = ("_waiting", "behind", "queue", "run")

    def __init__(self, run: RunId) -> None:
        self.run = run
        self.queue: deque[Told] = deque()
        self.behind = False
        self._waiting: asyncio.Future[None] | None = None

    def put(self, told: Told) -> None:
        if len(self.queue) >= QUEUE:
            self.queue.clear()
            self.behind = True
        self.queue.append(told)
        self.wake()

    def wake(self) -> None:
        """There is something to look at."""
        # Not an event: whoever listens to a text that comes word by word is woken for each.
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self) -> None:
        """Return when there is something to look at."""
        if not self.queue and not self.behind:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting


class Record(Protocol):
    """What is written of runs, as far as a feed reads it: a journal, or one made whole."""

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries numbered after+1 and up."""
        ...

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run."""
        ...


class Feed:
    """Listeners and subscribers of all runs of an engine."""

    def __init__(self, journal: Record, clock: Clock, *, listen: Listen = never) -> None:
        """`listen` is the store's, if it can tell what other processes write."""
        self._journal = journal
        self._clock = clock
        self._listen = listen
        self._listeners: dict[Callable[[Told], object], None] = {}
        self._subscribers: dict[RunId, list[_Subscriber]] = {}
        self._closed = False
        self._texts: dict[RunId, list[Text]] = {}
        """What was said a moment ago, and subscribers are about to be told."""
        self._moment: Timer | None = None
        self.on_publish: Callable[[], object] = _nobody
        """Told that something was written here: the stream over all runs."""

    def close(self) -> None:
        """Nothing is driven here any more: whoever still waits for a run is told."""
        self._closed = True
        self._pass_on_texts()

    def listen(self, listener: Callable[[Told], object]) -> Callable[[], None]:
        """Call a function with every event of every run, in order; returns how to stop that.

        It is called after the entry is durable. What it raises is logged and harms nobody.
        """
        self._listeners[listener] = None
        return lambda: self._listeners.pop(listener, None) and None

    def publish(self, run: RunId, after: int, entries: Sequence[AnyEntry]) -> None:
        """Tell everybody of entries that have become durable."""
        self.on_publish()
        if not self._listeners and run not in self._subscribers:
            return
        if run in self._texts:
            self._pass_on(run)  # first: it introduces what is told now
        for seq, entry in enumerate(entries, after + 1):
            self._tell(run, Event(run=run, seq=seq, entry=entry))

    def progress(self, progress: Progress) -> None:
        """Tell whoever is there right now."""
        self._tell(progress.run, progress)

    def text(self, text: Text) -> None:
        """Tell whoever is there right now; whoever is not reads it in the journal.

        Listeners hear it at once, subscribers within a moment: what comes word by word is told to
        each of many together.
        """
        self._tell_listeners(text)
        if text.run in self._subscribers:
            self._texts.setdefault(text.run, []).append(text)
            if self._moment is None:
                self._moment = self._clock.call_later(MOMENT, self._pass_on_texts)

    def _pass_on_texts(self) -> None:
        if self._moment is not None:
            self._moment.cancel()
            self._moment = None
        for run in list(self._texts):
            self._pass_on(run)

    def _pass_on(self, run: RunId) -> None:
        texts = joined(self._texts.pop(run))
        for subscriber in self._subscribers.get(run, ()):
            for text in texts:
                subscriber.put(text)

    def _tell(self, run: RunId, told: Told) -> None:
        self._tell_listeners(told)
        for subscriber in self._subscribers.get(run, ()):
            subscriber.put(told)

    def _tell_listeners(self, told: Told) -> None:
        for listener in tuple(self._listeners) if self._listeners else ():
            try:
                listener(told)
            except (Exception, asyncio.CancelledError) as exc:  # noqa: BLE001 -- it harms nobody
                log.warning("listener.failed", listener=repr(listener), error=repr(exc))

    async def events(
        self, run: RunId, *, after: int = 0, live: Callable[[], bool]
    ) -> AsyncIterator[Told]:
        """A run's events from `after` on, each once and in order, until the run has ended.

        `live` says whether this process drives the run; if not, its journal is looked at.

        Raises:
            EngineClosedError: the engine was closed before the run had ended.
        """
        subscriber = _Subscriber(run)
        self._subscribers.setdefault(run, []).append(subscriber)
        seq, ended, over = after, False, False
        news = News(self._listen, self._clock)
        try:
            while True:
                # First: what does not fit into the queue while the journal is read is read again.
                subscriber.behind = False
                async for event in self._from_journal(run, seq):
                    seq, ended = event.seq, isinstance(event.entry, RunEnded)
                    yield event
                if ended or over:
                    return
                if not live():
                    # If it ended after the journal was read, that is read once more.
                    over = not await self._goes_on(run, news)
                    continue
                async for told in _from_queue(subscriber, seq):
                    if isinstance(told, Event):
                        seq = told.seq
                    yield told
                    if isinstance(told, Event) and isinstance(told.entry, RunEnded):
                        return
        finally:
            news.close()
            self._leave(subscriber)

    async def _goes_on(self, run: RunId, news: News) -> bool:
        """Whether a run that is not driven here goes on; if so, waits for something new."""
        head = await self._journal.head(run)
        if head is None or head.ended is not None:
            return False
        if self._closed:
            raise EngineClosedError(f"The engine was closed; run {run!r} goes on another time.")
        await news.wait(POLL)
        return True

    async def _from_journal(self, run: RunId, after: int) -> AsyncIterator[Event]:
        while entries := await self._journal.read(run, after=after, limit=QUEUE):
            for entry in entries:
                after += 1
                yield Event(run=run, seq=after, entry=entry)

    def wake(self, run: RunId) -> None:
        """Make subscribers look again: who drives the run has changed."""
        for subscriber in self._subscribers.get(run, ()):
            subscriber.behind = True
            subscriber.wake()

    def _leave(self, subscriber: _Subscriber) -> None:
        others = self._subscribers[subscriber.run]
        others.remove(subscriber)
        if not others:
            del self._subscribers[subscriber.run]


def joined(texts: Sequence[Text]) -> list[Text]:
    """The same with fewer pieces: what one attempt has said without a break is one."""
    pieces: list[list[Text]] = []
    for text in texts:
        last = pieces[-1][0] if pieces else None
        if last is not None and (last.step, last.attempt) == (text.step, text.attempt):
            pieces[-1].append(text)
        else:
            pieces.append([text])
    return [
        each[0]
        if len(each) == 1
        else structs.replace(each[0], text="".join(piece.text for piece in each))
        for each in pieces
    ]


async def _from_queue(subscriber: _Subscriber, seq: int) -> AsyncIterator[Told]:
    """What is queued after `seq`, until the subscriber has fallen behind."""
    while not subscriber.behind:
        await subscriber.wait()
        while subscriber.queue and not subscriber.behind:
            told = subscriber.queue.popleft()
            if isinstance(told, Event):
                if told.seq <= seq:
                    continue
                seq = told.seq
            yield told


def _nobody() -> None:
    return None
