"""What people ask of a run, turned into entries, or refused with a reason.

Pure: the same rules hold for the driver and for whoever asks first whether it would be allowed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.past import additions, costs, verbs
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run import entries as e
from callsheet.core.run.fold import (
    APPROVE,
    DENY,
    DID_NOT,
    UNDO,
    apply,
    fold,
)
from callsheet.core.run.fold_undo import DID_NOT_HAPPEN, HAPPENED
from callsheet.core.run.step import RunState
from callsheet.errors import InputError, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.run.request import Request
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import Question, StepRun
    from callsheet.core.value import Json

_YES: frozenset[Json] = frozenset({True, "approve", "approved", "yes", "y", "true", "ok"})
_NO: frozenset[Json] = frozenset({False, "deny", "denied", "no", "n", "false"})


def entry_of(
    snapshot: Snapshot, request: Request, at: datetime, toolbox: Tools | None = None
) -> e.AnyEntry | None:
    """The entry that a request becomes; None when there is nothing left to do.

    Without the tools, steps that are added are not checked against them.

    Raises:
        RequestRefusedError: the run's state does not allow it.
        PlanError: what is added does not check.
    """
    if request.id in snapshot.requests:
        return None
    for name, said in (("answer", request.answer), ("output", request.output)):
        if problem := value.problem_of(said):
            raise RequestRefusedError(f"The {name} is or holds something {problem}.")
    if request.kind == "add":
        return additions.entry_of(snapshot, request, at, toolbox)
    return _KINDS[request.kind](snapshot, request, at)


def rehearse(
    entries: Iterable[e.AnyEntry], earlier: Iterable[Request], request: Request, at: datetime
) -> None:
    """Say whether a request would be allowed, after those that are waiting to be served.

    Raises:
        RequestRefusedError: it would not be.
    """
    snapshot = fold(entries)
    for each in earlier:
        with suppress(InputError):
            if entry := entry_of(snapshot, each, at):
                apply(snapshot, entry)
    entry_of(snapshot, request, at)


def _pause(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    if s.ended or s.is_undoing or s.stopping:
        raise RequestRefusedError(f"Run {s.run!r} is {s.state}: only a running run can be paused.")
    return None if s.paused else e.RunPaused(at=at, by=request.by, request=request.id)


def _resume(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    if s.ended:
        raise RequestRefusedError(f"Run {s.run!r} has ended ({s.state}): it cannot be resumed.")
    return e.RunResumed(at=at, by=request.by, request=request.id) if s.paused else None


def _cancel(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    if s.ended:
        raise RequestRefusedError(f"Run {s.run!r} has already ended ({s.state}).")
    if s.is_undoing:
        raise RequestRefusedError(f"Run {s.run!r} is being undone; an undo is not cancelled.")
    if s.stopping:
        return None
    return e.CancelRequested(at=at, by=request.by, reason=request.reason, request=request.id)


def _undo(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    if s.state is RunState.UNDONE:
        raise RequestRefusedError(f"Run {s.run!r} is undone already.")
    if s.is_undoing:
        raise RequestRefusedError(f"Run {s.run!r} is being undone already.")
    if request.step is not None and request.step not in s.steps:
        known = ", ".join(s.graph.steps)
        raise RequestRefusedError(f"There is no step {request.step!r}; there are: {known}.")
    return e.UndoRequested(at=at, to=request.step, by=request.by, request=request.id)


def _answer(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    step = s.steps.get(StepKey(request.step or ""))
    question = s.questions.get(step.key) if step else None
    if question is not None and request.question not in (None, question.id):
        question = None  # an answer that comes late is not one to what is asked by now
    if step is None or question is None:
        raise RequestRefusedError(_nothing_to_answer(s, step, request))
    answer = _meaning(step, question, request)
    # What is taken back may have been billed all the same.
    billed = question.ask == "doubt" and answer != DID_NOT
    spec = s.graph.tools.get(step.planned.tool)
    return e.AnswerRecorded(
        at=at,
        step=step.key,
        question=question.id,
        answer=Raw(value.encode(answer)),
        output=Raw(value.encode(request.output)),
        cost=costs.of_doubt(step, spec) if billed else NOTHING,
        by=request.by,
        request=request.id,
    )


def _seal(s: Snapshot, request: Request, at: datetime) -> e.AnyEntry | None:
    if s.ended:
        raise RequestRefusedError(f"Run {s.run!r} has already ended ({s.state}).")
    return e.RunSealed(at=at, by=request.by, request=request.id) if s.open else None


def _unreadable(_: Snapshot, request: Request, _at: datetime) -> e.AnyEntry | None:
    raise RequestRefusedError(request.reason)


def _nothing_to_answer(s: Snapshot, step: StepRun | None, request: Request) -> str:
    if step is not None and step.question is not None:
        return f"The question of step {request.step!r} has been answered or is no longer open."
    if step is not None and step.planned.is_child:
        name = request.step
        return f"Step {name!r} is a sub-plan. What is asked inside is answered as {name}/STEP."
    waiting = ", ".join(s.questions) or "none"
    return f"Step {request.step!r} asks nothing. Steps that wait for an answer: {waiting}."


def _meaning(step: StepRun, question: Question, request: Request) -> Json:
    answer = request.answer.strip() if isinstance(request.answer, str) else request.answer
    if question.ask == "approval":
        return _yes_or_no(step, answer)
    if question.ask == "doubt" and answer in (DID_NOT, DID_NOT_HAPPEN):
        return DID_NOT
    if not question.choices or answer in question.choices:
        return answer
    if question.ask == "doubt" and answer == UNDO:
        raise RequestRefusedError(
            f"Step {step.key!r} cannot be undone without its output; answer {HAPPENED!r} with the "
            f"output, or {DID_NOT_HAPPEN!r}."
        )
    choices = ", ".join(question.choices)
    raise RequestRefusedError(
        f"Step {step.key!r} takes one of: {choices}. {answer!r} is not one of them."
    )


def _yes_or_no(step: StepRun, answer: Json) -> Json:
    plain = answer.lower() if isinstance(answer, str) else answer
    if isinstance(plain, (bool, str)):
        if plain in _YES:
            return APPROVE
        if plain in _NO:
            return DENY
    raise RequestRefusedError(
        f"Step {step.key!r} waits for an approval: answer {APPROVE!r} or {DENY!r}, not {answer!r}."
    )


def _can_undo(step: StepRun) -> bool:
    return step.undo is not None and not step.undo.needs_output


def doubt_choices(step: StepRun) -> tuple[str, ...]:
    """What may be answered when a person is asked whether something happened."""
    some = (HAPPENED, DID_NOT_HAPPEN)
    return (*some, UNDO) if _can_undo(step) else some


_KINDS: dict[str, Callable[[Snapshot, Request, datetime], e.AnyEntry | None]] = {
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
    "undo": _undo,
    "answer": _answer,
    "seal": _seal,
    "unreadable": _unreadable,
    **verbs.KINDS,
}
