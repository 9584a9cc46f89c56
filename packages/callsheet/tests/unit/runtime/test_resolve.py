from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import Raw
from typing_extensions import override

from callsheet.core import value
from callsheet.core.ids import StepKey, idempotency_key
from callsheet.core.past.outputs import Outputs
from callsheet.core.plan.plan import MAX_ITEMS, Plan, Step, Undo
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import InvalidError, NullReferenceError
from callsheet.runtime.resolve import Resolver, Templates
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json

NOW = datetime(2030, 1, 1, tzinfo=UTC)
NULLABLE: dict[str, Any] = {
    "type": "object",
    "properties": {"note": {"type": ["string", "null"]}, "n": {"type": "integer"}},
}
TOOLS = {
    "read": ToolSpec(name="read", input_schema=NULLABLE),
    "count": ToolSpec(
        name="count",
        output_schema={
            "type": "object",
            "properties": {"n": {}, "note": {"type": "string"}},
            "additionalProperties": False,
        },
    ),
    "write": ToolSpec(name="write", effect="write", undo="unwrite"),
    "unwrite": ToolSpec(name="unwrite", effect="write", idempotent=True),
}


class Tools(Registry):
    """A toolbox of which only the declarations matter."""

    @override
    def spec(self, name: str) -> ToolSpec | None:
        return TOOLS.get(name)


def raw(thing: Json) -> Raw:
    return Raw(value.encode(thing))


class Stage:
    """A run in which `a` has returned something, and its resolver."""

    def __init__(
        self,
        *steps: Step,
        output: Json = None,
        a: Json = None,
        tool: str = "read",
        flags: tuple[str, ...] = (),
    ) -> None:
        plan = Plan(steps=(Step(id="a", tool=tool), *steps), output=output)
        self.snapshot = Snapshot()
        self.outputs = Outputs(self.snapshot)
        self.tell(
            e.RunStarted(
                at=NOW,
                run="r",
                plan=plan,
                inputs=raw({"city": "Oslo"}),
                tools=TOOLS,
                seed="s",
                format=1,
                core=1,
                flags=flags,
            ),
            e.AttemptStarted(at=NOW, step="a", attempt=1, args=raw({})),
            e.AttemptEnded(at=NOW, step="a", attempt=1, outcome="succeeded", output=raw(a)),
        )
        templates = Templates(self.snapshot.graph, Tools())
        self.resolver = Resolver(self.snapshot, self.outputs, templates)

    def tell(self, *entries: e.AnyEntry) -> None:
        for entry in entries:
            fold.apply(self.snapshot, entry)
            self.outputs.observe(entry)

    def __getitem__(self, key: str) -> StepRun:
        return self.snapshot.steps[StepKey(key)]

    def args(self, key: str = "b") -> Json:
        return value.decode(self.resolver.args(self[key]))


def test_arguments_are_filled_in_from_inputs_and_outputs() -> None:
    args: dict[str, Json] = {"to": "${inputs.city}", "all": "${steps.a}", "text": "n=${steps.a.n}"}
    stage = Stage(Step(id="b", tool="read", args=args), a={"n": 3})
    assert stage.args() == {"to": "Oslo", "all": {"n": 3}, "text": "n=3"}


def test_arguments_without_references_are_encoded_once() -> None:
    stage = Stage(Step(id="b", tool="read", args={"n": 1, "text": "$${x}"}))
    assert stage.resolver.args(stage["b"]) is stage.resolver.args(stage["b"])
    assert stage.args() == {"n": 1, "text": "${x}"}


def test_a_null_is_refused_unless_the_tool_takes_one_or_there_is_a_default() -> None:
    stage = Stage(
        Step(id="b", tool="read", args={"n": "${steps.a.gone}"}),
        Step(id="c", tool="read", args={"note": "${steps.a.gone}"}),
        Step(id="d", tool="read", args={"n": "${steps.a.gone || `5`}"}),
        a={},
    )
    with pytest.raises(NullReferenceError, match=r"steps\.a\.gone"):
        stage.args("b")
    assert stage.args("c") == {"note": None}
    assert stage.args("d") == {"n": 5}


def test_a_condition_is_true_or_false_as_jmespath_sees_it() -> None:
    stage = Stage(
        Step(id="yes", tool="read", when="${steps.a.n == `3`}"),
        Step(id="no", tool="read", when="${steps.a.list}"),
        Step(id="gone", tool="read", when="${steps.a.gone}"),
        Step(id="always", tool="read"),
        a={"n": 3, "list": []},
    )
    found = {key: stage.resolver.when(stage[key]) for key in ("yes", "no", "gone", "always")}
    assert found == {"yes": True, "no": False, "gone": False, "always": True}


def test_items_are_a_list_of_bearable_length() -> None:
    stage = Stage(
        Step(id="fine", tool="read", for_each="${steps.a.few}"),
        Step(id="text", tool="read", for_each="${steps.a.text}"),
        Step(id="many", tool="read", for_each="${steps.a.many}"),
        Step(id="null", tool="read", for_each="${steps.a.gone}"),
        a={"few": [1, "x"], "text": "abc", "many": [0] * (MAX_ITEMS + 1)},
    )
    assert stage.resolver.items(stage["fine"]) == [1, "x"]
    for key, told in (("text", "str"), ("many", str(MAX_ITEMS + 1)), ("null", "null")):
        with pytest.raises(InvalidError, match=told):
            stage.resolver.items(stage[key])


def test_an_item_has_its_own_arguments_touches_and_undo() -> None:
    stage = Stage(
        Step(
            id="each",
            tool="write",
            for_each="${steps.a}",
            args={"n": "${item.n}"},
            touches=("fixed", "scene/${item.n}", "fixed"),
            undo=Undo(tool="unwrite", args={"n": "${item.n}", "id": "${output.id}"}),
        ),
        a=[{"n": 1}, {"n": 2}],
    )
    stage.tell(e.StepExpanded(at=NOW, step="each", count=2, items=raw([{"n": 1}, {"n": 2}])))
    second = stage["each[1]"]
    args = stage.resolver.args(second)
    assert value.decode(args) == {"n": 2}
    assert stage.resolver.touches(second) == ("fixed", "scene/2")
    stage.tell(
        e.AttemptStarted(
            at=NOW,
            step="each[1]",
            attempt=1,
            args=args,
            undo=stage.resolver.undo_template(second, args),
        )
    )
    undo = stage.resolver.undo_of(second, {"id": "x"})
    assert undo is not None
    assert value.decode(undo.args) == {"n": 2, "id": "x"}


def test_touches_that_are_known_beforehand_are_not_resolved() -> None:
    stage = Stage(Step(id="b", tool="write", touches=("k",)))
    assert stage.resolver.touches(stage["b"]) is None


def test_a_question_is_text_whatever_is_filled_in() -> None:
    stage = Stage(
        Step(id="p", ask="Keep ${steps.a.hotel} for ${steps.a.usd} USD?"),
        Step(id="whole", ask="${steps.a}"),
        a={"hotel": "Ritz", "usd": 12.5},
    )
    assert stage.resolver.text(stage["p"]) == "Keep Ritz for 12.5 USD?"
    assert stage.resolver.text(stage["whole"]) == '{"hotel":"Ritz","usd":12.5}'


def test_an_undo_is_a_template_at_the_start_and_a_call_at_the_end() -> None:
    own = Undo(tool="unwrite", args={"id": "${output.id}", "to": "${args.to}", "k": "${key}"})
    stage = Stage(Step(id="b", tool="write", args={"to": "${inputs.city}"}, undo=own))
    step = stage["b"]
    args = stage.resolver.args(step)
    template = stage.resolver.undo_template(step, args)
    assert template is not None
    assert (template.tool, template.needs_output, template.resolved) == ("unwrite", True, False)
    stage.tell(e.AttemptStarted(at=NOW, step="b", attempt=1, args=args, undo=template))
    call = stage.resolver.undo_of(step, {"id": 7})
    assert call is not None
    assert call.resolved
    key = idempotency_key(stage.snapshot.run, step.key)
    assert value.decode(call.args) == {"id": 7, "to": "Oslo", "k": key}


def test_an_undo_that_the_tool_names_is_given_args_output_and_key() -> None:
    stage = Stage(Step(id="b", tool="write", args={"x": 1}))
    step = stage["b"]
    args = stage.resolver.args(step)
    template = stage.resolver.undo_template(step, args)
    assert template is not None
    assert not template.needs_output
    stage.tell(e.AttemptStarted(at=NOW, step="b", attempt=1, args=args, undo=template))
    key = idempotency_key(stage.snapshot.run, step.key)
    unknown = stage.resolver.resolved_undo(step, template)
    assert value.decode(unknown.args) == {"args": {"x": 1}, "output": None, "key": key}
    known = stage.resolver.undo_of(step, {"id": 7})
    assert known is not None
    assert value.decode(known.args) == {"args": {"x": 1}, "output": {"id": 7}, "key": key}
    assert stage.resolver.resolved_undo(step, known) is known


def test_an_undo_that_cannot_be_resolved_says_why() -> None:
    own = Undo(tool="unwrite", args={"n": "${abs(output.text)}"})
    stage = Stage(Step(id="b", tool="write", undo=own))
    step = stage["b"]
    args = stage.resolver.args(step)
    template = stage.resolver.undo_template(step, args)
    stage.tell(e.AttemptStarted(at=NOW, step="b", attempt=1, args=args, undo=template))
    broken = stage.resolver.undo_of(step, {"text": "x"})
    assert broken is not None
    assert "abs" in broken.error


def test_reads_and_steps_that_say_so_have_no_undo() -> None:
    stage = Stage(Step(id="b", tool="read"), Step(id="c", tool="write", undo="none"))
    for key in ("b", "c"):
        assert stage.resolver.undo_template(stage[key], raw({})) is None
        assert stage.resolver.undo_of(stage[key], None) is None


def test_the_output_of_a_run_is_null_where_nothing_is_known() -> None:
    stage = Stage(
        Step(id="b", tool="read"),
        output={"a": "${steps.a.n}", "b": "${steps.b}", "gone": "${steps.a.x}", "fixed": [1]},
        a={"n": 3},
    )
    assert stage.resolver.output() == {"a": 3, "b": None, "gone": None, "fixed": [1]}
    assert Stage().resolver.output() is None


@pytest.mark.requirement("E28")
def test_a_condition_on_a_field_that_is_never_given_is_an_error_in_new_runs() -> None:
    step = Step(id="b", tool="read", when="${steps.a.m}")
    new = Stage(step, a={"n": 1}, tool="count", flags=(e.DECLARED_CONDITIONS,))
    with pytest.raises(InvalidError, match=r"steps\.a has no 'm': it has n"):
        new.resolver.when(new.snapshot.steps[StepKey("b")])
    old = Stage(step, a={"n": 1}, tool="count")
    assert old.resolver.when(old.snapshot.steps[StepKey("b")]) is False


@pytest.mark.requirement("E28")
@pytest.mark.parametrize(
    ("when", "a"),
    [
        ("${steps.a.note}", {"n": 1}),
        ("${steps.a.m || `false`}", {"n": 1}),
        ("${steps.a.m}", None),
        ("${steps.a.n}", {"n": None}),
    ],
)
def test_a_null_is_false_where_it_may_be_one(when: str, a: Json) -> None:
    step = Step(id="b", tool="read", when=when)
    stage = Stage(step, a=a, tool="count", flags=(e.DECLARED_CONDITIONS,))
    assert stage.resolver.when(stage.snapshot.steps[StepKey("b")]) is False


@pytest.mark.requirement("E28")
def test_arguments_as_data_are_not_resolved() -> None:
    step = Step(id="b", tool="read", literal=True, args={"x": "${steps.a} $${ {{ y }}"})
    stage = Stage(step, a=1)
    found = stage.snapshot.steps[StepKey("b")]
    assert value.decode(stage.resolver.args(found)) == {"x": "${steps.a} $${ {{ y }}"}
    assert found.planned.needs == ()
