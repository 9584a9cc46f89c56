"""What is built outdoors: houses in perspective, lit windows, signs, lamps, cars, towers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, lighter, mix, shifted
from callsheet_studio.draw.nature import alike, far_off, many, near_by

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.camera import Camera
    from callsheet_studio.draw.light import Light

WARM = ("#ffd38a", "#ffbe6b", "#ffe7bd")
"""What windows look like with somebody at home."""
NEON = ("#4fe3ff", "#ff4f9a", "#7dff9b", "#ffd23f")
_FLOOR = 3.1
_SHOP = 3.9
"""Metres: a floor, and the shop below."""
DUSK = 0.3
"""How many lamps are lit when it is worth to paint what they do."""
_AT_HOME, _GLAZED, _BRIGHT = 0.45, 0.8, 0.12
"""Of windows: lit when lamps are, seen at all, and that mirror the sky."""
_CLOSE = 36
"""Metres: how near a house must be for its frames and sills to be seen."""
_NIGHT = 0.3
"""How dark it is when signs are lit."""


class House(msgspec.Struct, frozen=True):
    """One in a row, along the street: metres."""

    side: int
    """-1 on the left, 1 on the right."""
    x: float
    near: float
    far: float
    high: float
    colour: str
    shop: str
    """The colour of its awning and its goods."""

    def wall(self, camera: Camera, low: float, high: float, near: float, far: float) -> list[Point]:
        """A part of its front, as it is seen."""
        x = self.x * self.side
        return [
            camera(x, low, near),
            camera(x, high, near),
            camera(x, high, far),
            camera(x, low, far),
        ]


def depth_of(z: float) -> float:
    """How near something so many metres away looks: 1 here, 0 at the end of the street."""
    return float(1 - min(z / 85, 1.0) ** 0.62)


def street_colour(light: Light, colour: str, z: float) -> str:
    """A colour of the street, so far away, in its own air."""
    vivid = shifted(colour, saturation=1.3)
    return far_off(light, vivid, 0.34 + 0.66 * depth_of(z) ** 0.6)


def paint_house(
    brush: Brush, camera: Camera, light: Light, chance: random.Random, house: House
) -> None:
    """Front, end wall, windows, cornice and the shop."""
    lit = house.side * light.side < 0
    middle = (house.near + house.far) / 2
    near, far = (
        _faced(light, street_colour(light, house.colour, z), lit=lit)
        for z in (house.near, house.far)
    )
    front = house.wall(camera, 0, house.high, house.near, house.far)
    x = house.x * house.side
    out = (house.x + 9) * house.side
    end = [
        camera(x, 0, house.near),
        camera(x, house.high, house.near),
        camera(out, house.high, house.near),
        camera(out, 0, house.near),
    ]
    brush.poly(end, light.shaded(near, 0.4 if lit else 0.12))
    brush.poly(front, brush.linear(front[0], front[3], [(0.0, near), (1.0, far)]))
    wall = mix(near, far, 0.5)
    _windows(brush, camera, light, chance, house, wall)
    _cornice(brush, camera, light, house, wall)
    _shopfront(brush, camera, light, house, street_colour(light, house.shop, middle), wall)


def _faced(light: Light, colour: str, *, lit: bool) -> str:
    share = 0.07 + 0.26 * light.hard
    if lit:
        return light.shaded(light.lit(colour, share * (1 - 1.5 * light.dark)), 0.7 * light.dark)
    return light.shaded(colour, share + 0.08 + 0.6 * light.dark)


def _windows(
    brush: Brush, camera: Camera, light: Light, chance: random.Random, house: House, wall: str
) -> None:
    """Rows of them with frames and sills; more are lit when lamps are."""
    columns = max(2, round((house.far - house.near) / 2.3))
    floors = int((house.high - _SHOP - 0.8) / _FLOOR)
    panes: dict[str, list[list[Point]]] = {}
    frames, sills = [], []
    is_near = house.near < _CLOSE
    glass = mix(light.shaded(wall, 0.55), light.top, 0.28)
    for floor in range(floors):
        low = _SHOP + 0.7 + floor * _FLOOR
        for column in range(columns):
            wide = (house.far - house.near) / columns
            near, far = house.near + wide * (column + 0.24), house.near + wide * (column + 0.76)
            if not _in_sight(camera, house.wall(camera, low, low + 1.75, near, far)):
                continue
            is_lit = chance.random() < 0.62 * light.lamps
            colour = street_colour(light, "#ffffff", 60) if chance.random() < _BRIGHT else glass
            fill = (
                mix(chance.choice(WARM), wall, 0.06 + 0.3 * chance.random()) if is_lit else colour
            )
            panes.setdefault(fill, []).append(house.wall(camera, low, low + 1.75, near, far))
            if is_near:
                frames.append(house.wall(camera, low - 0.12, low + 1.87, near - 0.12, far + 0.12))
                sills.append(house.wall(camera, low - 0.26, low - 0.1, near - 0.18, far + 0.18))
    many(brush, frames, light.shaded(wall, 0.22))
    many(brush, sills, light.lit(wall, 0.3))
    for fill, shapes in panes.items():
        many(brush, shapes, fill)


def _in_sight(camera: Camera, shape: Sequence[Point]) -> bool:
    """Whether some of it may be in the layer: what is not is not worth the time."""
    inner, lower = shape[3][0], shape[0][1]
    return -0.2 * camera.width < inner < 1.2 * camera.width and lower > -0.3 * camera.height


def _cornice(brush: Brush, camera: Camera, light: Light, house: House, wall: str) -> None:
    for low, high, colour in (
        (house.high - 0.9, house.high - 0.55, clear(light.ink, 0.3)),
        (house.high - 0.55, house.high + 0.1, light.lit(wall, 0.22)),
        (_SHOP - 0.05, _SHOP + 0.3, light.lit(wall, 0.16)),
    ):
        brush.poly(house.wall(camera, low, high, house.near, house.far), colour)


def _shown(light: Light, house: House) -> str:
    """The light of a shop: warm, but in the colour of its goods where all the street is neon."""
    goods = shifted(house.shop, saturation=0.9, value=1.75)
    return mix(goods, "#ffdca0", 0.25 if light.name == "neon_night" else 0.62)


def _shopfront(
    brush: Brush, camera: Camera, light: Light, house: House, shop: str, wall: str
) -> None:
    """Glass to the ground, lit from inside when lamps are; an awning over it."""
    near, far = house.near + 0.5, house.far - 0.5
    glow = mix(_shown(light, house), wall, 0.08)
    inside = mix(mix(light.shaded(wall, 0.6), light.top, 0.45), glow, 0.1 + 0.85 * light.lamps)
    brush.poly(house.wall(camera, 0, _SHOP - 0.1, near - 0.2, far + 0.2), light.shaded(wall, 0.5))
    glass = house.wall(camera, 0.45, 3.1, near, far)
    stops = [(0.0, lighter(inside, 0.08)), (1.0, light.shaded(inside, 0.42))]
    brush.poly(glass, brush.linear(glass[1], glass[0], stops))
    gleams = [
        [
            *house.wall(camera, 0.45, 0.45, z, z + 0.5)[::3],
            *house.wall(camera, 3.1, 3.1, z + 1.3, z + 0.8)[1:3],
        ]
        for z in (near + (far - near) * share for share in (0.06, 0.3, 0.62))
    ]
    many(brush, gleams, clear(light.low, 0.2))
    goods = [
        house.wall(camera, 0.45, 0.45 + tall, z, z + 0.5)
        for z, tall in (
            (near + (far - near) * share, tall)
            for share, tall in (
                (0.05, 0.7),
                (0.12, 1.1),
                (0.3, 0.5),
                (0.36, 0.9),
                (0.57, 1.2),
                (0.64, 0.6),
                (0.8, 0.9),
                (0.9, 0.5),
            )
        )
    ]
    many(brush, goods, clear(light.shaded(house.shop, 0.55), 0.55))
    if light.dark > _NIGHT:
        brush.line(
            house.wall(camera, 3.66, 3.66, near, far)[1:3],
            lighter(house.shop, 0.5),
            max(camera.size(0.07, near + 3), 1),
        )
    posts = [
        house.wall(camera, 0.45, 3.1, z, z + 0.16)
        for z in (near + (far - near) * share for share in (0.24, 0.5, 0.74))
    ]
    many(brush, posts, light.shaded(wall, 0.55))
    x, out = house.x * house.side, (house.x - 1.1) * house.side
    awning = [
        camera(x, 3.55, near),
        camera(x, 3.55, far),
        camera(out, 2.95, far),
        camera(out, 2.95, near),
    ]
    brush.poly(awning, light.lit(shop, 0.12))
    for strip in range(0, 6, 2):
        one, two = (near + (far - near) * share / 6 for share in (strip, strip + 1))
        stripe = [
            camera(x, 3.55, one),
            camera(x, 3.55, two),
            camera(out, 2.95, two),
            camera(out, 2.95, one),
        ]
        brush.poly(stripe, clear(lighter(shop, 0.75), 0.5))
    hem = [
        camera(out, 2.95, near),
        camera(out, 2.95, far),
        camera(out, 2.7, far),
        camera(out, 2.7, near),
    ]
    brush.poly(hem, light.shaded(shop, 0.25))


def paint_reflection(brush: Brush, camera: Camera, light: Light, house: House, wet: float) -> None:
    """Its front upside down in the wet ground, fading; brightest where the shop is lit."""
    x, wall = house.x * house.side, street_colour(light, house.colour, (house.near + house.far) / 2)
    shop = _shown(light, house)
    for low, high, colour, alpha in (
        (0.0, 6.5, wall, 0.4 * wet),
        (0.2, 3.8, shop, (0.14 + 0.55 * light.lamps) * wet),
    ):
        inset = (house.far - house.near) * (0.2 - 0.03 * high)
        near, far = house.near + inset, house.far - inset
        shape = [
            camera(x, -low, near),
            camera(x, -high, near),
            camera(x, -high, far),
            camera(x, -low, far),
        ]
        top, down = shape[3][1], max(shape[1][1], shape[3][1] + 1)
        stops = [
            (0.0, clear(colour, alpha)),
            (0.35, clear(colour, alpha * 0.7)),
            (1.0, clear(colour, 0)),
        ]
        brush.poly(shape, brush.linear((0, top), (0, down), stops))


def paint_sign(
    brush: Brush, camera: Camera, light: Light, house: House, *, z: float, colour: str
) -> None:
    """A board that sticks out over the pavement; a tube of light at night."""
    x, out = (house.x - 0.15) * house.side, (house.x - 1.3) * house.side
    top = min(house.high - 1.5, 8.9)
    board = [camera(x, 4.1, z), camera(x, top, z), camera(out, top, z), camera(out, 4.1, z)]
    night = light.dark > _NIGHT
    shown = colour if night else street_colour(light, mix(colour, "#3a3f4a", 0.35), z)
    size = camera.size(1.0, z)
    brush.poly(board, mix(light.ink, shown, 0.42) if night else light.shaded(shown, 0.12))
    brush.line([*board, board[0]], lighter(shown, 0.2), max(0.09 * size, 1))
    count = max(int((top - 4.4) / 1.15), 1)
    for index in range(count):
        low = 4.4 + index * 1.15
        mark = [
            camera(x + (out - x) * share, low + dy, z)
            for share, dy in ((0.28, 0), (0.28, 0.8), (0.72, 0.8), (0.72, 0))
        ]
        brush.line([*mark, mark[0]], lighter(shown, 0.65), max(0.05 * size, 0.8))
    if night:
        (x0, y0), (_, y1) = board[0], board[1]
        brush.glow((x0 + board[2][0]) / 2, (y0 + y1) / 2, 3.3 * size, colour, 0.55)


def paint_lamp(brush: Brush, light: Light, *, x: float, foot: float, high: float, arm: int) -> None:
    """A street lamp with its arm to one side."""
    iron = light.shaded(near_by(light, "#3b434d"), 0.45)
    wide = high * 0.014
    head = (x + arm * high * 0.15, foot - high * 0.97)
    brush.poly(
        [
            (x - wide, foot),
            (x - wide * 0.6, foot - high * 0.9),
            (x + wide * 0.6, foot - high * 0.9),
            (x + wide, foot),
        ],
        iron,
    )
    brush.rect(x - wide * 1.5, foot - high * 0.08, wide * 3, high * 0.08, iron, radius=wide)
    brush.curve(
        [(x, foot - high * 0.88), (x + arm * high * 0.03, foot - high * 0.97), head],
        iron,
        wide * 1.3,
    )
    shade = [
        (head[0] - high * 0.045, head[1] + high * 0.025),
        (head[0], head[1] - high * 0.02),
        (head[0] + high * 0.045, head[1] + high * 0.025),
    ]
    brush.shape(shade, iron, corners=(0, 2))
    bulb = mix(light.lit(iron, 0.5), "#fff1cc", light.lamps)
    brush.ellipse(head[0], head[1] + high * 0.028, high * 0.032, high * 0.013, bulb)
    if light.lamps > 0:
        brush.glow(head[0], head[1] + high * 0.03, high * 0.34, "#ffd89a", 0.75 * light.lamps)
    edge = light.side * wide * 0.55
    brush.line(
        [(x + edge, foot - high * 0.1), (x + edge * 0.6, foot - high * 0.88)],
        clear(light.key, 0.6),
        wide * 0.45,
    )


def paint_car(
    brush: Brush, light: Light, *, x: float, foot: float, wide: float, colour: str
) -> None:
    """A car that comes towards us, its lamps lit when others are."""
    paint = near_by(light, colour)

    def at(points: Sequence[Point]) -> list[Point]:
        return [(x + dx * wide, foot - dy * wide) for dx, dy in points]

    brush.ellipse(x, foot - 0.01 * wide, wide * 0.56, wide * 0.06, clear(light.ink, 0.45))
    for side in (-1, 1):
        brush.rect(
            x + side * 0.38 * wide - 0.07 * wide,
            foot - 0.18 * wide,
            0.14 * wide,
            0.18 * wide,
            light.ink,
            radius=0.03 * wide,
        )
    cabin = at([(-0.4, 0.4), (-0.3, 0.66), (-0.2, 0.7), (0.2, 0.7), (0.3, 0.66), (0.4, 0.4)])
    brush.poly(cabin, light.shaded(paint, 0.2))
    glass = at([(-0.34, 0.41), (-0.265, 0.62), (0.265, 0.62), (0.34, 0.41)])
    brush.poly(glass, mix(light.ink, light.mid, 0.55))
    body = at(
        [
            (-0.5, 0.12),
            (-0.5, 0.34),
            (-0.42, 0.42),
            (0.42, 0.42),
            (0.5, 0.34),
            (0.5, 0.12),
            (0.44, 0.08),
            (-0.44, 0.08),
        ]
    )
    brush.poly(
        body,
        brush.linear(
            (0, foot - 0.42 * wide),
            (0, foot),
            [(0.0, light.lit(paint, 0.3)), (1.0, light.shaded(paint, 0.5))],
        ),
    )
    brush.rect(
        x - 0.2 * wide,
        foot - 0.26 * wide,
        0.4 * wide,
        0.09 * wide,
        light.shaded(paint, 0.7),
        radius=0.02 * wide,
    )
    for side in (-1, 1):
        lamp = mix(light.lit(paint, 0.6), "#fff6dc", 0.3 + 0.7 * light.lamps)
        brush.ellipse(x + side * 0.37 * wide, foot - 0.28 * wide, 0.075 * wide, 0.05 * wide, lamp)
        if light.lamps > 0:
            brush.glow(
                x + side * 0.37 * wide, foot - 0.28 * wide, 0.7 * wide, "#fff0cf", 0.7 * light.lamps
            )


def paint_tower(
    brush: Brush,
    light: Light,
    chance: random.Random,
    *,
    box: tuple[float, float, float, float],
    colour: str,
    pane: float,
) -> None:
    """A block seen from afar, (x, top, width, foot): two sides, rows of windows.

    Args:
        brush: painted on.
        light: gives the colours.
        chance: which windows are lit.
        box: left end, top, width and foot, in pixels.
        colour: of its walls, already in its air.
        pane: pixels from window to window; 0: none.
    """
    x, top, wide, foot = box
    bend = x + wide * (0.3 if light.side > 0 else 0.7)
    bright, dark = (
        light.lit(colour, (0.14 + 0.16 * light.hard) * (1 - 1.6 * light.dark)),
        light.shaded(colour, 0.22 + 0.2 * light.hard),
    )
    west, east = (dark, bright) if light.side > 0 else (bright, dark)
    for start, end, fill in ((x, bend, west), (bend, x + wide, east)):
        stops = [(0.0, fill), (1.0, mix(fill, light.low, 0.3))]
        brush.rect(
            start, top, end - start + 0.5, foot - top, brush.linear((0, top), (0, foot), stops)
        )
    if pane:
        _panes(brush, light, chance, box=box, pane=pane, wall=colour)


def _panes(
    brush: Brush,
    light: Light,
    chance: random.Random,
    *,
    box: tuple[float, float, float, float],
    pane: float,
    wall: str,
) -> None:
    x, top, wide, foot = box
    columns, rows = int(wide / pane), int((foot - top) / (pane * 1.3))
    inset = (wide - columns * pane) / 2 + pane * 0.2
    warm, dull = [], []
    for row in range(1, rows):
        for column in range(columns):
            corner = x + inset + column * pane, top + row * pane * 1.3
            chosen = chance.random()
            if chosen < _AT_HOME * light.lamps:
                warm.append(corner)
            elif chosen < _GLAZED:
                dull.append(corner)
    size = pane * 0.55, pane * 0.7
    alike(brush, dull, size, clear(light.shaded(wall, 0.4), 0.5))
    alike(brush, warm, size, mix(WARM[len(warm) % 3], wall, 0.12))
