"""Boxes seen over one of their corners: what parcels, books, hives and houses are built of."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props.kit import poly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.props.kit import Kit, Outline, Span

Spot: TypeAlias = tuple[float, float, float]
"""From the lower left of the front: right, up, away."""


class Corner:
    """A box seen over one of its corners: its front to the left, one side, and its top.

    Args:
        kit: paints it.
        size: width, height and depth.
        turn: how far it is turned, in degrees.
        above: how far from above it is seen, in degrees.
    """

    def __init__(self, kit: Kit, size: Spot, *, turn: float = 32, above: float = 17) -> None:
        self.kit, self.size = kit, size
        self._a, self._b = math.radians(turn), math.radians(above)
        width, _, depth = size
        self._middle = (width * math.cos(self._a) + depth * math.sin(self._a)) / 2
        self._low = width * math.sin(self._a) * math.sin(self._b)

    def at(self, x: float, y: float, z: float) -> Point:
        """Where a point is: from the lower left of the front, y up, z away."""
        away = z * math.cos(self._a) - x * math.sin(self._a)
        across = x * math.cos(self._a) + z * math.sin(self._a)
        return (
            across - self._middle,
            -y * math.cos(self._b) - away * math.sin(self._b) - self._low,
        )

    @property
    def bright_front(self) -> bool:
        """Whether the light falls on the front."""
        return self.kit.side < 0

    def quad(self, points: Sequence[Spot]) -> Outline:
        """A flat face."""
        return poly(*(self.at(*each) for each in points))

    def cuboid(
        self, x: Span, y: Span, z: Span, colour: str, *, top: str = "", rim: float = 0.6
    ) -> None:
        """Its three faces that are seen."""
        kit = self.kit
        t = kit.tone(colour)
        above = kit.tone(top or colour)
        front = self.quad(
            ((x[0], y[1], z[0]), (x[1], y[1], z[0]), (x[1], y[0], z[0]), (x[0], y[0], z[0]))
        )
        flank = self.quad(
            ((x[1], y[1], z[0]), (x[1], y[1], z[1]), (x[1], y[0], z[1]), (x[1], y[0], z[0]))
        )
        lid = self.quad(
            ((x[0], y[1], z[0]), (x[1], y[1], z[0]), (x[1], y[1], z[1]), (x[0], y[1], z[1]))
        )
        bright, dim = (
            [(0.0, mix(t.base, t.lit, 0.55)), (1.0, t.base)],
            [(0.0, t.shade), (1.0, t.deep)],
        )
        high, low = self.at(x[1], y[1], z[0])[1], self.at(x[1], y[0], z[0])[1] + 0.01
        for face, stops in (
            (front, bright if self.bright_front else dim),
            (flank, dim if self.bright_front else bright),
        ):
            kit.lay(face, kit.brush.linear((0, high), (0, low), stops))
        kit.lay(lid, mix(above.lit, kit.light.key, 0.25 * (1 - kit.light.dark)))
        if rim:
            edge = mix(t.lit, kit.light.rim, 0.7)
            corner = self.at(x[1], y[1], z[0])
            kit.brush.line(
                [self.at(x[0], y[1], z[0]), corner, self.at(x[1], y[1], z[1])],
                clear(edge, 0.9),
                rim,
            )
            kit.brush.line([corner, self.at(x[1], y[0], z[0])], clear(edge, 0.45), rim * 0.8)

    @contextmanager
    def front(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Iterator[None]:
        """Draw on the front meanwhile, from a point: right is right, down is down."""
        with self._plane((x, y, z), (1, 0, 0), (0, -1, 0)):
            yield

    @contextmanager
    def flank(self, x: float, y: float = 0.0, z: float = 0.0) -> Iterator[None]:
        """Draw on the side meanwhile, from a point of its near edge."""
        with self._plane((x, y, z), (0, 0, 1), (0, -1, 0)):
            yield

    @contextmanager
    def lid(self, y: float, x: float = 0.0, z: float = 0.0) -> Iterator[None]:
        """Draw on the top meanwhile: right is along the front, down is away."""
        with self._plane((x, y, z), (1, 0, 0), (0, 0, 1)):
            yield

    @contextmanager
    def _plane(
        self,
        origin: Spot,
        across: tuple[int, int, int],
        down: tuple[int, int, int],
    ) -> Iterator[None]:
        here = self.at(*origin)
        steps = []
        for axis in (across, down):
            there = self.at(*(o + a for o, a in zip(origin, axis, strict=True)))
            steps.append((there[0] - here[0], there[1] - here[1]))
        with self.kit.face(here, *steps):
            yield

    def foot(self, *, strength: float = 1.0) -> None:
        """Its shadow: the ground it covers, and more away from the light."""
        if not self.kit.grounded:
            return
        kit, (w, _, d) = self.kit, self.size
        ground = [self.at(*each) for each in ((0, 0, 0), (w, 0, 0), (w, 0, d), (0, 0, d))]
        left, right = ground[0][0], ground[2][0]
        kit.shadow(
            (right - left) * 0.55, y=(ground[1][1] + ground[3][1]) / 2, flat=0.3, strength=strength
        )
        kit.lay(poly(*((x * 1.03, y + 0.8) for x, y in ground)), kit.ink(0.35 * strength))
