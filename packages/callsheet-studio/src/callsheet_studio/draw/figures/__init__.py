"""People: what they look like, and how they are painted from head to foot, close, and closer."""

from __future__ import annotations

from callsheet_studio.draw.figures.body import head_in_body, heads_of, paint_body
from callsheet_studio.draw.figures.bust import VIEWS, head_in_bust, paint_bust
from callsheet_studio.draw.figures.eyes import place_of_eyes
from callsheet_studio.draw.figures.hands import HOLDINGS, paint_hands
from callsheet_studio.draw.figures.look import Look, look_of
from callsheet_studio.draw.figures.mood import MOODS
from callsheet_studio.draw.figures.pose import POSES

EXPRESSIONS = tuple(MOODS)

__all__ = [
    "EXPRESSIONS",
    "HOLDINGS",
    "POSES",
    "VIEWS",
    "Look",
    "head_in_body",
    "head_in_bust",
    "heads_of",
    "look_of",
    "paint_body",
    "paint_bust",
    "paint_hands",
    "place_of_eyes",
]
