"""Simulated time: an event loop on which nobody really waits, and a clock that goes with it.

When nothing is ready, the loop's time jumps to the next timer, so that a timeout of ten minutes or
a backoff of thirty seconds takes no time at all. As long as only the loop's own tasks are at work,
the same program with the same seed does the same things in the same order, every time.

Real threads, processes and sockets may be used. While there are any, nobody can know what they are
about to say, so time runs `HURRY` times as fast as the real one instead of jumping.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import wraps
from random import Random
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

P = ParamSpec("P")
T = TypeVar("T")

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
"""When every simulation begins."""
AT_MOST = 1000.0
"""Simulated seconds after which a simulation is taken for hung."""
HURRY = 50.0
"""How much faster than real time it goes while threads, processes or sockets are in use."""
_QUANTUM = 0.005
"""Real seconds to listen for those before the time is moved on."""
_PATIENCE = 30.0
"""Real seconds to wait for those when nothing else is left to happen."""
_ONLY_WATCHES = "callsheet-watchdog"


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop whose time begins at 0 and jumps when nothing is ready."""

    def __init__(self, seed: int = 0) -> None:
        self._jumper = _JumpingSelector()
        super().__init__(self._jumper)
        self.random = Random(seed)  # noqa: S311 -- everybody is meant to foresee it
        """Where all chance in this simulation comes from."""

    @override
    def time(self) -> float:
        """Simulated seconds since the beginning."""
        return self._jumper.now


class SimulatedClock:
    """`callsheet.ports.Clock` of the simulated loop it is used on.

    All clocks of a simulation show the same time and share its seed.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        """Where it was last read: a thread that works for the loop has none of its own."""

    def now(self) -> datetime:
        """The beginning, and what the loop says has passed since; threads may ask, too."""
        with suppress(RuntimeError):
            self._loop = asyncio.get_running_loop()
        assert self._loop is not None, "Use it within run_simulated, or under @simulated."
        return BEGIN + timedelta(seconds=self._loop.time())

    def call_later(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Call back after so many seconds."""
        return asyncio.get_running_loop().call_later(max(seconds, 0.0), callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        # This is the clock that everybody else is told to use.
        await asyncio.sleep(seconds)  # noqa: TID251

    def chance(self) -> int:
        """The next 64 bits of the simulation's seed."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop), "Use it within run_simulated, or under @simulated."
        return loop.random.getrandbits(64)


def run_simulated(work: Coroutine[Any, Any, T], *, seed: int = 0, at_most: float = AT_MOST) -> T:
    """Run a coroutine on a simulated loop of its own.

    Raises:
        TimeoutError: it was not done after so many simulated seconds.
        RuntimeError: it waits for something that nobody is left to do.
    """

    async def bounded() -> T:
        async with asyncio.timeout(at_most):
            return await work

    with asyncio.Runner(loop_factory=lambda: SimulatedLoop(seed)) as runner:
        return runner.run(bounded())


def simulated(test: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make an async test (or program) one that runs in simulated time: `@simulated`."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return run_simulated(test(*args, **kwargs))

    return run


class _JumpingSelector(selectors.BaseSelector):
    """A selector that moves a clock on instead of sleeping."""

    def __init__(self) -> None:
        self.now = 0.0
        self._real = selectors.DefaultSelector()
        self._threads_before = set(threading.enumerate())

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        # In this order: a thread that has gone by now has said what it had to say.
        others = timeout != 0 and self._others_at_work()
        events = self._real.select(0)
        if events or timeout == 0:
            return events
        if others:
            return self._listen(timeout)
        if timeout is None:
            raise RuntimeError("Everybody waits, and nothing is left that could happen.")
        self.now = round(self.now + timeout, 9)  # or many short waits would not add up
        return []

    def _listen(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            events = self._real.select(_PATIENCE)
            if not events:
                raise RuntimeError(f"Nothing has happened for {_PATIENCE:g} real seconds.")
            return events
        began = time.monotonic()
        events = self._real.select(min(timeout / HURRY, _QUANTUM))
        self.now += min((time.monotonic() - began) * HURRY, timeout)
        return events

    def _others_at_work(self) -> bool:
        """Whether anything beside the loop's tasks may have something to say."""
        # One descriptor is the loop's own: threads wake it with that.
        if len(self._real.get_map()) > 1:
            return True
        return any(
            thread not in self._threads_before and thread.name != _ONLY_WATCHES
            for thread in threading.enumerate()
        )

    @override
    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    @override
    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    @override
    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    @override
    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()

    @override
    def close(self) -> None:
        self._real.close()
