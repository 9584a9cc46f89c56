"""Where on a layer something is: a few boxes that are worth working on, and nothing twice.

Much of a layer is empty, and much of the rest hides everything below it. Boxes have their edges on
a grid of cells, so that neighbours meet without a gap wherever the camera looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Cells = tuple[int, int, int, int]
"""Left, top, right and bottom, in cells or in pixels."""

_CELL = 16
"""Pixels of a side."""
_REACH = 3
"""Pixels around a cell that are seen in it when the camera stands between two."""
_WORTH = 24
"""Empty cells that are worked on sooner than another box is begun."""
_HIDING = 600
"""Cells from which on it is worth to cut out what hides all below it."""
_FADE = 1
"""Cells over which light fades into nothing."""
_ALL = 255


class Patch(msgspec.Struct, frozen=True):
    """A part of a layer."""

    box: Cells
    """In pixels of the plane that it was found on."""
    hides: bool
    """Whether nothing below it is seen."""


def patches_of(cover: Any) -> tuple[Patch, ...]:
    """The patches of a plane of alpha, which is empty at its edges, some pixels deep."""
    import cv2

    there = _most(cover, _REACH) > 0
    hidden = _most(cv2.bitwise_not(cover), _REACH) == 0
    high, wide = cover.shape
    found = []
    for box in _merged(_runs(there)):
        for part, hides in _parted(box, hidden):
            x0, y0, x1, y1 = (each * _CELL for each in part)
            x0, y0 = max(x0, _REACH), max(y0, _REACH)
            x1, y1 = min(x1, wide - _REACH), min(y1, high - _REACH)
            found.append(Patch((x0, y0, x1, y1), hides))
    return tuple(found)


def around(cover: Any, grown: int = 1) -> tuple[Cells, ...]:
    """What lies around the largest part of a plane of alpha where nothing is, grown so often."""
    empty = _most(cover) == 0
    # Light fades into it: a cell at its edge is not quite empty when it is made smooth.
    inner = _shrunk(_largest(empty.tolist()))
    high, wide = (side * grown for side in cover.shape)
    if _area(inner) * grown**2 < _HIDING:
        return ((0, 0, wide, high),)
    left, top, right, bottom = (each * _CELL * grown for each in inner)
    return _without((0, 0, wide, high), (left, top, right, bottom))


def _shrunk(box: Cells) -> Cells:
    x0, y0, x1, y1 = box
    return x0 + _FADE, y0 + _FADE, max(x1 - _FADE, x0 + _FADE), max(y1 - _FADE, y0 + _FADE)


def _most(plane: Any, beside: int = 0) -> Any:
    """The largest value of each cell, and of some pixels around it."""
    import cv2
    import numpy as np

    side = _CELL + 2 * beside
    found = cv2.dilate(plane, np.ones((side, side), np.uint8), anchor=(beside, beside))
    return found[::_CELL, ::_CELL]


def _runs(there: Any) -> Iterator[Cells]:
    """Neighbouring cells of one row, row by row."""
    for y, row in enumerate(there.tolist()):
        start = None
        for x, here in enumerate([*row, False]):
            if here and start is None:
                start = x
            elif not here and start is not None:
                yield start, y, x, y + 1
                start = None


def _merged(boxes: Iterable[Cells]) -> list[Cells]:
    """Fewer boxes: those are put together that lie in each other, or that lose little by it."""
    kept: list[Cells] = []
    for box in boxes:
        grown: Cells | None = box
        while grown is not None:
            box = grown  # noqa: PLW2901
            grown = None
            for other in kept:
                both = _both(box, other)
                if _area(both) - _area(box) - _area(other) < _WORTH:
                    kept.remove(other)
                    grown = both
                    break
        kept.append(box)
    return _apart(kept)


def _apart(boxes: list[Cells]) -> list[Cells]:
    """Without two that lie in each other: what is there would be put over the picture twice."""
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            if _meet(one, other):
                rest = [each for each in boxes if each not in {one, other}]
                return _apart([*rest, _both(one, other)])
    return boxes


def _parted(box: Cells, hidden: Any) -> Iterator[tuple[Cells, bool]]:
    """A box, and cut out of it, if that is worth it, the largest part that hides all below it."""
    x0, y0, x1, y1 = box
    inner = _largest(hidden[y0:y1, x0:x1].tolist())
    if _area(inner) < _HIDING:
        yield box, False
        return
    left, top, right, bottom = inner[0] + x0, inner[1] + y0, inner[2] + x0, inner[3] + y0
    yield (left, top, right, bottom), True
    for each in _without(box, (left, top, right, bottom)):
        yield each, False


def _without(box: Cells, inner: Cells) -> tuple[Cells, ...]:
    """What of a box lies around another in it."""
    (x0, y0, x1, y1), (left, top, right, bottom) = box, inner
    parts = (
        (x0, y0, x1, top),
        (x0, bottom, x1, y1),
        (x0, top, left, bottom),
        (right, top, x1, bottom),
    )
    return tuple(each for each in parts if _area(each))


def _largest(cells: list[list[bool]]) -> Cells:
    """The largest box in which all cells are true."""
    best, most = (0, 0, 0, 0), 0
    heights = [0] * (len(cells[0]) + 1)
    for y, row in enumerate(cells):
        heights = [
            high + 1 if here else 0 for high, here in zip(heights, [*row, False], strict=True)
        ]
        # Columns that may still grow to the right, each with where a box of its height begins.
        rising: list[tuple[int, int]] = []
        for x, high in enumerate(heights):
            start = x
            while rising and rising[-1][1] >= high:
                start, tall = rising.pop()
                if (x - start) * tall > most:
                    best, most = (start, y + 1 - tall, x, y + 1), (x - start) * tall
            rising.append((start, high))
    return best


def _both(a: Cells, b: Cells) -> Cells:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _area(box: Cells) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _meet(a: Cells, b: Cells) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
