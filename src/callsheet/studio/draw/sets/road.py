"""A road: it bends to the horizon through open land, with poles, a rail and a sign along it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from callsheet.studio.draw.colour import clear, mix
from callsheet.studio.draw.nature import (
    Plain,
    conifer,
    cumulus,
    dabs,
    far_off,
    flood,
    grass,
    hills,
    many,
    measure,
    mist,
    near_by,
    plain_of,
    ridge,
    verge,
)
from callsheet.studio.draw.sky import paint_birds, paint_sky
from callsheet.studio.draw.town import paint_car, paint_lamp

if TYPE_CHECKING:
    from callsheet.studio.draw.brush import Point
    from callsheet.studio.draw.stage import Stage

GROUND = 0.88
"""Where somebody stands, as a part of the height."""
LOOK = (0.52, 0.5)
"""What the camera comes closer to."""
SPOTS = ((0.3, 0.88, 1.0), (0.64, 0.86, 0.95), (0.5, 0.74, 0.55))
_HALF = 3.6
"""Metres from the middle of the road to its edge."""
_SHIFT = 0.9
_DEEP = tuple(1.2 * 1.13**step for step in range(43))
"""Metres: where the road is measured, closer together the nearer."""


def paint(stage: Stage) -> None:
    """Land and sky, the road, then what stands along it."""
    u, y = stage.unit, stage.horizon
    flood(stage, stage.light.top)
    paint_sky(stage, down_to=y)
    cumulus(stage, count=4, top=0.1, down=0.34)
    paint_birds(stage, count=4, around=(0.66, 0.24))
    _range(stage)
    hills(stage, "far", y=y + 2 * u, rise=9 * u, depth=0.3, colour="#6a8f86")
    land = plain_of(stage, middle=0.52, eye=1.7)
    _land(stage)
    _road(stage, land)
    _poles(stage, land)
    _rail(stage, land)
    _beside(stage, land)
    _front(stage)


def _middle(z: float) -> float:
    """How far to the right the road has bent, so far away."""
    return -_SHIFT + 0.0021 * z * z - 0.0000062 * z**3


def _range(stage: Stage) -> None:
    light, u, y = stage.light, stage.unit, stage.horizon
    line = ridge(stage.chance("range"), (stage.left, stage.right), y - 8 * u, 7 * u)
    body = far_off(light, "#56749c", 0.12)
    stops = [(0.0, body), (1.0, mix(body, light.low, 0.5))]
    fill = stage.back.linear((0, y - 16 * u), (0, y), stops)
    stage.back.poly([(stage.left, y), *line, (stage.right, y)], fill)


def _land(stage: Stage) -> None:
    """Dry meadows in broad bands, the near ones darker."""
    light, u, brush, chance = stage.light, stage.unit, stage.back, stage.chance("meadow")
    top, bottom = stage.horizon, stage.bottom
    green, straw = near_by(light, "#7f9a4e"), near_by(light, "#c2a55c")
    stops = [
        (0.0, far_off(light, "#a8b478", 0.5)),
        (0.22, mix(green, straw, 0.4)),
        (1.0, light.shaded(green, 0.45)),
    ]
    brush.rect(
        stage.left,
        top,
        stage.right - stage.left,
        bottom - top,
        brush.linear((0, top), (0, bottom), stops),
    )
    for index in range(6):
        y = top + (bottom - top) * (0.05 + 0.1 * index**1.5 / 2)
        fill = clear(straw if index % 2 else light.shaded(green, 0.3), 0.42)
        spots = [
            (
                chance.uniform(stage.left, stage.right),
                y,
                chance.uniform(20, 50) * u,
                (0.5 + 0.6 * index) * u,
            )
            for _ in range(3)
        ]
        dabs(brush, spots, fill)
    mist(stage, brush, top, 4.5 * u, 0.55)


def _ribbon(land: Plain, left: float, right: float) -> list[Point]:
    """A strip along the road between two distances from its middle."""
    there = [land(_middle(z) + left, z) for z in _DEEP]
    return there + [land(_middle(z) + right, z) for z in reversed(_DEEP)]


def _road(stage: Stage, land: Plain) -> None:
    light, brush = stage.light, stage.back
    top, bottom = stage.horizon, stage.bottom
    grey = mix(near_by(light, "#565a62"), light.ink, 0.18)
    far = mix(far_off(light, "#8d8f94", 0.45), light.low, 0.35)
    gravel = near_by(light, "#a08d72")
    ends = (0, top), (0, bottom)
    brush.poly(
        _ribbon(land, -_HALF - 0.9, _HALF + 0.9),
        brush.linear(*ends, [(0.0, far), (0.3, gravel), (1.0, light.shaded(gravel, 0.4))]),
    )
    brush.poly(
        _ribbon(land, -_HALF, _HALF),
        brush.linear(
            *ends, [(0.0, far), (0.25, mix(grey, far, 0.3)), (1.0, light.shaded(grey, 0.35))]
        ),
    )
    sheen = clear(mix(light.low, light.glow, 0.5), 0.34)
    for left, right in ((-2.5, -1.2), (1.0, 2.3)):
        brush.poly(
            _ribbon(land, left, right),
            brush.linear(
                *ends, [(0.0, sheen), (0.5, clear(light.low, 0.1)), (1.0, clear(light.low, 0))]
            ),
        )
    white, yellow = near_by(light, "#f1f1ea"), near_by(light, "#f0b93a")
    for left in (-_HALF + 0.22, _HALF - 0.36):
        brush.poly(_ribbon(land, left, left + 0.14), white)
    dashes = []
    for index in range(24):
        z = 2.2 + 5.4 * index
        near, then = (land(_middle(at), at) for at in (z, z + 2.6))
        half, less = land.size(0.075, z), land.size(0.075, z + 2.6)
        dashes.append(
            [
                (near[0] - half, near[1]),
                (then[0] - less, then[1]),
                (then[0] + less, then[1]),
                (near[0] + half, near[1]),
            ]
        )
    many(brush, dashes, yellow)


def _poles(stage: Stage, land: Plain) -> None:
    """Wooden poles on the left, smaller and smaller, their wires sagging."""
    light, brush = stage.light, stage.middle
    places = [(_middle(z) - _HALF - 3.2, z) for z in (6.5, 13.5, 23, 36, 54, 80, 120)]
    for index, (x, z) in enumerate(reversed(places)):
        body = mix(
            far_off(light, "#6b5a4c", 0.4),
            light.shaded(near_by(light, "#5d4c40"), 0.35),
            min((index + 1) / 6, 1),
        )
        (foot_x, foot), (_, top) = land(x, z), land(x, z, 7.2)
        wide = max(land.size(0.11, z), 0.8)
        brush.rect(foot_x - wide, top, 2 * wide, foot - top, body)
        edge = foot_x + (wide * 0.3 if light.side > 0 else -wide)
        brush.rect(edge, top, wide * 0.7, foot - top, light.lit(body, 0.35))
        beam = land.size(1.0, z)
        brush.rect(
            foot_x - beam, top + land.size(0.55, z), 2 * beam, max(land.size(0.16, z), 0.8), body
        )
    for side in (-0.9, 0.9):
        for (x, z), (then, away) in itertools.pairwise(places):
            one, two = land(x + side, z, 6.75), land(then + side, away, 6.75)
            low = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2 + land.size(0.8, (z + away) / 2)
            brush.curve([one, low, two], clear(light.ink, 0.55), max(land.size(0.025, z), 0.6))


def _rail(stage: Stage, land: Plain) -> None:
    """The guard rail on the outside of the bend."""
    light, brush = stage.light, stage.middle
    steel = near_by(light, "#aeb5bb")
    line = [(_middle(z) + _HALF + 0.75, z) for z in _DEEP[5:38]]
    posts = [(_middle(z) + _HALF + 0.8, z) for z in (3.0, 5.2, 7.6, 10.4, 13.8, 18, 23, 30, 40, 54)]
    many(
        brush,
        [
            [land(x - 0.06, z), land(x - 0.06, z, 0.7), land(x + 0.06, z, 0.7), land(x + 0.06, z)]
            for x, z in posts
        ],
        light.shaded(steel, 0.55),
    )
    for low, high, fill in (
        (0.45, 0.78, steel),
        (0.45, 0.55, light.shaded(steel, 0.45)),
        (0.6, 0.66, light.shaded(steel, 0.35)),
        (0.73, 0.78, light.lit(steel, 0.55)),
    ):
        brush.poly(
            [land(x, z, high) for x, z in line] + [land(x, z, low) for x, z in reversed(line)], fill
        )
    for x, z in posts[1::2]:
        mark = land(x - 0.05, z, 0.86)
        brush.circle(
            *mark, land.size(0.055, z), mix(near_by(light, "#e8662f"), "#ffb060", light.lamps * 0.6)
        )


def _beside(stage: Stage, land: Plain) -> None:
    """A sign with the film's colour, firs, a car far off; lamps along a road at night."""
    light, brush = stage.light, stage.middle
    u = measure(stage)
    x, y = land(_middle(30) + 1.8, 30)
    paint_car(stage.back, light, x=x, foot=y, wide=land.size(1.9, 30), colour="#a8473c")
    for dx, z, high in (
        (9, 26, 7),
        (12, 31, 9),
        (16, 40, 8),
        (10.5, 46, 8.5),
        (-14, 38, 8),
        (-17, 46, 9.5),
    ):
        fx, fy = land(_middle(z) + dx, z)
        conifer(
            stage.back,
            light,
            at=(fx, fy),
            high=land.size(high, z),
            colour=far_off(light, "#355c40", 0.96 - z / 160),
        )
    _bales(stage, land)
    if light.lamps == 1:
        for z in (48, 27, 15):
            lx, ly = land(_middle(z) + _HALF + 1.1, z)
            paint_lamp(brush, light, x=lx, foot=ly, high=land.size(7.5, z), arm=-1)
    sx, sy = land(_middle(12.5) + _HALF + 2.4, 12.5)
    size = land.size(1.0, 12.5)
    brush.rect(sx - 0.05 * size, sy - 2.9 * size, 0.1 * size, 2.9 * size, near_by(light, "#8b9197"))
    board = near_by(light, mix(stage.accent, "#2b6f8a", 0.25))
    brush.rect(
        sx - 0.85 * size,
        sy - 3.4 * size,
        1.7 * size,
        1.15 * size,
        near_by(light, "#f4f4ee"),
        radius=0.12 * size,
    )
    brush.rect(
        sx - 0.79 * size, sy - 3.34 * size, 1.58 * size, 1.03 * size, board, radius=0.09 * size
    )
    arrow = [
        (-0.5, 2.62),
        (0.1, 2.62),
        (0.1, 2.46),
        (0.5, 2.74),
        (0.1, 3.02),
        (0.1, 2.86),
        (-0.5, 2.86),
    ]
    brush.poly([(sx + dx * size, sy - dy * size) for dx, dy in arrow], near_by(light, "#f4f4ee"))
    tuft = near_by(light, "#8a8f4a")
    grass(
        brush,
        stage.chance("tuft"),
        where=(sx - 3 * u, sx + 3 * u, sy + 0.4 * u),
        high=(u, 3 * u),
        fill=light.shaded(tuft, 0.3),
        count=30,
    )


def _bales(stage: Stage, land: Plain) -> None:
    """Straw, rolled up on the stubble; each with its shadow."""
    light, brush = stage.light, stage.back
    straw = near_by(light, "#d2ab58")
    for x, z in ((-19, 40), (-12.5, 27), (-9.5, 18.5), (17, 21)):
        px, py = land(_middle(z) + x, z)
        size = land.size(0.85, z)
        shade = px - light.side * size * 1.1
        dabs(brush, [(shade, py + size * 0.02, size * 1.7, size * 0.2)], clear(light.ink, 0.26))
        body = far_off(light, "#d2ab58", 0.97 - z / 160)
        stops = [(0.0, light.lit(body, 0.3)), (1.0, light.shaded(body, 0.5))]
        fill = brush.linear((0, py - 2 * size), (0, py), stops)
        brush.rect(
            px - 0.3 * size, py - 1.84 * size, 1.6 * size, 1.84 * size, fill, radius=0.7 * size
        )
        dabs(
            brush,
            [(px - 0.1 * size, py - 0.92 * size, 0.78 * size, 0.92 * size)],
            mix(body, straw, 0.4),
        )
        dabs(
            brush,
            [(px - 0.1 * size, py - 0.92 * size, 0.46 * size, 0.56 * size)],
            light.shaded(body, 0.2),
        )
        dabs(
            brush,
            [(px - 0.1 * size, py - 0.92 * size, 0.2 * size, 0.26 * size)],
            light.lit(body, 0.1),
        )


def _front(stage: Stage) -> None:
    for side, wide in ((-1, 0.14), (1, 0.1)):
        verge(stage, side, wide=wide, high=15 * stage.unit, colour="#5b6a34")
