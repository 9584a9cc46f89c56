"""How entries about one step alone change a snapshot: stopped, out of time, taken back.

The run goes on as if the step had been left out: nothing here stops it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey, item_key
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.folding import remember
from callsheet.core.run.snapshot import Ended
from callsheet.core.run.step import StepRun, StepState

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot

_PASSING = frozenset({"transient", "rate_limited", "cancelled"})
"""Errors that say less than that the time is over."""


def stop_requested(s: Snapshot, entry: v.StopRequested) -> None:
    """It never starts, or is told to stop; of a list, every item that is not final."""
    remember(s, entry.request)
    step = s.steps[StepKey(entry.step)]
    step.told = "stop"
    if not step.is_list or step.items is None:
        _stop(s, step, entry)
        return
    items = [s.steps[item_key(step.key, index)] for index in range(step.items)]
    for item in items:
        if can_be_stopped(item):
            _stop(s, item, entry)


def can_be_stopped(step: StepRun) -> bool:
    """Whether it may still start, or runs; what is in doubt is answered, and an undo goes on."""
    return not step.final and step.state not in (StepState.IN_DOUBT, StepState.UNDOING)


def _stop(s: Snapshot, step: StepRun, entry: v.StopRequested) -> None:
    step.told = "stop"
    step.reason = words_of(entry)
    if step.key in s.active:
        s.halting[step.key] = None
        return
    for table in (s.chores, s.questions, s.deadlines, s.timers):
        table.pop(step.key, None)
    _leave_out(s, step)


def words_of(entry: v.StopRequested) -> str:
    """Who has stopped a step, and why, as far as that was said."""
    who = f" by {entry.by}" if entry.by else ""
    return f"Stopped{who}: {entry.reason}" if entry.reason else f"Stopped{who}."


def stopped(s: Snapshot, step: StepRun, _entry: e.AttemptEnded) -> None:
    """An attempt that was told to stop has ended: what it raised then says little."""
    _leave_out(s, step)


def _leave_out(s: Snapshot, step: StepRun) -> None:
    step.error = e.Failure(error_class="cancelled", message=step.reason)
    s.problems.append((step.key, step.reason))
    s.finish(step, StepState.CANCELLED)


def forget(step: StepRun) -> None:
    """It has succeeded all the same: what it was told does not matter any more."""
    if step.told:
        step.told = step.reason = ""


def step_expired(s: Snapshot, entry: v.StepExpired) -> None:
    """Nothing more is tried; what runs is told."""
    step = s.steps[StepKey(entry.step)]
    del s.spans[step.key]
    step.told, step.left = "time", 0.0
    if step.key in s.active:
        s.halting[step.key] = None
        return
    s.timers.pop(step.key, None)
    s.fail(step, out_of_time(step, step.error))


def out_of_time(step: StepRun, last: e.Failure | None) -> e.Failure:
    """The error of a step whose time is over, given what it had met with last."""
    if last is not None and last.error_class not in _PASSING:
        return last
    why = f" Its last error: {last.message}" if last else ""
    message = f"It was not done within {step.planned.step.within:g} s.{why}"
    return e.Failure(error_class="timeout", message=message)


def go_on(s: Snapshot, step: StepRun) -> None:
    """A doubt is settled, nothing had happened: it is tried again, unless it was told not to."""
    if step.told == "stop":
        _leave_out(s, step)
    elif step.told == "time":
        s.fail(step, out_of_time(step, step.error))
    else:
        s.make_ready(step)


def step_undo_requested(s: Snapshot, entry: v.StepUndoRequested) -> None:
    """What one step did is taken back; a run that had ended ends again as it had."""
    remember(s, entry.request)
    step = s.steps[StepKey(entry.step)]
    step.alone = True
    step.undo_tries = step.undo_lost = 0
    step.state = StepState.UNDOING
    s.amends[step.key] = None
    if s.ended:
        before = s.but_for_undo if s.ended == "stuck" else None
        s.reverting = before or Ended(s.ended, s.cause)
        s.ended = s.ended_at = s.stopping = None


def end_but_for_undo(s: Snapshot) -> Ended | None:
    """How a run that ends would have, had no undo of a single step failed; None: all was undone."""
    if s.saga or s.stopping:
        return None
    return s.reverting or Ended("failed" if s.failed else "succeeded", s.failed)
