"""Things built of flat faces and seen by the camera of a shot: halls, benches, machines.

Metres, as in `rooms`. Faces that reach behind the camera are cut at it, not folded over.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from callsheet_studio.draw.colour import clear, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.draw.brush import Brush, Fill, Point
    from callsheet_studio.draw.rooms import Room

Spot: TypeAlias = tuple[float, float, float]
Span: TypeAlias = tuple[float, float]

_NEAREST = 0.3
"""Metres; what is nearer is cut off."""
_STEP = 0.05
_WIDE = 16 / 9


class Solid:
    """Builds on one layer of a stage.

    Args:
        room: its camera sees what is built.
        layer: where it is painted.
        far: metres to where things are lost in the air.
    """

    def __init__(self, room: Room, layer: str = "back", *, far: float = 16.0) -> None:
        self.room, self.light, self.far = room, room.light, far
        self.brush: Brush = getattr(room.stage, layer)
        self.slim = min(room.stage.width / room.stage.height / _WIDE, 1.0) ** 0.72
        """Narrow frames see less to the sides: what is built there stands closer together."""

    def at(self, x: float, y: float, z: float) -> Point:
        """Where a point is in the frame."""
        return self.room(x * self.slim, y, z)

    def metre(self, z: float) -> float:
        """Pixels of a metre, so far away."""
        return self.room.scale(z)

    def tone(self, colour: str, z: float) -> str:
        """A colour, so far away."""
        seen = self.light.air(colour, min(max(1 - z / self.far, 0.0), 1.0))
        return shifted(seen, saturation=1.45, value=1 - 0.8 * self.light.dark)

    # Faces

    def face(self, points: Sequence[Spot], fill: Fill) -> None:
        """A flat face, cut at the camera."""
        cut = self._cut(points)
        if cut:
            self.brush.poly([self.at(*each) for each in cut], fill)

    def floor(self, x: Span, z: Span, fill: Fill, *, y: float = 0.0) -> None:
        """A level face."""
        self.face(((x[0], y, z[0]), (x[1], y, z[0]), (x[1], y, z[1]), (x[0], y, z[1])), fill)

    def side(self, x: float, y: Span, z: Span, fill: Fill) -> None:
        """An upright face along the depth."""
        self.face(((x, y[0], z[0]), (x, y[1], z[0]), (x, y[1], z[1]), (x, y[0], z[1])), fill)

    def wall(self, x: Span, y: Span, z: float, fill: Fill) -> None:
        """An upright face towards the camera."""
        self.face(((x[0], y[0], z), (x[1], y[0], z), (x[1], y[1], z), (x[0], y[1], z)), fill)

    def box(self, x: Span, y: Span, z: Span, colour: str) -> None:
        """A box: what is seen of it, in three tones of one colour."""
        light, near = self.light, self.tone(colour, z[0])
        eye = self.room.camera.eye
        if y[1] < eye:
            self.floor(x, z, light.lit(near, 0.3 * (1 - 0.5 * light.dark)), y=y[1])
        elif y[0] > eye:
            self.floor(x, z, light.shaded(near, 0.5), y=y[0])
        if x[0] > 0:
            self.side(x[0], y, z, self._turned(near, -1))
        elif x[1] < 0:
            self.side(x[1], y, z, self._turned(near, 1))
        upper, lower = self.at(0, y[1], z[0]), self.at(0, y[0], z[0])
        stops = [(0.0, light.shaded(near, 0.06)), (1.0, light.shaded(near, 0.28))]
        self.wall(x, y, z[0], self.brush.linear((0, upper[1]), (0, lower[1] + 1), stops))

    def bar(self, start: Spot, end: Spot, colour: str, thick: float) -> None:
        """A beam or a pipe, so many metres thick."""
        cut = self._cut((start, end))
        if len(cut) > 1:
            width = thick * (self.metre(cut[0][2]) + self.metre(cut[1][2])) / 2
            self.brush.line([self.at(*cut[0]), self.at(*cut[1])], colour, max(width, 0.7))

    def shadow(self, x: Span, z: Span, strength: float = 0.3) -> None:
        """What a thing takes from the floor it stands on, away from the light."""
        lean = -self.light.side * 0.16
        wide = (x[0] - 0.05 + min(lean, 0), x[1] + 0.05 + max(lean, 0))
        self.floor(wide, (z[0] - 0.06, z[1] + 0.06), clear(self.light.ink, strength))

    @contextmanager
    def plane(
        self, origin: Spot, *, across: Spot = (1, 0, 0), down: Spot = (0, -1, 0)
    ) -> Iterator[float]:
        """Draw with the brush in metres around a point, meanwhile; yields the pixels of one."""
        here = self.at(*origin)
        axes = []
        for axis in (across, down):
            step = (axis[0] * _STEP / self.slim, axis[1] * _STEP, axis[2] * _STEP)
            there = self.at(*(o + a for o, a in zip(origin, step, strict=True)))
            axes += [(there[0] - here[0]) / _STEP, (there[1] - here[1]) / _STEP]
        self.brush.ctx.save()
        self.brush.ctx.transform(*axes, *here)
        try:
            yield self.metre(origin[2])
        finally:
            self.brush.ctx.restore()

    # Inner

    def _turned(self, colour: str, way: int) -> str:
        """The side of a box that looks to the left (-1) or to the right (1)."""
        light = self.light
        if way * light.side > 0:
            return light.lit(colour, 0.2 * abs(light.side) * (1 - 0.4 * light.dark))
        return light.shaded(colour, 0.3 + 0.25 * light.hard)

    def _cut(self, points: Sequence[Spot]) -> list[Spot]:
        """The part of a face that is before the camera."""
        kept: list[Spot] = []
        for index, here in enumerate(points):
            there = points[(index + 1) % len(points)]
            one, other = here[2] - _NEAREST, there[2] - _NEAREST
            if one >= 0:
                kept.append(here)
            if one * other < 0:
                share = one / (one - other)
                x, y, z = (a + (b - a) * share for a, b in zip(here, there, strict=True))
                kept.append((x, y, z))
        return kept
