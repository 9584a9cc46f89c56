"""The timers of one run: retries, the deadlines of questions, the cap on running time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.ids import StepKey
    from callsheet.ports import Clock, Timer


class Timers:
    """One timer a step, and one for the run itself (None)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._armed: dict[StepKey | None, Timer] = {}
        self._stopped = False

    def arm(self, key: StepKey | None, seconds: float, fire: Callable[[], None]) -> None:
        """Have something happen after so many seconds, instead of what was to happen before."""
        if armed := self._armed.pop(key, None):
            armed.cancel()
        if not self._stopped:
            self._armed[key] = self._clock.call_later(seconds, fire)

    def stop(self) -> None:
        """Nothing happens any more: the run is not driven here, or not much longer."""
        self._stopped = True
        for timer in self._armed.values():
            timer.cancel()
        self._armed.clear()
