"""Words in the picture of a film: captions, and where text stands."""

from __future__ import annotations

from callsheet_studio.model.base import Data
from callsheet_studio.model.shots import Shot


class CaptionLine(Data):
    """A caption, in frames of the film or of its shot."""

    start: int
    end: int
    lines: tuple[str, ...]
    foot: int | None = None
    """Where it ends in the frame, in pixels, if that is not the foot of the safe area."""
    over: tuple[Shot, ...] = ()
    """Of a take: the other shots that it is read over, as far as its place depends on them."""


class TextBox(Data):
    """Where words stand in the picture, in pixels."""

    where: str
    text: str
    left: float
    top: float
    right: float
    bottom: float
