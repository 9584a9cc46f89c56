"""The storyboard: the frames on paper, and all of them at once."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from callsheet import InputError
from callsheet.studio.documents.labels import labels
from callsheet.studio.documents.shots import counted, picture_file, slug_line
from callsheet.studio.documents.typeset import Document, typeset
from callsheet.studio.documents.words import lines, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.studio.documents.labels import Labels
    from callsheet.studio.draw.brush import Brush
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.shots import Shot, ShotList
    from callsheet.studio.time import Rate

PAPER, INK, SOFT, YELLOW = "#fbfaf6", "#1d1b26", "#77737d", "#ffcf3f"
_WIDE = 2000
"""Pixels that a contact sheet is wide at most."""
_LARGEST = 640
"""Pixels that one of its pictures is wide at most."""
_SHAPE = 1.5
"""Width to height of a sheet that is good to look at."""
_EDGE, _GAP, _HEAD, _FOOT = 36, 16, 64, 42


def board_pdf(shots: ShotList, brief: Brief, pictures: Mapping[str, bytes]) -> bytes:
    """The storyboard for print; `pictures` are JPEGs by the ids of the shots."""
    language = brief.content.language
    say = labels(language)
    content = {
        "title": one_line(shots.title),
        "line": one_line(brief.message.core),
        "facts": (
            (say("Length"), say.seconds(shots.rate.seconds(shots.frames))),
            (say("Shots"), str(len(shots.shots))),
            (say("Picture"), f"{brief.delivery.aspect} · {shots.rate} fps"),
        ),
        "aspect": brief.delivery.aspect,
        "shots": [
            _frame(shot, shots.rate, language)
            | {"begins": before is None or before.scene != shot.scene}
            for before, shot in pairwise((None, *shots.shots))
            if shot is not None
        ],
    }
    files = {picture_file(shot): pictures[shot.id] for shot in shots.shots}
    return typeset(Document("board", content, language, files))


def _frame(shot: Shot, rate: Rate, language: str) -> dict[str, object]:
    say = labels(language)
    *chips, length = _chips(shot, rate, say)
    said = [one_line(shot.voiceover), *lines(shot.dialogue)]
    return {
        "picture": picture_file(shot),
        "id": one_line(shot.id),
        "scene": say("Scene {number}", number=shot.scene),
        "slug": slug_line(shot, language),
        "chips": chips,
        "time": f"{length} · {rate.timecode(shot.start)[3:8]}",
        "action": one_line(shot.action),
        "said": " ".join(say("“{words}”", words=each) for each in said if each),
        "written": " / ".join(lines(shot.on_screen_text)),
        "sound": one_line(shot.sound),
    }


def _chips(shot: Shot, rate: Rate, say: Labels) -> tuple[str, ...]:
    """As they stand on the frame, but for how the length is written."""
    from callsheet.studio.draw.annotate import chips_of

    *chips, _ = chips_of(shot, str(rate))
    return (*chips, say.seconds(rate.seconds(shot.frames)))


# The contact sheet


def contact_sheet(shots: ShotList, pictures: Mapping[str, bytes], language: str = "en") -> bytes:
    """All frames on one sheet, in the order of the film, each with its name, as PNG."""
    from callsheet.studio.draw.brush import Brush
    from callsheet.studio.draw.raster import encoded, opaque, raster

    frames = [_pixels(pictures[shot.id]) for shot in shots.shots]
    ratio = frames[0].shape[1] / frames[0].shape[0]
    columns = columns_for(len(frames), ratio)
    wide = min((_WIDE - 2 * _EDGE - (columns - 1) * _GAP) // columns, _LARGEST)
    high = round(wide / ratio)
    rows = -(-len(frames) // columns)
    whole = 2 * _EDGE + columns * (wide + _GAP) - _GAP
    tall = _HEAD + rows * (high + _FOOT) + _EDGE // 2
    page = Brush(whole, tall)
    page.rect(0, 0, whole, tall, PAPER)
    say = labels(language)
    _head(page, shots, whole, say)
    places = [
        (_EDGE + n % columns * (wide + _GAP), _HEAD + n // columns * (high + _FOOT))
        for n in range(len(frames))
    ]
    for shot, (x, y) in zip(shots.shots, places, strict=True):
        _name(page, shot.id, _chips(shot, shots.rate, say), (x, y + high + 7), wide)
    sheet = opaque(raster(page)).copy()
    for frame, (x, y) in zip(frames, places, strict=True):
        sheet[y : y + high, x : x + wide] = _resized(frame, (wide, high))
    return encoded(sheet, "png")


def columns_for(count: int, ratio: float) -> int:
    """How many stand beside each other, so that the sheet is neither a strip nor a tower."""

    def off(columns: int) -> float:
        rows = -(-count // columns)
        return abs(math.log(columns * ratio / rows / _SHAPE))

    return min(range(1, count + 1), key=off)


def _head(page: Brush, shots: ShotList, wide: int, say: Labels) -> None:
    from callsheet.studio.draw.text import fitted, line, write

    length = say.seconds(shots.rate.seconds(shots.frames))
    facts = line(f"{counted(len(shots.shots), say)} · {length}", 17, weight=500)
    room = max(wide - 2 * _EDGE - facts.width - 2 * _GAP, 1)
    title = fitted(one_line(shots.title).upper(), (room, 24), largest=30, smallest=18, weight=700)
    write(page, title, x=_EDGE, y=22, colour=INK)
    write(page, facts, x=wide - _EDGE, y=28, colour=SOFT, align="right")


def _name(page: Brush, shot: str, chips: tuple[str, ...], at: tuple[int, int], wide: int) -> None:
    """The shot on its slate; what fits beside it."""
    from callsheet.studio.draw.text import line, write

    x, y = at
    u = min(max(wide / 420, 1.0), 1.3)
    name = line(one_line(shot), 14 * u, weight=700)
    page.rect(x, y, name.width + 14 * u, 19 * u, YELLOW, radius=4 * u)
    write(page, name, x=x + 7 * u, y=y + 4.6 * u, colour=INK)
    size, lens, move, length = chips
    for told in (f"{size} · {lens} · {move} · {length}", f"{size} · {length}", length):
        rest = line(told, 13 * u, weight=500)
        if name.width + 22 * u + rest.width <= wide:
            write(page, rest, x=x + name.width + 22 * u, y=y + 5 * u, colour=SOFT)
            return


def _pixels(picture: bytes) -> Any:
    import cv2
    import numpy as np

    data = np.frombuffer(picture, np.uint8)
    found = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if found is None:
        raise InputError("a frame of the storyboard is no picture that can be read")
    return cv2.cvtColor(found, cv2.COLOR_BGR2RGB)


def _resized(picture: Any, size: tuple[int, int]) -> Any:
    import cv2

    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
