"""The slate of a frame: in the words of crews, in the language of the film."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.unit.documents.films import film
from tests.unit.draw.shots import a_shot

from callsheet_studio import documents, library
from callsheet_studio.library.slate import chips_of, move_name, size_name
from callsheet_studio.model.shots import Angle, Kind, Movement, Size

pytestmark = pytest.mark.requirement("P6")

ALIKE = {"INSERT", "OTS", "ZOOM", "L", "R"}
"""What crews of both languages say."""
WAYS = [
    Movement.model_validate({"kind": name, "direction": way})
    for name, move in library.movements().items()
    for way in dict.fromkeys(("", *move.directions))
]


def test_a_slate_says_how_a_shot_is_made() -> None:
    shot = a_shot(
        size="CU", kind="INSERT", angle="low", movement=Movement(kind="truck", direction="left")
    )
    assert chips_of(shot, "24") == ("CU INSERT LOW", "28 mm", "TRACK L", "4.0 s")
    assert chips_of(shot, "24", "de-AT") == (
        "G INSERT UNTERSICHT",
        "28 mm",
        "PARALLELFAHRT L",
        "4,0 s",
    )
    assert chips_of(shot, "24", "fr") == chips_of(shot, "24")


def test_every_size_kind_and_angle_has_a_german_name() -> None:
    sizes = [size_name(a_shot(size=size), "de") for size in get_args(Size)]
    assert sizes == ["W", "T", "HT", "A", "HN", "N", "G", "D"]
    for kind in get_args(Kind):
        for angle in get_args(Angle):
            shot = a_shot(kind=kind, angle=angle)
            _, *german = chips_of(shot, "24", "de")[0].split()
            _, *english = chips_of(shot, "24")[0].split()
            assert not set(german) & set(english) - ALIKE


@pytest.mark.parametrize("movement", WAYS, ids=lambda each: f"{each.kind} {each.direction}")
def test_every_movement_has_a_german_name_of_its_own(movement: Movement) -> None:
    told = move_name(movement, "de")
    assert not set(told.split()) & set(move_name(movement).split()) - ALIKE
    same = [each for each in WAYS if move_name(each, "de") == told]
    assert {each.kind for each in same} == {movement.kind}
    assert len(same) == (2 if movement.kind == "push" else 1)


def test_programs_read_the_same_in_every_language() -> None:
    made = film(language="de")
    table = documents.shot_files(made.shots, made.script, made.brief)["shots.csv"].decode()
    assert ",MCU," in table
    assert "push in" in table
