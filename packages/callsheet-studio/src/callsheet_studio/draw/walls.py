"""What stands and hangs along the wall of a room that the camera has turned to.

Places are parts of the frame's width, sizes are metres; narrow frames get narrower pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.dressing import books, things
from callsheet_studio.draw.furniture import box, case, counter, picture
from callsheet_studio.draw.rooms import back_opening, paint_daylight, paint_window, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.dressing import Spot
    from callsheet_studio.draw.rooms import Opening, Room

_BINDERS = ("#3f6f8a", "#c9694a", "#e3ded0", "#5f7f5a", "#d9a84f", "#4a545b")
_COATS = ("#3f5a73", "#a8553f", "#d9c49a", "#4f6b52")
_COAT = (
    (0.0, 1.66),
    (-0.11, 1.56),
    (-0.16, 1.02),
    (-0.09, 1.0),
    (-0.12, 0.78),
    (0.14, 0.78),
    (0.11, 1.0),
    (0.18, 1.02),
    (0.13, 1.56),
    (0.04, 1.66),
)
"""A coat on its hook: x beside the hook, and y."""
_TOWARDS = (0.5, -0.78, -0.7)
"""Where daylight falls: into the room, and to a side."""


def windows(  # noqa: PLR0913 -- where, how large, what is seen
    room: Room,
    shares: Sequence[float],
    *,
    wide: float,
    span: tuple[float, float],
    view: str,
    frame: str = "#e9e4d8",
    panes: tuple[int, int] = (2, 2),
) -> list[Opening]:
    """A row of windows in the wall, from one height to another."""
    openings = []
    for share in shares[:: 2 if room.is_narrow else 1]:
        opening = back_opening(room, room.x(share, room.depth), room.fit(wide), *span)
        paint_window(room, opening, panes=panes, view=view, frame=frame, bar=0.06)
        openings.append(opening)
    return openings


def fall(room: Room, openings: Sequence[Opening] = (), *, panes: tuple[int, int] = (2, 2)) -> None:
    """The light of the room: away from its windows it falls off, and they throw theirs."""
    away = 0.24 if room.light.side < 0 else 0.76
    settle(room, (away, 0.42))
    if openings:
        paint_daylight(room, *openings, towards=_TOWARDS, panes=panes, strength=0.8)


def book_case(
    room: Room, share: float, size: tuple[float, float], colour: str, *, seed: str = "case"
) -> None:
    """An open case against the wall, full of books; `size` is its width and height."""
    wide, high = room.fit(size[0]), size[1]
    brush, z, rows = room.stage.back, room.depth - 0.32, max(round(size[1] / 0.42), 2)
    place = (room.x(share, z), z)
    for row, (left, y, broad) in enumerate(
        case(room, brush, place, (wide, 0.32, high), colour, rows=rows)
    ):
        books(room, brush, (left, y, z, broad), seed=f"{seed} {row}")


def goods_case(
    room: Room,
    share: float,
    size: tuple[float, float],
    colour: str,
    goods: Sequence[tuple[str, str, float]],
    *,
    rows: int = 4,
) -> None:
    """An open case against the wall with rows of things: kind, colour and height of each."""
    wide, high = room.fit(size[0]), size[1]
    brush, z = room.stage.back, room.depth - 0.36
    shelves = case(room, brush, (room.x(share, z), z), (wide, 0.36, high), colour, rows=rows)
    count = max(round(wide / 0.24), 2)
    for row, (left, y, broad) in enumerate(shelves):
        if not goods:
            continue
        shown = [goods[(index + 2 * row) % len(goods)] for index in range(count)]
        things(room, brush, (left, y, z, broad), shown, seed=f"goods {share} {row}")


def binders(room: Room, share: float, size: tuple[float, float], colour: str) -> None:
    """An open case of files, each with its label."""
    wide, high = room.fit(size[0]), size[1]
    brush, light, z = room.stage.back, room.light, room.depth - 0.34
    chance = room.stage.chance(f"binders {share}")
    place = (room.x(share, z), z)
    for left, y, broad in case(room, brush, place, (wide, 0.34, high), colour, rows=5):
        x = left
        while x < left + broad - 0.08:
            tone = room.tone(chance.choice(_BINDERS), z)
            brush.poly(room.face(x, y, 0.075, 0.31, z), light.shaded(tone, 0.16))
            brush.poly(room.face(x + 0.018, y + 0.16, 0.04, 0.1, z), room.tone("#f4f1e6", z))
            x += chance.choice((0.08, 0.08, 0.08, 0.2))


def low_row(
    room: Room,
    share: float,
    wide: float,
    colours: tuple[str, str],
    *,
    high: float = 0.82,
    on: Sequence[tuple[str, str, float]] = (),
) -> Spot:
    """Cupboards along the wall, and what stands on them. Gives the middle of their top."""
    wide, z = room.fit(wide), room.depth - 0.5
    x, brush = room.x(share, z), room.stage.back
    doors = max(round(wide / 0.6), 1)
    counter(room, brush, (x, z), (wide, 0.5), colours, high=high, doors=doors)
    if on:
        shelf = (x - wide / 2, high, z + 0.2, wide)
        things(room, brush, shelf, on, seed=f"row {share}")
    return x, high, z + 0.25


def frames(room: Room, share: float, colours: Sequence[str], *, low: float = 1.45) -> None:
    """Prints side by side."""
    kinds, x = ("hill", "shapes", "portrait"), room.x(share, room.depth)
    for index, colour in enumerate(colours[:1] if room.is_narrow else colours):
        wide, high = ((0.62, 0.8), (0.5, 0.62), (0.5, 0.66))[index % 3]
        corners = room.wall(x, low + 0.06 * (index % 2), wide, high)
        picture(room, room.stage.back, corners, colour, kind=kinds[index % 3])
        x += wide + 0.16


def white_board(room: Room, share: float, wide: float = 1.9) -> None:
    """A board with a drawing of boxes and arrows."""
    brush, light, z = room.stage.back, room.light, room.depth
    wide = room.fit(wide)
    left, low, high = room.x(share, z) - wide / 2, 1.0, 1.2
    brush.poly(
        room.wall(left - 0.04, low - 0.04, wide + 0.08, high + 0.08), room.tone("#9aa5a8", z)
    )
    brush.poly(room.wall(left, low, wide, high), light.lit(room.tone("#f6f7f4", z), 0.1))
    thick = 0.02 * room.scale(z)
    for index, colour in enumerate(("#2f6f8a", "#c2553f", room.stage.accent)):
        x, y = left + wide * (0.1 + 0.3 * index), low + high * (0.3 + 0.2 * (index % 2))
        mark = room.wall(x, y, wide * 0.2, high * 0.26)
        brush.line([*mark, mark[0]], room.tone(colour, z), thick)
        start = room(x + wide * 0.22, y + high * 0.13, z)
        brush.line([start, room(x + wide * 0.28, y + high * 0.13, z)], room.tone(colour, z), thick)
    box(room, brush, (left + wide / 2, z - 0.1), (wide * 0.6, 0.1), (low - 0.08, low), "#b7bfc0")


def radiator(room: Room, share: float, wide: float = 1.3) -> None:
    """Ribs under a window."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.08
    wide = room.fit(wide)
    left, tone = room.x(share, z) - wide / 2, room.tone("#efece2", room.depth)
    brush.poly(room.face(left, 0.16, wide, 0.5, z), light.shaded(tone, 0.3))
    ribs = int(wide / 0.09)
    for index in range(ribs):
        x = left + 0.02 + index * wide / ribs
        brush.poly(room.face(x, 0.15, 0.05, 0.52, z), light.lit(tone, 0.12))


def coats(room: Room, share: float, count: int = 4) -> None:
    """A rail with coats on its hooks."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.06
    left = room.x(share, z)
    brush.poly(room.face(left - 0.1, 1.68, count * 0.34, 0.07, z), room.tone("#8a5f3c", z))
    for index in range(count):
        x = left + index * 0.34
        tone = room.tone(_COATS[index % len(_COATS)], z)
        outline = [room(x + dx, y, z) for dx, y in _COAT]
        brush.shape(outline, light.shaded(tone, 0.14), corners=(0, 2, 3, 4, 5, 6, 7, 9))
        fold = [room(x + 0.03, 1.5, z), room(x + 0.05, 0.85, z)]
        brush.line(fold, clear(light.ink, 0.3), 0.02 * room.scale(z))
