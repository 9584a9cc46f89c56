"""JSON values: which are accepted, and that equal ones have one spelling."""

from __future__ import annotations

import math

import pytest

from callsheet.core import value


def nested(levels: int) -> object:
    found: object = 1
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize(
    "found",
    [None, True, 0, -(2**63), 2**63 - 1, 1.5, "", "ü", [], [1, [2]], (1,), {}, {"a": {"b": None}}],
)
def test_what_json_can_say_is_accepted(found: object) -> None:
    assert value.problem_of(found) is None


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (2**63, "an integer over 2^63"),
        (-(2**63) - 1, "an integer over 2^63"),
        (math.nan, "not a finite number (NaN or infinity)"),
        (-math.inf, "not a finite number (NaN or infinity)"),
        ([1, {"a": math.inf}], "not a finite number (NaN or infinity)"),
        ({1: "a"}, "a mapping with a key that is not text"),
        ({"a": {2**63}}, "of type set, which is not JSON"),
        (b"bytes", "of type bytes, which is not JSON"),
        (nested(65), "nested more than 64 levels deep"),
    ],
)
def test_what_json_cannot_say_is_refused_in_words(found: object, why: str) -> None:
    assert value.problem_of(found) == why


def test_a_value_may_be_as_deep_as_that_and_no_deeper() -> None:
    assert value.problem_of(nested(64)) is None


def test_equal_values_have_one_spelling_and_one_digest() -> None:
    assert value.canonical({"b": 1, "a": [2.0]}) == b'{"a":[2.0],"b":1}'
    assert value.digest({"b": 1, "a": 2}) == value.digest({"a": 2, "b": 1})
    assert value.digest([1, 2]) != value.digest([2, 1])


def test_plain_encoding_keeps_the_order_of_keys() -> None:
    assert value.encode({"b": 1, "a": 2}) == b'{"b":1,"a":2}'
    assert value.decode(b'{"b":1,"a":[null]}') == {"b": 1, "a": [None]}
