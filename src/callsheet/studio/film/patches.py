"""Where on a layer something is: a few boxes that are worth working on, and nothing twice.

Much of a layer is empty, and much of the rest hides everything below it. Boxes have their edges on
a grid of cells, so that neighbours meet without a gap wherever the camera looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
_HIDING = 400
"""Cells from which on it is worth to cut out what hides all below it."""
_ALL = 255


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of a layer."""

    box: Cells
    """In pixels of the plane that it was found on."""
    hides: bool
    """Whether nothing below it is seen."""


def patches_of(cover: Any) -> tuple[Patch, ...]:
    """The patches of a plane of alpha, which is empty at its edges, some pixels deep."""
    import cv2
    import numpy as np

    around = np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8)
    there = _pooled(cv2.dilate(cover, around), np.max) > 0
    hidden = _pooled(cv2.erode(cover, around), np.min) == _ALL
    high, wide = cover.shape
    found = []
    for box in _merged(_runs(there)):
        for part, hides in _parted(box, hidden):
            x0, y0, x1, y1 = (each * _CELL for each in part)
            x0, y0 = max(x0, _REACH), max(y0, _REACH)
            x1, y1 = min(x1, wide - _REACH), min(y1, high - _REACH)
            found.append(Patch((x0, y0, x1, y1), hides))
    return tuple(found)


def _pooled(plane: Any, how: Any) -> Any:
    """One value for each cell."""
    import cv2

    high, wide = plane.shape
    below, beside = -high % _CELL, -wide % _CELL
    whole = cv2.copyMakeBorder(plane, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=0)
    cells = whole.reshape(whole.shape[0] // _CELL, _CELL, whole.shape[1] // _CELL, _CELL)
    return how(how(cells, axis=3), axis=1)


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
    around = (
        (x0, y0, x1, top),
        (x0, bottom, x1, y1),
        (x0, top, left, bottom),
        (right, top, x1, bottom),
    )
    yield from ((each, False) for each in around if _area(each))


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
