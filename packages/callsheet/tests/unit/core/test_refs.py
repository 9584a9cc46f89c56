from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core.refs.references import examine, prepare, prepare_condition
from callsheet.core.refs.template import take_apart
from callsheet.core.refs.traps import Fault
from callsheet.errors import InvalidError, NullReferenceError, ReferenceSyntaxError

if TYPE_CHECKING:
    from callsheet.core.value import Json

SCOPE: dict[str, Json] = {
    "inputs": {"city": "Oslo", "nights": 3, "odd-name": "x", "empty": "", "no": None},
    "steps": {
        "hotel": {
            "name": "Grand",
            "price": 99.5,
            "stars": 4,
            "open": True,
            "rooms": [{"id": 1, "view": "sea"}, {"id": 2, "view": None}],
            "brace": "}",
        },
        "ok": "keep",
        "none": None,
    },
    "item": {"id": 7},
}

json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.sampled_from("abc"), max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


def faults_of(value: Json) -> str:
    _, faults = examine(value)
    return "\n".join(fault.message for fault in faults)


# What references give


@pytest.mark.requirement("E5")
@pytest.mark.parametrize(
    ("template", "result"),
    [
        ("${inputs.city}", "Oslo"),
        ("${inputs.nights}", 3),
        ("${ inputs.nights }", 3),
        ("${steps.hotel.rooms}", [{"id": 1, "view": "sea"}, {"id": 2, "view": None}]),
        ("${steps.hotel.rooms[0].id}", 1),
        ("${steps.hotel.rooms[-1].id}", 2),
        ("${steps.hotel.rooms[*].id}", [1, 2]),
        ("${steps.hotel.rooms[].id}", [1, 2]),
        ("${steps.hotel.rooms[?id > `1`].id}", [2]),
        ("${steps.hotel.rooms[:1].view | [0]}", "sea"),
        (
            "${steps.hotel.*}[x",
            '["Grand",99.5,4,true,[{"id":1,"view":"sea"},{"id":2,"view":null}],"}"][x',
        ),
        ('${inputs."odd-name"}', "x"),
        ("${item.id}", 7),
        ("${item}", {"id": 7}),
        ("${steps.ok == 'keep'}", True),
        ("${steps.ok == 'drop' || steps.hotel.open}", True),
        ("${!(steps.hotel.open)}", False),
        ("${{a: inputs.city, b: [inputs.nights]}}", {"a": "Oslo", "b": [3]}),
        ("${steps.hotel.{n: name, s: stars}}", {"n": "Grand", "s": 4}),
        ("${length(steps.hotel.rooms)}", 2),
        ("${sort_by(steps.hotel.rooms, &id)[0].id}", 1),
        ("${'a literal'}", "a literal"),
        ("${steps.hotel.brace == '}'}", True),
        ('${steps.hotel."brace"}', "}"),
        ("${inputs.no || 'x'}", "x"),
        ("${inputs.no || `null`}", None),
    ],
)
def test_a_whole_reference_keeps_its_type(template: str, result: Json) -> None:
    assert prepare(template).resolve(SCOPE) == result


@pytest.mark.requirement("E5")
@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("to ${inputs.city}!", "to Oslo!"),
        ("${inputs.city}${inputs.nights}", "Oslo3"),
        ("${steps.hotel.price} USD", "99.5 USD"),
        ("open: ${steps.hotel.open}", "open: true"),
        ("item: ${item}", 'item: {"id":7}'),
        ("${steps.hotel.rooms[*].id} and", "[1,2] and"),
        ("$${inputs.city}", "${inputs.city}"),
        ("a $${b} ${inputs.city}", "a ${b} Oslo"),
        ("$$${inputs.city}", "$${inputs.city}"),
        ("cost: 5$ {x} $", "cost: 5$ {x} $"),
    ],
)
def test_inside_a_longer_text_a_reference_becomes_text(template: str, text: str) -> None:
    assert prepare(template).resolve(SCOPE) == text


@pytest.mark.requirement("E5")
def test_references_are_found_at_any_depth() -> None:
    template: Json = {
        "to": "${inputs.city}",
        "list": [1, "${steps.hotel.stars}", {"deep": "at ${steps.ok}"}],
        "plain": {"a": [1, 2]},
    }
    prepared = prepare(template)
    assert prepared.resolve(SCOPE) == {
        "to": "Oslo",
        "list": [1, 4, {"deep": "at keep"}],
        "plain": {"a": [1, 2]},
    }
    assert prepared.roots == {"inputs", "steps"}
    assert prepared.steps == {"hotel", "ok"}
    assert not prepared.constant
    assert [(each.place, each.whole, each.text) for each in prepared.references] == [
        (("to",), True, "inputs.city"),
        (("list", 1), True, "steps.hotel.stars"),
        (("list", 2, "deep"), False, "steps.ok"),
    ]
    assert prepared.references[0].inputs == {"city"}
    assert prepared.references[0].path == ("inputs", "city")


@pytest.mark.parametrize("value", [None, 5, "text", [1, {"a": "b"}], {"a": [1, "x"]}, {}, []])
def test_what_holds_no_reference_is_handed_out_as_it_is(value: Json) -> None:
    prepared = prepare(value)
    assert prepared.constant
    assert prepared.resolve({}) is value
    assert prepared.references == ()


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ({"a": "$${x}"}, {"a": "${x}"}),
        (["$${x}", 1], ["${x}", 1]),
        ({"$${x}": 1}, {"${x}": 1}),
    ],
)
def test_an_escaped_reference_is_constant(value: Json, result: Json) -> None:
    prepared = prepare(value)
    assert prepared.constant
    assert prepared.resolve({}) == result


@pytest.mark.parametrize(
    ("expression", "steps", "inputs"),
    [
        ("steps.a.b", {"a"}, set()),
        ("steps.a[0].b", {"a"}, set()),
        ("steps.a[*].b", {"a"}, set()),
        ("steps.a.*.b", {"a"}, set()),
        ("steps.a[?b == `1`] | [0].c", {"a"}, set()),
        ("steps.a[].b[].c", {"a"}, set()),
        ("steps.a[1:2].b", {"a"}, set()),
        ("[steps.a, steps.b.c]", {"a", "b"}, set()),
        ("{x: steps.a, y: inputs.n}", {"a"}, {"n"}),
        ("steps.a.x == steps.b.y && inputs.n", {"a", "b"}, {"n"}),
        ("steps.a || inputs.n", {"a"}, {"n"}),
        ("map(&steps, steps.a)", {"a"}, set()),
        ("max_by(steps.a, &steps.x).b", {"a"}, set()),
        ("merge(steps.a, steps.b, inputs)", {"a", "b"}, set()),
        ("steps.a.steps.b", {"a"}, set()),
        ("steps.a.length(@)", {"a"}, set()),
        ("(steps.a || steps.b).c", {"a", "b"}, set()),
    ],
)
def test_a_reference_says_which_steps_and_inputs_it_needs(
    expression: str, steps: set[str], inputs: set[str]
) -> None:
    (reference,) = prepare(f"${{{expression}}}").references
    assert reference.steps == steps
    assert reference.inputs == inputs


def test_a_path_that_leads_nowhere_is_null_on_every_kind_of_value() -> None:
    scope: dict[str, Json] = {"steps": {"a": "text", "b": 5, "c": [1], "d": None}}
    for step in scope["steps"]:  # type: ignore[union-attr]
        with pytest.raises(NullReferenceError):
            prepare(f"${{steps.{step}.x}}").resolve(scope)
    with pytest.raises(NullReferenceError):
        prepare("${inputs.x}").resolve({})


@given(json_values, json_values)
def test_resolving_never_changes_the_scope(one: Json, two: Json) -> None:
    scope: dict[str, Json] = {"inputs": {"a": one}, "steps": {"s": {"b": two}}}
    before = copy.deepcopy(scope)
    template: Json = {
        "a": "${inputs.a || 'x'}",
        "b": ["${steps.s.b || `[]`}", "in ${steps.s.*}"],
        "c": "${to_array(steps.s.b)[*]}",
    }
    with suppress(InvalidError):
        prepare(template).resolve(scope)
    assert scope == before


# Nulls


@pytest.mark.requirement("E5")
def test_every_null_is_told_with_its_place_and_what_to_write() -> None:
    prepared = prepare({"a": "${inputs.no}", "b": [1, "x ${steps.none.x}"], "c": "${inputs.city}"})
    with pytest.raises(NullReferenceError) as caught:
        prepared.resolve(SCOPE)
    assert caught.value.nulls == ((("a",), "inputs.no"), (("b", 1), "steps.none.x"))
    assert "a: ${inputs.no}; b[1]: ${steps.none.x}" in caught.value.message
    assert "${inputs.no || 'x'}" in caught.value.message
    assert caught.value.error_class == "invalid"


def test_a_null_alone_is_told_without_a_place() -> None:
    with pytest.raises(NullReferenceError, match=r"^A reference is null: \$\{inputs\.no\}\. Write"):
        prepare("${inputs.no}").resolve(SCOPE)


def test_a_null_is_kept_where_it_is_allowed() -> None:
    prepared = prepare(
        {"a": "${inputs.no}", "b": "${steps.none}"}, nullable=lambda place: place == ("a",)
    )
    with pytest.raises(NullReferenceError) as caught:
        prepared.resolve(SCOPE)
    assert caught.value.nulls == ((("b",), "steps.none"),)
    only = prepare({"a": "${inputs.no}"}, nullable=lambda place: place == ("a",))
    assert only.resolve(SCOPE) == {"a": None}


def test_a_null_never_becomes_text() -> None:
    prepared = prepare("x ${inputs.no || `null`}", nullable=lambda _: True)
    with pytest.raises(NullReferenceError):
        prepared.resolve(SCOPE)


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("length(inputs.nights)", "cannot be evaluated"),
        ("contains(inputs.city, `5`)", "cannot be evaluated"),
        ("to_number('nan')", "not a finite number"),
    ],
)
def test_what_cannot_be_evaluated_is_an_invalid_argument(expression: str, why: str) -> None:
    with pytest.raises(InvalidError, match=why):
        prepare(f"${{{expression}}}").resolve(SCOPE)


# Conditions


@pytest.mark.requirement("E5")
@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("${steps.ok == 'keep'}", True),
        ("${steps.hotel.stars > `3`}", True),
        ("${steps.hotel.stars > `5`}", False),
        ("${inputs.no}", False),
        ("${inputs.empty}", False),
        ("${inputs.missing.deep}", False),
        ("${`0`}", True),
        ("${`false`}", False),
        ("${`[]`}", False),
        ("${`{}`}", False),
        ("${`[0]`}", True),
        (" ${steps.hotel.open}\n", True),
    ],
)
def test_a_condition_has_the_truth_of_jmespath(condition: str, truth: bool) -> None:
    assert prepare_condition(condition).truth(SCOPE) is truth


def test_a_condition_says_what_it_needs() -> None:
    condition = prepare_condition("${steps.ok == inputs.city}")
    assert condition.roots == {"steps", "inputs"}
    assert condition.steps == {"ok"}


@pytest.mark.parametrize("text", ["steps.ok", "x ${steps.ok}", "${steps.a}${steps.b}", "", "true"])
def test_a_condition_is_one_whole_reference(text: str) -> None:
    with pytest.raises(ReferenceSyntaxError, match="one whole reference"):
        prepare_condition(text)


# What is wrong with references


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("${steps.a.n > 5}", "Write ${steps.a.n > `5`}."),
        ("${5 < steps.a.n}", "Write ${`5` < steps.a.n}."),
        ("${steps.a[?n >= -1.5]}", "Write ${steps.a[?n >= `-1.5`]}."),
        ('${steps.ok == "keep"}', "single quotes: 'keep'"),
        ("${steps.ok == keep}", "Text stands in single quotes: 'keep'"),
        ("${steps.ok == true}", "in backticks: `true`"),
        ("${null}", "in backticks: `null`"),
        ("${steps}", "a reference names its step"),
        ("${steps.*}", "a reference names its step"),
        ("${steps[0]}", "a reference names its step"),
        ("${length(steps)}", "a reference names its step"),
        ("${steps | a}", "a reference names its step"),
        ("${steps.{x: a}}", "a reference names its step"),
        ("${steps['a']}", "brackets hold positions, not names"),
        ("${steps.a.0}", "Write steps.a[0]"),
        ("${steps.a = 'x'}", "Write == to compare"),
        ("${steps.a and steps.b}", "Write &&, || and !"),
        ("${steps.a.my-name}", "double quotes"),
        ("${steps.a + steps.b}", "does not calculate"),
        ("${steps.a.}", "ends too early"),
        ("${steps.a ||}", "ends too early"),
        ("${steps.a b}", "'b' does not belong at column 9"),
        ("${steps.a #}", "'#' does not belong at column 9"),
        ("${}", "the reference is empty"),
        ("${  }", "the reference is empty"),
        ("${@}", "starts with a name"),
        ("${[*]}", "starts with a name"),
        ("${*.x}", "starts with a name"),
        ("${foo.bar}", "Write steps.foo for a step, inputs.foo for an input"),
        ("${input.x}", "Did you mean 'inputs'?"),
        ("${secrets}", "a secret is one text with a name"),
        ("${secrets.TOKEN.part}", "a secret is one text with a name"),
        ("${secrets[0]}", "a secret is one text with a name"),
        ("${length(secrets.TOKEN)}", "nothing can be made of a secret"),
        ("${secrets.TOKEN || 'x'}", "nothing can be made of a secret"),
        ("${secrets.TOKEN == inputs.guess}", "nothing can be made of a secret"),
        ("${lenght(steps.a)}", "Did you mean 'length'?"),
        ("${zzzz(steps.a)}", "There are abs, avg"),
        ("${length(steps.a, steps.b)}", "takes 1 argument, not 2"),
        ("${not_null()}", "takes 1 argument, not 0"),
        ("${to_array(&steps)}", "`&` stands only before"),
        ("${!steps.a.b}", "Write !(steps.<id>.<field>)."),
        ("${steps.a[?!x.y]}", "Write !(steps.<id>.<field>)."),
        ("${`text`}", "is not JSON"),
        ("${`NaN`}", "is not JSON"),
        ("${`99999999999999999999`}", "is an integer over 2^63"),
        ("${" + "(" * 2000 + "}", "nested too deeply"),
        ("${" + "!" * 60 + "steps.a}", "nested too deeply"),
        ("${'" + "x" * 5000 + "'}", "longer than 4096"),
        ("${steps.a", "opened at column 1 and never closed"),
        ("ab ${steps.a.{x: y}", "opened at column 4 and never closed"),
        ("a\nb ${steps.a", "line 2, column 3"),
        ("${steps.a == 'x}", "a quote ' is opened at column 14"),
        ('${steps."x\\"}', 'a quote " is opened at column 9'),
    ],
)
def test_a_reference_that_cannot_be_understood_says_what_to_write(text: str, told: str) -> None:
    assert told in faults_of(text)


@pytest.mark.requirement("E2")
def test_everything_that_is_wrong_is_told_at_once_with_its_place() -> None:
    prepared, faults = examine({"a": "${foo}", "b": ["${bar} ${x", 1], "c": "${steps.ok}"})
    assert [fault.place for fault in faults] == [("a",), ("b", 0)]
    assert prepared.steps == {"ok"}
    _, faults = examine("${foo == bar} and ${baz}")
    assert len(faults) == 3


def test_preparing_what_is_wrong_raises_the_first_of_it() -> None:
    with pytest.raises(ReferenceSyntaxError) as caught:
        prepare({"a": {"b": "${foo.x}"}})
    assert caught.value.place == ("a", "b")
    assert caught.value.text == "${foo.x}"
    assert caught.value.message.startswith("a.b: '${foo.x}': a reference starts with")
    assert caught.value.fix


def test_a_key_cannot_hold_a_reference() -> None:
    assert "a key is fixed" in faults_of({"${inputs.city}": 1})
    assert "a key is fixed" in faults_of({"x ${inputs.city}": 1})
    assert "a key is fixed" in faults_of({"${inputs": 1})


@pytest.mark.parametrize(
    ("expression", "trap"),
    [
        ('steps.a[?x == "y"]', "double quotes"),
        ("steps.a[?x == true]", "backticks"),
        ("steps.a[?x == inputs.y]", "field of the element"),
        ("steps.a[?x == y]", None),
        ("steps.a[?x == y.z]", None),
        ("steps.a[*].inputs", None),
        ("steps.a[?inputs]", None),
    ],
)
def test_what_was_probably_meant_otherwise_is_noted(expression: str, trap: str | None) -> None:
    (reference,) = prepare(f"${{{expression}}}").references
    told = [f"{each.what} {each.fix}" for each in reference.parsed.traps]
    assert bool(told) is (trap is not None)
    assert trap is None or trap in told[0]


@pytest.mark.parametrize(
    "error",
    [
        ReferenceSyntaxError("m", place=("a", 1), text="t", what="w", fix="f"),
        NullReferenceError("m", nulls=[(("a",), "inputs.x")]),
    ],
)
def test_errors_of_references_survive_a_copy(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.args, vars(again)) == (error.args, vars(error))


# Any text at all

pieces = st.sampled_from(
    [
        "${",
        "}",
        "$${",
        "'",
        '"',
        "`",
        "\\",
        "{",
        "[",
        "]",
        "steps",
        ".a",
        "inputs.x",
        "|",
        "&",
        "==",
        "5",
        "$",
        " ",
        "(",
        "@",
        "*",
        "?",
        "!",
        "-",
        "\n",
        "length",
        "é",
    ]
)


@given(st.lists(pieces | st.text(max_size=3), max_size=14).map("".join))
def test_any_text_is_understood_or_refused_with_a_reason(text: str) -> None:
    prepared, faults = examine(text)
    assert all(fault.what for fault in faults)
    if not faults:
        with suppress(InvalidError):
            prepared.resolve(SCOPE)


@given(st.text(max_size=30))
def test_text_without_references_is_taken_apart_and_is_still_itself(text: str) -> None:
    parts = take_apart(text.replace("${", "$${"))
    assert not isinstance(parts, Fault)
    assert "".join(map(str, parts)) == text
