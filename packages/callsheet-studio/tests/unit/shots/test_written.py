"""A script that somebody has written: it is seen, who is meant by it, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.unit.script.samples import make_brief

from callsheet_studio.film.check.meaning import judge_pictures
from callsheet_studio.library import find_preset, sets
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList

pytestmark = pytest.mark.requirement("P15")

PLAY = """
EXT. HOSPITAL - NIGHT

AISHA (28, yellow raincoat) steps out and looks at her phone. The display says: last bus 23:40.

A taxi stops at the kerb.

INT. TAXI - NIGHT

GEORGE, 60, grey beard, flat cap, turns around.

GEORGE
Long night?

AISHA
Twelve hours.

He laughs.

She gives him a cup.

INT. BARN - DAY

They sit on a bench. Aisha climbs a ladder.
"""


def planned(play: str = PLAY, seconds: int = 45) -> tuple[ShotList, Brief]:
    brief = make_brief(script=play, seconds=seconds)
    return plan_shots(write_script(brief), brief), brief


def test_nothing_is_seen_that_nobody_has_written() -> None:
    shots, _ = planned(seconds=90)
    written = " ".join(PLAY.split())
    views = tuple(entry.view for entry in sets().values())
    for shot in shots.shots[:-1]:
        told = shot.action.rstrip(".").split(". ")[0]
        slug = told.removeprefix("A card: ").upper().replace(", ", " - ")
        ours = shot.action.startswith(views) or "seen as a whole" in told
        ours = ours or (slug != told.upper() and slug in written)
        of_somebody = shot.figures and re.search(r"speaking|face|profile|eyes", told)
        assert told in written or ours or of_somebody, told


def test_a_pronoun_means_the_last_man_or_woman() -> None:
    shots, _ = planned(seconds=90)
    seen = {shot.action: shot.figures for shot in shots.shots}
    assert seen["He laughs."] == ("George",)
    assert seen["She gives him a cup."] == ("Aisha", "George")
    assert set(seen["They sit on a bench."]) == {"Aisha", "George"}


def test_a_thing_that_acts_is_seen_and_not_who_is_named_behind_it() -> None:
    shots, _ = planned(
        "EXT. HOUSE - NIGHT\n\nAISHA (28) looks up.\n\nThe taxi waits until she is inside.", 30
    )
    (taxi,) = (shot for shot in shots.shots if shot.action.startswith("The taxi"))
    assert taxi.figures == ()


def test_whoever_sits_in_a_car_is_seen_from_the_chest_up() -> None:
    shots, _ = planned(seconds=90)
    sizes = {s.size for s in shots.shots if s.set.place == "car_interior" and s.figures}
    assert sizes
    assert sizes <= {"MS", "MCU", "CU", "ECU"}


def test_what_no_figure_is_drawn_in_is_no_figure_that_stands_there() -> None:
    shots, _ = planned(seconds=90)
    (climbs,) = (shot for shot in shots.shots if "climbs" in shot.action)
    assert not climbs.figures or climbs.size in {"MCU", "CU", "ECU"}


def test_a_display_is_that_of_the_phone_that_was_looked_at() -> None:
    shots, _ = planned(seconds=90)
    (display,) = (shot for shot in shots.shots if shot.action.startswith("The display"))
    assert display.subject == "phone display"


# Half a second: whole films are drawn, small.
@pytest.mark.slow
def test_of_a_written_script_no_picture_contradicts_it() -> None:
    shots, brief = planned(seconds=90)
    judged = judge_pictures(shots, brief)
    assert [each.message for each in judged if each.verdict == "contradicts"] == []
    places = {each.depicts.place for each in judged}
    assert {"building_front", "car_interior", "plain_room"} >= places - {"", "abstract"}


@pytest.mark.parametrize("hour", ["evening", "night"])
def test_at_night_no_light_of_the_day_comes_through_a_window(hour: str) -> None:
    for name, entry in sets().items():
        if name not in {"product_table", "phone_screen", "laptop_screen", "abstract"}:
            assert find_preset(entry, hour, "bright and fresh") not in {"cool_office", "window"}


def test_a_place_without_a_drawing_is_told() -> None:
    brief = make_brief(script=PLAY, seconds=45)
    told = {each.key: (each.value, each.why) for each in write_script(brief).inferred}
    assert told["scenes.3.place"] == ("plain_room", "'BARN' has no drawing")


LAUNDRY = """
INT. LAUNDROMAT - NIGHT

A row of washing machines.

DOROTHY (71, white curls, yellow raincoat) sits on a bench and reads a newspaper.

SAM, 30, a courier, bicycle helmet still on, drags in a bag.

SAM
Is that one free?

She points at a sock, and Sam pulls it out.
"""


def test_a_room_without_a_drawing_has_in_it_what_the_script_names() -> None:
    shots, brief = planned(LAUNDRY)
    inside = [each for each in judge_pictures(shots, brief) if each.depicts.place == "plain_room"]
    assert inside
    wide = [each for each in inside if "washing_machine" in each.depicts.things]
    assert wide, [each.depicts for each in inside]


def test_who_is_meant_by_a_pronoun_in_front_is_seen_with_who_is_named() -> None:
    shots, _ = planned(LAUNDRY)
    points = next(shot for shot in shots.shots if "points" in shot.action)
    assert points.figures == ("Dorothy", "Sam")


def test_what_somebody_wears_is_not_in_their_hands() -> None:
    shots, brief = planned(LAUNDRY)
    seen = {each.shot: each.depicts.things for each in judge_pictures(shots, brief)}
    comes = next(shot for shot in shots.shots if "helmet" in shot.action)
    assert not {"helmet", "bicycle"} & set(seen[comes.id])
