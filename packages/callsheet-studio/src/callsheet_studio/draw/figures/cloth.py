"""What tops have in common: where they are open, how loose they fall, how a chest shows in them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, luminance, mix
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures import torso
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone


_WOVEN = frozenset({"shirt", "jumper", "tshirt"})
_PALE = 0.16
OPEN = {
    "jacket": -1.2,
    "denim": -1.45,
    "suit": -0.95,
    "cardigan": -0.9,
    "parka": -1.75,
    "coat": -1.25,
    "lab_coat": -1.15,
}
"""How far down a top that is worn open at the neck is open."""


def loose_of(who: Paints) -> float:
    """How far a top stands off the body."""
    return {
        "hoodie": 0.05,
        "parka": 0.08,
        "coat": 0.05,
        "lab_coat": 0.05,
        "jumper": 0.04,
        "cardigan": 0.03,
        "blanket": 0.1,
    }.get(who.look.top, 0.02)


_FINE = 34
"""Pixels of a head from which a pattern is seen."""


def paint_pattern(cut: Cut, who: Paints) -> None:
    """Stripes or checks on a chest, where a top has them."""
    pattern = who.look.pattern if who.look.top in _WOVEN else ""
    if not pattern or cut.frame.size < _FINE:
        return
    band = clear(_woven(who), 0.5 if pattern == "stripes" else 0.34)
    step = 0.17 if pattern == "stripes" else 0.26
    for row in range(int(2.7 / step)):
        y = -2.3 + row * step
        cut.line([(-1.1, y - 0.03), (0.0, y + 0.02), (1.1, y - 0.03)], band, step * 0.4)
    if pattern == "checks":
        for column in range(-4, 5):
            x = column * step
            cut.line([(x, -2.5), (x * 0.94, -1.0), (x, 0.6)], band, step * 0.4)


def pattern_on_sleeve(cut: Cut, who: Paints, joints: Sequence[Point]) -> None:
    """The same along an arm."""
    pattern = who.look.pattern if who.look.top in _WOVEN else ""
    if not pattern or cut.frame.size < _FINE:
        return
    band = clear(_woven(who), 0.5 if pattern == "stripes" else 0.34)
    step = 0.17 if pattern == "stripes" else 0.26
    for (ax, ay), (bx, by) in pairwise(joints):
        long = math.hypot(bx - ax, by - ay) or 1.0
        ux, uy = (bx - ax) / long, (by - ay) / long
        for number in range(1, int(long / step) + 1):
            x, y = ax + ux * step * number, ay + uy * step * number
            cut.line([(x - uy * 0.3, y + ux * 0.3), (x + uy * 0.3, y - ux * 0.3)], band, step * 0.4)
    if pattern == "checks":
        cut.line(joints, band, step * 0.4)


def _woven(who: Paints) -> str:
    """The second colour of a pattern: light on dark cloth, dark on light."""
    cloth = who.cloth
    return cloth.deep if luminance(cloth.base) > _PALE else mix(cloth.lit, who.white.base, 0.6)


def paint_volume(cut: Cut, tone: Tone, body: torso.Measures) -> None:
    """The shadow of the chest, and folds at the waist."""
    dark = 1 if not cut.lit_right else -1
    chest = [
        (body.shoulder * 1.1, -2.3),
        (body.shoulder * 0.62, -2.1),
        (body.chest * 0.66, -1.62),
        (body.waist * 0.52, -1.1),
        (body.waist * 0.6, -0.6),
        (body.hip * 0.5, 0.2),
        (body.hip * 0.6, 1.9),
        (1.4, 1.9),
    ]
    cut.flat(
        [(x * dark, y) for x, y in chest], clear(tone.deep, tone.core * 0.55), corners=(0, 6, 7)
    )
    fold = clear(tone.deep, 0.4)
    cut.line([(0.5 * dark, -0.72), (0.3 * dark, -0.66), (0.12 * dark, -0.7)], fold, 0.022)
    cut.line([(-0.52 * dark, -0.8), (-0.34 * dark, -0.7)], fold, 0.02)
    cut.line([(0.6 * dark, -1.52), (0.46 * dark, -1.36), (0.42 * dark, -1.2)], fold, 0.022)
    cut.line([(-0.58 * dark, -1.54), (-0.46 * dark, -1.4)], fold, 0.02)


def paint_collar(cut: Cut, tone: Tone, size: float = 1.0) -> None:
    """The two flaps of a shirt's collar."""
    flap = [(0.1, -2.44), (0.21, -2.4), (0.29 * size, -2.2), (0.17, -2.07), (0.0, -2.23)]
    for side in (-1, 1):
        shape = [(x * side, y) for x, y in flap]
        cut.flat(
            [(x + 0.01, y + 0.035) for x, y in shape],
            clear(tone.deep, 0.5),
            corners=(0, 1, 2, 3, 4),
        )
        cut.part(shape, tone, corners=(0, 1, 2, 3, 4), core=0.02, rim=False)


ROUND = traced("-0.17,-2.35 -0.12,-2.23 0,-2.15 0.12,-2.23 0.17,-2.35")
"""A round neckline."""


def paint_round(cut: Cut, tone: Tone) -> None:
    """The edge of a round neckline."""
    cut.line(ROUND, mix(tone.base, tone.deep, 0.35), 0.045)
