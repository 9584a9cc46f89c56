"""Waiting for what other processes write: until the store tells, or until it is time to look."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.ports import Clock

    Listen: TypeAlias = Callable[[Callable[[], object]], Callable[[], None] | None]

SELDOM = 1.0
"""How often to look, in seconds, if the store tells what is new: in case it could not."""


class News:
    """Somebody who waits again and again; what is told in between is not missed."""

    def __init__(self, listen: Listen, clock: Clock) -> None:
        """`listen` is the store's."""
        self._clock = clock
        self._told = asyncio.Event()
        self._stop = listen(self._told.set)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait no more."""
        if self._stop is not None:
            self._stop()

    def tell(self) -> None:
        """Have whoever waits look again."""
        self._told.set()

    async def wait(self, seconds: float) -> None:
        """Return when there is something new; if the store does not tell, after so many seconds."""
        if self._stop is not None:
            seconds = max(seconds, SELDOM)
        timer = self._clock.call_later(seconds, self._told.set)
        try:
            await self._told.wait()
        finally:
            timer.cancel()
            self._told.clear()


def never(_: Callable[[], object]) -> None:
    """`listen` of a store that cannot tell."""
