"""The car's interior: seen from the dashboard, the seats and the rear window, the road outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

GROUND = 1.02
SPOTS = ((0.36, 1.02, 1.05), (0.66, 1.02, 1.05))
LOOK = (0.5, 0.46)

_CLOTH, _TRIM, _ROOF = "#4a525c", "#23282e", "#8d8a84"


def paint(stage: Stage) -> None:
    """Windows all around, the bench between them, and before it the edge of the dashboard."""
    _outside(stage)
    _shell(stage)
    _seats(stage)
    _front(stage)


def _outside(stage: Stage) -> None:
    """What passes by: a sky and houses by day, lights out of focus by night."""
    light, brush = stage.light, stage.back
    wide, high = stage.right - stage.left, stage.bottom - stage.upper
    stops = [(0.0, light.top), (0.45, light.mid), (0.7, light.low), (1.0, light.near)]
    fill = brush.linear((0, stage.y(0.05)), (0, stage.y(0.75)), stops)
    brush.rect(stage.left, stage.upper, wide, high, fill)
    chance = stage.chance("passing")
    for _ in range(14):
        x = chance.uniform(stage.left, stage.right)
        broad, tall = stage.x(chance.uniform(0.05, 0.12)), stage.y(chance.uniform(0.12, 0.34))
        colour = light.air("#6f7780", chance.uniform(0.2, 0.6))
        brush.rect(x, stage.y(0.6) - tall, broad, tall, colour)
    brush.rect(stage.left, stage.y(0.6), wide, stage.y(0.2), light.air("#5d6063", 0.5))
    if light.dark or light.lamps:
        colours = ("#ffcf7a", "#ff8f5a", "#fff1c8", "#8fd0ff", stage.accent)
        for number in range(34):
            x = chance.uniform(stage.left, stage.right)
            y = stage.y(chance.uniform(0.16, 0.62))
            radius = chance.uniform(0.8, 2.8) * stage.unit
            glow = clear(colours[number % len(colours)], chance.uniform(0.25, 0.75))
            brush.circle(x, y, radius, glow)


def _shell(stage: Stage) -> None:
    """Roof, pillars and doors around the windows."""
    light, brush = stage.light, stage.back
    roof = light.air(_ROOF, 0.9)
    trim = light.air(_TRIM, 0.95)
    wide = stage.right - stage.left
    stops = [(0.0, light.shaded(roof, 0.35)), (1.0, light.lit(roof, 0.1))]
    fill = brush.linear((0, stage.upper), (0, stage.y(0.16)), stops)
    brush.rect(stage.left, stage.upper, wide, stage.y(0.16) - stage.upper, fill)
    brush.rect(stage.left, stage.y(0.6), wide, stage.bottom - stage.y(0.6), trim)
    for side in (-1, 1):
        outer, inner = stage.x(0.5 + side * 0.26), stage.x(0.5 + side * 0.215)
        pillar = [
            (inner, stage.y(0.15)),
            (outer, stage.y(0.15)),
            (stage.x(0.5 + side * 0.33), stage.y(0.62)),
            (stage.x(0.5 + side * 0.275), stage.y(0.62)),
        ]
        brush.poly(pillar, trim)
        edge = stage.left if side < 0 else stage.right
        door = [
            (edge, stage.y(0.56)),
            (stage.x(0.5 + side * 0.32), stage.y(0.6)),
            (stage.x(0.5 + side * 0.36), stage.bottom),
            (edge, stage.bottom),
        ]
        brush.poly(door, light.shaded(trim, 0.15))
        handle = stage.x(0.5 + side * 0.43)
        brush.rect(
            handle - 3 * stage.unit,
            stage.y(0.69),
            6 * stage.unit,
            1.4 * stage.unit,
            light.lit(trim, 0.35),
            radius=stage.unit * 0.6,
        )
        brush.line(
            [(inner, stage.y(0.15)), (stage.x(0.5 + side * 0.275), stage.y(0.62))],
            clear(light.rim, 0.5),
            0.4 * stage.unit,
        )
    mirror = stage.x(0.44), stage.y(0.1), stage.x(0.12), stage.y(0.065)
    brush.rect(
        mirror[0], mirror[1], mirror[2], mirror[3], light.shaded(trim, 0.3), radius=2 * stage.unit
    )
    brush.rect(
        mirror[0] + stage.unit,
        mirror[1] + stage.unit,
        mirror[2] - 2 * stage.unit,
        mirror[3] - 2 * stage.unit,
        mix(light.mid, light.glow, 0.4),
        radius=1.4 * stage.unit,
    )


def _seats(stage: Stage) -> None:
    """The bench with its head rests, behind whoever sits there."""
    light, brush = stage.light, stage.back
    cloth = light.air(_CLOTH, 0.95)
    for x in (0.36, 0.64):
        left, wide = stage.x(x - 0.125), stage.x(0.25)
        brush.rect(
            stage.x(x - 0.05),
            stage.y(0.4),
            stage.x(0.1),
            stage.y(0.15),
            light.shaded(cloth, 0.2),
            radius=3 * stage.unit,
        )
        stops = [(0.0, light.lit(cloth, 0.22)), (0.6, cloth), (1.0, light.shaded(cloth, 0.35))]
        fill = brush.linear(
            (left, 0),
            (left + wide, 0),
            stops if light.side < 0 else [(1 - at, c) for at, c in reversed(stops)],
        )
        brush.rect(
            left, stage.y(0.53), wide, stage.bottom - stage.y(0.53), fill, radius=5 * stage.unit
        )
        for share in (0.3, 0.7):
            seam = [(left + wide * share, stage.y(0.56)), (left + wide * share, stage.bottom)]
            brush.line(seam, clear(light.ink, 0.25), 0.4 * stage.unit)


def _front(stage: Stage) -> None:
    """The edge of the dashboard and the wheel, before everybody."""
    light, brush = stage.light, stage.front
    trim = light.shaded(light.air(_TRIM, 1.0), 0.25)
    top = stage.y(0.93)
    body = [
        (stage.left, top + 3 * stage.unit),
        (stage.x(0.3), top),
        (stage.x(0.7), top),
        (stage.right, top + 3 * stage.unit),
        (stage.right, stage.bottom),
        (stage.left, stage.bottom),
    ]
    brush.poly(body, trim)
    brush.line(body[:4], clear(light.rim, 0.4), 0.5 * stage.unit)
