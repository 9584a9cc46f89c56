"""A loop over combinations looks at all of them, and says at which one it failed."""

from __future__ import annotations

import inspect

import pytest
from tests.every import every


def test_every_combination_is_looked_at() -> None:
    seen = []

    @every(place=["coast", "road"], size=[1, 2])
    def look(place: str, size: int) -> None:
        seen.append((place, size))

    look()
    assert seen == [("coast", 1), ("coast", 2), ("road", 1), ("road", 2)]


def test_a_failure_names_its_combination() -> None:
    @every(place=["coast", "road"], size=[1, 2])
    def look(place: str, size: int) -> None:
        assert (place, size) != ("road", 1)

    with pytest.raises(AssertionError) as caught:
        look()
    assert caught.value.__notes__ == ["with place='road', size=1"]


def test_what_is_not_looped_over_is_left_to_fixtures() -> None:
    seen = []

    @every(size=[1, 2])
    def look(home: str, size: int) -> None:
        seen.append((home, size))

    assert list(inspect.signature(look).parameters) == ["home"]
    look(home="here")
    assert seen == [("here", 1), ("here", 2)]


def test_a_loop_over_nothing_or_over_what_no_test_takes_is_refused() -> None:
    def look(size: int) -> None:
        assert size

    with pytest.raises(AssertionError, match="nothing to look at"):
        every(size=[])(look)
    with pytest.raises(AssertionError, match="no such argument"):
        every(place=["coast"])(look)
