"""A face so close that only its eyes are left."""

from __future__ import annotations

_EYES = 0.5
"""Where the eyes are, below the crown, in heads."""
_APART = 0.48
"""From the outer corner of one eye to that of the other."""


def place_of_eyes(y: float, width: float) -> tuple[float, float]:
    """The crown and the height of a head whose eyes are so high and so wide, corner to corner."""
    head = width / _APART
    return y - head * _EYES, head
