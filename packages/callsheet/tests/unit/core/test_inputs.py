from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from callsheet.core.plan.inputs import bind_inputs, read_inputs
from callsheet.core.plan.plan import Plan
from callsheet.core.problem import Problem
from callsheet.errors import InputsError

if TYPE_CHECKING:
    from callsheet.core.value import Json


def a_plan(**inputs: Json) -> Plan:
    return Plan(steps=(), inputs=inputs)


TRIP = a_plan(
    city={"type": "string"},
    nights={"type": "integer", "minimum": 1, "default": 2},
    rooms={"type": "array", "items": {"type": "integer"}, "default": []},
)


@pytest.mark.requirement("E5")
def test_inputs_come_in_plan_order_with_defaults_for_what_was_not_given() -> None:
    bound = bind_inputs(TRIP, {"rooms": [1], "city": "Oslo"})
    assert list(bound.items()) == [("city", "Oslo"), ("nights", 2), ("rooms", [1])]
    assert bind_inputs(a_plan(), {}) == {}


@pytest.mark.requirement("E2")
def test_all_that_is_wrong_with_inputs_is_told_at_once() -> None:
    with pytest.raises(InputsError) as caught:
        bind_inputs(TRIP, {"citty": "x", "nights": 0, "rooms": [1, "x"], "zzz": 1})
    assert [problem.place for problem in caught.value.problems if isinstance(problem, Problem)] == [
        "inputs.citty",
        "inputs.zzz",
        "inputs.city",
        "inputs.nights",
        "inputs.rooms[1]",
    ]
    assert "Did you mean 'city'?" in caught.value.message
    assert "The plan's inputs: city, nights, rooms." in caught.value.message
    assert "Give city (string)." in caught.value.message


def test_a_plan_without_inputs_takes_none() -> None:
    with pytest.raises(InputsError, match="The plan's inputs: none"):
        bind_inputs(a_plan(), {"x": 1})


@pytest.mark.parametrize("value", [math.nan, 2**63, {"deep": [math.inf]}])
def test_an_input_that_is_not_json_is_refused(value: Json) -> None:
    with pytest.raises(InputsError, match=r"inputs\.x: it is or holds something that is"):
        bind_inputs(a_plan(x={}), {"x": value})


@pytest.mark.requirement("E1")
def test_inputs_are_read_from_yaml_and_json() -> None:
    assert read_inputs(b"city: Oslo\nnights: 3\n") == {"city": "Oslo", "nights": 3}
    assert read_inputs(b'{"city": "Oslo"}') == {"city": "Oslo"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"- a", "not a mapping"),
        (b"", "not a mapping but null"),
        (b"a: 'x", "it is not YAML"),
        (b"\xff", "not UTF-8"),
        (b"a: .nan\nb: 2024-01-01", "NaN"),
    ],
)
def test_inputs_that_cannot_be_read_say_why(text: bytes, told: str) -> None:
    with pytest.raises(InputsError, match=told):
        read_inputs(text)
