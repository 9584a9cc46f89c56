"""What people have in their hands, and what they wear."""

from __future__ import annotations

import re

from callsheet_studio.library.things import catalog

_IN_HAND = 0.5
"""Metres of a thing that somebody can hold before them."""
_NOT_HELD = frozenset((
    "phone", "laptop", "screen", "smart_watch", "clock", "gauge", "sensor", "water_drop", "bee",
    "heart", "gear", "shield", "speech_bubble", "battery", "light_bulb", "headphones", "pen",
    "hat", "shirt", "sleeve", "sun", "cloud", "snowflake", "tooth", "ear", "socket", "lamp",
))  # fmt: skip
_CLOTHES = frozenset(("rain_jacket", "shirt", "sleeve", "hat"))
_WORN_TOO = frozenset(("helmet", "backpack", "handbag"))
_TAKES = (
    r"(?i)\b(?:holds?|takes?|carr(?:y|ies)|lifts?|puts?|hands?|gives?|offers?|picks?|shows?|hält|"
    r"nimmt|hebt|setzt|legt|gibt|reicht|zeigt|trägt)\b"
)
"""What somebody does who has a thing in their hands, and not on them."""


def is_worn(name: str, told: str) -> bool:
    """Whether somebody wears it: it is a part of their look."""
    if name in _WORN_TOO:
        return not re.search(_TAKES, told)
    return catalog()[name].group == "wear" and name in _CLOTHES


def is_small(name: str) -> bool:
    """Whether a thing can be held before somebody; paper folds."""
    entry = catalog()[name]
    if name in _NOT_HELD or entry.group == "animals":
        return False
    return entry.metres <= _IN_HAND or entry.group == "paper"
