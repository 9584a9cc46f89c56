"""What should happen next: case by case, and nothing that should not."""

from __future__ import annotations

import pytest
from tests.unit.core.story import Story, failure

from callsheet.core.plan.plan import Budget, Cost, Step
from callsheet.core.run import commands as c
from callsheet.core.run.decide import decide
from callsheet.core.run.snapshot import Snapshot


def test_nothing_follows_from_nothing() -> None:
    assert decide(Snapshot()) == []


def test_a_plan_without_steps_succeeds() -> None:
    assert Story().ending() == c.EndRun(state="succeeded", cause=None)


def test_what_must_be_settled_comes_before_what_may_start() -> None:
    story = Story(
        Step(id="a", tool="look"),
        Step(id="e", tool="look", for_each=[1], priority=5),
        Step(id="q", ask="?"),
        Step(id="w", tool="look", when="${inputs.go}"),
        Step(id="p", tool="look", approval="required"),
        concurrency=1,
    )
    assert story.offered() == [
        c.ExpandStep(step=story.step("e").key),
        c.AskStep(step=story.step("q").key, ask="question"),
        c.DecideStep(step=story.step("w").key),
        c.AskStep(step=story.step("p").key, ask="approval"),
    ]
    # The item is better than `a`, which was ready before there was an item.
    assert story.settle().starts() == ["e[0]"]


@pytest.mark.requirement("order:priority-then-plan-order", "E4")
def test_the_best_start_first_and_no_more_than_there_are_places() -> None:
    story = Story(
        Step(id="a", tool="look"),
        Step(id="b", tool="watch"),
        Step(id="c", tool="look", priority=1),
        concurrency=2,
    )
    assert story.starts() == ["c", "a"]
    assert story.starts("look") == ["b"]
    assert story.starts("look", "watch") == []
    story.start("c")
    assert story.starts() == ["a"]
    assert story.start("a").offered() == []


@pytest.mark.requirement("budget:cap-never-exceeded", "budget:reserved-with-the-start")
def test_parallel_starts_reserve_together() -> None:
    story = Story(
        Step(id="a", tool="pay"),
        Step(id="b", tool="pay"),
        Step(id="c", tool="pay"),
        budget=Budget(usd=2.0),
    )
    assert story.starts() == ["a", "b"]
    assert story.starts() == ["a", "b"], "to decide changes nothing"
    story.start("a", "b")
    assert story.offered() == [], "`c` waits while a call is open that could release enough"
    story.end("a", cost=Cost(usd=0.5))
    assert story.offered() == []
    story.end("b", cost=Cost(usd=0.5))
    assert story.starts() == ["c"]


def test_what_can_never_be_paid_is_refused() -> None:
    story = Story(
        Step(id="a", tool="pay"),
        Step(id="b", tool="pay"),
        Step(id="c", tool="look"),
        budget=Budget(usd=1.5),
        on_failure="continue",
    )
    story.start("a").end("a", cost=Cost(usd=1.0))
    refused, started = story.offered()
    assert isinstance(refused, c.RefuseStep)
    assert (refused.step, refused.error.error_class) == ("b", "denied")
    assert refused.error.message == "Budget: the call may cost 1 usd, 0.5 of 1.5 are left."
    assert started == c.StartAttempt(step=story.step("c").key, attempt=1)


def test_who_waits_for_money_does_not_stand_in_the_way_of_who_needs_none() -> None:
    story = Story(
        Step(id="a", tool="pay"),
        Step(id="b", tool="pay"),
        Step(id="c", tool="look"),
        budget=Budget(usd=1.0),
        concurrency=2,
    )
    assert story.start("a").starts() == ["c"]


def test_a_cap_on_calls_counts_items_and_retries() -> None:
    story = Story(
        Step(id="e", tool="look", for_each=[1, 2, 3]),
        budget=Budget(calls=2),
        on_failure="continue",
    )
    story.settle()
    assert story.starts() == ["e[0]", "e[1]"]
    story.start("e[0]", "e[1]").settle()
    assert story.step("e[2]").error == failure_of_calls()
    story.end("e[0]").end("e[1]", "failed", failure("transient")).fire("e[1]").settle()
    assert story.step("e[1]").error == failure_of_calls()
    assert story.ending().state == "failed"


def failure_of_calls() -> object:
    return failure("denied").__class__(
        error_class="denied", message="Budget: 2 of 2 calls are used up."
    )


@pytest.mark.requirement("pause:nothing-starts", "pause:answers-and-timers-go-on")
def test_nothing_is_offered_in_a_paused_run_and_what_ran_may_finish_it() -> None:
    story = Story(
        Step(id="q", ask="?"),
        Step(id="r", tool="look"),
        Step(id="a", tool="look"),
        Step(id="e", tool="look", for_each=[1], needs=("q",)),
    )
    story.settle().start("r").end("r", "failed", failure("transient")).start("a").pause()
    story.end("a").fire("r").answer("q", "yes")
    assert story.offered() == []
    story.resume().settle()
    assert story.starts() == ["r", "e[0]"]
    story.does("r").start("e[0]").pause().end("e[0]")
    assert story.ending().state == "succeeded"


@pytest.mark.requirement("cancel:no-start-after-journalled", "failure:running-attempts-are-drained")
def test_a_run_that_stops_tells_what_is_running_and_ends_when_that_has_ended() -> None:
    story = Story(
        Step(id="a", tool="look"), Step(id="b", tool="look"), concurrency=1, on_cancel="keep"
    )
    story.start("a").cancel()
    assert story.offered() == [c.StopAttempts()]
    story.end("a", "cancelled", failure("cancelled"))
    assert story.ending().state == "cancelled"


@pytest.mark.requirement("cancel:undo-goes-through")
def test_what_a_person_wants_taken_back_is_also_when_the_run_is_cancelled() -> None:
    story = Story(
        Step(id="a", tool="make"), Step(id="b", tool="look"), on_failure="stop", concurrency=2
    )
    story.in_doubt("a").settle().start("b").answer("a", "undo").cancel()
    assert story.offered() == [
        c.StartUndo(step=story.step("a").key, attempt=1),
        c.StopAttempts(),
    ]
    story.end("b", "cancelled").undo_start("a").undo_end("a", "failed", failure("transient"))
    assert story.offered() == [], "it is tried again"
    story.fire("a").undoes("a")
    assert story.ends().s.ended == "cancelled"
    assert story.state("a") == "undone"


def test_a_waiting_undo_outlives_the_cancel() -> None:
    story = Story(Step(id="a", tool="make"), Step(id="r", tool="look"), on_cancel="keep")
    story.start("r").end("r", "failed", failure("transient"))
    story.in_doubt("a").settle().answer("a", "undo")
    story.undo_start("a").undo_end("a", "failed", failure("transient")).cancel()
    assert list(story.s.timers) == ["a"], "the retry of `r` is off, that of the undo is not"
    assert story.offered() == []
    assert story.fire("a").undoes("a").ends().state("a") == "undone"


@pytest.mark.parametrize(
    ("on_failure", "on_cancel", "state"),
    [
        ("undo", None, "undone"),
        ("undo", "keep", "cancelled"),
        ("stop", None, "cancelled"),
        ("stop", "undo", "undone"),
        ("continue", None, "cancelled"),
    ],
)
@pytest.mark.requirement("E3")
def test_a_cancel_keeps_or_takes_back_as_the_plan_says(
    on_failure: str, on_cancel: str | None, state: str
) -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="look"),
        on_failure=on_failure,
        on_cancel=on_cancel,
    )
    story.does("a").cancel()
    for key in story.undos():
        story.undoes(key)
    assert story.ends().s.ended == state
    assert story.s.cause is not None
    assert (story.s.cause.kind, story.s.cause.by) == ("cancel", "ann")


@pytest.mark.parametrize(
    ("on_failure", "owes", "state"),
    [
        ("undo", True, "undone"),
        ("undo", False, "failed"),
        ("stop", True, "failed"),
        ("continue", True, "failed"),
    ],
)
@pytest.mark.requirement("failure:undo-takes-back-what-is-owed", "failure:continue-runs-the-rest")
def test_a_failure_ends_a_run_as_the_plan_says(on_failure: str, owes: bool, state: str) -> None:
    story = Story(
        Step(id="a", tool="make" if owes else "look"),
        Step(id="b", tool="look"),
        Step(id="c", tool="look"),
        on_failure=on_failure,
    )
    story.does("a").fails("b")
    assert story.starts() == (["c"] if on_failure == "continue" else [])
    for key in story.starts():
        story.does(key)
    for key in story.undos():
        story.undoes(key)
    assert story.ends().s.ended == state
    assert story.s.cause is not None
    assert (story.s.cause.kind, story.s.cause.step) == ("failure", "b")


def test_an_undo_that_was_asked_for_ends_undone_even_if_nothing_was_owed() -> None:
    assert Story(Step(id="a", tool="look")).does("a").ends().undo().ending().state == "undone"


def test_undos_keep_to_the_number_of_places() -> None:
    story = Story(*(Step(id=key, tool="make") for key in "abc"), concurrency=2)
    story.does("a", "b", "c").ends().undo()
    assert len(story.undos()) == 2
    first, second = story.undos()
    story.undo_start(first, second)
    assert story.offered() == []
    assert len(story.undo_end(first).undos()) == 1


@pytest.mark.requirement("E9")
@pytest.mark.parametrize("policy", ["fail", "skip", "ignore"])
def test_a_run_whose_doubt_could_not_be_taken_back_is_stuck_whatever_its_steps_may_do(
    policy: str,
) -> None:
    story = Story(
        Step(id="a", tool="make", on_failure=policy),  # type: ignore[arg-type]
        on_failure="continue",
    )
    story.in_doubt("a").settle().answer("a", "undo").undo_fails("a")
    assert story.ends().s.ended == "stuck"
    assert story.s.cause is not None
    assert (story.s.cause.kind, story.s.cause.step) == ("failure", "a")
    assert story.s.cause.message == "In doubt; its undo failed: It was fatal."
    story.undo().undoes("a")
    assert story.ends().s.ended == "undone"


@pytest.mark.requirement("states:ended-is-absorbing")
def test_an_ended_run_offers_nothing() -> None:
    assert Story(Step(id="a", tool="look")).does("a").ends().offered() == []
