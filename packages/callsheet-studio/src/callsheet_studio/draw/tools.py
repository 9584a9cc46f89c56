"""What hangs and lies in workshops: hand tools, wheels, violins, jars, shavings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.solid import Solid, Spot

_STEEL = "#9fabb0"
_BIG = 1.35
"""Tools are drawn a little larger than they are: they are read from across a room."""


def metals(room: Solid, z: float) -> tuple[str, str]:
    """Steel, and the wood of handles."""
    light = room.light
    return light.lit(room.tone(_STEEL, z), 0.15), light.shaded(room.tone("#b5703a", z), 0.1)


def paint_tool(room: Solid, top: Spot, kind: int) -> None:
    """A hammer, a chisel, a screwdriver, pliers or a mallet, hanging, with its shadow."""
    brush, ink = room.brush, clear(room.light.ink, 0.4)
    painter = _KINDS[kind % len(_KINDS)]
    with room.plane(top), brush.moved(scale=_BIG):
        with brush.moved(0.03, 0.025):
            painter(brush, ink, ink)
        painter(brush, *metals(room, top[2]))


def _hammer(brush: Brush, steel: str, wood: str) -> None:
    brush.rect(-0.017, 0.04, 0.034, 0.42, wood, radius=0.012)
    brush.poly(((-0.12, 0), (0.07, 0), (0.1, 0.045), (0.07, 0.1), (-0.12, 0.09)), steel)


def _chisel(brush: Brush, steel: str, wood: str) -> None:
    brush.rect(-0.026, 0, 0.052, 0.17, wood, radius=0.022)
    brush.poly(((-0.014, 0.17), (0.014, 0.17), (0.024, 0.38), (-0.024, 0.38)), steel)


def _driver(brush: Brush, steel: str, wood: str) -> None:
    brush.rect(-0.034, 0, 0.068, 0.17, wood, radius=0.03)
    brush.rect(-0.011, 0.17, 0.022, 0.26, steel)


def _pliers(brush: Brush, steel: str, wood: str) -> None:
    brush.curve(((-0.07, 0.42), (-0.05, 0.2), (0.0, 0.13), (0.04, 0.0)), wood, 0.04)
    brush.curve(((0.07, 0.42), (0.05, 0.2), (0.0, 0.13), (-0.04, 0.0)), steel, 0.04)


def _mallet(brush: Brush, steel: str, wood: str) -> None:
    brush.rect(-0.018, 0.12, 0.036, 0.36, wood, radius=0.012)
    brush.rect(-0.1, 0, 0.2, 0.14, wood, radius=0.022)
    brush.rect(-0.1, 0.03, 0.2, 0.02, steel)


_KINDS = (_hammer, _chisel, _driver, _pliers, _mallet)


def paint_saw(room: Solid, top: Spot) -> None:
    """A saw, its handle to the left."""
    steel, wood = metals(room, top[2])
    brush = room.brush
    with room.plane(top), brush.moved(scale=1.25):
        brush.poly(
            ((0.14, 0.03), (0.95, 0.13), (0.95, 0.2), (0.14, 0.24)), clear(room.light.ink, 0.3)
        )
        brush.poly(((0.14, 0), (0.95, 0.1), (0.95, 0.17), (0.14, 0.21)), steel)
        brush.shape(
            ((0, -0.02), (0.15, -0.04), (0.19, 0.1), (0.15, 0.24), (0.02, 0.22), (-0.03, 0.1)), wood
        )
        brush.ellipse(0.08, 0.1, 0.035, 0.06, room.tone("#6d5a47", top[2]))


def paint_square(room: Solid, top: Spot) -> None:
    """A try square."""
    steel, wood = metals(room, top[2])
    with room.plane(top), room.brush.moved(scale=1.2):
        room.brush.poly(
            ((0, 0), (0.05, 0), (0.05, 0.4), (0.34, 0.4), (0.34, 0.45), (0, 0.45)), steel
        )
        room.brush.rect(-0.01, 0.38, 0.36, 0.08, wood)


def paint_violin(room: Solid, top: Spot, varnish: str) -> None:
    """Hangs by its scroll."""
    light, brush = room.light, room.brush
    body = room.tone(varnish, top[2])
    dark = light.shaded(body, 0.75)
    half = (
        (0, 0.36),
        (0.1, 0.38),
        (0.125, 0.47),
        (0.085, 0.56),
        (0.1, 0.62),
        (0.15, 0.72),
        (0.13, 0.84),
        (0, 0.89),
    )
    outline = (*half, *((-x, y) for x, y in half[-2:0:-1]))
    stops = [(0.0, light.lit(body, 0.42)), (0.5, body), (1.0, light.shaded(body, 0.45))]
    ends = ((-0.15, 0.4), (0.15, 0.8)) if light.side < 0 else ((0.15, 0.4), (-0.15, 0.8))
    with room.plane(top):
        with brush.moved(0.04, 0.03):
            brush.shape(outline, clear(light.ink, 0.4))
        brush.shape(outline, brush.linear(*ends, stops))
        brush.rect(-0.018, 0.05, 0.036, 0.5, dark)
        brush.circle(0, 0.05, 0.035, light.lit(body, 0.1))
        brush.rect(-0.04, 0.07, 0.08, 0.012, dark)
        brush.poly(((-0.025, 0.7), (0.025, 0.7), (0.035, 0.84), (-0.035, 0.84)), dark)
        brush.rect(-0.045, 0.655, 0.09, 0.012, light.lit(body, 0.5))
        for sign in (-1, 1):
            brush.curve(((sign * 0.06, 0.6), (sign * 0.052, 0.65), (sign * 0.07, 0.7)), dark, 0.012)


def paint_wheel(room: Solid, hub: Spot, radius: float) -> None:
    """A wheel with its spokes."""
    light, brush = room.light, room.brush
    rubber, steel = light.shaded(room.tone("#2f3438", hub[2]), 0.3), metals(room, hub[2])[0]
    with room.plane(hub):
        for step in range(14):
            angle = step * math.pi / 14
            x, y = math.cos(angle) * radius, math.sin(angle) * radius
            brush.line(((-x, -y), (x, y)), clear(steel, 0.7), 0.008)
        for size, colour, wide in ((1.0, rubber, 0.045), (0.94, steel, 0.018)):
            ring = [
                (
                    math.cos(a / 8 * math.pi) * radius * size,
                    math.sin(a / 8 * math.pi) * radius * size,
                )
                for a in range(17)
            ]
            brush.curve(ring, colour, wide)
        brush.circle(0, 0, 0.04, steel)


def paint_jar(room: Solid, foot: Spot, colour: str, high: float) -> None:
    """A jar or a tin with a lid."""
    light, brush = room.light, room.brush
    body = room.tone(colour, foot[2])
    with room.plane(foot):
        stops = [(0.0, light.lit(body, 0.4)), (0.4, body), (1.0, light.shaded(body, 0.5))]
        ends = ((-0.08, 0), (0.08, 0)) if light.side < 0 else ((0.08, 0), (-0.08, 0))
        brush.rect(-0.08, -high, 0.16, high, brush.linear(*ends, stops), radius=0.03)
        brush.rect(-0.07, -high - 0.03, 0.14, 0.045, light.shaded(body, 0.55), radius=0.01)


def paint_shaving(room: Solid, at: Spot, colour: str, size: float) -> None:
    """A wood shaving: two turns of a ribbon."""
    with room.plane(at):
        ring = [
            (math.cos(a) * size * (1.2 - a / 12) + a * size * 0.3, -size + math.sin(a) * size * 0.8)
            for a in (0, 1.2, 2.4, 3.6, 4.8, 6.0, 7.2)
        ]
        room.brush.curve(ring, room.light.shaded(colour, 0.35), size * 0.62)
        room.brush.curve([(x, y - size * 0.16) for x, y in ring], colour, size * 0.4)


def paint_plane(room: Solid, foot: Spot) -> None:
    """A wooden hand plane, with the shaving that leaves it."""
    light, brush = room.light, room.brush
    wood = room.tone("#a3652f", foot[2])
    with room.plane(foot):
        stops = [(0.0, light.lit(wood, 0.3)), (1.0, light.shaded(wood, 0.4))]
        body = (
            (0, 0),
            (0.55, 0),
            (0.55, -0.11),
            (0.4, -0.12),
            (0.34, -0.1),
            (0.08, -0.12),
            (0, -0.1),
        )
        brush.poly(body, brush.linear((0, -0.12), (0, 0), stops))
        brush.shape(
            ((0.42, -0.11), (0.4, -0.2), (0.46, -0.24), (0.5, -0.2), (0.5, -0.11)),
            light.shaded(wood, 0.2),
            corners=(0, 4),
        )
        brush.circle(0.1, -0.15, 0.045, light.shaded(wood, 0.15))
        brush.poly(
            ((0.26, -0.1), (0.3, -0.26), (0.335, -0.26), (0.31, -0.1)), metals(room, foot[2])[0]
        )
    paint_shaving(
        room,
        (foot[0] + 0.16, foot[1] + 0.17, foot[2]),
        light.lit(room.tone("#e3c493", foot[2]), 0.3),
        0.06,
    )
