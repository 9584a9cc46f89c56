"""Words over the picture: captions, and what a shot shows as text, inside the safe areas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.colour import clear, luminance, mix
from callsheet_studio.draw.raster import raster
from callsheet_studio.draw.text import Block, fitted, write
from callsheet_studio.film.planes import sheet_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from callsheet_studio.draw.style import FilmStyle
    from callsheet_studio.film.planes import Sheet

_INK = "#10131c"
_PAPER = "#ffffff"
_DARK = 0.36
"""Brightness up to which white is read well on a colour."""
_CAPTION_ROOM = 0.16
"""How much of the shorter side captions may take, at the foot of the safe area."""
_SHADOW = 0.35
_FOREHEAD, _LIDS, _CHEEK = 0.43, 0.65, 0.1
"""Parts of a face: what is above the brows, down to below the eyes, and beside eyes and mouth."""
_SHOULDERS, _LONG = 0.6, 6.0
"""Widths of a face that shoulders reach over its sides, and heights of it down to the feet."""
_NEAR = 0.12
"""Of the height of a frame: faces from which on one looks at the hands, too."""
_AT_HANDS, _ELBOWS = (0.85, 1.6), 0.4
"""Heights of a face below it where its hands are, and widths beside it."""
_AIR = 0.1
"""How much of a face is left free around it, if it can be."""
_PHONE = 1.5
"""Heights per width from which a frame is one for phones, whose apps put buttons over it."""
_SMALLER = (1.0, 0.88, 0.76, 0.64)
"""How large a text of the film may be set, largest first."""
_HEAD = 4
"""So many of the parts that a text may hide are of a face and its hair."""
_GAP = 0.02
"""Of the shorter side, between a face and words beside it."""


class Box(msgspec.Struct, frozen=True):
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


class Face(Box, frozen=True):
    """A face, from the hair to the chin."""

    head: Box | None = None
    """The same with all of its hair, or what is worn on it."""


def is_phone(size: tuple[int, int]) -> bool:
    """Whether a frame is one for phones."""
    return size[1] >= size[0] * _PHONE


def safe_area(size: tuple[int, int]) -> Box:
    """Where words may be: 90 % of the frame; where apps put their buttons, less."""
    width, height = size
    if is_phone(size):
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
    lines: Sequence[str],
    size: tuple[int, int],
    faces: Sequence[Box],
    titles: Sequence[Box] = (),
    things: Sequence[Box] = (),
) -> int | None:
    """Where the foot of a caption must be so that it hides no face; None: where it always is.

    Else it is at the head of the safe area, under a title there, or between faces, where it hides
    least: of eyes, then from the brows to the chin, then of hair; on a phone, where captions are
    higher, also of hands. A caption that is read over a cut
    stays where it is, so it is looked at in all its shots.

    Args:
        lines: the caption.
        size: of the frame.
        faces: what is looked at, in all its shots.
        titles: other texts in the frame.
        things: what its other shots are about.
    """
    if not faces and not things:
        return None
    usual, area = caption_block(lines, size)[1], safe_area(size)
    gap = min(size) * _GAP
    tops = [area.top + gap, *sorted(each.bottom + gap for each in titles)]
    near = _NEAR * size[1] if is_phone(size) else math.inf
    hands = [_hands(face) for face in faces if isinstance(face, Face) and face.height >= near]
    hands += things
    # Whichever of its shots is asked, it is the same place.
    ends = ((each.top, each.bottom) for each in (*_edges(faces), *hands))
    tops += sorted(_around(ends, usual.height, gap))
    feet = (round(top + usual.height) for top in tops if top >= area.top)
    ways = (None, *(foot for foot in feet if foot <= usual.bottom))

    parts = [*_parts(faces)[:_HEAD], hands]

    def hidden(foot: int | None) -> list[int]:
        box = caption_block(lines, size, foot)[1]
        away = round(usual.bottom - box.bottom) if hands else 0
        return [round(sum(map(box.shared, titles))), *_hidden(box, parts), away]

    return min(ways, key=hidden)


def _around(ends: Iterable[tuple[float, float]], long: float, gap: float) -> list[float]:
    """Where something so long begins after or before each of several, if it can with a gap."""
    found = tuple(ends)
    return [
        at
        for away in (gap, 0.0)
        for start, end in found
        for at in (end + away, start - away - long)
    ]


def _edges(faces: Sequence[Box]) -> Iterator[Box]:
    """What a text can be beside: each face, and each head with its hair."""
    for face in faces:
        yield face
        if (head := _head(face)) is not face:
            yield head


def _head(face: Box) -> Box:
    """A face with its hair, where that is known."""
    return (face.head or face) if isinstance(face, Face) else face


def _features(face: Box) -> Box:
    """From the brows to the chin."""
    aside = _CHEEK * face.width
    brows = face.top + _FOREHEAD * face.height
    return Box(face.left + aside, brows, face.right - aside, face.bottom)


def _eyes(face: Box) -> Box:
    """From the brows to below the eyes."""
    features = _features(face)
    return Box(features.left, features.top, features.right, face.top + _LIDS * face.height)


def _body(face: Box) -> Box:
    """What is below it: shoulders, chest and legs."""
    aside, long = _SHOULDERS * face.width, _LONG * face.height
    return Box(face.left - aside, face.bottom, face.right + aside, face.bottom + long)


def _hands(face: Box) -> Box:
    """Where somebody has what they hold, or talks with."""
    low, high = (face.bottom + part * face.height for part in _AT_HANDS)
    aside = _ELBOWS * face.width
    return Box(face.left - aside, low, face.right + aside, high)


def _beside(face: Box) -> Box:
    """A head with some air around it."""
    x, y, head = _AIR * face.width, _AIR * face.height, _head(face)
    return Box(head.left - x, head.top - y, head.right + x, head.bottom + y)


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


def title_block(
    text: str, size: tuple[int, int], clear_of: Sequence[Box] = ()
) -> tuple[Block, Box]:
    """How a text of the film is set, and where: away from what is looked at, above captions.

    Where it would hide a part of a face or its hair, it is set smaller, as far as it can still be
    read; if that does not help, it is where it hides least.

    Args:
        text: what is written.
        size: of the frame.
        clear_of: each face, or the thing that a shot is about.
    """
    ways, parts = [], _parts(clear_of)
    for share in _SMALLER:
        block, plate = _plate(text, size, share)
        ways.append((block, _placed(plate, size, clear_of, parts)))
        if not any(_hidden(ways[-1][1], parts)):
            return ways[-1]
    return min(ways, key=lambda way: _hidden(way[1], parts[:_HEAD]))


def _plate(text: str, size: tuple[int, int], share: float) -> tuple[Block, tuple[float, float]]:
    """A text, so much smaller than usual, and how wide and high its plate is."""
    area, short = safe_area(size), min(size)
    high = min(short * 0.24, (area.height - short * (_CAPTION_ROOM + 0.03)) * 0.6)
    room = area.width * (0.8 if size[1] > size[0] else 0.46) * share, high * share
    block = _set(text, room, short * share)
    pad = block.size * 0.45
    return block, (block.width + 3.2 * pad, block.height + 2.2 * pad)


def _set(text: str, room: tuple[float, float], short: float) -> Block:
    """In its own lines, or in others, if those are too long: no word stands alone between two."""
    largest, smallest = short * 0.085, short * 0.04
    told = fitted(text, room, largest=largest, smallest=smallest, weight=700)
    if len(told.lines) <= len(text.splitlines()):
        return told
    joined = " ".join(text.split())
    return fitted(joined, room, largest=largest, smallest=smallest, weight=700)


def _placed(
    plate: tuple[float, float],
    size: tuple[int, int],
    clear_of: Sequence[Box],
    parts: Sequence[Sequence[Box]],
) -> Box:
    """In a corner, the upper third first, opposite to what is looked at; else beside the heads.

    If there is a place that is free of all of them, one is among those that touch the edge of what
    is free, or a head, in both directions. Where there is none, hair may be hidden, but no face.
    """
    heads = [_head(each) for each in clear_of]
    best = min(_places(plate, size, heads), key=lambda each: _hidden(each, parts))
    if heads == list(clear_of) or not any(_hidden(best, parts[:_HEAD])):
        return best
    others = _places(plate, size, clear_of)
    return min((best, *others), key=lambda each: _hidden(each, parts))


def _places(
    plate: tuple[float, float], size: tuple[int, int], clear_of: Sequence[Box]
) -> list[Box]:
    """Where a plate can be: in the corners, then beside each of these."""
    (wide, high), area, gap = plate, safe_area(size), min(size) * _GAP
    lowest = area.bottom - min(size) * (_CAPTION_ROOM + 0.03) - high
    lefts = [area.left, area.right - wide]
    if clear_of and sum(each.left + each.right for each in clear_of) / len(clear_of) < size[0]:
        lefts.reverse()
    tops = [area.top + area.height * 0.02, lowest]
    corners = [Box(x, y, x + wide, y + high) for y in tops for x in lefts]
    lefts += _around(((each.left, each.right) for each in clear_of), wide, gap)
    tops += _around(((each.top, each.bottom) for each in clear_of), high, gap)
    others = [
        Box(x, y, x + wide, y + high)
        for y in tops
        for x in lefts
        if area.left <= x <= area.right - wide and area.top <= y <= lowest
    ]
    return [*corners, *others]


def _parts(faces: Sequence[Box]) -> list[list[Box]]:
    """What a text may hide, the worst first: eyes, brows to chin, faces, hair; bodies, and near."""
    parts = (_eyes, _features, lambda face: face, _head, _body, _beside)
    return [[part(face) for face in faces] for part in parts]


def _hidden(box: Box, parts: Sequence[Sequence[Box]]) -> list[int]:
    """How much a text hides of each of these."""
    return [math.ceil(sum(map(box.shared, part))) for part in parts]


def title_sheet(
    text: str, style: FilmStyle, size: tuple[int, int], clear_of: Sequence[Box] = ()
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
