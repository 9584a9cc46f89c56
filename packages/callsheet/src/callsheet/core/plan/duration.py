"""Durations, as people write them: `500ms`, `30s`, `5m`, `1h`, `1d`, or seconds."""

from __future__ import annotations

import re

MAX_SECONDS = 10 * 366 * 86_400.0

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h|d)\Z")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}


def seconds_in(found: object) -> float | None:
    """The seconds that a number, or a text like `500ms`, stands for; None: it is no duration."""
    if isinstance(found, str):
        parts = _DURATION.match(found.strip())
        return round(float(parts[1]) * _UNITS[parts[2]], 9) if parts else None
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return float(found)
