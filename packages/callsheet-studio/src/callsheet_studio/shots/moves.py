"""What the camera does in a shot, and that it can be read in its time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

from callsheet_studio.library import movements
from callsheet_studio.model.shots import Direction, Move, Movement
from callsheet_studio.shots.scenes import AGAINST, TENSE

if TYPE_CHECKING:
    from callsheet_studio.model.script import Beat
    from callsheet_studio.shots.moments import Moment
    from callsheet_studio.shots.scenes import Scene

_WALKS = re.compile(
    r"\b(?:walk|run|ride|drive|cycle|march|cross|hurr|climb|step|weave|leaves|geht|gehen|läuft|"
    r"laufen|fährt|fahren|rennt|eilt|steigt|radel|tritt|verlässt)\w*",
    re.IGNORECASE,
)
_SLOW_MOVES = frozenset(("crane", "arc", "truck", "dolly"))
_LEAST_FOR_A_MOVE = {True: 2.5, False: 1.6}
"""Seconds below which a slow and any other movement cannot be read."""

_STEPS = {"crane": (0, 3), "whip": (3, 5), "truck": (1, 5), "rack": (4, 7), "push": (2, 7)}
"""Steps of size between which a movement can be read; others at all."""
_STILL = Movement(kind="static")
_PUSH = Movement(kind="push", direction="in")
_DOLLY = Movement(kind="dolly", direction="in")


def read_movement(text: str) -> Movement | None:
    """The movement that some words name, with its direction if they say one."""
    words = re.findall(r"[a-z]+", text.lower().replace("near to far", "near_to_far"))
    kind = next((word for word in words if word in movements()), None)
    if kind is None:
        return None
    allowed = movements()[kind].directions
    named = [word for word in words if word in allowed]
    chosen = (named or [allowed[0]])[0]
    return Movement(kind=_as_move(kind), direction=_as_direction(chosen))


def _as_move(text: str) -> Move:
    return next(move for move in get_args(Move) if move == text)


def _as_direction(text: str) -> Direction:
    return next(way for way in get_args(Direction) if way == text)


def directed(asked: Movement, scene: Scene) -> Movement:
    """Sideways movements go the way of the scene."""
    if "right" not in movements()[asked.kind].directions:
        return asked
    return Movement(kind=asked.kind, direction=_way(scene))


def _way(scene: Scene) -> Direction:
    return "right" if scene.direction == "left_to_right" else "left"


def needs(movement: Movement) -> float:
    """The seconds that a movement takes at least to be read."""
    if movement.kind in ("static", "handheld", "whip"):
        return 0.0
    return _LEAST_FOR_A_MOVE[movement.kind in _SLOW_MOVES]


def walks(text: str) -> bool:
    """Whether somebody is under way, and so needs room in the picture."""
    return bool(_WALKS.search(text))


def reads(movement: Movement, step: int) -> bool:
    """Whether a movement can be read at a size: a crane needs a wide one, a whip a nearer one."""
    low, high = _STEPS.get(movement.kind, (0, 7))
    return low <= step <= high


def moves(moment: Moment, beat: Beat, scene: Scene) -> list[Movement]:
    """What the camera could do, best first. No rack focus: the film that is drawn has none."""
    way = _way(scene)
    pan = Movement(kind="pan", direction=way)
    crane = Movement(kind="crane", direction="down")
    table = {
        "establish": [pan, _DOLLY, _STILL] if scene.entry.interior else [crane, pan, _STILL],
        "face": [_PUSH, _STILL],
        "speaker": [_STILL, _PUSH],
        "over": [_STILL, _PUSH],
        "detail": [_STILL, Movement(kind="tilt", direction="down")],
        "screen": [Movement(kind="zoom", direction="in"), _STILL, _PUSH],
        "product": [Movement(kind="arc", direction=way), _DOLLY, _STILL],
        "card": [_STILL, _PUSH],
    }
    if moment.role in table:
        return table[moment.role]
    if moment.figures and walks(moment.text):
        return [Movement(kind="truck", direction=way), pan, _STILL]
    if moment.figures and beat.function.part in AGAINST and beat.emotion.intensity > TENSE:
        return [Movement(kind="handheld"), _STILL, _PUSH]
    return [_STILL, _DOLLY, pan, _PUSH]
