"""The harbour from its other sides: out to sea, and back to the houses of the quay."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.fronts import Row, paint_row
from callsheet_studio.draw.groves import paint_bench
from callsheet_studio.draw.nature import (
    cumulus,
    dabs,
    far_off,
    flood,
    hills,
    many,
    measure,
    mist,
    near_by,
    plain_of,
    sun_at,
    water,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky
from callsheet_studio.draw.town import DUSK, paint_lamp

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

_TONES = ("#c9694a", "#e0b061", "#d9d0bd", "#5f8a8f", "#a8514a", "#e3c9a0", "#7b8fa8")
_HULLS = ("#f1eee6", "#2f4f6e", "#7c2f2c", "#f1eee6", "#31565a")
_FOOT = 0.63
"""Where the houses of the quay stand, as a part of the height."""


def paint_sea(stage: Stage) -> None:
    """The mouth of the harbour: a mole with its light, open water, yachts along a jetty."""
    light, u = stage.light, stage.unit
    shore = stage.horizon - 2 * u
    flood(stage, light.near)
    paint_sky(stage, down_to=shore)
    cumulus(stage, count=5, top=0.08, down=0.32)
    paint_birds(stage, count=8, around=(0.36, 0.24))
    hills(stage, "cape", y=shore + u, rise=5 * u, depth=0.16, colour="#5a7d86")
    water(stage, stage.back, top=shore, sun=sun_at(light))
    mist(stage, stage.back, shore, 3 * u, 0.3)
    _mole(stage, shore)
    _jetty(stage, shore)
    for index, (share, size) in enumerate(((0.04, 0.8), (0.33, 0.62), (0.9, 1.0), (0.66, 0.5))):
        y = shore + (6 + 17 * size) * u
        _yacht(stage, (stage.x(share), y), 34 * size * measure(stage), _HULLS[index])
    _planks(stage)


def _mole(stage: Stage, shore: float) -> None:
    """Blocks of stone across the water, a small light at their end."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("mole")
    stone = far_off(light, "#7d7a72", 0.6)
    end, y = stage.x(0.58), shore + 4.6 * stage.unit
    brush.poly(
        [
            (stage.left, y - 3.2 * u),
            (end - 2 * u, y - 3.2 * u),
            (end + 2.5 * u, y),
            (stage.left, y),
        ],
        brush.linear((0, y - 3.2 * u), (0, y), [(0.0, light.lit(stone, 0.2)), (1.0, stone)]),
    )
    blocks = []
    x = stage.left
    while x < end:
        wide = chance.uniform(1.6, 3.2) * u
        top = y - chance.uniform(0.6, 1.6) * u
        blocks.append(
            [(x, y + 0.6 * u), (x + 0.4 * u, top), (x + wide, top), (x + wide, y + 0.6 * u)]
        )
        x += wide * 1.05
    many(brush, blocks, light.shaded(stone, 0.3))
    mirror = [(0.0, clear(light.shaded(stone, 0.3), 0.5)), (1.0, clear(stone, 0))]
    brush.rect(
        stage.left,
        y + 0.5 * u,
        end - stage.left + 2 * u,
        5 * u,
        brush.linear((0, y), (0, y + 5 * u), mirror),
    )
    _beacon(brush, light, (end - 5 * u, y - 3.1 * u), u)


def _beacon(brush: Brush, light: Light, at: Point, u: float) -> None:
    x, foot = at
    white, red = far_off(light, "#f2eee4", 0.75), far_off(light, "#c8412f", 0.75)
    for index in range(5):
        low, half = foot - index * 2.6 * u, (2.0 - 0.16 * index) * u
        tone = red if index % 2 else white
        lit, dim = light.lit(tone, 0.2), light.shaded(tone, 0.3)
        ends = (lit, dim) if light.side < 0 else (dim, lit)
        fill = brush.linear((x - half, 0), (x + half, 0), [(0.0, ends[0]), (1.0, ends[1])])
        inner = half - 0.16 * u
        brush.poly(
            [
                (x - half, low),
                (x + half, low),
                (x + inner, low - 2.6 * u),
                (x - inner, low - 2.6 * u),
            ],
            fill,
        )
    top = foot - 13 * u
    brush.rect(x - 1.7 * u, top - 0.5 * u, 3.4 * u, 0.6 * u, light.shaded(white, 0.4))
    lamp = mix(far_off(light, "#8fb2b8", 0.8), "#ffe9a8", light.lamps)
    brush.rect(x - 0.9 * u, top - 2.5 * u, 1.8 * u, 2.0 * u, lamp)
    brush.poly(
        [(x - 1.3 * u, top - 2.5 * u), (x, top - 3.9 * u), (x + 1.3 * u, top - 2.5 * u)], red
    )
    if light.lamps > DUSK:
        brush.glow(x, top - 1.5 * u, 11 * u, "#ffe2a0", 0.8 * light.lamps)


def _jetty(stage: Stage, shore: float) -> None:
    """A floating jetty that leads out, with its piles."""
    light, brush = stage.light, stage.back
    land = plain_of(stage, middle=0.6, eye=1.9)
    wood = near_by(light, "#9a8568")
    far, near = 34.0, 3.2
    drop = shore - land.horizon

    def at(x: float, z: float, y: float = 0.0) -> Point:
        px, py = land(x, z, y)
        return px, py + drop * (1 - near / z)

    deck = [at(-2.6, near), at(-2.6, far), at(-1.0, far), at(-1.0, near)]
    tone = far_off(light, "#9a8568", 0.6)
    fill = brush.linear(
        deck[1], deck[0], [(0.0, light.lit(tone, 0.2)), (1.0, light.lit(wood, 0.12))]
    )
    side = [at(-1.0, near), at(-1.0, far), at(-1.0, far, -0.4), at(-1.0, near, -0.4)]
    brush.poly(side, light.shaded(wood, 0.5))
    brush.poly(deck, fill)
    seams = []
    z = near
    while z < far:
        one, two = at(-2.6, z), at(-1.0, z)
        thick = max(land.size(0.03, z), 0.6)
        seams.append([one, two, (two[0], two[1] + thick), (one[0], one[1] + thick)])
        z *= 1.07
    many(brush, seams, clear(light.ink, 0.26))
    for index in range(7):
        z = 4.6 * 1.4**index
        for x in (-2.75, -0.9):
            (px, top), (_, low), wide = at(x, z, 1.1), at(x, z, -0.4), land.size(0.07, z)
            post = light.shaded(far_off(light, "#6b5a48", 0.9 - index * 0.06), 0.2)
            brush.rect(px - wide, top, 2 * wide, low - top, post)
            edge = px + (wide * 0.2 if light.side > 0 else -wide)
            brush.rect(edge, top, 0.8 * wide, low - top, light.lit(post, 0.3))
            cap = light.lit(far_off(light, "#e8e2d2", 0.8), 0.1)
            brush.rect(px - wide, top, 2 * wide, 0.9 * wide, cap)


def _yacht(stage: Stage, at: Point, long: float, hull: str) -> None:
    """A sailing boat that lies near, bow to the left: mast, boom and shrouds."""
    light, brush, (x, y) = stage.light, stage.back, at

    def to(dx: float, dy: float) -> Point:
        return x + dx * long, y - dy * long

    body = near_by(light, hull)
    lit, dark = light.lit(body, 0.22), light.shaded(body, 0.42)
    deep = [(0.0, clear(dark, 0.6)), (1.0, clear(dark, 0))]
    brush.poly(
        [to(-0.56, 0), to(0.46, 0), to(0.4, -0.2), to(-0.4, -0.2)],
        brush.linear((0, y), (0, y + 0.2 * long), deep),
    )
    spar = mix(light.shaded(body, 0.5), light.key, 0.4)
    thin = 0.014 * long
    brush.line([to(-0.04, 0.1), to(-0.04, 1.9)], spar, thin * 1.8)
    for end in ((-0.62, 0.26), (0.5, 0.2)):
        brush.line([to(-0.04, 1.88), to(*end)], clear(spar, 0.6), thin * 0.5)
    for way in (-0.1, 0.1):
        brush.line([to(-0.04, 1.3), to(-0.04 + way, 0.18)], clear(spar, 0.6), thin * 0.4)
    cover = near_by(light, mix("#35608a", stage.accent, 0.4))
    brush.line([to(-0.03, 0.42), to(0.44, 0.39)], cover, 0.06 * long)
    outline = [to(-0.66, 0.27), to(-0.3, 0.19), to(0.5, 0.2), to(0.46, 0.0), to(-0.42, -0.02)]
    stops = [(0.0, lit), (0.5, body), (1.0, dark)]
    brush.shape(outline, brush.linear((0, y - 0.24 * long), (0, y), stops), corners=(0, 2, 3, 4))
    brush.line([to(-0.52, 0.13), to(0.47, 0.12)], clear(cover, 0.9), 0.025 * long)
    cabin = [to(-0.24, 0.19), to(-0.16, 0.29), to(0.2, 0.29), to(0.26, 0.2)]
    brush.poly(cabin, light.lit(near_by(light, "#f3efe4"), 0.1))
    pane = mix(light.shaded(body, 0.65), "#ffdf9a", light.lamps * 0.8)
    for dx in (-0.12, 0.0, 0.12):
        brush.rect(*to(dx, 0.265), 0.07 * long, 0.035 * long, pane, radius=0.01 * long)
    brush.line([to(-0.44, -0.005), to(0.46, -0.005)], clear(light.glow, 0.4), thin)


def _planks(stage: Stage) -> None:
    """The edge of the quay to stand on, a bollard, a ring for whoever falls in."""
    light, u, brush = stage.light, stage.unit, stage.middle
    edge, wide = stage.y(0.82), stage.right - stage.left
    wood = near_by(light, "#8d7358")
    stops = [(0.0, light.lit(wood, 0.3)), (0.3, wood), (1.0, light.shaded(wood, 0.5))]
    fill = brush.linear((0, edge), (0, stage.bottom), stops)
    brush.rect(stage.left, edge, wide, stage.bottom - edge, fill)
    rows = []
    y, step = edge + 2.2 * u, 1.6 * u
    while y < stage.bottom:
        rows.append(
            [
                (stage.left, y),
                (stage.right, y),
                (stage.right, y + 0.22 * u),
                (stage.left, y + 0.22 * u),
            ]
        )
        y, step = y + step, step * 1.35
    many(brush, rows, clear(light.ink, 0.34))
    brush.rect(stage.left, edge - 0.7 * u, wide, 2.0 * u, light.lit(wood, 0.42))
    brush.rect(stage.left, edge + 1.3 * u, wide, 0.9 * u, light.shaded(wood, 0.55))
    m = measure(stage)
    for share in (0.22, 0.8):
        _rail_post(stage, (stage.x(share), edge + 2 * u), m)


def _rail_post(stage: Stage, at: Point, m: float) -> None:
    """A post with a ring on it."""
    light, brush, (x, y) = stage.light, stage.middle, at
    post, white = near_by(light, "#5d4a3a"), near_by(light, "#f3eee2")
    dabs(brush, [(x, y + 0.3 * m, 3 * m, 0.7 * m)], clear(light.ink, 0.35))
    brush.rect(x - 0.8 * m, y - 15 * m, 1.6 * m, 15 * m, light.shaded(post, 0.2))
    edge = x + (0.2 * m if light.side > 0 else -0.8 * m)
    brush.rect(edge, y - 15 * m, 0.6 * m, 15 * m, light.lit(post, 0.3))
    for turn in range(8):
        ctx = brush.ctx
        ctx.beginPath()
        ctx.arc(x, y - 9.4 * m, 2.9 * m, turn * math.tau / 8, (turn + 1) * math.tau / 8)
        ctx.strokeStyle, ctx.lineWidth = (near_by(light, "#d9482f") if turn % 2 else white), 1.4 * m
        ctx.stroke()


# Back to the land


def paint_land(stage: Stage) -> None:
    """The houses of the quay from the front, cobbles, lamps, what fishermen leave about."""
    light = stage.light
    flood(stage, light.near)
    paint_sky(stage, down_to=stage.y(_FOOT))
    cumulus(stage, count=4, top=0.06, down=0.24)
    paint_birds(stage, count=5, around=(0.6, 0.14))
    foot = stage.y(_FOOT)
    paint_row(stage, Row(foot, 0.074 * stage.height, _TONES, (), (1, 1), gabled=True))
    _cobbles(stage, foot)
    y = foot + 5 * stage.unit
    for share, arm in ((0.14, 1), (0.7, -1)):
        x = stage.x(share)
        dabs(stage.middle, [(x, y, 2.4 * stage.unit, 0.6 * stage.unit)], clear(light.ink, 0.35))
        paint_lamp(stage.middle, light, x=x, foot=y, high=62 * measure(stage), arm=arm)
    _crates(stage, (stage.x(0.84), stage.y(0.77)))
    paint_bench(stage.middle, light, (stage.x(0.3), stage.y(0.72)), 12 * measure(stage))


def _cobbles(stage: Stage, foot: float) -> None:
    """Stones in rows that grow towards the camera."""
    light, brush, chance, u = stage.light, stage.back, stage.chance("cobbles"), stage.unit
    stone = near_by(light, "#8d8880")
    wide = stage.right - stage.left
    stops = [(0.0, light.lit(mix(stone, light.low, 0.3), 0.1)), (1.0, light.shaded(stone, 0.4))]
    fill = brush.linear((0, foot), (0, stage.bottom), stops)
    brush.rect(stage.left, foot, wide, stage.bottom - foot, fill)
    brush.rect(stage.left, foot, wide, 0.9 * u, light.shaded(stone, 0.4))
    seams, worn = [], []
    y, step = foot + 1.4 * u, 1.0 * u
    while y < stage.bottom:
        seams.append(
            [
                (stage.left, y),
                (stage.right, y),
                (stage.right, y + 0.14 * u),
                (stage.left, y + 0.14 * u),
            ]
        )
        x = stage.left - chance.uniform(0, 2) * step
        while x < stage.right:
            broad = step * chance.uniform(1.8, 2.8)
            seams.append([(x, y), (x + 0.16 * u, y), (x + 0.16 * u, y + step), (x, y + step)])
            if chance.random() < 0.3:  # noqa: PLR2004 -- every third
                worn.append([(x, y), (x + broad, y), (x + broad, y + step), (x, y + step)])
            x += broad
        y, step = y + step, step * 1.22
    many(brush, worn, clear(lighter(stone, 0.2), 0.16))
    many(brush, seams, clear(light.ink, 0.2))


def _crates(stage: Stage, at: Point) -> None:
    """Fish crates in a stack, a net over the lowest."""
    light, brush, u, (x, y) = stage.light, stage.middle, measure(stage), at
    dabs(brush, [(x + 6 * u, y, 12 * u, 1.4 * u)], clear(light.ink, 0.35))
    tones = ("#3f7f9d", stage.accent, "#d9d3c4", "#3f7f9d")
    for index, (dx, row) in enumerate(((0, 0), (8.4, 0), (0.8, 1), (8.0, 1))):
        tone = near_by(light, tones[index])
        left, top = x + dx * u, y - (row + 1) * 4.4 * u
        brush.rect(left, top, 8 * u, 4.2 * u, light.shaded(tone, 0.22), radius=0.3 * u)
        brush.rect(left, top, 8 * u, 1.0 * u, light.lit(tone, 0.2), radius=0.3 * u)
        for hole in (2.2, 4.6):
            brush.rect(
                left + hole * u,
                top + 2 * u,
                1.4 * u,
                1.2 * u,
                clear(light.ink, 0.4),
                radius=0.3 * u,
            )
    rope = near_by(light, "#8a9a72")
    for index in range(5):
        start = x - 7 * u + index * 1.3 * u
        brush.curve([(start, y), (start + u, y - 2.6 * u), (start + 3.4 * u, y)], rope, 0.45 * u)
