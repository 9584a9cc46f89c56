"""The teaser: a few moments of a film without sound, small, as an animated WebP.

Each shot gives its own while it is filmed, and they are put in a row: no film is decoded for it,
and where one shot is changed, only that one gives others.
"""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from callsheet_studio.film.planes import Picture

_CLIPS = 5
_BEGIN, _EACH = 6, 9
"""Of every other picture of a shot, the one from which on it is shown, and how many are."""
_WIDTH = 480
_RATE = Fraction(12)
"""Pictures per second."""
_QUALITY, _EFFORT = "55", "0"
"""Twice the effort makes it a quarter smaller."""
_ANIMATED, _REPLACES = 0x02, 0x02
"""Flags: there is more than one picture; a picture stands for itself."""


class Moments:
    """A few pictures of a shot, kept while it is filmed."""

    def __init__(self, frames: int) -> None:
        # From where its words are there.
        start = min(_BEGIN, max(frames // 2 - _EACH, 0))
        self._wanted = range(2 * start, frames, 2)[:_EACH]
        self._kept: list[Picture] = []
        self._clip = b""

    def seen(self, pictures: Iterable[Picture]) -> Iterator[Picture]:
        """All pictures of the shot as they are, on their way into the film."""
        for number, picture in enumerate(pictures):
            if number in self._wanted:
                self._kept.append(_smaller(picture))
                if number == self._wanted[-1]:
                    # While others are encoded, there is time for it.
                    self._clip = self._animated()
            yield picture

    def clip(self) -> bytes:
        """They as a small animated WebP."""
        return self._clip

    def _animated(self) -> bytes:
        """What looks the same is one picture that lasts longer."""
        high, wide = self._kept[0][0].shape
        coder = _coder(wide, high)
        parts: list[bytes] = []
        for start, end in _spans(self._kept):
            lasts = round(end * 1000 / _RATE) - round(start * 1000 / _RATE)
            where = bytes(6) + _in_24_bits(wide - 1, high - 1, lasts) + bytes((_REPLACES,))
            parts.append(_chunk(b"ANMF", where + _still(coder, self._kept[start])))
        return _animation(_in_24_bits(wide - 1, high - 1), parts)


def make_teaser(clips: Sequence[bytes]) -> bytes:
    """Some of a film's clips, one after the other.

    Raises:
        InputError: there is nothing in it to show, or a clip is damaged.
    """
    if not clips:
        raise InputError("There are no shots to show. Film them first.")
    step = max(len(clips) / _CLIPS, 1)
    chosen = [_read(clips[int(n * step)]) for n in range(min(_CLIPS, len(clips)))]
    return _animation(chosen[0][0], [part for _, parts in chosen for part in parts])


# Pictures


def _smaller(picture: Picture) -> Picture:
    high, wide = picture[0].shape
    across, down = _WIDTH // 2, round(_WIDTH * high / wide / 2)
    sizes = (2 * across, 2 * down), (across, down), (across, down)
    return [_shrunk(plane, size) for plane, size in zip(picture, sizes, strict=True)]


def _shrunk(plane: Any, size: tuple[int, int]) -> Any:
    """In halves as far as they go: so it is ten times as fast, and looks the same."""
    import cv2

    while plane.shape[1] >= 2 * size[0]:
        half = plane.shape[1] // 2, plane.shape[0] // 2
        plane = cv2.resize(plane, half, interpolation=cv2.INTER_AREA)
    return cv2.resize(plane, size, interpolation=cv2.INTER_LINEAR)


def _spans(pictures: Sequence[Picture]) -> Iterator[tuple[int, int]]:
    """From which and up to which they look the same."""
    start = 0
    for number in range(1, len(pictures) + 1):
        if number == len(pictures) or not _alike(pictures[start], pictures[number]):
            yield start, number
            start = number


def _alike(one: Picture, other: Picture) -> bool:
    import numpy as np

    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def _coder(wide: int, high: int) -> Any:
    import av

    coder = av.CodecContext.create("libwebp", "w")
    assert isinstance(coder, av.VideoCodecContext)
    coder.width, coder.height, coder.pix_fmt = wide, high, "yuv420p"
    coder.time_base = 1 / _RATE
    coder.options = {"quality": _QUALITY, "compression_level": _EFFORT}
    return coder


def _still(coder: Any, picture: Picture) -> bytes:
    """The data of a picture, as they stand in a WebP of their own."""
    import av
    import numpy as np

    flat = np.concatenate([plane.ravel() for plane in picture])
    frame = av.VideoFrame.from_ndarray(flat.reshape(-1, coder.width), "yuv420p")
    (packet,) = coder.encode(frame)
    return next(_chunk(name, data) for name, data in _chunks(bytes(packet)) if name == b"VP8 ")


# The file


def _animation(size: bytes, parts: Sequence[bytes]) -> bytes:
    head = _chunk(b"VP8X", bytes((_ANIMATED, 0, 0, 0)) + size)
    # On any ground, for ever.
    forever = _chunk(b"ANIM", bytes(6))
    return _chunk(b"RIFF", b"WEBP" + b"".join((head, forever, *parts)))


def _read(clip: bytes) -> tuple[bytes, list[bytes]]:
    """The size of a clip, and its pictures."""
    try:
        found = list(_chunks(clip))
        size = next(data[4:] for name, data in found if name == b"VP8X")
    except (struct.error, StopIteration):
        raise InputError("A clip is damaged. Film its shot again.") from None
    return size, [_chunk(name, data) for name, data in found if name == b"ANMF"]


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    start = 12
    while start < len(file):
        name, length = struct.unpack_from("<4sI", file, start)
        yield name, file[start + 8 : start + 8 + length]
        start += 8 + length + length % 2


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack("<4sI", name, len(data)) + data + bytes(len(data) % 2)


def _in_24_bits(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(3, "little") for number in numbers)
