"""Time and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


class Timer(Protocol):
    """Something that will happen, unless it is cancelled first."""

    def cancel(self) -> None:
        """Make it not happen. Harmless when it already has."""
        ...


class Clock(Protocol):
    """Time and chance."""

    def now(self) -> datetime:
        """The time, aware, in UTC; never earlier than the last one given."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call back, on the event loop, after so many seconds (at once if not positive)."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        ...

    def chance(self) -> int:
        """64 bits that nobody can foresee (or, in a simulation, everybody)."""
        ...
