"""A street: a canyon of houses with shops, wet ground, signs that are lit at night."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.fronts import Row, paint_row
from callsheet_studio.draw.nature import (
    broadleaf,
    dabs,
    flood,
    leaves,
    many,
    measure,
    near_by,
)
from callsheet_studio.draw.stalls import paint_stall
from callsheet_studio.draw.town import (
    NEON,
    House,
    paint_car,
    paint_house,
    paint_lamp,
    paint_reflection,
    paint_sign,
    paint_tower,
    street_colour,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
"""Where somebody stands, as a part of the height."""
LOOK = (0.5, 0.5)
"""What the camera comes closer to."""
SPOTS = ((0.36, 0.88, 1.0), (0.62, 0.86, 0.95), (0.22, 0.83, 0.86), (0.5, 0.74, 0.6))
_SIGNS = (1, 12, 2, 11, 4, 10, 13, 5, 14, 15)
"""Which houses have one."""
_END = 84
"""Metres to the last house."""
_SOFT = 0.3
"""Softer or darker light throws no shadow of a house."""
_EDGE = 6.6
_KERB = 4.3
"""Metres from the middle: the houses, the pavement."""
_WALLS = ("#b04a2f", "#dba863", "#4f7396", "#cf7a4a", "#775a86", "#8ea066", "#cdbb9a", "#8a4436")
_SHOPS = ("#b5483f", "#2f7f86", "#d29a3a", "#7a5ab4", "#b8487e")
_WET = {"soft_day": 0.4, "hard_sun": 0.16, "golden_hour": 0.9, "blue_hour": 0.6, "moonlight": 0.7}
"""How much the ground mirrors; wholly where nothing is said."""


def paint(stage: Stage) -> None:
    """The canyon behind, lamps and trees in the middle, an awning's edge before the camera."""
    flood(stage, stage.light.near)
    _sky(stage)
    _far_end(stage)
    houses = _houses(stage)
    _ground(stage, houses)
    for house in sorted(houses, key=lambda house: -house.near):
        index = houses.index(house)
        paint_house(stage.back, stage.camera, stage.light, stage.chance(f"house{index}"), house)
        if index in _SIGNS:
            colour = (stage.accent, *NEON)[_SIGNS.index(index) % 5]
            z = house.near + (house.far - house.near) * (0.2 + 0.1 * (index % 4))
            paint_sign(stage.back, stage.camera, stage.light, house, z=z, colour=colour)
    _shadow(stage, houses)
    _across(stage)
    _middle(stage)
    _front(stage)


def _sky(stage: Stage) -> None:
    """What is seen of it between the roofs: a strip, brightest where the street leads."""
    light, brush = stage.light, stage.back
    down = max(stage.camera.horizon, stage.y(0.2))
    stops = [(0.0, light.top), (0.5, light.mid), (0.92, light.low)]
    wide = stage.right - stage.left
    fill = brush.linear((0, stage.upper), (0, down), stops)
    brush.rect(stage.left, stage.upper, wide, down - stage.upper + 2, fill)


def _houses(stage: Stage) -> list[House]:
    chance = stage.chance("houses")
    houses: list[House] = []
    for side in (-1, 1):
        z = 1.5 if side < 0 else 3.0
        while z < _END:
            far = z + chance.uniform(7.5, 12)
            houses.append(
                House(
                    side=side,
                    x=_EDGE,
                    near=z,
                    far=far,
                    high=chance.uniform(11, 19.5),
                    colour=_WALLS[(len(houses) * 3 + chance.randrange(2)) % len(_WALLS)],
                    shop=stage.accent if len(houses) == 1 else chance.choice(_SHOPS),
                )
            )
            z = far
    return houses


def _far_end(stage: Stage) -> None:
    """Where the street leads: towers in the haze, and the glow of the town."""
    light, camera, brush, chance = stage.light, stage.camera, stage.back, stage.chance("far")
    foot = camera.horizon + 2
    x, _ = camera(0, 0, 90)
    reach = camera.size(15, 90)
    brush.glow(x, foot - reach * 0.5, reach * 2.4, light.glow, 0.16 + 0.2 * light.lamps)
    for index in range(9):
        wide = reach * chance.uniform(0.2, 0.36)
        left = x - reach + 2 * reach * index / 9
        top = foot - reach * chance.uniform(0.7, 2.1)
        colour = street_colour(light, "#66789a", 70 + 3 * index)
        paint_tower(
            brush, light, chance, box=(left, top, wide, foot), colour=colour, pane=reach * 0.055
        )


def _ground(stage: Stage, houses: Sequence[House]) -> None:
    light, camera, brush = stage.light, stage.camera, stage.back
    top, wide = camera.horizon, stage.right - stage.left
    asphalt = mix(near_by(light, "#575a60"), light.ink, 0.12 + 0.4 * light.dark)
    stops = [
        (0.0, mix(light.low, light.mid, 0.3)),
        (0.12, mix(asphalt, light.low, 0.22)),
        (0.4, asphalt),
        (1.0, light.shaded(asphalt, 0.35)),
    ]
    brush.rect(
        stage.left, top, wide, 4 * stage.height, brush.linear((0, top), (0, stage.bottom), stops)
    )
    wet = _WET.get(light.name, 1.0)
    for house in (one for one in houses if one.near < _END / 2):
        paint_reflection(brush, camera, light, house, wet)
    sky = [
        (0.0, clear(mix(light.low, light.glow, 0.4), 0.3 * wet)),
        (0.5, clear(light.low, 0.09 * wet)),
        (1.0, clear(light.glow, 0)),
    ]
    shine = brush.linear((0, top), (0, stage.bottom), sky)
    for half in (1.0, 2.2):
        brush.poly(
            [camera(-half, 0, 88), camera(half, 0, 88), camera(half, 0, 2), camera(-half, 0, 2)],
            shine,
        )
    stone = street_colour(light, "#9a948c", 12)
    for side in (-1, 1):
        inner, outer = _KERB * side, _EDGE * side
        walk = [
            camera(inner, 0.14, 2),
            camera(outer, 0.14, 2),
            camera(outer, 0.14, 88),
            camera(inner, 0.14, 88),
        ]
        brush.poly(walk, clear(stone, 0.72 - 0.34 * wet))
        kerb = [
            camera(inner, 0.14, 2),
            camera(inner, 0.14, 88),
            camera(inner, 0, 88),
            camera(inner, 0, 2),
        ]
        brush.poly(kerb, light.shaded(stone, 0.45))
        rim = [
            camera(inner, 0.14, 2),
            camera(inner, 0.14, 88),
            camera(inner + 0.16 * side, 0.14, 88),
            camera(inner + 0.16 * side, 0.14, 2),
        ]
        brush.poly(rim, light.lit(stone, 0.35))
    _marks(stage)
    _puddles(stage, wet)


def _marks(stage: Stage) -> None:
    """A crossing before the camera, dashes down the middle, an iron lid."""
    light, camera, brush = stage.light, stage.camera, stage.back
    white = clear(near_by(light, "#eef0ee"), 0.72)
    stripes = []
    for index in range(-4, 4):
        x = index * 1.05 + 0.25
        stripes.append(
            [
                camera(x, 0.0, 6.3),
                camera(x + 0.55, 0.0, 6.3),
                camera(x + 0.55, 0.0, 9.2),
                camera(x, 0.0, 9.2),
            ]
        )
    for index in range(11):
        z = 12 + index * 5.2
        stripes.append(
            [
                camera(-0.07, 0, z),
                camera(0.07, 0, z),
                camera(0.07, 0, z + 2.4),
                camera(-0.07, 0, z + 2.4),
            ]
        )
    many(brush, stripes, white)
    iron = mix(near_by(light, "#4a4d54"), light.ink, 0.3)
    turns = [step * math.tau / 24 for step in range(24)]
    for size, fill in ((0.4, light.lit(iron, 0.06)), (0.36, iron), (0.22, light.shaded(iron, 0.2))):
        lid = [
            camera(1.5 + math.cos(turn) * size, 0, 4.4 + math.sin(turn) * size) for turn in turns
        ]
        brush.poly(lid, fill)


def _puddles(stage: Stage, wet: float) -> None:
    """Thin streaks that break the reflections."""
    light, camera, brush, chance = stage.light, stage.camera, stage.back, stage.chance("puddles")
    streaks = []
    for _ in range(70):
        z = 2.2 + 22 * chance.random() ** 2
        x, y = camera(chance.uniform(-_KERB, _KERB), 0, z)
        wide = camera.size(chance.uniform(0.2, 1.1), z)
        streaks.append((x, y, wide, max(wide * 0.018, 0.5)))
    dabs(brush, streaks[:40], clear(lighter(light.low, 0.3), 0.26 * wet))
    dabs(brush, streaks[40:], clear(light.ink, 0.28))


def _shadow(stage: Stage, houses: Sequence[House]) -> None:
    """What the houses before a hard sun throw over the street: their roofs, step by step."""
    light, camera, brush = stage.light, stage.camera, stage.back
    if light.hard <= _SOFT or light.dark > _SOFT:
        return
    side = 1 if light.side > 0 else -1
    line = []
    for house in (one for one in houses if one.side == side):
        reach = side * (_EDGE - 0.46 * house.high)
        line += [camera(reach, 0.02, max(house.near, 2.0)), camera(reach, 0.02, house.far)]
    near, far = camera(side * _EDGE, 0.02, 2.0), camera(side * _EDGE, 0.02, _END)
    brush.poly([near, *line, far], clear(light.ink, 0.3 * light.hard))
    kerb = [camera(-side * _EDGE, 0.02, z) for z in (_END, 2.0)]
    with brush.blended("soft-light"):
        brush.poly([*line, *kerb], clear(light.key, 0.5 * light.hard))


def _across(stage: Stage) -> None:
    """Lines over the street, a lamp hanging from the middle of each."""
    light, camera, brush = stage.light, stage.camera, stage.back
    for z in (34, 23, 15):
        size = camera.size(1, z)
        ends = camera(-_EDGE, 8.4, z), camera(0, 7.3, z), camera(_EDGE, 8.4, z)
        brush.curve(ends, clear(light.ink, 0.7), max(0.035 * size, 0.7))
        x, y = ends[1]
        brush.poly(
            [
                (x - 0.3 * size, y + 0.42 * size),
                (x - 0.1 * size, y),
                (x + 0.1 * size, y),
                (x + 0.3 * size, y + 0.42 * size),
            ],
            light.shaded(light.near, 0.4),
        )
        brush.ellipse(
            x,
            y + 0.42 * size,
            0.27 * size,
            0.09 * size,
            mix(light.fill, "#fff0c8", 0.25 + 0.75 * light.lamps),
        )
        if light.lamps > 0:
            brush.glow(x, y + 0.45 * size, 2.0 * size, "#ffd89a", 0.7 * light.lamps)


def _middle(stage: Stage) -> None:
    light, camera, brush = stage.light, stage.camera, stage.middle
    if stage.kind == "market":
        _market(stage)
        return
    x, y = camera(1.9, 0, 27)
    paint_car(stage.back, light, x=x, foot=y, wide=camera.size(1.9, 27), colour="#5d6b7c")
    for side, z in ((1, 31.0), (-1, 22.0)):
        x, y = camera(side * 5.3, 0.14, z)
        leaf = street_colour(light, "#5c8f4e", z)
        if not stage.mentions("alley", "gasse"):
            broadleaf(
                stage.back,
                light,
                stage.chance(f"tree{z}"),
                at=(x, y),
                high=camera.size(6.2, z),
                colour=leaf,
            )
    for side, z in ((-1, 19.0), (1, 12.0)):
        x, y = camera(side * 4.7, 0.14, z)
        dabs(brush, [(x, y, camera.size(0.35, z), camera.size(0.06, z))], clear(light.ink, 0.4))
        paint_lamp(brush, light, x=x, foot=y, high=camera.size(6.4, z), arm=-side)


def _market(stage: Stage) -> None:
    """Stalls along both pavements, from the far ones to the near ones."""
    camera = stage.camera
    for index, z in enumerate((30.0, 22.0, 16.0, 11.5)):
        for side in (-1, 1):
            cloth = (stage.accent, *_SHOPS)[(index * 2 + (side > 0)) % 6]
            layer = stage.middle if z < 20 else stage.back  # noqa: PLR2004 -- the near ones
            seed = f"stall{z}{side}"
            place = camera(side * 4.2, 0, z)
            paint_stall(stage, layer, place, camera.size(1.0, z), cloth=cloth, seed=seed)


def _front(stage: Stage) -> None:
    """The edge of an awning above, plants of a café below: both in their corners."""
    light, u, brush, chance = stage.light, stage.unit, stage.front, stage.chance("plants")
    cloth = mix(near_by(light, stage.accent), light.ink, 0.4)
    high, low = stage.y(0.045), stage.y(0.15)
    start, end = stage.x(0.83), stage.right
    for index in range(6):
        one, two = (start + (end - start) * share / 6 for share in (index, index + 1))
        edge = [high + (low - high) * share / 6 for share in (index, index + 1)]
        fill = cloth if index % 2 else mix(cloth, light.fill, 0.4)
        hem = ((one + two) / 2, sum(edge) / 2 + 4.6 * u)
        skirt = [(one, stage.upper), (two, stage.upper), (two, edge[1]), hem, (one, edge[0])]
        brush.shape(skirt, fill, corners=(0, 1, 2, 4))
        brush.poly(
            [
                (one, edge[0] - 0.5 * u),
                (two, edge[1] - 0.5 * u),
                (two, edge[1] + 0.3 * u),
                (one, edge[0] + 0.3 * u),
            ],
            clear(light.ink, 0.3),
        )
    leaf = mix(near_by(light, "#4d7a45"), light.ink, 0.42)
    pot = [
        (stage.left, stage.height - 3 * u),
        (stage.x(0.06), stage.height - 3 * u),
        (stage.x(0.05), stage.bottom),
        (stage.left, stage.bottom),
    ]
    brush.poly(pot, mix(near_by(light, "#6e5446"), light.ink, 0.4))
    for fill, shift in ((leaf, 0.0), (light.lit(leaf, 0.07), -1.0)):
        for _ in range(8):
            x = stage.x(chance.uniform(-0.03, 0.06))
            y = stage.height - chance.uniform(3, 16) * u
            dabs(brush, leaves(chance, x + shift * u, y + shift * u, 2.8 * u, 9), fill)


# Other sides


_FOOT = 0.68
"""Where the houses over the street stand, as a part of the height."""


def _over_there(stage: Stage) -> None:
    """The other side of the street from the front: shops, the pavement, a tree, bicycles."""
    light, foot, u = stage.light, stage.y(_FOOT), stage.unit
    flood(stage, light.near)
    _sky(stage)
    paint_row(stage, Row(foot, 0.125 * stage.height, _WALLS, (stage.accent, *_SHOPS), (3, 4)))
    brush, wide = stage.back, stage.right - stage.left
    stone = near_by(light, "#a29c92")
    asphalt = mix(near_by(light, "#575a60"), light.ink, 0.12 + 0.4 * light.dark)
    brush.rect(stage.left, foot, wide, 7 * u, light.lit(stone, 0.12))
    brush.rect(stage.left, foot, wide, 0.8 * u, clear(light.ink, 0.3))
    slabs = [
        [(x, foot), (x + 0.2 * u, foot), (x + (x - stage.x(0.5)) * 0.06, foot + 7 * u)]
        for x in (stage.left + wide * step / 22 for step in range(23))
    ]
    many(brush, slabs, clear(light.ink, 0.22))
    brush.rect(stage.left, foot + 7 * u, wide, 1.4 * u, light.shaded(stone, 0.4))
    stops = [(0.0, light.lit(asphalt, 0.06)), (1.0, light.shaded(asphalt, 0.4))]
    fill = brush.linear((0, foot + 8 * u), (0, stage.bottom), stops)
    brush.rect(stage.left, foot + 8.4 * u, wide, stage.bottom - foot, fill)
    wet = _WET.get(light.name, 1.0)
    gleam = [(0.0, clear(mix(light.low, light.glow, 0.4), 0.3 * wet)), (1.0, clear(light.low, 0))]
    brush.rect(
        stage.left, foot + 8.4 * u, wide, 16 * u, brush.linear((0, foot), (0, foot + 24 * u), gleam)
    )
    _along(stage, foot + 5.4 * u)


def _along(stage: Stage, y: float) -> None:
    """What stands along the kerb."""
    light, m, chance = stage.light, measure(stage), stage.chance("along")
    start = chance.uniform(0.02, 0.16)
    if stage.kind == "market":
        for index, share in enumerate((0.04, 0.36, 0.68, 1.0)):
            cloth = (stage.accent, *_SHOPS)[index]
            place = (stage.x(share), y + 1.5 * m)
            paint_stall(stage, stage.middle, place, 12.5 * m, cloth=cloth, seed=f"stall{index}")
        return
    for share in (start, start + 0.62):
        x = stage.x(share)
        dabs(stage.middle, [(x, y, 5 * m, 0.9 * m)], clear(light.ink, 0.35))
        broadleaf(
            stage.middle,
            light,
            stage.chance(f"kerb{share:.1f}"),
            at=(x, y),
            high=58 * m,
            colour=near_by(light, "#5c8f4e"),
        )
    x = stage.x(start + 0.34)
    dabs(stage.middle, [(x, y, 2.4 * m, 0.6 * m)], clear(light.ink, 0.35))
    paint_lamp(stage.middle, light, x=x, foot=y, high=66 * m, arm=1)


SIDES = (_over_there,)
