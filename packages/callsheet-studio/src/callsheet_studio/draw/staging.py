"""How people are staged: who does what, how tall they are, and how they stand who do nothing."""

from __future__ import annotations

import random
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet_studio.draw.deeds import CALLS, HANDING
from callsheet_studio.draw.figures.pose import LOW, SEATED, pose_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.figures import Look
    from callsheet_studio.draw.place import Framing, Place, View
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.things import Scene

_IDLE = {
    "neutral": ("standing", "pocket", "clasped", "pockets", "hands_behind", "easy", "looking"),
    "smile": ("hand_on_hip", "easy", "clasped", "pocket", "standing"),
    "proud": ("hand_on_hip", "arms_crossed", "hands_behind", "standing"),
    "worried": ("weary", "thinking", "arms_crossed", "clasped"),
    "focused": ("thinking", "looking", "arms_crossed", "hands_behind"),
    "surprised": ("standing", "peering", "clasped"),
}
"""Ways to stand for those who do nothing, by what their face says."""
_TOGETHER = frozenset(
    (
        "walking",
        "running",
        "carrying",
        "sitting",
        "cheering",
        "back",
        "cycling",
        "cargo_cycling",
    )
)
"""What everybody of a group does; else one does it, and the others look on."""
_ON_THE_WAY = frozenset(
    ("walking", "walking_calling", "running", "carrying", "cycling", "cargo_cycling")
)
_ANSWERS = {
    "handing": "taking",
    "shaking": "taking",
    "sharing": "sharing",
    "sitting_calling": "sitting",
    "walking_calling": "walking",
}
"""What the other of two does, or the others do meanwhile."""
_ALONE = {"shaking": "taking", "sharing": "holding_phone"}
"""What the first of two does, where it has another name."""
_ROOM = {
    **dict.fromkeys(
        ("reaching", "pointing", "presenting", "waving", "cheering", "explaining"), 3.3
    ),
    "handing": 3.2,
    "shaking": 3.1,
    "sharing": 1.9,
    "talking": 3.0,
    **dict.fromkeys(SEATED, 3.6),
    "cycling": 5.2,
    "cargo_cycling": 7.0,
}
"""How many heads apart those stand who do more than stand."""
_LISTENING = ("clasped", "standing", "hands_behind", "pocket", "arms_crossed")
_NEAR_FACE = frozenset(("thinking", "weary", "peering", "calling", "photographing", "showing"))
_AT_CHEST = frozenset(("holding_phone",))
_LOW = frozenset(("arms_crossed", "holding"))
"""Poses whose hands are so low that only a frame for phones has them in a close shot."""
_AT_HEAD = frozenset(("thinking", "calling"))
"""Poses whose arm is in the frame with its hand, where only a head is."""
_WIDE = frozenset(("waving", "photographing", "weary", "peering"))
"""Poses whose hands are seen in close shots; some need a frame that is wide."""
_ANY_SIDE = frozenset(("standing", "pocket", "pockets", "clasped", "holding", "holding_phone"))
"""Poses that may turn their side to the camera."""
_CLOSE = {"sitting_calling": "calling", "walking_calling": "calling", "handing": "showing"}
"""How somebody is in a close shot, which shows no seat, no way, and no arm that is held out."""
_CHILD, _OLD, _WOMAN = 0.72, 0.95, 0.955
_VARIED = 0.05
_FRONTAL, _ASIDE, _GAZES = 45, 0.03, (-0.3, 0.9)
_POCKETLESS = frozenset(("dress",))


def pose_for(scene: Scene, subject: Subject, number: int, look: Look) -> str:
    """The pose of one of the people of a shot."""
    if scene.place.view == "back":
        return "back"
    lead, other = subject.between
    follows = number != lead
    answers = number == other or subject.pose != HANDING
    if follows and answers and subject.pose in _ANSWERS:
        return _ANSWERS[subject.pose]
    if subject.pose in _ALONE:
        return "holding" if subject.held else _ALONE[subject.pose]
    if follows and subject.pose not in _TOGETHER:
        return _of(_LISTENING, scene, subject.names[number], look)
    if subject.pose != "standing":
        return subject.pose
    return _of(_IDLE.get(subject.expression, _IDLE["neutral"]), scene, subject.names[number], look)


def _of(choice: Sequence[str], scene: Scene, name: str, look: Look) -> str:
    """One of several, by what the shot says: the same shot is always the same."""
    fitting = [
        each
        for each in choice
        if not (pose_of(each).pockets and (look.top in _POCKETLESS or look.bottom == "skirt"))
    ]
    told = f"{'/'.join(scene.stage.words)}/{scene.framing.size}/{scene.framing.bearing}/{name}"
    return fitting[int.from_bytes(sha256(told.encode()).digest()[:4], "big") % len(fitting)]


def apart(pose: str, usual: float) -> float:
    """How many heads apart two of a group stand."""
    return _ROOM.get(pose, usual)


def goes_on(pose: str) -> bool:
    """Whether all of a group go the same way."""
    return pose in _ON_THE_WAY


def seen_close(scene: Scene, place: Place) -> tuple[Place, float]:
    """A face of a close shot, and where its eyes go: no two shots are quite the same."""
    told = f"{'/'.join(scene.stage.words)}/{scene.framing.size}/{scene.framing.bearing}"
    chance = random.Random(told)  # noqa: S311 -- a picture
    view: View = place.view
    if view == "three_quarter" and abs(scene.framing.bearing) <= _FRONTAL:
        view = chance.choice(("three_quarter", "three_quarter", "front"))
    aside = chance.uniform(-_ASIDE, _ASIDE) * scene.framing.width
    return replace(place, view=view, x=place.x + aside), chance.uniform(*_GAZES)


def view_for(pose: str, place: Place) -> str:
    """The side of a chest, where the camera sees one and the pose allows it."""
    return "profile" if place.view == "profile" and pose in _ANY_SIDE else ""


def close_pose(pose: str, framing: Framing) -> str:
    """The pose of somebody alone whose head and chest are seen."""
    if pose == HANDING and framing.is_tall:
        return "holding"
    return _CLOSE.get(pose, pose)


def shows_hands(pose: str, framing: Framing) -> bool:
    """Whether a close shot shows what the hands do."""
    if pose in _WIDE and framing.width <= framing.height:
        return False
    if framing.size == "CU":
        return pose in _AT_HEAD
    chest = _AT_CHEST | _WIDE | (_LOW if framing.is_tall else frozenset())
    return pose in _NEAR_FACE or (framing.size == "MCU" and pose in chest)


def grown(place: Place, look: Look, *, alone: bool, feet: bool) -> Place:
    """As tall as somebody is: by their feet among others or on the ground, else by their eyes."""
    share = {"child": _CHILD, "old": _OLD}.get(look.age, 1.0)
    if look.age != "child" and not alone:
        share *= (_WOMAN if look.form == "woman" else 1.0) + _VARIED * (look.traits[3] - 0.5)
    height = place.height * share
    keeps_eyes = alone and not feet
    return replace(place, height=height, crown=place.crown if keeps_eyes else place.foot - height)


def lowered(pose: str) -> float:
    """How much lower than standing a head is in a pose, as a part of the height."""
    return LOW.get(pose, 0.0)


def upright(pose: str) -> str:
    """How somebody stands who would sit, where there is nothing to sit on."""
    return "calling" if pose in CALLS else "standing"
