"""The user's own pictures: a photograph fills the frame, a cut-out and a logo stand in it.

Their colours stay as they are: the light of the film does not fall on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.base.pictures import decoded
from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.colour import luminance, mix, rgb
from callsheet_studio.draw.raster import nothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from callsheet_studio.draw.stage import Stage
    from callsheet_studio.model.shots import Movement

_REACH = 0.026
"""Of the longer side: how far beyond the frame a moving camera sees on the layer at the back."""
_STAYS = frozenset(("static", "push", "dolly", "zoom", "rack"))
"""Moves that never look beyond the frame."""
_ABOVE = 1 / 3
"""Of what is cut off a tall picture, so much is above: faces are in the upper half."""
_ROOM = 0.76
"""Of the frame, for what is cut out."""
_SOLID = 250
_SEEN = 24
"""How opaque a pixel is that counts."""
_APART = 0.25
"""How much brighter or darker than its ground a logo must be to be seen on it."""
_PALE = 0.5


class Own(msgspec.Struct, frozen=True):
    """What a user has brought for a shot, as files."""

    picture: bytes | None = None
    """What is seen."""
    logo: bytes | None = None
    """What is on cards."""


def picture_layers(
    data: bytes, size: tuple[int, int], bleed: int, movement: Movement, ground: str
) -> tuple[Any, ...]:
    """A picture as back, middle, front and finish of a shot; only the first is not empty.

    Raises:
        InputError: it is no picture, or damaged.
    """
    import numpy as np

    picture = decoded(data, size)
    reach = 0 if movement.kind in _STAYS else round(max(size) * _REACH)
    if picture.shape[2] == 4 and picture[..., 3].min() < _SOLID:  # noqa: PLR2004 -- RGBA
        back = _standing(picture, size, bleed, ground)
    else:
        back = _covering(np.ascontiguousarray(picture[..., :3]), size, bleed, reach)
    return _solid(back), nothing(), nothing(), np.zeros((size[1], size[0], 4), np.uint8)


def _covering(picture: NDArray[Any], size: tuple[int, int], bleed: int, reach: int) -> NDArray[Any]:
    """As large as the frame needs it, cut to it by thirds; beyond its own edges it is mirrored."""
    import cv2

    width, height = size
    wide, high = width + 2 * reach, height + 2 * reach
    scale = max(wide / picture.shape[1], high / picture.shape[0])
    grown = _scaled(
        picture,
        max(round(picture.shape[1] * scale), wide),
        max(round(picture.shape[0] * scale), high),
    )
    left = (grown.shape[1] - wide) // 2 + reach - bleed
    top = round((grown.shape[0] - high) * _ABOVE) + reach - bleed
    right, bottom = left + width + 2 * bleed, top + height + 2 * bleed
    there = grown[max(top, 0) : bottom, max(left, 0) : right]
    return cv2.copyMakeBorder(
        there,
        max(-top, 0),
        max(bottom - grown.shape[0], 0),
        max(-left, 0),
        max(right - grown.shape[1], 0),
        cv2.BORDER_REFLECT_101,
    )


def _standing(
    picture: NDArray[Any], size: tuple[int, int], bleed: int, ground: str
) -> NDArray[Any]:
    """Whole, in the middle of a plain ground."""
    import numpy as np

    width, height = size
    back = np.empty((height + 2 * bleed, width + 2 * bleed, 3), np.uint8)
    back[:] = rgb(ground)
    fitted = _fitted(picture, width * _ROOM, height * _ROOM)
    top = (back.shape[0] - fitted.shape[0]) // 2
    left = (back.shape[1] - fitted.shape[1]) // 2
    part = back[top : top + fitted.shape[0], left : left + fitted.shape[1]]
    cover = fitted[..., 3:].astype(np.uint16)
    part[:] = ((fitted[..., :3] * cover + part * (255 - cover)) // 255).astype(np.uint8)
    return back


def _fitted(picture: NDArray[Any], width: float, height: float) -> NDArray[Any]:
    scale = min(width / picture.shape[1], height / picture.shape[0])
    return _scaled(
        picture,
        max(round(picture.shape[1] * scale), 1),
        max(round(picture.shape[0] * scale), 1),
    )


def _scaled(picture: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    import cv2

    how = cv2.INTER_AREA if width < picture.shape[1] else cv2.INTER_CUBIC
    return cv2.resize(picture, (width, height), interpolation=how)


def _solid(picture: NDArray[Any]) -> NDArray[Any]:
    import cv2

    return cv2.cvtColor(picture, cv2.COLOR_RGB2RGBA)


# Logos


def paint_logo(
    stage: Stage, data: bytes, centre: tuple[float, float], radius: float, ground: str
) -> None:
    """A logo within a circle; on a plate if it would not be seen on its ground.

    Raises:
        InputError: it is no picture, or damaged.
    """
    from skia_canvas_pyr import ImageData

    logo = decoded(data)
    if logo.shape[2] == 3:  # noqa: PLR2004 -- RGB
        logo = _solid(logo)
    logo = _fitted(_trimmed(logo), 1.7 * radius, 1.5 * radius)
    high, wide = logo.shape[:2]
    left, top = centre[0] - wide / 2, centre[1] - high / 2
    with stage.in_frame() as brush:
        plate = _plate(logo, ground)
        if plate:
            pad = 0.12 * radius
            brush.rect(
                left - pad, top - pad, wide + 2 * pad, high + 2 * pad, plate, radius=0.1 * radius
            )
        sheet = Brush(wide, high)
        sheet.ctx.putImageData(ImageData(logo.tobytes(), wide, high), 0, 0)
        brush.ctx.drawImage(sheet.canvas, left, top)


def _trimmed(logo: NDArray[Any]) -> NDArray[Any]:
    """Without the empty room around it."""
    import cv2
    import numpy as np

    left, top, wide, high = cv2.boundingRect((logo[..., 3] > _SEEN).astype(np.uint8))
    return logo[top : top + high, left : left + wide] if wide else logo


def _plate(logo: NDArray[Any], ground: str) -> str:
    """The colour to put behind a logo; empty if it is seen as it is."""
    seen = logo[logo[..., 3] > _SEEN]
    if not len(seen) or len(seen) == logo[..., 3].size:
        return ""
    dark, light = sorted(
        luminance("#{:02x}{:02x}{:02x}".format(*map(int, colour)))
        for colour in (_percentile(seen, 10), _percentile(seen, 90))
    )
    here = luminance(ground)
    if min(abs(dark - here), abs(light - here)) >= _APART:
        return ""
    return (
        mix("#ffffff", ground, 0.04) if (dark + light) / 2 < _PALE else mix("#000000", ground, 0.2)
    )


def _percentile(seen: NDArray[Any], part: int) -> NDArray[Any]:
    import numpy as np

    bright = seen[:, :3] @ np.array((0.2126, 0.7152, 0.0722))
    order = np.argsort(bright, kind="stable")
    return seen[order[(len(order) - 1) * part // 100], :3]
