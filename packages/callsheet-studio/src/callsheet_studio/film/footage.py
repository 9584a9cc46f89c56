"""Footage from elsewhere as pictures of a shot: at the film's rate, in its size, as many as asked.

A clip is almost never exactly what a film needs: it has another rate, a few frames more, a little
more at its sides. It is cut where the shot ends, its middle is taken, and of two pictures that
could stand in a frame, the one that is there at that time.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from callsheet_studio.film.planes import Picture

_LEAST = 0.5
"""Frames by which a clip may be too short: the last picture stands a moment longer."""
_BT709, _BT601 = 1, 5
_HIGH = 720
"""Lines from which a picture that does not tell its colours has those of television in HD."""


class Footage(msgspec.Struct, frozen=True):
    """A clip."""

    data: bytes

    def seconds(self) -> float:
        """How long it is.

        Raises:
            InputError: it is no film, or an empty one.
        """
        import av

        try:
            with av.open(io.BytesIO(self.data), "r") as source:
                times = [
                    packet.pts + (packet.duration or 0)
                    for packet in source.demux(source.streams.video[0])
                    if packet.pts is not None
                ]
                base = source.streams.video[0].time_base
        except (av.error.FFmpegError, IndexError) as error:
            raise InputError("The clip is damaged, or it is no film.") from error
        if not times or base is None:
            raise InputError("The clip is empty.")
        return float(max(times) * base)

    def lacks(self, frames: int, rate: Fraction) -> float:
        """Seconds that are missing for so many frames; 0: it is long enough."""
        missing = float(frames / rate) - self.seconds()
        return missing if missing > _LEAST / float(rate) else 0.0

    def pictures(self, size: tuple[int, int], rate: Fraction) -> Iterator[Picture]:
        """Its pictures at a rate and in a size, and the last one for ever."""
        import av

        number, last = 0, None
        with av.open(io.BytesIO(self.data), "r") as source:
            video = source.streams.video[0]
            start = video.start_time or 0
            for frame in source.decode(video):
                if frame.pts is None or frame.time_base is None:
                    continue
                shown = (frame.pts - start) * frame.time_base
                # Up to here the one before was seen.
                while last is not None and number / rate < shown:
                    yield [plane.copy() for plane in last]
                    number += 1
                last = _fitted(frame, size)
        while last is not None:
            yield [plane.copy() for plane in last]


def _fitted(frame: Any, size: tuple[int, int]) -> Picture:
    """The middle of a picture, so large that the frame is full."""
    from av.video.reformatter import Interpolation

    width, height = size
    share = max(width / frame.width, height / frame.height)
    wide, high = (_even(side * share) for side in (frame.width, frame.height))
    wide, high = max(wide, width), max(high, height)
    told = frame.colorspace in {_BT709, _BT601}
    guessed = _BT709 if frame.height >= _HIGH else _BT601
    scaled = frame.reformat(
        wide,
        high,
        "yuv420p",
        src_colorspace=frame.colorspace if told else guessed,
        dst_colorspace=_BT709,
        dst_color_range=1,
        interpolation=(Interpolation.AREA if share < 1 else Interpolation.BICUBIC) | _exact(),
    )
    left, top = (wide - width) // 4 * 2, (high - height) // 4 * 2
    return [
        _plane(plane)[top // part : (top + height) // part, left // part : (left + width) // part]
        for plane, part in zip(scaled.planes, (1, 2, 2), strict=True)
    ]


def _exact() -> Any:
    """Without it, pictures whose colours are converted come out darker by two steps."""
    from av.video.reformatter import Interpolation

    return Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT | Interpolation.FULL_CHR_H_INP


def _even(side: float) -> int:
    return round(side / 2) * 2


def _plane(plane: Any) -> Any:
    import numpy as np

    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
    return rows[: plane.height, : plane.width].copy()
