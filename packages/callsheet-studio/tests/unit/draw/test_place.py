"""Somebody is where a camera operator would have them."""

from __future__ import annotations

import pytest
from tests.every import every
from tests.unit.draw.shots import a_shot

from callsheet_studio.draw.place import HEADS, Place, framing_of, place_of, view_from
from callsheet_studio.draw.sets import Painting, drawn, painting

ASPECTS = ((1280, 720), (720, 1280), (1080, 1080), (1024, 1280))
WIDE = ASPECTS[0]


def placed(
    size: str, frame: tuple[int, int] = WIDE, place: str = "coast", **changes: object
) -> Place:
    shot = a_shot(size=size, place=place, **changes)
    return place_of(framing_of(shot, frame), painting(place))


@every(size=["EWS", "WS", "FS"], place=drawn(), frame=ASPECTS)
def test_feet_and_heads_are_inside_a_wide_picture(
    size: str, place: str, frame: tuple[int, int]
) -> None:
    stood = placed(size, frame, place)
    assert stood.crown > frame[1] * 0.03
    assert stood.foot < frame[1] * 0.97


@every(size=["MWS", "MS", "MCU", "CU"], frame=ASPECTS)
def test_eyes_are_on_the_upper_third_and_the_head_has_room(
    size: str, frame: tuple[int, int]
) -> None:
    stood = placed(size, frame)
    eyes = stood.crown + stood.head / 2
    assert frame[1] * 0.22 < eyes < frame[1] * 0.45
    assert stood.crown > 0


def test_somebody_is_larger_the_closer_the_shot_is() -> None:
    heads = [placed(size).head for size in ("EWS", "WS", "FS", "MWS", "MS", "MCU", "CU", "ECU")]
    assert heads == sorted(heads)
    assert placed("WS").height == pytest.approx(0.55 * 720)
    assert placed("MCU").height / HEADS == pytest.approx(0.45 * 720)
    assert placed("CU").height / HEADS == pytest.approx(0.7 * 720)


@pytest.mark.parametrize(
    ("thirds", "way", "facing"),
    [
        ("left", "left_to_right", 1),
        ("right", "right_to_left", -1),
        ("left", "neutral", 1),
        ("right", "neutral", -1),
    ],
)
def test_somebody_looks_into_the_frame(thirds: str, way: str, facing: int) -> None:
    stood = placed("MS", thirds=thirds, way=way)
    assert stood.facing == facing
    ahead = WIDE[0] - stood.x if facing > 0 else stood.x
    assert ahead > WIDE[0] * 0.55


def test_a_head_fits_a_narrow_frame() -> None:
    assert placed("CU", (720, 1280)).head < 720 * 0.95


@pytest.mark.parametrize(
    ("bearing", "view"),
    [(0, "front"), (-30, "three_quarter"), (75, "profile"), (-140, "back"), (-180, "back")],
)
def test_the_side_of_the_camera_decides_what_is_seen_of_a_face(bearing: int, view: str) -> None:
    assert view_from(bearing) == view


def test_in_the_distance_people_stand_where_the_set_has_them_small() -> None:
    street = Painting("s", lambda _: None, spots=((0.4, 0.88, 1.0), (0.5, 0.74, 0.6)))
    stood = place_of(framing_of(a_shot(size="EWS"), WIDE), street)
    assert stood.height == pytest.approx(0.15 * 720)
    assert 0.58 < stood.foot / 720 < 0.7


def test_in_a_room_nobody_is_smaller_than_at_its_far_wall() -> None:
    room = Painting("r", lambda _: None, spots=((0.36, 0.86, 0.9), (0.6, 0.88, 1.0)), is_room=True)
    stood = place_of(framing_of(a_shot(size="EWS"), WIDE), room)
    assert stood.height == pytest.approx(0.55 * 0.9 * 720)
    assert stood.foot == pytest.approx(0.86 * 720)


def test_two_people_stand_on_the_same_floor() -> None:
    one = placed("WS")
    other = one.beside(2.0, turned=True, scale=0.9)
    assert other.foot == pytest.approx(one.foot)
    assert (other.facing, other.x > one.x) == (-one.facing, True)
