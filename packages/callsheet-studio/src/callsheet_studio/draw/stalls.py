"""Stalls of a market: a striped roof on four poles, boxes of what the season gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.nature import dabs, near_by

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.stage import Stage

_GOODS = ("#c8352b", "#e59a2f", "#6f9a3a", "#e8c23c", "#7a3f6a", "#d9782f")


def paint_stall(
    stage: Stage, brush: Brush, at: Point, metre: float, *, cloth: str, seed: str = "stall"
) -> None:
    """One stall; `at` is the middle of its foot, `metre` how many pixels a metre is there."""
    light, m, chance, (x, y) = stage.light, metre, stage.chance(seed), at
    wood, tone = near_by(light, "#9a7450"), near_by(light, cloth)
    pale = mix(tone, near_by(light, "#f6efe0"), 0.85)
    dabs(brush, [(x, y, 1.9 * m, 0.16 * m)], clear(light.ink, 0.34))
    for dx in (-1.45, 1.39):
        brush.rect(x + dx * m, y - 2.5 * m, 0.06 * m, 2.5 * m, light.shaded(wood, 0.35))
    brush.rect(x - 1.45 * m, y - 2.2 * m, 2.9 * m, 1.3 * m, clear(light.ink, 0.32))
    brush.rect(x - 1.55 * m, y - 0.95 * m, 3.1 * m, 0.95 * m, light.shaded(wood, 0.12))
    for step in range(1, 8):
        brush.rect(
            x + (-1.55 + step * 0.39) * m, y - 0.95 * m, 0.03 * m, 0.95 * m, clear(light.ink, 0.3)
        )
    for index in range(5):
        left = x + (-1.48 + index * 0.6) * m
        fruit = near_by(light, _GOODS[(index + chance.randrange(6)) % 6])
        heap = [
            (
                left + (0.1 + 0.11 * (step % 4)) * m,
                y - (1.16 + 0.09 * (step // 4)) * m,
                0.075 * m,
                0.07 * m,
            )
            for step in range(8)
        ]
        dabs(brush, heap, light.shaded(fruit, 0.12))
        dabs(
            brush,
            [
                (px + 0.02 * light.side * m, py - 0.02 * m, 0.03 * m, 0.025 * m)
                for px, py, _, _ in heap
            ],
            light.lit(fruit, 0.45),
        )
        brush.rect(left, y - 1.12 * m, 0.55 * m, 0.2 * m, light.lit(wood, 0.2))
        brush.rect(left, y - 1.0 * m, 0.55 * m, 0.03 * m, clear(light.ink, 0.3))
    for index in range(8):
        one, two = x + (-1.75 + index * 0.4375) * m, x + (-1.75 + (index + 1) * 0.4375) * m
        fill = tone if index % 2 else pale
        top = y - 3.0 * m
        roof = [
            (one * 0.86 + x * 0.14, top),
            (two * 0.86 + x * 0.14, top),
            (two, y - 2.4 * m),
            (one, y - 2.4 * m),
        ]
        brush.poly(roof, light.lit(fill, 0.1))
        brush.ellipse(
            (one + two) / 2, y - 2.4 * m, (two - one) / 2, 0.12 * m, light.shaded(fill, 0.16)
        )
    if light.lamps > 0:
        brush.glow(x, y - 1.8 * m, 2.0 * m, "#ffdb9a", 0.6 * light.lamps)
