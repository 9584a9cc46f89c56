"""The measures of a face, and how a front becomes a face turned half away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.paints import Paints


_TURNS = {"three_quarter": 0.62}
"""How far a face is turned away in a view."""
_HALF = 0.44
"""Where a head that is turned ends on either side."""


class Shape(msgspec.Struct, frozen=True):
    """The measures of one face."""

    jaw: float
    chin: float
    eye: float
    brow: float
    nose: float
    lips: float
    turn: float
    """0: to the camera; 1: half away."""
    young: float = 0.0
    """1: a child, whose forehead is high and whose cheeks are round."""

    def bend(self, x: float, y: float) -> Point:
        """Where a point of the front is on the turned head."""
        if self.young:
            x, y = self._rounder(x, y)
        if not self.turn:
            return x, y
        near = min(max((y + 0.12) / 0.42, 0.0), 1.0)
        push = 0.11 * self.turn * max(1 - (x / _HALF) ** 2, 0.0) * near
        # The back of the skull comes into sight behind the ear.
        back = 0.16 * self.turn * max(-x / _HALF - 0.45, 0.0) * max(1 - abs(y - 0.25) / 0.5, 0.0)
        # The far temple turns away.
        temple = max(1 - abs(y - 0.48) / 0.26, 0.0)
        away = 0.3 * self.turn * max(x / _HALF - 0.68, 0.0) * temple
        return x * (1 - 0.03 * self.turn) + push - back - away, y

    def _rounder(self, x: float, y: float) -> Point:
        cheeks = max(1 - abs(y - 0.68) / 0.3, 0.0)
        lower = max(1 - abs(y - 0.5) / 0.46, 0.0)
        return x * (1 + 0.1 * cheeks * self.young), y + 0.055 * lower * self.young


def shape_of(who: Paints, turn: float) -> Shape:
    """The face that belongs to a look."""
    look, (jaw, chin, eye, brow, nose, lips, *_) = who.look, who.look.traits
    man = look.form == "man"
    child = look.age == "child"
    return Shape(
        jaw=0.272 if child else (0.282 if man else 0.252) + 0.035 * jaw,
        chin=0.07 if child else (0.095 if man else 0.06) + 0.035 * chin,
        eye=(0.93 if man else 1.05) + 0.1 * eye + 0.24 * child,
        brow=(1.35 if man else 0.85) + 0.35 * brow - 0.42 * child,
        nose=(1.05 if man else 0.92) + 0.2 * nose - 0.18 * child,
        lips=(0.78 if man else 1.0) + 0.3 * lips - 0.15 * child,
        turn=turn,
        young=float(child),
    )


def turn_of(view: str) -> float:
    """How far a face is turned away from the camera: 1 is half away."""
    return _TURNS.get(view, 0.0)


def outline(face: Shape) -> list[Point]:
    """The skin of the face, from the crown round."""
    half = [
        (0.16, 0.04),
        (0.295, 0.17),
        (0.345, 0.4),
        (0.332, 0.58),
        (face.jaw, 0.77),
        (face.chin + 0.09, 0.925),
        (face.chin * 0.62, 0.993),
    ]
    left = [(-x, y) for x, y in reversed(half)]
    if face.turn:
        # The far side shows the brow, the eye socket, the cheekbone.
        half[2:5] = [(0.325, 0.37), (0.302, 0.47), (0.318, 0.59), (face.jaw - 0.035, 0.79)]
    return [(0.0, 0.015), *half, (0.0, 1.0), *left]
