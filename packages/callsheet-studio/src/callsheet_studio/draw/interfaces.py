"""Pictures of software: maps, lists, charts, chats, forms, calendars, dashboards, feeds.

Nothing in them can be read: words are bars, numbers are shapes. Each is drawn into any box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.plots import paint_chart, paint_dashboard

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.pane import Box, Pane

_DAYS = 7


def paint_map(pane: Pane, box: Box) -> None:
    """Streets, water, a way and pins; a card about one of them."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    land = mix(skin.ground, "#cfe0c4" if not skin.is_dark else "#1d3a34", 0.6)
    water = mix("#9ecbe6" if not skin.is_dark else "#16324d", skin.card, 0.15)
    road = skin.card if not skin.is_dark else "#2b3a49"

    def at(a: float, b: float) -> tuple[float, float]:
        return x + wide * a, y + high * b

    with brush.inside((at(0, 0), at(1, 0), at(1, 1), at(0, 1))):
        brush.rect(x, y, wide, high, land)
        shore = [at(-0.1, 0.62), at(0.2, 0.56), at(0.42, 0.68), at(0.7, 0.6), at(1.1, 0.72)]
        brush.shape(
            [at(0.62, 0.1), at(0.86, 0.06), at(0.92, 0.26), at(0.7, 0.34)],
            mix(land, "#6fae6a", 0.4),
        )
        for start, mid, end in (
            ((-0.1, 0.2), (0.4, 0.26), (1.1, 0.12)),
            ((-0.1, 0.46), (0.5, 0.44), (1.1, 0.52)),
            ((0.22, -0.1), (0.26, 0.3), (0.16, 0.7)),
            ((0.56, -0.1), (0.5, 0.3), (0.6, 0.7)),
            ((0.84, -0.1), (0.8, 0.4), (0.9, 0.75)),
        ):
            brush.curve((at(*start), at(*mid), at(*end)), road, 3.4 * e)
        brush.curve(shore, road, 4.6 * e)
        brush.shape([*shore, at(1.1, 1.2), at(-0.1, 1.2)], water, corners=(0, 4, 5, 6))
        way = [at(0.24, 0.52), at(0.26, 0.32), at(0.5, 0.3), at(0.54, 0.2), at(0.78, 0.17)]
        brush.curve(way, clear(skin.accent, 0.3), 5 * e)
        brush.curve(way, skin.accent, 2.4 * e)
        brush.circle(*way[0], 3 * e, skin.card)
        brush.circle(*way[0], 1.9 * e, skin.accent)
    for px, py, mark in (
        (0.36, 0.4, skin.second),
        (0.66, 0.48, skin.second),
        (0.16, 0.16, skin.second),
        (0.78, 0.17, skin.accent),
    ):
        _pin(pane, at(px, py), mark, 1.35 if mark == skin.accent else 0.9)
    deep = min(34 * e, high * 0.34)
    inner = min(wide - 8 * e, 84 * e)
    _place_card(pane, (x + 4 * e, y + high - deep - 4 * e, inner, deep))


def _pin(pane: Pane, at: tuple[float, float], colour: str, size: float) -> None:
    brush, e = pane.brush, pane.e * size
    x, y = at
    brush.ellipse(x, y, 2.4 * e, 0.9 * e, clear("#000000", 0.22))
    drop = [
        (x, y),
        (x - 3.6 * e, y - 6 * e),
        (x - 2.9 * e, y - 10 * e),
        (x, y - 11.4 * e),
        (x + 2.9 * e, y - 10 * e),
        (x + 3.6 * e, y - 6 * e),
    ]
    brush.shape(drop, colour, corners=(0,))
    brush.circle(x, y - 7.2 * e, 1.6 * e, pane.skin.card)


def _place_card(pane: Pane, box: Box) -> None:
    skin, e = pane.skin, pane.e
    x, y, wide, high = box
    pane.card(box)
    size = min(high - 8 * e, 20 * e)
    _photo(pane, (x + 4 * e, y + 4 * e, size, size), 0)
    left = x + size + 8 * e
    pane.bar(left, y + 5 * e, wide * 0.42, high=3, colour=skin.ink)
    pane.bar(left, y + 10.5 * e, wide * 0.3)
    pane.bar(left, y + 14.5 * e, wide * 0.36)
    button = min(26 * e, wide * 0.34)
    pane.brush.rect(
        x + wide - button - 4 * e, y + high - 12 * e, button, 8 * e, skin.accent, radius=4 * e
    )
    pane.bar(
        x + wide - button * 0.78 - 4 * e, y + high - 9 * e, button * 0.56, high=2, colour=skin.card
    )


def paint_list(pane: Pane, box: Box) -> None:
    """Rows with a mark, two lines and a state; one of them is just done."""
    brush, skin, e, chance = pane.brush, pane.skin, pane.e, pane.chance
    x, y, wide, high = box
    pane.bar(x + 4 * e, y + 3 * e, wide * 0.34, high=3.4, colour=skin.ink)
    gap = 3 * e
    count = max(int((high - 10 * e) / (17 * e + gap)), 1)
    row = min((high - 11 * e) / count - gap, 24 * e)
    for index in range(count):
        top = y + 10 * e + index * (row + gap)
        done = index == 1
        pane.card((x + 3 * e, top, wide - 6 * e, row), skin.soft if done else "")
        mark = (skin.second, skin.accent, mix(skin.faint, skin.ink, 0.2))[(index + index // 3) % 3]
        middle = top + row / 2
        brush.rect(
            x + 6 * e,
            middle - 5 * e,
            10 * e,
            10 * e,
            skin.accent if done else clear(mark, 0.35),
            radius=3 * e,
        )
        if done:
            pane.tick(x + 11 * e, middle, 2.4 * e, skin.card)
        else:
            brush.circle(x + 11 * e, middle, 2.3 * e, mark)
        long = (wide - 44 * e) * chance.uniform(0.5, 0.9)
        pane.bar(x + 20 * e, middle - 3.9 * e, long, high=2.6, colour=skin.ink)
        pane.bar(x + 20 * e, middle + 1.5 * e, long * chance.uniform(0.5, 0.8))
        state = skin.accent if done else skin.faint
        brush.rect(x + wide - 21 * e, middle - 2.7 * e, 13 * e, 5.4 * e, state, radius=2.7 * e)


def paint_chat(pane: Pane, box: Box) -> None:
    """Two people write to each other; the last answer is being typed."""
    brush, skin, e, chance = pane.brush, pane.skin, pane.e, pane.chance
    x, y, wide, high = box
    foot = y + high - 15 * e
    reach = min(wide * 0.66, 74 * e)
    top, mine = y + 4 * e, False
    while top < foot - 16 * e:
        lines = chance.choice((1, 2, 2, 3))
        tall = (5.5 + 4.6 * lines) * e
        if top + tall > foot - 10 * e:
            break
        left = x + wide - reach - 5 * e if mine else x + 14 * e
        wide_b = reach * chance.uniform(0.72, 1.0)
        left += (reach - wide_b) if mine else 0
        brush.rect(left, top, wide_b, tall, skin.accent if mine else skin.card, radius=4.6 * e)
        if not mine:
            brush.circle(x + 8 * e, top + tall - 4 * e, 4 * e, clear(skin.second, 0.8))
        for index in range(lines):
            share = 0.8 if index < lines - 1 else chance.uniform(0.35, 0.7)
            colour = clear(skin.card, 0.85) if mine else mix(skin.faint, skin.ink, 0.25)
            pane.bar(
                left + 5 * e,
                top + (3.6 + 4.6 * index) * e,
                (wide_b - 10 * e) * share,
                high=2.1,
                colour=colour,
            )
        top, mine = top + tall + 4 * e, not mine
    brush.rect(x + 14 * e, foot - 9 * e, 18 * e, 7 * e, skin.card, radius=3.5 * e)
    for dot in range(3):
        brush.circle(
            x + (19 + dot * 4) * e, foot - 5.5 * e, 1.1 * e, clear(skin.ink, 0.3 + 0.2 * dot)
        )
    pane.card((x + 4 * e, foot, wide - 8 * e, 11 * e), radius=5.5)
    pane.bar(x + 10 * e, foot + 4.4 * e, wide * 0.3)
    brush.circle(x + wide - 10 * e, foot + 5.5 * e, 4 * e, skin.accent)


def paint_form(pane: Pane, box: Box) -> None:
    """Fields, one of them in use; a switch; a button."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    inner = min(wide - 12 * e, 110 * e)
    left = x + (wide - inner) / 2
    pane.bar(left, y + 4 * e, inner * 0.5, high=4.2, colour=skin.ink)
    pane.bar(left, y + 11 * e, inner * 0.72)
    button = y + high - 17 * e
    count = max(min(int((button - y - 20 * e) / (19 * e)), 4), 1)
    for index in range(count):
        top = y + 18 * e + index * 19 * e
        pane.bar(left, top, inner * 0.24, high=1.9)
        active = index == 1
        edge = skin.accent if active else skin.faint
        brush.rect(left, top + 4 * e, inner, 11 * e, edge, radius=3 * e)
        brush.rect(
            left + 0.6 * e, top + 4.6 * e, inner - 1.2 * e, 9.8 * e, skin.card, radius=2.6 * e
        )
        if index <= 1:
            pane.bar(
                left + 4 * e,
                top + 8.4 * e,
                inner * (0.55 - 0.22 * index),
                high=2.4,
                colour=skin.ink,
            )
        if index == 0:
            pane.tick(left + inner - 7 * e, top + 9.4 * e, 2 * e, skin.accent)
        if active:
            brush.rect(left + inner * 0.33 + 6 * e, top + 6.8 * e, 0.6 * e, 5.4 * e, skin.accent)
    brush.rect(left, button, inner, 12 * e, skin.accent, radius=6 * e)
    pane.bar(left + inner * 0.36, button + 4.6 * e, inner * 0.28, high=2.8, colour=skin.card)


def paint_calendar(pane: Pane, box: Box) -> None:
    """A month with marked days, and what happens on one of them."""
    brush, skin, e, chance = pane.brush, pane.skin, pane.e, pane.chance
    x, y, wide, high = box
    flat = wide > high
    grid = (wide * 0.64 if flat else wide, high if flat else high * 0.62)
    pane.card((x + 3 * e, y + 2 * e, grid[0] - 6 * e, grid[1] - 5 * e))
    pane.bar(x + 8 * e, y + 6 * e, grid[0] * 0.3, high=3.6, colour=skin.ink)
    cell = ((grid[0] - 14 * e) / _DAYS, (grid[1] - 26 * e) / 5)
    for column in range(_DAYS):
        pane.bar(x + 7 * e + cell[0] * (column + 0.32), y + 14 * e, cell[0] * 0.36, high=1.6)
    for day in range(35):
        cx = x + 7 * e + cell[0] * (day % _DAYS + 0.5)
        cy = y + 20 * e + cell[1] * (day // _DAYS + 0.5)
        size = min(*cell) * 0.4
        chosen = day == 16  # noqa: PLR2004 -- the middle of the month
        kind = chance.random()
        if chosen:
            brush.circle(cx, cy, size, skin.accent)
        elif kind < 0.26:  # noqa: PLR2004 -- one day in four
            brush.rect(
                cx - cell[0] * 0.42,
                cy - size * 0.7,
                cell[0] * 0.84,
                size * 1.4,
                clear((skin.second, skin.accent)[day % 2], 0.26),
                radius=size * 0.5,
            )
        pane.bar(
            cx - size * 0.36,
            cy - 1.1 * e,
            size * 0.72,
            colour=skin.card if chosen else mix(skin.faint, skin.ink, 0.3),
        )
    left, top = (x + grid[0], y + 2 * e) if flat else (x, y + grid[1])
    room = (wide - grid[0], high - 4 * e) if flat else (wide, high - grid[1])
    for index in range(max(int(room[1] / (16 * e)), 1)):
        row = (left + 3 * e, top + index * 16 * e, room[0] - 6 * e, 13 * e)
        pane.card(row)
        brush.rect(
            row[0], row[1], 1.6 * e, row[3], (skin.accent, skin.second)[index % 2], radius=0.8 * e
        )
        pane.bar(
            row[0] + 5 * e,
            row[1] + 3.4 * e,
            row[2] * chance.uniform(0.4, 0.7),
            high=2.4,
            colour=skin.ink,
        )
        pane.bar(row[0] + 5 * e, row[1] + 8 * e, row[2] * 0.3)


def paint_feed(pane: Pane, box: Box) -> None:
    """Pictures that people share, one above the other (or beside)."""
    brush, skin, e = pane.brush, pane.skin, pane.e
    x, y, wide, high = box
    columns = 3 if wide > high else 1
    each = wide / columns
    for column in range(columns):
        left, top, index = x + each * column + 3 * e, y + 3 * e - (column % 2) * 12 * e, column
        with brush.inside(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))):
            while top < y + high:
                tall = each * (0.72 if index % 2 else 0.9)
                pane.card((left, top, each - 6 * e, tall + 24 * e))
                brush.circle(
                    left + 7 * e,
                    top + 6.5 * e,
                    4 * e,
                    clear((skin.accent, skin.second)[index % 2], 0.8),
                )
                pane.bar(left + 13 * e, top + 4 * e, each * 0.3, colour=skin.ink)
                pane.bar(left + 13 * e, top + 7.6 * e, each * 0.18, high=1.6)
                _photo(pane, (left, top + 13 * e, each - 6 * e, tall), index)
                _heart(pane, left + 7 * e, top + 18.6 * e + tall, 2.7 * e, skin.accent)
                pane.bar(left + 13 * e, top + 17.4 * e + tall, each * 0.4)
                top, index = top + tall + 27 * e, index + 1


def _heart(pane: Pane, x: float, y: float, size: float, colour: str) -> None:
    points = [
        (x, y + size),
        (x - size, y - size * 0.1),
        (x - size * 0.6, y - size * 0.8),
        (x, y - size * 0.35),
        (x + size * 0.6, y - size * 0.8),
        (x + size, y - size * 0.1),
    ]
    pane.brush.shape(points, colour, corners=(0, 3))


def _photo(pane: Pane, box: Box, index: int) -> None:
    """A small landscape."""
    brush, skin = pane.brush, pane.skin
    x, y, wide, high = box
    warm, cold = mix(skin.accent, "#ffd9a0", 0.5), mix(skin.second, "#7fb4d8", 0.5)
    sky, hill = (
        (warm, cold) if index % 2 == 0 else (lighter(cold, 0.4), mix(skin.accent, skin.ink, 0.4))
    )
    with brush.inside(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))):
        brush.rect(
            x,
            y,
            wide,
            high,
            brush.linear((x, y), (x, y + high), [(0, sky), (1, lighter(sky, 0.55))]),
        )
        brush.circle(
            x + wide * (0.7 - 0.36 * (index % 2)),
            y + high * 0.36,
            min(wide, high) * 0.13,
            lighter(sky, 0.75),
        )
        for depth, (a, b, c) in enumerate(((0.62, 0.48, 0.66), (0.8, 0.7, 0.6))):
            ridge = [
                (x - 2, y + high * a),
                (x + wide * 0.35, y + high * b),
                (x + wide * 0.7, y + high * (b + 0.14)),
                (x + wide + 2, y + high * c),
            ]
            shade = mix(hill, skin.ink if not skin.is_dark else "#0a1018", 0.1 + 0.4 * depth)
            brush.shape(
                [*ridge, (x + wide + 2, y + high + 2), (x - 2, y + high + 2)],
                shade,
                corners=(0, 3, 4, 5),
            )


INTERFACES: dict[str, Callable[[Pane, Box], None]] = {
    "map": paint_map,
    "chat": paint_chat,
    "calendar": paint_calendar,
    "form": paint_form,
    "dashboard": paint_dashboard,
    "chart": paint_chart,
    "feed": paint_feed,
    "list": paint_list,
}
