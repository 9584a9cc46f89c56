"""Who drives which run, on a simulated disk: numbers, locks that end with their process, a fence.

As on a database: a driver is alive as long as it holds its lock. Whoever finds it gone says so, and
from then on nothing is written for it, whatever it has on its way or does when it wakes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead


@dataclass(slots=True, eq=False)
class Driver:
    """A process that drives, or has driven."""

    number: int
    replaced: asyncio.Future[None]
    """Done when it was found gone."""
    locked: bool = True
    """It holds its lock."""
    lives: bool = True
    """Its process has not ended; one that has lost its lock may still."""
    replaced_by: int = 0
    """The driver that has found it gone; 0: nobody has."""


class Drivers:
    """All drivers that there ever were, and whose each run is."""

    def __init__(self) -> None:
        self.known: dict[int, Driver] = {}
        self.owner_of: dict[str, int] = {}
        self.mistakes: list[str] = []
        """What must never happen between drivers."""

    def enter(self, replaced: asyncio.Future[None]) -> Driver:
        """A new driver, with a number that nobody had; the future is done when it is found gone."""
        driver = Driver(len(self.known) + 1, replaced)
        self.known[driver.number] = driver
        return driver

    def is_alive(self, number: int | None) -> bool:
        """Whether a driver holds its lock, and nobody has found it gone."""
        driver = self.known.get(number or 0)
        return driver is not None and driver.locked and not driver.replaced_by

    def replace(self, number: int, by: Driver) -> None:
        """Write down that a driver was found gone."""
        driver = self.known[number]
        driver.replaced_by = by.number
        if not driver.replaced.done():
            driver.replaced.set_result(None)

    def lets_write(self, driver: Driver) -> bool:
        """The fence: whether nobody has found a driver gone."""
        return not driver.replaced_by

    def note_write(self, run: str, driver: Driver) -> None:
        """See that a driver writes to its own runs, and as long as nobody has replaced it."""
        owner = self.owner_of.setdefault(run, driver.number)
        if driver.replaced_by:
            self.mistakes.append(f"driver {driver.number} writes to {run} after it was replaced")
        elif owner != driver.number:
            self.mistakes.append(f"driver {driver.number} writes to {run}, which {owner} drives")

    def take(self, run: str, by: Driver) -> None:
        """Write down whose a run is from now on."""
        before = self.known.get(self.owner_of.get(run, 0))
        if before is not None and before is not by and before.locked and before.lives:
            self.mistakes.append(f"{by.number} takes {run} from {before.number}, which is alive")
        self.owner_of[run] = by.number


class SimulatedOwners:
    """`Owners` of one process on a simulated disk."""

    def __init__(
        self,
        drivers: Drivers,
        me: Driver,
        heads: dict[str, RunHead],
        own: Callable[[str, int], None],
        must_answer: Callable[[], None],
    ) -> None:
        self._drivers = drivers
        self._me = me
        self._heads = heads
        self._own = own
        self._must_answer = must_answer
        self._seen: tuple[int, frozenset[int]] | None = None

    @property
    def driver(self) -> int:
        """The number of this driver."""
        return self._me.number

    async def is_alive(self, driver: int | None) -> bool:
        """Whether a driver is alive, this one or another."""
        self._must_answer()
        return self._drivers.is_alive(driver)

    async def process_of(self, driver: int | None) -> str:
        """Which process a driver is."""
        return f"{driver} on a simulated disk"

    async def claim(self, run: RunId) -> bool:
        """Make a run this driver's; False: it is another's, who is alive."""
        self._must_answer()
        owner = self._drivers.owner_of.get(run)
        if owner is None or owner == self.driver:
            return True
        if self._drivers.is_alive(owner):
            return False
        if not self._drivers.known[owner].replaced_by:
            self._drivers.replace(owner, self._me)
        self._own(run, self.driver)
        return True

    async def abandoned(self, *, newest: int | None = None) -> Sequence[RunId]:
        """Open runs whose driver is gone: all of them, whenever a driver has come or gone."""
        self._must_answer()
        known = self._drivers.known
        for other in known.values():
            if other is not self._me and not other.locked and not other.replaced_by:
                self._drivers.replace(other.number, self._me)
        alive = frozenset(each for each in known if self._drivers.is_alive(each))
        found = tuple(
            head.run
            for _, head in sorted(self._heads.items())
            if head.ended is None and self._drivers.owner_of.get(head.run) not in alive
        )
        if newest is not None:
            return found[-newest:] if newest else ()
        seen = len(known), alive
        if seen == self._seen:
            return ()
        self._seen = seen
        return found
