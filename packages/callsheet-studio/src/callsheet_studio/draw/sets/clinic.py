"""The clinic: a calm room with a couch, a curtain on its rail, daylight through a blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.dressing import ceiling_panel, clock, plant, vessel
from callsheet_studio.draw.furniture import (
    box,
    chair,
    counter,
    door,
    legs,
    screen,
    shadow,
    stool,
)
from callsheet_studio.draw.outlook import outlook_of
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_daylight,
    paint_shell,
    paint_sill,
    paint_tiles,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.walls import fall, frames, goods_case, low_row, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Opening, Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.5, 0.88, 1.0), (0.46, 0.79, 0.7))
SEAT = (0.535, 0.868, 0.93)
SURFACE = (0.28, 0.583)
LOOK = (0.5, 0.53)

_SCHEMES = (
    ("#dcebe4", "#8cc0b2", "#a9d2c8", "#3f8a8a"),
    ("#e2e9f1", "#8fb0d0", "#b3cce6", "#4a6f9f"),
    ("#f1e5d8", "#dbb08e", "#ebcbac", "#a8664a"),
    ("#e9ecdc", "#b5c58a", "#cbd8a8", "#5f8a56"),
)
"""Wall, band, curtain, couch."""


def paint(stage: Stage) -> None:
    """Window and cupboard on the left, the couch and its curtain on the right."""
    room = _shell(stage)
    window = back_opening(room, room.x(0.22, room.depth), room.fit(1.7), 1.05, 2.3)
    paint_window(
        room, window, panes=(2, 1), view=outlook_of(stage, "garden", "town"), frame="#f4f5f0"
    )
    paint_sill(room, window)
    _blind(room, window)
    if not room.is_narrow:
        door(room, stage.back, room.x(0.46, room.depth), "#c99f72", glass=True)
    _wall(room)
    for x in (-1.2, 1.2):
        for z in (3.6, 5.2):
            ceiling_panel(room, (x, z), (1.2, 0.5))
    _cupboard(room)
    _couch(room)
    settle(room, (0.24, 0.42) if stage.light.side < 0 else (0.6, 0.35))
    paint_daylight(room, window, towards=(0.55, -0.75, -0.66), panes=(2, 4), strength=0.8)
    _curtain(room)
    _jamb(room)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=6.2, left=-3.2, right=3.5, tall=2.8)
    paint_shell(room, wall=room.one_of(_SCHEMES)[0], floor="#a9c2bd", ceiling="#f6f8f4")
    paint_tiles(room, "#a9c2bd", size=0.7)
    _band(room)
    return room


def _band(room: Room) -> None:
    """A mint band around the room with a wooden hand rail on it."""
    brush, light = room.stage.back, room.light
    tone = room.tone(room.one_of(_SCHEMES)[1], room.depth)
    wide = room.right - room.left
    brush.poly(room.wall(room.left, 0, wide, 1.0), clear(tone, 0.85))
    brush.poly(room.wall(room.left, 0, wide, 0.1), light.shaded(tone, 0.35))
    for x in (room.left, room.right):
        brush.poly(room.side(x, 0.3, room.depth, 0, 1.0), clear(light.shaded(tone, 0.2), 0.85))
    rail = room.tone("#c99a66", room.depth)
    brush.poly(room.wall(room.left, 0.92, wide, 0.09), rail)
    brush.poly(room.wall(room.left, 0.99, wide, 0.02), light.lit(rail, 0.5))
    for x in (room.left, room.right):
        brush.poly(room.side(x, 0.3, room.depth, 0.92, 1.01), light.shaded(rail, 0.2))


def _blind(room: Room, window: Opening) -> None:
    """The slats of a blind, half down."""
    brush, light = room.stage.back, room.light
    tone = clear(light.lit(room.tone("#f4f2ea", room.depth), 0.3), 0.9)
    for index in range(9):
        high = 1 - index * 0.06
        brush.poly(window.part(room, -0.02, 1.02, high - 0.034, high), tone)
    for place in (0.2, 0.8):
        brush.poly(window.part(room, place, place + 0.006, 0.46, 1.0), tone)


def _wall(room: Room) -> None:
    """A chart of a body without words, a clock."""
    brush, light, z = room.stage.back, room.light, room.depth
    x, scale = room.x(0.62, z), room.scale(z)
    brush.poly(room.wall(x - 0.04, 1.22, 0.78, 1.08), clear(light.ink, 0.14))
    brush.poly(room.wall(x, 1.25, 0.74, 1.05), room.tone("#f7f5ec", z))
    blue = room.tone("#5f9aa8", z)
    with brush.moved(*room(x + 0.37, 1.35, z), scale=scale):
        brush.ellipse(0, -0.76, 0.075, 0.09, blue)
        body = [(-0.19, -0.62), (0.19, -0.62), (0.12, -0.3), (0.1, 0), (-0.1, 0), (-0.12, -0.3)]
        brush.shape(body, blue, corners=(3, 4))
        brush.circle(0.05, -0.5, 0.045, room.stage.accent)
    for row in range(4):
        y = 2.1 - 0.18 * row
        brush.line([room(x + 0.06, y, z), room(x + 0.16, y, z)], clear(blue, 0.6), 0.018 * scale)
    if not room.is_narrow:
        clock(room, brush, room.x(0.36, z), 2.3, wide=0.3)


def _cupboard(room: Room) -> None:
    """A white cupboard under the window: a screen, bottles, gloves."""
    brush, z = room.stage.middle, room.depth - 0.6
    x, wide = room.x(0.2, z), 1.9 if not room.is_narrow else 1.2
    counter(
        room, brush, (x, z), (wide, 0.55), ("#eef0ea", "#c9d6d2"), high=0.9, doors=3, knob="#8fa5a5"
    )
    screen(room, brush, (x - wide * 0.22, 1.0, z + 0.3), (0.5, 0.32))
    for dx, colour, high in (
        (0.16, "#7fb8c4", 0.2),
        (0.3, "#eef0ea", 0.16),
        (0.42, "#d98f6b", 0.13),
    ):
        vessel(room, brush, (x + dx * wide * 0.9, 0.9, z + 0.25), colour, high=high, kind="jar")
    if not room.is_narrow:
        plant(room, brush, (room.x(0.385, 5.7), 0, 5.7), 1.0, pot="#f0ede4", kind="tall")


def _couch(room: Room) -> None:
    """The couch with its raised head and a strip of paper."""
    brush, light = room.stage.middle, room.light
    z, wide = 4.85, 1.9 if not room.is_narrow else 1.4
    x = room.x(0.7, z)
    left = x - wide / 2
    shadow(room, brush, (x, z), wide, 0.7, 0.36)
    legs(room, brush, (x, z + 0.08), (wide - 0.3, 0.5), 0.55, "#9fb0b4", thick=0.06)
    box(room, brush, (x, z), (wide, 0.68), (0.5, 0.56), "#c9d3d3")
    box(
        room,
        brush,
        (x - 0.02, z),
        (wide, 0.66),
        (0.56, 0.68),
        room.one_of(_SCHEMES)[3],
        lit=0.25,
    )
    paper = room.tone("#fbfaf4", z)
    brush.poly(room.flat(left + 0.2, z + 0.1, wide - 0.5, 0.46, 0.685), light.lit(paper, 0.3))
    fall = room.face(left + 0.2, 0.5, 0.02, 0.18, z)
    brush.poly(fall, paper)
    tone = room.tone(room.one_of(_SCHEMES)[3], z)
    rest = [
        room(left + wide - 0.56, 0.68, z),
        room(left + wide - 0.06, 1.08, z),
        room(left + wide + 0.04, 1.02, z),
        room(left + wide - 0.36, 0.6, z),
    ]
    far = [room(left + wide - 0.56, 0.68, z + 0.62), room(left + wide - 0.06, 1.08, z + 0.62)]
    brush.poly([rest[0], rest[1], far[1], far[0]], light.lit(tone, 0.3))
    brush.poly(rest, light.shaded(tone, 0.3))
    stool(room, brush, (left - 0.25, z - 0.2), "#e2e6e2", high=0.43)


def _curtain(room: Room) -> None:
    """A curtain on a rail at the right edge, nearly before the camera."""
    stage, light, z = room.stage, room.light, 4.4
    brush, scale = stage.middle, room.scale(4.4)
    start, end = room.x(0.885, z), room.x(1.2, z)
    tone = room.tone(room.one_of(_SCHEMES)[2], z)
    first, steel = room.x(0.8, z), light.shaded(room.tone("#a9b4b4", z), 0.2)
    for x in (first + 0.1, start):
        brush.line([room(x, room.tall, z), room(x, 2.4, z)], steel, 0.018 * scale)
    brush.line([room(first, 2.4, z), room(end, 2.4, z)], steel, 0.03 * scale)
    count = 7
    wide = (end - start) / count
    for index in range(count):
        x = start + wide * index
        fold = [
            room(x, 2.37, z),
            room(x + wide, 2.37, z),
            room(x + wide * 1.04, 1.2, z),
            room(x + wide, 0.28, z),
            room(x + wide * 0.5, 0.25, z),
            room(x, 0.28, z),
            room(x - wide * 0.04, 1.2, z),
        ]
        stops = [(0.0, light.lit(tone, 0.4)), (0.55, tone), (1.0, light.shaded(tone, 0.4))]
        ends = (fold[0], (fold[1][0], fold[0][1]))
        brush.shape(
            fold,
            brush.linear(*(ends if light.side < 0 else ends[::-1]), stops),
            corners=(0, 1, 3, 5),
        )


def _jamb(room: Room) -> None:
    """The edge of the door that the camera looks in through."""
    stage, light = room.stage, room.light
    tone = light.shaded(light.air("#8a9a98", 1.0), 0.5)
    edge, top = stage.x(0.06), stage.upper - stage.height
    with stage.front.soft(0.5 * stage.unit):
        stage.front.rect(
            stage.left - stage.width, top, edge - stage.left + stage.width, 4 * stage.height, tone
        )
    stage.front.rect(
        edge - 0.9 * stage.unit, top, 0.5 * stage.unit, 4 * stage.height, clear(light.rim, 0.25)
    )


# Other sides


def _to_waiting(stage: Stage) -> None:
    """Where people wait: chairs along the wall, prints, a plant, the door."""
    room = _shell(stage)
    couch = room.one_of(_SCHEMES)[3]
    door(room, stage.back, room.x(0.1, room.depth), "#c99f72", glass=True)
    frames(room, 0.3, ("#7fae9a", "#d9a84f", "#5a7fa0"), low=1.5)
    if not room.is_narrow:
        clock(room, stage.back, room.x(0.72, room.depth), 2.05)
    plant(room, stage.back, (room.x(0.92, 5.8), 0, 5.8), 1.3, pot="#e6e2d8", kind="tall")
    fall(room)
    for share in (0.3, 0.44, 0.58, 0.72):
        chair(room, stage.middle, (room.x(share, 5.5), 5.5), couch, leg="#8f9a9c")


def _to_cupboards(stage: Stage) -> None:
    """The treatment corner: white cupboards, bottles, a window with its blind."""
    room = _shell(stage)
    view = outlook_of(stage, "garden", "town")
    found = windows(
        room, (0.72,), wide=1.8, span=(1.1, 2.35), view=view, frame="#f4f5f0", panes=(2, 1)
    )
    goods = (("bottle", "#7fae9a", 0.24), ("jar", "#f0f2ee", 0.18), ("box", "#b3cce6", 0.2))
    low_row(room, 0.3, 3.0, ("#f2f4f0", "#cfdad6"), high=0.9, on=goods * 2)
    goods_case(room, 0.06, (1.0, 2.1), "#eef1ee", goods, rows=5)
    for share in (0.26,) if room.is_narrow else (0.26, 0.44):
        box(
            room,
            stage.back,
            (room.x(share, 5.9), 5.9),
            (room.fit(1.1), 0.3),
            (1.5, 2.2),
            "#f2f4f0",
        )
    low_row(room, 0.8, 2.2, ("#f2f4f0", "#cfdad6"), high=0.9)
    fall(room, found, panes=(2, 1))


SIDES = (_to_waiting, _to_cupboards)
