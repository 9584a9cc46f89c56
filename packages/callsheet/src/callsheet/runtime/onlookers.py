"""Whoever looks at a run that is driven here: at moments when all that is seen is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from callsheet.core.answer import answerable

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Onlookers:
    """Those who wait until the snapshot of a run is no longer ahead of its journal."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    async def seen(
        self, look: Callable[[], T], is_written: Callable[[], bool], *, is_over: bool
    ) -> T | None:
        """What somebody sees; None: it is over, and was never written.

        `is_written` says whether all that is known of the run is in the journal. It is not kept:
        a run is freed as soon as nobody asks about it any more.
        """
        if is_written():
            return look()
        waiter: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

        def see() -> None:
            if waiter.done():
                return
            try:
                waiter.set_result(look() if is_written() else None)
            except Exception as exc:  # noqa: BLE001 -- whoever looks harms nobody
                waiter.set_exception(answerable(exc))

        self._waiting.append(see)
        if is_over:
            self.let_see()
        return await waiter

    def let_see(self) -> None:
        """Now is such a moment, or there will be none any more."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for see in waiting:
                see()
