"""A road: it bends to the horizon through open land, with poles, a rail and a sign along it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.nature import (
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
from callsheet_studio.draw.sky import paint_birds, paint_sky
from callsheet_studio.draw.town import paint_car, paint_lamp

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

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
    if stage.kind == "tram":
        _tracks(stage, land)
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


_GAUGE = ((-2.35, -2.25), (-0.95, -0.85))
"""The rails of a tram, from the middle of the road."""


def _tracks(stage: Stage, land: Plain) -> None:
    """Rails in the road, the wire over them."""
    light, brush = stage.light, stage.back
    steel = light.lit(near_by(light, "#8b9197"), 0.35)
    bed = clear(light.shaded(near_by(light, "#6d6a66"), 0.3), 0.5)
    brush.poly(_ribbon(land, -2.75, -0.45), bed)
    for left, right in _GAUGE:
        brush.poly(_ribbon(land, left - 0.06, right + 0.06), clear(light.ink, 0.5))
        brush.poly(_ribbon(land, left, right), steel)
    wire = [land(_middle(z) - 1.6, z, 5.6) for z in _DEEP[8:]]
    brush.line(wire, clear(light.ink, 0.6), 0.22 * stage.unit)


def _coming(stage: Stage, at: Point, wide: float) -> None:
    """An old tram that comes towards us, its lamp lit."""
    light, brush, (x, y) = stage.light, stage.back, at

    def to(dx: float, dy: float) -> Point:
        return x + dx * wide, y - dy * wide

    paint, cream = near_by(light, mix("#a8352b", stage.accent, 0.25)), near_by(light, "#f0e4c8")
    dabs(brush, [(x, y, 0.62 * wide, 0.06 * wide)], clear(light.ink, 0.45))
    lit, dim = light.lit(paint, 0.16), light.shaded(paint, 0.3)
    ends = (lit, dim) if light.side < 0 else (dim, lit)
    fill = brush.linear(to(-0.5, 0), to(0.5, 0), [(0.0, ends[0]), (1.0, ends[1])])
    brush.rect(*to(-0.42, 0.16), 0.84 * wide, 0.16 * wide, light.shaded(paint, 0.75))
    brush.rect(*to(-0.5, 0.75), wide, 0.6 * wide, fill, radius=0.06 * wide)
    brush.rect(*to(-0.5, 1.36), wide, 0.64 * wide, light.shaded(cream, 0.08), radius=0.06 * wide)
    pane = mix(light.shaded(near_by(light, "#4a6072"), 0.1), "#ffdf9a", light.lamps)
    for dx in (-0.44, -0.14, 0.16):
        brush.rect(*to(dx, 1.28), 0.28 * wide, 0.46 * wide, pane, radius=0.03 * wide)
    brush.shape(
        [to(-0.54, 1.34), to(-0.4, 1.52), to(0.4, 1.52), to(0.54, 1.34)], dim, corners=(0, 3)
    )
    brush.line([to(0, 1.5), to(0.05, 2.2)], clear(light.ink, 0.7), 0.03 * wide)
    brush.circle(*to(0, 0.5), 0.09 * wide, mix(cream, "#fff2c8", 0.6))
    brush.glow(*to(0, 0.5), 0.5 * wide, "#ffe2a0", 0.35 + 0.5 * light.lamps)


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
    if stage.kind == "tram":
        tx, ty = land(_middle(24) - 1.6, 24)
        _coming(stage, (tx, ty), land.size(2.4, 24))
    else:
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


# Other sides


_ROAD = (0.76, 0.97)
"""Where the road begins and ends that is looked across, as parts of the height."""


def _over_road(stage: Stage) -> None:
    """Across the road: the rail along it, poles, the land up to the hills; or a tram."""
    u, y = stage.unit, stage.horizon
    flood(stage, stage.light.top)
    paint_sky(stage, down_to=y)
    cumulus(stage, count=5, top=0.08, down=0.34)
    paint_birds(stage, count=5, around=(0.3, 0.2))
    _range(stage)
    hills(stage, "far", y=y + 2 * u, rise=11 * u, depth=0.3, colour="#6a8f86")
    _land(stage)
    _row_of_poles(stage)
    _trees(stage)
    _band(stage)
    if stage.kind == "tram":
        _standing(stage)
    else:
        _long_rail(stage)


def _row_of_poles(stage: Stage) -> None:
    """Poles at one distance, their wires from edge to edge."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("poles")
    body = far_off(light, "#6b5a4c", 0.75)
    foot, high = stage.horizon + 5 * u, 34 * u
    start = stage.left + chance.uniform(0, 20) * u
    places = [start + step * 46 * u for step in range(8)]
    for x in places:
        brush.rect(x - 0.4 * u, foot - high, 0.8 * u, high, body)
        brush.rect(x - 3.4 * u, foot - high + 2 * u, 6.8 * u, 0.6 * u, body)
    for one, two in itertools.pairwise(places):
        for side in (-3, 3):
            top = foot - high + 2 * u
            line = [(one + side * u, top), ((one + two) / 2, top + 3.4 * u), (two + side * u, top)]
            brush.curve(line, clear(light.ink, 0.4), 0.16 * u)


def _trees(stage: Stage) -> None:
    light, u, chance = stage.light, measure(stage), stage.chance("firs")
    for _ in range(7):
        x = chance.uniform(stage.left, stage.right)
        high = chance.uniform(10, 19) * u
        foot = stage.horizon + chance.uniform(2, 6) * u
        colour = far_off(light, "#355c40", 0.72)
        conifer(stage.back, light, at=(x, foot), high=high, colour=colour)


def _band(stage: Stage) -> None:
    """The road as a band across the picture, its lines and its edge."""
    light, u, brush = stage.light, stage.unit, stage.back
    top, end, wide = stage.y(_ROAD[0]), stage.y(_ROAD[1]), stage.right - stage.left
    grey = mix(near_by(light, "#565a62"), light.ink, 0.18)
    gravel, white = near_by(light, "#a08d72"), near_by(light, "#f1f1ea")
    brush.rect(stage.left, top - 2.4 * u, wide, 3 * u, light.shaded(gravel, 0.1))
    stops = [(0.0, light.lit(grey, 0.1)), (1.0, light.shaded(grey, 0.35))]
    fill = brush.linear((0, top), (0, end), stops)
    brush.rect(stage.left, top, wide, end - top, fill)
    brush.rect(stage.left, top + 0.8 * u, wide, 0.5 * u, white)
    brush.rect(stage.left, end - 1.8 * u, wide, 0.9 * u, white)
    middle, yellow = top + (end - top) * 0.42, near_by(light, "#f0b93a")
    dashes = [
        [(x, middle), (x + 13 * u, middle), (x + 13.4 * u, middle + 0.7 * u), (x, middle + 0.7 * u)]
        for x in (stage.left + step * 24 * u for step in range(12))
    ]
    many(brush, dashes, yellow)
    brush.rect(stage.left, end, wide, stage.bottom - end, light.shaded(gravel, 0.3))


def _long_rail(stage: Stage) -> None:
    """The guard rail behind the road, from edge to edge."""
    light, u, brush = stage.light, measure(stage), stage.back
    y, wide = stage.y(_ROAD[0]) - 1.4 * stage.unit, stage.right - stage.left
    steel = near_by(light, "#aeb5bb")
    posts = [stage.left + step * 13 * u for step in range(26)]
    for x in posts:
        brush.rect(x, y - 6.4 * u, 1.0 * u, 6.4 * u, light.shaded(steel, 0.55))
    for up, high, fill in (
        (6.6, 3.4, steel),
        (6.6, 0.6, light.lit(steel, 0.5)),
        (5.0, 0.6, light.shaded(steel, 0.35)),
        (4.0, 0.8, light.shaded(steel, 0.45)),
    ):
        brush.rect(stage.left, y - up * u, wide, high * u, fill)
    for x in posts[::3]:
        brush.circle(x + 0.5 * u, y - 7.4 * u, 0.6 * u, near_by(light, "#e8662f"))


def _standing(stage: Stage) -> None:
    """A tram from its side, on its track behind the road."""
    from callsheet_studio.draw.props import paint_prop

    light, u, brush = stage.light, measure(stage), stage.back
    y, wide = stage.y(_ROAD[0]) - 1.2 * stage.unit, stage.right - stage.left
    steel = light.lit(near_by(light, "#8b9197"), 0.3)
    for up in (0.0, 1.5):
        brush.rect(stage.left, y - up * u, wide, 0.5 * u, steel)
    brush.rect(stage.left, y - 47 * u, wide, 0.22 * u, clear(light.ink, 0.6))
    x = stage.x(stage.chance("tram").uniform(0.5, 0.7))
    with stage.readable(brush, x) as seen:
        paint_prop(brush, "tram", seen, x=x, y=y - 0.4 * u, size=62 * u, accent=stage.accent)


SIDES = (_over_road,)
