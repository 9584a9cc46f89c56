"""Hair, beards and what is worn on the head, from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.figures.hair import LONG
from callsheet_studio.draw.figures.outlines import curls, ring, traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


def paint_hair(cut: Cut, who: Paints) -> None:
    """Everything that grows or is worn on the head."""
    look = who.look
    if look.has("beard", "stubble", "moustache"):
        _beard(cut, who)
    if look.has("headscarf"):
        _headscarf(cut, who)
    elif look.style in LONG:
        _hanging(cut, who)
    else:
        _cut_short(cut, who)
    if look.has("cap", "helmet") and not look.has("headscarf"):
        _cap(cut, who)
    if look.has("glasses"):
        _glasses(cut, who)


def _cut_short(cut: Cut, who: Paints) -> None:
    """Hair that leaves the ear free, with a bun or a tail behind it."""
    style = who.look.style
    if style == "bald":
        if who.look.age == "old":
            cut.part(_FRINGE, who.hair, core=0.04)
        return
    if style == "bun":
        cut.part(ring(-0.5, 0.12, 0.16, 0.155), who.hair, core=0.06)
    if style == "ponytail":
        cut.part(_TAIL, who.hair, corners=(4,), core=0.05)
    corners = _NOTCHES if style == "curly" else ()
    cut.part(_SIDES.get(style, _SIDES["short"]), who.hair, corners=corners, core=0.06)
    cut.strands(who.hair, _LINES.get(style, ()))
    if style == "pigtails":
        cut.part(_PIGTAIL, who.hair, corners=(4,), core=0.05)
        cut.oval(-0.17, 0.46, 0.06, 0.06, who.tone(who.look.cloth).base)


_FRINGE = traced(
    "0.02,0.4 -0.03,0.33 -0.3,0.3 -0.455,0.36 -0.4,0.6 -0.3,0.74 -0.2,0.66 -0.13,0.56 -0.1,0.42"
)
_TAIL = traced("-0.4,0.16 -0.58,0.2 -0.66,0.5 -0.6,0.9 -0.66,1.2 -0.48,0.98 -0.46,0.6 -0.42,0.36")
_NAPE = traced(
    "-0.4,0.6 -0.33,0.76 -0.22,0.8 -0.16,0.68 -0.135,0.56 -0.11,0.43 -0.04,0.41 "
    "0,0.46 0.03,0.56 0.055,0.5 0.06,0.38"
)


_SIDES: dict[str, Sequence[Point]] = {
    "short": [
        *traced(
            "0.13,0.3 0.24,0.25 0.29,0.16 0.31,0.06 0.2,-0.05 0,-0.1 -0.22,-0.07 "
            "-0.41,0.08 -0.475,0.34"
        ),
        *_NAPE,
    ],
    "side": [
        *traced(
            "0.12,0.28 0.23,0.23 0.31,0.17 0.36,0.03 0.27,-0.1 0.05,-0.13 -0.2,-0.08 "
            "-0.4,0.06 -0.47,0.34"
        ),
        *_NAPE,
    ],
    "cropped": [
        *traced(
            "0.14,0.28 0.25,0.21 0.262,0.13 0.16,0.01 0,-0.035 -0.22,-0.01 -0.39,0.11 -0.458,0.34"
        ),
        *_NAPE,
    ],
    "bun": traced(
        "0.13,0.34 0.2,0.26 0.27,0.16 0.22,0.04 0.03,-0.06 -0.2,-0.05 -0.4,0.08 "
        "-0.47,0.3 -0.42,0.52 -0.32,0.68 -0.2,0.66 -0.14,0.54 -0.11,0.42 -0.03,0.4 "
        "0.03,0.5 0.07,0.42"
    ),
}


_SIDES["ponytail"] = _SIDES["bun"]
_LINES: dict[str, Sequence[Sequence[Point]]] = {
    "bun": (
        traced("0.2,0.2 0,0.08 -0.25,0.08 -0.42,0.15"),
        traced("0.13,0.3 -0.05,0.2 -0.28,0.18 -0.43,0.2"),
        [(-0.1, 0.4), (-0.28, 0.32), (-0.42, 0.25)],
        [(-0.2, 0.6), (-0.34, 0.46), (-0.43, 0.3)],
    ),
    "short": (
        [(0.24, 0.16), (0.16, 0.04), (-0.02, -0.03)],
        [(0.12, 0.2), (0.0, 0.08), (-0.2, 0.02)],
        [(-0.1, 0.3), (-0.25, 0.18), (-0.36, 0.18)],
    ),
    "side": (
        [(0.28, 0.1), (0.15, -0.04), (-0.1, -0.05)],
        [(0.2, 0.15), (0.03, 0.04), (-0.2, 0.03)],
        [(-0.05, 0.28), (-0.25, 0.2), (-0.38, 0.22)],
    ),
    "curly": (
        [(0.2, 0.12), (0.14, 0.02), (0.02, 0.03)],
        [(-0.05, 0.14), (-0.13, 0.03), (-0.25, 0.06)],
        [(-0.3, 0.2), (-0.38, 0.12), (-0.46, 0.2)],
        [(-0.25, 0.42), (-0.35, 0.34), (-0.44, 0.42)],
        [(-0.08, 0.3), (-0.16, 0.22), (-0.24, 0.27)],
        [(-0.3, 0.62), (-0.38, 0.55), (-0.46, 0.6)],
    ),
}


_LINES["ponytail"] = _LINES["bun"]
_SIDES["pigtails"] = _SIDES["bun"]
_LINES["pigtails"] = _LINES["bun"]
_PIGTAIL = traced("-0.12,0.42 -0.3,0.44 -0.42,0.7 -0.36,1.0 -0.24,1.2 -0.2,0.92 -0.14,0.66")
_CLOUD, _NOTCHES = curls((-0.1, 0.29), (0.45, 0.46), 9, start=-14.0, sweep=-222.0)
_SIDES["curly"] = [
    *_CLOUD,
    *traced(
        "-0.26,0.78 -0.17,0.74 -0.13,0.6 -0.1,0.44 -0.02,0.43 0.04,0.52 0.08,0.46 0.11,0.36 0.2,0.3"
    ),
]


def _hanging(cut: Cut, who: Paints) -> None:
    """Hair that falls over the ear, to the jaw or further."""
    down = {"bob": 0.98, "shoulder": 1.32}.get(who.look.style, 1.75)
    cut.flat(
        traced("0.14,0.2 0.24,0.235 0.165,0.37 0.12,0.55 0.1,0.74 0.03,0.72 0.05,0.5"),
        clear(who.skin.deep, 0.3),
    )
    sway = max(down - 1.0, 0.0) * 0.3
    shape = [
        *traced("0.2,0.23 0.27,0.14 0.2,0.01 0.02,-0.07 -0.2,-0.06 -0.4,0.06 -0.5,0.3 -0.51,0.6"),
        (-0.47 - sway * 0.5, down - 0.12),
        (-0.42 - sway, down),
        (-0.24 - sway, down + 0.03),
        (-0.01 - sway * 1.3, down - 0.06),
        (0.02 - sway * 0.9, down - 0.2),
        (0.06, 0.72),
        (0.075, 0.55),
        (0.12, 0.36),
    ]
    cut.part(shape, who.hair, core=0.07)
    lines = (
        ((0.2, 0.15), (0.04, 0.24), (-0.02, 0.5), (-0.05, 0.14)),
        ((0.16, 0.09), (-0.06, 0.2), (-0.12, 0.5), (-0.14, 0.08)),
        ((0.1, 0.04), (-0.16, 0.15), (-0.23, 0.5), (-0.24, 0.06)),
        ((0.02, 0.0), (-0.26, 0.13), (-0.34, 0.5), (-0.33, 0.1)),
        ((-0.08, -0.01), (-0.35, 0.15), (-0.43, 0.5), (-0.4, 0.2)),
    )
    cut.strands(who.hair, [[*line[:3], (line[3][0] - sway, down - line[3][1])] for line in lines])


def _beard(cut: Cut, who: Paints) -> None:
    full = who.look.has("beard")
    drop = 0.05 if full else 0.004
    lip = traced("0.35,0.735 0.362,0.755 0.31,0.79 0.268,0.825 0.262,0.765 0.3,0.738")
    whole = [
        *traced(
            "0.02,0.44 0.03,0.6 0.09,0.7 0.2,0.72 0.26,0.78 0.27,0.845 0.31,0.875 "
            "0.335,0.872 0.365,0.925"
        ),
        (0.34 + drop * 0.4, 0.985 + drop),
        (0.24, 1.015 + drop),
        (0.08, 0.965 + drop * 0.4),
        (-0.07, 0.85),
        (-0.09, 0.68),
        (-0.02, 0.64),
    ]
    if who.look.has("beard", "stubble"):
        if full:
            cut.part(whole, who.hair, corners=(0,), core=0.05)
        else:
            cut.flat(whole, clear(who.hair.base, 0.42), corners=(0,))
    cut.flat(
        lip,
        who.hair.base if full or who.look.has("moustache") else clear(who.hair.base, 0.42),
        corners=(0,),
    )


def _headscarf(cut: Cut, who: Paints) -> None:
    cloth = who.scarf
    outer = traced(
        "0.27,0.14 0.25,0.03 0.04,-0.08 -0.22,-0.06 -0.44,0.08 -0.52,0.4 -0.46,0.8 "
        "-0.5,1.15 -0.55,1.42 -0.1,1.5 0.3,1.42 0.27,1.15 0.24,1.02 0.12,0.92 "
        "0.07,0.7 0.1,0.42 0.2,0.26"
    )
    cut.part(outer, cloth, core=0.08)
    soft = clear(cloth.deep, 0.5)
    cut.line([(0.15, 0.98), (-0.05, 1.1), (-0.3, 1.1)], soft, 0.02)
    cut.line([(0.22, 1.14), (-0.02, 1.26), (-0.34, 1.28)], soft, 0.02)
    cut.line([(0.04, 0.7), (-0.1, 0.4), (-0.06, 0.15)], clear(cloth.lit, 0.5), 0.016)


def _cap(cut: Cut, who: Paints) -> None:
    hard = who.look.has("helmet")
    cloth = who.hat
    dome = traced(
        "0.3,0.22 0.29,0.06 0.18,-0.09 -0.02,-0.145 -0.25,-0.11 -0.44,0.04 -0.495,0.3 -0.2,0.29"
    )
    cut.part(dome, cloth, corners=(0, 6), core=0.07)
    long = 0.42 if hard else 0.56
    cut.flat(traced("0.12,0.27 0.32,0.25 0.3,0.34 0.14,0.33"), clear(who.skin.deep, 0.4))
    cut.part(
        [
            (0.08, 0.235),
            (0.3, 0.175),
            (long, 0.235),
            (long - 0.01, 0.27),
            (0.3, 0.255),
            (0.08, 0.27),
        ],
        cloth,
        corners=(2, 3),
        core=0.02,
    )


def _glasses(cut: Cut, who: Paints) -> None:
    frame = mix(who.light.ink, "#3a2a20", 0.4)
    lens = traced("0.29,0.44 0.315,0.5 0.29,0.575 0.25,0.585 0.225,0.51 0.25,0.43")
    cut.flat(lens, who.lens)
    cut.line([*lens, *lens[:2]], frame, 0.014)
    cut.line([(0.23, 0.475), (0.0, 0.455), (-0.06, 0.47)], frame, 0.015)
