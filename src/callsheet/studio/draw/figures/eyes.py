"""A face so close that only its eyes are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.studio.draw.figures.bust import paint_bust

if TYPE_CHECKING:
    from callsheet.studio.draw.brush import Brush
    from callsheet.studio.draw.figures.look import Look
    from callsheet.studio.draw.light import Light

_EYES = 0.5
"""Where the eyes are, below the crown, in heads."""
_APART = 0.48
"""From the outer corner of one eye to that of the other."""


def paint_eyes(  # noqa: PLR0913 -- a call reads as a direction to an actor
    brush: Brush,
    look: Look,
    light: Light,
    *,
    x: float,
    y: float,
    width: float,
    facing: int = 1,
    expression: str = "neutral",
    gaze: float = 0.0,
) -> None:
    """Both eyes at a height, from corner to corner as wide as asked; the face goes on around them.

    Args:
        brush: painted with.
        look: whose.
        light: the light they are in.
        x: between the eyes.
        y: the height of the eyes.
        width: from the outer corner of one eye to that of the other.
        facing: -1 mirrors the face.
        expression: as of a bust.
        gaze: from -1 to 1, as of a bust.
    """
    head = width / _APART
    paint_bust(
        brush,
        look,
        light,
        view="front",
        x=x,
        crown=y - head * _EYES,
        head=head,
        facing=facing,
        expression=expression,
        gaze=gaze,
    )
