"""The clock of the machine."""

from __future__ import annotations

import asyncio
import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.ports import Clock, Timer


def _wall() -> datetime:
    # The one place that reads it, which is why the rule against it exists.
    return datetime.now(UTC)  # noqa: TID251


class SystemClock:
    """Real time on the running event loop.

    Given times never go backwards, and never stand still: when the machine's clock is set back,
    they go on by the monotonic clock.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = _wall,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last, self._last_at = wall(), monotonic()

    def now(self) -> datetime:
        """The time; later than the last one given by at least what has passed since."""
        now, at = self._wall(), self._monotonic()
        if now < self._last:
            now = self._last + timedelta(seconds=max(at - self._last_at, 0.0))
        self._last, self._last_at = now, at
        return now

    def call_later(self, seconds: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Call back after so many seconds."""
        return asyncio.get_running_loop().call_later(max(seconds, 0.0), callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        # As above: whoever sleeps comes here.
        await asyncio.sleep(seconds)  # noqa: TID251

    def chance(self) -> int:
        """64 unforeseeable bits."""
        return secrets.randbits(64)


class AheadClock:
    """A clock that is ahead of another: for a run whose journal is, since that was set back."""

    def __init__(self, clock: Clock, ahead: timedelta) -> None:
        self._clock = clock
        self._ahead = ahead

    def now(self) -> datetime:
        """The time, as the run has it."""
        return self._clock.now() + self._ahead

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call back after so many seconds."""
        return self._clock.call_later(seconds, callback)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        await self._clock.sleep(seconds)

    def chance(self) -> int:
        """As the other one."""
        return self._clock.chance()
