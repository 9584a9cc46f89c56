"""Poses: where the joints of a body are, in heads above the ground, turned to the right."""

from __future__ import annotations

import math
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml
from msgspec.structs import replace

from callsheet_studio.draw.figures.limbs import (
    ANKLE,
    FORE,
    SHIN,
    THIGH,
    UPPER,
    reach,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Point

HIPS = THIGH + SHIN + ANKLE - 0.008
"""How high the hips are over the ground when somebody stands."""
SEAT = 0.27
"""How high somebody sits, as a part of their height, where no seat is given."""
TABLE = 0.42
_STRAIGHT = 0.978
"""How much of its length a leg spans that bears somebody."""
_ASIDE = 0.34
"""How much further forward hands are seen when a chest turns its side to the camera."""


class Pose(msgspec.Struct, frozen=True):
    """A body that is turned to the right; near is towards the camera."""

    view: str = "three_quarter"
    """Of the chest: `front`, `three_quarter`, `profile` or `back`."""
    face: str = ""
    """Of the head, where it is turned otherwise than the chest."""
    hips: Point = (0.0, -HIPS)
    lean: float = 0.0
    """The chest, forward (radians)."""
    bow: float = 0.0
    """The head, forward, more than the chest."""
    tilt: float = 0.0
    """The head, to a side: nobody holds it quite straight."""
    near_hand: Point = (0.28, 0.42)
    """From the near shoulder, in heads: where the wrist is."""
    far_hand: Point = (0.28, 0.42)
    near_elbow: int = 1
    """The side that the elbow points to."""
    far_elbow: int = -1
    near_length: float = 1.0
    """Of an arm that points to the camera or away from it, less."""
    far_length: float = 1.0
    near_upper: float = 1.0
    """Of the upper arm alone, where only it points to the camera."""
    near_foot: Point = (0.0, 0.0)
    """Where the ankle is over the ground, from the middle of the body."""
    far_foot: Point = (0.0, 0.0)
    near_turn: float = 0.0
    """The shoe (radians)."""
    far_turn: float = 0.0
    far_knee: int = -1
    grip: float = 0.0
    far_over: bool = False
    """Whether the far arm is painted over the chest."""
    arms_behind: bool = False
    """Whether both arms are painted behind the back."""
    reaches: str = ""
    """Which hand is held out to somebody: `near` or `far`."""
    holding: str = ""
    pockets: str = ""
    """Which hands are in a pocket: `near`, `far` or `both`."""

    def hidden(self, side: str) -> bool:
        """Whether the hand of a side is in a pocket."""
        return self.pockets in {side, "both"}

    @property
    def head(self) -> str:
        """The view of the head."""
        return self.face or self.view


def _read() -> dict[str, Pose]:
    path = files("callsheet_studio.draw.figures").joinpath("poses.toml")
    return {name: _pose(told) for name, told in rtoml.loads(path.read_text("utf-8")).items()}


def _pose(told: dict[str, Any]) -> Pose:
    hips = (told.pop("hips", 0.0), -HIPS + told.pop("sink", 0.0))
    points = {key: tuple(each) for key, each in told.items() if isinstance(each, list)}
    return Pose(hips=hips, **{**told, **points})


POSES = _read()
SEATED = frozenset(("sitting", "sitting_calling"))
"""Poses of who sits on a seat of the set."""
LOW = {**dict.fromkeys(SEATED, 0.22), "at_laptop": 0.22, "crouching": 0.31}
"""Poses in which heads are lower than standing, and by how much of the height."""


def pose_of(name: str) -> Pose:
    """The pose of a name; one that is not known stands."""
    return POSES.get(name, POSES["standing"])


def sideways(pose: Pose) -> Pose:
    """The same, with the side of the chest to the camera."""
    if pose.view != "three_quarter" or pose.holding == "crossed":
        return pose
    apart = (pose.near_foot[0] - pose.far_foot[0]) * 0.5
    return replace(
        pose,
        view="profile",
        face="profile",
        lean=abs(pose.lean) * 0.6,
        bow=pose.bow + pose.tilt * 0.5,
        near_hand=_forward(pose.near_hand),
        far_hand=_forward(pose.far_hand),
        near_foot=(apart * 0.7, 0.0),
        far_foot=(-apart * 0.7, 0.0),
        far_knee=-1,
    )


def _forward(hand: Point) -> Point:
    """Hanging hands stay where they are; raised ones are before the chest."""
    raised = max(min(1.9 - hand[1], 1.0), 0.0)
    return abs(hand[0]) * 0.5 * raised + hand[0] * 0.5 + _ASIDE * raised + 0.06, hand[1]


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


def leg(hip: Point, foot: Point, knee: int = -1) -> tuple[Point, Point, Point]:
    """Hip, knee and ankle."""
    ankle = (foot[0], -ANKLE - foot[1])
    far = math.hypot(ankle[0] - hip[0], ankle[1] - hip[1])
    # A leg that is almost straight is straight: somebody stands on it.
    share = far / (THIGH + SHIN) * 1.0004
    long = share if share > _STRAIGHT else 1.0
    return hip, reach(hip, ankle, THIGH * long, SHIN * long, knee), ankle


def arm(
    shoulder: Point, hand: Point, elbow: int, length: float = 1.0, upper: float = 1.0
) -> tuple[Point, Point, Point]:
    """Shoulder, elbow and wrist; no longer than an arm is."""
    upper, fore = UPPER * length * upper, FORE * length
    short = min(1.0, (upper + fore) * 0.998 / max(math.hypot(*hand), 0.01))
    wrist = (shoulder[0] + hand[0] * short, shoulder[1] + hand[1] * short)
    return shoulder, reach(shoulder, wrist, upper, fore, elbow), wrist
