"""A row of houses from the front: the other side of a street or a quay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.nature import dabs, far_off, leaves, many
from callsheet_studio.draw.town import DUSK, WARM

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

_NEAR = 0.86
"""How near such a row is: 1 is at the camera."""
_FLOOR, _GROUND = 2.9, 3.3
"""Metres: an upper floor, and the one at the ground."""
_SHUTTERS, _BOXES = 0.45, 0.5
"""How many houses have shutters, or flowers before their windows."""
_BLOOMS = ("#d8452f", "#e9a13c", "#c94f86", "#f0e2c8")


class Row(msgspec.Struct, frozen=True):
    """Where a row of houses stands, and what it is like."""

    foot: float
    """Pixels from the top."""
    metre: float
    """Pixels."""
    tones: Sequence[str]
    awnings: Sequence[str]
    """Of the shops; none: nobody sells anything here."""
    floors: tuple[int, int]
    """Above the ground: the fewest and the most."""
    gabled: bool = False


def paint_row(stage: Stage, row: Row) -> None:
    """Houses shoulder to shoulder, from one end of the layer to the other."""
    chance = stage.chance("fronts")
    x, number = stage.left - chance.uniform(0, 3) * row.metre, 0
    while x < stage.right:
        wide = chance.uniform(4.4, 6.4) * row.metre * (0.8 if row.gabled else 1.0)
        _front(stage, row, chance, (x, wide), number)
        x += wide
        number += 1


def _front(
    stage: Stage, row: Row, chance: random.Random, span: tuple[float, float], number: int
) -> None:
    light, brush, m = stage.light, stage.back, row.metre
    x, wide = span
    tone = row.tones[(number * 2 + chance.randrange(2)) % len(row.tones)]
    wall = far_off(light, tone, _NEAR)
    floors = chance.randint(*row.floors)
    top = row.foot - (_GROUND + floors * _FLOOR + 0.4) * m
    lit, dim = light.lit(wall, 0.12), light.shaded(wall, 0.16 + 0.2 * light.dark)
    ends = (lit, dim) if light.side < 0 else (dim, lit)
    fill = brush.linear((x, 0), (x + wide, 0), [(0.0, ends[0]), (1.0, ends[1])])
    brush.rect(x, top, wide, row.foot - top, fill)
    if row.gabled:
        _gable(brush, light, (x, top, wide), m, wall)
    else:
        brush.rect(x - 0.1 * m, top, wide + 0.2 * m, 0.3 * m, light.lit(wall, 0.3))
        brush.rect(x, top + 0.3 * m, wide, 0.22 * m, clear(light.ink, 0.2))
    _windows(stage, row, chance, (x, wide), (wall, floors))
    if row.awnings:
        _shop(stage, row, chance, (x, wide), wall)
    else:
        _entrance(stage, row, chance, (x, wide), wall)
    seam = light.shaded(wall, 0.45)
    brush.rect(x - 0.05 * m, top + 0.3 * m, 0.1 * m, row.foot - top - 0.3 * m, seam)


def _gable(
    brush: Brush, light: Light, box: tuple[float, float, float], m: float, wall: str
) -> None:
    """A steep roof that looks at the camera, with a hatch under its point."""
    x, top, wide = box
    roof = light.shaded(mix(wall, "#5a4038", 0.7), 0.2)
    brush.poly(
        [(x - 0.25 * m, top + 0.1 * m), (x + wide / 2, top - 2.3 * m), (x + wide + 0.25 * m, top)],
        roof,
    )
    brush.poly(
        [(x + 0.2 * m, top + 0.1 * m), (x + wide / 2, top - 1.8 * m), (x + wide - 0.2 * m, top)],
        wall,
    )
    brush.rect(
        x + wide / 2 - 0.3 * m, top - 0.9 * m, 0.6 * m, 0.7 * m, light.shaded(wall, 0.5), radius=2
    )


def _windows(
    stage: Stage,
    row: Row,
    chance: random.Random,
    span: tuple[float, float],
    built: tuple[str, int],
) -> None:
    light, brush, m = stage.light, stage.back, row.metre
    (x, wide), (wall, floors) = span, built
    columns = max(2, round(wide / m / 1.9))
    shutters, boxed = chance.random() < _SHUTTERS, chance.random() < _BOXES
    glass = mix(light.shaded(wall, 0.6), light.top, 0.34)
    frame, sill = light.lit(mix(wall, "#f4efe2", 0.7), 0.1), light.lit(wall, 0.4)
    blind = light.shaded(mix(wall, chance.choice(("#3f6a62", "#5a4a6a", "#7a3f34")), 0.75), 0.1)
    for floor in range(floors):
        y = row.foot - (_GROUND + floor * _FLOOR + 2.2) * m
        if y > stage.bottom or y + 1.6 * m < stage.upper:
            continue
        for column in range(columns):
            left = x + wide * (column + 0.5) / columns - 0.42 * m
            is_lit = chance.random() < 0.7 * light.lamps
            pane = mix(chance.choice(WARM), wall, 0.12) if is_lit else glass
            _window(brush, light, (left, y, m), (frame, pane, sill))
            if shutters:
                for at in (left - 0.46 * m, left + 0.88 * m):
                    brush.rect(at, y, 0.42 * m, 1.5 * m, blind)
                    many(brush, _slats(at, y, m), clear(light.ink, 0.2))
            if boxed and (column + floor) % 2 == 0:
                _flowers(stage, chance, (left, y + 1.55 * m, m))


def _window(
    brush: Brush, light: Light, at: tuple[float, float, float], tones: tuple[str, str, str]
) -> None:
    x, y, m = at
    frame, pane, sill = tones
    brush.rect(x - 0.08 * m, y - 0.08 * m, 1.0 * m, 1.66 * m, frame)
    shine = brush.linear(
        (x, y),
        (x + 0.84 * m, y + 1.5 * m),
        [(0.0, light.lit(pane, 0.22)), (0.5, pane), (1.0, pane)],
    )
    brush.rect(x, y, 0.84 * m, 1.5 * m, shine)
    brush.rect(x + 0.39 * m, y, 0.06 * m, 1.5 * m, frame)
    brush.rect(x, y + 0.5 * m, 0.84 * m, 0.05 * m, frame)
    brush.rect(x - 0.16 * m, y + 1.56 * m, 1.16 * m, 0.1 * m, sill)


def _slats(x: float, y: float, m: float) -> list[list[Point]]:
    right = x + 0.36 * m
    return [
        [(x + 0.06 * m, at), (right, at), (right, at + 0.05 * m), (x + 0.06 * m, at + 0.05 * m)]
        for at in (y + (0.15 + 0.17 * step) * m for step in range(8))
    ]


def _flowers(stage: Stage, chance: random.Random, at: tuple[float, float, float]) -> None:
    light, brush, (x, y, m) = stage.light, stage.back, at
    brush.rect(x - 0.1 * m, y, 1.04 * m, 0.24 * m, far_off(light, "#6e5446", _NEAR))
    spots = []
    for step in range(4):
        spots += leaves(chance, x + (0.05 + step * 0.25) * m, y - 0.06 * m, 0.2 * m, 4)
    dabs(brush, spots, far_off(light, "#557a44", _NEAR))
    bloom = far_off(light, chance.choice(_BLOOMS), 0.95)
    dabs(brush, [(sx, sy - 0.05 * m, 0.06 * m, 0.06 * m) for sx, sy, _, _ in spots[::3]], bloom)


def _shop(
    stage: Stage, row: Row, chance: random.Random, span: tuple[float, float], wall: str
) -> None:
    """A shop window, its door, an awning over both."""
    light, brush, m = stage.light, stage.back, row.metre
    (x, wide), foot = span, row.foot
    colour = far_off(light, chance.choice(row.awnings), _NEAR)
    wood = light.shaded(mix(colour, wall, 0.25), 0.35)
    brush.rect(x + 0.2 * m, foot - 3.0 * m, wide - 0.4 * m, 3.0 * m, wood)
    inner = mix(light.shaded(mix(wall, light.mid, 0.3), 0.42), WARM[1], 0.75 * light.lamps)
    door = 1.15 * m
    glass = wide - 0.4 * m - door - 0.45 * m
    left = x + 0.35 * m
    stops = [(0.0, light.lit(inner, 0.3)), (0.55, inner), (1.0, light.shaded(inner, 0.2))]
    fill = brush.linear((left, foot - 2.4 * m), (left + glass, foot), stops)
    brush.rect(left, foot - 2.35 * m, glass, 1.75 * m, fill)
    _goods(brush, light, chance, (left, foot - 0.62 * m, glass, m))
    brush.rect(left + glass / 2 - 0.03 * m, foot - 2.35 * m, 0.06 * m, 1.75 * m, wood)
    at = left + glass + 0.15 * m
    brush.rect(at, foot - 2.35 * m, door, 2.35 * m, light.shaded(wood, 0.3))
    brush.rect(at + 0.16 * m, foot - 2.2 * m, door - 0.32 * m, 1.5 * m, inner)
    brush.circle(at + door - 0.1 * m, foot - 1.0 * m, 0.05 * m, light.lit(wood, 0.7))
    board = light.lit(colour, 0.1)
    brush.rect(x + 0.2 * m, foot - 3.3 * m, wide - 0.4 * m, 0.5 * m, board)
    name = x + wide * chance.uniform(0.3, 0.4)
    brush.rect(name, foot - 3.12 * m, wide * 0.3, 0.14 * m, light.lit(board, 0.6), radius=0.07 * m)
    _awning(brush, light, (x + 0.1 * m, foot - 2.86 * m, wide - 0.2 * m, m), colour)
    if light.lamps > DUSK:
        brush.glow(x + wide / 2, foot - 1.4 * m, 2.6 * m, WARM[1], 0.4 * light.lamps)


def _goods(
    brush: Brush,
    light: Light,
    chance: random.Random,
    box: tuple[float, float, float, float],
) -> None:
    """What is shown behind the glass: shapes of goods on two boards."""
    x, foot, wide, m = box
    for level in (0.0, 0.85):
        at = x + 0.15 * m
        while at < x + wide - 0.4 * m:
            size, high = chance.uniform(0.18, 0.34) * m, chance.uniform(0.2, 0.55) * m
            tone = light.shaded(chance.choice(("#d9a45c", "#c96a4f", "#6f9a92", "#e3d6bb")), 0.25)
            brush.rect(at, foot - level * m - high, size, high, clear(tone, 0.75), radius=0.05 * m)
            at += size + chance.uniform(0.08, 0.3) * m
        if level:
            brush.rect(x, foot - level * m, wide, 0.05 * m, clear(light.ink, 0.3))


def _awning(
    brush: Brush, light: Light, box: tuple[float, float, float, float], colour: str
) -> None:
    """Cloth in stripes that leans towards us, and its shadow."""
    x, y, wide, m = box
    count = max(round(wide / m / 0.5), 4)
    pale = mix(colour, light.key, 0.55)
    for index in range(count):
        one, two = x + wide * index / count, x + wide * (index + 1) / count
        fill = colour if index % 2 else pale
        low = y + 0.75 * m
        brush.poly(
            [(one, y), (two, y), (two + 0.02 * m, low), (one - 0.02 * m, low)],
            brush.linear((0, y), (0, low), [(0.0, light.lit(fill, 0.1)), (1.0, fill)]),
        )
        brush.ellipse((one + two) / 2, low, (two - one) / 2, 0.13 * m, light.shaded(fill, 0.14))
    brush.rect(x, y + 0.88 * m, wide, 0.35 * m, clear(light.ink, 0.2))


def _entrance(
    stage: Stage, row: Row, chance: random.Random, span: tuple[float, float], wall: str
) -> None:
    """A door with steps, a window beside it, a lamp over it."""
    light, brush, m = stage.light, stage.back, row.metre
    (x, wide), foot = span, row.foot
    way = chance.choice((0.24, 0.62))
    at = x + wide * way
    wood = far_off(light, chance.choice(("#3f6a62", "#8a3f34", "#35506e", "#7a5a36")), _NEAR)
    stone = light.lit(mix(wall, "#cfc8ba", 0.7), 0.1)
    brush.rect(at - 0.16 * m, foot - 2.5 * m, 1.32 * m, 2.5 * m, stone)
    brush.rect(at, foot - 2.34 * m, 1.0 * m, 2.34 * m, wood)
    for dx, dy in ((0.12, 2.1), (0.56, 2.1), (0.12, 1.1), (0.56, 1.1)):
        brush.rect(at + dx * m, foot - dy * m, 0.32 * m, 0.8 * m, light.shaded(wood, 0.3))
    brush.rect(at - 0.3 * m, foot - 0.16 * m, 1.6 * m, 0.16 * m, light.shaded(stone, 0.1))
    other = x + wide * (0.62 if way < 0.5 else 0.14)  # noqa: PLR2004 -- the other half
    is_lit = chance.random() < light.lamps
    pane = mix(WARM[0], wall, 0.1) if is_lit else mix(light.shaded(wall, 0.6), light.top, 0.34)
    _window(brush, light, (other, foot - 2.25 * m, m), (stone, pane, light.lit(wall, 0.4)))
    if light.lamps > 0:
        brush.glow(at + 0.5 * m, foot - 2.7 * m, 2.2 * m, WARM[1], 0.6 * light.lamps)
