"""The storyboard on paper: so many frames a page, whatever is said; all of them on one sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.every import every
from tests.unit.documents.films import brief_of, film

from callsheet.errors import InputError
from callsheet_studio.documents.board import board_pdf, sheet_of
from callsheet_studio.documents.shots import shots_pdf
from callsheet_studio.draw.sheet import columns_for, contact_sheet

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Aspect
    from callsheet_studio.model.shots import Shot, ShotList

pytestmark = pytest.mark.requirement("P6")

SIZES: dict[Aspect, tuple[int, int]] = {
    "16:9": (32, 18),
    "9:16": (18, 32),
    "1:1": (24, 24),
    "4:5": (24, 30),
}
A_PAGE: dict[Aspect, int] = {"16:9": 6, "9:16": 6, "1:1": 10, "4:5": 6}
ODD = {
    "long": "She walks on and on, past every berth of the harbour, and never looks back. " * 12,
    "no-space": "x" * 300,
    "markup": '#panic("no") $x^2$ *bold* _it_ `raw` <label> @ref // \\ [] {} "quotes"',
    "scripts": "مرحبا بالعالم 你好世界 😀🎬",
    "lines": "one\ntwo\r\nthree\tfour\u2028five",
    "empty": "",
}


def picture(shot: Shot, size: tuple[int, int] = (32, 18), form: str = ".jpg") -> bytes:
    """A colour that only this shot has."""
    import cv2
    import numpy as np

    pixels = np.full((size[1], size[0], 3), colour(shot)[::-1], np.uint8)
    return bytes(cv2.imencode(form, pixels)[1])


def colour(shot: Shot) -> tuple[int, int, int]:
    return (40 + 37 * shot.order % 200, 30 + 71 * shot.order % 200, 20 + 113 * shot.order % 200)


def pictures(shots: ShotList, aspect: Aspect = "16:9") -> dict[str, bytes]:
    return {shot.id: picture(shot, SIZES[aspect]) for shot in shots.shots}


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def embedded(pdf: bytes) -> int:
    return len(re.findall(rb"/Subtype\s*/Image\b", pdf))


def saying(shots: ShotList, words: str) -> ShotList:
    changed = {"action": words, "voiceover": words, "on_screen_text": words, "sound": words}
    said = tuple(shot.model_copy(update=changed) for shot in shots.shots)
    return shots.model_copy(update={"shots": said, "title": words or shots.title})


# On paper


@every(aspect=SIZES, beats=[1, 6, 7])
def test_every_shot_is_on_the_board_and_a_page_is_full_before_the_next_begins(
    aspect: Aspect, beats: int
) -> None:
    made = film(beats, 2)
    brief = brief_of(beats * 8, language="en", fps="24", aspect=aspect)
    board = board_pdf(made.shots, brief, pictures(made.shots, aspect))
    assert embedded(board) == beats * 2
    assert pages(board) == -(-beats * 2 // A_PAGE[aspect])


@every(aspect=SIZES, words=ODD.values())
def test_what_is_said_moves_no_frame_to_another_page(aspect: Aspect, words: str) -> None:
    made = film(3, 2)
    brief = brief_of(24, language="de", fps="24", aspect=aspect)
    shots = saying(made.shots, words)
    assert pages(board_pdf(shots, brief, pictures(shots, aspect))) == 1


def test_a_board_of_fifty_shots_is_the_same_bytes_each_time() -> None:
    made = film(25, 2, language="de")
    board = board_pdf(made.shots, made.brief, pictures(made.shots))
    assert pages(board) == 9
    assert board_pdf(made.shots, made.brief, pictures(made.shots)) == board


def test_a_changed_word_changes_the_board() -> None:
    made = film(2, 2)
    seen = pictures(made.shots)
    board = board_pdf(made.shots, made.brief, seen)
    for field in ("action", "voiceover", "on_screen_text", "sound"):
        first = made.shots.shots[0].model_copy(update={field: "Something else."})
        shots = made.shots.model_copy(update={"shots": (first, *made.shots.shots[1:])})
        assert board_pdf(shots, made.brief, seen) != board, field


def test_a_frame_that_is_no_picture_is_an_error_and_not_half_a_board() -> None:
    made = film(1, 2)
    broken = pictures(made.shots) | {made.shots.shots[1].id: b"no picture"}
    with pytest.raises(InputError, match=r"board\.pdf could not be set"):
        board_pdf(made.shots, made.brief, broken)


@pytest.mark.requirement("P12")
@pytest.mark.parametrize("aspect", SIZES)
def test_the_shot_list_shows_its_frames_if_it_is_given_them(aspect: Aspect) -> None:
    made = film(4, 2)
    brief = brief_of(32, language="en", fps="24", aspect=aspect)
    shown = shots_pdf(made.shots, made.script, brief, pictures(made.shots, aspect))
    assert embedded(shown) == 8
    assert embedded(shots_pdf(made.shots, made.script, brief)) == 0


# On one sheet


def pixels(png: bytes) -> Any:
    import cv2
    import numpy as np

    found = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return found[..., ::-1].astype(int)


def centres(sheet: Any, shots: ShotList) -> list[tuple[int, int]]:
    """Where the middle of each picture is: row, column."""
    import numpy as np

    found = []
    for shot in shots.shots:
        rows, columns = np.nonzero(np.abs(sheet - colour(shot)).max(axis=2) <= 2)
        assert rows.size > 1000, f"{shot.id} is not on the sheet"
        found.append((int(np.median(rows)), int(np.median(columns))))
    return found


def test_the_contact_sheet_has_every_frame_in_the_order_of_the_film() -> None:
    made = film(3, 2)
    seen = {shot.id: picture(shot, (64, 36), ".png") for shot in made.shots.shots}
    places = centres(pixels(contact_sheet(sheet_of(made.shots), seen)), made.shots)
    assert places == sorted(places)
    assert len({row for row, _ in places}) == 3
    assert len({column for _, column in places}) == 2


def test_each_frame_of_the_contact_sheet_has_its_name_under_it() -> None:
    made = film(1, 2)
    seen = {shot.id: picture(shot, (64, 36), ".png") for shot in made.shots.shots}
    named = pixels(contact_sheet(sheet_of(made.shots), seen))
    first, second = made.shots.shots
    other = made.shots.model_copy(update={"shots": (first, second.model_copy(update={"id": "1Q"}))})
    renamed = pixels(contact_sheet(sheet_of(other), {**seen, "1Q": seen[second.id]}))
    _, (below, _) = centres(named, made.shots)
    changed = (named != renamed).any(axis=2)
    assert changed.any()
    assert not changed[: below + 1].any(), "only what is under the second picture"


@pytest.mark.parametrize(("ratio", "count"), [(16 / 9, 50), (9 / 16, 9), (1.0, 12), (0.8, 40)])
def test_a_contact_sheet_is_neither_a_strip_nor_a_tower(ratio: float, count: int) -> None:
    columns = columns_for(count, ratio)
    rows = -(-count // columns)
    assert 0.9 < columns * ratio / rows < 2.4


@pytest.mark.parametrize("title", ["", "W" * 300, "مرحبا 你好 😀", "<script>"])
def test_a_contact_sheet_can_have_any_title(title: str) -> None:
    made = film(1, 1)
    shots = made.shots.model_copy(update={"title": title})
    assert pixels(contact_sheet(sheet_of(shots), pictures(shots))).shape[1] < 2000


@pytest.mark.parametrize("broken", [b"", b"no picture"])
def test_a_frame_that_cannot_be_read_is_said_to_be_so(broken: bytes) -> None:
    made = film(1, 1)
    with pytest.raises(InputError, match="no picture that can be read"):
        contact_sheet(sheet_of(made.shots), {made.shots.shots[0].id: broken})
