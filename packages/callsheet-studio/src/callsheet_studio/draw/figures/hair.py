"""Hair, beards and what is worn on the head, from the front or turned half away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter
from callsheet_studio.draw.figures import headwear
from callsheet_studio.draw.figures.outlines import curls, mirrored, ring, traced
from callsheet_studio.draw.figures.shape import outline, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


LONG = {"bob": 0.98, "shoulder": 1.3, "long": 1.72}
"""How far down hair that hangs reaches."""
_FRINGED = 0.6
"""The trait from which hair that hangs is cut straight over the brows."""


def paint_behind(cut: Cut, who: Paints) -> None:
    """What hangs or stands behind the neck; before the shoulders are painted."""
    style = who.look.style
    if who.look.has("headscarf"):
        return
    if style in LONG:
        down = LONG[style]
        mass = [
            (-0.03, -0.06),
            (0.27, 0.04),
            (0.41, 0.35),
            (0.45, 0.7),
            (0.44, down),
            (0.24, down + 0.05),
            (0.0, down + 0.02),
        ]
        left = mirrored(mass[1:-1])[::-1]
        cut.part([*mass, *left], who.hair, core=0.12)
        cut.flat([(-0.3, 0.8), (0.3, 0.8), (0.3, down), (-0.3, down)], clear(who.hair.deep, 0.55))
    elif style == "curly":
        low = 0.5 if who.look.form == "woman" else 0.42
        cloud, notches = curls((0.0, 0.36), (0.475, low), 12, start=122.0, sweep=296.0)
        cut.part(cloud, who.hair, corners=notches, core=0.1)
    elif style == "ponytail":
        tail = traced("-0.2,0.24 -0.48,0.3 -0.57,0.6 -0.52,0.95 -0.42,1.28 -0.38,0.9 -0.3,0.6")
        cut.part(tail, who.hair, corners=(4,), core=0.05)
    elif style == "pigtails":
        for side in (-1, 1):
            cut.part(mirrored(_PIGTAIL, side), who.hair, corners=(4,), core=0.05)
    elif style == "bun":
        cut.part(ring(0.03, -0.1, 0.17, 0.15), who.hair, core=0.08)


def paint_over(cut: Cut, who: Paints, turn: float) -> None:
    """What lies upon the head, and beards."""
    look = who.look
    if look.has("beard", "stubble", "moustache"):
        headwear.paint_beard(cut, who, turn)
    if look.has("glasses"):
        headwear.paint_glasses(cut, who)
    if look.has("headscarf"):
        headwear.paint_headscarf(cut, who)
        return
    painter = {
        "bob": _curtains,
        "shoulder": _curtains,
        "long": _curtains,
        "bun": _swept,
        "ponytail": _swept,
        "pigtails": _parted,
        "curly": _curly,
        "cropped": _cropped,
        "bald": _bald,
        "side": _side,
    }.get(look.style, _short)
    painter(cut, who)
    if look.has("cap", "helmet"):
        headwear.paint_cap(cut, who)


def _curtains(cut: Cut, who: Paints) -> None:
    """Parted, falling on both sides."""
    down = LONG[who.look.style]
    end = min(down, 1.3)
    part = -0.09
    shadow = [
        (-0.33, 0.5),
        (-0.27, 0.33),
        (part, 0.19),
        *traced("0.16,0.26 0.3,0.42 0.33,0.56 0.36,0.3 0.1,0.02 -0.3,0.1"),
    ]
    cut.flat(shadow, clear(who.skin.deep, 0.32))
    right = [
        (part, -0.062),
        (0.12, -0.04),
        (0.3, 0.085),
        (0.405, 0.34),
        (0.44, 0.66),
        (0.425, end - 0.06),
        (0.36, end),
        (0.3, end - 0.05),
        (0.33, 0.72),
        (0.335, 0.52),
        (0.29, 0.34),
        (0.14, 0.2),
        (part, 0.1),
    ]
    left = [
        (part, -0.062),
        (-0.22, -0.01),
        (-0.335, 0.13),
        (-0.408, 0.36),
        (-0.44, 0.66),
        (-0.425, end - 0.06),
        (-0.36, end),
        (-0.3, end - 0.05),
        (-0.33, 0.72),
        (-0.335, 0.52),
        (-0.3, 0.34),
        (-0.2, 0.2),
        (part, 0.1),
    ]
    if who.look.traits[2] > _FRINGED:
        _fringe(cut, who)
    cut.part(left, who.hair, corners=(0, 12), core=0.05)
    cut.part(right, who.hair, corners=(0, 12), core=0.05)
    cut.strands(
        who.hair,
        [
            [(part + 0.03, -0.03), (0.2, 0.05), (0.34, 0.26), (0.375, 0.6), (0.365, end - 0.1)],
            [(part + 0.03, 0.0), (0.17, 0.1), (0.31, 0.3), (0.355, 0.6), (0.34, end - 0.16)],
            [(part + 0.02, 0.05), (0.12, 0.13), (0.26, 0.27), (0.32, 0.42)],
            [(part - 0.02, -0.02), (-0.25, 0.06), (-0.35, 0.26), (-0.385, 0.6), (-0.37, end - 0.1)],
            [(part - 0.02, 0.02), (-0.2, 0.1), (-0.31, 0.28), (-0.36, 0.55)],
        ],
    )


def _fringe(cut: Cut, who: Paints) -> None:
    """Cut straight over the brows."""
    shade = traced("-0.3,0.36 -0.15,0.39 0.02,0.395 0.17,0.39 0.3,0.36 0.3,0.1 -0.3,0.1")
    cut.flat(shade, clear(who.skin.deep, 0.3))
    locks = traced(
        "-0.32,0.36 -0.33,0.16 -0.2,0.02 0,-0.03 0.2,0.02 0.33,0.16 0.32,0.36 0.22,0.335 "
        "0.17,0.355 0.08,0.34 0,0.36 -0.08,0.34 -0.17,0.355 -0.22,0.335"
    )
    cut.part(locks, who.hair, corners=(0, 6, 7, 9, 11, 13), core=0.03)
    cut.strands(
        who.hair,
        [
            [(x * 0.5, 0.02), (x * 0.9, 0.16), (x, 0.32)]
            for x in (-0.25, -0.13, -0.04, 0.05, 0.14, 0.25)
        ],
        0.01,
    )


def _swept(cut: Cut, who: Paints) -> None:
    """Combed back, with nothing on the forehead."""
    cap = traced(
        "-0.352,0.44 -0.37,0.26 -0.3,0.08 -0.15,-0.035 0.01,-0.068 0.17,-0.03 "
        "0.305,0.08 0.372,0.26 0.352,0.44 0.33,0.34 0.25,0.215 0.06,0.155 -0.14,0.16 "
        "-0.27,0.23 -0.335,0.34"
    )
    cut.flat(
        traced("-0.3,0.33 -0.15,0.2 0.05,0.185 0.24,0.25 0.32,0.4 0.3,0.1 -0.3,0.1"),
        clear(who.skin.deep, 0.16),
    )
    cut.part(cap, who.hair, corners=(0, 8), core=0.06)
    cut.strands(
        who.hair,
        [
            [(-0.3, 0.26), (-0.3, 0.12), (-0.16, -0.02)],
            [(-0.2, 0.18), (-0.18, 0.08), (-0.08, -0.04)],
            [(-0.05, 0.15), (-0.04, 0.06), (0.0, -0.05)],
            [(0.1, 0.16), (0.1, 0.06), (0.07, -0.05)],
            [(0.23, 0.2), (0.22, 0.08), (0.14, -0.04)],
            [(0.32, 0.28), (0.31, 0.13), (0.22, 0.0)],
        ],
        0.009,
    )


_PIGTAIL = traced("0.3,0.42 0.5,0.4 0.6,0.62 0.56,0.9 0.46,1.12 0.42,0.86 0.36,0.64")


def _parted(cut: Cut, who: Paints) -> None:
    """Combed to both sides from the middle, and tied there."""
    _swept(cut, who)
    for side in (-1, 1):
        lock = traced("0,0.02 0.2,0.06 0.33,0.24 0.345,0.46 0.27,0.32 0.12,0.22 0,0.19")
        cut.part(mirrored(lock, side), who.hair, corners=(0, 3, 6), core=0.03, rim=False)
        cut.oval(0.37 * side, 0.45, 0.05, 0.06, who.tone(who.look.cloth).base)


def _curly(cut: Cut, who: Paints) -> None:
    """A soft cloud that comes down over the forehead."""
    outer, notches = curls((0.0, 0.33), (0.46, 0.45), 8, start=172.0, sweep=196.0)
    fringe, between = curls((0.0, 0.46), (0.33, 0.24), 5, start=-8.0, sweep=-164.0)
    corners = [*notches, *(len(outer) + each for each in between)]
    cut.flat(
        traced("-0.32,0.44 -0.18,0.3 0,0.27 0.18,0.3 0.32,0.44 0.3,0.15 -0.3,0.15"),
        clear(who.skin.deep, 0.3),
    )
    cut.part([*outer, *fringe], who.hair, corners=corners, core=0.05)
    if cut.frame.size < 60:  # noqa: PLR2004 -- smaller, they are noise
        return
    for x, y, r in (
        (-0.3, 0.1, 0.08),
        (-0.1, 0.0, 0.09),
        (0.14, 0.03, 0.09),
        (0.33, 0.16, 0.08),
        (0.02, 0.12, 0.07),
        (-0.2, 0.17, 0.06),
        (0.24, 0.17, 0.06),
        (-0.4, 0.32, 0.06),
        (0.41, 0.36, 0.06),
    ):
        arc = [(x - r, y), (x - r * 0.6, y - r * 0.7), (x + r * 0.3, y - r * 0.8), (x + r * 0.8, y)]
        cut.line(arc, clear(who.hair.lit, 0.4), 0.013)


def _short(cut: Cut, who: Paints) -> None:
    """Short: brushed up over the forehead, or swept across it."""
    if who.look.form == "man" and who.look.age != "child":
        _quiff(cut, who)
    else:
        _pixie(cut, who)


def _quiff(cut: Cut, who: Paints) -> None:
    _cap_of_hair(
        cut,
        who,
        traced(
            "-0.345,0.47 -0.37,0.26 -0.34,0.07 -0.24,-0.05 -0.04,-0.125 0.16,-0.14 "
            "0.32,-0.03 0.378,0.22 0.348,0.47"
        ),
        traced(
            "0.33,0.4 0.328,0.28 0.285,0.17 0.14,0.155 -0.02,0.185 -0.19,0.13 "
            "-0.29,0.2 -0.325,0.29 -0.33,0.4"
        ),
        tips=(3, 5),
    )
    cut.strands(
        who.hair,
        [
            traced("-0.2,0.12 -0.16,0.02 -0.02,-0.07"),
            traced("-0.04,0.16 0,0.04 0.12,-0.08"),
            traced("0.12,0.14 0.16,0.03 0.24,-0.05"),
            traced("0.26,0.16 0.29,0.08 0.31,0.02"),
        ],
        0.013,
    )


def _pixie(cut: Cut, who: Paints) -> None:
    _cap_of_hair(
        cut,
        who,
        traced(
            "-0.335,0.6 -0.392,0.34 -0.35,0.08 -0.2,-0.065 0.02,-0.11 0.22,-0.075 "
            "0.35,0.06 0.396,0.32 0.34,0.6"
        ),
        traced(
            "0.315,0.44 0.31,0.3 0.22,0.2 0.1,0.235 -0.02,0.275 -0.14,0.33 -0.27,0.36 "
            "-0.25,0.29 -0.315,0.34 -0.318,0.46"
        ),
        tips=(6,),
    )
    cut.strands(
        who.hair,
        [
            traced("0.2,0.02 0.06,0.1 -0.1,0.2 -0.23,0.32"),
            traced("0.24,0.08 0.12,0.15 -0.02,0.22 -0.14,0.3"),
            traced("0.1,-0.05 -0.1,0.03 -0.24,0.16 -0.3,0.3"),
            traced("0.27,0.12 0.33,0.24 0.34,0.4"),
        ],
        0.012,
    )


def _side(cut: Cut, who: Paints) -> None:
    """Parted on one side, combed over."""
    _cap_of_hair(
        cut,
        who,
        traced(
            "-0.35,0.46 -0.37,0.26 -0.32,0.09 -0.2,-0.03 -0.02,-0.115 0.17,-0.105 "
            "0.31,0.02 0.375,0.25 0.35,0.46"
        ),
        traced(
            "0.328,0.4 0.325,0.28 0.29,0.15 0.2,0.17 0.02,0.18 -0.12,0.13 -0.2,0.06 "
            "-0.27,0.18 -0.315,0.28 -0.328,0.4"
        ),
    )
    cut.strands(
        who.hair,
        [
            traced("-0.19,0.03 -0.02,-0.06 0.18,-0.06 0.3,0.03"),
            traced("-0.17,0.07 0,0.01 0.18,0.01 0.31,0.1"),
            traced("-0.12,0.11 0.02,0.08 0.16,0.09 0.27,0.13"),
        ],
        0.012,
    )


def _cap_of_hair(
    cut: Cut,
    who: Paints,
    outer: Sequence[Point],
    inner: Sequence[Point],
    tips: Sequence[int] = (),
) -> None:
    """Hair from ear to ear; `tips` are the points of its inner edge that are sharp."""
    shadow = [(x * 0.98, y + 0.04) for x, y in inner]
    cut.flat([*shadow, (-0.3, 0.1), (0.3, 0.1)], clear(who.skin.deep, 0.26))
    sharp = (0, 8, *(len(outer) + each for each in tips))
    cut.part([*outer, *inner], who.hair, corners=sharp, core=0.05)


def _cropped(cut: Cut, who: Paints) -> None:
    edge = traced(
        "-0.347,0.44 -0.355,0.26 -0.29,0.08 -0.15,-0.012 0,-0.035 0.15,-0.012 "
        "0.29,0.08 0.355,0.26 0.347,0.44 0.32,0.3 0.26,0.19 0.12,0.155 -0.12,0.155 "
        "-0.26,0.19 -0.32,0.3"
    )
    cut.part(edge, who.hair, corners=(0, 8), core=0.04)
    fade = [(0.0, clear(who.skin.base, 0.0)), (1.0, clear(who.skin.base, 0.55))]
    for side in (-1, 1):
        low = [(0.352 * side, 0.44), (0.362 * side, 0.24), (0.31 * side, 0.2), (0.32 * side, 0.31)]
        cut.fade(low, fade, ((0.3 * side, 0.18), (0.34 * side, 0.44)))


def _bald(cut: Cut, who: Paints) -> None:
    gleam = 0.08 if cut.lit_right else -0.08
    with cut.inside(outline(shape_of(who, 0.0))):
        cut.bloom(gleam, 0.15, 0.15, lighter(who.skin.lit, 0.3), 0.5)
    if who.look.age != "old":
        return
    for side in (-1, 1):
        tuft = traced("0.325,0.26 0.375,0.3 0.385,0.42 0.35,0.5 0.328,0.42")
        cut.part([(x * side, y) for x, y in tuft], who.hair, core=0.02)
