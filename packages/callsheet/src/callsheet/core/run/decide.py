"""What should happen next, given everything that has happened.

Pure, so that replay is nothing but calling it again. It names the work; the driver does it. No
clock is read here and nothing is awaited: an expired timer is an entry.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from callsheet.core.plan.subplan import SUB_PLAN
from callsheet.core.run.commands import (
    Command,
    EndRun,
    RefuseStep,
    StartAttempt,
    StartUndo,
    StopAttempts,
)
from callsheet.core.run.entries import Cause, Failure
from callsheet.core.run.saga import was_undone
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from callsheet.core.ids import StepKey
    from callsheet.core.run.entries import EndState
    from callsheet.core.run.saga import Saga
    from callsheet.core.run.snapshot import Ended, Snapshot
    from callsheet.core.run.step import StepRun


def decide(snapshot: Snapshot, held: Collection[str] = ()) -> list[Command]:
    """Name the work that may begin now, in an order that never varies.

    1. The run is going forward: what must be settled about steps; then the best ready steps.
    2. The run must stop: nothing new starts; what is running is told, and left to settle.
    3. It has stopped: what is owed is undone, each step after all that was built on it.
    4. Nothing is left: it ends.

    Tools in `held` are passed over: the driver cannot admit them at the moment.
    """
    if snapshot.ended or not snapshot.length:
        return []
    if snapshot.is_undoing:
        return _taking_back(snapshot)
    if snapshot.stopping:
        return _stopping(snapshot, snapshot.stopping)
    if not (snapshot.unfinished or snapshot.open or _is_busy(snapshot)):
        return [_end_finished(snapshot)]
    if snapshot.paused:
        return []
    return _going_forward(snapshot, held)


def _is_busy(snapshot: Snapshot) -> bool:
    """Whether something goes on, or will: a call, an undo, or another try of one."""
    return bool(snapshot.active or snapshot.amends or snapshot.timers)


def _reverting(snapshot: Snapshot, was: Ended) -> list[Command]:
    commands = _undos(snapshot, snapshot.amends)
    if commands or _is_busy(snapshot):
        return commands
    owing = any(step.state is StepState.UNDO_FAILED for step in snapshot.steps.values())
    return [EndRun(state="stuck" if owing else was.state, cause=was.cause)]


def _going_forward(snapshot: Snapshot, held: Collection[str]) -> list[Command]:
    if snapshot.chores:
        # What is settled may make better steps ready than those that are.
        return list(snapshot.chores.values())
    commands = _undos(snapshot, snapshot.amends) if snapshot.amends else []
    free = snapshot.free - len(commands)
    if free > 0 or snapshot.graph.has_children:
        commands += _starts(snapshot, held, max(free, 0))
    return commands


def _stopping(snapshot: Snapshot, cause: Cause) -> list[Command]:
    commands = _undos(snapshot, snapshot.amends)
    if snapshot.active:
        # A running step may still succeed; ending before it settles would miss its effect.
        commands.append(StopAttempts())
    return commands if commands or snapshot.timers else [_end_stopped(cause)]


def _undos(snapshot: Snapshot, due: Iterable[StepKey]) -> list[Command]:
    return [
        StartUndo(step=key, attempt=snapshot.steps[key].undo_attempts + 1)
        for key in islice(due, max(snapshot.free, 0))
    ]


def _starts(snapshot: Snapshot, held: Collection[str], free: int) -> list[Command]:
    commands: list[Command] = []
    # A copy: starts are tried on it, one after the other, so that together they fit.
    pot = snapshot.pot if snapshot.pot.is_open else snapshot.pot.copy()

    def take(step: StepRun) -> bool:
        if pot.is_open:
            commands.append(StartAttempt(step=step.key, attempt=step.attempts + 1))
            return True
        wanted = step.wanted
        if pot.fits(wanted):
            # As its start will: what is kept for its undo becomes part of what it reserves.
            pot.kept = pot.kept.minus(step.undo_reserved)
            pot.reserved = pot.reserved.plus(step.planned.reserve)
            pot.calls += not step.planned.is_child
            commands.append(StartAttempt(step=step.key, attempt=step.attempts + 1))
        elif pot.may_fit_later(wanted):
            return False
        else:
            error = Failure(error_class="denied", message=f"Budget: {pot.shortage(wanted)}.")
            commands.append(RefuseStep(step=step.key, error=error))
        return True

    snapshot.ready.offer(held, free, take, slotless=SUB_PLAN)
    return commands


def _taking_back(snapshot: Snapshot) -> list[Command]:
    if snapshot.reverting:
        return _reverting(snapshot, snapshot.reverting)
    saga = snapshot.saga
    assert saga is not None, "what else takes back"
    commands = _undos(snapshot, saga.due)
    if not commands and not snapshot.active and not snapshot.timers:
        return [_end_taken_back(snapshot, saga)]
    return commands


def _end_finished(snapshot: Snapshot) -> EndRun:
    owing = next((s for s in snapshot.steps.values() if s.state is StepState.UNDO_FAILED), None)
    if owing is not None:
        message = owing.error.message if owing.error else ""
        cause = Cause(kind="failure", step=owing.key, message=message)
        return EndRun(state="stuck", cause=snapshot.failed or cause)
    return EndRun(state="failed" if snapshot.failed else "succeeded", cause=snapshot.failed)


def _end_stopped(cause: Cause) -> EndRun:
    return EndRun(state="cancelled" if cause.kind == "cancel" else "failed", cause=cause)


def _end_taken_back(snapshot: Snapshot, saga: Saga) -> EndRun:
    cause = snapshot.stopping or snapshot.cause
    if saga.stuck:
        return EndRun(state="stuck", cause=cause)
    if cause is None or cause.kind == "request" or was_undone(snapshot.steps.values()):
        return EndRun(state="undone", cause=cause)
    state: EndState = "cancelled" if cause.kind == "cancel" else "failed"
    return EndRun(state=state, cause=cause)
