"""What grows and lies outdoors: hills, trees, grass, rocks, water, clouds, mist, shafts of light.

Nothing here is blurred: depth comes from colour, and many shapes of one colour are one path.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Brush, Fill, Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

NIGHTS = frozenset({"moonlight", "neon_night", "blue_hour"})
_NARROW = 80
"""A frame less wide than so many hundredths of its height shows smaller things."""


_AT_ONCE = 16
"""Shapes in one path: one of very many edges costs more than several short ones."""


def measure(stage: Stage) -> float:
    """What things are measured in: the stage's unit, less where the frame is narrow."""
    return min(stage.unit, stage.width / _NARROW)


def sun_at(light: Light) -> float:
    """Where the sun or moon stands, as a part of the width: on the side the light comes from."""
    return 0.5 + light.side * 0.24


def near_by(light: Light, colour: str) -> str:
    """A colour before the camera: at night only a little of it is left."""
    return mix(light.air(colour, 0.88), light.plane(0.85), 1.2 * light.dark)


def far_off(light: Light, colour: str, depth: float) -> str:
    """A colour behind so much air that it turns to the sky's: 0 nearly sky, 1 none."""
    veil = mix(light.mid, light.low, 0.4)
    return mix(near_by(light, colour), veil, 0.86 * (1 - depth) ** 1.2)


def many(brush: Brush, shapes: Sequence[Sequence[Point]], fill: Fill) -> None:
    """Straight-edged shapes of one colour, a few in one path: that is the quickest."""
    ctx = brush.ctx
    ctx.fillStyle = fill
    for start in range(0, len(shapes), _AT_ONCE):
        ctx.beginPath()
        for shape in shapes[start : start + _AT_ONCE]:
            ctx.moveTo(*shape[0])
            for point in shape[1:]:
                ctx.lineTo(*point)
            ctx.closePath()
        ctx.fill()


def alike(brush: Brush, corners: Sequence[Point], size: tuple[float, float], fill: Fill) -> None:
    """Upright rectangles of one size and colour, a few in one path; the upper left corner each."""
    ctx = brush.ctx
    ctx.fillStyle = fill
    for start in range(0, len(corners), _AT_ONCE):
        ctx.beginPath()
        for x, y in corners[start : start + _AT_ONCE]:
            ctx.rect(x, y, *size)
        ctx.fill()


def dabs(brush: Brush, spots: Sequence[tuple[float, float, float, float]], fill: Fill) -> None:
    """Ellipses of one colour, (x, y, rx, ry) each, a few in one path."""
    ctx = brush.ctx
    ctx.fillStyle = fill
    for start in range(0, len(spots), _AT_ONCE):
        ctx.beginPath()
        for x, y, rx, ry in spots[start : start + _AT_ONCE]:
            ctx.moveTo(x + rx, y)
            ctx.ellipse(x, y, rx, ry, 0, 0, math.tau)
        ctx.fill()


def flood(stage: Stage, colour: str) -> None:
    """The whole back, however it is tilted: nothing behind a set is empty."""
    with stage.in_frame("back") as brush:
        far = stage.width + stage.height
        brush.rect(-far, -far, 3 * far, 3 * far, colour)


# The ground


class Plain(msgspec.Struct, frozen=True):
    """Flat land to the horizon, seen with upright lines: metres to pixels."""

    middle: float
    horizon: float
    focal: float
    eye: float = 1.6

    def __call__(self, x: float, z: float, y: float = 0.0) -> Point:
        """Where a point so far to the right, away and up is seen."""
        return self.middle + x * self.focal / z, self.horizon + (self.eye - y) * self.focal / z

    def size(self, metres: float, z: float) -> float:
        """Pixels of so many metres, so far away."""
        return metres * self.focal / z


def plain_of(stage: Stage, *, middle: float = 0.5, eye: float = 1.6) -> Plain:
    """The land before the camera of a stage, vanishing at a part of the width."""
    focal = 0.78 * max(stage.width, stage.height)
    return Plain(middle=stage.x(middle), horizon=stage.horizon, focal=focal, eye=eye)


def ridge(
    chance: random.Random, x: tuple[float, float], y: float, rise: float, *, steps: int = 5
) -> list[Point]:
    """A jagged line from left to right: halved and thrown up or down, again and again."""
    line = [(x[0], y - rise * chance.random()), (x[1], y - rise * chance.random())]
    throw = rise * 0.8
    for _ in range(steps):
        finer = [line[0]]
        for before, after in itertools.pairwise(line):
            share = chance.uniform(0.38, 0.62)
            along = before[0] + (after[0] - before[0]) * share
            finer += [(along, (before[1] + after[1]) / 2 + chance.uniform(-throw, throw)), after]
        line, throw = finer, throw * 0.56
    return line


def slope(brush: Brush, line: Sequence[Point], down: float, fill: Fill) -> None:
    """The land between a smooth line and a height below it."""
    start, end = line[0][0], line[-1][0]
    around = [(start, down), *line, (end, down)]
    brush.shape(around, fill, corners=(0, 1, len(around) - 2, len(around) - 1))


def hills(stage: Stage, about: str, *, y: float, rise: float, depth: float, colour: str) -> None:
    """A row of round hills, hazy at their feet, lit along their tops."""
    chance, light, brush = stage.chance(about), stage.light, stage.back
    wide = stage.right - stage.left
    line = [
        (stage.left + wide * index / 7, y - rise * chance.uniform(0.1, 1.0)) for index in range(8)
    ]
    body = far_off(light, colour, depth)
    stops = [(0.0, light.lit(body, 0.16)), (1.0, mix(body, light.low, 0.4 - 0.3 * depth))]
    slope(brush, line, y, brush.linear((0, y - rise), (0, y + 0.6 * rise), stops))


def mist(stage: Stage, brush: Brush, y: float, high: float, strength: float = 0.5) -> None:
    """A bank of haze, thickest at a height."""
    low = stage.light.low
    stops = [(0.0, clear(low, 0)), (0.55, clear(low, strength)), (1.0, clear(low, 0))]
    fill = brush.linear((0, y - high), (0, y + high), stops)
    brush.rect(stage.left, y - high, stage.right - stage.left, 2 * high, fill)


def grass(
    brush: Brush,
    chance: random.Random,
    *,
    where: tuple[float, float, float],
    high: tuple[float, float],
    fill: Fill,
    count: int = 80,
) -> None:
    """Blades between two ends, on a foot, bent by one wind."""
    blades = []
    start, end, foot = where
    for _ in range(count):
        at, tall = chance.uniform(start, end), chance.uniform(*high)
        lean, half = tall * chance.uniform(-0.18, 0.42), tall * 0.035
        bend = (at + lean * 0.3, foot - tall * 0.6)
        blades.append(
            (
                (at - half, foot),
                (bend[0] - half, bend[1]),
                (at + lean, foot - tall),
                (bend[0] + half, bend[1]),
                (at + half, foot),
            )
        )
    many(brush, blades, fill)


def verge(stage: Stage, side: int, *, wide: float, high: float, colour: str) -> None:
    """High grass in a lower corner before the camera, -1 the left and 1 the right one."""
    light, u, brush = stage.light, stage.unit, stage.front
    chance = stage.chance(f"verge{side}")
    edge = stage.left if side < 0 else stage.right
    inner = edge - side * (stage.bleed + stage.x(wide))
    foot = stage.height + 3 * u
    dark = mix(near_by(light, colour), light.ink, 0.45)
    mound = [
        (edge, stage.bottom),
        (edge, foot - 2 * u),
        ((edge + inner) / 2, foot - u),
        (inner, stage.bottom),
    ]
    brush.shape(mound, dark, corners=(0, 1, 3))
    ends = min(edge, inner), max(edge, inner)
    for fill, share, count in ((dark, 1.0, 64), (light.lit(dark, 0.07), 0.8, 30)):
        grass(
            brush,
            chance,
            where=(*ends, foot + u),
            high=(0.35 * high, share * high),
            fill=fill,
            count=count,
        )


def rock(brush: Brush, light: Light, *, x: float, foot: float, size: float, colour: str) -> None:
    """A boulder: three faces, the one to the light bright."""
    flip = 1 if light.side > 0 else -1

    def at(dx: float, dy: float) -> Point:
        return x + dx * size * flip, foot - dy * size

    body = light.shaded(colour, 0.35)
    around = [at(-0.62, 0), at(-0.5, 0.34), at(-0.1, 0.6), at(0.3, 0.52), at(0.6, 0.2), at(0.66, 0)]
    brush.poly(around, body)
    brush.poly(
        [at(-0.5, 0.34), at(-0.1, 0.6), at(0.3, 0.52), at(0.04, 0.36)], light.lit(colour, 0.3)
    )
    brush.poly([at(0.3, 0.52), at(0.6, 0.2), at(0.66, 0), at(0.14, 0), at(0.04, 0.36)], colour)


# Trees


def broadleaf(
    brush: Brush,
    light: Light,
    chance: random.Random,
    *,
    at: Point,
    high: float,
    colour: str,
) -> None:
    """A round tree in three tones of leaves, its crown turned to the light."""
    x, foot = at
    wood = light.shaded(near_by(light, "#5b4636"), 0.4)
    trunk = [
        (-0.045, 0),
        (-0.026, 0.3),
        (-0.11, 0.52),
        (0.0, 0.42),
        (0.12, 0.55),
        (0.03, 0.28),
        (0.05, 0),
    ]
    brush.shape(
        [(x + dx * high, foot - dy * high) for dx, dy in trunk], wood, corners=(0, 2, 3, 4, 6)
    )
    clumps = [(0.0, 0.62), (-0.1, 0.56), (0.11, 0.57), (-0.13, 0.7), (0.13, 0.7), (0.0, 0.76)]
    for index in range(13):
        angle = math.pi * (index / 12 * 1.3 - 0.15) + chance.uniform(-0.1, 0.1)
        far = chance.uniform(0.75, 1.0)
        clumps.append((math.cos(angle) * far * 0.3, 0.62 + math.sin(angle) * far * 0.27))
    tones = (
        (light.shaded(colour, 0.42), 0.0, 0.125, 12, 1),
        (colour, 0.03, 0.085, 11, 1),
        (light.lit(colour, 0.13 - 0.13 * light.dark), 0.06, 0.04, 8, 1),
    )
    for fill, shift, size, edge, every in tones:
        spots = []
        for dx, dy in clumps[::every]:
            cx = x + (dx + shift * light.side) * high
            cy = foot - (dy + shift * 0.9) * high
            spots += leaves(chance, cx, cy, size * high, edge)
        dabs(brush, spots, fill)


def leaves(
    chance: random.Random, x: float, y: float, size: float, count: int
) -> list[tuple[float, float, float, float]]:
    """A clump: one large dab and small ones around its edge."""
    spots = [(x, y, size * 0.8, size * 0.68)]
    for _ in range(count):
        angle = chance.uniform(0, math.tau)
        far = size * chance.uniform(0.6, 1.12)
        leaf = size * chance.uniform(0.13, 0.27)
        spots.append(
            (x + math.cos(angle) * far, y + math.sin(angle) * far * 0.86, leaf, leaf * 0.72)
        )
    return spots


def conifer(
    brush: Brush, light: Light, *, at: Point, high: float, colour: str, tiers: int = 7
) -> None:
    """A fir: tiers that hang, the half to the light brighter."""
    x, foot = at
    brush.rect(
        x - 0.018 * high, foot - 0.1 * high, 0.036 * high, 0.1 * high, light.shaded(colour, 0.6)
    )
    many(
        brush,
        [_fir(x, foot, high, tiers, -1) + _fir(x, foot, high, tiers, 1)[::-1]],
        light.shaded(colour, 0.3),
    )
    bright = _fir(x, foot, high, tiers, 1 if light.side > 0 else -1)
    inner = [(x + (out - x) * 0.12, y) for out, y in bright[::-1]]
    many(brush, [bright + inner], light.lit(colour, 0.09))


def _fir(x: float, foot: float, high: float, tiers: int, side: int) -> list[Point]:
    """One edge of a fir, from its top down."""
    edge = [(x, foot - high)]
    for tier in range(1, tiers + 1):
        share = tier / tiers
        y = foot - high * (1 - 0.92 * share)
        wide = high * 0.215 * share**0.85
        edge += [(x + side * wide, y + 0.03 * high), (x + side * wide * 0.6, y - 0.005 * high)]
    return edge


def wood(stage: Stage, about: str, *, y: float, high: float, fill: Fill, firs: bool = True) -> None:
    """The outline of a far wood, from one end of the layer to the other."""
    chance, brush = stage.chance(about), stage.back
    shapes: list[Sequence[Point]] = []
    spots = []
    x = stage.left
    while x < stage.right:
        tall = high * chance.uniform(0.5, 1.0)
        if firs:
            shapes.append(_fir(x, y + 1, tall, 5, -1) + _fir(x, y + 1, tall, 5, 1)[::-1])
            x += tall * chance.uniform(0.14, 0.34)
        else:
            spots.append((x, y - tall * 0.5, tall * 0.55, tall * 0.5))
            x += tall * chance.uniform(0.3, 0.75)
    brush.rect(stage.left, y - high * 0.22, stage.right - stage.left, high * 0.24, fill)
    many(brush, shapes, fill)
    dabs(brush, spots, fill)


# Water


def water(
    stage: Stage, brush: Brush, *, top: float, sun: float, bottom: float | None = None
) -> None:
    """The sky in a sheet of water, the swell, and the glitter below a sun at part of the width."""
    light, down = stage.light, bottom if bottom is not None else stage.bottom
    near = mix(mix(light.top, light.near, 0.5), "#1f6f78", 0.22 * (1 - light.dark))
    stops = [
        (0.0, mix(light.low, light.glow, 0.25)),
        (0.05, mix(light.low, light.mid, 0.35)),
        (0.3, mix(light.mid, near, 0.3)),
        (1.0, near),
    ]
    fill = brush.linear((0, top), (0, down), stops)
    brush.rect(stage.left, top, stage.right - stage.left, down - top, fill)
    _swell(stage, brush, top, down)
    _glitter(stage, brush, top, down, stage.x(sun))


def _swell(stage: Stage, brush: Brush, top: float, down: float) -> None:
    """Long flat waves: dark troughs, each with a bright back."""
    light, chance, u = stage.light, stage.chance("swell"), stage.unit
    for step in range(4):
        troughs, backs = [], []
        for _ in range(34 - 4 * step):
            depth = (step + chance.random()) / 4
            y = top + (down - top) * depth**1.7 + 0.6 * u
            x = chance.uniform(stage.left, stage.right)
            wide, high = (4 + 22 * depth) * u * chance.uniform(0.5, 1.3), (0.12 + 0.75 * depth) * u
            troughs.append(_lens(x, y, wide, high))
            backs.append(_lens(x - wide * 0.12, y - high * 0.8, wide * 0.8, high * 0.45))
        many(brush, troughs, clear(mix(light.near, light.ink, 0.3), 0.18 + 0.06 * step))
        many(brush, backs, clear(mix(light.low, light.mid, 0.3), 0.36 - 0.03 * step))


def _glitter(stage: Stage, brush: Brush, top: float, down: float, sun: float) -> None:
    light, chance, u = stage.light, stage.chance("glitter"), stage.unit
    strength = 0.45 if light.name in {"soft_day", "blue_hour", "neon_night"} else 0.85
    for step in range(4):
        glints = []
        for _ in range(46 - 6 * step):
            depth = ((step + chance.random()) / 4) ** 1.5
            y = top + (down - top) * depth + 0.4 * u
            x = chance.gauss(sun, (3.2 + 13 * depth) * u)
            wide = (0.8 + 6 * depth) * u * chance.uniform(0.4, 1.2)
            glints.append(_lens(x, y, wide, (0.14 + 0.3 * depth) * u))
        many(brush, glints, clear(lighter(light.glow, 0.3), strength * (0.95 - 0.17 * step)))


def _lens(x: float, y: float, wide: float, high: float) -> list[Point]:
    return [
        (x - wide / 2, y),
        (x - wide * 0.1, y - high * 0.5),
        (x + wide / 2, y),
        (x + wide * 0.1, y + high * 0.5),
    ]


# The air


def cumulus(stage: Stage, *, count: int = 4, top: float = 0.1, down: float = 0.4) -> None:
    """Heaped clouds with flat feet, their heads towards the light; few by day, veiled by night."""
    light, chance, u, brush = stage.light, stage.chance("cumulus"), measure(stage), stage.back
    veil = 0.9 - 0.75 * light.dark
    for index in range(count):
        x = stage.left + (stage.right - stage.left) * (index + chance.uniform(0.15, 0.85)) / count
        base = stage.y(chance.uniform(top, down))
        size = chance.uniform(0.6, 1.25) * (
            0.45 + 0.75 * (stage.y(down) - base) / stage.height + 0.35
        )
        puffs = []
        for puff in range(8):
            across = (puff / 7 - 0.5) * 2
            r = (1 - across * across * 0.6) * chance.uniform(3.4, 5.6) * size * u
            puffs.append((x + across * 11 * size * u, base - r * 0.62, r * 1.15, r))
        _heap(brush, light, puffs, base, veil)


def _heap(
    brush: Brush,
    light: Light,
    puffs: Sequence[tuple[float, float, float, float]],
    base: float,
    veil: float,
) -> None:
    crest = min(y - ry for _, y, _, ry in puffs)
    shade, bright = mix(light.mid, light.fill, 0.3), mix(lighter(light.low, 0.35), light.glow, 0.5)
    left, right = puffs[0][0] - puffs[0][2], puffs[-1][0] + puffs[-1][2]
    cut = [(left, crest - 1), (right, crest - 1), (right, base), (left, base)]
    with brush.inside(cut):
        body = [
            (0.0, clear(mix(shade, bright, 0.45), veil)),
            (0.75, clear(shade, veil * 0.8)),
            (1.0, clear(shade, 0)),
        ]
        dabs(brush, puffs, brush.linear((0, crest), (0, base), body))
        heads = [
            (x + rx * 0.14 * light.side, y - ry * 0.16, rx * 0.82, ry * 0.8)
            for x, y, rx, ry in puffs
        ]
        glow = [
            (0.0, clear(bright, veil)),
            (0.6, clear(bright, veil * 0.6)),
            (1.0, clear(bright, 0)),
        ]
        dabs(brush, heads, brush.linear((0, crest), (0, base), glow))


def shafts(
    brush: Brush,
    light: Light,
    *,
    at: Point,
    long: float,
    spread: Sequence[tuple[float, float]],
    strength: float = 0.3,
) -> None:
    """Beams from a point: each between two slants, fading along its way."""
    x, y = at
    fade = [
        (0.0, clear(light.glow, strength)),
        (0.5, clear(light.glow, strength * 0.5)),
        (1.0, clear(light.glow, 0)),
    ]
    with brush.blended("screen"):
        for start, end in spread:
            far = [(x + slant * long, y + long) for slant in (start, end)]
            brush.poly(
                [(x, y), *far], brush.linear((x, y), (x + (start + end) / 2 * long, y + long), fade)
            )
