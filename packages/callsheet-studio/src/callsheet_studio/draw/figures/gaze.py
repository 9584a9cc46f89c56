"""Eyes and brows, from the front or turned half away."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, darker, lighter, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.shape import Shape


_FINE = 150


PLAIN = 34


_CLOSE = 420
"""Pixels of a head from which irises are round, eyes have parts, and lashes are seen."""


IRISES = ("#4a3222", "#3a2a22", "#5b7f86", "#6b7a4a", "#4f6f9a")


def paint_eye(cut: Cut, who: Paints, face: Shape, mood: Mood, side: int, gaze: float) -> None:
    """One eye, in a frame of its own."""
    size, lids = face.eye, mood.lids
    wide, high = 0.078 * size, 0.05 * size * lids
    low = 0.025 * size * min(lids, 1.0) * (1 - 0.25 * max(mood.smile, 0))
    if cut.frame.size < PLAIN:
        cut.oval(0.0, 0.0, 0.045, 0.03 * lids, who.line)
        return
    white = [
        (-wide * side, 0.008),
        (-wide * 0.35 * side, -high * 0.86),
        (wide * 0.3 * side, -high),
        (wide * side, -0.008),
        (wide * 0.35 * side, low),
        (-wide * 0.4 * side, low * 0.86),
    ]
    ball = mix(who.white.base, who.skin.shade, 0.22)
    cut.flat(white, ball, corners=(0, 3))
    with cut.inside(white, corners=(0, 3)):
        _iris(cut, who, face, gaze)
        cut.flat(
            [
                (-0.1, -0.07),
                (0.1, -0.07),
                (0.1, -high * 0.42),
                (0, -high * 0.62),
                (-0.1, -high * 0.42),
            ],
            clear(who.line, 0.2),
        )
    thick = 0.019 if who.look.form == "woman" else 0.014
    flick = 0.022 if who.look.form == "woman" else 0.006
    lash = [
        (-wide * 1.02 * side, 0.01),
        (-wide * 0.36 * side, -high * 0.86 - thick * 0.4),
        (wide * 0.3 * side, -high - thick),
        ((wide + flick) * side, -0.016 - flick * 0.5),
        (wide * 0.94 * side, -0.004),
        (wide * 0.3 * side, -high + 0.004),
        (-wide * 0.36 * side, -high * 0.86 + 0.006),
    ]
    cut.flat(lash, who.line, corners=(0, 3))
    if cut.frame.size < PLAIN * 2:
        return
    fold = [
        (-wide * 0.7 * side, -high * 0.8 - 0.018),
        (wide * 0.2 * side, -high - 0.036),
        (wide * 0.95 * side, -high * 0.5 - 0.022),
    ]
    if cut.frame.size > _CLOSE:
        _lashes(cut, who, wide, high, side)
    cut.line(fold, clear(who.skin.deep, 0.36), 0.009)
    cut.line(
        [
            (-wide * 0.6 * side, low * 0.9 + 0.006),
            (wide * 0.3 * side, low + 0.006),
            (wide * side, 0.0),
        ],
        clear(who.skin.deep, 0.5),
        0.006,
    )


def _lashes(cut: Cut, who: Paints, wide: float, high: float, side: int) -> None:
    """One by one, where somebody is very close; and the wet edge of the lower lid."""
    long = 0.017 if who.look.form == "woman" else 0.009
    for number in range(7):
        share = 0.1 + 0.15 * number
        x = wide * (-0.35 + 1.3 * share)
        y = -high * (1.02 - 0.75 * max(share - 0.45, 0.0) ** 1.3)
        reach = long * (0.5 + 0.6 * share)
        tip = ((x + reach * (0.1 + 0.9 * share)) * side, y - reach)
        cut.line([(x * side, y + 0.004), tip], who.line, 0.0036)
    edge = [(-wide * 0.8 * side, 0.018), (0.0, 0.032), (wide * 0.85 * side, 0.01)]
    cut.line(edge, clear(lighter(who.skin.lit, 0.3), 0.6), 0.004)


def _iris(cut: Cut, who: Paints, face: Shape, gaze: float) -> None:
    size = 0.05 * face.eye
    x, y = gaze * 0.034, -0.012
    eyes = IRISES[int(who.look.traits[6] * len(IRISES))]
    if who.look.skin in {"#9a6544", "#7a4c33", "#5b3827", "#bd8058"}:
        eyes = IRISES[int(who.look.traits[6] * 2)]
    iris = who.tone(eyes)
    cut.oval(x, y, size, size, mix(iris.shade, who.line, 0.22))
    if cut.frame.size > _FINE:
        cut.bloom(x, y + size * 0.5, size * 0.8, lighter(iris.lit, 0.1), 0.7)
    if cut.frame.size > _CLOSE:
        for step in range(14):
            angle = math.tau * step / 14
            ray = [
                (x + size * r * math.cos(angle), y + size * r * math.sin(angle))
                for r in (0.5, 0.76)
            ]
            cut.line(ray, clear(lighter(iris.lit, 0.2), 0.35), 0.004)
    cut.oval(x, y, size * 0.5, size * 0.5, darker(who.line, 0.5))
    gleam = 1 if cut.lit_right else -1
    cut.oval(
        x + size * 0.36 * gleam, y - size * 0.36, size * 0.2, size * 0.2, clear("#ffffff", 0.9)
    )


def paint_brow(cut: Cut, who: Paints, face: Shape, mood: Mood, side: int) -> None:
    """One brow."""
    thick = 0.015 * face.brow
    inner = 0.396 - 0.034 * mood.inner
    outer = 0.412 - 0.028 * mood.outer
    arch = 0.376 - 0.02 * (mood.inner + mood.outer) / 2 - 0.01 * max(mood.outer, 0)
    brow = [
        (0.066 * side, inner - thick * 0.7),
        (0.15 * side, arch - thick * 0.6),
        (0.25 * side, outer + 0.004),
        (0.16 * side, arch + thick * 0.85),
        (0.07 * side, inner + thick * 0.9),
    ]
    colour = mix(who.hair.shade, who.line, 0.22) if who.look.age != "old" else who.hair.shade
    cut.flat(brow, clear(colour, 0.95), corners=(2,))
