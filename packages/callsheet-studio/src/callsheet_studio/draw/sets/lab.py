"""The laboratory: white benches into the depth, glass with coloured liquids, a fume hood."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.dressing import ceiling_panel
from callsheet_studio.draw.glassware import (
    paint_glass,
    stand_bottle,
    stand_glass,
    stand_microscope,
    stand_rack,
)
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_shell,
    paint_tiles,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.solid import Solid
from callsheet_studio.draw.walls import fall, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.34, 0.88, 1.0), (0.46, 0.8, 0.8))
SURFACE = (0.62, 0.575)

_BACK, _LEFT, _RIGHT, _HIGH = 8.6, -3.5, 3.7, 3.1
_WHITE = "#eef1f1"
_LIQUIDS = ("#2fb3a6", "#e8a13c", "#d9566b", "#4a86d8", "#8f6bd0")


def paint(stage: Stage) -> None:
    """The room behind, a bench across it in the middle, one flask before the camera."""
    room = _shell(stage, _BACK)
    lab = Solid(room, far=22)
    for z in (7.2, 5.2, 3.4):
        ceiling_panel(room, (-1.3 * lab.slim, z), (1.5 * lab.slim, 0.5))
        ceiling_panel(room, (1.3 * lab.slim, z), (1.5 * lab.slim, 0.5))
    opening = back_opening(room, -0.9 * lab.slim, 2.6 * lab.slim, 1.15, 2.55)
    paint_window(room, opening, panes=(3, 1), view="city", frame="#c9d2d4", bar=0.05)
    _back_wall(stage, lab)
    if stage.mentions("data cent", "rechenzentrum", "server"):
        _servers(stage, lab)
    else:
        _side_bench(stage, lab)
    _hood(stage, lab)
    _island(stage, Solid(room, "middle", far=26))
    settle(room, (0.62, 0.52))
    _display(stage, lab, (1.95, 1.4, _BACK), (0.9 * lab.slim, 0.66))
    _near(stage)


def _shell(stage: Stage, depth: float) -> Room:
    room = room_of(stage, depth=depth, left=_LEFT, right=_RIGHT, tall=_HIGH)
    paint_shell(room, wall="#dfe7e8", floor="#a9b8bc", ceiling="#f2f5f5", side="#d3dfe1")
    paint_tiles(room, "#a9b8bc", size=0.6)
    return room


def _back_wall(stage: Stage, lab: Solid) -> None:
    """A door with a round window."""
    light, brush = lab.light, lab.brush
    lab.wall((0.75, 1.75), (0, 2.2), _BACK, light.shaded(lab.tone("#93a5aa", _BACK), 0.1))
    lab.wall((0.8, 1.7), (0, 2.15), _BACK, lab.tone(mix("#c8d6d8", stage.accent, 0.5), _BACK))
    with lab.plane((1.25, 1.62, _BACK)):
        brush.circle(0, 0, 0.2, light.shaded(lab.tone("#7f9399", _BACK), 0.2))
        brush.circle(0, 0, 0.16, mix(light.low, light.glow, 0.4))
    with lab.plane((1.6, 1.05, _BACK)):
        brush.rect(-0.1, -0.02, 0.14, 0.04, lab.tone("#6a777c", _BACK), radius=0.02)


def _display(
    stage: Stage, lab: Solid, corner: tuple[float, float, float], size: tuple[float, float]
) -> None:
    """A screen with a curve that grows; shines the more, the darker it is."""
    light, brush = lab.light, lab.brush
    wide, high = size
    shine = mix("#8fe9dc", stage.accent, 0.25)
    with lab.plane(corner):
        brush.rect(
            -0.04,
            -high - 0.04,
            wide + 0.08,
            high + 0.08,
            light.shaded(lab.tone("#2b363c", corner[2]), 0.3),
            radius=0.03,
        )
        brush.rect(0, -high, wide, high, mix("#10262d", light.ink, 0.3))
        for row in range(1, 4):
            brush.rect(0.05, -high * row / 4, wide - 0.1, 0.008, clear(shine, 0.25))
        curve = [
            (0.06 + wide * 0.86 * t / 9, -high * (0.16 + 0.62 / (1 + math.exp(4.5 - t))))
            for t in range(10)
        ]
        with stage.readable(brush, wide / 2):
            brush.curve(curve, shine, 0.025)
            brush.circle(*curve[-1], 0.032, lighter(shine, 0.5))
    if light.lamps or light.dark:
        x, y = lab.at(corner[0] + wide / 2 / lab.slim, corner[1] + high / 2, corner[2])
        brush.glow(x, y, lab.metre(corner[2]) * 1.1, shine, 0.16 + 0.4 * light.dark)


def _side_bench(stage: Stage, lab: Solid) -> None:
    """Along the left wall: cupboards, a worktop, two shelves of bottles."""
    light, chance = lab.light, stage.chance("bottles")
    inner = _LEFT + 0.85
    lab.shadow((_LEFT, inner), (1.2, _BACK - 0.1), 0.2)
    lab.side(inner, (0.1, 0.86), (1.2, _BACK - 0.1), lab.tone("#e3e8e8", 5))
    for door in range(2, 9):
        lab.side(inner, (0.14, 0.82), (door - 0.02, door + 0.02), clear(light.ink, 0.22))
        lab.side(inner, (0.66, 0.69), (door + 0.35, door + 0.65), lab.tone("#7c8b90", door))
    lab.side(inner, (0.1, 0.16), (1.2, _BACK - 0.1), lab.tone(stage.accent, 5))
    lab.side(
        inner + 0.03, (0.86, 0.92), (1.2, _BACK - 0.1), light.shaded(lab.tone("#c8d2d4", 5), 0.1)
    )
    lab.floor(
        (_LEFT, inner + 0.03), (1.2, _BACK - 0.1), light.lit(lab.tone(_WHITE, 5), 0.3), y=0.92
    )
    for y in (1.5, 2.0):
        lab.side(_LEFT + 0.02, (y - 0.16, y - 0.02), (2, _BACK - 0.2), clear(light.ink, 0.14))
        lab.box((_LEFT, _LEFT + 0.3), (y - 0.04, y), (2, _BACK - 0.2), "#cfd8da")
        glow = clear(mix(light.glow, "#ffffff", 0.4), 0.3 + 0.5 * light.lamps)
        lab.side(_LEFT + 0.29, (y - 0.05, y - 0.035), (2, _BACK - 0.2), glow)
        for step in range(15):
            z = _BACK - 0.4 - step * 0.42
            colour = chance.choice(("#7a4a26", "#8d5a2e", "#e9eded", "#3f7f9d", stage.accent))
            stand_bottle(lab, (_LEFT + 0.16, y, z), colour, chance.uniform(0.18, 0.27))
    for step, z in enumerate((7.8, 7.0, 6.1, 5.2, 4.4, 3.7)):
        form = ("flask", "cylinder", "beaker")[step % 3]
        stand_glass(lab, (_LEFT + 0.5, 0.92, z), form, _LIQUIDS[step % 5], 1.05)


def _servers(stage: Stage, lab: Solid) -> None:
    """Racks with rows of small lights."""
    chance, inner = stage.chance("servers"), _LEFT + 0.9
    lab.shadow((_LEFT, inner), (1.2, _BACK), 0.3)
    for z in (7.3, 6.1, 4.9, 3.7, 2.5):
        lab.box((_LEFT, inner), (0, 2.3), (z, z + 1.14), "#333f47")
        for row in range(12):
            y = 0.16 + row * 0.17
            lab.side(inner, (y, y + 0.12), (z + 0.08, z + 1.06), lab.tone("#1f282e", z))
            for lamp in range(3):
                start = z + 0.16 + lamp * 0.16
                colour = chance.choice(("#57e0a0", "#57e0a0", "#58b7f0", stage.accent))
                lab.side(inner, (y + 0.04, y + 0.075), (start, start + 0.07), colour)


def _hood(stage: Stage, lab: Solid) -> None:
    """Along the right wall: two hoods, lit inside, their glass half drawn."""
    light, inner = lab.light, _RIGHT - 0.95
    glass = mix(light.low, light.glow, 0.55)
    for z in (6.1, 3.9):
        span = (z, z + 2.0)
        lab.shadow((inner, _RIGHT), span, 0.24)
        lab.box((inner, _RIGHT), (0, 2.5), span, "#e6ebeb")
        lab.side(
            inner, (0.08, 0.84), (z + 0.1, z + 1.9), light.shaded(lab.tone("#cfd8da", z), 0.12)
        )
        lab.side(inner, (0.3, 0.6), (z + 0.98, z + 1.02), clear(light.ink, 0.35))
        lab.side(inner - 0.01, (0.88, 0.94), span, lab.tone("#8fa0a5", z))
        within = mix(lab.tone("#b9cdd0", z), glass, 0.35 + 0.4 * light.lamps)
        top, low = lab.at(inner, 2.1, z), lab.at(inner, 0.94, z)
        fill = lab.brush.linear(
            top, low, [(0, mix(within, glass, 0.6)), (1, light.shaded(within, 0.2))]
        )
        lab.side(inner, (0.94, 2.1), (z + 0.14, z + 1.86), fill)
        for index, along in enumerate((1.5, 1.0, 0.5)):
            form = ("cylinder", "flask", "beaker")[index]
            stand_glass(lab, (inner + 0.1, 0.96, z + along), form, _LIQUIDS[(index + int(z)) % 5])
        lab.side(inner - 0.01, (1.42, 2.12), (z + 0.14, z + 1.86), clear(glass, 0.34))
        lab.side(inner - 0.01, (1.4, 1.44), (z + 0.14, z + 1.86), lab.tone("#7d8d92", z))
        for share in (0.3, 0.62):
            shine = [(inner - 0.01, 2.1, z + share), (inner - 0.01, 2.1, z + share + 0.2)]
            shine += [(inner - 0.01, 1.45, z + share + 0.5), (inner - 0.01, 1.45, z + share + 0.3)]
            lab.face(shine, clear("#ffffff", 0.22))
        lab.side(inner - 0.01, (2.22, 2.4), (z + 0.2, z + 0.7), lab.tone("#33424a", z))
        lab.side(inner - 0.01, (2.28, 2.34), (z + 0.26, z + 0.5), mix("#7fe8c8", stage.accent, 0.2))
    lab.box((inner + 0.2, _RIGHT - 0.1), (2.5, _HIGH), (4.6, 5.0), "#b7c3c6")


def _island(stage: Stage, lab: Solid) -> None:
    """The bench that somebody works at."""
    light, x, z = lab.light, (0.1, 2.75), (4.75, 5.55)
    lab.shadow(x, z, 0.34)
    lab.box((x[0] + 0.08, x[1] - 0.08), (0, 0.09), (z[0] + 0.08, z[1]), "#5f6e74")
    lab.box((x[0] + 0.03, x[1] - 0.03), (0.09, 0.86), (z[0] + 0.03, z[1]), "#dbe3e4")
    for index in range(4):
        left = x[0] + 0.08 + index * 0.635
        lab.wall(
            (left, left + 0.57), (0.14, 0.6), z[0] + 0.03, light.lit(lab.tone(_WHITE, 5), 0.12)
        )
        colour = stage.accent if index == 1 else _WHITE
        lab.wall((left, left + 0.57), (0.64, 0.81), z[0] + 0.03, lab.tone(colour, 5))
        for y in (0.72, 0.52):
            lab.wall(
                (left + 0.19, left + 0.38), (y, y + 0.025), z[0] + 0.03, lab.tone("#75858b", 5)
            )
    lab.box(x, (0.86, 0.93), z, "#f4f6f6")
    edge = [lab.at(x[0], 0.93, z[0]), lab.at(x[1], 0.93, z[0])]
    lab.brush.line(edge, clear(light.key, 0.7), stage.unit * 0.22)
    back, near = z[0] + 0.55, z[0] + 0.3
    roomy = 1.0 if lab.slim > 0.8 else 0.86  # noqa: PLR2004 -- a narrow frame
    stand_rack(lab, (0.62, 0.93, back), _LIQUIDS)
    stand_glass(lab, (2.45, 0.93, back), "cylinder", _LIQUIDS[3], roomy)
    stand_glass(lab, (1.2, 0.93, near), "flask", stage.accent, 1.25 * roomy)
    if lab.slim > 0.8:  # noqa: PLR2004 -- a narrow frame
        stand_glass(lab, (1.52, 0.93, near), "beaker", _LIQUIDS[0])
    stand_microscope(lab, (2.0, 0.93, near), stage.accent)


def _near(stage: Stage) -> None:
    """One flask at the edge, so near that it is out of focus."""
    light, brush, u = stage.light, stage.front, stage.unit
    x, y, size = stage.x(0.95), stage.y(1.03), 90 * u
    brush.ctx.save()
    with brush.soft(0.7 * u):
        brush.ctx.translate(x, y)
        brush.ctx.scale(size, size)
        paint_glass(brush, light, "flask", light.air(stage.accent, 0.9))
    brush.ctx.restore()


# Other sides


_WALL = 6.2
"""Metres to the wall that the camera has turned to."""


def _to_shelves(stage: Stage) -> None:
    """The wall of bottles: shelves over a bench from end to end."""
    room = _shell(stage, _WALL)
    lab = Solid(room, far=22)
    light, chance, back = lab.light, stage.chance("bottles"), _WALL
    for y in (1.45, 1.88, 2.3):
        lab.wall((-3.1, 3.1), (y - 0.16, y - 0.03), back, clear(light.ink, 0.14))
        lab.box((-3.1, 3.1), (y - 0.04, y), (back - 0.3, back), "#cfd8da")
        glow = clear(mix(light.glow, "#ffffff", 0.4), 0.3 + 0.5 * light.lamps)
        lab.wall((-3.1, 3.1), (y - 0.055, y - 0.035), back - 0.3, glow)
        for step in range(19):
            colour = chance.choice(("#7a4a26", "#8d5a2e", "#e9eded", "#3f7f9d", stage.accent))
            x = -2.95 + step * 0.325 + chance.uniform(-0.04, 0.04)
            stand_bottle(lab, (x, y, back - 0.16), colour, chance.uniform(0.18, 0.28))
    _long_bench(stage, lab, (-3.1, 3.1))
    for step in range(9):
        form = ("flask", "cylinder", "beaker")[step % 3]
        stand_glass(lab, (-2.8 + step * 0.66, 0.92, back - 0.4), form, _LIQUIDS[step % 5], 1.1)
    fall(room)
    near = Solid(room, "middle", far=26)
    stand_microscope(near, (1.9, 0.92, back - 0.6), stage.accent)
    stand_rack(near, (-1.6, 0.92, back - 0.6), _LIQUIDS)


def _to_hoods(stage: Stage) -> None:
    """Two hoods from the front, lit inside, a display and a window beside them."""
    room = _shell(stage, _WALL)
    lab = Solid(room, far=22)
    for left in (-3.0, -1.05):
        _front_hood(stage, lab, left)
    found = windows(
        room, (0.88,), wide=1.9, span=(1.15, 2.5), view="city", frame="#c9d2d4", panes=(3, 1)
    )
    _long_bench(stage, lab, (1.0, 3.4))
    for step, x in enumerate((1.3, 1.7, 2.4, 2.9)):
        stand_glass(lab, (x, 0.92, _WALL - 0.4), ("beaker", "flask")[step % 2], _LIQUIDS[step], 1.1)
    fall(room, found, panes=(3, 1))
    _display(stage, lab, (1.0, 1.35, _WALL), (0.9 * lab.slim, 0.66))


def _long_bench(stage: Stage, lab: Solid, x: tuple[float, float]) -> None:
    """Cupboards along the wall under a white top."""
    light, z = lab.light, _WALL - 0.7
    lab.shadow(x, (z, _WALL), 0.24)
    lab.box(x, (0.08, 0.86), (z, _WALL), "#e3e8e8")
    lab.wall(x, (0.02, 0.08), z, lab.tone("#5f6e74", z))
    count = round((x[1] - x[0]) / 0.62)
    for index in range(count):
        left = x[0] + index * (x[1] - x[0]) / count
        lab.wall((left - 0.01, left + 0.01), (0.1, 0.84), z, clear(light.ink, 0.22))
        colour = stage.accent if index % 4 == 1 else _WHITE
        lab.wall((left + 0.05, left + 0.55), (0.64, 0.8), z, lab.tone(colour, z))
        lab.wall((left + 0.2, left + 0.4), (0.54, 0.565), z, lab.tone("#75858b", z))
    lab.box((x[0] - 0.03, x[1] + 0.03), (0.86, 0.92), (z - 0.04, _WALL), "#f4f6f6")


def _front_hood(stage: Stage, lab: Solid, left: float) -> None:
    light, brush, z = lab.light, lab.brush, _WALL - 0.9
    x, glass = (left, left + 1.8), mix(light.low, light.glow, 0.55)
    lab.shadow(x, (z, _WALL), 0.26)
    lab.box(x, (0, 2.6), (z, _WALL), "#e6ebeb")
    within = mix(lab.tone("#b9cdd0", z), glass, 0.35 + 0.4 * light.lamps)
    top, low = lab.at(left, 2.2, z), lab.at(left, 0.94, z)
    stops = [(0, mix(within, glass, 0.6)), (1, light.shaded(within, 0.3))]
    lab.wall((left + 0.12, left + 1.68), (0.94, 2.2), z, brush.linear(top, low, stops))
    for index, along in enumerate((0.45, 0.9, 1.35)):
        form = ("cylinder", "flask", "beaker")[index]
        stand_glass(lab, (left + along, 0.95, z), form, _LIQUIDS[(index + int(left)) % 5], 1.3)
    lab.wall((left + 0.12, left + 1.68), (1.5, 2.2), z, clear(glass, 0.36))
    lab.wall((left + 0.12, left + 1.68), (1.47, 1.52), z, lab.tone("#7d8d92", z))
    for share in (0.3, 0.9):
        shine = ((share, 2.2), (share + 0.16, 2.2), (share + 0.5, 1.53), (share + 0.34, 1.53))
        lab.face([(left + dx, y, z) for dx, y in shine], clear("#ffffff", 0.2))
    lab.wall((left - 0.01, left + 1.81), (0.86, 0.94), z - 0.01, lab.tone("#8fa0a5", z))
    lab.wall((left + 0.2, left + 0.8), (2.32, 2.48), z, lab.tone("#33424a", z))
    lab.wall((left + 0.26, left + 0.5), (2.37, 2.43), z, mix("#7fe8c8", stage.accent, 0.2))
    lab.wall((left + 0.1, left + 0.86), (0.1, 0.8), z, light.shaded(lab.tone("#cfd8da", z), 0.1))
    lab.wall((left + 0.94, left + 1.7), (0.1, 0.8), z, light.shaded(lab.tone("#cfd8da", z), 0.1))


SIDES = (_to_shelves, _to_hoods)
