"""What should happen next, given everything that has happened.

Pure, so that replay is nothing but calling it again. It names the work; the driver does it. No
clock is read here and nothing is awaited: an expired timer is an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.commands import (
    Command,
    EndRun,
    RefuseStep,
    StartAttempt,
    StartUndo,
    StopAttempts,
)
from callsheet.core.entries import Cause, Failure
from callsheet.core.saga import was_undone
from callsheet.core.steprun import StepState

if TYPE_CHECKING:
    from collections.abc import Collection

    from callsheet.core.entries import EndState
    from callsheet.core.saga import Saga
    from callsheet.core.snapshot import Snapshot


def decide(snapshot: Snapshot, held: Collection[str] = ()) -> list[Command]:
    """Name the work that may begin now, in an order that never varies.

    1. The run is going forward: what must be settled about steps, then the best ready steps.
    2. The run must stop: nothing new starts; what is running is told, and left to settle.
    3. It has stopped: what is owed is undone, each step after all that was built on it.
    4. Nothing is left: it ends.

    Tools in `held` are passed over: the driver cannot admit them at the moment.
    """
    if snapshot.ended or not snapshot.length:
        return []
    if snapshot.saga:
        return _taking_back(snapshot, snapshot.saga)
    if snapshot.stopping:
        # A running step may still succeed; ending before it settles would miss its effect.
        return [StopAttempts()] if snapshot.active else [_end_stopped(snapshot.stopping)]
    if not snapshot.unfinished and not snapshot.active and not snapshot.amends:
        return [_end_finished(snapshot)]
    if snapshot.paused:
        return []
    return _going_forward(snapshot, held)


def _going_forward(snapshot: Snapshot, held: Collection[str]) -> list[Command]:
    commands: list[Command] = list(snapshot.chores.values())
    free = snapshot.free
    for key in list(snapshot.amends)[: max(free, 0)]:
        commands.append(StartUndo(step=key, attempt=snapshot.steps[key].undo_attempts + 1))
        free -= 1
    if free > 0:
        commands += _starts(snapshot, held, free)
    return commands


def _starts(snapshot: Snapshot, held: Collection[str], free: int) -> list[Command]:
    commands: list[Command] = []
    pot = snapshot.pot
    # The pot is lent to this loop so that parallel starts are reserved together, then put back.
    before = pot.reserved, pot.calls
    for step in snapshot.ready.best(held, free):
        wanted = step.node.reserve
        if pot.fits(wanted):
            pot.reserve(wanted)
            pot.calls += 1
            commands.append(StartAttempt(step=step.key, attempt=step.attempts + 1))
        elif not pot.may_fit_later(wanted):
            error = Failure(error_class="denied", message=f"Budget: {pot.shortage(wanted)}.")
            commands.append(RefuseStep(step=step.key, error=error))
    pot.reserved, pot.calls = before
    return commands


def _taking_back(snapshot: Snapshot, saga: Saga) -> list[Command]:
    commands: list[Command] = [
        StartUndo(step=key, attempt=snapshot.steps[key].undo_attempts + 1)
        for key in list(saga.due)[: max(snapshot.free, 0)]
    ]
    if not commands and not snapshot.active and not snapshot.timers:
        return [_end_taken_back(snapshot, saga)]
    return commands


def _end_finished(snapshot: Snapshot) -> EndRun:
    stuck = any(snapshot.steps[key].state is StepState.UNDO_FAILED for key in snapshot.steps)
    if snapshot.failed:
        return EndRun(state="stuck" if stuck else "failed", cause=snapshot.failed)
    return EndRun(state="succeeded", cause=None)


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
