"""Pixels: layers as arrays, blurred, laid over each other, and encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.draw.png import as_png

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from callsheet_studio.draw.brush import Brush

_LEAST = 0.6
"""Pixels of blur that nobody sees."""
_QUALITY = 88


class Part(msgspec.Struct, frozen=True):
    """What is on a layer, and where; the rest of it is empty."""

    pixels: NDArray[Any]
    left: int = 0
    top: int = 0


def raster(brush: Brush) -> NDArray[Any]:
    """The pixels of a brush: height, width, RGBA."""
    import numpy as np

    flat = np.frombuffer(brush.pixels(), np.uint8)
    return flat.reshape(int(brush.canvas.height), int(brush.canvas.width), 4)


def part(brush: Brush) -> Part:
    """What was painted with a brush on a layer of which much may be empty."""
    import cv2
    import numpy as np

    cover = np.frombuffer(brush.cover(), np.uint8)
    left, top, wide, high = cv2.boundingRect(cover.reshape(int(brush.canvas.height), -1))
    if not wide:
        return nothing()
    flat = np.frombuffer(brush.pixels_in(left, top, wide, high), np.uint8)
    return Part(flat.reshape(high, wide, 4), left, top)


def nothing() -> Part:
    """Of a layer that nobody has painted on."""
    import numpy as np

    return Part(np.zeros((0, 0, 4), np.uint8))


def whole(part: Part, size: tuple[int, int]) -> NDArray[Any]:
    """A layer with what is on it."""
    import numpy as np

    layer = np.zeros((size[1], size[0], 4), np.uint8)
    high, wide = part.pixels.shape[:2]
    layer[part.top : part.top + high, part.left : part.left + wide] = part.pixels
    return layer


def blurred(layer: NDArray[Any], radius: float) -> NDArray[Any]:
    """Out of focus by so many pixels."""
    import cv2

    if radius < _LEAST:
        return layer
    reach = 2 * round(radius * 1.6) + 1
    alpha = layer[..., 3]
    if alpha.min() == 255:  # noqa: PLR2004 -- nothing shines through
        return cv2.stackBlur(layer, (reach, reach))
    if not alpha.any():
        return layer
    soft = cv2.stackBlur(_multiplied(layer), (reach, reach))
    return _divided(soft)


def enlarged(layer: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """As wide and high as asked, if it was painted with fewer pixels."""
    import cv2

    if layer.shape[1::-1] == size:
        return layer
    return cv2.resize(layer, size, interpolation=cv2.INTER_LINEAR)


def cropped(layer: NDArray[Any], edges: tuple[int, int]) -> NDArray[Any]:
    """What is inside the frame."""
    (x, y), (high, wide) = edges, layer.shape[:2]
    return layer[y : high - y, x : wide - x]


def opaque(layer: NDArray[Any]) -> NDArray[Any]:
    """Without alpha."""
    import cv2

    return cv2.cvtColor(layer, cv2.COLOR_RGBA2RGB)


def laid(picture: NDArray[Any], layer: NDArray[Any], at: tuple[int, int] = (0, 0)) -> NDArray[Any]:
    """A layer over a picture; it begins somewhere in it, or before it."""
    result = picture.copy()
    lay(result, layer, at)
    return result


def lay(picture: NDArray[Any], layer: NDArray[Any], at: tuple[int, int] = (0, 0)) -> None:
    """As `laid`, in place."""
    import cv2

    left, top = at
    under = picture[max(top, 0) :, max(left, 0) :]
    over = layer[max(-top, 0) :, max(-left, 0) :]
    high, wide = min(under.shape[0], over.shape[0]), min(under.shape[1], over.shape[1])
    if high <= 0 or wide <= 0:
        return
    under, over = under[:high, :wide], over[:high, :wide]
    cover = cv2.cvtColor(cv2.extractChannel(over, 3), cv2.COLOR_GRAY2RGB)
    colours = cv2.cvtColor(over, cv2.COLOR_RGBA2RGB)
    cv2.multiply(colours, cover, dst=colours, scale=1 / 255)
    cv2.bitwise_not(cover, dst=cover)
    cv2.multiply(under, cover, dst=under, scale=1 / 255)
    cv2.add(colours, under, dst=under)


def encoded(picture: NDArray[Any], form: str) -> bytes:
    """A picture as `png`, `jpeg` or `webp`."""
    import cv2

    if form == "png":
        return as_png(picture)
    how = {
        "jpeg": [cv2.IMWRITE_JPEG_QUALITY, _QUALITY],
        "webp": [cv2.IMWRITE_WEBP_QUALITY, _QUALITY],
    }[form]
    _, data = cv2.imencode(f".{form}", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), how)
    return bytes(data)


def _multiplied(layer: NDArray[Any]) -> NDArray[Any]:
    import cv2

    cover = cv2.merge([layer[..., 3]] * 3)
    colours = cv2.multiply(layer[..., :3], cover, scale=1 / 255)
    return cv2.merge([*cv2.split(colours), layer[..., 3]])


def _divided(layer: NDArray[Any]) -> NDArray[Any]:
    import cv2

    cover = cv2.merge([layer[..., 3]] * 3)
    colours = cv2.divide(layer[..., :3], cover, scale=255)
    return cv2.merge([*cv2.split(colours), layer[..., 3]])
