"""What may be asked about one step: stop it, take it back, try it again.

Pure. Each refusal is one sentence for a person; replay holds journals to the same rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepId, StepKey
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.fold_again import BADLY, to_be_tried
from callsheet.core.run.fold_verbs import can_be_stopped
from callsheet.core.run.step import RunState, StepState
from callsheet.errors import RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from callsheet.core.run.request import Request
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun

_MAX_NAMED = 10


def stop(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    """The entry that stops a step; None: it was told before.

    Raises:
        RequestRefusedError: it is final, in doubt, or the run stops by itself.
    """
    step = _named(s, request)
    _must(refusal_to_stop(s, step))
    if step.told == "stop":
        return None
    return v.StopRequested(
        at=at, step=step.key, by=request.by, reason=request.reason, request=request.id
    )


def refusal_to_stop(s: Snapshot, step: StepRun) -> str | None:
    """Why a step cannot be stopped."""
    if s.ended:
        return f"Run {s.run!r} has already ended ({s.state})."
    if s.is_undoing or s.stopping:
        return f"Run {s.run!r} stops already, and all of its steps with it."
    if can_be_stopped(step):
        return None
    if step.state is StepState.IN_DOUBT:
        return f"Step {step.key!r} is in doubt: answer whether it happened; nothing of it runs."
    if step.state is StepState.UNDOING:
        return f"Step {step.key!r} is being undone, and an undo is not stopped."
    return f"Step {step.key!r} has ended already ({step.state})."


def undo(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    """The entry that takes one step back.

    Raises:
        RequestRefusedError: there is nothing to take back, or something was built on it.
    """
    step = _named(s, request)
    _must(refusal_to_undo(s, step))
    return v.StepUndoRequested(at=at, step=step.key, by=request.by, request=request.id)


def refusal_to_undo(s: Snapshot, step: StepRun) -> str | None:
    """Why what one step did cannot be taken back alone."""
    if s.is_undoing or (s.stopping and not s.ended):
        return f"Run {s.run!r} is {s.state}: it takes back what it owes, or is about to."
    if refusal := _nothing_there(s, step) or _cannot(step):
        return f"Step {step.key!r} {refusal}"
    if built := list(dict.fromkeys(_built_on(s, step))):
        told = ", ".join(built[:_MAX_NAMED]) + (", …" if built[_MAX_NAMED:] else "")
        return f"Step {step.key!r} cannot be undone alone: others depend on it, or may yet: {told}."
    return None


def _nothing_there(s: Snapshot, step: StepRun) -> str | None:
    if step.is_list and step.items is not None:
        items = f"{step.key}[0] to {step.key}[{step.items - 1}]" if step.items else "none"
        return f"is a list of calls; name one of them: {items}."
    if step.state in (StepState.UNDONE, StepState.UNDOING):
        return f"is {step.state} already."
    if step.copied:
        return "was done by another run; undo it there."
    if step.done and step.state in (StepState.SUCCEEDED, StepState.UNDO_FAILED):
        return None
    reads = not step.planned.writes and step.state is StepState.SUCCEEDED
    why = "only reads" if reads else f"is {s.state_of(step)}"
    return f"{why}: it has done nothing that could be undone."


def _cannot(step: StepRun) -> str | None:
    if step.undo is None:
        return f"has no undo: {step.planned.tool} cannot be undone."
    if step.undo_impossible:
        return f"cannot be undone: {step.undo_impossible}."
    return None


def _built_on(s: Snapshot, step: StepRun) -> Iterator[str]:
    """What succeeded, runs or may still start, and needed the step or touched its keys after it."""
    below: set[StepId] = set()
    todo = [step.planned.id]
    while todo:
        for name in s.graph.steps[todo.pop()].dependents:
            if name not in below:
                below.add(name)
                todo.append(name)
    for name in s.graph.steps:
        if name in below and _stands(s, s.steps[StepKey(name)]):
            yield name
    for key in step.touches:
        order = s.touched.get(key, [])
        after = order[order.index(step) + 1 :] if step in order else []
        yield from (later.key for later in after if later.done or later.maybe or not later.final)


def _stands(s: Snapshot, step: StepRun) -> bool:
    if step.state is StepState.SUCCEEDED or step.maybe:
        return True
    return not step.final and s.state_of(step) is not StepState.CANCELLED


def retry(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    """The entry that has a step tried again; of a run that had ended, the one that reopens it.

    Raises:
        RequestRefusedError: it did not end badly, or nobody knows whether it did.
    """
    step = _named(s, request)
    _must(refusal_to_retry(s, step))
    if s.ended:
        return v.RunReopened(
            at=at,
            step=step.key,
            by=request.by,
            request=request.id,
            tenant=s.tenant,
            reserves=_still_covered(s.reserves, s.pot.spent),
        )
    return v.RetryRequested(at=at, step=step.key, by=request.by, request=request.id)


def _still_covered(reserved: Cost, spent: Cost) -> Cost:
    """Of what a run had set aside, what it has not spent."""
    if reserved == NOTHING:
        return NOTHING
    left = reserved.minus(spent)
    return Cost(usd=max(left.usd, 0.0), credits=max(left.credits, 0.0), tokens=max(left.tokens, 0))


def refusal_to_retry(s: Snapshot, step: StepRun) -> str | None:
    """Why a step cannot be tried again."""
    if refusal := _run_refuses(s):
        return refusal
    name = repr(step.key)
    if step.copied:
        return f"Step {name} was done by another run; fork that one at {name} instead."
    calls = to_be_tried(s, step)
    if step.state in (StepState.UNDONE, StepState.UNDO_FAILED, StepState.UNDOING):
        return f"Step {name} is {step.state}: what was undone is not repeated."
    if step.state not in BADLY and (calls == [step] or not calls):
        return f"Step {name} is {s.state_of(step)}: only what failed or was stopped can be retried."
    for call in calls:
        if call.maybe and not call.planned.repeatable:
            return (
                f"Step {str(call.key)!r} may have happened, and may not be repeated. See to it by "
                "hand, or undo the run."
            )
    return None


def _run_refuses(s: Snapshot) -> str | None:
    if s.graph.plan.on_failure != "continue":
        return (
            f"Run {s.run!r} stops at a failure (on_failure: {s.graph.plan.on_failure}): its steps "
            "are not tried again. Fork it at the step instead."
        )
    if s.is_undoing or (s.stopping and not s.ended):
        return f"Run {s.run!r} is {s.state}, and stops."
    if not s.ended:
        return None
    if s.state is not RunState.FAILED or s.cause is None or s.cause.kind != "failure":
        why = f": {s.cause.message}" if s.cause and s.cause.message else ""
        return (
            f"Run {s.run!r} has ended ({s.state}{why}): steps are tried again where a step's "
            "failure is why the run failed."
        )
    if s.is_child:
        return f"Run {s.run!r} is a step of another run, which has gone on without it."
    return None


def _named(s: Snapshot, request: Request) -> StepRun:
    step = s.steps.get(StepKey(request.step or ""))
    if step is None:
        known = ", ".join(s.graph.steps)
        raise RequestRefusedError(f"There is no step {request.step!r}; there are: {known}.")
    return step


def _must(refusal: str | None) -> None:
    if refusal is not None:
        raise RequestRefusedError(refusal)


KINDS: dict[str, Callable[[Snapshot, Request, datetime], e.AnyEntry | None]] = {
    "stop": stop,
    "undo_step": undo,
    "retry": retry,
}
"""The requests about one step."""
