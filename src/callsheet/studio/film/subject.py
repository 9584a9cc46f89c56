"""What is looked at in a shot: words keep clear of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet.studio.draw.cast import heads_in, over_side
from callsheet.studio.draw.frame import staged
from callsheet.studio.film.lettering import Box
from callsheet.studio.film.move import view_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.studio.draw.figures.cut import Frame
    from callsheet.studio.draw.stage import Stage
    from callsheet.studio.draw.style import FilmStyle
    from callsheet.studio.draw.things import Scene
    from callsheet.studio.model.shots import Figure, Shot

_WIDE, _HIGH = 0.32, 0.5
"""Of the frame: how much a thing takes."""
_CHEEK, _HAIR, _CHIN = 0.46, -0.09, 1.0
"""Heads from the middle of a face to its side; from the crown up to its hair, and to the chin."""
_BEFORE = 0.2
"""Over a shoulder: how far from the middle that is which they look at."""
_FPS = 24.0
_LOOKS = 4
"""Parts of a shot after each of which it is seen where the camera is."""


def looked_at(
    shot: Shot, size: tuple[int, int], style: FilmStyle, figures: Sequence[Figure] = ()
) -> tuple[Box, ...]:
    """Each face, or where the thing is that a shot is about; all that it takes while it lasts.

    Args:
        shot: what is seen.
        size: of the frame.
        style: of the film.
        figures: its people, as the drawing is given them.
    """
    scene, subject = staged(shot, figures, style, size)
    heads = heads_in(scene, subject)
    faces = tuple(_moved(_face(head, scene.stage), shot, size) for head in heads)
    is_over = subject.kind == "over" and len(subject.names) == 1
    if faces and not is_over:
        return faces
    x, y = _middle(scene, shot)
    aside, over = _WIDE / 2, _HIGH / 2
    width, height = size
    box = Box((x - aside) * width, (y - over) * height, (x + aside) * width, (y + over) * height)
    return box, *faces


def _middle(scene: Scene, shot: Shot) -> tuple[float, float]:
    """Where a thing is."""
    if not shot.figures:
        return scene.framing.thirds
    aside = over_side(scene) * _BEFORE if shot.kind == "OTS" else 0.0
    return 0.5 - aside, scene.framing.middle


def _face(head: Frame, stage: Stage) -> Box:
    """Around the oval of a head as it is drawn, however it is turned."""
    middle = (_HAIR + _CHIN) / 2
    x, y = stage.tilted(*head(0.0, middle))
    (cheek_x, cheek_y), (chin_x, chin_y) = (
        stage.tilted(*head(*end)) for end in ((_CHEEK, middle), (0.0, _CHIN))
    )
    wide, high = math.hypot(cheek_x - x, chin_x - x), math.hypot(cheek_y - y, chin_y - y)
    return Box(x - wide, y - high, x + wide, y + high)


def _moved(box: Box, shot: Shot, size: tuple[int, int]) -> Box:
    """All that it takes from the first frame of a shot to the last: the camera moves."""
    last = max(shot.frames - 1, 0)
    seen = [_seen(box, shot, last * part // _LOOKS, size) for part in range(_LOOKS + 1)]
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
