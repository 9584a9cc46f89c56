"""What people ask of a run: allowed, already done, or refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import Raw
from tests.unit.core.story import BEGIN, NEEDS_OUTPUT, Story, failure

from callsheet.core.past.outputs import Outputs
from callsheet.core.past.requests import doubt_choices, entry_of, rehearse
from callsheet.core.plan.plan import Step
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request
from callsheet.errors import RequestRefusedError

if TYPE_CHECKING:
    from callsheet.core.run.request import RequestKind
    from callsheet.core.value import Json


def a_request(
    kind: RequestKind,
    *,
    name: str = "q1",
    step: str | None = None,
    answer: Json = None,
    output: Json = None,
    reason: str = "",
) -> Request:
    return Request(
        id=name,
        run="r1",
        kind=kind,
        by="ann",
        step=step,
        answer=answer,
        output=output,
        reason=reason,
    )


def ask(story: Story, request: Request) -> e.AnyEntry | None:
    return entry_of(story.s, request, BEGIN)


def refusal(story: Story, request: Request) -> str:
    with pytest.raises(RequestRefusedError) as caught:
        ask(story, request)
    return caught.value.message


def running() -> Story:
    return Story(Step(id="a", tool="make"), Step(id="b", tool="look")).does("a").start("b")


def stopping() -> Story:
    return running().cancel()


def undoing() -> Story:
    return running().end("b").ends().undo()


def ended() -> Story:
    return running().end("b").ends()


def undone() -> Story:
    return undoing().undoes("a").ends()


@pytest.mark.requirement("E3")
def test_a_running_run_can_be_paused_and_resumed() -> None:
    story = running()
    paused = ask(story, a_request("pause"))
    assert paused == e.RunPaused(at=BEGIN, by="ann", request="q1")
    assert ask(story, a_request("resume")) is None, "it runs"
    story.add(paused)
    assert ask(story, a_request("pause", name="q2")) is None, "it is paused"
    resumed = ask(story, a_request("resume", name="q3"))
    assert resumed == e.RunResumed(at=BEGIN, by="ann", request="q3")


@pytest.mark.parametrize("story", [stopping, undoing, ended])
def test_only_a_running_run_can_be_paused(story: type[Story]) -> None:
    assert "only a running run can be paused" in refusal(story(), a_request("pause"))


def test_an_ended_run_cannot_be_resumed_or_cancelled() -> None:
    assert refusal(ended(), a_request("resume")) == (
        "Run 'r1' has ended (succeeded): it cannot be resumed."
    )
    assert refusal(ended(), a_request("cancel")) == "Run 'r1' has already ended (succeeded)."


@pytest.mark.requirement("E3", "cancel:undo-goes-through")
def test_a_run_is_cancelled_once_and_an_undo_never() -> None:
    entry = ask(running(), a_request("cancel", reason="rain"))
    assert entry == e.CancelRequested(at=BEGIN, by="ann", reason="rain", request="q1")
    assert ask(stopping(), a_request("cancel")) is None
    assert "an undo is not cancelled" in refusal(undoing(), a_request("cancel"))


@pytest.mark.requirement("states:ended-is-absorbing")
@pytest.mark.parametrize("story", [running, stopping, ended])
def test_what_is_not_undone_can_be(story: type[Story]) -> None:
    entry = ask(story(), a_request("undo", step="a"))
    assert entry == e.UndoRequested(at=BEGIN, to="a", by="ann", request="q1")


def test_what_is_undone_cannot_be_undone_again() -> None:
    assert refusal(undone(), a_request("undo")) == "Run 'r1' is undone already."
    assert refusal(undoing(), a_request("undo")) == "Run 'r1' is being undone already."


@pytest.mark.requirement("undo:to-keeps-what-it-needed")
def test_only_a_step_that_is_there_can_be_kept() -> None:
    story = Story(Step(id="e", tool="make", for_each=[1]), Step(id="b", tool="look")).settle()
    assert ask(story, a_request("undo", step="e[0]")) is not None
    assert refusal(story, a_request("undo", step="e[1]")) == (
        "There is no step 'e[1]'; there are: e, b."
    )


def test_a_request_is_served_once() -> None:
    story = running()
    story.add(e.RunPaused(at=BEGIN, request="q1"))
    assert ask(story, a_request("cancel", name="q1")) is None
    assert ask(story, a_request("cancel", name="q2")) is not None


# Answers


def asking() -> Story:
    return Story(
        Step(id="free", ask="Which?"),
        Step(id="choice", ask="Keep it?", choices=("keep", "drop")),
        Step(id="a", tool="make", approval="required"),
        Step(id="b", tool="look"),
    )


def asked() -> Story:
    story = asking()
    for key in ("free", "choice", "a"):
        planned = story.step(key).planned
        story.add(
            e.QuestionAsked(
                at=BEGIN,
                step=key,
                question=f"{key}#1",
                ask="approval" if planned.step.approval else "question",
                text="?",
                choices=planned.step.choices,
            )
        )
    return story


def answered(story: Story, step: str, answer: Json, output: Json = None) -> bytes:
    entry = ask(story, a_request("answer", step=step, answer=answer, output=output))
    assert isinstance(entry, e.AnswerRecorded)
    assert (entry.step, entry.by, entry.request) == (step, "ann", "q1")
    assert entry.question == story.s.questions[story.step(step).key].id
    return bytes(entry.answer)


@pytest.mark.requirement("E17")
def test_a_question_takes_any_answer_or_one_of_its_choices() -> None:
    story = asked()
    assert answered(story, "free", {"any": [1]}) == b'{"any":[1]}'
    assert answered(story, "free", "  trimmed ") == b'"trimmed"'
    assert answered(story, "choice", " keep ") == b'"keep"'
    assert refusal(story, a_request("answer", step="choice", answer="sell")) == (
        "Step 'choice' takes one of: keep, drop. 'sell' is not one of them."
    )


@pytest.mark.parametrize("answer", ["approve", "Approved", "YES", "y", "true", "ok", True])
def test_there_are_many_words_for_yes(answer: Json) -> None:
    assert answered(asked(), "a", answer) == b'"approve"'


@pytest.mark.parametrize("answer", ["deny", "Denied", "NO", "n", "false", False])
def test_there_are_many_words_for_no(answer: Json) -> None:
    assert answered(asked(), "a", answer) == b'"deny"'


@pytest.mark.requirement("approval:denied-is-denied")
@pytest.mark.parametrize("answer", ["maybe", "", None, 1, 0, [True]])
def test_anything_else_is_neither(answer: Json) -> None:
    assert refusal(asked(), a_request("answer", step="a", answer=answer)) == (
        f"Step 'a' waits for an approval: answer 'approve' or 'deny', not {answer!r}."
    )


@pytest.mark.requirement("approval:answered-once")
def test_a_question_has_one_answer() -> None:
    story = asked().answer("free", "x")
    assert refusal(story, a_request("answer", step="free", answer="y")) == (
        "The question of step 'free' has been answered or is no longer open."
    )


def test_who_asks_nothing_is_not_answered() -> None:
    assert refusal(asked(), a_request("answer", step="b", answer="y")) == (
        "Step 'b' asks nothing. Steps that wait for an answer: free, choice, a."
    )
    assert refusal(running(), a_request("answer", step="zz", answer="y")) == (
        "Step 'zz' asks nothing. Steps that wait for an answer: none."
    )
    assert "Step None asks nothing" in refusal(running(), a_request("answer"))


# Doubts


def doubtful(step: Step) -> Story:
    story = Story(step, Step(id="z", tool="look")).in_doubt("a")
    story.add(
        e.QuestionAsked(
            at=BEGIN,
            step="a",
            question="a#1",
            ask="doubt",
            text="?",
            choices=doubt_choices(story.step("a")),
        )
    )
    return story


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
def test_a_doubt_can_be_undone_only_if_that_needs_no_output() -> None:
    plain = doubtful(Step(id="a", tool="make"))
    assert answered(plain, "a", "undo") == b'"undo"'
    for step in (Step(id="a", tool="make", undo=NEEDS_OUTPUT), Step(id="a", tool="shout")):
        story = doubtful(step)
        assert answered(story, "a", "happened", {"id": 7}) == b'"happened"'
        assert "cannot be undone without its output" in refusal(
            story, a_request("answer", step="a", answer="undo")
        )
        assert "takes one of: happened, did_not" in refusal(
            story, a_request("answer", step="a", answer="perhaps")
        )


@pytest.mark.requirement("doubt:undone-without-output-or-stuck")
def test_what_happened_in_a_stuck_run_reaches_its_undo() -> None:
    story = Story(Step(id="a", tool="make", undo=NEEDS_OUTPUT), Step(id="b", tool="look"))
    story.in_doubt("a").fails("b", failure()).ends()
    outputs = Outputs(story.s)
    for entry in story.entries:
        outputs.observe(entry)
    assert outputs.value("a") is None, "whoever looks at the run has seen nothing yet"
    request = a_request("answer", step="a", answer="happened", output={"id": 7})
    answer = ask(story, request)
    assert isinstance(answer, e.AnswerRecorded)
    story.add(answer)
    outputs.observe(answer)
    assert outputs.value("a") == {"id": 7}


# Rehearsals


def test_a_rehearsal_says_whether_it_would_be_allowed_after_those_before_it() -> None:
    entries = asked().entries
    first = a_request("answer", name="q1", step="free", answer="x")
    second = a_request("answer", name="q2", step="free", answer="y")
    rehearse(entries, [], second, BEGIN)
    with pytest.raises(RequestRefusedError, match="has been answered"):
        rehearse(entries, [first], second, BEGIN)
    # One that will be refused, and one that is served already, change nothing.
    pointless = [a_request("answer", name="q3", step="b"), a_request("resume", name="q4")]
    rehearse(entries, pointless, second, BEGIN)
    with pytest.raises(RequestRefusedError, match="only a running run"):
        rehearse(entries, [a_request("cancel", name="q5")], a_request("pause"), BEGIN)


def test_the_answer_is_kept_as_the_json_it_is() -> None:
    entry = ask(asked(), a_request("answer", step="free", answer=[1.5, None], output="o"))
    assert isinstance(entry, e.AnswerRecorded)
    assert (entry.answer, entry.output) == (Raw(b"[1.5,null]"), Raw(b'"o"'))
