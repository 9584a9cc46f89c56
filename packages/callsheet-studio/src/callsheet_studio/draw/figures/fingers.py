"""Fingers, thumbs and cuffs, close."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter
from callsheet_studio.draw.figures.outlines import traced
from callsheet_studio.draw.figures.torso import SHORT, sleeve_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.tones import Tone


def paint_finger(
    cut: Cut, who: Paints, points: Sequence[Point], width: float, *, nail: bool = True
) -> None:
    """A finger along three points, from the knuckle to the tip."""
    base, middle, tip = points
    way = math.atan2(tip[1] - middle[1], tip[0] - middle[0])
    first = math.atan2(middle[1] - base[1], middle[0] - base[0])
    left, right = [], []
    for (px, py), angle, size in (
        (base, first, 1.04),
        (middle, (first + way) / 2, 1.0),
        (tip, way, 0.8),
    ):
        dx, dy = -math.sin(angle) * width * size, math.cos(angle) * width * size
        left.append((px + dx, py + dy))
        right.append((px - dx, py - dy))
    end = (tip[0] + math.cos(way) * width * 0.95, tip[1] + math.sin(way) * width * 0.95)
    cut.part([*left, end, *right[::-1]], who.skin, core=width * 0.42)
    if nail:
        nx, ny = tip[0] + math.cos(way) * width * 0.28, tip[1] + math.sin(way) * width * 0.28
        cut.oval(
            nx, ny, width * 0.5, width * 0.42, clear(lighter(who.skin.lit, 0.35), 0.75), turn=way
        )


def paint_cuff(cut: Cut, who: Paints, edge: tuple[Point, Point], end: tuple[Point, Point]) -> None:
    """From a cuff to the edge of the frame; bare where sleeves are short."""
    tone: Tone = who.skin if who.look.top in SHORT else sleeve_of(who)
    cut.part([*edge, *end], tone, corners=(0, 1, 2, 3), core=0.05)
    if tone is who.skin:
        return
    (ax, ay), (bx, by) = edge
    (dx, dy), (cx, cy) = end[1], end[0]
    near = [
        (ax, ay),
        (bx, by),
        (bx + (cx - bx) * 0.16, by + (cy - by) * 0.16),
        (ax + (dx - ax) * 0.16, ay + (dy - ay) * 0.16),
    ]
    cut.flat(near, clear(tone.lit, 0.5), corners=(0, 1, 2, 3))
    cut.line([near[3], near[2]], clear(tone.deep, 0.5), 0.012)


def paint_thumb(cut: Cut, who: Paints) -> None:
    """A thumb that lies upon a phone."""
    thumb = traced(
        "0.47,0.5 0.43,0.3 0.3,0.14 0.17,0.05 0.1,0.04 0.085,0.1 0.14,0.17 0.25,0.3 0.3,0.5"
    )
    cut.part(thumb, who.skin, core=0.035)
    cut.oval(0.132, 0.082, 0.035, 0.024, clear(lighter(who.skin.lit, 0.35), 0.8), turn=0.55)
    cut.line([(0.29, 0.2), (0.27, 0.26)], clear(who.skin.deep, 0.45), 0.008)
