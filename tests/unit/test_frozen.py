"""Small data: like a frozen data class, but declared in no time."""

from __future__ import annotations

import pytest

from callsheet.frozen import Frozen


class Point(Frozen):
    x: int
    y: int = 0


class Named(Frozen, kw_only=True):
    name: str = ""
    point: Point


class Each(Frozen, eq=False):
    x: int


def test_it_compares_and_hashes_by_its_fields() -> None:
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    assert len({Point(1), Point(1, 0), Point(0, 1)}) == 2
    assert repr(Named(point=Point(1))) == "Named(name='', point=Point(x=1, y=0))"


def test_it_never_changes() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        point.z = 2  # type: ignore[attr-defined]


def test_fields_may_be_given_by_name_alone() -> None:
    with pytest.raises(TypeError):
        Named("a", Point(1))  # type: ignore[call-arg]


def test_each_may_be_its_own() -> None:
    one, other = Each(1), Each(1)
    assert one != other
    assert len({one, other}) == 2
