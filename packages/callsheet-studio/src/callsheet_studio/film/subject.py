"""What is looked at in a shot: words keep clear of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.cast import faces_in, over_side
from callsheet_studio.draw.frame import staged
from callsheet_studio.film.lettering import Box, Face
from callsheet_studio.film.move import view_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.cast import Player
    from callsheet_studio.draw.figures.cut import Frame
    from callsheet_studio.draw.stage import Stage
    from callsheet_studio.draw.style import FilmStyle
    from callsheet_studio.draw.things import Scene
    from callsheet_studio.film.move import View
    from callsheet_studio.model.shots import Figure, Shot

_WIDE, _HIGH = 0.32, 0.5
"""Of the frame: how much a thing takes."""
_ON_PHONE = (0.08, 0.26, 0.92, 0.66)
"""Where things are in a frame for phones: left, top, right and bottom."""
_CHEEK, _HAIR, _CHIN = 0.46, -0.09, 1.0
"""Heads from the middle of a face to its side; from the crown up to its hair, and to the chin."""
_ROUND, _TEMPLE = 0.2, 0.2
"""Heads from the middle to where hair is highest, and from the crown to where it is widest."""
_BEFORE = 0.2
"""Over a shoulder: how far from the middle that is which they look at."""
_FPS = 24.0
_LOOKS = 4
"""Parts of a shot after each of which it is seen where the camera is."""


def looked_at(
    shot: Shot, size: tuple[int, int], style: FilmStyle, figures: Sequence[Figure] = ()
) -> tuple[Box, ...]:
    """Each face with its hair, or the thing that a shot is about; all it takes while it lasts.

    Args:
        shot: what is seen.
        size: of the frame.
        style: of the film.
        figures: its people, as the drawing is given them.
    """
    scene, subject = staged(shot, figures, style, size)
    cast, views = faces_in(scene, subject), _views(shot)
    # Nobody knows the hair of somebody who has no name.
    known = any(shot.figures)
    faces = tuple(_head(each, scene.stage, views, size, hair=known) for each in cast)
    is_over = subject.kind == "over" and len(subject.names) == 1
    if faces and not is_over:
        return faces
    x, y = _middle(scene, shot)
    aside, over = _WIDE / 2, _HIGH / 2
    width, height = size
    if scene.framing.is_tall and not shot.figures:
        return (
            Box(*(part * side for part, side in zip(_ON_PHONE, (width, height) * 2, strict=True))),
        )
    box = Box((x - aside) * width, (y - over) * height, (x + aside) * width, (y + over) * height)
    return box, *faces


def _middle(scene: Scene, shot: Shot) -> tuple[float, float]:
    """Where a thing is."""
    if not shot.figures:
        return scene.framing.thirds
    aside = over_side(scene) * _BEFORE if shot.kind == "OTS" else 0.0
    return 0.5 - aside, scene.framing.middle


def _head(
    who: Player, stage: Stage, views: Sequence[View], size: tuple[int, int], *, hair: bool
) -> Face:
    """A face, and the hair around it."""
    face = _moved(_face(who.head, stage), views, size)
    around = _moved(_hair(who, stage), views, size) if hair else face
    head = Box(
        min(face.left, around.left),
        min(face.top, around.top),
        max(face.right, around.right),
        face.bottom,
    )
    return Face(face.left, face.top, face.right, face.bottom, head if hair else None)


def _hair(who: Player, stage: Stage) -> Box:
    """Around the head with its hair, from above it down to the chin."""
    mane, head = who.mane, who.head
    # It is round: where it is highest, it is not widest.
    ends = [
        *((aside, -mane.over) for aside in (-_ROUND, _ROUND)),
        *((side, y) for side in (-mane.behind, mane.before) for y in (_TEMPLE, _CHIN)),
    ]
    across, down = zip(*(stage.tilted(*head(*end)) for end in ends), strict=True)
    return Box(min(across), min(down), max(across), max(down))


def _face(head: Frame, stage: Stage) -> Box:
    """Around the oval of a head as it is drawn, however it is turned."""
    middle = (_HAIR + _CHIN) / 2
    x, y = stage.tilted(*head(0.0, middle))
    (cheek_x, cheek_y), (chin_x, chin_y) = (
        stage.tilted(*head(*end)) for end in ((_CHEEK, middle), (0.0, _CHIN))
    )
    wide, high = math.hypot(cheek_x - x, chin_x - x), math.hypot(cheek_y - y, chin_y - y)
    return Box(x - wide, y - high, x + wide, y + high)


def _views(shot: Shot) -> tuple[View, ...]:
    """Where the camera is, from the first frame of a shot to the last."""
    last = max(shot.frames - 1, 0)
    return tuple(
        view_at(shot.movement, last * part // _LOOKS, shot.frames, _FPS).of("middle")
        for part in range(_LOOKS + 1)
    )


def _moved(box: Box, views: Sequence[View], size: tuple[int, int]) -> Box:
    """All that it takes from the first frame of a shot to the last: the camera moves."""
    seen = [_seen(box, view, size) for view in views]
    return Box(
        min(each.left for each in seen),
        min(each.top for each in seen),
        max(each.right for each in seen),
        max(each.bottom for each in seen),
    )


def _seen(box: Box, view: View, size: tuple[int, int]) -> Box:
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
