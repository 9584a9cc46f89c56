"""Pictures of numbers: curves, columns, rings, and the two interfaces that are made of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear

if TYPE_CHECKING:
    from callsheet_studio.draw.pane import Box, Pane


def _points(pane: Pane, box: Box, count: int = 9) -> list[tuple[float, float]]:
    """A line that rises, with a dent in it."""
    x, y, wide, high = box
    rises = [0.78, 0.7, 0.74, 0.55, 0.6, 0.44, 0.36, 0.4, 0.16][:count]
    return [
        (
            x + wide * i / (count - 1),
            y + high * min(max(r + pane.chance.uniform(-0.05, 0.05), 0.05), 0.95),
        )
        for i, r in enumerate(rises)
    ]


def _area(pane: Pane, box: Box) -> None:
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    for row in range(5):
        brush.rect(x, y + high * row / 4, wide, 0.35 * e, skin.faint)
    points = _points(pane, box)
    fill = brush.linear(
        (0, y), (0, y + high), [(0, clear(skin.accent, 0.42)), (1, clear(skin.accent, 0.02))]
    )
    brush.shape([(x, y + high), *points, (x + wide, y + high)], fill, corners=(0, 1, 9, 10))
    brush.curve(points, skin.accent, 1.5 * e)
    px, py = points[6]
    brush.rect(px - 0.2 * e, py, 0.4 * e, y + high - py, clear(skin.accent, 0.5))
    brush.circle(px, py, 2.6 * e, skin.card)
    brush.circle(px, py, 1.7 * e, skin.accent)


def _columns(pane: Pane, box: Box, count: int = 7) -> None:
    x, y, wide, high = box
    step = wide / count
    for index in range(count):
        tall = high * (0.3 + 0.6 * abs(math.sin(index * 1.7 + 0.6)))
        colour = pane.skin.accent if index == count - 2 else clear(pane.skin.second, 0.55)
        pane.brush.rect(
            x + step * index + step * 0.2,
            y + high - tall,
            step * 0.6,
            tall,
            colour,
            radius=step * 0.16,
        )


def _ring(pane: Pane, x: float, y: float, radius: float) -> None:
    brush, skin = pane.brush, pane.skin
    shares = ((0.0, 1.0, skin.faint), (0.0, 0.68, skin.accent), (0.68, 0.86, skin.second))
    ctx = brush.ctx
    ctx.save()
    ctx.lineWidth = radius * 0.34
    for start, end, colour in shares:
        ctx.strokeStyle = colour
        ctx.beginPath()
        ctx.arc(x, y, radius * 0.8, (start - 0.25) * math.tau, (end - 0.25) * math.tau)
        ctx.stroke()
    ctx.restore()
    pane.bar(x - radius * 0.3, y - 1.4 * pane.e, radius * 0.6, high=2.8, colour=skin.ink)


def paint_chart(pane: Pane, box: Box) -> None:
    """One large curve, a number that rose, columns under it."""
    skin, e = pane.skin, pane.e
    x, y, wide, high = box
    pane.bar(x + 5 * e, y + 3 * e, wide * 0.22, high=2.2)
    pane.bar(x + 5 * e, y + 7.5 * e, wide * 0.36, high=6, colour=skin.ink)
    pane.brush.rect(x + 8 * e + wide * 0.36, y + 8 * e, 15 * e, 5.6 * e, skin.soft, radius=2.8 * e)
    top = x + 12 * e + wide * 0.36
    pane.brush.poly(
        ((top, y + 12 * e), (top + 2 * e, y + 9.4 * e), (top + 4 * e, y + 12 * e)), skin.accent
    )
    large = (high - 20 * e) * 0.58
    pane.card((x + 3 * e, y + 17 * e, wide - 6 * e, large))
    _area(pane, (x + 8 * e, y + 22 * e, wide - 16 * e, large - 10 * e))
    rest = y + 20 * e + large
    pane.card((x + 3 * e, rest, wide - 6 * e, y + high - rest - 3 * e))
    _columns(pane, (x + 7 * e, rest + 4 * e, wide - 14 * e, y + high - rest - 11 * e), 9)


def paint_dashboard(pane: Pane, box: Box) -> None:
    """Numbers, a curve, columns and a ring."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    flat = wide > high
    count = 4 if flat else 2
    each = (wide - 3 * e) / count
    for index in range(count):
        left = x + 3 * e + index * each
        pane.card((left, y + 2 * e, each - 3 * e, 20 * e), skin.accent if index == 0 else "")
        on = skin.card if index == 0 else skin.ink
        pane.bar(left + 4 * e, y + 6 * e, each * 0.34, high=1.9, colour=clear(on, 0.45))
        pane.bar(left + 4 * e, y + 11 * e, each * 0.46, high=5, colour=on)
        brush.circle(
            left + each - 9 * e, y + 8 * e, 2.6 * e, clear(on if index == 0 else skin.second, 0.6)
        )
    top, room = y + 25 * e, high - 28 * e
    large = (wide * 0.64, room) if flat else (wide, room * 0.54)
    pane.card((x + 3 * e, top, large[0] - 6 * e, large[1]))
    pane.bar(x + 8 * e, top + 4 * e, large[0] * 0.26, high=2.6, colour=skin.ink)
    _area(pane, (x + 8 * e, top + 11 * e, large[0] - 16 * e, large[1] - 17 * e))
    if flat:
        small = (
            (x + large[0], top, wide - large[0] - 3 * e, room * 0.48),
            (x + large[0], top + room * 0.48 + 3 * e, wide - large[0] - 3 * e, room * 0.52 - 3 * e),
        )
    else:
        low, half = top + large[1] + 3 * e, wide / 2
        small = (
            (x + 3 * e, low, half - 4.5 * e, y + high - low - 3 * e),
            (x + half + 1.5 * e, low, half - 4.5 * e, y + high - low - 3 * e),
        )
    for index, part in enumerate(small):
        pane.card(part)
        if index == 0:
            _ring(pane, part[0] + part[2] / 2, part[1] + part[3] / 2, min(part[2], part[3]) * 0.36)
        else:
            _columns(pane, (part[0] + 3 * e, part[1] + 4 * e, part[2] - 6 * e, part[3] - 8 * e), 6)
