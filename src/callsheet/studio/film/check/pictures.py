"""The pictures: black, frozen, cuts where they should be, captions that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from callsheet.studio.film.lettering import caption_block
from callsheet.studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from callsheet.studio.film.check.expected import Expected
    from callsheet.studio.film.takes import CaptionLine

_WIDTH = 320
"""Pixels that are enough to see what happens."""
_DARK, _ALL = 26, 0.995
"""Brightness of black, and how much of a picture has it."""
_BLACK = 0.25
"""Seconds of black that are a fault."""
_FROZEN = 1.5
"""Seconds without any movement that are one."""
_MOVED = 0.04
"""Pixels at the edge of the small picture that a camera moves by at least while it is on."""
_EVERY = 4
"""Frames: so often is enough to see whether something moves."""
_OTHER = 3.0
"""Steps of brightness, on average, from which a picture is another one."""
_ALIKE = 1.5
"""How different it is at least where one was planned: two shots of one place are alike."""
_NEAR = 8
"""Frames around it in which nothing else is as different."""
_SUDDEN, _TIMES = 4.0, 4.0
"""How different a picture is after a cut, and how much more than those around it."""
_UNPLANNED, _OFTEN = 9.0, 6.0
"""The same, for one that nobody has planned: words that appear are none."""
_BRIGHT, _PLATE = 190, 110
_LETTERS, _GROUND = 0.03, 0.3
"""How much of a caption is letters, and how much plate."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found in the pictures."""

    frames: int
    size: tuple[int, int]
    cuts: tuple[int, ...]
    violations: tuple[Violation, ...]


class _Reel:
    """What is remembered of each picture."""

    def __init__(self) -> None:
        self.size = (0, 0)
        self.black: list[bool] = []
        self.still: list[int] = []
        """For each frame, since how many frames nothing has moved."""
        self.change: list[float] = []
        """For each frame, how different from the one before it is."""
        self.unread: list[CaptionLine] = []
        self._last: Any = None
        self._held: _Held | None = None

    def look(self, bright: Any) -> None:
        """At the brightness of the next picture, made smaller."""
        import cv2

        dark = int((bright <= _DARK).sum())
        self.black.append(dark >= _ALL * bright.size)
        last, self._last = self._last, bright
        number = len(self.change)
        differs = 0.0 if last is None else float(cv2.norm(bright, last, cv2.NORM_L1)) / bright.size
        self.change.append(differs)
        if self._held is None or differs > _OTHER:
            moved = True
        else:
            moved = number % _EVERY == 0 and self._held.moved(bright) > _MOVED
        if moved:
            self._held = _Held(bright)
        self.still.append(0 if moved else self.still[-1] + 1)


class _Held:
    """A picture, and how its brightness would change if the camera moved or came closer.

    A codec improves a picture that stands still, frame by frame, so that pixels change; but they do
    not change as if the camera had moved.
    """

    def __init__(self, bright: Any) -> None:
        import cv2
        import numpy as np

        self._bright = bright.astype(np.float32)
        high, wide = bright.shape
        across = cv2.Sobel(self._bright, cv2.CV_32F, 1, 0, scale=1 / 8)
        down = cv2.Sobel(self._bright, cv2.CV_32F, 0, 1, scale=1 / 8)
        x = (np.arange(wide, dtype=np.float32) - wide / 2) / (wide / 2)
        y = (np.arange(high, dtype=np.float32)[:, None] - high / 2) / (wide / 2)
        closer = across * x + down * y
        self._ways = np.stack([across.ravel(), down.ravel(), closer.ravel()])
        # A picture without anything on it does not move.
        self._among = self._ways @ self._ways.T + np.eye(3) * bright.size * 0.01

    def moved(self, bright: Any) -> float:
        """By how many pixels, at the edge, another picture seems to be moved."""
        import numpy as np

        found = np.linalg.solve(self._among, self._ways @ (self._bright - bright).ravel())
        return float(np.abs(found).max())


def check_pictures(path: Path, expected: Expected) -> Seen:
    """Look at every picture of a film."""
    import av

    reel = _Reel()
    # A caption is looked at when it has been there for a while.
    due = {(each.start + each.end) // 2: each for each in expected.captions}
    with av.open(path) as film:
        for video in film.streams.video[:1]:
            video.thread_type = "AUTO"
            video.codec_context.options = {"skip_loop_filter": "all"}
            for number, frame in enumerate(film.decode(video)):
                bright = _brightness(frame)
                reel.size = frame.width, frame.height
                reel.look(_smaller(bright))
                if number in due and not _is_read(bright, due[number]):
                    reel.unread.append(due[number])
    sudden = _sudden(reel.change)
    return Seen(
        frames=len(reel.change),
        size=reel.size,
        cuts=tuple(sudden),
        violations=(
            *_black(reel.black, expected),
            *_frozen(reel.still, expected),
            *_cuts(reel.change, sudden, expected),
            *_unread(reel.unread, expected),
        ),
    )


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


# Black and frozen


def _black(black: Sequence[bool], expected: Expected) -> Iterator[Violation]:
    planned = [is_black and not expected.is_fading(n) for n, is_black in enumerate(black)]
    for start, end in _runs(planned):
        if end - start >= _BLACK * expected.rate.fps:
            yield _wrong(
                "film-black",
                f"Nothing is seen from frame {start} to {end}.",
                "Film this shot again, in more light.",
                expected.shot_at(start),
            )


def _frozen(still: Sequence[int], expected: Expected) -> Iterator[Violation]:
    least = _FROZEN * expected.rate.fps
    for number, since in enumerate(still):
        goes_on = number + 1 < len(still) and still[number + 1] > since
        if since >= least and not goes_on:
            start = number - since
            yield _wrong(
                "film-frozen",
                f"Nothing moves from frame {start} to {number + 1}.",
                "Film this shot again.",
                expected.shot_at(start),
            )


def _runs(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for number, mark in enumerate([*marks, False]):
        if mark and start is None:
            start = number
        elif not mark and start is not None:
            yield start, number
            start = None


# Cuts


def _sudden(change: Sequence[float]) -> list[int]:
    """Frames that are much more different from the one before than those around them."""
    return [
        number
        for number in range(1, len(change))
        if change[number] > _SUDDEN and change[number] > _TIMES * _around(change, number)
    ]


def _around(change: Sequence[float], number: int) -> float:
    near = [*change[max(number - 4, 1) : number], *change[number + 1 : number + 5]]
    return median(near) if near else 0.0


def _is_cut(change: Sequence[float], number: int) -> bool:
    """Whether a picture is another one where it should be."""
    here, near = change[number], change[max(number - _NEAR, 1) : number + _NEAR + 1]
    return here > _ALIKE and here > _TIMES * _around(change, number) and here == max(near)


def _cuts(
    change: Sequence[float], sudden: Sequence[int], expected: Expected
) -> Iterator[Violation]:
    planned = set(expected.cuts)
    for number in sorted(planned - set(sudden)):
        if number >= len(change) or expected.is_fading(number) or _is_cut(change, number):
            continue
        yield _wrong(
            "film-cut",
            f"There is no cut at frame {number}.",
            "Look whether the shot before it has its length, and whether both look alike.",
            expected.shot_at(number),
        )
    for number in sudden:
        large = change[number] > max(_UNPLANNED, _OFTEN * _around(change, number))
        if large and number not in planned:
            yield _wrong(
                "film-cut",
                f"There is a cut at frame {number} that was not planned.",
                "Look whether its shots have their lengths.",
                expected.shot_at(number),
            )


# Captions


def _is_read(bright: Any, caption: CaptionLine) -> bool:
    """Whether there are bright letters on a dark plate where a caption should be."""
    high, wide = bright.shape
    block, box = caption_block(caption.lines, (wide, high))
    if not block.width:
        return True
    part = bright[int(box.top) : int(box.bottom) + 1, int(box.left) : int(box.right) + 1]
    letters = (part > _BRIGHT).sum() / max(part.size, 1)
    ground = (part < _PLATE).sum() / max(part.size, 1)
    return bool(letters >= _LETTERS and ground >= _GROUND)


def _unread(unread: Sequence[CaptionLine], expected: Expected) -> Iterator[Violation]:
    for each in unread:
        yield _wrong(
            "caption-unseen",
            f"{' '.join(each.lines)!r} is not seen at frame {(each.start + each.end) // 2}.",
            "Film this shot again.",
            expected.shot_at(each.start),
        )


def _wrong(rule: str, message: str, fix: str, where: str) -> Violation:
    return Violation(rule=rule, where=where, message=message, fix=fix)
