"""What makes a room lived in: lamps, plants, books, crockery, a clock. Small, few lines each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import many

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.rooms import Opening, Room

Spot = tuple[float, float, float]
"""x, y of the foot and z, in metres."""
Shelf = tuple[float, float, float, float]
"""x of its left end, y, z and how wide it is, in metres."""

_BRIGHT = 0.1
"""Presets that are less dark than this have panels of light on by day, too."""
_LIT = 0.7
"""Panels that give more than this are seen to shine."""

_BOOKS = ("#b5523b", "#2f5d6b", "#d9a441", "#6b7f5a", "#e3d5bd", "#7a3f4c", "#3d4a66")


# Lamps: they shine by `light.lamps`, and are nice shapes when they are off


def bulb_colour(room: Room) -> str:
    """What lamps shine with: warm, unless the preset says otherwise."""
    return mix("#ffd9a0", room.light.glow, 0.55)


def floor_lamp(
    room: Room, brush: Brush, at: tuple[float, float], colour: str, *, high: float = 1.65
) -> None:
    """A shade on a thin foot; a large pool of light around it."""
    x, z = at
    light, scale, on = room.light, room.scale(z), room.lamps
    metal = light.shaded(room.tone("#3a3430", z), 0.45)
    px, foot = room(x, 0, z)
    top = room(x, high, z)[1]
    brush.ellipse(px, foot, 0.15 * scale, 0.04 * scale, metal)
    brush.rect(px - 0.014 * scale, top, 0.028 * scale, foot - top, metal)
    _shade(room, brush, (px, top), scale, colour)
    if on:
        glow = bulb_colour(room)
        brush.glow(px, top - 0.05 * scale, 2.3 * scale, glow, 0.5 * on)
        brush.glow(px, top, 0.7 * scale, lighter(glow, 0.3), 0.55 * on)


def _shade(room: Room, brush: Brush, at: Point, scale: float, colour: str) -> None:
    (x, y), light, on = at, room.light, room.lamps
    tone = mix(room.tone(colour, 3.0), mix(colour, bulb_colour(room), 0.8), 0.9 * on)
    dim = mix(light.shaded(tone, 0.3), tone, on)
    points = [
        (x - 0.13 * scale, y - 0.3 * scale),
        (x + 0.13 * scale, y - 0.3 * scale),
        (x + 0.24 * scale, y),
        (x - 0.24 * scale, y),
    ]
    stops = [(0.0, dim), (0.5, lighter(tone, 0.3 * on)), (1.0, light.shaded(dim, 0.12))]
    brush.poly(points, brush.linear((x - 0.24 * scale, y), (x + 0.24 * scale, y), stops))


def pendant(
    room: Room, brush: Brush, at: Spot, colour: str, *, wide: float = 0.46, kind: str = "dome"
) -> None:
    """A lamp that hangs from the ceiling: "dome", "globe" or "bulb"; `at` is its lower edge."""
    x, y, z = at
    light, scale, on = room.light, room.scale(z), room.lamps
    px, py = room(x, y, z)
    top = room(x, room.tall, z)[1]
    w = wide * scale
    brush.line(
        [(px, min(top, py)), (px, py)],
        light.shaded(room.tone("#2b2724", z), 0.4),
        max(0.012 * scale, 0.8),
    )
    tone, glow = room.tone(colour, z), bulb_colour(room)
    glass = mix(mix(tone, light.key, 0.4), lighter(glow, 0.35), 0.25 + 0.75 * on)
    if on and kind == "dome":
        cone = [
            (px - w * 0.4, py),
            (px + w * 0.4, py),
            (px + w * 1.7, py + 1.5 * scale),
            (px - w * 1.7, py + 1.5 * scale),
        ]
        stops = [(0.0, clear(glow, 0.34 * on)), (1.0, clear(glow, 0))]
        with brush.blended("screen"), brush.soft(0.09 * scale):
            brush.poly(cone, brush.linear((px, py), (px, py + 1.5 * scale), stops))
    if kind == "globe":
        stops = [(0.0, lighter(glass, 0.4)), (1.0, light.shaded(glass, 0.22 * (1 - on)))]
        brush.circle(
            px, py, w / 2, brush.radial((px + light.side * w * 0.15, py - w * 0.1), w * 0.6, stops)
        )
    elif kind == "bulb":
        brush.rect(
            px - w * 0.16,
            py - w * 0.62,
            w * 0.32,
            w * 0.36,
            light.shaded(room.tone("#7a5c34", z), 0.3),
        )
        brush.ellipse(px, py, w * 0.3, w * 0.4, clear(glass, 0.55 + 0.4 * on))
        brush.line(
            [(px - w * 0.09, py + w * 0.1), (px, py - w * 0.16), (px + w * 0.09, py + w * 0.1)],
            lighter(glow, 0.6 * on),
            w * 0.05,
        )
    else:
        brush.ellipse(px, py, w / 2, w * 0.07, mix(light.shaded(tone, 0.6), lighter(glow, 0.5), on))
        dome = [
            (px - w / 2, py),
            (px - w * 0.36, py - w * 0.34),
            (px - w * 0.08, py - w * 0.5),
            (px + w * 0.08, py - w * 0.5),
            (px + w * 0.36, py - w * 0.34),
            (px + w / 2, py),
        ]
        stops = [(0.0, light.lit(tone, 0.35)), (1.0, light.shaded(tone, 0.4))]
        ends = ((px - w / 2, py), (px + w / 2, py))
        brush.shape(
            dome, brush.linear(*(ends if light.side < 0 else ends[::-1]), stops), corners=(0, 5)
        )
    if on:
        brush.glow(px, py, w * 2.6, glow, 0.6 * on)


def ceiling_panel(room: Room, at: tuple[float, float], base: tuple[float, float]) -> None:
    """A panel of light in the ceiling; even by day it is the brightest thing up there."""
    if room.camera.eye >= room.tall:
        return
    light, brush = room.light, room.stage.back
    on = max(room.lamps, 0.35 if light.dark < _BRIGHT else 0.0)
    off = light.lit(room.tone("#e8ecea", room.depth), 0.3 * (1 - light.dark))
    panel = room.flat(at[0] - base[0] / 2, at[1], base[0], base[1], room.tall - 0.01)
    brush.poly(panel, mix(off, lighter(light.glow, 0.3), on))
    if on > _LIT and at[1] < room.depth * 0.75:
        x, y = room(at[0], room.tall, at[1] + base[1] / 2)
        brush.glow(x, y, room.scale(at[1]) * 0.9, light.glow, 0.22 * on)


# Plants


def plant(
    room: Room,
    brush: Brush,
    at: Spot,
    high: float,
    *,
    pot: str = "#c26b4a",
    kind: str = "leafy",
) -> None:
    """A plant in a pot, `high` with its leaves: "leafy", "tall" (sword leaves) or "hanging"."""
    light, scale = room.light, room.scale(at[2])
    tone, green = room.tone(pot, at[2]), room.tone("#4f8a5b", at[2])
    chance = room.stage.chance(f"plant {kind} {high}")
    wide = high * 0.19
    with brush.moved(*room(*at), scale=scale):
        rim = -high * 0.3
        _leaves(room, brush, (high, rim, wide), kind, green, chance)
        body = [(-wide, rim), (wide, rim), (wide * 0.72, 0), (-wide * 0.72, 0)]
        ends = ((-wide, 0), (wide, 0)) if light.side < 0 else ((wide, 0), (-wide, 0))
        stops = [(0.0, light.lit(tone, 0.35)), (1.0, light.shaded(tone, 0.45))]
        brush.poly(body, brush.linear(*ends, stops))
        brush.rect(-wide * 1.08, rim - high * 0.02, wide * 2.16, high * 0.05, light.lit(tone, 0.2))


def _leaves(
    room: Room,
    brush: Brush,
    size: tuple[float, float, float],
    kind: str,
    green: str,
    chance: Random,
) -> None:
    light = room.light
    high, rim, wide = size
    count = 9 if kind == "tall" else 13
    for index in range(count):
        side = -1 + 2 * index / (count - 1)
        lean = side * (0.5 if kind == "tall" else 1.0) + chance.uniform(-0.12, 0.12)
        reach = (high + rim) * chance.uniform(0.62, 1.0) * (1 - 0.3 * abs(side))
        if kind == "hanging":
            lean, reach = lean * 1.3, -high * chance.uniform(0.0, 0.5)
        tip = (lean * high * 0.46, rim - reach)
        is_lit = (lean < 0) == (light.side < 0)
        tone = light.lit(green, 0.26) if is_lit else light.shaded(green, 0.3)
        tone = mix(tone, light.ink, 0.25) if index % 3 == 1 else tone
        leaf(
            brush, (side * wide * 0.5, rim), tip, high * (0.035 if kind == "tall" else 0.075), tone
        )


def leaf(brush: Brush, foot: Point, tip: Point, broad: float, fill: str) -> None:
    """One leaf from its foot to its tip, that bends a little under its weight."""
    dx, dy = tip[0] - foot[0], tip[1] - foot[1]
    length = max(math.hypot(dx, dy), 1e-6)
    nx, ny = -dy / length * broad, dx / length * broad
    bend = length * 0.12 * (1 if dx >= 0 else -1)
    middle = (foot[0] + dx * 0.55 - bend * 0.4, foot[1] + dy * 0.62 - abs(bend) * 0.5)
    points = [foot, (middle[0] + nx, middle[1] + ny), tip, (middle[0] - nx, middle[1] - ny)]
    brush.shape(points, fill, corners=(0, 2))


def front_leaves(
    room: Room, at: Point, reach: float, *, seed: str = "front", towards: float = 1.0
) -> None:
    """Leaves at an edge of the frame, right before the camera, out of focus."""
    stage, light, chance = room.stage, room.light, room.stage.chance(seed)
    green = mix(light.air("#24503c", 1.0), light.ink, 0.62 + 0.2 * light.dark)
    tones = [mix(green, light.rim, share) for share in (0.0, 0.015, 0.04)]
    with stage.front.soft(0.5 * stage.unit):
        for index in range(9):
            angle = math.radians(-112 + 13 * index + chance.uniform(-5, 5))
            length = reach * room.spread**0.6 * chance.uniform(0.7, 1.0) * (1.2 - 0.06 * index)
            tip = (at[0] + math.cos(angle) * length * towards, at[1] + math.sin(angle) * length)
            leaf(stage.front, at, tip, length * 0.11, tones[index % 3])


# Cloth


def paint_curtains(room: Room, opening: Opening, colour: str, *, open_by: float = 0.62) -> None:
    """Two curtains on a rod before a window of the back wall, drawn aside."""
    brush, light = room.stage.back, room.light
    z, scale = room.depth - 0.1, room.scale(room.depth - 0.1)
    middle = (opening.start[0] + opening.end[0]) / 2
    reach = (opening.end[0] - opening.start[0]) / 2 + 0.34
    top, foot = opening.high + 0.16, opening.low - 0.32
    tone = room.tone(colour, room.depth)
    rod = [room(middle - reach - 0.1, top + 0.02, z), room(middle + reach + 0.1, top + 0.02, z)]
    wide = reach * (1 - open_by)
    for way in (-1, 1):
        outer, inner = middle + way * reach, middle + way * (reach - wide)
        cloth = [
            room(outer, top, z),
            room(inner, top, z),
            room(inner + way * wide * 0.12, (top + foot) / 2, z),
            room(inner - way * wide * 0.1, foot, z),
            room(outer + way * wide * 0.06, foot - 0.03, z),
            room(outer - way * wide * 0.08, (top + foot) / 2, z),
        ]
        ends = (cloth[1], cloth[0])
        stops = [(0.0, light.lit(tone, 0.62)), (0.4, tone), (1.0, light.shaded(tone, 0.3))]
        brush.shape(cloth, brush.linear(*ends, stops), corners=(0, 1, 3, 4))
        for fold in (0.22, 0.45, 0.7):
            x = outer + (inner - outer) * fold
            line = [room(x, top, z), room(x - way * 0.03, (top + foot) / 2, z), room(x, foot, z)]
            brush.curve(line, clear(light.ink, 0.16), 0.022 * scale)
    brush.line(rod, light.shaded(room.tone("#4a4038", z), 0.4), 0.035 * scale)


# Small things on shelves and tables


def books(room: Room, brush: Brush, shelf: Shelf, *, seed: str = "books") -> None:
    """A row of books, from left as far as they reach."""
    chance, light = room.stage.chance(seed), room.light
    x, y, z, wide = shelf
    end = x + wide - 0.05
    backs: dict[str, list[list[Point]]] = {}
    bands = []
    while x < end:
        thick, high = chance.uniform(0.03, 0.065), chance.uniform(0.17, 0.27)
        back = room.face(x, y, thick * 0.94, high, z)
        backs.setdefault(chance.choice(_BOOKS), []).append(back)
        bands.append(room.face(x + thick * 0.15, y + high * 0.72, thick * 0.6, 0.02, z))
        x += thick * chance.choice((1, 1, 1, 1, 1, 1, 2.6))
    # Those of one colour at once: there are many.
    for colour, shapes in backs.items():
        many(brush, shapes, light.shaded(room.tone(colour, z), 0.2))
    many(brush, bands, clear(light.key, 0.5))


def mug(
    room: Room, brush: Brush, at: Spot, colour: str, *, high: float = 0.1, steam: bool = False
) -> None:
    """A mug, lit from its side."""
    light, tone = room.light, room.tone(colour, at[2])
    with brush.moved(*room(*at), scale=room.scale(at[2])):
        w = high * 0.42
        brush.ctx.beginPath()
        brush.ctx.ellipse(w, -high * 0.5, high * 0.26, high * 0.28, 0, 0, math.tau)
        brush.ctx.strokeStyle, brush.ctx.lineWidth = light.shaded(tone, 0.3), high * 0.12
        brush.ctx.stroke()
        brush.rect(-w, -high, 2 * w, high, _round(room, brush, tone, w), radius=high * 0.14)
        brush.ellipse(0, -high * 0.97, w, high * 0.1, light.shaded(tone, 0.55))
    if steam:
        steam_over(room, brush, (at[0], at[1] + high, at[2]), high * 3)


def _round(room: Room, brush: Brush, tone: str, half: float) -> object:
    """The fill of something round."""
    light = room.light
    stops = [(0.0, light.lit(tone, 0.5)), (0.45, tone), (1.0, light.shaded(tone, 0.5))]
    ends = ((-half, 0.0), (half, 0.0))
    return brush.linear(*(ends if light.side < 0 else ends[::-1]), stops)


def steam_over(room: Room, brush: Brush, at: Spot, high: float) -> None:
    """Steam that rises from something."""
    x, y = room(*at)
    scale = room.scale(at[2]) * high
    with brush.soft(0.05 * scale):
        for offset, size in ((0.0, 1.0), (0.12, 0.8)):
            line = [
                (x + (offset + dx) * scale, y - rise * scale * size)
                for dx, rise in ((0, 0), (0.1, 0.3), (-0.04, 0.6), (0.08, 1.0))
            ]
            brush.curve(line, clear(room.light.rim, 0.34), 0.055 * scale)


def vessel(
    room: Room, brush: Brush, at: Spot, colour: str, *, high: float = 0.22, kind: str = "jar"
) -> None:
    """Something on a shelf: "jar", "bottle", "bowl", "vase", "pot", "box", "glass", "loaf"."""
    light, tone = room.light, room.tone(colour, at[2])
    with brush.moved(*room(*at), scale=room.scale(at[2])):
        half = high * _HALVES.get(kind, 0.34)
        fill = _round(room, brush, tone, half)
        outline = _OUTLINES.get(kind)
        if outline is None:
            brush.rect(
                -half, -high, 2 * half, high, fill, radius=high * (0.02 if kind == "box" else 0.1)
            )
            lid = light.shaded(tone, 0.45) if kind == "pot" else room.tone("#8a6a48", at[2])
            if kind == "glass":
                return
            if kind != "box":
                brush.rect(
                    -half * 1.06, -high * 1.06, half * 2.12, high * 0.16, lid, radius=high * 0.04
                )
            else:
                brush.rect(-half, -high * 0.66, 2 * half, high * 0.26, clear(light.key, 0.5))
            return
        points = [(x * half, -y * high) for x, y in outline]
        points += [(-x, y) for x, y in reversed(points)]
        brush.shape(points, fill, corners=(0, len(points) - 1, len(outline) - 1, len(outline)))


_HALVES = {
    "loaf": 0.9,
    "bottle": 0.17,
    "bowl": 0.85,
    "vase": 0.3,
    "pot": 0.62,
    "box": 0.38,
    "jar": 0.34,
}
_OUTLINES: dict[str, Sequence[Point]] = {
    "bottle": ((1, 0), (1, 0.55), (0.4, 0.72), (0.38, 1)),
    "loaf": ((0.9, 0), (1, 0.45), (0.5, 0.95)),
    "bowl": ((0.4, 0), (0.8, 0.35), (1, 1)),
    "vase": ((0.6, 0), (1, 0.35), (0.7, 0.75), (0.5, 0.86), (0.75, 1)),
}


def things(
    room: Room,
    brush: Brush,
    shelf: Shelf,
    names: Sequence[tuple[str, str, float]],
    *,
    seed: str = "things",
) -> None:
    """A row of vessels (kind, colour, height) on a shelf, spread with a little chance."""
    chance = room.stage.chance(seed)
    left, y, z, wide = shelf
    step = wide / max(len(names), 1)
    for index, (kind, colour, high) in enumerate(names):
        x = left + step * (index + 0.5 + chance.uniform(-0.14, 0.14))
        if kind == "mug":
            mug(room, brush, (x, y, z), colour, high=high)
        else:
            vessel(room, brush, (x, y, z), colour, high=high, kind=kind)


def laptop(room: Room, brush: Brush, at: Spot, *, wide: float = 0.36) -> None:
    """An open laptop that shines at what is before it, for rooms whose one light is a screen."""
    light, scale = room.light, room.scale(at[2]) * wide
    body = light.shaded(room.tone("#9aa3a8", at[2]), 0.35)
    glow = lighter(light.glow, 0.3)
    x, y = room(*at)
    brush.poly(
        [
            (x - 0.5 * scale, y),
            (x + 0.5 * scale, y),
            (x + 0.58 * scale, y + 0.1 * scale),
            (x - 0.58 * scale, y + 0.1 * scale),
        ],
        body,
    )
    brush.rect(x - 0.5 * scale, y - 0.64 * scale, scale, 0.64 * scale, body, radius=0.03 * scale)
    stops = [(0.0, glow), (1.0, mix(glow, light.fill, 0.3))]
    brush.rect(
        x - 0.47 * scale,
        y - 0.61 * scale,
        0.94 * scale,
        0.58 * scale,
        brush.linear((x, y - scale), (x, y), stops),
    )
    for row, share in enumerate((0.5, 0.7, 0.4)):
        brush.rect(
            x - 0.38 * scale,
            y - (0.5 - 0.15 * row) * scale,
            share * scale,
            0.06 * scale,
            clear(light.fill, 0.6),
        )
    brush.glow(x, y - 0.3 * scale, 3.2 * scale, light.glow, 0.55)
    brush.glow(x, y - 0.3 * scale, 9 * scale, light.glow, 0.3)


def clock(room: Room, brush: Brush, x: float, y: float, *, wide: float = 0.34) -> None:
    """A round clock on the back wall, at ten past ten."""
    light, scale = room.light, room.scale(room.depth)
    px, py = room(x, y, room.depth)
    r = wide / 2 * scale
    brush.circle(px - light.side * r * 0.12, py + r * 0.1, r, clear(light.ink, 0.3))
    brush.circle(px, py, r, light.shaded(room.tone("#3a4048", room.depth), 0.3))
    brush.circle(px, py, r * 0.86, room.tone("#f6f1e6", room.depth))
    ink = light.shaded(room.tone("#2a2f36", room.depth), 0.3)
    for angle, length in ((-60, 0.45), (-5, 0.66)):
        turn = math.radians(angle - 90 + 60)
        brush.line(
            [(px, py), (px + math.cos(turn) * r * length, py + math.sin(turn) * r * length)],
            ink,
            r * 0.08,
        )
