"""The coast from its other side: sand, the line of the surf, huts before the dunes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import (
    cumulus,
    dabs,
    far_off,
    flood,
    grass,
    hills,
    many,
    measure,
    near_by,
    plain_of,
    sun_at,
    verge,
    water,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

_HUTS = ("#3f7f9d", "#f0e9dc", "#c8513f", "#f0e9dc", "#d9a33c", "#5f8a6a")
_TURN = 0.46
"""Where the water ends at the horizon, as a part of the width."""


def paint_beach(stage: Stage) -> None:
    """Along the shore: water on the left, sand before us, huts and dunes on the right."""
    light, u = stage.light, stage.unit
    top = stage.horizon
    flood(stage, light.near)
    paint_sky(stage, down_to=top)
    cumulus(stage, count=5, top=0.1, down=0.38)
    paint_birds(stage, count=7, around=(0.3, 0.22))
    hills(stage, "cape", y=top + u, rise=5 * u, depth=0.2, colour="#5f7d8f")
    water(stage, stage.back, top=top, sun=sun_at(light))
    _sand(stage)
    _dunes(stage)
    _huts(stage)
    _posts(stage)
    verge(stage, 1, wide=0.2, high=17 * u, colour="#6a7048")


def _shore(stage: Stage) -> list[Point]:
    """Where water meets sand, from far to near."""
    top, bottom = stage.horizon, stage.bottom
    away = ((_TURN, 0.0), (0.43, 0.06), (0.4, 0.14), (0.33, 0.28), (0.3, 0.42), (0.12, 0.66))
    found = [(stage.x(share), top + (bottom - top) * down) for share, down in away]
    return [*found, (stage.left, top + (bottom - top) * 0.86)]


def _sand(stage: Stage) -> None:
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("sand")
    sand = near_by(light, "#dcc596")
    shore = _shore(stage)
    stops = [
        (0.0, mix(far_off(light, "#dcc596", 0.5), light.low, 0.3)),
        (0.3, light.lit(sand, 0.16)),
        (1.0, light.shaded(sand, 0.3)),
    ]
    fill = brush.linear((0, stage.horizon), (0, stage.bottom), stops)
    land = [*shore, (stage.left, stage.bottom), (stage.right, stage.bottom)]
    brush.shape(
        [*land, (stage.right, stage.horizon)],
        fill,
        corners=(0, len(shore) - 1, len(shore), len(shore) + 1, len(shore) + 2),
    )
    brush.curve(shore, clear(light.shaded(sand, 0.5), 0.4), 3.0 * u)
    waves = ((1.2, 1.5, 0.6), (0.9, 0.6, 0.9), (-2.4, 0.7, 0.5), (-5.0, 0.5, 0.3))
    for shift, wide, alpha in waves:
        foam = [(x - shift * u, y - 0.25 * shift * u) for x, y in shore]
        brush.curve(foam, clear(lighter(light.low, 0.4), alpha), wide * u)
    ripples = [
        (
            chance.uniform(stage.x(0.2), stage.right),
            stage.horizon + (stage.bottom - stage.horizon) * chance.uniform(0.3, 1.0),
            chance.uniform(3, 11) * u,
            0.28 * u,
        )
        for _ in range(60)
    ]
    dabs(brush, ripples, clear(light.shaded(sand, 0.5), 0.16))


def _dunes(stage: Stage) -> None:
    """Two backs of sand with grass on them."""
    light, u, brush = stage.light, measure(stage), stage.back
    for start, rise, depth, foot in ((0.5, 10, 0.55, 1.5), (0.7, 15, 0.8, 5.5)):
        x, y = stage.x(start), stage.horizon + foot * u
        reach = stage.right - x
        crest = [
            (x, y),
            (x + reach * 0.2, y - rise * 0.45 * u),
            (x + reach * 0.45, y - rise * 0.7 * u),
            (x + reach * 0.7, y - rise * u),
            (stage.right, y - rise * 0.9 * u),
        ]
        body = far_off(light, "#d8c08e", depth)
        fill = brush.linear((0, y - rise * u), (0, y), [(0.0, light.lit(body, 0.2)), (1.0, body)])
        brush.shape([*crest, (stage.right, y + 4 * u)], fill, corners=(0, 4, 5))
        green = far_off(light, "#7d8a52", depth)
        for px, py in crest[1:]:
            where = (px - 12 * u, px + 12 * u, py + 1.2 * u)
            grass(brush, stage.chance(f"dune{px:.0f}"), where=where, high=(u, 4 * u), fill=green)


def _huts(stage: Stage) -> None:
    """Huts in a row before the dunes, each in its own colour."""
    light, u, brush = stage.light, measure(stage), stage.middle
    for index in range(6):
        size = 0.62 + 0.13 * index
        x = stage.x(0.56) + sum(13 * (0.62 + 0.13 * each) for each in range(index)) * u
        foot = stage.horizon + (3.4 + 1.25 * index) * u
        tone = near_by(light, mix(_HUTS[index], stage.accent, 0.12))
        wide, high = 10 * size * u, 11 * size * u
        dabs(
            brush,
            [(x + wide / 2 - light.side * 3 * u, foot, wide * 0.7, 0.9 * size * u)],
            clear(light.ink, 0.28),
        )
        lit = light.lit(tone, 0.14)
        brush.rect(x, foot - high, wide, high, lit)
        boards = [
            [(at, foot - high), (at + 0.14 * u, foot - high), (at + 0.14 * u, foot), (at, foot)]
            for at in (x + wide * step / 7 for step in range(1, 7))
        ]
        many(brush, boards, clear(light.ink, 0.14))
        roof = [
            (x - 0.8 * size * u, foot - high + 0.3 * u),
            (x + wide / 2, foot - high - 5 * size * u),
            (x + wide + 0.8 * size * u, foot - high + 0.3 * u),
        ]
        brush.poly(roof, light.shaded(near_by(light, "#f2ece0"), 0.1))
        inner = [
            (roof[0][0] + 1.6 * size * u, roof[0][1]),
            (roof[1][0], roof[1][1] + 1.4 * size * u),
        ]
        brush.poly([*inner, (roof[2][0] - 1.6 * size * u, roof[2][1])], light.shaded(tone, 0.1))
        door = light.shaded(tone, 0.36)
        brush.rect(x + wide * 0.3, foot - high * 0.72, wide * 0.4, high * 0.72, door)
        if light.lamps > 0:
            brush.glow(x + wide / 2, foot - high * 0.6, wide, "#ffd08a", 0.4 * light.lamps)


def _posts(stage: Stage) -> None:
    """Old posts that run into the water, smaller and smaller."""
    light, brush = stage.light, stage.middle
    land = plain_of(stage, middle=0.3)
    wood = near_by(light, "#6b5a4c")
    for index in range(9):
        z = 5.0 * 1.22**index
        (x, top), (_, foot), half = land(-2.6, z, 0.9), land(-2.6, z), land.size(0.09, z)
        body = mix(wood, far_off(light, "#6b5a4c", 0.5), index / 10)
        brush.rect(x - half, top, 2 * half, foot - top, light.shaded(body, 0.3))
        edge = x + (0.2 * half if light.side > 0 else -half)
        brush.rect(edge, top, 0.8 * half, foot - top, light.lit(body, 0.25))
        dabs(brush, [(x, foot, 2.4 * half, 0.4 * half)], clear(lighter(light.low, 0.3), 0.6))
