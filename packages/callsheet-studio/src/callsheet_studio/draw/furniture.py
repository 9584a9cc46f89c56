"""What stands in rooms: tables, chairs, shelves, counters, a sofa, screens.

Everything takes the room, the brush of a layer, where it stands (`at`: x of its middle and z of its
front, in metres) and its own colour; the light of the room does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.rooms import Room

Place = tuple[float, float]
"""x of the middle and z of the front, in metres."""

_DIM = 0.2
"""Presets that are darker than this are lit by screens, too."""
_FACINGS = {"here": (0, -1), "away": (0, 1), "left": (-1, 0), "right": (1, 0)}


def shadow(
    room: Room, brush: Brush, at: Place, wide: float, deep: float, strength: float = 0.34
) -> None:
    """What a thing throws on the floor, away from the light."""
    light = room.light
    x, z = at[0] - light.side * 0.14, at[1] + deep / 2
    px, py = room(x, 0, z)
    high = max((room(x, 0, max(z - deep * 0.62, 0.4))[1] - room(x, 0, z + deep * 0.62)[1]) / 2, 1.0)
    broad = wide * 0.62 * room.scale(z)
    strength *= 0.35 if light.name == "high_key" else 1.0
    brush.ctx.save()
    brush.ctx.translate(px, py)
    brush.ctx.scale(1, high / broad)
    stops = [(0.0, clear(light.ink, strength)), (0.62, clear(light.ink, strength * 0.8))]
    brush.circle(0, 0, broad, brush.radial((0, 0), broad, [*stops, (1.0, clear(light.ink, 0))]))
    brush.ctx.restore()


def box(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room, brush: Brush, at: Place, base: Place, span: Place, colour: str, *, lit: float = 0.3
) -> None:
    """A box: a front, and the top and the side that the camera sees.

    Args:
        room: the room.
        brush: of a layer.
        at: x of the middle, z of the front.
        base: how wide and deep.
        span: from which height to which.
        colour: its own.
        lit: how much light lies on its top.
    """
    (x, z), (wide, deep), (low, high) = at, base, span
    light, tone = room.light, room.tone(colour, z)
    left, right = x - wide / 2, x + wide / 2
    if left > 0 or right < 0:
        edge = left if left > 0 else right
        is_lit = (light.side < 0) == (left > 0)
        side = light.lit(tone, 0.22) if is_lit else light.shaded(tone, 0.5)
        brush.poly(room.side(edge, z, z + deep, low, high), side)
    if high < room.camera.eye:
        brush.poly(room.flat(left, z, wide, deep, high), light.lit(tone, lit))
    elif low > room.camera.eye:
        brush.poly(room.flat(left, z, wide, deep, low), light.shaded(tone, 0.6))
    front = room.face(left, low, wide, high - low, z)
    ends = (front[3], front[1]) if light.side >= 0 else (front[2], front[0])
    stops = [(0.0, light.shaded(tone, 0.36)), (1.0, light.lit(tone, 0.06))]
    brush.poly(front, brush.linear(*ends, stops))


def legs(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room,
    brush: Brush,
    at: Place,
    base: Place,
    high: float,
    colour: str,
    *,
    thick: float = 0.042,
) -> None:
    """Four legs under something, at the corners of its base; far ones darker."""
    (x, z), (wide, deep) = at, base
    light, tone = room.light, room.tone(colour, z)
    for away, shade in ((deep, 0.5), (0.0, 0.28)):
        for across in (-wide / 2, wide / 2):
            foot, top = room(x + across, 0, z + away), room(x + across * 0.94, high, z + away)
            width = thick * room.scale(z + away)
            brush.line([foot, top], light.shaded(tone, shade), width)


def table(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room,
    brush: Brush,
    at: Place,
    base: Place,
    colour: str,
    *,
    high: float = 0.75,
    leg: str | None = None,
) -> None:
    """A table with four legs."""
    (x, z), (wide, deep) = at, base
    shadow(room, brush, at, wide, deep)
    inner = (wide - 0.16, deep - 0.12)
    legs(room, brush, (x, z + 0.06), inner, high - 0.08, leg or colour)
    box(room, brush, at, base, (high - 0.05, high), colour, lit=0.4)
    edge = room.face(x - wide / 2, high - 0.012, wide, 0.012, z)
    brush.poly(edge, clear(room.light.rim, 0.5))


def round_table(
    room: Room, brush: Brush, at: Place, wide: float, colour: str, *, high: float = 0.74
) -> None:
    """A small round table on one foot."""
    x, z = at[0], at[1] + wide / 2
    light, tone, scale = room.light, room.tone(colour, z), room.scale(z)
    shadow(room, brush, at, wide * 0.9, wide * 0.8)
    foot, top = room(x, 0, z), room(x, high, z)
    metal = light.shaded(room.tone("#3b3f45", z), 0.4)
    brush.ellipse(*foot, 0.24 * scale, max(0.24 * scale * _tilt(room, 0, z), 1.0), metal)
    brush.line([foot, top], metal, 0.05 * scale)
    broad, flat = wide / 2 * scale, wide / 2 * scale * _tilt(room, high, z)
    brush.ellipse(top[0], top[1] + 0.035 * scale, broad, flat, light.shaded(tone, 0.45))
    ends = ((top[0] - broad, top[1]), (top[0] + broad, top[1]))
    stops = [(0.0, light.lit(tone, 0.5)), (1.0, light.shaded(tone, 0.1))]
    fill = brush.linear(*(ends if light.side < 0 else ends[::-1]), stops)
    brush.ellipse(*top, broad, flat, fill)


def _tilt(room: Room, y: float, z: float) -> float:
    """How flat a circle that lies at a height looks."""
    return max(abs(room.camera.eye - y) / z, 0.02)


def chair(
    room: Room, brush: Brush, at: Place, colour: str, *, facing: str = "here", leg: str = "#7a5638"
) -> None:
    """A chair; `facing` says where somebody on it would look: here, away, left or right."""
    x, z = at
    light, tone, scale = room.light, room.tone(colour, z), room.scale(z)
    across, away = _FACINGS[facing]
    shadow(room, brush, (x, z), 0.44, 0.4, 0.3)
    legs(room, brush, (x, z + 0.02), (0.4, 0.38), 0.45, leg, thick=0.032)
    rear = room.flat(x - 0.2, z, 0.4, 0.4, 0.86)
    low = room.flat(x - 0.2, z, 0.4, 0.4, 0.64)
    seat = room.flat(x - 0.2, z, 0.4, 0.4, 0.46)
    pairs = {(0, -1): (1, 2), (0, 1): (0, 3), (-1, 0): (3, 2), (1, 0): (0, 1)}
    one, other = pairs[across, away]
    panel = [rear[one], rear[other], low[other], low[one]]
    posts = light.shaded(room.tone(leg, z), 0.35)
    shade = light.shaded(tone, 0.12 if away < 0 else 0.28)

    def back() -> None:
        for corner in (one, other):
            brush.line([seat[corner], rear[corner]], posts, 0.032 * scale)
        brush.poly(panel, shade)
        brush.line([*panel, panel[0]], shade, 0.05 * scale)
        brush.line([panel[0], panel[1]], clear(light.rim, 0.4), 0.016 * scale)

    if away < 0 or across:
        back()
    box(room, brush, (x, z), (0.44, 0.42), (0.42, 0.465), colour, lit=0.2)
    if away > 0:
        back()


def stool(room: Room, brush: Brush, at: Place, colour: str, *, high: float = 0.66) -> None:
    """A round seat on three legs."""
    x, z = at
    light, tone, scale = room.light, room.tone(colour, z), room.scale(z)
    shadow(room, brush, at, 0.4, 0.3, 0.26)
    top = room(x, high, z)
    for across, away in ((-0.19, -0.08), (0.19, -0.08), (0.02, 0.16)):
        line = [(top[0] + across * 0.4 * scale, top[1]), room(x + across, 0, z + away)]
        brush.line(line, light.shaded(tone, 0.5), 0.03 * scale)
    flat = max(0.19 * scale * _tilt(room, high, z), 0.02 * scale)
    brush.ellipse(top[0], top[1] + 0.03 * scale, 0.19 * scale, flat, light.shaded(tone, 0.35))
    brush.ellipse(*top, 0.19 * scale, flat, light.lit(tone, 0.3))


def sofa(room: Room, brush: Brush, at: Place, wide: float, colour: str, *, seats: int = 3) -> None:
    """A sofa that looks at the camera, with soft edges."""
    x, z = at
    light, tone = room.light, room.tone(colour, z)
    shadow(room, brush, at, wide * 1.02, 0.8, 0.4)
    dark, dim, lit = light.shaded(tone, 0.55), light.shaded(tone, 0.28), light.lit(tone, 0.22)
    half, inner = wide / 2, wide - 0.4
    way = (-half, half) if light.side < 0 else (half, -half)
    with brush.moved(*room(x, 0, z), scale=room.scale(z)):
        for foot in (-half + 0.14, half - 0.14):
            brush.line([(foot, -0.12), (foot + (0.03 if foot > 0 else -0.03), 0)], dark, 0.045)
        rest = brush.linear((way[0], -0.9), (way[1], -0.4), [(0, lit), (0.5, tone), (1, dim)])
        brush.rect(-half + 0.08, -0.88, wide - 0.16, 0.6, rest, radius=0.12)
        for index in range(1, seats):
            seam = -inner / 2 + inner * index / seats
            brush.line([(seam, -0.82), (seam + 0.006, -0.5)], clear(light.ink, 0.3), 0.014)
        brush.rect(-half + 0.1, -0.3, wide - 0.2, 0.2, dark, radius=0.03)
        brush.poly(
            [
                (-inner / 2, -0.52),
                (inner / 2, -0.52),
                (inner / 2 + 0.04, -0.4),
                (-inner / 2 - 0.04, -0.4),
            ],
            lit,
        )
        brush.rect(-inner / 2, -0.55, inner, 0.05, clear(light.ink, 0.28), radius=0.02)
        for index in range(seats):
            start, broad = -inner / 2 + inner * index / seats, inner / seats
            cushion = brush.linear((0, -0.47), (0, -0.24), [(0.0, tone), (1.0, dim)])
            brush.rect(start + 0.006, -0.46, broad - 0.012, 0.22, cushion, radius=0.05)
        for edge in (-half, half - 0.24):
            is_lit = (edge < 0) == (light.side < 0)
            arm = brush.linear(
                (edge, -0.66),
                (edge + 0.24, -0.1),
                [(0, lit if is_lit else tone), (1, dim if is_lit else dark)],
            )
            brush.rect(edge, -0.66, 0.24, 0.57, arm, radius=0.1)


def cushion(
    room: Room, brush: Brush, at: tuple[float, float, float], colour: str, turn: float = 0.1
) -> None:
    """A cushion that leans; `at` is x, y of its middle and z."""
    light, tone = room.light, room.tone(colour, at[2])
    with brush.moved(*room(*at), scale=room.scale(at[2]), turn=turn):
        points = [
            (-0.21, -0.2),
            (0, -0.17),
            (0.21, -0.2),
            (0.18, 0),
            (0.21, 0.2),
            (0, 0.18),
            (-0.21, 0.2),
            (-0.18, 0),
        ]
        stops = [(0.0, light.lit(tone, 0.3)), (1.0, light.shaded(tone, 0.35))]
        ends = ((-0.2, -0.2), (0.2, 0.2)) if light.side < 0 else ((0.2, -0.2), (-0.2, 0.2))
        brush.shape(points, brush.linear(*ends, stops), corners=(0, 2, 4, 6))


def rug(
    room: Room, brush: Brush, at: Place, base: Place, colour: str, *, stripe: str | None = None
) -> None:
    """A rug on the floor, with a border."""
    (x, z), (wide, deep) = at, base
    tone = room.tone(colour, z)
    far, near = room(x, 0, z + deep)[1], room(x, 0, z)[1]
    stops = [(0.0, room.light.lit(tone, 0.14)), (1.0, room.light.shaded(tone, 0.22))]
    fill = brush.linear((0, far), (0, near), stops)
    brush.poly(room.flat(x - wide / 2, z, wide, deep), fill)
    if stripe is not None:
        line = clear(room.tone(stripe, z), 0.75)
        for place in (0.1, 0.18, 0.78, 0.86):
            brush.poly(room.flat(x - wide / 2, z + deep * place, wide, deep * 0.045), line)


def counter(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room,
    brush: Brush,
    at: Place,
    base: Place,
    colours: tuple[str, str],
    *,
    high: float = 0.92,
    doors: int = 4,
    knob: str | None = "#d8c49a",
) -> None:
    """A cupboard with a worktop; `colours` of the doors and of the top."""
    (x, z), (wide, deep) = at, base
    light, left = room.light, x - wide / 2
    shadow(room, brush, at, wide, deep, 0.3)
    box(room, brush, at, base, (0.08, high - 0.05), colours[0])
    plinth = light.shaded(room.tone(colours[0], z), 0.75)
    brush.poly(room.face(left + 0.02, 0, wide - 0.04, 0.08, z), plinth)
    edge = clear(light.ink, 0.34)
    for index in range(doors):
        start, broad = left + wide * index / doors, wide / doors
        panel = room.face(start + 0.025, 0.12, broad - 0.05, high - 0.24, z)
        brush.line([*panel, panel[0]], edge, 0.012 * room.scale(z))
        if knob is not None:
            y = high - 0.24
            grip = [room(start + broad * 0.36, y, z), room(start + broad * 0.64, y, z)]
            brush.line(grip, room.tone(knob, z), 0.022 * room.scale(z))
    over = (wide + 0.06, deep + 0.03)
    box(room, brush, (x, z - 0.03), over, (high - 0.05, high), colours[1], lit=0.45)
    lip = room.face(left - 0.03, high - 0.012, wide + 0.06, 0.012, z - 0.03)
    brush.poly(lip, clear(light.rim, 0.45))


def case(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room,
    brush: Brush,
    at: Place,
    size: tuple[float, float, float],
    colour: str,
    *,
    rows: int = 5,
    inner: str | None = None,
) -> list[tuple[float, float, float]]:
    """An open case of shelves, `size` wide, deep and high. Gives (left, y, width) of each shelf."""
    (x, z), (wide, deep, high) = at, size
    light, left = room.light, x - wide / 2
    shadow(room, brush, at, wide, deep, 0.3)
    tone = room.tone(colour, z)
    box(room, brush, at, (wide, deep), (0, high), colour)
    dark = light.shaded(room.tone(inner or colour, z), 0.52)
    brush.poly(room.face(left + 0.04, 0.1, wide - 0.08, high - 0.14, z), dark)
    shelves = []
    step = (high - 0.14) / rows
    for row in range(rows):
        y = 0.1 + row * step
        under = room.face(left + 0.04, y + step * 0.72, wide - 0.08, step * 0.28, z)
        brush.poly(under, clear(light.ink, 0.22))
        board = room.face(left + 0.02, y - 0.018, wide - 0.04, 0.036, z)
        brush.poly(board, light.lit(tone, 0.3))
        shelves.append((left + 0.06, y + 0.018, wide - 0.12))
    return shelves


def board_shelf(room: Room, brush: Brush, left: float, y: float, wide: float, colour: str) -> None:
    """A board on the back wall, with its shadow under it."""
    light, z = room.light, room.depth - 0.22
    fall = room.wall(left - light.side * 0.1, y - 0.3, wide, 0.28)
    stops = [(0.0, clear(light.ink, 0.3)), (1.0, clear(light.ink, 0))]
    brush.poly(fall, brush.linear(fall[0], fall[3], stops))
    box(room, brush, (left + wide / 2, z), (wide, 0.22), (y - 0.045, y), colour, lit=0.4)


def screen(
    room: Room,
    brush: Brush,
    at: tuple[float, float, float],
    size: tuple[float, float],
    *,
    on: bool = True,
    stand: bool = True,
) -> None:
    """A monitor; `at` is x of its middle, y of its lower edge and z. It shines when it is dark."""
    (x, y, z), (wide, high) = at, size
    light, scale = room.light, room.scale(z)
    body = light.shaded(room.tone("#2a2f36", z), 0.4)
    px, py = room(x, y, z)
    w, h = wide * scale, high * scale
    if stand:
        brush.rect(px - 0.03 * scale, py - 0.02 * scale, 0.06 * scale, 0.13 * scale, body)
        brush.rect(px - 0.12 * scale, py + 0.1 * scale, 0.24 * scale, 0.02 * scale, body)
    brush.rect(px - w / 2, py - h, w, h, body, radius=0.015 * scale)
    if not on:
        return
    rim = 0.018 * scale
    blue = mix("#7fb4d6", light.glow, 0.3)
    stops = [(0.0, lighter(blue, 0.35)), (1.0, mix(blue, light.fill, 0.35))]
    fill = brush.linear((px - w / 2, py - h), (px + w / 2, py), stops)
    brush.rect(px - w / 2 + rim, py - h + rim, w - 2 * rim, h - 2 * rim, fill)
    with room.stage.readable(brush, px):
        _interface(room, brush, (px - w / 2 + rim, py - h + rim, w - 2 * rim, h - 2 * rim))
    if light.dark > _DIM:
        brush.glow(px, py - h / 2, w * 1.5, mix("#8fd0f5", light.glow, 0.3), 0.5 * light.dark + 0.1)


def _interface(room: Room, brush: Brush, frame: tuple[float, float, float, float]) -> None:
    """A picture of software: a bar, a list, a chart."""
    x, y, w, h = frame
    ink, pale = clear(mix("#23405a", room.light.ink, 0.3), 0.55), clear("#ffffff", 0.75)
    brush.rect(x, y, w * 0.2, h, clear("#23405a", 0.45))
    for row in range(4):
        brush.rect(x + w * 0.04, y + h * (0.14 + 0.16 * row), w * 0.11, h * 0.05, pale)
    brush.rect(x + w * 0.26, y + h * 0.1, w * 0.4, h * 0.08, ink)
    chance = room.stage.chance(f"interface {x:.0f}")
    best = chance.randrange(6)
    for index in range(6):
        tall, colour = chance.uniform(0.15, 0.4) + 0.03 * index, pale
        if index == best:
            tall, colour = 0.56, room.stage.accent
        brush.rect(
            x + w * (0.27 + 0.115 * index), y + h * (0.88 - tall), w * 0.075, h * tall, colour
        )


def picture(
    room: Room, brush: Brush, corners: Sequence[Point], colour: str, *, kind: str = "hill"
) -> None:
    """A framed print on a wall, within four corners: "hill", "shapes" or "portrait"."""
    light = room.light
    (x, y), (end, _), (_, foot), _ = corners
    w, h = end - x, foot - y
    brush.rect(x - light.side * w * 0.05, y + h * 0.04, w, h, clear(light.ink, 0.28))
    brush.rect(x, y, w, h, light.shaded(room.tone("#4a382c", room.depth), 0.35))
    paper = room.tone("#f1e8d6", room.depth)
    edge = min(w, h) * 0.06
    brush.rect(x + edge, y + edge, w - 2 * edge, h - 2 * edge, paper)
    tone = room.tone(colour, room.depth)
    inner = [
        (x + edge * 2.2, y + edge * 2.2),
        (end - edge * 2.2, y + edge * 2.2),
        (end - edge * 2.2, foot - edge * 2.2),
        (x + edge * 2.2, foot - edge * 2.2),
    ]
    with brush.inside(inner):
        brush.rect(x, y, w, h, mix(paper, tone, 0.3))
        if kind == "shapes":
            brush.circle(x + w * 0.4, y + h * 0.42, w * 0.22, tone)
            brush.rect(x + w * 0.46, y + h * 0.46, w * 0.34, h * 0.5, light.shaded(tone, 0.45))
        elif kind == "portrait":
            brush.ellipse(x + w * 0.5, y + h, w * 0.34, h * 0.4, light.shaded(tone, 0.3))
            brush.ellipse(x + w * 0.5, y + h * 0.43, w * 0.14, h * 0.15, tone)
        else:
            brush.circle(x + w * 0.66, y + h * 0.36, w * 0.11, light.lit(tone, 0.5))
            brush.ellipse(x + w * 0.2, y + h * 1.02, w * 0.5, h * 0.42, tone)
            brush.ellipse(x + w * 0.8, y + h * 1.05, w * 0.5, h * 0.3, light.shaded(tone, 0.4))
    glass = [
        (x + w * 0.1, y + h * 0.94),
        (x + w * 0.5, y + h * 0.06),
        (x + w * 0.66, y + h * 0.06),
        (x + w * 0.26, y + h * 0.94),
    ]
    brush.poly(glass, clear(light.rim, 0.1))


def door(  # noqa: PLR0913 -- a place, a size, a colour
    room: Room,
    brush: Brush,
    x: float,
    colour: str,
    *,
    wide: float = 0.95,
    high: float = 2.1,
    glass: bool = False,
) -> None:
    """A door in the back wall; x is its middle."""
    light, z, left = room.light, room.depth, x - wide / 2
    tone, scale = room.tone(colour, z), room.scale(z)
    brush.poly(
        room.wall(left - 0.08, 0, wide + 0.16, high + 0.08), light.lit(room.tone("#e8e2d4", z), 0.1)
    )
    leaf = room.wall(left, 0, wide, high)
    stops = [(0.0, light.lit(tone, 0.15)), (1.0, light.shaded(tone, 0.35))]
    brush.poly(leaf, brush.linear(leaf[0], leaf[2], stops))
    line = clear(light.ink, 0.3)
    if glass:
        pane = room.wall(left + 0.14, 0.95, wide - 0.28, high - 1.1)
        brush.poly(pane, mix(room.tone("#dfe6e4", z), light.glow, 0.5 - 0.6 * light.dark))
    else:
        for low, tall in ((0.2, 0.7), (1.1, 0.85)):
            panel = room.wall(left + 0.14, low, wide - 0.28, tall)
            brush.line([*panel, panel[0]], line, 0.02 * scale)
    grip = room(left + wide - 0.1, 1.02, z)
    brush.circle(*grip, 0.03 * scale, room.tone("#d9c28a", z))
