"""The clock of the machine."""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class SystemClock:
    """Real time on the running event loop. Given times never go backwards."""

    def __init__(self) -> None:
        self._last = datetime.min.replace(tzinfo=UTC)

    def now(self) -> datetime:
        """The time; at least the last one given, even if the machine's clock was set back."""
        # The one place that reads it, which is why the rule against it exists.
        now = datetime.now(UTC)  # noqa: TID251
        if now < self._last:
            return self._last
        self._last = now
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
