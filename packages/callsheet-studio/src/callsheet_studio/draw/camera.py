"""A pinhole camera: built sets have real perspective, from the lens, the height and the angle.

World: metres; x to the right, y up from the floor, z away from the camera.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point

SENSOR = 36.0
"""Millimetres; of the longer side."""
_NEAREST = 0.05
_PITCH = {"eye": 0.0, "high": 16.0, "low": -11.0, "overhead": 52.0, "dutch": 0.0}
_HEIGHT = {"eye": 1.25, "high": 2.7, "low": 0.5, "overhead": 4.2, "dutch": 1.25}
"""Metres. At eye level it stands at the chest, as for most wide shots: the floor is seen, and
somebody whose feet are at 0.88 of the height fills a little more than half of the picture."""


class Camera(msgspec.Struct, frozen=True):
    """Where it stands and what it sees, for a frame of so many pixels."""

    width: float
    height: float
    lens: float = 35.0
    eye: float = 1.25
    """Metres above the floor."""
    pitch: float = 0.0
    """Degrees; positive looks down."""
    shift: float = 0.0
    """Metres to the right."""
    back: float = 0.0
    """Metres behind the usual place."""
    roll: float = 0.0

    @property
    def focal(self) -> float:
        """Pixels per metre at one metre."""
        return self.lens / SENSOR * max(self.width, self.height)

    def __call__(self, x: float, y: float, z: float) -> Point:
        """Where a point of the world is in the frame."""
        across, up, away = x - self.shift, y - self.eye, z + self.back
        (cos, sin), focal = _tilt(self.pitch), self.focal
        depth = max(away * cos - up * sin, _NEAREST)
        rise = up * cos + away * sin
        px, py = across * focal / depth, -rise * focal / depth
        if self.roll:
            cos, sin = math.cos(self.roll), math.sin(self.roll)
            px, py = px * cos - py * sin, px * sin + py * cos
        return self.width / 2 + px, self.height / 2 + py

    def size(self, metres: float, z: float) -> float:
        """How many pixels so many metres are, so far away."""
        return metres * self.focal / max(z + self.back, _NEAREST)

    @property
    def horizon(self) -> float:
        """Where the horizon is, in pixels from the top."""
        return self.height / 2 - math.tan(math.radians(self.pitch)) * self.focal


@lru_cache(maxsize=16)
def _tilt(degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return math.cos(angle), math.sin(angle)


def camera_for(width: float, height: float, *, lens: float, angle: str) -> Camera:
    """The camera of a shot."""
    return Camera(
        width=width,
        height=height,
        lens=lens,
        eye=_HEIGHT.get(angle, 1.25),
        pitch=_PITCH.get(angle, 0.0),
    )
