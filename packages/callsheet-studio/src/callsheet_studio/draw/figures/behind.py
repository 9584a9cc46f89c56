"""A head from behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.figures.outlines import closed, curls, mirrored, ring, traced

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


_SHORT = 0.9
"""Hair that reaches further down hangs."""
_DOWN = {"bob": 0.98, "shoulder": 1.34, "long": 1.85}


def paint_back(cut: Cut, who: Paints) -> None:
    """The head from behind."""
    look = who.look
    if not look.covered:
        ear = traced("0.32,0.47 0.37,0.435 0.4,0.48 0.385,0.57 0.345,0.64 0.31,0.62")
        for side in (-1, 1):
            cut.part(mirrored(ear, side), who.skin, core=0.03)
    head = traced("0,0 0.2,0.04 0.33,0.2 0.355,0.42 0.32,0.65 0.24,0.82 0,0.9")
    cut.part(closed(head), who.skin, core=0.08)
    if look.has("headscarf"):
        cut.part(_cap(1.5), who.scarf, core=0.09)
    elif look.style == "curly":
        cloud, notches = curls((0.0, 0.36), (0.47, 0.48), 13, start=90.0, sweep=360.0)
        cut.part(cloud[:-1], who.hair, corners=notches[:-1], core=0.09)
    elif look.style != "bald":
        _hair(cut, who, _DOWN.get(look.style, 0.8))
    if look.has("cap", "helmet"):
        dome = traced("0,-0.14 0.22,-0.08 0.36,0.1 0.4,0.34 0.2,0.38 0,0.39")
        cut.part(closed(dome), who.hat, core=0.07)


def _cap(down: float) -> list[Point]:
    wide, end = (0.46, 0.4) if down > _SHORT else (0.335, 0.2)
    top = traced("0,-0.08 0.24,-0.02 0.36,0.18 0.385,0.4")
    return closed([*top, (wide, 0.64), (end, down), (0.0, down + 0.04)])


def _hair(cut: Cut, who: Paints, down: float) -> None:
    cut.part(_cap(down), who.hair, core=0.09)
    if who.look.style == "bun":
        cut.part(ring(0.0, 0.22, 0.2, 0.19), who.hair, core=0.06)
    if who.look.style == "ponytail":
        tail = traced("-0.09,0.3 0.09,0.3 0.13,0.7 0.03,1.4 -0.1,0.8")
        cut.part(tail, who.hair, corners=(3,), core=0.05)
    if who.look.style == "pigtails":
        tail = traced("0.28,0.44 0.48,0.42 0.56,0.66 0.5,1.1 0.4,0.86 0.34,0.66")
        for side in (-1, 1):
            cut.part(mirrored(tail, side), who.hair, corners=(3,), core=0.04)
    lines = []
    for number in range(9):
        x, low = -0.28 + 0.07 * number, min(down, 1.2) - 0.14 - 0.05 * (number % 3)
        lines.append([(x * 0.4, 0.0), (x * 1.05, 0.26), (x * 0.95, low)])
    cut.strands(who.hair, lines, 0.006)
