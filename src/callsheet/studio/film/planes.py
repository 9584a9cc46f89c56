"""Layers as the encoder wants them: YUV planes, premultiplied, seen through a moving window.

Colours are converted once per shot, and brightness is kept at almost twice the size. A frame is
then a crop and a resize of each plane, and layers above the first are worked on only where there is
something on them.

A crop begins at a whole pixel, and a camera does not. So a little more than the frame is resized,
and what is wanted is cut out of that: of the crops that may begin some pixels earlier, one falls on
the right fraction of a pixel. For this a step from pixel to pixel must not be a whole number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from callsheet.studio.film.patches import patches_of

if TYPE_CHECKING:
    from callsheet.studio.film.move import View
    from callsheet.studio.film.patches import Patch

Plane = Any
"""A NumPy array of bytes."""
Picture = list[Plane]
"""A frame: Y, and U and V at half its size."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""

BLACK = (16, 128, 128)
_MATRIX = (
    (0.18259, 0.61423, 0.06201, 16.0),
    (-0.10064, -0.33857, 0.43922, 128.0),
    (0.43922, -0.39894, -0.04027, 128.0),
)
"""BT.709, limited range."""
_FINE, _COARSE = 1.94, 0.97
"""Pixels of brightness and of colour, per pixel of a layer."""
_MARGIN = 6
"""Empty pixels around what is on a layer."""
_STEPS = 25
"""Pixels over which the steps of faint light are smoothed."""
_GRAIN = 2.0
"""Steps of brightness that a pixel differs by at most."""
_EXTRA = 28
"""Pixels that may be resized for nothing, to begin at the right fraction of one."""
_NEAR = 0.02
_SITED = 0.5
"""Pixels: colours belong to the left one of two pixels, and between the upper and the lower."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A picture that may be larger than the frame, and transparent."""

    width: int
    height: int
    planes: tuple[Plane, Plane, Plane]
    """Y, U and V of what is in the box. Premultiplied."""
    through: tuple[Plane, Plane] | None
    """What shines through, 255 where all does, as fine as Y and as U; None: nothing does."""
    box: Box
    """Where in the layer the planes are."""
    patches: tuple[Patch, ...] = ()
    """Where in the box something is; of a layer that is transparent."""


def layer_of(
    rgba: bytes | memoryview, width: int, height: int, *, opaque: bool = False
) -> Layer | None:
    """A layer from its pixels, which are not premultiplied; None if there is nothing on it."""
    import cv2
    import numpy as np

    pixels = np.frombuffer(rgba, np.uint8).reshape(height, width, 4)
    if opaque:
        y, u, v = _colours(pixels)
        planes = _finer(_grained(y)), _coarser(u), _coarser(v)
        return Layer(width, height, planes, None, (0, 0, width, height))
    left, top, wide, high = cv2.boundingRect(cv2.extractChannel(pixels, 3))
    if not wide:
        return None
    box = left - _MARGIN, top - _MARGIN, left + wide + _MARGIN, top + high + _MARGIN
    there = pixels[top : top + high, left : left + wide]
    cover = _framed(cv2.extractChannel(there, 3))
    y, u, v = (_framed(each) for each in _colours(there))
    fine, coarse = _finer(cover), _coarser(cover)
    planes = (
        _multiplied(_finer(_spread(y, cover)), fine),
        _coarser(_multiplied(u, cover)),
        _coarser(_multiplied(v, cover)),
    )
    through = cv2.bitwise_not(fine), cv2.bitwise_not(coarse)
    return Layer(width, height, planes, through, box, patches_of(cover))


def _colours(pixels: Plane) -> tuple[Plane, Plane, Plane]:
    """Y, U and V of pixels, whatever shines through them."""
    import cv2
    import numpy as np

    mixed = cv2.transform(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.array(_MATRIX))
    y, u, v = cv2.split(mixed)
    return y, u, v


def _grained(plane: Plane) -> Plane:
    """Without the steps of gradients, which would be seen as bands."""
    import cv2
    import numpy as np

    exact = _smooth(plane.astype(np.float32))
    chance = grain(plane.shape[1], plane.shape[0])
    return cv2.addWeighted(exact, 1, chance, _GRAIN, -_GRAIN / 2, dtype=cv2.CV_8U)


def _framed(plane: Plane) -> Plane:
    import cv2

    return cv2.copyMakeBorder(plane, *(_MARGIN,) * 4, cv2.BORDER_CONSTANT, value=0)


def _spread(plane: Plane, cover: Plane) -> Plane:
    """What is on a plane, continued a little to where nothing is.

    Without it there would be an edge to nothing in the plane, and sharpening it would draw a line.
    """
    import cv2

    reach = (5, 5)
    there = cv2.blur(cover, reach)
    around = cv2.divide(cv2.blur(_multiplied(plane, cover), reach), there, scale=255)
    return cv2.copyTo(plane, cover, around)


def _multiplied(plane: Plane, cover: Plane) -> Plane:
    import cv2

    return cv2.multiply(plane, cover, scale=1 / 255)


def _finer(plane: Plane) -> Plane:
    import cv2

    return cv2.resize(plane, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC)


def _coarser(plane: Plane) -> Plane:
    import cv2

    return cv2.resize(plane, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_LINEAR)


# Through the window


def window(layer: Layer, frame: tuple[int, int], view: View) -> tuple[float, float, float]:
    """As `placed`, and inside the layer whatever happens."""
    left, top, step = placed((layer.width, layer.height), frame, view)
    most = layer.width - frame[0] * step, layer.height - frame[1] * step
    return min(max(left, 0.0), max(most[0], 0.0)), min(max(top, 0.0), max(most[1], 0.0)), step


def placed(
    whole: tuple[int, int], frame: tuple[int, int], view: View
) -> tuple[float, float, float]:
    """Left and top of what is seen of a layer, and how many of its pixels one of the frame is."""
    step, longer = 1 / view.scale, max(frame)
    left = (whole[0] - frame[0] * step) / 2 - view.x * longer
    top = (whole[1] - frame[1] * step) / 2 - view.y * longer
    return left, top, step


def first(layer: Layer, frame: tuple[int, int], view: View) -> Picture:
    """What is seen of a layer that nothing shines through."""
    fine, coarse = _glasses(layer, window(layer, frame, view), (0, 0, *frame))
    y, u, v = layer.planes
    return [fine.seen(y), coarse.seen(u), coarse.seen(v)]


def put_over(picture: Picture, layer: Layer, frame: tuple[int, int], view: View) -> None:
    """Put a layer over a picture, in place."""
    import cv2

    assert layer.through is not None
    seen = window(layer, frame, view)
    for patch in layer.patches:
        spot = _spot(patch, layer.box, seen, frame)
        if spot is None:
            continue
        fine, coarse = _glasses(layer, seen, spot)
        cover = None if patch.hides else layer.through
        through = cover and (fine.seen(cover[0]), coarse.seen(cover[1]))
        for index, plane in enumerate(layer.planes):
            glass, half = (coarse, 2) if index else (fine, 1)
            x0, y0, x1, y1 = (each // half for each in spot)
            below = picture[index][y0:y1, x0:x1]
            if through is None:
                below[:] = glass.seen(plane)
            else:
                cv2.multiply(below, through[min(index, 1)], dst=below, scale=1 / 255)
                cv2.add(below, glass.seen(plane), dst=below)


def _spot(
    patch: Patch, box: Box, seen: tuple[float, float, float], frame: tuple[int, int]
) -> Box | None:
    """Where in the frame a patch is, in whole pairs of pixels: neighbours have the same edge."""
    left, top, step = seen
    x0, x1 = (
        min(max(round((box[0] + at - left) / step / 2) * 2, 0), frame[0]) for at in patch.box[::2]
    )
    y0, y1 = (
        min(max(round((box[1] + at - top) / step / 2) * 2, 0), frame[1]) for at in patch.box[1::2]
    )
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


@dataclass(frozen=True, slots=True)
class _Glass:
    """What of a plane is seen: the crop, the step, and what to cut out of the result."""

    left: int
    top: int
    right: int
    bottom: int
    step: float
    x: int
    y: int
    width: int
    height: int

    def seen(self, plane: Plane) -> Plane:
        import cv2

        crop = plane[self.top : self.bottom, self.left : self.right]
        grown = 1 / self.step
        whole = cv2.resize(crop, None, fx=grown, fy=grown, interpolation=cv2.INTER_LINEAR)
        return whole[self.y : self.y + self.height, self.x : self.x + self.width]


def _glasses(layer: Layer, seen: tuple[float, float, float], spot: Box) -> tuple[_Glass, _Glass]:
    """For Y, and for U and V."""
    left, top, step = seen
    x0, y0, x1, y1 = spot
    x, y = left + x0 * step - layer.box[0], top + y0 * step - layer.box[1]
    size = x1 - x0, y1 - y0
    half = size[0] // 2, size[1] // 2
    return (
        _glass(layer.planes[0], (x * _FINE, y * _FINE), step * _FINE, size),
        _glass(
            layer.planes[1],
            ((x - _SITED * step) * _COARSE, y * _COARSE),
            2 * step * _COARSE,
            half,
        ),
    )


def _glass(plane: Plane, start: tuple[float, float], step: float, size: tuple[int, int]) -> _Glass:
    left, x = _begin(start[0], step)
    top, y = _begin(start[1], step)
    right = min(left + math.ceil((x + size[0]) * step) + 2, plane.shape[1])
    bottom = min(top + math.ceil((y + size[1]) * step) + 2, plane.shape[0])
    return _Glass(left, top, right, bottom, step, x, y, *size)


def _begin(start: float, step: float) -> tuple[int, int]:
    """A whole pixel, and how many steps from it we are nearest to the start."""
    best, found = 1.0, (max(round(start), 0), 0)
    for steps in range(_EXTRA):
        place = start - steps * step
        whole = round(place)
        if whole < 0:
            break
        if abs(place - whole) < best:
            best, found = abs(place - whole), (whole, steps)
            if best < _NEAR:
                break
    return found


# Still


@dataclass(frozen=True, slots=True)
class Sheet:
    """Something that lies on the frame and does not move."""

    left: int
    top: int
    planes: tuple[Plane, Plane, Plane]
    through: tuple[Plane, Plane]


def sheet_of(pixels: Plane, left: int, top: int) -> Sheet:
    """A sheet from RGBA that is not premultiplied; its place and size are even numbers."""
    import cv2

    cover = cv2.extractChannel(pixels, 3)
    y, u, v = (_multiplied(each, cover) for each in _colours(pixels))
    small = _halved(cover)
    return Sheet(
        left,
        top,
        (y, _halved(u), _halved(v)),
        (cv2.bitwise_not(cover), cv2.bitwise_not(small)),
    )


def finish_of(rgba: bytes | memoryview, width: int, height: int) -> Sheet | None:
    """What lies on the whole frame, from its pixels; None if there is nothing on it.

    Light that fades over half a frame has fewer steps than pixels, and they are seen as rings. So
    it is made smooth, and rounded by chance.
    """
    import cv2
    import numpy as np

    pixels = np.frombuffer(rgba, np.uint8).reshape(height, width, 4)
    cover = cv2.extractChannel(pixels, 3)
    if not cover.any():
        return None
    chance = grain(width, height)
    half = chance[::2, ::2]
    y, u, v = (
        cv2.multiply(each, cover, scale=1 / 255, dtype=cv2.CV_32F) for each in _colours(pixels)
    )
    through = 255 - _smooth(cover.astype(np.float32))
    u, v = (_smooth(_halved(each), _STEPS // 2) for each in (u, v))
    return Sheet(
        0,
        0,
        (_floored(_smooth(y) + chance), _floored(u + half), _floored(v + half)),
        (_floored(through + (1 - chance)), _floored(_halved(through) + (1 - half))),
    )


def _smooth(plane: Plane, steps: int = _STEPS) -> Plane:
    """Without steps where it hardly changes; edges stay."""
    import cv2
    import numpy as np

    soft = cv2.blur(plane, (steps, steps))
    edges = (cv2.absdiff(soft, plane) > 1).view(np.uint8)
    return cv2.copyTo(plane, edges, soft)


def _floored(plane: Plane) -> Plane:
    import numpy as np

    return np.clip(plane, 0, 255).astype(np.uint8)


def grain(width: int, height: int) -> Plane:
    """Numbers from 0 to 1, one for each pixel, the same each time."""
    import numpy as np

    side = 256
    tile = np.random.default_rng(side).random((side, side), np.float32)
    return np.tile(tile, (-(-height // side), -(-width // side)))[:height, :width]


def _halved(plane: Plane) -> Plane:
    """As colours are kept: the left one of two pixels, between the upper and the lower."""
    import cv2
    import numpy as np

    across = np.array([0.25, 0.5, 0.25])
    soft = cv2.sepFilter2D(plane, -1, across, np.array([1.0]), borderType=cv2.BORDER_REPLICATE)
    half = soft[:, ::2]
    return cv2.addWeighted(half[::2], 0.5, half[1::2], 0.5, 0)


def lay(picture: Picture, sheet: Sheet, share: float = 1.0) -> None:
    """Lay a sheet on a picture, in place; with less than its whole share it is half seen."""
    import cv2

    for index, plane in enumerate(sheet.planes):
        half = 2 if index else 1
        x, y = sheet.left // half, sheet.top // half
        below = picture[index][y : y + plane.shape[0], x : x + plane.shape[1]]
        through = sheet.through[min(index, 1)]
        if share < 1:
            plane = cv2.convertScaleAbs(plane, alpha=share)  # noqa: PLW2901
            through = cv2.convertScaleAbs(through, alpha=share, beta=255 * (1 - share))
        cv2.multiply(below, through, dst=below, scale=1 / 255)
        cv2.add(below, plane, dst=below)


# Whole pictures


def blended(one: Picture, other: Picture, share: float) -> Picture:
    """A picture on its way into another: 0 is the first, 1 the other."""
    import cv2

    return [cv2.addWeighted(a, 1 - share, b, share, 0) for a, b in zip(one, other, strict=True)]


def dimmed(picture: Picture, share: float) -> Picture:
    """A picture with so much of its light left: 0 is black."""
    import cv2

    return [
        cv2.convertScaleAbs(plane, alpha=share, beta=dark * (1 - share))
        for plane, dark in zip(picture, BLACK, strict=True)
    ]
