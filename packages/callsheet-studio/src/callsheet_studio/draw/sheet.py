"""The contact sheet: all frames of a film at once, each with its name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from callsheet.errors import InputError
from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.raster import encoded, opaque, raster
from callsheet_studio.draw.text import fitted, line, write
from callsheet_studio.model.base import Data

if TYPE_CHECKING:
    from collections.abc import Mapping

PAPER, INK, SOFT, YELLOW = "#fbfaf6", "#1d1b26", "#77737d", "#ffcf3f"
_WIDE = 2000
"""Pixels that a contact sheet is wide at most."""
_LARGEST = 640
"""Pixels that one of its pictures is wide at most."""
_SHAPE = 1.5
"""Width to height of a sheet that is good to look at."""
_EDGE, _GAP, _HEAD, _FOOT = 36, 16, 64, 42


class SheetShot(Data):
    """What stands under a frame."""

    id: str
    name: str
    chips: tuple[str, ...]
    """Size, lens, movement and length, in short."""


class SheetData(Data):
    """What stands on a contact sheet."""

    title: str
    facts: str
    """Opposite the title."""
    shots: tuple[SheetShot, ...]


def contact_sheet(sheet: SheetData, pictures: Mapping[str, bytes]) -> bytes:
    """All frames on one sheet, in the order of the film, each with its name, as PNG.

    Args:
        sheet: what stands on it.
        pictures: of each shot, by its id, in any form that can be read.

    Raises:
        InputError: one cannot.
    """
    import numpy as np

    frames = [_pixels(pictures[shot.id]) for shot in sheet.shots]
    ratio = frames[0].shape[1] / frames[0].shape[0]
    columns = columns_for(len(frames), ratio)
    wide = min((_WIDE - 2 * _EDGE - (columns - 1) * _GAP) // columns, _LARGEST)
    high = round(wide / ratio)
    rows = -(-len(frames) // columns)
    whole = 2 * _EDGE + columns * (wide + _GAP) - _GAP
    # Only what is written is painted, line under line: most of a sheet is pictures and paper.
    words = Brush(whole, _HEAD + rows * _FOOT)
    words.rect(0, 0, whole, _HEAD + rows * _FOOT, PAPER)
    _head(words, sheet, whole)
    places = [(_EDGE + n % columns * (wide + _GAP), n // columns) for n in range(len(frames))]
    for shot, (x, row) in zip(sheet.shots, places, strict=True):
        _name(words, shot, (x, _HEAD + row * _FOOT + 7), wide)
    written = opaque(raster(words))
    # Above the title there is nothing but paper.
    painted = np.repeat(written[:1], _HEAD + rows * (high + _FOOT) + _EDGE // 2, axis=0)
    painted[:_HEAD] = written[:_HEAD]
    for row in range(rows):
        foot = _HEAD + (row + 1) * (high + _FOOT) - _FOOT
        painted[foot : foot + _FOOT] = written[_HEAD + row * _FOOT :][:_FOOT]
    for frame, (x, row) in zip(frames, places, strict=True):
        top = _HEAD + row * (high + _FOOT)
        painted[top : top + high, x : x + wide] = _resized(frame, (wide, high))
    return encoded(painted, "png")


def columns_for(count: int, ratio: float) -> int:
    """How many stand beside each other, so that the sheet is neither a strip nor a tower."""

    def off(columns: int) -> float:
        rows = -(-count // columns)
        return abs(math.log(columns * ratio / rows / _SHAPE))

    return min(range(1, count + 1), key=off)


def _head(page: Brush, sheet: SheetData, wide: int) -> None:
    facts = line(sheet.facts, 17, weight=500)
    room = max(wide - 2 * _EDGE - facts.width - 2 * _GAP, 1)
    title = fitted(sheet.title, (room, 24), largest=30, smallest=18, weight=700)
    write(page, title, x=_EDGE, y=22, colour=INK)
    write(page, facts, x=wide - _EDGE, y=28, colour=SOFT, align="right")


def _name(page: Brush, shot: SheetShot, at: tuple[int, int], wide: int) -> None:
    """The shot on its slate; what fits beside it."""
    x, y = at
    u = min(max(wide / 420, 1.0), 1.3)
    name = line(shot.name, 14 * u, weight=700)
    page.rect(x, y, name.width + 14 * u, 19 * u, YELLOW, radius=4 * u)
    write(page, name, x=x + 7 * u, y=y + 4.6 * u, colour=INK)
    size, lens, move, length = shot.chips
    for told in (f"{size} · {lens} · {move} · {length}", f"{size} · {length}", length):
        rest = line(told, 13 * u, weight=500)
        if name.width + 22 * u + rest.width <= wide:
            write(page, rest, x=x + name.width + 22 * u, y=y + 5 * u, colour=SOFT)
            return


def _pixels(picture: bytes) -> Any:
    import cv2
    import numpy as np

    data = np.frombuffer(picture, np.uint8)
    found = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB) if data.size else None
    if found is None:
        raise InputError("a frame of the storyboard is no picture that can be read")
    return found


def _resized(picture: Any, size: tuple[int, int]) -> Any:
    import cv2

    # Several times as fast, and as good as long as no pixel is left out.
    is_close = 2 * size[0] >= picture.shape[1]
    how = cv2.INTER_LINEAR if is_close else cv2.INTER_AREA
    return cv2.resize(picture, size, interpolation=how)
