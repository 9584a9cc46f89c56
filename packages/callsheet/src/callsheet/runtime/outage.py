"""A store that is away for a while: whatever a run needs of it is asked for again until it is back.

A server that restarts, a database that another process holds, a disk that is full: none of it is
the run's fault, and nothing of it lasts for ever. Calls go on meanwhile, and what they give is
written when it can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from callsheet.errors import (
    DrivenElsewhereError,
    DriverReplacedError,
    StaleWriteError,
    StoreCorruptError,
    StoreError,
    StoreMissingError,
    StoreVersionError,
)
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from callsheet.ports import Clock

T = TypeVar("T")

SHORTEST = 0.05
LONGEST = 2.0
"""Seconds between two attempts: the first, and at most."""

_FOR_GOOD = (
    DrivenElsewhereError,
    DriverReplacedError,
    StaleWriteError,
    StoreCorruptError,
    StoreMissingError,
    StoreVersionError,
)


def is_outage(error: BaseException) -> bool:
    """Whether it may be over after a while, without anybody doing anything to the run."""
    return isinstance(error, StoreError) and not isinstance(error, _FOR_GOOD)


def pauses() -> Iterator[float]:
    """How long to wait before each attempt."""
    pause = SHORTEST
    while True:
        yield pause
        pause = min(2 * pause, LONGEST)


async def outlast(
    act: Callable[[], Awaitable[T]],
    clock: Clock,
    *,
    run: str,
    unless: tuple[type[StoreError], ...] = (),
) -> T:
    """Do something, again and again while the store is away.

    Raises:
        CallsheetError: what has nothing to do with that, or is one of `unless`.
    """
    told = False
    for pause in pauses():
        try:
            return await act()
        except StoreError as exc:
            if not is_outage(exc) or isinstance(exc, unless):
                raise
            if not told:
                log.warning("store.away", run=run, error=exc.message)
                told = True
        await clock.sleep(pause)
    raise AssertionError
