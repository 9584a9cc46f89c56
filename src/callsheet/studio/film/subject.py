"""What is looked at in a shot: words keep clear of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.studio.draw.place import framing_of, place_of
from callsheet.studio.draw.sets import painting
from callsheet.studio.film.lettering import Box

if TYPE_CHECKING:
    from callsheet.studio.model.shots import Shot

_WIDE, _HIGH = 0.32, 0.5
"""Of the frame: how much a thing takes."""
_CHEEK, _HAIR, _CHIN = 0.6, 0.08, 1.08
"""Heads from the middle of a face to its side, above the crown, and down to the chin."""
_BESIDE = 2.4
"""Heads between two people."""


def looked_at(shot: Shot, size: tuple[int, int]) -> Box:
    """A face, the faces of two, or where the thing is that a shot is about."""
    framing = framing_of(shot, size)
    width, height = size
    if not shot.figures:
        x, y = framing.thirds[0] * width, framing.thirds[1] * height
        aside, over = _WIDE * width / 2, _HIGH * height / 2
        return Box(x - aside, y - over, x + aside, y + over)
    place = place_of(framing, painting(shot.set.place))
    aside = _CHEEK * place.head
    more = _BESIDE * place.head if len(shot.figures) > 1 else 0.0
    return Box(
        place.x - aside - more,
        place.crown - _HAIR * place.head,
        place.x + aside + more,
        place.crown + _CHIN * place.head,
    )
