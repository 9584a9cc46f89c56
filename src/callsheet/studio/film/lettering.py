"""Words over the picture: captions, and what a shot shows as text, inside the safe areas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.studio.draw.brush import Brush
from callsheet.studio.draw.colour import clear, luminance, mix
from callsheet.studio.draw.raster import raster
from callsheet.studio.draw.text import Block, fitted, write
from callsheet.studio.film.planes import sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.studio.draw.style import FilmStyle
    from callsheet.studio.film.planes import Sheet

_INK = "#10131c"
_PAPER = "#ffffff"
_DARK = 0.36
"""Brightness up to which white is read well on a colour."""
_CAPTION_ROOM = 0.16
"""How much of the shorter side captions may take, at the foot of the safe area."""
_SHADOW = 0.35
_FOREHEAD, _LIDS, _CHEEK = 0.44, 0.68, 0.1
"""Parts of a face: what is above the brows, down to below the eyes, and beside eyes and mouth."""
_PHONE = 1.5
"""Heights per width from which a frame is one for phones, whose apps put buttons over it."""
_SMALLER = (1.0, 0.88, 0.76, 0.64)
"""How large a text of the film may be set, largest first."""
_COVERED = 0.12
"""How much of a face, hair and forehead only, a text may cover before it is set smaller."""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the frame, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From side to side."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    def holds(self, other: Box) -> bool:
        """Whether another one is wholly in it."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def shared(self, other: Box) -> float:
        """How many pixels it has in common with another."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)


def safe_area(size: tuple[int, int]) -> Box:
    """Where words may be: 90 % of the frame; where apps put their buttons, less."""
    width, height = size
    if height >= width * _PHONE:
        return Box(width * 0.06, height * 0.14, width * 0.94, height * 0.65)
    return Box(width * 0.05, height * 0.05, width * 0.95, height * 0.95)


# Captions


def caption_block(
    lines: Sequence[str], size: tuple[int, int], foot: int | None = None
) -> tuple[Block, Box]:
    """How a caption is set, and where: at the foot of the safe area, or with another foot."""
    area = safe_area(size)
    short = min(size)
    text = "\n".join(lines)
    room = (area.width * 0.9, short * (_CAPTION_ROOM - 0.05))
    block = fitted(text, room, largest=short * 0.052, smallest=short * 0.03, weight=600)
    pad = block.size * 0.5
    wide, high = block.width + 2 * pad, block.height + 2 * pad
    left, bottom = (size[0] - wide) / 2, area.bottom - short * 0.01 if foot is None else foot
    return block, Box(left, bottom - high, left + wide, bottom)


def caption_foot(
    lines: Sequence[str], size: tuple[int, int], faces: Sequence[Box], titles: Sequence[Box] = ()
) -> int | None:
    """Where the foot of a caption must be so that it hides no face; None: where it always is.

    Else it is at the head of the safe area, or under a title there, if it hides less: hair may be
    hidden, eyes and mouth not. A caption that is read over a cut stays where it is, so it is looked
    at in all its shots.

    Args:
        lines: the caption.
        size: of the frame.
        faces: what is looked at, in each shot.
        titles: other texts in the frame.
    """
    usual = caption_block(lines, size)[1]
    gap = min(size) * 0.02
    heads = [safe_area(size).top + gap, *sorted(each.bottom + gap for each in titles)]
    feet = (None, *(foot for top in heads if (foot := round(top + usual.height)) <= usual.bottom))

    def hidden(foot: int | None) -> tuple[int, ...]:
        box = caption_block(lines, size, foot)[1]
        eyes, features = zip(*(_hidden(box, face)[:2] for face in faces), strict=True)
        return round(sum(map(box.shared, titles))), sum(eyes), sum(features)

    return min(feet, key=hidden)


def _features(face: Box) -> Box:
    """From the brows to the chin."""
    aside = _CHEEK * face.width
    brows = face.top + _FOREHEAD * face.height
    return Box(face.left + aside, brows, face.right - aside, face.bottom)


def _eyes(face: Box) -> Box:
    """From the brows to below the eyes."""
    features = _features(face)
    return Box(features.left, features.top, features.right, face.top + _LIDS * face.height)


def caption_sheet(
    lines: Sequence[str], size: tuple[int, int], foot: int | None = None
) -> Sheet | None:
    """A caption, to be laid on the frame; None if nothing can be written."""
    block, box = caption_block(lines, size, foot)
    if not block.width:
        return None
    desk = _Desk(box, size, around=0)
    desk.brush.rect(
        box.left, box.top, box.width, box.height, clear(_INK, 0.74), radius=block.size * 0.28
    )
    write(
        desk.brush,
        block,
        x=size[0] / 2,
        y=box.top + block.size * 0.5,
        colour=_PAPER,
        align="center",
    )
    return desk.sheet()


# Texts of the film


def title_block(text: str, size: tuple[int, int], clear_of: Box | None) -> tuple[Block, Box]:
    """How a text of the film is set, and where: away from what is looked at, above captions.

    Where it would hide eyes or mouth, or much of a face, it is set smaller, as far as it can still
    be read.
    """
    area = safe_area(size)
    foot = area.bottom - min(size) * (_CAPTION_ROOM + 0.03)
    ways = []
    for share in _SMALLER:
        block, plate = _plate(text, size, share)
        box = _placed(plate, area, foot, clear_of)
        ways.append((block, box))
        if clear_of is None or _is_clear(box, clear_of):
            return ways[-1]
    return min(ways, key=lambda way: _hidden(way[1], clear_of) if clear_of else [])


def _plate(text: str, size: tuple[int, int], share: float) -> tuple[Block, tuple[float, float]]:
    """A text, so much smaller than usual, and how wide and high its plate is."""
    area, short = safe_area(size), min(size)
    high = min(short * 0.24, (area.height - short * (_CAPTION_ROOM + 0.03)) * 0.6)
    room = area.width * (0.8 if size[1] > size[0] else 0.46) * share, high * share
    block = fitted(
        text, room, largest=short * 0.085 * share, smallest=short * 0.04 * share, weight=700
    )
    pad = block.size * 0.45
    return block, (block.width + 3.2 * pad, block.height + 2.2 * pad)


def _placed(plate: tuple[float, float], area: Box, foot: float, clear_of: Box | None) -> Box:
    """In the upper third, opposite to what is looked at; else where it hides least of it."""
    wide, high = plate
    lefts = [area.left, area.right - wide]
    if clear_of and clear_of.left + clear_of.right < area.left + area.right:
        lefts.reverse()
    inset = (area.bottom - area.top) * 0.02
    tops = area.top + inset, foot - high
    boxes = [Box(x, y, x + wide, y + high) for y in tops for x in lefts]
    if clear_of is None:
        return boxes[0]
    return min(boxes, key=lambda each: _hidden(each, clear_of))


def _hidden(box: Box, face: Box) -> list[int]:
    """How much a text hides: of the eyes, from the brows to the chin, and of the whole face."""
    return [round(box.shared(part)) for part in (_eyes(face), _features(face), face)]


def _is_clear(box: Box, face: Box) -> bool:
    _, features, whole = _hidden(box, face)
    return not features and whole <= _COVERED * face.width * face.height


def title_sheet(
    text: str, style: FilmStyle, size: tuple[int, int], clear_of: Box | None = None
) -> Sheet | None:
    """A text of the film on a plate of its colour; None if nothing can be written."""
    block, box = title_block(text, size, clear_of)
    if not block.width:
        return None
    pad, around = block.size * 0.45, block.size * 0.5
    desk = _Desk(box, size, around=around)
    brush = desk.brush
    plate = mix(style.accent, _INK, 0.12)
    ink = _PAPER if luminance(plate) < _DARK else _INK
    with brush.soft(around * 0.4):
        brush.rect(
            box.left, box.top + around * 0.25, box.width, box.height, clear(_INK, _SHADOW), radius=4
        )
    brush.rect(box.left, box.top, box.width, box.height, plate, radius=block.size * 0.09)
    write(brush, block, x=box.left + pad * 2, y=box.top + pad * 1.1, colour=ink)
    bar = block.size * 0.1
    brush.rect(box.left + pad * 0.85, box.top + pad * 1.1, bar, block.height, ink, radius=bar / 2)
    return desk.sheet()


class _Desk:
    """As much of the frame as is written on, in its coordinates."""

    def __init__(self, box: Box, size: tuple[int, int], *, around: float) -> None:
        self._left = max(math.floor((box.left - around) / 2) * 2, 0)
        self._top = max(math.floor((box.top - around) / 2) * 2, 0)
        right = min(math.ceil((box.right + around) / 2) * 2, size[0])
        bottom = min(math.ceil((box.bottom + around) / 2) * 2, size[1])
        self.brush = Brush(max(right - self._left, 2), max(bottom - self._top, 2))
        self.brush.ctx.translate(-self._left, -self._top)

    def sheet(self) -> Sheet:
        """What is written."""
        return sheet_of(raster(self.brush), self._left, self._top)
