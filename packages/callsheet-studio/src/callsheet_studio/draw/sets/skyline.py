"""The skyline: layer behind layer of towers, seen from a roof with its tank and its vents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import (
    NIGHTS,
    cumulus,
    dabs,
    far_off,
    flood,
    leaves,
    many,
    measure,
    mist,
    near_by,
    sun_at,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky
from callsheet_studio.draw.town import DUSK, paint_tower

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
"""Where somebody stands, as a part of the height."""
LOOK = (0.56, 0.47)
"""What the camera comes closer to."""
SPOTS = ((0.4, 0.9, 1.0), (0.58, 0.89, 0.97), (0.26, 0.9, 1.0))
SURFACE = (0.5, 0.745)
_EDGE = 0.75
"""The upper edge of the wall around the roof, as a part of the height."""
_HOUSED, _MASTED = 0.3, 0.24
"""How many of the towers carry a plant room, how many a mast."""


def paint(stage: Stage) -> None:
    """Sky, five rows of towers, the roof that one stands on, leaves at its end."""
    flood(stage, stage.light.near)
    paint_sky(stage, down_to=stage.horizon + 8 * stage.unit)
    cumulus(stage, count=3, top=0.08, down=0.26)
    paint_birds(stage, count=5, around=(0.4, 0.2))
    _towers(stage)
    _landmark(stage)
    _near_roofs(stage)
    _roof(stage)
    _tank(stage)
    _things(stage)
    _front(stage)


def _towers(stage: Stage) -> None:
    """Rows of blocks, paler with each; the light falls between them."""
    light, u, brush = stage.light, measure(stage), stage.back
    down = stage.y(_EDGE + 0.04)
    haze = stage.horizon + 9 * u
    brush.rect(
        stage.left, haze, stage.right - stage.left, down - haze, far_off(light, "#54688a", 0.4)
    )
    rows = (
        (0.06, 12, 30, 5, 0.0),
        (0.26, 9, 30, 6, 1.5),
        (0.5, 4, 26, 8, 1.7),
        (0.78, -3, 20, 11, 2.1),
    )
    for index, (depth, low, rise, wide, pane) in enumerate(rows):
        chance = stage.chance(f"row{index}")
        foot = down if index > 1 else haze
        x = stage.left - chance.uniform(0, 4) * u
        while x < stage.right:
            broad = chance.uniform(0.6, 1.3) * wide * u
            dip = min(abs(x - stage.x(sun_at(light))) / (0.22 * stage.width), 1.0)
            top = stage.horizon - (low + rise * chance.random() ** 1.6 * (0.35 + 0.65 * dip)) * u
            tone = chance.choice(("#54688a", "#6b6f8c", "#7d7484", "#4d6a80"))
            colour = far_off(light, tone, depth)
            paint_tower(
                brush,
                light,
                chance,
                box=(x, top, broad, foot),
                colour=colour,
                pane=pane * u,
            )
            if chance.random() < _HOUSED:
                brush.rect(
                    x + broad * 0.3, top - 2.2 * u, broad * 0.4, 2.4 * u, light.shaded(colour, 0.1)
                )
            if chance.random() < _MASTED:
                _mast(stage, x + broad * 0.5, top, (4 + 5 * depth) * u, colour)
            x += broad + chance.choice((0.0, 0.0, 0.8, 2.4)) * u
        if index in {1, 2}:
            mist(stage, brush, stage.horizon + (2 + 6 * index) * u, 15 * u, 0.5 - 0.1 * index)


def _mast(stage: Stage, x: float, foot: float, high: float, colour: str) -> None:
    light, brush = stage.light, stage.back
    brush.poly(
        [(x - high * 0.03, foot), (x, foot - high), (x + high * 0.03, foot)],
        light.shaded(colour, 0.3),
    )
    if light.lamps > DUSK:
        brush.glow(x, foot - high, high * 0.4, "#ff5a4a", 0.8 * light.lamps)


def _landmark(stage: Stage) -> None:
    """One tower that everybody would know again: steps, a crown and a spire."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("landmark")
    side = 0.3 if light.side > 0 else 0.68
    x, top = stage.x(side), stage.horizon - 34 * u
    colour = far_off(light, "#4f6488", 0.6)
    for half, above, is_glazed in (
        (6.6, 0, True),
        (5.0, 7, False),
        (3.4, 12, True),
        (1.8, 16, False),
    ):
        paint_tower(
            brush,
            light,
            chance,
            box=(x - half * u, top - above * u, 2 * half * u, stage.y(_EDGE + 0.04)),
            colour=colour,
            pane=(1.5 if is_glazed else 0) * u,
        )
    brush.poly(
        [(x - 0.5 * u, top - 16 * u), (x, top - 28 * u), (x + 0.5 * u, top - 16 * u)],
        light.lit(colour, 0.2),
    )
    if light.lamps > 0:
        brush.glow(x, top - 15 * u, 13 * u, stage.accent, 0.55 * light.lamps)
        brush.glow(x, top - 28 * u, 3 * u, "#ff5a4a", 0.9 * light.lamps)


def _near_roofs(stage: Stage) -> None:
    """Two buildings close by, with windows one could look into."""
    light, u, brush, chance = stage.light, measure(stage), stage.back, stage.chance("close")
    for start, end, top, tone in (
        (-0.2, 0.13, 0.42, "#7c5f55"),
        (0.84, 1.2, 0.5, "#5d6676"),
        (0.13, 0.25, 0.64, "#6d7460"),
    ):
        x, wide = stage.x(start), stage.x(end - start)
        colour = far_off(light, tone, 0.9)
        paint_tower(
            brush,
            light,
            chance,
            box=(x, stage.y(top), wide, stage.y(_EDGE + 0.04)),
            colour=colour,
            pane=4.2 * u,
        )
        brush.rect(
            x - 0.8 * u, stage.y(top) - 1.4 * u, wide + 1.6 * u, 1.8 * u, light.lit(colour, 0.22)
        )
        brush.rect(x, stage.y(top) + 0.4 * u, wide, 0.8 * u, clear(light.ink, 0.3))
    _billboard(stage, stage.x(0.062), stage.y(0.42) - 1.4 * u)


def _billboard(stage: Stage, x: float, foot: float) -> None:
    """A board on the nearest roof in the film's own colour, lit when lamps are."""
    light, u, brush = stage.light, measure(stage), stage.back
    iron = light.shaded(far_off(light, "#4a4f58", 0.9), 0.4)
    for leg in (-7, 0, 7):
        brush.rect(x + leg * u - 0.25 * u, foot - 4 * u, 0.5 * u, 4 * u, iron)
    colour = mix(far_off(light, stage.accent, 0.92), stage.accent, 0.75 * light.lamps)
    brush.rect(x - 9.4 * u, foot - 14.4 * u, 18.8 * u, 10.8 * u, iron)
    stops = [(0.0, light.lit(colour, 0.12)), (1.0, light.shaded(colour, 0.22))]
    brush.rect(
        x - 8.8 * u,
        foot - 13.8 * u,
        17.6 * u,
        9.6 * u,
        brush.linear((0, foot - 14 * u), (0, foot - 4 * u), stops),
    )
    pale = lighter(colour, 0.7)
    brush.circle(x - 4.4 * u, foot - 9 * u, 2.7 * u, pale)
    for row, wide in ((0, 8.4), (1, 6.6), (2, 4.2)):
        brush.rect(
            x - 0.6 * u, foot - (11.4 - 2.2 * row) * u, wide * u, 1.1 * u, pale, radius=0.5 * u
        )
    if light.lamps > 0:
        brush.glow(x, foot - 9 * u, 17 * u, stage.accent, 0.5 * light.lamps)


def _roof(stage: Stage) -> None:
    """The deck, and the wall around it with its coping in the light."""
    light, u, brush = stage.light, stage.unit, stage.middle
    edge, deck = stage.y(_EDGE), stage.y(0.845)
    wide = stage.right - stage.left
    brick = near_by(light, "#8b5a48")
    stops = [(0.0, brick), (1.0, light.shaded(brick, 0.5))]
    brush.rect(stage.left, edge, wide, deck - edge, brush.linear((0, edge), (0, deck), stops))
    lines = []
    for row in range(1, 6):
        y = edge + (deck - edge) * row / 6
        lines.append(
            [
                (stage.left, y),
                (stage.right, y),
                (stage.right, y + 0.14 * u),
                (stage.left, y + 0.14 * u),
            ]
        )
        shift = 2.4 * u if row % 2 else 0.0
        x = stage.left + shift
        while x < stage.right:
            lines.append(
                [
                    (x, y),
                    (x + 0.14 * u, y),
                    (x + 0.14 * u, y + (deck - edge) / 6),
                    (x, y + (deck - edge) / 6),
                ]
            )
            x += 4.8 * u
    many(brush, lines, clear(light.ink, 0.16))
    stone = near_by(light, "#b9ae9f")
    brush.rect(stage.left, edge - 1.6 * u, wide, 1.9 * u, light.lit(stone, 0.35))
    brush.rect(stage.left, edge + 0.3 * u, wide, 0.8 * u, light.shaded(stone, 0.5))
    floor = near_by(light, "#6c6a6b")
    ground = [(0.0, light.lit(floor, 0.16)), (0.4, floor), (1.0, light.shaded(floor, 0.5))]
    brush.rect(
        stage.left,
        deck,
        wide,
        stage.bottom - deck,
        brush.linear((0, deck), (0, stage.bottom), ground),
    )
    brush.rect(stage.left, deck, wide, 1.6 * u, clear(light.ink, 0.3))
    seams = [
        [
            (stage.x(0.5) + k * 22 * u, deck),
            (stage.x(0.5) + k * 22.4 * u, deck),
            (stage.x(0.5) + k * 52.6 * u, stage.bottom),
            (stage.x(0.5) + k * 52 * u, stage.bottom),
        ]
        for k in (-4, -3, -2, -1, 1, 2, 3, 4)
    ]
    many(brush, seams, clear(light.ink, 0.2))
    if light.name in NIGHTS:
        for x in (stage.x(0.3), stage.x(0.7)):
            brush.glow(x, deck + 4 * u, 30 * u, "#ffcf87", 0.14 * light.lamps)


def _tank(stage: Stage) -> None:
    """The water tank on its legs, dark against the sky."""
    light, u, brush = stage.light, measure(stage), stage.middle
    x, foot = stage.x(0.83), stage.y(_EDGE) - 1.4 * stage.unit
    wood = near_by(light, "#8a6247")
    iron = light.shaded(near_by(light, "#4b4e55"), 0.4)
    top, low, half = foot - 36 * u, foot - 15 * u, 8.5 * u
    for leg in (-0.8, -0.28, 0.28, 0.8):
        brush.rect(x + leg * half - 0.45 * u, low, 0.9 * u, foot - low, iron)
    for start, end in ((-0.8, -0.28), (0.28, 0.8), (-0.28, 0.28)):
        for y0, y1 in ((low + 2 * u, foot - 2 * u), (foot - 2 * u, low + 2 * u)):
            brush.line([(x + start * half, y0), (x + end * half, y1)], iron, 0.35 * u)
    brush.rect(x - half * 1.1, low - 0.6 * u, half * 2.2, 1.4 * u, iron)
    bright, dark = light.lit(wood, 0.42), light.shaded(wood, 0.62)
    ends = (bright, dark) if light.side < 0 else (dark, bright)
    fill = brush.linear(
        (x - half, 0),
        (x + half, 0),
        [
            (0.0, mix(ends[0], wood, 0.3)),
            (0.22, ends[0]),
            (0.55, wood),
            (0.85, ends[1]),
            (1.0, mix(ends[1], wood, 0.3)),
        ],
    )
    brush.rect(x - half, top, 2 * half, low - top, fill)
    staves = [
        [
            (x + half * k / 5, top),
            (x + half * k / 5 + 0.2 * u, top),
            (x + half * k / 5 + 0.2 * u, low),
            (x + half * k / 5, low),
        ]
        for k in (-4, -3, -2, -1, 0, 1, 2, 3, 4)
    ]
    many(brush, staves, clear(light.ink, 0.22))
    for share in (0.16, 0.44, 0.74):
        brush.rect(x - half, top + (low - top) * share, 2 * half, 0.55 * u, iron)
    roof: list[Point] = [
        (x - half * 1.12, top + 0.4 * u),
        (x, top - 8 * u),
        (x + half * 1.12, top + 0.4 * u),
    ]
    brush.poly(roof, light.shaded(wood, 0.5))
    brush.poly(
        [roof[0 if light.side < 0 else 2], roof[1], (x, top + 0.4 * u)],
        light.lit(light.shaded(wood, 0.35), 0.24),
    )


def _things(stage: Stage) -> None:
    """A vent, a chimney, an aerial, and a string of bulbs."""
    light, u, brush = stage.light, measure(stage), stage.middle
    foot = stage.y(0.845)
    steel = near_by(light, "#8d9499")
    x = stage.x(0.13)
    bright, dark = light.lit(steel, 0.36), light.shaded(steel, 0.45)
    west, east = (bright, dark) if light.side < 0 else (dark, bright)
    brush.rect(x - 7 * u, foot - 11 * u, 9 * u, 12 * u, west)
    brush.rect(x + 2 * u, foot - 11 * u, 4.6 * u, 12 * u, east)
    brush.rect(x - 7.6 * u, foot - 12 * u, 14.8 * u, 1.4 * u, light.lit(steel, 0.45))
    slats = [
        [
            (x - 6 * u, foot - y * u),
            (x + u, foot - y * u),
            (x + u, foot - (y - 0.6) * u),
            (x - 6 * u, foot - (y - 0.6) * u),
        ]
        for y in (9, 7.4, 5.8, 4.2)
    ]
    many(brush, slats, clear(light.ink, 0.5))
    pole = light.shaded(steel, 0.6)
    aerial, top = stage.x(0.25), stage.y(_EDGE) - 24 * u
    brush.rect(aerial - 0.2 * u, top, 0.4 * u, 24 * u, pole)
    for index, half in enumerate((3.6, 3.0, 2.4, 1.8)):
        brush.rect(aerial - half * u, top + (1.5 + 2 * index) * u, 2 * half * u, 0.28 * u, pole)
    start, end = (aerial, top + 1 * u), (stage.x(0.83) - 8 * u, stage.y(_EDGE) - 30 * u)
    line = [
        (
            start[0] + (end[0] - start[0]) * t / 12,
            start[1] + (end[1] - start[1]) * t / 12 + 11 * u * (1 - (t / 6 - 1) ** 2),
        )
        for t in range(13)
    ]
    brush.curve(line, clear(light.ink, 0.75), 0.22 * u)
    bulbs = [(bx, by + 0.7 * u, 0.55 * u, 0.7 * u) for bx, by in line[1:-1]]
    dabs(brush, bulbs, mix(light.lit(steel, 0.4), "#ffe9b8", 0.3 + 0.7 * light.lamps))
    if light.lamps > 0:
        for bx, by, _, _ in bulbs:
            brush.glow(bx, by, 3.4 * u, "#ffd08a", 0.7 * light.lamps)


def _front(stage: Stage) -> None:
    """A pot plant's leaves in one lower corner."""
    light, u, brush, chance = stage.light, stage.unit, stage.front, stage.chance("plant")
    dark = mix(near_by(light, "#38603c"), light.ink, 0.4)
    for fill, shift in ((dark, 0.0), (light.lit(dark, 0.16), -1.2)):
        for _ in range(9):
            x = stage.left + stage.bleed + chance.uniform(-16, 9) * u
            y = stage.height - chance.uniform(-12, 13) * u
            dabs(brush, leaves(chance, x + shift * u, y + shift * u, 3.6 * u, 10), fill)
    dabs(brush, [(stage.x(1.02), stage.height + 6 * u, 12 * u, 9 * u)], lighter(dark, 0.04))
