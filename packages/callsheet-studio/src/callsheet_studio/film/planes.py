"""Layers as the encoder wants them: YUV planes, premultiplied.

Colours are converted once per shot, and brightness is kept at almost twice the size: what is seen
of them through the moving window of the camera is another module's work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.film.patches import around, patches_of

if TYPE_CHECKING:
    from callsheet_studio.film.patches import Patch

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
FINE, COARSE = 1.94, 0.97
"""Pixels of brightness and of colour, per pixel of a layer. A step over them is never whole."""
_MARGIN = 6
"""Empty pixels around what is on a layer."""
_STEPS = 25
"""Pixels over which the steps of faint light are smoothed."""
_TILE = 256
"""Pixels after which chance comes again."""
_GRAIN = 2.0
"""Steps of brightness that a pixel differs by at most."""


class Layer(msgspec.Struct, frozen=True):
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
    rgba: bytes | memoryview,
    width: int,
    height: int,
    *,
    opaque: bool = False,
    whole: tuple[int, int] | None = None,
    place: tuple[int, int] | None = None,
) -> Layer | None:
    """A layer from its pixels; None if there is nothing on it.

    Args:
        rgba: not premultiplied.
        width: pixels.
        height: pixels.
        opaque: whether nothing shines through.
        whole: how large the layer is, if it was painted with fewer pixels, or these are a part.
        place: left and top of the part.
    """
    import cv2
    import numpy as np

    if not width:
        return None
    pixels = np.frombuffer(rgba, np.uint8).reshape(height, width, 4)
    size = whole or (width, height)
    if opaque:
        y, u, v = _colours(pixels)
        planes = _finer(_grained(y, size)), _coarser(u, size), _coarser(v, size)
        return Layer(*size, planes, None, (0, 0, *size))
    left, top, wide, high = cv2.boundingRect(cv2.extractChannel(pixels, 3))
    if not wide:
        return None
    there = pixels[top : top + high, left : left + wide]
    x, y = place or (0, 0)
    left, top = left + x - _MARGIN, top + y - _MARGIN
    box = left, top, left + wide + 2 * _MARGIN, top + high + 2 * _MARGIN
    cover = _framed(cv2.extractChannel(there, 3))
    y, u, v = (_framed(each) for each in _colours(there))
    fine, coarse = _finer(cover), _coarser(cover)
    planes = (
        _multiplied(_finer(_spread(y, cover)), fine),
        _coarser(_multiplied(u, cover)),
        _coarser(_multiplied(v, cover)),
    )
    through = cv2.bitwise_not(fine), cv2.bitwise_not(coarse)
    return Layer(*size, planes, through, box, patches_of(cover))


def _colours(pixels: Plane) -> tuple[Plane, Plane, Plane]:
    """Y, U and V of pixels, whatever shines through them."""
    import cv2
    import numpy as np

    mixed = cv2.transform(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.array(_MATRIX))
    y, u, v = cv2.split(mixed)
    return y, u, v


def _grained(plane: Plane, size: tuple[int, int]) -> Plane:
    """So large, and without the steps of gradients, which would be seen as bands."""
    import cv2

    exact = _resized(_smooth(plane, _steps(plane, size)), size)
    chance = grain(*size)
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

    return cv2.resize(plane, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_CUBIC)


def _coarser(plane: Plane, whole: tuple[int, int] | None = None) -> Plane:
    """For colours; `whole`: how large the plane would be, had it not been painted with less."""
    import cv2

    high, wide = plane.shape
    across, down = whole or (wide, high)
    return cv2.resize(plane, None, fx=COARSE * across / wide, fy=COARSE * down / high)


def _resized(plane: Plane, size: tuple[int, int]) -> Plane:
    import cv2

    return plane if plane.shape[1::-1] == size else cv2.resize(plane, size)


# Still


class Sheet(msgspec.Struct, frozen=True):
    """Something that lies on the frame and does not move."""

    left: int
    top: int
    planes: tuple[Plane, Plane, Plane]
    through: tuple[Plane, Plane]
    parts: tuple[Box, ...] = ()
    """Where on it something is; empty: everywhere."""


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


def finish_of(
    rgba: bytes | memoryview, width: int, height: int, frame: tuple[int, int] | None = None
) -> Sheet | None:
    """What lies on the whole frame, from its pixels; None if there is nothing on it.

    Light that fades over half a frame has fewer steps than pixels, and they are seen as rings. So
    it is made smooth, and rounded by chance.

    Args:
        rgba: not premultiplied.
        width: pixels.
        height: pixels.
        frame: how large it will lie there, if it was painted with fewer pixels.
    """
    return _finish(bytes(rgba), (width, height), frame or (width, height))


@lru_cache(maxsize=2)
def _finish(rgba: bytes, size: tuple[int, int], whole: tuple[int, int]) -> Sheet | None:
    """Made once for shots that dissolve into each other in the same light."""
    import cv2
    import numpy as np

    pixels = np.frombuffer(rgba, np.uint8).reshape(size[1], size[0], 4)
    cover = cv2.extractChannel(pixels, 3)
    if not cover.any():
        return None
    small = whole[0] // 2, whole[1] // 2
    steps = _steps(cover, whole)
    y, u, v = (
        _smooth(cv2.multiply(each, cover, scale=1 / 255, dtype=cv2.CV_32F), steps)
        for each in _colours(pixels)
    )
    hidden = _smooth(cover, steps)
    chance = grain(*whole)
    half = np.ascontiguousarray(chance[::2, ::2])
    return Sheet(
        0,
        0,
        (
            _by_chance(_sized(y, whole), chance),
            _by_chance(_sized(u, small), half),
            _by_chance(_sized(v, small), half),
        ),
        (
            cv2.bitwise_not(_by_chance(_sized(hidden, whole), chance)),
            cv2.bitwise_not(_by_chance(_sized(hidden, small), half)),
        ),
        around(cover, whole[0] // size[0]),
    )


def _sized(plane: Plane, size: tuple[int, int]) -> Plane:
    import cv2

    wide = plane.shape[1]
    if wide == size[0]:
        return plane
    return _halved(plane) if wide > size[0] else cv2.resize(plane, size)


def _steps(plane: Plane, whole: tuple[int, int]) -> int:
    """Pixels over which a plane is made smooth that may have fewer of them."""
    wide: int = plane.shape[1]
    return _STEPS * wide // whole[0] // 2 * 2 + 1


def _smooth(plane: Plane, steps: int) -> Plane:
    """Without steps where it hardly changes, as fractions; edges stay."""
    import cv2
    import numpy as np

    soft = cv2.boxFilter(plane, cv2.CV_32F, (steps, steps))
    exact = plane.astype(np.float32, copy=False)
    flat = (cv2.absdiff(soft, exact) <= 1).view(np.uint8)
    return cv2.copyTo(soft, flat, exact)


def _by_chance(plane: Plane, chance: Plane) -> Plane:
    """In bytes: rounded up as often as the rest is large."""
    import cv2

    return cv2.addWeighted(plane, 1, chance, 1, -0.5, dtype=cv2.CV_8U)


def grain(width: int, height: int) -> Plane:
    """Numbers from 0 to 1, one for each pixel, the same each time."""
    # In pairs: layers of a film differ by less than a tile, and share what is made.
    across, down = (-(-side // (2 * _TILE)) * 2 for side in (width, height))
    return _tiles(across, down)[:height, :width]


@lru_cache(maxsize=2)
def _tiles(across: int, down: int) -> Plane:
    import numpy as np

    tile = np.random.default_rng(_TILE).random((_TILE, _TILE), np.float32)
    return np.tile(tile, (down, across))


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

    high, wide = sheet.planes[0].shape
    for part in sheet.parts or ((0, 0, wide, high),):
        for index, plane in enumerate(sheet.planes):
            half = 2 if index else 1
            x0, y0, x1, y1 = (each // half for each in part)
            x, y = sheet.left // half, sheet.top // half
            below = picture[index][y + y0 : y + y1, x + x0 : x + x1]
            over, through = plane[y0:y1, x0:x1], sheet.through[min(index, 1)][y0:y1, x0:x1]
            if share < 1:
                over = cv2.convertScaleAbs(over, alpha=share)
                through = cv2.convertScaleAbs(through, alpha=share, beta=255 * (1 - share))
            cv2.multiply(below, through, dst=below, scale=1 / 255)
            cv2.add(below, over, dst=below)


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
