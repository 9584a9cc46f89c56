"""What is looked at in a shot: words keep clear of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from callsheet.studio.draw.place import framing_of, place_of
from callsheet.studio.draw.sets import painting
from callsheet.studio.film.lettering import Box
from callsheet.studio.film.move import view_at

if TYPE_CHECKING:
    from callsheet.studio.draw.place import Framing
    from callsheet.studio.model.shots import Shot

_WIDE, _HIGH = 0.32, 0.5
"""Of the frame: how much a thing takes."""
_CHEEK, _HAIR, _CHIN = 0.46, 0.06, 0.94
"""Heads from the middle of a face to its side, above the crown, and down to the chin."""
_LEANS = 0.12
"""Heads by which the face of a whole body is lower or aside: nobody stands quite straight."""
_BESIDE = {1: 0.0, 2: 1.65}
"""Heads from the middle of some people to the outermost one."""
_MANY = 4.4
_PAIR, _PAIR_SIDES, _PAIR_WIDE = 0.76, (0.29, 0.71), 3.4
"""Two who are close: how much smaller, where, and for how many heads there must be room."""
_EYES, _APART, _EYES_HIGH = (0.74, 1.16), 0.48, 0.04
"""A face of which only eyes are seen: how wide they are, in frames and in heads; how far up."""
_OTHER = 0.17
"""Over a shoulder: how far from the middle the other one is."""
_FPS = 24.0


def looked_at(shot: Shot, size: tuple[int, int]) -> Box:
    """A face, the faces of some, or where the thing is that a shot is about; while it lasts."""
    framing = framing_of(shot, size)
    if shot.figures and shot.kind not in {"INSERT", "POV"}:
        return _moved(_faces(shot, framing), shot, size)
    x, y = framing.thirds if not shot.figures else (0.5, framing.middle)
    aside, over = _WIDE / 2, _HIGH / 2
    width, height = size
    return Box((x - aside) * width, (y - over) * height, (x + aside) * width, (y + over) * height)


def _faces(shot: Shot, framing: Framing) -> Box:
    place, count = place_of(framing, painting(shot.set.place)), len(shot.figures)
    width = framing.width
    if shot.kind == "OTS" and count > 1:
        side = -1 if place.x < width / 2 else 1
        other = place_of(replace(framing, size="MCU"), None)
        return _around(width * (0.5 - side * _OTHER), other.crown, other.head)
    if framing.size == "ECU" and count == 1:
        head = min(width * _EYES[0], framing.height * _EYES[1]) / _APART
        eyes = framing.height * (framing.middle - _EYES_HIGH)
        return _around(width / 2, eyes - head / 2, head)
    if framing.is_close and count > 1:
        head = place.head * min(_PAIR, width / (place.head * _PAIR_WIDE))
        crown = place.crown + (place.head - head) / 2
        one, two = (_around(x * width, crown, head) for x in _PAIR_SIDES)
        return Box(one.left, one.top, two.right, two.bottom)
    middle = place.x if count == 1 else (place.x + width / 2) / 2
    box = _around(middle, place.crown, place.head, _BESIDE.get(count, _MANY))
    lean = 0.0 if framing.is_close else _LEANS * place.head
    return Box(box.left - lean, box.top, box.right + lean, box.bottom + lean)


def _around(x: float, crown: float, head: float, more: float = 0.0) -> Box:
    aside = (_CHEEK + more) * head
    return Box(x - aside, crown - _HAIR * head, x + aside, crown + _CHIN * head)


def _moved(box: Box, shot: Shot, size: tuple[int, int]) -> Box:
    """All that it takes from the first frame of a shot to the last: the camera moves."""
    seen = [_seen(box, shot, frame, size) for frame in (0, max(shot.frames - 1, 0))]
    return Box(
        min(each.left for each in seen),
        min(each.top for each in seen),
        max(each.right for each in seen),
        max(each.bottom for each in seen),
    )


def _seen(box: Box, shot: Shot, frame: int, size: tuple[int, int]) -> Box:
    view = view_at(shot.movement, frame, shot.frames, _FPS).of("middle")
    middle = size[0] / 2, size[1] / 2
    x, y = (
        way * max(size) + half * (1 - view.scale)
        for way, half in zip((view.x, view.y), middle, strict=True)
    )
    return Box(
        x + box.left * view.scale,
        y + box.top * view.scale,
        x + box.right * view.scale,
        y + box.bottom * view.scale,
    )
