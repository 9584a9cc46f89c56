"""A figure as it is cut out of coloured paper: parts with light on them, and a rim around all.

Parts are given in heads (one is the height of a head), in the frame that the cut is moved to; the
light stays where it is, whichever way somebody is turned.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.draw.brush import spline
from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.figures.tones import Tone
    from callsheet_studio.draw.light import Light

_RISE = 0.48
"""How much higher than its side the light stands."""
_ASIDE = 0.35
"""Light from above or from the camera still shows which side it favours."""
_FINE = 60
"""Pixels of a head from which single strands of hair are seen."""


class Frame(msgspec.Struct, frozen=True):
    """Where heads are pixels: a turn, a size and a place."""

    a: float
    b: float
    c: float
    d: float
    x: float
    y: float

    def __call__(self, x: float, y: float) -> Point:
        """A point in pixels."""
        return self.a * x + self.c * y + self.x, self.b * x + self.d * y + self.y

    def moved(
        self, x: float = 0.0, y: float = 0.0, *, turn: float = 0.0, scale: float = 1.0
    ) -> Frame:
        """A frame within this one."""
        cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
        px, py = self(x, y)
        return Frame(
            self.a * cos + self.c * sin,
            self.b * cos + self.d * sin,
            self.c * cos - self.a * sin,
            self.d * cos - self.b * sin,
            px,
            py,
        )

    @property
    def size(self) -> float:
        """Pixels of one head."""
        return math.hypot(self.a, self.b)


class Cut:
    """Collects parts, then paints the rim behind them and them upon it."""

    def __init__(
        self, brush: Brush, light: Light, *, at: Point, head: float, flip: bool = False
    ) -> None:
        self.brush = brush
        self.light = light
        self.frame = Frame(-head if flip else head, 0.0, 0.0, head, *at)
        self.flip = flip
        self.bend: Callable[[float, float], Point] | None = None
        """How a flat front becomes a turned one, before the frame places it."""
        self.axis: float | None = None
        """Where parts that share their light have their middle, in pixels across."""
        self.head = head
        side = math.copysign(max(abs(light.side), _ASIDE), light.side)
        long = math.hypot(side, _RISE)
        self.towards = (side / long, -_RISE / long)
        """To the light."""
        self._steps: list[Callable[[], None]] = []
        self._below: list[Callable[[], None]] = []
        self._outline: list[Any] = []

    @property
    def lit_right(self) -> bool:
        """Whether the light falls on the side that the figure is turned to."""
        return (self.light.side > 0) != self.flip

    @contextmanager
    def moved(
        self, x: float = 0.0, y: float = 0.0, *, turn: float = 0.0, scale: float = 1.0
    ) -> Iterator[None]:
        """Meanwhile, parts are given from another place."""
        before = self.frame
        self.frame = before.moved(x, y, turn=turn, scale=scale)
        try:
            yield
        finally:
            self.frame = before

    @contextmanager
    def placed(self, at: Point, *, turn: float, scale: float, back: Point) -> Iterator[None]:
        """Meanwhile, parts are given from `back` of a point that the frame is turned about."""
        with self.moved(*at, turn=turn, scale=scale), self.moved(*back):
            yield

    @contextmanager
    def bent(self, bend: Callable[[float, float], Point] | None) -> Iterator[None]:
        """Meanwhile, points go through a bend."""
        before, self.bend = self.bend, bend
        try:
            yield
        finally:
            self.bend = before

    @contextmanager
    def around(self, x: float, y: float) -> Iterator[None]:
        """Meanwhile, parts are lit as one body with its middle here: no seam between them."""
        before, self.axis = self.axis, self._at(x, y)[0]
        try:
            yield
        finally:
            self.axis = before

    # Parts

    def part(
        self,
        points: Sequence[Point],
        tone: Tone,
        *,
        corners: Sequence[int] = (),
        core: float = 0.1,
        rim: bool = True,
    ) -> None:
        """A part with volume: light on one side, and its own shadow, so wide, on the other."""
        placed = [self._at(*point) for point in points]
        path = _outlined(placed, corners)
        fill = self._gradient(placed, tone)
        self._steps.append(lambda: self._fill(path, fill))
        if core and tone.core:
            wide = core * self.frame.size
            own = path.difference(path.offset(self.towards[0] * wide, self.towards[1] * wide))
            self._steps.append(lambda: self._fill(own, clear(tone.deep, tone.core)))
        if rim:
            self._outline.append(path)

    def ring(self, outer: Sequence[Point], inner: Sequence[Point], tone: Tone) -> None:
        """A part with a hole in it."""
        placed = [self._at(*point) for point in outer]
        path = _outlined(placed, ())
        hole = _outlined([self._at(*point) for point in inner], ())
        whole, fill = path.difference(hole), self._gradient(placed, tone)
        self._steps.append(lambda: self._fill(whole, fill))
        self._outline.append(path)

    def flat(
        self,
        points: Sequence[Point],
        colour: Any,
        *,
        corners: Sequence[int] = (),
        rim: bool = False,
    ) -> None:
        """A part of one colour."""
        path = _outlined([self._at(*point) for point in points], corners)
        self._steps.append(lambda: self._fill(path, colour))
        if rim:
            self._outline.append(path)

    def fade(
        self,
        points: Sequence[Point],
        stops: Sequence[tuple[float, str]],
        ends: tuple[Point, Point],
        *,
        corners: Sequence[int] = (),
    ) -> None:
        """A part whose colour changes from one point to another."""
        start, end = (self._at(*each) for each in ends)
        self.flat(points, self.brush.linear(start, end, stops), corners=corners)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A smooth line, as wide as a part of a head."""
        placed = [self._at(*point) for point in points]
        wide = width * self.frame.size
        self._steps.append(lambda: self.brush.curve(placed, colour, wide))

    def strands(self, tone: Tone, lines: Sequence[Sequence[Point]], width: float = 0.011) -> None:
        """Fine lines of light upon hair; none where they would be noise."""
        if self.frame.size < _FINE:
            return
        for number, points in enumerate(lines):
            colour = lighter(tone.lit, 0.12) if number % 2 == 0 else tone.lit
            self.line(points, clear(colour, 0.35), width)

    def oval(
        self, x: float, y: float, rx: float, ry: float, colour: Any, *, turn: float = 0.0
    ) -> None:
        """An ellipse."""
        self.flat(_oval(x, y, rx, ry, turn), colour)

    def bloom(self, x: float, y: float, radius: float, colour: str, strength: float) -> None:
        """A soft round spot: a cheek, a gleam."""
        px, py = self._at(x, y)
        wide = radius * self.frame.size
        stops = [(0.0, clear(colour, strength)), (1.0, clear(colour, 0.0))]
        fill = self.brush.radial((px, py), wide, stops)
        self._steps.append(lambda: self.brush.circle(px, py, wide, fill))

    def ground(self, x: float, wide: float, high: float, colour: str) -> None:
        """The shadow on the ground, under everything."""
        px, py = self.frame(x, 0.0)
        reach = wide * self.head

        def shadow() -> None:
            ctx = self.brush.ctx
            ctx.save()
            ctx.translate(px, py)
            ctx.scale(1.0, high / wide)
            fade = [(0.0, colour), (0.55, colour), (1.0, clear(self.light.ink, 0.0))]
            self.brush.circle(0.0, 0.0, reach, self.brush.radial((0.0, 0.0), reach, fade))
            ctx.restore()

        self._below.append(shadow)

    def draw(self, step: Callable[[], None]) -> None:
        """Anything else, between the parts before it and those after it."""
        self._steps.append(step)

    @contextmanager
    def inside(self, points: Sequence[Point], *, corners: Sequence[int] = ()) -> Iterator[None]:
        """Meanwhile, parts are seen only within a shape, and have no rim."""
        path = _outlined([self._at(*point) for point in points], corners)
        outline, self._outline = self._outline, []

        def enter() -> None:
            self.brush.ctx.save()
            self.brush.ctx.clip(path)

        self._steps.append(enter)
        try:
            yield
        finally:
            self._steps.append(self.brush.ctx.restore)
            self._outline = outline

    # All together

    def paint(self, rim: float = 1.0) -> None:
        """The rims behind, then the parts."""
        for step in self._below:
            step()
        light = self.light
        wide = min(self.head * 0.022, 1.1 + self.head * 0.0065) * rim
        key, edge = (1, -1) if light.side >= 0 else (-1, 1)
        strong = 0.34 + max(0.9 * light.dark, 0.35 * light.hard)
        for side, colour, alpha in (
            (edge, light.rim, min(strong, 1.0) * 0.8),
            (key, mix(light.key, light.rim, 0.35), min(strong + 0.15, 1.0)),
        ):
            self._shifted(side * wide, -wide * 0.55, clear(colour, alpha))
        for step in self._steps:
            step()

    def _at(self, x: float, y: float) -> Point:
        return self.frame(*self.bend(x, y)) if self.bend else self.frame(x, y)

    def _shifted(self, x: float, y: float, colour: str) -> None:
        ctx = self.brush.ctx
        ctx.save()
        ctx.translate(x, y)
        ctx.fillStyle = colour
        for path in self._outline:
            ctx.fill(path)
        ctx.restore()

    def _gradient(self, placed: Sequence[Point], tone: Tone) -> Any:
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        # Light comes along the shorter way through a long part.
        reach_x, reach_y = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
        if self.axis is not None:
            x, reach_x, reach_y = self.axis, 0.95 * self.head, 0.0
        dx, dy = self.towards[0] * reach_x, self.towards[1] * min(reach_y, reach_x * 1.4)
        ends = (x + dx, y + dy), (x - dx, y - dy)
        return self.brush.linear(*ends, [(0.0, tone.lit), (0.38, tone.base), (1.0, tone.shade)])

    def _fill(self, path: Any, fill: Any) -> None:
        self.brush.ctx.fillStyle = fill
        self.brush.ctx.fill(path)


def _outlined(points: Sequence[Point], corners: Sequence[int]) -> Any:
    from skia_canvas_pyr import Path2D

    path = Path2D()
    spline(path, points, closed=True, corners=corners)
    return path


def _oval(x: float, y: float, rx: float, ry: float, turn: float) -> list[Point]:
    cos, sin = math.cos(turn), math.sin(turn)
    found = []
    for step in range(8):
        angle = math.tau * step / 8
        px, py = rx * math.cos(angle), ry * math.sin(angle)
        found.append((x + px * cos - py * sin, y + px * sin + py * cos))
    return found
