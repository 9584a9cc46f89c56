"""The time that single steps have as a whole (`within`), watched on the engine's clock.

The snapshot says when each is over, in seconds that the run has run: while it is paused, or waits
for a person, that moment moves away, and the timer is set again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.past.rules import SOON

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from callsheet.core.ids import StepKey
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.ports import Clock, Timer

SELDOM = 0.1
"""Seconds between two looks, at least, while the run does not run."""


class Spans:
    """One timer for each step whose time goes on."""

    def __init__(self, snapshot: Snapshot, clock: Clock, expire: Callable[[StepKey], None]) -> None:
        """`expire` hears that a step's time may be over; it asks `is_over` when it takes it in."""
        self._snapshot = snapshot
        self._clock = clock
        self._expire = expire
        self._armed: dict[StepKey, tuple[float, Timer]] = {}
        self._stopped = False

    def watch(self) -> None:
        """Set timers for the steps whose time has begun since the last look."""
        if self._stopped:
            return
        # New ones are last: a look costs what is new.
        for key in reversed(self._snapshot.spans):
            due = self._snapshot.spans[key]
            armed = self._armed.get(key)
            if armed is not None and armed[0] == due:
                return
            if armed is not None:
                armed[1].cancel()
            self._arm(key, due)

    def is_over(self, key: StepKey, now: datetime) -> bool:
        """Whether the time of a step is over; if not, and it goes on, the timer is set again."""
        due = self._snapshot.spans.get(key)
        if due is None:
            return False
        if self._snapshot.seconds(now) >= due - SOON:
            return True
        self._arm(key, due)
        return False

    def _arm(self, key: StepKey, due: float) -> None:
        if self._stopped:
            return
        left = max(due - self._snapshot.seconds(self._clock.now()), 0.0)
        wait = left if self._snapshot.ran_at is not None else max(left, SELDOM)
        self._armed[key] = due, self._clock.call_later(wait, lambda: self._over(key))

    def _over(self, key: StepKey) -> None:
        if self._armed.pop(key, None) is not None:
            self._expire(key)

    def stop(self) -> None:
        """Nothing happens any more: the run is not driven here, or not much longer."""
        self._stopped = True
        for _, timer in self._armed.values():
            timer.cancel()
        self._armed.clear()
