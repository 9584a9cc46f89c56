"""One writer, group commit: what arrives in one turn of the event loop is one transaction.

Commits happen on the loop itself while they are quick: measured, that is 1.7 times as many in a
chain of appends as with a thread to hand each one to. They happen in a thread while the disk is
slow, another process holds the database, or the work is heavy, so that nobody else on the loop
waits. Never two at once.

While one comes at a time (one run, step by step), each is committed on the spot: waiting to see who
else comes would cost two turns of the loop. As soon as two come in one turn, it waits again.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from callsheet.core.answer import answerable
from callsheet.errors import InputError, StoreBusyError, StoreError
from callsheet.stores import refusals
from callsheet.stores.sql.session import ConflictError
from callsheet.stores.sql.transactor import Append, Call

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.index.heads import Change
    from callsheet.stores.sql.session import Session
    from callsheet.stores.sql.transactor import Transactor, Work, Written

MAX_BATCH = 1024
"""Pieces of work in one transaction: what the loop can spare the time for."""


class Pace:
    """Whether commits are quick enough for the event loop.

    A moving average of the time a commit takes, in seconds, decides. Once commits are slow, one is
    tried on the loop every now and then, since times measured in a thread include waiting for the
    interpreter.
    """

    QUICK = 0.002
    OUTLIER = 0.010
    """A single commit counts as no more than this: a checkpoint must not look like a slow disk."""
    WEIGHT = 0.125
    AGAIN = 1.0

    def __init__(self) -> None:
        self._average = 0.0
        self._try_at = 0.0

    def on_loop(self, now: float) -> bool:
        """Whether the next commit belongs on the loop."""
        return self._average <= self.QUICK or now >= self._try_at

    def note(self, seconds: float, now: float) -> None:
        """Take a commit into account."""
        if self._average > self.QUICK and now >= self._try_at:
            # The trial. If it was quick the disk has recovered, whatever the past was like.
            self._average = min(self._average, seconds)
        self._average += (min(seconds, self.OUTLIER) - self._average) * self.WEIGHT
        if self._average > self.QUICK:
            self._try_at = now + self.AGAIN


class Company:
    """Whether work comes one at a time, turn of the loop by turn of the loop."""

    ALONE_AFTER = 8
    """So many batches of one in a row, and nobody else is expected."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._alone = 0
        self._spoken = False
        """Something was committed on the spot in this turn of the loop."""

    def take_alone(self) -> bool:
        """Whether what comes now need not wait for company."""
        if self._alone < self.ALONE_AFTER:
            return False
        if self._spoken:
            self._alone = 0
            return False
        self._spoken = True
        self._loop.call_soon(self._next_turn)
        return True

    def note(self, count: int) -> None:
        """Take a batch into account."""
        self._alone = self._alone + 1 if count == 1 else 0

    def _next_turn(self) -> None:
        self._spoken = False


class Writer:
    """Takes work from tasks of one event loop and sees it written.

    The future it returns is done when the work is durable. Cancelling it takes nothing back.
    """

    def __init__(
        self,
        transactor: Transactor,
        loop: asyncio.AbstractEventLoop,
        *,
        on_loop: bool = True,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._on_loop = on_loop
        """Whether a commit may happen on the loop at all: not if it is behind a network."""
        self._transactor = transactor
        self._loop = loop
        self._clock = clock
        self._pace = Pace()
        self._company = Company(loop)
        self._queue: list[Work] = []
        self._under_way = False
        """A flush is due, or a batch is in the thread: whoever comes now need not ask for one."""
        self._heavy = False
        """There is something in the queue that takes longer than the loop can spare."""
        self._last: asyncio.Future[object] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="callsheet-writer")

    def append(
        self, run: str, after: int, rows: Sequence[tuple[str, int, str]], change: Change
    ) -> asyncio.Future[object]:
        """Have entries written, and the index changed with them; the result is the new length."""
        done: asyncio.Future[object] = self._loop.create_future()
        self._submit(Append(run, after, rows, change, done))
        return done

    def call(
        self, act: Callable[[Session], object], *, run: str | None = None, heavy: bool = False
    ) -> asyncio.Future[object]:
        """Have something done in a transaction; the result is what it returns.

        It may be called again after a transaction that was taken back. `run` is the one whose
        journal it removes; what is `heavy` is not done on the loop.
        """
        done: asyncio.Future[object] = self._loop.create_future()
        self._heavy = self._heavy or heavy
        self._submit(Call(act, done, run))
        return done

    def _submit(self, work: Work) -> None:
        if self._last is not None:
            raise refusals.closed()
        self._queue.append(work)
        if self._under_way:
            return
        self._under_way = True
        if self._company.take_alone():
            self._flush()
        else:
            self._loop.call_soon(self._flush)

    async def close(self) -> None:
        """Finish what is being written; take no more. Harmless the second time."""
        if self._last is None:
            self._last = self._end_of_queue()
        with suppress(StoreError):
            await asyncio.shield(self._last)
        self._thread.shutdown()

    def _end_of_queue(self) -> asyncio.Future[object]:
        """Done when everything that was submitted up to now is."""
        if self._under_way:
            # The queue is in order: when nothing has been written, so has everything before it.
            return self.call(_nothing)
        nothing: asyncio.Future[object] = self._loop.create_future()
        nothing.set_result(None)
        return nothing

    def _flush(self) -> None:
        batch, self._queue = self._queue[:MAX_BATCH], self._queue[MAX_BATCH:]
        try:
            self._write(batch)
        # Nobody is above a callback of the loop: an error not given to those who wait is lost,
        # and they would wait for ever. Not even an interrupt may do that.
        except BaseException as exc:
            _fail(batch, exc)
            self._go_on()
            if not isinstance(exc, Exception):
                raise

    def _write(self, batch: Sequence[Work]) -> None:
        self._company.note(len(batch))
        heavy, self._heavy = self._heavy, self._heavy and bool(self._queue)
        if heavy or not (self._on_loop and self._pace.on_loop(self._clock())):
            self._hand_over(batch)
            return
        try:
            written = self._transactor.together(batch)
        except (StoreBusyError, ConflictError, InputError):
            self._hand_over(batch)
            return
        self._deliver(batch, written)
        self._go_on()

    def _hand_over(self, batch: Sequence[Work]) -> None:
        # Not `run_in_executor`, whose future of asyncio's own costs every batch a turn of the loop.
        landing = self._thread.submit(self._transactor.patiently, batch)
        landing.add_done_callback(partial(self._come_back, batch))

    def _come_back(self, batch: Sequence[Work], landing: Future[Written]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._land, batch, landing)

    def _land(self, batch: Sequence[Work], landing: Future[Written]) -> None:
        try:
            self._deliver(batch, landing.result())
        except BaseException as exc:
            _fail(batch, exc)
            if not isinstance(exc, Exception):
                raise
        finally:
            self._go_on()

    def _deliver(self, batch: Sequence[Work], written: Written) -> None:
        self._pace.note(written.seconds, self._clock())
        for work, outcome in zip(batch, written.outcomes, strict=True):
            if work.done.done():
                continue
            if isinstance(outcome, Exception):
                work.done.set_exception(answerable(outcome))
            else:
                work.done.set_result(outcome)

    def _go_on(self) -> None:
        self._under_way = bool(self._queue)
        if self._under_way:
            self._loop.call_soon(self._flush)


def _fail(batch: Sequence[Work], error: BaseException) -> None:
    if not isinstance(error, Exception):
        error = StoreError(
            f"Interrupted ({type(error).__name__}) in the middle of a write: nobody knows whether "
            "it was made. Look, and try again."
        )
    for work in batch:
        if not work.done.done():
            # Each its own: an exception raised in many tasks at once collects all their traces.
            same = refusals.again(error) if isinstance(error, StoreError) else answerable(error)
            work.done.set_exception(same)


def _nothing(_: object) -> None:
    return None
