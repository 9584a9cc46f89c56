"""A frame is drawn from its shot alone, whole, in every form that is asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import (
    MARA,
    SMALL,
    STYLE,
    TEO,
    a_card,
    a_shot,
)

from callsheet.errors import InputError
from callsheet_studio.draw.frame import Drawing, draw_frame
from callsheet_studio.draw.own import Own
from callsheet_studio.draw.sets import drawn
from callsheet_studio.draw.style import FilmStyle
from callsheet_studio.film.lettering import caption_block
from callsheet_studio.model.shots import Movement, Shot

ASPECTS = {"16:9": (384, 216), "9:16": (216, 384), "1:1": (240, 240), "4:5": (240, 300)}
AGAIN = """
import hashlib
from callsheet_studio.draw.frame import draw_frame
from tests.unit.draw.shots import MARA, SMALL, STYLE, a_card, a_shot
seen = hashlib.sha256()
for shot in (a_shot(size="MS", focus="medium"), a_card()):
    drawing = draw_frame(shot, (MARA,), STYLE, SMALL)
    for data in (drawing.clean(), drawing.annotated(), *(each.pixels for each in drawing.layers())):
        seen.update(data)
print(seen.hexdigest())
"""


def drawing(shot: Shot, size: tuple[int, int] = SMALL, style: FilmStyle = STYLE) -> Drawing:
    return draw_frame(shot, (MARA, TEO), style, size)


def pixels(png: bytes) -> Any:
    return np.array(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), int)


def apart(one: bytes, other: bytes) -> float:
    """How different two pictures are, on average, of 255."""
    return float(np.abs(pixels(one) - pixels(other)).mean())


@pytest.mark.requirement("P6")
def test_the_same_shot_gives_the_same_bytes_in_every_process() -> None:
    seen = {
        subprocess.run(
            [sys.executable, "-c", AGAIN],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[5],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.environ["PYTHONPATH"]},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


@every(aspect=ASPECTS, size=["WS", "MS", "CU"])
def test_a_picture_has_the_size_that_was_asked_for(aspect: str, size: str) -> None:
    drawn_one = drawing(a_shot(size=size), ASPECTS[aspect])
    assert pixels(drawn_one.clean()).shape == (*ASPECTS[aspect][::-1], 3)


def test_layers_reach_over_the_frame_and_the_back_has_no_holes() -> None:
    made = drawing(a_shot())
    *moved, finish = made.layers()
    wide, high = SMALL[0] + 2 * made.edges[0], SMALL[1] + 2 * made.edges[0]
    assert [(each.name, each.width, each.height) for each in moved] == [
        (name, wide, high) for name in ("back", "middle", "front")
    ]
    assert (finish.width, finish.height) in {SMALL, (SMALL[0] // 2, SMALL[1] // 2)}
    back = np.frombuffer(moved[0].pixels, np.uint8).reshape(high, wide, 4)
    assert back[..., 3].min() == 255


def test_the_clean_picture_is_its_layers_laid_over_each_other() -> None:
    made = drawing(a_shot(size="MS", focus="medium"))
    picture: Any = np.zeros((SMALL[1], SMALL[0], 3))
    for layer in made.layers():
        flat: Any = np.frombuffer(layer.pixels, np.uint8).reshape(layer.height, layer.width, 4)
        flat = cv2.resize(flat, SMALL) if layer.width < SMALL[0] else flat
        edge = made.edges[0] if layer.width > SMALL[0] else 0
        part = flat[edge : edge + SMALL[1], edge : edge + SMALL[0]] / 255
        picture = picture * (1 - part[..., 3:]) + part[..., :3] * part[..., 3:]
    assert np.abs(picture[..., ::-1] * 255 - pixels(made.clean())).max() <= 4


def test_what_is_on_a_layer_is_kept_without_the_empty_room_around_it() -> None:
    for layer in drawing(a_shot(size="WS")).layers()[1:3]:
        full: Any = np.frombuffer(layer.pixels, np.uint8).reshape(layer.height, layer.width, 4)
        left, top, wide, high = cv2.boundingRect(np.ascontiguousarray(full[..., 3]))
        assert layer.held == (wide, high)
        if wide:
            assert layer.place == (left, top)
            assert (full[top : top + high, left : left + wide] == layer.painted).all()


def test_an_annotated_picture_is_the_clean_one_with_signs_over_it() -> None:
    made = drawing(a_shot(movement=Movement(kind="static")))
    clean, annotated = pixels(made.clean()), pixels(made.annotated())
    # Between the lines of the thirds nothing is written.
    assert (clean[70:110, 110:200] == annotated[70:110, 110:200]).all()
    slate = annotated[11:23, 11:32].reshape(-1, 3)
    assert np.abs(np.median(slate, axis=0) - (0x3F, 0xCF, 0xFF)).max() < 12


@every(
    movement=[
        "pan",
        "tilt",
        "dolly",
        "truck",
        "crane",
        "arc",
        "handheld",
        "zoom",
        "push",
        "whip",
        "rack",
    ]
)
def test_every_movement_has_a_sign_of_its_own(movement: str) -> None:
    still = drawing(a_shot(movement=Movement(kind="static"), id="1")).annotated()
    moved = drawing(a_shot(movement=Movement.model_validate({"kind": movement}), id="1"))
    below = pixels(moved.annotated())[40:] - pixels(still)[40:]
    assert np.abs(below).max() > 60


@pytest.mark.parametrize(("form", "magic"), [("jpeg", b"\xff\xd8"), ("webp", b"RIFF")])
def test_a_thumbnail_is_small_and_keeps_the_aspect(form: Any, magic: bytes) -> None:
    data = drawing(a_shot()).thumbnail(160, form)
    assert data.startswith(magic)
    assert pixels(data).shape == (90, 160, 3)


def test_two_lights_of_a_set_and_two_sets_in_a_light_differ_visibly() -> None:
    day = drawing(a_shot(figures=(), subject="coast")).clean()
    night = drawing(a_shot(figures=(), subject="coast", preset="moonlight")).clean()
    hills = drawing(a_shot(figures=(), subject="mountain", place="mountain")).clean()
    assert apart(day, night) > 25
    assert apart(day, hills) > 12


def test_a_place_looks_the_same_in_every_shot_of_a_film_and_not_as_in_another_film() -> None:
    one = drawing(a_shot(figures=(), subject="coast", scene=1)).clean()
    later = drawing(a_shot(figures=(), subject="coast", scene=7, id="7C")).clean()
    other = FilmStyle(STYLE.palette, STYLE.accent, brand="Harbor", seed="another")
    assert one == later
    assert one != drawing(a_shot(figures=(), subject="coast"), style=other).clean()


def test_somebody_is_seen_in_a_shot_that_names_them() -> None:
    alone = drawing(a_shot(size="CU", figures=(), subject="coast")).clean()
    assert apart(alone, drawing(a_shot(size="CU")).clean()) > 8


@pytest.mark.parametrize(
    ("thing", "place", "size"),
    [("kettle", "kitchen", "CU"), ("van", "street", "WS"), ("bottle", "product_table", "MS")],
)
def test_a_thing_is_seen_inside_the_frame(thing: str, place: str, size: str) -> None:
    for frame in ASPECTS.values():
        told = a_shot(figures=(), subject=thing, action=thing, place=place, size=size)
        made = drawing(told, frame)
        _, middle, *_ = made.layers()
        alpha = np.frombuffer(middle.pixels, np.uint8).reshape(middle.height, middle.width, 4)
        inside = alpha[made.edges[0] : -made.edges[0], made.edges[0] : -made.edges[0], 3]
        assert (inside == 255).sum() > 0.01 * inside.size
        assert (
            apart(
                made.clean(),
                drawing(a_shot(figures=(), subject=place, place=place, size=size), frame).clean(),
            )
            > 1
        )
        assert made.written == ()


def test_a_place_without_a_drawing_becomes_a_card_with_its_words() -> None:
    made = drawing(a_shot(place="inside a black hole", figures=(), subject="time"))
    assert made.written == ("Mara stands and looks ahead",)


def test_a_thing_without_a_drawing_becomes_a_card_with_its_words() -> None:
    action = "Half of the xylotomy on borrowed gravitas, in real detail."
    made = drawing(a_shot(figures=(), subject="half", size="CU", kind="INSERT", action=action))
    assert made.written == ("Half of the xylotomy on borrowed gravitas",)


def test_an_end_card_says_the_name_and_what_to_do() -> None:
    made = drawing(a_card())
    assert made.written == ("Harbor", "Try Harbor free\nfor 30 days")


@every(told=["{}" * 300, "go {} " * 4], size=ASPECTS.values())
def test_a_card_writes_inside_the_safe_area(told: str, size: tuple[int, int]) -> None:
    # These letters are equally wide: only what is written differs.
    one, other = (
        pixels(drawing(a_card(on_screen_text=told.replace("{}", letter)), size).clean())
        for letter in "bd"
    )
    rows, columns = np.nonzero(np.abs(one - other).max(axis=2) > 24)
    assert size[0] * 0.09 <= columns.min() < columns.max() <= size[0] * 0.91
    assert size[1] * 0.09 <= rows.min() < rows.max() <= size[1] * 0.91


LOGO = cv2.imencode(".png", np.full((80, 120, 3), 90, np.uint8))[1].tobytes()


@pytest.mark.requirement("P6")
@every(told=["Book on\ngo{}.example", "go {} " * 30], size=ASPECTS.values(), logo=[None, LOGO])
def test_the_words_of_a_card_end_above_a_caption_of_two_lines(
    told: str, size: tuple[int, int], logo: bytes | None
) -> None:
    one, other = (
        pixels(
            draw_frame(
                a_card(on_screen_text=told.replace("{}", letter)), (), STYLE, size, Own(None, logo)
            ).clean()
        )
        for letter in "bd"
    )
    rows = np.nonzero((np.abs(one - other).max(axis=2) > 24).any(axis=1))[0]
    _, caption = caption_block(["Book your own on our own page,", "go and book a berth."], size)
    # The camera comes closer by as much as it ever does.
    assert 0.5 * size[1] + 1.09 * (rows.max() - 0.5 * size[1]) < caption.top


@pytest.mark.parametrize("size", [(1, 1), (20_000, 720), (1280, 0)])
def test_a_size_that_cannot_be_drawn_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="each side must be 64 to 8192 pixels"):
        drawing(a_shot(), size)


def test_letters_that_no_font_has_are_told() -> None:
    made = drawing(a_card(on_screen_text="Now \U000f1234 or never"))
    assert made.missing == "\U000f1234"
    assert drawing(a_card()).missing == ""


@pytest.mark.long
@pytest.mark.parametrize("place", drawn())
def test_every_set_can_be_drawn_in_every_size_and_aspect(place: str) -> None:
    seen = set()
    for size in ("EWS", "WS", "FS", "MWS", "MS", "MCU", "CU", "ECU"):
        for aspect in ASPECTS.values():
            made = drawing(a_shot(place=place, size=size), aspect).clean()
            seen.add(hashlib.sha256(made).digest())
    assert len(seen) == 8 * len(ASPECTS)
