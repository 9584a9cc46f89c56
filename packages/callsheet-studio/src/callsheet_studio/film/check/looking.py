"""Looking at pictures: what is remembered of each, and how the looks at shots become one at a film.

A shot is looked at once, while it is filmed: at its first and last picture and every few in
between, on their way to the encoder. A film of unknown origin is looked at whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.film.check.moving import Held
from callsheet_studio.film.lettering import caption_block
from callsheet_studio.film.packets import opened
from callsheet_studio.model.base import Data
from callsheet_studio.model.captions import CaptionLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from callsheet_studio.film.planes import Picture

_WIDTH = 320
"""Pixels that are enough to see what happens."""
_DARK, _ALL = 26, 0.995
"""Brightness of black, and how much of a picture has it."""
_MOVED = 0.04
"""Pixels at the edge of the small picture that a camera moves by at least while it is on."""
_EVERY = 4
"""Frames: so often is enough to see whether something moves."""
_CODED = 8.0
"""Steps of brightness, on average, that coding does not take from a picture or give it."""
OTHER = 3.0
"""Steps of brightness, on average, from which a picture is another one."""
_SOME = 7
"""Of so many pixels one tells enough; the next row has another one."""
_BRIGHT, _PLATE = 190, 110
_LETTERS, _GROUND = 0.03, 0.3
"""How much of a caption is letters, and how much plate."""


class Looks(Data):
    """What was seen, in columns: one entry for each picture that was looked at."""

    frames: int
    size: tuple[int, int]
    at: tuple[int, ...]
    """Their frames."""
    black: tuple[bool, ...]
    moved: tuple[bool, ...]
    """Whether something has moved since the one in which something last had."""
    change: tuple[float, ...]
    """How different from the one before, on average over pixels, and over frames in between."""
    unread: tuple[CaptionLine, ...]
    """Captions that should be seen, and cannot be read."""


class Look(msgspec.Struct, frozen=True):
    """What was seen in one piece, and its first and last picture, small."""

    looks: Looks
    ends: bytes


class Watch:
    """A look at a shot while it is filmed.

    Args:
        frames: how many it has.
        captions: what should be read in it, in its own frames.
    """

    def __init__(self, frames: int, captions: Sequence[CaptionLine] = ()) -> None:
        self._last = frames - 1
        self._reel = _Reel(captions)

    def seen(self, pictures: Iterable[Picture]) -> Iterator[Picture]:
        """All pictures of the shot as they are, on their way into the film."""
        for number, picture in enumerate(pictures):
            if number % _EVERY == 0 or number == self._last:
                self._reel.look(picture[0], number)
            self._reel.frames = number + 1
            yield picture

    def look(self) -> Look:
        """What was seen."""
        return Look(self._reel.looks(), self._reel.ends())


def look_at(film: Path | bytes, captions: Sequence[CaptionLine] = ()) -> Look:
    """Look at all pictures of a film or a segment.

    Args:
        film: where it is, or what it is.
        captions: what should be read in it, in its own frames.
    """
    reel = _Reel(captions)
    with opened(film) as source:
        for video in source.streams.video[:1]:
            video.codec_context.thread_type = "AUTO"
            video.codec_context.options = {"skip_loop_filter": "all"}
            for number, frame in enumerate(source.decode(video)):
                reel.look(_brightness(frame), number)
                reel.frames = number + 1
    return Look(reel.looks(), reel.ends())


def is_filmed(segment: bytes, look: Look) -> bool:
    """Whether a segment has the frames of a shot that was watched, and begins with its picture.

    Only that one is decoded: an encoder that makes something else of pictures does so from it on.
    """
    import numpy as np

    with opened(segment) as source:
        for video in source.streams.video[:1]:
            video.codec_context.thread_count = 1
            video.codec_context.skip_frame = "NONKEY"
            video.codec_context.options = {"skip_loop_filter": "all"}
            first = next((_smaller(_brightness(frame)) for frame in source.decode(video)), None)
            watched = np.frombuffer(look.ends, np.uint8).reshape(2, -1)[0]
            has_all = video.frames == look.looks.frames
            return has_all and first is not None and _apart(first.ravel(), watched) < _CODED
    return False


def joined(parts: Sequence[Look]) -> Looks:
    """The looks at shots as one at the film that they are in, one after the other."""
    start, before = 0, b""
    at: list[int] = []
    change: list[float] = []
    unread: list[CaptionLine] = []
    for each in parts:
        looks = each.looks
        at += [start + number for number in looks.at]
        half = len(each.ends) // 2
        first, last = each.ends[:half], each.ends[half:]
        change += [_about_apart(first, before) if before else 0.0, *looks.change[1:]]
        unread += [
            line.model_copy(update={"start": line.start + start, "end": line.end + start})
            for line in looks.unread
        ]
        start, before = start + looks.frames, last
    return Looks(
        frames=start,
        size=parts[0].looks.size if parts else (0, 0),
        at=tuple(at),
        black=tuple(mark for each in parts for mark in each.looks.black),
        moved=tuple(mark for each in parts for mark in each.looks.moved),
        change=tuple(change),
        unread=tuple(unread),
    )


class _Reel:
    """What is remembered of each picture."""

    def __init__(self, captions: Sequence[CaptionLine]) -> None:
        self.frames = 0
        self.at: list[int] = []
        self._size = (0, 0)
        self._black: list[bool] = []
        self._moved: list[bool] = []
        self._change: list[float] = []
        self._unread: list[CaptionLine] = []
        # A caption is looked at when it has been there for a while.
        self._due = sorted(captions, key=lambda each: each.start + each.end, reverse=True)
        self._first: Any = None
        self._last: Any = None
        self._held: Held | None = None
        self._tested = 0

    def look(self, bright: Any, at: int) -> None:
        """At the brightness of the next picture."""
        import numpy as np

        self._size = bright.shape[1], bright.shape[0]
        while self._due and at >= (self._due[-1].start + self._due[-1].end) // 2:
            caption = self._due.pop()
            if at < caption.end and not _is_read(bright, caption):
                self._unread.append(caption)
        small = _smaller(bright)
        self._black.append(np.count_nonzero(small <= _DARK) >= _ALL * small.size)
        differs = 0.0 if self._last is None else _apart(small, self._last)
        self._moved.append(self._has_moved(small, differs, at))
        self._change.append(round(differs / (at - self.at[-1] if self.at else 1), 3))
        self._first = small if self._first is None else self._first
        self._last = small
        self.at.append(at)

    def _has_moved(self, small: Any, differs: float, at: int) -> bool:
        if self._held is not None and differs <= OTHER:
            if at - self._tested < _EVERY:
                return False
            self._tested = at
            if self._held.moved(small) <= _MOVED:
                return False
        self._held, self._tested = Held(small), at
        return True

    def looks(self) -> Looks:
        return Looks(
            frames=self.frames,
            size=self._size,
            at=tuple(self.at),
            black=tuple(self._black),
            moved=tuple(self._moved),
            change=tuple(self._change),
            unread=tuple(self._unread),
        )

    def ends(self) -> bytes:
        return b"" if self._first is None else self._first.tobytes() + self._last.tobytes()


def _about_apart(one: bytes, other: bytes) -> float:
    """As `_apart`, over some pixels: who has made no pictures has not loaded NumPy either."""
    if len(one) != len(other):
        return 255.0
    pairs = list(zip(one[::_SOME], other[::_SOME], strict=True))
    return sum(abs(a - b) for a, b in pairs) / max(len(pairs), 1)


def _apart(one: Any, other: Any) -> float:
    """Steps of brightness, on average."""
    import numpy as np

    if one.shape != other.shape:
        return 255.0
    # In bytes: with room for a sign, it would take twice as long.
    total = int((np.maximum(one, other) - np.minimum(one, other)).sum(dtype=np.uint32))
    return total / int(max(one.size, 1))


def _brightness(frame: Any) -> Any:
    import numpy as np

    plane = frame.planes[0]
    return np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)[
        : frame.height, : frame.width
    ]


def _smaller(bright: Any) -> Any:
    import numpy as np

    step = max(bright.shape[1] // _WIDTH, 1)
    return np.ascontiguousarray(bright[::step, ::step])


def _is_read(bright: Any, caption: CaptionLine) -> bool:
    """Whether there are bright letters on a dark plate where a caption should be."""
    high, wide = bright.shape
    block, box = caption_block(caption.lines, (wide, high), caption.foot)
    if not block.width:
        return True
    part = bright[int(box.top) : int(box.bottom) + 1, int(box.left) : int(box.right) + 1]
    letters = (part > _BRIGHT).sum() / max(part.size, 1)
    ground = (part < _PLATE).sum() / max(part.size, 1)
    return bool(letters >= _LETTERS and ground >= _GROUND)
