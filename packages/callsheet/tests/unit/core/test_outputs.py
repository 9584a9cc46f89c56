from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from callsheet.core import value
from callsheet.core.past.outputs import Outputs
from callsheet.core.plan.plan import Plan, Step, Undo
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.snapshot import Snapshot

if TYPE_CHECKING:
    from callsheet.core.value import Json

NOW = datetime(2030, 1, 1, tzinfo=UTC)
TOOLS = {"read": ToolSpec(name="read"), "write": ToolSpec(name="write", effect="write")}


def raw(thing: Json) -> Raw:
    return Raw(value.encode(thing))


class Told:
    """Outputs, and a way to tell them what happened."""

    def __init__(self, *steps: Step, inputs: Json = None) -> None:
        self.snapshot = Snapshot()
        self.outputs = Outputs(self.snapshot)
        plan = Plan(steps=steps, on_failure="continue")
        self.tell(
            e.RunStarted(
                at=NOW,
                run="r",
                plan=plan,
                inputs=raw(inputs),
                tools=TOOLS,
                seed="s",
                format=1,
                core=1,
                flags=(),
            )
        )

    def tell(self, *entries: e.AnyEntry) -> None:
        for entry in entries:
            fold.apply(self.snapshot, entry)
            self.outputs.observe(entry)

    def start(self, step: str, attempt: int = 1, args: Json = None) -> None:
        self.tell(e.AttemptStarted(at=NOW, step=step, attempt=attempt, args=raw(args or {})))

    def end(self, step: str, output: Json = None, attempt: int = 1, **fields: Any) -> None:
        fields.setdefault("outcome", "succeeded")
        self.tell(e.AttemptEnded(at=NOW, step=step, attempt=attempt, output=raw(output), **fields))


def test_inputs_and_outputs_are_what_was_journalled() -> None:
    told = Told(Step(id="a", tool="read"), Step(id="b", tool="read"), inputs={"n": 1})
    told.start("a")
    assert told.outputs.value("a") is None
    told.end("a", {"x": [1, 2]})
    assert told.outputs.inputs == {"n": 1}
    assert told.outputs.value("a") == {"x": [1, 2]}
    assert told.outputs.value("a") is told.outputs.value("a"), "decoded once"
    assert told.outputs.value("b") is None


def test_a_list_has_the_outputs_of_its_items_in_order_and_null_for_what_is_missing() -> None:
    told = Told(Step(id="e", tool="read", for_each=["x", "y", "z"], on_failure="ignore"))
    told.tell(e.StepExpanded(at=NOW, step="e", count=3, items=raw(["x", "y", "z"])))
    assert [told.outputs.item("e", index) for index in range(3)] == ["x", "y", "z"]
    for index in (2, 0, 1):
        told.start(f"e[{index}]")
    told.end("e[2]", "third")
    assert told.outputs.value("e") == [None, None, "third"]
    failure = e.Failure(error_class="fatal", message="no")
    told.end("e[1]", outcome="failed", error=failure)
    told.end("e[0]", "first")
    assert told.outputs.value("e") == ["first", None, "third"]


def test_an_empty_list_is_an_empty_list() -> None:
    told = Told(Step(id="e", tool="read", for_each=[]))
    told.tell(e.StepExpanded(at=NOW, step="e", count=0, items=raw([])))
    assert told.outputs.value("e") == []


def test_the_answer_to_a_question_is_its_output() -> None:
    told = Told(Step(id="q", ask="?"))
    asked = e.QuestionAsked(at=NOW, step="q", question="q#1", ask="question", text="?")
    told.tell(asked, e.AnswerRecorded(at=NOW, step="q", question="q#1", answer=raw(["yes"])))
    assert told.outputs.value("q") == ["yes"]


def test_an_approval_is_no_output_but_what_happened_in_a_doubt_is() -> None:
    told = Told(
        Step(id="a", tool="write", approval="required"), Step(id="d", tool="write", args={"x": 1})
    )
    told.tell(
        e.QuestionAsked(at=NOW, step="a", question="a#1", ask="approval", text="?"),
        e.AnswerRecorded(at=NOW, step="a", question="a#1", answer=raw("approve")),
    )
    assert told.outputs.value("a") is None
    told.start("d", args={"x": 1})
    told.end("d", outcome="lost")
    told.tell(
        e.QuestionAsked(at=NOW, step="d", question="d#1", ask="doubt", text="?"),
        e.AnswerRecorded(
            at=NOW, step="d", question="d#1", answer=raw("happened"), output=raw({"id": 7})
        ),
    )
    assert told.outputs.value("d") == {"id": 7}
    assert value.decode(told.outputs.args["d"]) == {"x": 1}, "its undo may refer to them"


def test_a_checkpoint_is_kept_until_the_step_has_succeeded() -> None:
    told = Told(Step(id="a", tool="read"))
    told.start("a")
    assert told.outputs.saved("a") is None
    told.tell(e.CheckpointSaved(at=NOW, step="a", attempt=1, data=raw({"job": 1})))
    told.end("a", outcome="lost")
    assert told.outputs.saved("a") == {"job": 1}
    told.start("a", attempt=2)
    told.tell(e.CheckpointSaved(at=NOW, step="a", attempt=2, data=raw({"job": 2})))
    assert told.outputs.saved("a") == {"job": 2}
    told.end("a", "done", attempt=2)
    assert told.outputs.saved("a") is None


def test_an_undo_keeps_checkpoints_of_its_own() -> None:
    told = Told(Step(id="a", tool="write", undo=Undo(tool="write")))
    undo = e.UndoCall(tool="write", args=raw({}), resolved=True)
    told.tell(e.AttemptStarted(at=NOW, step="a", attempt=1, args=raw({}), undo=undo))
    told.tell(e.CheckpointSaved(at=NOW, step="a", attempt=1, data=raw({"job": 1})))
    told.end("a", outcome="lost", undo=undo)
    told.tell(e.UndoRequested(at=NOW))
    assert told.outputs.saved("a") == {"job": 1}
    told.tell(e.UndoStarted(at=NOW, step="a", attempt=1, tool="write", args=raw({})))
    assert told.outputs.saved("a") is None
    told.tell(e.CheckpointSaved(at=NOW, step="a", attempt=1, data=raw({"refund": 1})))
    told.tell(e.UndoEnded(at=NOW, step="a", attempt=1, outcome="lost"))
    assert told.outputs.saved("a") == {"refund": 1}
