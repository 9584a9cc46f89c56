"""How each entry changes a snapshot. `fold(a + b)` is `fold(b)` on top of `fold(a)`.

One function per kind of entry, in the order of `entries.py`, called `_` + the kind; what takes back
is in `fold_undo`, what concerns one step alone in `fold_verbs` and `fold_again`, and what makes a
run grow in `fold_added`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, cast

from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import RunId, StepKey, item_key
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run import agents, fold_added, fold_again, fold_undo, fold_verbs, policy
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.budget import Pot
from callsheet.core.run.commands import AskStep
from callsheet.core.run.fold_undo import HAPPENED
from callsheet.core.run.folding import remember, stop_overrun
from callsheet.core.run.graph import Graph, graph_of
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import (
    RUNNING,
    SUCCEEDED,
    Question,
    RunState,
    StepRun,
    StepState,
)
from callsheet.errors import ReplayImpossibleError, StoreCorruptError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from callsheet.core.run.entry import Entry

FORMATS = frozenset({1})
CORES = frozenset({1, 2, 3, 4})


APPROVE, DENY = "approve", "deny"
DID_NOT, UNDO = "did_not", "undo"


def fold(entries: Iterable[e.AnyEntry], start: Snapshot | None = None) -> Snapshot:
    """What the entries add up to, from nothing or on top of a snapshot (which is changed)."""
    snapshot = start or Snapshot()
    for entry in entries:
        apply(snapshot, entry)
    return snapshot


def apply(snapshot: Snapshot, entry: e.AnyEntry) -> None:
    """Take one more entry into account."""
    snapshot.at = entry.at
    HANDLERS[type(entry)](snapshot, entry)
    snapshot.length += 1
    _count_seconds(snapshot, entry)
    snapshot.last_at = entry.at


def _count_seconds(s: Snapshot, entry: e.AnyEntry) -> None:
    may_wait = s.questions or s.open
    running = not s.paused and not s.ended and not (may_wait and s.state is RunState.WAITING)
    if running and s.ran_at is None:
        s.ran_at = entry.at
    elif not running and s.ran_at is not None:
        _stop_counting(s, entry.at)


def _stop_counting(s: Snapshot, at: datetime) -> None:
    s.ran = s.seconds(at)
    s.ran_at = None


def must_know(entry: e.AnyEntry) -> None:
    """See that this version can decide about a run, by its first entry.

    Raises:
        ReplayImpossibleError: a newer version has started it.
    """
    if not isinstance(entry, e.RunStarted):
        return
    if entry.format not in FORMATS or entry.core not in CORES:
        raise ReplayImpossibleError(
            f"Run {entry.run!r} was written by format {entry.format}, core {entry.core}; "
            "this version knows only older ones. Upgrade callsheet."
        )
    if unknown := [flag for flag in entry.flags if flag not in e.KNOWN_FLAGS]:
        raise ReplayImpossibleError(
            f"Run {entry.run!r} was written with {', '.join(map(repr, unknown))} switched on "
            f"(format {entry.format}, core {entry.core}), which this version does not know. "
            "Upgrade callsheet."
        )


def _run_started(s: Snapshot, entry: e.RunStarted) -> None:
    must_know(entry)
    s.run = RunId(entry.run)
    s.core = entry.core
    s.seed = entry.seed
    s.flags = entry.flags
    s.tenant, s.reserves = entry.tenant, entry.reserves
    s.is_child = entry.parent is not None
    s.started_at = entry.at
    # The graph of an open run is its own: it grows.
    make = Graph if entry.open else graph_of
    s.graph = make(entry.plan, entry.tools, entry.children)
    s.open = s.graph.grows = entry.open
    s.pot = Pot(entry.plan.budget)
    s.unfinished = len(s.graph.steps)
    for planned in s.graph.steps.values():
        s.enter(StepRun(planned, StepKey(planned.id), len(planned.needs)))
    for step in list(s.steps.values()):
        if not step.unmet:
            s.needs_met(step)


def _step_copied(s: Snapshot, entry: e.StepCopied) -> None:
    step = s.steps[StepKey(entry.step)]
    step.copied = True
    step.reason = entry.reason
    step.error, step.unclear = entry.error, entry.maybe
    if entry.outcome == "failed":
        s.problems.append((step.key, entry.reason))
    _take_over(s, step, StepState(entry.outcome), entry.at)


def _step_cached(s: Snapshot, entry: e.StepCached) -> None:
    step = s.steps[StepKey(entry.step)]
    step.cached = entry.source
    step.error = None
    _take_over(s, step, StepState.SUCCEEDED, entry.at)


def _take_over(s: Snapshot, step: StepRun, state: StepState, at: datetime) -> None:
    """The step is what another run has made of it."""
    s.chores.pop(step.key, None)
    step.started_at = step.started_at or at
    step.ended_at = at
    s.finish(step, state)


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


def _step_expanded(s: Snapshot, entry: e.StepExpanded) -> None:
    parent = s.steps[StepKey(entry.step)]
    s.chores.pop(parent.key, None)
    parent.items = parent.items_left = entry.count
    parent.state = StepState.RUNNING
    items = [StepRun(parent.planned, item_key(parent.key, i), 0, i) for i in range(entry.count)]
    for item in items:
        s.enter(item)
    if not items:
        s.finish(parent, StepState.SUCCEEDED)
    for item in items:
        s.needs_met(item)


def _step_refused(s: Snapshot, entry: e.StepRefused) -> None:
    step = s.steps[StepKey(entry.step)]
    s.chores.pop(step.key, None)
    s.fail(step, entry.error)


def _step_delayed(s: Snapshot, entry: e.StepDelayed) -> None:
    s.steps[StepKey(entry.step)].reason = entry.reason


def _attempt_started(s: Snapshot, entry: e.AttemptStarted) -> None:
    step = s.steps[StepKey(entry.step)]
    if step.touches:
        s.queues.hold(step)
    if not step.attempts:
        step.started_at = entry.at
        for key in step.touches:
            s.touched.setdefault(key, []).append(step)
    step.attempts = entry.attempt
    step.state = RUNNING
    step.reason = ""
    step.undo = entry.undo
    # What an earlier attempt has left for the undo is part of what this one reserves.
    s.pot.unkeep(step.undo_reserved)
    step.undo_reserved = NOTHING
    step.reserved = entry.reserved
    s.pot.reserve(entry.reserved)
    if step.planned.is_child:
        s.children += 1
    else:
        s.pot.calls += 1
    s.active[step.key] = None


def _checkpoint_saved(s: Snapshot, entry: e.CheckpointSaved) -> None:
    """Kept by the driver; nothing is decided by it."""


def _attempt_ended(s: Snapshot, entry: e.AttemptEnded) -> None:
    step = s.steps[StepKey(entry.step)]
    step.ended_at = entry.at
    del s.active[step.key]
    s.halting.pop(step.key, None)
    s.children -= step.planned.is_child
    if entry.cost is not NOTHING:
        s.pot.charge(entry.cost)
        step.cost = step.cost.plus(entry.cost)
    begun = not policy.is_unbegun(s.core, entry)
    if not begun:
        step.unbegun += 1
        s.pot.calls -= not step.planned.is_child
    elif entry.outcome == "lost":
        step.lost += 1
    if begun and entry.error is not None:
        counts = s.errors.setdefault(step.planned.tool, {})
        counts[entry.error.error_class] = counts.get(entry.error.error_class, 0) + 1
    if entry.abandoned:
        s.problems.append((step.key, "was told to stop and did not; it may still be running"))
    step.maybe = step.maybe or policy.may_have_happened(step, entry)
    step.undo_most = entry.kept if step.planned.is_child else step.planned.undo_reserve
    verdict = policy.judge(step, entry, stopping=s.stopping is not None)
    if verdict != "doubt":
        _settle_reservation(s, step, succeeded=verdict == "succeeded")
    _VERDICTS[verdict](s, step, entry)
    stop_overrun(s, step)
    s.drained()


def _settle_reservation(s: Snapshot, step: StepRun, *, succeeded: bool) -> None:
    s.pot.release(step.reserved)
    step.reserved = NOTHING
    if (succeeded or step.maybe) and step.undo is not None and step.undo_reserved == NOTHING:
        step.undo_reserved = step.undo_most
        s.pot.keep(step.undo_reserved)


def _succeeded(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.done = step.planned.writes
    step.maybe = False
    step.error = None
    fold_verbs.forget(step)
    step.undo = entry.undo
    s.finish(step, SUCCEEDED)


def _retry(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.error = entry.error
    wait = policy.retry_wait(s.seed, step, entry.error)
    if entry.outcome == "lost" or wait <= timedelta(0):
        s.make_ready(step)
        return
    step.state = StepState.RETRYING
    s.timers[step.key] = entry.at + wait


def _failed(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    if step.told:
        s.fail(step, fold_verbs.out_of_time(step, entry.error))
        return
    s.fail(step, entry.error or e.Failure(error_class="transient", message="The attempt was lost."))


def _doubt(s: Snapshot, step: StepRun, entry: e.AttemptEnded) -> None:
    step.error = entry.error
    step.state = StepState.IN_DOUBT
    if s.stopping:
        s.leave_in_doubt(step)
    else:
        s.stop_clock(step)
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
    "stopped": fold_verbs.stopped,
}


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


def _seconds_spent(s: Snapshot, entry: e.SecondsSpent) -> None:
    message = f"Over budget: {entry.seconds:g} seconds of running time are used up."
    cause = e.Cause(kind="budget", message=message)
    s.stop(cause, takes_back=s.graph.plan.on_failure == "undo")


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
    if entry.ask == "question" and step.planned.timeout is not None:
        s.deadlines[step.key] = entry.at + timedelta(seconds=step.planned.timeout)


def _answer_recorded(s: Snapshot, entry: e.AnswerRecorded) -> None:
    step = s.steps[StepKey(entry.step)]
    question = s.questions.pop(step.key)
    s.deadlines.pop(step.key, None)
    remember(s, entry.request)
    if question.ask == "question":
        step.ended_at = entry.at
        s.finish(step, StepState.SUCCEEDED)
        return
    answer = value.decode(entry.answer)
    if question.ask == "doubt":
        s.pot.charge(entry.cost)
        step.cost = step.cost.plus(entry.cost)
        _resolve_doubt(s, step, str(answer))
        stop_overrun(s, step)
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
        fold_verbs.forget(step)
        if not stopped:
            s.finish(step, StepState.SUCCEEDED)
    elif answer == DID_NOT:
        step.maybe = False
        step.extra += 1
        _settle_reservation(s, step, succeeded=False)
        if step.state is not StepState.FAILED:
            step.state = StepState.CANCELLED
        if not stopped:
            fold_verbs.go_on(s, step)
    elif answer == UNDO:
        _settle_reservation(s, step, succeeded=False)
        step.state = StepState.UNDOING
        s.amends[step.key] = None
    else:
        raise StoreCorruptError(
            f"Step {step.key!r} has an answer to a doubt that is none: {answer!r}."
        )


def _run_paused(s: Snapshot, entry: e.RunPaused) -> None:
    s.paused = True
    remember(s, entry.request)


def _run_resumed(s: Snapshot, entry: e.RunResumed) -> None:
    s.paused = False
    remember(s, entry.request)


def _run_recovered(s: Snapshot, entry: e.RunRecovered) -> None:
    # It ran until its last entry, as far as anybody knows.
    _stop_counting(s, s.last_at or entry.at)


def _cancel_requested(s: Snapshot, entry: e.CancelRequested) -> None:
    remember(s, entry.request)
    plan = s.graph.plan
    policy_ = plan.on_cancel or ("undo" if plan.on_failure == "undo" else "keep")
    cause = e.Cause(kind="cancel", message=entry.reason, by=entry.by)
    s.stop(cause, takes_back=policy_ == "undo")


def _problem_noted(s: Snapshot, entry: e.ProblemNoted) -> None:
    s.problems.append((entry.step, entry.message))


def _run_ended(s: Snapshot, entry: e.RunEnded) -> None:
    s.ended = entry.state
    s.ended_at = entry.at
    s.cause = entry.cause
    s.but_for_undo = fold_verbs.end_but_for_undo(s)
    if s.saga:
        for key, why in s.saga.stuck.items():
            step = s.steps[key]
            if step.state is not StepState.UNDO_FAILED:
                s.problems.append((str(key), why))
            # What became of a sub-plan stands in its own journal; it is undone, not asked about.
            if step.maybe and not step.planned.is_child:
                fold_undo.reopen_doubt(s, step)
    s.saga = s.reverting = None
    s.spans.clear()
    s.halting.clear()
    s.chores.clear()
    s.timers.clear()
    s.deadlines.clear()


HANDLERS = cast(
    "dict[type[Entry], Callable[[Snapshot, e.AnyEntry], None]]",
    {
        e.RunStarted: _run_started,
        e.StepsAdded: fold_added.steps_added,
        e.RunSealed: fold_added.run_sealed,
        e.StepCopied: _step_copied,
        e.StepCached: _step_cached,
        e.StepDecided: _step_decided,
        e.StepExpanded: _step_expanded,
        e.StepRefused: _step_refused,
        e.StepDelayed: _step_delayed,
        e.AttemptStarted: _attempt_started,
        e.CheckpointSaved: _checkpoint_saved,
        e.TextEmitted: fold_added.text_emitted,
        e.AttemptEnded: _attempt_ended,
        e.TimerFired: _timer_fired,
        e.SecondsSpent: _seconds_spent,
        v.StepExpired: fold_verbs.step_expired,
        e.QuestionAsked: _question_asked,
        e.AnswerRecorded: _answer_recorded,
        e.RunPaused: _run_paused,
        e.RunResumed: _run_resumed,
        e.RunRecovered: _run_recovered,
        e.CancelRequested: _cancel_requested,
        agents.AgentChosen: fold_added.agent_chosen,
        agents.AgentSaid: fold_added.agent_said,
        v.StopRequested: fold_verbs.stop_requested,
        v.RetryRequested: fold_again.retry_requested,
        v.RunReopened: fold_again.run_reopened,
        v.StepUndoRequested: fold_verbs.step_undo_requested,
        e.UndoRequested: fold_undo.undo_requested,
        e.UndoStarted: fold_undo.undo_started,
        e.UndoEnded: fold_undo.undo_ended,
        e.ProblemNoted: _problem_noted,
        e.RunEnded: _run_ended,
    },
)
"""Who takes which kind of entry into account."""
