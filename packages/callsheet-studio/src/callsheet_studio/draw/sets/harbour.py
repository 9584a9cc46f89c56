"""A harbour: masts against the sky, hulls and their reflections, a quay of planks to stand on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import (
    Plain,
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
from callsheet_studio.draw.quayside import paint_land, paint_sea
from callsheet_studio.draw.sky import paint_birds, paint_sky
from callsheet_studio.draw.town import DUSK, WARM, paint_lamp

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
"""Where somebody stands, as a part of the height."""
LOOK = (0.52, 0.54)
"""What the camera comes closer to."""
SPOTS = ((0.4, 0.9, 1.0), (0.6, 0.91, 1.02), (0.24, 0.89, 0.98))
SURFACE = (0.72, 0.835)
SIDES = (paint_sea, paint_land)
_EDGE = 0.82
"""Where the quay ends and the water begins, as a part of the height."""
_WORN = 0.4
"""How many planks are darker."""


def paint(stage: Stage) -> None:
    """The town over the water, moored boats, the quay with its hut, a post before the camera."""
    light, u = stage.light, stage.unit
    shore = stage.horizon + 1.5 * u
    flood(stage, light.near)
    paint_sky(stage, down_to=stage.horizon)
    cumulus(stage, count=4, top=0.1, down=0.34)
    hills(stage, "hills", y=shore + 2 * u, rise=14 * u, depth=0.22, colour="#5a7d86")
    hills(stage, "nearer", y=shore + 3 * u, rise=8 * u, depth=0.42, colour="#5f8768")
    paint_birds(stage, count=7, around=(0.62, 0.26))
    water(stage, stage.back, top=shore, sun=sun_at(light))
    _town(stage, shore)
    _cranes(stage, shore)
    mist(stage, stage.back, shore, 4 * u, 0.35)
    _boats(stage, shore)
    _trawler(stage)
    _quay(stage)
    _hut(stage)
    _bollards(stage)
    _front(stage)


def _town(stage: Stage, shore: float) -> None:
    """Narrow houses shoulder to shoulder along the far quay, and what the water makes of them."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("town")
    tones = ("#c9694a", "#e0b061", "#d9d0bd", "#5f8a8f", "#a8514a", "#e3c9a0", "#7b8fa8")
    x = stage.left
    panes: list[list[Point]] = []
    while x < stage.right:
        wide, high = chance.uniform(3.2, 5.4) * u, chance.uniform(4.4, 8.5) * u
        wall = far_off(light, chance.choice(tones), 0.6)
        top = shore - high
        brush.rect(
            x,
            top,
            wide,
            high,
            brush.linear(
                (x, 0),
                (x + wide, 0),
                [(0.0, light.lit(wall, 0.1)), (1.0, light.shaded(wall, 0.16))],
            ),
        )
        peak = chance.uniform(1.4, 2.8) * u
        roof = far_off(light, chance.choice(("#7a4a3c", "#5a5560", "#8a5a44")), 0.62)
        brush.poly(
            [
                (x - 0.2 * u, top + 0.1 * u),
                (x + wide / 2, top - peak),
                (x + wide + 0.2 * u, top + 0.1 * u),
            ],
            roof,
        )
        for row in range(int(high / (1.9 * u))):
            for share in (0.22, 0.62):
                px, py = x + wide * share, top + (0.9 + 1.9 * row) * u
                panes.append(
                    [(px, py), (px + 0.7 * u, py), (px + 0.7 * u, py + 1.0 * u), (px, py + 1.0 * u)]
                )
        mirror = [(0.0, clear(wall, 0.55)), (1.0, clear(wall, 0))]
        brush.rect(
            x, shore, wide, high * 1.1, brush.linear((0, shore), (0, shore + high * 1.1), mirror)
        )
        x += wide
    dull = far_off(light, "#3d4a58", 0.62)
    lit = [pane for pane in panes if chance.random() < 0.6 * light.lamps]
    many(brush, panes, clear(dull, 0.8))
    many(brush, lit, WARM[0])
    if light.lamps > DUSK:
        for pane in lit[::5]:
            px = pane[0][0]
            streak = brush.linear(
                (0, shore),
                (0, shore + 13 * u),
                [(0.0, clear(WARM[1], 0.5 * light.lamps)), (1.0, clear(WARM[1], 0))],
            )
            brush.rect(px - 0.2 * u, shore, 1.1 * u, 13 * u, streak)
    brush.rect(
        stage.left,
        shore - 0.4 * u,
        stage.right - stage.left,
        0.8 * u,
        light.shaded(far_off(light, "#6a6660", 0.6), 0.3),
    )


def _cranes(stage: Stage, shore: float) -> None:
    light, u, brush = stage.light, measure(stage), stage.back
    iron = far_off(light, "#47586a", 0.42)
    for share, size, way in ((0.9, 1.0, -1), (0.97, 0.8, -1)):
        x, high = stage.x(share), 19 * size * u
        for leg in (-1.6, 1.6):
            brush.line(
                [(x + leg * size * u, shore), (x + leg * 0.5 * size * u, shore - high * 0.62)],
                iron,
                0.5 * size * u,
            )
        brush.rect(x - 1.8 * size * u, shore - high * 0.72, 3.6 * size * u, 2.4 * size * u, iron)
        tip = x + way * 13 * size * u, shore - high * 1.25
        brush.line([(x, shore - high * 0.7), tip], iron, 0.55 * size * u)
        brush.line([(x - way * 2 * size * u, shore - high * 0.95), tip], iron, 0.22 * size * u)
        brush.line([tip, (tip[0], tip[1] + high * 0.4)], iron, 0.18 * size * u)
        if light.lamps > DUSK:
            brush.glow(*tip, 3 * u, "#ff5a4a", 0.8 * light.lamps)


def _boats(stage: Stage, shore: float) -> None:
    """Sailing boats at their moorings, from the far ones to the near ones."""
    light, chance = stage.light, stage.chance("boats")
    u = measure(stage)
    hulls = ("#f1eee6", "#2f4f6e", "#f1eee6", "#7c2f2c", "#e9e2d2", "#31565a")
    for index in range(15):
        depth = (index + 1) / 15
        share = (index * 0.381 + 0.13) % 1.0
        x = stage.left + (stage.right - stage.left) * share
        y = shore + (1.5 + 11.5 * depth**1.3) * u
        long = (5 + 11 * depth) * u * chance.uniform(0.85, 1.15)
        hull = far_off(light, hulls[index % 6], 0.5 + 0.42 * depth)
        _sailboat(stage.back, light, place=(x, y), long=long, hull=hull, way=1 if index % 3 else -1)


def _sailboat(
    brush: Brush, light: Light, *, place: Point, long: float, hull: str, way: int
) -> None:
    x, y = place

    def at(dx: float, dy: float) -> Point:
        return x + way * dx * long, y - dy * long

    bright, dark = light.lit(hull, 0.22), light.shaded(hull, 0.42)
    spar = mix(light.shaded(hull, 0.62), light.key, 0.22 + 0.3 * light.dark)
    mirror = [at(-0.5, -0.01), at(0.56, -0.01), at(0.34, -0.2), at(-0.4, -0.2)]
    brush.poly(
        mirror,
        brush.linear((0, y), (0, y + 0.2 * long), [(0.0, clear(dark, 0.6)), (1.0, clear(dark, 0))]),
    )
    thin = max(0.014 * long, 0.7)
    wobble = [at(0.06 + 0.022 * math.sin(step * 2.3), -0.1 - step * 0.1) for step in range(15)]
    brush.curve(wobble, clear(spar, 0.4), thin * 1.6)
    brush.line([at(0.06, 0.1), at(0.06, 1.82)], spar, thin * 2)
    for end in ((-0.48, 0.16), (0.55, 0.2)):
        brush.line([at(0.06, 1.78), at(*end)], clear(light.shaded(hull, 0.5), 0.5), thin * 0.6)
    brush.line([at(-0.09, 1.16), at(0.21, 1.16)], clear(spar, 0.9), thin * 0.7)
    cover = mix(light.lit(hull, 0.1), light.fill, 0.5)
    brush.line([at(0.05, 0.36), at(-0.4, 0.33)], cover, 0.05 * long)
    body = [
        at(-0.5, 0.16),
        at(0.58, 0.2),
        at(0.4, 0.02),
        at(0.3, -0.02),
        at(-0.4, -0.02),
        at(-0.47, 0.04),
    ]
    brush.poly(
        body, brush.linear((0, y - 0.2 * long), (0, y), [(0.0, bright), (0.5, hull), (1.0, dark)])
    )
    brush.poly(
        [at(-0.485, 0.1), at(0.49, 0.13), at(0.46, 0.1), at(-0.48, 0.075)],
        clear(light.shaded(hull, 0.7), 0.55),
    )
    cabin = [at(-0.16, 0.17), at(-0.12, 0.26), at(0.18, 0.27), at(0.28, 0.19)]
    brush.poly(cabin, light.lit(hull, 0.34))
    brush.line([at(-0.06, 0.215), at(0.14, 0.22)], light.shaded(hull, 0.65), 0.03 * long)
    brush.line([at(-0.44, -0.025), at(0.36, -0.025)], clear(light.glow, 0.4), thin)


def _trawler(stage: Stage) -> None:
    """A fishing boat at the quay, its trim in the film's own colour: the one big shape here."""
    light, u, brush = stage.light, measure(stage), stage.middle
    x, y = stage.x(0.16), stage.y(_EDGE) - 2.5 * u

    def at(dx: float, dy: float) -> Point:
        return x + dx * u, y - dy * u

    hull, white = near_by(light, "#2b6288"), near_by(light, "#f2ede2")
    deep = clear(light.shaded(hull, 0.5), 0.65)
    mirror = brush.linear((0, y), (0, y + 8 * u), [(0.0, deep), (1.0, clear(hull, 0))])
    brush.poly([at(-60, -1.5), at(25, -1.5), at(17, -8), at(-60, -8)], mirror)
    iron = light.shaded(white, 0.55)
    brush.line([at(-9, 10), at(-9, 47)], iron, 0.7 * u)
    brush.line([at(-9, 40), at(14, 25)], iron, 0.5 * u)
    for end in ((25, 13), (-40, 16), (14, 25)):
        brush.line([at(-9, 46), at(*end)], clear(iron, 0.7), 0.16 * u)
    _wheelhouse(stage, at, white)
    sheer = [at(-60, 9), at(-20, 7.6), at(4, 9), at(18, 12), at(28, 16.4)]
    body = [*sheer, at(24.5, 8), at(20, 0), at(17, -2.4), at(-60, -2.4)]
    stops = [(0.0, light.lit(hull, 0.26)), (0.45, hull), (1.0, light.shaded(hull, 0.55))]
    fill = brush.linear((0, y - 14 * u), (0, y + 2 * u), stops)
    brush.shape(body, fill, corners=(0, 4, 7, 8))
    brush.curve([(px, py + 0.4 * u) for px, py in sheer], white, 1.1 * u)
    keel = light.shaded(near_by(light, "#8c3a2e"), 0.3)
    brush.poly([at(-60, -0.6), at(19.6, -0.6), at(17, -2.4), at(-60, -2.4)], keel)
    fender = near_by(light, "#e0dccf")
    for dx in (-26, -10, 4):
        brush.line([at(dx, 7), at(dx, 4.4)], iron, 0.3 * u)
        brush.ellipse(*at(dx, 2.6), 1.3 * u, 2.1 * u, fender)
        brush.ellipse(*at(dx + 0.35, 2.2), 0.9 * u, 1.6 * u, light.shaded(fender, 0.2))
    if light.lamps > 0:
        brush.glow(*at(-9, 46), 9 * u, "#fff0cf", 0.8 * light.lamps)


def _wheelhouse(stage: Stage, at: Callable[[float, float], Point], white: str) -> None:
    light, u, brush = stage.light, measure(stage), stage.middle
    bright, dark = light.lit(white, 0.24), light.shaded(white, 0.36)
    front, back = (dark, bright) if light.side < 0 else (bright, dark)
    brush.poly([at(-34, 9), at(-34, 23), at(-16, 23), at(-15, 9)], back)
    brush.poly([at(-15, 9), at(-16, 23), at(-10.5, 23), at(-8, 9)], front)
    brush.poly(
        [at(-36, 23), at(-35, 24.6), at(-10, 24.6), at(-8.6, 23)], near_by(light, stage.accent)
    )
    pane = mix(light.shaded(near_by(light, "#4a6072"), 0.25), "#ffdf9a", light.lamps)
    for dx in (-32, -27, -22):
        x, y = at(dx, 20.6)
        brush.rect(x, y, 3.6 * u, 4.6 * u, pane, radius=0.4 * u)
    brush.poly([at(-14.3, 16), at(-14.6, 20.6), at(-11.3, 20.6), at(-10.4, 16)], pane)
    if light.lamps > 0:
        brush.glow(*at(-24, 18.5), 14 * u, "#ffd08a", 0.5 * light.lamps)


def _quay(stage: Stage) -> None:
    """Planks that run away from the camera, an edge beam, piles in the water."""
    light, u, brush = stage.light, stage.unit, stage.middle
    edge, wide = stage.y(_EDGE), stage.right - stage.left
    wood = near_by(light, "#8d7358")
    stops = [(0.0, light.lit(wood, 0.3)), (0.3, wood), (1.0, light.shaded(wood, 0.5))]
    brush.rect(
        stage.left,
        edge,
        wide,
        stage.bottom - edge,
        brush.linear((0, edge), (0, stage.bottom), stops),
    )
    land = plain_of(stage, middle=0.5, eye=1.7)
    _planks(stage, land, wood)
    brush.rect(stage.left, edge - 0.7 * u, wide, 2.0 * u, light.lit(wood, 0.42))
    brush.rect(stage.left, edge + 1.3 * u, wide, 0.9 * u, light.shaded(wood, 0.55))
    if light.lamps > 0:
        for share in (0.08, 0.66):
            with brush.inside(
                [
                    (stage.left, edge),
                    (stage.right, edge),
                    (stage.right, stage.bottom),
                    (stage.left, stage.bottom),
                ]
            ):
                brush.glow(stage.x(share), edge + 5 * u, 34 * u, "#ffcf87", 0.3 * light.lamps)


def _planks(stage: Stage, land: Plain, wood: str) -> None:
    light, brush, chance = stage.light, stage.middle, stage.chance("planks")
    down = stage.y(_EDGE) - land.horizon
    reach = (stage.bottom - land.horizon) / down
    seams, boards = [], []
    count = 34
    for index in range(-count, count):
        far = land.middle + index * 0.032 * land.focal
        near = land.middle + (far - land.middle) * reach
        wide = 0.032 * land.focal
        seams.append(
            [
                (far, stage.y(_EDGE)),
                (far + 1, stage.y(_EDGE)),
                (near + 1.2 * reach, stage.bottom),
                (near - 0.6 * reach, stage.bottom),
            ]
        )
        if chance.random() < _WORN:
            boards.append(
                [
                    (far, stage.y(_EDGE)),
                    (far + wide, stage.y(_EDGE)),
                    (near + wide * reach, stage.bottom),
                    (near, stage.bottom),
                ]
            )
    many(brush, boards, clear(light.shaded(wood, 0.6), 0.2))
    many(brush, seams, clear(light.ink, 0.36))


def _hut(stage: Stage) -> None:
    """The harbour office: boards, a lit window, a ring for whoever falls in."""
    light, u, brush = stage.light, 1.4 * measure(stage), stage.middle
    x, foot = stage.x(0.81), stage.y(_EDGE) + 3 * stage.unit
    wide, high = 30 * u, 25 * u
    wall = near_by(light, "#b5543d")
    dabs(brush, [(x + wide * 0.45, foot + 0.4 * u, wide * 0.62, 1.6 * u)], clear(light.ink, 0.35))
    bright, dark = light.lit(wall, 0.16), light.shaded(wall, 0.4)
    side, front = (bright, dark) if light.side < 0 else (dark, bright)
    brush.poly(
        [(x - 6 * u, foot - 2 * u), (x - 6 * u, foot - high + u), (x, foot - high), (x, foot)], side
    )
    brush.rect(x, foot - high, wide, high, front)
    boards = [
        [
            (x + k * 2.5 * u, foot - high),
            (x + (k * 2.5 + 0.18) * u, foot - high),
            (x + (k * 2.5 + 0.18) * u, foot),
            (x + k * 2.5 * u, foot),
        ]
        for k in range(1, 12)
    ]
    many(brush, boards, clear(light.ink, 0.2))
    roof = near_by(light, "#4b5157")
    brush.poly(
        [
            (x - 8.4 * u, foot - high + 1.6 * u),
            (x - 4.6 * u, foot - high - 6 * u),
            (x + wide + 3 * u, foot - high - 6 * u),
            (x + wide + 3 * u, foot - high + 0.6 * u),
            (x - 0.8 * u, foot - high + 0.6 * u),
        ],
        roof,
    )
    brush.poly(
        [
            (x - 0.8 * u, foot - high + 0.6 * u),
            (x + wide + 3 * u, foot - high + 0.6 * u),
            (x + wide + 3 * u, foot - high + 1.8 * u),
            (x - 0.8 * u, foot - high + 1.8 * u),
        ],
        light.shaded(roof, 0.4),
    )
    brush.line(
        [(x - 4.6 * u, foot - high - 6 * u), (x + wide + 3 * u, foot - high - 6 * u)],
        light.lit(roof, 0.4),
        0.4 * u,
    )
    white = near_by(light, "#f3eee2")
    pane = mix(light.shaded(near_by(light, "#5d7482"), 0.2), "#ffdf9a", light.lamps)
    brush.rect(x + 3 * u, foot - 18.6 * u, 8.6 * u, 8.2 * u, white)
    brush.rect(x + 3.7 * u, foot - 17.9 * u, 7.2 * u, 6.8 * u, pane)
    brush.rect(x + 7 * u, foot - 17.9 * u, 0.6 * u, 6.8 * u, white)
    for turn in range(8):
        ctx = brush.ctx
        ctx.beginPath()
        ctx.arc(
            x + 16.6 * u, foot - 14 * u, 2.5 * u, turn * math.tau / 8, (turn + 1) * math.tau / 8
        )
        ctx.strokeStyle, ctx.lineWidth = (near_by(light, "#d9482f") if turn % 2 else white), 1.3 * u
        ctx.stroke()
    brush.rect(x + 21 * u, foot - 18 * u, 7 * u, 18 * u, light.shaded(wall, 0.5))
    if light.lamps > 0:
        brush.glow(x + 7 * u, foot - 14 * u, 15 * u, "#ffd08a", 0.6 * light.lamps)


def _bollards(stage: Stage) -> None:
    """Iron on the edge of the quay, lines to the boats, a lamp."""
    light, u, brush = stage.light, measure(stage), stage.middle
    y = stage.y(_EDGE) + 1.4 * stage.unit
    iron = near_by(light, "#3f464e")
    rope = near_by(light, "#d2bd93")
    paint_lamp(brush, light, x=stage.x(0.07), foot=y, high=76 * u, arm=1)
    for share in (0.27, 0.72):
        x = stage.x(share)
        dabs(brush, [(x + 0.8 * u, y + 0.3 * u, 3.4 * u, 0.8 * u)], clear(light.ink, 0.4))
        ends = (light.lit(iron, 0.4), light.shaded(iron, 0.5))
        fill = brush.linear(
            (x - 2 * u, 0),
            (x + 2 * u, 0),
            [(0.0, ends[0 if light.side < 0 else 1]), (1.0, ends[1 if light.side < 0 else 0])],
        )
        brush.rect(x - 1.5 * u, y - 4.6 * u, 3 * u, 4.8 * u, fill)
        brush.ellipse(x, y - 4.8 * u, 2.6 * u, 1.1 * u, light.lit(iron, 0.25))
        for loop in (1.6, 2.3, 3.0):
            brush.line(
                [(x - 1.7 * u, y - loop * u), (x + 1.7 * u, y - (loop - 0.3) * u)], rope, 0.55 * u
            )
    start = stage.x(0.27) - 1.4 * u, y - 2.6 * u
    bow = stage.x(0.16) + 20 * u, stage.y(_EDGE) - 12 * u
    sag = (start[0] + bow[0]) / 2, max(start[1], bow[1]) + 0.6 * u
    brush.curve([start, sag, bow], light.shaded(rope, 0.2), 0.5 * u)
    coil = stage.x(0.72) + 8 * u, y + 4 * u
    for index in range(4):
        brush.ctx.beginPath()
        brush.ctx.ellipse(
            coil[0],
            coil[1] - index * 0.5 * u,
            (4 - 0.3 * index) * u,
            (1.3 - 0.1 * index) * u,
            0,
            0,
            math.tau,
        )
        brush.ctx.strokeStyle = light.shaded(rope, 0.35 - 0.1 * index)
        brush.ctx.lineWidth = 0.7 * u
        brush.ctx.stroke()


def _front(stage: Stage) -> None:
    """A pile with its rope at the left end, before the camera."""
    light, u, brush = stage.light, stage.unit, stage.front
    x = stage.x(0.015)
    wood = mix(near_by(light, "#5d4a3a"), light.ink, 0.35)
    ends = (light.lit(wood, 0.22), light.shaded(wood, 0.5))
    fill = brush.linear(
        (x - 5 * u, 0),
        (x + 5 * u, 0),
        [(0.0, ends[0 if light.side < 0 else 1]), (1.0, ends[1 if light.side < 0 else 0])],
    )
    brush.rect(x - 5 * u, stage.y(0.7), 10 * u, stage.bottom - stage.y(0.7), fill)
    brush.ellipse(x, stage.y(0.7), 5 * u, 1.4 * u, lighter(light.lit(wood, 0.25), 0.04))
    rope = light.shaded(near_by(light, "#bda87f"), 0.3)
    for index in range(4):
        y = stage.y(0.8) + index * 1.9 * u
        brush.curve([(x - 5.2 * u, y), (x, y + 1.3 * u), (x + 5.2 * u, y - 0.2 * u)], rope, 1.7 * u)
        brush.curve(
            [(x - 5.2 * u, y - 0.4 * u), (x, y + 0.9 * u), (x + 5.2 * u, y - 0.6 * u)],
            clear(light.key, 0.22),
            0.4 * u,
        )
