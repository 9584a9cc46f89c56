"""No place at all: calm forms in the film's colours, for titles, ideas and figures of speech."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix, shifted

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
SURFACE = (0.5, 0.72)
LOOK = (0.5, 0.5)

_WORDS = {
    "growth": ("grow", "rise", "chart", "diagram", "wachs", "steig", "mehr ", "percent", "prozent"),
    "network": ("network", "connect", "data", "cloud", "system", "netz", "verbind", "daten"),
    "together": ("together", "meet", "share", "find each other", "zusammen", "gemeinsam", "teil"),
    "rings": ("circle", "ring", "time", "clock", "whole", "close", "kreis", "zeit", "ganz", "ruhe"),
    "rays": (
        "light",
        "idea",
        "energy",
        "sun",
        "power",
        "launch",
        "idee",
        "licht",
        "kraft",
        "sonne",
    ),
    "lines": ("path", "road", "line", "flow", "wind", "sound", "music", "weg", "linie", "klang"),
    "waves": ("calm", "sea", "water", "wave", "slow", "meer", "wasser", "welle", "sanft", "still"),
}
_USUAL = ("waves", "rings", "lines", "rays")


def paint(stage: Stage) -> None:
    """A ground of light, and one idea of form: the one the words speak of."""
    _ground(stage)
    found = next((name for name, words in _WORDS.items() if stage.mentions(*words)), "")
    name = found or stage.chance("abstract").choice(_USUAL)
    _PAINTERS[name](stage)
    _grains(stage)
    _near(stage)


def _palette(stage: Stage) -> tuple[str, str, str]:
    """The film's colour, one beside it and one across from it, in this light."""
    light, accent = stage.light, stage.accent
    turned = shifted(accent, hue=-0.055, saturation=1.1), shifted(accent, hue=0.47, saturation=0.85)
    seen = [
        shifted(mix(colour, light.key, 0.1), saturation=1.2, value=1 - 0.18 * light.dark)
        for colour in (accent, *turned)
    ]
    return seen[0], seen[1], seen[2]


def _ground(stage: Stage) -> None:
    light, brush, spare = stage.light, stage.back, stage.bleed
    way = 1 if light.side > 0 else -1
    left, top = stage.left - spare, stage.upper - spare
    wide, high = stage.whole[0] + 2 * spare, stage.whole[1] + 2 * spare
    own = 0.14 * (1 - light.dark) ** 3
    base = light.shaded(mix(light.mid, stage.accent, own), 0.4 * light.dark)
    deep = light.shaded(mix(light.top, stage.accent, own * 0.6), 0.12 + 0.5 * light.dark)
    start, end = (stage.x(0.5 + way * 0.5), stage.upper), (stage.x(0.5 - way * 0.5), stage.bottom)
    brush.rect(
        left,
        top,
        wide,
        high,
        brush.linear(start, end, [(0, mix(base, light.low, 0.5)), (0.5, base), (1, deep)]),
    )
    reach = max(stage.width, stage.height) * 0.75
    brush.glow(stage.x(0.5 + way * 0.3), stage.y(0.2), reach, light.glow, 0.4 - 0.4 * light.dark)


def _waves(stage: Stage) -> None:
    """Dunes behind dunes, each with its lit edge, and a low sun."""
    light, u, chance = stage.light, stage.unit, stage.chance("waves")
    first, second, across = _palette(stage)
    x, y, size = stage.x(0.62), stage.y(0.4), min(15 * u, stage.width * 0.2)
    stage.back.glow(x, y, size * 3.4, light.glow, 0.4)
    fill = stage.back.linear(
        (x, y - size), (x, y + size), [(0, lighter(first, 0.35)), (1, mix(first, light.low, 0.3))]
    )
    stage.back.circle(x, y, size, fill)
    count = 6
    for index in range(count):
        near = index / (count - 1)
        brush = stage.back if index < 4 else stage.middle  # noqa: PLR2004 -- the nearer ones
        level = stage.y(0.46 + 0.085 * index)
        tall, start = (4 + 5 * near) * u, chance.uniform(0, 6)
        far = mix(light.low, across, 0.25 + 0.5 * near)
        tone = light.shaded(
            mix(far, mix(first, second, 0.5), near**1.5), 0.1 * near + 0.3 * light.dark
        )
        left, right = stage.left - stage.bleed, stage.right + stage.bleed
        steps = 9
        edge = [
            (left + (right - left) * i / steps, level + math.sin(start + i * 1.15) * tall)
            for i in range(steps + 1)
        ]
        low = stage.bottom + stage.bleed
        shade = brush.linear(
            (0, level - tall),
            (0, level + 34 * u),
            [(0, light.lit(tone, 0.22)), (1, light.shaded(tone, 0.3))],
        )
        brush.shape(
            [*edge, (right, low), (left, low)], shade, corners=(0, steps, steps + 1, steps + 2)
        )
        brush.curve(edge, clear(mix(light.glow, second, 0.3), 0.5), 0.22 * u)


def _rings(stage: Stage) -> None:
    """Circles around one point; one of them is not closed yet."""
    light, u = stage.light, min(stage.unit, stage.width / 110)
    first, second, across = _palette(stage)
    x, y, deep = stage.x(0.5), stage.y(0.5), light.shaded(light.mid, 0.3 * light.dark)
    for index in range(7, 0, -1):
        size = index * 9.5 * u
        tone = mix((across, first, second)[index % 3], deep, 0.11 * index)
        stage.back.circle(x - light.side * u, y + 1.2 * u, size, clear(light.ink, 0.1))
        ends = (
            ((x - size, y - size), (x + size, y + size))
            if light.side < 0
            else ((x + size, y - size), (x - size, y + size))
        )
        fill = stage.back.linear(*ends, [(0, light.lit(tone, 0.3)), (1, light.shaded(tone, 0.28))])
        stage.back.circle(x, y, size, fill)
    ctx = stage.middle.ctx
    ctx.save()
    ctx.lineCap = "round"
    for size, share, colour, wide in (
        (33.2, 0.78, lighter(second, 0.4), 1.1),
        (52.2, 0.4, light.glow, 0.5),
    ):
        ctx.strokeStyle, ctx.lineWidth = colour, wide * u
        ctx.beginPath()
        ctx.arc(x, y, size * u, -math.pi / 2, -math.pi / 2 + share * math.tau)
        ctx.stroke()
        end = -math.pi / 2 + share * math.tau
        stage.middle.circle(
            x + math.cos(end) * size * u,
            y + math.sin(end) * size * u,
            wide * 1.6 * u,
            lighter(colour, 0.3),
        )
    ctx.restore()
    stage.middle.glow(x, y, 26 * u, light.glow, 0.35)


def _lines(stage: Stage) -> None:
    """A stream of fine lines from one side to the other, one of them in the film's colour."""
    light, u, chance = stage.light, stage.unit, stage.chance("lines")
    first, second, across = _palette(stage)
    start = chance.uniform(0, 3)
    left, right, steps = stage.left - stage.bleed, stage.right + stage.bleed, 10
    pale = mix(light.glow, across, 0.4)
    for index in range(30):
        spread = (index - 14.5) / 15
        points = []
        for i in range(steps + 1):
            share = i / steps
            pinch = 0.22 + 0.78 * abs(share - 0.42) ** 1.1 * 1.7
            y = stage.y(0.52 + 0.13 * math.sin(start + share * 4.4)) + spread * pinch * 46 * u
            points.append((left + (right - left) * share, y))
        chosen = index in {12, 18}
        tone = lighter(first, 0.15) if index == 12 else second  # noqa: PLR2004 -- one of thirty
        brush = stage.middle if chosen else stage.back
        alpha = 0.16 + 0.4 * (1 - abs(spread)) + 0.1 * light.dark
        brush.curve(points, tone if chosen else clear(pale, alpha), (1.1 if chosen else 0.28) * u)
        if chosen:
            x, y = points[6 if index == 12 else 3]  # noqa: PLR2004 -- one of thirty
            brush.glow(x, y, 9 * u, light.glow, 0.6)
            brush.circle(x, y, 1.9 * u, lighter(tone, 0.5))


def _rays(stage: Stage) -> None:
    """Light out of one point at the foot of the frame, in broad leaves."""
    light, u, brush = stage.light, stage.unit, stage.back
    first, second, across = _palette(stage)
    x, y = stage.x(0.5), stage.y(0.86)
    reach = (stage.whole[0] + stage.whole[1]) * 1.0
    count = 22
    for index in range(count):
        start = math.pi + math.pi * index / count
        end = start + math.pi / count * 0.5
        tone = (first, second, light.glow)[index % 3]
        corner = [(x + math.cos(a) * reach, y + math.sin(a) * reach) for a in (start, end)]
        fill = brush.radial(
            (x, y),
            reach * 0.62,
            [(0, clear(tone, 0.55)), (0.5, clear(tone, 0.22)), (1, clear(tone, 0.0))],
        )
        brush.poly([(x, y), *corner], fill)
    for size, alpha in ((46.0, 0.16), (33.0, 0.22)):
        brush.circle(
            x, y, size * u * min(1, stage.width / stage.height), clear(lighter(first, 0.4), alpha)
        )
    size = 20 * u * min(1.0, stage.width / stage.height + 0.2)
    brush.glow(x, y, size * 3, light.glow, 0.6)
    fill = stage.middle.linear((x, y - size), (x, y), [(0, lighter(first, 0.45)), (1, first)])
    stage.middle.circle(x, y, size, fill)
    low = stage.bottom + stage.bleed
    ground = light.shaded(mix(light.near, across, 0.16), 0.35 + 0.4 * light.dark)
    shade = stage.middle.linear(
        (0, y), (0, low), [(0, light.lit(ground, 0.12)), (1, light.shaded(ground, 0.4))]
    )
    stage.middle.rect(stage.left - stage.bleed, y, stage.whole[0] + 2 * stage.bleed, low - y, shade)
    stage.middle.rect(
        stage.left - stage.bleed,
        y,
        stage.whole[0] + 2 * stage.bleed,
        0.35 * u,
        clear(light.glow, 0.7),
    )


def _together(stage: Stage) -> None:
    """Two circles that find each other; where they are one, they are bright."""
    light, u = stage.light, min(stage.unit, stage.width / 110)
    first, _, across = _palette(stage)
    x, y, size, apart = stage.x(0.5), stage.y(0.5), 27 * u, 17 * u
    for index in range(4):
        stage.back.circle(x, y, size * (1.5 + 0.42 * index), clear(light.glow, 0.09))
    for way, tone in ((-1, first), (1, across)):
        centre = x + way * apart
        stage.middle.ellipse(
            centre - light.side * 2 * u, y + 2.5 * u, size, size, clear(light.ink, 0.16)
        )
        fill = stage.middle.radial(
            (centre - 0.4 * size, y - 0.5 * size),
            size * 1.7,
            [(0, lighter(tone, 0.35)), (1, light.shaded(tone, 0.25))],
        )
        stage.middle.circle(centre, y, size, fill)
    half = math.sqrt(size**2 - apart**2)
    top, low, arc = f"{x} {y - half}", f"{x} {y + half}", f"A {size} {size} 0 0 1"
    lens = f"M {top} {arc} {low} {arc} {top} Z"
    bright = mix(lighter(first, 0.6), light.glow, 0.5)
    stage.middle.path(
        lens,
        stage.middle.linear((x, y - half), (x, y + half), [(0, lighter(bright, 0.4)), (1, bright)]),
    )
    stage.middle.glow(x, y, size * 1.1, light.glow, 0.4)


def _growth(stage: Stage) -> None:
    """Columns that rise to the right, and the line that goes on."""
    light, u, brush = stage.light, stage.unit, stage.middle
    first, second, across = _palette(stage)
    count = 7 if stage.width > stage.height else 5
    foot, step = stage.y(0.84), stage.width * 0.8 / count
    tops = []
    for index in range(count):
        share = (index + 1) / count
        high = stage.height * (0.1 + 0.46 * share**1.6)
        x = stage.width * 0.1 + index * step
        tone = light.shaded(mix(across, first, share), 0.2 * (1 - share))
        fill = brush.linear(
            (0, foot - high), (0, foot), [(0, lighter(tone, 0.2)), (1, light.shaded(tone, 0.25))]
        )
        brush.rect(x + step * 0.16, foot - high, step * 0.68, high, fill, radius=step * 0.08)
        edge = x + step * (0.16 if light.side < 0 else 0.78)
        brush.rect(
            edge, foot - high, step * 0.06, high, clear(light.glow, 0.35), radius=step * 0.03
        )
        gone = brush.linear(
            (0, foot), (0, foot + high * 0.3), [(0, clear(tone, 0.3)), (1, clear(tone, 0))]
        )
        brush.rect(x + step * 0.16, foot + 0.5 * u, step * 0.68, high * 0.3, gone)
        tops.append((x + step / 2, foot - high - 6 * u))
    last = (tops[-1][0] + step * 0.6, tops[-1][1] - 5 * u)
    brush.curve([*tops, last], lighter(second, 0.35), 0.9 * u)
    brush.glow(*last, 12 * u, light.glow, 0.6)
    brush.circle(*last, 1.9 * u, lighter(second, 0.6))


def _network(stage: Stage) -> None:
    """Points that know each other, near and far."""
    light, u, chance = stage.light, stage.unit, stage.chance("network")
    first, second, across = _palette(stage)
    columns, rows = (9, 5) if stage.width > stage.height else (5, 8)
    points = [
        (
            stage.x((c + 0.5 + chance.uniform(-0.3, 0.3)) / columns),
            stage.y((r + 0.5 + chance.uniform(-0.3, 0.3)) / rows),
        )
        for c in range(columns)
        for r in range(rows)
    ]
    limit = 1.5 * max(stage.width / columns, stage.height / rows)
    for index, here in enumerate(points):
        for there in points[index + 1 :]:
            away = math.dist(here, there)
            if away < limit:
                stage.back.line(
                    (here, there),
                    clear(mix(light.glow, across, 0.3), 0.5 * (1 - away / limit) + 0.06),
                    0.2 * u,
                )
    hubs = points[:: max(len(points) // 6, 1)]
    for index, (x, y) in enumerate(points):
        size = chance.choice((0.5, 0.7, 1.0)) * u
        stage.back.circle(x, y, size, lighter((first, across, second)[index % 3], 0.3))
    stage.middle.line(sorted(hubs), clear(first, 0.85), 0.45 * u)
    for x, y in hubs:
        stage.middle.glow(x, y, 9 * u, mix(first, light.glow, 0.5), 0.6)
        stage.middle.circle(x, y, 2.3 * u, lighter(first, 0.2))
        stage.middle.circle(x, y, 1.0 * u, lighter(light.glow, 0.4))


def _grains(stage: Stage) -> None:
    """A few bright grains in the air."""
    chance, light, u = stage.chance("grains"), stage.light, stage.unit
    for _ in range(26):
        x, y = chance.uniform(stage.left, stage.right), chance.uniform(stage.upper, stage.y(0.7))
        stage.middle.circle(
            x, y, chance.uniform(0.1, 0.32) * u, clear(light.glow, chance.uniform(0.15, 0.6))
        )


def _near(stage: Stage) -> None:
    """Two discs out of focus at the edges, so that a move of the camera has depth."""
    light, brush, u = stage.light, stage.front, stage.unit
    first, second, _ = _palette(stage)
    with brush.soft(1.2 * u):
        brush.circle(stage.x(0.0), stage.y(0.95), 9 * u, clear(lighter(first, 0.15), 0.6))
        brush.circle(stage.x(1.0), stage.y(0.08), 6 * u, clear(mix(second, light.glow, 0.3), 0.5))


_PAINTERS: dict[str, Callable[[Stage], None]] = {
    "waves": _waves,
    "rings": _rings,
    "lines": _lines,
    "rays": _rays,
    "together": _together,
    "growth": _growth,
    "network": _network,
}
