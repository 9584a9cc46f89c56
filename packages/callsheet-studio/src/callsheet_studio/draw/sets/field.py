"""A field: rows that run to the horizon, hedges, a farm far off, and a single tree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.groves import (
    paint_grass,
    paint_meadow,
    paint_orchard,
    paint_park,
    paint_trees,
    paint_vineyard,
    tufts,
)
from callsheet_studio.draw.nature import (
    Plain,
    broadleaf,
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
    verge,
    wood,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
"""Where somebody stands, as a part of the height."""
LOOK = (0.6, 0.5)
"""What the camera comes closer to."""
SPOTS = ((0.36, 0.9, 1.0), (0.56, 0.88, 0.95), (0.22, 0.82, 0.7))
_GROWN = {"orchard": paint_orchard, "vineyard": paint_vineyard, "park": paint_park}
"""Fields that are none."""
_GROWN_BESIDE = {"orchard": paint_trees, "vineyard": paint_vineyard, "park": paint_meadow}
"""The same from another side."""
_AWAY = 0.6
"""Where the rows meet, as a part of the width."""
_TREE = 0.76


def paint(stage: Stage) -> None:
    """Sky and hills, the rows, the tree with its shadow, flowers before the camera."""
    grown = _GROWN.get(stage.kind)
    if grown is not None:
        grown(stage)
        return
    flood(stage, stage.light.top)
    paint_sky(stage, down_to=stage.horizon)
    cumulus(stage, count=5, top=0.08, down=0.36)
    paint_birds(stage, count=5, around=(0.3, 0.22))
    u = stage.unit
    hills(stage, "far", y=stage.horizon + 2 * u, rise=11 * u, depth=0.16, colour="#5c86a0")
    hills(stage, "near", y=stage.horizon + 2 * u, rise=6 * u, depth=0.42, colour="#6f9a5c")
    if stage.mentions("wind", "turbine", "energy", "energie"):
        _turbines(stage)
    _land(stage)
    _farm(stage)
    _tree(stage)
    _fence(stage)
    _front(stage)


def _land(stage: Stage) -> None:
    """The hedge, then furrow and row in turn, from the horizon to below the camera."""
    light, u, brush = stage.light, stage.unit, stage.back
    land = plain_of(stage, middle=_AWAY)
    top = stage.horizon
    earth = near_by(light, "#7c5b3c")
    green = near_by(light, "#7ea544")
    haze = mix(far_off(light, "#a3b866", 0.5), light.low, 0.25)
    stops = [(0.0, haze), (0.2, mix(earth, haze, 0.45)), (1.0, light.shaded(earth, 0.25))]
    wide = stage.right - stage.left
    brush.rect(
        stage.left, top, wide, stage.bottom - top, brush.linear((0, top), (0, stage.bottom), stops)
    )
    rows, lit, dark = [], [], []
    near, far = 2.0, 120.0
    side = 1 if light.side > 0 else -1
    for index in range(-26, 20):
        x = index * 0.92
        rows.append(_strip(land, x - 0.3, x + 0.3, near, far))
        lit.append(_strip(land, x + side * 0.02, x + side * 0.26, near, far))
        dark.append(_strip(land, x - side * 0.3, x - side * 0.46, near, far))
    ends = (0, top), (0, stage.bottom)
    many(brush, dark, clear(light.ink, 0.24))
    many(
        brush,
        rows,
        brush.linear(
            *ends, [(0.0, haze), (0.16, mix(green, haze, 0.5)), (1.0, light.shaded(green, 0.3))]
        ),
    )
    many(
        brush,
        lit,
        brush.linear(
            *ends,
            [
                (0.0, haze),
                (0.16, mix(light.lit(green, 0.3), haze, 0.4)),
                (1.0, light.lit(green, 0.22)),
            ],
        ),
    )
    _leaves(stage, land, green)
    mist(stage, brush, top + 1.5 * u, 5 * u, 0.5)
    hedge = far_off(light, "#3f6a3c", 0.55)
    wood(
        stage,
        "hedge",
        y=top + 0.8 * u,
        high=4.2 * u,
        fill=brush.linear(
            (0, top - 3 * u),
            (0, top + u),
            [(0.0, light.lit(hedge, 0.1)), (1.0, light.shaded(hedge, 0.3))],
        ),
        firs=False,
    )


def _strip(land: Plain, left: float, right: float, near: float, far: float) -> list[Point]:
    return [land(left, near), land(left, far), land(right, far), land(right, near)]


def _leaves(stage: Stage, land: Plain, green: str) -> None:
    """Tufts along the near rows, so that they are plants and not stripes."""
    light, brush, chance = stage.light, stage.back, stage.chance("leaves")
    for fill, lift in ((light.shaded(green, 0.4), 0.0), (light.lit(green, 0.34), 0.05)):
        tufts = []
        for _ in range(130):
            z = 2.4 + 8 * chance.random() ** 1.5
            x, y = land(
                round(chance.uniform(-1.2, 0.9) * z) * 0.92 + chance.uniform(-0.2, 0.2), z, lift
            )
            size = land.size(chance.uniform(0.05, 0.09), z)
            tufts.append(
                [
                    (x - size * 1.2, y - size * 0.9),
                    (x, y),
                    (x + size * 1.1, y - size),
                    (x, y - size * 0.4),
                ]
            )
        many(brush, tufts, fill)


def _farm(stage: Stage) -> None:
    light, u, brush = stage.light, measure(stage), stage.back
    x, foot = stage.x(0.3), stage.horizon + 0.6 * u
    wall, roof = far_off(light, "#e6d9c4", 0.62), far_off(light, "#9c4a38", 0.66)
    bright, dark = light.lit(wall, 0.3), light.shaded(wall, 0.22)
    brush.poly(
        [
            (x, foot),
            (x, foot - 3.4 * u),
            (x + 2.2 * u, foot - 5.6 * u),
            (x + 4.4 * u, foot - 3.4 * u),
            (x + 4.4 * u, foot),
        ],
        bright if light.side < 0 else dark,
    )
    brush.rect(x + 4.4 * u, foot - 3.4 * u, 8 * u, 3.4 * u, dark if light.side < 0 else bright)
    brush.poly(
        [
            (x + 2.2 * u, foot - 5.9 * u),
            (x + 10.4 * u, foot - 5.9 * u),
            (x + 12.9 * u, foot - 3.2 * u),
            (x + 4.6 * u, foot - 3.2 * u),
        ],
        roof,
    )
    for offset in (5.6, 7.8, 10):
        pane = mix(light.shaded(wall, 0.6), "#ffd27c", light.lamps)
        brush.rect(x + offset * u, foot - 2.4 * u, 0.9 * u, 1.2 * u, pane)
    if light.lamps > 0:
        brush.glow(x + 8 * u, foot - 2 * u, 8 * u, "#ffcf80", 0.45 * light.lamps)
    leaf = far_off(light, "#4f7d45", 0.6)
    for dx, high in ((-3, 9), (14.5, 7.5)):
        broadleaf(
            brush,
            light,
            stage.chance(f"yard{dx}"),
            at=(x + dx * u, foot + 0.3 * u),
            high=high * u,
            colour=leaf,
        )


def _tree(stage: Stage) -> None:
    """The one that holds the picture; its shadow lies away from the light."""
    light, u, brush = stage.light, measure(stage), stage.middle
    x, foot, high = stage.x(_TREE), stage.horizon + 8 * u, 46 * u
    way = -1 if light.side > 0 else 1
    ink = clear(light.shaded(light.near, 0.6), 0.16 + 0.3 * light.hard)
    dabs(
        brush,
        [
            (x + way * share * u, foot + dy * u, rx * u, ry * u)
            for share, dy, rx, ry in ((9, 1.4, 15, 1.9), (20, 2.4, 13, 1.7))
        ],
        ink,
    )
    colour = near_by(light, "#5d8c3a")
    broadleaf(brush, light, stage.chance("tree"), at=(x, foot), high=high, colour=colour)
    tuft = near_by(light, "#7f9a45")
    grass(
        brush,
        stage.chance("foot"),
        where=(x - 5 * u, x + 5 * u, foot + 0.8 * u),
        high=(1 * u, 2.8 * u),
        fill=light.shaded(tuft, 0.3),
        count=40,
    )


def _fence(stage: Stage) -> None:
    """Posts and two wires that come towards us on the left."""
    light, brush = stage.light, stage.middle
    land = plain_of(stage, middle=_AWAY)
    timber = near_by(light, "#8a7460")
    left = -(stage.x(_AWAY) - stage.left) / land.focal
    tops = []
    for index in range(12):
        z = 3.2 * 1.32**index
        x = -2.2 - abs(left) * 2.6
        post, foot = land(x, z, 1.15), land(x, z)
        wide = land.size(0.07, z)
        body = mix(timber, far_off(light, "#8a7460", 0.5), min(index / 9, 1))
        brush.rect(foot[0] - wide, post[1], 2 * wide, foot[1] - post[1], light.shaded(body, 0.3))
        edge = foot[0] + (wide * 0.2 if light.side > 0 else -wide)
        brush.rect(edge, post[1], 0.8 * wide, foot[1] - post[1], light.lit(body, 0.3))
        tops.append((x, z))
    for high, thick in ((1.0, 0.02), (0.6, 0.018)):
        wire = [land(x, z, high) for x, z in tops]
        brush.line(wire, clear(light.shaded(timber, 0.4), 0.85), land.size(thick, 6))


def _turbines(stage: Stage) -> None:
    light, u, brush = stage.light, measure(stage), stage.back
    white = far_off(light, "#f2f4f3", 0.55)
    for share, size, turn in ((0.12, 22, 0.3), (0.44, 17, 1.1), (0.53, 13, 0.7)):
        x, foot = stage.x(share), stage.horizon
        hub = foot - size * u
        brush.poly(
            [(x - 0.35 * u, foot), (x - 0.16 * u, hub), (x + 0.16 * u, hub), (x + 0.35 * u, foot)],
            light.shaded(white, 0.12),
        )
        for blade in range(3):
            angle = turn + blade * math.tau / 3
            tip = x + math.cos(angle) * size * 0.52 * u, hub + math.sin(angle) * size * 0.52 * u
            across = math.cos(angle + 1.57) * 0.4 * u, math.sin(angle + 1.57) * 0.4 * u
            brush.poly(
                [
                    (x, hub),
                    (x + (tip[0] - x) * 0.2 + across[0], hub + (tip[1] - hub) * 0.2 + across[1]),
                    tip,
                ],
                white,
            )


def _front(stage: Stage) -> None:
    """Grass and poppies in both lower corners."""
    light, u, brush, chance = stage.light, stage.unit, stage.front, stage.chance("front")
    bloom = near_by(light, mix("#d8452f", stage.accent, 0.3))
    for side, wide in ((-1, 0.16), (1, 0.14)):
        verge(stage, side, wide=wide, high=19 * u, colour="#4b6a2c")
        edge = 0 if side < 0 else stage.width
        heads = [
            (
                edge - side * chance.uniform(-4, 0.13 * stage.width / u) * u,
                stage.height - chance.uniform(4, 15) * u,
            )
            for _ in range(8)
        ]
        stem = mix(near_by(light, "#4b6a2c"), light.ink, 0.4)
        many(
            brush,
            [
                [(x - 0.12 * u, y), (x + 0.12 * u, y), (x - u, stage.height + 4 * u)]
                for x, y in heads
            ],
            stem,
        )
        dabs(brush, [(x, y, 1.5 * u, 1.1 * u) for x, y in heads], light.shaded(bloom, 0.2))
        dabs(
            brush,
            [(x + 0.3 * light.side * u, y - 0.35 * u, 1.0 * u, 0.6 * u) for x, y in heads],
            lighter(bloom, 0.12),
        )


# Other sides


def _to_barn(stage: Stage) -> None:
    """The farm close by: a barn, bales, a gate; elsewhere, what is grown from its other side."""
    grown = _GROWN_BESIDE.get(stage.kind)
    if grown is not None:
        grown(stage)
        return
    paint_grass(stage, colour="#c0b25c", rise=7)
    tufts(stage, plain_of(stage, middle=0.5), "#b9a94f")
    light, u = stage.light, measure(stage)
    _barn(stage, (stage.x(0.66), stage.horizon + 5 * u))
    for share, size in ((0.1, 1.0), (0.24, 0.8), (0.92, 1.3)):
        _bale(stage, (stage.x(share), stage.horizon + (7 + 5 * size) * u), 6.5 * size * u)
    for share, high in ((0.02, 40), (0.36, 26), (0.98, 34)):
        x, foot = stage.x(share), stage.horizon + 4 * u
        broadleaf(
            stage.back,
            light,
            stage.chance(f"yard{share}"),
            at=(x, foot),
            high=high * u,
            colour=far_off(light, "#5d8c3a", 0.85),
        )
    _gate(stage, stage.horizon + 13 * stage.unit)
    verge(stage, -1, wide=0.16, high=17 * stage.unit, colour="#5f6a2c")


def _barn(stage: Stage, at: Point) -> None:
    """Red boards, white edges, a door that stands open."""
    light, u, brush, (x, y) = stage.light, measure(stage), stage.back, at
    red, white = far_off(light, "#a8452f", 0.85), far_off(light, "#f0e9dc", 0.85)
    front, side = light.lit(red, 0.12), light.shaded(red, 0.3)
    if light.side > 0:
        front, side = side, front
    brush.poly([(x - 15 * u, y), (x - 15 * u, y - 17 * u), (x, y - 27 * u), (x, y)], front)
    brush.poly([(x + 15 * u, y), (x + 15 * u, y - 17 * u), (x, y - 27 * u), (x, y)], front)
    brush.rect(x + 15 * u, y - 17 * u, 26 * u, 17 * u, side)
    roof = far_off(light, "#6a5a58", 0.85)
    brush.poly(
        [
            (x, y - 27.6 * u),
            (x + 27 * u, y - 27.6 * u),
            (x + 43 * u, y - 16.4 * u),
            (x + 15 * u, y - 16.4 * u),
        ],
        light.lit(roof, 0.14),
    )
    brush.line(
        [(x - 16.4 * u, y - 16.2 * u), (x, y - 27.4 * u), (x + 16.4 * u, y - 16.2 * u)],
        white,
        1.0 * u,
    )
    boards = [
        [
            (x + k * u, y),
            (x + (k + 0.16) * u, y),
            (x + (k + 0.16) * u, y - 17 * u),
            (x + k * u, y - 17 * u),
        ]
        for k in range(-14, 41, 2)
    ]
    many(brush, boards, clear(light.ink, 0.16))
    brush.rect(x - 5 * u, y - 12 * u, 10 * u, 12 * u, light.shaded(red, 0.7))
    for edge in ((x - 5.4 * u, 0.8 * u), (x + 4.6 * u, 0.8 * u)):
        brush.rect(edge[0], y - 12.4 * u, edge[1], 12.4 * u, white)
    brush.rect(x - 5.4 * u, y - 12.6 * u, 10.8 * u, 0.8 * u, white)
    brush.rect(x - 1.8 * u, y - 20 * u, 3.6 * u, 3.6 * u, white)
    brush.rect(x - 1.3 * u, y - 19.5 * u, 2.6 * u, 2.6 * u, light.shaded(red, 0.65))
    for dx in (21, 31):
        pane = mix(light.shaded(red, 0.6), "#ffd27c", light.lamps)
        brush.rect(x + dx * u, y - 11 * u, 3.4 * u, 3.6 * u, white)
        brush.rect(x + (dx + 0.5) * u, y - 10.5 * u, 2.4 * u, 2.6 * u, pane)


def _bale(stage: Stage, at: Point, size: float) -> None:
    light, brush, (x, y) = stage.light, stage.back, at
    straw = near_by(light, "#d2ab58")
    dabs(brush, [(x - light.side * size * 0.6, y, size * 1.3, size * 0.14)], clear(light.ink, 0.26))
    stops = [(0.0, light.lit(straw, 0.3)), (1.0, light.shaded(straw, 0.5))]
    fill = brush.linear((0, y - 1.6 * size), (0, y), stops)
    brush.rect(x - 0.2 * size, y - 1.6 * size, 1.4 * size, 1.6 * size, fill, radius=0.6 * size)
    for share, tone in ((0.8, straw), (0.5, light.shaded(straw, 0.2)), (0.22, straw)):
        dabs(brush, [(x, y - 0.8 * size, 0.66 * share * size, 0.8 * share * size)], tone)


def _gate(stage: Stage, y: float) -> None:
    """A gate of five bars across the picture, a post at each end of it."""
    light, brush, u = stage.light, stage.middle, measure(stage)
    timber = near_by(light, "#8a7460")
    left, right = stage.x(0.04), stage.x(0.4)
    for row in range(5):
        up = y - (2 + row * 3) * u
        brush.rect(left, up, right - left, 1.0 * u, light.shaded(timber, 0.22))
        brush.rect(left, up, right - left, 0.35 * u, light.lit(timber, 0.3))
    brush.line([(left, y - 2 * u), (right, y - 14 * u)], light.shaded(timber, 0.3), 0.9 * u)
    for x in (left, right):
        brush.rect(x - 1.1 * u, y - 18 * u, 2.2 * u, 19 * u, light.shaded(timber, 0.3))
        edge = x + (0.2 * u if light.side > 0 else -1.1 * u)
        brush.rect(edge, y - 18 * u, 0.9 * u, 19 * u, light.lit(timber, 0.3))


SIDES = (_to_barn,)
