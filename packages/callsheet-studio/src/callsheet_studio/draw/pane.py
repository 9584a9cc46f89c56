"""A part of a screen to draw on, and the colours of what is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, mix

if TYPE_CHECKING:
    import random

    from callsheet_studio.draw.brush import Brush

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


class Skin(msgspec.Struct, frozen=True):
    """The colours of an interface."""

    ground: str
    card: str
    ink: str
    faint: str
    accent: str
    second: str
    is_dark: bool = False

    @property
    def soft(self) -> str:
        """The accent as a ground for other things."""
        return mix(self.card, self.accent, 0.2)


class Pane(msgspec.Struct, frozen=True):
    """A part of a screen to draw on: `e` is a hundredth of the width of a phone."""

    brush: Brush
    skin: Skin
    e: float
    chance: random.Random

    def bar(self, x: float, y: float, wide: float, *, high: float = 2.2, colour: str = "") -> None:
        """A word or a line of text."""
        fill = colour or self.skin.faint
        self.brush.rect(x, y, wide, high * self.e, fill, radius=high * self.e / 2)

    def card(self, box: Box, colour: str = "", *, radius: float = 3.5) -> None:
        """A card that lifts off its ground a little."""
        x, y, wide, high = box
        e, ink = self.e, "#000000" if self.skin.is_dark else self.skin.ink
        self.brush.rect(x, y + 0.9 * e, wide, high, clear(ink, 0.1), radius=radius * e)
        self.brush.rect(x, y, wide, high, colour or self.skin.card, radius=radius * e)

    def tick(self, x: float, y: float, size: float, colour: str) -> None:
        """A check mark."""
        points = ((x - size, y), (x - size * 0.25, y + size * 0.7), (x + size, y - size * 0.7))
        self.brush.line(points, colour, size * 0.42)
