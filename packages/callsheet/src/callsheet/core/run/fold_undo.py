"""How the entries of taking back change a snapshot: requests for it, its attempts, its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run import entries as e
from callsheet.core.run import policy
from callsheet.core.run.folding import remember, stop_overrun
from callsheet.core.run.step import Question, StepRun, StepState

if TYPE_CHECKING:
    from callsheet.core.run.snapshot import Snapshot


HAPPENED = "happened"
DID_NOT_HAPPEN = "did_not_happen"
"""How `did_not` is said at the door; in journals it is what it always was."""


def undo_requested(s: Snapshot, entry: e.UndoRequested) -> None:
    """Take back, or do so once what is running has settled."""
    remember(s, entry.request)
    s.keep = entry.to
    if s.ended:
        s.ended = s.ended_at = None
        s.stopping = None
        s.cause = e.Cause(kind="request", by=entry.by)
        for step in s.steps.values():
            step.undo_tries = step.undo_lost = 0
        s.begin_undo()
    else:
        s.stop(e.Cause(kind="request", by=entry.by), takes_back=True)
        # It may have been stopping already, and about to keep what it has done.
        s.takes_back = True
        s.drained()


def undo_started(s: Snapshot, entry: e.UndoStarted) -> None:
    """A step is being undone."""
    _begin_undo(s, s.steps[StepKey(entry.step)], entry.attempt)


def _begin_undo(s: Snapshot, step: StepRun, attempt: int) -> None:
    s.amends.pop(step.key, None)
    if s.saga:
        s.saga.due.pop(step.key, None)
    step.undo_attempts = attempt
    step.state = StepState.UNDOING
    s.active[step.key] = None
    s.children += step.planned.is_child


def undo_ended(s: Snapshot, entry: e.UndoEnded) -> None:
    """An undo has ended: done, to be tried again, or failed."""
    step = s.steps[StepKey(entry.step)]
    if step.key not in s.active:
        # It could not even be started: nobody can say what the tool should be called with.
        _begin_undo(s, step, entry.attempt)
    del s.active[step.key]
    s.children -= step.planned.is_child
    s.pot.charge(entry.cost)
    step.cost = step.cost.plus(entry.cost)
    step.undo_lost += entry.outcome == "lost" and not policy.is_unbegun(s.core, entry)
    step.undo_tries += entry.outcome != "lost"
    if entry.outcome == "succeeded":
        _undone(s, step)
    elif policy.undo_retries(step, entry):
        s.timers[step.key] = entry.at + policy.undo_wait(s.seed, step, entry.error)
    else:
        _undo_failed(s, step, entry)
    stop_overrun(s, step)
    s.drained()


def _undone(s: Snapshot, step: StepRun) -> None:
    step.done = step.maybe = False
    s.pot.unkeep(step.undo_reserved)
    # A call that was in doubt has kept its reservation until now.
    s.pot.release(step.reserved)
    step.reserved = step.undo_reserved = NOTHING
    if s.saga:
        step.state = StepState.UNDONE
        s.saga.settle(step)
    elif step.alone:
        step.state = StepState.UNDONE
    elif step.told == "stop":
        s.problems.append((step.key, "was stopped and in doubt, and taken back on request"))
        s.finish(step, StepState.UNDONE)
    else:
        failure = e.Failure(error_class="fatal", message="In doubt, and taken back on request.")
        s.fail(step, failure, StepState.UNDONE)


def _undo_failed(s: Snapshot, step: StepRun, entry: e.UndoEnded) -> None:
    message = entry.error.message if entry.error else "it was lost too often"
    s.problems.append((step.key, f"could not be undone: {message}"))
    if s.saga:
        step.error = entry.error
        step.state = StepState.UNDO_FAILED
        s.saga.stuck[step.key] = message
    elif step.alone:
        step.error = entry.error
        step.state = StepState.UNDO_FAILED
    else:
        failure = e.Failure(error_class="fatal", message=f"In doubt; its undo failed: {message}")
        s.fail(step, failure, StepState.UNDO_FAILED)


def reopen_doubt(s: Snapshot, step: StepRun) -> None:
    """A stuck run's doubt may still be answered, so that a later undo can go on."""
    step.question = s.questions[step.key] = Question(
        id=f"{step.key}#{step.questions + 1}",
        step=step.key,
        ask="doubt",
        text="Did it happen?",
        choices=(HAPPENED, DID_NOT_HAPPEN),
    )
    step.questions += 1
