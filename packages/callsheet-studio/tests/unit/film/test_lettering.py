"""Whatever is written over a picture can be read, is inside the safe area and hides no face."""

from __future__ import annotations

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import STYLE, a_shot

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.film.lettering import (
    Box,
    Face,
    caption_block,
    caption_foot,
    caption_sheet,
    safe_area,
    title_block,
    title_sheet,
)
from callsheet_studio.film.planes import lay
from callsheet_studio.film.subject import looked_at
from callsheet_studio.model.shots import Figure, Movement

FRAMES = [(1280, 720), (720, 1280), (720, 720), (720, 900), (3840, 2160), (64, 64)]
TEXTS = {
    "usual": "Works offline on the pier",
    "two lines": "One live map\nfor all berths",
    "without a space": "Donaudampfschifffahrt" * 15,
    "emoji": "Ahoy 🚢⚓️🏖️ 👩‍👩‍👧",
    "arabic": "مرحبا بكم في الميناء",
    "chinese": "港口的每一个泊位",
    "signs": "<b>&amp;</b>\x00\u200b",
    "nothing": " ",
}


@pytest.mark.parametrize("size", FRAMES, ids=str)
@every(text=TEXTS.values())
def test_any_words_stay_inside_the_safe_area(text: str, size: tuple[int, int]) -> None:
    area = safe_area(size)
    assert area.holds(caption_block([text, text[:42]], size)[1])
    half, whole = Box(0, 0, size[0] / 2, size[1]), Box(0, 0, *size)
    for clear_of in ((), (half,), (whole,), (half, whole)):
        assert area.holds(title_block(text, size, clear_of)[1])


def test_an_upright_film_keeps_clear_of_what_apps_put_over_it() -> None:
    area = safe_area((720, 1280))
    assert area.top >= 0.14 * 1280
    assert area.bottom <= (1 - 0.35) * 1280
    assert area.left >= 0.06 * 720
    assert area.right <= 0.94 * 720


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_words_can_be_written(text: str) -> None:
    for sheet in (caption_sheet([text], (320, 180)), title_sheet(text, STYLE, (320, 180))):
        assert (sheet is None) == (not text.strip())


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)], ids=str)
def test_captions_of_two_full_lines_are_large_enough_to_read(size: tuple[int, int]) -> None:
    block, _ = caption_block(
        ["Harbour masters of small marinas, you see", "every berth at once."], size
    )
    assert len(block.lines) == 2
    assert block.size >= 0.03 * min(size)


def test_a_caption_is_white_on_a_dark_plate() -> None:
    sheet = caption_sheet(["Two boats, one berth."], (640, 360))
    assert sheet is not None
    bright, through = sheet.planes[0], sheet.through[0]
    assert bright.max() >= 230
    plate = through[through.shape[0] // 2, 6]
    assert plate < 80
    assert (through == 0).mean() > 0.05
    picture = [np.full((360 // half, 640 // half), 128, np.uint8) for half in (1, 2, 2)]
    lay(picture, sheet)
    assert np.abs(picture[1].astype(int) - 130).max() <= 4, "letters have no coloured edges"


@every(
    near=["WS", "FS", "MWS", "MS", "MCU", "CU"],
    thirds=["left", "right", "centre"],
    size=[(1280, 720), (720, 1280), (720, 720), (720, 900)],
)
def test_a_title_does_not_hide_the_face(near: str, thirds: str, size: tuple[int, int]) -> None:
    (face,) = looked_at(a_shot(size=near, thirds=thirds), size, STYLE)
    _, box = title_block("Works offline", size, [face])
    high = face.height
    eyes = Box(face.left, face.top + 0.38 * high, face.right, face.top + 0.55 * high)
    assert box.shared(eyes) == 0
    if size[0] > size[1] and near != "CU":
        assert box.shared(face) == 0


def test_a_title_stands_opposite_to_whom_we_look_at() -> None:
    size = (1280, 720)
    for thirds, is_left in (("right", True), ("left", False)):
        faces = looked_at(a_shot(size="MS", thirds=thirds), size, STYLE)
        _, box = title_block("Harbor", size, faces)
        assert ((box.left + box.right) / 2 < 640) == is_left
        assert box.bottom < 360


def test_a_title_and_a_caption_do_not_meet() -> None:
    for size in FRAMES[:-1]:
        _, caption = caption_block(["A first full line of a caption,", "and a second one."], size)
        everywhere = Box(0, 0, size[0], size[1] * 0.4)
        for clear_of in ((), (everywhere,)):
            _, title = title_block("One live map\nfor all berths", size, clear_of)
            assert title.shared(caption) == 0


SAID = ["Saltwing stays put when the wave hits you."]


@every(near=["CU", "MCU", "MS", "FS"], size=[(720, 1280), (720, 900), (1080, 1920)])
def test_a_caption_hides_neither_eyes_nor_mouth(near: str, size: tuple[int, int]) -> None:
    (face,) = looked_at(a_shot(size=near), size, STYLE)
    _, box = caption_block(SAID, size, caption_foot(SAID, size, [face]))
    assert safe_area(size).holds(box)
    assert box.shared(Box(face.left, face.top + 0.35 * face.height, face.right, face.bottom)) == 0


def test_a_caption_leaves_its_place_only_for_a_face() -> None:
    size = (720, 1280)
    usual = caption_block(SAID, size)[1]
    assert caption_foot(SAID, size, [Box(100, 100, 600, usual.top - 10)]) is None
    foot = caption_foot(SAID, size, [Box(100, 300, 600, usual.bottom + 40)])
    assert foot is not None
    assert caption_block(SAID, size, foot)[1].top >= 0.14 * 1280
    # A face that is everywhere is hidden least where captions always are.
    assert caption_foot(SAID, size, [Box(0, -900, 720, 1280)]) is None


def test_a_caption_does_not_go_where_a_title_is() -> None:
    size = (720, 1280)
    face = Box(100, 93, 600, 853)
    title = title_block("No burning eyes", size, [face])[1]
    foot = caption_foot(SAID, size, [face], [title])
    assert caption_block(SAID, size, foot)[1].shared(title) == 0


NEAR = ["MS", "MCU", "CU"]
ASPECTS = {"16:9": (1280, 720), "1:1": (720, 720), "4:5": (720, 900), "9:16": (720, 1280)}
LONG = "Open from 6 am,\nTuesday to Saturday"
TWO = ["Listen: Lehmann Bakery bakes", "sourdough bread every night."]


def seen_of(face: Box) -> Box:
    """From the brows to the chin: of the face that the drawing has there."""
    return Box(
        face.left + 0.12 * face.width,
        face.top + 0.46 * face.height,
        face.right - 0.12 * face.width,
        face.top + 0.95 * face.height,
    )


@pytest.mark.requirement("P11")
@every(near=NEAR, thirds=["left", "centre", "right"], size=ASPECTS.values())
def test_a_long_title_and_a_caption_leave_brows_to_chin_free(
    near: str, thirds: str, size: tuple[int, int]
) -> None:
    (face,) = looked_at(a_shot(size=near, thirds=thirds), size, STYLE)
    _, title = title_block(LONG, size, [face])
    _, caption = caption_block(TWO, size, caption_foot(TWO, size, [face], [title]))
    assert title.shared(seen_of(face)) == 0
    assert caption.shared(seen_of(face)) == 0
    assert title.shared(caption) == 0


@every(near=["MS", "MCU", "CU", "ECU"], size=[(320, 180), (240, 240), (216, 270), (180, 320)])
def test_the_face_is_where_it_is_drawn(near: str, size: tuple[int, int]) -> None:
    shot = a_shot(size=near, bearing=0, movement=Movement(kind="static"), end=1)
    bare, worn = (
        draw_frame(shot, (Figure(name="Mara", look=look),), STYLE, size).picture.astype(int)
        for look in ("bald man, navy jacket", "bald man, navy jacket, glasses")
    )
    rows, columns = np.nonzero(np.abs(bare - worn).max(axis=2) > 24)
    (face,) = looked_at(shot, size, STYLE, (Figure(name="Mara", look="bald man, navy jacket"),))
    assert face.left <= columns.min() < columns.max() <= face.right
    # Glasses are on the eyes, and so in the part that words keep clear of first.
    assert 0.43 < (rows.min() - face.top) / face.height < 0.52
    assert 0.6 < (rows.max() - face.top) / face.height < 0.72


def test_a_text_is_set_smaller_before_it_hides_a_face() -> None:
    size = ASPECTS["9:16"]
    free, _ = title_block(LONG, size, [Box(300, 1000, 400, 1100)])
    close, _ = title_block(LONG, size, looked_at(a_shot(size="CU"), size, STYLE))
    assert 0.6 * free.size < close.size < free.size


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("One live map\nfor all berths", ("One live map", "for all berths")),
        (
            "Hours come straight from\nthe shift plan",
            ("Hours come straight", "from the shift plan"),
        ),
    ],
)
def test_no_word_of_a_title_stands_alone_between_its_lines(
    text: str, lines: tuple[str, ...]
) -> None:
    assert title_block(text, (1280, 720))[0].lines == lines


def test_a_caption_has_its_place_below_a_face_that_fills_a_phone() -> None:
    size = ASPECTS["9:16"]
    for movement in (Movement(kind="static"), Movement(kind="push", direction="in")):
        faces = looked_at(a_shot(size="CU", movement=movement), size, STYLE)
        assert caption_foot(TWO, size, faces) is None


def test_a_title_keeps_some_air_from_a_face_if_it_can() -> None:
    size = ASPECTS["16:9"]
    _, corner = title_block("Harbor", size)
    beside = Box(corner.right + 4, 60, corner.right + 204, 260)
    _, box = title_block("Harbor", size, [beside])
    assert box.right < beside.left - 15 or box.left > beside.right + 15


@pytest.mark.requirement("P16")
@pytest.mark.parametrize("size", ["FS", "MCU", "CU", "ECU"])
def test_on_a_phone_a_caption_is_above_the_thing_that_a_shot_is_about(size: str) -> None:
    frame = (720, 1280)
    shot = a_shot(size=size, figures=(), things=("kettle",), subject="kettle", kind="INSERT")
    things = looked_at(shot, frame, STYLE)
    lines = ("You choose the temperature", "on the handle.")
    foot = caption_foot(lines, frame, (), things=things)
    box = caption_block(lines, frame, foot)[1]
    assert safe_area(frame).holds(box)
    assert not any(map(box.shared, things))


@pytest.mark.requirement("P16")
def test_on_a_phone_a_caption_is_clear_of_hands_as_well_as_of_a_face() -> None:
    frame, face = (720, 1280), Face(240, 230, 480, 480)
    lines = ("You choose the temperature", "on the handle.")
    foot = caption_foot(lines, frame, (face,))
    box = caption_block(lines, frame, foot)[1]
    assert safe_area(frame).holds(box)
    assert not box.shared(face)
    # Hands are a good head below the chin.
    assert not box.shared(Box(240, 480 + 0.9 * 250, 480, 480 + 1.5 * 250))


@pytest.mark.requirement("P16")
def test_in_a_wide_frame_a_caption_stays_where_it_is_for_a_thing() -> None:
    shot = a_shot(size="CU", figures=(), things=("kettle",), subject="kettle", kind="INSERT")
    things = looked_at(shot, (1280, 720), STYLE)
    assert caption_foot(("A word.",), (1280, 720), ()) is None
    assert things
