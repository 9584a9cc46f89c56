"""How high a wave rises, also between its samples."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from callsheet.studio.sound.samples import HOP

if TYPE_CHECKING:
    from callsheet.studio.sound.samples import Samples

BLOCK = HOP // 4
"""Samples for which one peak is found: 2.5 ms."""
_NEAR = 0.6
"""Of the top: a wave whose samples are lower is not above it in between."""
_TAPS = 12
_AT_ONCE = 1024
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
    around = np.arange(-_TAPS, BLOCK + _TAPS)
    for start in range(0, high.size, _AT_ONCE):
        some = high[start : start + _AT_ONCE]
        places = some[:, None] * BLOCK + around
        for side in signal:
            near = side.take(places, mode="clip")
            # Before it begins and after it ends there is silence.
            near[0, places[0] < 0] = 0
            near[-2:][places[-2:] >= side.size] = 0
            for taps in _between():
                # All blocks in a row: what the filter sees across two of them is left out.
                seen = np.convolve(near.reshape(-1), taps, mode="same").reshape(near.shape)
                inner = seen[:, _TAPS:-_TAPS]
                most = np.maximum(inner.max(axis=1), -inner.min(axis=1))
                peaks[some] = np.maximum(peaks[some], most)
    return peaks


@cache
def _between() -> tuple[Samples, ...]:
    """Filters that give the values at a quarter, a half and three quarters between samples."""
    import numpy as np

    found = []
    for part in (0.25, 0.5, 0.75):
        places = np.arange(-_TAPS + 1, _TAPS + 1) - part
        taps = np.sinc(places) * np.cos(places * np.pi / (2 * _TAPS + 1)) ** 2
        found.append((taps / taps.sum()).astype(np.float32)[::-1].copy())
    return tuple(found)
