"""A head from the side, turned to the right, and from behind.

From the crown at 0 to the chin at 1; the ear is at 0 across.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, darker, mix
from callsheet_studio.draw.figures.gaze import IRISES
from callsheet_studio.draw.figures.outlines import traced
from callsheet_studio.draw.figures.sidehair import paint_hair

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints


_SMALL = 34


_FINE = 60


def _contour(who: Paints, mood: Mood) -> list[Point]:
    """From the hairline down the face to the jaw."""
    jaw, chin, _, _, nose, lips, *_ = who.look.traits
    man, child = who.look.form == "man", who.look.age == "child"
    tip = 0.4 + 0.022 * nose + 0.018 * man - 0.03 * child
    full = 0.004 + 0.012 * lips - 0.006 * man
    out = 0.012 * chin + 0.014 * man - 0.02 * child
    gape = 0.028 * mood.open
    return [
        (0.22, 0.1),
        (0.312, 0.235),
        (0.335 + 0.01 * man, 0.375),
        (0.318, 0.445),
        (0.326, 0.49),
        (0.358 + 0.012 * nose, 0.585),
        (tip - 0.008, 0.642),
        (tip, 0.672),
        (tip - 0.014, 0.7),
        (0.366, 0.713),
        (0.35, 0.742),
        (0.372 + full, 0.778),
        (0.338, 0.802 - gape * 0.3),
        (0.36 + full - gape * 0.5, 0.828 + gape),
        (0.333, 0.866 + gape),
        (0.345 + out, 0.915 + gape * 0.8),
        (0.325 + out, 0.975 + gape * 0.5),
        (0.25, 1.0 + gape * 0.4),
        (0.1 + 0.02 * jaw, 0.945),
        (-0.055 - 0.02 * jaw, 0.845),
        (-0.1, 0.7),
    ]


def paint_profile(cut: Cut, who: Paints, mood: Mood) -> None:
    """The head from the side."""
    contour = _contour(who, mood)
    nape = traced("-0.32,0.6 0,0.6 0.12,0.92 0.1,1.06 -0.14,1.1 -0.25,0.8")
    cut.flat(nape, mix(who.skin.base, who.skin.deep, 0.55))
    skull = [*contour, *traced("-0.16,0.78 -0.36,0.7 -0.45,0.4 -0.4,0.16 -0.2,0.01 0.03,-0.01")]
    cut.part(skull, who.skin, corners=(12,), core=0.0)
    with cut.inside(skull, corners=(12,)):
        _planes(cut, who)
    if cut.frame.size >= _SMALL * 0.6:
        _features(cut, who, mood)
    _ear(cut, who)
    paint_hair(cut, who)


def _planes(cut: Cut, who: Paints) -> None:
    light = who.light
    strength = 0.16 + 0.24 * light.hard + 0.2 * light.dark
    if cut.lit_right:
        cheek = traced("-0.2,0.3 0.07,0.4 0.085,0.56 0.12,0.7 0.165,0.86 0.25,1.05 -0.3,1.05")
    else:
        cheek = traced(
            "0.6,0.1 0.26,0.2 0.27,0.4 0.25,0.5 0.31,0.6 0.3,0.7 0.24,0.8 0.27,0.9 0.2,1.05 0.6,1.1"
        )
    cut.flat(cheek, clear(who.skin.deep, strength), corners=(0, len(cheek) - 1))
    split = 0.1 * light.hard + 0.3 * max(light.dark - 0.2, 0.0)
    cut.flat(cheek, clear(light.rim, split * 0.5), corners=(0, len(cheek) - 1))
    blush = 0.3 * (1 - 0.8 * light.dark)
    cut.bloom(0.19, 0.665, 0.12, mix(who.skin.base, "#d2504a", 0.5), blush)
    cut.bloom(0.27, 0.25, 0.14, who.skin.lit, 0.5 if cut.lit_right else 0.2)
    if who.look.age == "old":
        soft = clear(who.skin.deep, 0.5)
        cut.line([(0.33, 0.69), (0.285, 0.755), (0.29, 0.82)], soft, 0.01)
        cut.line([(0.14, 0.5), (0.105, 0.485)], soft, 0.008)
        cut.line([(0.14, 0.515), (0.105, 0.53)], soft, 0.008)
    if who.look.has("freckles"):
        for x, y in ((0.2, 0.6), (0.25, 0.62), (0.22, 0.65), (0.28, 0.65), (0.17, 0.64)):
            cut.oval(x, y, 0.0075, 0.0065, clear(who.skin.deep, 0.45))


def _features(cut: Cut, who: Paints, mood: Mood) -> None:
    lids = mood.lids
    high, low = 0.042 * lids, 0.022 * min(lids, 1.0)
    eye = [
        (0.165, 0.508),
        (0.21, 0.5 - high * 0.95),
        (0.258, 0.5 - high),
        (0.272, 0.5),
        (0.255, 0.5 + low),
        (0.2, 0.5 + low),
    ]
    cut.flat(eye, mix(who.white.base, who.skin.shade, 0.2), corners=(0,))
    with cut.inside(eye, corners=(0,)):
        iris = who.tone(IRISES[int(who.look.traits[6] * 2)])
        cut.oval(0.253, 0.493, 0.024, 0.04, mix(iris.base, who.line, 0.35))
        cut.oval(0.26, 0.493, 0.012, 0.021, darker(who.line, 0.5))
        cut.oval(0.25, 0.478, 0.008, 0.011, clear("#ffffff", 0.9))
    flick = 0.028 if who.look.form == "woman" else 0.008
    lash = [
        (0.16 - flick * 0.3, 0.512),
        (0.205, 0.488 - high * 0.8),
        (0.255, 0.489 - high),
        (0.28 + flick * 0.4, 0.489 - high * 0.6),
        (0.258, 0.5 - high),
        (0.21, 0.503 - high * 0.9),
    ]
    cut.flat(lash, who.line, corners=(0, 3))
    cut.line(
        [(0.18, 0.468 - high * 0.6), (0.24, 0.455 - high * 0.8), (0.275, 0.463 - high * 0.5)],
        clear(who.skin.deep, 0.5),
        0.009,
    )
    inner, outer = 0.392 - 0.03 * mood.inner, 0.4 - 0.026 * mood.outer
    thick = 0.016 if who.look.form == "woman" else 0.026
    brow = [
        (0.322, inner),
        (0.25, 0.364 - 0.016 * (mood.inner + mood.outer)),
        (0.135, outer + 0.005),
        (0.25, 0.376 + thick - 0.016 * (mood.inner + mood.outer)),
        (0.32, inner + thick),
    ]
    cut.flat(
        brow,
        mix(who.hair.shade, who.line, 0.4) if who.look.age != "old" else who.hair.shade,
        corners=(2,),
    )
    cut.flat(traced("0.335,0.7 0.365,0.69 0.385,0.704 0.36,0.712"), clear(who.skin.deep, 0.75))
    cut.line([(0.345, 0.65), (0.322, 0.675), (0.332, 0.7)], clear(who.skin.deep, 0.4), 0.01)
    _lips(cut, who, mood)


def _lips(cut: Cut, who: Paints, mood: Mood) -> None:
    full = 0.004 + 0.012 * who.look.traits[5] - 0.006 * (who.look.form == "man")
    gape = 0.028 * mood.open
    corner = (0.272 - 0.02 * max(mood.smile, 0), 0.808 - 0.026 * mood.smile)
    seam = (0.338, 0.802 - gape * 0.3)
    upper = [
        (0.357, 0.752),
        (0.372 + full, 0.778),
        (0.364 + full * 0.5, 0.795),
        seam,
        corner,
        (0.32, 0.775),
    ]
    cut.flat(upper, mix(who.lips.base, who.lips.deep, 0.4), corners=(3, 4))
    lower = [
        seam,
        (0.355 + full, 0.81 + gape * 0.8),
        (0.36 + full - gape * 0.5, 0.83 + gape),
        (0.338, 0.856 + gape),
        (0.3, 0.835 + gape * 0.6),
        corner,
    ]
    cut.flat(lower, who.lips.base, corners=(0, 5))
    if gape:
        cut.flat(
            [seam, (0.352, 0.812 + gape * 0.7), (0.3, 0.82 + gape * 0.4), corner],
            darker(who.lips.deep, 0.5),
            corners=(0, 3),
        )
    cut.line(
        [seam, (0.305, 0.802 + 0.004 * mood.smile), corner],
        clear(mix(who.lips.deep, who.skin.deep, 0.4), 0.9),
        0.009,
    )


def _ear(cut: Cut, who: Paints) -> None:
    if who.look.covered:
        return
    cut.part(
        traced(
            "0,0.5 -0.03,0.445 -0.1,0.44 -0.125,0.51 -0.085,0.6 -0.05,0.665 -0.015,0.655 0,0.58"
        ),
        who.skin,
        core=0.03,
        rim=False,
    )
    cut.flat(
        traced("-0.02,0.5 -0.06,0.47 -0.095,0.5 -0.065,0.57 -0.045,0.61 -0.035,0.56"),
        clear(who.skin.deep, 0.45),
    )
