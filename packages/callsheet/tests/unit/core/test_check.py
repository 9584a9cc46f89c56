from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.core.check.check import check_plan
from callsheet.core.plan.plan import (
    MAX_ITEMS,
    Budget,
    Cost,
    Plan,
    Retry,
    Step,
    Undo,
)
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.toolspec import ToolSpec

if TYPE_CHECKING:
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json

TEXT: dict[str, Json] = {"type": "string"}
WHOLE: dict[str, Json] = {"type": "integer"}


def an_object(*required: str, **properties: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


ROOM = an_object(id=WHOLE, view=TEXT)
TOOLS = {
    tool.name: tool
    for tool in (
        ToolSpec(
            name="flights.book",
            effect="write",
            undo="flights.cancel",
            input_schema=an_object("to", to=TEXT, seats=WHOLE, mode={"enum": ["slow", "fast"]}),
            output_schema=an_object("id", id=TEXT, seats=WHOLE, price={"type": "number"}),
        ),
        ToolSpec(
            name="flights.cancel",
            effect="write",
            idempotent=True,
            input_schema=an_object(id=TEXT, seats=WHOLE, key=TEXT),
        ),
        ToolSpec(name="sell", effect="write", undo="refund"),
        ToolSpec(name="refund", effect="write", input_schema=an_object("id", id=TEXT, key=TEXT)),
        ToolSpec(
            name="hotels.find",
            input_schema={
                "type": "object",
                "properties": {"city": TEXT, "deep": an_object(n=WHOLE)},
            },
            output_schema=an_object(rooms={"type": "array", "items": ROOM}, name=TEXT, best=ROOM),
        ),
        ToolSpec(name="echo"),
        ToolSpec(
            name="paint", effect="write", cost=Cost(usd=1.0), ceiling=Cost(usd=1.5), undo="echo"
        ),
        ToolSpec(name="wipe", effect="write", destructive=True, undo="gone"),
        ToolSpec(name="post", effect="write", retry=Retry(attempts=3)),
        ToolSpec(
            name="branchy",
            input_schema={
                "type": "object",
                "properties": {"a": WHOLE, "list": {"type": "array", "maxItems": 2}},
                "if": {"properties": {"a": {"const": 1}}},
                "then": {"required": ["b"]},
                "else": {"properties": {"c": WHOLE}},
            },
        ),
    )
}
FIND = Step(id="find", tool="hotels.find")
FLY = Step(id="fly", tool="flights.book", args={"to": "Oslo"})


def check(*steps: Step, **plan: object) -> tuple[Problem, ...]:
    source = {"callsheet": 1, "steps": steps, **plan}
    return check_plan(read_plan(source), TOOLS.get, lambda: sorted(TOOLS))


def errors(*steps: Step, **plan: object) -> list[str]:
    return [str(problem) for problem in check(*steps, **plan) if problem.severity == "error"]


def warnings(*steps: Step, **plan: object) -> list[str]:
    return [str(problem) for problem in check(*steps, **plan) if problem.severity == "warning"]


def no_tool(_name: str) -> ToolSpec | None:
    return None


def echo(args: dict[str, Json] | None = None, step: str = "a") -> Step:
    return Step(id=step, tool="echo", args=args or {})


@pytest.mark.requirement("E2")
def test_a_plan_that_makes_sense_has_no_problems() -> None:
    assert (
        check(
            FIND,
            FLY,
            Step(
                id="photos",
                tool="echo",
                for_each="${steps.find.rooms}",
                args={"id": "${item.id}", "to": "${inputs.city}"},
                touches=("room ${item.id}",),
            ),
            Step(id="ok", ask="Keep ${steps.fly.id}?", choices=("keep", "drop"), timeout=60.0),
            Step(
                id="more",
                tool="flights.book",
                args={"to": "${inputs.city}", "seats": "${steps.fly.seats}"},
                when="${steps.ok == 'keep'}",
                undo=Undo(
                    tool="flights.cancel",
                    args={"id": "${output.id}", "seats": "${args.seats}", "key": "${key}"},
                ),
            ),
            inputs={"city": "string"},
            output={"rooms": "${steps.photos}", "more": "${steps.more.id}"},
        )
        == ()
    )


# Tools


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("step", "told"),
    [
        (
            Step(id="a", tool="flights.bok"),
            "tool: there is no tool 'flights.bok'. Write `tool: flights.book`.",
        ),
        (Step(id="a", tool="zzz"), "tool: there is no tool 'zzz'. The tools are branchy, echo, "),
        (
            Step(id="a", tool="post", undo=Undo(tool="flights.cancl")),
            "undo.tool: there is no tool 'flights.cancl'. Write `tool: flights.cancel`.",
        ),
        (Step(id="a", tool="wipe"), "tool: wipe is undone by 'gone', and there is no such tool"),
        (
            Step(id="a", tool="sell"),
            "tool: sell is undone by refund, which requires id and is given only args, output, key",
        ),
        (
            Step(id="a", tool="echo", undo=Undo(tool="echo")),
            "undo: echo only reads: there is nothing to undo",
        ),
        (Step(id="a", tool="echo", choices=("x",)), "choices: choices belong to a question"),
    ],
)
def test_tools_must_exist_and_be_used_for_what_they_are(step: Step, told: str) -> None:
    assert any(error.startswith(f"steps[0].{told}") for error in errors(step))


def test_without_tools_an_unknown_tool_says_so() -> None:
    plan = read_plan({"callsheet": 1, "steps": [echo()]})
    (problem,) = check_plan(plan, no_tool, list)
    assert problem.fix == "No tools are registered."
    (problem,) = check_plan(plan, no_tool, lambda: [f"x{n}" for n in range(50)])
    assert problem.fix == "`callsheet tools` lists those there are."


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("args", {"x": 1}),
        ("retry", Retry(attempts=2)),
        ("undo", "none"),
        ("approval", "required"),
        ("idempotent", True),
        ("destructive", False),
        ("cost", Cost(usd=1.0)),
        ("ceiling", Cost(usd=1.0)),
        ("in_doubt", "fail"),
        ("touches", ("x",)),
        ("within", 5),
    ],
)
def test_a_question_has_no_fields_of_a_call(field: str, value: object) -> None:
    step = {"id": "q", "ask": "Well?", field: value}
    plan = read_plan({"callsheet": 1, "steps": [step]})
    (problem,) = check_plan(plan, TOOLS.get, lambda: sorted(TOOLS))
    assert problem.place == f"steps[0].{field}"
    assert "a question has no" in problem.what


def test_the_choices_of_a_question_are_fixed() -> None:
    (error,) = errors(Step(id="q", ask="Well?", choices=("a", "${inputs.x}")))
    assert error.startswith("steps[0].choices[1]: choices are fixed")


# References


@pytest.mark.requirement("E2", "E5")
@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("steps.fnd.name", "there is no step 'fnd'. Write `${steps.find.name}`."),
        ("steps.qqq", "there is no step 'qqq'. Write the id of a step of this plan."),
        ("steps.a", "a step cannot refer to itself. Name another step."),
        ("inputs.cty", "there is no input 'cty'. Write `${inputs.city}`."),
        (
            "inputs.qqqq",
            "there is no input 'qqqq'. Declare it: `inputs: {qqqq: {type: string}}`. The inputs",
        ),
        ("item.id", "`item` exists only in a step with for_each"),
        ("args.y", "`args` exists only in an undo"),
        ("output", "`output` exists only in an undo"),
        ("key", "`key` exists only in an undo"),
        ("steps.find.name == 5", "numbers in comparisons need backticks"),
        ("foo", "a reference starts with one of inputs, steps"),
        ("steps.find.nam", "steps.find has no 'nam'. Write `${steps.find.name}`. steps.find has"),
        ("steps.find.zzz", "steps.find has no 'zzz'. It has rooms, name, best."),
        ("steps.find.name.first", "steps.find.name is a string and has no field 'first'"),
        ("steps.find.rooms.id", "steps.find.rooms is an array and has no field 'id'. Write"),
        ("steps.find.name[0]", "steps.find.name is a string and has no positions"),
        ("length(steps.find.zzz)", "steps.find has no 'zzz'"),
        ("inputs.city.x", "inputs.city is a string and has no field 'x'"),
        ("inputs[0]", "there is no input '0'"),
    ],
)
def test_a_reference_must_lead_somewhere(reference: str, told: str) -> None:
    step = echo({"x": ["${" + reference + "}"]})
    found = errors(FIND, step, inputs={"city": "string", "n": "integer"})
    assert found[0].startswith(f"steps[1].args.x[0]: ${{{reference}}}: {told}")


def test_a_secret_is_known_to_the_call_of_a_tool_and_to_nothing_else() -> None:
    assert errors(echo({"x": "${secrets.A}"})) == []
    for step in (
        Step(id="a", tool="echo", when="${secrets.A}"),
        Step(id="a", ask="Is it ${secrets.A}?"),
        Step(id="a", tool="echo", for_each="${secrets.A}"),
        Step(id="a", tool="echo", touches=("${secrets.A}",)),
        Step(id="a", plan=Plan(steps=(), inputs={"x": {}}), args={"x": "${secrets.A}"}),
    ):
        assert "a secret can be used only in the arguments of a tool call" in " ".join(errors(step))


def test_a_reference_that_is_not_closed_is_told_with_its_column() -> None:
    (error,) = errors(echo({"x": "${steps.find"}))
    assert error.startswith("steps[0].args.x: ${steps.find: `${` is opened at column 1 and never")


def test_an_input_that_is_not_declared_is_told_with_its_declaration() -> None:
    (error,) = errors(echo({"x": "${inputs.city}"}))
    assert error.endswith("there is no input 'city'. Declare it: `inputs: {city: {type: string}}`.")


@pytest.mark.parametrize(
    ("step", "place"),
    [
        (Step(id="a", tool="echo", when="${steps.b}"), "steps[0].when"),
        (Step(id="a", tool="echo", for_each="${steps.b}"), "steps[0].for_each"),
        (Step(id="a", tool="echo", for_each=["${steps.b}"]), "steps[0].for_each[0]"),
        (Step(id="a", tool="echo", touches=("x", "${steps.b}")), "steps[0].touches[1]"),
        (Step(id="a", tool="echo", needs=("b",)), "steps[0].needs[0]"),
        (Step(id="a", ask="Is ${steps.b} so?"), "steps[0].ask"),
        (
            Step(id="a", tool="post", undo=Undo(tool="echo", args={"x": "${steps.b}"})),
            "steps[0].undo.args.x",
        ),
    ],
)
def test_references_are_checked_wherever_they_may_stand(step: Step, place: str) -> None:
    (error,) = errors(step)
    assert error.startswith(f"{place}: ")
    assert "there is no step 'b'" in error


def test_the_output_of_the_plan_is_checked_too() -> None:
    (first, second) = errors(echo(), output={"a": "${steps.b}", "b": "${item}"})
    assert first.startswith("output.a: ${steps.b}: there is no step 'b'")
    assert second.startswith("output.b: ${item}: `item` exists only")


def test_an_undo_refers_to_its_own_output() -> None:
    step = Step(id="a", tool="post", undo=Undo(tool="echo", args={"x": "${steps.a.id}"}))
    (error,) = errors(step)
    assert error.endswith("a step cannot refer to itself. Write `${output.id}`.")


def test_a_step_cannot_need_itself() -> None:
    (error,) = errors(Step(id="a", tool="echo", needs=("a",)))
    assert error == "steps[0].needs[0]: a step cannot need itself. Leave it out."


@pytest.mark.requirement("E2")
def test_cycles_are_spelled_out_all_of_them() -> None:
    found = errors(
        echo({"x": "${steps.b}"}, step="a"),
        Step(id="b", tool="echo", needs=("a",)),
        echo({"x": "${steps.d.x}"}, step="c"),
        Step(id="d", tool="echo", when="${steps.e}"),
        Step(id="e", tool="echo", for_each="${steps.c}"),
        echo({"x": "${steps.a}"}, step="f"),
    )
    assert found == [
        "steps[0]: Steps form a cycle: a -> b -> a. Remove one of these references.",
        "steps[2]: Steps form a cycle: c -> d -> e -> c. Remove one of these references.",
    ]


def test_a_long_cycle_is_told_shortly_and_many_are_not_all_told() -> None:
    ring = [echo({"x": f"${{steps.s{(n + 1) % 200}}}"}, step=f"s{n}") for n in range(200)]
    (error,) = errors(*ring)
    assert " -> … -> " in error
    assert len(error) < 300
    pairs = [
        echo({"x": f"${{steps.{'ba'[n % 2]}{n // 2}}}"}, step=f"{'ab'[n % 2]}{n // 2}")
        for n in range(100)
    ]
    assert len(errors(*pairs)) == 20


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"x": '${steps.find.rooms[?view == "sea"]}'}, "double quotes"),
        ({"x": "${steps.find.rooms[?id == inputs.n]}"}, "a field of the element"),
        ({"x": "${steps.find.zzz || 'x'}"}, "steps.find has no 'zzz'"),
    ],
)
def test_what_was_probably_meant_otherwise_is_a_warning(args: dict[str, Json], told: str) -> None:
    assert errors(FIND, echo(args), inputs={"n": "integer"}) == []
    (warning,) = warnings(FIND, echo(args), inputs={"n": "integer"})
    assert told in warning


# Conditions and items


@pytest.mark.parametrize(
    "when", ["steps.find", "x ${steps.find.name}", "${steps.find}${steps.find}"]
)
def test_a_condition_is_one_whole_reference(when: str) -> None:
    (error,) = errors(FIND, Step(id="a", tool="echo", when=when))
    assert error.startswith("steps[1].when: a condition is one whole reference")


def test_a_condition_that_is_broken_is_told_once() -> None:
    assert len(errors(Step(id="a", tool="echo", when="${foo"))) == 1
    assert len(errors(Step(id="a", tool="echo", for_each="${foo"))) == 1


@pytest.mark.requirement("E2", "E5")
@pytest.mark.parametrize(
    ("for_each", "told"),
    [
        ("nothing", "'nothing' is not a list"),
        ("x ${steps.find.rooms}", "is not a list"),
        ("${steps.find.name}", "${steps.find.name} does not give a list"),
        ([0] * (MAX_ITEMS + 1), "it has 10,001 items, and may have 10,000"),
    ],
)
def test_for_each_goes_over_a_list(for_each: Json, told: str) -> None:
    (error,) = errors(FIND, Step(id="a", tool="echo", for_each=for_each))
    assert told in error


@pytest.mark.parametrize(
    "for_each",
    [
        "${steps.find.rooms}",
        "${steps.find.rooms[?id]}",
        "${steps.free.x}",
        [1, "${steps.find}"],
        [],
    ],
)
def test_for_each_takes_whatever_may_be_a_list(for_each: Json) -> None:
    assert errors(FIND, echo(step="free"), Step(id="a", tool="echo", for_each=for_each)) == []


def test_the_items_of_a_list_are_known_by_its_schema() -> None:
    step = Step(id="a", tool="echo", for_each="${steps.find.rooms}", args={"x": "${item.vew}"})
    (error,) = errors(FIND, step)
    assert error.endswith(
        "${item.vew}: item has no 'vew'. Write `${item.view}`. item has id, view."
    )


@pytest.mark.parametrize(
    "for_each", [["a"], "${steps.find.rooms[*]}", ["${steps.find.rooms}"], "${item.x}"]
)
def test_items_of_unknown_shape_may_have_any_field(for_each: Json) -> None:
    step = Step(id="a", tool="echo", for_each=for_each, args={"x": "${item.y}"})
    assert not any("item.y" in error for error in errors(FIND, step))


def test_an_item_of_what_is_no_list_is_told_once() -> None:
    step = Step(id="a", tool="echo", for_each="${steps.find.name}", args={"x": "${item.y}"})
    assert len(errors(FIND, step)) == 1


def test_the_output_of_a_step_with_items_is_a_list() -> None:
    each = Step(id="all", tool="hotels.find", for_each=[1, 2])
    (error,) = errors(each, echo({"x": "${steps.all.name}"}))
    assert "steps.all is an array and has no field 'name'. Write `${steps.all[0].name}`" in error
    (error,) = errors(each, echo({"x": "${steps.all[0].nam}"}))
    assert "steps.all[0] has no 'nam'. Write `${steps.all[0].name}`." in error
    assert errors(each, echo({"x": "${steps.all}", "y": "${steps.all[1].rooms[0].id}"})) == []


# Types


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({}, "to: 'to' is missing"),
        ({"to": 5}, "to: it must be a string, not an integer (5)"),
        ({"to": "x", "seets": 1}, "seets: there is no 'seets'. Write `seats: 1`."),
        (
            {"to": "x", "zzz": "${inputs.n}"},
            "zzz: there is no 'zzz'. Leave it out. There are to, seats, mode.",
        ),
        ({"seats": "${inputs.n}"}, "to: 'to' is missing"),
        (
            {"to": "x", "seats": "${inputs.city}"},
            "seats: ${inputs.city}: it gives a string, but an integer is wanted",
        ),
        ({"to": "${inputs.n}"}, "to: ${inputs.n}: it gives an integer, but a string is wanted"),
        (
            {"to": "x", "seats": "n: ${inputs.n}"},
            "seats: ${inputs.n}: inside a longer text it becomes text, but an integer is wanted",
        ),
        (
            {"to": "x", "mode": "${steps.ask}"},
            "mode: ${steps.ask}: none of the values it gives is one that is wanted",
        ),
        ({"to": "x", "seats": "${foo"}, "seats: ${foo: `${` is opened at column 1"),
    ],
)
def test_arguments_must_fit_what_the_tool_takes(args: dict[str, Json], told: str) -> None:
    ask = Step(id="ask", ask="Which?", choices=("a", "b"))
    step = Step(id="b", tool="flights.book", args=args)
    (error,) = errors(ask, step, inputs={"city": "string", "n": "integer"})
    assert error.startswith(f"steps[1].args.{told}")


@pytest.mark.parametrize(
    "args",
    [
        {"to": "at ${inputs.n}"},
        {"to": "${inputs.city || 'x'}"},
        {"to": "${inputs.n > `5` && 'x'}"},
        {"to": "x", "seats": "${inputs.any}"},
        {"to": "x", "seats": "${steps.fly.price}"},
        {"to": "${steps.free.x.y}", "seats": "${steps.free}", "mode": "${steps.fly.id}"},
        {"to": "$${x}"},
    ],
)
def test_what_may_fit_is_let_through(args: dict[str, Json]) -> None:
    step = Step(id="b", tool="flights.book", args=args)
    inputs = {"city": "string", "n": "integer", "any": {}}
    assert errors(FLY, echo(step="free"), step, inputs=inputs) == []


@pytest.mark.parametrize(
    ("args", "places"),
    [
        ({"a": 1}, ["steps[0].args.b"]),
        ({"a": "${inputs.n}", "c": "x"}, []),
        ({"a": "x", "c": "${inputs.n}"}, ["steps[0].args.a"]),
        ({"a": 2, "list": ["${inputs.n}", 1, 2]}, ["steps[0].args.list"]),
        ({"a": 2, "list": {"x": "${inputs.n}"}}, ["steps[0].args.list"]),
    ],
)
def test_where_a_reference_stands_only_what_is_certain_is_told(
    args: dict[str, Json], places: list[str]
) -> None:
    found = check(Step(id="a", tool="branchy", args=args), inputs={"n": "integer"})
    assert [problem.place for problem in found] == places


def test_deep_arguments_are_checked_beside_references() -> None:
    step = Step(
        id="a", tool="hotels.find", args={"city": "${inputs.x}", "deep": {"n": "x", "m": 1}}
    )
    found = check(step, inputs={"x": "string"})
    assert {problem.place for problem in found} == {"steps[0].args.deep.n", "steps[0].args.deep.m"}


def test_the_arguments_of_an_undo_are_checked_like_any_others() -> None:
    undo = Undo(
        tool="flights.cancel",
        args={"id": "${output.price}", "key": "${args.seats}", "seats": "${key}", "x": 1},
    )
    step = Step(id="a", tool="flights.book", args={"to": "x"}, undo=undo)
    assert sorted(errors(step)) == [
        (
            "steps[0].undo.args.id: ${output.price}: it gives a number, but a string is wanted. "
            "Write `${to_string(output.price)}`."
        ),
        (
            "steps[0].undo.args.key: ${args.seats}: it gives an integer, but a string is wanted. "
            "Write `${to_string(args.seats)}`."
        ),
        (
            "steps[0].undo.args.seats: ${key}: it gives a string, but an integer is wanted. "
            "Write `${to_number(key)}`."
        ),
        "steps[0].undo.args.x: there is no 'x'. Leave it out. There are id, seats, key.",
    ]


def test_a_tool_whose_own_schema_is_wrong_is_told_and_stops_nothing() -> None:
    odd = ToolSpec(name="odd", input_schema={"type": "strng"})
    plan = read_plan(
        {"callsheet": 1, "steps": [Step(id="a", tool="odd"), Step(id="b", tool="odd")]}
    )
    found = check_plan(plan, {"odd": odd}.get, lambda: ["odd"])
    assert [problem.place for problem in found] == ["steps[0].args", "steps[1].args"]
    assert "the tool's own schema is wrong: there is no type 'strng'" in found[0].what


def test_the_output_of_an_unknown_tool_may_be_anything() -> None:
    found = errors(
        Step(id="a", tool="nobody", undo=Undo(tool="flights.cancel", args={"id": "${output.x}"})),
        Step(id="b", tool="flights.book", args={"to": "${steps.a.to}"}),
        Step(id="c", tool="echo", args={"x": "${steps.ask.anything}"}),
        Step(id="ask", ask="What?"),
    )
    assert found == [
        (
            "steps[0].tool: there is no tool 'nobody'. The tools are branchy, echo, flights.book, "
            "flights.cancel, hotels.find, paint, post, refund, sell, wipe."
        )
    ]


# Money


@pytest.mark.requirement("E2")
def test_estimates_over_the_budget_name_both_numbers() -> None:
    (error,) = errors(
        Step(id="a", tool="paint"),
        Step(id="b", tool="paint", for_each=[1, 2]),
        Step(id="c", tool="paint", for_each="${steps.find.rooms}"),
        FIND,
        budget=Budget(usd=3.5),
    )
    assert error == (
        "budget.usd: the steps are estimated at 4 usd, the budget is 3.5. "
        "Raise it to 4 or more, or leave out steps."
    )


def test_steps_that_may_be_skipped_count_for_a_warning_only() -> None:
    steps = (
        echo(step="find"),
        Step(id="a", tool="paint"),
        Step(id="b", tool="paint", when="${steps.find}"),
        Step(id="c", tool="paint", needs=("b",)),
        Step(id="d", tool="paint", needs=("c",), run_if_skipped=True),
    )
    assert errors(*steps, budget=Budget(usd=2.0)) == []
    (warning,) = warnings(*steps, budget=Budget(usd=2.0))
    assert warning.startswith("budget.usd: warning: if all steps run, they are estimated at 4 usd")
    (error,) = errors(*steps, budget=Budget(usd=1.5))
    assert "estimated at 2 usd, the budget is 1.5" in error
    assert warnings(*steps, budget=Budget(usd=4.0)) == []


def test_more_calls_than_the_budget_allows_are_told() -> None:
    (error,) = errors(echo(step="a"), echo(step="b"), Step(id="q", ask="?"), budget=Budget(calls=1))
    assert error.startswith("budget.calls: the steps are estimated at 2 calls, the budget is 1")


def test_a_paid_call_in_a_capped_run_declares_a_ceiling() -> None:
    free = Step(id="a", tool="echo", cost=Cost(usd=1.0))
    (error,) = errors(free, budget=Budget(usd=9.0))
    assert error.startswith("steps[0]: the call costs usd and has no ceiling")
    assert error.endswith("Declare a ceiling: `ceiling: {usd: 1}`.")
    assert errors(free, budget=Budget(tokens=5)) == []
    assert errors(free) == []


def test_a_ceiling_is_neither_over_the_budget_nor_under_the_estimate() -> None:
    (error,) = errors(Step(id="a", tool="paint"), budget=Budget(usd=1.2))
    assert error.startswith("steps[0].ceiling: one call may cost 1.5 usd, the budget is 1.2")
    (error,) = errors(Step(id="a", tool="paint", cost=Cost(usd=2.0)))
    assert error.startswith("steps[0].ceiling: the estimate of 2 usd is over the ceiling of 1.5")
    own = Step(id="a", tool="paint", cost=Cost(tokens=5), ceiling=Cost(tokens=5))
    assert errors(own, budget=Budget(usd=0.0, tokens=5)) == []


# Second thoughts


@pytest.mark.requirement("E2")
def test_a_write_that_cannot_be_taken_back_is_a_warning_when_the_run_would() -> None:
    post = Step(id="a", tool="post", retry=Retry(attempts=1))
    (warning,) = warnings(post)
    assert "post writes and has no undo" in warning
    assert warnings(post, on_failure="stop") == []
    assert len(warnings(post, on_failure="stop", on_cancel="undo")) == 1
    assert warnings(Step(id="a", tool="post", undo="none", retry=Retry(attempts=1))) == []
    assert errors(post) == []


def test_destroying_something_without_asking_is_a_warning() -> None:
    def told(**fields: object) -> list[str]:
        step = {"id": "a", "tool": "post", "undo": "none", "retry": 1, **fields}
        plan = read_plan({"callsheet": 1, "steps": [step]})
        return [str(problem) for problem in check_plan(plan, TOOLS.get, list)]

    (warning,) = told(destructive=True)
    assert "post is destructive, and no approval is asked for" in warning
    assert told(destructive=True, approval="required") == []
    assert told() == []
    wipe = Step(id="a", tool="wipe", undo="none")
    assert len(warnings(wipe)) == 1
    assert warnings(Step(id="a", tool="wipe", undo="none", destructive=False)) == []


def test_retrying_what_is_not_idempotent_is_explained() -> None:
    (warning,) = warnings(Step(id="a", tool="post", undo="none"))
    assert warning.startswith("steps[0]: warning: post is not idempotent")
    (warning,) = warnings(Step(id="a", tool="post", undo="none", retry=Retry(attempts=2)))
    assert warning.startswith("steps[0].retry: warning: post is not idempotent")
    assert warnings(Step(id="a", tool="post", undo="none", retry=Retry())) == []
    assert warnings(Step(id="a", tool="post", undo="none", idempotent=True)) == []


def test_a_read_that_nobody_uses_is_a_warning_in_a_plan_with_an_output() -> None:
    steps = (echo(step="a"), echo(step="b"), Step(id="c", tool="echo", needs=("b",)))
    assert warnings(*steps) == []
    (warning,) = warnings(*steps, output="${steps.c}")
    assert warning.startswith("steps[0]: warning: the output of echo is not used")


@pytest.mark.requirement("E2")
def test_every_problem_is_found_at_once_errors_first_in_the_order_of_their_places() -> None:
    found = check(
        Step(id="a", tool="post"),
        Step(id="b", tool="nobody", args={"x": "${steps.zzz}"}),
        Step(id="c", tool="flights.book", args={"to": 5}, when="yes"),
        output="${inputs.none}",
        budget=Budget(calls=0),
    )
    assert [(problem.place, problem.severity) for problem in found] == [
        ("budget.calls", "error"),
        ("steps[1].tool", "error"),
        ("steps[1].args.x", "error"),
        ("steps[2].when", "error"),
        ("steps[2].args.to", "error"),
        ("output", "error"),
        ("steps[0]", "warning"),
        ("steps[0]", "warning"),
    ]


def test_a_hopeless_plan_gets_its_answer_too() -> None:
    steps = [echo({"x": f"${{steps.t{n}}}", "y": "${inputs.zz}"}, step=f"s{n}") for n in range(500)]
    assert len(errors(*steps)) == 1_000


def test_a_plan_is_checked_as_it_is_not_as_it_was_written() -> None:
    plan = Plan(steps=(echo({"x": "$${steps.zzz}"}),))
    assert check_plan(plan, TOOLS.get, lambda: sorted(TOOLS)) == ()
