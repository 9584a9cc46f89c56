"""The rooms: whole in every shape of frame, in perspective, lit by what is in them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from tests.every import every

from callsheet_studio.draw.light import light_of, presets
from callsheet_studio.draw.rooms import back_opening, paint_daylight, paint_shell, room_of, settle
from callsheet_studio.draw.sets import Painting, painting
from callsheet_studio.draw.stage import LAYERS, Stage

SETS = ("home", "kitchen", "office", "meeting", "shop", "cafe", "classroom", "clinic")
PRESETS = (
    "window",
    "warm_lamps",
    "cool_office",
    "high_key",
    "low_key",
    "screen_glow",
    "soft_day",
    "neon_night",
)
ASPECTS = {"16:9": (192, 108), "9:16": (108, 192), "1:1": (144, 144), "4:5": (128, 160)}
FRAMES = tuple(ASPECTS.values())
WIDE = ASPECTS["16:9"]
OTHERS = tuple(frame for frame in ASPECTS.values() if frame != WIDE)


def place_of(name: str) -> Painting:
    place = painting(name)
    assert place is not None
    return place


def painted(
    name: str, preset: str = "soft_day", frame: tuple[int, int] = WIDE, **how: object
) -> Stage:
    stage = Stage(*frame, light_of(preset), **{"seed": "a place", **how})  # type: ignore[arg-type]
    place_of(name).paint(stage)
    return stage


def pixels(stage: Stage, layer: str) -> np.ndarray:
    brush = getattr(stage, layer)
    flat = np.frombuffer(brush.pixels(), np.uint8)
    return flat.reshape(int(brush.canvas.height), int(brush.canvas.width), 4)


def picture(name: str, preset: str) -> np.ndarray:
    """What is seen: the layers on top of each other, small."""
    return small(name, preset)[0]


@cache
def small(name: str, preset: str) -> tuple[np.ndarray, int]:
    """What is seen in a wide frame, and how dense its back is where that is thinnest."""
    stage = painted(name, preset)
    back = pixels(stage, "back")
    seen = back[..., :3].astype(float)
    for layer in LAYERS[1:]:
        over = pixels(stage, layer).astype(float)
        share = over[..., 3:] / 255
        seen = seen * (1 - share) + over[..., :3] * share
    edge = stage.bleed
    return seen[edge:-edge, edge:-edge], int(back[..., 3].min())


def layers(stage: Stage) -> list[bytes]:
    return [getattr(stage, layer).pixels() for layer in LAYERS]


# Whole


@pytest.mark.parametrize("name", SETS)
@every(number=range(len(PRESETS)))
def test_a_room_fills_its_back_in_every_light_and_shape(name: str, number: int) -> None:
    preset, frame = PRESETS[number], OTHERS[number % len(OTHERS)]
    assert small(name, preset)[1] == 255
    assert pixels(painted(name, preset, frame), "back")[..., 3].min() == 255, (preset, frame)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
@every(frame=FRAMES, preset=PRESETS)
def test_a_room_fills_its_back_in_every_light_of_every_shape(
    name: str, frame: tuple[int, int], preset: str
) -> None:
    assert pixels(painted(name, preset, frame), "back")[..., 3].min() == 255


@pytest.mark.parametrize("name", SETS)
def test_a_room_fills_its_back_however_it_is_shot(name: str) -> None:
    usual = pixels(painted(name), "back")
    for size in ("EWS", "MS", "CU"):
        assert pixels(painted(name, size=size), "back")[..., 3].min() == 255, size
    for angle in ("high", "low", "overhead", "dutch"):
        back = pixels(painted(name, angle=angle), "back")
        assert back[..., 3].min() == 255, angle
        assert not np.array_equal(back, usual), angle
    for lens in (16.0, 24.0, 85.0):
        assert pixels(painted(name, lens=lens), "back")[..., 3].min() == 255, lens


@pytest.mark.parametrize("name", SETS)
def test_a_room_can_be_painted_in_lights_that_were_not_made_for_rooms(name: str) -> None:
    for preset in {*presets()} - {*PRESETS}:
        assert pixels(painted(name, preset), "back")[..., 3].min() == 255, preset


@pytest.mark.parametrize("name", SETS)
def test_the_same_room_is_the_same_to_the_last_byte(name: str) -> None:
    assert layers(painted(name, "warm_lamps")) == layers(painted(name, "warm_lamps"))


@pytest.mark.parametrize("name", SETS)
@every(size=["EWS", "WS", "MS", "CU"])
def test_what_is_before_the_camera_hides_nobody(name: str, size: str) -> None:
    for frame in FRAMES:
        stage = painted(name, frame=frame, size=size)
        front = pixels(stage, "front")[..., 3]
        parts = []
        for side, long, (start, end) in zip(
            frame, front.shape[::-1], ((0.28, 0.72), (0.15, 0.85)), strict=True
        ):
            scale = long / (side + 2 * stage.bleed)
            first, last = (stage.bleed + side * part for part in (start, end))
            parts.append(slice(round(first * scale), round(last * scale)))
        assert not front[parts[1], parts[0]].any(), frame


@pytest.mark.parametrize("name", SETS)
def test_something_is_before_the_camera_so_that_depth_is_seen(name: str) -> None:
    for frame in FRAMES:
        assert pixels(painted(name, frame=frame), "front")[..., 3].any(), frame


# Light


@pytest.mark.parametrize("name", SETS)
def test_two_lights_of_one_room_differ(name: str) -> None:
    for one, other in combinations(PRESETS, 2):
        apart = np.abs(
            picture(name, one).mean(axis=(0, 1)) - picture(name, other).mean(axis=(0, 1))
        )
        assert apart.max() > 4, (one, other)


@pytest.mark.parametrize("preset", PRESETS)
def test_two_rooms_in_one_light_are_two_pictures(preset: str) -> None:
    for one, other in combinations(SETS, 2):
        assert np.abs(picture(one, preset) - picture(other, preset)).mean() > 7, (one, other)


@pytest.mark.parametrize("name", SETS)
def test_dark_presets_are_dark_and_the_bright_one_is_bright(name: str) -> None:
    bright = {preset: float(picture(name, preset).mean()) for preset in PRESETS}
    assert max(bright, key=bright.__getitem__) == "high_key"
    for preset in ("low_key", "screen_glow", "neon_night"):
        assert bright[preset] < bright["soft_day"] * 0.62, preset


@pytest.mark.parametrize("name", SETS)
def test_the_light_of_a_window_falls_from_its_side(name: str) -> None:
    seen = picture(name, "window")
    third = seen.shape[1] // 3
    assert seen[:, :third].mean() > seen[:, -third:].mean() + 4


def test_lamps_shine_when_the_light_says_so() -> None:
    for name in ("home", "kitchen", "cafe", "shop"):
        seen = picture(name, "warm_lamps")
        assert seen.max() > 235, name
        assert seen.max() > np.median(seen) * 2.2, name


def test_a_window_throws_its_panes_on_the_floor_away_from_itself() -> None:
    stages = [Stage(*WIDE, light_of("window"), seed="a room") for _ in range(2)]
    rooms = [room_of(stage) for stage in stages]
    for room in rooms:
        paint_shell(room, wall="#808080", floor="#606060")
    window = back_opening(rooms[1], -1.0, 1.2, 1.0, 2.2)
    paint_daylight(rooms[1], window, towards=(0.5, -0.75, -0.7))
    more = pixels(stages[1], "back").astype(int) - pixels(stages[0], "back")
    x, y = rooms[1](-1.0 + 0.5 * 2.1, 0, rooms[1].depth - 0.7 * 2.1)
    edge = stages[1].bleed
    assert more.min() >= 0
    assert more[edge + round(y), edge + round(x), :3].min() > 12
    assert not more[edge + 2, -2].any()


def test_far_from_its_source_a_room_falls_off_into_the_dark() -> None:
    stage = Stage(*WIDE, light_of("low_key"), seed="a room")
    room = room_of(stage)
    stage.back.rect(stage.left, stage.upper, *stage.whole, "#808080")
    stage.middle.rect(stage.x(0.9), stage.y(0.5), 10, 10, "#808080")
    settle(room, (0.1, 0.5))
    back, middle = pixels(stage, "back").astype(int), pixels(stage, "middle")
    row, edge = stage.bleed + 54, stage.bleed
    assert back[row, edge + 20, 0] > back[row, edge + 100, 0] > back[row, edge + 180, 0]
    assert middle[row + 3, edge + 176, 0] < 128
    assert not middle[row + 3, edge + 100].any()


# Perspective


@every(frame=FRAMES, angle=["eye", "high", "low", "overhead"])
def test_what_is_upright_stays_upright_and_what_is_far_is_small(
    frame: tuple[int, int], angle: str
) -> None:
    room = room_of(Stage(*frame, light_of("window"), angle=angle))
    foot, head = room(1.2, 0, 5), room(1.2, 1.7, 5)
    assert foot[0] == pytest.approx(head[0])
    near, far = foot[1] - head[1], room(1.2, 0, 10)[1] - room(1.2, 1.7, 10)[1]
    assert near == pytest.approx(2 * far)
    assert near == pytest.approx(1.7 * room.scale(5))


@pytest.mark.parametrize("frame", FRAMES, ids=ASPECTS)
def test_a_share_of_the_width_is_found_again_in_the_frame(frame: tuple[int, int]) -> None:
    room = room_of(Stage(*frame, light_of("window")))
    for share in (0.0, 0.2, 0.5, 0.9):
        assert room(room.x(share, 4.2), 0, 4.2)[0] == pytest.approx(share * frame[0])


@pytest.mark.parametrize("angle", ["eye", "high", "low", "overhead"])
def test_somebody_at_the_usual_place_fills_half_of_the_height(angle: str) -> None:
    room = room_of(Stage(1280, 720, light_of("window"), angle=angle))
    z = next(step / 100 for step in range(200, 900) if room(0, 0, step / 100)[1] <= 0.88 * 720)
    assert 0.44 < 1.7 * room.scale(z) / 720 < 0.62


@pytest.mark.parametrize("name", SETS)
def test_another_film_has_another_room(name: str) -> None:
    films = [painted(name, seed=f"film {number}") for number in range(6)]
    means = np.array([pixels(stage, "back")[..., :3].mean(axis=(0, 1)) for stage in films])
    assert (means.max(axis=0) - means.min(axis=0)).max() > 4


def test_the_sea_is_seen_from_the_window_when_a_shot_speaks_of_it() -> None:
    for name in ("home", "kitchen", "cafe", "clinic"):
        inland, coast = painted(name), painted(name, words=("a house by the sea",))
        assert inland.back.pixels() != coast.back.pixels(), name
        assert inland.middle.pixels() == coast.middle.pixels(), name


# Places


@pytest.mark.parametrize("name", SETS)
def test_a_room_says_where_people_and_things_have_their_place(name: str) -> None:
    place = place_of(name)
    assert place.is_room
    assert place.surface is not None
    assert all(0.05 < part < 0.95 for part in place.surface)
    assert min(place.spots, key=lambda spot: spot[1])[2] < 0.9
    for x, y, scale in (*place.spots, *([place.seat] if place.seat else [])):
        assert 0.05 < x < 0.95
        assert 0.7 < y <= place.ground + 0.03
        assert 0.4 < scale <= 1.0


@pytest.mark.parametrize("name", SETS)
def test_the_film_has_its_own_colour_in_every_room(name: str) -> None:
    one, other = (painted(name, accent=accent) for accent in ("#f2a65a", "#3fa7d6"))
    assert layers(one) != layers(other)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("home", "a bed"),
        ("home", "the children"),
        ("shop", "Bäckerei"),
        ("shop", "pharmacy"),
        ("classroom", "library"),
    ],
)
def test_a_room_shows_what_the_shot_is_about(name: str, word: str) -> None:
    assert layers(painted(name, words=(word,))) != layers(painted(name))


def test_a_word_inside_another_changes_nothing() -> None:
    usual = layers(painted("home"))
    for word in ("better", "embedded", "a season", "kind people", "parked cars"):
        assert layers(painted("home", words=(word,))) == usual, word
