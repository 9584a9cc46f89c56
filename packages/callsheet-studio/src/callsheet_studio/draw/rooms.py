"""A room: walls, floor, ceiling and windows in real perspective, and the light that falls in.

Metres, as the camera has them: x to the right of the middle, y up from the floor, z away. The
camera looks straight ahead through a lens that is shifted up or down: what is upright stays so.
What stands in a room is in `furniture` and `dressing`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw.colour import clear, mix, shifted
from callsheet_studio.draw.outlook import is_night, night_sky, paint_outlook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.camera import Camera
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

Scheme: TypeAlias = tuple[str, ...]
"""Colours that were chosen to go together."""

_NEAR = 0.3
"""Metres; where walls and floor end, behind the edge of every frame."""
_OVER = 1.3
"""How much larger than a layer it is filled: a tilted one is seen beyond its corners."""
_WIDE = 16 / 9
_NARROWER = 0.18
"""A narrow frame sees a little more of the height, not only less of the width."""
_LENSES = (24.0, 32.0)
_ANGLES = {"high": (2.3, 0.22), "low": (0.55, 0.72), "overhead": (3.6, -0.3)}
"""The camera's height in metres, and the horizon as a part of the frame's height."""
_LEVEL = (1.25, 0.5)
_SEEN = 1.6
"""Metres; the floor nearer than this is under the frame."""
_SHADED = 0.15
"""Above this part of the height there is nothing in the middle that falls off into the dark."""
_NEON = "neon_night"
_WHITE = "high_key"
"""The preset with light from everywhere: all is paler, nothing falls off."""


class Room(msgspec.Struct, frozen=True):
    """A box that the camera stands in. Call it with a point in metres to get one in the frame."""

    stage: Stage
    camera: Camera
    rise: float
    """Pixels that the lens is shifted by."""
    depth: float
    left: float
    right: float
    tall: float
    spread: float
    """1 in a wide frame, 0.66 in a square, 0.44 in a tall one: how much there is place for."""

    def __call__(self, x: float, y: float, z: float) -> Point:
        """Where a point of the room is in the frame."""
        across, down = self.camera(x, y, z)
        return across, down + self.rise

    @property
    def light(self) -> Light:
        """The light of the shot."""
        return self.stage.light

    @property
    def is_narrow(self) -> bool:
        """Whether the frame is a square or taller than wide: show less, one thing per side."""
        return self.stage.width <= self.stage.height

    def one_of(self, schemes: Sequence[Scheme]) -> Scheme:
        """The colours of this room: the same in all shots of a film, others in another film."""
        return self.stage.chance("scheme").choice(schemes)

    def fit(self, wide: float) -> float:
        """How wide something is made here that is so wide in a wide frame, in metres."""
        return wide * math.sqrt(self.spread)

    def scale(self, z: float) -> float:
        """Pixels per metre, so far away."""
        return self.camera.size(1.0, z)

    def x(self, share: float, z: float) -> float:
        """The x in metres that is seen at this part of the frame's width, so far away."""
        return (share - 0.5) * self.stage.width / self.scale(z)

    def tone(self, colour: str, z: float) -> str:
        """A colour as it looks in this room, so far away."""
        nearness = 1 - 0.36 * min(max(z - 1.5, 0.0) / max(self.depth - 1.5, 0.1), 1.0)
        seen = mix(colour, self.light.air(colour, nearness), 0.84 + 0.16 * self.light.dark)
        if self.light.name == _WHITE:
            return mix(shifted(seen, saturation=1.5), self.light.low, 0.32)
        seen = mix(seen, self.light.fill, 0.9 * self.light.dark**1.5)
        return shifted(seen, saturation=1.3, value=1.07 - 0.76 * self.light.dark)

    @property
    def lamps(self) -> float:
        """How much lamps give in this room: next to a screen in the dark, hardly anything."""
        return self.light.lamps * (0.1 if self.is_by_screen else 1.0)

    @property
    def is_by_screen(self) -> bool:
        """Whether a screen is the one source of light."""
        return self.light.name == "screen_glow"

    def wall(self, x: float, y: float, wide: float, high: float) -> list[Point]:
        """Four corners on the back wall; x is the left edge, y the lower one."""
        return self.face(x, y, wide, high, self.depth)

    def face(self, x: float, y: float, wide: float, high: float, z: float) -> list[Point]:
        """Four corners of an upright rectangle that looks at the camera."""
        corners = ((x, y + high), (x + wide, y + high), (x + wide, y), (x, y))
        return [self(across, up, z) for across, up in corners]

    def side(self, x: float, z: float, end: float, low: float, high: float) -> list[Point]:
        """Four corners of an upright rectangle that runs away from the camera."""
        corners = ((high, z), (high, end), (low, end), (low, z))
        return [self(x, up, away) for up, away in corners]

    def flat(self, x: float, z: float, wide: float, deep: float, y: float = 0.0) -> list[Point]:
        """Four corners of a rectangle that lies at a height; x is its left edge, z the near one."""
        corners = ((x, z), (x, z + deep), (x + wide, z + deep), (x + wide, z))
        return [self(across, y, away) for across, away in corners]


def room_of(
    stage: Stage, *, depth: float = 6.6, left: float = -3.7, right: float = 3.9, tall: float = 2.8
) -> Room:
    """The room of a set, as the camera of the shot sees it.

    Args:
        stage: what is painted on.
        depth: metres to the wall at the back; somebody whose feet are at 0.88 stands at 4.5.
        left: x of the wall on the left, in a wide frame; narrower frames bring it nearer.
        right: x of the wall on the right.
        tall: metres to the ceiling.
    """
    eye, horizon = _ANGLES.get(stage.angle, _LEVEL)
    aspect = stage.width / stage.height
    across = _WIDE * (min(aspect, _WIDE) / _WIDE) ** _NARROWER
    lens = min(max(stage.lens, _LENSES[0]), _LENSES[1])
    lens *= across * stage.height / max(stage.width, stage.height)
    camera = replace(stage.camera, lens=lens, eye=eye, pitch=0.0, roll=0.0)
    rise = (horizon - 0.5) * stage.height
    narrow = min(aspect / _WIDE, 1.0) ** 0.72
    return Room(stage, camera, rise, depth, left * narrow, right * narrow, tall, narrow)


# The shell


def paint_shell(
    room: Room, *, wall: str, floor: str, ceiling: str = "#f3efe6", side: str | None = None
) -> None:
    """Walls, floor and ceiling, lit from where the light comes from; fills the whole back."""
    stage, brush, light = room.stage, room.stage.back, room.light
    spare = (_OVER - 1) * max(stage.whole)
    back = room.tone(wall, room.depth)
    brush.rect(
        stage.left - spare,
        stage.upper - spare,
        stage.whole[0] + 2 * spare,
        stage.whole[1] + 2 * spare,
        back,
    )
    _ceiling(room, mix(ceiling, wall, 0.4))
    _floor(room, floor)
    lower, upper = room(room.left, 0, room.depth), room(room.right, room.tall, room.depth)
    ends = (lower[0], upper[0]) if light.side < 0 else (upper[0], lower[0])
    fall = 0.16 if light.name == _WHITE else 0.42 + 0.3 * light.dark
    lit, dim = light.lit(back, 0.34), light.shaded(back, fall)
    fill = brush.linear(
        (ends[0], lower[1]), (ends[1], upper[1]), [(0.0, lit), (0.45, back), (1.0, dim)]
    )
    brush.poly(room.wall(room.left, 0, room.right - room.left, room.tall), fill)
    for x, is_lit in ((room.left, light.side > 0), (room.right, light.side <= 0)):
        near, far = room(x, 0, 2.0)[0], room(x, 0, room.depth)[0]
        base = room.tone(side or wall, room.depth * 0.7)
        first = light.lit(base, 0.16) if is_lit else light.shaded(base, 0.26)
        last = light.shaded(first, 0.34 + 0.2 * light.dark)
        fill = brush.linear((far, 0), (near, 0), [(0.0, first), (1.0, last)])
        brush.poly(room.side(x, _NEAR, room.depth, 0, room.tall), fill)
    _corner_shadows(room)


def _ceiling(room: Room, colour: str) -> None:
    if room.camera.eye >= room.tall:
        return
    brush, light = room.stage.back, room.light
    tone = light.shaded(room.tone(colour, room.depth), 0.04 + 0.4 * light.dark)
    far, near = room(0, room.tall, room.depth)[1], room.stage.upper
    stops = [(0.0, tone), (1.0, light.shaded(tone, 0.3))]
    ceiling = room.flat(room.left, _NEAR, room.right - room.left, room.depth - _NEAR, room.tall)
    brush.poly(ceiling, brush.linear((0, far), (0, near), stops))
    brush.poly(
        room.wall(room.left, room.tall - 0.07, room.right - room.left, 0.07), light.lit(tone, 0.3)
    )


def _floor(room: Room, colour: str) -> None:
    brush, light = room.stage.back, room.light
    tone = room.tone(colour, room.depth * 0.6)
    far, near = room(0, 0, room.depth)[1], room.stage.bottom
    stops = [(0.0, light.lit(tone, 0.2)), (0.35, tone), (1.0, light.shaded(tone, 0.5))]
    floor = room.flat(room.left, _NEAR, room.right - room.left, room.depth - _NEAR)
    brush.poly(floor, brush.linear((0, far), (0, near), stops))


def _corner_shadows(room: Room) -> None:
    """Where walls meet it is a little darker; a skirting board along the floor."""
    brush, ink = room.stage.back, room.light.ink
    for x, way in ((room.left, 1), (room.right, -1)):
        wide, depth = (0.9, 0.24) if way * room.light.side > 0 else (0.35, 0.12)
        depth *= 0.4 if room.light.name == _WHITE else 1.0
        edge = room(x, 0, room.depth)[0]
        reach = edge + way * wide * room.scale(room.depth)
        fill = brush.linear((edge, 0), (reach, 0), [(0, clear(ink, depth)), (1, clear(ink, 0))])
        start = x if way > 0 else x - wide
        brush.poly(room.wall(start, 0, wide, room.tall), fill)
    foot, reach = room(0, 0, room.depth)[1], room(0, 0, room.depth * 0.8)[1]
    fill = brush.linear((0, foot), (0, reach), [(0, clear(ink, 0.3)), (1, clear(ink, 0))])
    brush.poly(
        room.flat(room.left, room.depth * 0.8, room.right - room.left, room.depth * 0.2), fill
    )


def paint_skirting(room: Room, colour: str, *, high: float = 0.12) -> None:
    """A board along the foot of the walls."""
    brush, light = room.stage.back, room.light
    tone = room.tone(colour, room.depth)
    brush.poly(room.wall(room.left, 0, room.right - room.left, high), tone)
    for x in (room.left, room.right):
        brush.poly(room.side(x, _NEAR, room.depth, 0, high), light.shaded(tone, 0.3))


def paint_boards(room: Room, colour: str, *, wide: float = 0.24) -> None:
    """Floorboards that run away from the camera, each a little different."""
    brush, light, chance = room.stage.back, room.light, room.stage.chance("boards")
    tone = room.tone(colour, room.depth * 0.6)
    count = round((room.right - room.left) / wide)
    for index in range(count):
        x, z = room.left + index * wide, _NEAR
        while z < room.depth:
            end = min(z + chance.uniform(1.2, 2.8), room.depth)
            shade = chance.choice((light.shaded(tone, 0.7), light.lit(tone, 0.7)))
            if end > _SEEN:
                strip = room.flat(x, z, wide * 0.97, end - z - 0.02)
                brush.poly(strip, clear(shade, chance.uniform(0.02, 0.14)))
            z = end


def paint_tiles(
    room: Room, colour: str, *, size: float = 0.6, other: str | None = None, near: float = _SEEN
) -> None:
    """Tiles on the floor: lines between them, or two colours in turn."""
    brush, light = room.stage.back, room.light
    line = clear(light.shaded(room.tone(colour, room.depth * 0.6), 0.6), 0.4)
    wide, deep = round((room.right - room.left) / size), int((room.depth - near) / size) + 1
    if other is not None:
        tone = clear(room.tone(other, room.depth * 0.6), 0.8)
        for row in range(deep):
            for column in range(row % 2, wide, 2):
                z = room.depth - (row + 1) * size
                brush.poly(room.flat(room.left + column * size, max(z, _NEAR), size, size), tone)
        return
    for column in range(wide + 1):
        x = room.left + column * size
        brush.line([room(x, 0, near * 0.6), room(x, 0, room.depth)], line, 0.14 * room.stage.unit)
    for row in range(deep):
        z = room.depth - row * size
        brush.line([room(room.left, 0, z), room(room.right, 0, z)], line, 0.14 * room.stage.unit)


# Windows


class Opening(msgspec.Struct, frozen=True):
    """An upright rectangle in a wall, from one end to the other on the floor plan."""

    start: tuple[float, float]
    """x and z."""
    end: tuple[float, float]
    low: float
    high: float

    def at(self, along: float, up: float) -> tuple[float, float, float]:
        """A point of it in metres: 0 to 1 from start to end and from low to high."""
        x = self.start[0] + (self.end[0] - self.start[0]) * along
        z = self.start[1] + (self.end[1] - self.start[1]) * along
        return x, self.low + (self.high - self.low) * up, z

    def part(self, room: Room, left: float, right: float, low: float, high: float) -> list[Point]:
        """Four corners in the frame of a part of it."""
        corners = ((left, high), (right, high), (right, low), (left, low))
        return [room(*self.at(*corner)) for corner in corners]


def back_opening(room: Room, x: float, wide: float, low: float, high: float) -> Opening:
    """In the wall at the back; x is the middle."""
    return Opening((x - wide / 2, room.depth), (x + wide / 2, room.depth), low, high)


def side_opening(
    room: Room, near: float, far: float, low: float, high: float, *, right: bool = False
) -> Opening:
    """In the wall on the left (or the right), from near to far."""
    x = room.right if right else room.left
    return Opening((x, near), (x, far), low, high)


def paint_window(
    room: Room,
    opening: Opening,
    *,
    panes: tuple[int, int] = (2, 2),
    view: str = "town",
    frame: str = "#e9e4d8",
    bar: float = 0.05,
) -> None:
    """A window with what is seen through it; the light it gives is `paint_daylight`.

    Args:
        room: painted on its back.
        opening: where.
        panes: how many across and up.
        view: "town", "garden", "city", "sea" or "sky".
        frame: the colour of the wood.
        bar: how thick it is, in metres.
    """
    brush, light = room.stage.back, room.light
    wide, high = _reach(opening), opening.high - opening.low
    u, v = bar / wide, bar / high
    tone = room.tone(frame, room.depth)
    inner, outer = light.shaded(tone, 0.34 + 0.36 * light.dark), light.shaded(tone, 0.12)
    brush.poly(opening.part(room, -u * 1.6, 1 + u * 1.6, -v * 1.6, 1 + v * 1.6), outer)
    whole = opening.part(room, 0, 1, 0, 1)
    paint_outlook(room.stage, whole, view)
    across, up = panes
    for index in range(across + 1):
        half = u if index in {0, across} else u * 0.5
        place = index / across
        brush.poly(opening.part(room, place - half, place + half, -v, 1 + v), inner)
    for index in range(up + 1):
        half = v if index in {0, up} else v * 0.5
        brush.poly(opening.part(room, 0, 1, index / up - half, index / up + half), inner)
    if not is_night(light):
        _bloom(room, whole, light.glow, 0.2 - 0.06 * light.dark)
    elif light.name == _NEON:
        _bloom(room, whole, light.rim, 0.4)


def _bloom(room: Room, whole: Sequence[Point], colour: str, strength: float) -> None:
    """Bright panes shine over their bars; signs of a street at night do, too."""
    x = sum(point[0] for point in whole) / 4
    y = sum(point[1] for point in whole) / 4
    reach = min(abs(whole[0][0] - whole[2][0]), abs(whole[0][1] - whole[2][1])) * 1.2
    room.stage.back.glow(x, y, reach * 0.85, colour, strength)


def _reach(opening: Opening) -> float:
    across = opening.end[0] - opening.start[0]
    away = opening.end[1] - opening.start[1]
    return math.hypot(across, away)


def paint_sill(room: Room, opening: Opening, colour: str = "#efe9dc") -> None:
    """A board under a window of the back wall, a hand wide."""
    brush, light, z = room.stage.back, room.light, room.depth - 0.2
    left, wide = opening.start[0] - 0.12, opening.end[0] - opening.start[0] + 0.24
    top, tone = opening.low - 0.05, room.tone(colour, z)
    if top < room.camera.eye:
        brush.poly(room.flat(left, z, wide, 0.2, top), light.lit(tone, 0.3))
    brush.poly(room.face(left, top - 0.05, wide, 0.05, z), light.shaded(tone, 0.16))


def paint_daylight(
    room: Room,
    *openings: Opening,
    towards: tuple[float, float, float],
    panes: tuple[int, int] = (2, 2),
    strength: float = 1.0,
) -> None:
    """What windows throw on the floor, pane by pane, and the light in the air between.

    Args:
        room: painted on its back.
        openings: windows of one kind; all at once cost little more than one. Only the first two
            are seen to throw their light through the air.
        towards: where the light goes: x, y (down: below zero) and z.
        panes: how many across and up.
        strength: 1 as the preset has it.
    """
    brush, light = room.stage.back, room.light
    night = night_sky(light)
    strength *= 1.0 if night else 1 - light.lamps * (1 - light.hard)
    colour = night[1] if night else mix(light.glow, light.key, 0.5)
    colour = light.rim if light.name == _NEON else colour
    alpha = (0.3 if night else 0.6 + 0.2 * light.hard) * strength
    patches = [patch for opening in openings for patch in _patches(room, opening, towards, panes)]
    ys = [y for patch in patches for _, y in patch]
    fade = [(0.0, clear(colour, alpha)), (1.0, clear(colour, alpha * 0.35))]
    with brush.blended("screen"), brush.soft((0.9 - 0.65 * light.hard) * room.stage.unit):
        brush.path(_outline(patches), brush.linear((0, min(ys)), (0, max(ys)), fade))
    if not night:
        _shafts(room, openings[:2], towards, clear(colour, (0.26 - 0.14 * light.dark) * strength))


def _patches(
    room: Room,
    opening: Opening,
    towards: tuple[float, float, float],
    panes: tuple[int, int],
) -> list[list[Point]]:
    """What each pane of a window throws on the floor."""
    across, up = panes
    patches = []
    for column in range(across):
        for row in range(up):
            left, right = (column + 0.06) / across, (column + 0.94) / across
            low, high = (row + 0.06) / up, (row + 0.94) / up
            corners = ((left, low), (right, low), (right, high), (left, high))
            patches.append([_cast(room, opening.at(*corner), towards) for corner in corners])
    return patches


def _outline(shapes: Sequence[Sequence[Point]]) -> str:
    """Several shapes as one path: they are softened once."""
    return " ".join("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in each) + " Z" for each in shapes)


def _cast(
    room: Room, start: tuple[float, float, float], towards: tuple[float, float, float]
) -> Point:
    """Where light through a point of a window meets the floor, before it meets a wall."""
    x, y, z = start
    time = y / -towards[1]
    x, z = x + towards[0] * time, z + towards[2] * time
    return room(min(max(x, room.left), room.right), 0, min(max(z, 0.8), room.depth))


def _shafts(
    room: Room, openings: Sequence[Opening], towards: tuple[float, float, float], colour: str
) -> None:
    """Light in the air, from the windows down to the floor."""
    brush = room.stage.back
    shafts = []
    for opening in openings:
        upper, lower = opening.at(1, 1), opening.at(0, 0)
        window = [room(*lower), room(*opening.at(0, 1)), room(*upper)]
        shafts.append([*window, _cast(room, upper, towards), _cast(room, lower, towards)])
    start, end = shafts[0][2], shafts[0][3]
    none = colour[: colour.rindex(",")] + ", 0)"
    fade = brush.linear(start, end, [(0.0, colour), (0.9, none)])
    with brush.blended("screen"), brush.soft(2.6 * room.stage.unit):
        brush.path(_outline(shafts), fade)


# The light as a whole


def settle(room: Room, source: Point, *, reach: float = 1.0) -> None:
    """Let back and middle fall off into the dark, away from a source of light.

    Call it when everything is painted that does not shine itself, then paint lamps and glows.

    Args:
        room: its back and middle are shaded.
        source: where the light comes from, as parts of the frame.
        reach: how far it goes, 1 for most of the frame.
    """
    stage, light = room.stage, room.light
    aside = min(abs(light.side) * 2, 1.0)
    x, y = stage.x(0.5 + (source[0] - 0.5) * aside), stage.y(source[1])
    radius = max(stage.whole) * 0.86 * reach
    depth = 0.06 if light.name == _WHITE else min(0.34 + 0.5 * light.dark + 0.35 * light.hard, 0.85)
    stops = [(0.0, clear(light.ink, 0)), (1.0, clear(light.ink, depth))]
    spare = (_OVER - 1) * max(stage.whole)
    left, wide = stage.left - spare, stage.whole[0] + 2 * spare
    for brush, top in ((stage.back, stage.upper - spare), (stage.middle, stage.y(_SHADED))):
        fill = brush.radial((x, y), radius, stops, inner=radius * 0.2)
        with brush.blended("source-atop"):
            brush.rect(left, top, wide, stage.bottom + spare - top, fill)
