"""A phone and a laptop, in perspective, with something on their screens; no hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.display import paint_display

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.display import Screen
    from callsheet_studio.draw.light import Light

PHONE = 0.49
"""The width of a phone in its heights."""
LID = 0.64
"""The height of a laptop's lid in its widths."""
_ROWS = ((0.1, 14), (0.24, 14), (0.38, 13), (0.52, 12))


def paint_phone(  # noqa: PLR0913 -- where and what of a picture
    brush: Brush,
    light: Light,
    screen: Screen,
    *,
    x: float,
    y: float,
    height: float,
    turn: float = 0.0,
    lean: float = 0.0,
    seed: str = "",
) -> None:
    """A phone around its middle, turned by radians, seen a little from the side by `lean`.

    Args:
        brush: painted on.
        light: of the shot.
        screen: what it shows.
        x: the middle.
        y: the middle.
        height: of the phone.
        turn: radians.
        lean: -0.3 to 0.3; how far it turns its side to the camera.
        seed: what is accidental on the screen.
    """
    high, wide = height, height * PHONE
    radius, edge = wide * 0.15, wide * 0.035
    left, top = -wide / 2, -high / 2
    ctx = brush.ctx
    ctx.save()
    ctx.translate(x, y)
    ctx.rotate(turn)
    ctx.transform(1 - abs(lean) * 0.25, lean * 0.42, 0, 1, 0, 0)
    _cast(brush, light, (left, top, wide, high), radius)
    metal = light.air("#596470", 0.95)
    thick = wide * (0.03 + 0.1 * abs(lean)) * (-1 if lean > 0 else 1)
    for step in (1.0, 0.5):
        brush.rect(
            left + thick * step,
            top,
            wide,
            high,
            light.shaded(metal, 0.3 + 0.25 * step),
            radius=radius,
        )
    ends = ((left, 0), (-left, 0)) if light.side < 0 else ((-left, 0), (left, 0))
    stops = [
        (0.0, lighter(light.lit(metal, 0.75), 0.2)),
        (0.06, light.lit(metal, 0.3)),
        (0.9, light.shaded(metal, 0.4)),
        (1.0, light.lit(metal, 0.45)),
    ]
    brush.rect(left, top, wide, high, brush.linear(*ends, stops), radius=radius)
    inset = edge * 0.32
    brush.rect(
        left + inset,
        top + inset,
        wide - 2 * inset,
        high - 2 * inset,
        "#07090c",
        radius=radius - inset,
    )
    ctx.save()
    ctx.beginPath()
    ctx.roundRect(left + edge, top + edge, wide - 2 * edge, high - 2 * edge, radius - edge)
    ctx.clip()
    paint_display(
        brush, screen, (left + edge, top + edge, wide - 2 * edge, high - 2 * edge), seed=seed
    )
    _glare(brush, light, (left, top, wide, high))
    ctx.restore()
    brush.rect(
        -wide * 0.13,
        top + edge + wide * 0.035,
        wide * 0.26,
        wide * 0.062,
        "#07090c",
        radius=wide * 0.031,
    )
    ctx.restore()


def _cast(
    brush: Brush, light: Light, box: tuple[float, float, float, float], radius: float
) -> None:
    """The soft shadow of something that floats before its ground."""
    left, top, wide, high = box
    away = -light.side * wide * 0.12
    with brush.soft(wide * 0.09):
        brush.rect(
            left + away, top + high * 0.05, wide, high * 0.99, clear(light.ink, 0.45), radius=radius
        )


def _glare(brush: Brush, light: Light, box: tuple[float, float, float, float]) -> None:
    """What glass mirrors: one broad band of light, and nothing where it is dark."""
    left, top, wide, high = box
    white = mix(light.glow, "#ffffff", 0.5)
    strength = 0.2 * (1 - light.dark)
    fill = brush.linear(
        (left, top),
        (left + wide, top + high * 0.7),
        [(0, clear(white, strength)), (1, clear(white, 0.02))],
    )
    band = (
        (left, top),
        (left + wide * 0.86, top),
        (left + wide * 0.2, top + high),
        (left, top + high),
    )
    brush.poly(band, fill)


def paint_laptop(  # noqa: PLR0913 -- where and what of a picture
    brush: Brush,
    light: Light,
    screen: Screen,
    *,
    x: float,
    y: float,
    wide: float,
    seed: str = "",
) -> None:
    """An open laptop: lid towards the camera, keyboard before it.

    Args:
        brush: painted on.
        light: of the shot.
        screen: what it shows.
        x: the middle.
        y: where lid and keyboard meet.
        wide: of the lid.
        seed: what is accidental on the screen.
    """
    high, left = wide * LID, x - wide / 2
    metal = light.air("#b9c1c8", 0.95)
    deck = wide * 0.21
    _deck_shadow(brush, light, (x, y + deck), wide)
    rim, edge = wide * 0.008, wide * 0.02
    stops = [(0.0, light.lit(metal, 0.5)), (1.0, light.shaded(metal, 0.4))]
    ends = ((left, 0), (left + wide, 0)) if light.side < 0 else ((left + wide, 0), (left, 0))
    brush.rect(left, y - high, wide, high, brush.linear(*ends, stops), radius=wide * 0.026)
    brush.rect(
        left + rim, y - high + rim, wide - 2 * rim, high - rim, "#0a0d11", radius=wide * 0.02
    )
    glass = (left + edge, y - high + edge, wide - 2 * edge, high - 2.4 * edge)
    paint_display(brush, screen, glass, seed=seed)
    with brush.inside(_corners(glass)):
        _glare(brush, light, glass)
    brush.circle(x, y - high + edge * 0.5, wide * 0.0035, "#39424c")
    _deck(brush, light, screen, (x, y, wide, deck))


def _corners(box: tuple[float, float, float, float]) -> tuple[Point, ...]:
    x, y, wide, high = box
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)


def _deck_shadow(brush: Brush, light: Light, at: Point, wide: float) -> None:
    x, y = at
    ctx = brush.ctx
    ctx.save()
    ctx.translate(x - light.side * wide * 0.08, y)
    ctx.scale(1, 0.13)
    stops = [(0, clear(light.ink, 0.6)), (0.75, clear(light.ink, 0.4)), (1, clear(light.ink, 0))]
    brush.circle(0, 0, wide * 0.74, brush.radial((0, 0), wide * 0.74, stops))
    ctx.restore()


def _deck(
    brush: Brush, light: Light, screen: Screen, box: tuple[float, float, float, float]
) -> None:
    """Keys and pad, on a plane that comes towards the camera."""
    x, y, wide, high = box
    near = 1.17

    def at(across: float, down: float) -> Point:
        """-1 to 1 from the left to the right, 0 to 1 from the hinge to the front."""
        sag = down * down * 0.25 + down * 0.75
        return x + across * wide / 2 * (1 + (near - 1) * sag), y + high * sag

    metal = light.air("#aeb7bf", 0.97)
    shine = mix(light.lit(metal, 0.3), screen.shine, 0.25 + 0.2 * light.dark)
    fill = brush.linear(
        (0, y), (0, y + high), [(0, light.shaded(metal, 0.35)), (0.2, shine), (1, metal)]
    )
    brush.poly((at(-1, 0), at(1, 0), at(1, 1), at(-1, 1)), fill)
    brush.poly((at(-0.97, 0), at(0.97, 0), at(0.97, 0.05), at(-0.97, 0.05)), clear(light.ink, 0.75))
    well = light.shaded(metal, 0.25)
    brush.poly((at(-0.87, 0.07), at(0.87, 0.07), at(0.87, 0.66), at(-0.87, 0.66)), well)
    key = mix(light.shaded(light.air("#2c343c", 1.0), 0.2), screen.shine, 0.05 + 0.08 * light.dark)
    for top, count in _ROWS:
        step = 1.7 / count
        for index in range(count):
            a, b = -0.85 + step * index + step * 0.07, -0.85 + step * (index + 1) - step * 0.07
            brush.poly((at(a, top), at(b, top), at(b, top + 0.115), at(a, top + 0.115)), key)
    pad = (at(-0.27, 0.7), at(0.27, 0.7), at(0.27, 0.95), at(-0.27, 0.95))
    brush.poly(pad, light.shaded(metal, 0.12))
    brush.line((*pad, pad[0]), clear(light.ink, 0.22), wide * 0.0016)
    left, right, lip = at(-1, 1), at(1, 1), wide * 0.018
    front = [left, right, (right[0] - lip, right[1] + lip), (left[0] + lip, left[1] + lip)]
    brush.poly(front, light.shaded(metal, 0.42))
    brush.line((left, right), clear(light.key, 0.65), wide * 0.0025)
    notch = (
        (x - wide * 0.07, left[1]),
        (x + wide * 0.07, left[1]),
        (x + wide * 0.06, left[1] + lip * 0.6),
        (x - wide * 0.06, left[1] + lip * 0.6),
    )
    brush.poly(notch, light.shaded(metal, 0.65))
