"""Nose and mouth, from the front or turned half away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, darker, lighter, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.shape import Shape


_FINE = 60
"""Pixels of a head from which the wing of a nose is seen."""


def paint_nose(cut: Cut, who: Paints, face: Shape) -> None:
    """One shaded side, the shadow below, a gleam on the tip; of a child only a button."""
    if face.young:
        _button(cut, who, face)
        return
    dark = 1 if not cut.lit_right else -1
    if face.turn:
        dark = 1
    wide, tip = 0.062 * face.nose, 0.7 + 0.012 * face.nose
    shade = clear(who.skin.deep, 0.3 + 0.2 * who.light.hard)
    lean = 0.045 * face.turn
    if face.turn:
        plane = [
            (0.06, 0.43),
            (0.044, 0.5),
            (0.052 + lean * 0.6, 0.6),
            (0.034 + lean, tip - 0.035),
            (0.03 + lean, tip - 0.004),
            (0.06 + lean, tip - 0.006),
            (0.078 + lean, tip - 0.03),
            (0.07 + lean * 0.7, 0.6),
            (0.066, 0.5),
        ]
        cut.flat(plane, shade)
    else:
        plane = [
            (0.062 * dark, 0.43),
            (0.03 * dark, 0.5),
            (0.022 * dark, 0.62),
            (0.03 * dark, tip - 0.015),
            (wide * dark, tip - 0.012),
            (wide * 0.95 * dark, tip - 0.06),
            (0.045 * dark, 0.56),
        ]
        cut.flat(plane, shade)
    under = [
        (-wide * 0.86 + lean * 0.5, tip - 0.012),
        (-0.02 + lean, tip + 0.004),
        (0.012 + lean, tip + 0.008),
        (wide * 0.86 + lean * 1.1, tip - 0.012),
        (wide * 0.45 + lean, tip + 0.018),
        (lean, tip + 0.024),
        (-wide * 0.45 + lean, tip + 0.016),
    ]
    cut.flat(under, clear(who.skin.deep, 0.55))
    if face.turn and cut.frame.size > _FINE:
        wing = [(-wide + lean * 0.3, tip - 0.05), (-wide * 1.08 + lean * 0.3, tip - 0.028),
                (-wide * 0.8 + lean * 0.4, tip - 0.006)]  # fmt: skip
        cut.line(wing, clear(who.skin.deep, 0.34), 0.009)
    cut.bloom(-0.012 * dark + lean, tip - 0.045, 0.05, who.skin.lit, 0.36)


def _button(cut: Cut, who: Paints, face: Shape) -> None:
    x = 0.04 * face.turn
    cut.bloom(x, 0.66, 0.07, who.skin.lit, 0.5)
    cut.bloom(x + 0.05 * (1 if not cut.lit_right else -1), 0.66, 0.05, who.skin.deep, 0.3)
    under = [(x - 0.044, 0.684), (x - 0.016, 0.7), (x + 0.016, 0.7), (x + 0.044, 0.684)]
    cut.line(under, clear(who.skin.deep, 0.6), 0.014)


def paint_mouth(cut: Cut, who: Paints, face: Shape, mood: Mood) -> None:
    """Lips, open or closed."""
    wide = 0.098 + 0.032 * max(mood.smile, 0) - 0.03 * mood.open * (mood.smile <= 0)
    lift = -0.03 * mood.smile
    y, gape = 0.812, 0.07 * mood.open
    full = 0.033 * face.lips * (1 - 0.3 * max(mood.smile, 0))
    corner = y + lift
    if gape:
        inner = [
            (-wide * 0.9, corner),
            (0.0, y - 0.006),
            (wide * 0.9, corner),
            (wide * 0.5, y + gape * 0.72),
            (0.0, y + gape),
            (-wide * 0.5, y + gape * 0.72),
        ]
        cut.flat(inner, mix(darker(who.lips.deep, 0.5), "#3a0f16", 0.4), corners=(0, 2))
        if mood.smile > 0:
            teeth = [(-wide * 0.84, corner + 0.003), (0, y - 0.003), (wide * 0.84, corner + 0.003)]
            low = [
                (wide * 0.42, y + gape * 0.5),
                (0.0, y + gape * 0.72),
                (-wide * 0.42, y + gape * 0.5),
            ]
            cut.flat([*teeth, *low], mix(who.white.base, who.skin.shade, 0.1), corners=(0, 2))
    upper = [
        (-wide, corner),
        (-0.035, y - full * 0.78),
        (0.0, y - full * 0.5),
        (0.035, y - full * 0.78),
        (wide, corner),
        (0.035, y + 0.003),
        (0.0, y + 0.004),
        (-0.035, y + 0.003),
    ]
    lower = [
        (-wide * 0.9, corner + 0.004),
        (-wide * 0.45, y + 0.002 + gape * 0.74),
        (wide * 0.45, y + 0.002 + gape * 0.74),
        (wide * 0.9, corner + 0.004),
        (wide * 0.46, y + full * 1.2 + gape * 0.9),
        (0.0, y + full * 1.42 + gape),
        (-wide * 0.46, y + full * 1.2 + gape * 0.9),
    ]
    cut.flat(lower, who.lips.base, corners=(0, 3))
    cut.flat(upper, mix(who.lips.base, who.lips.deep, 0.45), corners=(0, 4))
    if not gape:
        seam = [(-wide, corner), (-0.03, y + 0.003), (0.03, y + 0.003), (wide, corner)]
        cut.line(seam, clear(mix(who.lips.deep, who.skin.deep, 0.4), 0.9), 0.009)
    cut.bloom(0.0, y + full + gape, 0.03, lighter(who.lips.lit, 0.3), 0.4)
    cut.flat(
        [
            (-0.05, y + full * 1.9 + gape),
            (0, y + full * 1.75 + gape),
            (0.05, y + full * 1.9 + gape),
            (0, y + full * 2.5 + gape),
        ],
        clear(who.skin.deep, 0.28),
    )
