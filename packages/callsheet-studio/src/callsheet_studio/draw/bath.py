"""The bathroom of a home: tiles, a basin under its mirror, a tub; and the shower."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.dressing import plant, things
from callsheet_studio.draw.furniture import board_shelf, box, counter, rug, shadow
from callsheet_studio.draw.outlook import outlook_of
from callsheet_studio.draw.rooms import paint_shell, paint_tiles, room_of
from callsheet_studio.draw.walls import fall, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

_SCHEMES = (
    ("#a9c8c0", "#2f6d72"),
    ("#c9bfd0", "#5a4a6a"),
    ("#d3c2a6", "#7a5236"),
    ("#a6bfd3", "#35506e"),
)
"""Wall over the tiles, wood and mat."""
_WHITE = "#f4f5f2"
_TILED, _TILE = 1.5, 0.2
"""Metres: how high the tiles go, and how large one is."""
_BOTTLES = (
    ("bottle", "#d98f5b", 0.22),
    ("jar", "#f0ece0", 0.12),
    ("glass", "#9fc4cc", 0.14),
    ("bottle", "#5f8a8b", 0.18),
)


def paint_basin(stage: Stage) -> None:
    """The basin with its round mirror on the left, a window and the tub on the right."""
    room = _shell(stage)
    view = outlook_of(stage, "town", "garden")
    found = windows(room, (0.74,), wide=1.2, span=(1.35, 2.35), view=view)
    x = room.x(0.3, room.depth - 0.5)
    _basin(room, x)
    _mirror(room, room.x(0.3, room.depth))
    _towel(room, room.x(0.52, room.depth))
    rug(room, stage.back, (x, 3.9), (1.5, 0.8), room.one_of(_SCHEMES)[1])
    fall(room, found)
    _tub(room, room.x(0.8, 4.7))
    plant(room, stage.back, (room.x(0.95, 5.0), 0, 5.0), 1.1, pot="#e4d6c0", kind="tall")


def paint_shower(stage: Stage) -> None:
    """The other wall: a shower behind glass, towels, a shelf of bottles."""
    room = _shell(stage)
    brush = stage.back
    left = room.x(0.08, room.depth)
    board_shelf(room, brush, left, 1.75, room.fit(1.4), "#b98d62")
    things(room, brush, (left, 1.75, room.depth - 0.2, room.fit(1.4)), _BOTTLES, seed="bottles")
    for share in (0.14, 0.28):
        _towel(room, room.x(share, room.depth))
    box(room, brush, (room.x(0.42, 4.9), 4.9), (0.6, 0.4), (0, 0.6), "#c9a878")
    fall(room)
    _shower(room, room.x(0.7, room.depth))
    plant(room, brush, (room.x(0.42, 4.95), 0.6, 4.95), 0.5)


def _shell(stage: Stage) -> Room:
    """White tiles up to the shoulder, a painted wall over them."""
    room = room_of(stage, depth=5.4, left=-2.7, right=3.0, tall=2.7)
    wall = room.one_of(_SCHEMES)[0]
    paint_shell(room, wall=wall, floor="#b7c2c2", ceiling="#f4f3ec", side=wall)
    paint_tiles(room, "#b7c2c2", size=0.4)
    brush, light, z = stage.back, room.light, room.depth
    wide = room.right - room.left
    tile = room.tone(_WHITE, z)
    lit, dim = light.lit(tile, 0.16), light.shaded(tile, 0.16 + 0.2 * light.dark)
    ends = (lit, dim) if light.side < 0 else (dim, lit)
    corners = room.wall(room.left, 0, wide, _TILED)
    fill = brush.linear(corners[0], corners[1], [(0.0, ends[0]), (1.0, ends[1])])
    brush.poly(corners, fill)
    seam, thick = clear(light.shaded(tile, 0.5), 0.4), 0.012 * room.scale(z)
    for row in range(round(_TILED / _TILE)):
        y = row * _TILE
        brush.line([room(room.left, y, z), room(room.right, y, z)], seam, thick)
        start = room.left + (row % 2) * _TILE
        for column in range(round(wide / _TILE / 2) + 1):
            x = start + column * 2 * _TILE
            brush.line([room(x, y, z), room(x, y + _TILE, z)], seam, thick)
    brush.poly(room.wall(room.left, _TILED, wide, 0.05), room.tone(room.one_of(_SCHEMES)[1], z))
    return room


def _basin(room: Room, x: float) -> None:
    """A cupboard with a white bowl on it, and its tap."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.55
    wood = room.one_of(_SCHEMES)[1]
    counter(room, brush, (x, z), (1.3, 0.5), (wood, "#d9c3a0"), high=0.84, doors=2)
    things(room, brush, (x + 0.28, 0.84, z + 0.2, 0.36), _BOTTLES[:2], seed="by basin")
    white = room.tone(_WHITE, z)
    with brush.moved(*room(x - 0.1, 0.84, z + 0.1), scale=room.scale(z + 0.1)):
        bowl = [(-0.28, -0.16), (-0.2, 0.0), (0.2, 0.0), (0.28, -0.16)]
        stops = [(0.0, light.lit(white, 0.2)), (1.0, light.shaded(white, 0.3))]
        brush.shape(bowl, brush.linear((-0.28, 0), (0.28, 0), stops), corners=(0, 3))
        brush.ellipse(0, -0.16, 0.28, 0.05, light.shaded(white, 0.24))
        brush.ellipse(0, -0.165, 0.25, 0.035, light.shaded(white, 0.4))
        steel = light.lit(room.tone("#9aa5a8", z), 0.2)
        brush.curve([(0.0, -0.16), (0.0, -0.42), (0.06, -0.46), (0.14, -0.42)], steel, 0.035)


def _mirror(room: Room, x: float) -> None:
    """A round mirror: the bright wall over there, a slant of light, a lamp above."""
    brush, light, z = room.stage.back, room.light, room.depth
    with brush.moved(*room(x - 0.1, 1.72, z), scale=room.scale(z)):
        brush.circle(0, 0, 0.48, room.tone("#b98d5a", z))
        glass = mix(room.tone(room.one_of(_SCHEMES)[0], z), light.low, 0.5)
        stops = [(0.0, light.lit(glass, 0.3)), (1.0, light.shaded(glass, 0.1))]
        brush.circle(0, 0, 0.44, brush.linear((-0.4, -0.4), (0.4, 0.4), stops))
        ring = [
            (math.cos(turn * math.tau / 24) * 0.44, math.sin(turn * math.tau / 24) * 0.44)
            for turn in range(24)
        ]
        with brush.inside(ring):
            for shift in (-0.2, 0.12):
                shine = [
                    (shift, -0.5),
                    (shift + 0.12, -0.5),
                    (shift - 0.2, 0.5),
                    (shift - 0.32, 0.5),
                ]
                brush.poly(shine, clear("#ffffff", 0.3))
    px, py = room(x - 0.1, 2.34, z)
    brush.ellipse(px, py, 0.2 * room.scale(z), 0.05 * room.scale(z), room.tone("#f2e6c8", z))
    if room.lamps:
        brush.glow(px, py, 1.2 * room.scale(z), "#ffe2ae", 0.6 * room.lamps)


def _towel(room: Room, x: float) -> None:
    """A towel over its rail."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.05
    brush.poly(room.face(x - 0.3, 1.3, 0.6, 0.03, z), room.tone("#8b9a9c", z))
    tone = room.tone(room.stage.accent, z)
    brush.poly(room.face(x - 0.22, 0.7, 0.44, 0.62, z), light.shaded(tone, 0.1))
    brush.poly(room.face(x - 0.22, 0.8, 0.44, 0.06, z), light.lit(tone, 0.5))
    brush.poly(room.face(x + 0.04, 0.7, 0.18, 0.62, z), clear(light.ink, 0.12))


def _tub(room: Room, x: float) -> None:
    """A tub on its feet, white outside and in."""
    brush, light, z = room.stage.middle, room.light, 4.4
    shadow(room, brush, (x, z), 1.8, 0.7, 0.34)
    white, iron = room.tone(_WHITE, z), room.tone("#8a7a5c", z)
    with brush.moved(*room(x, 0, z), scale=room.scale(z)):
        for dx in (-0.62, 0.62):
            brush.shape(
                [(dx - 0.07, -0.14), (dx + 0.07, -0.14), (dx, 0.0)], iron, corners=(0, 1, 2)
            )
        brush.ellipse(0, -0.62, 0.92, 0.1, light.shaded(white, 0.36))
        body = [
            (-0.96, -0.62),
            (-0.84, -0.3),
            (-0.62, -0.1),
            (0.62, -0.1),
            (0.84, -0.3),
            (0.96, -0.62),
        ]
        ends = (-0.9, 0.9) if light.side < 0 else (0.9, -0.9)
        stops = [(0.0, light.lit(white, 0.24)), (0.5, white), (1.0, light.shaded(white, 0.34))]
        fill = brush.linear((ends[0], 0), (ends[1], 0), stops)
        brush.shape(body, fill, corners=(0, 5))
        brush.rect(-1.0, -0.66, 2.0, 0.07, light.lit(white, 0.3), radius=0.035)


def _shower(room: Room, x: float) -> None:
    """Glass from the floor up, a head on its pipe, drops that hang."""
    brush, light, z = room.stage.middle, room.light, room.depth - 0.2
    wide, high = room.fit(1.7), 2.1
    steel = light.lit(room.tone("#9aa5a8", z), 0.2)
    left = x - wide / 2
    brush.poly(room.face(left, 0, wide, 0.1, z - 0.7), room.tone(_WHITE, z))
    thick = 0.03 * room.scale(z)
    pipe = [room(x, 0.9, z), room(x, 2.05, z), room(x - 0.2, 2.15, z), room(x - 0.3, 2.05, z)]
    brush.line(pipe, steel, thick)
    px, py = room(x - 0.3, 2.02, z)
    brush.ellipse(px, py, 0.16 * room.scale(z), 0.035 * room.scale(z), steel)
    brush.circle(*room(x, 1.05, z), 0.06 * room.scale(z), steel)
    near = z - 0.7
    pane = room.face(left, 0.1, wide, high, near)
    glass = mix(light.low, light.glow, 0.3)
    brush.poly(pane, clear(glass, 0.2))
    for share in (0.15, 0.5):
        start = left + wide * share
        slant = [
            room(start + dx, y, near)
            for dx, y in ((0.25, 2.2), (0.4, 2.2), (0.1, 0.1), (-0.05, 0.1))
        ]
        brush.poly(slant, clear("#ffffff", 0.18))
    for edge in (left, left + wide):
        brush.line([room(edge, 0.1, near), room(edge, 2.2, near)], steel, thick)
    brush.line([room(left, 2.2, near), room(left + wide, 2.2, near)], steel, thick)
