"""The time that a run has (`budget.seconds`), and single steps as a whole (`within`).

The snapshot says when each is over, in seconds that the run has run: while it is paused, or waits
for a person, that moment moves away, and the timer is set again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.past.rules import SOON
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.runtime import crash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from callsheet.core.ids import StepKey
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.ports import Clock, Timer
    from callsheet.runtime.attempt import Attempt
    from callsheet.runtime.child import ChildAttempt

SELDOM = 0.1
"""Seconds between two looks, at least, while the run does not run."""


class Spans:
    """One timer for each step whose time goes on, and one for the run itself (None)."""

    def __init__(
        self,
        snapshot: Snapshot,
        clock: Clock,
        post: Callable[[Callable[[], None]], None],
        note: Callable[[e.AnyEntry], None],
    ) -> None:
        """`post` has something happen with the loop's next turn; `note` has an entry written."""
        self._snapshot = snapshot
        self._clock = clock
        self._post = post
        self._note = note
        self._armed: dict[StepKey | None, tuple[float, Timer]] = {}
        self._stopped = False

    def watch_run(self) -> None:
        """Stop the run when its cap on running time is reached; look again until then."""
        budget = self._snapshot.graph.plan.budget
        if budget is None or budget.seconds is None or self._snapshot.ended or self._stopped:
            return
        if self._snapshot.seconds(self._clock.now()) < budget.seconds:
            self._arm(None, budget.seconds)
        elif not (self._snapshot.stopping or self._snapshot.is_undoing):
            self._note(e.SecondsSpent(at=self._clock.now(), seconds=budget.seconds))

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
            self._arm(key, due)

    def _arm(self, key: StepKey | None, due: float) -> None:
        if armed := self._armed.get(key):
            armed[1].cancel()
        left = max(due - self._snapshot.seconds(self._clock.now()), 0.0)
        # While it is paused or waits, what is left does not get less: do not look all the time.
        wait = left if self._snapshot.ran_at is not None else max(left, SELDOM)
        self._armed[key] = due, self._clock.call_later(wait, lambda: self._over(key))

    def _over(self, key: StepKey | None) -> None:
        if self._armed.pop(key, None) is None:
            return
        self._post(self.watch_run if key is None else lambda: self._look_at(key))

    def _look_at(self, key: StepKey) -> None:
        due = self._snapshot.spans.get(key)
        if due is None or self._stopped:
            return  # the run has moved on
        now = self._clock.now()
        if self._snapshot.seconds(now) < due - SOON:
            self._arm(key, due)
            return
        crash.reach("timer.before")
        self._note(v.StepExpired(at=now, step=key))

    def stop(self) -> None:
        """Nothing happens any more: the run is not driven here, or not much longer."""
        self._stopped = True
        for _, timer in self._armed.values():
            timer.cancel()
        self._armed.clear()
        # It refers back to the loop, which is to be freed as soon as nobody asks about the run.
        self._note = _ignore


def _ignore(_entry: e.AnyEntry) -> None:
    """Nothing is taken in any more."""


def tell_single_steps(
    snapshot: Snapshot, attempts: Mapping[StepKey, Attempt | ChildAttempt]
) -> None:
    """Tell the calls to stop whose steps were stopped, or whose time is over."""
    for key in snapshot.halting:
        step = snapshot.steps[key]
        within = step.planned.step.within if step.told == "time" else None
        if attempt := attempts.get(key):
            attempt.tell(within=within)
