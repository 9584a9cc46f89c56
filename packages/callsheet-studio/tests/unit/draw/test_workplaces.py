"""Work places, screens and forms: whole in every frame, lit by their light, told by their words."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from tests.every import every

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.devices import paint_laptop, paint_phone
from callsheet_studio.draw.interfaces import INTERFACES
from callsheet_studio.draw.light import light_of
from callsheet_studio.draw.rooms import room_of
from callsheet_studio.draw.screens import (
    device_of,
    paint_display,
    paint_screen,
    screen_kind,
    screen_of,
)
from callsheet_studio.draw.sets import Painting, painting
from callsheet_studio.draw.solid import Solid
from callsheet_studio.draw.stage import LAYERS, Stage

SETS = (
    "factory",
    "workshop",
    "lab",
    "stage",
    "product_table",
    "phone_screen",
    "laptop_screen",
    "abstract",
)
PRESETS = (
    "window",
    "cool_office",
    "high_key",
    "low_key",
    "studio",
    "screen_glow",
    "stage_beam",
    "warm_lamps",
    "soft_day",
)
ASPECTS = {"16:9": (192, 108), "9:16": (108, 192), "1:1": (144, 144), "4:5": (128, 160)}
WIDE = ASPECTS["16:9"]
OTHERS = tuple(frame for frame in ASPECTS.values() if frame != WIDE)
ACCENT = "#2a6f6b"


def place_of(name: str) -> Painting:
    place = painting(name)
    assert place is not None
    assert place.name == name
    return place


def painted(
    name: str, preset: str = "soft_day", frame: tuple[int, int] = WIDE, **how: object
) -> Stage:
    stage = Stage(*frame, light_of(preset), **{"seed": "a place", **how})  # type: ignore[arg-type]
    place_of(name).paint(stage)
    return stage


def array(brush: Brush) -> np.ndarray:
    flat = np.frombuffer(brush.pixels(), np.uint8)
    return flat.reshape(int(brush.canvas.height), int(brush.canvas.width), 4)


def seen(stage: Stage) -> np.ndarray:
    """The layers on top of each other, within the frame."""
    picture: np.ndarray = array(stage.back)[..., :3].astype(np.float32)
    for layer in LAYERS[1:]:
        over = array(getattr(stage, layer)).astype(np.float32)
        share = over[..., 3:] / 255
        picture = picture * (1 - share) + over[..., :3] * share
    edge = stage.bleed
    return picture[edge:-edge, edge:-edge]


def picture(name: str, preset: str) -> np.ndarray:
    return small(name, preset)[0]


@cache
def small(name: str, preset: str) -> tuple[np.ndarray, int]:
    """What is seen in a wide frame, and how dense its back is where that is thinnest."""
    stage = painted(name, preset)
    return seen(stage), int(array(stage.back)[..., 3].min())


def layers(stage: Stage) -> list[bytes]:
    return [getattr(stage, layer).pixels() for layer in LAYERS]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """How different two pictures are, pixel by pixel, 0 to 255."""
    return float(np.abs(one - other).mean())


# Whole


@pytest.mark.requirement("P6")
@pytest.mark.parametrize("name", SETS)
@every(number=range(len(PRESETS)))
def test_a_set_fills_its_back_in_every_light_and_shape(name: str, number: int) -> None:
    preset, frame = PRESETS[number], OTHERS[number % len(OTHERS)]
    assert small(name, preset)[1] == 255
    assert array(painted(name, preset, frame).back)[..., 3].min() == 255, (preset, frame)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
@every(frame=ASPECTS.values(), preset=PRESETS)
def test_a_set_fills_its_back_in_every_light_of_every_shape(
    name: str, frame: tuple[int, int], preset: str
) -> None:
    assert array(painted(name, preset, frame).back)[..., 3].min() == 255


@pytest.mark.parametrize("name", SETS)
def test_a_set_fills_its_back_however_it_is_shot(name: str) -> None:
    for size in ("EWS", "WS", "MS", "CU"):
        assert array(painted(name, size=size).back)[..., 3].min() == 255, size
    for angle in ("high", "low", "overhead", "dutch"):
        assert array(painted(name, angle=angle, size="EWS").back)[..., 3].min() == 255, angle


@pytest.mark.parametrize("name", SETS)
def test_a_set_painted_twice_is_the_same_to_the_byte(name: str) -> None:
    assert layers(painted(name, "low_key")) == layers(painted(name, "low_key"))


@every(name=SETS, frame=ASPECTS.values())
def test_the_front_has_something_and_leaves_the_middle_free(
    name: str, frame: tuple[int, int]
) -> None:
    stage = painted(name, frame=frame)
    front = array(stage.front)[..., 3]
    wide, high = frame
    edge = stage.bleed
    middle = front[
        edge + round(high * 0.15) : edge + round(high * 0.8),
        edge + round(wide * 0.2) : edge + round(wide * 0.8),
    ]
    assert middle.max() == 0
    assert front.max() > 0


@pytest.mark.parametrize("name", SETS)
def test_people_and_things_have_their_place_within_the_frame(name: str) -> None:
    place = place_of(name)
    assert 0.7 < place.ground < 0.95
    for x, y, scale in place.spots:
        assert 0 < x < 1
        assert 0.5 < y < 0.95
        assert scale > 0
    assert place.surface is not None
    assert all(0 < share < 1 for share in place.surface)


# Light


@pytest.mark.parametrize("name", SETS)
def test_a_set_looks_different_in_every_light(name: str) -> None:
    means = {preset: picture(name, preset).mean(axis=(0, 1)) for preset in PRESETS}
    for one, other in combinations(PRESETS, 2):
        assert np.abs(means[one] - means[other]).max() > 3, (one, other)


@pytest.mark.parametrize("name", SETS)
def test_a_dark_light_is_darker_than_a_bright_one(name: str) -> None:
    bright, dark = (picture(name, preset).mean() for preset in ("high_key", "low_key"))
    assert dark < bright * 0.62


@pytest.mark.parametrize("preset", PRESETS)
def test_two_sets_in_one_light_differ(preset: str) -> None:
    for one, other in combinations(SETS, 2):
        assert apart(picture(one, preset), picture(other, preset)) > 10, (one, other)


@pytest.mark.parametrize("name", SETS)
def test_the_colour_of_the_film_is_in_every_set(name: str) -> None:
    warm, cold = (seen(painted(name, accent=accent)) for accent in ("#e07a3f", "#2f6fd0"))
    assert apart(warm, cold) > 0.25


# Words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("factory", "pallets in the warehouse"),
        ("workshop", "the violin on the bench"),
        ("workshop", "ein Fahrrad am Haken"),
        ("lab", "servers of the data centre"),
        ("stage", "the concert begins"),
        ("phone_screen", "a live map of all berths"),
        ("laptop_screen", "der Dienstplan für die Woche"),
        ("abstract", "two shapes that find each other"),
    ],
)
def test_the_words_of_a_shot_dress_its_set(name: str, words: str) -> None:
    plain, told = painted(name), painted(name, words=(words,))
    assert layers(plain) != layers(told)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("one live map for all berths", "map"),
        ("the chat answers at once", "chat"),
        ("der Dienstplan steht", "calendar"),
        ("she types her password", "form"),
        ("a curve that climbs", "chart"),
        ("the dashboard of the week", "dashboard"),
        ("ein Foto vom Brot", "feed"),
        ("an invoice turns green", "list"),
    ],
)
def test_a_screen_shows_what_the_words_speak_of_first(words: str, kind: str) -> None:
    assert screen_kind((words,)) == kind


def test_a_screen_without_words_shows_what_its_device_is_for() -> None:
    assert screen_kind((), "phone") == "list"
    assert screen_kind(("nothing of this kind",), "laptop") == "dashboard"


def test_a_word_within_another_word_chooses_nothing() -> None:
    assert screen_kind(("both bottles on firm, unmapped land",), "laptop") == "dashboard"


@pytest.mark.parametrize(
    ("words", "device"),
    [("a thumb over the phone", "phone"), ("das Handy klingelt", "phone"), ("software", "laptop")],
)
def test_words_choose_the_device(words: str, device: str) -> None:
    assert device_of((words,)) == device


# Screens


def display(kind: str, box: tuple[int, int], *, brand: str = "", preset: str = "high_key") -> bytes:
    brush = Brush(*box)
    light = light_of(preset)
    shown = screen_of((), "phone", light, accent=ACCENT, brand=brand)
    paint_display(brush, replace(shown, kind=kind), (0, 0, *box))
    return brush.pixels()


@pytest.mark.parametrize("box", [(90, 190), (240, 150)], ids=["phone", "laptop"])
def test_all_interfaces_are_whole_and_differ(box: tuple[int, int]) -> None:
    pictures = {kind: display(kind, box) for kind in INTERFACES}
    assert len(set(pictures.values())) == len(INTERFACES)
    for kind, pixels in pictures.items():
        assert np.frombuffer(pixels, np.uint8)[3::4].min() == 255, kind


@pytest.mark.parametrize("kind", INTERFACES)
def test_an_interface_is_the_same_every_time(kind: str) -> None:
    assert display(kind, (90, 190)) == display(kind, (90, 190))


@pytest.mark.parametrize("box", [(180, 380), (480, 300)], ids=["phone", "laptop"])
def test_only_the_brand_is_written(box: tuple[int, int]) -> None:
    high = box[1]
    plain, named, other = (
        np.frombuffer(display("list", box, brand=brand), np.uint8).reshape(high, -1)
        for brand in ("", "Harbor", "Lotsa")
    )
    assert (named != other).any()
    assert (plain != named).any()
    below = round(high * 0.24)
    assert (named[below:] == other[below:]).all()


@pytest.mark.parametrize("brand", ["", "x" * 300, "مرحبا", "海港", "🌊 wave\nline"])
def test_any_brand_can_be_shown(brand: str) -> None:
    assert len(display("list", (90, 190), brand=brand)) == 90 * 190 * 4


def test_screens_are_dark_where_it_is_dark() -> None:
    bright, dark = (
        np.frombuffer(display("list", (90, 190), preset=preset), np.uint8).mean()
        for preset in ("high_key", "screen_glow")
    )
    assert dark < bright * 0.6


# Devices


def test_a_phone_stands_where_it_is_put() -> None:
    light = light_of("studio")
    brush = Brush(200, 200)
    screen = screen_of((), "phone", light, accent=ACCENT)
    paint_phone(brush, light, screen, x=100, y=100, height=160)
    solid = array(brush)[..., 3] == 255
    rows, columns = np.nonzero(solid)
    assert abs(rows.min() - 20) < 4
    assert abs(rows.max() - 180) < 4
    assert abs((columns.min() + columns.max()) / 2 - 100) < 5


def test_a_laptop_is_as_wide_as_asked_and_stands_on_its_keyboard() -> None:
    light = light_of("studio")
    brush = Brush(240, 200)
    screen = screen_of((), "laptop", light, accent=ACCENT)
    paint_laptop(brush, light, screen, x=120, y=140, wide=160)
    solid = array(brush)[..., 3] == 255
    assert solid[60, 45:195].all()
    assert not solid[60, :36].any()
    assert solid[160, 34:206].all()


@pytest.mark.parametrize("words", ["an app", "a website"])
def test_a_screen_can_be_put_into_any_frame(words: str) -> None:
    brush = Brush(160, 120)
    light = light_of("window")
    where = {"x": 80.0, "y": 60.0, "height": 90.0}
    paint_screen(brush, light, words=(words,), brand="Harbor", accent=ACCENT, **where)
    assert array(brush)[60, 80, 3] == 255


# Perspective


def test_what_reaches_behind_the_camera_is_cut_not_folded() -> None:
    stage = Stage(*WIDE, light_of("soft_day"))
    hall = Solid(room_of(stage))
    hall.floor((-2, 2), (-10, 5), "#ff0000")
    alpha = array(stage.back)[..., 3]
    horizon = stage.bleed + stage.height // 2
    assert alpha[:horizon].max() == 0
    assert alpha[-1].max() == 255


def test_what_lies_wholly_behind_the_camera_is_not_seen() -> None:
    stage = Stage(*WIDE, light_of("soft_day"))
    hall = Solid(room_of(stage))
    hall.floor((-2, 2), (-10, -1), "#ff0000")
    hall.bar((0, 1, -3), (1, 1, -2), "#ff0000", 0.2)
    assert array(stage.back)[..., 3].max() == 0


def test_a_box_is_lit_on_the_side_of_the_light() -> None:
    tops = {}
    for preset in ("window", "hard_sun"):
        stage = Stage(*WIDE, light_of(preset))
        hall = Solid(room_of(stage))
        lit = []
        for left in (-2.0, 1.2):
            hall.box((left, left + 0.8), (0, 1.0), (3.0, 6.0), "#8a8a8a")
            inner = left + 0.8 if left < 0 else left
            x, y = hall.at(inner, 0.6, 4.2)
            pixel = array(stage.back)[round(y) + stage.bleed, round(x) + stage.bleed, :3]
            lit.append(float(pixel.mean()))
        tops[preset] = lit[0] - lit[1]
    assert tops["window"] < 0 < tops["hard_sun"]
