"""The poster: what is seen of a film before it is played."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.colour import clear, darker, luminance, mix, rgb
from callsheet_studio.draw.own import Own
from callsheet_studio.draw.raster import encoded, lay, raster
from callsheet_studio.draw.text import Block, fitted, write
from callsheet_studio.film.lettering import Box
from callsheet_studio.model.base import Data
from callsheet_studio.model.shots import Figure, Shot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from callsheet_studio.draw.style import FilmStyle
    from callsheet_studio.model.shots import ShotList

_SHORT = 1080
"""Pixels of the poster's shorter side."""
_EDGE = 0.075
_SIZES = {"WS": 5, "MWS": 5, "FS": 4, "EWS": 3, "MS": 4, "MCU": 3, "CU": 2, "ECU": 0}
"""How well a size shows what a film is about."""
_SCREENS = frozenset(("phone_screen", "laptop_screen", "abstract"))
_PALE = 0.25
_DEEP, _DARKER = 0.035, (0.2, 0.4, 0.6, 0.75, 0.85)
"""How bright the ground of a title may be, and steps on the way there."""
_LEADING = 0.98
_ALL = 255


class PosterData(Data):
    """All that a poster depends on."""

    shot: Shot
    figures: tuple[Figure, ...]
    title: str
    line: str
    """What stands under the title."""


def poster_of(shots: ShotList, line: str) -> PosterData:
    """The picture that shows best what a film is about: people in their place, early on."""
    count = len(shots.shots)
    best = max(shots.shots, key=lambda shot: _worth(shot, shot.order / max(count, 1)))
    names = set(best.figures)
    plain = best.model_copy(update={"start": 0, "end": best.frames, "on_screen_text": None})
    return PosterData(
        shot=plain,
        figures=tuple(each for each in shots.figures if each.name in names),
        title=shots.title,
        line=line,
    )


def _worth(shot: Shot, part: float) -> float:
    people = 4.0 if shot.figures else 0.0
    place = -6.0 if shot.set.place in _SCREENS else 0.0
    aside = 1.0 if shot.composition.thirds not in {"centre", "lower_centre"} else 0.0
    return _SIZES.get(shot.size, 0) + people + place + aside - part


def make_poster(
    data: PosterData, style: FilmStyle, size: tuple[int, int], own: Own | None = None
) -> bytes:
    """The poster as PNG, in the shape of the film.

    Args:
        data: what is on it.
        style: of the film.
        size: of the film.
        own: pictures that the user has brought for its shot.
    """
    grown = _SHORT / min(size)
    large = round(size[0] * grown / 2) * 2, round(size[1] * grown / 2) * 2
    # Whoever only chooses what is on it draws nothing.
    from callsheet_studio.draw.frame import draw_frame
    from callsheet_studio.film.subject import looked_at

    drawing = draw_frame(data.shot, data.figures, style, large, own or Own(), reach=(0, 0))
    subject = looked_at(data.shot, large, style, data.figures)
    upright = large[1] > large[0]
    middle = sum(each.left + each.right for each in subject) / len(subject) / 2
    right = not upright and middle < large[0] / 2
    shade = _deep(min(style.palette, key=luminance))
    picture = _shaded(drawing.picture, shade, upright=upright, right=right)
    _lettered(picture, data, style, right=right)
    return encoded(picture, "png")


def _lettered(picture: NDArray[Any], data: PosterData, style: FilmStyle, *, right: bool) -> None:
    """The title in large letters on the side that is free, in place."""
    height, width = picture.shape[:2]
    short, upright = min(width, height), height > width
    room = width * (1 - 2 * _EDGE) if upright else width * 0.44
    title = fitted(
        data.title,
        (room, height * (0.22 if upright else 0.42)),
        largest=short * (0.17 if upright else 0.2),
        smallest=short * 0.05,
        weight=700,
    )
    title = replace(title, leading=_LEADING)
    line = fitted(
        data.line,
        (room, height * 0.12),
        largest=short * 0.046,
        smallest=short * 0.026,
        weight=500,
    )
    box = Box(*_place((width, height), room, right=right))
    # Nothing else need be painted than what is around the letters.
    foot = box.bottom - line.height - title.size - title.height
    left, top = (max(math.floor(at - title.size), 0) for at in (box.left, foot))
    brush = Brush(min(math.ceil(box.right + title.size), width) - left, height - top)
    brush.ctx.translate(-left, -top)
    _written(brush, (title, line), style, box)
    lay(picture, raster(brush), (left, top))


def _deep(colour: str) -> str:
    """The colour, dark enough for white letters."""
    return next(
        (each for share in _DARKER if luminance(each := darker(colour, share)) <= _DEEP),
        darker(colour, _DARKER[-1]),
    )


def _place(size: tuple[int, int], room: float, *, right: bool) -> tuple[float, float, float, float]:
    width, height = size
    edge = min(size) * _EDGE
    left = width - edge - room if right else edge
    return left, edge, left + room, height - edge


def _shaded(picture: NDArray[Any], shade: str, *, upright: bool, right: bool) -> NDArray[Any]:
    """A picture on whose foot, and on one side, lies a shade of a colour."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    top = height * (0.42 if upright else 0.5)
    down = (np.arange(height, dtype=np.float32) + 0.5 - top) / (height - top)
    left = 1 - np.interp(down, (0.0, 0.6, 1.0), (0.0, 0.55, 0.88))
    across = np.ones(width)
    if not upright:
        far = (np.arange(width) + 0.5) / (width * 0.64)
        across -= np.interp(far[::-1] if right else far, (0.0, 0.55, 1.0), (0.74, 0.42, 0.0))
    kept = np.rint(np.outer(left, across) * _ALL).astype(np.uint8)
    steps = (_ALL - np.arange(_ALL + 1)) / _ALL
    over = np.rint(steps[:, None] * rgb(shade)).astype(np.uint8)
    through = cv2.cvtColor(kept, cv2.COLOR_GRAY2RGB)
    below = cv2.multiply(picture, through, scale=1 / _ALL)
    return cv2.add(below, cv2.LUT(through, over[None]), dst=below)


def _written(brush: Brush, blocks: tuple[Block, Block], style: FilmStyle, box: Box) -> None:
    """From the foot upwards: the line, the title, a bar in the film's colour."""
    title, line = blocks
    unit = title.size
    accent = style.accent if luminance(style.accent) > _PALE else mix(style.accent, "#ffffff", 0.5)
    foot = box.bottom - (line.height + unit * 0.42 if line.width else 0.0)
    if line.width:
        write(brush, line, x=box.left, y=box.bottom - line.height, colour="#f3efe6")
    top = foot - title.height
    with brush.soft(unit * 0.08):
        write(brush, title, x=box.left, y=top + unit * 0.03, colour=clear("#05060d", 0.45))
    write(brush, title, x=box.left, y=top, colour="#ffffff")
    bar = min(box.width, unit * 1.1)
    brush.rect(box.left, top - unit * 0.34, bar, unit * 0.085, accent)
