"""The hall that music is played in."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from callsheet_studio.sound.instruments import RATE
from callsheet_studio.sound.samples import (
    SAMPLE_RATE,
    frames_of,
    quick_length,
    sides_of,
    sound_of,
    tones_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.sound.samples import Samples

_RING = int(1.9 * RATE)
"""Samples for which it answers."""
_LONG = 214_000
"""Samples that are played into it at once, about: more take memory, fewer are mostly ringing."""
_WIDER = SAMPLE_RATE // RATE
_PART = 1 << 14
"""Samples that are brought to the higher rate at once."""


def in_a_hall(play: Callable[[Samples, int], None], length: int, hop: int) -> Samples:
    """What is played and the hall's answer, at 48 kHz.

    Block by block, so that a long film takes no more memory than a short one.

    Args:
        play: adds what is played from a sample on to three channels: left, right, into the hall.
        length: samples that are played.
        hop: all blocks begin at a multiple of it.
    """
    import numpy as np

    step = -(-length // (hop * max(round(length / _LONG), 1))) * hop
    size = quick_length(step + _RING)
    answers = _answers(size)
    wider = _Wider(length * _WIDER)
    block = np.empty((3, size), np.float32)
    ringing = np.zeros((2, _RING), np.float32)
    for start in range(0, length, step):
        some = min(step, length - start)
        block[:] = 0
        play(block[:, :some], start)
        sent = tones_of(block[2], size)
        for side, rest, answer in zip(block[:2], ringing, answers, strict=True):
            np.add(side, sound_of(sent * answer, size), out=side)
            side[:_RING] += rest
            rest[:] = side[some : some + _RING]
        wider.add(block[:2, :some])
    return wider.ended()


class _Wider:
    """Sound that is brought to 48 kHz as it comes, by FFmpeg."""

    def __init__(self, count: int) -> None:
        import av
        import numpy as np

        # Its ends do not keep it alive.
        self._graph = graph = av.filter.Graph()
        self._source = graph.add_abuffer(
            format="fltp", sample_rate=RATE, layout="stereo", time_base=Fraction(1, RATE)
        )
        # Longer than usual, so that all below 11.5 kHz stays as it is.
        change = graph.add("aresample", f"{SAMPLE_RATE}:filter_size=64")
        self._sink: Any = graph.add("abuffersink")
        self._source.link_to(change)
        change.link_to(self._sink)
        graph.configure()
        self._out = np.zeros((2, count), np.float32)
        self._given = self._done = 0

    def add(self, signal: Samples) -> None:
        """Add what comes next."""
        for frame in frames_of(signal, _PART, RATE):
            frame.pts = self._given
            self._given += frame.samples
            self._source.push(frame)
            self._pull()

    def ended(self) -> Samples:
        """All of it."""
        self._source.push(None)
        self._pull()
        return self._out

    def _pull(self) -> None:
        import av

        while True:
            try:
                frame = self._sink.pull()
            except (av.error.BlockingIOError, av.error.EOFError):
                return
            room = self._out[:, self._done : self._done + frame.samples]
            for side, heard in zip(room, sides_of(frame), strict=True):
                side[:] = heard[: side.size]
            self._done += frame.samples


def _answers(size: int) -> Samples:
    """The spectrum of what comes back from the walls, left and right: noise that dies away."""
    import numpy as np

    time = np.arange(_RING, dtype=np.float32) / RATE
    noise = np.random.default_rng(7).standard_normal((2, _RING), dtype=np.float32)
    # Walls take the high tones first.
    noise[:, 1:] += noise[:, :-1]
    noise *= np.exp(-time * np.float32(3.4)) * np.minimum(time / np.float32(0.012), 1)
    noise *= math.sqrt(size) / np.sqrt(np.square(noise).sum(axis=1, keepdims=True))
    return tones_of(noise, size)
