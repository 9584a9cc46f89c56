"""The living room: a sofa between the window and a lamp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.bath import paint_basin, paint_shower
from callsheet_studio.draw.dressing import (
    books,
    floor_lamp,
    front_leaves,
    laptop,
    mug,
    paint_curtains,
    pendant,
    plant,
    vessel,
)
from callsheet_studio.draw.furniture import (
    box,
    case,
    chair,
    cushion,
    picture,
    round_table,
    rug,
    shadow,
    sofa,
    table,
)
from callsheet_studio.draw.outlook import outlook_of
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_boards,
    paint_daylight,
    paint_shell,
    paint_skirting,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.walls import (
    book_case,
    fall,
    frames,
    low_row,
    radiator,
    windows,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.88, 1.0), (0.68, 0.88, 1.0), (0.3, 0.85, 0.83))
SEAT = (0.56, 0.865, 0.9)
SURFACE = (0.8, 0.745)
_ROOMY = 0.7
"""Frames that are spread wider have place for all of it."""


_BATH = "bathroom"
_BED = (" bed", "bedroom", "sleep", "mattress", "schlaf", "matratze")
_CHILD = ("child", " kid", "toys", "kinder", "spielzeug", "baby")

_SCHEMES = (
    ("#c99b78", "#2f6d72", "#b5573f"),
    ("#93a896", "#b5643f", "#3f6f6a"),
    ("#c9a79c", "#465a86", "#b5573f"),
    ("#7f9cab", "#c28a45", "#8a4a3a"),
)
"""Wall, sofa, stripes of the rug."""


def paint(stage: Stage) -> None:
    """Window on the left, sofa (or bed) and pictures in the middle, lamp and books on the right."""
    if stage.kind == _BATH:
        paint_basin(stage)
        return
    room = _shell(stage)
    wide = room.fit(1.7)
    window = back_opening(room, room.x(0.2, room.depth), wide, 0.75, 2.3)
    paint_window(room, window, panes=(2, 2), view=outlook_of(stage, "town", "garden"))
    paint_curtains(room, window, "#e9d9bd")
    if room.spread > _ROOMY:
        _shelf(room)
    _seat(room)
    source = (0.2, 0.4) if stage.light.side < 0 else (0.84, 0.42)
    settle(room, source, reach=0.8 if room.is_by_screen else 1.0)
    paint_daylight(room, window, towards=(0.5, -0.75, -0.75))
    floor_lamp(
        room, stage.middle, (room.x(0.83 if room.spread > _ROOMY else 0.91, 5.0), 5.0), "#f0d6a8"
    )
    if room.is_by_screen:
        laptop(room, stage.middle, (room.x(0.79, 4.6), 0.42, 4.6))
    front_leaves(room, (stage.x(-0.02), stage.y(1.06)), 44 * stage.unit)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=5.7, left=-2.9, right=3.5, tall=2.75)
    paint_shell(room, wall=room.one_of(_SCHEMES)[0], floor="#a8713f", ceiling="#efe3d0")
    paint_boards(room, "#a8713f")
    paint_skirting(room, "#efe3d2")
    return room


def _shelf(room: Room) -> None:
    brush, z = room.stage.back, room.depth - 0.35
    x = room.right - 0.62
    for row, (left, y, wide) in enumerate(case(room, brush, (x, z), (1.1, 0.35, 2.15), "#7a5236")):
        if row % 2:
            books(room, brush, (left, y, z, wide * 0.6), seed=f"books {row}")
            vessel(room, brush, (left + wide * 0.82, y, z), "#d98f5b", high=0.22, kind="vase")
        else:
            books(room, brush, (left + wide * 0.3, y, z, wide * 0.7), seed=f"books {row}")
            vessel(room, brush, (left + wide * 0.14, y, z), "#5f8a8b", high=0.18)


def _seat(room: Room) -> None:
    stage, middle = room.stage, room.stage.middle
    _, colour, stripe = room.one_of(_SCHEMES)
    roomy = room.spread > _ROOMY
    z = 4.95
    x = room.x(0.58 if roomy else 0.62, z)
    rug(room, stage.back, (x, 3.3), (3.2 * room.spread**0.5, 1.6), "#d9c2a0", stripe=stripe)
    if roomy:
        picture(room, stage.back, room.wall(x - 0.75, 1.45, 0.62, 0.8), "#3f7f86")
    picture(room, stage.back, room.wall(x + 0.05, 1.5, 0.5, 0.62), "#d98f4e", kind="shapes")
    wide = room.fit(2.3)
    if stage.mentions(*_BED):
        _bed(room, (x, z - 0.5), wide)
    else:
        sofa(room, middle, (x, z), wide, colour, seats=3 if roomy else 2)
        cushion(room, middle, (x - wide * 0.31, 0.66, z), stage.accent, 0.16)
        cushion(room, middle, (x + wide * 0.3, 0.66, z), "#e8dcc4", -0.12)
    if roomy:
        plant(room, middle, (room.x(0.365, 5.3), 0, 5.3), 1.15, pot="#e4d6c0", kind="tall")
    side = room.x(0.8, 4.6)
    round_table(room, middle, (side, 4.3), 0.7, "#8a5a36", high=0.42)
    mug(room, middle, (side - 0.18, 0.42, 4.6), stage.accent, high=0.11, steam=True)
    if stage.mentions(*_CHILD):
        _blocks(room, room.x(0.4, 4.5))


def _bed(room: Room, at: tuple[float, float], wide: float) -> None:
    """A bed with its head at the wall: a frame, a blanket that hangs over, two pillows."""
    middle, (x, z) = room.stage.middle, at
    deep = room.depth - z - 0.1
    box(room, middle, (x, z + deep), (wide * 0.92, 0.08), (0, 1.05), "#7a5236")
    shadow(room, middle, at, wide, deep, 0.4)
    for share in (-0.2, 0.2):
        cushion(room, middle, (x + wide * share, 0.72, z + deep - 0.12), "#f1e8d8", 0.04)
    box(room, middle, at, (wide * 0.88, deep - 0.2), (0.12, 0.56), "#3f7a80", lit=0.3)
    fold = room.flat(x - wide * 0.44, z + deep * 0.55, wide * 0.88, deep * 0.2, 0.565)
    middle.poly(fold, room.light.lit(room.tone("#f1e8d8", z), 0.3))
    throw = room.face(x - wide * 0.44, 0.2, wide * 0.88, 0.36, z - 0.01)
    middle.poly(throw, room.light.shaded(room.tone(room.stage.accent, z), 0.2))


def _blocks(room: Room, x: float) -> None:
    """A tower that a child built."""
    for dx, low, colour in ((0.0, 0.0, "#d9694a"), (0.2, 0.0, "#4f8fb0"), (0.1, 0.15, "#e8b84f")):
        box(room, room.stage.middle, (x + dx, 4.5), (0.16, 0.15), (low, low + 0.15), colour)


# Other sides


def _to_books(stage: Stage) -> None:
    """The wall of books: an armchair and a lamp before it."""
    if stage.kind == _BATH:
        paint_shower(stage)
        return
    room = _shell(stage)
    _, colour, stripe = room.one_of(_SCHEMES)
    book_case(room, 0.16, (1.5, 2.2), "#7a5236", seed="left")
    book_case(room, 0.44, (1.1, 2.2), "#7a5236", seed="right")
    frames(room, 0.62, ("#3f7f86", "#d98f4e"))
    low_row(room, 0.75, 1.5, ("#8a5a36", "#7a5236"), high=0.7, on=(("vase", "#e8dcc4", 0.3),))
    plant(room, stage.back, (room.x(0.95, 5.3), 0, 5.3), 1.2, pot="#e4d6c0", kind="tall")
    x = room.x(0.24, 4.9)
    rug(room, stage.back, (x, 3.5), (2.4 * room.spread**0.5, 1.5), "#d9c2a0", stripe=stripe)
    fall(room)
    sofa(room, stage.middle, (x, 4.8), 1.05, colour, seats=1)
    cushion(room, stage.middle, (x, 0.64, 4.8), stage.accent, 0.1)
    floor_lamp(room, stage.middle, (x + 0.85, 4.95), "#f0d6a8")


def _to_table(stage: Stage) -> None:
    """The corner to eat in: a wide window, a table under its lamp."""
    if stage.kind == _BATH:
        paint_basin(stage)
        return
    room = _shell(stage)
    _, colour, _ = room.one_of(_SCHEMES)
    view = outlook_of(stage, "town", "garden")
    found = windows(room, (0.28, 0.62), wide=1.5, span=(0.8, 2.3), view=view)
    for opening in found:
        paint_curtains(room, opening, "#e9d9bd", open_by=0.8)
    radiator(room, 0.28)
    frames(room, 0.82, ("#d98f4e",), low=1.4)
    plant(room, stage.back, (room.x(0.06, 5.4), 0, 5.4), 1.3, pot="#c26b4a")
    fall(room, found)
    x = room.x(0.56, 4.7)
    for dx in (-0.45, 0.45):
        chair(room, stage.middle, (x + dx, 5.25), colour)
    table(room, stage.middle, (x, 4.5), (1.7, 0.8), "#b07f4d")
    vessel(room, stage.middle, (x - 0.3, 0.75, 4.8), "#d98f5b", high=0.26, kind="vase")
    vessel(room, stage.middle, (x + 0.35, 0.75, 4.7), "#5f8a8b", high=0.1, kind="bowl")
    pendant(room, stage.middle, (x, 1.72, 4.7), stage.accent, wide=0.55)


SIDES = (_to_books, _to_table)
