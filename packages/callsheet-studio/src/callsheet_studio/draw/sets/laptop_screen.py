"""The laptop on a desk: its screen large, a few good things around it, the room falls off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.devices import LID, paint_laptop
from callsheet_studio.draw.dressing import leaf
from callsheet_studio.draw.screens import screen_of

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.screens import Screen
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
SURFACE = (0.84, 0.86)
LOOK = (0.5, 0.44)


def paint(stage: Stage) -> None:
    """Wall and window behind, desk and laptop in the middle, a leaf before the camera."""
    light, is_wide = stage.light, stage.width > stage.height
    screen = screen_of(stage.words, "laptop", light, accent=stage.accent, brand=stage.brand)
    wide = min(stage.width * (0.53 if is_wide else 0.84), stage.height)
    hinge = stage.y(0.715 if is_wide else 0.66)
    desk = hinge - wide * 0.075
    _wall(stage, desk)
    _on_wall(stage, wide, desk)
    _desk(stage, desk)
    _lamp(stage, desk, wide)
    _plant(stage, desk, wide)
    x = stage.x(0.5)
    stage.middle.glow(x, hinge - wide * 0.3, wide * 0.95, screen.shine, 0.12 + 0.5 * light.dark)
    paint_laptop(stage.middle, light, screen, x=x, y=hinge, wide=wide, seed=stage.seed)
    _shine(stage, screen, (x, hinge + wide * 0.2), wide)
    _mug(stage, (x + wide * 0.68, hinge + wide * 0.1), wide * 0.1)
    _notebook(stage, (x - wide * 0.72, hinge + wide * 0.1), wide)
    if not is_wide:
        _mug(stage, (x + wide * 0.36, hinge + wide * 0.46), wide * 0.13)
        _notebook(stage, (x - wide * 0.22, hinge + wide * 0.42), wide * 1.3)
    _near(stage)


def _wall(stage: Stage, desk: float) -> None:
    light, brush, side = stage.light, stage.back, stage.light.side
    spare = stage.bleed
    night = 0.65 * light.dark
    lit, dim = light.shaded(light.low, night), light.shaded(light.mid, 0.2 + night)
    ends = (stage.left, stage.right) if side < 0 else (stage.right, stage.left)
    fill = brush.linear(
        (ends[0], stage.upper),
        (ends[1], desk),
        [(0, lit), (0.5, mix(lit, dim, 0.7)), (1, light.shaded(dim, 0.3))],
    )
    brush.rect(
        stage.left - spare,
        stage.upper - spare,
        stage.whole[0] + 2 * spare,
        stage.whole[1] + 2 * spare,
        fill,
    )
    if light.dark < 0.3:  # noqa: PLR2004 -- sun only where there is light
        _sun(stage)


def _sun(stage: Stage) -> None:
    """What a window throws on the wall: four panes, leaning."""
    light, brush, u = stage.light, stage.back, stage.unit
    way = 1 if light.side < 0 else -1
    x, y = stage.x(0.5 - way * 0.34), stage.y(0.1)
    with brush.blended("screen"), brush.soft((0.3 + 1.6 * (1 - light.hard)) * u):
        for column in range(2):
            for row in range(2):
                left, top = x + way * column * 15 * u, y + row * 25 * u + column * 5 * u
                pane = [
                    (left, top),
                    (left + way * 13.5 * u, top + 4.5 * u),
                    (left + way * 13.5 * u, top + 27 * u),
                    (left, top + 22.5 * u),
                ]
                brush.poly(pane, clear(light.glow, 0.32 + 0.2 * light.hard))


def _on_wall(stage: Stage, wide: float, desk: float) -> None:
    """A shelf with books, and a print in the film's colour."""
    light, brush, u, chance = stage.light, stage.back, stage.unit, stage.chance("shelf")
    tall = desk - wide * LID
    y = tall - 10 * u if stage.width <= stage.height else stage.y(0.24)
    x = stage.x(0.66 if stage.width <= stage.height else 0.8)
    wood = light.shaded(light.air("#a67c55", 0.6), 0.2 + 0.5 * light.dark)
    reach = 32 * u if stage.width > stage.height else stage.x(0.5)
    brush.rect(x, y + 1.4 * u, reach, 2.4 * u, clear(light.ink, 0.16))
    at = x + u
    while at < x + reach - 5 * u:
        thick, high = chance.uniform(1.4, 3) * u, chance.uniform(9, 14) * u
        colour = light.air(
            chance.choice(("#b9a98f", "#5d7380", "#d8cfbd", "#8a5a44", stage.accent)), 0.55
        )
        brush.rect(at, y - high, thick, high, light.shaded(colour, 0.15 + 0.5 * light.dark))
        brush.rect(at, y - high * 0.8, thick, 0.5 * u, clear(light.key, 0.3))
        at += thick + chance.choice((0.1, 0.1, 2.5)) * u
    brush.rect(x, y, reach, 1.5 * u, wood)
    left = stage.x(0.08)
    if stage.width <= stage.height:
        y += 3 * u
    frame = (left, y - 17 * u, 15 * u, 20 * u)
    brush.rect(frame[0] + 0.8 * u, frame[1] + u, frame[2], frame[3], clear(light.ink, 0.2))
    brush.rect(*frame, light.shaded(light.air("#efe9dd", 0.6), 0.6 * light.dark))
    art = light.shaded(light.air(stage.accent, 0.6), 0.1 + 0.5 * light.dark)
    brush.circle(left + 7.5 * u, frame[1] + 8.5 * u, 4 * u, art)
    brush.rect(
        left + 2.5 * u,
        frame[1] + 12 * u,
        10 * u,
        5.4 * u,
        light.shaded(light.air("#51646f", 0.6), 0.5 * light.dark),
    )


def _desk(stage: Stage, y: float) -> None:
    light, brush, u = stage.light, stage.back, stage.unit
    wood = light.shaded(light.air("#b3834f", 0.85), 0.12 + 0.6 * light.dark)
    lit, dim = light.lit(wood, 0.28), light.shaded(wood, 0.5)
    low, spare = stage.bottom + stage.bleed, stage.bleed
    left, wide = stage.left - spare, stage.whole[0] + 2 * spare
    ends = (stage.left, stage.right) if light.side < 0 else (stage.right, stage.left)
    brush.rect(
        left,
        y,
        wide,
        low - y,
        brush.linear((ends[0], 0), (ends[1], low * 0.2), [(0, lit), (0.55, wood), (1, dim)]),
    )
    brush.rect(
        left,
        y,
        wide,
        low - y,
        brush.linear((0, y), (0, low), [(0, clear(light.ink, 0)), (1, clear(light.ink, 0.45))]),
    )
    for index in range(5):
        row = y + (low - y) * (0.06 + 0.2 * index + 0.03 * index * index)
        brush.rect(left, row, wide, (0.12 + 0.08 * index) * u, clear(light.ink, 0.13))
    brush.rect(left, y, wide, 0.5 * u, clear(light.key, 0.5))
    shade = brush.linear(
        (0, y), (0, y - 9 * u), [(0, clear(light.ink, 0.3)), (1, clear(light.ink, 0))]
    )
    brush.rect(left, y - 9 * u, wide, 9 * u, shade)


def _lamp(stage: Stage, desk: float, wide: float) -> None:
    """A jointed lamp on the side away from the window."""
    light, brush = stage.light, stage.middle
    way = 1 if light.side < 0 else -1
    x, foot, size = stage.x(0.5) + way * wide * 0.66, desk + wide * 0.03, wide * 0.1
    dark = light.shaded(light.air("#39444c", 0.9), 0.3 + 0.3 * light.dark)
    elbow, head = (
        (x + way * size * 0.9, foot - size * 2.6),
        (x - way * size * 0.5, foot - size * 4.4),
    )
    brush.ellipse(x, foot, size * 0.8, size * 0.16, dark)
    for start, end in (((x, foot), elbow), (elbow, head)):
        brush.line((start, end), dark, size * 0.13)
    brush.circle(*elbow, size * 0.16, light.lit(dark, 0.3))
    with brush.moved(*head, turn=way * 0.5):
        shade = (
            (-size * 0.22, -size * 0.3),
            (size * 0.22, -size * 0.3),
            (size * 0.72, size * 0.6),
            (-size * 0.72, size * 0.6),
        )
        tone = light.shaded(light.air(stage.accent, 0.9), 0.15 + 0.3 * light.dark)
        fill = brush.linear(
            (-size * 0.6, 0),
            (size * 0.6, 0),
            [(0, light.lit(tone, 0.4)), (1, light.shaded(tone, 0.4))],
        )
        brush.shape(shade, fill, corners=(2, 3))
        if light.lamps:
            brush.ellipse(0, size * 0.6, size * 0.68, size * 0.16, lighter(light.glow, 0.4))
    if light.lamps:
        brush.glow(
            head[0] - way * size * 0.3,
            head[1] + size * 0.6,
            size * 5,
            light.glow,
            0.55 * light.lamps,
        )


def _plant(stage: Stage, desk: float, wide: float) -> None:
    light, brush, chance = stage.light, stage.middle, stage.chance("plant")
    way = -1 if light.side < 0 else 1
    x, foot, size = stage.x(0.5) + way * wide * 0.66, desk + wide * 0.03, wide * 0.11
    green = light.shaded(light.air("#5c8a5a", 0.85), 0.1 + 0.5 * light.dark)
    for index in range(11):
        tilt = (index - 5) / 5
        tip = (
            x + tilt * size * 1.7 + chance.uniform(-0.2, 0.2) * size,
            foot - size * (3.2 - abs(tilt) * 1.3),
        )
        shade = light.lit(green, 0.25) if tilt * light.side > 0 else light.shaded(green, 0.2)
        shade = light.shaded(shade, 0.16 * (index % 3))
        leaf(brush, (x + tilt * size * 0.2, foot - size * 1.0), tip, size * 0.34, shade)
    pot = light.shaded(light.air("#d9cdbb", 0.85), 0.5 * light.dark)
    ends = (
        ((x - size * 0.6, 0), (x + size * 0.6, 0))
        if light.side < 0
        else ((x + size * 0.6, 0), (x - size * 0.6, 0))
    )
    fill = brush.linear(*ends, [(0, light.lit(pot, 0.4)), (1, light.shaded(pot, 0.45))])
    brush.poly(
        (
            (x - size * 0.6, foot - size * 1.1),
            (x + size * 0.6, foot - size * 1.1),
            (x + size * 0.45, foot),
            (x - size * 0.45, foot),
        ),
        fill,
    )


def _shine(stage: Stage, screen: Screen, at: tuple[float, float], wide: float) -> None:
    """The light of the screen on the desk before it."""
    brush, light = stage.middle, stage.light
    brush.ctx.save()
    brush.ctx.translate(*at)
    brush.ctx.scale(1, 0.3)
    brush.glow(0, 0, wide * 0.8, screen.shine, 0.1 + 0.3 * light.dark)
    brush.ctx.restore()


def _mug(stage: Stage, at: tuple[float, float], size: float) -> None:
    light, brush, (x, y) = stage.light, stage.middle, at
    tone = light.shaded(light.air(stage.accent, 0.95), 0.45 * light.dark)
    ends = (
        ((x - size / 2, 0), (x + size / 2, 0))
        if light.side < 0
        else ((x + size / 2, 0), (x - size / 2, 0))
    )
    fill = brush.linear(
        *ends, [(0, light.lit(tone, 0.5)), (0.45, tone), (1, light.shaded(tone, 0.5))]
    )
    brush.ellipse(x - light.side * size * 0.4, y, size * 0.95, size * 0.16, clear(light.ink, 0.35))
    ring = [
        (x + size * 0.45, y - size * 0.8),
        (x + size * 0.82, y - size * 0.7),
        (x + size * 0.78, y - size * 0.34),
        (x + size * 0.4, y - size * 0.22),
    ]
    brush.curve(ring, light.shaded(tone, 0.3), size * 0.13)
    body = [
        (x - size / 2, y - size),
        (x + size / 2, y - size),
        (x + size * 0.46, y - size * 0.1),
        (x, y + size * 0.06),
        (x - size * 0.46, y - size * 0.1),
    ]
    brush.shape(body, fill, corners=(0, 1))
    brush.ellipse(x, y - size, size / 2, size * 0.13, light.lit(tone, 0.3))
    brush.ellipse(
        x, y - size * 0.98, size * 0.43, size * 0.095, light.shaded(light.air("#3a241a", 1.0), 0.4)
    )
    _steam(brush, clear(light.glow, 0.2), (x, y - size * 1.1), size)


def _steam(brush: Brush, colour: str, at: tuple[float, float], size: float) -> None:
    x, y = at
    for shift in (-0.14, 0.12):
        line = [
            (x + shift * size, y),
            (x + (shift + 0.12) * size, y - size * 0.4),
            (x + (shift - 0.08) * size, y - size * 0.8),
            (x + (shift + 0.06) * size, y - size * 1.15),
        ]
        brush.curve(line, colour, size * 0.09)


def _notebook(stage: Stage, at: tuple[float, float], wide: float) -> None:
    light, brush, (x, y) = stage.light, stage.middle, at
    long, deep = wide * 0.26, wide * 0.1
    paper = light.shaded(light.air("#f3eee2", 0.95), 0.6 * light.dark)
    corners = [
        (x - long * 0.42, y - deep),
        (x + long * 0.5, y - deep),
        (x + long * 0.44, y + deep * 0.6),
        (x - long * 0.6, y + deep * 0.6),
    ]
    brush.poly(
        [(px - light.side * wide * 0.012, py + wide * 0.014) for px, py in corners],
        clear(light.ink, 0.4),
    )
    brush.poly([(px, py + wide * 0.008) for px, py in corners], light.shaded(paper, 0.4))
    brush.poly(corners, paper)
    for row in range(4):
        share = 0.2 + row * 0.2
        start = corners[0][0] + (corners[3][0] - corners[0][0]) * share + long * 0.1
        level = y - deep + deep * 1.6 * share
        brush.line(
            ((start, level), (start + long * (0.62 - 0.12 * (row % 2)), level)),
            clear(light.ink, 0.22),
            wide * 0.003,
        )
    pen = light.shaded(light.air(stage.accent, 1.0), 0.4 * light.dark)
    brush.line(
        ((x - long * 0.1, y + deep * 0.42), (x + long * 0.36, y - deep * 0.72)), pen, wide * 0.011
    )
    brush.line(
        ((x - long * 0.13, y + deep * 0.49), (x - long * 0.1, y + deep * 0.42)),
        light.shaded(pen, 0.7),
        wide * 0.007,
    )


def _near(stage: Stage) -> None:
    """A leaf at the edge, out of focus."""
    light, brush, u = stage.light, stage.front, stage.unit
    green = light.shaded(light.air("#3f6247", 1.0), 0.45 + 0.3 * light.dark)
    x = stage.x(1.02) if light.side > 0 else stage.x(-0.02)
    way = -1 if light.side > 0 else 1
    with brush.soft(0.9 * u):
        for high, reach in ((24, 9), (15, 14), (5, 15)):
            leaf(
                brush,
                (x, stage.bottom),
                (x + way * reach * u, stage.bottom - high * u),
                3.4 * u,
                green,
            )
