"""The café: small tables at the window, bulbs over the bar, a chalk board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.dressing import (
    front_leaves,
    mug,
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
    round_table,
    stool,
)
from callsheet_studio.draw.outlook import outlook_of
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_boards,
    paint_daylight,
    paint_shell,
    paint_sill,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.walls import fall, frames, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.45, 0.88, 1.0), (0.56, 0.88, 1.0), (0.48, 0.8, 0.73))
SEAT = (0.29, 0.865, 0.92)
FACES = -1
SURFACE = (0.76, 0.545)
LOOK = (0.62, 0.5)

_BULBS = ((0.16, 2.05), (0.3, 2.25), (0.56, 2.2), (0.68, 1.98), (0.92, 2.05), (0.8, 2.2))
"""Where bulbs hang, as parts of the width, and how high."""
_CUPS = tuple(
    ("mug", colour, 0.12) for colour in ("#efe6d4", "#c9694a", "#efe6d4", "#5f8a8b", "#efe6d4")
)
_BOTTLES = (
    ("bottle", "#6d8a4c", 0.34),
    ("bottle", "#a85a3f", 0.3),
    ("jar", "#d9b06a", 0.24),
    ("jar", "#8a5a3c", 0.24),
)

_SCHEMES = (
    ("#a6573f", "#2c5148"),
    ("#7b8c7e", "#8a4a34"),
    ("#c7b194", "#2f4d63"),
    ("#56626e", "#b0723c"),
)
"""Bricks, the bar."""


def paint(stage: Stage) -> None:
    """The window and its tables on the left, the bar on the right, plants at the edge."""
    room = _shell(stage)
    window = back_opening(
        room, room.x(0.24, room.depth), 2.5 if not room.is_narrow else 1.5, 0.7, 2.55
    )
    paint_window(
        room,
        window,
        panes=(3, 2),
        view=outlook_of(stage, "town", "city"),
        frame="#2c2a2b",
        bar=0.05,
    )
    paint_sill(room, window, "#5a3d2c")
    plant(room, stage.back, (window.start[0] + 0.4, 0.65, 6.05), 0.5, pot="#d8c4a4")
    _board(room)
    _bar(room)
    _tables(room)
    settle(room, (0.24, 0.4) if stage.light.side < 0 else (0.7, 0.42))
    paint_daylight(room, window, towards=(0.5, -0.78, -0.72), panes=(3, 2))
    for share, y in _BULBS[:: 2 if room.is_narrow else 1]:
        pendant(room, stage.middle, (room.x(share, 5.2), y, 5.2), "#e8c48a", wide=0.26, kind="bulb")
    front_leaves(room, (stage.x(-0.02), stage.y(1.05)), 44 * stage.unit)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=6.2, left=-3.3, right=3.4, tall=3.1)
    brick = room.one_of(_SCHEMES)[0]
    paint_shell(room, wall=brick, floor="#6d4a34", ceiling="#4a3a34", side=brick)
    paint_boards(room, "#6d4a34", wide=0.2)
    _bricks(room)
    return room


def _bricks(room: Room) -> None:
    """Some bricks of the wall, not all: the eye does the rest."""
    brush, light, chance = room.stage.back, room.light, room.stage.chance("bricks")
    tone = room.tone(room.one_of(_SCHEMES)[0], room.depth)
    for _ in range(110):
        row, x = chance.randrange(26), chance.uniform(room.left, room.right - 0.3)
        shade = chance.choice((light.lit(tone, 0.6), light.shaded(tone, 0.6)))
        x = round(x / 0.28) * 0.28 + 0.14 * (row % 2)
        brick = room.wall(x, 0.1 + row * 0.11, 0.26, 0.09)
        brush.poly(brick, clear(shade, chance.uniform(0.1, 0.3)))


def _board(room: Room) -> None:
    """The chalk board over the bar: bars and a cup, no words."""
    brush, z = room.stage.back, room.depth
    left, wide = room.x(0.56, z), min(1.9, room.right - room.x(0.56, z) - 0.15)
    brush.poly(room.wall(left - 0.05, 1.85, wide + 0.1, 0.95), room.tone("#8a5f3c", z))
    brush.poly(room.wall(left, 1.9, wide, 0.85), room.light.shaded(room.tone("#24302e", z), 0.3))
    chalk, scale = clear(room.light.lit("#f2ede0", 0.2), 0.75), room.scale(z)
    for column in range(2):
        for row in range(5):
            x, y = left + wide * (0.34 + 0.33 * column), 2.6 - 0.13 * row
            broad = wide * (0.22 - 0.05 * ((row * 3 + column) % 3))
            brush.line([room(x, y, z), room(x + broad, y, z)], chalk, 0.022 * scale)
    with brush.moved(*room(left + wide * 0.16, 2.14, z), scale=scale):
        brush.curve([(-0.13, -0.2), (-0.1, -0.02), (0.1, -0.02), (0.13, -0.2)], chalk, 0.022)
        brush.line([(-0.14, -0.2), (0.14, -0.2)], chalk, 0.022)
        brush.curve([(-0.03, -0.26), (0.02, -0.33), (-0.03, -0.42)], room.stage.accent, 0.022)


def _bar(room: Room) -> None:
    stage, brush = room.stage, room.stage.middle
    shelf = room.x(0.58, room.depth)
    wide = min(1.7, room.right - shelf - 0.2)
    board_shelf(room, stage.back, shelf, 1.5, wide, "#6b4a30")
    things(
        room, stage.back, (shelf, 1.5, room.depth - 0.15, wide), _BOTTLES + _CUPS[:2], seed="bar"
    )
    z, broad = 5.0, 2.7 if not room.is_narrow else 1.4
    x = room.x(1.02, z) - broad / 2 + 0.3
    counter(
        room,
        brush,
        (x, z),
        (broad, 0.6),
        (room.one_of(_SCHEMES)[1], "#c49763"),
        high=1.08,
        doors=5,
        knob=None,
    )
    left = x - broad / 2
    _machine(room, (left + broad * 0.42, 1.08, z + 0.25))
    things(room, brush, (left + broad * 0.3, 1.53, z + 0.25, broad * 0.25), _CUPS[:4], seed="cups")
    _cakes(room, (left + 0.34, 1.08, z + 0.25))
    vessel(room, brush, (left + broad * 0.72, 1.08, z + 0.2), "#d9b06a", high=0.24)
    if not room.is_narrow:
        for place in (0.2, 0.46):
            stool(room, brush, (left + broad * place, z - 0.28), "#8a5f3c", high=0.72)


def _machine(room: Room, at: tuple[float, float, float]) -> None:
    """An espresso machine."""
    brush, light = room.stage.middle, room.light
    steel = room.tone("#b9bdc0", at[2])
    dark = light.shaded(room.tone("#2a2e31", at[2]), 0.35)
    ends = ((-0.4, 0), (0.4, 0)) if light.side < 0 else ((0.4, 0), (-0.4, 0))
    stops = [(0.0, light.lit(steel, 0.6)), (0.5, steel), (1.0, light.shaded(steel, 0.5))]
    with brush.moved(*room(*at), scale=room.scale(at[2])):
        fill = brush.linear(*ends, stops)
        brush.rect(-0.36, -0.06, 0.72, 0.06, dark)
        brush.rect(-0.32, -0.3, 0.64, 0.26, light.shaded(steel, 0.6))
        brush.rect(-0.4, -0.45, 0.8, 0.2, fill, radius=0.04)
        brush.rect(-0.4, -0.32, 0.8, 0.035, room.stage.accent)
        for x in (-0.18, 0.14):
            brush.rect(x - 0.05, -0.26, 0.1, 0.05, dark)
            brush.line([(x, -0.22), (x - 0.1, -0.18)], dark, 0.03)
            brush.rect(x - 0.035, -0.12, 0.07, 0.06, room.tone("#efe6d4", at[2]), radius=0.01)
    steam_over(room, brush, (at[0] + 0.42, at[1] + 0.2, at[2]), 0.4)


def _cakes(room: Room, at: tuple[float, float, float]) -> None:
    """Cakes under a dome of glass."""
    brush, light = room.stage.middle, room.light
    with brush.moved(*room(*at), scale=room.scale(at[2])):
        brush.rect(-0.2, -0.04, 0.4, 0.03, room.tone("#efe6d4", at[2]))
        for x, colour in ((-0.1, "#8a4f34"), (0.02, "#e3b56a"), (0.12, "#b5573f")):
            brush.circle(x, -0.08, 0.055, room.tone(colour, at[2]))
        glass = [(-0.19, -0.04), (-0.17, -0.2), (0, -0.28), (0.17, -0.2), (0.19, -0.04)]
        brush.shape(glass, clear(mix(light.rim, "#ffffff", 0.4), 0.2), corners=(0, 4))
        brush.curve([(-0.13, -0.08), (-0.12, -0.18), (-0.05, -0.23)], clear(light.rim, 0.6), 0.015)
        brush.circle(0, -0.29, 0.025, room.tone("#c9b48a", at[2]))


def _tables(room: Room) -> None:
    brush = room.stage.middle
    far, near = (room.x(0.37, 5.6), 5.5), (room.x(SEAT[0], 4.9) - 0.66, 4.55)
    chair(room, brush, (far[0] - 0.55, 5.7), "#8a5632", facing="right", leg="#3a2c24")
    round_table(room, brush, far, 0.66, "#d8c8b0")
    vessel(room, brush, (far[0], 0.74, 5.8), "#d98f6b", high=0.2, kind="vase")
    chair(room, brush, (near[0] - 0.62, 4.75), "#8a5632", facing="right", leg="#3a2c24")
    chair(room, brush, (near[0] + 0.66, 4.8), "#8a5632", facing="left", leg="#3a2c24")
    round_table(room, brush, near, 0.78, "#e2d4bc")
    mug(room, brush, (near[0] - 0.12, 0.745, 4.9), room.stage.accent, high=0.09, steam=True)
    mug(room, brush, (near[0] + 0.16, 0.745, 5.0), "#efe6d4", high=0.09)


# Other sides


def _to_prints(stage: Stage) -> None:
    """The long wall: prints over a bench, small tables before it."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    frames(room, 0.1, ("#d9a84f", "#c9694a", "#3f7f86"))
    frames(room, 0.6, ("#5f8a8b", "#d98f4e", "#8a5a3c"))
    box(room, stage.back, (0, room.depth - 0.5), (6.4, 0.5), (0, 0.46), wood)
    box(room, stage.back, (0, room.depth - 0.14), (6.4, 0.14), (0.46, 1.0), wood)
    fall(room)
    for share in (0.16, 0.5, 0.84):
        x = room.x(share, 4.9)
        round_table(room, stage.middle, (x, 4.9), 0.66, "#8a5f3c")
        mug(room, stage.middle, (x + 0.08, 0.74, 5.1), stage.accent, steam=True)
        pendant(room, stage.middle, (x, 1.9, 5.0), "#e8c48a", wide=0.26, kind="bulb")


def _to_street(stage: Stage) -> None:
    """The windows to the street, a bar with stools along them."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    found = windows(
        room,
        (0.18, 0.54, 0.9),
        wide=2.0,
        span=(0.95, 2.6),
        view=outlook_of(stage, "town", "city"),
        frame="#2c2a2b",
        panes=(2, 2),
    )
    box(room, stage.back, (0, room.depth - 0.45), (6.4, 0.45), (0.92, 0.98), wood)
    for share in (0.3, 0.72):
        plant(room, stage.back, (room.x(share, 5.9), 0.98, 5.9), 0.42, pot="#d8c4a4")
    fall(room, found)
    for share in (0.12, 0.36, 0.6, 0.84):
        stool(room, stage.middle, (room.x(share, 5.3), 5.3), "#8a5f3c")
        pendant(
            room, stage.middle, (room.x(share, 5.3), 2.2, 5.3), "#e8c48a", wide=0.26, kind="bulb"
        )


SIDES = (_to_prints, _to_street)
