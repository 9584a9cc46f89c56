"""How each entry changes a run, and how they play together when it gets rough."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec import structs
from tests.unit.core.story import BEGIN, NEEDS_OUTPUT, Story, a_plan, a_start, failure

from callsheet.core.plan.plan import NOTHING, Budget, Cost, Retry, Step
from callsheet.core.run import entries as e
from callsheet.core.run import fold, policy
from callsheet.core.run.graph import MAX_LOST
from callsheet.core.run.policy import UNDO_ATTEMPTS, UNDO_MAX_LOST
from callsheet.errors import ReplayImpossibleError


@pytest.mark.requirement("E22", "versions:old-journals-replay")
@pytest.mark.parametrize("newer", [{"format": 2}, {"core": 99}])
def test_a_journal_of_a_newer_version_is_refused(newer: dict[str, int]) -> None:
    started = structs.replace(a_start(a_plan()), **newer)
    with pytest.raises(ReplayImpossibleError, match="Upgrade callsheet"):
        fold.fold([started])


def test_a_fold_goes_on_where_another_ended() -> None:
    story = Story(Step(id="a", tool="look")).does("a").ends()
    first = fold.fold(story.entries[:2])
    assert fold.fold(story.entries[2:], first) is first
    assert first.encode() == story.s.encode()
    assert first.length == len(story.entries)


# Attempts


def test_a_step_that_fails_is_tried_again_after_its_backoff() -> None:
    story = Story(Step(id="a", tool="look"))
    story.start("a").end("a", "failed", failure("transient"))
    assert (story.state("a"), story.step("a").error) == ("retrying", failure("transient"))
    assert story.starts() == []
    assert story.fire("a").starts() == ["a"]
    story.does("a")
    assert story.step("a").error is None
    assert story.step("a").attempts == 2


@pytest.mark.requirement("retry:backoff-from-a-seed")
def test_the_wait_is_that_of_the_run_s_seed() -> None:
    story = Story(Step(id="a", tool="look")).later(5).fails("a", failure("transient"))
    wait = policy.retry_wait("seed", story.step("a"), None)
    assert story.s.timers == {"a": story.now + wait}
    undone = Story(Step(id="a", tool="make")).does("a").ends().later(5).undo()
    undone.undo_start("a").undo_end("a", "failed", failure("transient"))
    assert undone.s.timers == {"a": undone.now + policy.undo_wait("seed", undone.step("a"), None)}


def test_when_a_run_and_its_steps_began_and_ended_is_known() -> None:
    story = Story(Step(id="a", tool="look"), Step(id="q", ask="?", needs=("a",)))
    story.later(1).fails("a", failure("transient")).fire("a").later(1).does("a")
    again = story.now
    story.later(1).settle()
    asked = story.now
    story.later(1).answer("q", "yes").later(1).ends()
    a, q = story.step("a"), story.step("q")
    assert (a.started_at, a.ended_at) == (BEGIN + timedelta(seconds=1), again)
    assert (q.started_at, q.ended_at) == (asked, asked + timedelta(seconds=1))
    assert (story.s.started_at, story.s.ended_at) == (BEGIN, story.now)
    assert story.undo().s.ended_at is None


def test_without_backoff_it_is_ready_at_once() -> None:
    story = Story(Step(id="a", tool="look", retry=Retry(backoff=0.0)))
    assert story.fails("a", failure("transient")).starts() == ["a"]


@pytest.mark.requirement("E11")
def test_a_lost_attempt_is_made_again_at_once_but_not_for_ever() -> None:
    story = Story(Step(id="a", tool="look"))
    for _ in range(MAX_LOST):
        story.start("a").end("a", "lost")
        assert story.starts() == ["a"]
    story.start("a").end("a", "lost")
    assert story.state("a") == "failed"
    assert story.step("a").error == e.Failure(
        error_class="transient", message="The attempt was lost."
    )


def test_a_tool_that_did_not_stop_is_a_problem() -> None:
    story = Story(Step(id="a", tool="look")).start("a").cancel()
    story.add(
        e.AttemptEnded(at=story.now, step="a", attempt=1, outcome="cancelled", abandoned=True)
    )
    assert story.s.problems == [("a", "was told to stop and did not; it may still be running")]


@pytest.mark.requirement("E7")
def test_errors_are_counted_per_tool_and_class() -> None:
    story = Story(Step(id="a", tool="look"), Step(id="b", tool="watch"))
    story.fails("a", failure("transient")).fire("a").fails("a", failure("transient"))
    story.fails("b", failure("invalid"))
    assert story.s.errors == {"look": {"transient": 2}, "watch": {"invalid": 1}}


def test_what_is_remarked_changes_nothing() -> None:
    story = Story(Step(id="a", tool="look")).start("a")
    before = story.offered()
    story.add(e.CheckpointSaved(at=story.now, step="a", attempt=1, data=e.NULL))
    story.add(e.ProblemNoted(at=story.now, message="slow", step="a"))
    assert story.offered() == before
    assert story.s.problems == [("a", "slow")]


def test_a_step_that_is_held_back_says_why_until_it_starts() -> None:
    story = Story(Step(id="a", tool="look"))
    story.add(e.StepDelayed(at=story.now, step="a", reason="The breaker is open."))
    assert story.step("a").reason == "The breaker is open."
    assert story.starts() == ["a"]
    assert story.start("a").step("a").reason == ""


def test_a_step_that_cannot_be_resolved_has_failed_without_an_attempt() -> None:
    story = Story(Step(id="e", tool="look", for_each="${inputs.list}"))
    story.add(e.StepRefused(at=story.now, step="e", error=failure("invalid")))
    assert (story.state("e"), story.step("e").attempts) == ("failed", 0)
    assert story.ending().state == "failed"
    going_on = Story(Step(id="w", tool="look", when="${inputs.go}"), on_failure="continue")
    going_on.add(e.StepRefused(at=story.now, step="w", error=failure("invalid")))
    assert going_on.ending().state == "failed", "there is nothing left to decide about it"


# Questions


@pytest.mark.requirement("approval:bound-to-arguments", "approval:denied-is-denied", "E17")
def test_an_approval_makes_a_step_ready_and_a_denial_fails_it() -> None:
    story = Story(
        Step(id="a", tool="make", approval="required", retry=Retry(attempts=2)),
        Step(id="b", tool="make", approval="required"),
        Step(id="c", tool="make", approval="required"),
        on_failure="continue",
    )
    story.settle().answer("a", "approve").answer("b", "deny", by="eve").answer("c", "deny")
    assert story.step("a").approved == story.s.steps[story.step("a").key].question.digest  # type: ignore[union-attr]
    assert story.starts() == ["a"]
    story.fails("a", failure("transient", nothing=True)).fire("a")
    assert story.starts() == ["a"], "one approval holds for all attempts"
    assert story.step("b").error == e.Failure(error_class="denied", message="Denied by eve.")
    assert story.step("c").error == e.Failure(error_class="denied", message="Denied.")


def test_a_question_that_nobody_answers_in_time_has_failed() -> None:
    story = Story(Step(id="q", ask="?", timeout=60.0), Step(id="p", ask="?")).settle()
    assert list(story.s.deadlines) == ["q"]
    story.fire("q")
    assert story.state("q") == "failed"
    assert story.step("q").error == e.Failure(
        error_class="timeout", message="Nobody answered in time."
    )
    assert not story.s.questions, "the run stops, and nobody is asked any more"
    assert story.ending().state == "failed"


def test_an_answer_in_time_disarms_the_deadline() -> None:
    story = Story(Step(id="q", ask="?", timeout=60.0)).settle().answer("q", "yes")
    assert not story.s.deadlines
    assert story.ends().s.ended == "succeeded"


@pytest.mark.requirement("pause:answers-and-timers-go-on")
def test_a_deadline_runs_while_the_run_is_paused() -> None:
    story = Story(Step(id="q", ask="?", timeout=60.0, on_failure="ignore")).settle().pause()
    assert story.state("q") == "waiting"
    assert story.fire("q").ending().state == "succeeded"
    assert not story.s.questions


def test_a_request_is_remembered() -> None:
    story = Story(Step(id="q", ask="?")).settle()
    story.add(e.RunPaused(at=story.now, request="q1"))
    story.add(e.RunResumed(at=story.now, request="q2"))
    story.add(e.AnswerRecorded(at=story.now, step="q", question="q#1", answer=e.NULL, request="q3"))
    story.add(e.CancelRequested(at=story.now, request="q4"))
    story.add(e.UndoRequested(at=story.now, request="q5"))
    assert story.s.requests == {"q1", "q2", "q3", "q4", "q5"}


# Doubts


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
def test_a_doubt_is_resolved_by_a_person() -> None:
    story = Story(*(Step(id=key, tool="make") for key in "abc"), on_failure="continue")
    story.in_doubt("a").in_doubt("b").in_doubt("c").settle()
    assert [story.state(key) for key in "abc"] == ["in_doubt"] * 3
    assert story.step("a").error == failure("timeout")
    story.answer("a", "happened").answer("b", "did_not").answer("c", "undo")
    assert story.step("a").owes
    assert (story.state("a"), story.starts(), story.undos()) == ("succeeded", ["b"], ["c"])
    story.does("b").undoes("c")
    assert story.state("c") == "undone"
    assert story.ends().s.ended == "failed"


def test_each_doubt_may_be_asked_about_again() -> None:
    story = Story(Step(id="a", tool="make"))
    for number in (1, 2, 3):
        story.in_doubt("a").settle()
        assert story.s.questions[story.step("a").key].id == f"a#{number}"
        story.answer("a", "did_not")
    assert story.starts() == ["a"]


def test_a_try_that_did_not_happen_is_not_held_against_the_step() -> None:
    story = Story(Step(id="a", tool="make", retry=Retry(attempts=2)))
    story.in_doubt("a").settle().answer("a", "did_not")
    story.fails("a", failure("transient", nothing=True))
    assert story.state("a") == "retrying"
    story.fire("a").fails("a", failure("transient", nothing=True))
    assert story.state("a") == "failed"


def test_an_undo_of_a_doubt_is_tried_again_while_the_run_goes_on() -> None:
    story = Story(Step(id="a", tool="make", on_failure="ignore"), Step(id="b", tool="look"))
    story.in_doubt("a").settle().answer("a", "undo")
    story.undo_start("a").undo_end("a", "failed", failure("transient"))
    assert story.starts() == ["b"]
    assert story.fire("a").undos() == ["a"]
    story.undoes("a").does("b").ends()
    assert (story.s.ended, story.state("a")) == ("succeeded", "undone")


@pytest.mark.requirement("doubt:undone-without-output-or-stuck", "E9")
def test_a_stuck_doubt_may_still_be_answered_and_then_undone() -> None:
    def stuck() -> Story:
        story = Story(Step(id="a", tool="make", undo=NEEDS_OUTPUT), Step(id="b", tool="look"))
        story.in_doubt("a").fails("b").ends()
        assert (story.s.ended, list(story.s.questions)) == ("stuck", ["a"])
        return story

    happened = stuck().answer("a", "happened")
    assert (happened.s.ended, happened.state("a")) == ("stuck", "succeeded")
    assert happened.undo().undoes("a").ends().s.ended == "undone"
    did_not = stuck().answer("a", "did_not")
    assert did_not.state("a") == "cancelled"
    assert did_not.undo().ends().s.ended == "undone"
    again = stuck().undo()
    assert not again.s.questions, "nobody is asked while the run is being undone"
    assert again.ends().s.ended == "stuck"
    assert again.s.questions[again.step("a").key].id == "a#2"


def test_a_write_that_may_be_there_and_cannot_be_undone_may_be_answered_whatever_it_reads() -> None:
    failed = Story(Step(id="a", tool="put", undo=NEEDS_OUTPUT, retry=Retry(attempts=1)))
    failed.fails("a", failure("transient")).ends()
    assert (failed.s.ended, failed.state("a")) == ("stuck", "failed")
    assert failed.answer("a", "did_not").state("a") == "failed"
    assert failed.undo().ends().s.ended == "undone"
    undo_failed = Story(Step(id="a", tool="make"), Step(id="b", tool="look"))
    undo_failed.in_doubt("a").fails("b").undo_fails("a").ends()
    assert undo_failed.answer("a", "did_not").state("a") == "cancelled"
    assert undo_failed.undo().ends().s.ended == "undone"


# Stopping and taking back


def test_a_question_that_is_open_when_a_run_stops_is_no_problem() -> None:
    story = Story(Step(id="q", ask="?", timeout=9.0), Step(id="p", ask="?", needs=("q",))).settle()
    assert story.cancel().ends().s.problems == []
    assert not story.s.deadlines


def test_nothing_is_left_over_from_a_saga() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="make", undo=NEEDS_OUTPUT),
        Step(id="c", tool="make"),
    )
    story.start("c").end("c", undo_error="null").in_doubt("a").in_doubt("b").settle()
    story.answer("a", "undo").cancel().undoes("a").ends()
    assert (story.s.ended, story.s.saga, story.s.timers) == ("stuck", None, {})
    assert list(story.s.questions) == ["b"], "what happened to `c` is known"
    story.undo()
    assert story.state("a") == "undone"
    assert story.ends().s.ended == "stuck"


def test_a_call_that_was_told_to_stop_says_so() -> None:
    told = failure("cancelled", nothing=True)
    story = Story(Step(id="a", tool="make")).start("a").cancel().end("a", "cancelled", told)
    assert (story.state("a"), story.step("a").error) == ("cancelled", told)


def test_a_write_that_waits_to_be_tried_again_is_taken_back_when_the_run_stops() -> None:
    story = Story(Step(id="a", tool="put"), Step(id="q", ask="?")).settle()
    story.fails("a", failure("transient")).cancel()
    assert not story.s.timers
    assert story.undos() == ["a"], "it may have happened"
    assert story.undoes("a").ends().s.ended == "undone"


def test_the_first_cause_of_a_stop_stands() -> None:
    story = Story(Step(id="a", tool="look"), Step(id="b", tool="look"), on_failure="stop")
    story.start("a", "b").end("a", "failed", failure()).end("b", "failed", failure())
    assert story.ends().s.cause == e.Cause(kind="failure", step="a", message="It was fatal.")


@pytest.mark.requirement("budget:seconds-count-running")
@pytest.mark.parametrize(
    ("on_failure", "state"), [("undo", "undone"), ("stop", "failed"), ("continue", "failed")]
)
def test_when_its_seconds_are_spent_a_run_stops(on_failure: str, state: str) -> None:
    story = Story(Step(id="a", tool="make"), Step(id="b", tool="look"), on_failure=on_failure)
    story.does("a").add(e.SecondsSpent(at=story.now, seconds=5.0))
    for key in story.undos():
        story.undoes(key)
    assert story.ends().s.ended == state
    assert story.s.cause == e.Cause(
        kind="budget", message="Over budget: 5 seconds of running time are used up."
    )


@pytest.mark.requirement("cancel:every-attempt-gets-a-final-record")
def test_what_happens_while_a_run_stops_still_counts() -> None:
    story = Story(
        Step(id="done", tool="make"),
        Step(id="after", tool="make", needs=("done",)),
        Step(id="broken", tool="look"),
        Step(id="lost", tool="put"),
        Step(id="unsure", tool="shout"),
    )
    story.start("done", "broken", "lost", "unsure").cancel()
    story.end("done").end("broken", "failed", failure("transient"))
    story.end("lost", "lost").end("unsure", "cancelled")
    assert sorted(story.undos()) == ["done", "lost"]
    story.undoes("done", "lost").ends()
    assert story.s.ended == "stuck", "nobody knows whether `unsure` was heard"
    assert {key: story.state(key) for key in story.s.steps} == {
        "done": "undone",
        "after": "cancelled",
        "broken": "failed",
        "lost": "undone",
        "unsure": "in_doubt",
    }


def test_an_undo_request_while_a_question_is_open_closes_it() -> None:
    story = Story(Step(id="a", tool="make"), Step(id="q", ask="?", needs=("a",)))
    story.does("a").settle().undo()
    assert not story.s.questions
    story.undoes("a").ends()
    assert (story.s.ended, story.state("q")) == ("undone", "cancelled")
    assert story.s.cause == e.Cause(kind="request", by="ann")


def test_an_undo_request_is_heard_while_a_run_stops_that_would_keep_everything() -> None:
    story = Story(Step(id="a", tool="make"), Step(id="b", tool="look"), on_cancel="keep")
    story.does("a").start("b").cancel().undo()
    assert story.s.state == "running"
    story.end("b", "cancelled")
    assert story.undos() == ["a"]
    assert story.undoes("a").ends().s.ended == "undone"
    drained = Story(Step(id="a", tool="make"), Step(id="b", tool="look"), on_cancel="keep")
    assert drained.does("a").cancel().undo().undos() == ["a"]


@pytest.mark.requirement("E9", "undo:at-most-once")
def test_a_stuck_run_is_undone_again_with_attempts_of_its_own() -> None:
    story = Story(Step(id="a", tool="make")).does("a").ends().undo()
    for _ in range(UNDO_ATTEMPTS - 1):
        story.undo_start("a").undo_end("a", "failed", failure("transient"))
        story.fire("a")
    story.undo_start("a").undo_end("a", "failed", failure("transient")).ends()
    assert (story.s.ended, story.state("a")) == ("stuck", "undo_failed")
    assert story.step("a").error == failure("transient")
    story.undo().undo_start("a").undo_end("a", "failed", failure("transient"))
    assert list(story.s.timers) == ["a"], "it is tried again, as often as the first time"
    story.fire("a").undoes("a").ends()
    assert (story.s.ended, story.step("a").undo_attempts) == ("undone", UNDO_ATTEMPTS + 2)


def test_an_undo_that_is_lost_is_made_again_but_not_for_ever() -> None:
    story = Story(Step(id="a", tool="make")).does("a").ends().undo()
    for _ in range(UNDO_MAX_LOST):
        story.undo_start("a").undo_end("a", "lost").fire("a")
    story.undo_start("a").undo_end("a", "lost").ends()
    assert story.s.problems == [("a", "could not be undone: it was lost too often")]


def test_an_undo_that_cannot_even_be_started_has_failed() -> None:
    story = Story(Step(id="a", tool="make")).in_doubt("a").settle().cancel()
    story.undo_end_unstarted("a")
    assert story.ends().s.ended == "stuck"
    assert (story.state("a"), story.s.active) == ("undo_failed", {})
    going_on = Story(Step(id="a", tool="make"), on_failure="continue")
    going_on.in_doubt("a").settle().answer("a", "undo").undo_end_unstarted("a")
    assert (going_on.ends().s.ended, going_on.state("a")) == ("stuck", "undo_failed")


def test_an_undo_of_a_doubt_is_taken_over_when_the_run_stops() -> None:
    story = Story(Step(id="a", tool="make"), Step(id="b", tool="look"))
    story.in_doubt("a").settle().start("b").answer("a", "undo")
    story.undo_start("a").end("b", "failed", failure())
    assert story.s.state == "running", "what is being undone is drained, too"
    story.undo_end("a", "failed", failure("transient"))
    assert story.undos() == ["a"], "and goes on without waiting"
    assert story.undoes("a").ends().s.ended == "undone"


def test_what_is_kept_after_all_is_in_doubt_again() -> None:
    story = Story(Step(id="a", tool="make")).in_doubt("a").settle().answer("a", "undo")
    assert story.state("a") == "undoing"
    assert story.undo(to="a").ends().s.ended == "undone"
    assert story.state("a") == "in_doubt"


# Money


@pytest.mark.requirement("budget:reserved-with-the-start")
def test_an_undo_s_cost_is_kept_as_long_as_it_may_be_owed() -> None:
    story = Story(Step(id="a", tool="buy")).start("a")
    assert (story.s.pot.reserved, story.s.pot.kept) == (Cost(usd=2.0), NOTHING)
    story.end("a", cost=Cost(usd=0.4))
    assert (story.s.pot.spent, story.s.pot.reserved) == (Cost(usd=0.4), NOTHING)
    assert story.s.pot.kept == Cost(usd=1.0)
    story.ends().undo().undo_start("a").undo_end("a", cost=Cost(usd=0.5))
    assert (story.s.pot.spent, story.s.pot.kept) == (Cost(usd=0.9), NOTHING)
    assert story.step("a").cost == Cost(usd=0.9)


@pytest.mark.requirement("budget:cap-never-exceeded")
def test_a_retry_does_not_reserve_its_undo_twice() -> None:
    story = Story(Step(id="a", tool="rent"), budget=Budget(usd=2.0))
    story.fails("a", failure("transient"))
    assert story.s.pot.kept == Cost(usd=1.0), "it may have happened"
    assert story.fire("a").starts() == ["a"]
    story.start("a")
    assert (story.s.pot.reserved, story.s.pot.kept) == (Cost(usd=2.0), NOTHING)
    story.end("a")
    assert (story.s.pot.reserved, story.s.pot.kept) == (NOTHING, Cost(usd=1.0))
    assert (story.step("a").done, story.step("a").maybe) == (True, False)


@pytest.mark.requirement("budget:cap-never-exceeded")
def test_in_doubt_keeps_its_reservation_until_it_is_resolved() -> None:
    def doubtful() -> Story:
        story = Story(Step(id="a", tool="buy")).in_doubt("a").settle()
        assert story.s.pot.reserved == Cost(usd=2.0)
        return story

    did_not = doubtful().answer("a", "did_not").s.pot
    assert (did_not.reserved, did_not.kept) == (NOTHING, NOTHING)
    happened = doubtful().answer("a", "happened").s.pot
    assert (happened.reserved, happened.kept) == (NOTHING, Cost(usd=1.0))
    undoing = doubtful().answer("a", "undo").s.pot
    assert (undoing.reserved, undoing.kept) == (NOTHING, Cost(usd=1.0))
    undone = doubtful().answer("a", "undo").undoes("a").s.pot
    assert (undone.reserved, undone.kept) == (NOTHING, NOTHING)
    stopped = doubtful().cancel().undoes("a").s.pot
    assert (stopped.reserved, stopped.kept) == (NOTHING, NOTHING)


@pytest.mark.requirement("budget:cap-never-exceeded")
def test_an_overrun_is_charged_in_full_and_nothing_further_starts() -> None:
    story = Story(
        Step(id="a", tool="pay"),
        Step(id="b", tool="look"),
        budget=Budget(usd=1.0),
        on_failure="continue",
    )
    story.start("a").end("a", cost=Cost(usd=1.5))
    assert story.s.pot.spent == Cost(usd=1.5)
    assert story.ends().s.ended == "failed"
    assert story.s.cause == e.Cause(
        kind="budget", step="a", message="Over budget: 1.5 usd spent of 1."
    )
    assert story.state("b") == "cancelled"


@pytest.mark.requirement("budget:cap-never-exceeded")
def test_an_undo_may_overrun_too_and_then_nothing_further_starts() -> None:
    story = Story(
        Step(id="a", tool="buy", on_failure="ignore"),
        Step(id="b", tool="look"),
        budget=Budget(usd=2.0),
        on_failure="stop",
    )
    story.in_doubt("a").settle().answer("a", "undo")
    story.undo_start("a").undo_end("a", cost=Cost(usd=2.5))
    assert story.starts() == []
    assert story.ends().s.ended == "failed"


def test_a_call_that_is_refused_for_money_while_others_are_open_stops_them() -> None:
    story = Story(
        Step(id="a", tool="look"),
        Step(id="b", tool="pay"),
        budget=Budget(usd=0.5),
        on_failure="undo",
    )
    story.start("a").settle()
    assert story.state("b") == "failed"
    story.end("a", "cancelled")
    assert story.ends().s.ended == "failed"


# Touching


def test_an_item_in_doubt_holds_its_key_until_it_is_resolved() -> None:
    story = Story(
        Step(id="e", tool="make", for_each=[1, 2], touches=("x",)),
        Step(id="z", tool="look", touches=("x",)),
        on_failure="continue",
    )
    story.settle().in_doubt("e[0]").settle()
    assert story.starts() == []
    story.answer("e[0]", "undo").undo_start("e[0]")
    assert story.starts() == []
    story.undo_end("e[0]")
    assert story.starts() == ["e[1]"]
    assert story.does("e[1]").starts() == ["z"]
