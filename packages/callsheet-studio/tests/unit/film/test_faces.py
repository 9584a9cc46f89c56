"""Words keep clear of every face: of one, of two at two heights, of many, wherever they are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import STYLE, a_shot

from callsheet_studio.brief import load
from callsheet_studio.documents import captions
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.film.lettering import (
    Box,
    Face,
    caption_block,
    caption_foot,
    safe_area,
    title_block,
)
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.film.subject import looked_at
from callsheet_studio.film.takes import takes
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.shots import Figure, Movement
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.film.takes import TakeData

EXAMPLES = sorted(
    each
    for each in (Path(__file__).parents[5] / "examples" / "briefs").iterdir()
    if each.suffix != ".fountain"
)
ASPECTS = {"16:9": (1280, 720), "9:16": (720, 1280), "1:1": (720, 720), "4:5": (720, 900)}
STEP = 6
"""Pixels between the places that are tried."""
SMALL = (480, 270)
CAPTIONS = 0.19
"""Of the shorter side: what is kept for captions at the foot of the safe area."""


# Words


@cache
def filmed(path: Path) -> tuple[TakeData, ...]:
    brief = load(path)
    script = write_script(brief)
    shown = [CaptionLine(start=c.start, end=c.end, lines=c.lines) for c in captions(script)]
    return takes(plan_shots(script, brief), brief, shown)


def faces_of(take: TakeData) -> tuple[Box, ...]:
    return looked_at(take.shot, take.size, take.style, take.figures)


def heads_of(faces: Sequence[Box]) -> list[Box]:
    """Each face with its hair, or what stands for a thing."""
    return [(each.head or each) if isinstance(each, Face) else each for each in faces]


def with_people(path: Path, size: tuple[int, int]) -> Iterator[TakeData]:
    for take in filmed(path):
        if take.shot.figures:
            yield take.model_copy(update={"size": size})


def is_free_somewhere(box: Box, area: Box, faces: Sequence[Box], *, across: bool) -> bool:
    """Whether a text of this size would hide nothing at one of very many places."""
    lefts = np.arange(area.left, area.right - box.width, STEP) if across else np.array([box.left])
    x, y = np.meshgrid(lefts, np.arange(area.top, area.bottom - box.height, STEP))
    free = np.ones(x.shape, bool)
    for face in faces:
        free &= (
            (x >= face.right)
            | (x + box.width <= face.left)
            | (y >= face.bottom)
            | (y + box.height <= face.top)
        )
    return bool(free.any())


# A title is set up to four times before it fits.
@pytest.mark.slow
@pytest.mark.requirement("P11")
@pytest.mark.parametrize("size", ASPECTS.values(), ids=ASPECTS)
def test_no_title_of_the_examples_hides_a_face_that_it_can_leave_free(
    size: tuple[int, int],
) -> None:
    seen = 0
    for path in EXAMPLES:
        for take in with_people(path, size):
            faces = faces_of(take)
            text = take.shot.on_screen_text
            if not text:
                continue
            box, area = title_block(text, size, faces)[1], safe_area(size)
            assert area.holds(box)
            above = Box(area.left, area.top, area.right, area.bottom - CAPTIONS * min(size))
            if any(map(box.shared, faces)):
                assert not is_free_somewhere(box, above, faces, across=True), (path, text)
            heads = heads_of(faces)
            if any(map(box.shared, heads)):
                assert not is_free_somewhere(box, above, heads, across=True), (path, text)
            seen += 1
    assert seen


# All captions of all films are set.
@pytest.mark.slow
@pytest.mark.requirement("P11")
@pytest.mark.parametrize("size", ASPECTS.values(), ids=ASPECTS)
def test_no_caption_of_the_examples_hides_a_face_that_it_can_leave_free(
    size: tuple[int, int],
) -> None:
    seen = 0
    for path in EXAMPLES:
        for (line, _), shots in read_over(path, size).items():
            faces = [face for each in shots for face in each.faces]
            titles = [each.title for each in shots if each.title]
            usual = caption_block(line, size)[1]
            whole = safe_area(size)
            area = Box(whole.left, whole.top, whole.right, usual.bottom)
            (box,) = {each.caption for each in shots}
            if any(map(box.shared, faces)):
                assert not is_free_somewhere(box, area, (*faces, *titles), across=False), line
            heads = heads_of(faces)
            # Over a cut nobody knows the others' hair.
            alone = len(shots) == 1 and not shots[0].is_over_cut
            if alone and any(map(box.shared, heads)):
                assert not is_free_somewhere(box, area, (*heads, *titles), across=False), line
            seen += len(shots)
    assert seen > 10


@dataclass(frozen=True)
class Read:
    """A caption in one shot, and what else is there."""

    caption: Box
    faces: tuple[Box, ...]
    title: Box | None
    is_over_cut: bool
    """Whether it is read over another shot, too."""


def read_over(path: Path, size: tuple[int, int]) -> dict[tuple[tuple[str, ...], int], list[Read]]:
    """Each caption of a film with the shots that it is read over; the same words may come twice."""
    found: dict[tuple[tuple[str, ...], int], list[Read]] = defaultdict(list)
    for number, take in enumerate(with_people(path, size)):
        # Footage instead of a drawing: what is written over it is the same.
        shooting = Shooting(take, footage=iter(()))
        faces = faces_of(take)
        title = title_block(shooting.title, size, faces)[1] if shooting.title else None
        for line in shooting.captions:
            box = caption_block(line.lines, size, line.foot)[1]
            found[line.lines, -1 if line.over else number].append(
                Read(box, faces, title, bool(line.over))
            )
    return found


# Where faces are

BARE = "bald man, navy jacket"
"""Faces on which glasses are seen from all sides."""
ALONE = {
    "standing": "Mara stands and looks ahead.",
    "sitting": "Mara sits on the sofa.",
    "at a laptop": "Mara types on her laptop.",
    "walking": "Mara walks along.",
    "running": "Mara runs.",
    "bending": "Mara bends down to the ground.",
    "crouching": "Mara kneels.",
    "cycling": "Mara rides a bicycle.",
    "carrying": "Mara carries a box.",
    "calling": "Mara calls somebody on the phone.",
}
SEVERAL = {
    "talking": "Mara and Teo talk.",
    "handing": "Mara hands Teo a box.",
    "sitting": "Mara and Teo sit at the table.",
    "walking": "Mara and Teo walk along.",
    "cycling": "Mara and Teo ride bicycles.",
}


def seen_through(
    action: str, names: tuple[str, ...], who: str, looks: dict[str, str], **shot: object
) -> tuple[Box, tuple[Box, ...]]:
    """Where the glasses of somebody are drawn, and where faces are said to be."""
    told = a_shot(
        action=action,
        figures=names,
        subject=names[0],
        movement=Movement(kind="static"),
        end=1,
        **shot,
    )
    plain, worn = (
        tuple(
            Figure(name=name, look=looks.get(name, BARE) + (extra if name == who else ""))
            for name in names
        )
        for extra in ("", ", glasses")
    )
    one, other = (
        draw_frame(told, each, STYLE, SMALL).picture.astype(int) for each in (plain, worn)
    )
    rows, columns = np.nonzero(np.abs(one - other).max(axis=2) > 24)
    assert len(rows), "glasses are seen"
    found = Box(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    return found, looked_at(told, SMALL, STYLE, worn)


def eyes_of(face: Box) -> Box:
    return Box(face.left, face.top + 0.3 * face.height, face.right, face.top + 0.78 * face.height)


@pytest.mark.parametrize("action", ALONE.values(), ids=ALONE)
@every(near=["FS", "MS", "MCU"], bearing=[0, 80])
def test_the_eyes_of_somebody_are_where_their_face_is_said_to_be(
    action: str, near: str, bearing: int
) -> None:
    glasses, (face,) = seen_through(
        action, ("Mara",), "Mara", {}, size=near, bearing=bearing, place="home"
    )
    assert eyes_of(face).holds(glasses), (face, glasses)


@pytest.mark.parametrize("action", SEVERAL.values(), ids=SEVERAL)
@every(near=["FS", "MS", "MCU"], who=["Mara", "Teo"])
def test_each_of_two_has_a_face_of_their_own(action: str, near: str, who: str) -> None:
    looks = {"Mara": "bald woman, apron", "Teo": BARE}
    glasses, faces = seen_through(
        action, ("Mara", "Teo"), who, looks, size=near, bearing=10, place="home"
    )
    assert len(faces) == 2
    assert [eyes_of(face).holds(glasses) for face in faces].count(True) == 1, (faces, glasses)


def test_a_child_among_grown_ups_has_its_face_further_down() -> None:
    looks = {"Mara": BARE, "Lio": "bald boy, 7"}
    glasses, faces = seen_through(
        "Mara and Lio talk.", ("Mara", "Lio"), "Lio", looks, size="FS", bearing=10, place="home"
    )
    small, tall = sorted(faces, key=lambda face: -face.top)
    assert small.top > tall.bottom
    assert eyes_of(small).holds(glasses)


def test_over_a_shoulder_the_face_of_the_other_is_looked_at() -> None:
    glasses, (face,) = seen_through(
        "Mara talks to Teo.", ("Mara", "Teo"), "Teo", {}, size="MS", kind="OTS", place="home"
    )
    assert eyes_of(face).holds(glasses)


def test_a_tilted_camera_tilts_faces_too() -> None:
    glasses, (face,) = seen_through(
        "Mara waits.", ("Mara",), "Mara", {}, size="MS", angle="dutch", bearing=0, thirds="left"
    )
    assert eyes_of(face).holds(glasses)


# Hair

STYLES = {
    "short": "man, short hair",
    "curly": "woman, curly hair",
    "bun": "woman, bun",
    "bob": "woman, bob",
    "long": "woman, long hair",
    "ponytail": "woman, ponytail",
    "pigtails": "girl, 7, pigtails",
}


def hair_in(told: str, near: str, bearing: int, angle: str = "eye") -> tuple[Box, Face]:
    """Where hair is drawn down to the chin, and where a head is said to be."""
    shot = a_shot(
        action="Mara waits.",
        size=near,
        bearing=bearing,
        angle=angle,
        thirds="centre",
        movement=Movement(kind="static"),
        end=1,
        place="abstract",
        focus="deep",
    )
    # What changes with the colour of the hair is hair, or brows, which are in the face.
    one, other = (
        draw_frame(shot, (Figure(name="Mara", look=f"{told}, {colour} hair"),), STYLE, SMALL)
        for colour in ("black", "white")
    )
    (face,) = looked_at(shot, SMALL, STYLE, (Figure(name="Mara", look=f"{told}, black hair"),))
    assert isinstance(face, Face)
    apart = np.abs(one.picture.astype(int) - other.picture).max(axis=2) > 30
    rows, columns = np.nonzero(apart[: int(face.bottom)])
    assert len(rows), "hair is seen"
    return Box(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1), face


@pytest.mark.parametrize(
    ("near", "angle", "bearing"),
    [("MS", "eye", 35), ("MCU", "eye", 0), ("MCU", "eye", 80), ("MCU", "dutch", 35)],
)
@every(told=STYLES.values())
def test_a_head_is_said_to_be_where_its_hair_is(
    told: str, near: str, angle: str, bearing: int
) -> None:
    hair, face = hair_in(told, near, bearing, angle)
    assert face.head is not None
    assert face.head.holds(face)
    edge = 2
    around = Box(
        face.head.left - edge, face.head.top - edge, face.head.right + edge, face.head.bottom + edge
    )
    assert around.holds(hair), (face.head, hair)
    # It is no larger than it must be: somebody else has room beside it.
    assert face.head.height < 1.35 * face.height
    assert face.head.width < 1.6 * face.width


def test_nobody_knows_the_hair_of_somebody_without_a_name() -> None:
    (face,) = looked_at(a_shot(size="CU", figures=("",)), ASPECTS["9:16"], STYLE)
    assert isinstance(face, Face)
    assert face.head is None


@pytest.mark.requirement("P11")
@pytest.mark.parametrize("style", ["short", "bob", "long"])
@every(
    text=["Works offline", "One live map\nfor all berths"],
    near=["MCU", "CU"],
    thirds=["left", "centre", "right"],
    bearing=[-35, 0, 80],
)
def test_on_a_phone_a_title_is_above_the_hair_and_captions_below_the_chin(
    text: str, style: str, near: str, thirds: str, bearing: int
) -> None:
    size = ASPECTS["9:16"]
    shot = a_shot(
        size=near, thirds=thirds, bearing=bearing, on_screen_text=text, action="Mara waits."
    )
    (face,) = looked_at(shot, size, STYLE, (Figure(name="Mara", look=STYLES[style]),))
    assert isinstance(face, Face)
    assert face.head is not None
    title = title_block(text, size, [face])[1]
    assert title.shared(face) == 0
    hidden = title.shared(face.head) / (face.head.width * face.head.height)
    assert hidden < (0.02 if "\n" in text else 1e-9)
    said = ("So easy to see", "where you are")
    caption = caption_block(said, size, caption_foot(said, size, [face], [title]))[1]
    assert caption.shared(face.head) == 0
    assert caption.shared(title) == 0


def test_a_title_goes_beside_hair_if_there_is_room() -> None:
    size = ASPECTS["16:9"]
    corner = title_block("Works offline", size)[1]
    face = Box(corner.right + 60, 40, corner.right + 300, 400)
    bun = Box(face.left - 100, 10, face.right + 20, 400)
    bare = title_block("Works offline", size, [face])[1]
    worn = title_block(
        "Works offline", size, [Face(face.left, face.top, face.right, face.bottom, bun)]
    )[1]
    left = Face(10, face.top, 250, face.bottom, Box(0, 10, corner.right, 400))
    assert bare.shared(face) == 0
    assert worn.shared(bun) == 0
    assert title_block("Works offline", size, [left])[1].shared(left.head or left) == 0


def test_a_title_goes_beside_the_lower_of_two_heads() -> None:
    high, low = Box(150, 60, 350, 300), Box(800, 230, 1000, 470)
    box = title_block("Even air at minus ten degrees", ASPECTS["16:9"], [high, low])[1]
    assert box.shared(high) == 0
    assert box.shared(low) == 0
