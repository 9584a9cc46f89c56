"""Camera moves: where each layer is seen from, in every frame of a shot.

A view is pure arithmetic of the frame's number, so that any part of a film can be made alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.model.shots import Movement

DEPTHS = {"back": 0.45, "middle": 1.0, "front": 1.6}
"""How much of a move each layer makes: what is near moves more."""

_FURTHEST = 0.055
"""Of the longer side: layers reach only so far beyond the frame, and the front one moves most."""
_CLOSEST = 0.09
_ACROSS = {"left": -1.0, "right": 1.0}
_UP = {"up": -1.0, "down": 1.0}
_STEADY = frozenset(("pan", "truck", "whip", "tilt"))
_DRIFT = 0.4
_BREATH, _LEAST, _MOST = 0.004, 0.008, 0.09
"""A camera on a tripod comes a little closer each second: a still picture looks like a fault."""


class View(msgspec.Struct, frozen=True):
    """How a layer is seen: moved by parts of the longer side, and closer by a factor."""

    x: float
    y: float
    scale: float

    def of(self, layer: str) -> View:
        """What a layer sees of it."""
        depth = DEPTHS[layer]
        return View(self.x * depth, self.y * depth, 1 + (self.scale - 1) * depth)


def is_steady(movement: Movement) -> bool:
    """Whether the camera comes no closer and goes no further away in it."""
    return movement.kind in _STEADY


def apart(one: View, other: View, layers: Iterable[str], size: tuple[int, int]) -> float:
    """Pixels that something in a frame moves by at most, from one view to another."""
    depth, longer = max(DEPTHS[layer] for layer in layers), max(size)
    aside = math.hypot(other.x - one.x, other.y - one.y) * longer
    # What comes closer goes furthest in the corners.
    return depth * (aside + abs(other.scale - one.scale) * math.hypot(*size) / 2)


def view_at(movement: Movement, frame: int, frames: int, fps: float) -> View:
    """The view in one frame of a shot."""
    part = frame / max(frames - 1, 1)
    seconds = frames / fps
    far = min(_FURTHEST, 0.018 * seconds + 0.008)
    near = min(_CLOSEST, 0.016 * seconds + 0.012)
    eased = _ease(part)
    kind, way = movement.kind, movement.direction
    if kind in {"pan", "truck", "whip"}:
        # The camera goes to the right, so the picture goes to the left.
        reach = far * _ACROSS.get(way, 1.0)
        swing = _whip(part) if kind == "whip" else eased
        return View(reach * (1 - 2 * swing), 0.0, 1.02)
    if kind in {"tilt", "crane"}:
        reach = far * 0.8 * _UP.get(way, -1.0)
        lift = near * 0.4 * eased if kind == "crane" else 0.0
        return View(0.0, reach * (1 - 2 * eased), 1.02 + lift)
    if kind == "arc":
        return View(far * _ACROSS.get(way, 1.0) * (1 - 2 * eased), 0.0, 1.02 + near * 0.5 * eased)
    if kind in {"push", "dolly", "zoom"}:
        closer = near * (eased if way != "out" else 1 - eased)
        return View(0.0, 0.0, 1.0 + closer)
    if kind == "handheld":
        return _held(frame / fps)
    return View(0.0, 0.0, 1.0 + min(max(_BREATH * seconds, _LEAST), _MOST) * part)


def _ease(part: float) -> float:
    """Slow at both ends, but never standing; beyond the end it goes on as it was."""
    if part > 1:
        return 1 + _DRIFT * (part - 1)
    return part * part * (3 - 2 * part) * (1 - _DRIFT) + part * _DRIFT


def _whip(part: float) -> float:
    return 1 / (1 + math.exp(-18 * (part - 0.5)))


def _held(seconds: float) -> View:
    """Somebody's hands: a few slow waves that never meet."""
    x = math.sin(seconds * 1.7) * 0.004 + math.sin(seconds * 3.1 + 1) * 0.002
    y = math.sin(seconds * 2.3 + 2) * 0.003 + math.sin(seconds * 4.3) * 0.0012
    return View(x, y, 1.03 + math.sin(seconds * 0.9) * 0.004)
