"""Who is in a picture has a place in it: a floor or a seat of their own, and arms that are seen."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import MARA, STYLE, TEO, a_shot

from callsheet_studio.draw.cast import cast_of
from callsheet_studio.draw.frame import draw_frame, staged
from callsheet_studio.draw.sets import drawn, painting
from callsheet_studio.draw.sides import turned
from callsheet_studio.draw.stage import Side
from callsheet_studio.draw.staging import shows_hands
from callsheet_studio.film.subject import looked_at
from callsheet_studio.model.shots import Figure

if TYPE_CHECKING:
    from callsheet_studio.draw.cast import Player
    from callsheet_studio.draw.things import Scene
    from callsheet_studio.model.shots import Shot

pytestmark = pytest.mark.requirement("P6")

WIDE, PHONE = (640, 360), (360, 640)
PAIR = {"figures": ("Mara", "Teo"), "kind": "TWO_SHOT"}


def played(shot: Shot, size: tuple[int, int] = WIDE) -> tuple[Scene, tuple[Player, ...]]:
    scene, subject = staged(shot, (MARA, TEO), STYLE, size)
    return scene, cast_of(scene, subject)


# Floors


# From the other sides there is the beach, with sand everywhere.
AT_THE_WATER = [
    shot
    for place, near, bearing in product(["coast", "mountain"], ["WS", "FS"], [-80, -25, 0, 35, 100])
    if not played(shot := a_shot(place=place, size=near, bearing=bearing))[0].stage.side.number
]


@every(shot=AT_THE_WATER, thirds=["left", "centre", "right"], size=[WIDE, PHONE])
def test_nobody_stands_on_water(shot: Shot, thirds: str, size: tuple[int, int]) -> None:
    composed = shot.composition.model_copy(update={"thirds": thirds})
    scene, (who,) = played(shot.model_copy(update={"composition": composed}), size)
    assert scene.painting is not None
    stage = scene.stage
    assert not stage.side.number
    spots = [stage.seen(stage.x(x), stage.y(y)) for x, y, _ in scene.painting.spots]
    away = min(abs(who.place.x - x) for x, _ in spots)
    assert away < 0.04 * size[0]
    assert min(abs(who.place.foot - y) for _, y in spots) < 0.06 * size[1]


@pytest.mark.parametrize("near", ["WS", "FS"])
def test_two_on_a_pier_are_both_on_it(near: str) -> None:
    scene, cast = played(a_shot(place="coast", size=near, action="Mara and Teo talk.", **PAIR))
    assert scene.painting is not None
    ends = sorted(scene.stage.seen(scene.stage.x(spot[0]), 0)[0] for spot in scene.painting.spots)
    # A pier goes on a little beyond the last place on it.
    assert all(ends[0] - 20 <= each.place.x <= ends[-1] + 20 for each in cast)


# Seats


@pytest.mark.parametrize("place", ["home", "cafe", "meeting"])
def test_two_who_sit_have_a_seat_each(place: str) -> None:
    action = "Mara and Teo sit at the table."
    _, (other, first) = played(a_shot(place=place, size="FS", action=action, **PAIR))
    assert {first.pose, other.pose} == {"sitting"}
    assert abs(first.place.x - other.place.x) > 2.5 * first.place.head
    assert first.seat is not None
    # On a sofa there is room for both; beside a chair the other one brings a stool.
    assert (other.seat is not None) == (place == "home")


TABLES = tuple(name for name in drawn() if painting(name).faces)  # type: ignore[union-attr]


def test_seats_with_a_table_or_a_screen_say_on_which_side_it_is() -> None:
    assert set(TABLES) >= {"cafe", "classroom", "kitchen", "meeting", "office"}
    for name in TABLES:
        place = painting(name)
        assert place is not None
        assert place.seat is not None
        other = turned(place, Side(mirrored=True))
        assert other.faces == -place.faces
        # What is put on a table is on that side; the counter of a bar is not the table.
        if place.surface and name != "cafe":
            assert (place.surface[0] - place.seat[0]) * place.faces > 0


@every(
    place=TABLES,
    action=["Mara sits down.", "Mara sits and talks on the phone."],
    near=["WS", "FS", "MWS", "MS"],
    bearing=[-80, -35, 0, 25, 60],
    way=["left_to_right", "right_to_left"],
)
def test_nobody_turns_their_back_to_the_table_they_sit_at(
    place: str, action: str, near: str, bearing: int, way: str
) -> None:
    shot = a_shot(place=place, size=near, action=action, bearing=bearing, way=way, thirds="centre")
    scene, (who,) = played(shot)
    assert who.seat is not None
    assert scene.painting is not None
    assert who.facing == scene.painting.faces
    if near != "WS":
        assert who.facing == (1 if way == "left_to_right" else -1), "they keep the way of the shot"


@every(place=TABLES, near=["WS", "FS"], bearing=[-80, -35, 0, 25, 60])
def test_two_at_a_table_have_it_between_them(place: str, near: str, bearing: int) -> None:
    action = "Mara and Teo sit at the table."
    scene, (other, first) = played(
        a_shot(place=place, size=near, action=action, bearing=bearing, **PAIR)
    )
    assert scene.painting is not None
    assert first.facing == scene.painting.faces
    assert other.facing == -first.facing
    assert (other.place.x - first.place.x) * first.facing > 2 * first.place.head


@pytest.mark.parametrize("near", ["WS", "FS", "MWS", "MS"])
def test_who_sits_where_a_room_is_narrow_brings_a_stool(near: str) -> None:
    shot = a_shot(place="office", size=near, action="Mara sits down.")
    wide, narrow = (played(shot, size)[1][0] for size in (WIDE, PHONE))
    assert wide.seat is not None
    assert narrow.seat is None


@pytest.mark.parametrize("thirds", ["left", "centre", "right"])
def test_a_camera_looks_at_the_seat_that_somebody_sits_on(thirds: str) -> None:
    for place in ("forest", "home", "kitchen", "office"):
        shot = a_shot(place=place, size="FS", thirds=thirds, action="Mara sits down.")
        _, (who,) = played(shot)
        assert 0.2 * WIDE[0] < who.place.x < 0.8 * WIDE[0]


def test_a_child_on_a_seat_is_as_high_as_it_and_its_feet_are_in_the_air() -> None:
    kid = Figure(name="Kid", look="girl, 7, yellow parka")
    shots = (
        a_shot(place="home", size="FS", action=f"{name} sits down.", figures=(name,), subject=name)
        for name in ("Mara", "Kid")
    )
    tall, small = (cast_of(*staged(shot, (MARA, kid), STYLE, WIDE))[0] for shot in shots)
    assert tall.seat is not None
    assert small.seat is not None
    assert small.place.foot - small.seat == pytest.approx(tall.place.foot - tall.seat, abs=1)
    assert small.place.foot < tall.place.foot - 5


@every(
    action=["Mara sits down.", "Mara crouches by a seedling."],
    way=["left_to_right", "right_to_left"],
    thirds=["left", "right"],
    size=[WIDE, PHONE],
)
def test_no_head_is_cut_by_the_side_of_the_frame(
    action: str, way: str, thirds: str, size: tuple[int, int]
) -> None:
    for near in ("FS", "MWS", "MS"):
        _, (who,) = played(a_shot(size=near, action=action, thirds=thirds, way=way), size)
        x, _ = who.head(0.0, 0.5)
        assert 0.5 * who.head.size < x < size[0] - 0.5 * who.head.size


def test_two_who_are_seen_to_the_waist_are_almost_of_a_height() -> None:
    _, cast = played(a_shot(size="MS", action="Mara and Teo talk.", **PAIR))
    crowns = [each.place.crown for each in cast]
    assert max(crowns) - min(crowns) < 0.6 * cast[0].place.head


# Hands


@pytest.mark.parametrize(
    ("pose", "near", "size", "seen"),
    [
        ("thinking", "CU", WIDE, True),
        ("weary", "CU", WIDE, False),
        ("showing", "CU", WIDE, False),
        ("weary", "MCU", WIDE, True),
        ("holding", "MCU", WIDE, False),
        ("holding", "MCU", PHONE, True),
        ("calling", "CU", PHONE, True),
        ("calling", "MCU", PHONE, True),
    ],
)
def test_a_hand_is_shown_close_only_with_its_arm(
    pose: str, near: str, size: tuple[int, int], seen: bool
) -> None:
    scene, _ = played(a_shot(size=near), size)
    assert shows_hands(pose, scene.framing) == seen


# Over a shoulder


def over(**changes: object) -> Shot:
    return a_shot(kind="OTS", size="MCU", bearing=140, thirds="left", **changes)


def test_a_boat_that_somebody_looks_at_floats_and_stands_on_no_table() -> None:
    said = "Mara checks the {}, content."
    boat, cup, nothing = (
        draw_frame(over(place="harbour", action=said.format(each)), (MARA,), STYLE, WIDE).picture
        for each in ("boat", "cup", "sky")
    )
    # To the right of the thing is the foot of the picture: the harbour, or a table before it.
    foot = np.s_[330:, 570:]
    assert np.abs(boat[foot].astype(int) - nothing[foot]).mean() < 4
    assert np.abs(cup[foot].astype(int) - nothing[foot]).mean() > 12


def test_who_looks_at_a_phone_is_in_a_room_and_words_keep_clear_of_both() -> None:
    shot = over(place="phone_screen", action="Mara thumbs the screen of the phone awake.")
    scene, _ = played(shot)
    assert scene.painting is not None
    assert scene.painting.name == "home"
    thing, head = looked_at(shot, WIDE, STYLE, (MARA,))
    assert thing.left > head.right - 0.1 * WIDE[0]
