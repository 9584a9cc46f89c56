"""What stands above every place outdoors: the sky, its sun or moon, clouds, stars, birds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.stage import Stage

_NIGHTS = frozenset({"moonlight", "neon_night", "blue_hour"})


def paint_sky(stage: Stage, *, down_to: float, sun: float | None = None) -> None:
    """The sky from the top of the layer down to a height, with its light at a part of the width.

    Args:
        stage: painted on its back.
        down_to: pixels; where the sky ends.
        sun: where the sun or moon is, as a part of the width; None: where the light comes from.
    """
    light, brush = stage.light, stage.back
    height = down_to - stage.upper
    stops = [(0.0, light.top), (0.55, light.mid), (0.9, light.low), (1.0, light.low)]
    brush.rect(
        stage.left,
        stage.upper,
        stage.right - stage.left,
        height + 2,
        brush.linear((0, stage.upper), (0, down_to), stops),
    )
    place = sun if sun is not None else 0.5 + light.side * 0.24
    if light.name in _NIGHTS:
        _stars(stage, down_to)
        _moon(stage, brush, place)
    else:
        _sun(stage, brush, place, down_to)
    _clouds(stage, brush, down_to)


def _sun(stage: Stage, brush: Brush, place: float, down_to: float) -> None:
    light, u = stage.light, stage.unit
    is_low = light.name in {"dawn", "golden_hour"}
    x = stage.x(place)
    y = down_to - (9 * u if is_low else 44 * u)
    if light.name == "soft_day":
        brush.glow(x, y, 60 * u, light.glow, 0.5)
        return
    brush.glow(x, y, 95 * u, light.glow, 0.55 if is_low else 0.4)
    brush.glow(x, y, 34 * u, lighter(light.glow, 0.4), 0.75)
    brush.circle(x, y, (6.6 if is_low else 4) * u, lighter(light.glow, 0.55))


def _moon(stage: Stage, brush: Brush, place: float) -> None:
    light, u = stage.light, stage.unit
    if light.name == "neon_night":
        return
    x, y = stage.x(place), stage.y(0.2)
    brush.glow(x, y, 40 * u, light.rim, 0.45)
    brush.circle(x, y, 4.4 * u, lighter(light.rim, 0.35))
    with brush.blended("multiply", 0.18):
        for dx, dy, r in ((-1.3, -0.8, 1.0), (1.1, 0.9, 1.4), (0.4, -1.9, 0.6)):
            brush.circle(x + dx * u, y + dy * u, r * u, light.mid)


def _stars(stage: Stage, down_to: float) -> None:
    chance, u = stage.chance("stars"), stage.unit
    strength = 0.3 if stage.light.name == "neon_night" else 0.8
    for _ in range(90):
        x = chance.uniform(stage.left, stage.right)
        y = chance.uniform(stage.upper, down_to * 0.75)
        size = chance.choice((0.1, 0.13, 0.2)) * u
        fade = strength * (1 - y / down_to) * chance.uniform(0.4, 1)
        stage.back.circle(x, y, size, clear("#ffffff", fade))


def _clouds(stage: Stage, brush: Brush, down_to: float) -> None:
    """Long bands, lit from below or from the side of the light."""
    light, chance, u = stage.light, stage.chance("clouds"), stage.unit
    colour = mix(light.mid, light.glow, 0.42)
    with brush.soft(1.3 * u):
        for index in range(9):
            y = down_to * (0.12 + 0.62 * index / 9) + chance.uniform(-3, 3) * u
            x = chance.uniform(stage.left, stage.right)
            wide = chance.uniform(14, 42) * u
            alpha = chance.uniform(0.16, 0.4)
            brush.ellipse(x, y, wide, chance.uniform(0.5, 1.5) * u, clear(colour, alpha))
            brush.ellipse(
                x + wide * 0.3, y + 0.9 * u, wide * 0.6, 0.8 * u, clear(light.top, alpha * 0.6)
            )


def paint_birds(stage: Stage, *, count: int = 6, around: tuple[float, float] = (0.3, 0.25)) -> None:
    """A few birds, far away."""
    chance, u = stage.chance("birds"), stage.unit
    for _ in range(count):
        x = stage.x(around[0]) + chance.uniform(-16, 16) * u
        y = stage.y(around[1]) + chance.uniform(-7, 7) * u
        span = chance.uniform(0.8, 1.5) * u
        wings = [(x - span, y), (x - span * 0.4, y - span * 0.34), (x, y)]
        others = [(x, y), (x + span * 0.4, y - span * 0.34), (x + span, y)]
        for wing in (wings, others):
            stage.back.curve(wing, clear(stage.light.ink, 0.75), 0.22 * u)
