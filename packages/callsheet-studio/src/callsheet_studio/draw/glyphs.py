"""Movement glyphs: one large yellow sign for what the camera does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet_studio.draw.brush import Brush, Point

YELLOW = "#ffcf3f"
INK = "#14171f"
_NARROW = 0.9


class Sheet(msgspec.Struct, frozen=True):
    """What is annotated on."""

    brush: Brush
    width: int
    height: int

    @property
    def unit(self) -> float:
        """A hundredth of the shorter side, a little more in wide frames."""
        return min(self.height, self.width * _NARROW) / 100

    def at(self, x: float, y: float) -> Point:
        """A point, from parts of the frame."""
        return x * self.width, y * self.height


def _arrow(sheet: Sheet, start: Point, end: Point, wide: float, taper: float = 0.3) -> None:
    """A straight arrow that grows towards its head."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy) or 1.0
    ux, uy = dx / long, dy / long
    tip = min(wide * 1.25, long * 0.6)

    def point(along: float, across: float) -> Point:
        return start[0] + ux * along - uy * across, start[1] + uy * along + ux * across

    half = wide / 2
    points = [
        point(0, -half * taper),
        point(long - tip, -half * 0.5),
        point(long - tip, -half * 1.1),
        point(long, 0),
        point(long - tip, half * 1.1),
        point(long - tip, half * 0.5),
        point(0, half * taper),
    ]
    _filled(sheet, points)


def _filled(sheet: Sheet, points: Sequence[Point]) -> None:
    """Yellow with an ink outline: legible on every picture."""
    ctx = sheet.brush.ctx
    ctx.beginPath()
    ctx.moveTo(*points[0])
    for each in points[1:]:
        ctx.lineTo(*each)
    ctx.closePath()
    ctx.strokeStyle, ctx.lineWidth, ctx.lineJoin = INK, sheet.unit * 0.9, "round"
    ctx.stroke()
    ctx.fillStyle = YELLOW
    ctx.fill()


def _bent(sheet: Sheet, path: Callable[[float], Point], wide: float, taper: float = 0.25) -> None:
    """An arrow along a curve, from 0 to 1."""
    left: list[Point] = []
    right: list[Point] = []
    steps, head = 40, 0.86
    for step in range(steps + 1):
        along = head * step / steps
        (x, y), (nx, ny) = path(along), path(along + 0.01)
        long = math.hypot(nx - x, ny - y) or 1.0
        half = wide * 0.5 * (taper + (0.5 - taper) * along / head)
        across = (-(ny - y) / long * half, (nx - x) / long * half)
        left.append((x + across[0], y + across[1]))
        right.append((x - across[0], y - across[1]))
    (x, y), tip = path(head), path(1.0)
    long = math.hypot(tip[0] - x, tip[1] - y) or 1.0
    across = (-(tip[1] - y) / long * wide * 0.58, (tip[0] - x) / long * wide * 0.58)
    flank = [(x + across[0], y + across[1]), tip, (x - across[0], y - across[1])]
    _filled(sheet, [*left, *flank, *reversed(right)])


def _dashed(sheet: Sheet, share: float) -> tuple[Point, Point]:
    """A dashed frame in the middle; its corners."""
    left, top = sheet.at((1 - share) / 2, (1 - share) / 2)
    right, bottom = sheet.width - left, sheet.height - top
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    dash = (2.2 * sheet.unit, 1.5 * sheet.unit)
    sheet.brush.line(corners, clear(INK, 0.55), 0.95 * sheet.unit, dash=dash)
    sheet.brush.line(corners, YELLOW, 0.5 * sheet.unit, dash=dash)
    return (left, top), (right, bottom)


def _in_out(sheet: Sheet, direction: str, *, share: float = 0.72, wide: float = 4.2) -> None:
    """The frame it ends or begins with, and an arrow at each corner."""
    first, second = _dashed(sheet, share)
    reach = min(sheet.height * 0.15, first[0] * 0.86)
    for x, sx in ((first[0], -1), (second[0], 1)):
        for y, sy in ((first[1], -1), (second[1], 1)):
            # From within the height of the frame: the upper left corner is the slate's.
            away = (x + sx * reach, y - sy * reach * (0.24 if sy < 0 else 0.04))
            ends = (away, (x, y)) if direction != "out" else ((x, y), away)
            _arrow(sheet, *ends, sheet.unit * wide, 0.4)


def _dolly(sheet: Sheet, direction: str) -> None:
    _in_out(sheet, direction, share=0.66, wide=5.0)


def _zoom(sheet: Sheet, direction: str) -> None:
    """As a frame in a frame: only the lens moves."""
    first, second = _dashed(sheet, 0.6)
    outer = (first[0] * 0.72, first[1] * 0.72)
    for x, ox in ((first[0], outer[0]), (second[0], sheet.width - outer[0])):
        for y, oy in ((first[1], outer[1]), (second[1], sheet.height - outer[1])):
            line_ = [(ox, oy), (x, y)]
            sheet.brush.line(line_, INK, 0.9 * sheet.unit)
            sheet.brush.line(line_, YELLOW, 0.45 * sheet.unit)
            tip = (x, y) if direction != "out" else (ox, oy)
            sheet.brush.circle(*tip, 1.5 * sheet.unit, INK)
            sheet.brush.circle(*tip, 1.05 * sheet.unit, YELLOW)


def _truck(sheet: Sheet, direction: str) -> None:
    sign = -1 if direction == "left" else 1
    x, y = sheet.at(0.5, 0.86)
    reach = sheet.width * 0.15
    _arrow(sheet, (x - sign * reach, y), (x + sign * reach, y), 9 * sheet.unit, 0.22)


def _pan(sheet: Sheet, direction: str) -> None:
    """A shallow bow: the camera turns where it stands."""
    sign = -1 if direction == "left" else 1
    x, y = sheet.at(0.5, 0.87)
    reach, rise = sheet.width * 0.17, 5.5 * sheet.unit

    def bow(along: float) -> Point:
        return x + sign * reach * (2 * along - 1), y - rise * math.sin(math.pi * along)

    _bent(sheet, bow, 7 * sheet.unit)
    _pivot(sheet, (x, y + 2.2 * sheet.unit))


def _pivot(sheet: Sheet, at: Point) -> None:
    sheet.brush.circle(*at, 1.5 * sheet.unit, INK)
    sheet.brush.circle(*at, 1.0 * sheet.unit, YELLOW)


def _whip(sheet: Sheet, direction: str) -> None:
    """A pan with the wind behind it."""
    _truck(sheet, direction)
    sign = -1 if direction == "left" else 1
    x, y = sheet.at(0.5, 0.86)
    for index, dy in enumerate((-3.4, 0.0, 3.4)):
        start = x - sign * sheet.width * (0.17 + 0.01 * index)
        streak = [
            (start, y + dy * sheet.unit),
            (start - sign * sheet.width * 0.06, y + dy * sheet.unit),
        ]
        sheet.brush.line(streak, INK, 1.1 * sheet.unit)
        sheet.brush.line(streak, YELLOW, 0.6 * sheet.unit)


def _tilt(sheet: Sheet, direction: str) -> None:
    sign = -1 if direction != "down" else 1
    x, y = sheet.at(0.89, 0.54)
    reach, rise = sheet.height * 0.2, 4.5 * sheet.unit

    def bow(along: float) -> Point:
        return x - rise * math.sin(math.pi * along), y + sign * reach * (2 * along - 1)

    _bent(sheet, bow, 7 * sheet.unit)
    _pivot(sheet, (x + 2.4 * sheet.unit, y))


def _crane(sheet: Sheet, direction: str) -> None:
    """A straight way up or down, from a line that is the floor it starts on."""
    sign = -1 if direction != "down" else 1
    x, y = sheet.at(0.89, 0.56)
    reach = sheet.height * 0.21
    foot = y - sign * reach
    mark = [(x - 4 * sheet.unit, foot), (x + 4 * sheet.unit, foot)]
    sheet.brush.line(mark, INK, 1.5 * sheet.unit)
    sheet.brush.line(mark, YELLOW, 0.8 * sheet.unit)
    _arrow(sheet, (x, foot), (x, y + sign * reach), 9 * sheet.unit, 0.22)


def _arc(sheet: Sheet, direction: str) -> None:
    """Half an ellipse around the subject, as seen from a little above."""
    sign = -1 if direction == "left" else 1
    x, y = sheet.at(0.5, 0.76)
    rx, ry = sheet.width * 0.24, 7.5 * sheet.unit

    def around(along: float) -> Point:
        angle = math.pi * (0.04 + 0.92 * along)
        return x - sign * rx * math.cos(angle), y + ry * math.sin(angle)

    _bent(sheet, around, 7 * sheet.unit, taper=0.12)


def _handheld(sheet: Sheet, _direction: str) -> None:
    """Three frames, none of them straight."""
    for turn, dx, alpha in ((-0.016, -0.4, 0.45), (0.02, 0.5, 0.65), (0.0, 0.0, 1.0)):
        with sheet.brush.moved(sheet.width / 2, sheet.height / 2, turn=turn):
            wide, high = sheet.width * 0.36 + dx * sheet.unit, sheet.height * 0.36
            box = [(-wide, -high), (wide, -high), (wide, high), (-wide, high), (-wide, -high)]
            dash = (2.2 * sheet.unit, 1.5 * sheet.unit)
            sheet.brush.line(box, clear(INK, 0.5 * alpha), 0.95 * sheet.unit, dash=dash)
            sheet.brush.line(box, clear(YELLOW, alpha), 0.5 * sheet.unit, dash=dash)


def _rack(sheet: Sheet, direction: str) -> None:
    """Two finders, near and far, and the way between them."""
    near, far = sheet.at(0.36, 0.82), sheet.at(0.64, 0.74)
    sizes = (8.5 * sheet.unit, 4.8 * sheet.unit)
    for at, half in zip((near, far), sizes, strict=True):
        _finder(sheet, at, half)
    ends = (near, far) if direction != "far_to_near" else (far, near)
    (x, y), (tx, ty) = ends
    gaps = sizes if direction != "far_to_near" else sizes[::-1]
    long = math.hypot(tx - x, ty - y)
    one, two = (gaps[0] * 1.35) / long, 1 - (gaps[1] * 1.5) / long
    start = (x + (tx - x) * one, y + (ty - y) * one)
    _arrow(sheet, start, (x + (tx - x) * two, y + (ty - y) * two), 6 * sheet.unit, 0.25)


def _finder(sheet: Sheet, at: Point, half: float) -> None:
    x, y = at
    for sx in (-1, 1):
        for sy in (-1, 1):
            points = [
                (x + sx * half * 0.5, y + sy * half),
                (x + sx * half, y + sy * half),
                (x + sx * half, y + sy * half * 0.5),
            ]
            sheet.brush.line(points, INK, 1.1 * sheet.unit)
            sheet.brush.line(points, YELLOW, 0.55 * sheet.unit)


GLYPHS: dict[str, Callable[[Sheet, str], None]] = {
    "push": _in_out,
    "dolly": _dolly,
    "zoom": _zoom,
    "truck": _truck,
    "pan": _pan,
    "whip": _whip,
    "tilt": _tilt,
    "crane": _crane,
    "arc": _arc,
    "handheld": _handheld,
    "rack": _rack,
}
"""For a camera that stands still there is none."""
