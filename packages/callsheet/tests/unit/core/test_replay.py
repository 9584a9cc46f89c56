"""Replay: what it accepts, what it finds, and how it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import Raw, structs
from tests.unit.core.story import BEGIN, Story, failure

from callsheet.core.past.replay import replay
from callsheet.core.plan.plan import Budget, Cost, Step
from callsheet.core.run import entries as e
from callsheet.errors import ReplayImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable


def a_long_story() -> Story:
    """One entry of nearly every kind."""
    story = Story(
        Step(id="first", tool="look"),
        Step(id="rooms", tool="make", for_each=[1, 2], needs=("first",)),
        Step(id="maybe", tool="look", when="${inputs.go}", needs=("first",)),
        Step(id="ok", ask="?", needs=("rooms",)),
        Step(id="mail", tool="make", approval="required", needs=("ok",)),
        Step(id="last", tool="look", needs=("mail",)),
    )
    story.fails("first", failure("transient")).fire("first").does("first").settle()
    story.start("rooms[0]", "rooms[1]", "maybe")
    story.add(e.CheckpointSaved(at=story.now, step="rooms[0]", attempt=1, data=e.NULL))
    story.pause().end("rooms[0]").end("rooms[1]").end("maybe").resume().settle()
    story.answer("ok", "keep").settle().answer("mail", "approve")
    story.add(e.StepDelayed(at=story.now, step="mail", reason="The breaker is open."))
    story.does("mail").start("last").cancel().end("last", "cancelled")
    story.undo_start("mail").undo_end("mail", "failed", failure("transient")).fire("mail")
    return story.undoes("mail", "rooms[0]", "rooms[1]").ends()


@pytest.mark.requirement("E12", "replay:byte-identical", "replay:needs-no-tools")
def test_a_journal_replays_the_same() -> None:
    story = a_long_story()
    report = replay(story.entries)
    assert report.same, report.difference
    assert (report.run, report.entries) == ("r1", len(story.entries))
    assert report.digest == story.s.digest()
    assert report.difference is None


def test_an_empty_journal_cannot_be_replayed() -> None:
    with pytest.raises(ReplayImpossibleError, match="empty"):
        replay([])


def differs(entries: list[e.AnyEntry], at: int, what: str) -> None:
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    assert what in report.difference.what
    assert report.difference.seq == at + 1
    assert report.digest == ""


@pytest.mark.requirement("E12", "replay:first-difference-shown")
@pytest.mark.parametrize("index", range(len(a_long_story().entries) - 1))
def test_every_entry_is_missed(index: int) -> None:
    entries = a_long_story().entries
    del entries[index]
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    assert report.difference.diff.startswith("--- recorded\n+++ decided\n")


def test_a_journal_that_does_not_begin_with_its_start_has_no_name() -> None:
    report = replay(a_long_story().entries[1:])
    assert (report.same, report.run) == (False, "")


def test_the_difference_shows_what_was_recorded_and_what_was_decided() -> None:
    story = Story(Step(id="a", tool="look"), Step(id="b", tool="look", needs=("a",)))
    story.add(e.AttemptStarted(at=BEGIN, step="b", attempt=1, args=Raw(b"{}"), reserved=Cost()))
    report = replay(story.entries)
    assert report.difference is not None
    assert report.difference.seq == 2
    assert report.difference.what == "'b' was pending and not offered to be started"
    assert '-  "step": "b"' in report.difference.diff
    assert '+StartAttempt {"step":"a","attempt":1}' in report.difference.diff


def test_two_folds_that_differ_are_shown() -> None:
    story = Story(Step(id="a", tool="pay"))
    story.start("a").end("a", cost=Cost(usd=1))
    # As if an amount were not what it is when it is read again.
    structs.force_setattr(story.entries[-1].cost, "usd", 1)  # type: ignore[union-attr]
    report = replay(story.entries)
    assert report.difference is not None
    assert report.difference.what == "two folds differ"
    assert '-    "usd": 1\n+    "usd": 1.0' in report.difference.diff


AT = BEGIN


def chores() -> Story:
    return Story(
        Step(id="e", tool="look", for_each=[1]),
        Step(id="w", tool="look", when="${inputs.go}"),
        Step(id="q", ask="?"),
        Step(id="a", tool="make"),
        Step(id="b", tool="look", needs=("a",)),
        budget=Budget(seconds=5.0),
        on_failure="continue",
    )


WRONG: list[tuple[str, Callable[[Story], Story], dict[str, Any], type[e.AnyEntry], str]] = [
    (
        "a step that was not to be expanded",
        lambda story: story,
        {"step": "a", "count": 1},
        e.StepExpanded,
        "'a' was not to be expanded",
    ),
    (
        "expanded in a paused run",
        lambda story: story.pause(),
        {"step": "e", "count": 1},
        e.StepExpanded,
        "'e' was not to be expanded",
    ),
    (
        "decided where nothing was to decide",
        lambda story: story,
        {"step": "a", "verdict": "run"},
        e.StepDecided,
        "'a' was not to be decided so",
    ),
    (
        "decided to run what was to be skipped",
        lambda story: story.settle().fails("a"),
        {"step": "b", "verdict": "run"},
        e.StepDecided,
        "'b' was not to be decided so",
    ),
    (
        "a question of another kind",
        lambda story: story,
        {"step": "q", "question": "q#1", "ask": "approval", "text": "?"},
        e.QuestionAsked,
        "there was nothing to ask about 'q'",
    ),
    (
        "a question with another number",
        lambda story: story,
        {"step": "q", "question": "q#2", "ask": "question", "text": "?"},
        e.QuestionAsked,
        "this is question 'q#1'",
    ),
    (
        "refused what was not up",
        lambda story: story.settle(),
        {"step": "b", "error": failure()},
        e.StepRefused,
        "'b' was not about to be started",
    ),
    (
        "refused in a paused run",
        lambda story: story.pause(),
        {"step": "e", "error": failure()},
        e.StepRefused,
        "'e' was not about to be started",
    ),
    (
        "held back what was not up",
        lambda story: story.settle().start("a"),
        {"step": "a", "reason": "busy"},
        e.StepDelayed,
        "'a' was not about to be started",
    ),
    (
        "held back twice for the same reason",
        lambda story: story.settle().add(e.StepDelayed(at=AT, step="a", reason="busy")),
        {"step": "a", "reason": "busy"},
        e.StepDelayed,
        "'a' was held back for that already",
    ),
    (
        "started as another attempt",
        lambda story: story.settle(),
        {"step": "a", "attempt": 2, "args": Raw(b"{}")},
        e.AttemptStarted,
        "attempt 2 of 'a' came after attempt 0",
    ),
    (
        "reserved something else",
        lambda story: story.settle(),
        {"step": "a", "attempt": 1, "args": Raw(b"{}"), "reserved": Cost(usd=1)},
        e.AttemptStarted,
        "'a' reserved something other than its ceiling",
    ),
    (
        "ended what was not running",
        lambda story: story.settle(),
        {"step": "a", "attempt": 0, "outcome": "succeeded"},
        e.AttemptEnded,
        "'a' was not running",
    ),
    (
        "ended another attempt",
        lambda story: story.settle().start("a"),
        {"step": "a", "attempt": 2, "outcome": "succeeded"},
        e.AttemptEnded,
        "it was attempt 1, not 2",
    ),
    (
        "a checkpoint of nothing",
        lambda story: story.settle(),
        {"step": "a", "attempt": 0, "data": e.NULL},
        e.CheckpointSaved,
        "'a' was not running",
    ),
    (
        "an undo that was not due",
        lambda story: story.settle().does("a"),
        {"step": "a", "attempt": 1, "tool": "unmake", "args": e.NULL},
        e.UndoStarted,
        "the undo of 'a' was not due",
    ),
    (
        "an undo by another tool",
        lambda story: story.settle().does("a").undo(),
        {"step": "a", "attempt": 1, "tool": "refund", "args": e.NULL},
        e.UndoStarted,
        "'a' is undone by another tool",
    ),
    (
        "the end of an undo that did not run",
        lambda story: story.settle().start("a"),
        {"step": "a", "attempt": 0, "outcome": "succeeded"},
        e.UndoEnded,
        "the undo of 'a' was not running",
    ),
    (
        "the end of an attempt while it was being undone",
        lambda story: story.settle().does("a").undo().undo_start("a"),
        {"step": "a", "attempt": 1, "outcome": "succeeded"},
        e.AttemptEnded,
        "'a' was not running",
    ),
    (
        "a timer that was not set",
        lambda story: story.settle(),
        {"step": "a", "attempt": 0},
        e.TimerFired,
        "no timer was set for 'a'",
    ),
    (
        "an answer to another question",
        lambda story: story.settle(),
        {"step": "q", "question": "q#7", "answer": e.NULL},
        e.AnswerRecorded,
        "'q' was not asking 'q#7'",
    ),
    (
        "paused twice",
        lambda story: story.pause(),
        {},
        e.RunPaused,
        "the run was running, and not to be paused",
    ),
    ("resumed while it ran", lambda story: story, {}, e.RunResumed, "the run was not paused"),
    (
        "recovered while it was paused",
        lambda story: story.pause(),
        {},
        e.RunRecovered,
        "the run was running, and nobody had to drive it",
    ),
    (
        "cancelled twice",
        lambda story: story.cancel(),
        {},
        e.CancelRequested,
        "the run was running, and not to be stopped",
    ),
    (
        "out of time after it stopped",
        lambda story: story.cancel(),
        {"seconds": 5.0},
        e.SecondsSpent,
        "the run was running, and not to be stopped",
    ),
    (
        "undone while it is being undone",
        lambda story: story.settle().does("a").undo(),
        {},
        e.UndoRequested,
        "the run was undoing already",
    ),
    (
        "undone but for a step that is not there",
        lambda story: story,
        {"to": "zz"},
        e.UndoRequested,
        "there is no step 'zz'",
    ),
    (
        "ended too early",
        lambda story: story,
        {"state": "succeeded"},
        e.RunEnded,
        "the run was not about to end",
    ),
    (
        "ended otherwise",
        lambda story: story.cancel(),
        {"state": "failed"},
        e.RunEnded,
        "the run would have ended cancelled",
    ),
    (
        "a step that is not there",
        lambda story: story,
        {"step": "zz", "attempt": 1, "args": Raw(b"{}")},
        e.AttemptStarted,
        "the entry does not fit what was before it (KeyError('zz'))",
    ),
]


@pytest.mark.requirement("E12", "replay:first-difference-shown")
@pytest.mark.parametrize(
    ("before", "fields", "kind", "what"),
    [case[1:] for case in WRONG],
    ids=[case[0] for case in WRONG],
)
def test_an_entry_that_the_core_would_not_have_had_is_found(
    before: Callable[[Story], Story], fields: dict[str, Any], kind: Any, what: str
) -> None:
    story = before(chores())
    differs([*story.entries, kind(at=AT, **fields)], len(story.entries), what)


def test_a_request_is_served_once() -> None:
    story = chores()
    story.add(e.RunPaused(at=AT, request="q1")).resume()
    again = e.RunPaused(at=AT, request="q1")
    differs([*story.entries, again], len(story.entries), "request 'q1' was served before")


def test_a_timer_belongs_to_an_attempt() -> None:
    story = Story(Step(id="a", tool="look"), Step(id="q", ask="?", timeout=9.0)).settle()
    story.fails("a", failure("transient"))
    wrong = e.TimerFired(at=AT, step="a", attempt=2)
    differs([*story.entries, wrong], len(story.entries), "it was attempt 1, not 2")
    wrong = e.TimerFired(at=AT, step="q", attempt=1)
    differs([*story.entries, wrong], len(story.entries), "it was attempt 0, not 1")


def test_an_undo_may_put_something_down_too() -> None:
    story = Story(Step(id="a", tool="make")).does("a").ends().undo().undo_start("a")
    story.add(e.CheckpointSaved(at=AT, step="a", attempt=1, data=e.NULL))
    assert replay(story.undo_end("a").ends().entries).same


def test_an_undo_that_cannot_be_resolved_ends_without_a_start_but_not_any_time() -> None:
    story = Story(Step(id="a", tool="make")).does("a").ends()
    failed = e.UndoEnded(at=AT, step="a", attempt=1, outcome="failed", error=failure("invalid"))
    differs([*story.entries, failed], len(story.entries), "the undo of 'a' was not due")
    assert replay(story.undo().undo_end_unstarted("a").ends().entries).same


@pytest.mark.requirement("approval:bound-to-arguments")
def test_an_approved_step_starts_with_the_arguments_that_were_approved() -> None:
    story = Story(Step(id="a", tool="look", approval="required")).settle().answer("a", "approve")
    other = e.AttemptStarted(at=AT, step="a", attempt=1, args=Raw(b'{"n":2}'))
    differs([*story.entries, other], len(story.entries), "'a' was approved with other arguments")
    assert replay(story.does("a").ends().entries).same


def test_a_snapshot_that_is_not_the_recorded_one_is_found() -> None:
    story = Story(Step(id="a", tool="look")).does("a").ends()
    story.entries[-1] = structs.replace(story.entries[-1], digest="0" * 64)
    differs(story.entries, len(story.entries) - 1, f"not the recorded {'0' * 64}")


@pytest.mark.requirement("E22", "versions:old-journals-replay")
def test_an_end_without_a_digest_is_believed() -> None:
    story = Story(Step(id="a", tool="look")).does("a").ends()
    story.entries[-1] = structs.replace(story.entries[-1], digest="")
    assert replay(story.entries).same
