"""Moments as the tables keep them: text that sorts as time does."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(at: datetime) -> str:
    """A moment in UTC, always as long."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
