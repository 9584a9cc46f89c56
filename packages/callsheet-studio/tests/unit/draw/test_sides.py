"""A crew turns its camera: a place has sides, and stays the same place from each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import MARA, SMALL, STYLE, a_card, a_shot

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.light import light_of
from callsheet_studio.draw.sets import drawn, painting
from callsheet_studio.draw.sides import side_of, turned
from callsheet_studio.draw.stage import LAYERS, MAIN, Side, Stage

if TYPE_CHECKING:
    from callsheet_studio.draw.sets import Painting
    from callsheet_studio.model.shots import Shot

pytestmark = pytest.mark.requirement("P6")

CAMERAS = (10, 25, 30, 37, 45, 75, 135)
"""Bearings that are one camera each."""
PLACES = tuple(name for name in drawn() if painting(name).is_place)  # type: ignore[union-attr]
FRAMES = ((128, 72), (72, 128))


def place_of(name: str) -> Painting:
    place = painting(name)
    assert place is not None
    return place


def seen_from(place: str = "office", **told: Any) -> Side:
    return side_of(a_shot(place=place, **({"size": "MS"} | told)), place_of(place))


def back_of(shot: Shot, figures: tuple[Any, ...] = (), **style: Any) -> np.ndarray:
    layer = draw_frame(shot, figures, replace(STYLE, **style), SMALL).layers()[0]
    flat = np.frombuffer(layer.pixels, np.uint8).reshape(layer.height, layer.width, 4)
    return flat[..., :3].astype(int)


def painted(
    name: str, side: Side, frame: tuple[int, int] = (192, 108), light: str = "soft_day"
) -> Stage:
    stage = Stage(*frame, light_of(light), seed="a place", side=side)
    with stage.turned():
        turned(place_of(name), side).paint(stage)
    return stage


def pixels(stage: Stage, layer: str) -> np.ndarray:
    canvas = getattr(stage, layer).canvas
    flat = np.frombuffer(getattr(stage, layer).pixels(), np.uint8)
    return flat.reshape(int(canvas.height), int(canvas.width), 4).astype(int)


# Which side


@every(place=PLACES)
def test_what_shows_a_place_as_a_whole_shows_its_main_view(place: str) -> None:
    for size in ("EWS", "WS"):
        assert {seen_from(place, size=size, bearing=each) for each in CAMERAS} == {MAIN}
    assert seen_from(place, angle="overhead", bearing=30) == MAIN


@every(place=PLACES)
def test_cameras_of_a_setup_see_different_sides(place: str) -> None:
    seen = [seen_from(place, bearing=each) for each in CAMERAS]
    views = 2 * (1 + len(place_of(place).sides))
    assert len(set(seen)) == min(views, len(CAMERAS))
    others = [seen_from(place, bearing=-each) for each in CAMERAS]
    assert seen != others, "the other side of the line"


@pytest.mark.parametrize("size", ["FS", "MWS", "MS", "MCU", "CU", "ECU"])
def test_the_same_camera_sees_the_same_side_in_every_shot(size: str) -> None:
    for near, other in ((29, 34), (-41, -58), (62, 110)):
        usual = seen_from(bearing=near)
        assert seen_from(bearing=other, size=size, action="Mara laughs.") == usual
        assert seen_from(bearing=near, id="7C", scene=7, order=40, setup="office 9") == usual


def test_another_hour_begins_at_another_side() -> None:
    lights = ("soft_day", "window", "warm_lamps", "low_key", "cool_office", "high_key")
    assert len({seen_from(bearing=30, preset=each) for each in lights}) > 2


@pytest.mark.parametrize("place", ["phone_screen", "laptop_screen", "product_table", "abstract"])
def test_one_cannot_look_around_in_a_screen_or_on_a_plinth(place: str) -> None:
    assert {seen_from(place, bearing=each) for each in CAMERAS} == {MAIN}


# What stays


def test_a_card_is_the_same_whatever_camera_is_noted_for_it() -> None:
    one, other = (
        draw_frame(a_card(place="office", size="MS", bearing=each), (), STYLE, SMALL).clean()
        for each in (0, 75)
    )
    assert one == other


@pytest.mark.parametrize("bearing", CAMERAS)
def test_a_boat_lies_in_the_water_and_not_on_the_quay(bearing: int) -> None:
    told = {"place": "harbour", "subject": "boat", "figures": (), "size": "MS", "action": "A boat."}
    red, _, blue = back_of(a_shot(**told, bearing=bearing)).reshape(-1, 3).mean(axis=0)
    assert blue > red, "sky and water, not walls and stones"


@every(place=PLACES)
def test_a_place_keeps_its_colours_from_every_side(place: str) -> None:
    seen = [
        pixels(painted(place, Side(number)), "back")[..., :3].reshape(-1, 3).mean(axis=0)
        for number in range(1 + len(place_of(place).sides))
    ]
    for other in seen[1:]:
        assert np.abs(other - seen[0]).max() < 64


@every(place=PLACES)
def test_a_mirrored_place_is_lit_from_where_the_light_comes(place: str) -> None:
    spots = turned(place_of(place), Side(mirrored=True))
    for one, other in zip(place_of(place).spots, spots.spots, strict=True):
        assert one[0] == pytest.approx(1 - other[0])
    stage = Stage(192, 108, light_of("golden_hour"), side=Side(mirrored=True))
    before = stage.light
    with stage.turned():
        assert stage.light.side == -before.side
    assert stage.light == before


def test_what_is_mirrored_is_the_same_place_the_other_way_round() -> None:
    plain, other = (painted("home", Side(mirrored=each)) for each in (False, True))
    one = pixels(plain, "middle")[..., 3]
    two = pixels(other, "middle")[..., 3][:, ::-1]
    assert np.abs(one - two).mean() < 0.5 * np.abs(one - two[:, ::-1]).mean()


def test_letters_are_not_mirrored() -> None:
    def mark(side: Side) -> np.ndarray:
        stage = Stage(192, 108, light_of("soft_day"), side=side)
        with stage.readable(stage.middle, 96) as light:
            stage.middle.rect(90, 40, 3, 20, "#ff0000")
            assert light.side == stage.light.side * (-1 if side.mirrored else 1)
        return pixels(stage, "middle")

    assert np.array_equal(mark(Side()), mark(Side(mirrored=True)))


# Every side


@pytest.mark.parametrize("frame", FRAMES)
@every(place=PLACES)
def test_every_side_is_whole_in_every_shape_of_frame(place: str, frame: tuple[int, int]) -> None:
    main = pixels(painted(place, MAIN, frame), "back")[..., :3]
    for number in range(1, 1 + len(place_of(place).sides)):
        stage = painted(place, Side(number), frame)
        back = pixels(stage, "back")
        assert (back[..., 3] == 255).all(), "nothing behind a set is empty"
        assert np.abs(back[..., :3] - main).mean() > 5, "another picture"
        assert len(np.unique(back[..., :3].reshape(-1, 3), axis=0)) > 300
        assert all(getattr(stage, layer) for layer in LAYERS)


@pytest.mark.parametrize("place", ["harbour", "lab", "workshop", "office", "factory", "home"])
def test_the_places_that_films_stay_in_have_three_sides(place: str) -> None:
    assert len(place_of(place).sides) == 2


def test_somebody_is_drawn_alike_before_every_side() -> None:
    def head(bearing: int) -> Any:
        shot = a_shot(place="office", size="CU", bearing=bearing, action="Mara looks ahead.")
        middle = draw_frame(shot, (MARA,), STYLE, SMALL).layers()[1]
        flat = np.frombuffer(middle.pixels, np.uint8).reshape(middle.height, middle.width, 4)
        return flat[flat[..., 3] > 250][:, :3].mean(axis=0)

    assert np.abs(head(30) - head(45)).max() < 12


def test_hands_that_hold_what_is_no_thing_are_seen_somewhere_too() -> None:
    shot = a_shot(
        place="field", size="CU", figures=(), subject="hands", action="Hands full of dark earth."
    )
    assert draw_frame(shot, (), STYLE, SMALL).clean()


@every(size=["FS", "MWS"], bearing=CAMERAS)
def test_who_sits_has_the_seat_of_the_set_under_them(size: str, bearing: int) -> None:
    """A sofa, and not the stool that is brought where there is none."""
    told: dict[str, Any] = {"place": "home", "size": size, "bearing": bearing, "focus": "deep"}
    seen = draw_frame(a_shot(**told, action="Mara sits down."), (MARA,), STYLE, SMALL).picture
    lower = np.asarray(seen, int)[SMALL[1] * 2 // 3 :].reshape(-1, 3)
    red, green, blue = lower[:, 0], lower[:, 1], lower[:, 2]
    # The sofa of this film is ochre; no other side has so much of it.
    assert ((red > blue + 50) & (red > green + 12)).mean() > 0.12
