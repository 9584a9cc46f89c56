"""The moving window through which layers are seen.

A frame is a crop and a resize of each plane, and layers above the first are worked on only where
there is something on them.

A crop begins at a whole pixel, and a camera does not. So a little more than the frame is resized,
and what is wanted is cut out of that: of the crops that may begin some pixels earlier, one falls on
the right fraction of a pixel.

A camera that comes no closer sees the same picture in every frame, only elsewhere. It is made once
for each of a few fractions of a pixel, and a frame is then only a crop.
"""

from __future__ import annotations

import math
from bisect import bisect
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Protocol

import msgspec
from typing_extensions import override

from callsheet_studio.film.move import DEPTHS
from callsheet_studio.film.patches import Patch
from callsheet_studio.film.planes import COARSE, FINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.film.move import View
    from callsheet_studio.film.planes import Box, Layer, Picture, Plane

Size = tuple[int, int]
Start = tuple[float, float]
Seen = tuple[float, float, float]
"""Left and top of what is seen of a layer, and how many of its pixels one of the frame is."""

_EXTRA = 28
"""Pixels that may be resized for nothing, to begin at the right fraction of one."""
_SITED = 0.5
"""Pixels: colours belong to the left one of two pixels, and between the upper and the lower."""
_FRACTIONS = 6
"""Of a pixel, at which a steady picture is made: it is seen less than a tenth off."""
_BEYOND = 4
"""Pixels by which it is larger than what is in its box: a frame is cut in pairs of pixels."""
_Y, _U, _V, _THROUGH, _HALF_THROUGH = range(5)
_FINENESS = (FINE, COARSE, COARSE, FINE, COARSE)
"""The planes of a layer."""


def placed(whole: Size, frame: Size, view: View) -> Seen:
    """What a frame sees of a layer of some size."""
    step, longer = 1 / view.scale, max(frame)
    left = (whole[0] - frame[0] * step) / 2 - view.x * longer
    top = (whole[1] - frame[1] * step) / 2 - view.y * longer
    return left, top, step


def reach(frame: Size, views: Iterable[View]) -> Size:
    """How many pixels beyond the frame are ever seen, to the sides, and up and down."""
    x = y = 0.0
    for view in views:
        for layer in DEPTHS:
            left, top, step = placed(frame, frame, view.of(layer))
            x = max(x, -left, left + frame[0] * (step - 1))
            y = max(y, -top, top + frame[1] * (step - 1))
    return math.ceil(x) + 1, math.ceil(y) + 1


class Window:
    """A layer, as a frame of some size shows it.

    Args:
        layer: what is looked at.
        frame: pixels.
        steady: whether the camera comes no closer and goes no further away.
    """

    def __init__(self, layer: Layer, frame: Size, *, steady: bool = False) -> None:
        self._size, self._frame, self._corner = (layer.width, layer.height), frame, layer.box[:2]
        whole = Patch((0, 0, layer.width, layer.height), hides=True)
        patches = layer.patches if layer.through is not None else (whole,)
        part = _Steady if steady else _Part
        self._parts = [(patch, part(layer, patch)) for patch in patches]

    def first(self, view: View) -> Picture:
        """What is seen of a layer that nothing shines through, to work on."""
        ((_, part),) = self._parts
        fine, coarse = part.glasses(self._seen(view), (0, 0, *self._frame))
        seen = [fine.of(_Y), coarse.of(_U), coarse.of(_V)]
        return [plane.copy() for plane in seen] if part.keeps else seen

    def put_over(self, picture: Picture, view: View) -> None:
        """Put the layer over a picture, in place."""
        import cv2

        seen = self._seen(view)
        for patch, part in self._parts:
            spot = self._spot(patch, seen)
            if spot is None:
                continue
            fine, coarse = part.glasses(seen, spot)
            through = () if patch.hides else (fine.of(_THROUGH), coarse.of(_HALF_THROUGH))
            for index in (_Y, _U, _V):
                glass, half = (coarse, 2) if index else (fine, 1)
                x0, y0, x1, y1 = (each // half for each in spot)
                below = picture[index][y0:y1, x0:x1]
                if through:
                    cv2.multiply(below, through[min(index, 1)], dst=below, scale=1 / 255)
                    cv2.add(below, glass.of(index), dst=below)
                else:
                    below[:] = glass.of(index)

    def _seen(self, view: View) -> Seen:
        """As `placed`, and inside the layer whatever happens."""
        left, top, step = placed(self._size, self._frame, view)
        most = self._size[0] - self._frame[0] * step, self._size[1] - self._frame[1] * step
        return min(max(left, 0.0), max(most[0], 0.0)), min(max(top, 0.0), max(most[1], 0.0)), step

    def _spot(self, patch: Patch, seen: Seen) -> Box | None:
        """Where in the frame a patch is, in whole pairs of pixels: neighbours meet."""
        left, top, step = seen
        x, y = self._corner[0] - left, self._corner[1] - top
        wide, high = self._frame
        x0, x1 = (min(max(round((x + at) / step / 2) * 2, 0), wide) for at in patch.box[::2])
        y0, y1 = (min(max(round((y + at) / step / 2) * 2, 0), high) for at in patch.box[1::2])
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


class _Part:
    """A part of a layer, looked at from near and from far."""

    keeps: ClassVar[bool] = False
    """Whether what it shows will be looked at again."""

    def __init__(self, layer: Layer, patch: Patch) -> None:
        del patch  # A crop may begin before it, to begin at the right fraction of a pixel.
        self._left, self._top = layer.box[:2]
        self.planes = (*layer.planes, *(layer.through or ()))

    def glasses(self, seen: Seen, spot: Box) -> tuple[_Glass, _Glass]:
        """For brightness, and for colours."""
        left, top, step = seen
        x0, y0, x1, y1 = spot
        x, y = left + x0 * step - self._left, top + y0 * step - self._top
        size = x1 - x0, y1 - y0
        half = size[0] // 2, size[1] // 2
        return (
            self._glass(_Y, (x * FINE, y * FINE), step * FINE, size),
            self._glass(_U, ((x - _SITED * step) * COARSE, y * COARSE), 2 * step * COARSE, half),
        )

    def _glass(self, index: int, start: Start, step: float, size: Size) -> _Glass:
        left, x = _begin(start[0], step)
        top, y = _begin(start[1], step)
        high, wide = self.planes[index].shape
        right = min(left + math.ceil((x + size[0]) * step) + 2, wide)
        bottom = min(top + math.ceil((y + size[1]) * step) + 2, high)
        return _Resized(self.planes, (left, top, right, bottom), step, (x, y), size)


class _Steady(_Part):
    """A part of a layer that is always seen from as near."""

    keeps: ClassVar[bool] = True

    def __init__(self, layer: Layer, patch: Patch) -> None:
        super().__init__(layer, patch)
        self._box = patch.box
        self._made: dict[tuple[int, int, int], Plane] = {}

    @override
    def _glass(self, index: int, start: Start, step: float, size: Size) -> _Glass:
        x, across = divmod(round(start[0] / step * _FRACTIONS), _FRACTIONS)
        y, down = divmod(round(start[1] / step * _FRACTIONS), _FRACTIONS)
        left, top = self._corner(index, step)
        return _Cropped(self, (across, down), step, (x - left, y - top), size)

    def made(self, index: int, fraction: tuple[int, int], step: float) -> Plane:
        """The part as it is seen from a fraction of a pixel: a little more than is in its box."""
        import cv2
        import numpy as np

        key = index, *fraction
        if key not in self._made:
            left, top = self._corner(index, step)
            # Centres of pixels are half a pixel from their corners.
            x = (left + fraction[0] / _FRACTIONS + 0.5) * step - 0.5
            y = (top + fraction[1] / _FRACTIONS + 0.5) * step - 0.5
            right, bottom = (math.ceil(at * _FINENESS[index] / step) for at in self._box[2:])
            self._made[key] = cv2.warpAffine(
                self.planes[index],
                np.array([[step, 0, x], [0, step, y]]),
                (right - left + _BEYOND, bottom - top + _BEYOND),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        return self._made[key]

    def _corner(self, index: int, step: float) -> tuple[int, int]:
        """Where it begins, in whole steps over the plane."""
        x, y = (math.floor(at * _FINENESS[index] / step) - _BEYOND for at in self._box[:2])
        return x, y


class _Glass(Protocol):
    """What of a part is seen."""

    def of(self, index: int) -> Plane:
        """In one of its planes."""


class _Resized(msgspec.Struct, frozen=True):
    """A crop of the planes, the step over it, and what to cut out of the result."""

    planes: tuple[Plane, ...]
    crop: Box
    step: float
    start: tuple[int, int]
    size: Size

    def of(self, index: int) -> Plane:
        import cv2

        left, top, right, bottom = self.crop
        crop, grown = self.planes[index][top:bottom, left:right], 1 / self.step
        whole = cv2.resize(crop, None, fx=grown, fy=grown, interpolation=cv2.INTER_LINEAR)
        return _cut(whole, self.start, self.size)


class _Cropped(msgspec.Struct, frozen=True):
    """What is seen of a steady part from a fraction of a pixel, and what to cut out of it."""

    part: _Steady
    fraction: tuple[int, int]
    step: float
    start: tuple[int, int]
    size: Size

    def of(self, index: int) -> Plane:
        return _cut(self.part.made(index, self.fraction, self.step), self.start, self.size)


def _cut(plane: Plane, start: tuple[int, int], size: Size) -> Plane:
    return plane[start[1] : start[1] + size[1], start[0] : start[0] + size[0]]


def _begin(start: float, step: float) -> tuple[int, int]:
    """A whole pixel, and how many steps from it we are nearest to the start."""
    if start < _EXTRA * step:
        # There are not so many steps before it.
        some = range(int(start / step) + 1)
        _, steps = min((abs(_off(start - each * step)), each) for each in some)
    else:
        parts = _parts_of(step)
        after = bisect(parts, (start % 1, 0))
        near = (parts[after - 1], parts[after % _EXTRA])
        _, steps = min((abs(_off(start - part)), each) for part, each in near)
    return round(start - steps * step), steps


@lru_cache(maxsize=16)
def _parts_of(step: float) -> list[tuple[float, int]]:
    """Which part of a pixel so many steps end with, in order: the patches of a layer share them."""
    return sorted((each * step % 1, each) for each in range(_EXTRA))


def _off(place: float) -> float:
    return place - round(place)
