"""Where parts and sections lie, for the lengths that the tables name."""

from __future__ import annotations

import pytest

from callsheet_studio.base.time import Rate
from callsheet_studio.script.structure import lay_out

pytestmark = pytest.mark.requirement("P3")

FILM = Rate.of("24")


@pytest.mark.parametrize(
    ("seconds", "sections"),
    [
        (15, "3 2 3 4 3"),
        (30, "3 4 3 6 6 3 2 3"),
        (60, "3 7 5 6 6 7.5 7.5 8 5 5"),
    ],
)
def test_the_sections_of_an_ad_are_those_of_the_table(seconds: int, sections: str) -> None:
    slots = lay_out("ad", FILM.frames(seconds), FILM)
    assert [slot.frames / 24 for slot in slots] == [float(each) for each in sections.split()]


def test_the_shortest_ad_tells_pain_and_offer_within_their_neighbours() -> None:
    slots = lay_out("ad", FILM.frames(15), FILM)
    assert slots[0].parts == ("hook", "pain_point")
    assert slots[-1].parts == ("offer", "call_to_action")
    assert all("trust" not in slot.parts for slot in slots)


def test_an_ad_between_two_columns_lies_between_them() -> None:
    slots = lay_out("ad", FILM.frames(45), FILM)
    pain = next(slot for slot in slots if slot.part == "pain_point")
    assert pain.frames == FILM.frames(5.5)


def test_eight_parts_end_where_the_table_says() -> None:
    total = FILM.frames(300)
    slots = lay_out("eight_part", total, FILM)
    ends = {slot.part: slot.end for slot in slots}
    shares = {part: round(100 * end / total) for part, end in ends.items()}
    assert shares == {
        "hook": 5,
        "inciting_event": 12,
        "first_plot_point": 25,
        "first_pinch_point": 37,
        "midpoint": 50,
        "second_pinch_point": 62,
        "third_plot_point": 75,
        "climax": 100,
    }


def test_a_hook_may_be_shorter_than_other_beats() -> None:
    slots = lay_out("eight_part", FILM.frames(90), FILM)
    assert slots[0].frames == FILM.frames(4)
    assert min(slot.frames for slot in slots[1:]) >= FILM.frames(5)


def test_a_film_too_short_for_two_beats_is_one_that_serves_every_part() -> None:
    (slot,) = lay_out("three_act", FILM.frames(6), FILM)
    assert slot.parts == ("hook", "setup", "confrontation", "resolution", "call_to_action")
