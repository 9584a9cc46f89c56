"""Billed seconds are not screen seconds."""

from __future__ import annotations

import pytest
from tests.unit.solve import films

from callsheet_studio.base.time import Rate
from callsheet_studio.model.stack import Grid
from callsheet_studio.solve.grid import Tariff, orders, screen_time, tariff

MOST = 4


def _told(usd: float, lengths: tuple[float, ...], **more: object) -> Tariff:
    grid = Grid(lengths=lengths, least=3, most=max(lengths, default=10))
    found = tariff(films.offer("a@north", usd, **more), grid)
    assert found is not None
    return found


def _orders(rates: Tariff, seconds: float) -> list[tuple[tuple[float, ...], int]]:
    found = orders(rates, int(seconds * 1000), MOST)
    return [(tuple(clip / 1000 for clip in each.clips), each.bill) for each in found]


@pytest.mark.requirement("P7")
def test_a_shot_is_billed_by_the_next_length_of_the_grid() -> None:
    assert _orders(_told(0.1, (4, 6, 8)), 4.5) == [((6,), 600_000)]


@pytest.mark.requirement("P7")
def test_a_very_short_shot_is_billed_as_the_shortest_clip() -> None:
    assert _orders(_told(0.1, (4, 6, 8)), 0.9) == [((4,), 400_000)]


@pytest.mark.requirement("P7")
def test_a_shot_longer_than_the_longest_clip_is_split() -> None:
    assert _orders(_told(0.1, (4,)), 10) == [((4, 4, 4), 1_200_000)]


@pytest.mark.requirement("P7")
def test_a_shot_is_split_where_that_is_cheaper() -> None:
    # Six seconds: one clip of ten, or two of three.
    assert _orders(_told(0.1, (3, 10)), 6) == [((10,), 1_000_000), ((3, 3), 600_000)]


@pytest.mark.requirement("P7")
def test_a_shot_is_never_split_in_more_clips_than_allowed() -> None:
    assert _orders(_told(0.1, (2,)), 8.01) == []
    assert _orders(_told(0.1, (2,)), 8) == [((2, 2, 2, 2), 800_000)]


@pytest.mark.requirement("P7")
def test_a_price_for_a_clip_is_never_divided() -> None:
    rates = _told(0.35, (5, 10), unit="clip", unit_seconds=5)
    assert _orders(rates, 2) == [((5,), 350_000)]
    assert _orders(rates, 5.01) == [((5, 5), 700_000)]


@pytest.mark.requirement("P7")
def test_every_call_costs_at_least_the_minimum() -> None:
    rates = _told(0.1, (2, 8), minimum_usd=0.5)
    # Two clips of two seconds would be billed 1.00 USD, one of eight 0.80.
    assert _orders(rates, 4) == [((8,), 800_000)]
    assert _orders(rates, 2) == [((2,), 500_000)]


@pytest.mark.requirement("P7")
def test_a_tool_without_a_grid_is_billed_what_it_makes() -> None:
    rates = _told(0.1, ())
    assert _orders(rates, 3.25) == [((3.25,), 325_000)]
    assert _orders(rates, 1) == [((3,), 300_000)]
    assert _orders(rates, 10.5) == [((5.25, 5.25), 1_050_000)]


@pytest.mark.requirement("P7")
def test_a_bill_is_rounded_up_to_a_millionth() -> None:
    assert _orders(_told(0.0000001, (1,)), 1) == [((1,), 1)]


@pytest.mark.requirement("P7")
@pytest.mark.parametrize("unit", ["month", "credit", "minute", "1k_characters"])
def test_a_price_by_another_unit_is_not_planned_with(unit: str) -> None:
    assert tariff(films.offer("a@north", 10, unit=unit), Grid(lengths=(5,), most=5)) is None
    assert tariff(films.offer("a@north", 0.1), None) is None


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("frames", "fps", "ms"),
    [
        (120, "24", 5000),
        (120, "23.976", 5000),
        (121, "25", 4840),
        (1, "24", 42),
        (150, "29.97", 5000),
    ],
)
def test_frames_are_conformed_to_the_whole_rate(frames: int, fps: str, ms: int) -> None:
    assert screen_time(frames, Rate.of(fps)) == ms
