"""The kitchen: a window over the worktop, open shelves, a table under a lamp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.dressing import (
    clock,
    front_leaves,
    laptop,
    mug,
    paint_curtains,
    pendant,
    plant,
    steam_over,
    things,
    vessel,
)
from callsheet_studio.draw.furniture import (
    board_shelf,
    box,
    chair,
    counter,
    shadow,
    table,
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
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.54, 0.88, 1.0), (0.3, 0.855, 0.85))
SEAT = (0.53, 0.88, 0.93)
FACES = 1
SURFACE = (0.73, 0.64)
LOOK = (0.5, 0.52)

_CROCKERY = (
    ("bowl", "#e9dcc2", 0.1),
    ("mug", "#c9694a", 0.13),
    ("mug", "#e3d7c0", 0.13),
    ("jar", "#8fae9d", 0.22),
    ("bottle", "#6d7f4c", 0.3),
)
_STORES = (
    ("jar", "#d9a84f", 0.22),
    ("jar", "#b9694d", 0.18),
    ("vase", "#e8e0d0", 0.2),
    ("bowl", "#5f8f97", 0.11),
)

_SCHEMES = (
    ("#86aca6", "#2f5866"),
    ("#d6b489", "#5c7458"),
    ("#c4866f", "#e0d4bf"),
    ("#9fb4c6", "#6e4638"),
)
"""Wall, cupboards."""


def paint(stage: Stage) -> None:
    """Worktop and window behind, the table on the right, herbs before the camera."""
    room = _shell(stage)
    window = back_opening(room, room.x(0.22, room.depth), room.fit(1.6), 1.12, 2.3)
    _tiles(room)
    paint_window(room, window, view=outlook_of(stage, "garden", "town"))
    paint_sill(room, window)
    if not room.is_narrow:
        paint_curtains(room, window, "#f0e3c8", open_by=0.72)
    plant(room, stage.back, (window.start[0] + 0.3, 1.07, room.depth - 0.15), 0.34)
    plant(room, stage.back, (window.end[0] - 0.35, 1.07, room.depth - 0.15), 0.28, pot="#e6dcc8")
    _wall(room)
    _worktop(room)
    _table(room)
    settle(room, (0.22, 0.4) if stage.light.side < 0 else (0.7, 0.4))
    paint_daylight(room, window, towards=(0.62, -0.75, -0.62))
    pendant(room, stage.middle, (room.x(0.73, 4.8), 1.86, 4.8), stage.accent, wide=0.6)
    if room.is_by_screen:
        laptop(room, stage.middle, (room.x(0.7, 4.8), 0.75, 4.8))
    front_leaves(room, (stage.x(1.02), stage.y(1.07)), 40 * stage.unit, towards=-1.0)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=5.7, left=-2.9, right=3.3, tall=2.75)
    paint_shell(room, wall=room.one_of(_SCHEMES)[0], floor="#b98d62", ceiling="#eee8d8")
    paint_tiles(room, "#b98d62", size=0.5)
    return room


def _tiles(room: Room) -> None:
    """White tiles between worktop and shelves."""
    brush, light = room.stage.back, room.light
    tone = room.tone("#ece4d2", room.depth)
    wide = room.right - room.left
    band = room.wall(room.left, 0.9, wide, 0.62)
    ends = (band[0], band[1]) if light.side < 0 else (band[1], band[0])
    stops = [(0.0, light.lit(tone, 0.2)), (0.5, tone), (1.0, light.shaded(tone, 0.45))]
    brush.poly(band, brush.linear(*ends, stops))
    line = clear(light.ink, 0.12)
    for row in range(4):
        y = 0.9 + row * 0.155
        brush.line([room(room.left, y, room.depth), room(room.right, y, room.depth)], line, 1)
        for column in range(round(wide / 0.3)):
            x = room.left + (column + 0.5 * (row % 2)) * 0.3
            brush.line([room(x, y, room.depth), room(x, y + 0.155, room.depth)], line, 1)


def _wall(room: Room) -> None:
    """Two boards with crockery, spoons on a rail."""
    brush, left = room.stage.back, room.x(0.42 if not room.is_narrow else 0.5, room.depth)
    wide = 1.55 if not room.is_narrow else room.right - left - 0.1
    for y, row, seed in ((1.62, _CROCKERY, "low"), (2.06, _STORES, "high")):
        board_shelf(room, brush, left, y, wide, "#9a6a42")
        things(room, brush, (left + 0.06, y, room.depth - 0.15, wide - 0.12), row, seed=seed)
    rail = [room(left, 1.4, room.depth), room(left + wide * 0.7, 1.4, room.depth)]
    scale = room.scale(room.depth)
    steel = room.light.shaded(room.tone("#6b7276", room.depth), 0.2)
    brush.line(rail, steel, 0.02 * scale)
    for index in range(4):
        x, y = room(left + 0.16 + 0.26 * index, 1.4, room.depth)
        brush.line([(x, y), (x, y + 0.2 * scale)], steel, 0.02 * scale)
        brush.ellipse(x, y + 0.25 * scale, 0.035 * scale, 0.05 * scale, steel)


def _worktop(room: Room) -> None:
    brush, z = room.stage.back, room.depth - 0.62
    start, end = room.left, room.right - (0.85 if not room.is_narrow else 0.0)
    middle, wide = (start + end) / 2, end - start
    counter(
        room,
        brush,
        (middle, z),
        (wide, 0.62),
        (room.one_of(_SCHEMES)[1], "#c08a55"),
        doors=max(round(wide / 0.62), 3),
    )
    stove = room.x(0.5, z)
    box(room, brush, (stove, z - 0.01), (0.62, 0.5), (0.1, 0.86), "#39434a")
    light, scale = room.light, room.scale(z)
    glass = room.face(stove - 0.24, 0.24, 0.48, 0.36, z - 0.01)
    brush.poly(glass, light.shaded(room.tone("#1d2429", z), 0.4))
    brush.line(
        [room(stove - 0.22, 0.7, z), room(stove + 0.22, 0.7, z)],
        clear(light.rim, 0.6),
        0.02 * scale,
    )
    _kettle(room, (stove - 0.1, 0.92, z + 0.25))
    vessel(room, brush, (room.x(0.4, z), 0.92, z + 0.3), "#b98a5a", high=0.26, kind="jar")
    if not room.is_narrow:
        _fridge(room, z)


def _fridge(room: Room, z: float) -> None:
    """With notes under magnets."""
    brush, light, scale = room.stage.back, room.light, room.scale(z)
    fridge = room.right - 0.44
    shadow(room, brush, (fridge, z - 0.05), 0.8, 0.6)
    box(room, brush, (fridge, z - 0.05), (0.8, 0.66), (0.04, 1.86), "#e7dcc4")
    for x, y, colour in (
        (-0.16, 1.42, "#f2e8a0"),
        (0.02, 1.5, room.stage.accent),
        (0.12, 1.32, "#f4f0e6"),
    ):
        brush.poly(room.face(fridge + x, y, 0.13, 0.14, z - 0.05), room.tone(colour, z))
    brush.line(
        [room(fridge - 0.4, 1.16, z - 0.05), room(fridge + 0.4, 1.16, z - 0.05)],
        clear(light.ink, 0.4),
        0.014 * scale,
    )
    for low, high in ((0.8, 1.08), (1.24, 1.5)):
        brush.line(
            [room(fridge - 0.32, low, z - 0.05), room(fridge - 0.32, high, z - 0.05)],
            room.tone("#a9aeb0", z),
            0.03 * scale,
        )


def _kettle(room: Room, at: tuple[float, float, float]) -> None:
    brush, light = room.stage.back, room.light
    tone = light.shaded(room.tone("#23323b", at[2]), 0.3)
    with brush.moved(*room(*at), scale=room.scale(at[2])):
        brush.curve([(-0.1, -0.17), (0, -0.33), (0.1, -0.17)], tone, 0.025)
        brush.poly([(0.08, -0.08), (0.2, -0.19), (0.23, -0.17), (0.12, -0.03)], tone)
        body = [(-0.14, 0), (-0.13, -0.1), (-0.05, -0.2), (0.05, -0.2), (0.13, -0.1), (0.14, 0)]
        brush.shape(body, tone, corners=(0, 5))
        way = -1 if light.side < 0 else 1
        brush.curve(
            [(way * 0.1, -0.02), (way * 0.09, -0.1), (way * 0.05, -0.16)],
            clear(light.rim, 0.8),
            0.016,
        )
    steam_over(room, brush, (at[0] + 0.24, at[1] + 0.2, at[2]), 0.42)


def _table(room: Room) -> None:
    stage, brush = room.stage, room.stage.middle
    z, wide = 4.5, room.fit(1.7)
    x = room.x(0.53, 4.7) + 0.25 + wide / 2
    chair(room, brush, (x - wide * 0.16, 5.05), "#c9794f")
    if not room.is_narrow:
        chair(room, brush, (x + wide * 0.26, 5.05), "#c9794f")
    table(room, brush, (x, z), (wide, 0.85), "#a9703f")
    board = room.flat(x - 0.1, z + 0.3, 0.44, 0.26, 0.76)
    brush.poly(board, room.light.lit(room.tone("#c99660", z), 0.3))
    bowl = (x + wide * 0.3, 0.75, z + 0.4)
    for dx, colour in ((-0.08, "#d9694a"), (0.01, "#e0a24a"), (0.08, "#c9523f")):
        px, py = room(bowl[0] + dx, 0.9, bowl[2])
        brush.circle(px, py, 0.055 * room.scale(z), room.tone(colour, z))
    vessel(room, brush, bowl, "#3f7680", high=0.13, kind="bowl")
    mug(room, brush, (x - wide * 0.28, 0.75, z + 0.3), stage.accent, high=0.11, steam=True)
    chair(room, brush, (room.x(SEAT[0], 4.7), 4.55), "#c9794f", facing="right")


# Other sides


def _to_table(stage: Stage) -> None:
    """The table's corner: prints and a shelf over a bench of cupboards, a door to the garden."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    found = windows(
        room,
        (0.84,),
        wide=1.1,
        span=(0.1, 2.2),
        view=outlook_of(stage, "garden", "town"),
        panes=(2, 3),
    )
    low_row(room, 0.2, 2.4, (wood, "#c49a6a"), high=0.9, on=_STORES)
    left = room.x(0.05, room.depth)
    for y, goods in ((1.5, _CROCKERY), (1.92, _STORES)):
        board_shelf(room, stage.back, left, y, room.fit(1.9), "#b98d62")
        things(room, stage.back, (left, y, room.depth - 0.2, room.fit(1.9)), goods, seed=f"up{y}")
    frames(room, 0.5, ("#d98f4e", "#3f7f86"))
    fall(room, found, panes=(2, 3))
    x = room.x(0.56, 4.7)
    for dx in (-0.4, 0.4):
        chair(room, stage.middle, (x + dx, 5.2), "#c9694a")
    table(room, stage.middle, (x, 4.5), (1.6, 0.8), "#c49a6a")
    vessel(room, stage.middle, (x, 0.75, 4.8), "#5f8f97", high=0.12, kind="bowl")
    pendant(room, stage.middle, (x, 1.8, 4.7), stage.accent, wide=0.6)


def _to_stores(stage: Stage) -> None:
    """The wall of stores: open cases of jars, a worktop, herbs that hang."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    goods_case(room, 0.12, (1.3, 2.15), wood, (*_STORES, *_CROCKERY))
    x, y, z = low_row(room, 0.5, 2.0, (wood, "#c49a6a"), high=0.9, on=_CROCKERY)
    plant(room, stage.back, (x + 0.5, y, z), 0.4)
    frames(room, 0.42, ("#c9694a",), low=1.4)
    if not room.is_narrow:
        clock(room, stage.back, room.x(0.6, room.depth), 1.85)
    goods_case(room, 0.86, (1.3, 2.15), wood, (*_CROCKERY, *_STORES))
    fall(room)
    pendant(room, stage.middle, (room.x(0.4, 4.9), 1.95, 4.9), stage.accent, wide=0.5)


SIDES = (_to_table, _to_stores)
