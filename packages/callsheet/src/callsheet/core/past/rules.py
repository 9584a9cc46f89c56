"""Whether an entry could have been written where it stands: the rules of replay, one per kind.

Pure. The driver writes only what was decided or has happened; whatever breaks a rule here was put
there by somebody else, or decided by another version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.past import verbs
from callsheet.core.run import agents
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.decide import decide
from callsheet.core.run.step import RunState, StepState

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.run.entry import Entry
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun

SOON = 1e-6
"""Seconds that a clock and the sum of its readings may differ by."""
_ASKED_FOR = (
    e.AnswerRecorded,
    e.RunPaused,
    e.RunResumed,
    e.CancelRequested,
    e.UndoRequested,
    v.StopRequested,
    v.RetryRequested,
    v.RunReopened,
    v.StepUndoRequested,
    e.StepsAdded,
    e.RunSealed,
)


def complaint_about(s: Snapshot, entry: e.AnyEntry) -> str | None:
    """Why the core would not have had this entry here, or None if it would.

    Raises:
        KeyError: it is about a step that does not exist.
    """
    if isinstance(entry, e.RunStarted) != (s.length == 0):
        return "a journal begins with RunStarted, once"
    if isinstance(entry, _ASKED_FOR) and entry.request in s.requests:
        return f"request {entry.request!r} was served before"
    rule = _RULES.get(type(entry))
    return rule(s, entry) if rule else None


def _step(s: Snapshot, key: str) -> StepRun:
    return s.steps[StepKey(key)]


def _steps_added(s: Snapshot, entry: e.StepsAdded) -> str | None:
    if not s.open or s.stopping or s.is_undoing or s.ended:
        return "the run was not open"
    known = [step.id for step in entry.steps if step.id in s.graph.steps]
    return f"there was a step {known[0]!r} already" if known else _not_from_inside(s, entry)


def _not_from_inside(s: Snapshot, entry: e.StepsAdded | e.RunSealed) -> str | None:
    """What an attempt does while it goes on, or with its end, if it ends well."""
    if entry.step is None:
        return None
    step = _step(s, entry.step)
    if step.key not in s.active and step.state is not StepState.SUCCEEDED:
        return f"{entry.step!r} was {s.state_of(step)}"
    return _attempt(entry.attempt or 0, step.attempts)


def _run_sealed(s: Snapshot, entry: e.RunSealed) -> str | None:
    return _not_from_inside(s, entry) if s.open else "the run was not open"


def _agent_chosen(s: Snapshot, entry: agents.AgentChosen) -> str | None:
    step = _step(s, entry.step)
    begun = step.attempts or step.final
    return f"{entry.step!r} was {s.state_of(step)} before somebody was chosen" if begun else None


def _agent_said(s: Snapshot, entry: agents.AgentSaid) -> str | None:
    _step(s, entry.step)
    return None if entry.seq == s.said + 1 else f"it was message {s.said + 1}, not {entry.seq}"


def _step_copied(s: Snapshot, entry: e.StepCopied) -> str | None:
    step = _step(s, entry.step)
    if s.pot.calls or s.active or s.questions:
        return "a run copies what another has done before it does anything itself"
    return f"{entry.step!r} was {s.state_of(step)} already" if step.final else None


def _step_cached(s: Snapshot, entry: e.StepCached) -> str | None:
    step = _step(s, entry.step)
    if not s.may_start(step):
        return f"{entry.step!r} was {s.state_of(step)} and not offered to be started"
    return None if step.planned.step.cache else f"{entry.step!r} is not to be cached"


def _step_decided(s: Snapshot, entry: e.StepDecided) -> str | None:
    chore = s.chores.get(StepKey(entry.step))
    if isinstance(chore, c.SkipStep):
        fits = entry.verdict == "skip" and entry.reason == chore.reason
    else:
        fits = isinstance(chore, c.DecideStep)
    return None if fits and s.goes_forward else f"{entry.step!r} was not to be decided so"


def _step_expanded(s: Snapshot, entry: e.StepExpanded) -> str | None:
    open_ = isinstance(s.chores.get(StepKey(entry.step)), c.ExpandStep)
    return None if open_ and s.goes_forward else f"{entry.step!r} was not to be expanded"


def _question_asked(s: Snapshot, entry: e.QuestionAsked) -> str | None:
    step = _step(s, entry.step)
    offered = s.chores.get(step.key) == c.AskStep(step=step.key, ask=entry.ask)
    if not offered or not s.goes_forward:
        return f"there was nothing to ask about {entry.step!r}"
    number = f"{step.key}#{step.questions + 1}"
    return None if entry.question == number else f"this is question {number!r}"


def _step_refused(s: Snapshot, entry: e.StepRefused) -> str | None:
    refusable = s.may_refuse(_step(s, entry.step))
    return None if refusable else f"{entry.step!r} was not about to be started"


def _step_delayed(s: Snapshot, entry: e.StepDelayed) -> str | None:
    step = _step(s, entry.step)
    if not s.may_start(step):
        return f"{entry.step!r} was not about to be started"
    return f"{entry.step!r} was held back for that already" if step.reason == entry.reason else None


def _attempt_started(s: Snapshot, entry: e.AttemptStarted) -> str | None:
    step = _step(s, entry.step)
    if not s.may_start(step):
        return f"{entry.step!r} was {s.state_of(step)} and not offered to be started"
    if entry.attempt != step.attempts + 1:
        return f"attempt {entry.attempt} of {entry.step!r} came after attempt {step.attempts}"
    if entry.reserved != step.planned.reserve:
        return f"{entry.step!r} reserved something other than its ceiling"
    if step.approved and step.approved != _digest_of(entry):
        return f"{entry.step!r} was approved with other arguments"
    return None


def _digest_of(entry: e.AttemptStarted) -> str:
    """Of the arguments, wherever they stand."""
    return (entry.stored or {}).get("args") or value.digest(value.decode(entry.args))


def _checkpoint_saved(s: Snapshot, entry: e.CheckpointSaved | e.TextEmitted) -> str | None:
    undoing = _step(s, entry.step).state is StepState.UNDOING
    return (_not_undoing if undoing else _not_running)(s, entry.step, entry.attempt)


def _text_emitted(s: Snapshot, entry: e.TextEmitted) -> str | None:
    said = s.texts.get(StepKey(entry.step), 0)
    if entry.offset != said:
        return f"{entry.step!r} had said {said} characters, not {entry.offset}"
    return _checkpoint_saved(s, entry)


def _attempt_ended(s: Snapshot, entry: e.AttemptEnded) -> str | None:
    return _not_running(s, entry.step, entry.attempt)


def _not_running(s: Snapshot, key: str, attempt: int) -> str | None:
    step = _step(s, key)
    if step.key not in s.active or step.state is StepState.UNDOING:
        return f"{key!r} was not running"
    return _attempt(attempt, step.attempts)


def _undo_started(s: Snapshot, entry: e.UndoStarted) -> str | None:
    step = _step(s, entry.step)
    if not_due := _not_due(s, step, entry.attempt):
        return not_due
    named = step.undo is not None and step.undo.tool == entry.tool
    return None if named else f"{entry.step!r} is undone by another tool"


def _not_due(s: Snapshot, step: StepRun, attempt: int) -> str | None:
    offered = c.StartUndo(step=step.key, attempt=attempt) in decide(s)
    return None if offered else f"the undo of {step.key!r} was not due"


def _undo_ended(s: Snapshot, entry: e.UndoEnded) -> str | None:
    step = _step(s, entry.step)
    if entry.outcome == "failed" and step.key not in s.active:
        # An undo that cannot be resolved fails without a start.
        return _not_due(s, step, entry.attempt)
    return _not_undoing(s, entry.step, entry.attempt)


def _not_undoing(s: Snapshot, key: str, attempt: int) -> str | None:
    step = _step(s, key)
    if step.key not in s.active or step.state is not StepState.UNDOING:
        return f"the undo of {key!r} was not running"
    return _attempt(attempt, step.undo_attempts)


def _timer_fired(s: Snapshot, entry: e.TimerFired) -> str | None:
    step = _step(s, entry.step)
    if step.key in s.deadlines:
        return _attempt(entry.attempt, 0)
    if step.key in s.timers:
        return _attempt(entry.attempt, step.undo_attempts or step.attempts)
    return f"no timer was set for {entry.step!r}"


def _attempt(found: int, expected: int) -> str | None:
    return None if found == expected else f"it was attempt {expected}, not {found}"


def _answer_recorded(s: Snapshot, entry: e.AnswerRecorded) -> str | None:
    question = s.questions.get(StepKey(entry.step))
    asked = question is not None and question.id == entry.question
    return None if asked else f"{entry.step!r} was not asking {entry.question!r}"


def _run_paused(s: Snapshot, _entry: e.RunPaused) -> str | None:
    return None if s.goes_forward else f"the run was {s.state}, and not to be paused"


def _run_resumed(s: Snapshot, _entry: e.RunResumed) -> str | None:
    return None if s.paused and not s.ended else "the run was not paused"


def _run_recovered(s: Snapshot, _entry: e.RunRecovered) -> str | None:
    return None if s.ran_at is not None else f"the run was {s.state}, and nobody had to drive it"


def _cancel_requested(s: Snapshot, _entry: e.CancelRequested) -> str | None:
    return _stopped(s)


def _seconds_spent(s: Snapshot, _entry: e.SecondsSpent) -> str | None:
    return _stopped(s)


def _stopped(s: Snapshot) -> str | None:
    over = s.stopping or s.is_undoing or s.ended
    return f"the run was {s.state}, and not to be stopped" if over else None


def _undo_requested(s: Snapshot, entry: e.UndoRequested) -> str | None:
    if s.is_undoing or s.state is RunState.UNDONE:
        return f"the run was {s.state} already"
    return None if entry.to is None or entry.to in s.steps else f"there is no step {entry.to!r}"


def _step_expired(s: Snapshot, entry: v.StepExpired) -> str | None:
    due = s.spans.get(StepKey(entry.step))
    if due is None:
        return f"no time was running for {entry.step!r}"
    is_over = s.seconds(entry.at) >= due - SOON
    return None if is_over else f"the time of {entry.step!r} was not over"


def _stop_requested(s: Snapshot, entry: v.StopRequested) -> str | None:
    return verbs.refusal_to_stop(s, _step(s, entry.step))


def _step_undo_requested(s: Snapshot, entry: v.StepUndoRequested) -> str | None:
    return verbs.refusal_to_undo(s, _step(s, entry.step))


def _retry_requested(s: Snapshot, entry: v.RetryRequested | v.RunReopened) -> str | None:
    if isinstance(entry, v.RunReopened) != bool(s.ended):
        return "only a run that has ended is reopened"
    return verbs.refusal_to_retry(s, _step(s, entry.step))


def _run_ended(s: Snapshot, entry: e.RunEnded) -> str | None:
    decided = [command for command in decide(s) if isinstance(command, c.EndRun)]
    if not decided:
        return "the run was not about to end"
    if (decided[0].state, decided[0].cause) != (entry.state, entry.cause):
        return f"the run would have ended {decided[0].state}"
    if entry.digest and entry.digest != s.digest():
        return f"the snapshot is {s.digest()}, not the recorded {entry.digest}"
    return None


_RULES = cast(
    "dict[type[Entry], Callable[[Snapshot, e.AnyEntry], str | None]]",
    {
        e.StepsAdded: _steps_added,
        e.RunSealed: _run_sealed,
        e.StepCopied: _step_copied,
        e.StepCached: _step_cached,
        e.StepDecided: _step_decided,
        e.StepExpanded: _step_expanded,
        e.StepRefused: _step_refused,
        e.StepDelayed: _step_delayed,
        e.AttemptStarted: _attempt_started,
        e.CheckpointSaved: _checkpoint_saved,
        e.TextEmitted: _text_emitted,
        e.AttemptEnded: _attempt_ended,
        e.TimerFired: _timer_fired,
        e.SecondsSpent: _seconds_spent,
        v.StepExpired: _step_expired,
        agents.AgentChosen: _agent_chosen,
        agents.AgentSaid: _agent_said,
        v.StopRequested: _stop_requested,
        v.RetryRequested: _retry_requested,
        v.RunReopened: _retry_requested,
        v.StepUndoRequested: _step_undo_requested,
        e.QuestionAsked: _question_asked,
        e.AnswerRecorded: _answer_recorded,
        e.RunPaused: _run_paused,
        e.RunResumed: _run_resumed,
        e.RunRecovered: _run_recovered,
        e.CancelRequested: _cancel_requested,
        e.UndoRequested: _undo_requested,
        e.UndoStarted: _undo_started,
        e.UndoEnded: _undo_ended,
        e.RunEnded: _run_ended,
    },
)
"""The rule for each kind of entry that has one."""
