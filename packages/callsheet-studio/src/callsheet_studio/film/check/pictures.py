"""The pictures: black, frozen, cuts where they should be, captions that can be read."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from callsheet_studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.film.check.expected import Expected
    from callsheet_studio.film.check.looking import Looks

_BLACK = 0.25
"""Seconds of black that are a fault."""
_FROZEN = 1.5
"""Seconds without any movement that are one."""
_ALIKE = 1.5
"""How different a picture is at least where a cut was planned: two shots of one place are alike."""
_NEAR = 8
"""Frames around it in which nothing else is as different."""
_SUDDEN, _TIMES = 4.0, 4.0
"""How different a picture is after a cut, and how much more than those around it."""
_UNPLANNED, _OFTEN = 9.0, 6.0
"""The same, for one that nobody has planned: words that appear are none."""


def sudden_in(looks: Looks) -> tuple[int, ...]:
    """Frames that are much more different from the one before than those around them."""
    change = looks.change
    return tuple(
        looks.at[place]
        for place in range(1, len(change))
        if change[place] > _SUDDEN and change[place] > _TIMES * _around(change, place)
    )


def judge(looks: Looks, expected: Expected) -> Iterator[Violation]:
    """Everything that is wrong with the pictures of a film."""
    yield from _black(looks, expected)
    yield from _frozen(looks, expected)
    yield from _cuts(looks, expected)
    yield from _unread(looks, expected)


# Black and frozen


def _black(looks: Looks, expected: Expected) -> Iterator[Violation]:
    dark = [
        is_black and not expected.is_fading(at)
        for at, is_black in zip(looks.at, looks.black, strict=True)
    ]
    for start, end in _runs(dark, looks):
        if end - start >= _BLACK * expected.rate.fps:
            yield _wrong(
                "film-black",
                f"Nothing is seen from frame {start} to {end}.",
                "Film this shot again, in more light.",
                expected.shot_at(start),
            )


def _frozen(looks: Looks, expected: Expected) -> Iterator[Violation]:
    for start, end in _runs([not moved for moved in looks.moved], looks):
        # From the picture before, which the first of them is like.
        begins = max((at for at in looks.at if at < start), default=start)
        if end - 1 - begins >= _FROZEN * expected.rate.fps:
            yield _wrong(
                "film-frozen",
                f"Nothing moves from frame {begins} to {end}.",
                "Film this shot again.",
                expected.shot_at(begins),
            )


def _runs(marks: Sequence[bool], looks: Looks) -> Iterator[tuple[int, int]]:
    """Frames from which and up to which all pictures that were looked at are marked."""
    start = None
    for at, mark in zip((*looks.at, looks.frames), (*marks, False), strict=True):
        if mark and start is None:
            start = at
        elif not mark and start is not None:
            yield start, at
            start = None


# Cuts


def _around(change: Sequence[float], place: int) -> float:
    near = [*change[max(place - 4, 1) : place], *change[place + 1 : place + 5]]
    return median(near) if near else 0.0


def _is_cut(looks: Looks, place: int) -> bool:
    """Whether a picture is another one where it should be."""
    here, at = looks.change[place], looks.at[place]
    near = [
        change
        for other, change in zip(looks.at[1:], looks.change[1:], strict=True)
        if abs(other - at) <= _NEAR
    ]
    return here > _ALIKE and here > _TIMES * _around(looks.change, place) and here == max(near)


def _cuts(looks: Looks, expected: Expected) -> Iterator[Violation]:
    planned, sudden = set(expected.cuts), sudden_in(looks)
    places = {at: place for place, at in enumerate(looks.at)}
    for number in sorted(planned - set(sudden)):
        if number >= looks.frames or expected.is_fading(number):
            continue
        if number in places and _is_cut(looks, places[number]):
            continue
        yield _wrong(
            "film-cut",
            f"There is no cut at frame {number}.",
            "Look whether the shot before it has its length, and whether both look alike.",
            expected.shot_at(number),
        )
    for number in sudden:
        place = places[number]
        large = looks.change[place] > max(_UNPLANNED, _OFTEN * _around(looks.change, place))
        fades = any(expected.is_fading(at) for at in looks.at[place - 1 : place + 1])
        if large and not fades and number not in planned:
            yield _wrong(
                "film-cut",
                f"There is a cut at frame {number} that was not planned.",
                "Look whether its shots have their lengths.",
                expected.shot_at(number),
            )


# Captions


def _unread(looks: Looks, expected: Expected) -> Iterator[Violation]:
    for each in looks.unread:
        yield _wrong(
            "caption-unseen",
            f"{' '.join(each.lines)!r} is not seen at frame {(each.start + each.end) // 2}.",
            "Film this shot again.",
            expected.shot_at(each.start),
        )


def _wrong(rule: str, message: str, fix: str, where: str) -> Violation:
    return Violation(rule=rule, where=where, message=message, fix=fix)
