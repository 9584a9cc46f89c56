"""The stage: one beam in the haze, a lectern or a microphone, the heads of those who listen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.nature import dabs
from callsheet_studio.draw.rooms import room_of
from callsheet_studio.draw.solid import Solid

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

GROUND = 0.81
SPOTS = ((0.36, 0.8, 1.0), (0.5, 0.81, 1.0), (0.62, 0.8, 1.0))
SURFACE = (0.7, 0.57)

_BACK, _HALF, _HIGH = 9.5, 5.2, 4.8
_EDGE = 4.4
"""Where the stage ends and the hall begins, in metres from the camera."""
_FLOOR = 0.0
_LAMPS = (-3.6, -1.9, 0.0, 1.9, 3.6)
_CLOTHS = ("#8a2338", "#8f4a22", "#23477a", "#2a5a4c", "#5a2f6b")
"""Of the curtains: each film has its own."""
_CONCERT = ("concert", "konzert", "music", "musik", "band", "festival")


def paint(stage: Stage) -> None:
    """Backdrop, curtains and beams behind; what stands on the stage; heads before the camera."""
    room = room_of(stage, depth=_BACK, left=-_HALF, right=_HALF, tall=_HIGH)
    hall = Solid(room, far=30)
    _dark(stage, hall)
    _backdrop(stage, hall)
    _curtains(stage, hall)
    _boards(hall)
    _rig(hall)
    _haze(stage, hall)
    things = Solid(room, "middle", far=30)
    if stage.mentions(*_CONCERT):
        _amplifiers(things)
        _microphone(things, (0.75, _FLOOR, 5.4))
    else:
        _lectern(stage, things)
    _footlights(things)
    _audience(stage)


def _dark(stage: Stage, hall: Solid) -> None:
    light, brush = hall.light, hall.brush
    stops = [
        (0.0, light.shaded(light.top, 0.45)),
        (0.55, light.shaded(light.mid, 0.25)),
        (1.0, light.shaded(light.near, 0.5)),
    ]
    wide, high = stage.right - stage.left, stage.bottom - stage.upper
    spare = stage.bleed * 2
    fill = brush.linear((0, stage.upper), (0, stage.bottom), stops)
    brush.rect(stage.left - spare, stage.upper - spare, wide + 2 * spare, high + 2 * spare, fill)


def _backdrop(stage: Stage, hall: Solid) -> None:
    """A wall of light: one large disc in the film's colour, and lines that lead to it."""
    light, brush = hall.light, hall.brush
    x, y = (-3.5, 3.5), (0.25, 4.1)
    upper, lower = hall.at(0, y[1], _BACK), hall.at(0, y[0], _BACK)
    own = 0.2 * (1 - light.dark) ** 3
    deep = mix(light.mid, stage.accent, own)
    night = 0.75 * min(light.dark * 2, 1.0)
    stops = [
        (0.0, light.shaded(deep, 0.2 + night)),
        (1.0, light.shaded(mix(light.low, stage.accent, own), night * 0.5)),
    ]
    hall.wall(x, y, _BACK, brush.linear(upper, lower, stops))
    corners = [
        hall.at(a, b, _BACK) for a, b in ((x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]))
    ]
    centre, metre = hall.at(-0.4, 1.95, _BACK), hall.metre(_BACK)
    glow = mix(stage.accent, light.glow, 0.1)
    with brush.inside(corners):
        for size, alpha in ((2.9, 0.05), (2.25, 0.08), (1.65, 0.12)):
            brush.circle(*centre, size * metre, clear(glow, alpha))
        disc = [(0.0, lighter(glow, 0.18)), (1.0, glow)]
        top, foot = (centre[0], centre[1] - 1.1 * metre), (centre[0], centre[1] + 1.1 * metre)
        brush.circle(*centre, 1.12 * metre, brush.linear(top, foot, disc))
        for row in range(4):
            low = centre[1] + (0.28 + row * 0.2) * metre
            half = math.sqrt(max(1.2 - (0.28 + row * 0.2) ** 2, 0.0)) * metre
            brush.rect(
                centre[0] - half, low, 2 * half, (0.03 + 0.018 * row) * metre, clear(deep, 0.85)
            )
    brush.glow(*centre, 2.6 * metre, glow, 0.16 + 0.14 * light.lamps)
    frame = light.shaded(hall.tone("#2c3038", _BACK), 0.5)
    for step in range(1, 5):
        at = x[0] + step * 1.4
        hall.wall((at - 0.012, at + 0.012), y, _BACK, clear(frame, 0.4))


def _curtains(stage: Stage, hall: Solid) -> None:
    """Heavy cloth in folds on both sides; the folds catch what light there is."""
    light, brush = hall.light, hall.brush
    cloth = hall.tone(stage.chance("curtain").choice(_CLOTHS), 6)
    for sign in (-1, 1):
        for layer, (z, inner) in enumerate(((8.4, 3.1), (6.6, 3.5))):
            body = light.shaded(cloth, 0.34 - 0.14 * layer + 0.7 * light.dark)
            for fold in range(7):
                start = inner + fold * 0.42
                left, right = hall.at(sign * start, 0, z), hall.at(sign * (start + 0.42), 0, z)
                top = hall.at(0, _HIGH + 3, z)[1]
                lit = light.lit(
                    body, 0.16 * (1 - fold / 9) * (1.3 if sign * light.side < 0 else 0.7)
                )
                stops = [(0.0, light.shaded(body, 0.5)), (0.4, lit), (1.0, light.shaded(body, 0.4))]
                foot = left[1] + (0.05 if fold % 2 else -0.02) * hall.metre(z)
                points = [
                    (left[0], top),
                    (right[0] + sign, top),
                    (right[0] + sign, foot),
                    (left[0], foot),
                ]
                brush.poly(points, brush.linear((left[0], 0), (right[0], 0), stops))
    top, foot = hall.at(0, 6.5, 6.5)[1], hall.at(0, 3.62, 6.5)[1]
    hem = [(stage.left * 2, top), (stage.right * 2, top), (stage.right * 2, foot)]
    folds = 14
    for step in range(folds + 1):
        x = stage.right * 1.3 - (stage.right * 1.3 - stage.left * 1.3) * step / folds
        hem.append((x, foot + (0.16 if step % 2 else 0.0) * hall.metre(6.5)))
    hem.append((stage.left * 2, foot))
    fill = brush.linear(
        (0, top), (0, foot + 9), [(0, light.shaded(cloth, 0.8)), (1, light.shaded(cloth, 0.4))]
    )
    brush.shape(hem, fill, corners=(0, 1, 2, len(hem) - 1))


def _boards(hall: Solid) -> None:
    """A black floor that mirrors a little; marks of tape; the ring of light."""
    light, brush = hall.light, hall.brush
    floor = light.shaded(hall.tone("#4a4450", 5), 0.3)
    far, near = hall.at(0, 0, _BACK), hall.at(0, 0, _EDGE)
    stops = [
        (0.0, light.shaded(light.low, 0.3 * light.dark)),
        (0.35, floor),
        (1.0, light.shaded(floor, 0.35)),
    ]
    hall.floor((-12, 12), (_EDGE, _BACK), brush.linear(far, near, stops))
    for row in range(12):
        z = _BACK - row * 0.45
        hall.floor((-12, 12), (z, z + 0.015), clear(light.ink, 0.3))
    hall.face(
        ((-12, 0, _EDGE), (12, 0, _EDGE), (12, -0.6, _EDGE), (-12, -0.6, _EDGE)),
        light.shaded(floor, 0.62),
    )
    hall.wall((-12, 12), (-0.05, 0.0), _EDGE, clear(light.key, 0.4))
    x, y = hall.at(-0.1, 0, 5.4)
    metre = hall.metre(5.4)
    brush.ctx.save()
    brush.ctx.translate(x, y)
    brush.ctx.scale(1, 0.24)
    pool = [
        (0, clear(light.glow, 0.85)),
        (0.6, clear(light.key, 0.5)),
        (0.72, clear(light.key, 0.12)),
        (1, clear(light.key, 0)),
    ]
    with brush.blended("screen", 0.75):
        brush.circle(0, 0, 2.1 * metre, brush.radial((0, 0), 2.1 * metre, pool))
    brush.ctx.restore()
    for at, turn in ((-1.5, 0.0), (1.35, 0.0)):
        tape = light.lit(hall.tone("#e9dfc4", 5), 0.3)
        hall.floor((at - 0.12 + turn, at + 0.12), (4.98, 5.03), clear(tape, 0.8))
        hall.floor((at - 0.02, at + 0.02), (4.88, 5.13), clear(tape, 0.8))


def _rig(hall: Solid) -> None:
    """A truss with lamps, over the stage."""
    light, brush, z = hall.light, hall.brush, 6.0
    steel = light.shaded(hall.tone("#59606a", z), 0.45)
    for y in (3.5, 3.78):
        hall.bar((-9, y, z), (9, y, z), steel, 0.05)
    for step in range(-18, 18):
        rise = (3.5, 3.78) if step % 2 else (3.78, 3.5)
        hall.bar((step * 0.4, rise[0], z), (step * 0.4 + 0.4, rise[1], z), steel, 0.03)
    for x in _LAMPS:
        with hall.plane((x, 3.42, z)), brush.moved(turn=x * 0.1):
            brush.rect(-0.11, -0.02, 0.22, 0.3, light.shaded(steel, 0.5), radius=0.04)
            brush.ellipse(0, 0.28, 0.12, 0.04, lighter(mix(light.glow, light.key, 0.3), 0.3))
        lit = 0.25 + 0.5 * light.lamps
        brush.glow(*hall.at(x, 3.14, z), hall.metre(z) * 0.8, light.glow, lit)


def _haze(stage: Stage, hall: Solid) -> None:
    """Beams: one to where somebody speaks, the others across."""
    light, brush, z = hall.light, hall.brush, 6.0
    strength = 0.3 + 0.3 * light.lamps + 0.12 * light.hard
    aims = (
        (-3.6, 1.0, 0.3),
        (-1.9, -3.4, 0.35),
        (1.9, 3.2, 0.35),
        (3.6, -1.3, 0.3),
        (0.0, -0.1, 1.0),
    )
    with brush.blended("screen"):
        for x, to, share in aims:
            main = share == 1.0
            colour = light.key if main else mix(light.rim, stage.accent, 0.45)
            foot = (-0.02, 5.4) if main else (0.0, 7.0)
            wide = 1.35 if main else 0.6
            stops = [
                (0.0, clear(colour, strength * share)),
                (0.5, clear(colour, strength * share * 0.45)),
                (1.0, clear(colour, strength * share * (0.16 if main else 0.0))),
            ]
            start, end = hall.at(x, 3.1, z), hall.at(to, *foot)
            points = [
                hall.at(x - 0.1, 3.12, z),
                hall.at(x + 0.1, 3.12, z),
                hall.at(to + wide, *foot),
                hall.at(to - wide, *foot),
            ]
            brush.poly(points, brush.linear(start, end, stops))
            if main:
                inner = [points[0], points[1], hall.at(to + 0.8, *foot), hall.at(to - 0.8, *foot)]
                brush.poly(
                    inner,
                    brush.linear(start, end, [(0, clear(colour, 0.3)), (1, clear(colour, 0))]),
                )
    x, y = hall.at(0, 0.3, 7)
    brush.glow(x, y, hall.metre(7) * 3.6, mix(light.low, light.key, 0.3), 0.22)


def _lectern(stage: Stage, things: Solid) -> None:
    light, brush, z = things.light, things.brush, 5.3
    x = 1.55
    wood = things.tone(mix("#5a3d2d", stage.accent, 0.18), z)
    things.shadow((x - 0.4, x + 0.4), (z, z + 0.5), 0.24)
    stops = [(0.0, light.lit(wood, 0.4)), (0.5, wood), (1.0, light.shaded(wood, 0.5))]
    with things.plane((x, 0, z)):
        body = ((-0.3, 0), (0.3, 0), (0.24, -1.02), (-0.24, -1.02))
        brush.poly(body, brush.linear((-0.3, 0), (0.3, 0), stops))
        brush.rect(-0.36, -0.06, 0.72, 0.06, light.shaded(wood, 0.4))
        brush.poly(
            ((-0.36, -1.02), (0.36, -1.02), (0.33, -1.16), (-0.33, -1.16)), light.lit(wood, 0.3)
        )
        brush.rect(-0.36, -1.04, 0.72, 0.05, light.shaded(wood, 0.3))
        brush.circle(0, -0.66, 0.13, things.tone(stage.accent, z))
        brush.circle(0, -0.66, 0.08, light.lit(things.tone(stage.accent, z), 0.4))
        brush.curve(((-0.08, -1.12), (-0.12, -1.3), (-0.2, -1.4)), light.shaded(wood, 0.7), 0.016)
        brush.ellipse(-0.22, -1.42, 0.035, 0.05, light.shaded(wood, 0.8), turn=-0.6)
        brush.line(((-0.24, -1.0), (-0.3, 0)), clear(light.rim, 0.7), 0.014)


def _microphone(things: Solid, foot: tuple[float, float, float]) -> None:
    light, brush = things.light, things.brush
    steel = light.lit(things.tone("#6d747c", foot[2]), 0.3)
    with things.plane(foot):
        brush.ellipse(0, 0, 0.2, 0.035, light.shaded(steel, 0.6))
        brush.line(((0, 0), (0, -1.3)), steel, 0.02)
        brush.line(((0, -1.3), (-0.26, -1.52)), steel, 0.018)
        with brush.moved(-0.28, -1.54, turn=-0.9):
            brush.rect(-0.022, 0, 0.044, 0.16, light.shaded(steel, 0.6), radius=0.012)
            brush.circle(0, 0, 0.045, light.lit(steel, 0.2))


def _amplifiers(things: Solid) -> None:
    """Boxes and drums, for those who play."""
    light, brush = things.light, things.brush
    for x, z in ((-2.6, 7.4), (2.4, 7.4)):
        for row in range(2):
            things.box((x - 0.5, x + 0.5), (row * 0.8, row * 0.8 + 0.78), (z, z + 0.5), "#34363d")
            with things.plane((x, row * 0.8 + 0.39, z)):
                for side in (-0.22, 0.22):
                    brush.circle(side, 0, 0.18, light.shaded("#24262b", 0.4))
                    brush.circle(side, 0, 0.08, things.tone("#5b5e66", z))
    with things.plane((-0.9, 0.0, 7.6)):
        red = things.tone("#a8323f", 7.6)
        for x, y, r in ((0.0, -0.34, 0.36), (-0.5, -0.72, 0.2), (0.5, -0.72, 0.2)):
            brush.circle(x, y, r, light.lit(things.tone("#d8d2c4", 7.6), 0.2))
            brush.circle(x, y, r * 0.86, red if r > 0.3 else light.shaded(red, 0.2))  # noqa: PLR2004
        for x in (-0.8, 0.82):
            brush.line(((x, 0), (x, -1.15)), things.tone("#8f949c", 7.6), 0.02)
            brush.ellipse(x, -1.15, 0.3, 0.05, things.tone("#e0b552", 7.6), turn=-0.14)


def _footlights(things: Solid) -> None:
    light = things.light
    for step in range(-9, 10):
        x = step * 0.62
        things.box((x - 0.08, x + 0.08), (0, 0.07), (_EDGE + 0.05, _EDGE + 0.15), "#2b2d33")
        if light.lamps:
            at = things.at(x, 0.08, _EDGE + 0.15)
            things.brush.glow(*at, things.metre(_EDGE) * 0.22, light.key, 0.5 * light.lamps)


def _audience(stage: Stage) -> None:
    """Heads and shoulders at the lower edge, rimmed by the light of the stage."""
    light, u, chance = stage.light, stage.unit, stage.chance("audience")
    ink = mix(light.ink, light.near, 0.18)
    for row, (y, size, shade) in enumerate(((0.915, 3.8, 0.3), (0.962, 5.4, 0.0))):
        colour = mix(ink, light.mid, shade)
        gap = size * 3.1 * u
        x = stage.left - gap * (0.3 + 0.5 * row)
        while x < stage.right + gap:
            high = y * stage.height + chance.uniform(-0.8, 1.2) * u
            _head(
                stage,
                (x + chance.uniform(-0.5, 0.5) * u, high),
                size * u,
                (colour, clear(light.rim, 0.5 - 0.2 * row)),
            )
            x += gap * chance.uniform(0.86, 1.12)


def _head(stage: Stage, at: tuple[float, float], size: float, colours: tuple[str, str]) -> None:
    brush, (x, y), (body, rim) = stage.front, at, colours
    low = stage.bottom * 1.1
    shoulders = [
        (x - size * 1.45, low),
        (x - size * 1.4, y + size * 1.5),
        (x - size * 0.9, y + size * 1.02),
        (x - size * 0.34, y + size * 0.8),
        (x + size * 0.34, y + size * 0.8),
        (x + size * 0.9, y + size * 1.02),
        (x + size * 1.4, y + size * 1.5),
        (x + size * 1.45, low),
    ]
    lift = size * 0.07
    for shift, colour in ((lift, rim), (0.0, body)):
        brush.shape([(px, py - shift) for px, py in shoulders], colour, corners=(0, 7))
        brush.ellipse(x, y - shift, size * 0.62, size * 0.8, colour)
        brush.rect(x - size * 0.3, y, size * 0.6, size, colour)


# Other sides


def _to_hall(stage: Stage) -> None:
    """From the stage into the hall: rows of heads, a balcony, the lamps that blind."""
    room = room_of(stage, depth=14.0, left=-7.0, right=7.0, tall=6.5)
    hall = Solid(room, far=26)
    light, brush = hall.light, hall.brush
    _dark(stage, hall)
    cloth = hall.tone(stage.chance("curtain").choice(_CLOTHS), 9)
    hall.wall((-9, 9), (0, 6.5), 14.0, light.shaded(cloth, 0.72))
    hall.wall((-9, 9), (2.9, 3.7), 13.0, light.shaded(cloth, 0.45))
    hall.wall((-9, 9), (3.66, 3.76), 12.95, light.lit(hall.tone("#b98d4a", 12), 0.2))
    for x in range(-6, 7, 2):
        hall.wall((x - 0.05, x + 0.05), (2.9, 3.7), 12.98, clear(light.ink, 0.3))
        px, py = hall.at(x, 4.9, 13.5)
        brush.circle(px, py, 0.1 * hall.metre(13.5), lighter(light.glow, 0.3))
        brush.glow(px, py, 1.3 * hall.metre(13.5), light.glow, 0.5)
    for row, z in enumerate((12.0, 10.6, 9.3, 8.1, 7.0)):
        _listeners(stage, hall, row, z)
        hall.wall((-9, 9), (0.0, 0.8 - 0.1 * row), z - 0.1, light.shaded(cloth, 0.5))
    hall.floor((-9, 9), (0.3, 6.2), light.shaded(hall.tone("#4a4038", 4), 0.2))
    hall.wall((-9, 9), (-0.05, 0.03), 6.2, light.lit(hall.tone("#8a7452", 6), 0.3))
    fade = [(0.0, clear(light.key, 0.34)), (1.0, clear(light.key, 0.0))]
    for x in (-4, 4):
        top = hall.at(x, 6.2, 12)
        foot = [hall.at(x * 0.2 + dx, 0, 4.2) for dx in (-1.4, 1.4)]
        with brush.blended("screen"):
            brush.poly([top, *foot], brush.linear(top, foot[0], fade))
        brush.glow(*top, 1.6 * hall.metre(12), light.glow, 0.8)


def _listeners(stage: Stage, hall: Solid, row: int, z: float) -> None:
    """One row of those who listen, an edge of light on their heads."""
    light, chance, metre = hall.light, stage.chance(f"row{row}"), hall.metre(z)
    shade = light.shaded(hall.tone("#3d3a46", z), 0.35 + 0.05 * row)
    heads, backs = [], []
    x = -8.0 + (row % 2) * 0.35
    while x < 8.0:  # noqa: PLR2004 -- metres
        up = 1.25 - 0.12 * row + chance.uniform(-0.05, 0.05)
        px, py = hall.at(x, up, z)
        heads.append((px, py, 0.115 * metre, 0.145 * metre))
        backs.append((px, py + 0.42 * metre, 0.27 * metre, 0.3 * metre))
        x += chance.uniform(0.6, 0.78)
    rim = [(hx, hy - 0.012 * metre, wide, high) for hx, hy, wide, high in heads]
    dabs(hall.brush, rim, clear(light.rim, 0.5))
    dabs(hall.brush, heads + backs, shade)


SIDES = (_to_hall,)
