"""Where the parts of a film lie, and into which beats they are cut. Frames, and nothing lost.

The shares and seconds of the tables are targets: a part is cut into beats of 5 to 10 s, parts that
are too short for one are merged with a neighbour, and the hook may be 3 to 4 s long.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.brief import Structure
    from callsheet_studio.model.script import Part

LEAST, MOST, USUAL = 5, 10, 7
"""Seconds of a beat."""
_HOOK = (3, 4)
"""Seconds of a hook that is shorter than other beats."""
_SHORTEST_SECTION = 2
"""Seconds: a section of an ad that would be shorter is told within its neighbour."""

_ENDS: dict[str, tuple[tuple[Part, int], ...]] = {
    "three_part": (("hook", 22), ("solution", 72), ("call_to_action", 100)),
    "three_act": (
        ("hook", 7),
        ("setup", 25),
        ("confrontation", 72),
        ("resolution", 89),
        ("call_to_action", 100),
    ),
    "eight_part": (
        ("hook", 5),
        ("inciting_event", 12),
        ("first_plot_point", 25),
        ("first_pinch_point", 37),
        ("midpoint", 50),
        ("second_pinch_point", 62),
        ("third_plot_point", 75),
        ("climax", 100),
    ),
}
"""Where each part ends, in percent."""

_SECTIONS: tuple[Part, ...] = (
    "hook",
    "pain_point",
    "product_reveal",
    "selling_point",
    "demo",
    "trust",
    "offer",
    "call_to_action",
)
_AD: dict[int, tuple[int, ...]] = {
    15: (3, 0, 2, 3, 4, 0, 0, 3),
    30: (3, 4, 3, 6, 6, 3, 2, 3),
    60: (3, 7, 5, 12, 15, 8, 5, 5),
    90: (4, 10, 6, 20, 24, 12, 8, 6),
}
"""Seconds of each section by seconds of the ad. 0 is: told within a neighbour, or not at all."""
_ENDS_OF_AD: frozenset[Part] = frozenset({"hook", "product_reveal", "offer", "call_to_action"})
"""Sections that do not grow with a longer ad."""
_TOLD_WITHIN: dict[Part, Part] = {
    "pain_point": "hook",
    "trust": "demo",
    "offer": "call_to_action",
}


class Slot(msgspec.Struct, frozen=True):
    """The place of one beat: its frames, and the parts of the structure that it serves."""

    start: int
    end: int
    part: Part
    parts: tuple[Part, ...]
    number: int
    """Which beat of its part it is, from 0."""
    of: int
    """How many beats its part has."""

    @property
    def frames(self) -> int:
        """How long it is."""
        return self.end - self.start


class _Stretch(msgspec.Struct, frozen=True):
    """Neighbouring parts that share their beats."""

    parts: tuple[tuple[Part, int], ...]
    """Each with its frames."""

    @property
    def frames(self) -> int:
        return sum(frames for _, frames in self.parts)

    def __add__(self, other: _Stretch) -> _Stretch:
        return _Stretch(self.parts + other.parts)


def lay_out(structure: Structure, frames: int, rate: Rate) -> tuple[Slot, ...]:
    """The beats' places in a film of `frames`: they tile it, and every part is served."""
    least, most = math.ceil(LEAST * rate.fps), math.floor(MOST * rate.fps)
    if structure == "ad":
        stretches = _sections(frames, rate)
    else:
        stretches = _merged(_shares(structure, frames, rate), least)
    usual = USUAL * rate.fps
    slots: list[Slot] = []
    for stretch in stretches:
        slots += _cut(stretch, slots[-1].end if slots else 0, (least, most), usual)
    return tuple(slots)


# Films


def _shares(structure: Structure, frames: int, rate: Rate) -> list[_Stretch]:
    ends = _ENDS[structure]
    first = ends[0][1]
    hook = _hook(frames * first // 100, rate)
    if frames - hook < LEAST * rate.fps:
        # Too short for two beats: one that does everything.
        return [_Stretch(tuple((part, frames * (part == "hook")) for part, _ in ends))]
    places = [hook]
    for _, end in ends[1:]:
        share = Fraction(end - first, 100 - first)
        places.append(hook + int(share * (frames - hook)))
    starts = [0, *places]
    return [
        _Stretch(((part, end - start),))
        for (part, _), start, end in zip(ends, starts, places, strict=False)
    ]


def _hook(wished: int, rate: Rate) -> int:
    """As wished, if a beat can be that long."""
    if wished >= LEAST * rate.fps:
        return wished
    shortest, longest = (rate.frames(seconds) for seconds in _HOOK)
    return min(max(wished, shortest), longest)


def _merged(stretches: list[_Stretch], least: int) -> list[_Stretch]:
    """None too short for a beat but the hook, which has a rule of its own."""
    while short := [n for n, stretch in enumerate(stretches) if n and stretch.frames < least]:
        at = min(short, key=lambda n: stretches[n].frames)
        near = [n for n in (at - 1, at + 1) if 0 < n < len(stretches)]
        other = min(near, key=lambda n: stretches[n].frames)
        low, high = sorted((at, other))
        stretches[low : high + 1] = [stretches[low] + stretches[high]]
    return stretches


# Ads


def _sections(frames: int, rate: Rate) -> list[_Stretch]:
    # To a tenth: 30 s at 23.976 are a little less than 30 s.
    seconds = _section_seconds(Fraction(round(10 * frames / rate.fps), 10))
    within = {
        part: _TOLD_WITHIN.get(part, part) if length < _SHORTEST_SECTION else part
        for part, length in zip(_SECTIONS, seconds, strict=True)
    }
    total, done, last = sum(seconds), Fraction(0), 0
    homes: dict[Part, list[tuple[Part, int]]] = {}
    for part, length in zip(_SECTIONS, seconds, strict=True):
        done += length
        end = int(done / total * frames + Fraction(1, 2))
        if length or part != "trust":
            homes.setdefault(within[part], []).append((part, end - last))
        last = end
    return [_Stretch(tuple(parts)) for parts in homes.values()]


def _section_seconds(length: Fraction) -> list[Fraction]:
    """Between the columns of the table in proportion; beyond them the middle grows."""
    columns = sorted(_AD)
    if length <= columns[0]:
        return [Fraction(of) * length / columns[0] for of in _AD[columns[0]]]
    if length >= columns[-1]:
        longest = _AD[columns[-1]]
        fixed = sum(of for part, of in zip(_SECTIONS, longest, strict=True) if part in _ENDS_OF_AD)
        grow = (length - fixed) / (columns[-1] - fixed)
        return [
            Fraction(of) if part in _ENDS_OF_AD else of * grow
            for part, of in zip(_SECTIONS, longest, strict=True)
        ]
    high = next(n for n, column in enumerate(columns) if column >= length)
    left, right = columns[high - 1], columns[high]
    way = (length - left) / (right - left)
    return [a + way * (b - a) for a, b in zip(_AD[left], _AD[right], strict=True)]


# Beats


def _cut(stretch: _Stretch, start: int, limits: tuple[int, int], usual: Fraction) -> list[Slot]:
    """Equal beats, the first ones a frame longer where it does not come out even."""
    least, most = limits
    total = stretch.frames
    count = max(1, round(total / usual))
    count = max(min(count, total // least), math.ceil(total / most), 1)
    length, over = divmod(total, count)
    slots: list[Slot] = []
    served = _served(stretch, count)
    for number in range(count):
        end = start + length + (number < over)
        parts = served[number]
        longest = max(parts, key=lambda part: dict(stretch.parts)[part])
        slots.append(Slot(start, end, longest, parts, number, count))
        start = end
    return slots


def _served(stretch: _Stretch, count: int) -> list[tuple[Part, ...]]:
    """The parts of each beat: those whose middle lies in it, or the one that runs through it."""
    total = max(stretch.frames, 1)
    result: list[list[Part]] = [[] for _ in range(count)]
    done = 0
    for part, frames in stretch.parts:
        middle = Fraction(2 * done + frames, 2 * total)
        result[min(int(middle * count), count - 1)].append(part)
        done += frames
    for number in range(count):
        if not result[number]:
            result[number].append(_part_at(stretch, Fraction(2 * number + 1, 2 * count) * total))
    return [tuple(parts) for parts in result]


def _part_at(stretch: _Stretch, place: Fraction) -> Part:
    done = 0
    for part, frames in stretch.parts:
        done += frames
        if place < done:
            return part
    return stretch.parts[-1][0]
