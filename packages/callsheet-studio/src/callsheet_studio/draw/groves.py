"""What grows in rows: an orchard with its fruit, a vineyard; and a park to walk in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.nature import (
    Plain,
    broadleaf,
    cumulus,
    dabs,
    far_off,
    flood,
    grass,
    hills,
    leaves,
    many,
    measure,
    mist,
    near_by,
    plain_of,
    verge,
    wood,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky
from callsheet_studio.draw.town import paint_lamp

if TYPE_CHECKING:
    import random

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

_Dab: TypeAlias = tuple[float, float, float, float]

_DETAIL = 34.0
"""Metres: trees that are farther away are a few dabs."""
_CROWNS = (
    (((0.31, 5),), 1.0, 0),
    (((0.31, 9),), 1.0, 7),
    (((0.34, 12), (0.22, 6)), 0.74, 10),
)
"""Rings of clumps (how far out, how many), their size, and leaves at the edge of each: of trees
that are far away, not so far, and near."""
_FRUITS = ("#c8352b", "#d9572f", "#e0b23c")
_LIT = 0.42
"""How many leaves the light falls on."""
_LANE = 2.9
"""Metres from the middle of the grass to a row of trees."""


def paint_grass(stage: Stage, *, colour: str = "#86ab4f", rise: float = 9) -> None:
    """Sky, hills, a wood far off, and a meadow before it."""
    light, u, top = stage.light, stage.unit, stage.horizon
    flood(stage, light.top)
    paint_sky(stage, down_to=top)
    cumulus(stage, count=5, top=0.08, down=0.34)
    paint_birds(stage, count=5, around=(0.3, 0.22))
    hills(stage, "far", y=top + 2 * u, rise=rise * u, depth=0.18, colour="#5c86a0")
    hills(stage, "near", y=top + 2 * u, rise=0.6 * rise * u, depth=0.42, colour="#6f9a5c")
    green, brush = near_by(light, colour), stage.back
    haze = mix(far_off(light, colour, 0.5), light.low, 0.3)
    stops = [(0.0, haze), (0.18, mix(green, haze, 0.4)), (1.0, light.shaded(green, 0.34))]
    wide = stage.right - stage.left
    fill = brush.linear((0, top), (0, stage.bottom), stops)
    brush.rect(stage.left, top, wide, stage.bottom - top, fill)
    hedge = far_off(light, "#3f6a3c", 0.5)
    wood(stage, "hedge", y=top + 0.8 * u, high=5 * u, fill=hedge, firs=False)
    mist(stage, brush, top + 1.5 * u, 5 * u, 0.45)


def tufts(stage: Stage, land: Plain, colour: str, count: int = 150) -> None:
    """Blades in the meadow, larger the nearer."""
    light, chance = stage.light, stage.chance("tufts")
    green = near_by(light, colour)
    for fill, lift in ((light.shaded(green, 0.34), 0.0), (light.lit(green, 0.26), 0.04)):
        shapes = []
        for _ in range(count):
            z = 2.4 + 14 * chance.random() ** 1.7
            x, y = land(chance.uniform(-0.9, 0.9) * z, z, lift)
            size = land.size(chance.uniform(0.05, 0.1), z)
            shapes.append(
                [(x - size, y - size * 0.8), (x, y), (x + size, y - size), (x, y - size * 0.3)]
            )
        many(stage.back, shapes, fill)


# Orchard


def paint_orchard(stage: Stage) -> None:
    """Grass between two rows of trees that run to the horizon, crates of fruit beside them."""
    paint_grass(stage)
    land = plain_of(stage, middle=0.55)
    _lane(stage, land)
    tufts(stage, land, "#8fb055")
    chance = stage.chance("orchard")
    rows = [
        (x, z)
        for z in (74.0, 56.0, 43.0, 33.0, 25.5, 19.6, 15.0, 11.4)
        for x in (-3 * _LANE, 3 * _LANE, -_LANE, _LANE)
        if abs(x) < _LANE * 2 or z < 50  # noqa: PLR2004 -- farther ones are hidden
    ]
    for x, z in rows:
        near = abs(x) < 2 * _LANE and z < 16  # noqa: PLR2004 -- the trees that hold the picture
        fruit_tree(stage, land, chance, (x + chance.uniform(-0.25, 0.25), z), near=near)
    _crates(stage, land(-_LANE - 1.7, 8.6), land.size(1.0, 8.6))
    for side in (-1, 1):
        verge(stage, side, wide=0.12, high=15 * stage.unit, colour="#4b6a2c")


def _lane(stage: Stage, land: Plain) -> None:
    """Mown stripes down the middle."""
    light, brush = stage.light, stage.back
    pale = clear(light.lit(near_by(light, "#a9c46a"), 0.2), 0.4)
    far, near = 90.0, 2.0
    for left, right in ((-1.5, -0.6), (0.5, 1.4)):
        strip = [land(left, near), land(left, far), land(right, far), land(right, near)]
        brush.poly(strip, pale)


def fruit_tree(
    stage: Stage, land: Plain, chance: random.Random, at: tuple[float, float], *, near: bool = False
) -> None:
    """A low round tree full of fruit; `at` is x and z in metres."""
    light, (x, z) = stage.light, at
    brush = stage.middle if near else stage.back
    foot = land(x, z)
    high = land.size(chance.uniform(3.5, 4.2), z)
    depth = 0.98 - min(z / 110, 0.5)
    colour = far_off(light, chance.choice(("#5d8c3a", "#669440", "#548238")), depth)
    shade = clear(light.shaded(light.near, 0.6), 0.14 + 0.26 * light.hard)
    way = -1 if light.side > 0 else 1
    spot = (foot[0] + way * 0.25 * high, foot[1], 0.52 * high, 0.05 * high)
    dabs(brush, [spot], shade)
    _trunk(brush, light, foot, high, depth)
    _crown(brush, light, chance, foot, high, colour, fine=(z < _DETAIL) + (z < _DETAIL / 2))
    if z < _DETAIL:
        kind = stage.chance("fruit").choice(_FRUITS)
        fruit = far_off(light, kind, min(depth + 0.05, 1.0))
        size = 0.016 * high
        spots = []
        for _ in range(26):
            angle, reach = chance.uniform(0, math.tau), chance.random() ** 0.5
            px = foot[0] + math.cos(angle) * reach * 0.36 * high
            py = foot[1] - (0.62 + math.sin(angle) * reach * 0.27) * high
            spots.append((px, py, size, size))
        dabs(brush, spots, fruit)
        lit = [
            (px + size * 0.3 * light.side, py - size * 0.4, size * 0.4, size * 0.35)
            for px, py, _, _ in spots
        ]
        dabs(brush, lit, light.lit(fruit, 0.5))


def _trunk(brush: Brush, light: Light, foot: Point, high: float, depth: float) -> None:
    bark = light.shaded(far_off(light, "#6b5443", depth), 0.3)
    x, y = foot
    outline = [
        (-0.05, 0),
        (-0.03, 0.2),
        (-0.16, 0.46),
        (0.0, 0.34),
        (0.15, 0.48),
        (0.035, 0.2),
        (0.05, 0),
    ]
    points = [(x + dx * high, y - dy * high) for dx, dy in outline]
    brush.shape(points, bark, corners=(0, 2, 3, 4, 6))


def _crown(  # noqa: PLR0913 -- a place, a size, a colour
    brush: Brush,
    light: Light,
    chance: random.Random,
    foot: Point,
    high: float,
    colour: str,
    *,
    fine: int,
) -> None:
    """Clumps around a middle, in three tones: the nearer, the more and the smaller ones."""
    (x, y), (rings, grain, edge) = foot, _CROWNS[fine]
    clumps = [(0.0, 0.62), (-0.14, 0.56), (0.15, 0.57), (0.0, 0.74)]
    for reach, count in rings:
        for index in range(count):
            angle = math.pi * (index / (count - 1) * 1.34 - 0.17) + chance.uniform(-0.1, 0.1)
            far = reach * chance.uniform(0.9, 1.06)
            clumps.append((math.cos(angle) * far, 0.6 + math.sin(angle) * far * 0.8))
    tones = (
        (light.shaded(colour, 0.4), 0.0, 0.15 * grain),
        (colour, 0.03, 0.105 * grain),
        (light.lit(colour, 0.14 - 0.12 * light.dark), 0.06, 0.055 * grain),
    )
    for fill, shift, size in tones:
        spots = []
        for dx, dy in clumps:
            cx = x + (dx + shift * light.side) * high
            cy = y - (dy + shift * 0.9) * high
            spots += leaves(chance, cx, cy, size * high, edge)
        dabs(brush, spots, fill)


def _crates(stage: Stage, at: Point, m: float) -> None:
    """Crates of fruit, two beside and one on them; `m` is how many pixels a metre is there."""
    light, brush, (x, y) = stage.light, stage.middle, at
    wood, fruit = near_by(light, "#b98d5a"), near_by(light, stage.chance("fruit").choice(_FRUITS))
    dabs(brush, [(x + 0.55 * m, y, 0.85 * m, 0.07 * m)], clear(light.ink, 0.32))
    for dx, row in ((0.0, 0), (0.62, 0), (0.3, 1)):
        left, top = x + dx * m, y - (row + 1) * 0.32 * m
        spots = [
            (left + (0.07 + 0.075 * step) * m, top + 0.01 * m, 0.05 * m, 0.05 * m)
            for step in range(7)
        ]
        dabs(brush, spots, fruit)
        dabs(
            brush,
            [(px, py - 0.02 * m, 0.015 * m, 0.015 * m) for px, py, _, _ in spots],
            light.lit(fruit, 0.5),
        )
        for board in (0.03, 0.13, 0.22):
            tone = light.lit(wood, 0.16) if board < 0.1 else wood  # noqa: PLR2004 -- the upper one
            brush.rect(left, top + board * m, 0.58 * m, 0.08 * m, light.shaded(tone, 0.1))
        for post in (0.0, 0.52):
            brush.rect(left + post * m, top + 0.02 * m, 0.06 * m, 0.3 * m, light.shaded(wood, 0.3))


def paint_trees(stage: Stage) -> None:
    """A row of the orchard from its side: trunk after trunk, a ladder in one of the trees."""
    light = stage.light
    paint_grass(stage, rise=6)
    land = plain_of(stage, middle=0.5)
    tufts(stage, land, "#8fb055")
    chance = stage.chance("row")
    for z, step in ((30.0, 4.4), (19.0, 4.2)):
        x = -z * 0.78 - chance.uniform(0, 2)
        while x < z * 0.78:
            fruit_tree(stage, land, chance, (x, z))
            x += step + chance.uniform(-0.3, 0.3)
    for x in (-7.4, -3.1, 1.3, 5.6):
        fruit_tree(stage, land, chance, (x, 11.0), near=True)
    _ladder(stage.middle, light, land(2.3, 10.4), land.size(1.0, 10.4))
    _crates(stage, land(-4.9, 8.6), land.size(1.0, 8.6))


def _ladder(brush: Brush, light: Light, foot: Point, m: float) -> None:
    x, y = foot
    wood = light.lit(near_by(light, "#c49a63"), 0.1)
    for dx in (0.0, 0.5):
        brush.line([(x + dx * m, y), (x + (dx * 0.6 - 0.75) * m, y - 2.9 * m)], wood, 0.07 * m)
    for step in range(1, 9):
        share = step / 9
        left = x - 0.75 * share * m
        right = x + (0.5 - (0.95) * share) * m
        brush.line(
            [(left, y - 2.9 * share * m), (right, y - 2.9 * share * m)],
            light.shaded(wood, 0.2),
            0.05 * m,
        )


# Vineyard


def paint_vineyard(stage: Stage) -> None:
    """Rows of vines on their wires, over a slope, to the horizon."""
    paint_grass(stage, colour="#93a95a", rise=17)
    land = plain_of(stage, middle=0.56)
    chance = stage.chance("vines")
    for index in sorted(range(-6, 7), key=lambda each: -abs(each + 0.5)):
        _vines(stage, land, chance, (index + 0.5) * 2.4)
    tufts(stage, land, "#a3b565", 90)
    for side in (-1, 1):
        verge(stage, side, wide=0.12, high=14 * stage.unit, colour="#5f6a2c")


def _vines(stage: Stage, land: Plain, chance: random.Random, x: float) -> None:
    """One row: a hedge of leaves between its posts, grapes in the near part."""
    light, brush = stage.light, stage.back
    far, near = 80.0, 4.2
    green, haze = near_by(light, "#6f9440"), far_off(light, "#7f9f58", 0.45)
    lit = (x > 0) == (light.side < 0)
    tone = light.lit(green, 0.12) if lit else light.shaded(green, 0.22)
    wall = [land(x, near, 0.5), land(x, near, 1.65), land(x, far, 1.65), land(x, far, 0.5)]
    stops = [(0.0, haze), (0.5, mix(tone, haze, 0.25)), (1.0, tone)]
    brush.poly(wall, brush.linear(wall[2], wall[1], stops))
    ends = ((-0.25, near), (-0.25, far), (0.25, far), (0.25, near))
    top = [land(x + dx, z, 1.65) for dx, z in ends]
    brush.poly(top, brush.linear(wall[2], wall[1], [(0.0, haze), (1.0, light.lit(green, 0.26))]))
    _posts(stage, land, x, near)
    _foliage(stage, land, chance, (x, near), tone)


def _posts(stage: Stage, land: Plain, x: float, near: float) -> None:
    posts, z = [], near
    while z < 60:  # noqa: PLR2004 -- metres
        (px, up), (_, low), half = land(x, z, 1.95), land(x, z), land.size(0.045, z)
        posts.append([(px - half, up), (px + half, up), (px + half, low), (px - half, low)])
        z *= 1.3
    many(stage.back, posts, stage.light.shaded(near_by(stage.light, "#8a7460"), 0.2))


def _foliage(
    stage: Stage, land: Plain, chance: random.Random, at: tuple[float, float], tone: str
) -> None:
    """Leaves, the lit ones over the others, and grapes that hang among them."""
    light, brush, (x, z) = stage.light, stage.back, at
    spots: list[_Dab] = []
    bright: list[_Dab] = []
    grapes: list[_Dab] = []
    while z < _DETAIL:
        for up in (0.55, 0.8, 1.05, 1.3, 1.55, 1.7):
            px, py = land(x + chance.uniform(-0.12, 0.12), z, up + chance.uniform(-0.12, 0.12))
            size = land.size(chance.uniform(0.05, 0.11), z)
            (bright if chance.random() < _LIT else spots).append((px, py, size, size * 0.8))
        if z < _DETAIL / 2 and chance.random() < _LIT:
            px, py = land(x, z + 0.2, chance.uniform(0.6, 0.95))
            berry = land.size(0.04, z)
            cluster = ((0, 0), (1.4, 0), (0.7, 1.3), (0.7, 2.6))
            grapes += [(px + dx * berry, py + dy * berry, berry, berry) for dx, dy in cluster]
        z *= 1.03
    dabs(brush, spots, light.shaded(tone, 0.14))
    dabs(brush, bright, light.lit(tone, 0.2))
    dabs(brush, grapes, near_by(light, "#4a3570"))


# Park


def paint_park(stage: Stage) -> None:
    """A lawn with a path that bends, trees in groups, a bench, a lamp."""
    light, m = stage.light, measure(stage)
    paint_grass(stage, colour="#7fa850", rise=5)
    land = plain_of(stage, middle=0.5)
    _path(stage, land)
    tufts(stage, land, "#8db45a", 100)
    for x, z, high in (
        (-13.0, 34.0, 8.0),
        (-8.0, 30.0, 7.0),
        (9.0, 36.0, 9.0),
        (15.0, 30.0, 8.0),
        (3.0, 44.0, 8.0),
    ):
        tree = land(x, z)
        colour = far_off(light, "#5d8c3a", 0.92 - z / 110)
        _shadow(stage.back, light, tree, land.size(high, z))
        broadleaf(
            stage.back,
            light,
            stage.chance(f"park{x}"),
            at=tree,
            high=land.size(high, z),
            colour=colour,
        )
    for x, z, high in ((-6.4, 12.5, 6.4), (7.0, 13.5, 7.0)):
        tree = land(x, z)
        _shadow(stage.middle, light, tree, land.size(high, z))
        broadleaf(
            stage.middle,
            light,
            stage.chance(f"near{x}"),
            at=tree,
            high=land.size(high, z),
            colour=near_by(light, "#5d8c3a"),
        )
    paint_bench(stage.middle, light, land(3.0, 9.5), land.size(1.0, 9.5))
    x, y = land(-3.6, 9.8)
    paint_lamp(stage.middle, light, x=x, foot=y, high=land.size(3.4, 9.8), arm=1)
    _beds(stage, land)
    grass(
        stage.middle,
        stage.chance("edge"),
        where=(stage.x(0.62), stage.x(0.86), y + m),
        high=(m, 3 * m),
        fill=light.shaded(near_by(light, "#7f9a45"), 0.3),
        count=30,
    )


def _shadow(brush: Brush, light: Light, foot: Point, high: float) -> None:
    way = -1 if light.side > 0 else 1
    shade = clear(light.shaded(light.near, 0.6), 0.14 + 0.26 * light.hard)
    dabs(
        brush,
        [(foot[0] + way * 0.25 * high, foot[1] + 0.01 * high, 0.42 * high, 0.045 * high)],
        shade,
    )


def _path(stage: Stage, land: Plain) -> None:
    light, brush = stage.light, stage.back
    sand = near_by(light, "#cdb88f")
    steps = [2.0 * 1.16**step for step in range(24)]

    def middle(z: float) -> float:
        return -0.4 + 2.6 * math.sin(z / 9.0) * min(z / 14, 1.4)

    left = [land(middle(z) - 1.1, z) for z in steps]
    right = [land(middle(z) + 1.1, z) for z in steps]
    stops = [(0.0, far_off(light, "#cdb88f", 0.5)), (1.0, light.lit(sand, 0.1))]
    fill = brush.linear((0, stage.horizon), (0, stage.bottom), stops)
    brush.poly([*left, *right[::-1]], fill)
    for edge in (left, right):
        brush.line(edge, clear(light.shaded(sand, 0.5), 0.4), 0.3 * stage.unit)


def paint_bench(brush: Brush, light: Light, foot: Point, m: float) -> None:
    """A bench from the front; `m` is how many pixels a metre is there."""
    x, y = foot
    wood, iron = near_by(light, "#9a6a40"), light.shaded(near_by(light, "#3b434d"), 0.3)
    dabs(brush, [(x, y, 1.1 * m, 0.08 * m)], clear(light.ink, 0.3))
    for dx in (-0.75, 0.75):
        brush.line([(x + dx * m, y), (x + dx * m, y - 0.86 * m)], iron, 0.06 * m)
        brush.line([(x + (dx - 0.05) * m, y + 0.06 * m), (x + dx * m, y - 0.4 * m)], iron, 0.06 * m)
    for up, tone in ((0.42, 0.2), (0.6, 0.05), (0.74, 0.1), (0.88, 0.16)):
        brush.rect(
            x - 0.95 * m, y - up * m, 1.9 * m, 0.09 * m, light.lit(wood, tone), radius=0.02 * m
        )


def _beds(stage: Stage, land: Plain) -> None:
    """Flowers along the path."""
    light, brush, chance = stage.light, stage.back, stage.chance("beds")
    leaf = light.shaded(near_by(light, "#4f7d3f"), 0.2)
    for tone in ("#d8452f", "#e9a13c", "#f2ead2", "#b05aa8", stage.accent):
        spots, green = [], []
        for _ in range(16):
            z = chance.uniform(5.5, 12)
            x, y = land(chance.choice((-1, 1)) * chance.uniform(2.0, 4.6), z, 0.2)
            size = land.size(0.07, z)
            spots.append((x, y, size, size * 0.85))
            green.append((x, y + size * 1.8, size * 1.5, size * 1.3))
        dabs(brush, green, leaf)
        dabs(brush, spots, near_by(light, tone))


def paint_meadow(stage: Stage) -> None:
    """The park from another side: a lawn under trees, a hedge behind it, benches."""
    light = stage.light
    paint_grass(stage, colour="#7fa850", rise=5)
    land = plain_of(stage, middle=0.5)
    tufts(stage, land, "#8db45a", 120)
    hedge = light.shaded(near_by(light, "#4f7d3f"), 0.1)
    far, near = land(-30, 22), land(-30, 22, 1.5)
    wide = stage.right - stage.left
    brush, chance = stage.back, stage.chance("hedge")
    fill = brush.linear((0, near[1]), (0, far[1]), [(0.0, light.lit(hedge, 0.2)), (1.0, hedge)])
    brush.rect(stage.left, near[1], wide, far[1] - near[1], fill)
    spots = [
        (chance.uniform(stage.left, stage.right), near[1], land.size(0.4, 22), land.size(0.2, 22))
        for _ in range(70)
    ]
    dabs(brush, spots, light.lit(hedge, 0.2))
    for x, z, high in ((-11, 17, 6.6), (-2.5, 19, 7.4), (6, 16, 6.2), (13, 18, 7.0)):
        tree = land(x + chance.uniform(-1, 1), z)
        _shadow(brush, light, tree, land.size(high, z))
        colour = far_off(light, "#5d8c3a", 0.95 - z / 120)
        broadleaf(
            brush, light, stage.chance(f"lawn{x}"), at=tree, high=land.size(high, z), colour=colour
        )
    for x in (-4.6, 4.2):
        paint_bench(stage.middle, light, land(x, 11.0), land.size(1.0, 11.0))
    _beds(stage, land)
