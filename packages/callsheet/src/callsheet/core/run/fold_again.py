"""How a snapshot changes when a step that did not end well is tried again.

The step, and whatever was skipped because of it, are as if they had not been reached yet. What has
started in the meantime stays as it is: it has seen what it has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey, item_key
from callsheet.core.run import entries as e
from callsheet.core.run import policy
from callsheet.core.run import verbs as v
from callsheet.core.run.folding import remember
from callsheet.core.run.snapshot import dooms
from callsheet.core.run.step import StepRun, StepState

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot

BADLY = frozenset({StepState.FAILED, StepState.CANCELLED})
"""How a step has ended that can be tried again."""
_UNSEEN = frozenset({StepState.PENDING, StepState.READY})


def retry_requested(s: Snapshot, entry: v.RetryRequested) -> None:
    """A step of a run that goes on is tried again."""
    remember(s, entry.request)
    _again(s, s.steps[StepKey(entry.step)])


def run_reopened(s: Snapshot, entry: v.RunReopened) -> None:
    """The run goes on, with one of its steps."""
    remember(s, entry.request)
    s.ended = s.ended_at = s.cause = None
    _again(s, s.steps[StepKey(entry.step)])


def _again(s: Snapshot, step: StepRun) -> None:
    whole = s.steps[StepKey(step.planned.id)]
    """The step of the plan: of an item, its list."""
    calls = to_be_tried(s, step)
    waiting = _reopened(s, whole)
    for call in calls:
        if call is not whole:
            _reset(s, call)
    if whole not in calls:
        _count_again(s, whole, len(calls))
    for each in waiting:
        _wait_again(s, each)
    keys = {call.key for call in calls}
    s.problems = [problem for problem in s.problems if problem[0] not in keys]
    if s.failed and s.failed.step in keys:
        s.failed = _first_failure(s)
    for call in calls:
        if not call.unmet:
            s.needs_met(call)


def to_be_tried(s: Snapshot, step: StepRun) -> list[StepRun]:
    """The calls that are made again: the step itself, or those of its items that ended badly."""
    if not step.is_list or step.items is None:
        return [step]
    items = [s.steps[item_key(step.key, index)] for index in range(step.items)]
    return [item for item in items if item.state in BADLY]


def _reopened(s: Snapshot, whole: StepRun) -> list[StepRun]:
    """Take back that a step is final, and what followed from that; returns all that waits again."""
    found = [whole] if whole.items is None else []
    todo = [whole] if whole.final else []
    if whole.final:
        s.unfinished += 1
    _reset(s, whole)
    while todo:
        for name in todo.pop().planned.dependents:
            waiter = s.steps[StepKey(name)]
            was_skipped = waiter.state is StepState.SKIPPED and bool(waiter.blocked_by)
            if was_skipped:
                s.unfinished += 1
                todo.append(waiter)
            elif waiter.final or waiter.attempts or waiter.state not in _UNSEEN:
                continue
            _reset(s, waiter)
            found.append(waiter)
    return found


def _reset(s: Snapshot, step: StepRun) -> None:
    if step.final:
        s.queues.come_back(step)
    s.chores.pop(step.key, None)
    s.spans.pop(step.key, None)
    step.state = StepState.PENDING
    step.error = step.left = None
    step.told = step.reason = ""
    step.extra = policy.tries_of(step)


def _count_again(s: Snapshot, whole: StepRun, more: int) -> None:
    """A list goes on with some of its items."""
    whole.state = StepState.RUNNING
    whole.items_left += more
    items = [s.steps[item_key(whole.key, index)] for index in range(whole.items or 0)]
    whole.items_bad = any(item.final and dooms(item) for item in items)
    whole.items_stopped = any(item.state is StepState.CANCELLED for item in items)


def _wait_again(s: Snapshot, step: StepRun) -> None:
    """Work out anew what a step waits for."""
    step.blocked_by, step.downstream = "", False
    step.unmet = len(step.planned.needs)
    for need in step.planned.needs:
        needed = s.steps[StepKey(need)]
        if needed.final:
            s.tell(step, needed)


def _first_failure(s: Snapshot) -> e.Cause | None:
    """Of the failures that count and are left, the first in the order of the plan."""
    for step in s.steps.values():
        counts = step.final and step.error is not None and dooms(step)
        if counts and step.error is not None:
            return e.Cause(kind="failure", step=step.key, message=step.error.message)
    return None
