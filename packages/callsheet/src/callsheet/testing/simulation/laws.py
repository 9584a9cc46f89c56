"""The laws of a run: what holds in every story, whatever goes wrong in it.

A law is a function that yields what breaks it. These read the journal; those about what is left
outside, and what people were told, are in `laws_outside`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.past.replay import replay
from callsheet.core.run import entries as e
from callsheet.testing.simulation.tale import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.testing.simulation.tale import Tale, Try

RETRYABLE = frozenset({"transient", "rate_limited", "timeout"})
ATTEMPTS = 3
"""Tries in all, unless the plan or the tool says otherwise."""
DUST = 1e-6
_AFTER_THE_END = (e.UndoRequested, e.AnswerRecorded)


def the_journal_replays(tale: Tale) -> Iterator[str]:
    """Folding and deciding again over the journal comes to the same."""
    report = replay(tale.entries)
    if report.difference is not None:
        yield f"at {report.difference.seq}: {report.difference.what}"


def it_begins_ends_and_goes_forward_in_time(tale: Tale) -> Iterator[str]:
    """A start, an end, and time between them; after the end only a person begins again."""
    if not isinstance(tale.entries[0], e.RunStarted):
        yield "it does not begin with its start"
    ended = False
    for seq, (before, entry) in enumerate(pairwise(tale.entries), 2):
        ended = (ended or isinstance(before, e.RunEnded)) and not isinstance(
            before, e.UndoRequested
        )
        if ended and not isinstance(entry, _AFTER_THE_END):
            yield f"{type(entry).__name__} at {seq}, after the end"
        if entry.at < before.at:
            yield f"time goes back at {seq}"


def every_attempt_starts_once_and_ends_once(tale: Tale) -> Iterator[str]:
    """Starts and ends come in pairs, and none is open when the run ends."""
    yield from tale.strays
    ends = [seq for seq, entry in enumerate(tale.entries, 1) if isinstance(entry, e.RunEnded)]
    for book in (*tale.tries.values(), *tale.undos.values()):
        for each in book:
            if not each.ended:
                yield f"attempt {each.attempt} of {each.step} has no end"
            elif any(each.is_open_at(end) for end in ends):
                yield f"the run ended while attempt {each.attempt} of {each.step} went on"


def a_finished_step_never_runs_again(tale: Tale) -> Iterator[str]:
    """What has succeeded, or happened as a person says, is not called again."""
    for key, book in tale.tries.items():
        for earlier, later in pairwise(book):
            if earlier.end is not None and earlier.end.outcome == "succeeded":
                yield f"{key} had succeeded, and starts again at {later.began}"
            if tale.said(key, "happened", before=later.began):
                yield f"{key} had happened, and starts again at {later.began}"


def a_step_starts_when_what_it_needs_has_ended(tale: Tale) -> Iterator[str]:
    """Everything that a step names or refers to is over before its first attempt."""
    over: set[str] = set()
    left: dict[str, int] = {}
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.AttemptStarted) and entry.attempt == 1:
            open_ = tale.needs[name_of(entry.step)] - over
            if open_:
                yield f"{entry.step} starts at {seq}, before {', '.join(sorted(open_))} is over"
        elif isinstance(entry, e.StepExpanded):
            left[entry.step] = entry.count
            over |= set() if entry.count else {entry.step}
        elif (key := _finishes(tale, entry)) is not None:
            left[name_of(key)] = left.get(name_of(key), 1) - 1
            over |= set() if left[name_of(key)] else {name_of(key)}


def _finishes(tale: Tale, entry: e.AnyEntry) -> str | None:
    """The step that an entry may end for good, read generously."""
    if isinstance(entry, e.AttemptEnded):
        last = tale.tries[entry.step][-1].attempt == entry.attempt
        return entry.step if last and not _in_doubt_open(tale, entry) else None
    if isinstance(entry, e.AnswerRecorded):
        word = bytes(entry.answer)
        final = tale.step(entry.step).ask is not None or word in (b'"happened"', b'"deny"')
        return entry.step if final else None
    if isinstance(entry, e.StepDecided):
        return entry.step if entry.verdict == "skip" else None
    if isinstance(entry, e.UndoEnded):
        return entry.step if entry.outcome == "succeeded" else None
    finals = (e.StepRefused, e.StepCached, e.StepCopied)
    return entry.step if isinstance(entry, finals) else None


def _in_doubt(tale: Tale, entry: e.AttemptEnded) -> bool:
    sure = entry.error is not None and entry.error.nothing_happened
    return not (sure or tale.is_repeatable(entry.step))


def a_step_does_not_run_on_what_failed_or_was_skipped(tale: Tale) -> Iterator[str]:
    """Unless the plan says that it does."""
    skipped: set[str] = set()
    failed: set[str] = set()
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.AttemptStarted) and entry.attempt == 1:
            for need in tale.needs[name_of(entry.step)]:
                if why := _unfit(tale, need, entry.step, skipped, failed):
                    yield f"{entry.step} starts at {seq}, although {need} {why}"
        elif isinstance(entry, e.StepDecided) and entry.verdict == "skip":
            skipped.add(entry.step)
        elif isinstance(entry, e.StepCopied):
            (skipped if entry.outcome == "skipped" else set()).add(entry.step)
        elif isinstance(entry, (e.StepRefused, e.AttemptEnded, e.AnswerRecorded)):
            (failed.add if _is_failure(entry) else failed.discard)(entry.step)


def _is_failure(entry: e.StepRefused | e.AttemptEnded | e.AnswerRecorded) -> bool:
    if isinstance(entry, e.AttemptEnded):
        return entry.outcome == "failed"
    return isinstance(entry, e.StepRefused) or bytes(entry.answer) == b'"deny"'


def _unfit(tale: Tale, need: str, key: str, skipped: set[str], failed: set[str]) -> str:
    anyway = tale.step(key).run_if_skipped
    if need in skipped:
        return "" if anyway else "was skipped"
    policy = tale.steps[need].on_failure
    if need in failed and (policy == "fail" or (policy == "skip" and not anyway)):
        return "failed"
    return ""


def nothing_starts_after_a_stop_or_in_a_pause(tale: Tale) -> Iterator[str]:
    """Once a cancel, an undo or the end of the time is journalled, nothing is tried any more."""
    stopped = paused = ""
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, (e.CancelRequested, e.UndoRequested, e.SecondsSpent)):
            stopped = f"{type(entry).__name__} at {seq}"
        elif isinstance(entry, e.RunPaused):
            paused = f"RunPaused at {seq}"
        elif isinstance(entry, e.RunResumed):
            paused = ""
        elif isinstance(entry, e.AttemptStarted) and (stopped or paused):
            yield f"{entry.step} starts at {seq}, after {stopped or paused}"


def nothing_starts_after_a_failure_that_counts(tale: Tale) -> Iterator[str]:
    """With `undo` and `stop`, the first failure is the last thing that a run goes into."""
    if tale.plan.on_failure == "continue":
        return
    failed = ""
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.AttemptStarted) and failed:
            yield f"{entry.step} starts at {seq}, although {failed}"
        elif isinstance(entry, (e.StepRefused, e.AnswerRecorded)) and _is_failure(entry):
            counts = tale.step(entry.step).on_failure == "fail"
            failed = f"{entry.step} had failed at {seq}" if counts else failed


def no_more_goes_on_at_once_than_allowed(tale: Tale) -> Iterator[str]:
    """The plan's `concurrency`, and keys that two steps touch."""
    open_: dict[str, e.AnyEntry] = {}
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
            for other in open_:
                if shared := tale.touched_by(entry.step) & tale.touched_by(other):
                    yield f"{entry.step} starts at {seq}, while {other} touches {min(shared)}"
            open_[entry.step] = entry
            # What is a run of its own waits for others, and calls nobody.
            calls = sum(tale.step(each).plan is None for each in open_)
            if calls > tale.plan.concurrency:
                yield f"{calls} go on at {seq}; {tale.plan.concurrency} may"
        elif isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
            open_.pop(entry.step, None)


def every_question_is_answered_once(tale: Tale) -> Iterator[str]:
    """An answer belongs to a question that was asked, and to no other answer's."""
    asked: set[str] = set()
    answered: set[str] = set()
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.QuestionAsked):
            asked.add(entry.question)
        elif isinstance(entry, e.RunEnded):
            # A stuck run asks its doubts again, with numbers that nobody has written down.
            answered = set() if entry.state == "stuck" else answered
        elif isinstance(entry, e.AnswerRecorded):
            if entry.question in answered:
                yield f"{entry.question} is answered again at {seq}"
            answered.add(entry.question)


def what_needs_approval_starts_with_what_was_approved(tale: Tale) -> Iterator[str]:
    """A person has said yes, to these arguments, before the first attempt."""
    asked: dict[str, e.QuestionAsked] = {}
    approved: dict[str, str] = {}
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.QuestionAsked) and entry.ask == "approval":
            asked[entry.step] = entry
        elif isinstance(entry, e.AnswerRecorded) and bytes(entry.answer) == b'"approve"':
            approved[entry.step] = asked[entry.step].digest
        elif isinstance(entry, e.AttemptStarted) and tale.step(entry.step).approval:
            same = approved.get(entry.step) == value.digest(tale.value(entry, "args"))
            if not same:
                yield f"{entry.step} starts at {seq} with arguments that nobody approved"


def an_attempt_is_repeated_only_when_it_may_be(tale: Tale) -> Iterator[str]:
    """The class of the error, the number of tries, and never a write that may have happened."""
    for key, book in tale.tries.items():
        spec, step = tale.spec(key), tale.step(key)
        retry = step.retry or spec.retry
        tried_again = tale.is_repeatable(key) or step.in_doubt == "retry"
        allowed = (retry and retry.attempts) or (ATTEMPTS if tried_again else 1)
        counted = [t for t in book if t.end is None or t.end.outcome != "lost"]
        if len(counted) > allowed + tale.said(key, "did_not"):
            yield f"{key} was tried {len(counted)} times; {allowed} are allowed"
        for earlier, later in pairwise(book):
            if why := _not_to_be_repeated(tale, earlier, later):
                yield f"{key} starts again at {later.began}: {why}"


def _not_to_be_repeated(tale: Tale, earlier: Try, later: Try) -> str:
    end = earlier.end
    if end is None or end.outcome == "succeeded":
        return ""  # other laws speak of those
    unheard = not (end.error is not None and end.error.nothing_happened)
    answers = tale.answers.get(earlier.step, ())
    denied = any(earlier.ended < at < later.began and say == "did_not" for at, say in answers)
    if denied:
        return ""
    if unheard and not tale.is_repeatable(earlier.step):
        return "" if tale.step(earlier.step).in_doubt == "retry" else "it may have happened"
    if end.error is not None and end.error.error_class not in RETRYABLE:
        return f"its error was {end.error.error_class}"
    return ""


def a_tool_that_asks_for_time_gets_it(tale: Tale) -> Iterator[str]:
    """`retry_after` is waited for."""
    for book in (*tale.tries.values(), *tale.undos.values()):
        for earlier, later in pairwise(book):
            error = earlier.end.error if earlier.end else None
            if error is None or not error.retry_after or earlier.end is None:
                continue
            waited = (later.start.at - earlier.end.at).total_seconds()
            if waited < error.retry_after - DUST and not tale.said(earlier.step, "did_not"):
                yield f"{earlier.step} waits {waited:g} s of {error.retry_after:g} s"


def reservations_stay_under_the_cap(tale: Tale) -> Iterator[str]:
    """What is spent and what is set aside for calls that go on fits under it, at every start."""
    cap = tale.plan.budget.usd if tale.plan.budget else None
    spent = 0.0
    open_: dict[str, float] = {}
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.AttemptStarted):
            wanted = open_[entry.step] = _ceiling(tale, entry.step)
            if abs(entry.reserved.usd - wanted) > DUST:
                yield f"{entry.step} reserves {entry.reserved.usd:g} at {seq}, not {wanted:g}"
            whole = spent + sum(open_.values())
            if cap is not None and wanted and whole > cap + DUST:
                yield f"{whole:g} USD are spent or set aside at {seq}; the cap is {cap:g}"
        elif isinstance(entry, (e.AttemptEnded, e.UndoEnded, e.AnswerRecorded)):
            spent += entry.cost.usd
            if not (isinstance(entry, e.AttemptEnded) and _in_doubt_open(tale, entry)):
                open_.pop(entry.step, None)


def no_more_calls_are_made_than_allowed(tale: Tale) -> Iterator[str]:
    """The plan's cap on calls."""
    cap = tale.plan.budget.calls if tale.plan.budget else None
    made = sum(tale.step(t.step).plan is None for t in tale.all_tries() if not t.is_unbegun)
    if cap is not None and made > cap:
        yield f"{made} calls were made; {cap} may be"


def _in_doubt_open(tale: Tale, entry: e.AttemptEnded) -> bool:
    """Whether an attempt ended so that its reservation stays until somebody knows more."""
    asks = tale.step(entry.step).in_doubt == "ask"
    return entry.outcome != "succeeded" and asks and _in_doubt(tale, entry)


def _ceiling(tale: Tale, key: str) -> float:
    step, spec = tale.step(key), tale.spec(key)
    mine = spec.ceiling if step.plan is not None else step.ceiling or spec.ceiling
    undo = tale.specs.get(tale.undo_tool(key) or "")
    kept = undo.ceiling.usd if undo is not None and undo.ceiling else 0.0
    return (mine.usd if mine else 0.0) + kept


LAWS: tuple[Callable[[Tale], Iterator[str]], ...] = (
    the_journal_replays,
    it_begins_ends_and_goes_forward_in_time,
    every_attempt_starts_once_and_ends_once,
    a_finished_step_never_runs_again,
    a_step_starts_when_what_it_needs_has_ended,
    a_step_does_not_run_on_what_failed_or_was_skipped,
    nothing_starts_after_a_stop_or_in_a_pause,
    nothing_starts_after_a_failure_that_counts,
    no_more_goes_on_at_once_than_allowed,
    every_question_is_answered_once,
    what_needs_approval_starts_with_what_was_approved,
    an_attempt_is_repeated_only_when_it_may_be,
    a_tool_that_asks_for_time_gets_it,
    reservations_stay_under_the_cap,
    no_more_calls_are_made_than_allowed,
)
