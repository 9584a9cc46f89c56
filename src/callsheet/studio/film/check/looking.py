"""Looking at pictures: what is remembered of each, and how the looks at shots become one at a film.

A shot is looked at once, when it is made: at its first and last picture and every few in between,
from which the encoder makes the others. A film of unknown origin is looked at whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from callsheet.studio.film.lettering import caption_block
from callsheet.studio.film.packets import opened
from callsheet.studio.film.takes import CaptionLine
from callsheet.studio.model.base import Data

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_WIDTH = 320
"""Pixels that are enough to see what happens."""
_DARK, _ALL = 26, 0.995
"""Brightness of black, and how much of a picture has it."""
_MOVED = 0.04
"""Pixels at the edge of the small picture that a camera moves by at least while it is on."""
_EVERY = 4
"""Frames: so often is enough to see whether something moves."""
OTHER = 3.0
"""Steps of brightness, on average, from which a picture is another one."""
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


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen in one piece, and its first and last picture, small."""

    looks: Looks
    ends: bytes


def look_at(
    film: Path | bytes, captions: Sequence[CaptionLine] = (), *, every: bool = True
) -> Look:
    """Look at the pictures of a film or a segment.

    Args:
        film: where it is, or what it is.
        captions: what should be read in it, in its own frames.
        every: at every picture, or only at those that all others are made from.
    """
    reel = _Reel(captions)
    with opened(film) as source:
        for video in source.streams.video[:1]:
            context = video.codec_context
            if every:
                context.thread_type = "AUTO"
            else:
                context.thread_count = 1
                context.skip_frame = "BIDIR"
            context.options = {"skip_loop_filter": "all"}
            reel.frames = video.frames
            for number, frame in enumerate(source.decode(video)):
                at = number if every else _number_of(frame, video)
                reel.look(_brightness(frame), at)
            if every:
                reel.frames = len(reel.at)
    return Look(reel.looks(), reel.ends())


def joined(parts: Sequence[Look]) -> Looks:
    """The looks at shots as one at the film that they are in, one after the other."""
    import numpy as np

    start, before = 0, None
    at: list[int] = []
    change: list[float] = []
    unread: list[CaptionLine] = []
    for each in parts:
        looks = each.looks
        at += [start + number for number in looks.at]
        ends = np.frombuffer(each.ends, np.uint8).reshape(2, -1)
        change += [0.0 if before is None else _apart(ends[0], before), *looks.change[1:]]
        unread += [
            line.model_copy(update={"start": line.start + start, "end": line.end + start})
            for line in looks.unread
        ]
        start, before = start + looks.frames, ends[1]
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
        self._held: _Held | None = None
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
        self._held, self._tested = _Held(small), at
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


class _Held:
    """A picture, and how its brightness would change if the camera moved or came closer.

    A codec improves a picture that stands still, frame by frame, so that pixels change; but they do
    not change as if the camera had moved.
    """

    def __init__(self, bright: Any) -> None:
        import cv2
        import numpy as np

        self._bright = bright
        high, wide = bright.shape
        across, down, closer = ways = np.empty((3, high, wide), np.float32)
        cv2.Sobel(bright, cv2.CV_32F, 1, 0, dst=across, scale=1 / 8)
        cv2.Sobel(bright, cv2.CV_32F, 0, 1, dst=down, scale=1 / 8)
        x = (np.arange(wide, dtype=np.float32) - wide / 2) / (wide / 2)
        y = (np.arange(high, dtype=np.float32)[:, None] - high / 2) / (wide / 2)
        np.multiply(across, x, out=closer)
        closer += down * y
        self._ways = ways.reshape(3, -1)
        # Each with each: a product of matrices that are so long takes ten times as long.
        among = np.array([[np.dot(one, other) for other in self._ways] for one in self._ways])
        # A picture without anything on it does not move.
        self._among = among + np.eye(3) * bright.size * 0.01

    def moved(self, bright: Any) -> float:
        """By how many pixels, at the edge, another picture seems to be moved."""
        import cv2
        import numpy as np

        differs = cv2.subtract(self._bright, bright, dtype=cv2.CV_32F)
        found = np.linalg.solve(self._among, self._ways @ differs.ravel())
        return float(np.abs(found).max())


def _apart(one: Any, other: Any) -> float:
    """Steps of brightness, on average."""
    # Without OpenCV: who compares the ends of shots that others have looked at has not loaded it.
    import numpy as np

    if one.shape != other.shape:
        return 255.0
    total = int(np.abs(np.subtract(one, other, dtype=np.int16)).sum(dtype=np.int64))
    return total / int(max(one.size, 1))


def _number_of(frame: Any, video: Any) -> int:
    number: int = round(frame.pts * frame.time_base * video.average_rate)
    return number


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
