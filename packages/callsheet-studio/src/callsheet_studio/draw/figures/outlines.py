"""Outlines, written as SVG writes points."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point


@cache
def traced(text: str) -> tuple[Point, ...]:
    """The points of an outline: `0.1,-2.4 0.2,-2.3`."""
    pairs = (pair.split(",") for pair in text.split())
    return tuple((float(x), float(y)) for x, y in pairs)


def mirrored(outline: Sequence[Point], side: int = -1) -> list[Point]:
    """The same on a side: 1 as it is, -1 on the other."""
    return [(x * side, y) for x, y in outline]


def closed(half: Sequence[Point]) -> list[Point]:
    """A half from the top to the bottom, and its other half back to the top."""
    return [*half, *((-x, y) for x, y in reversed(half[1:-1]))]


def ring(x: float, y: float, rx: float, ry: float) -> list[Point]:
    """Points around an ellipse."""
    return [
        (x + rx * math.cos(math.tau * step / 10), y + ry * math.sin(math.tau * step / 10))
        for step in range(10)
    ]


def curls(
    centre: Point, radius: Point, count: int, *, start: float = 155.0, sweep: float = 230.0
) -> tuple[list[Point], list[int]]:
    """A cloud's edge around a head, from an angle on over the crown, and where it is notched."""
    (x, y), (rx, ry) = centre, radius
    found, notches = [], []
    for step in range(count * 4 + 1):
        angle = math.radians(start + sweep * step / (count * 4))
        swell = (0.93, 1.01, 1.05, 1.01)[step % 4]
        if step % 4 == 0:
            notches.append(step)
        found.append((x + rx * swell * math.cos(angle), y + ry * swell * math.sin(angle)))
    return found, notches
