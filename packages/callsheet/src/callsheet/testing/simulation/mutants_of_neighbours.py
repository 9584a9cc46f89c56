"""Mutants of what processes owe each other: the fence, one order, hands off what another drives."""

from __future__ import annotations

from itertools import count
from typing import Any

from callsheet.stores.memory.store import MemoryJournal
from callsheet.testing.simulation.mutant import Mutant, instead
from callsheet.testing.simulation.owners import Drivers

ENOUGH = 100
"""Stories within which each is caught."""
SELDOM = 3
"""Which append it is that comes late."""


def _late_comes_early(right: Any) -> Any:
    """As a position that was given before its transaction was committed."""
    appends = count(1)

    async def append(self: Any, run: Any, entries: Any, *, after: int) -> int:
        written: int = await right(self, run, entries, after=after)
        order, many = self._contents.order, len(entries)
        if next(appends) % SELDOM == 0 and len(order) > many:
            late = order[-many:]
            del order[-many:]
            order[-1:-1] = late
        return written

    return append


def _take_from_the_living(right: Any) -> Any:
    def is_alive(self: Any, number: int | None) -> bool:
        # Whoever does not answer at once is taken for dead.
        return bool(right(self, number)) and number == max(self.known)

    return is_alive


MUTANTS_OF_NEIGHBOURS = (
    Mutant(
        "has_no_fence",
        "a process that was replaced writes on when it wakes",
        ((Drivers, "lets_write", instead(lambda _self, _driver: True)),),
    ),
    Mutant(
        "skips_a_position",
        "an entry gets a position before one that was read already",
        ((MemoryJournal, "append", _late_comes_early),),
    ),
    Mutant(
        "takes_from_the_living",
        "a run is taken over although its process is alive",
        ((Drivers, "is_alive", _take_from_the_living),),
    ),
)
