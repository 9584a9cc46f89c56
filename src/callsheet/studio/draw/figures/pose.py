"""Poses: where the joints of a body are, in heads above the ground, turned to the right."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from callsheet.studio.draw.figures.limbs import ANKLE, FORE, SHIN, THIGH, UPPER, reach

if TYPE_CHECKING:
    from callsheet.studio.draw.brush import Point

HIPS = THIGH + SHIN + ANKLE - 0.008
"""How high the hips are over the ground when somebody stands."""
SEAT = 0.27
"""How high somebody sits, as a part of their height, where no seat is given."""
TABLE = 0.42


@dataclass(frozen=True, slots=True)
class Pose:
    """A body that is turned to the right; near is towards the camera."""

    view: str = "three_quarter"
    """Of chest and head: `front`, `three_quarter`, `profile` or `back`."""
    hips: Point = (0.0, -HIPS)
    lean: float = 0.0
    """The chest, forward (radians)."""
    bow: float = 0.0
    """The head, forward, more than the chest."""
    near_hand: Point = (0.28, 0.42)
    """From the near shoulder, in heads: where the wrist is."""
    far_hand: Point = (0.28, 0.42)
    near_elbow: int = 1
    """The side that the elbow points to."""
    far_elbow: int = -1
    near_foot: Point = (0.0, 0.0)
    """Where the ankle is over the ground, from the middle of the body."""
    far_foot: Point = (0.0, 0.0)
    near_turn: float = 0.0
    """The shoe (radians)."""
    far_turn: float = 0.0
    grip: float = 0.0
    far_over: bool = False
    """Whether the far arm is painted over the chest."""
    holding: str = ""
    pocket: bool = False
    """Whether the near hand is in a pocket."""


_DOWN = UPPER + FORE - 0.04
POSES: dict[str, Pose] = {
    "standing": Pose(
        hips=(-0.07, -HIPS),
        lean=0.025,
        near_hand=(-0.1, _DOWN - 0.03),
        far_hand=(0.16, _DOWN - 0.08),
        near_foot=(-0.3, 0.0),
        far_foot=(0.44, 0.0),
    ),
    "back": Pose(
        view="back",
        near_hand=(-0.1, _DOWN - 0.02),
        far_hand=(0.1, _DOWN - 0.04),
        near_foot=(-0.34, 0.0),
        far_foot=(0.38, 0.0),
    ),
    "walking": Pose(
        view="profile",
        lean=0.05,
        near_hand=(-0.62, 2.12),
        far_hand=(0.86, 1.92),
        near_foot=(0.86, 0.04),
        far_foot=(-0.98, 0.3),
        near_turn=-0.2,
        far_turn=0.62,
        hips=(0.0, -HIPS + 0.13),
    ),
    "pointing": Pose(
        near_hand=(-0.14, _DOWN - 0.04),
        far_hand=(2.26, -0.34),
        near_foot=(-0.36, 0.0),
        far_foot=(0.46, 0.0),
        far_elbow=1,
        lean=0.03,
        holding="point",
    ),
    "holding_phone": Pose(
        near_hand=(0.74, 0.5),
        far_hand=(0.2, _DOWN - 0.06),
        hips=(-0.06, -HIPS),
        near_foot=(-0.3, 0.0),
        far_foot=(0.42, 0.0),
        bow=0.1,
        grip=0.6,
        holding="phone",
    ),
    "talking": Pose(
        near_hand=(0.62, 0.86),
        far_hand=(0.92, 0.6),
        near_foot=(-0.34, 0.0),
        far_foot=(0.44, 0.0),
        far_elbow=1,
        far_over=True,
    ),
    "arms_crossed": Pose(
        hips=(-0.05, -HIPS),
        near_foot=(-0.34, 0.0),
        far_foot=(0.42, 0.0),
        holding="crossed",
    ),
    "carrying": Pose(
        view="profile",
        lean=-0.09,
        near_hand=(0.98, 1.0),
        far_hand=(1.02, 0.98),
        hips=(0.0, -HIPS + 0.1),
        near_foot=(-0.62, 0.05),
        near_turn=0.12,
        far_foot=(0.62, 0.0),
        far_turn=-0.08,
        grip=0.7,
        holding="box",
    ),
    "sitting": Pose(
        view="profile",
        lean=0.06,
        near_hand=(0.94, 1.5),
        far_hand=(1.1, 1.44),
        near_foot=(1.62, 0.0),
        far_foot=(1.96, 0.0),
        holding="seat",
    ),
    "at_laptop": Pose(
        view="profile",
        lean=0.13,
        bow=0.1,
        near_hand=(1.28, 1.0),
        far_hand=(1.36, 0.98),
        near_foot=(1.5, 0.0),
        far_foot=(1.15, 0.0),
        far_turn=0.0,
        holding="laptop",
    ),
    "working": Pose(
        view="profile",
        lean=0.34,
        bow=0.22,
        near_hand=(0.78, 1.6),
        far_hand=(1.08, 1.42),
        near_foot=(-0.3, 0.0),
        far_foot=(0.24, 0.0),
        grip=0.8,
        holding="bench",
    ),
}
POCKET = replace(POSES["standing"], near_hand=(0.1, 1.78), pocket=True, lean=-0.01)
"""Another way to stand, for some."""


def pose_of(name: str) -> Pose:
    """The pose of a name; one that is not known stands."""
    return POSES.get(name, POSES["standing"])


def seated(pose: Pose, seat: float) -> Pose:
    """The pose on a seat, so many heads over the ground."""
    rise = seat + 0.3
    thigh = math.sqrt(max(THIGH**2 - max(rise - (SHIN + ANKLE), 0.0) ** 2, 0.1))
    forward = thigh - 0.05
    drop = min(rise, SHIN + ANKLE)
    lean = math.sqrt(max(SHIN**2 - (drop - ANKLE) ** 2, 0.0))
    x = -forward * 0.5
    return replace(
        pose,
        hips=(x, -rise),
        near_foot=(x + forward + lean * 0.5, 0.0),
        far_foot=(x + forward + lean * 0.5 - 0.38, 0.0),
    )


def leg(hip: Point, foot: Point) -> tuple[Point, Point, Point]:
    """Hip, knee and ankle."""
    ankle = (foot[0], -ANKLE - foot[1])
    return hip, reach(hip, ankle, THIGH, SHIN, -1), ankle


def arm(shoulder: Point, hand: Point, elbow: int) -> tuple[Point, Point, Point]:
    """Shoulder, elbow and wrist; no longer than an arm is."""
    short = min(1.0, (UPPER + FORE) * 0.998 / max(math.hypot(*hand), 0.01))
    wrist = (shoulder[0] + hand[0] * short, shoulder[1] + hand[1] * short)
    return shoulder, reach(shoulder, wrist, UPPER, FORE, elbow), wrist
