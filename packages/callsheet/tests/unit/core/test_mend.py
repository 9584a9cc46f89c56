"""What was meant by plans that are written as other systems write theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from callsheet.core.check.check import check_document
from callsheet.core.check.fix import fix_document
from callsheet.core.patch import patched
from callsheet.core.plan.plan import Plan
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.schema.validate import problems_of
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from callsheet.core.problem import Problem

pytestmark = pytest.mark.requirement("E28")

TEXT: Any = {"type": "string"}
LOOK = ToolSpec(
    name="look",
    input_schema={
        "type": "object",
        "properties": {"text": TEXT, "many": {"type": "array", "items": TEXT}},
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {"id": TEXT, "n": {"type": "integer"}},
        "additionalProperties": False,
    },
)
OPEN = ToolSpec(name="open", output_schema={"type": "object", "properties": {"id": TEXT}})


class Tools:
    def spec(self, name: str) -> ToolSpec | None:
        return {"look": LOOK, "open": OPEN}.get(name)

    def names(self) -> list[str]:
        return ["look", "open"]


def a_plan(text: str, **fields: Any) -> dict[str, Any]:
    first = {"id": "a", "tool": "look"}
    step = {"id": "b", "tool": "look", "args": {"text": text}, **fields}
    return {"callsheet": 1, "inputs": {"city": "string"}, "steps": [first, step]}


def problems(plan: Any) -> list[Problem]:
    return list(check_document(plan, Tools()).problems)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("{{ steps.a.output.id }}", "${steps.a.id}"),
        ("${{ steps.a.outputs.id }}", "${steps.a.id}"),
        ("$steps.a.id", "${steps.a.id}"),
        ("$a.id", "${steps.a.id}"),
        ("<a.id>", "${steps.a.id}"),
        ("${a.id}", "${steps.a.id}"),
        ("{a.id}", "${steps.a.id}"),
        ("{{ city }}", "${inputs.city}"),
        ("to $inputs.city!", "to ${inputs.city}!"),
        ("{{ a.n | string }}", "${to_string(steps.a.n)}"),
        ("${steps.a.output.id}", "${steps.a.id}"),
        ("$${a.id} and {{a.id}}", "$${a.id} and ${steps.a.id}"),
    ],
)
def test_a_foreign_reference_is_an_error_with_the_reference_rewritten(
    text: str, meant: str
) -> None:
    (problem,) = problems(a_plan(text))
    assert (problem.severity, problem.place) == ("error", "steps[1].args.text")
    assert f"Write `{meant}`." in problem.fix
    assert problem.patch == {"op": "replace", "path": "/steps/1/args/text", "value": meant}


@pytest.mark.parametrize(
    "text",
    [
        "costs $5 or $a_lot",
        "#fff and #a",
        "<b>bold</b> <a href='x'>",
        "{b} {x.y} {'a': 1}",
        "$HOME/bin",
        "$${steps.a.id}",
        'a mail to "$x.y"',
    ],
)
def test_honest_text_stays_text(text: str) -> None:
    assert problems(a_plan(text)) == []


def test_a_template_of_somebody_else_is_a_warning() -> None:
    (problem,) = problems(a_plan("Dear {{ first_name }}"))
    assert problem.severity == "warning"


def test_in_a_step_of_data_nothing_is_a_reference() -> None:
    assert problems(a_plan("{{ a.id }} ${nope} $a.id", literal=True)) == []


@pytest.mark.parametrize(
    ("when", "meant"),
    [
        ("${steps.a.n} == 0", "${steps.a.n == `0`}"),
        ("a.n > 1 and not a.id == 'x'", "${steps.a.n > `1` && !(steps.a.id == 'x')}"),
        ("not (a.id == 'x' or a.n) or a.n", "${!((steps.a.id == 'x' || steps.a.n)) || steps.a.n}"),
        ("!a.id", "${!(steps.a.id)}"),
        ('{{ a.id == "x" }}', "${steps.a.id == 'x'}"),
        ("steps.a.n != null", "${steps.a.n != `null`}"),
    ],
)
def test_a_condition_is_rewritten_as_one_whole_reference(when: str, meant: str) -> None:
    (problem,) = problems(a_plan("x", when=when))
    assert problem.place == "steps[1].when"
    assert f"when: {meant}" in problem.fix


def test_a_field_that_is_not_there_is_told_with_those_there_are() -> None:
    (problem,) = problems(a_plan("${steps.a.zzz}"))
    assert problem.what == "${steps.a.zzz}: steps.a has no 'zzz'"
    assert problem.fix == "It has id, n."


def test_where_there_may_be_others_it_is_a_warning() -> None:
    plan = a_plan("${steps.a.zzz}")
    plan["steps"][0]["tool"] = "open"
    (problem,) = problems(plan)
    assert (problem.severity, "declares no 'zzz', only id" in problem.what) == ("warning", True)


def test_a_wrong_field_hides_nothing() -> None:
    plan = a_plan("x", parallel=True, args={"txt": 1, "many": "${inputs.city}"})
    plan |= {"budget": 5}
    plan["steps"][0] |= {"depends_on": "b", "tool": "lok"}
    places = [problem.place for problem in problems(plan)]
    assert places == [
        "budget",
        "steps[0].depends_on",
        "steps[0].tool",
        "steps[1].parallel",
        "steps[1].args.txt",
        "steps[1].args.txt",
        "steps[1].args.many",
    ]


def test_a_plan_in_a_fence_is_told_and_read_past_if_asked() -> None:
    plan = "callsheet: 1\nsteps:\n  - id: a\n    tool: look\n    x: 1\n"
    text = f"Here it is:\n\n```yaml\n{plan}```\nBye."
    told = check_document(text, Tools()).problems
    assert [(each.place, each.line) for each in told] == [("plan", 3), ("steps[0].x", 8)]
    lenient = check_document(text, Tools(), lenient=True).problems
    assert [each.place for each in lenient] == ["steps[0].x"]


def test_reading_refuses_what_checking_would_guess() -> None:
    with pytest.raises(PlanError):
        read_plan({"callsheet": 1, "tasks": [{"id": "a", "uses": "look"}]})


def test_patches_build_on_nothing_that_is_only_guessed() -> None:
    # What `lok` is, is only probable: its arguments are told, and not mended.
    plan = {"callsheet": 1, "steps": [{"id": "a", "tool": "lokk", "with": {"txt": "x"}}]}
    found = problems(plan)
    document: Any = plan
    for problem in found:
        if problem.patch:
            document = patched(document, problem.patch)
    assert document["steps"][0] == {"id": "a", "tool": "lokk", "args": {"txt": "x"}}


def test_fixing_says_what_it_did_and_what_is_left() -> None:
    fixed = fix_document(
        "tasks:\n  - name: a\n    uses: look\n    with: {text: hi}\n    x_y: 1\n", Tools()
    )
    assert fixed.document == {
        "steps": [{"id": "a", "tool": "look", "args": {"text": "hi"}, "x_y": 1}],
        "callsheet": 1,
    }
    assert [each.place for each in fixed.done] == [
        "tasks",
        "callsheet",
        "tasks[0].name",
        "tasks[0].uses",
        "tasks[0].with",
    ]
    assert [each.place for each in fixed.left] == ["steps[0].x_y"]
    assert not fixed.ok
    assert read_plan(fixed.text().replace("    x_y: 1\n", "")).steps[0].tool == "look"


def test_the_schema_of_plans_takes_what_checks_and_refuses_what_does_not() -> None:
    schema = Plan.json_schema(Tools())
    good = a_plan("${steps.a.id}", when="${steps.a.n}")
    good["steps"][1]["args"]["many"] = "${inputs.city}"
    assert problems_of(schema, good) == []
    assert problems_of(schema, a_plan("x", whn="${a}"))
    assert problems_of(schema, {**good, "steps": [{"id": "a", "tool": "lok"}]})
    strict = Plan.json_schema([LOOK], strict=True)
    assert strict["required"] == list(strict["properties"])  # type: ignore[arg-type]


def test_braces_without_quotes_are_told_and_read_as_the_text_they_were_meant_to_be() -> None:
    text = "callsheet: 1\nsteps:\n  - {id: a, tool: look}\n  - id: b\n    tool: look\n"
    found = problems(f"{text}    args:\n      text: {{{{ steps.a.id }}}}\n")
    assert [(each.place, each.fix) for each in found] == [
        ("steps[1].args.text", 'Write "${steps.a.id}", in quotes, if it is a reference.'),
        ("steps[1].args.text", "Write `${steps.a.id}`."),
    ]


@pytest.mark.parametrize("said", ["yes/no", "yes | no", "yes, no", {"yes": "go on", "no": "stop"}])
def test_choices_are_a_list_however_they_are_written(said: Any) -> None:
    asked = {"callsheet": 1, "steps": [{"id": "a", "ask": "Sure?", "options": said}]}
    (found,) = problems(asked)
    assert found.fix == 'Write `choices: ["yes", "no"]`.'


def test_an_undo_that_is_spelled_as_a_call_is_rewritten_whole() -> None:
    found = problems(a_plan("x", rollback="open(id=${output.id}, n=5, why='over')"))
    fix = 'Write `undo: {tool: open, args: {id: "${output.id}", n: 5, why: over}}`.'
    assert found[0].fix == fix


def test_an_undo_in_words_that_means_none_is_none() -> None:
    (found,) = problems(a_plan("x", undo="none needed"))
    assert found.fix == "Write `undo: none`."
