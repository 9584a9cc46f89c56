"""The mountains: ridge behind ridge, a peak in the light, a lake, a rock to stand on."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import (
    conifer,
    cumulus,
    far_off,
    flood,
    grass,
    many,
    measure,
    mist,
    near_by,
    ridge,
    rock,
    sun_at,
    water,
    wood,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky

if TYPE_CHECKING:
    import random

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
"""Where somebody stands, as a part of the height."""
LOOK = (0.53, 0.45)
"""What the camera comes closer to."""
SPOTS = ((0.36, 0.88, 1.0), (0.24, 0.87, 0.95), (0.5, 0.9, 1.02))
NARROW = True
SURFACE = (0.36, 0.88)
_PEAK = 0.53
"""Where the highest top is, as a part of the width."""


def paint(stage: Stage) -> None:
    """Five ridges and the peak, the lake below them, rock and firs before the camera."""
    shore = stage.horizon + 4 * stage.unit
    flood(stage, stage.light.top)
    paint_sky(stage, down_to=stage.horizon + 2 * stage.unit)
    cumulus(stage, count=3, top=0.1, down=0.24)
    paint_birds(stage, count=4, around=(0.34, 0.2))
    _ridges(stage, shore)
    _peak(stage, shore)
    _shore(stage, shore)
    water(stage, stage.back, top=shore, sun=sun_at(stage.light))
    _mirrored(stage, shore)
    _spit(stage, shore)
    _rocks(stage)
    _firs(stage)


def _ridges(stage: Stage, shore: float) -> None:
    """Paler with each; all of them fall to the valley that the light comes through."""
    light, u = stage.light, stage.unit
    valley = stage.x(sun_at(light))
    for depth, above, rise in ((0.05, 24, 12), (0.2, 16, 9), (0.42, 8, 6)):
        line = ridge(stage.chance(f"ridge{depth}"), (stage.left, stage.right), 0, rise * u)
        crest = [(x, shore - (above * _opened(stage, x - valley)) * u + y) for x, y in line]
        body = far_off(light, "#4d719c", depth)
        stops = [(0.0, body), (1.0, mix(body, light.low, 0.6))]
        fill = stage.back.linear((0, shore - (above + rise) * u), (0, shore), stops)
        stage.back.poly([(stage.left, shore), *crest, (stage.right, shore)], fill)


def _opened(stage: Stage, away: float) -> float:
    """How high a ridge stands so far from the valley: a half there, all of it elsewhere."""
    return 0.42 + 0.58 * min(abs(away) / (0.34 * stage.width), 1.0)


def _peak(stage: Stage, shore: float) -> None:
    """The one that all leads to, and its lesser neighbours: lit faces, shaded faces, snow."""
    u = measure(stage)
    x = stage.x(_PEAK)
    _summit(stage, "third", (x - 38 * u, shore), 27 * u, 0.56)
    _summit(stage, "second", (x + 33 * u, shore), 34 * u, 0.62)
    _summit(stage, "first", (x, shore), 49 * u, 0.74)
    mist(stage, stage.back, shore - 5 * u, 10 * u, 0.5)


def _summit(stage: Stage, about: str, foot: Point, high: float, depth: float) -> None:
    """A mountain: ridges fall from its top, turned to the light in turn."""
    light, brush, chance = stage.light, stage.back, stage.chance(about)
    x, shore = foot
    top = shore - high
    left, right = x - high * 1.18, x + high * 1.26
    west = _flank(chance, (x, top), (left, shore), high)
    east = _flank(chance, (x, top), (right, shore), high)
    stone = far_off(light, "#4d617f", depth)
    bright, dark = light.lit(stone, 0.3 * (1 - 0.7 * light.dark)), light.shaded(stone, 0.36)
    one, other = (dark, bright) if light.side > 0 else (bright, dark)
    spine = _spine(chance, (x, top), (x + high * 0.1, shore), high)
    for edge, fill in ((west, one), (east, other)):
        stops = [(0.0, fill), (0.45, fill), (1.0, mix(fill, light.low, 0.62))]
        brush.poly([*edge, *spine[::-1]], brush.linear((0, top), (0, shore), stops))
    for share, way in ((0.3, -1), (0.56, -1), (0.34, 1), (0.6, 1)):
        edge, fill = (west, other) if way < 0 else (east, one)
        start = edge[round(share * (len(edge) - 1))]
        rib = _spine(chance, start, (start[0] - way * high * 0.12, shore - high * 0.05), high)
        wide = high * (0.2 - 0.1 * share)
        face = [*rib, (start[0] + way * wide * 1.6, shore - high * 0.05)]
        fade = [(0.0, clear(fill, 0.62)), (0.5, clear(fill, 0.36)), (1.0, clear(fill, 0))]
        brush.poly(face, brush.linear((0, start[1]), (0, shore - high * 0.08), fade))
    _snow(stage, chance, (west, east, spine), high)


def _flank(chance: random.Random, top: Point, foot: Point, high: float) -> list[Point]:
    """From the top down one side: steep first, then out to the valley, never straight."""
    edge = [top]
    for step in range(1, 14):
        share = step / 14
        x = top[0] + (foot[0] - top[0]) * share + chance.uniform(-0.012, 0.012) * high
        y = foot[1] - high * (1 - share) ** 1.3 + chance.uniform(-0.03, 0.03) * high
        edge.append((x, y))
    return [*edge, foot]


def _spine(chance: random.Random, top: Point, foot: Point, high: float) -> list[Point]:
    """A ridge that zigzags down the middle."""
    line = [top]
    for step in range(1, 9):
        share = step / 9
        sway = (1 if step % 2 else -1) * 0.028 * high * chance.uniform(0.2, 1.5)
        line.append(
            (top[0] + (foot[0] - top[0]) * share + sway, top[1] + (foot[1] - top[1]) * share)
        )
    return [*line, foot]


def _snow(
    stage: Stage,
    chance: random.Random,
    edges: tuple[list[Point], list[Point], list[Point]],
    high: float,
) -> None:
    """White down to a broken line, blue where it lies in the shade."""
    light, brush = stage.light, stage.back
    white = near_by(light, "#f8fafc")
    shade = mix(white, light.fill, 0.6)
    lit = mix(white, light.key, 0.2 + 0.3 * light.hard)
    west, east, spine = edges
    one, other = (shade, lit) if light.side > 0 else (lit, shade)
    x, top = spine[0]
    for edge, fill, way in ((west, one, -1), (east, other, 1)):
        cap = [point for point in edge if point[1] < top + 0.46 * high]
        teeth: list[Point] = []
        at = cap[-1][0]
        while (at - spine[2][0]) * way > 0.07 * high:
            at -= way * chance.uniform(0.025, 0.06) * high
            low = top + (0.26 + chance.uniform(0, 0.14)) * high + abs(at - x) * 0.36
            teeth += [(at, low), (at - way * 0.022 * high, low - chance.uniform(0.07, 0.15) * high)]
        brush.poly([*cap, *teeth, spine[2], spine[1]], fill)


def _shore(stage: Stage, shore: float) -> None:
    light, u, brush = stage.light, measure(stage), stage.back
    for index, (depth, high) in enumerate(((0.45, 7), (0.72, 7.5))):
        green = far_off(light, "#2f5d4c", depth)
        stops = [(0.0, green), (1.0, mix(green, light.low, 0.35 - 0.15 * index))]
        fill = brush.linear((0, shore - high * u), (0, shore), stops)
        wood(
            stage,
            f"wood{index}",
            y=shore + 0.1 * u,
            high=high * u * (0.7 + 0.3 * index),
            fill=fill,
        )


def _mirrored(stage: Stage, shore: float) -> None:
    """The tops and the wood in the still water, drawn out by its waves."""
    light, u, brush = stage.light, measure(stage), stage.back
    green = light.air("#3f6b55", 0.5)
    fill = brush.linear(
        (0, shore), (0, shore + 8 * u), [(0.0, clear(green, 0.8)), (1.0, clear(green, 0))]
    )
    brush.rect(stage.left, shore, stage.right - stage.left, 8 * u, fill)
    stone, snow = near_by(light, "#55698a"), near_by(light, "#eef2f6")
    tops = []
    for dx, wide, deep in ((-38.0, 17, 15), (33.0, 21, 19), (0.0, 31, 30)):
        x, low = stage.x(_PEAK) + dx * u, shore + deep * u
        flank = [
            (x - wide * share * u, low - deep * share**1.2 * u) for share in (1.0, 0.7, 0.4, 0.2)
        ]
        other = [
            (x + wide * share * u, low - deep * share**1.3 * u) for share in (0.2, 0.5, 0.7, 1.0)
        ]
        tops.append([*flank, (x, low), *other])
    shown = [(0.0, clear(stone, 0.42)), (0.5, clear(stone, 0.22)), (1.0, clear(snow, 0.04))]
    many(brush, tops, brush.linear((0, shore), (0, shore + 30 * u), shown))
    chance = stage.chance("lines")
    lines = []
    for _ in range(22):
        y = shore + 1.5 * u + 26 * u * chance.random() ** 1.4
        x = stage.x(_PEAK) + chance.uniform(-60, 60) * u
        half = chance.uniform(4, 16) * u
        lines.append([(x - half, y), (x, y - 0.16 * u), (x + half, y), (x, y + 0.16 * u)])
    many(brush, lines, clear(light.low, 0.4))
    brush.rect(
        stage.left, shore - 0.1 * u, stage.right - stage.left, 0.3 * u, clear(light.glow, 0.5)
    )


def _spit(stage: Stage, shore: float) -> None:
    """A tongue of land with firs that reaches into the lake from the right."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("spit")
    tip, y = stage.x(0.7), shore + 9 * u
    far = max(stage.right, tip + 60 * u)
    bank = far_off(light, "#6c7a52", 0.86)
    deep = light.shaded(far_off(light, "#274a3c", 0.84), 0.2)
    mirror = [(0.0, clear(deep, 0.7)), (1.0, clear(deep, 0))]
    brush.poly(
        [(tip + 3 * u, y), (far, y), (far, y + 15 * u), (tip + 14 * u, y + 11 * u)],
        brush.linear((0, y), (0, y + 14 * u), mirror),
    )
    line = [
        (tip, y + 0.3 * u),
        (tip + 8 * u, y - 1.2 * u),
        (tip + 22 * u, y - 2 * u),
        (far, y - 4 * u),
        (far, y + 1.2 * u),
        (tip + 20 * u, y + u),
    ]
    brush.shape(
        line,
        brush.linear(
            (0, y - 3 * u),
            (0, y + u),
            [(0.0, light.lit(bank, 0.2)), (1.0, light.shaded(bank, 0.4))],
        ),
        corners=(0, 3, 4),
    )
    green = far_off(light, "#2f5d48", 0.86)
    for index in range(11):
        x = tip + (6 + index * 5.2 + chance.uniform(-1.6, 1.6)) * u
        high = (7 + 1.1 * index) * u * chance.uniform(0.75, 1.15)
        conifer(brush, light, at=(x, y - chance.uniform(0.2, 1.4) * u), high=high, colour=green)


def _rocks(stage: Stage) -> None:
    """The ledge that one has climbed to, with a cairn."""
    light, u, brush, y = stage.light, measure(stage), stage.middle, stage.y(GROUND)
    stone = near_by(light, "#77757a")
    end = stage.x(0.68)
    top: list[Point] = [
        (stage.left, y - 9 * u),
        (stage.x(0.02), y - 6.6 * u),
        (stage.x(0.09), y - 3.2 * u),
        (stage.x(0.2), y - 2.2 * u),
        (stage.x(0.34), y - 1.4 * u),
        (stage.x(0.47), y - 1.8 * u),
        (end - 8 * u, y + 0.2 * u),
        (end, y + 4.4 * u),
        (end + 8 * u, y + 9 * u),
        (end + 20 * u, y + 13 * u),
    ]
    brush.poly(
        [*top, (end + 34 * u, stage.bottom), (stage.left, stage.bottom)], light.shaded(stone, 0.5)
    )
    chance = stage.chance("ledge")
    folds = [(x, fold + chance.uniform(1.8, 4.6) * u) for x, fold in top]
    brush.poly([*top, *folds[::-1]], light.lit(stone, 0.34))
    tones = (light.shaded(stone, 0.22), light.shaded(stone, 0.62), light.shaded(stone, 0.36))
    for index, ((x, fold), (then, other)) in enumerate(itertools.pairwise(folds)):
        foot = x + chance.uniform(-3, 5) * u, fold + chance.uniform(10, 22) * u
        brush.poly(
            [(x, fold), (then, other), (then + 2 * u, other + 26 * u), foot], tones[index % 3]
        )
    many(
        brush,
        [[*top[2:7], (top[5][0], top[5][1] + 1.1 * u), (top[3][0], top[3][1] + 0.9 * u)]],
        light.lit(stone, 0.45),
    )
    for dx, dy, size, tone in (
        (0, 0, 6.8, 0.0),
        (0.5, -3.3, 4.9, 0.1),
        (-0.2, -5.7, 3.6, 0.0),
        (0.3, -7.5, 2.3, 0.12),
    ):
        rock(
            brush,
            light,
            x=stage.x(0.13) + dx * u,
            foot=y - 2.4 * u + dy * u,
            size=size * u,
            colour=lighter(stone, tone),
        )
    for share, down, size in (
        (0.58, 1.2, 5.5),
        (0.63, 3.6, 8.0),
        (0.02, -4.5, 9.0),
        (0.53, 0.4, 2.6),
    ):
        rock(brush, light, x=stage.x(share), foot=y + down * u, size=size * u, colour=stone)
    tuft = near_by(light, "#6d7a4a")
    for start, wide in ((0.17, 0.09), (0.5, 0.06)):
        grass(
            brush,
            chance,
            where=(stage.x(start), stage.x(start + wide), y + 0.2 * u),
            high=(1.2 * u, 4.2 * u),
            fill=tuft,
            count=36,
        )


def _firs(stage: Stage) -> None:
    light, u, brush = stage.light, measure(stage), stage.front
    dark = mix(near_by(light, "#1f3a30"), light.ink, 0.5)
    for share, high, down in ((0.97, 58, 20), (0.885, 37, 24), (1.06, 84, 12), (-0.05, 62, 30)):
        conifer(
            brush,
            light,
            at=(stage.x(share), stage.bottom + down * 0.2 * u),
            high=high * u,
            colour=dark,
            tiers=9,
        )
