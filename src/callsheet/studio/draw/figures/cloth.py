"""What tops have in common: where they are open, how loose they fall, how a chest shows in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.studio.draw.colour import clear, mix
from callsheet.studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet.studio.draw.figures import torso
    from callsheet.studio.draw.figures.cut import Cut
    from callsheet.studio.draw.figures.paints import Paints
    from callsheet.studio.draw.figures.tones import Tone


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
    }.get(who.look.top, 0.02)


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
