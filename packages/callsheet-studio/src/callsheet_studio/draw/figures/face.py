"""A face from the front, or turned half away: the same face, bent around the head.

From the crown at 0 to the chin at 1; the middle of the face is at 0 across.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.figures.features import paint_mouth, paint_nose
from callsheet_studio.draw.figures.gaze import PLAIN, paint_brow, paint_eye
from callsheet_studio.draw.figures.outlines import traced
from callsheet_studio.draw.figures.shape import outline, shape_of

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints


def paint_face(cut: Cut, who: Paints, mood: Mood, gaze: float, turn: float) -> None:
    """Everything between hair and collar."""
    face = shape_of(who, turn)
    with cut.bent(face.bend):
        for side in (-1,) if turn else (-1, 1):
            if not who.look.covered:
                _ear(cut, who, side)
        cut.part(outline(face), who.skin, core=0.0)
        if cut.frame.size < PLAIN * 0.6:
            return
        with cut.inside(outline(face)):
            _planes(cut, who)
        paint_nose(cut, who, face)
        paint_mouth(cut, who, face, mood)
        for side in (-1, 1):
            with cut.moved(0.162 * side, 0.505):
                paint_eye(cut, who, face, mood, side, gaze)
            paint_brow(cut, who, face, mood, side)


def _ear(cut: Cut, who: Paints, side: int) -> None:
    ear = traced("0.32,0.47 0.365,0.435 0.4,0.48 0.39,0.57 0.355,0.655 0.32,0.65")
    cut.part([(x * side, y) for x, y in ear], who.skin, core=0.04)
    inner = traced("0.345,0.49 0.375,0.5 0.365,0.575 0.345,0.61")
    cut.flat([(x * side, y) for x, y in inner], clear(who.skin.deep, 0.35))


def _planes(cut: Cut, who: Paints) -> None:
    """Cheeks, and the half of the face that the light does not reach."""
    dark = 1 if not cut.lit_right else -1
    light = who.light
    strength = 0.16 + 0.26 * light.hard + 0.22 * light.dark
    edge = traced(
        "0.5,-0.05 0.2,-0.02 0.235,0.2 0.22,0.38 0.24,0.5 0.248,0.61 0.215,0.74 0.15,0.88 "
        "0.07,1.05 0.5,1.05"
    )
    cut.flat([(x * dark, y) for x, y in edge], clear(who.skin.deep, strength), corners=(0, 9))
    split = 0.1 * light.hard + 0.8 * max(light.dark - 0.2, 0.0)
    cut.flat([(x * dark, y) for x, y in edge], clear(light.rim, split * 0.45), corners=(0, 9))
    cut.flat([(-x * dark, y) for x, y in edge], clear(light.key, split), corners=(0, 9))
    blush = mix(who.skin.base, "#d2504a", 0.5)
    for side in (-1, 1):
        cut.bloom(0.215 * side, 0.665, 0.13, blush, 0.3 * (1 - 0.7 * light.dark))
    gleam = -dark
    cut.bloom(0.2 * gleam, 0.6, 0.12, who.skin.lit, 0.5)
    cut.bloom(0.06 * gleam, 0.24, 0.2, who.skin.lit, 0.45)
    cut.bloom(0.0, 1.02, 0.12, who.skin.deep, 0.25)
    if who.look.has("freckles"):
        for x, y in (
            (0.12, 0.63),
            (0.17, 0.6),
            (0.2, 0.65),
            (0.15, 0.67),
            (0.24, 0.61),
            (0.06, 0.6),
        ):
            for side in (-1, 1):
                cut.oval(x * side, y + 0.008 * side, 0.0075, 0.0065, clear(who.skin.deep, 0.45))
    if who.look.age == "old":
        _lines(cut, who)


def _lines(cut: Cut, who: Paints) -> None:
    """What the years leave: from the nose to the mouth, under the eyes, on the forehead."""
    soft = clear(who.skin.deep, 0.5)
    for side in (-1, 1):
        cut.line([(0.085 * side, 0.68), (0.135 * side, 0.745), (0.145 * side, 0.81)], soft, 0.01)
        cut.line([(0.1 * side, 0.565), (0.16 * side, 0.582), (0.215 * side, 0.565)], soft, 0.008)
        cut.line([(0.26 * side, 0.485), (0.29 * side, 0.475)], soft, 0.007)
        cut.line([(0.262 * side, 0.505), (0.292 * side, 0.512)], soft, 0.007)
    cut.line([(-0.13, 0.285), (0.0, 0.272), (0.13, 0.285)], clear(who.skin.deep, 0.3), 0.008)
