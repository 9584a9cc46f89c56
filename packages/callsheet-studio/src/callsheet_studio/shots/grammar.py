"""The numbers of film grammar that planning and checking share."""

from __future__ import annotations

SIZE_STEPS = 2
"""Steps of size by which two adjacent shots of one subject differ at least, or …"""
BEARING_STEP = 30
"""… degrees by which the camera has gone around it."""
ESTABLISHES = frozenset(("EWS", "WS", "FS", "MWS"))
"""Sizes that show where we are."""
DETAILS = frozenset(("CU", "ECU"))
"""Sizes that need to know where we are first; inserts do, too."""
ON_THE_LINE = frozenset((0, -180))
"""Bearings of a camera that stands on the line: it belongs to both sides."""

Seen = tuple[str, tuple[str, ...]]
"""The subject of a shot, and who is in it."""


def alike(one: Seen, other: Seen) -> bool:
    """Whether two shots show one subject: the same thing, or somebody who is in both."""
    return one[0] == other[0] or bool(set(one[1]) & set(other[1]))


def around(one: int, other: int) -> int:
    """By how many degrees two bearings differ, the shorter way."""
    apart = abs(one - other) % 360
    return min(apart, 360 - apart)
