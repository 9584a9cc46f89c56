"""The factory: a long hall under skylights, machines on one side, the line on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.rooms import room_of
from callsheet_studio.draw.solid import Solid

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.3, 0.8, 0.8), (0.48, 0.88, 1.0), (0.56, 0.7, 0.5))
SURFACE = (0.8, 0.64)
LOOK = (0.52, 0.56)

_HALF, _EAVES, _RIDGE, _LONG, _BAY = 7.6, 5.0, 6.7, 60.0, 6.0
_CARTON = "#b98a5c"
_PAINTS = ("#567988", "#5f8271", "#9a6350", "#8a7a5c", "#4f6f96")
"""What machines are painted with: each film has its own."""


def paint(stage: Stage) -> None:
    """The hall behind; machines, line and robots in the middle; a pillar before the camera."""
    room = room_of(stage, depth=_LONG, left=-_HALF, right=_HALF, tall=_RIDGE)
    hall = Solid(room, far=_LONG * 0.92)
    _end(stage, hall)
    _roof(hall)
    _walls(hall)
    _floor(hall)
    _frames(hall)
    _shafts(hall)
    things = Solid(room, "middle", far=_LONG * 0.8)
    if stage.mentions("warehouse", "pallet", "logistic", "lager", "palette", "parcel", "paket"):
        _racks(stage, things)
    else:
        _machines(stage, things)
    _line(stage, things)
    _pillar(stage)


_SIDE, _SILL, _TRUSS = 13.0, 4.25, 6.3
"""Of a bay that is seen from its side, in metres: its depth, where windows begin, its beams."""


def _hall(stage: Stage) -> Solid:
    """A bay of the hall from its side: the long wall with its windows, under the roof."""
    room = room_of(stage, depth=_SIDE, left=-12.0, right=12.0, tall=8.0)
    hall = Solid(room, far=34)
    light, brush, glass = hall.light, hall.brush, _day(hall)
    wide, high = stage.right - stage.left, stage.bottom - stage.upper
    brush.rect(stage.left, stage.upper, wide, high, hall.tone("#8f9a9e", _SIDE))
    top, low = hall.at(0, _TRUSS, _SIDE), hall.at(0, 0, _SIDE)
    wall = hall.tone("#a3adae", _SIDE)
    stops = [(0.0, light.lit(wall, 0.14)), (1.0, light.shaded(wall, 0.24))]
    hall.wall((-14, 14), (0, 9), _SIDE, brush.linear(top, low, stops))
    hall.wall((-14, 14), (0, 1.1), _SIDE, clear(light.ink, 0.14))
    for x in range(-12, 12, 3):
        for row in (_SILL, _SILL + 0.8):
            for part in (0.25, 1.15, 2.05):
                hall.wall((x + part, x + part + 0.8), (row, row + 0.72), _SIDE, glass)
        hall.box((x - 0.15, x + 0.15), (0, 8), (_SIDE - 0.4, _SIDE), "#6d787d")
    hall.wall((-14, 14), (_SILL - 0.12, _SILL - 0.04), _SIDE, light.lit(wall, 0.4))
    concrete = hall.tone("#8b9192", 6)
    stops = [(0.0, mix(concrete, light.low, 0.35)), (1.0, light.shaded(concrete, 0.34))]
    fill = brush.linear((0, low[1]), (0, stage.bottom), stops)
    hall.floor((-14, 14), (0.2, _SIDE), fill)
    for z in (4.0, 8.6):
        hall.floor((-14, 14), (z, z + 0.13), light.lit(hall.tone("#e8b83a", z), 0.2))
    _beams(hall)
    return hall


def _beams(hall: Solid) -> None:
    """A truss across the bay, lamps under it, and the light from the windows."""
    light, brush, z = hall.light, hall.brush, _SIDE - 1.5
    steel = light.shaded(hall.tone("#5c686f", z), 0.4)
    for y in (_TRUSS - 0.4, _TRUSS + 0.5):
        hall.bar((-14, y, z), (14, y, z), steel, 0.18)
    for step in range(-10, 10):
        x = step * 1.2
        hall.bar((x, _TRUSS - 0.4, z), (x + 0.6, _TRUSS + 0.5, z), steel, 0.08)
        hall.bar((x + 0.6, _TRUSS + 0.5, z), (x + 1.2, _TRUSS - 0.4, z), steel, 0.08)
    for x in (-4.6, 0.0, 4.6):
        _lamp(hall, x, z - 0.5)
    lean = -light.side * 2.6
    fade = [(0.0, clear(light.key, 0.22 + 0.12 * light.hard)), (1.0, clear(light.key, 0.0))]
    with brush.blended("screen"):
        for x in (-6.0, -1.5, 3.0):
            top, foot = hall.at(x, _SILL + 1.5, z), hall.at(x + lean, 0, z)
            high = _SILL + 1.5
            ends = ((x - 1.1, high), (x + 1.1, high), (x + lean + 1.7, 0.0), (x + lean - 1.3, 0.0))
            points = [hall.at(across, up, z) for across, up in ends]
            brush.poly(points, brush.linear(top, foot, fade))


def _carton(
    hall: Solid, at: tuple[float, float, float], size: tuple[float, float], to: str
) -> None:
    """A carton with its tape and label; `at` is its left lower corner at the front."""
    (x, y, z), (wide, high) = at, size
    hall.box((x, x + wide), (y, y + high), (z, z + 0.9), to)
    tape = clear(hall.light.lit(hall.tone("#e9dcc3", z), 0.2), 0.7)
    hall.wall((x + wide * 0.44, x + wide * 0.56), (y, y + high), z, tape)
    label = hall.tone("#f2efe6", z)
    hall.wall((x + wide * 0.68, x + wide * 0.9), (y + high * 0.2, y + high * 0.42), z, label)


def _to_racks(stage: Stage) -> None:
    """Racks along the wall, full of cartons; a pallet before them."""
    hall = _hall(stage)
    light, chance, z = hall.light, stage.chance("racks"), 10.8
    for left in (-8.6, -5.2, -1.8, 1.6, 5.0):
        hall.shadow((left, left + 3.2), (z, z + 1.1), 0.3)
        hall.wall((left, left + 3.2), (0.1, 3.4), z + 1.1, clear(light.ink, 0.2))
        for level in (0.14, 1.3, 2.46):
            for place in range(3):
                at = (left + 0.14 + place * 1.02, level + 0.06, z + 0.1)
                size = (chance.uniform(0.78, 0.94), chance.uniform(0.5, 0.95))
                to = chance.choice((_CARTON, "#c99c6c", "#a97d52", "#8fa3ad", stage.accent))
                _carton(hall, at, size, to)
            hall.box((left, left + 3.3), (level - 0.06, level + 0.06), (z, z + 1.0), "#d98b3a")
        for post in (left, left + 3.2):
            hall.box((post, post + 0.1), (0, 3.6), (z - 0.05, z + 0.05), "#3f6ea3")
    things = Solid(hall.room, "middle", far=34)
    things.shadow((2.4, 3.8), (6.4, 7.4), 0.3)
    things.box((2.4, 3.8), (0, 0.14), (6.4, 7.4), "#8a6a45")
    for row in range(2):
        for column in range(2):
            to = ("#c99c6c", _CARTON)[(row + column) % 2]
            at = (2.46 + column * 0.66, 0.14 + row * 0.5, 6.45)
            _carton(things, at, (0.62, 0.48), to)


def _to_machines(stage: Stage) -> None:
    """Machines from the front: windows, panels, lamps; the gate beside them."""
    hall = _hall(stage)
    painted = stage.chance("paints").choice(_PAINTS)
    gate = hall.tone("#c3cbcb", _SIDE)
    hall.wall((4.0, 8.0), (0, 3.6), _SIDE, hall.light.shaded(gate, 0.1))
    for y in range(1, 9):
        hall.wall((4.0, 8.0), (y * 0.4, y * 0.4 + 0.04), _SIDE, clear(hall.light.ink, 0.25))
    things = Solid(hall.room, "middle", far=34)
    for left, colour in ((-7.6, painted), (-3.3, "#cdd2ce"), (1.0, painted)):
        _machine(stage, things, left, colour)


def _machine(stage: Stage, hall: Solid, left: float, colour: str) -> None:
    light, x, z = hall.light, (left, left + 3.7), 9.4
    hall.shadow(x, (z, z + 1.8), 0.32)
    hall.box(x, (0, 0.24), (z, z + 1.8), "#39454c")
    hall.box((left + 0.5, left + 2.4), (2.5, 2.95), (z + 0.4, z + 1.4), "#aab3b4")
    hall.box(x, (0.24, 2.5), (z, z + 1.8), colour)
    hall.wall(x, (2.16, 2.3), z, hall.tone(stage.accent, z))
    inner = mix(light.ink, light.glow, 0.22 + 0.5 * light.lamps)
    hall.wall((left + 0.3, left + 2.3), (0.95, 2.0), z, light.shaded(hall.tone("#39454c", z), 0.2))
    hall.wall((left + 0.38, left + 2.22), (1.02, 1.94), z, light.shaded(inner, 0.25))
    hall.wall((left + 1.27, left + 1.33), (1.02, 1.94), z, hall.tone("#39454c", z))
    for dx in (0.75, 1.7):
        shine = ((dx, 1.94), (dx + 0.18, 1.94), (dx - 0.12, 1.02), (dx - 0.3, 1.02))
        hall.face([(left + across, y, z) for across, y in shine], clear("#ffffff", 0.16))
    hall.wall((left + 2.55, left + 3.4), (1.05, 1.95), z, hall.tone("#27323a", z))
    hall.wall((left + 2.64, left + 3.31), (1.4, 1.86), z, mix("#7fe0d0", light.low, 0.25))
    for index, lamp in enumerate(("#58c98a", "#f0b541", "#e2574c")):
        with hall.plane((left + 2.74 + index * 0.22, 1.22, z)):
            hall.brush.circle(0, 0, 0.06, lamp)
    hall.wall((left + 0.3, left + 3.4), (0.36, 0.8), z, light.shaded(hall.tone(colour, z), 0.2))
    for row in range(4):
        y = 0.42 + row * 0.09
        hall.wall((left + 0.5, left + 3.2), (y, y + 0.035), z, clear(light.ink, 0.4))
    _beacon(hall, left + 3.3, 2.5, z + 0.2, round(left))


def _day(hall: Solid) -> str:
    """What is seen through glass."""
    light = hall.light
    return mix(mix(light.low, light.glow, 0.75), light.top, min(light.dark * 1.5, 0.85))


def _end(stage: Stage, hall: Solid) -> None:
    light, brush = hall.light, hall.brush
    wide, high = stage.right - stage.left, stage.bottom - stage.upper
    brush.rect(stage.left, stage.upper, wide, high, hall.tone("#8f9a9e", _LONG * 0.7))
    hall.wall((-_HALF, _HALF), (0, _RIDGE), _LONG, mix(light.low, light.far, 0.35))
    hall.wall((-2.6, 2.6), (0, 4.2), _LONG, mix(_day(hall), stage.accent, 0.12))
    x, y = hall.at(0, 2.4, _LONG)
    brush.glow(x, y, hall.metre(_LONG) * 16, light.glow, 0.5 - 0.25 * light.dark)


def _roof(hall: Solid) -> None:
    light, brush = hall.light, hall.brush
    near, far = hall.at(0, _RIDGE, 9), hall.at(0, _RIDGE, _LONG)
    steel = light.shaded(hall.tone("#7d878c", 18), 0.42)
    stops = [(0.0, steel), (1.0, hall.tone("#8d979c", _LONG * 0.8))]
    fill = brush.linear(near, far, stops)
    glass = _day(hall)
    for sign in (-1, 1):
        slope = [(sign * _HALF, _EAVES, z) for z in (2, _LONG)]
        ridge = [(0, _RIDGE, z) for z in (_LONG, 2)]
        hall.face((*slope, *ridge), fill)
        for bay in range(int(_LONG / _BAY)):
            z = bay * _BAY + 1
            pane = mix(glass, steel, 0.1 + 0.2 * (sign * light.side < 0))
            for part in range(3):
                start, end = z + part * 1.4, z + part * 1.4 + 1.25
                outer, inner = (sign * 5.4, 5.49), (sign * 1.7, 6.32)
                hall.face(
                    ((*outer, start), (*inner, start), (*inner, end), (*outer, end)),
                    mix(pane, light.low, 0.5 * bay * _BAY / _LONG),
                )


def _walls(hall: Solid) -> None:
    light, brush = hall.light, hall.brush
    glass = _day(hall)
    for sign in (-1, 1):
        x = sign * _HALF
        turned = sign * light.side > 0
        base = hall.tone("#96a0a2", 14)
        near = light.shaded(base, 0.42 if turned else 0.2)
        stops = [(0.0, near), (1.0, hall.tone("#a7b0b1", _LONG * 0.85))]
        ends = hall.at(x, 2, 10), hall.at(x, 2, _LONG)
        hall.side(x, (0, _EAVES), (1, _LONG), brush.linear(*ends, stops))
        hall.side(x, (0, 1.1), (1, _LONG), clear(light.ink, 0.16))
        for bay in range(int(_LONG / _BAY)):
            z = bay * _BAY
            pane = mix(glass, light.low, 0.4 * z / _LONG)
            for part in range(3):
                ends_at = (z + 0.5 + part * 1.75, z + 2.05 + part * 1.75)
                for low in (2.9, 3.72):
                    hall.side(x, (low, low + 0.74), ends_at, clear(pane, 0.9 - 0.3 * turned))


def _floor(hall: Solid) -> None:
    light, brush = hall.light, hall.brush
    top, low = hall.at(0, 0, _LONG)[1], hall.room.stage.bottom
    concrete = hall.tone("#8b9192", 6)
    stops = [
        (0.0, mix(light.low, light.far, 0.3)),
        (0.22, mix(concrete, light.low, 0.3)),
        (1.0, light.shaded(concrete, 0.34)),
    ]
    hall.floor((-_HALF, _HALF), (0.2, _LONG), brush.linear((0, top), (0, low), stops))
    lean = -light.side * 1.6
    with brush.blended("screen", 0.75 - 0.35 * light.dark):
        for bay in range(int(_LONG / _BAY)):
            z, fade = bay * _BAY + 0.8, 0.34 - 0.03 * bay
            for x in (-3.1, 1.0):
                for part in (0.0, 1.5, 3.0):
                    start, end, shift = z + part, z + part + 1.3, x + lean * 0.4
                    patch = (
                        (shift, 0.0, start),
                        (shift + 2.1, 0.0, start),
                        (shift + 2.1 + lean * 0.2, 0.0, end),
                        (shift + lean * 0.2, 0.0, end),
                    )
                    hall.face(patch, clear(light.key, fade))
    for z in range(3, 54, 6):
        hall.floor((-_HALF, _HALF), (z, z + 0.03 + z * 0.002), clear(light.ink, 0.18))
    yellow = light.lit(hall.tone("#e8b83a", 5), 0.2)
    for x in (-2.1, 1.5):
        hall.floor((x, x + 0.14), (0.4, _LONG), mix(yellow, light.low, 0.12))


def _frames(hall: Solid) -> None:
    """Trusses, pillars and lamps, from the far end to the camera."""
    light = hall.light
    for bay in reversed(range(1, int(_LONG / _BAY))):
        z = bay * _BAY
        steel = light.shaded(hall.tone("#5c686f", z), 0.4)
        for sign in (-1, 1):
            hall.bar((sign * _HALF, _EAVES, z), (0, _RIDGE, z), steel, 0.2)
            for step in range(6):
                x, nearer = sign * step * _HALF / 6, sign * (step + 1) * _HALF / 6
                rise = _EAVES + (_RIDGE - _EAVES) * (1 - step / 6)
                hall.bar((nearer, _EAVES, z), (x, rise, z), steel, 0.075)
                hall.bar((x, _EAVES, z), (x, rise, z), steel, 0.06)
            pillar = (sign * (_HALF - 0.2) - 0.17, sign * (_HALF - 0.2) + 0.17)
            hall.box(pillar, (0, _EAVES), (z, z + 0.3), "#6d787d")
        hall.bar((-_HALF, _EAVES, z), (_HALF, _EAVES, z), steel, 0.2)
        for x in (-3.2, 3.2):
            _lamp(hall, x, z - 2.4)


def _lamp(hall: Solid, x: float, z: float) -> None:
    light = hall.light
    bell = light.shaded(hall.tone("#3f4a50", z), 0.35)
    hall.bar((x, 4.3, z), (x, 5.6, z), bell, 0.03)
    hall.face(
        ((x - 0.1, 4.42, z), (x + 0.1, 4.42, z), (x + 0.36, 4.1, z), (x - 0.36, 4.1, z)), bell
    )
    if light.lamps:
        warm = mix("#fff1d2", light.glow, 0.5)
        cx, cy = hall.at(x, 4.08, z)
        size = hall.metre(z)
        hall.brush.ellipse(cx, cy, 0.34 * size, 0.08 * size, lighter(warm, 0.3))
        hall.brush.glow(cx, cy, 1.9 * size, warm, 0.5 * light.lamps)


def _shafts(hall: Solid) -> None:
    """Daylight that falls through the roof, leaning as the light of the shot does."""
    light, brush = hall.light, hall.brush
    lean = -light.side * 2.6
    strength = 0.2 + 0.14 * light.hard
    with brush.blended("screen"):
        for z in (15, 21, 28, 36):
            for x in (-3.4, 3.2):
                top, foot = hall.at(x, 5.9, z), hall.at(x + lean, 0, z)
                stops = [(0.0, clear(light.key, strength)), (1.0, clear(light.key, 0.0))]
                points = [
                    hall.at(x - 1.2, 5.7, z),
                    hall.at(x + 1.2, 5.7, z),
                    hall.at(x + lean + 1.9, 0, z),
                    hall.at(x + lean - 1.9, 0, z),
                ]
                brush.poly(points, brush.linear(top, foot, stops))


def _machines(stage: Stage, hall: Solid) -> None:
    light, chance = hall.light, stage.chance("machines")
    painted = stage.chance("paints").choice(_PAINTS)
    for index, z in enumerate((33, 25.5, 18.5, 12, 6.4)):
        body = mix(painted if index % 2 == 0 else "#cdd2ce", "#2f3d45", 0.06 * (index % 3))
        left, high = -6.2, 2.3 + chance.uniform(-0.2, 0.35)
        hall.shadow((left, -3.0), (z, z + 3.8), 0.22)
        hall.box((left, -3.1), (0.0, 0.28), (z, z + 3.8), "#39454c")
        hall.box((left, -3.2), (0.28, high), (z, z + 3.6), body)
        hall.box((left + 0.5, -3.9), (high, high + 0.5), (z + 0.6, z + 2.6), "#aab3b4")
        stripe = hall.tone(stage.accent, z)
        hall.side(-3.19, (high - 0.34, high - 0.2), (z, z + 3.6), stripe)
        hall.wall((left, -3.2), (high - 0.34, high - 0.2), z, light.shaded(stripe, 0.15))
        inner = mix(light.ink, light.glow, 0.22 + 0.5 * light.lamps)
        hall.side(-3.19, (1.0, 1.72), (z + 0.5, z + 2.1), light.shaded(inner, 0.25))
        hall.side(-3.185, (1.0, 1.1), (z + 0.5, z + 2.1), clear(light.ink, 0.45))
        hall.side(-3.185, (0.95, 1.7), (z + 2.5, z + 3.1), hall.tone("#27323a", z))
        hall.side(-3.18, (1.3, 1.62), (z + 2.58, z + 3.02), mix("#7fe0d0", light.low, 0.25))
        _vents(hall, (left, -3.2), z)
        _beacon(hall, -3.5, high, z + 0.2, index)


def _vents(hall: Solid, x: tuple[float, float], z: float) -> None:
    ink = clear(hall.light.ink, 0.4)
    for row in range(5):
        hall.wall((x[0] + 1.5, x[1] - 0.4), (0.6 + row * 0.13, 0.65 + row * 0.13), z, ink)
    hall.wall((x[0] + 1.7, x[1] - 0.6), (1.35, 1.75), z, clear(hall.light.ink, 0.3))


def _beacon(hall: Solid, x: float, y: float, z: float, index: int) -> None:
    hall.bar((x, y, z), (x, y + 0.3, z), hall.tone("#59646a", z), 0.05)
    for row, colour in enumerate(("#58c98a", "#f0b541", "#e2574c")):
        lit = row == (index % 3 == 1)
        shade = mix(colour, hall.light.glow, 0.3) if lit else hall.light.shaded(colour, 0.55)
        hall.wall((x - 0.07, x + 0.07), (y + 0.3 + row * 0.15, y + 0.43 + row * 0.15), z, shade)
        if lit:
            cx, cy = hall.at(x, y + 0.36 + row * 0.15, z)
            hall.brush.glow(cx, cy, hall.metre(z) * 0.7, colour, 0.5)


def _racks(stage: Stage, hall: Solid) -> None:
    chance = stage.chance("racks")
    for z in (34, 28, 22, 16, 10, 5.6):
        for level in (0.12, 1.5, 2.9):
            hall.box((-6.6, -3.2), (level, level + 0.1), (z, z + 4.6), "#d98b3a")
            for place in range(3):
                start = z + 0.1 + place * 1.5
                high = chance.uniform(0.6, 1.05)
                kind = chance.choice((_CARTON, "#c99c6c", "#8fa3ad", stage.accent))
                hall.box(
                    (-6.4, -3.3), (level + 0.1, level + 0.1 + high), (start, start + 1.3), kind
                )
        for along in (z, z + 4.5):
            hall.box((-3.28, -3.16), (0, 4.1), (along, along + 0.1), "#3f6ea3")
            hall.box((-6.7, -6.58), (0, 4.1), (along, along + 0.1), "#3f6ea3")


def _line(stage: Stage, hall: Solid) -> None:
    """The conveyor, what lies on it, and the robots that reach over it."""
    light, chance = hall.light, stage.chance("line")
    for z in (30.0, 21.0, 13.5):
        _robot(stage, hall, z)
    low, high = 2.0, 3.3
    hall.shadow((low, high), (2.2, 44), 0.25)
    for leg in range(14, 0, -1):
        z = leg * 3.0
        for x in (low + 0.1, high - 0.1):
            hall.box((x - 0.06, x + 0.06), (0, 0.72), (z, z + 0.12), "#5d686e")
    hall.side(low, (0.66, 0.9), (1.6, 44), light.shaded(hall.tone("#c4cacb", 6), 0.14))
    hall.side(low, (0.74, 0.79), (1.6, 44), hall.tone(stage.accent, 8))
    hall.floor((low, high), (1.6, 44), light.lit(hall.tone("#5a656b", 8), 0.12), y=0.9)
    hall.floor((low + 0.12, high - 0.12), (1.6, 44), hall.tone("#2f3a40", 8), y=0.905)
    for step in range(30):
        z = 1.7 + step * 0.42
        hall.floor((low + 0.12, high - 0.12), (z, z + 0.05), clear(light.key, 0.2), y=0.906)
    for index, z in enumerate((34.0, 28.0, 23.0, 18.6, 15.0, 11.6, 8.6, 5.9, 3.5)):
        tall = chance.uniform(0.34, 0.6)
        colour = stage.accent if index in {3, 7} else chance.choice((_CARTON, "#c8a173", "#a97d52"))
        hall.box((low + 0.3, high - 0.3), (0.91, 0.91 + tall), (z, z + 0.75), colour)
        tape = light.lit(hall.tone("#e9dcc3", z), 0.2)
        hall.wall((2.59, 2.71), (0.91, 0.91 + tall), z, clear(tape, 0.8))


def _robot(stage: Stage, hall: Solid, z: float) -> None:
    """An arm in three parts over the line."""
    light, brush = hall.light, hall.brush
    paint = hall.tone(mix("#ef8f35", stage.accent, 0.35), z)
    dark = light.shaded(hall.tone("#3a444a", z), 0.3)
    hall.shadow((3.9, 4.9), (z - 0.3, z + 0.6), 0.3)
    hall.box((4.0, 4.8), (0, 0.5), (z - 0.2, z + 0.6), "#4d585e")
    joints = [hall.at(*each, z) for each in ((4.4, 0.75), (4.75, 2.3), (3.3, 2.75), (2.7, 1.85))]
    metre = hall.metre(z)
    for index, wide in enumerate((0.42, 0.3, 0.2)):
        start, end = joints[index], joints[index + 1]
        brush.line([start, end], light.shaded(paint, 0.34), wide * metre)
        shift = wide * metre * 0.18 * (1 if light.side > 0 else -1)
        lit = [(start[0] + shift, start[1] - abs(shift)), (end[0] + shift, end[1] - abs(shift))]
        brush.line(lit, light.lit(paint, 0.25), wide * metre * 0.5)
    for (x, y), wide in zip(joints, (0.34, 0.26, 0.2, 0.13), strict=True):
        brush.circle(x, y, wide * metre, dark)
        brush.circle(x, y, wide * metre * 0.45, light.lit(paint, 0.15))
    x, y = joints[-1]
    for side in (-1, 1):
        claw = [
            (x, y),
            (x + side * 0.2 * metre, y + 0.12 * metre),
            (x + side * 0.16 * metre, y + 0.4 * metre),
        ]
        brush.line(claw, dark, 0.07 * metre)


def _pillar(stage: Stage) -> None:
    """A pillar at the very edge, out of focus, with the warning band of every factory."""
    light, brush, u = stage.light, stage.front, stage.unit
    edge, wide = stage.x(0.005), max(stage.x(0.05), 3 * u) + stage.bleed
    steel = light.shaded(light.air("#4c5a62", 1.0), 0.6)
    ends = (light.shaded(steel, 0.5), light.lit(steel, 0.12))
    stops = [(0.0, ends[0]), (1.0, ends[1])]
    left = edge - wide + stage.x(0.035)
    with brush.soft(0.5 * u):
        brush.rect(
            left,
            stage.upper * 2,
            wide,
            stage.height * 2,
            brush.linear((left, 0), (left + wide, 0), stops),
        )
        brush.rect(
            left + wide * 0.86,
            stage.upper * 2,
            wide * 0.14,
            stage.height * 2,
            clear(light.ink, 0.5),
        )
        y = stage.y(0.66)
        brush.rect(left, y, wide, 15 * u, light.shaded(light.air("#e0ad2f", 1.0), 0.3))
        with brush.inside(
            ((left, y), (left + wide, y), (left + wide, y + 15 * u), (left, y + 15 * u))
        ):
            for row in range(6):
                top = y + (row * 6 - 12) * u
                band = [
                    (left, top + wide * 0.7),
                    (left + wide, top),
                    (left + wide, top + 3 * u),
                    (left, top + wide * 0.7 + 3 * u),
                ]
                brush.poly(band, clear(light.ink, 0.85))


SIDES = (_to_racks, _to_machines)
