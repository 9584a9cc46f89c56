"""An event loop that only turns, so fast that whole lives of an engine fit into milliseconds.

There is no socket, no thread and no waiting: when nothing is ready, time is what the next timer
says. It can die between any two callbacks, as a process does: nothing of it runs after that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from datetime import timedelta
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import TypeVarTuple, Unpack, override

from callsheet.testing.simulated import BEGIN

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from contextvars import Context
    from datetime import datetime
    from random import Random

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_TURNS = 100_000
"""Callbacks of one life, at most."""


class HungError(Exception):
    """The story does not end."""


class MortalLoop(asyncio.AbstractEventLoop):
    """An event loop in simulated time, which may die before its work is done."""

    def __init__(self, now: float, *, dies_at: int | None = None, horizon: float) -> None:
        self.now = now
        self.dead = False
        self.turns = 0
        """Callbacks so far."""
        self.complaints: list[str] = []
        """What asyncio would have written to a log: a mistake that nobody caught."""
        self._dies_at = dies_at
        self._horizon = horizon
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._armed = 0
        self._tasks: list[asyncio.Task[Any]] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Turn until the work is done (and return what it gives), or until the loop dies (None).

        Raises:
            HungError: it is still not done at the horizon, or nobody is left to do anything.
        """
        asyncio._set_running_loop(self)  # noqa: SLF001 -- asyncio's door for whoever writes a loop
        try:
            task = self.create_task(work)
            while not (self.dead or task.done()):
                self._turn()
            return None if self.dead else task.result()
        finally:
            self._bury()
            asyncio._set_running_loop(None)  # noqa: SLF001 -- see above

    def die(self) -> None:
        """Nothing runs any more, beginning with whatever called this as soon as it awaits."""
        self.dead = True

    def _turn(self) -> None:
        if not self._ready:
            self._wait()
            return
        handle = self._ready.popleft()
        if handle.cancelled():
            return
        handle._run()  # noqa: SLF001 -- what every event loop does with one
        self.turns += 1
        if self.turns == self._dies_at:
            self.die()
        if self.turns > MOST_TURNS:
            raise HungError(f"It turns for ever, at {self.now:.3f} simulated seconds.")

    def _wait(self) -> None:
        if not self._timers:
            raise HungError("Everybody waits, and nothing is left that could happen.")
        at, _, handle = heappop(self._timers)
        if handle.cancelled():
            return
        self.now = max(self.now, at)
        if self.now > self._horizon:
            raise HungError(f"It has not ended after {self.now:.0f} simulated seconds.")
        self._ready.append(handle)

    def _bury(self) -> None:
        """Close what hangs in the air, here and now rather than whenever it is collected."""
        self.dead = True
        for task in self._tasks:
            if not task.done():
                # Its end is no accident that somebody should be warned of.
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001
                work = task.get_coro()
                with suppress(Exception):
                    if work is not None:
                        work.close()
        self._ready.clear()
        self._timers.clear()

    # What asyncio asks of a loop

    @override
    def time(self) -> float:
        """Simulated seconds since the beginning of the story."""
        return self.now

    @override
    def call_soon(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self.dead:
            self._ready.append(handle)
        return handle

    @override
    def call_soon_threadsafe(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    @override
    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + max(delay, 0.0), callback, *args, context=context)

    @override
    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        # Rounded, or many short waits would not add up.
        timer = asyncio.TimerHandle(round(when, 9), callback, args, self, context)
        if not self.dead:
            self._armed += 1
            heappush(self._timers, (timer.when(), self._armed, timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing to do: it is passed over when its time comes."""

    @override
    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    @override
    def create_task(
        self,
        coro: Coroutine[Any, Any, T] | Generator[Any, None, T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        return task

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.dead:
            self.complaints.append(f"{context.get('message')} {context.get('exception')!r}")

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def is_running(self) -> bool:
        return not self.dead

    @override
    def is_closed(self) -> bool:
        return self.dead


class StoryClock:
    """`callsheet.ports.Clock` of a story: its loop's time, its seed's chance."""

    def __init__(self, loop: MortalLoop, random: Random) -> None:
        self._loop = loop
        self._random = random

    def now(self) -> datetime:
        """The beginning, and what has passed since."""
        return BEGIN + timedelta(seconds=self._loop.now)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Call back after so many seconds."""
        return self._loop.call_later(seconds, callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        over = self._loop.create_future()
        timer = self._loop.call_later(seconds, _wake, over)
        try:
            await over
        finally:
            timer.cancel()

    def chance(self) -> int:
        """The next 64 bits of the story's seed."""
        return self._random.getrandbits(64)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
