"""The open office: rows of desks along a wall of windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.dressing import ceiling_panel, front_leaves, mug, plant
from callsheet_studio.draw.furniture import box, door, screen, shadow, table
from callsheet_studio.draw.outlook import outlook_of
from callsheet_studio.draw.rooms import (
    paint_daylight,
    paint_shell,
    paint_skirting,
    paint_tiles,
    paint_window,
    room_of,
    settle,
    side_opening,
)
from callsheet_studio.draw.walls import (
    binders,
    fall,
    low_row,
    radiator,
    white_board,
    windows,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.5, 0.88, 1.0), (0.5, 0.716, 0.52))
SEAT = (0.73, 0.885, 0.95)
FACES = 1
SURFACE = (0.82, 0.642)
LOOK = (0.54, 0.54)

_SCHEMES = (
    ("#5f9097", "#2f6a78"),
    ("#c58a66", "#3c5f73"),
    ("#6f82ad", "#c27a4f"),
    ("#829c70", "#4a5a6b"),
)
"""The wall at the end, the chairs."""


def paint(stage: Stage) -> None:
    """Windows on the left, desks on the right into the depth, panels of light above."""
    room = _shell(stage, depth=9.8, wall="")
    windows = [
        side_opening(room, start, start + 1.75, 0.75, 2.55) for start in (1.7, 3.7, 5.7, 7.7)
    ]
    for window in windows:
        paint_window(
            room,
            window,
            panes=(2, 1),
            view=outlook_of(stage, "city", "town"),
            frame="#dfe4e2",
            bar=0.07,
        )
    _end(room)
    for z in (3.2, 5.2, 7.2, 9.0):
        for x in (-1.1, 1.1, 3.1):
            ceiling_panel(room, (x, z), (1.2, 0.4))
    _desks(room)
    settle(room, (0.1, 0.45) if stage.light.side < 0 else (0.66, 0.55))
    paint_daylight(room, *windows[1:], towards=(0.95, -0.8, -0.25), panes=(2, 1), strength=0.8)
    _screens(room)
    front_leaves(room, (stage.x(1.02), stage.y(1.06)), 44 * stage.unit, towards=-1.0)


def _shell(stage: Stage, *, depth: float, wall: str) -> Room:
    room = room_of(stage, depth=depth, left=-3.0, right=3.9, tall=3.0)
    paint_shell(
        room,
        wall=wall or room.one_of(_SCHEMES)[0],
        floor="#6f8790",
        ceiling="#e8ecea",
        side="#dfe4e0",
    )
    paint_tiles(room, "#6f8790", size=0.8)
    paint_skirting(room, "#e3e7e4")
    return room


def _end(room: Room) -> None:
    """The wall at the end: a door, a board with notes, a plant."""
    stage, brush = room.stage, room.stage.back
    door(room, brush, room.x(0.5, room.depth), stage.accent, glass=True)
    left = room.x(0.56, room.depth)
    brush.poly(room.wall(left, 1.0, 1.9, 1.15), room.tone("#f4f3ee", room.depth))
    chance = stage.chance("notes")
    for row in range(3):
        for column in range(5):
            if chance.choice((True, True, False)):
                colour = chance.choice(("#f2d264", "#e98f6b", "#7fc0b0", stage.accent))
                note = room.wall(left + 0.14 + 0.34 * column, 1.16 + 0.32 * row, 0.2, 0.2)
                brush.poly(note, room.tone(colour, room.depth))
    plant(
        room,
        brush,
        (room.x(0.455, room.depth - 0.5), 0, room.depth - 0.5),
        1.3,
        pot="#e6e2d8",
        kind="tall",
    )


_DESKS = ((-1.35, 7.4), (1.75, 8.2), (-1.35, 5.7), (1.75, 6.4), (1.75, 4.75))
"""x and z, from far to near, in a wide frame."""


def _places(room: Room) -> list[tuple[float, float]]:
    """Where the desks stand; a narrow frame brings them together."""
    first = room.x(SEAT[0], 4.6) + 0.4
    if room.is_narrow:
        return [(first, z) for x, z in _DESKS if x > 0]
    return [(x if x < 0 else first, z) for x, z in _DESKS]


def _desks(room: Room) -> None:
    brush = room.stage.middle
    for x, z in _places(room):
        table(room, brush, (x, z), (1.6, 0.8), "#d3b083", leg="#4a545b")
        box(room, brush, (x - 0.6, z + 0.25), (0.24, 0.3), (0.75, 0.8), "#f2efe6")
        box(room, brush, (x - 0.58, z + 0.25), (0.22, 0.3), (0.8, 0.84), "#e3a65a")
        screen(room, brush, (x + 0.1, 0.88, z + 0.45), (0.68, 0.42), on=False)
        mug(room, brush, (x + 0.62, 0.75, z + 0.25), room.stage.accent, high=0.1)


def _seat(room: Room, at: tuple[float, float]) -> None:
    """An office chair from behind, on its five wheels."""
    brush, light, z = room.stage.middle, room.light, at[1]
    shadow(room, brush, at, 0.6, 0.4, 0.3)
    tone = room.tone(room.one_of(_SCHEMES)[1], z)
    dark = light.shaded(room.tone("#2c3338", z), 0.4)
    with brush.moved(*room(at[0], 0, z + 0.2), scale=room.scale(z + 0.2)):
        for x in (-0.26, -0.1, 0.1, 0.26):
            brush.line([(0, -0.14), (x, -0.05)], dark, 0.035)
            brush.circle(x, -0.03, 0.032, dark)
        brush.line([(0, -0.14), (0, -0.42)], dark, 0.05)
        brush.rect(-0.25, -0.5, 0.5, 0.09, dark, radius=0.04)
        back = [
            (-0.22, -0.56),
            (-0.25, -0.8),
            (-0.2, -1.04),
            (0.2, -1.04),
            (0.25, -0.8),
            (0.22, -0.56),
        ]
        ends = ((-0.25, 0), (0.25, 0)) if light.side < 0 else ((0.25, 0), (-0.25, 0))
        stops = [(0.0, light.lit(tone, 0.3)), (1.0, light.shaded(tone, 0.4))]
        brush.shape(back, brush.linear(*ends, stops), corners=(0, 5))
        brush.curve([(-0.2, -1.03), (0, -1.06), (0.2, -1.03)], clear(light.rim, 0.5), 0.016)


def _screens(room: Room) -> None:
    """Monitors shine over the fallen light, the chairs stand before them."""
    for x, z in _places(room):
        screen(room, room.stage.middle, (x + 0.1, 0.88, z + 0.45), (0.68, 0.42), stand=False)
        _seat(room, (x - 0.4, z - 0.35))


# Other sides


def _to_windows(stage: Stage) -> None:
    """The wall of windows: a row of cupboards under it, a desk on the right."""
    room = _shell(stage, depth=6.4, wall="#dfe4e0")
    view = outlook_of(stage, "city", "town")
    found = windows(
        room, (0.1, 0.42, 0.74, 1.06), wide=2.1, span=(0.85, 2.6), view=view, frame="#dfe4e2"
    )
    radiator(room, 0.42)
    radiator(room, 0.74)
    low_row(room, 0.1, 1.7, ("#e6e9e6", "#d3b083"), on=(("box", "#5f7f8a", 0.3),))
    x, y, z = low_row(room, 0.99, 1.6, ("#e6e9e6", "#d3b083"))
    plant(room, stage.back, (x - 0.3, y, z), 0.55, kind="leafy")
    plant(room, stage.back, (room.x(0.27, 6.0), 0, 6.0), 1.35, pot="#e6e2d8", kind="tall")
    fall(room, found)
    place = (room.x(0.86, 4.9), 4.9)
    table(room, stage.middle, place, (1.7, 0.8), "#d3b083", leg="#4a545b")
    screen(room, stage.middle, (place[0] + 0.2, 0.88, 5.35), (0.68, 0.42))
    _seat(room, (place[0] - 0.5, 4.6))


def _to_files(stage: Stage) -> None:
    """The wall of files: shelves, a white board, a lamp over a desk on the left."""
    room = _shell(stage, depth=6.2, wall="")
    binders(room, 0.08, (1.5, 2.2), "#c9b28a")
    white_board(room, 0.5)
    binders(room, 0.86, (1.5, 2.2), "#c9b28a")
    plant(room, stage.back, (room.x(0.68, 5.9), 0, 5.9), 1.3, pot="#e6e2d8", kind="tall")
    for x in (-1.6, 0.6, 2.6):
        ceiling_panel(room, (x, 4.6), (1.2, 0.4))
    fall(room)
    place = (room.x(0.2, 4.7), 4.7)
    table(room, stage.middle, place, (1.7, 0.8), "#d3b083", leg="#4a545b")
    screen(room, stage.middle, (place[0] - 0.2, 0.88, 5.15), (0.68, 0.42))
    mug(room, stage.middle, (place[0] + 0.6, 0.75, 4.95), stage.accent)
    _seat(room, (place[0] + 0.4, 4.35))


SIDES = (_to_windows, _to_files)
