"""The shop: full shelves, a counter with a till, a window to the street."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.dressing import (
    books,
    front_leaves,
    leaf,
    pendant,
    plant,
    things,
)
from callsheet_studio.draw.furniture import box, case, counter, door, shadow
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_daylight,
    paint_shell,
    paint_skirting,
    paint_tiles,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.walls import book_case, fall, goods_case, low_row, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.42, 0.88, 1.0), (0.56, 0.88, 1.0), (0.38, 0.8, 0.73))
SURFACE = (0.77, 0.57)
LOOK = (0.58, 0.5)

_GOODS = ("#d9694a", "#e8b04f", "#4f8f86", "#ece0c8", "#7a4a58", "#5a7fa0", "#c9a27a")

_BOOKS, _FOOD = "books", "grocery"
_MANY = {"bottle": 6, "loaf": 3}
"""How many of a kind stand on one shelf."""
_SCHEMES = (
    ("#e0b98c", "#35685e", "#8a5f4c"),
    ("#c9d3c4", "#7d4038", "#7a7468"),
    ("#d9bcb8", "#3a4d73", "#6f6a78"),
    ("#e3cf98", "#5f4632", "#94603f"),
)
"""Wall, woodwork, every other tile."""


def paint(stage: Stage) -> None:
    """Window and door on the left, shelves behind, the counter on the right, perhaps fruit."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    window = back_opening(room, room.x(0.2, room.depth), 1.9, 0.6, 2.3)
    paint_window(room, window, panes=(2, 1), view="town", frame=wood, bar=0.08)
    _valance(room, window.start[0], window.end[0])
    _shelves(room)
    _counter(room)
    if stage.kind == _FOOD:
        _crates(room)
    settle(room, (0.28, 0.4) if stage.light.side < 0 else (0.66, 0.4))
    paint_daylight(room, window, towards=(0.5, -0.75, -0.7), panes=(2, 1))
    for share in (0.5, 0.66, 0.82) if not room.is_narrow else (0.56, 0.82):
        pendant(room, stage.middle, (room.x(share, 5.2), 2.12, 5.2), stage.accent, wide=0.38)
    front_leaves(room, (stage.x(-0.02), stage.y(1.06)), 42 * stage.unit)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=6.3, left=-3.4, right=3.5, tall=3.0)
    wall, wood, tile = room.one_of(_SCHEMES)
    paint_shell(room, wall=wall, floor="#d8c6a8", ceiling="#f1e6d2", side=wall)
    paint_tiles(room, "#d8c6a8", size=0.55, other=tile)
    paint_skirting(room, wood, high=0.16)
    return room


def _valance(room: Room, start: float, end: float) -> None:
    """A striped cloth with scallops over the window."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.12
    count = 8
    step = (end - start + 0.3) / count
    for index in range(count):
        colour = room.stage.accent if index % 2 == 0 else "#f4ead6"
        tone = room.tone(colour, z)
        x = start - 0.15 + index * step
        strip = room.face(x, 2.16, step, 0.34, z)
        brush.poly(
            strip,
            brush.linear(
                strip[0], strip[3], [(0, light.lit(tone, 0.15)), (1, light.shaded(tone, 0.2))]
            ),
        )
        px, py = room(x + step / 2, 2.16, z)
        brush.ellipse(
            px, py, step / 2 * room.scale(z), 0.07 * room.scale(z), light.shaded(tone, 0.2)
        )


def _shelves(room: Room) -> None:
    """Cases full of goods, a lit strip over each board."""
    stage, brush, z = room.stage, room.stage.back, room.depth - 0.4
    start, end = room.x(0.42 if not room.is_narrow else 0.46, room.depth), room.right - 0.04
    count = max(round((end - start) / 1.25), 1)
    wide = (end - start) / count
    chance = stage.chance("goods")
    kinds, colours = _stock(stage)
    for index in reversed(range(count)):
        x = start + wide * (index + 0.5)
        for row, (left, y, broad) in enumerate(
            case(
                room,
                brush,
                (x, z),
                (wide - 0.06, 0.4, 2.35),
                room.one_of(_SCHEMES)[1],
                inner="#6b4a34",
            )
        ):
            if stage.is_bare:
                continue
            if stage.kind == _BOOKS:
                books(room, brush, (left, y, z, broad), seed=f"books {index} {row}")
                continue
            kind, three = chance.choice(kinds), chance.sample(colours, 3)
            many = _MANY.get(kind, 5)
            goods = [
                (kind, three[(item // 2) % 3], 0.24 + 0.06 * (item % 3 == 0))
                for item in range(many)
            ]
            things(room, brush, (left, y, z + 0.02, broad), goods, seed=f"goods {index} {row}")
            tag = room.face(left, y - 0.035, broad, 0.03, z)
            brush.poly(tag, clear(room.tone("#f4ead2", z), 0.6))
            if room.lamps:
                strip = room.face(left, y + 0.39, broad, 0.02, z)
                brush.poly(strip, clear(mix("#ffe0a8", room.light.glow, 0.5), 0.8 * room.lamps))


def _stock(stage: Stage) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is sold: the kinds of things and their colours."""
    if stage.mentions("baker", "bread", "bäcker", "brot"):
        return ("loaf", "loaf", "jar"), ("#c98a4a", "#a8662f", "#d9a866", "#8a5230")
    if stage.mentions("pharmac", "apothek"):
        return ("bottle", "box", "box"), ("#eef0ea", "#7fb8a8", "#8fa9c9", "#d98f6b")
    # Boxes of which nobody can tell what is in them: a shop of bicycles sells no jam.
    kinds = ("jar", "bottle", "box", "box", "jar", "vase") if stage.kind == _FOOD else ("box",)
    return kinds, _GOODS


def _counter(room: Room) -> None:
    """A wooden counter with a till, a terminal and paper bags."""
    stage, brush, z = room.stage, room.stage.middle, 4.85
    wide = 2.3 if not room.is_narrow else 1.3
    x = room.x(1.0, z) - wide / 2 + 0.35
    counter(
        room,
        brush,
        (x, z),
        (wide, 0.6),
        (room.one_of(_SCHEMES)[1], "#b9824f"),
        high=1.0,
        doors=4,
        knob=None,
    )
    light, left = room.light, x - wide / 2
    for index in range(round(wide / 0.14)):
        line = [room(left + 0.14 * index, 0.1, z), room(left + 0.14 * index, 0.93, z)]
        brush.line(line, clear(light.ink, 0.16), 1.2)
    emblem = room(left + wide * 0.42, 0.56, z)
    brush.circle(*emblem, 0.2 * room.scale(z), room.tone(stage.accent, z))
    scale = room.scale(z)
    brush.circle(*emblem, 0.155 * scale, room.tone("#f4ead6", z))
    for way in (-1, 1):
        tip = (emblem[0] + way * 0.09 * scale, emblem[1] - 0.09 * scale)
        leaf(
            brush,
            (emblem[0], emblem[1] + 0.08 * scale),
            tip,
            0.035 * scale,
            room.tone("#3f7a5c", z),
        )
    box(room, brush, (left + 1.0, z + 0.1), (0.4, 0.3), (1.0, 1.1), "#3a4248")
    box(room, brush, (left + 1.0, z + 0.25), (0.36, 0.05), (1.1, 1.36), "#2c3338")
    brush.poly(room.face(left + 0.85, 1.13, 0.3, 0.2, z + 0.25), mix("#8fc4dd", light.glow, 0.4))
    box(room, brush, (left + 0.56, z + 0.12), (0.1, 0.14), (1.0, 1.04), "#2c3338")
    for place, tall in ((0.2, 0.34), (0.36, 0.27)):
        box(room, brush, (left + place, z + 0.25), (0.2, 0.12), (1.0, 1.0 + tall), "#c99a66")
    if not room.is_narrow:
        plant(room, brush, (left + 1.6, 1.0, z + 0.3), 0.5, pot="#efe5d2")


def _crates(room: Room) -> None:
    """Wooden crates with fruit under the window, one row above the other."""
    brush, light = room.stage.middle, room.light
    chance = room.stage.chance("fruit")
    middle = room.x(0.17, 5.5)
    shadow(room, brush, (middle, 5.2), 1.9, 0.8)
    rows = ((5.6, 0.62, ("#d9563f", "#e3a23f")), (5.2, 0.3, ("#7fa04a", "#e8c25a")))
    for z, top, colours in rows:
        for index, colour in enumerate(colours):
            x = middle - 0.46 + 0.92 * index
            scale, tone = room.scale(z), room.tone(colour, z)
            for item in range(16):
                px, py = room(
                    x - 0.36 + 0.1 * (item % 8),
                    top + 0.04 + 0.06 * (item // 8),
                    z + 0.25 - 0.1 * (item // 8),
                )
                fruit = light.lit(tone, chance.uniform(0.0, 0.3))
                brush.circle(
                    px + chance.uniform(-2, 2), py, 0.062 * scale, light.shaded(fruit, 0.15)
                )
                brush.circle(px - 0.012 * scale, py - 0.014 * scale, 0.04 * scale, fruit)
            box(room, brush, (x, z), (0.86, 0.04), (top - 0.26, top), "#b98a55")
            for y in (0.09, 0.17):
                line = [room(x - 0.43, top - y, z), room(x + 0.43, top - y, z)]
                brush.line(line, clear(light.ink, 0.3), 0.012 * scale)


# Other sides


def _to_shelves(stage: Stage) -> None:
    """A wall of goods from end to end, lamps before it."""
    room = _shell(stage)
    wood, goods = room.one_of(_SCHEMES)[1], () if stage.is_bare else _wares(stage)
    for share in (0.06, 0.36, 0.66, 0.96):
        if stage.kind == _BOOKS:
            book_case(room, share, (1.75, 2.35), wood, seed=f"wall {share}")
        else:
            goods_case(room, share, (1.75, 2.35), wood, goods, rows=5)
    fall(room)
    for share in (0.2, 0.5, 0.8):
        pendant(room, stage.middle, (room.x(share, 5.2), 2.2, 5.2), stage.accent, wide=0.38)


def _to_street(stage: Stage) -> None:
    """The shop window from inside: the street, the door, what is shown on the sill."""
    room = _shell(stage)
    wood = room.one_of(_SCHEMES)[1]
    found = windows(
        room, (0.2, 0.84), wide=2.3, span=(0.75, 2.4), view="town", frame=wood, panes=(2, 1)
    )
    if not room.is_narrow:
        door(room, stage.back, room.x(0.52, room.depth), wood, glass=True)
    for share in (0.2, 0.84):
        on = () if stage.is_bare else _wares(stage)[:5]
        low_row(room, share, 2.2, (wood, "#c9a27a"), high=0.7, on=on)
    plant(room, stage.back, (room.x(0.4, 5.9), 0, 5.9), 1.1)
    fall(room, found, panes=(2, 1))
    pendant(room, stage.middle, (room.x(0.3, 5.0), 2.1, 5.0), stage.accent, wide=0.38)


def _wares(stage: Stage) -> tuple[tuple[str, str, float], ...]:
    """What is sold, thing by thing."""
    kinds, colours = _stock(stage)
    return tuple(
        (kinds[index % len(kinds)], colour, 0.18 if kinds[index % len(kinds)] == "loaf" else 0.24)
        for index, colour in enumerate((*colours, *colours[::-1]))
    )


SIDES = (_to_shelves, _to_street)
