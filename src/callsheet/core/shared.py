"""Context: what a name, a value and a time to live may be. Pure; for whoever puts an item."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.fields import MAX_SECONDS
from callsheet.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.value import Json

MOST = 16 * 1024 * 1024
"""Bytes that one scope may have, counting the newest version of each item."""
LONGEST = 200
"""Characters of a scope's or an item's name."""


def check_names(scope: str, name: str = "x") -> None:
    """Refuse a scope or a name that cannot be one.

    Raises:
        InputError: says which, and why.
    """
    for what, text in (("scope", scope), ("name", name)):
        if not text.strip() or len(text) > LONGEST or "\0" in text or value.problem_of(text):
            raise InputError(
                f"{text[:LONGEST]!r} cannot be a {what}: it must be text of 1 to {LONGEST} "
                "characters, as in 'project:blue' or 'style'."
            )


def size_of(data: Json) -> int:
    """How many bytes of JSON a value has.

    Raises:
        InputError: it is not a JSON value.
    """
    problem = value.problem_of(data)
    if problem is not None:
        raise InputError(f"The value cannot be kept: it is or holds something {problem}.")
    return len(value.encode(data))


def expiry(now: datetime, ttl: float | None) -> datetime | None:
    """When an item expires that lives so many seconds; None: never.

    Raises:
        InputError: it is no time to live.
    """
    if ttl is None:
        return None
    if not (math.isfinite(ttl) and 0 < ttl <= MAX_SECONDS):
        raise InputError(
            f"An item cannot live {ttl!r} seconds: write more than 0, or leave it out."
        )
    return now + timedelta(seconds=ttl)
