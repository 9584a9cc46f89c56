"""A forest: tall trunks in shafts of light, a path between them, ferns and a fallen trunk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import (
    NIGHTS,
    dabs,
    flood,
    grass,
    leaves,
    many,
    measure,
    near_by,
    shafts,
    sun_at,
)

if TYPE_CHECKING:
    import random

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
"""Where somebody stands, as a part of the height."""
LOOK = (0.5, 0.5)
"""What the camera comes closer to."""
SPOTS = ((0.42, 0.88, 1.0), (0.58, 0.84, 0.86), (0.5, 0.74, 0.5))
SEAT = (0.78, 0.86, 1.0)
_GAP = 0.52
"""Where the path leads and the light is, as a part of the width."""
_BRANCHED = 0.55
"""How many trunks have kept a dead branch."""


def paint(stage: Stage) -> None:
    """The lit gap, four rows of trunks, the ground with its path, great trunks at the sides."""
    flood(stage, _air(stage, 1.0))
    _gap(stage)
    for index, depth in enumerate((0.08, 0.24, 0.44, 0.66)):
        _row(stage, index, depth)
        if index == 1:
            _beams(stage, 0.16)
    _ground(stage)
    _canopy(stage)
    _beams(stage, 0.2)
    _sides(stage)
    _ferns(stage)


def _air(stage: Stage, depth: float, colour: str = "#2f5138") -> str:
    """Green in this light, so near: 0 lost in the glow of the gap."""
    light = stage.light
    gleam = mix(mix(light.low, light.glow, 0.35), mix("#b9dc86", light.mid, light.dark), 0.5)
    gleam = mix(gleam, light.mid, min(1.5 * light.dark, 0.85))
    return mix(near_by(light, colour), gleam, 0.9 * (1 - depth) ** 1.5)


def _gap(stage: Stage) -> None:
    light, brush = stage.light, stage.back
    x, y = stage.x(_GAP), stage.horizon - 8 * stage.unit
    reach = 0.62 * max(stage.width, stage.height)
    is_moonlit = light.name in {"moonlight", "blue_hour"}
    bright = mix(lighter(light.low, 0.25), light.rim if is_moonlit else light.glow, 0.5)
    stops = [
        (0.0, bright),
        (0.3, _air(stage, 0.06)),
        (0.62, _air(stage, 0.34)),
        (1.0, _air(stage, 0.62)),
    ]
    wide = stage.right - stage.left
    brush.rect(
        stage.left,
        stage.upper,
        wide,
        stage.bottom - stage.upper,
        brush.radial((x, y), reach, stops),
    )
    if light.name in NIGHTS:
        moon = stage.x(sun_at(light)), stage.y(0.2)
        brush.glow(*moon, 30 * stage.unit, light.rim, 0.4)
        brush.circle(*moon, 3.6 * stage.unit, lighter(light.rim, 0.35))


def _row(stage: Stage, index: int, depth: float) -> None:
    """One row of trunks with the bushes at their feet."""
    light, brush, chance = stage.light, stage.back, stage.chance(f"row{index}")
    u = stage.unit
    foot = stage.horizon + (1 + 3.2 * index) * u
    bark = _air(stage, depth, "#46392f")
    gain = (0.2 * depth + 0.06) * (1 - light.dark)
    bright, dark = light.lit(bark, gain), light.shaded(bark, 0.34 * depth + 0.3 * light.dark)
    x = stage.left + chance.uniform(0, 6) * u
    while x < stage.right:
        wide = (0.7 + 1.1 * index) * u * chance.uniform(0.7, 1.25)
        if abs(x - stage.x(_GAP)) > (3 + 3.4 * index) * u:
            _trunk(
                stage, brush, chance, (x, foot + chance.uniform(-1, 1) * u, wide), (bright, dark)
            )
        x += wide * 2 + chance.uniform(2.2, 9) * (0.8 + 0.34 * index) * u
    leaf = _air(stage, depth, "#4d7a3f")
    for fill, lift in ((light.shaded(leaf, 0.24), 0.0), (light.lit(leaf, 0.12), 1.1)):
        spots = []
        for _ in range(40 - 6 * index):
            at = chance.uniform(stage.left, stage.right)
            if abs(at - stage.x(_GAP)) < (4 + 4 * index) * u:
                continue
            size = chance.uniform(0.6, 1.7) * (1 + 0.55 * index) * u
            spots.append((at, foot + 0.6 * u - lift * size * 0.4, size * 1.5, size))
        dabs(brush, spots, fill)
    brush.rect(stage.left, foot, stage.right - stage.left, 12 * u, _air(stage, depth, "#5f7a42"))


def _trunk(
    stage: Stage,
    brush: Brush,
    chance: random.Random,
    place: tuple[float, float, float],
    tones: tuple[str, str],
) -> None:
    """A trunk from its foot to out of sight, (x, foot, half width), bright to the light."""
    x, foot, wide = place
    bright, dark = tones
    top = stage.upper - 2
    lean = chance.uniform(-0.9, 0.9) * wide
    body = [
        (x - wide * 1.35, foot + wide * 0.3),
        (x - wide * 0.8, foot - wide * 1.6),
        (x - wide * 0.52 + lean, top),
        (x + wide * 0.52 + lean, top),
        (x + wide * 0.8, foot - wide * 1.6),
        (x + wide * 1.35, foot + wide * 0.3),
    ]
    ends = (bright, dark) if stage.light.side < 0 else (dark, bright)
    middle = mix(bright, dark, 0.62)
    fill = brush.linear(
        (x - wide, 0), (x + wide, 0), [(0.0, ends[0]), (0.4, middle), (1.0, ends[1])]
    )
    brush.poly(body, fill)
    if chance.random() < _BRANCHED:
        y = foot - chance.uniform(10, 34) * stage.unit
        way = chance.choice((-1, 1))
        tip = x + way * wide * 4.2, y - wide * 2.6
        brush.poly(
            [(x + way * wide * 0.4, y), tip, (x + way * wide * 0.4, y - wide * 0.34)], middle
        )


def _ground(stage: Stage) -> None:
    """Moss, and the path that winds to the gap, spotted with light."""
    light, u, brush, chance = stage.light, stage.unit, stage.back, stage.chance("ground")
    top, gap = stage.horizon + 5 * u, stage.x(_GAP)
    moss = _air(stage, 0.9, "#557338")
    stops = [(0.0, _air(stage, 0.25, "#8fa653")), (0.3, moss), (1.0, light.shaded(moss, 0.6))]
    hump = [
        (stage.left, top + 6 * u),
        (stage.x(0.2), top + 3 * u),
        (gap, top),
        (stage.x(0.82), top + 3.4 * u),
        (stage.right, top + 6 * u),
    ]
    around = [*hump, (stage.right, stage.bottom), (stage.left, stage.bottom)]
    brush.shape(around, brush.linear((0, top), (0, stage.height), stops), corners=(0, 4, 5, 6))
    earth = _air(stage, 0.85, "#a5835a")
    path = [
        (gap - 1.2 * u, top + 0.2 * u),
        (gap - 4 * u, top + 6 * u),
        (gap - 3 * u, top + 13 * u),
        (gap - 20 * u, top + 28 * u),
        (gap - 42 * u, stage.bottom),
        (gap + 26 * u, stage.bottom),
        (gap + 15 * u, top + 26 * u),
        (gap + 10 * u, top + 13 * u),
        (gap + 2.4 * u, top + 6 * u),
        (gap + 1.2 * u, top + 0.2 * u),
    ]
    worn = [(0.0, _air(stage, 0.1, "#c9ab7d")), (0.3, earth), (1.0, light.shaded(earth, 0.5))]
    brush.shape(path, brush.linear((0, top), (0, stage.height), worn), corners=(0, 4, 5, 9))
    gleams = []
    for _ in range(34):
        depth = chance.random() ** 1.6
        y = top + 2 * u + (stage.height - top) * depth
        reach = (4 + 60 * depth) * u
        wide = (0.6 + 3.4 * depth) * u * chance.uniform(0.4, 1.1)
        gleams.append((gap + chance.uniform(-reach, reach), y, wide, wide * 0.16))
    with brush.blended("soft-light"):
        dabs(brush, gleams, clear(lighter(light.glow, 0.2), 0.16 + 0.3 * light.hard))
    slant = -light.side * 0.5
    stripes: list[list[Point]] = []
    for share in (-0.02, 0.2, 0.33, 0.7, 0.84, 1.02):
        x, y = stage.x(share), top + 3 * u
        stripes.append(
            [
                (x - 0.5 * u, y),
                (x + 0.5 * u, y),
                (x + (slant * 46 + 5) * u, stage.bottom),
                (x + (slant * 46 - 3) * u, stage.bottom),
            ]
        )
    shade = [
        (0.0, clear(light.ink, 0)),
        (0.4, clear(light.ink, 0.1 + 0.2 * light.hard)),
        (1.0, clear(light.ink, 0.05)),
    ]
    many(brush, stripes, brush.linear((0, top + 3 * u), (0, stage.bottom), shade))
    _undergrowth(stage, top, moss)


def _undergrowth(stage: Stage, top: float, moss: str) -> None:
    """Tufts of grass beside the path, larger towards the camera."""
    light, u, brush, chance = stage.light, stage.unit, stage.back, stage.chance("tufts")
    for index in range(16):
        depth = (index + 1) / 16
        y = top + (6 + 32 * depth) * u
        side = 1 if index % 2 else -1
        x = stage.x(_GAP) + side * (8 + 26 * depth + chance.uniform(0, 40)) * u
        fill = light.lit(moss, 0.16) if index % 3 else light.shaded(moss, 0.25)
        grass(
            brush,
            chance,
            where=(x - 5 * u, x + 5 * u, y),
            high=((0.6 + depth) * u, (1.6 + 3.4 * depth) * u),
            fill=fill,
            count=16,
        )


def _canopy(stage: Stage) -> None:
    """Leaves that close the picture above: dark at the top, thinner towards the gap."""
    light, u, brush, chance = stage.light, stage.unit, stage.back, stage.chance("canopy")
    roof = light.shaded(_air(stage, 0.8, "#3c6a33"), 0.3)
    stops = [(0.0, roof), (0.5, clear(roof, 0.55)), (1.0, clear(roof, 0))]
    fade = brush.linear((0, -2 * u), (0, 17 * u), stops)
    brush.rect(stage.left, stage.upper, stage.right - stage.left, 17 * u - stage.upper, fade)
    for depth, low, count in ((0.4, 22, 22), (0.62, 15, 26), (0.9, 8, 26)):
        leaf = _air(stage, depth, "#46763a")
        gain = 0.08 * (1 - light.dark)
        for fill, shift in ((light.shaded(leaf, 0.34 * depth), 0.0), (light.lit(leaf, gain), -0.9)):
            for _ in range(count):
                x = chance.uniform(stage.left, stage.right)
                arch = 1 - 0.75 * math.exp(-(((x - stage.x(_GAP)) / (30 * u)) ** 2))
                y = (chance.random() ** 1.4 * (low * arch + 4) - 4) * u
                size = chance.uniform(2.2, 4.4) * (0.6 + 0.5 * depth) * (1 if shift else 1.25) * u
                at = x + shift * light.side * u, y + shift * u
                dabs(brush, leaves(chance, *at, size, 8), fill)


def _beams(stage: Stage, strength: float) -> None:
    light, u = stage.light, stage.unit
    x = stage.x(0.5 + light.side * 0.3)
    slants = [
        (-light.side * a + 0.02, -light.side * a + b)
        for a, b in ((0.08, 0.13), (0.42, 0.12), (0.8, 0.17))
    ]
    night = 0.7 if light.name in NIGHTS else 1.0
    shafts(
        stage.back,
        light,
        at=(x, stage.upper - 14 * u),
        long=104 * u,
        spread=slants,
        strength=strength * night,
    )


def _sides(stage: Stage) -> None:
    """Two great trunks that frame the picture, and one that has fallen."""
    light, brush, chance = stage.light, stage.middle, stage.chance("sides")
    u = measure(stage)
    bark = near_by(light, "#4c3b2f")
    for share, wide, foot in ((0.07, 4.6, 0.83), (0.93, 5.6, 0.87)):
        x, y = stage.x(share), stage.y(foot)
        _trunk(
            stage,
            brush,
            chance,
            (x, y, wide * u),
            (light.lit(bark, 0.32 * (1 - light.dark)), light.shaded(bark, 0.5)),
        )
        furrows = []
        for _ in range(13):
            at = x + chance.uniform(-0.62, 0.62) * wide * u
            high = y - chance.uniform(4, 84) * u
            furrows.append(
                [
                    (at, high),
                    (at + 0.22 * u, high + 4 * u),
                    (at + 0.1 * u, high + 9 * u),
                    (at - 0.2 * u, high + 4 * u),
                ]
            )
        many(brush, furrows, clear(light.ink, 0.34))
        moss = near_by(light, "#6d8f3c")
        dabs(
            brush,
            [
                (
                    x + chance.uniform(-1.2, 1.2) * wide * u,
                    y + chance.uniform(-1.5, 1) * u,
                    2.4 * u,
                    1.1 * u,
                )
                for _ in range(9)
            ],
            light.shaded(moss, 0.2),
        )
    _fallen(stage, brush, bark)


def _fallen(stage: Stage, brush: Brush, bark: str) -> None:
    light, u = stage.light, measure(stage)
    x, y = stage.x(0.68), stage.y(0.84)
    end = stage.x(1.2)
    dabs(brush, [((x + end) / 2, y + 4.4 * u, (end - x) * 0.6, 1.3 * u)], clear(light.ink, 0.35))
    # Thick enough to sit on.
    log = [(x, y - 9.4 * u), (end, y - 13.6 * u), (end, y + 2.7 * u), (x, y + 3.6 * u)]
    brush.poly(
        log,
        brush.linear(
            (0, y - 10.5 * u),
            (0, y + 4 * u),
            [(0.0, light.lit(bark, 0.4)), (0.4, bark), (1.0, light.shaded(bark, 0.6))],
        ),
    )
    cut = near_by(light, "#c79f6d")
    for share, shade in ((1.0, 0.38), (0.68, 0.08), (0.36, 0.22)):
        fill = light.shaded(cut, shade)
        brush.ellipse(x, y - 2.9 * u, 2.8 * share * u, 6.5 * share * u, fill)
    moss = near_by(light, "#7a9a42")
    chance = stage.chance("moss")
    dabs(
        brush,
        [
            (
                x + (end - x) * chance.random(),
                y - chance.uniform(9.2, 11) * u,
                chance.uniform(1, 2.6) * u,
                0.8 * u,
            )
            for _ in range(12)
        ],
        light.lit(moss, 0.1),
    )


def _ferns(stage: Stage) -> None:
    """Fronds in the lower corners; some in the light, some before the camera."""
    light, u = stage.light, stage.unit
    bright, dark = near_by(light, "#5f8f3c"), mix(near_by(light, "#34562c"), light.ink, 0.35)
    for share, foot, high in ((0.17, 0.9, 12), (0.27, 0.86, 7), (0.86, 0.93, 10)):
        fern(
            stage.middle,
            x=stage.x(share),
            foot=stage.y(foot),
            high=high * u,
            fill=light.lit(bright, 0.16),
            shade=light.shaded(bright, 0.3),
        )
    for edge, high in ((stage.x(0.02), 30), (stage.x(0.99), 34)):
        fern(
            stage.front,
            x=edge,
            foot=stage.height + 6 * u,
            high=high * measure(stage),
            fill=light.lit(dark, 0.1),
            shade=dark,
        )


def fern(brush: Brush, *, x: float, foot: float, high: float, fill: str, shade: str) -> None:
    """Fronds from one root, each with its leaflets."""
    for index, angle in enumerate((-1.25, -0.8, -0.42, 0.0, 0.36, 0.8, 1.2)):
        long = high * (1 - 0.18 * abs(angle))
        leaflets = []
        for step in range(2, 15):
            share = step / 14
            bend = angle * (0.55 + 0.6 * share)
            px, py = x + math.sin(bend) * long * share, foot - math.cos(bend) * long * share
            size = long * 0.17 * math.sin(math.pi * min(0.14 + share * 0.86, 1)) + 0.01 * long
            for side in (-1, 1):
                turn = bend + side * 1.15
                tip = px + math.sin(turn) * size, py - math.cos(turn) * size
                leaflets.append(
                    [
                        (px - 0.016 * long, py + 0.024 * long),
                        tip,
                        (px + 0.016 * long, py - 0.03 * long),
                    ][::side]
                )
        many(brush, leaflets, shade if index % 2 else fill)
