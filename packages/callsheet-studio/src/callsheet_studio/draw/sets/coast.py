"""The coast: sea to the horizon, a headland with a lighthouse, a pier to stand on."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from callsheet_studio.draw.beach import paint_beach
from callsheet_studio.draw.colour import clear, darker, lighter, mix
from callsheet_studio.draw.nature import (
    cumulus,
    far_off,
    flood,
    grass,
    many,
    measure,
    near_by,
    rock,
    sun_at,
    verge,
    water,
)
from callsheet_studio.draw.river import paint_river
from callsheet_studio.draw.sky import paint_birds, paint_sky

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

GROUND = 0.86
"""Where somebody stands, as a part of the height."""
LOOK = (0.6, 0.48)
"""What the camera comes closer to."""
SPOTS = ((0.34, 0.86, 1.0), (0.2, 0.875, 1.03), (0.08, 0.885, 1.05))
NARROW = True
_RIVER = "river"
_HEAD = 0.62
_TOWER = 0.82
"""Where the headland begins and where its lighthouse stands, as parts of the width."""


def paint(stage: Stage) -> None:
    """Sky and far land behind, the headland in the middle, grass before the camera."""
    if stage.kind == _RIVER:
        paint_river(stage)
        return
    flood(stage, stage.light.near)
    paint_sky(stage, down_to=stage.horizon)
    cumulus(stage, count=4, top=0.16, down=0.4)
    paint_birds(stage, around=(0.24, 0.24))
    _far_land(stage)
    water(stage, stage.back, top=stage.horizon, sun=sun_at(stage.light))
    _sails(stage)
    _beam(stage)
    _headland(stage)
    _cottage(stage, stage.x(_TOWER) + 7 * measure(stage), stage.horizon + 2.2 * measure(stage))
    _lighthouse(stage, stage.x(_TOWER), stage.horizon + 3 * measure(stage))
    _surf(stage)
    _pier(stage)
    verge(stage, 1, wide=0.34, high=17 * stage.unit, colour="#5a6a45")


def _far_land(stage: Stage) -> None:
    light, u, y = stage.light, stage.unit, stage.horizon
    for depth, rise, start in ((0.14, 7.5, 0.5), (0.32, 4.8, 0.6)):
        x, end = stage.x(start), stage.right
        reach = end - x
        points = [
            (x, y + 0.2 * u),
            (x + reach * 0.12, y - rise * 0.2 * u),
            (x + reach * 0.3, y - rise * 0.55 * u),
            (x + reach * 0.44, y - rise * 0.6 * u),
            (x + reach * 0.66, y - rise * u),
            (end, y - rise * 0.8 * u),
            (end, y + 0.2 * u),
        ]
        body = far_off(light, "#5f7d8f", depth)
        stops = [(0.0, body), (1.0, mix(body, light.low, 0.4))]
        fill = stage.back.linear((0, y - rise * u), (0, y), stops)
        stage.back.shape(points, fill, corners=(0, 5, 6))


def _sails(stage: Stage) -> None:
    """Two boats far out."""
    light, u, brush, y = stage.light, measure(stage), stage.back, stage.horizon
    for share, size in ((0.14, 1.0), (0.205, 0.62)):
        x, high = stage.x(share), 4.6 * size * u
        foot = y + 0.9 * size * u
        white = far_off(light, "#fbf8f0", 0.6)
        brush.shape(
            [
                (x, foot - high),
                (x + 0.42 * high, foot - 0.18 * high),
                (x + 0.03 * high, foot - 0.16 * high),
            ],
            light.lit(white, 0.2),
            corners=(0, 1, 2),
        )
        brush.poly(
            [
                (x - 0.03 * high, foot - 0.92 * high),
                (x - 0.28 * high, foot - 0.17 * high),
                (x - 0.03 * high, foot - 0.16 * high),
            ],
            light.shaded(white, 0.16),
        )
        brush.shape(
            [
                (x - 0.3 * high, foot - 0.12 * high),
                (x + 0.44 * high, foot - 0.13 * high),
                (x + 0.3 * high, foot),
                (x - 0.22 * high, foot),
            ],
            light.shaded(far_off(light, "#4a4440", 0.6), 0.3),
            corners=(0, 1),
        )
        brush.rect(x - 0.24 * high, foot, 0.56 * high, 0.1 * high, clear(white, 0.35))


def _headland(stage: Stage) -> None:
    """Grass above, rock below: columns that turn to the light or away from it."""
    light, u, brush = stage.light, measure(stage), stage.middle
    top, x = stage.horizon + 2.5 * u, stage.x(_HEAD)
    crest: list[Point] = [
        (x - 7 * u, top + 15 * u),
        (x - 3 * u, top + 10 * u),
        (x + 2 * u, top + 8.4 * u),
        (x + 7 * u, top + 4 * u),
        (x + 14 * u, top + 2.2 * u),
        (x + 22 * u, top + 0.6 * u),
        (x + 32 * u, top - 0.2 * u),
        (x + 46 * u, top + 0.3 * u),
        (x + 62 * u, top - 2 * u),
        (max(stage.right, x + 80 * u), top - 4.5 * u),
    ]
    end = crest[-1][0]
    stone = near_by(light, "#7d766f")
    body = [
        *crest,
        (end, stage.bottom),
        (x - 2 * u, stage.bottom),
        (x - 9 * u, top + 34 * u),
        (x - 12 * u, top + 24 * u),
    ]
    brush.poly(body, light.shaded(stone, 0.42))
    _columns(stage, crest, stone)
    turf = near_by(light, "#7c9446")
    chance = stage.chance("turf")
    fringe = [(px, py + chance.uniform(1.4, 4.2) * u) for px, py in crest[3:]]
    brush.shape([*crest[3:], *fringe[::-1]], light.shaded(turf, 0.14), corners=(0, 6, 7))
    brush.curve(crest[3:], light.lit(turf, 0.34), 0.7 * u)
    grass(
        brush,
        chance,
        where=(x + 14 * u, end, top + 1.6 * u),
        high=(0.8 * u, 2.6 * u),
        fill=light.lit(turf, 0.14),
        count=60,
    )


def _columns(stage: Stage, crest: list[Point], stone: str) -> None:
    light, u, brush, chance = stage.light, measure(stage), stage.middle, stage.chance("columns")
    to_sea = light.side < 0
    bright = [light.lit(stone, 0.36 if to_sea else 0.14), stone, light.shaded(stone, 0.3)]
    dark = [light.shaded(stone, 0.6), light.shaded(stone, 0.68)]
    for index, ((x, y), (then, other)) in enumerate(itertools.pairwise(crest)):
        deep = y + chance.uniform(25, 40) * u
        turn = x + (then - x) * chance.uniform(0.35, 0.6)
        slant = -5 * u + 0.6 * index * u
        face = [
            (x, y),
            (turn, (y + other) / 2),
            (turn + slant * 0.5, deep + 3 * u),
            (x + slant, deep),
        ]
        back = [
            (turn, (y + other) / 2),
            (then, other),
            (then + slant * 0.4, deep - 4 * u),
            (turn + slant * 0.5, deep + 3 * u),
        ]
        fade = min(index / 7, 1.0)
        near = mix(bright[index % 2], bright[2], fade)
        deeper = [(0.0, near), (1.0, light.shaded(near, 0.5))]
        brush.poly(face, brush.linear((0, y), (0, deep), deeper))
        brush.poly(
            back,
            brush.linear(
                (0, y), (0, deep), [(0.0, light.shaded(near, 0.36)), (1.0, dark[index % 2])]
            ),
        )
        brush.poly(
            [(x, y + 6 * u), (turn, y + 5 * u), (turn, y + 5.7 * u), (x, y + 7.4 * u)],
            clear(light.ink, 0.24),
        )


def _surf(stage: Stage) -> None:
    """Boulders at the foot of the rock, foam around them."""
    light, u, brush = stage.light, measure(stage), stage.middle
    x, y = stage.x(_HEAD) - 9 * u, stage.horizon + 36 * u
    stone = near_by(light, "#6d6a68")
    foam = mix(light.air("#ffffff", 0.9), light.low, 0.2)
    chance = stage.chance("foam")
    for dx, dy, size in ((-7, -6, 5), (-2, 0, 9), (-13, 2, 4), (5, 6, 12), (-8, 9, 6)):
        rock(brush, light, x=x + dx * u, foot=y + dy * u, size=size * u, colour=stone)
        spray = []
        for _ in range(7):
            at = x + (dx + chance.uniform(-0.9, 0.9) * size) * u
            wide = chance.uniform(0.5, 1.3) * size * 0.5 * u
            low = y + (dy + chance.uniform(-0.1, 1.2)) * u
            spray.append(
                [(at - wide, low), (at, low - 0.45 * u), (at + wide, low), (at, low + 0.35 * u)]
            )
        many(brush, spray, clear(foam, 0.62))


def _lighthouse(stage: Stage, x: float, foot: float) -> None:
    light, u, brush = stage.light, measure(stage), stage.middle
    high, wide = 38 * u, 3.7 * u
    top = foot - high
    for index in range(5):
        upper, lower = top + high * index / 5, top + high * (index + 1) / 5
        broad = wide * (0.68 + 0.32 * index / 5), wide * (0.68 + 0.32 * (index + 1) / 5)
        band = near_by(light, "#f3efe6" if index % 2 == 0 else "#c2402f")
        points = [
            (x - broad[0], upper),
            (x + broad[0], upper),
            (x + broad[1], lower),
            (x - broad[1], lower),
        ]
        lit, dark = light.lit(band, 0.5), light.shaded(band, 0.58)
        stops = [
            (0.0, lit),
            (0.34, light.lit(band, 0.2)),
            (0.52, light.shaded(band, 0.14)),
            (0.56, light.shaded(band, 0.4)),
            (1.0, dark),
        ]
        start, end = (x - wide, x + wide) if light.side < 0 else (x + wide, x - wide)
        brush.poly(points, brush.linear((start, 0), (end, 0), stops))
    for share in (0.28, 0.56, 0.86):
        brush.rect(
            x - 0.55 * u,
            top + high * share,
            1.1 * u,
            1.9 * u,
            light.shaded(near_by(light, "#39404c"), 0.4),
            radius=0.5 * u,
        )
    _lantern(stage, x, top, wide)


def _lantern(stage: Stage, x: float, top: float, wide: float) -> None:
    light, u, brush = stage.light, measure(stage), stage.middle
    iron = light.shaded(near_by(light, "#5a564e"), 0.35)
    brush.rect(x - wide * 0.98, top - 0.5 * u, wide * 1.96, 1.2 * u, iron)
    for post in range(-4, 5):
        brush.rect(x + wide * 0.23 * post - 0.08 * u, top - 2.2 * u, 0.16 * u, 1.8 * u, iron)
    brush.rect(x - wide * 0.98, top - 2.3 * u, wide * 1.96, 0.25 * u, iron)
    brush.rect(x - wide * 0.55, top - 5.6 * u, wide * 1.1, 5.2 * u, mix("#fff3c4", light.glow, 0.3))
    for bar in (-0.55, -0.2, 0.14, 0.47):
        brush.rect(x + wide * bar, top - 5.6 * u, 0.3 * u, 5.2 * u, iron)
    roof = [
        (x - wide * 0.78, top - 5.5 * u),
        (x - wide * 0.4, top - 7.6 * u),
        (x, top - 8.8 * u),
        (x + wide * 0.4, top - 7.6 * u),
        (x + wide * 0.78, top - 5.5 * u),
    ]
    brush.shape(roof, near_by(light, mix("#a33c30", stage.accent, 0.3)), corners=(0, 4))
    brush.rect(x - 0.14 * u, top - 11.4 * u, 0.28 * u, 3 * u, iron)
    shine = mix("#fff1c4", light.glow, 0.35)
    brush.glow(x, top - 3 * u, 17 * u, shine, 0.3 + 0.5 * light.lamps)


def _beam(stage: Stage) -> None:
    """Two wedges of light on the sky, soft at their edges."""
    light, u, brush = stage.light, measure(stage), stage.back
    x, y = stage.x(_TOWER), stage.horizon - 38 * u
    strength = 0.14 + 0.56 * light.lamps + 0.5 * light.dark
    shine = mix("#fff1c4", light.glow, 0.35)
    with brush.blended("screen"), brush.soft(0.8 * u):
        for sign, spread, rise in ((-1, 8.0, 2.0), (1, 6.5, -2.0)):
            end, middle = x + sign * 115 * u, y - rise * u
            stops = [
                (share, clear(shine, strength * (1 - share) ** 1.3))
                for share in (0, 0.2, 0.45, 0.7, 1)
            ]
            wedge = [
                (x, y - 0.6 * u),
                (end, middle - spread * u),
                (end, middle + spread * u),
                (x, y + 0.6 * u),
            ]
            brush.poly(wedge, brush.linear((x, y), (end, y), stops))


def _cottage(stage: Stage, x: float, foot: float) -> None:
    light, u, brush = stage.light, measure(stage), stage.middle
    wall, tiles = near_by(light, "#ded6c6"), near_by(light, "#5b4a45")
    bright, dark = light.lit(wall, 0.2), light.shaded(wall, 0.36)
    gable, front = (bright, dark) if light.side < 0 else (dark, bright)
    brush.poly(
        [
            (x, foot),
            (x, foot - 5.6 * u),
            (x + 2.6 * u, foot - 9.4 * u),
            (x + 5.2 * u, foot - 5.6 * u),
            (x + 5.2 * u, foot),
        ],
        gable,
    )
    brush.rect(x + 5.2 * u, foot - 5.6 * u, 9.8 * u, 5.8 * u, front)
    brush.poly(
        [
            (x + 2.6 * u, foot - 9.9 * u),
            (x + 12.6 * u, foot - 9.9 * u),
            (x + 16 * u, foot - 5.2 * u),
            (x + 5.4 * u, foot - 5.2 * u),
        ],
        light.shaded(tiles, 0.3),
    )
    brush.line(
        [
            (x - 0.6 * u, foot - 5 * u),
            (x + 2.6 * u, foot - 9.8 * u),
            (x + 12.6 * u, foot - 9.8 * u),
        ],
        light.lit(tiles, 0.25),
        0.5 * u,
    )
    brush.rect(x + 9.6 * u, foot - 12 * u, 1.5 * u, 3 * u, light.shaded(wall, 0.45))
    pane = mix(light.shaded(near_by(light, "#4a5866"), 0.3), "#ffd98a", light.lamps)
    for offset in (6.6, 9.4, 12.2):
        brush.rect(x + offset * u, foot - 4.2 * u, 1.6 * u, 2 * u, pane)
    brush.rect(
        x + 1.9 * u,
        foot - 3.8 * u,
        1.5 * u,
        3.9 * u,
        near_by(light, mix(stage.accent, "#6b4436", 0.4)),
    )
    if light.lamps > 0:
        brush.glow(x + 10 * u, foot - 3 * u, 11 * u, "#ffcf80", 0.5 * light.lamps)


def _pier(stage: Stage) -> None:
    """Planks on posts that come in from the left, its end where somebody stands."""
    light, u, brush = stage.light, stage.unit, stage.middle
    wood = near_by(light, "#7a5d47")
    end, y = stage.x(0.42), stage.y(GROUND)
    start = stage.left

    def deck(x: float) -> float:
        return y - 1.2 * u + 6 * u * (end - x) / stage.width

    posts = [start + (end - start) * share for share in (0.1, 0.33, 0.55, 0.77, 0.985)]
    for x in posts:
        shade = brush.linear(
            (x, 0),
            (x + 1.6 * u, 0),
            [(0.0, light.lit(wood, 0.1)), (1.0, darker(light.shaded(wood, 0.6), 0.2))],
        )
        brush.rect(x - 0.8 * u, deck(x) - 4.6 * u, 1.6 * u, 46 * u, shade)
        brush.ellipse(x, deck(x) - 4.6 * u, 0.8 * u, 0.3 * u, light.lit(wood, 0.4))
    brush.poly(
        [
            (start, deck(start)),
            (end, deck(end)),
            (end, deck(end) + 2.6 * u),
            (start, deck(start) + 4.6 * u),
        ],
        light.shaded(wood, 0.6),
    )
    top = [
        (start, deck(start) - 1.4 * u),
        (end - u, deck(end) - 0.7 * u),
        (end, deck(end) + 0.6 * u),
        (start, deck(start) + 1.4 * u),
    ]
    brush.poly(
        top,
        brush.linear(
            (start, 0), (end, 0), [(0.0, light.shaded(wood, 0.2)), (1.0, light.lit(wood, 0.4))]
        ),
    )
    gaps = []
    for index in range(1, 30):
        x = start + (end - start) * index / 30
        gaps.append(
            [
                (x, deck(x) - 1.3 * u),
                (x + 0.14 * u, deck(x) - 1.3 * u),
                (x + 0.5 * u, deck(x) + 1.2 * u),
                (x + 0.3 * u, deck(x) + 1.2 * u),
            ]
        )
    many(brush, gaps, clear(light.ink, 0.4))
    brush.line(
        [(start, deck(start) - 1.4 * u), (end - u, deck(end) - 0.7 * u)],
        lighter(light.lit(wood, 0.5), 0.1),
        0.25 * u,
    )
    for one, two in itertools.pairwise(posts):
        middle = (one + two) / 2, deck((one + two) / 2) - 2.2 * u
        brush.curve(
            [(one, deck(one) - 3.8 * u), middle, (two, deck(two) - 3.8 * u)],
            light.shaded(near_by(light, "#a08d70"), 0.3),
            0.45 * u,
        )


def _beside(stage: Stage) -> None:
    """Along the shore; a river has no surf."""
    if stage.kind == _RIVER:
        paint_river(stage)
    else:
        paint_beach(stage)


SIDES = (_beside,)
