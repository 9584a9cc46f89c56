"""Expressions: what brows, lids and mouth do."""

from __future__ import annotations

import msgspec


class Mood(msgspec.Struct, frozen=True):
    """0 is at rest; 1 is as far as it goes."""

    inner: float = 0.0
    """The inner end of the brows, up."""
    outer: float = 0.0
    """The outer end of the brows, up."""
    lids: float = 0.84
    """How open the eyes are."""
    smile: float = 0.28
    open: float = 0.0
    """The mouth."""
    nod: float = 0.0
    """The head, forward (radians)."""


MOODS = {
    "neutral": Mood(),
    "smile": Mood(outer=0.15, lids=0.8, smile=1.0, open=0.5),
    "worried": Mood(inner=1.0, outer=-0.5, lids=0.92, smile=-0.7, nod=0.04),
    "surprised": Mood(inner=0.9, outer=0.9, lids=1.22, smile=0.0, open=0.9, nod=-0.04),
    "focused": Mood(inner=-0.75, outer=-0.1, lids=0.7, smile=-0.08, nod=0.05),
    "proud": Mood(inner=-0.05, outer=0.3, lids=0.76, smile=0.7, nod=-0.07),
}


def mood_of(expression: str) -> Mood:
    """The mood of an expression; one that is not known looks neutral."""
    return MOODS.get(expression, MOODS["neutral"])
