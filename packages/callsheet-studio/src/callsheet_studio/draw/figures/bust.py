"""Somebody close: head and shoulders."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.figures import (
    face,
    garments,
    hair,
    limbs,
    profile,
    torso,
)
from callsheet_studio.draw.figures.behind import paint_back
from callsheet_studio.draw.figures.cut import Cut, Frame
from callsheet_studio.draw.figures.mood import mood_of
from callsheet_studio.draw.figures.paints import paints_of
from callsheet_studio.draw.figures.shape import shape_of, turn_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.figures.look import Look
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.light import Light

_NECK = 0.95
"""Where a head turns, below its crown."""
VIEWS = ("profile", "front", "three_quarter", "back")


def paint_bust(  # noqa: PLR0913 -- a call reads as a direction to an actor
    brush: Brush,
    look: Look,
    light: Light,
    *,
    view: str,
    x: float,
    crown: float,
    head: float,
    facing: int = 1,
    expression: str = "neutral",
    gaze: float = 0.0,
    tilt: float = 0.0,
) -> None:
    """Head and shoulders, down to the waist.

    Args:
        brush: painted with.
        look: who.
        light: the light they stand in.
        view: `profile`, `front`, `three_quarter` or `back`.
        x: the middle of the head.
        crown: the top of the head (hair may stand above it).
        head: how high the head is, from the crown to the chin.
        facing: 1 is turned to the right, -1 to the left.
        expression: `neutral`, `smile`, `worried`, `surprised`, `focused` or `proud`.
        gaze: where the eyes go, from -1 (behind them) to 1 (where they are turned to).
        tilt: the head to a side, in radians; positive is forward, or to the right.
    """
    who, mood = paints_of(look, light), mood_of(expression)
    cut = Cut(brush, light, at=(x, crown), head=head, flip=facing < 0)
    turn = 1.0 if view == "three_quarter" else 0.0
    if view in {"front", "three_quarter"}:
        _hair_behind(cut, who, turn_of(view), tilt)
    size = 1 / torso.head_of(look)
    with cut.moved(-0.08 * turn, 1 - (torso.CROWN + 1) * size, scale=size), cut.around(0.0, 0.0):
        _shoulders(cut, who, view, turn)
    paint_head(cut, who, mood, view, gaze, tilt)
    cut.paint()


def head_in_bust(*, x: float, crown: float, head: float, facing: int, tilt: float) -> Frame:
    """Where the head of a bust is, as `paint_bust` paints it: crown (0, 0), chin (0, 1)."""
    frame = Frame(-head if facing < 0 else head, 0.0, 0.0, head, x, crown)
    return bowed(frame, tilt)


def bowed(head: Frame, tilt: float) -> Frame:
    """A head that is tilted about its neck."""
    return head.moved(0.0, _NECK, turn=tilt).moved(0.0, -_NECK)


def _hair_behind(cut: Cut, who: Paints, turn: float, tilt: float) -> None:
    with _tilted(cut, tilt), cut.bent(shape_of(who, turn).bend):
        hair.paint_behind(cut, who)


def _shoulders(cut: Cut, who: Paints, view: str, turn: float) -> None:
    body = torso.measures_of(who.look)
    tone, short = torso.sleeve_of(who), who.look.top in torso.SHORT
    if view == "profile":
        garments.paint_top(cut, who, view)
        arm = (-0.08, -1.8), (-0.18, -0.66), (0.1, 0.3)
        limbs.paint_sleeve(cut, who, tone, arm, short=short, wide=1.3)
        seam = [(-0.33, -2.06), (-0.16, -2.16), (0.06, -2.12), (0.17, -1.9), (0.16, -1.6)]
        cut.line(seam, clear(tone.deep, 0.3), 0.016)
        return
    for side in (-1, 1):
        x, _ = torso.bend(turn, (body.shoulder - 0.2) * side, 0.0)
        arm = (x, -1.84), (x + 0.1 * side, -0.7), (x + 0.06 * side, 0.3)
        limbs.paint_sleeve(cut, who, tone, arm, short=short)
    garments.paint_top(cut, who, view, turn)


def paint_head(cut: Cut, who: Paints, mood: Mood, view: str, gaze: float, tilt: float) -> None:
    """A head whose crown is at the origin, bowed about its neck."""
    with _tilted(cut, tilt + (mood.nod if view == "profile" else 0.0)):
        if view == "profile":
            with cut.moved(-0.02, 0.0):
                profile.paint_profile(cut, who, mood)
        elif view == "back":
            paint_back(cut, who)
        else:
            turn = turn_of(view)
            face.paint_face(cut, who, mood, gaze, turn)
            with cut.bent(shape_of(who, turn).bend):
                hair.paint_over(cut, who, turn)


@contextmanager
def _tilted(cut: Cut, tilt: float) -> Iterator[None]:
    with cut.moved(0.0, _NECK, turn=tilt), cut.moved(0.0, -_NECK):
        yield
