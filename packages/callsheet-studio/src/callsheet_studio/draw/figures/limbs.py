"""Arms, legs, hands and feet: few points, each with its own width."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.figures.cloth import pattern_on_sleeve
from callsheet_studio.draw.figures.outlines import traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone

UPPER, FORE = 1.27, 1.05
THIGH, SHIN = 1.86, 1.72
ANKLE = 0.29
_MITRE = 1.18
_FINE = 60
"""Pixels of a head from which single fingers are seen."""


def reach(start: Point, end: Point, first: float, second: float, bend: float) -> Point:
    """The elbow or knee between two ends; `bend` is the side that it points to, 1 or -1."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    near = abs(first - second) * 1.02 + 1e-6
    far = min(max(math.hypot(dx, dy), near), (first + second) * 0.999)
    along = (first**2 - second**2 + far**2) / (2 * far)
    out = math.sqrt(max(first**2 - along**2, 0.0)) * bend
    ux, uy = dx / math.hypot(dx, dy), dy / math.hypot(dx, dy)
    return start[0] + ux * along - uy * out, start[1] + uy * along + ux * out


def outline(
    joints: Sequence[Point], left: Sequence[float], right: Sequence[float], *, cap: float = 0.5
) -> list[Point]:
    """Around two bones: five widths on each side, from the first joint to the last."""
    a, b, c = joints
    one, two = _unit(a, b), _unit(b, c)
    bend = _unit((0.0, 0.0), (one[0] + two[0], one[1] + two[1]))
    stations = (
        (a, one, 1.0),
        (_between(a, b, 0.45), one, 1.0),
        (b, bend, _MITRE if one[0] * two[0] + one[1] * two[1] < 0.8 else 1.0),  # noqa: PLR2004
        (_between(b, c, 0.36), two, 1.0),
        (c, two, 1.0),
    )
    sides: list[list[Point]] = [[], []]
    for (at, way, more), *widths in zip(stations, left, right, strict=True):
        for side, sign, width in zip(sides, (1, -1), widths, strict=True):
            side.append(
                (at[0] + way[1] * width * more * sign, at[1] - way[0] * width * more * sign)
            )
    top = (a[0] - one[0] * left[0] * cap, a[1] - one[1] * left[0] * cap)
    return [top, *sides[0], *sides[1][::-1]]


def paint_sleeve(
    cut: Cut,
    who: Paints,
    tone: Tone,
    joints: Sequence[Point],
    *,
    short: bool = False,
    wide: float = 1.0,
) -> None:
    """An arm in its sleeve, without the hand."""
    slim = (0.9 if who.look.form == "woman" else 1.0) * (0.92 if who.look.age == "child" else 1.0)
    bare = [each * slim for each in (0.19, 0.165, 0.135, 0.14, 0.085)]
    if short:
        a, b, c = joints
        lower = _between(a, b, 0.4), b, c
        cut.part(outline(lower, bare, bare), who.skin, corners=(5, 6), core=0.06)
        mid, end = _between(a, b, 0.4), _between(a, b, 0.62)
        loose = [each * slim * wide for each in (0.2, 0.205, 0.21, 0.21, 0.21)]
        sleeve = outline((a, mid, end), loose, loose)
        cut.part(sleeve, tone, corners=(5, 6), core=0.08)
        if who.look.pattern:
            with cut.inside(sleeve, corners=(5, 6)):
                pattern_on_sleeve(cut, who, (a, mid, end))
        return
    loose = [each * slim * wide for each in (0.2, 0.195, 0.17, 0.17, 0.12)]
    shape = outline(joints, loose, loose)
    cut.part(shape, tone, corners=(5, 6), core=0.06)
    if who.look.pattern:
        with cut.inside(shape, corners=(5, 6)):
            pattern_on_sleeve(cut, who, joints)
    _, b, c = joints
    fold = clear(tone.deep, 0.4)
    way = _unit(b, c)
    near, far = _between(b, c, 0.1), _between(b, c, 0.9)
    for at, size in ((near, 0.11), (_between(b, c, 0.2), 0.07)):
        cut.line([(at[0] - way[1] * size, at[1] + way[0] * size), at], fold, 0.022)
    cuff = 0.115 * slim * wide
    cut.line(
        [
            (far[0] + way[1] * cuff, far[1] - way[0] * cuff),
            (far[0] - way[1] * cuff, far[1] + way[0] * cuff),
        ],
        fold,
        0.018,
    )


def paint_hand(
    cut: Cut,
    who: Paints,
    joints: Sequence[Point],
    *,
    grip: float = 0.0,
    thumb: int = 1,
    points: bool = False,
) -> None:
    """A hand at the end of an arm; `grip` closes it, `thumb` is the side of the thumb."""
    _, b, c = joints
    way = _unit(b, c)
    with cut.moved(*c, turn=math.atan2(way[1], way[0])):
        t = thumb
        if points:
            _fingers(cut, who, t, ((0.62, 0.05),))
        elif not grip and cut.frame.size > _FINE:
            _fingers(cut, who, t, ((0.5, 0.1), (0.54, 0.035), (0.51, -0.03), (0.43, -0.09)))
        cut.part(_palm(t, 0.3 if grip or cut.frame.size > _FINE else 0.52), who.skin, core=0.035)
        if grip and cut.frame.size > _FINE:
            for y in (-0.05, 0.0, 0.05):
                cut.line([(0.2, y), (0.31, y * 0.9)], clear(who.skin.deep, 0.4), 0.012)
        inner = traced("0.03,0.07 0.13,0.15 0.26,0.19 0.31,0.15 0.22,0.09")
        cut.part([(x, y * t) for x, y in inner], who.skin, core=0.02)


def _palm(t: int, long: float) -> list[Point]:
    return [
        (-0.07, -0.075),
        (0.1, -0.105),
        (long * 0.75, -0.115 + 0.01 * t),
        (long, -0.06),
        (long, 0.05),
        (long * 0.75, 0.115 + 0.01 * t),
        (0.1, 0.105),
        (-0.07, 0.075),
    ]


def _fingers(cut: Cut, who: Paints, t: int, tips: Sequence[Point]) -> None:
    """From the knuckles to the tips, the one beside the thumb first."""
    for x, y in tips:
        way = [(0.2, y * 0.85 * t), ((0.2 + x) / 2, y * t), (x, y * 0.92 * t)]
        wide = (0.04, 0.039, 0.037, 0.035, 0.024)
        cut.part(outline(way, wide, wide), who.skin, core=0.016)


def paint_leg(
    cut: Cut, who: Paints, joints: Sequence[Point], *, bare: bool = False, dim: float = 0.0
) -> None:
    """A leg in trousers or bare, without the shoe; `dim` for the far one."""
    slim = {"slim": 0.92, "broad": 1.1}.get(who.look.build, 1.0)
    slim *= 0.9 if who.look.age == "child" else 1.0
    if bare:
        front = [each * slim for each in (0.3, 0.25, 0.16, 0.13, 0.085)]
        back = [each * slim for each in (0.3, 0.25, 0.15, 0.19, 0.085)]
        cut.part(outline(joints, front, back), who.skin, corners=(5, 6), core=0.08)
    else:
        hip = 0.29 if who.look.form == "woman" else 0.28
        front = [each * slim for each in (hip, 0.285, 0.2, 0.185, 0.16)]
        back = [each * slim for each in (hip, 0.28, 0.2, 0.21, 0.165)]
        cut.part(outline(joints, front, back), who.legs, corners=(5, 6), core=0.09)
        _folds(cut, who, joints)
    if dim:
        cut.flat(outline(joints, front, back), clear(who.legs.deep, dim), corners=(5, 6))


def _folds(cut: Cut, who: Paints, joints: Sequence[Point]) -> None:
    _, b, c = joints
    way = _unit(b, c)
    fold = clear(who.legs.deep, 0.45)
    for share, size in ((0.02, 0.13), (0.1, 0.09), (0.93, 0.1)):
        at = _between(b, c, share)
        cut.line(
            [(at[0] - way[1] * size, at[1] + way[0] * size), (at[0], at[1] + 0.03)], fold, 0.024
        )


def paint_shoe(
    cut: Cut, who: Paints, ankle: Point, *, turn: float = 0.0, side: float = 1.0
) -> None:
    """A shoe below an ankle; `side` 1 is seen from the side, less is turned to the camera."""
    with cut.moved(*ankle, turn=turn):
        long = 0.34 + 0.36 * side
        shoe = [
            (-0.13, -0.1),
            (0.13, -0.12),
            (0.2 * side + 0.05, 0.06),
            (long, 0.15),
            (long + 0.03, 0.25),
            (long - 0.05, ANKLE),
            (-0.16, ANKLE),
            (-0.19, 0.16),
        ]
        cut.part(shoe, who.shoes, corners=(5, 6), core=0.05)
        sole = [(-0.18, 0.23), (long + 0.03, 0.23), (long - 0.02, ANKLE), (-0.17, ANKLE)]
        cut.flat(sole, clear(who.shoes.deep, 0.75), corners=(0, 1, 2, 3))


def _unit(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy) or 1.0
    return dx / long, dy / long


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
