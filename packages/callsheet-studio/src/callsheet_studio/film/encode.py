"""Pictures into H.264: exactly as many as asked for, and the same bytes each time."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.base.memory import clearing_later

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future
    from fractions import Fraction

    from callsheet_studio.film.planes import Picture

SMALLEST, LARGEST = 16, 8192
"""Pixels of a side."""
QUALITY = 20.5
_TUNED = (
    "subme=2:partitions=p8x8,i8x8,i4x4:cabac=1:8x8dct=1:bframes=3:b-adapt=0"
    ":mbtree=0:qcomp=0.9:sync-lookahead=0:aq-mode=3:deblock=0,0"
)
"""Fast, and good on pictures that move slowly.

Without mb-tree: with it, small pictures come out differently now and then, and the same film must
be the same bytes. Almost constant quality makes films as small as it does.
"""
_BT709 = 1
_THREADS = 2
"""The same on every machine: another number makes other bytes. Where only one shot is changed, a
second core has nothing else to do.
"""
_TOGETHER = 8
"""Pictures that are handed over at once: to wake another thread for each takes longer."""


def encode(pictures: Iterable[Picture], size: tuple[int, int], rate: Fraction) -> bytes:
    """A segment of film, as an MP4 without sound. It begins with a whole picture.

    While one picture is encoded, the next ones are made: where a core is free, both go on at once.

    Raises:
        InputError: H.264 cannot keep pictures of this size.
    """
    if any(side % 2 or not SMALLEST <= side <= LARGEST for side in size):
        raise InputError(
            f"a film of {size[0]}x{size[1]} cannot be made: "
            f"each side must be an even number from {SMALLEST} to {LARGEST}"
        )
    coder, coming = _Coder(size, rate), iter(pictures)
    before: Future[None] | None = None
    # The other thread must not clear away what this one has drawn with.
    with clearing_later():
        try:
            while some := list(islice(coming, _TOGETHER)):
                if before is not None:
                    before.result()
                before = _beside().submit(coder.add, some)
        finally:
            if before is not None:
                before.result()
    return coder.ended()


@cache
def _beside() -> ThreadPoolExecutor:
    """One thread for all segments: a new one would get its memory where it takes longer."""
    return ThreadPoolExecutor(1, "encode")


class _Coder:
    """Pictures one after the other into a file in memory."""

    def __init__(self, size: tuple[int, int], rate: Fraction) -> None:
        import av

        self._step, self._next = 1 / rate, 0
        self._frame = av.VideoFrame(*size, "yuv420p")
        self._shown: Picture | None = None
        self._target = io.BytesIO()
        self._container = av.open(self._target, "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=rate)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = self._step
        context = self._stream.codec_context
        context.thread_count = _THREADS
        context.options = {
            "preset": "ultrafast",
            "crf": str(QUALITY),
            "x264-params": f"{_TUNED}:keyint=250:scenecut=0:open-gop=0",
        }
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _BT709

    def add(self, pictures: Iterable[Picture]) -> None:
        """The next pictures."""
        frame = self._frame
        for picture in pictures:
            self._show(picture)
            frame.pts, frame.time_base = self._next, self._step
            self._next += 1
            self._container.mux(self._stream.encode(frame))

    def _show(self, picture: Picture) -> None:
        import numpy as np

        # A camera that stands shows one and the same picture for a while.
        if picture is self._shown:
            return
        for plane, pixels in zip(self._frame.planes, picture, strict=True):
            rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
            rows[: pixels.shape[0], : pixels.shape[1]] = pixels
        self._shown = picture

    def ended(self) -> bytes:
        """The whole file."""
        self._container.mux(self._stream.encode())
        self._container.close()
        return self._target.getvalue()
