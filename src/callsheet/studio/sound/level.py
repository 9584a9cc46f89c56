"""A mix brought to its loudness, and its peaks below the limit."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from callsheet import InputError
from callsheet.studio.sound.measure import measure
from callsheet.studio.sound.samples import HOP, amplitude, held_down, spread

if TYPE_CHECKING:
    from callsheet.studio.sound.samples import Samples

TARGETS: Final = {"web": -16.0, "loud": -14.0, "europe": -23.0, "america": -24.0, "quiet": -27.0}
"""LUFS: web and podcasts, music services, EBU R 128, ATSC A/85, streaming with dialogue first."""
PEAK: Final = -1.0
"""dBTP that a film may have."""
_CEILING = -1.6
"""dBTP of the mix: coding it moves peaks by some tenths."""
_BLOCK = HOP // 4
_AHEAD = 4
"""Blocks of 2.5 ms by which the gain is down before a peak."""
_NEAR = 0.6
"""Of the top: a wave whose samples are lower is not above it in between."""
_CLOSE = 0.05
_TRIES = 4
_TAPS = 12
_MOST = 40.0
"""Decibels: what has to be raised further is noise."""


def target_of(wanted: str | float) -> float:
    """The loudness that a name or a number stands for, in LUFS.

    Raises:
        InputError: it is neither a name nor a loudness.
    """
    if isinstance(wanted, str):
        if wanted not in TARGETS:
            known = ", ".join(f"{name} ({level:g})" for name, level in TARGETS.items())
            raise InputError(f"{wanted!r} is no loudness. Write LUFS, or one of {known}.")
        return TARGETS[wanted]
    lowest, highest = min(TARGETS.values()) - 4, max(TARGETS.values()) + 1
    if not lowest <= wanted <= highest:
        raise InputError(f"{wanted:g} LUFS is not between {lowest:g} and {highest:g}.")
    return wanted


def levelled(mixed: Samples, target: float) -> Samples:
    """The mix at its target, no peak above the limit. Silence stays silence."""
    import numpy as np

    heard = measure(mixed, peak=False).integrated
    if heard <= target - _MOST:
        return mixed
    gain, out = target - heard, mixed
    top = amplitude(_CEILING)
    peaks = _peaks(mixed, top / amplitude(gain + 2))
    for _ in range(_TRIES):
        up = np.float32(amplitude(gain))
        out = mixed * up
        _hold(out, peaks * up, top)
        off = target - measure(out, peak=False).integrated
        if abs(off) <= _CLOSE:
            break
        gain += off
    return out


def limited(signal: Samples, ceiling: float) -> Samples:
    """With every peak, also between the samples, at most so high."""
    out = signal.copy()
    top = amplitude(ceiling)
    _hold(out, _peaks(signal, top), top)
    return out


def _hold(signal: Samples, peaks: Samples, top: float) -> None:
    import numpy as np

    gains = np.minimum(top / np.maximum(peaks, 1e-9), 1).astype(np.float32)
    if gains.min() < 1:
        signal *= spread(held_down(gains, _AHEAD), signal.shape[-1], _BLOCK)


def _peaks(signal: Samples, top: float) -> Samples:
    """The highest point of each block, also between the samples where it may be above the top."""
    import numpy as np

    length = signal.shape[-1]
    count = -(-length // _BLOCK)
    edged = np.pad(signal, ((0, 0), (_TAPS, count * _BLOCK - length + _TAPS)))
    inner = edged[:, _TAPS : _TAPS + count * _BLOCK].reshape(2, count, _BLOCK)
    peaks: Samples = np.maximum(inner.max(axis=(0, 2)), -inner.min(axis=(0, 2)))
    high = np.flatnonzero(peaks > top * _NEAR)
    if not high.size:
        return peaks
    places = high[:, None] * _BLOCK + np.arange(_BLOCK + 2 * _TAPS)
    for channel in edged:
        near = channel[places]
        for taps in _between():
            # All blocks in a row: what the filter sees across two of them is left out.
            seen = np.convolve(near.reshape(-1), taps, mode="same").reshape(near.shape)
            most = np.abs(seen[:, _TAPS:-_TAPS]).max(axis=1)
            peaks[high] = np.maximum(peaks[high], most)
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
