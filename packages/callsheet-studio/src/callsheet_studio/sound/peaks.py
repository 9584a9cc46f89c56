"""How high a wave rises, also between its samples."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from callsheet_studio.sound.samples import HOP

if TYPE_CHECKING:
    from callsheet_studio.sound.samples import Samples

BLOCK = HOP // 4
"""Samples for which one peak is found: 2.5 ms."""
_NEAR = 0.6
"""Of the top: a wave whose samples are lower is not above it in between."""
_TAPS = 12
_PIECE = BLOCK // 4
"""Samples of a block for which the values between them are found by one row of numbers."""
_AT_ONCE = 256
"""Blocks that are looked at closely together."""


def true_peak(signal: Samples) -> float:
    """The highest point of a stereo sound, also between its samples."""
    if not signal.size:
        return 0.0
    samples = _sampled(signal)
    return float(_between_too(signal, samples, float(samples.max())).max())


def peaks_of(signal: Samples, top: float) -> Samples:
    """The highest point of each block, also between the samples where it may be above the top."""
    return _between_too(signal, _sampled(signal), top)


def _sampled(signal: Samples) -> Samples:
    """The highest sample of each block, without a copy of the signal: a long film is large."""
    import numpy as np

    length = signal.shape[-1]
    whole = length // BLOCK
    out = np.zeros(-(-length // BLOCK), np.float32)
    for side in signal:
        parts = side[: whole * BLOCK].reshape(whole, BLOCK)
        for found in (parts.max(axis=1), -parts.min(axis=1)):
            np.maximum(out[:whole], found, out=out[:whole])
        if whole < out.size:
            out[whole] = max(out[whole], np.abs(side[whole * BLOCK :]).max())
    return out


def _between_too(signal: Samples, peaks: Samples, top: float) -> Samples:
    import numpy as np

    high = np.flatnonzero(peaks > top * _NEAR)
    starts = np.arange(0, BLOCK, _PIECE)
    around = np.arange(-_TAPS, _PIECE + _TAPS)
    for first in range(0, high.size, _AT_ONCE):
        some = high[first : first + _AT_ONCE]
        places = (some[:, None] * BLOCK + starts)[..., None] + around
        for side in signal:
            near = side.take(places, mode="clip")
            # Before it begins and after it ends there is silence.
            near[0, places[0] < 0] = 0
            near[-2:][places[-2:] >= side.size] = 0
            seen = (near.reshape(-1, around.size) @ _between()).reshape(some.size, -1)
            most = np.maximum(seen.max(axis=1), -seen.min(axis=1))
            peaks[some] = np.maximum(peaks[some], most)
    return peaks


@cache
def _between() -> Samples:
    """What gives, of a piece and some samples around it, the values between its samples.

    At a quarter, a half and three quarters of the way from the one before.
    """
    import numpy as np

    found = np.zeros((_PIECE + 2 * _TAPS, 3, _PIECE), np.float32)
    for number, part in enumerate((0.25, 0.5, 0.75)):
        places = np.arange(-_TAPS + 1, _TAPS + 1) - part
        taps = np.sinc(places) * np.cos(places * np.pi / (2 * _TAPS + 1)) ** 2
        for at in range(_PIECE):
            found[at : at + taps.size, number, at] = taps / taps.sum()
    return found.reshape(len(found), -1)
