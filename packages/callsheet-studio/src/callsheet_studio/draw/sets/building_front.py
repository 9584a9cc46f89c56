"""A building from outside: its front, its door, and over the door what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.nature import far_off, flood, near_by
from callsheet_studio.draw.sky import paint_sky
from callsheet_studio.draw.text import fitted, write
from callsheet_studio.draw.town import WARM, paint_lamp

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
SPOTS = ((0.36, 0.9, 1.0), (0.64, 0.9, 1.0), (0.5, 0.88, 0.95))
LOOK = (0.5, 0.56)

_WALLS = ("#a89a86", "#8f9aa3", "#b08a72", "#9aa08c")
_NEAR = 0.9
_FOOT = 0.8
"""Where the front stands, as a part of the height."""
_FLOOR, _HALL = 3.0, 4.4
"""Metres: a floor with windows, and the one with the door."""
_DOOR = 1.3
"""Metres: half of the door with its two wings."""
_LIT = 0.55
"""How many windows have light at night."""


def paint(stage: Stage) -> None:
    """The sky over it, the front across the picture, the pavement before it."""
    light, brush = stage.light, stage.back
    flood(stage, light.near)
    paint_sky(stage, down_to=stage.y(_FOOT))
    wall = far_off(light, stage.chance("front").choice(_WALLS), _NEAR)
    _wall(stage, wall)
    _windows(stage, wall)
    _door(stage, wall)
    pavement = mix(near_by(light, "#77746f"), light.ink, 0.1 + 0.35 * light.dark)
    stops = [(0.0, light.lit(pavement, 0.12)), (0.2, pavement), (1.0, light.shaded(pavement, 0.4))]
    fill = brush.linear((0, stage.y(_FOOT)), (0, stage.bottom), stops)
    brush.rect(stage.left, stage.y(_FOOT), stage.right - stage.left, 4 * stage.height, fill)
    if light.lamps > 0:
        reach = 7 * _metre(stage)
        brush.glow(stage.x(0.5), stage.y(_FOOT), reach, WARM[1], 0.35 * light.lamps)
    high = 5.0 * _metre(stage)
    paint_lamp(stage.middle, light, x=stage.x(0.1), foot=stage.y(0.86), high=high, arm=1)


def _metre(stage: Stage) -> float:
    """Pixels."""
    return 12.5 * stage.unit


def _wall(stage: Stage, wall: str) -> None:
    light, brush, m = stage.light, stage.back, _metre(stage)
    top = stage.y(_FOOT) - (_HALL + 2 * _FLOOR + 0.6) * m
    lit, dim = light.lit(wall, 0.12), light.shaded(wall, 0.14 + 0.2 * light.dark)
    ends = (lit, dim) if light.side < 0 else (dim, lit)
    fill = brush.linear((stage.left, 0), (stage.right, 0), [(0.0, ends[0]), (1.0, ends[1])])
    wide = stage.right - stage.left
    brush.rect(stage.left, top, wide, stage.y(_FOOT) - top, fill)
    brush.rect(stage.left, top, wide, 0.35 * m, light.lit(wall, 0.3))
    band = stage.y(_FOOT) - _HALL * m
    brush.rect(stage.left, band, wide, 0.22 * m, light.lit(wall, 0.22))


def _windows(stage: Stage, wall: str) -> None:
    light, brush, m = stage.light, stage.back, _metre(stage)
    chance = stage.chance("panes")
    frame = light.lit(mix(wall, "#f4efe2", 0.7), 0.1)
    glass = mix(light.shaded(wall, 0.6), light.top, 0.34)
    count = int((stage.right - stage.left) / (2.6 * m)) // 2 + 1
    for floor in range(3):
        foot = stage.y(_FOOT) - (_HALL * bool(floor) + _FLOOR * max(floor - 1, 0) + 0.9) * m
        for number in range(-count, count + 1):
            x = stage.x(0.5) + number * 2.6 * m
            if not floor and abs(number) <= 1:
                continue
            is_lit = chance.random() < _LIT * light.lamps
            pane = mix(WARM[0], wall, 0.12) if is_lit else glass
            brush.rect(x - 0.62 * m, foot - 1.7 * m, 1.24 * m, 1.7 * m, frame)
            brush.rect(x - 0.52 * m, foot - 1.6 * m, 1.04 * m, 1.5 * m, pane)
            brush.rect(x - 0.04 * m, foot - 1.6 * m, 0.08 * m, 1.5 * m, frame)


def _door(stage: Stage, wall: str) -> None:
    """Two wings of glass under a canopy; on the board above it stands what is inside."""
    light, brush, m = stage.light, stage.back, _metre(stage)
    x, foot = stage.x(0.5), stage.y(_FOOT)
    metal = light.shaded(mix(wall, "#3b434d", 0.75), 0.2)
    inside = mix(light.shaded(mix(wall, light.mid, 0.3), 0.4), WARM[1], 0.8 * light.lamps)
    brush.rect(x - (_DOOR + 0.25) * m, foot - 2.75 * m, (2 * _DOOR + 0.5) * m, 2.75 * m, metal)
    brush.rect(x - _DOOR * m, foot - 2.5 * m, 2 * _DOOR * m, 2.5 * m, inside)
    brush.rect(x - 0.06 * m, foot - 2.5 * m, 0.12 * m, 2.5 * m, metal)
    brush.rect(x - 2.4 * m, foot - 2.95 * m, 4.8 * m, 0.24 * m, light.lit(metal, 0.25))
    brush.rect(x - 2.4 * m, foot - 2.71 * m, 4.8 * m, 0.12 * m, clear(light.ink, 0.25))
    if not stage.kind:
        return
    board = mix(light.shaded(wall, 0.55), stage.accent, 0.25)
    high, wide = 0.86 * m, 4.6 * m
    brush.rect(x - wide / 2, foot - 3.95 * m, wide, high, board, radius=0.1 * m)
    with stage.readable(brush, x):
        block = fitted(
            stage.kind.upper(), (wide * 0.9, high * 0.7), largest=high * 0.62, smallest=high * 0.2
        )
        y = foot - 3.95 * m + (high - block.height) / 2
        ink = mix(light.lit(board, 0.8), "#fff6e0", 0.5 + 0.5 * light.lamps)
        write(brush, block, x=x, y=y, colour=ink, align="center")
