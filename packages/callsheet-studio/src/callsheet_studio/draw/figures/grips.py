"""Hands around what they hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.figures.fingers import paint_cuff, paint_finger, paint_thumb
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


def paint_phone(cut: Cut, who: Paints, accent: str) -> None:
    """A phone in one hand, its thumb on the glass."""
    paint_cuff(cut, who, ((0.07, 0.92), (0.49, 0.84)), ((0.78, 1.75), (0.2, 1.85)))
    palm = traced(
        "0.1,0.98 0.08,0.72 -0.08,0.45 -0.2,0.1 0.1,-0.1 0.27,0.02 0.43,0.24 0.5,0.5 0.46,0.9"
    )
    cut.part(palm, who.skin, corners=(0, 8), core=0.06)
    for y in (-0.16, -0.02, 0.12, 0.25):
        cut.part(
            [
                (-0.2, y - 0.055),
                (-0.305, y - 0.045),
                (-0.325, y + 0.01),
                (-0.3, y + 0.06),
                (-0.2, y + 0.06),
            ],
            who.skin,
            core=0.02,
        )
    _slab(cut, who, (-0.255, -0.5, 0.51, 1.0), 0.065, accent)
    for number, y in enumerate((-0.15, -0.01, 0.13, 0.255)):
        reach = (0.1, 0.085, 0.08, 0.1)[number]
        paint_finger(
            cut,
            who,
            [(-0.3, y), (-0.275, y), (-0.32 + reach, y + 0.005)],
            0.052 - 0.0015 * number,
        )
    paint_thumb(cut, who)


def _slab(
    cut: Cut, who: Paints, box: tuple[float, float, float, float], round_: float, accent: str
) -> None:
    """A phone: dark glass with a bright screen."""
    x, y, w, h = box
    ink = mix(who.light.ink, "#10131a", 0.5)
    cut.flat(_rounded(x, y, w, h, round_), ink, corners=_STRAIGHT, rim=True)
    glow = mix("#eef6fb", who.light.glow, 0.12)
    m = w * 0.05
    inner = _rounded(x + m, y + m * 1.3, w - 2 * m, h - 2.6 * m, round_ * 0.7)
    cut.fade(
        inner,
        [(0.0, glow), (1.0, mix(glow, accent, 0.28))],
        ((x, y), (x + w, y + h)),
        corners=_STRAIGHT,
    )
    cut.flat(
        _rounded(x + w * 0.36, y + m * 1.8, w * 0.28, m * 1.1, m * 0.5), ink, corners=_STRAIGHT
    )


_STRAIGHT = (0, 3, 4, 7, 8, 11, 12, 15)
"""Where the straight edges of a rounded rectangle begin and end."""


def _rounded(x: float, y: float, w: float, h: float, r: float) -> list[Point]:
    """A rectangle whose corners are round."""
    found = []
    for cx, cy, start in (
        (x + w - r, y + r, -90),
        (x + w - r, y + h - r, 0),
        (x + r, y + h - r, 90),
        (x + r, y + r, 180),
    ):
        for step in (0, 30, 60, 90):
            angle = math.radians(start + step)
            found.append((cx + r * math.cos(angle), cy + r * math.sin(angle)))
    return found


def paint_laptop(cut: Cut, who: Paints, accent: str) -> None:
    """Both hands on the keys, seen from above the shoulders."""
    metal, ink = who.tone("#aab2ba"), mix(who.light.ink, "#10131a", 0.4)
    cut.part(
        traced("-0.8,-0.96 0.8,-0.96 0.82,-0.04 -0.82,-0.04"), metal, corners=(0, 1, 2, 3), core=0.0
    )
    cut.flat(traced("-0.77,-0.94 0.77,-0.94 0.785,-0.06 -0.785,-0.06"), ink, corners=(0, 1, 2, 3))
    glow = mix("#eef6fb", who.light.glow, 0.12)
    face = traced("-0.72,-0.9 0.72,-0.9 0.72,-0.1 -0.72,-0.1")
    cut.fade(
        face,
        [(0.0, glow), (1.0, mix(glow, accent, 0.3))],
        ((-0.7, -0.9), (0.7, -0.1)),
        corners=(0, 1, 2, 3),
    )
    cut.part(
        traced("-0.82,-0.04 0.82,-0.04 1.02,0.62 -1.02,0.62"), metal, corners=(0, 1, 2, 3), core=0.0
    )
    cut.flat(traced("-1.02,0.62 1.02,0.62 1.01,0.67 -1.01,0.67"), metal.deep, corners=(0, 1, 2, 3))
    for row in range(5):
        y, wide = 0.05 + 0.075 * row, 0.76 + 0.022 * row
        for key in range(13):
            x = -wide + 2 * wide * key / 13
            w = 2 * wide / 13 * 0.84
            cut.flat(
                [(x, y), (x + w, y), (x + w * 1.01, y + 0.056), (x, y + 0.056)],
                clear(ink, 0.86),
                corners=(0, 1, 2, 3),
            )
    cut.flat(
        traced("-0.24,0.46 0.24,0.46 0.25,0.59 -0.25,0.59"),
        clear(metal.deep, 0.3),
        corners=(0, 1, 2, 3),
    )
    for side in (-1, 1):
        _typing(cut, who, side)


def _typing(cut: Cut, who: Paints, side: int) -> None:
    """The back of a hand on the keys."""

    def at(x: float, y: float) -> Point:
        return (0.42 + x) * side, 0.62 + y

    paint_cuff(cut, who, (at(-0.1, 0.24), at(0.16, 0.22)), (at(0.46, 1.0), at(0.06, 1.06)))
    shadow = [at(-0.24, -0.3), at(0.0, -0.5), at(0.22, -0.3), at(0.2, 0.1), at(-0.1, 0.1)]
    cut.flat(shadow, clear(who.light.ink, 0.3))
    thumb = [at(-0.1, -0.02), at(-0.19, -0.16), at(-0.23, -0.26)]
    paint_finger(cut, who, thumb, 0.046)
    for base, middle, tip in (
        ((0.14, -0.18), (0.19, -0.3), (0.2, -0.38)),
        ((0.065, -0.24), (0.09, -0.38), (0.09, -0.47)),
        ((-0.02, -0.25), (-0.025, -0.4), (-0.03, -0.5)),
        ((-0.095, -0.22), (-0.13, -0.35), (-0.15, -0.44)),
    ):
        paint_finger(cut, who, [at(*base), at(*middle), at(*tip)], 0.045)
    palm = [
        at(-0.1, 0.28),
        at(-0.13, 0.06),
        at(-0.14, -0.16),
        at(-0.08, -0.28),
        at(0.04, -0.29),
        at(0.16, -0.22),
        at(0.18, -0.04),
        at(0.15, 0.26),
    ]
    cut.part(palm, who.skin, corners=(0, 7), core=0.045)
    for x, y in ((-0.09, -0.22), (-0.015, -0.25), (0.06, -0.24), (0.13, -0.19)):
        cut.line([at(x - 0.02, y + 0.015), at(x + 0.02, y + 0.01)], clear(who.skin.deep, 0.4), 0.01)


def paint_tool(cut: Cut, who: Paints, accent: str) -> None:
    """A fist around the handle of a screwdriver."""
    steel, handle = who.tone("#b3bcc4"), who.tone(accent)
    with cut.moved(0.0, 0.0, turn=0.2):
        cut.part(
            traced("-0.035,0.4 0.035,0.4 0.032,0.98 0.05,1.08 0,1.13 -0.05,1.08 -0.032,0.98"),
            steel,
            corners=(0, 1),
            core=0.02,
        )
        cut.part(
            traced(
                "-0.1,-0.5 0,-0.55 0.1,-0.5 0.125,-0.2 0.1,0.2 0.11,0.36 0.06,0.44 -0.06,0.44 "
                "-0.11,0.36 -0.1,0.2 -0.125,-0.2"
            ),
            handle,
            core=0.05,
        )
        for x in (-0.04, 0.04):
            cut.line([(x, -0.46), (x * 1.2, 0.34)], clear(handle.deep, 0.45), 0.018)
    paint_cuff(cut, who, ((0.62, -0.26), (0.68, 0.24)), ((1.8, 0.62), (1.8, -0.1)))
    palm = traced("0.66,-0.24 0.42,-0.32 0.14,-0.34 0.04,-0.2 0.06,0.2 0.2,0.34 0.46,0.3 0.7,0.22")
    cut.part(palm, who.skin, corners=(0, 7), core=0.06)
    for number, y in enumerate((0.26, 0.12, -0.03, -0.17)):
        tip = (-0.14 + 0.02 * number, y + 0.03)
        paint_finger(
            cut,
            who,
            [(0.24, y - 0.015), (0.0, y - 0.005), tip],
            0.078 - 0.007 * (number == 0),
            nail=False,
        )
        cut.line([(0.1, y + 0.068), (0.22, y + 0.058)], clear(who.skin.deep, 0.35), 0.012)
    thumb = traced(
        "0.38,-0.3 0.22,-0.37 0.04,-0.34 -0.1,-0.26 -0.13,-0.2 -0.08,-0.17 0.06,-0.22 "
        "0.2,-0.24 0.36,-0.2"
    )
    cut.part(thumb, who.skin, core=0.03)
    cut.oval(-0.085, -0.23, 0.036, 0.024, clear(lighter(who.skin.lit, 0.35), 0.8), turn=-0.6)


def paint_cup(cut: Cut, who: Paints, accent: str) -> None:
    """A warm cup between two hands."""
    mug = who.tone(mix(accent, "#f2ece0", 0.25))
    body = traced("-0.36,-0.4 0.36,-0.4 0.35,0.25 0.29,0.46 -0.29,0.46 -0.35,0.25")
    for side in (-1, 1):
        paint_cuff(
            cut,
            who,
            ((0.42 * side, 0.52), (0.72 * side, 0.3)),
            ((1.3 * side, 1.3), (0.66 * side, 1.5)),
        )
        palm = traced("0.34,-0.2 0.47,-0.14 0.6,0.08 0.72,0.32 0.58,0.5 0.42,0.56 0.3,0.42")
        cut.part([(px * side, py) for px, py in palm], who.skin, core=0.05)
    cut.part(body, mug, corners=(0, 1), core=0.08)
    cut.flat(traced("-0.36,-0.4 0,-0.47 0.36,-0.4 0,-0.33"), mug.shade)
    cut.flat(traced("-0.31,-0.4 0,-0.45 0.31,-0.4 0,-0.35"), who.tone("#4a2c1c").base)
    cut.line([(-0.33, -0.33), (-0.32, 0.1)], clear(mug.lit, 0.7), 0.02)
    for side in (1, -1):
        for number, y in enumerate((-0.16, -0.02, 0.12, 0.25)):
            tip = 0.1 + 0.02 * number if side > 0 else 0.06 + 0.03 * number
            paint_finger(
                cut,
                who,
                [(0.42 * side, y + 0.06), (0.3 * side, y + 0.01), (tip * side, y)],
                0.066 - 0.002 * number,
            )
        thumb = [(0.42 * side, 0.0), (0.36 * side, -0.2), (0.3 * side, -0.34)]
        paint_finger(cut, who, thumb, 0.06)
    steam = clear(lighter(who.light.low, 0.5), 0.22)
    for x in (-0.1, 0.08):
        cut.line([(x, -0.52), (x + 0.06, -0.66), (x - 0.04, -0.8), (x + 0.03, -0.96)], steam, 0.035)


def paint_open(cut: Cut, who: Paints, accent: str) -> None:
    """An open hand that shows or asks; `accent` is the thread around its wrist."""
    paint_cuff(cut, who, ((-0.19, 0.66), (0.17, 0.66)), ((0.34, 1.6), (-0.34, 1.6)))
    for base, middle, tip in (
        ((0.17, -0.08), (0.25, -0.28), (0.29, -0.4)),
        ((0.09, -0.16), (0.12, -0.42), (0.135, -0.58)),
        ((-0.02, -0.18), (-0.025, -0.47), (-0.03, -0.64)),
        ((-0.12, -0.15), (-0.165, -0.41), (-0.19, -0.55)),
    ):
        paint_finger(cut, who, [base, middle, tip], 0.057, nail=False)
        joint = ((base[0] * 0.45 + middle[0] * 0.55), (base[1] * 0.45 + middle[1] * 0.55))
        cut.line(
            [(joint[0] - 0.04, joint[1]), (joint[0] + 0.04, joint[1] - 0.005)],
            clear(who.skin.deep, 0.35),
            0.01,
        )
    palm = traced(
        "-0.16,0.7 -0.17,0.42 -0.2,0.16 -0.18,-0.12 -0.06,-0.2 0.1,-0.19 0.22,-0.08 "
        "0.21,0.2 0.16,0.44 0.15,0.7"
    )
    cut.part(palm, who.skin, corners=(0, 9), core=0.06)
    thumb = traced(
        "-0.14,0.34 -0.27,0.14 -0.39,-0.03 -0.45,-0.14 -0.4,-0.18 -0.32,-0.1 -0.2,0.04 -0.08,0.2"
    )
    cut.part(thumb, who.skin, core=0.04)
    crease = clear(who.skin.deep, 0.42)
    cut.line(traced("-0.06,0.42 -0.08,0.2 -0.02,0.04 0.1,-0.03"), crease, 0.013)
    cut.line([(-0.14, 0.02), (0.0, -0.06), (0.18, -0.02)], crease, 0.012)
    cut.line([(0.0, 0.1), (0.1, 0.1), (0.19, 0.14)], crease, 0.01)
    cut.line([(-0.165, 0.6), (0.0, 0.64), (0.15, 0.6)], who.tone(accent).base, 0.026)


_EARTH = "#6f4d35"
_SIDE = traced(
    "-0.66,-0.1 -0.5,0 -0.28,0.1 0.02,0.14 0.02,0.4 -0.16,0.56 -0.4,0.66 -0.6,0.46 -0.7,0.16"
)
_ROOT = traced("-0.62,0.14 -0.7,-0.04 -0.64,-0.22 -0.5,-0.28 -0.44,-0.18 -0.5,-0.06 -0.5,0.06")


def paint_earth(cut: Cut, who: Paints, accent: str) -> None:
    """Two cupped hands full of earth, some of it running through them; a shoot in `accent`."""
    soil = who.tone(_EARTH)
    for side in (-1, 1):
        edge = (-0.52 * side, 0.5), (-0.12 * side, 0.54)
        paint_cuff(cut, who, edge, ((-0.16 * side, 1.7), (-0.72 * side, 1.7)))
    heap = traced(
        "-0.6,0.04 -0.44,-0.2 -0.26,-0.32 -0.08,-0.44 0.1,-0.4 0.3,-0.3 0.46,-0.16 0.6,0.04 "
        "0.3,0.2 -0.3,0.2"
    )
    cut.part(heap, soil, core=0.08)
    for number in range(26):
        x = math.sin(number * 2.4) * 0.42
        y = -0.05 - 0.26 * (1 - (x / 0.5) ** 2) * ((number * 0.37) % 1.0)
        tone = soil.lit if number % 3 else soil.deep
        cut.oval(x, y, 0.022 + 0.012 * (number % 3), 0.018, clear(tone, 0.7))
    _shoot(cut, who, accent)
    for side in (-1, 1):
        palm = [(x * side, y) for x, y in _SIDE]
        cut.part(palm, who.skin, core=0.06)
        for number, low in enumerate((0.5, 0.4, 0.29, 0.18)):
            long = 0.02 + 0.05 * (number % 2)
            finger = [(-0.56 + 0.03 * number, low - 0.12), (-0.3, low - 0.02), (-long, low)]
            paint_finger(cut, who, [(x * side, y) for x, y in finger], 0.068, nail=False)
        cut.part([(x * side, y) for x, y in _ROOT], who.skin, core=0.03)
    for number in range(14):
        x, y = 0.05 * math.sin(number * 1.9), 0.46 + number * 0.05
        cut.oval(x, y, 0.024 - 0.001 * number, 0.022 - 0.001 * number, clear(soil.base, 0.9))


def _shoot(cut: Cut, who: Paints, accent: str) -> None:
    green = who.tone(mix("#6f9a4a", accent, 0.15))
    cut.line([(0.0, -0.36), (0.01, -0.5), (0.0, -0.62)], green.shade, 0.03)
    for side in (-1, 1):
        leaf = traced("0,-0.6 0.08,-0.7 0.22,-0.74 0.2,-0.62 0.1,-0.56")
        cut.part([(x * side, y) for x, y in leaf], green, corners=(0, 2), core=0.03)
