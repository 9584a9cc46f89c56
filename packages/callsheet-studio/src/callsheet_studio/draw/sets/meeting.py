"""The meeting room: a long table under a lamp, a screen at its end, a wall of glass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.dressing import bulb_colour, plant, vessel
from callsheet_studio.draw.furniture import box, chair, legs, shadow, table
from callsheet_studio.draw.rooms import (
    paint_daylight,
    paint_shell,
    paint_skirting,
    paint_window,
    room_of,
    settle,
    side_opening,
)
from callsheet_studio.draw.walls import (
    binders,
    fall,
    frames,
    low_row,
    white_board,
    windows,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.26, 0.88, 1.0), (0.72, 0.88, 1.0), (0.22, 0.754, 0.61))
SEAT = (0.34, 0.87, 0.9)
FACES = 1
SURFACE = (0.5, 0.645)
LOOK = (0.5, 0.5)
_ROOMY = 0.6
"""Frames that are spread wider have place for a plant."""
_BARS = (0.16, 0.24, 0.21, 0.34, 0.42, 0.52)
"""The chart on the screen; the last one is the film's own colour."""

_SCHEMES = (
    ("#3d566b", "#b5643f", "#7a6456", "#a8744a"),
    ("#48644f", "#c79a4a", "#6b726c", "#8f6f4c"),
    ("#6b464c", "#4f7f8a", "#94877c", "#8a5a3c"),
    ("#4a4a66", "#5f9a86", "#5c6676", "#ba9068"),
)
"""The wall behind the screen, the chairs, the floor, the slats."""


def paint(stage: Stage) -> None:
    """Slats and a screen behind, the table in the middle, windows left and glass right."""
    room = _shell(stage, depth=7.6, wall="")
    _slats(room)
    paint_skirting(room, "#5b4a3c", high=0.1)
    windows = [side_opening(room, start, start + 2.0, 0.55, 2.45) for start in (2.6, 5.0)]
    for window in windows:
        paint_window(room, window, panes=(1, 1), view="city", frame="#d8dcda", bar=0.07)
    _glass(room)
    _whiteboard(room)
    _table(room)
    settle(room, (0.3, 0.42) if stage.light.side < 0 else (0.56, 0.45))
    paint_daylight(room, *windows, towards=(0.85, -0.8, -0.2), panes=(1, 1), strength=0.8)
    _show(room)
    _lamp(room)
    _foreground(room)


def _shell(stage: Stage, *, depth: float, wall: str) -> Room:
    room = room_of(stage, depth=depth, left=-3.0, right=3.1, tall=2.85)
    own, _, floor, _ = room.one_of(_SCHEMES)
    paint_shell(room, wall=wall or own, floor=floor, ceiling="#e9e6de", side="#c9d0cf")
    return room


def _slats(room: Room) -> None:
    """Wooden slats on the wall at the end, on both sides of the screen."""
    brush, light = room.stage.back, room.light
    tone = room.tone(room.one_of(_SCHEMES)[3], room.depth)
    wide = room.right - room.left
    for start, end in ((0.0, 0.26), (0.74, 1.0)):
        x, stop = room.left + wide * start, room.left + wide * end
        brush.poly(room.wall(x, 0, stop - x, room.tall), light.shaded(tone, 0.6))
        while x < stop - 0.05:
            share = (x - room.left) / wide
            near = 1 - share if light.side < 0 else share
            brush.poly(
                room.wall(x, 0, 0.07, room.tall),
                mix(light.shaded(tone, 0.35), light.lit(tone, 0.25), near),
            )
            x += 0.11


def _glass(room: Room) -> None:
    """The wall on the right is glass: a corridor shines through."""
    brush, light = room.stage.back, room.light
    pane = room.side(room.right, 0.3, room.depth - 0.3, 0.1, 2.5)
    far, near = room(room.right, 0, room.depth)[0], room(room.right, 0, 2.5)[0]
    tone = mix(room.tone("#b8cdd0", room.depth), light.glow, 0.25 + 0.2 * room.lamps)
    stops = [(0.0, clear(tone, 0.95)), (1.0, clear(light.shaded(tone, 0.5), 0.95))]
    brush.poly(pane, brush.linear((far, 0), (near, 0), stops))
    for z in (6.6, 5.4):
        brush.poly(
            room.side(room.right, z, z + 0.55, 0.1, 2.1), clear(light.shaded(tone, 0.5), 0.4)
        )
    bar = light.shaded(room.tone("#2d3338", room.depth), 0.4)
    for z in (room.depth - 0.3, 5.2, 4.1, 3.1):
        brush.poly(room.side(room.right, z, z + 0.07, 0.0, 2.56), bar)
    for y in (0.08, 1.0, 2.5):
        brush.poly(room.side(room.right, 0.3, room.depth - 0.3, y, y + 0.04), bar)
    for z in (3.3, 4.4, 5.6):
        shine = [
            room(room.right, 2.5, z + 0.5),
            room(room.right, 2.5, z + 0.75),
            room(room.right, 0.1, z + 0.2),
            room(room.right, 0.1, z),
        ]
        brush.poly(shine, clear(light.rim, 0.14))


def _whiteboard(room: Room) -> None:
    if room.is_narrow:
        return
    brush, light, x = room.stage.back, room.light, room.left + 0.22
    brush.poly(room.wall(x, 1.0, 1.1, 1.1), room.tone("#f3f4f0", room.depth))
    ink, scale = light.shaded(room.tone("#2f6d9a", room.depth), 0.2), room.scale(room.depth)
    arrow = [
        room(x + a, b, room.depth) for a, b in ((0.15, 1.25), (0.4, 1.45), (0.6, 1.4), (0.9, 1.85))
    ]
    brush.curve(arrow, ink, 0.03 * scale)
    tip = [room(x + a, b, room.depth) for a, b in ((0.76, 1.82), (0.9, 1.85), (0.92, 1.7))]
    brush.line(tip, ink, 0.03 * scale)
    brush.circle(*room(x + 0.3, 1.8, room.depth), 0.1 * scale, clear(room.stage.accent, 0.85))


def _show(room: Room) -> None:
    """The screen at the end: a chart."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.06
    wide = 2.2 if not room.is_narrow else 1.5
    body = light.shaded(room.tone("#20262b", z), 0.5)
    brush.poly(room.face(-wide / 2 - 0.04, 1.06, wide + 0.08, wide * 0.56 + 0.08, z), body)
    face = room.face(-wide / 2, 1.1, wide, wide * 0.56, z)
    (x, y), (end, _), (_, foot), _ = face
    w, h = end - x, foot - y
    blue = mix("#3c6f9a", light.fill, 0.3)
    brush.poly(
        face,
        brush.linear(face[0], face[2], [(0, lighter(mix(blue, light.glow, 0.25), 0.2)), (1, blue)]),
    )
    pale, faint = clear("#ffffff", 0.8), clear("#ffffff", 0.55)
    with room.stage.readable(brush, x + w / 2):
        brush.rect(x + w * 0.08, y + h * 0.12, w * 0.34, h * 0.07, pale)
        brush.rect(x + w * 0.08, y + h * 0.24, w * 0.22, h * 0.04, clear("#ffffff", 0.45))
        for index, tall in enumerate(_BARS):
            colour = room.stage.accent if tall == _BARS[-1] else faint
            left, top = x + w * (0.1 + 0.14 * index), y + h * (0.88 - tall)
            brush.rect(left, top, w * 0.09, h * tall, colour)
    brush.glow(x + w / 2, y + h / 2, w * 0.95, "#8fc6f0", 0.08 + 0.62 * light.dark)


def _table(room: Room) -> None:
    brush, near, far = room.stage.middle, 4.5, 6.7
    half = 0.74 if not room.is_narrow else 0.6
    colour = room.one_of(_SCHEMES)[1]
    shadow(room, brush, (0, near), half * 2.6, far - near, 0.36)
    for z in (6.2, 5.45, 4.7):
        chair(room, brush, (-half - 0.28, z), colour, facing="right", leg="#3a4046")
        chair(room, brush, (half + 0.28, z), colour, facing="left", leg="#3a4046")
    legs(room, brush, (0, near + 0.3), (half * 1.3, far - near - 0.6), 0.72, "#3a4046", thick=0.07)
    box(room, brush, (0, near), (half * 2, far - near), (0.69, 0.74), "#94623d", lit=0.22)
    light = room.light
    mirror = room.flat(-half * 0.62, near + 0.4, half * 1.24, far - near - 0.4, 0.745)
    fade = [(0.0, clear("#a9cbe8", 0.34 - 0.2 * light.dark)), (1.0, clear("#a9cbe8", 0))]
    brush.poly(mirror, brush.linear(mirror[1], mirror[0], fade))
    brush.poly(room.face(-half, 0.728, half * 2, 0.014, near), clear(light.rim, 0.55))
    for x, z in ((-0.45, 6.0), (0.45, 5.5), (-0.42, 4.95)):
        vessel(room, brush, (x, 0.745, z), "#cfe3e6", high=0.13, kind="glass")
    for x, z in ((0.4, 4.75), (-0.45, 5.5)):
        brush.poly(room.flat(x - 0.12, z, 0.24, 0.3, 0.748), room.tone("#f3efe4", z))
    if room.spread > _ROOMY:
        plant(room, brush, (room.x(0.86, 6.9), 0, 6.9), 1.4, pot="#e2ded2")


def _lamp(room: Room) -> None:
    """One long lamp over the table."""
    brush, light, on = room.stage.middle, room.light, room.lamps
    z, y, wide = 5.4, 2.32, 1.9 if not room.is_narrow else 1.2
    for x in (-wide * 0.4, wide * 0.4):
        brush.line(
            [room(x, room.tall, z), room(x, y, z)], light.shaded(room.tone("#2b2f33", z), 0.4), 1.0
        )
    box(room, brush, (0, z), (wide, 0.14), (y, y + 0.06), "#2c3136")
    under = mix(room.tone("#dfe4e4", z), lighter(bulb_colour(room), 0.5), 0.3 + 0.7 * on)
    brush.poly(room.face(-wide / 2, y - 0.025, wide, 0.03, z), under)
    if on:
        for x in (-wide * 0.3, 0.0, wide * 0.3):
            brush.glow(*room(x, y, z), 0.9 * room.scale(z), bulb_colour(room), 0.3 * on)


def _foreground(room: Room) -> None:
    """The back of a chair in the lower corner."""
    stage, light, u = room.stage, room.light, room.stage.unit * room.spread**0.6
    tone = light.shaded(light.air("#3c5058", 1.0), 0.55)
    x, y = stage.x(0.98), stage.y(0.83)
    with stage.front.soft(0.5 * u):
        top = [
            (x - 17 * u, y + 9 * u),
            (x - 14 * u, y - 3 * u),
            (x - 2 * u, y - 7 * u),
            (x + 26 * u, y - 6 * u),
        ]
        stage.front.shape(
            [(x - 19 * u, stage.bottom), *top, (x + 26 * u, stage.bottom)], tone, corners=(0, 4, 5)
        )
        stage.front.curve(top, clear(light.rim, 0.28), 0.5 * u)


# Other sides


def _to_windows(stage: Stage) -> None:
    """The windows: the city from end to end, low cupboards, a plant."""
    room = _shell(stage, depth=5.9, wall="#c9d0cf")
    found = windows(
        room,
        (0.16, 0.52, 0.88),
        wide=2.0,
        span=(0.6, 2.5),
        view="city",
        frame="#d8dcda",
        panes=(2, 1),
    )
    low_row(room, 0.2, 1.6, ("#b9aa92", "#8f6f4c"), high=0.55, on=(("vase", "#e8e0d0", 0.3),))
    plant(room, stage.back, (room.x(0.72, 5.6), 0, 5.6), 1.35, pot="#e6e2d8", kind="tall")
    fall(room, found, panes=(2, 1))
    _seats(room)


def _to_board(stage: Stage) -> None:
    """The white board between shelves, and the chairs at the table."""
    room = _shell(stage, depth=5.9, wall="")
    paint_skirting(room, "#5b4a3c", high=0.1)
    binders(room, 0.06, (1.3, 2.1), "#a8744a")
    white_board(room, 0.46, 2.2)
    frames(room, 0.74, (stage.accent, "#3f7f86"))
    low_row(
        room, 0.84, 1.6, ("#a8744a", "#8f6f4c"), high=0.75, on=(("glass", "#cfe0e3", 0.14),) * 3
    )
    fall(room)
    _seats(room)


def _seats(room: Room) -> None:
    """The end of the long table with its chairs."""
    x, colour = room.x(0.5, 4.6), room.one_of(_SCHEMES)[1]
    for dx in (-0.9, 0.0, 0.9):
        chair(room, room.stage.middle, (x + dx, 5.05), colour)
    table(room, room.stage.middle, (x, 4.3), (3.0, 0.9), "#a8744a")


SIDES = (_to_windows, _to_board)
