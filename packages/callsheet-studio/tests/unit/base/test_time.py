"""One clock: frames, seconds and timecodes say the same, for hours."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate, read_duration

RATES = [Rate.of(text) for text in ("24", "25", "30", "23.976", "29.97")]
rates = st.sampled_from(RATES)


@given(rates, st.integers(0, 6 * 3600 * 30))
def test_a_timecode_stands_for_its_frames(rate: Rate, frames: int) -> None:
    assert rate.from_timecode(rate.timecode(frames)) == frames
    assert rate.from_timecode(rate.timecode(frames, drop=False)) == frames


@given(rates, st.integers(0, 10_000_000))
def test_frames_are_the_same_again_after_seconds(rate: Rate, frames: int) -> None:
    assert rate.frames(rate.seconds(frames)) == frames


@pytest.mark.parametrize(
    ("fps", "frames", "timecode"),
    [
        ("24", 0, "00:00:00:00"),
        ("24", 24 * 3600 * 3 + 5, "03:00:00:05"),
        ("25", 1499, "00:00:59:24"),
        ("23.976", 24 * 60, "00:01:00:00"),
        ("29.97", 1799, "00:00:59;29"),
        ("29.97", 1800, "00:01:00;02"),
        ("29.97", 17982, "00:10:00;00"),
        ("29.97", 107892, "01:00:00;00"),
    ],
)
def test_timecodes_are_those_of_the_trade(fps: str, frames: int, timecode: str) -> None:
    assert Rate.of(fps).timecode(frames) == timecode


def test_an_hour_of_dropped_numbers_keeps_up_with_the_clock() -> None:
    rate = Rate.of(29.97)
    hour = rate.from_timecode("01:00:00;00")
    assert abs(hour / rate.fps - 3600) < Fraction(1, 200)


@pytest.mark.parametrize("text", ["00:01:00;00", "00:01:00;01", "00:00:00:30", "1:2:3", "x"])
def test_a_timecode_that_does_not_occur_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Rate.of("29.97").from_timecode(text)


@pytest.mark.parametrize(
    ("found", "seconds"),
    [
        (30, 30),
        (12.5, 12.5),
        ("30", 30),
        ("30s", 30),
        (" 45 S ", 45),
        ("1:30", 90),
        ("1:02:03", 3723),
        ("1m30s", 90),
        ("1m 30s", 90),
        ("2 minutes", 120),
        ("90 seconds", 90),
        ("1.5m", 90),
        ("1h", 3600),
        ("30 Sekunden", 30),
        ("2 Minuten 10 Sek", 130),
    ],
)
def test_durations_are_read_as_people_write_them(found: object, seconds: float) -> None:
    assert read_duration(found) == seconds


@pytest.mark.parametrize(
    "found",
    [
        "",
        "30-60s",
        "30s-1m",
        "30 to 60",
        "soon",
        "1:75",
        "30s1m",
        "1m1m",
        "1e3",
        "nan",
        "6h",
        "-5",
        0,
        -3,
        21600,
        True,
        None,
        [],
        float("nan"),
        float("inf"),
    ],
)
def test_a_range_or_nonsense_is_refused_and_the_forms_are_named(found: object) -> None:
    with pytest.raises(InputError, match="1m30s"):
        read_duration(found)


def test_a_rate_is_one_that_films_are_made_at() -> None:
    assert Rate.of(23.976).to_json() == "24000/1001"
    assert Rate.of(24.0).to_json() == 24
    assert str(Rate.of("29.97")) == "29.97"
    with pytest.raises(InputError, match="Write 24, 25"):
        Rate.of(26)
