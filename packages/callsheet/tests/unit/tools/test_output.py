"""Outputs become plain JSON, or an error that says where they cannot."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, computed_field

from callsheet.core.value import problem_of
from callsheet.tools.output import UnserialisableOutputError, as_json, is_plain


class Guest(BaseModel):
    name: str
    tags: set[str] = set()


class Price(BaseModel):
    usd: float


@dataclass
class Room:
    number: int
    since: date


class Struct(msgspec.Struct):
    number: int


class Seat(Enum):
    WINDOW = "window"


class Level(IntEnum):
    HIGH = 3


class Text(str):
    __slots__ = ()


Point = namedtuple("Point", ["x", "y"])  # noqa: PYI024 -- the old kind is used too


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Guest(name="Ann", tags={"x"}), {"name": "Ann", "tags": ["x"]}),
        (Room(7, date(2024, 5, 1)), {"number": 7, "since": "2024-05-01"}),
        (Struct(number=7), {"number": 7}),
        ({"at": datetime(2024, 5, 1, tzinfo=UTC)}, {"at": "2024-05-01T00:00:00Z"}),
        (timedelta(seconds=90), "PT1M30S"),
        (Seat.WINDOW, "window"),
        (Level.HIGH, 3),
        (Text("x"), "x"),
        (Decimal("1.50"), "1.50"),
        (Path("a/b"), "a/b"),
        ((1, (2, 3)), [1, [2, 3]]),
        (Point(1, 2), [1, 2]),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        (frozenset({3, 1, 2}), [1, 2, 3]),
        (b"\xff\xfe", "__4="),
        ({1: "a", Seat.WINDOW: "b"}, {"1": "a", "window": "b"}),
        ([Guest(name="Ann")], [{"name": "Ann", "tags": []}]),
    ],
)
def test_what_has_json_is_converted(value: object, expected: object) -> None:
    assert as_json("t", value) == expected


def test_what_is_plain_already_is_not_copied() -> None:
    value = {"a": [1, 2.5, None, True, "ø"], "b": {}}
    assert as_json("t", value) is value


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


class Broken(BaseModel):
    @computed_field
    def price(self) -> int:
        raise KeyError("no price")


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (math.nan, "output is not a finite number"),
        ({"a": [0.0, math.inf]}, "output.a[1] is not a finite number"),
        ({"a": 2**63}, "output.a is an integer over 2^63"),
        ({"a": (1, -(2**63) - 1)}, "output.a[1] is an integer over 2^63"),
        ({"a": {"b": object()}}, "output.a.b is of type object"),
        ([print], "output[0] is of type builtin_function_or_method"),
        (Guest, "output is of type pydantic"),
        (Room(1, object()), f"is of type {__name__}.Room"),  # type: ignore[arg-type]
        (Broken(), f"output is of type {__name__}.Broken"),
        ({"a": "\ud800"}, "output.a is text that is not valid Unicode"),
        ({"\ud800": 1}, "a key that is not valid Unicode"),
        ({1: "a", "1": "b"}, "two keys that read '1'"),
        ({object(): 1}, "is of type object"),
        (nested(65), "nested more than 64 levels deep"),
        (CYCLE, "nested more than 64 levels deep"),
        ({"m": Price(usd=math.nan)}, "output.m.usd is not a finite number"),
    ],
)
def test_what_has_no_json_is_an_error_with_tool_place_and_type(
    value: object, complaint: str
) -> None:
    with pytest.raises(UnserialisableOutputError) as caught:
        as_json("hotels.book", value)
    assert "'hotels.book'" in str(caught.value)
    assert complaint in str(caught.value)


def test_the_deepest_accepted_value_is_accepted() -> None:
    assert is_plain(nested(64))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_plain_is_what_the_core_calls_a_json_value(value: object) -> None:
    assert is_plain(value) == (problem_of(value) is None)
