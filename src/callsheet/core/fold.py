"""How each entry changes a snapshot. `fold(a + b)` is `fold(b)` on top of `fold(a)`.

One function per kind of entry, in the order of `entries.py`, called `_` + the kind.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from msgspec import structs

from callsheet.core import entries as e
from callsheet.core import policy, value
from callsheet.core.budget import Pot
from callsheet.core.commands import AskStep
from callsheet.core.graph import graph_of
from callsheet.core.ids import RunId, StepKey, item_key
from callsheet.core.plan import NOTHING
from callsheet.core.snapshot import Snapshot
from callsheet.core.steprun import Question, RunState, StepRun, StepState
from callsheet.errors import ReplayImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

FORMATS = frozenset({1})
CORES = frozenset({1})

E = TypeVar("E", bound=e.Entry)
Handler: TypeAlias = "Callable[[Snapshot, E], None]"

_HANDLERS: dict[type[e.Entry], Callable[[Snapshot, e.AnyEntry], None]] = {}


def _on(kind: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    def register(handler: Handler[E]) -> Handler[E]:
        _HANDLERS[kind] = cast("Callable[[Snapshot, e.AnyEntry], None]", handler)
        return handler

    return register


APPROVE, DENY = "approve", "deny"
HAPPENED, DID_NOT, UNDO = "happened", "did_not", "undo"


def fold(entries: Iterable[e.AnyEntry], start: Snapshot | None = None) -> Snapshot:
    """What the entries add up to, from nothing or on top of a snapshot (which is changed)."""
    snapshot = start or Snapshot()
    for entry in entries:
        apply(snapshot, entry)
    return snapshot


def apply(snapshot: Snapshot, entry: e.AnyEntry) -> None:
    """Take one more entry into account."""
    _HANDLERS[type(entry)](snapshot, entry)
    snapshot.length += 1
    _count_seconds(snapshot, entry)
    snapshot.last_at = entry.at


def _count_seconds(s: Snapshot, entry: e.AnyEntry) -> None:
    running = not s.paused and not s.ended and not (s.questions and s.state is RunState.WAITING)
    if running and s.ran_at is None:
        s.ran_at = entry.at
    elif not running and s.ran_at is not None:
        _stop_counting(s, entry.at)


def _stop_counting(s: Snapshot, at: datetime) -> None:
    s.ran = s.seconds(at)
    s.ran_at = None


@_on(e.RunStarted)
def _run_started(s: Snapshot, entry: e.RunStarted) -> None:
    if entry.format not in FORMATS or entry.core not in CORES:
        raise ReplayImpossibleError(
            f"Run {entry.run!r} was written by format {entry.format}, core {entry.core}; "
            "this version knows only older ones. Upgrade callsheet."
        )
    s.run = RunId(entry.run)
    s.seed = entry.seed
    s.started_at = entry.at
    s.graph = graph_of(entry.plan, entry.tools)
    s.pot = Pot(entry.plan.budget)
    s.unfinished = len(s.graph.nodes)
    for node in s.graph.nodes.values():
        step = StepRun(node, StepKey(node.id), len(node.needs))
        s.steps[step.key] = step
        _enter_queues(s, step)
    for step in list(s.steps.values()):
        if not step.unmet:
            s.needs_met(step)


def _enter_queues(s: Snapshot, step: StepRun) -> None:
    if step.node.step.touches and not step.node.dynamic_touches:
        step.touches = tuple(dict.fromkeys(step.node.step.touches))
        s.queues.enter(step)


@_on(e.StepDecided)
def _step_decided(s: Snapshot, entry: e.StepDecided) -> None:
    step = s.steps[StepKey(entry.step)]
    s.chores.pop(step.key, None)
    step.reason = entry.reason
    if entry.verdict == "skip":
        s.finish(step, StepState.SKIPPED)
        return
    step.decided = True
    if entry.touches is not None:
        step.touches = tuple(dict.fromkeys(entry.touches))
        s.queues.enter(step)
    s.needs_met(step)


@_on(e.StepExpanded)
def _step_expanded(s: Snapshot, entry: e.StepExpanded) -> None:
    parent = s.steps[StepKey(entry.step)]
    s.chores.pop(parent.key, None)
    parent.items = parent.items_left = entry.count
    parent.state = StepState.RUNNING
    items = [StepRun(parent.node, item_key(parent.key, i), 0, i) for i in range(entry.count)]
    for item in items:
        s.steps[item.key] = item
        _enter_queues(s, item)
    if not items:
        s.finish(parent, StepState.SUCCEEDED)
    for item in items:
        s.needs_met(item)


@_on(e.StepRefused)
def _step_refused(s: Snapshot, entry: e.StepRefused) -> None:
    step = s.steps[StepKey(entry.step)]
    s.chores.pop(step.key, None)
    s.fail(step, entry.error)


@_on(e.StepDelayed)
def _step_delayed(s: Snapshot, entry: e.StepDelayed) -> None:
    s.steps[StepKey(entry.step)].reason = entry.reason


@_on(e.AttemptStarted)
def _attempt_started(s: Snapshot, entry: e.AttemptStarted) -> None:
    step = s.steps[StepKey(entry.step)]
    if not step.attempts:
        step.started_at = entry.at
        s.queues.hold(step)
        for key in step.touches:
            s.touched.setdefault(key, []).append(step)
    step.attempts = entry.attempt
    step.state = StepState.RUNNING
    step.reason = ""
    step.undo = entry.undo
    # What an earlier attempt has left for the undo is part of what this one reserves.
    s.pot.unkeep(step.undo_reserved)
    step.undo_reserved = NOTHING
    step.reserved = entry.reserved
    s.pot.reserve(entry.reserved)
    s.pot.calls += 1
    s.active[step.key] = None


@_on(e.CheckpointSaved)
def _checkpoint_saved(s: Snapshot, entry: e.CheckpointSaved) -> None:
    """Kept by the driver; nothing is decided by it."""


@_on(e.AttemptEnded)
def _attempt_ended(s: Snapshot, entry: e.AttemptEnded) -> None:
    step = s.steps[StepKey(entry.step)]
    step.ended_at = entry.at
    del s.active[step.key]
    s.pot.charge(entry.cost)
    step.cost = step.cost.plus(entry.cost)
    if entry.outcome == "lost":
        step.lost += 1
    if entry.error is not None:
        counts = s.errors.setdefault(step.node.queue, {})
        counts[entry.error.error_class] = counts.get(entry.error.error_class, 0) + 1
    if entry.abandoned:
        s.problems.append((step.key, "was told to stop and did not; it may still be running"))
    step.maybe = step.maybe or policy.may_have_happened(step, entry)
    verdict = policy.judge(step, entry, stopping=s.stopping is not None)
    if verdict != "doubt":
        _settle_reservation(s, step, succeeded=verdict == "succeeded")
    _VERDICTS[verdict](s, step, entry)
    _stop_overrun(s, step)
    s.drained()


def _stop_overrun(s: Snapshot, step: StepRun) -> None:
    if overrun := s.pot.overrun:
        cause = e.Cause(kind="budget", step=step.key, message=f"Over budget: {overrun}.")
        s.stop(cause, takes_back=s.graph.plan.on_failure == "undo")


def _settle_reservation(s: Snapshot, step: StepRun, *, succeeded: bool) -> None:
    s.pot.release(step.reserved)
    step.reserved = NOTHING
    if (succeeded or step.maybe) and step.undo is not None and step.undo_reserved == NOTHING:
        step.undo_reserved = step.node.undo_reserve
        s.pot.keep(step.undo_reserved)


def _succeeded(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.done = step.node.writes
    step.maybe = False
    step.error = None
    step.undo = entry.undo
    s.finish(step, StepState.SUCCEEDED)


def _retry(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.error = entry.error
    wait = policy.retry_wait(s.seed, step, entry.error)
    if entry.outcome == "lost" or wait <= timedelta(0):
        s.make_ready(step)
        return
    step.state = StepState.RETRYING
    s.timers[step.key] = entry.at + wait


def _failed(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    s.fail(step, entry.error or e.Failure(error_class="transient", message="The attempt was lost."))


def _doubt(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.error = entry.error
    step.state = StepState.IN_DOUBT
    if s.stopping:
        s.leave_in_doubt(step)
    else:
        s.chores[step.key] = AskStep(step=step.key, ask="doubt")


def _cancelled(_: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.error = entry.error
    step.state = StepState.CANCELLED
    step.final = True


_VERDICTS: dict[str, Callable[[Snapshot, StepRun, e.AttemptEnded], None]] = {
    "succeeded": _succeeded,
    "retry": _retry,
    "failed": _failed,
    "doubt": _doubt,
    "cancelled": _cancelled,
}


@_on(e.TimerFired)
def _timer_fired(s: Snapshot, entry: e.TimerFired) -> None:
    step = s.steps[StepKey(entry.step)]
    if s.deadlines.pop(step.key, None) is not None:
        s.questions.pop(step.key, None)
        s.fail(step, e.Failure(error_class="timeout", message="Nobody answered in time."))
        return
    del s.timers[step.key]
    if step.state is StepState.RETRYING:
        s.make_ready(step)
    elif s.saga:
        s.saga.due[step.key] = None
    else:
        s.amends[step.key] = None


@_on(e.SecondsSpent)
def _seconds_spent(s: Snapshot, entry: e.SecondsSpent) -> None:
    message = f"Over budget: {entry.seconds:g} seconds of running time are used up."
    cause = e.Cause(kind="budget", message=message)
    s.stop(cause, takes_back=s.graph.plan.on_failure == "undo")


@_on(e.QuestionAsked)
def _question_asked(s: Snapshot, entry: e.QuestionAsked) -> None:
    step = s.steps[StepKey(entry.step)]
    s.chores.pop(step.key, None)
    step.questions += 1
    step.question = s.questions[step.key] = Question(
        id=entry.question,
        step=entry.step,
        ask=entry.ask,
        text=entry.text,
        choices=entry.choices,
        digest=entry.digest,
        args=value.decode(entry.args),
    )
    if entry.ask != "doubt":
        step.state = StepState.WAITING
    if entry.ask == "question":
        step.started_at = entry.at
    if entry.ask == "question" and step.node.timeout is not None:
        s.deadlines[step.key] = entry.at + timedelta(seconds=step.node.timeout)


@_on(e.AnswerRecorded)
def _answer_recorded(s: Snapshot, entry: e.AnswerRecorded) -> None:
    step = s.steps[StepKey(entry.step)]
    question = s.questions.pop(step.key)
    s.deadlines.pop(step.key, None)
    _remember(s, entry.request)
    if question.ask == "question":
        step.ended_at = entry.at
        s.finish(step, StepState.SUCCEEDED)
        return
    answer = value.decode(entry.answer)
    if question.ask == "doubt":
        _resolve_doubt(s, step, str(answer))
    elif answer == APPROVE:
        step.approved = question.digest
        s.make_ready(step)
    else:
        who = f" by {entry.by}" if entry.by else ""
        s.fail(step, e.Failure(error_class="denied", message=f"Denied{who}."))


def _resolve_doubt(s: Snapshot, step: StepRun, answer: str) -> None:
    stopped = bool(s.stopping or s.saga or s.ended)
    if answer == HAPPENED:
        step.done, step.maybe = True, False
        # With the output known there is nothing left that its undo could be missing.
        step.undo = structs.replace(step.undo, needs_output=False) if step.undo else None
        _settle_reservation(s, step, succeeded=True)
        step.state = StepState.SUCCEEDED
        if not stopped:
            s.finish(step, StepState.SUCCEEDED)
    elif answer == DID_NOT:
        step.maybe = False
        step.extra += 1
        _settle_reservation(s, step, succeeded=False)
        if step.state is not StepState.FAILED:
            step.state = StepState.CANCELLED
        if not stopped:
            s.make_ready(step)
    else:
        _settle_reservation(s, step, succeeded=False)
        step.state = StepState.UNDOING
        s.amends[step.key] = None


@_on(e.RunPaused)
def _run_paused(s: Snapshot, entry: e.RunPaused) -> None:
    s.paused = True
    _remember(s, entry.request)


@_on(e.RunResumed)
def _run_resumed(s: Snapshot, entry: e.RunResumed) -> None:
    s.paused = False
    _remember(s, entry.request)


@_on(e.RunRecovered)
def _run_recovered(s: Snapshot, entry: e.RunRecovered) -> None:
    # It ran until its last entry, as far as anybody knows.
    _stop_counting(s, s.last_at or entry.at)


@_on(e.CancelRequested)
def _cancel_requested(s: Snapshot, entry: e.CancelRequested) -> None:
    _remember(s, entry.request)
    plan = s.graph.plan
    policy_ = plan.on_cancel or ("undo" if plan.on_failure == "undo" else "keep")
    cause = e.Cause(kind="cancel", message=entry.reason, by=entry.by)
    s.stop(cause, takes_back=policy_ == "undo")


@_on(e.UndoRequested)
def _undo_requested(s: Snapshot, entry: e.UndoRequested) -> None:
    _remember(s, entry.request)
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


@_on(e.UndoStarted)
def _undo_started(s: Snapshot, entry: e.UndoStarted) -> None:
    _begin_undo(s, s.steps[StepKey(entry.step)], entry.attempt)


def _begin_undo(s: Snapshot, step: StepRun, attempt: int) -> None:
    s.amends.pop(step.key, None)
    if s.saga:
        s.saga.due.pop(step.key, None)
    step.undo_attempts = attempt
    step.state = StepState.UNDOING
    s.active[step.key] = None


@_on(e.UndoEnded)
def _undo_ended(s: Snapshot, entry: e.UndoEnded) -> None:
    step = s.steps[StepKey(entry.step)]
    if step.key not in s.active:
        # It could not even be started: nobody can say what the tool should be called with.
        _begin_undo(s, step, entry.attempt)
    del s.active[step.key]
    s.pot.charge(entry.cost)
    step.cost = step.cost.plus(entry.cost)
    step.undo_lost += entry.outcome == "lost"
    step.undo_tries += entry.outcome != "lost"
    if entry.outcome == "succeeded":
        _undone(s, step)
    elif policy.undo_retries(step, entry):
        s.timers[step.key] = entry.at + policy.undo_wait(s.seed, step, entry.error)
    else:
        _undo_failed(s, step, entry)
    _stop_overrun(s, step)
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
    else:
        failure = e.Failure(error_class="fatal", message=f"In doubt; its undo failed: {message}")
        s.fail(step, failure, StepState.UNDO_FAILED)


@_on(e.ProblemNoted)
def _problem_noted(s: Snapshot, entry: e.ProblemNoted) -> None:
    s.problems.append((entry.step, entry.message))


@_on(e.RunEnded)
def _run_ended(s: Snapshot, entry: e.RunEnded) -> None:
    s.ended = entry.state
    s.ended_at = entry.at
    s.cause = entry.cause
    if s.saga:
        for key, why in s.saga.stuck.items():
            step = s.steps[key]
            if step.state is not StepState.UNDO_FAILED:
                s.problems.append((str(key), why))
            if step.maybe:
                _reopen_doubt(s, step)
    s.saga = None
    s.chores.clear()
    s.timers.clear()
    s.deadlines.clear()


def _reopen_doubt(s: Snapshot, step: StepRun) -> None:
    """A stuck run's doubt may still be answered, so that a later undo can go on."""
    step.question = s.questions[step.key] = Question(
        id=f"{step.key}#{step.questions + 1}",
        step=step.key,
        ask="doubt",
        text="Did it happen?",
        choices=(HAPPENED, DID_NOT),
    )
    step.questions += 1


def _remember(s: Snapshot, request: str | None) -> None:
    if request is not None:
        s.requests.add(request)
