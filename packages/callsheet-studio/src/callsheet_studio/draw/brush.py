"""A brush: shapes, gradients, glows and soft edges on one layer.

Thin over the canvas of `skia_canvas_pyr`; a colour or a gradient is what everything is filled with.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point: TypeAlias = tuple[float, float]
Stops: TypeAlias = "Sequence[tuple[float, str]]"
Fill: TypeAlias = Any
"""A colour as text, or a gradient made by `linear` or `radial`."""

_ROUND = math.tau
_HAIR = 1e-4
_FADE = tuple(step / 12 for step in range(13))
"""Where the light of a glow is measured: near enough that no ring is seen between two."""


class Brush:
    """Draws on one canvas, in the coordinates of the frame.

    Args:
        width: pixels.
        height: pixels.
        fine: pixels of the canvas per pixel that soft edges are measured in.
    """

    def __init__(self, width: int, height: int, fine: float = 1.0) -> None:
        from skia_canvas_pyr import Canvas

        self._fine = fine

        self.canvas = Canvas(width, height)
        self.canvas.gpu = False
        self.ctx = self.canvas.getContext("2d")
        # Unclipped, the canvas forgets what is under a dense path that is larger than itself,
        # even where the path, moved and scaled, does not reach. This clip cuts off no pixel.
        self.ctx.beginPath()
        self.ctx.rect(0, 0, width, height - _HAIR)
        self.ctx.clip()

    # Fills

    def linear(self, start: Point, end: Point, stops: Stops) -> Fill:
        """A gradient along a line."""
        return _with(self.ctx.createLinearGradient(*start, *end), stops)

    def radial(self, centre: Point, radius: float, stops: Stops, *, inner: float = 0.0) -> Fill:
        """A gradient around a point."""
        return _with(self.ctx.createRadialGradient(*centre, inner, *centre, radius), stops)

    # Shapes

    def rect(
        self, x: float, y: float, width: float, height: float, fill: Fill, *, radius: float = 0.0
    ) -> None:
        """A rectangle, with round corners if asked for."""
        self.ctx.fillStyle = fill
        if not radius:
            self.ctx.fillRect(x, y, width, height)
            return
        self.ctx.beginPath()
        self.ctx.roundRect(x, y, width, height, radius)
        self.ctx.fill()

    def circle(self, x: float, y: float, radius: float, fill: Fill) -> None:
        """A disc."""
        self.ellipse(x, y, radius, radius, fill)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, fill: Fill, *, turn: float = 0.0
    ) -> None:
        """An ellipse, turned by an angle in radians."""
        self.ctx.fillStyle = fill
        self.ctx.beginPath()
        self.ctx.ellipse(x, y, rx, ry, turn, 0, _ROUND)
        self.ctx.fill()

    def poly(self, points: Sequence[Point], fill: Fill) -> None:
        """Straight edges."""
        self._trace(points)
        self.ctx.closePath()
        self.ctx.fillStyle = fill
        self.ctx.fill()

    def line(
        self, points: Sequence[Point], colour: Fill, width: float, *, dash: Sequence[float] = ()
    ) -> None:
        """A line through points, with round ends."""
        self._trace(points)
        self._stroke(colour, width, dash)

    def shape(self, points: Sequence[Point], fill: Fill, *, corners: Sequence[int] = ()) -> None:
        """A closed curve through points; those at `corners` stay sharp."""
        self._curve(points, closed=True, corners=corners)
        self.ctx.fillStyle = fill
        self.ctx.fill()

    def curve(
        self, points: Sequence[Point], colour: Fill, width: float, *, dash: Sequence[float] = ()
    ) -> None:
        """A smooth line through points."""
        self._curve(points, closed=False)
        self._stroke(colour, width, dash)

    def path(self, svg: str, fill: Fill) -> None:
        """A path in the words of SVG."""
        from skia_canvas_pyr import Path2D

        self.ctx.fillStyle = fill
        self.ctx.fill(Path2D(svg))

    # Light

    def glow(self, x: float, y: float, radius: float, colour: str, strength: float = 0.6) -> None:
        """Light around a point, added to what is there."""
        from callsheet_studio.draw.colour import clear

        stops = [(share, clear(colour, strength * _falloff(share))) for share in _FADE]
        with self.blended("screen"):
            self.circle(x, y, radius, self.radial((x, y), radius, stops))

    # State

    @contextmanager
    def moved(
        self,
        x: float = 0.0,
        y: float = 0.0,
        *,
        scale: float = 1.0,
        flip: bool = False,
        turn: float = 0.0,
    ) -> Iterator[None]:
        """Draw elsewhere, larger or smaller, mirrored or turned (radians), meanwhile."""
        self.ctx.save()
        self.ctx.translate(x, y)
        self.ctx.rotate(turn)
        self.ctx.scale(-scale if flip else scale, scale)
        try:
            yield
        finally:
            self.ctx.restore()

    @contextmanager
    def soft(self, radius: float) -> Iterator[None]:
        """Blur the edges of what is drawn meanwhile. Costs: use it for few, large shapes."""
        self.ctx.save()
        self.ctx.filter = f"blur({radius * self._fine:.2f}px)"
        try:
            yield
        finally:
            self.ctx.restore()

    @contextmanager
    def blended(self, way: str, alpha: float = 1.0) -> Iterator[None]:
        """Mix what is drawn meanwhile: `screen`, `multiply`, `overlay`, `lighter`, `soft-light`."""
        self.ctx.save()
        self.ctx.globalCompositeOperation = way
        self.ctx.globalAlpha = alpha
        try:
            yield
        finally:
            self.ctx.restore()

    @contextmanager
    def inside(
        self, points: Sequence[Point], *, curved: bool = False, corners: Sequence[int] = ()
    ) -> Iterator[None]:
        """Draw only within a shape, meanwhile."""
        self.ctx.save()
        if curved:
            self._curve(points, closed=True, corners=corners)
        else:
            self._trace(points)
            self.ctx.closePath()
        self.ctx.clip()
        try:
            yield
        finally:
            self.ctx.restore()

    # Out

    def pixels(self) -> bytes:
        """RGBA, row by row."""
        return self.canvas.toBufferSync("raw")

    def cover(self) -> bytes:
        """Only alpha, row by row: far cheaper."""
        return self.canvas.toBufferSync("raw", {"color_type": "Alpha8"})

    def pixels_in(self, left: int, top: int, width: int, height: int) -> bytearray:
        """RGBA of a part, row by row."""
        part: bytearray = self.ctx.getImageData(left, top, width, height).data
        return part

    # Inner

    def _trace(self, points: Sequence[Point]) -> None:
        self.ctx.beginPath()
        self.ctx.moveTo(*points[0])
        for point in points[1:]:
            self.ctx.lineTo(*point)

    def _curve(self, points: Sequence[Point], *, closed: bool, corners: Sequence[int] = ()) -> None:
        self.ctx.beginPath()
        spline(self.ctx, points, closed=closed, corners=corners)

    def _stroke(self, colour: Fill, width: float, dash: Sequence[float]) -> None:
        self.ctx.save()
        self.ctx.strokeStyle = colour
        self.ctx.lineWidth = width
        self.ctx.lineCap = "butt" if dash else "round"
        self.ctx.lineJoin = "round"
        if dash:
            self.ctx.setLineDash(list(dash))
        self.ctx.stroke()
        self.ctx.restore()


def spline(
    onto: Any, points: Sequence[Point], *, closed: bool, corners: Sequence[int] = ()
) -> None:
    """Catmull-Rom through all points, as cubic curves, onto a context or a `Path2D`."""
    count = len(points)
    onto.moveTo(*points[0])
    for index in range(count if closed else count - 1):
        here, there = points[index], points[(index + 1) % count]
        before = points[index - 1] if closed or index else here
        after = points[(index + 2) % count] if closed or index + 2 < count else there
        leave = here if index in corners else _towards(here, before, there)
        arrive = there if (index + 1) % count in corners else _towards(there, after, here)
        onto.bezierCurveTo(*leave, *arrive, *there)
    if closed:
        onto.closePath()


def _towards(point: Point, one: Point, other: Point) -> Point:
    """The handle of a curve at a point, on its way to `other`, coming from `one`."""
    return point[0] + (other[0] - one[0]) / 6, point[1] + (other[1] - one[1]) / 6


def _falloff(share: float) -> float:
    """How much of a glow is left, so far from its middle: it ends as softly as it begins."""
    near = 1 - share * share
    return near * near * math.exp(-2 * share)


def _with(gradient: Any, stops: Stops) -> Any:
    for place, colour in stops:
        gradient.addColorStop(min(max(place, 0.0), 1.0), colour)
    return gradient
