"""Many words in little time: as many lines as can be said, in beats as long as they need.

The structure's own places come first. Where they would leave messages unsaid, the same lines are
packed anew: in their order, into fewer places, and those that are left out are the fewest words.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.script.line import Clock, Line
    from callsheet_studio.script.structure import Slot

_MOST_LEFT = 3
"""Lines that may be left out together; more are not tried one by one."""
_TRIED = 400
"""Ways to leave lines out that are tried."""


def packed(
    lines: Sequence[Line], slots: tuple[Slot, ...], clock: Clock, bounds: tuple[int, int]
) -> tuple[tuple[Slot, ...], list[list[Line]]] | None:
    """Places and the lines that each has, with the most words that fit; None, if nothing does.

    Args:
        lines: in their order; the last is the call to action.
        slots: the structure's places.
        clock: how long a line takes.
        bounds: the fewest and the most frames of a place.
    """
    total = slots[-1].end
    lengths = {id(line): clock.frames(line.said) for line in lines}
    for number, kept in enumerate(_choices(lines, lengths)):
        if number >= _TRIED:
            break
        if groups := _groups(kept, len(slots), total, lengths, bounds):
            return _fewer(slots, len(groups)), groups
    return None


def _choices(lines: Sequence[Line], lengths: dict[int, int]) -> Iterator[list[Line]]:
    """All lines, then without one, two and three of them: those with the fewest words first."""
    yield list(lines)
    spare = [line for line in lines if line.task in ("message", "problem", "hook", "people")]
    for count in range(1, min(_MOST_LEFT, len(spare)) + 1):
        ways = sorted(
            combinations(spare, count),
            key=lambda some: sum(lengths[id(line)] for line in some),
        )
        for some in ways:
            yield [line for line in lines if not any(line is each for each in some)]


def _groups(
    lines: list[Line],
    most_places: int,
    total: int,
    lengths: dict[int, int],
    bounds: tuple[int, int],
) -> list[list[Line]]:
    """The lines in places that are all long enough and none too long; empty, if there is no way."""
    fewest = max(-(-total // bounds[1]), 1)
    takes = [lengths[id(line)] for line in lines]
    best = _table(takes, most_places, total, bounds)
    ways = [n for n in range(fewest, most_places + 1) if (len(lines), n) in best]
    if not ways:
        return []
    found: list[list[Line]] = []
    end, places = len(lines), ways[-1]
    while end:
        start = best[end, places][1]
        found.insert(0, lines[start:end])
        end, places = start, places - 1
    return found


def _table(
    takes: list[int], most_places: int, total: int, bounds: tuple[int, int]
) -> dict[tuple[int, int], tuple[int, int]]:
    """By how many lines are placed in how many places: their time, and where the last begins."""
    least, most = bounds
    best: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (0, 0)}
    for end in range(1, len(takes) + 1):
        # The call stands alone, on its card.
        first = end - 1 if end == len(takes) else 0
        for start, places in [key for key in best if first <= key[0] < end]:
            length = sum(takes[start:end])
            time = best[start, places][0] + max(length, least)
            fits = length <= most and time <= total and places < most_places
            if fits and time < best.get((end, places + 1), (total + 1, 0))[0]:
                best[end, places + 1] = (time, start)
    return best


def _fewer(slots: tuple[Slot, ...], count: int) -> tuple[Slot, ...]:
    """The places, the shortest two neighbours as one until there are so many."""
    found = list(slots)
    while len(found) > count:
        inner = range(len(found) - 2) if len(found) > 2 else range(1)  # noqa: PLR2004
        at = min(inner, key=lambda n: found[n].frames + found[n + 1].frames)
        first, second = found[at], found[at + 1]
        parts = tuple(dict.fromkeys((*first.parts, *second.parts)))
        found[at : at + 2] = [replace(first, end=second.end, parts=parts)]
    return tuple(found)
