"""Quantiles in little room: 5 % off at most, and the same whoever counted what."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.insight.spread import ACCURACY, Spread

# Some are tried on a hundred lists of numbers.
pytestmark = pytest.mark.slow

NUMBERS = st.lists(
    st.floats(min_value=0, max_value=1e6, allow_subnormal=False), min_size=1, max_size=60
)
SHARES = st.floats(min_value=0, max_value=1)


def spread_of(numbers: list[float]) -> Spread:
    spread = Spread()
    for number in numbers:
        spread.add(number)
    return spread


@pytest.mark.requirement("E20")
@given(NUMBERS, SHARES)
def test_a_quantile_is_at_most_5_percent_off(numbers: list[float], share: float) -> None:
    found = spread_of(numbers).quantile(share)
    exact = sorted(numbers)[max(math.ceil(share * len(numbers)), 1) - 1]
    assert found == pytest.approx(exact, rel=ACCURACY + 1e-9, abs=1e-9)


@given(NUMBERS, NUMBERS, SHARES)
def test_two_spreads_added_are_the_spread_of_both(
    some: list[float], others: list[float], share: float
) -> None:
    added, both = spread_of(some), spread_of(some + others)
    added.merge(spread_of(others))
    assert added.quantile(share) == both.quantile(share)
    assert (added.count, added.least, added.most) == (both.count, both.least, both.most)
    assert added.total == pytest.approx(both.total)


@given(NUMBERS)
def test_quantiles_grow_with_their_share_and_stay_between_the_ends(numbers: list[float]) -> None:
    spread = spread_of(numbers)
    found = [spread.quantile(share / 10) for share in range(11)]
    assert found == sorted(found, key=lambda each: each or 0.0)
    assert all(min(numbers) <= (each or 0.0) + 1e-9 for each in found)
    assert found[-1] == pytest.approx(max(numbers), rel=ACCURACY + 1e-9, abs=1e-9)


def test_of_nothing_there_is_neither_a_quantile_nor_a_mean() -> None:
    assert Spread().quantile(0.5) is None
    assert Spread().mean is None


def test_a_single_number_is_its_own_quantile() -> None:
    spread = spread_of([0.37])
    assert [spread.quantile(share) for share in (0.1, 0.5, 0.9)] == [0.37] * 3
    assert spread.mean == 0.37
