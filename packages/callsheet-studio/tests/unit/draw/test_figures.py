"""People are painted as they are described, the same every time, in the light they stand in."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from tests.every import every

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.figures import (
    EXPRESSIONS,
    HOLDINGS,
    POSES,
    VIEWS,
    Look,
    look_of,
    paint_body,
    paint_bust,
    paint_hands,
    place_of_eyes,
)
from callsheet_studio.draw.figures.pose import LOW
from callsheet_studio.draw.light import light_of
from callsheet_studio.library import people

DAY = light_of("soft_day")
RIDERS = {"cycling", "cargo_cycling"}
"""Poses of those who sit on something that is painted under them."""
MARA = look_of("Mara", "navy jacket, dark bob")
WIDE, HIGH = 420, 420
Painter = Callable[[Brush], None]
Pixels = np.ndarray


def pixels(paint: Painter) -> Pixels:
    """Rows, columns, red-green-blue-alpha."""
    brush = Brush(WIDE, HIGH)
    paint(brush)
    return np.frombuffer(brush.pixels(), np.uint8).reshape(HIGH, WIDE, 4)


def box(image: Pixels) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is painted firmly."""
    rows = np.flatnonzero((image[..., 3] > 200).any(axis=1))
    columns = np.flatnonzero((image[..., 3] > 200).any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])


def mean(image: Pixels, rows: slice, columns: slice) -> tuple[float, ...]:
    """The middle colour of a place."""
    return tuple(float(each) for each in image[rows, columns, :3].reshape(-1, 3).mean(axis=0))


def body(  # noqa: PLR0913 -- each test says what it is about
    look: Look = MARA,
    pose: str = "standing",
    preset: str = "soft_day",
    *,
    facing: int = 1,
    seat: float | None = None,
    table: float | None = None,
    depth: float = 1.0,
) -> Painter:
    return lambda brush: paint_body(
        brush,
        look,
        light_of(preset),
        pose=pose,
        x=200,
        foot=400,
        height=360,
        facing=facing,
        seat=seat,
        table=table,
        depth=depth,
    )


def bust(
    look: Look = MARA, view: str = "front", expression: str = "neutral", facing: int = 1
) -> Painter:
    return lambda brush: paint_bust(
        brush, look, DAY, view=view, x=210, crown=60, head=150, facing=facing, expression=expression
    )


# Looks


def test_the_same_name_and_words_are_the_same_look_and_the_same_picture() -> None:
    look_of.cache_clear()
    again = look_of("Mara", "navy jacket, dark bob")
    assert again == MARA
    assert again is not MARA
    assert np.array_equal(pixels(body(MARA)), pixels(body(again)))
    assert np.array_equal(pixels(bust(MARA)), pixels(bust(again)))


def test_people_of_different_names_differ() -> None:
    names = ("Ada", "Bo", "Cleo", "Dev", "Elif", "Finn", "Gina", "Hugo", "Ida", "Jan", "Kim", "Leo")
    looks = [look_of(name) for name in names]
    assert len({(look.skin, look.hair, look.style, look.top, look.cloth) for look in looks}) == 12
    assert len({look.skin for look in looks}) >= 5
    assert len({look.top for look in looks}) >= 5


@pytest.mark.parametrize(
    ("words", "top", "cloth"),
    [
        ("navy jacket", "jacket", "#22355c"),
        ("marineblaues Überhemd mit hochgekrempelten Ärmeln", "shirt", "#22355c"),
        ("senfgelber Pullover, braunes Haar", "jumper", "#d6a531"),
        ("dark green apron over a plain T-shirt", "apron", "#2f5d45"),
        ("olivgrüner Parka, schwarze Locken", "parka", "#6e7349"),
        ("rust-coloured cardigan, round glasses", "cardigan", "#b4552f"),
        ("Jeansjacke, silbergraues Haar", "denim", "#4c6f94"),
        ("black jeans, red hoodie", "hoodie", "#c23b3b"),
        ("in orange", "hi_vis", "#e9822c"),
    ],
)
def test_clothes_are_those_of_the_words(words: str, top: str, cloth: str) -> None:
    look = look_of("volunteer", words)
    assert (look.top, look.cloth) == (top, cloth)


@pytest.mark.parametrize(
    ("words", "style", "hair", "extras"),
    [
        ("short dark hair", "short", "#2d1f20", set()),
        ("schwarze Locken", "curly", "#17131a", set()),
        ("grey beard, bald", "bald", "#8d8f94", {"beard"}),
        ("light blue blouse, dark bob, round glasses", "bob", "#2d1f20", {"glasses"}),
        ("headscarf, freckles", None, None, {"headscarf", "freckles"}),
        ("long coat, close-cropped beard, curly hair", "curly", None, {"stubble"}),
        ("curly hair under a red cap", "short", None, {"cap"}),
    ],
)
def test_hair_is_that_of_the_words(
    words: str, style: str | None, hair: str | None, extras: set[str]
) -> None:
    look = look_of("Robin", words)
    assert style is None or look.style == style
    assert hair is None or look.hair == hair
    assert extras <= look.extras


@pytest.mark.parametrize(
    ("name", "words", "age", "form"),
    [
        ("Mara Whitfield", "harbour master, 41, navy jacket", "adult", "woman"),
        ("child", "a girl in a blanket", "child", "woman"),
        ("Junge", "", "child", "man"),
        ("Ines", "junge Frau mit einem kind face", "adult", "woman"),
        ("grandfather", "", "old", "man"),
        ("Ruth", "67, white bun", "old", "woman"),
        ("Paul", "grey beard, in his sixties", "old", "man"),
    ],
)
def test_age_and_form_are_those_of_the_words(name: str, words: str, age: str, form: str) -> None:
    look = look_of(name, words)
    assert (look.age, look.form) == (age, form)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_outfit_of_the_library_is_understood(language: str) -> None:
    looks = [look_of("Sam", words) for words in people(language).outfits]
    others = [look_of(name, words) for name in ("Ada",) for words in people(language).outfits]
    # Whoever wears it: the same top in the same colour.
    assert [(one.top, one.cloth) for one in looks] == [(one.top, one.cloth) for one in others]


def test_what_somebody_does_dresses_them_where_nothing_else_is_said() -> None:
    assert look_of("nurse").top == "scrubs"
    assert look_of("Ärztin").top == "lab_coat"
    assert look_of("nurse", "yellow parka").top == "parka"


def test_fair_hair_and_dark_skin_are_not_thrown_together() -> None:
    looks = [look_of(f"name {number}") for number in range(120)]
    dark = {look.skin for look in looks} & {"#5b3827", "#7a4c33"}
    assert dark
    assert not any(look.hair == "#d2a45e" for look in looks if look.skin in dark)


# Bodies


@pytest.mark.parametrize("facing", [1, -1])
@every(pose=sorted(set(POSES) - RIDERS))
def test_a_body_fills_the_height_asked_for(pose: str, facing: int) -> None:
    left, top, right, bottom = box(pixels(body(pose=pose, facing=facing)))
    assert 392 <= bottom <= 404
    highest, lowest = {"cheering": (0, 20), "crouching": (135, 190)}.get(
        pose, (105, 190) if pose in LOW else (30, 75)
    )
    assert highest <= top <= lowest
    assert left < 200 < right
    assert right - left < (300 if pose in {*LOW, "working", "pointing", "reaching"} else 190)


@pytest.mark.parametrize("pose", sorted(RIDERS))
def test_who_rides_is_off_the_ground_and_higher_than_somebody_who_stands(pose: str) -> None:
    _, standing, _, ground = box(pixels(body(pose="standing")))
    _, top, _, bottom = box(pixels(body(pose=pose)))
    assert top < standing
    assert bottom <= ground


def test_who_is_turned_the_other_way_is_mirrored() -> None:
    one, other = (pixels(body(pose="pointing", facing=facing)) for facing in (1, -1))
    left, _, right, _ = box(one)
    mirrored_left, _, mirrored_right, _ = box(other)
    assert right - 200 > 200 - left
    assert abs((400 - mirrored_left) - right) <= 3
    assert abs((400 - mirrored_right) - left) <= 3


def test_a_navy_jacket_is_blue_and_a_mustard_jumper_is_yellow() -> None:
    chest = slice(150, 190), slice(192, 208)
    red, green, blue = mean(pixels(body(look_of("Tom", "navy jumper"))), *chest)
    assert blue > red + 15
    assert blue > green
    red, green, blue = mean(pixels(body(look_of("Tom", "mustard jumper"))), *chest)
    assert red > blue + 60


def test_a_child_is_not_a_small_adult() -> None:
    def head_share(look: Look) -> float:
        image = pixels(body(look, facing=0))
        _, top, _, bottom = box(image)
        wide = (image[top + 3 : top + 36, :, 3] > 200).sum(axis=1).max()
        return float(wide) / (bottom - top)

    child, adult = (look_of("Robin", f"{age}, bald, t-shirt") for age in (6, 40))
    assert head_share(child) > head_share(adult) * 1.15


def test_seat_and_table_of_a_set_take_the_place_of_their_own() -> None:
    own = box(pixels(body(pose="at_laptop")))
    given = box(pixels(body(pose="at_laptop", seat=97, table=151)))
    assert given[2] < own[2]
    high = box(pixels(body(pose="sitting", seat=130)))
    low = box(pixels(body(pose="sitting", seat=80)))
    assert low[1] - high[1] == pytest.approx(50, abs=6)


@every(
    top=[
        "jacket",
        "denim jacket",
        "suit",
        "shirt",
        "t-shirt",
        "roll-neck",
        "cardigan",
        "hoodie",
        "parka",
        "coat",
        "lab coat",
        "hi-vis",
        "apron",
        "dress",
        "scrubs",
    ]
)
def test_every_top_has_a_cut_of_its_own(top: str) -> None:
    """In one colour, only the cut tells it from a plain jumper, from every side."""
    look, plain = look_of("Kim", f"teal {top}"), look_of("Kim", "teal knit")
    for view in VIEWS:
        if (view, top) not in {("back", "suit"), ("back", "cardigan")}:
            assert not np.array_equal(pixels(bust(look, view)), pixels(bust(plain, view))), view


# Light


def test_the_light_falls_on_its_own_side() -> None:
    left, right = (slice(150, 190), slice(165, 180)), (slice(150, 190), slice(220, 235))
    plain = look_of("Tom", "white jumper, broad")
    for preset, sign in (("window", 1), ("golden_hour", -1)):
        image = pixels(body(plain, "back", preset))
        assert sign * (sum(mean(image, *left)) - sum(mean(image, *right))) > 15


def test_two_lights_make_two_pictures_of_one_person() -> None:
    pictures = [
        pixels(body(preset=name)) for name in ("soft_day", "neon_night", "golden_hour", "high_key")
    ]
    chest = slice(120, 200), slice(185, 215)
    tones = [mean(picture, *chest) for picture in pictures]
    for number, one in enumerate(tones):
        for other in tones[number + 1 :]:
            assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 8
    assert sum(tones[1]) < sum(tones[3])


def test_who_is_far_away_is_lost_in_the_air() -> None:
    chest = slice(150, 190), slice(192, 208)
    near, far = (mean(pixels(body(depth=depth)), *chest) for depth in (1.0, 0.1))
    horizon = tuple(int(DAY.low[place : place + 2], 16) for place in (1, 3, 5))
    gap = [sum(abs(a - b) for a, b in zip(tone, horizon, strict=True)) for tone in (near, far)]
    assert gap[1] < gap[0] * 0.8


# Close


@every(view=VIEWS, facing=[1, -1])
def test_a_bust_begins_at_its_crown_and_goes_down_to_the_waist(view: str, facing: int) -> None:
    left, top, right, bottom = box(pixels(bust(view=view, facing=facing)))
    assert 35 <= top <= 62
    assert bottom == HIGH - 1
    assert left < 170
    assert right > 250


@pytest.mark.parametrize("view", ["front", "three_quarter", "profile"])
def test_expressions_differ_only_in_the_face(view: str) -> None:
    pictures = {name: pixels(bust(view=view, expression=name)) for name in EXPRESSIONS}
    neutral = pictures.pop("neutral")
    for name, picture in pictures.items():
        assert not np.array_equal(picture, neutral), name
        assert np.array_equal(picture[280:], neutral[280:]), name


def test_eyes_go_where_they_look_and_heads_bow() -> None:
    def close(gaze: float = 0.0, tilt: float = 0.0) -> Pixels:
        return pixels(
            lambda brush: paint_bust(
                brush, MARA, DAY, view="front", x=210, crown=60, head=150, gaze=gaze, tilt=tilt
            )
        )

    ahead = close()
    assert not np.array_equal(close(gaze=1.0)[125:150], ahead[125:150])
    assert np.array_equal(close(gaze=1.0)[160:], ahead[160:])
    assert not np.array_equal(close(tilt=0.2)[60:100], ahead[60:100])


@pytest.mark.parametrize("view", VIEWS)
def test_a_head_has_no_holes(view: str) -> None:
    """Whatever the style: between crown and chest the middle is painted."""
    styles = "bob,long hair,bun,ponytail,curly,short hair,cropped hair,bald,headscarf,cap,helmet"
    for words in styles.split(","):
        image = pixels(bust(look_of(f"with {words}", words), view))
        assert (image[75:300, 205:215, 3] == 255).all(), words


@pytest.mark.parametrize("holding", HOLDINGS)
def test_hands_hold_what_they_hold(holding: str) -> None:
    def hands(name: str, facing: int = 1) -> Pixels:
        return pixels(
            lambda brush: paint_hands(
                brush, MARA, DAY, holding=name, x=210, y=200, size=150, facing=facing
            )
        )

    image = hands(holding)
    left, top, right, bottom = box(image)
    assert left < 200 < right
    assert 50 <= top <= 140
    assert bottom >= 300
    others = [other for other in HOLDINGS if other != holding]
    assert all(not np.array_equal(image, hands(other)) for other in others)
    flipped = cv2.flip(hands(holding, -1), 1)
    assert abs(box(flipped)[0] - left) <= 3


def test_a_screen_is_painted_under_the_thumb() -> None:
    green = "#00ff00"

    def screen(brush: Brush, wide: float, high: float) -> None:
        brush.rect(0, 0, wide, high, green)

    def phone(facing: int) -> Painter:
        return lambda brush: paint_hands(
            brush,
            MARA,
            DAY,
            holding="phone",
            x=210,
            y=200,
            size=200,
            facing=facing,
            screen=screen,
        )

    for facing in (1, -1):
        image = pixels(phone(facing))
        lit = (image[..., :3] == (0, 255, 0)).all(axis=2)
        rows, columns = np.flatnonzero(lit.any(axis=1)), np.flatnonzero(lit.any(axis=0))
        assert (rows[0], rows[-1]) == pytest.approx((112, 287), abs=3)
        assert columns[-1] - columns[0] == pytest.approx(90, abs=4)
        assert lit.sum() < 90 * 176 * 0.99


def test_eyes_are_as_wide_as_asked_and_the_face_fills_the_frame() -> None:
    crown, head = place_of_eyes(210, 300)
    image = pixels(
        lambda brush: paint_bust(brush, MARA, DAY, view="front", x=210, crown=crown, head=head)
    )
    assert (image[60:, 60:360, 3] == 255).all()
    dark = image[190:230, :, :3].sum(axis=2) < 160
    columns = np.flatnonzero(dark.any(axis=0))
    inner = columns[(columns > 20) & (columns < 400)]
    assert inner[-1] - inner[0] == pytest.approx(300, abs=60)
