"""The places under the sky: whole in every shape of frame, one place in every light."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from tests.every import every

from callsheet_studio.draw.light import light_of
from callsheet_studio.draw.sets import painting
from callsheet_studio.draw.stage import LAYERS, Stage

SETS = ("street", "coast", "harbour", "forest", "field", "mountain", "road", "skyline")
PRESETS = (
    "soft_day",
    "hard_sun",
    "dawn",
    "golden_hour",
    "blue_hour",
    "neon_night",
    "moonlight",
)
ASPECTS = {"16:9": (192, 108), "9:16": (108, 192), "1:1": (144, 144), "4:5": (128, 160)}
FRAMES = tuple(ASPECTS.values())
WIDE = ASPECTS["16:9"]
OTHERS = tuple(frame for frame in ASPECTS.values() if frame != WIDE)


def painted(
    name: str, preset: str = "soft_day", frame: tuple[int, int] = WIDE, **how: Any
) -> Stage:
    stage = Stage(*frame, light_of(preset), seed=how.pop("seed", "a place"), **how)
    place = painting(name)
    assert place is not None
    place.paint(stage)
    return stage


def pixels(stage: Stage, layer: str) -> np.ndarray:
    canvas = getattr(stage, layer).canvas
    flat = np.frombuffer(getattr(stage, layer).pixels(), np.uint8)
    return flat.reshape(int(canvas.height), int(canvas.width), 4)


def picture(name: str, preset: str) -> np.ndarray:
    """What is seen: the layers on top of each other, small."""
    return small(name, preset)[0]


@cache
def small(name: str, preset: str) -> tuple[np.ndarray, int]:
    """What is seen in a wide frame, and how dense its back is where that is thinnest."""
    stage = painted(name, preset)
    back = pixels(stage, "back")
    seen = back.astype(np.float32)[..., :3]
    for layer in LAYERS[1:]:
        over = pixels(stage, layer).astype(np.float32)
        share = over[..., 3:] / 255
        seen = (seen * (1 - share) + over[..., :3] * share).astype(np.float32)
    edge = stage.bleed
    return seen[edge:-edge, edge:-edge], int(back[..., 3].min())


@pytest.mark.parametrize("name", SETS)
@every(number=range(len(PRESETS)))
def test_a_place_fills_its_back_in_every_light_and_shape(name: str, number: int) -> None:
    preset, frame = PRESETS[number], OTHERS[number % len(OTHERS)]
    assert small(name, preset)[1] == 255
    assert pixels(painted(name, preset, frame), "back")[..., 3].min() == 255, (preset, frame)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
@every(frame=FRAMES, preset=PRESETS)
def test_a_place_fills_its_back_in_every_light_of_every_shape(
    name: str, frame: tuple[int, int], preset: str
) -> None:
    assert pixels(painted(name, preset, frame), "back")[..., 3].min() == 255


@every(name=SETS, how=[{"size": "CU"}, {"size": "EWS", "angle": "dutch"}])
def test_a_place_fills_its_back_however_it_is_shot(name: str, how: dict[str, Any]) -> None:
    assert pixels(painted(name, **how), "back")[..., 3].min() == 255


@every(name=SETS, angle=["high", "low", "overhead"])
def test_a_place_is_another_picture_from_another_angle(name: str, angle: str) -> None:
    back, usual = pixels(painted(name, angle=angle), "back"), pixels(painted(name), "back")
    assert back[..., 3].min() == 255
    assert not np.array_equal(back, usual)


@pytest.mark.parametrize("name", SETS)
def test_the_same_place_is_the_same_to_the_last_byte(name: str) -> None:
    once, again = painted(name, "golden_hour"), painted(name, "golden_hour")
    for layer in LAYERS:
        assert getattr(once, layer).pixels() == getattr(again, layer).pixels()


def test_another_scene_plays_in_another_such_place() -> None:
    for name in SETS:
        here, there = painted(name), painted(name, seed="another place")
        assert here.back.pixels() != there.back.pixels(), name


@pytest.mark.parametrize("name", SETS)
def test_two_lights_of_one_place_differ_in_colour(name: str) -> None:
    means = {preset: picture(name, preset).mean(axis=(0, 1)) for preset in PRESETS}
    for one, other in combinations(PRESETS, 2):
        assert np.abs(means[one] - means[other]).max() > 6, (one, other)


@pytest.mark.parametrize("name", SETS)
def test_nights_are_darker_than_days(name: str) -> None:
    bright = {preset: picture(name, preset).mean() for preset in PRESETS}
    for darker, lighter in pairwise(("moonlight", "blue_hour", "soft_day")):
        assert bright[darker] < bright[lighter] - 8


@pytest.mark.parametrize("preset", PRESETS)
def test_two_places_in_one_light_are_two_pictures(preset: str) -> None:
    for one, other in combinations(SETS, 2):
        apart = np.abs(picture(one, preset) - picture(other, preset)).mean()
        assert apart > 7, (one, other)


@pytest.mark.parametrize("name", SETS)
@every(size=["EWS", "WS", "MS", "CU"])
def test_what_is_before_the_camera_hides_nobody(name: str, size: str) -> None:
    for frame in FRAMES:
        stage = painted(name, frame=frame, size=size)
        front, fine = pixels(stage, "front")[..., 3], stage.fineness("front")
        (left, top), (right, down) = (
            (round((stage.x(x) + stage.bleed) * fine), round((stage.y(y) + stage.bleed) * fine))
            for x, y in ((0.28, 0.15), (0.72, 0.85))
        )
        assert not front[top:down, left:right].any(), frame


@pytest.mark.parametrize("name", SETS)
def test_a_place_says_where_somebody_stands(name: str) -> None:
    place = painting(name)
    assert place is not None
    assert 0.75 < place.ground < 0.95
    assert place.spots
    for x, y, scale in (*place.spots, *([place.seat] if place.seat else [])):
        assert 0.05 < x < 0.95
        assert 0.6 < y < 0.95
        assert 0.4 < scale < 1.2


@pytest.mark.parametrize("name", SETS)
def test_nearer_spots_are_lower_in_the_frame_and_larger(name: str) -> None:
    place = painting(name)
    assert place is not None
    by_height = sorted(place.spots, key=lambda spot: spot[1])
    for far, near in pairwise(by_height):
        assert far[2] <= near[2]


def test_the_film_colour_and_the_words_of_a_shot_are_seen() -> None:
    for name in ("street", "coast", "harbour", "field", "road", "skyline"):
        one, other = (painted(name, "blue_hour", accent=each) for each in ("#f2a65a", "#3fa7d6"))
        assert any(
            getattr(one, layer).pixels() != getattr(other, layer).pixels() for layer in LAYERS
        ), name
    still, windy = painted("field"), painted("field", words=("wind farm",))
    assert windy.back.pixels() != still.back.pixels()
