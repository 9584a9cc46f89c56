"""Pictures into H.264: exactly as many as asked for, and the same bytes each time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from callsheet import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from callsheet.studio.film.planes import Picture

SMALLEST, LARGEST = 16, 8192
"""Pixels of a side."""
QUALITY = 22
_TUNED = (
    "subme=1:cabac=1:8x8dct=1:bframes=3:b-adapt=0:mbtree=0:qcomp=0.9"
    ":rc-lookahead=8:aq-mode=3:deblock=0,0"
)
"""Fast, and good on pictures that move slowly.

Without mb-tree: with it, small pictures come out differently now and then, and the same film must
be the same bytes. Almost constant quality makes films as small as it does.
"""
_BT709 = 1


def encode(pictures: Iterable[Picture], size: tuple[int, int], rate: Fraction) -> bytes:
    """A segment of film, as an MP4 without sound. It begins with a whole picture.

    Raises:
        InputError: H.264 cannot keep pictures of this size.
    """
    import av
    import numpy as np

    if any(side % 2 or not SMALLEST <= side <= LARGEST for side in size):
        raise InputError(
            f"a film of {size[0]}x{size[1]} cannot be made: "
            f"each side must be an even number from {SMALLEST} to {LARGEST}"
        )

    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = 1 / rate
        context = stream.codec_context
        context.thread_count = 1
        context.options = {
            "preset": "ultrafast",
            "crf": str(QUALITY),
            "x264-params": f"{_TUNED}:keyint=250:scenecut=0:open-gop=0:threads=1",
        }
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _BT709
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame(*size, "yuv420p")
            for plane, pixels in zip(frame.planes, picture, strict=True):
                target_rows = np.frombuffer(memoryview(plane), np.uint8).reshape(
                    -1, plane.line_size
                )
                target_rows[: pixels.shape[0], : pixels.shape[1]] = pixels
            frame.pts, frame.time_base = number, 1 / rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return target.getvalue()
