"""The classroom: windows along one side, desks in rows, the board at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter
from callsheet_studio.draw.dressing import books, ceiling_panel, clock, plant
from callsheet_studio.draw.furniture import case, chair, door, table
from callsheet_studio.draw.rooms import (
    paint_boards,
    paint_daylight,
    paint_shell,
    paint_skirting,
    paint_window,
    room_of,
    settle,
    side_opening,
)
from callsheet_studio.draw.walls import book_case, coats, fall, frames, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.38, 0.88, 1.0), (0.6, 0.88, 1.0), (0.5, 0.75, 0.6))
SEAT = (0.71, 0.89, 0.97)
FACES = 1
SURFACE = (0.78, 0.648)
LOOK = (0.5, 0.5)

_SCHEMES = (
    ("#ecd08a", "#6fa39a", "#4f8a94"),
    ("#cfdfd2", "#c98d68", "#b5643f"),
    ("#efcfb4", "#7f95b8", "#4a6a9a"),
    ("#d5dde8", "#8fae7a", "#d09a3f"),
)
"""Wall, the lower part of it, chairs."""


def paint(stage: Stage) -> None:
    """The board behind, windows on the left, two rows of desks, a string of drawings."""
    room = _shell(stage, depth=7.4)
    windows = [side_opening(room, start, start + 1.6, 0.95, 2.6) for start in (1.9, 3.8, 5.6)]
    for window in windows:
        paint_window(room, window, panes=(2, 2), view="garden", frame="#f2ead8")
    if stage.mentions("library", "bibliothek", "bücherei"):
        _library(room)
    else:
        _board(room)
    for x, z in ((-0.9, 4.2), (1.2, 4.2), (-0.9, 6.2), (1.2, 6.2)):
        ceiling_panel(room, (x, z), (1.3, 0.3))
    _corner(room)
    _desks(room)
    settle(room, (0.14, 0.42) if stage.light.side < 0 else (0.6, 0.4))
    paint_daylight(room, *windows[1:], towards=(0.9, -0.8, -0.3), strength=0.9)
    _drawings(room)
    _foreground(room)


def _shell(stage: Stage, *, depth: float) -> Room:
    room = room_of(stage, depth=depth, left=-3.1, right=3.6, tall=3.0)
    wall = room.one_of(_SCHEMES)[0]
    paint_shell(room, wall=wall, floor="#b5814f", ceiling="#f4ecd8", side=wall)
    paint_boards(room, "#b5814f", wide=0.3)
    _wainscot(room)
    paint_skirting(room, "#8a5f3c", high=0.1)
    return room


def _wainscot(room: Room) -> None:
    brush, light = room.stage.back, room.light
    tone = room.tone(room.one_of(_SCHEMES)[1], room.depth)
    wide = room.right - room.left
    brush.poly(room.wall(room.left, 0, wide, 0.85), light.shaded(tone, 0.12))
    brush.poly(room.wall(room.left, 0.85, wide, 0.05), light.lit(tone, 0.4))
    for x in (room.left, room.right):
        is_lit = (x < 0) != (light.side < 0)
        brush.poly(
            room.side(x, 0.3, room.depth, 0, 0.85),
            light.lit(tone, 0.1) if is_lit else light.shaded(tone, 0.4),
        )


def _board(room: Room) -> None:
    """The green board with a chalk drawing, a clock and a map beside it."""
    brush, light, z = room.stage.back, room.light, room.depth
    middle = room.x(0.52, z)
    half = 1.5 if not room.is_narrow else 0.95
    brush.poly(
        room.wall(middle - half - 0.07, 0.98, half * 2 + 0.14, 1.24), room.tone("#b98a55", z)
    )
    face = room.wall(middle - half, 1.05, half * 2, 1.1)
    green = room.tone("#2f5f4c", z)
    brush.poly(
        face,
        brush.linear(
            face[0], face[2], [(0, light.lit(green, 0.15)), (1, light.shaded(green, 0.4))]
        ),
    )
    chalk, scale = clear(light.lit("#f4f1e6", 0.2), 0.78), room.scale(z)
    with brush.moved(*room(middle - half * 0.5, 1.3, z), scale=scale):
        with room.stage.readable(brush, 0.02):
            brush.line([(-0.45, 0), (0.5, 0)], chalk, 0.018)
            brush.line([(-0.4, 0.05), (-0.4, -0.62)], chalk, 0.018)
            brush.curve(
                [(-0.36, -0.06), (-0.1, -0.12), (0.12, -0.34), (0.4, -0.58)],
                clear(lighter(room.stage.accent, 0.35), 0.9),
                0.028,
            )
        brush.ctx.strokeStyle, brush.ctx.lineWidth = chalk, 0.016
        brush.ctx.beginPath()
        brush.ctx.ellipse(0.94, -0.3, 0.22, 0.22, 0, 0, 6.2832)
        brush.ctx.stroke()
        brush.line([(0.94, -0.3), (1.1, -0.45)], chalk, 0.016)
    for row, wide in enumerate((0.5, 0.36, 0.44, 0.24) if not room.is_narrow else ()):
        start = room(middle + half * 0.5, 1.92 - row * 0.17, z)
        brush.line([start, (start[0] + wide * half * 0.62 * scale, start[1])], chalk, 0.02 * scale)
    brush.poly(
        room.face(middle - half * 0.9, 0.98, half * 1.8, 0.035, z - 0.08), room.tone("#c99c66", z)
    )
    clock(room, brush, middle - half - 0.36, 2.02, wide=0.36)
    if room.is_narrow:
        return
    x = middle + half + 0.3
    brush.poly(room.wall(x, 1.0, 1.0, 1.2), room.tone("#cfe0e0", z))
    for dx, dy, rx, ry in (
        (0.28, 1.85, 0.2, 0.17),
        (0.36, 1.4, 0.11, 0.22),
        (0.7, 1.75, 0.24, 0.2),
        (0.62, 1.35, 0.15, 0.18),
    ):
        px, py = room(x + dx, dy, z)
        brush.ellipse(px, py, rx * scale, ry * scale, room.tone("#8fae6a", z))
    brush.poly(room.wall(x - 0.04, 2.18, 1.08, 0.05), light.shaded(room.tone("#6b4a30", z), 0.2))


def _library(room: Room) -> None:
    """Cases of books along the wall at the end."""
    brush, z = room.stage.back, room.depth - 0.35
    start, end = room.x(0.24, z), room.right - 0.1
    count = max(round((end - start) / 1.3), 1)
    wide = (end - start) / count
    for index in reversed(range(count)):
        at = (start + wide * (index + 0.5), z)
        shelves = case(room, brush, at, (wide - 0.02, 0.35, 2.3), "#8a5f3c", rows=6)
        for row, (left, y, broad) in enumerate(shelves):
            books(room, brush, (left, y, z, broad), seed=f"library {index} {row}")


def _corner(room: Room) -> None:
    """A low case with books, a globe on it."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.5
    x = room.right - 0.7
    for row, (left, y, wide) in enumerate(
        case(room, brush, (x, z), (1.2, 0.4, 0.85), "#a8744a", rows=2)
    ):
        books(room, brush, (left, y, z, wide), seed=f"class {row}")
    with brush.moved(*room(x + 0.2, 0.85, z), scale=room.scale(z)):
        stand = light.shaded(room.tone("#6b4a30", z), 0.3)
        brush.rect(-0.1, -0.03, 0.2, 0.03, stand)
        brush.line([(0, -0.03), (0, -0.1)], stand, 0.03)
        blue = room.tone("#5f9dc0", z)
        sphere = brush.radial(
            (0.06 * light.side, -0.3),
            0.2,
            [(0, light.lit(blue, 0.5)), (1, light.shaded(blue, 0.35))],
        )
        brush.circle(0, -0.26, 0.17, sphere)
        brush.ellipse(-0.04, -0.3, 0.07, 0.05, room.tone("#8fae6a", z), turn=0.4)
        brush.ellipse(0.06, -0.2, 0.05, 0.06, room.tone("#8fae6a", z))
    plant(room, brush, (x - 0.36, 0.85, z), 0.5)


def _desks(room: Room) -> None:
    brush, colour = room.stage.middle, room.one_of(_SCHEMES)[2]
    for z, shares in ((6.1, (0.36, 0.66)), (4.75, (0.22, 0.78))):
        for share in shares:
            x = room.x(share, z)
            table(room, brush, (x, z), (1.25, 0.55), "#d9ae74", high=0.72, leg="#8a9698")
            brush.poly(room.flat(x - 0.3, z + 0.14, 0.28, 0.22, 0.725), room.tone("#f5f0e2", z))
            brush.poly(
                room.flat(x + 0.1, z + 0.16, 0.24, 0.2, 0.725), room.tone(room.stage.accent, z)
            )
            chair(room, brush, (x - 0.28, z - 0.42), colour, facing="away", leg="#8a9698")
            chair(room, brush, (x + 0.3, z - 0.42), colour, facing="away", leg="#8a9698")


def _drawings(room: Room) -> None:
    """Drawings on a string, from window to wall."""
    brush, chance, light = room.stage.back, room.stage.chance("drawings"), room.light
    z, start, end = room.depth - 0.8, room.left, room.right
    points = [
        (start + (end - start) * share, 2.78 - 0.5 * share * (1 - share))
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    brush.curve([room(x, y, z) for x, y in points], light.shaded(room.tone("#6b5a48", z), 0.2), 1.2)
    for index in range(9):
        share = (index + 0.7) / 9.6
        x, y = start + (end - start) * share, 2.78 - 0.5 * share * (1 - share)
        colour = chance.choice(("#e9835f", "#5f9dc0", "#8fae6a", "#f2c84f"))
        sheet = room.face(x - 0.12, y - 0.24, 0.25, 0.22, z)
        brush.poly(sheet, room.tone("#f7f2e4", z))
        px, py = room(x, y - 0.13, z)
        brush.circle(px, py, 0.06 * room.scale(z), room.tone(colour, z))


def _foreground(room: Room) -> None:
    """A pot of pencils in the lower corner, out of focus."""
    stage, light, u = room.stage, room.light, room.stage.unit * room.spread**0.75
    x, y = stage.x(0.935), stage.bottom
    with stage.front.soft(0.45 * u):
        for dx, high, colour in ((-3, 42, "#e9835f"), (0, 47, stage.accent), (3.4, 40, "#5f9dc0")):
            tone = light.shaded(light.air(colour, 1.0), 0.35)
            stage.front.line([(x + dx * u, y), (x + dx * 2 * u, y - high * u)], tone, 1.6 * u)
        pot = light.shaded(light.air("#3f5f66", 1.0), 0.5)
        stage.front.rect(x - 7 * u, y - 31 * u, 14 * u, 40 * u, pot, radius=u)


# Other sides


def _to_windows(stage: Stage) -> None:
    """The wall of windows: shelves of books under it, plants on them."""
    room = _shell(stage, depth=5.9)
    found = windows(
        room, (0.14, 0.5, 0.86), wide=1.7, span=(1.0, 2.6), view="garden", frame="#f2ead8"
    )
    for share in (0.05, 0.35, 0.65, 0.95):
        book_case(room, share, (1.7, 0.82), "#b98d62", seed=f"low {share}")
    for share in (0.2, 0.72):
        plant(room, stage.back, (room.x(share, 5.7), 0.84, 5.7), 0.45)
    fall(room, found)
    place = (room.x(0.88, 4.6), 4.6)
    table(room, stage.middle, place, (1.2, 0.6), "#d3b083", leg="#5a7f8a")
    chair(room, stage.middle, (place[0] - 0.1, 4.3), room.one_of(_SCHEMES)[2], facing="away")


def _to_door(stage: Stage) -> None:
    """The wall at the back of the class: drawings, coats on hooks, a case of books, the door."""
    room = _shell(stage, depth=5.9)
    if stage.mentions("library", "bibliothek", "bücherei"):
        for share in (0.1, 0.42, 0.74, 1.06):
            book_case(room, share, (1.85, 2.5), "#8a5f3c", seed=f"wall {share}")
    else:
        coats(room, 0.04, 5)
        if not room.is_narrow:
            door(room, stage.back, room.x(0.46, room.depth), stage.accent, glass=True)
        book_case(room, 0.78, (1.8, 1.7), "#b98d62", seed="back")
        frames(room, 0.28, ("#d98f4e", "#3f7f86"), low=1.75)
        plant(room, stage.back, (room.x(0.6, 5.6), 0, 5.6), 1.2, kind="tall")
    fall(room)
    for x in (-1.2, 1.2):
        ceiling_panel(room, (x, 4.6), (1.3, 0.3))


SIDES = (_to_windows, _to_door)
