"""The hall that music is played in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet.studio.sound.instruments import RATE
from callsheet.studio.sound.samples import SAMPLE_RATE, add, quick_length, sound_of, tones_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.studio.sound.samples import Samples

_RING = int(1.9 * RATE)
"""Samples for which it answers."""
_LONG = 214_000
"""Samples that are played into it at once, about: more take memory, fewer are mostly ringing."""
_MARGIN = 1024
"""Samples before and after a block, where its edges ring."""
_WIDER = SAMPLE_RATE // RATE


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
    size = quick_length(step + _RING + 2 * _MARGIN)
    answers = _answers(size)
    out = np.zeros((2, length * _WIDER), np.float32)
    block = np.empty((3, size), np.float32)
    for start in range(0, length, step):
        block[:] = 0
        play(block[:, _MARGIN : _MARGIN + min(step, length - start)], start)
        sent = tones_of(block[2], size)
        for side, dry, answer in zip(out, block[:2], answers, strict=True):
            spectrum = tones_of(dry, size)
            spectrum += sent * answer
            spectrum *= np.float32(math.sqrt(_WIDER))
            # A spectrum read at twice the length is the sound at twice the rate.
            add(side, sound_of(spectrum, size * _WIDER), (start - _MARGIN) * _WIDER)
    return out


def _answers(size: int) -> Samples:
    """The spectrum of what comes back from the walls, left and right: noise that dies away."""
    import numpy as np

    time = np.arange(_RING, dtype=np.float32) / RATE
    noise = np.random.default_rng(7).standard_normal((2, _RING), dtype=np.float32)
    # Walls take the high tones first.
    noise[:, 1:] += noise[:, :-1]
    noise *= np.exp(-time * np.float32(3.4)) * np.minimum(time / np.float32(0.012), 1)
    noise /= np.sqrt(np.square(noise).sum(axis=1, keepdims=True))
    return tones_of(noise, size) * np.float32(math.sqrt(size))
