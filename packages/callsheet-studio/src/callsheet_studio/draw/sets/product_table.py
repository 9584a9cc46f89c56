"""The product's place: a plinth in its pool of light, before a backdrop without an edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix, shifted

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Fill
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
SURFACE = (0.5, 0.655)
LOOK = (0.5, 0.56)

_FLAT = 0.2
"""How flat circles that lie are seen."""
_HORIZON = 0.62


def paint(stage: Stage) -> None:
    """Backdrop and its forms behind, the plinth in the middle, one soft form before the camera."""
    _cove(stage)
    _strips(stage)
    _disc(stage)
    _slats(stage)
    u = _measure(stage)
    _floor(stage)
    away = -1 if stage.light.side > 0 else 1
    _cylinder(
        stage, "back", (stage.x(0.5) - away * 40 * u, stage.y(0.8)), (11 * u, 30 * u), stage.accent
    )
    _arch(stage, (stage.x(0.5) + away * 42 * u, stage.y(0.775)), u)
    _ball(stage, (stage.x(0.5) + away * 31 * u, stage.y(0.835)), 5.2 * u)
    _plinth(stage, u)
    _near(stage)


def _measure(stage: Stage) -> float:
    """A hundredth of what the frame has room for, so that forms beside the plinth are seen."""
    return min(stage.unit, stage.width / 108)


def _tone(stage: Stage, colour: str, depth: float = 0.85) -> str:
    light = stage.light
    seen = light.shaded(light.air(colour, depth), 0.25 * light.dark)
    return shifted(seen, saturation=1.3, value=1 - 0.25 * light.dark)


def _cove(stage: Stage) -> None:
    """A backdrop that becomes the floor: only light tells them apart."""
    light, brush, spare = stage.light, stage.back, stage.bleed
    left, top = stage.left - spare, stage.upper - spare
    wide, high = stage.whole[0] + 2 * spare, stage.whole[1] + 2 * spare
    wall = mix(light.mid, stage.accent, 0.12 * (1 - light.dark) ** 3)
    x, y = stage.x(0.5 + 0.12 * (1 if light.side > 0 else -1)), stage.y(0.42)
    reach = max(stage.width, stage.height) * 0.78
    stops = [
        (0.0, mix(light.low, light.glow, 0.35 * (1 - light.dark) ** 2)),
        (0.3, mix(light.low, wall, 0.35)),
        (0.65, light.shaded(wall, 0.12 + 0.3 * light.dark)),
        (1.0, light.shaded(light.top, 0.2 + 0.45 * light.dark)),
    ]
    brush.rect(left, top, wide, high, brush.radial((x, y), reach, stops))


def _strips(stage: Stage) -> None:
    """Two lights at the edges, as tall as the picture: what draws the edges of a product."""
    light, brush = stage.light, stage.back
    strength = 0.35 + 0.4 * light.hard + 0.2 * light.dark
    for share, way in ((0.055, -1), (0.945, 1)):
        main = way * light.side > 0
        colour = light.glow if main else mix(light.rim, stage.accent, 0.5)
        x, wide, high = stage.x(share), stage.x(0.012), stage.height * 0.62
        alpha = strength * (1.0 if main else 0.6)
        fade = [
            (0, clear(colour, alpha * 0.6)),
            (0.3, clear(colour, alpha * 0.2)),
            (1, clear(colour, 0)),
        ]
        reach = stage.height * 0.5
        with brush.blended("screen"):
            brush.circle(x, stage.y(0.36), reach, brush.radial((x, stage.y(0.36)), reach, fade))
        brush.rect(
            x - wide / 2,
            stage.y(0.05),
            wide,
            high,
            clear(lighter(colour, 0.4), min(alpha + 0.2, 1)),
            radius=wide / 2,
        )


def _disc(stage: Stage) -> None:
    """One large circle in the film's colour: a sun behind the product."""
    light, brush = stage.light, stage.back
    x, y, size = stage.x(0.5), stage.y(0.4), min(stage.height * 0.33, stage.width * 0.4)
    tint = mix(_tone(stage, stage.accent, 0.7), light.low, 0.25 - 0.2 * light.dark)
    ends = ((x - size, y - size), (x + size * 0.6, y + size))
    if light.side > 0:
        ends = ((x + size, y - size), (x - size * 0.6, y + size))
    fill = brush.linear(
        *ends, [(0, light.lit(tint, 0.45)), (0.6, tint), (1, light.shaded(tint, 0.3))]
    )
    brush.circle(
        x + 1.4 * stage.unit * -light.side, y + stage.unit, size * 1.015, clear(light.ink, 0.12)
    )
    brush.circle(x, y, size, fill)
    brush.circle(x, y, size * 0.78, clear(light.glow, 0.1))


def _slats(stage: Stage) -> None:
    """Light through a blind, across the backdrop: where the light is hard."""
    light, brush, u = stage.light, stage.back, stage.unit
    if light.hard < 0.25:  # noqa: PLR2004 -- soft light throws no shadows
        return
    way = 1 if light.side < 0 else -1
    x = stage.x(0.5) - way * stage.width * 0.42
    with brush.blended("screen"), brush.soft(0.9 * u):
        for row in range(6):
            y = stage.y(0.08) + row * 7.4 * u
            drop, reach = 12 * u, stage.width * 0.5
            band = [
                (x, y),
                (x + way * reach, y + drop),
                (x + way * reach, y + drop + 3.6 * u),
                (x, y + 3.6 * u),
            ]
            fill = brush.linear(
                (x, y),
                (x + way * reach, y),
                [(0, clear(light.key, 0.32)), (1, clear(light.key, 0))],
            )
            brush.poly(band, fill)


def _floor(stage: Stage) -> None:
    """The floor: a shine that comes out of the backdrop, and a mirror of the disc in it."""
    light, brush, spare = stage.light, stage.back, stage.bleed
    y, low = stage.y(_HORIZON), stage.bottom + spare
    left, wide = stage.left - spare, stage.whole[0] + 2 * spare
    base = mix(light.low, light.near, 0.3 + 0.3 * light.dark)
    ground = light.shaded(
        mix(base, stage.accent, 0.1 * (1 - light.dark) ** 3), 0.1 + 0.6 * light.dark
    )
    stops = [
        (0.0, clear(ground, 0.0)),
        (0.3, clear(ground, 0.85)),
        (1.0, light.shaded(ground, 0.35)),
    ]
    brush.rect(left, y, wide, low - y, brush.linear((0, y), (0, low), stops))
    x, reach = stage.x(0.5), min(stage.height * 0.42, stage.width * 0.5)
    brush.ctx.save()
    brush.ctx.translate(x, stage.y(0.87))
    brush.ctx.scale(1, 0.24)
    fade = [(0, clear(light.glow, 0.5)), (0.5, clear(light.key, 0.2)), (1, clear(light.key, 0))]
    with brush.blended("screen", 0.9):
        brush.circle(0, 0, reach * 1.3, brush.radial((0, 0), reach * 1.3, fade))
    brush.ctx.restore()


def _round(stage: Stage, brush: Brush, x: float, half: float, tone: str) -> Fill:
    """Across something round: an edge light, the body, its shadow, the other edge light."""
    light = stage.light
    edge = lighter(light.lit(tone, 0.7), 0.15)
    stops = [
        (0.0, edge),
        (0.05, light.lit(tone, 0.42)),
        (0.32, light.lit(tone, 0.12)),
        (0.72, light.shaded(tone, 0.36)),
        (0.94, light.shaded(tone, 0.5)),
        (1.0, mix(tone, light.rim, 0.45)),
    ]
    ends = ((x - half, 0), (x + half, 0)) if light.side < 0 else ((x + half, 0), (x - half, 0))
    return brush.linear(*ends, stops)


def _cast(stage: Stage, brush: Brush, at: tuple[float, float], half: float) -> None:
    """A soft shadow on the floor, away from the light."""
    light, (x, y) = stage.light, at
    brush.ctx.save()
    brush.ctx.translate(x - light.side * half * 0.9, y)
    brush.ctx.scale(1, _FLAT * 0.9)
    reach = half * 1.9
    strength = 0.34 + 0.2 * light.hard
    fade = [
        (0, clear(light.ink, strength)),
        (0.5, clear(light.ink, strength * 0.6)),
        (1, clear(light.ink, 0)),
    ]
    brush.circle(0, 0, reach, brush.radial((0, 0), reach, fade))
    brush.ctx.restore()


def _mirror(
    stage: Stage, brush: Brush, at: tuple[float, float], size: tuple[float, float], tone: str
) -> None:
    """What a polished floor gives back of something round that stands on it."""
    (x, y), (half, high) = at, size
    fill = brush.linear(
        (0, y), (0, y + high), [(0, clear(stage.light.shaded(tone, 0.2), 0.4)), (1, clear(tone, 0))]
    )
    brush.rect(x - half, y, 2 * half, high, fill)


def _cylinder(
    stage: Stage, layer: str, foot: tuple[float, float], size: tuple[float, float], colour: str
) -> None:
    """Half its width and its height; `foot` is the middle of its base."""
    brush: Brush = getattr(stage, layer)
    light, (x, y), (half, high) = stage.light, foot, size
    tone, flat = _tone(stage, colour), half * _FLAT
    _cast(stage, brush, (x, y), half)
    _mirror(stage, brush, (x, y), (half, high * 0.5), tone)
    body = _round(stage, brush, x, half, tone)
    brush.ellipse(x, y, half, flat, body)
    brush.rect(x - half, y - high, 2 * half, high, body)
    top = light.lit(tone, 0.4)
    ends = ((x - half, y), (x + half, y)) if light.side < 0 else ((x + half, y), (x - half, y))
    brush.ellipse(x, y - high, half, flat, lighter(light.lit(tone, 0.6), 0.2))
    plate = brush.linear(*ends, [(0, lighter(top, 0.12)), (1, light.shaded(top, 0.22))])
    brush.ellipse(x, y - high + flat * 0.06, half * 0.985, flat * 0.95, plate)


def _plinth(stage: Stage, u: float) -> None:
    """Two discs, one on the other; the product stands on the upper."""
    light = stage.light
    x, top = stage.x(SURFACE[0]), stage.y(SURFACE[1])
    pale = mix("#f1ece4", stage.accent, 0.1)
    low = top + 22 * u
    _cylinder(stage, "middle", (x, low), (34 * u, 6 * u), mix(pale, stage.accent, 0.22))
    _cylinder(stage, "middle", (x, low - 6 * u), (25 * u, 14 * u), pale)
    stage.middle.ellipse(x, low - 20 * u, 17 * u, 17 * u * _FLAT, clear(light.glow, 0.22))


def _arch(stage: Stage, foot: tuple[float, float], u: float) -> None:
    """Half a gate, standing: a form with weight on the side away from the light."""
    brush, light, (x, y) = stage.back, stage.light, foot
    tone = _tone(stage, mix("#e6ded2", stage.accent, 0.3), 0.75)
    half, high, hole = 13 * u, 34 * u, 6.4 * u
    _cast(stage, brush, (x, y), half)
    deep = 3 * u * (1 if light.side < 0 else -1)
    for shift, fill in (
        (deep, light.shaded(tone, 0.5)),
        (
            0.0,
            brush.linear(
                (x, y - high), (x, y), [(0, light.lit(tone, 0.35)), (1, light.shaded(tone, 0.16))]
            ),
        ),
    ):
        left, right, rise = x - half + shift, x + half + shift, y - high + half
        outer = f"M {left} {y} V {rise} A {half} {half} 0 0 1 {right} {rise} V {y}"
        within = f"H {x + hole + shift} V {rise} A {hole} {hole} 0 0 0 {x - hole + shift} {rise}"
        path = f"{outer} {within} V {y} Z"
        brush.path(path, fill)
    _mirror(stage, brush, (x - half * 0.75, y), (half * 0.25, 8 * u), tone)
    _mirror(stage, brush, (x + half * 0.75, y), (half * 0.25, 8 * u), tone)


def _ball(stage: Stage, foot: tuple[float, float], size: float) -> None:
    brush, light, (x, y) = stage.back, stage.light, foot
    tone = _tone(stage, mix(stage.accent, "#ffffff", 0.1))
    _cast(stage, brush, (x, y), size)
    way = 1 if light.side > 0 else -1
    centre = (x + way * size * 0.4, y - size * 1.4)
    stops = [(0.0, lighter(light.lit(tone, 0.6), 0.2)), (0.5, tone), (1.0, light.shaded(tone, 0.6))]
    brush.circle(x, y - size, size, brush.radial(centre, size * 1.5, stops))


def _near(stage: Stage) -> None:
    """One form at the edge, so near that it is only colour."""
    light, brush, u = stage.light, stage.front, _measure(stage)
    way = 1 if light.side > 0 else -1
    x, y = stage.x(0.5 + way * 0.5), stage.bottom - 2 * u
    tone = light.shaded(_tone(stage, stage.accent, 1.0), 0.25)
    with brush.soft(1.8 * stage.unit):
        stops = [(0.0, light.lit(tone, 0.35)), (1.0, light.shaded(tone, 0.3))]
        brush.circle(x, y, 13 * u, brush.radial((x, y - 8 * u), 18 * u, stops))
