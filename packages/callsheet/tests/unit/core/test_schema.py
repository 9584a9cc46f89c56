from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.core.schema.shape import Schema, at, kind_of, kinds_of
from callsheet.core.schema.validate import (
    Lexicon,
    allows_null,
    compatible,
    compile_schema,
    missing_properties,
    problem_of_schema,
    problems_of,
    properties_at,
    violations_of,
)
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.core.problem import Place
    from callsheet.core.value import Json

ROOM: dict[str, Json] = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "view": {"type": ["string", "null"]}},
    "required": ["id"],
    "additionalProperties": False,
}
HOTEL: dict[str, Json] = {
    "$defs": {"Room": ROOM, "Loop": {"$ref": "#/$defs/Loop"}, "No": False},
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "any": {},
        "rooms": {"type": "array", "items": {"$ref": "#/$defs/Room"}},
        "best": {"anyOf": [{"$ref": "#/$defs/Room", "description": "or"}, {"type": "null"}]},
        "either": {"oneOf": [ROOM, {"type": "object", "properties": {"id": {"type": "string"}}}]},
        "vague": {"anyOf": [ROOM, {"type": "object"}]},
        "none": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, True], "items": False},
        "open": {"type": "array"},
        "free": {"type": "array", "items": True},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "wide": {"type": "object", "additionalProperties": True},
        "odd": {"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False},
        "both": {"allOf": [{"type": "object"}, {"properties": {"id": {}}}]},
        "loop": {"$ref": "#/$defs/Loop"},
        "gone": {"$ref": "#/$defs/Gone"},
        "else": {"$ref": "other.json"},
        "anchor": {"$ref": "#room"},
        "bad": {"$ref": 5},
        "mixed": {"$ref": "#/$defs/Room", "minProperties": 1},
        "self": {"$ref": "#"},
        "never": False,
        "nope": {"$ref": "#/$defs/No"},
        "always": True,
        "slash/ed": {"type": "null"},
        "way": {"$ref": "#/properties/slash~1ed"},
    },
}


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("schema", "value", "problems"),
    [
        ({"type": "integer"}, 5, []),
        (True, 5, []),
        ({"type": "integer"}, "x", [((), "it must be an integer, not a string ('x')")]),
        (ROOM, {}, [(("id",), "'id' is missing")]),
        (ROOM, {"id": 1, "veiw": ""}, [(("veiw",), "there is no 'veiw'. Did you mean 'view'?")]),
        (ROOM, {"id": 1, "q": ""}, [(("q",), "there is no 'q'. There are id, view.")]),
        (
            {"properties": {}, "additionalProperties": False},
            {"q": 1},
            [(("q",), "there is no 'q'")],
        ),
        ({"additionalProperties": False}, {"q": 1}, [((), "nothing is allowed here")]),
        (False, 1, [((), "nothing is allowed here")]),
        (
            {"items": {"enum": ["a", None]}},
            ["a", "b"],
            [((1,), "it must be one of 'a', null, not 'b'")],
        ),
        ({"minimum": 3}, 1, [((), "1 is less than the minimum of 3")]),
        (
            {"properties": {"rooms": {"items": ROOM}}},
            {"rooms": [{"id": True}]},
            [(("rooms", 0, "id"), "it must be an integer, not a boolean (true)")],
        ),
    ],
)
def test_a_value_that_does_not_fit_is_told_in_words_with_its_place(
    schema: Schema, value: Json, problems: list[tuple[Place, str]]
) -> None:
    assert problems_of(schema, value) == problems


def test_a_long_message_is_cut() -> None:
    ((_, what),) = problems_of({"maxLength": 1}, "x" * 5_000)
    assert len(what) < 250


def test_a_violation_says_whether_it_comes_from_a_branch() -> None:
    schema: Schema = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}
    (violation,) = violations_of(schema, {"a": 1})
    assert violation.branch
    assert (violation.place, violation.inside) == (("b",), ())
    (plain,) = violations_of({"anyOf": [{"type": "string"}]}, 5)
    assert not plain.branch


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "strng"}, "there is no type 'strng'. Did you mean 'string'?"),
        ({"properties": {"a": {"type": "zzz"}}}, "Write one of string, integer"),
        ({"$ref": "http://example.com/schema.json"}, "Retrieval is disabled"),
        ({"$ref": "#/$defs/none"}, "does not exist"),
        ({"pattern": "("}, "not a JSON Schema"),
        ({"required": 5}, "not a JSON Schema"),
        (5, "it is integer, not a mapping"),
        ([], "it is array, not a mapping"),
    ],
)
def test_what_is_no_schema_says_why_and_nothing_is_fetched(schema: Json, told: str) -> None:
    assert told in (problem_of_schema(schema) or "")


def test_a_schema_nested_beyond_reason_is_refused() -> None:
    schema: dict[str, Json] = {}
    for _ in range(400):
        schema = {"items": schema}
    with pytest.raises(InputError, match="not a JSON Schema"):
        compile_schema(schema)


def test_equal_schemas_are_compiled_once() -> None:
    one: Schema = {"type": "string", "minLength": 3}
    two: Schema = {"minLength": 3, "type": "string"}
    assert compile_schema(one) is compile_schema(two)
    assert problem_of_schema(one) is None
    assert problem_of_schema(True) is None


@pytest.mark.parametrize(
    ("place", "kinds"),
    [
        (("name",), "string"),
        (("rooms",), "array"),
        (("rooms", 0), "object"),
        (("rooms", -1, "id"), "integer"),
        (("best", "id"), "integer"),
        (("either", "id"), "integer string"),
        (("pair", 0), "string"),
        (("tags", "x"), "string"),
        (("self", "name"), "string"),
        (("self", "self", "rooms", 3, "view"), "string null"),
        (("way",), "null"),
    ],
)
def test_a_schema_says_what_stands_inside(place: Place, kinds: str) -> None:
    found = at(HOTEL, place)
    assert found is not None
    assert kinds_of(found) == set(kinds.split())


@pytest.mark.parametrize(
    "place",
    [
        ("any", "x"),
        ("vague", "x"),
        ("open", 0),
        ("free", 0),
        ("pair", -1),
        ("wide", "x"),
        ("odd", "y"),
        ("both", "id"),
        ("loop", "x"),
        ("gone", "x"),
        ("else", "x"),
        ("anchor", "x"),
        ("bad", "x"),
        ("mixed", "zzz"),
        ("always", "x"),
        ("always", "x", "y"),
        ("unknown",),
        ("unknown", "x"),
    ],
)
def test_where_a_schema_says_nothing_nothing_is_known(place: Place) -> None:
    assert at(HOTEL, place) is None


@pytest.mark.parametrize(
    "place",
    [
        ("rooms", 0, "x"),
        ("rooms", "x"),
        ("name", "x"),
        ("name", 0),
        ("best", "x"),
        ("none", "x"),
        ("pair", 7),
        ("never",),
        ("never", "x"),
        ("nope", "x"),
        ("nope",),
    ],
)
def test_a_schema_says_where_nothing_can_be(place: Place) -> None:
    assert at(HOTEL, place) is False


def test_what_is_found_inside_can_be_asked_further() -> None:
    best = at(HOTEL, ("rooms",))
    assert best is not None
    assert at(best, (0, "id")) == {"type": "integer"} | {"$defs": HOTEL["$defs"]}
    assert at(True, ()) is True
    assert at(ROOM, ()) is ROOM


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        (True, "string integer number boolean array object null"),
        (False, ""),
        ({"type": "number"}, "integer number"),
        ({"type": ["string", "null"]}, "string null"),
        ({"const": None}, "null"),
        ({"enum": ["a", 1, 2.5, True, [], {}]}, "string integer number boolean array object"),
        ({"type": "string", "enum": ["a", 1]}, "string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string null"),
        ({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}, "string"),
        ({"oneOf": "broken", "allOf": "broken", "type": "null"}, "null"),
        ({"$ref": "#"}, "string integer number boolean array object null"),
        ({"anyOf": [{"$ref": "#"}]}, "string integer number boolean array object null"),
    ],
)
def test_a_schema_says_which_kinds_there_may_be(schema: Schema, kinds: str) -> None:
    assert kinds_of(schema) == set(kinds.split())


def test_a_schema_that_goes_in_circles_is_given_up_on() -> None:
    circle: Schema = {"anyOf": [{"$ref": "#"}] * 30, "allOf": [{"$ref": "#"}] * 30}
    assert at({"anyOf": [{"$ref": "#"}] * 30}, ("x",)) is None
    assert kinds_of(circle) == kinds_of(True)


def test_a_schema_that_grows_like_a_bush_is_walked_once() -> None:
    bush: dict[str, Json] = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 9} for n in range(18)
    }
    bush["d18"] = {"properties": {"x": {"type": "string"}}}
    schema: Schema = {"$defs": bush, "$ref": "#/$defs/d0"}
    assert kinds_of(schema) == kinds_of(True)
    found = at(schema, ("x",))
    assert found is not None


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_every_value_has_a_kind(value: Json, kind: str) -> None:
    assert kind_of(value) == kind


@pytest.mark.requirement("E5")
@pytest.mark.parametrize(
    ("place", "allowed"),
    [
        (("rooms", 0, "view"), True),
        (("rooms", 0, "id"), False),
        (("best",), True),
        (("any",), True),
        (("unknown",), False),
        (("never",), False),
    ],
)
def test_a_null_is_allowed_only_where_the_schema_says_so(place: Place, allowed: bool) -> None:
    assert allows_null(HOTEL, place) is allowed


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("producer", "consumer", "fits"),
    [
        ({"type": "string"}, {"type": "integer"}, False),
        ({"type": "integer"}, {"type": "number"}, True),
        ({"type": "number"}, {"type": "integer"}, True),
        ({"type": ["string", "null"]}, {"type": "string"}, True),
        ({}, {"type": "string"}, True),
        ({"type": "string"}, True, True),
        ({"enum": ["a", "b"]}, {"enum": ["c"]}, False),
        ({"enum": ["a", "b"]}, {"enum": ["b"]}, True),
        ({"enum": ["a"]}, {"type": "string", "pattern": "("}, True),
        (True, False, False),
    ],
)
def test_only_what_certainly_does_not_fit_is_incompatible(
    producer: Schema, consumer: Schema, fits: bool
) -> None:
    assert compatible(producer, consumer) is fits


def test_what_is_required_and_not_given_is_missing() -> None:
    assert missing_properties(ROOM, ["view"]) == ["id"]
    assert missing_properties(ROOM, ["id"]) == []
    assert missing_properties({"required": "broken"}, []) == []
    assert missing_properties(True, []) == []


def test_the_properties_of_a_place_are_those_its_schema_names() -> None:
    assert properties_at(HOTEL, ("rooms", 0)) == ["id", "view"]
    assert properties_at(HOTEL, ("any",)) == []
    assert properties_at(HOTEL, ("unknown",)) == []


def test_a_lexicon_gives_the_same_answers_and_gives_them_again() -> None:
    lexicon = Lexicon()
    for _ in range(2):
        assert lexicon.at(HOTEL, ("rooms", 0)) == at(HOTEL, ("rooms", 0))
        assert lexicon.kinds_of(ROOM) == {"object"}
        assert lexicon.compatible(ROOM, HOTEL)
        assert lexicon.violations_of(ROOM, {}) == violations_of(ROOM, {})
    assert lexicon.at(HOTEL, ("rooms", 0)) is lexicon.at(HOTEL, ("rooms", 0))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (ROOM, {"id": "${steps.a}", "vew": 1}),
        ({**ROOM, "required": ["id", "view"]}, {"id": "${steps.a}"}),
        ({**ROOM, "properties": {"id": False, "view": False}}, {"id": "${steps.a}", "view": "x"}),
        (
            {
                "$defs": {"Room": ROOM, "Sea": {"type": "string"}},
                "properties": {"id": {"$ref": "#/$defs/Room"}, "view": {"$ref": "#/$defs/Sea"}},
            },
            {"id": "${steps.a}", "view": 5},
        ),
        ({**ROOM, "minProperties": 2}, {"id": "${steps.a}"}),
    ],
)
def test_what_is_said_of_the_others_is_the_same_when_a_property_is_not_known(
    schema: dict[str, Json], value: Json
) -> None:
    unknown = frozenset({"id"})
    whole = violations_of(schema, value)
    known = [found for found in whole if found.inside != ("id",)]
    assert known
    found = Lexicon().violations_of(schema, value, unknown)
    assert [each for each in found if each.inside != ("id",)] == known


def test_a_lexicon_asked_of_known_and_unknown_properties_does_not_mix_them_up() -> None:
    lexicon = Lexicon()
    value: Json = {"id": "${steps.a}"}
    assert lexicon.violations_of(ROOM, value, frozenset({"id"})) == []
    assert [found.inside for found in lexicon.violations_of(ROOM, value)] == [("id",)]


def test_a_schema_that_is_wrong_is_told_also_where_a_property_is_not_known() -> None:
    wrong: dict[str, Json] = {"properties": {"id": {"type": "strng"}}}
    with pytest.raises(InputError, match="there is no type 'strng'"):
        Lexicon().violations_of(wrong, {"id": "${steps.a}"}, frozenset({"id"}))
