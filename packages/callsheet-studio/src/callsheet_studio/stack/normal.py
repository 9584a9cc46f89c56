"""The words of a tool stack's file as what they mean: units, lengths, sizes, sound, names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.model.stack import Grid
from callsheet_studio.stack.record import is_number, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.stack.record import Record

UNITS = ("second", "clip", "image", "1k_characters", "track", "minute", "month", "credit")
LENGTHS = "a list of seconds as [5, 10], or {min, max}"
MOST_LENGTHS = 1000

_LONGEST = 6 * 3600
_UNIT = re.compile(r"(clip|track)_(\d+(?:\.\d+)?)s")
_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})\Z")
_SIDE = re.compile(r"(?:up to )?(\d{3,4})p\b")
_MEGAPIXELS = re.compile(r"up to (\d+(?:\.\d+)?) MP\Z")
_THOUSANDS = {"0.5k": 360, "1k": 720, "2k": 1440, "4k": 2160, "8k": 4320}
"""Short sides of pictures of 16:9 that are called so."""
_SIDES = (360, 480, 540, 720, 1080, 1440, 2160, 4320)
_WIDE = 16 / 9
_NEARLY = 0.03
_NOT_A_NAME = re.compile(r"[^a-z0-9.]+")


def unit_of(text: str) -> tuple[str, float | None] | None:
    """A unit, and the seconds that it is for: `clip_5s` is a clip of 5 s."""
    if text in UNITS and text != "clip":
        return text, None
    match = _UNIT.fullmatch(text)
    if match is None or not 0 < float(match[2]) <= _LONGEST:
        return None
    return match[1], float(match[2])


def grid_of(record: Record, key: str) -> Grid | None:
    """The lengths that clips can have; None: none are told, or they do not fit."""
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, list):
        return _listed(value, record, key)
    if isinstance(value, dict):
        return _between(record.record(key, ("min", "max", "step", "applies_to")))
    record.fault(f"{shown(value)} is not a grid. Write {LENGTHS}.", key)
    return None


def _listed(value: list[object], record: Record, key: str) -> Grid | None:
    fits = [is_number(each) and 0 < float(str(each)) <= _LONGEST for each in value]
    if not value or not all(fits) or len(value) > MOST_LENGTHS:
        record.fault(f"{shown(value)} is not a grid. Write {LENGTHS}.", key)
        return None
    lengths = tuple(sorted({float(str(each)) for each in value}))
    return Grid(lengths=lengths, least=lengths[0], most=lengths[-1])


def _between(grid: Record) -> Grid | None:
    least, most, step = (grid.number(name, most=_LONGEST) for name in ("min", "max", "step"))
    if least is None or most is None or not 0 < least <= most:
        grid.fault(f"needs `min` and `max`, from short to long. Write {LENGTHS}.")
        return None
    if "step" not in grid:
        return Grid(least=least, most=most)
    if not step or (most - least) / step > MOST_LENGTHS:
        grid.fault(f"has more than {MOST_LENGTHS} steps. Write a greater step, or none.", "step")
        return None
    count = int((most - least) / step) + 1
    lengths = tuple(round(least + number * step, 6) for number in range(count))
    return Grid(lengths=lengths, least=least, most=lengths[-1])


def sides_of(words: Iterable[str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The short sides that sizes stand for, ascending, and the words that stand for none.

    A tool with a size of 16:9 has sizes of other shapes too, of about as many pixels: they say no
    more about how fine its pictures are.
    """
    wide: set[int] = set()
    other: set[int] = set()
    unknown = []
    for word in words:
        side, is_wide = _side(word)
        if side is None:
            unknown.append(word)
        else:
            (wide if is_wide else other).add(side)
    return tuple(sorted(wide or other)), tuple(unknown)


def _side(word: str) -> tuple[int | None, bool]:
    if match := _SIZE.match(word):
        short, long = sorted((int(match[1]), int(match[2])))
        return short, abs(long / short - _WIDE) <= _NEARLY * _WIDE
    if match := _SIDE.match(word):
        return int(match[1]), True
    if match := _MEGAPIXELS.match(word):
        pixels = float(match[1]) * 1e6
        return max((s for s in _SIDES if s * s * _WIDE <= pixels), default=None), True
    return _THOUSANDS.get(word.lower()), True


def has_sound(words: str) -> bool | None:
    """Whether it makes sound itself; None if it is not told, or told differently by two."""
    return None if "disagree" in words else _yes(words)


def has_lip_sync(words: str) -> bool | None:
    """Whether somebody who is seen speaking speaks in time; another tool that can is not it."""
    return False if words.startswith("separate") else _yes(words)


def _yes(words: str) -> bool | None:
    return None if not words else words != "no"


def closed_regions(licence: str) -> tuple[str, ...]:
    """Where a licence does not hold, as `!EU`."""
    words = re.split(r"does not apply in|; not ", licence, maxsplit=1)
    names = {"EU": "!EU", "UK": "!UK", "South Korea": "!KR"}
    return tuple(sign for name, sign in names.items() if len(words) > 1 and name in words[1])


def name_of(text: str) -> str:
    """A text as a part of an id: `Runway API` is `runway-api`."""
    return _NOT_A_NAME.sub("-", text.lower()).strip("-.")
