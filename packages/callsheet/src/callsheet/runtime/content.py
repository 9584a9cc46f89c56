"""What a plan that is a plain mapping is found by, if it was accepted before."""

from __future__ import annotations

import math
from hashlib import sha256
from typing import Any

from callsheet.core import value

MAX_VALUES = 100_000
"""Of a mapping that is remembered; a larger one is read each time."""
_TEXT = frozenset({str})
_CONTAINERS = frozenset({dict, list, tuple})
"""A tuple is read as a list is."""
_PLAIN = _CONTAINERS | {str, int, float, bool, type(None)}


def content_of(document: dict[str, object]) -> str | None:
    """What a mapping is found by; None: another one may have the same JSON, or it is too large.

    Most things have a JSON and are no plan all the same: NaN, a set, a number for a key.
    """
    left = MAX_VALUES
    waiting: list[Any] = [document]
    while waiting:
        found = waiting.pop()
        left -= len(found)
        inside = found
        if type(found) is dict:
            inside = found.values()
            if not _TEXT.issuperset(map(type, found)):
                return None
        kinds = set(map(type, inside))
        if left < 0 or not kinds <= _PLAIN:
            return None
        if float in kinds and not all(math.isfinite(x) for x in inside if type(x) is float):
            return None
        if not kinds.isdisjoint(_CONTAINERS):
            waiting.extend(each for each in inside if type(each) in _CONTAINERS)
    try:
        text = value.encode(document)
    except (ValueError, RecursionError):
        return None  # half a surrogate pair, or too deep
    # Not sorted: the order of keys may be the order of steps' arguments.
    return sha256(b"{}" + text).hexdigest()
