"""People are staged: each does what is said of them, is as tall as they are, and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import MARA, STYLE, TEO, a_card, a_shot

from callsheet_studio.draw import staging
from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.figures import heads_of, look_of
from callsheet_studio.draw.figures.pose import POSES
from callsheet_studio.draw.figures.tones import skin_tone
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.light import light_of, presets
from callsheet_studio.draw.place import Place, framing_of, place_of
from callsheet_studio.draw.reading import subject_of
from callsheet_studio.draw.sets import painting
from callsheet_studio.draw.stage import Stage
from callsheet_studio.draw.things import Scene
from callsheet_studio.model.shots import Figure

if TYPE_CHECKING:
    from callsheet_studio.draw.place import View
    from callsheet_studio.model.shots import Shot

pytestmark = pytest.mark.requirement("P6")

SIZE = (320, 180)
PHONE = (216, 384)
COLD = {"neon_night", "moonlight", "blue_hour", "screen_glow"}
KID = Figure(name="Kid", look="girl, 7, yellow parka")


def scene_of(shot: Shot, size: tuple[int, int] = SIZE) -> Scene:
    place = painting(shot.set.place)
    framing = framing_of(shot, size)
    stage = Stage(*size, light=light_of("soft_day"), size=shot.size, words=(shot.action,))
    return Scene(stage, framing, place, place_of(framing, place), {}, interior=False)


def pose_of(shot: Shot, number: int = 0) -> str:
    subject = subject_of(shot, STYLE)
    return staging.pose_for(scene_of(shot), subject, number, look_of(subject.names[number]))


def picture(shot: Shot, size: tuple[int, int] = SIZE, **style: Any) -> Any:
    from dataclasses import replace

    drawing = draw_frame(shot, (MARA, TEO, KID), replace(STYLE, **style), size)
    layers = {each.name: each for each in drawing.layers()}
    middle = layers["middle"]
    return np.frombuffer(middle.pixels, np.uint8).reshape(middle.height, middle.width, 4)


# Poses


def test_who_does_nothing_does_not_always_stand_in_the_same_way() -> None:
    actions = [f"Mara is here, {number}." for number in range(24)]
    poses = {pose_of(a_shot(action=action)) for action in actions}
    assert len(poses) >= 4
    assert poses <= set(POSES)
    assert pose_of(a_shot(action=actions[0])) == pose_of(a_shot(action=actions[0]))


def test_a_pose_does_not_follow_from_where_in_the_film_a_shot_is() -> None:
    one, other = a_shot(id="1A", order=1), a_shot(id="7C", order=40)
    assert pose_of(one) == pose_of(other)
    assert framing_of(one, SIZE) == framing_of(other, SIZE)


def test_one_points_and_the_other_looks_on_but_both_run() -> None:
    pair = {"figures": ("Mara", "Teo"), "kind": "TWO_SHOT"}
    points = a_shot(action="Mara points at the boat.", **pair)
    assert pose_of(points) == "pointing"
    assert pose_of(points, 1) != "pointing"
    runs = a_shot(action="Mara and Teo run along the pier.", **pair)
    assert (pose_of(runs), pose_of(runs, 1)) == ("running", "running")


def test_nobody_puts_a_hand_into_the_pocket_of_a_skirt() -> None:
    look = look_of("Ida", "rust dress")
    for number in range(30):
        shot = a_shot(action=f"Ida is here, {number}.", figures=("Ida",), subject="Ida")
        pose = staging.pose_for(scene_of(shot), subject_of(shot, STYLE), 0, look)
        assert not POSES[pose].pockets


def test_what_somebody_lifts_is_in_their_hand() -> None:
    told = subject_of(a_shot(action="Mara lifts a Harbor cup."), STYLE)
    assert (told.pose, told.held) == ("showing", "cup")
    empty = picture(a_shot(size="MS", action="Mara lifts a thing."))
    full = picture(a_shot(size="MS", action="Mara lifts a cup."))
    assert not np.array_equal(empty, full)


def test_two_friends_are_two_and_friends_are_three() -> None:
    two = subject_of(a_shot(figures=("friends",), action="Two friends talk."), STYLE)
    three = subject_of(a_shot(figures=("friends",), action="Friends talk."), STYLE)
    assert (len(two.names), len(three.names)) == (2, 3)


# Ages


def test_a_child_is_five_to_six_heads_high_and_smaller_than_who_stands_beside_it() -> None:
    child, adult = look_of("Kid", KID.look), look_of("Mara", MARA.look)
    assert 5 <= heads_of(child) <= 6 < heads_of(adult) <= 7.5
    view: View = "three_quarter"
    place = Place(x=0, crown=100, height=400, facing=1, view=view)
    small, large = (staging.grown(place, look, alone=False, feet=True) for look in (child, adult))
    assert small.height < 0.8 * large.height
    assert small.foot == large.foot == place.foot


def test_a_child_close_up_has_its_eyes_where_an_adult_has_them() -> None:
    place = Place(x=0, crown=100, height=400, facing=1, view="front")
    small = staging.grown(place, look_of("Kid", KID.look), alone=True, feet=False)
    assert small.crown == place.crown


def test_no_child_has_a_beard_whatever_it_is_dressed_as() -> None:
    look = look_of("Kind", "graue Arbeitsjacke, kurzer Bart")
    assert look.age == "child"
    assert not look.has("beard", "stubble", "moustache")


@pytest.mark.parametrize(
    ("told", "pattern"),
    [("checked flannel shirt", "checks"), ("gestreiftes Baumwollhemd", "stripes")],
)
def test_a_pattern_that_is_said_is_worn(told: str, pattern: str) -> None:
    look = look_of("Tom", told)
    assert (look.top, look.pattern) == ("shirt", pattern)


# Light


@pytest.mark.parametrize("preset", sorted({*presets()} - COLD))
def test_skin_stays_warm_where_the_light_is_not_cold(preset: str) -> None:
    light = light_of(preset)
    for skin in ("#f4cdb2", "#9a6544", "#5b3827"):
        base = skin_tone(skin, light).base
        red, _, blue = (int(base[place : place + 2], 16) for place in (1, 3, 5))
        assert red > blue + 8, (preset, skin, base)


# Above


def test_an_overhead_shot_shows_the_ground_and_heads_from_above() -> None:
    above = picture(a_shot(size="FS", angle="overhead"))
    high = picture(a_shot(size="FS", angle="high"))
    seen = [np.flatnonzero((each[..., 3] > 200).any(axis=1)) for each in (above, high)]
    # Somebody from above is hardly higher than wide; from a high angle they are whole.
    assert seen[0][-1] - seen[0][0] < 0.5 * SIZE[1]
    assert seen[1][-1] - seen[1][0] > 0.6 * SIZE[1]


@pytest.mark.parametrize("thing", ["list", "cup", "map"])
def test_a_thing_on_a_table_is_seen_from_above(thing: str) -> None:
    shot = a_shot(figures=(), subject=thing, action="", size="CU", place="cafe")
    eye = picture(shot)
    above = picture(shot.model_copy(update={"angle": "overhead"}))
    assert (above[..., 3] > 200).any()
    # There is no edge of a table: only the thing itself is before the ground.
    assert (above[-1, :, 3] == 0).all()
    assert (eye[-1, :, 3] == 255).all()


# Phones


@every(
    name=["W", "The very long name of a film that goes on and on"],
    under=["{} it", "{} it for thirty days\nand then for {}"],
)
def test_an_end_card_for_phones_writes_above_captions_and_buttons(name: str, under: str) -> None:
    wide, high = PHONE
    # These letters are equally wide: only what is written differs.
    one, other = (
        picture(
            a_card(on_screen_text=under.replace("{}", letter)),
            PHONE,
            brand=f"{letter}{name} {letter}",
            title=f"{letter}{name} {letter}",
        )
        for letter in "bd"
    )
    rows, columns = np.nonzero((one != other).any(axis=2))
    down, across = (one.shape[0] - high) // 2, (one.shape[1] - wide) // 2
    assert rows.min() - down >= 0.14 * high
    assert rows.max() - down <= 0.65 * high
    assert columns.min() - across >= 0.06 * wide
    assert columns.max() - across <= 0.94 * wide


def test_a_face_on_a_phone_is_in_the_middle_of_what_is_free() -> None:
    framing = framing_of(a_shot(size="CU", thirds="centre"), PHONE)
    place = place_of(framing, None)
    middle = (place.crown + place.head / 2) / PHONE[1]
    assert middle == pytest.approx(0.395, abs=0.04)


# Screens and brush


@pytest.mark.parametrize("place", ["phone_screen", "laptop_screen"])
def test_a_screen_shows_the_name_of_the_brand(place: str) -> None:
    shot = a_shot(figures=(), subject=place, place=place)
    assert not np.array_equal(picture(shot, brand="Harbor"), picture(shot, brand="Merrow"))


def test_a_path_larger_than_the_canvas_covers_only_what_it_reaches() -> None:
    brush = Brush(100, 100)
    brush.rect(0, 0, 100, 100, "#ff0000")
    with brush.moved(40, 40, scale=0.01):
        brush.poly(((-500, -500), (500, -500), (500, 500), (-500, 500)), "#0000ff")
    image = np.frombuffer(brush.pixels(), np.uint8).reshape(100, 100, 4)
    assert tuple(image[5, 5]) == tuple(image[99, 99]) == (255, 0, 0, 255)
    assert tuple(image[40, 40]) == (0, 0, 255, 255)


def test_a_glow_fades_without_a_ring() -> None:
    brush = Brush(401, 401)
    brush.rect(0, 0, 401, 401, "#000000")
    brush.glow(200, 200, 200, "#ffffff", 1.0)
    row = np.frombuffer(brush.pixels(), np.uint8).reshape(401, 401, 4)[200, 200:, 0].astype(float)
    slope = np.diff(np.convolve(row, np.ones(9) / 9, "valid"))
    assert (slope <= 0.2).all()
    # Nowhere does it suddenly fade faster or slower: that is what an eye sees as a ring.
    assert np.abs(np.diff(slope)).max() < 0.35
