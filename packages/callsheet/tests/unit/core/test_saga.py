"""Taking back: nothing before what was built on it, and a failed undo holds back only its own."""

from __future__ import annotations

import pytest
from tests.unit.core.story import NEEDS_OUTPUT, Story

from callsheet.core.plan.plan import Step
from callsheet.core.run.saga import was_undone
from callsheet.core.run.step import StepState


def a_diamond() -> Story:
    return Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="make", needs=("a",)),
        Step(id="c", tool="make", needs=("a",)),
        Step(id="d", tool="make", needs=("b", "c")),
    ).does("a", "b", "c", "d")


@pytest.mark.requirement("undo:reverse-order", "E9")
def test_a_step_is_undone_after_everything_that_depended_on_it() -> None:
    story = a_diamond().ends().undo()
    assert story.undos() == ["d"]
    story.undoes("d")
    assert sorted(story.undos()) == ["b", "c"], "in parallel where possible"
    story.undo_start("b", "c").undo_end("c")
    assert story.undos() == []
    story.undo_end("b")
    assert story.undos() == ["a"]
    story.undoes("a")
    assert story.ending().state == "undone"


def test_steps_that_owe_nothing_pass_the_turn_on() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="look", needs=("a",)),
        Step(id="c", tool="shout", needs=("b",)),
        Step(id="d", tool="make", needs=("c",)),
    )
    story.does("a", "b", "c", "d").ends().undo()
    assert story.undos() == ["d"]
    assert story.undoes("d").undos() == ["a"]
    assert story.undoes("a").ends().s.ended == "undone"
    assert [story.state(key) for key in "abcd"] == ["undone", "succeeded", "succeeded", "undone"]


@pytest.mark.requirement("undo:reverse-order")
def test_what_touched_a_key_later_is_undone_first() -> None:
    story = Story(
        Step(id="a", tool="make", touches=("x",)),
        Step(id="b", tool="make", touches=("x", "y")),
        Step(id="c", tool="make", touches=("y",)),
        Step(id="d", tool="make"),
    )
    story.does("a", "b", "c", "d").ends().undo()
    assert sorted(story.undos()) == ["c", "d"]
    assert story.undoes("c").undos() == ["d", "b"]
    assert story.undoes("b").undos() == ["d", "a"]


def test_items_are_undone_before_what_the_list_needed() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="e", tool="make", needs=("a",), for_each=[1, 2, 3]),
    )
    story.does("a").settle().does("e[0]", "e[1]", "e[2]").ends().undo()
    assert sorted(story.undos()) == ["e[0]", "e[1]", "e[2]"]
    story.undoes("e[0]", "e[2]")
    assert story.undos() == ["e[1]"]
    assert story.undoes("e[1]").undos() == ["a"]


@pytest.mark.requirement("E9")
def test_a_failed_undo_holds_back_what_it_was_built_on_and_nothing_else() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="make", needs=("a",)),
        Step(id="c", tool="make"),
    )
    story.does("a", "b", "c").ends().undo().undo_fails("b").undoes("c")
    assert story.ending().state == "stuck"
    story.ends()
    assert [story.state(key) for key in "abc"] == ["succeeded", "undo_failed", "undone"]
    assert story.problems() == ["b"]


@pytest.mark.requirement("undo:to-keeps-what-it-needed")
def test_what_is_kept_and_what_it_needed_stays() -> None:
    story = a_diamond().ends().undo(to="b")
    assert story.undos() == ["d"]
    assert story.undoes("d").undos() == ["c"]
    assert story.undoes("c").ends().s.ended == "undone"
    assert [story.state(key) for key in "abcd"] == ["succeeded", "succeeded", "undone", "undone"]


@pytest.mark.requirement("undo:to-keeps-what-it-needed")
def test_what_touched_a_kept_step_s_key_before_it_stays() -> None:
    # To take `a` back would put the thing into the state before `a`, and lose what `b` did to it.
    story = Story(
        Step(id="needed", tool="make"),
        Step(id="a", tool="make", touches=("x",), needs=("needed",)),
        Step(id="b", tool="make", touches=("x",)),
        Step(id="c", tool="make", touches=("x",)),
    )
    story.does("needed", "a", "b", "c").ends().undo(to="b")
    assert story.undos() == ["c"]
    assert story.undoes("c").ending().state == "undone"


@pytest.mark.requirement("undo:to-keeps-what-it-needed")
def test_one_item_can_be_kept_or_all_of_them() -> None:
    def told() -> Story:
        story = Story(
            Step(id="a", tool="make"), Step(id="e", tool="make", needs=("a",), for_each=[1, 2])
        )
        return story.does("a").settle().does("e[0]", "e[1]").ends()

    assert told().undo(to="e[1]").undos() == ["e[0]"]
    assert told().undo(to="e[1]").undoes("e[0]").ending().state == "undone"
    assert told().undo(to="e").undos() == []


@pytest.mark.requirement("doubt:undone-without-output-or-stuck")
def test_a_doubt_is_undone_when_its_undo_needs_no_output_and_stuck_otherwise() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="make", undo=NEEDS_OUTPUT),
        Step(id="c", tool="shout"),
        Step(id="d", tool="look"),
    )
    story.in_doubt("a").in_doubt("b").in_doubt("c").fails("d")
    assert story.undos() == ["a"]
    story.undoes("a").ends()
    assert story.s.ended == "stuck"
    assert [story.state(key) for key in "abcd"] == ["undone", "in_doubt", "in_doubt", "failed"]
    assert dict(story.s.problems) == {
        "a": "its outcome is unknown",
        "b": "its outcome is unknown and its undo needs the output",
        "c": "its outcome is unknown and it has no undo",
    }


def test_an_undo_that_cannot_be_resolved_is_stuck_and_says_why() -> None:
    story = Story(Step(id="a", tool="make")).start("a").end("a", undo_error="output.id is null")
    story.ends().undo()
    assert story.ending().state == "stuck"
    assert story.ends().s.problems == [("a", "its undo cannot be resolved: output.id is null")]


def test_a_write_that_is_idempotent_and_was_interrupted_is_taken_back() -> None:
    story = Story(Step(id="a", tool="put"), Step(id="b", tool="put", undo="none"))
    story.start("a", "b").cancel().end("a", "cancelled").end("b", "cancelled")
    assert story.undos() == ["a"]
    story.undoes("a").ends()
    assert (story.s.ended, story.state("b")) == ("undone", "cancelled")


def test_it_is_known_whether_anything_was_taken_back() -> None:
    story = a_diamond()
    assert not was_undone(story.s.steps.values())
    story.step("b").state = StepState.UNDONE
    assert was_undone(story.s.steps.values())
