"""What a snapshot says about a run and its steps."""

from __future__ import annotations

import pytest
from tests.unit.core.story import NEEDS_OUTPUT, Story, failure

from callsheet.core.plan.plan import Budget, Step
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import RunState


def test_before_its_first_entry_a_run_is_pending() -> None:
    assert Snapshot().state == "pending"


def test_some_states_are_the_end() -> None:
    ended = [str(state) for state in RunState if state.ended]
    assert ended == ["succeeded", "failed", "cancelled", "undone", "stuck"]


def test_a_run_is_waiting_when_nothing_can_proceed_until_a_person_answers() -> None:
    story = Story(Step(id="q", ask="Well?"), Step(id="a", tool="look")).settle()
    assert story.s.state == "running"
    assert story.start("a").s.state == "running"
    assert story.end("a", "failed", failure("transient")).s.state == "running", "a timer runs"
    assert story.fire("a").does("a").s.state == "waiting"
    assert story.answer("q", "yes").s.state == "running"
    assert story.ends().s.state == "succeeded"


@pytest.mark.requirement("budget:seconds-count-running")
def test_seconds_count_running_and_neither_pauses_nor_waiting() -> None:
    story = Story(Step(id="q", ask="?"), Step(id="a", tool="look")).settle().start("a")
    story.later(10).pause().later(100).resume().later(1).end("a")
    story.later(1000).answer("q", "yes").later(2).ends().later(50)
    assert story.s.seconds(story.now) == 13.0


@pytest.mark.requirement("budget:seconds-count-running")
def test_seconds_in_which_nobody_drove_the_run_do_not_count() -> None:
    story = Story(Step(id="a", tool="look")).later(2).start("a").later(3)
    story.add(e.CheckpointSaved(at=story.now, step="a", attempt=1, data=e.NULL)).later(100)
    story.add(e.RunRecovered(at=story.now)).end("a", "lost").later(4)
    assert story.s.seconds(story.now) == 9.0
    assert fold.fold([e.RunRecovered(at=story.now)]).ran == 0.0


@pytest.mark.requirement("budget:seconds-count-running")
def test_seconds_that_are_running_now_are_counted_to_now() -> None:
    story = Story(Step(id="a", tool="look")).start("a").later(5)
    assert story.s.seconds(story.now) == 5.0
    assert Snapshot().seconds(story.now) == 0.0


def test_a_run_that_waits_for_a_reservation_of_a_call_in_doubt_is_waiting() -> None:
    story = Story(
        Step(id="a", tool="buy"),
        Step(id="b", tool="pay"),
        Step(id="c", tool="look", needs=("b",)),
        budget=Budget(usd=2.0),
    )
    story.in_doubt("a").settle()
    assert story.starts() == []
    assert story.s.state == "waiting", "`b` cannot start while `a` holds the money"
    story.answer("a", "did_not")
    assert story.s.state == "running"


def test_a_step_is_refused_rather_than_waited_for_when_nobody_can_help() -> None:
    story = Story(
        Step(id="q", ask="?"), Step(id="b", tool="pay", on_failure="ignore"), budget=Budget(usd=0.5)
    )
    story.asks("q")
    assert story.s.state == "running", "the refusal is to be written down"
    assert story.settle().s.state == "waiting"


def test_what_had_not_started_when_a_run_stopped_is_cancelled() -> None:
    story = Story(
        Step(id="ready", tool="look"),
        Step(id="pending", tool="look", needs=("ready",)),
        Step(id="waiting", ask="?"),
        Step(id="retrying", tool="look"),
        Step(id="e", tool="look", for_each=[1, 2]),
        Step(id="running", tool="look"),
    )
    story.settle().start("retrying").end("retrying", "failed", failure("transient"))
    story.start("running", "e[0]")
    assert story.state("retrying") == "retrying"
    story.cancel()
    states = {key: story.state(key) for key in story.s.steps}
    assert states == {
        "ready": "cancelled",
        "pending": "cancelled",
        "waiting": "cancelled",
        "retrying": "cancelled",
        "e": "running",
        "e[0]": "running",
        "e[1]": "cancelled",
        "running": "running",
    }
    story.end("running").end("e[0]", "cancelled")
    assert (story.state("running"), story.state("e")) == ("succeeded", "cancelled")


def test_a_list_that_was_cut_short_reads_cancelled_also_while_its_items_are_undone() -> None:
    story = Story(Step(id="e", tool="make", for_each=[1, 2])).settle().does("e[0]").cancel()
    story.undo_start("e[0]")
    assert story.s.state == "undoing"
    assert story.state("e") == "cancelled"


@pytest.mark.requirement("order:skips-follow-skips")
def test_skips_follow_skips_unless_a_step_says_otherwise() -> None:
    story = Story(
        Step(id="a", tool="look", when="${inputs.go}"),
        Step(id="b", tool="look", needs=("a",)),
        Step(id="c", tool="look", needs=("b",)),
        Step(id="d", tool="look", needs=("c",), run_if_skipped=True),
        Step(id="e", tool="look", needs=("d",)),
        Step(id="f", tool="look", for_each=[1], needs=("b",)),
    )
    story.decide("a", "skip").settle()
    assert story.starts() == ["d"]
    assert story.step("b").reason == "needs 'a', which was skipped"
    assert story.does("d", "e").ends().s.ended == "succeeded"
    states = [story.state(key) for key in "abcdef"]
    assert states == ["skipped", "skipped", "skipped", "succeeded", "succeeded", "skipped"]


@pytest.mark.requirement("failure:continue-runs-the-rest")
def test_nothing_below_a_failure_runs_not_even_what_runs_if_something_was_skipped() -> None:
    story = Story(
        Step(id="a", tool="look"),
        Step(id="b", tool="look", needs=("a",)),
        Step(id="c", tool="look", needs=("b",), run_if_skipped=True),
        Step(id="d", tool="look", needs=("c", "x"), run_if_skipped=True),
        Step(id="x", tool="look"),
        on_failure="continue",
    )
    story.fails("a").settle()
    assert story.starts() == ["x"]
    story.does("x").settle().ends()
    assert story.s.ended == "failed"
    assert [story.state(key) for key in "abcdx"] == [
        "failed",
        "skipped",
        "skipped",
        "skipped",
        "succeeded",
    ]
    assert story.step("c").reason == "needs 'b', which was skipped"


@pytest.mark.requirement("undo:recovered-errors-undo-nothing")
def test_a_step_that_may_fail_lets_the_run_go_on_and_is_a_problem() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="look", on_failure="ignore", needs=("a",)),
        Step(id="c", tool="look", on_failure="skip", needs=("a",)),
        Step(id="after_b", tool="look", needs=("b",)),
        Step(id="after_c", tool="look", needs=("c",)),
        Step(id="anyway", tool="look", needs=("c",), run_if_skipped=True),
    )
    story.does("a").fails("b").fails("c").settle()
    assert story.starts() == ["after_b", "anyway"]
    story.does("after_b", "anyway").ends()
    assert story.s.ended == "succeeded"
    assert story.s.problems == [
        ("b", "failed (fatal): It was fatal."),
        ("c", "failed (fatal): It was fatal."),
    ]
    assert story.step("after_c").reason == "needs 'c', which failed"


@pytest.mark.parametrize(
    ("policy", "state", "dependent"),
    [
        ("ignore", "succeeded", "ready"),
        ("skip", "succeeded", "ready"),
        ("fail", "failed", "pending"),
    ],
)
def test_a_list_has_failed_when_an_item_of_it_has_and_that_counts(
    policy: str, state: str, dependent: str
) -> None:
    story = Story(
        Step(id="e", tool="look", for_each=[1, 2], on_failure=policy),  # type: ignore[arg-type]
        Step(id="z", tool="look", needs=("e",)),
        on_failure="continue",
    )
    story.settle().fails("e[0]").does("e[1]")
    assert (story.state("e"), story.state("z")) == (state, dependent)


def test_a_list_whose_items_were_all_skipped_has_succeeded() -> None:
    story = Story(Step(id="e", tool="look", for_each=[1, 2], when="${item}"))
    story.expand("e", 2).decide("e[0]", "skip").decide("e[1]", "skip")
    assert (story.state("e"), story.ending().state) == ("succeeded", "succeeded")


def test_a_list_without_items_succeeds_and_makes_room_for_who_touches_the_same() -> None:
    story = Story(
        Step(id="e", tool="look", for_each=[], touches=("x",)),
        Step(id="z", tool="look", touches=("x",)),
    )
    assert story.starts() == []
    assert story.expand("e", 0).starts() == ["z"]


def test_the_view_says_all_that_two_snapshots_are_compared_by() -> None:
    story = Story(Step(id="a", tool="make"), Step(id="b", tool="look", approval="required"))
    story.settle().answer("b", "approve").does("a").fails("b")
    view = story.s.view()
    assert view["state"] == "undoing"
    steps = view["steps"]
    assert isinstance(steps, dict)
    assert steps["a"] == {"state": "succeeded", "attempts": 1, "done": True}
    assert isinstance(steps["b"], dict)
    assert steps["b"]["error"] == "fatal: It was fatal."
    assert story.s.encode() != story.undo_start("a").s.encode()
    assert len(story.s.digest()) == 64


@pytest.mark.requirement("doubt:undone-without-output-or-stuck")
def test_a_doubt_that_was_being_asked_about_when_the_run_stopped_is_not_forgotten() -> None:
    story = Story(
        Step(id="a", tool="make", undo=NEEDS_OUTPUT),
        Step(id="b", tool="make", undo=NEEDS_OUTPUT),
        Step(id="c", tool="look"),
        on_failure="stop",
    )
    story.in_doubt("a").settle().in_doubt("b")
    assert list(story.s.questions) == ["a"]
    story.start("c").end("c", "failed", failure())
    assert not story.s.questions
    assert story.ends().s.ended == "failed"
    assert [story.state(key) for key in "abc"] == ["in_doubt", "in_doubt", "failed"]
    assert sorted(map(str, story.problems())) == ["a", "b"]
