"""The motifs of cards: one large form, in the colours of the film, that the light falls on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.stage import Stage


class Tones(msgspec.Struct, frozen=True):
    """The colours of a card."""

    ground: str
    deep: str
    """The ground where the light does not fall."""
    dark: str
    """The darkest form."""
    shape: str
    second: str
    accent: str
    ink: str


def _sun(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """A disc over quiet water."""
    (x, y), light = at, stage.light
    with stage.in_frame("back") as back:
        back.glow(x, y, radius * 1.9, tones.accent, 0.35)
    with stage.in_frame() as brush:
        lit, dark = lighter(tones.accent, 0.3), mix(tones.accent, tones.deep, 0.42)
        ends = (x + light.side * radius, y - radius), (x - light.side * radius, y + radius)
        fill = brush.linear(*ends, [(0.0, lit), (0.5, tones.accent), (1.0, dark)])
        top = y - radius
        for index in range(6):
            low = y + radius * (0.16 + 0.2 * index)
            box = [(x - radius, top), (x + radius, top), (x + radius, low), (x - radius, low)]
            with brush.inside(box):
                brush.circle(x, y, radius, fill)
            top = low + radius * (0.03 + 0.024 * index)


def _rings(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """Quarter circles, laid into each other as tiles."""
    (x, y), half = at, radius * 0.96
    colours = (tones.shape, tones.accent, tones.second, tones.dark)
    with stage.in_frame() as brush:
        for index, (dx, dy, turn) in enumerate(((-1, -1, 0), (0, -1, 1), (0, 0, 2), (-1, 0, 3))):
            cx = x + (dx + (1 if turn in (0, 3) else 0)) * half
            cy = y + (dy + (1 if turn in (0, 1) else 0)) * half
            start = math.pi + turn * math.pi / 2
            for ring, share in enumerate((1.0, 0.7, 0.42, 0.18)):
                colour = colours[(index + ring) % len(colours)]
                shade = mix(colour, stage.light.key, 0.16 if (turn in (0, 1)) else 0.0)
                _wedge(brush, (cx, cy), half * share, start, shade)
        del brush


def _wedge(brush: Brush, at: tuple[float, float], radius: float, start: float, colour: str) -> None:
    ctx = brush.ctx
    ctx.fillStyle = colour
    ctx.beginPath()
    ctx.moveTo(*at)
    ctx.arc(*at, radius, start, start + math.pi / 2)
    ctx.closePath()
    ctx.fill()


def _layers(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """Sheets of cut paper, one before the other, each with a shadow on the one behind it."""
    (x, y), light = at, stage.light
    half = radius * 0.92
    left, right, top, low = x - half, x + half, y - half, y + half
    sheets = (
        tones.shape,
        tones.second,
        tones.accent,
        mix(tones.accent, tones.dark, 0.5),
        tones.dark,
    )
    with stage.in_frame() as brush, brush.inside(_rounded(x, y, half), curved=False):
        stops = [(0.0, mix(tones.ground, light.glow, 0.5)), (1.0, tones.shape)]
        brush.rect(left, top, 2 * half, 2 * half, brush.linear((0, top), (0, low), stops))
        for index, colour in enumerate(sheets):
            base = top + half * (0.5 + 0.3 * index)
            swing, phase = half * 0.2, 1.9 * index
            edge = [
                (left + 2 * half * step / 8, base + swing * math.sin(phase + 4.4 * step / 8))
                for step in range(-1, 10)
            ]
            lit = mix(colour, light.key, 0.25)
            fill = brush.linear((0, base - swing), (0, low), [(0.0, lit), (1.0, colour)])
            for lift, shade in ((half * 0.075, 0.1), (half * 0.035, 0.16)):
                above = [(px - light.side * lift * 0.5, py - lift) for px, py in edge]
                body = [*above, (right + half, low + half), (left - half, low + half)]
                brush.shape(body, clear(tones.deep, shade), corners=(0, 10, 11, 12))
            body = [*edge, (right + half, low + half), (left - half, low + half)]
            brush.shape(body, fill, corners=(0, 10, 11, 12))


def _rounded(x: float, y: float, half: float) -> list[tuple[float, float]]:
    """The outline of a square with round corners."""
    corner, steps = half * 0.3, 6
    outline = []
    for turn, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(steps + 1):
            angle = math.pi / 2 * (turn + step / steps)
            cx, cy = x + sx * (half - corner), y + sy * (half - corner)
            outline.append((cx + corner * math.cos(angle), cy + corner * math.sin(angle)))
    return outline


def _hills(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """A round window: a small sun, and hill behind hill."""
    (x, y), light = at, stage.light
    circle = [
        (x + radius * math.cos(math.tau * i / 48), y + radius * math.sin(math.tau * i / 48))
        for i in range(48)
    ]
    with stage.in_frame() as brush, brush.inside(circle, curved=True):
        sky = [(0.0, tones.shape), (0.75, mix(tones.accent, "#fff6e6", 0.55))]
        top, low = y - radius, y + radius
        brush.rect(x - radius, top, 2 * radius, 2 * radius, brush.linear((0, top), (0, low), sky))
        sun = x + light.side * radius * 0.4
        brush.glow(sun, y - radius * 0.2, radius * 0.9, light.glow, 0.5)
        brush.circle(sun, y - radius * 0.2, radius * 0.2, lighter(tones.accent, 0.25))
        for index, share in enumerate((0.05, 0.28, 0.52)):
            colour = (mix(tones.accent, tones.shape, 0.6), tones.accent, tones.dark)[index]
            base = y + radius * share
            swing = radius * (0.16, -0.14, 0.1)[index]
            hill = [
                (x - radius * 1.1, base + swing),
                (x - radius * 0.4, base - swing),
                (x + radius * 0.3, base + swing * 0.8),
                (x + radius * 1.1, base - swing),
                (x + radius * 1.1, low + 4),
                (x - radius * 1.1, low + 4),
            ]
            lit = mix(colour, light.key, 0.2)
            brush.shape(
                hill,
                brush.linear((0, base - radius * 0.2), (0, low), [(0, lit), (1, colour)]),
                corners=(0, 3, 4, 5),
            )


def _discs(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """Three discs that overlap as coloured glass."""
    (x, y), light = at, stage.light
    with stage.in_frame() as brush:
        for colour, dx, dy, share in (
            (tones.second, -0.34, 0.3, 0.62),
            (tones.shape, 0.4, 0.22, 0.58),
            (tones.accent, 0.0, -0.28, 0.66),
        ):
            cx, cy, wide = x + dx * radius, y + dy * radius, radius * share
            ends = (cx + light.side * wide, cy - wide), (cx - light.side * wide, cy + wide)
            stops = [(0.0, clear(mix(colour, light.key, 0.3), 0.95)), (1.0, clear(colour, 0.78))]
            brush.circle(cx, cy, wide, brush.linear(*ends, stops))


def _arches(stage: Stage, tones: Tones, at: tuple[float, float], radius: float) -> None:
    """A gate in a gate in a gate, with light in the last one."""
    (x, y), light = at, stage.light
    foot = y + radius * 0.95
    colours = (tones.shape, tones.accent, tones.second, tones.dark)
    with stage.in_frame() as brush:
        for index, colour in enumerate(colours):
            wide = radius * (0.82 - 0.2 * index)
            spring = y - radius * 0.95 + radius * 0.82 + index * radius * 0.16
            lit, dim = mix(colour, light.key, 0.22), mix(colour, tones.deep, 0.3)
            ends = (x + light.side * wide, 0), (x - light.side * wide, 0)
            ctx = brush.ctx
            ctx.fillStyle = brush.linear(*ends, [(0.0, lit), (1.0, dim)])
            ctx.beginPath()
            ctx.moveTo(x - wide, foot)
            ctx.lineTo(x - wide, spring)
            ctx.arc(x, spring, wide, math.pi, math.tau)
            ctx.lineTo(x + wide, foot)
            ctx.closePath()
            ctx.fill()


Motif: TypeAlias = "Callable[[Stage, Tones, tuple[float, float], float], None]"

FORMS: tuple[Motif, ...] = (_rings, _layers, _discs, _arches)
"""That show nothing but themselves."""
MOTIFS: tuple[Motif, ...] = (_sun, _hills, *FORMS)
