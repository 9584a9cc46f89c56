"""What time does to one run: retries and questions that are due, steps and runs that had theirs.

The snapshot says when; here the engine's clock is watched, and what has come is an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.run import entries as e
from callsheet.runtime import crash
from callsheet.runtime.spans import Spans
from callsheet.runtime.timers import Timers

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from callsheet.core.ids import StepKey
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.ports import Clock

SELDOM = 0.1
"""Seconds between two looks at the cap on running time, at least, while the run is not running."""


class Timetable:
    """The timers of one run."""

    def __init__(
        self,
        snapshot: Snapshot,
        clock: Clock,
        post: Callable[[Callable[[], None]], None],
        note: Callable[[e.AnyEntry], None],
    ) -> None:
        """`post` has something happen in the next turn of the loop; `note` writes an entry."""
        self._snapshot = snapshot
        self._clock = clock
        self._post = post
        self._note = note
        self._timers = Timers(clock)
        self._spans = Spans(snapshot, clock, self._expire)

    def arm(self, key: StepKey, at: datetime) -> None:
        """A step waits until then: to be tried again, or for an answer."""
        seconds = (at - self._clock.now()).total_seconds()
        self._timers.arm(key, seconds, lambda: self._post(lambda: self._fire(key, at)))

    def _fire(self, key: StepKey, at: datetime) -> None:
        snapshot = self._snapshot
        if at not in (snapshot.timers.get(key), snapshot.deadlines.get(key)):
            return  # the run has moved on
        crash.reach("timer.before")
        step = snapshot.steps[key]
        attempt = 0 if key in snapshot.deadlines else step.undo_attempts or step.attempts
        self._note(e.TimerFired(at=max(at, self._clock.now()), step=key, attempt=attempt))

    def watch_seconds(self) -> None:
        """Stop the run when its cap on running time is reached; look again until then."""
        budget = self._snapshot.graph.plan.budget
        if budget is None or budget.seconds is None or self._snapshot.ended:
            return
        left = budget.seconds - self._snapshot.seconds(self._clock.now())
        if left > 0:
            # While it is paused or waits, what is left does not get less: do not look all the time.
            pause = left if self._snapshot.ran_at is not None else max(left, SELDOM)
            self._timers.arm(None, pause, lambda: self._post(self.watch_seconds))
        elif not (self._snapshot.stopping or self._snapshot.is_undoing):
            self._note(e.SecondsSpent(at=self._clock.now(), seconds=budget.seconds))

    def watch_steps(self) -> None:
        """Set timers for the steps whose time as a whole has begun since the last look."""
        self._spans.watch()

    def _expire(self, key: StepKey) -> None:
        """A step has used up its time as a whole."""
        self._post(lambda: self._note_expired(key))

    def _note_expired(self, key: StepKey) -> None:
        if not self._spans.is_over(key, now := self._clock.now()):
            return  # the run has moved on
        crash.reach("timer.before")
        self._note(e.StepExpired(at=now, step=key))

    def stop(self) -> None:
        """Nothing happens any more: the run is not driven here, or not much longer."""
        self._timers.stop()
        self._spans.stop()
