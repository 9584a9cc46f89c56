"""A voice as an engine gives it, made fit for a film: trimmed, evenly loud, without harshness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from callsheet_studio.sound.samples import (
    HOP,
    envelope,
    faded,
    filtered,
    held_down,
    in_band,
    loudness_of,
    spread,
)

if TYPE_CHECKING:
    from callsheet_studio.sound.samples import Samples

LEVEL: Final = 0.1
"""The level of speech while it is heard: -20 dB."""

_GATE = 0.08
_TRIM = 0.012
_EVEN = 0.3
_KNEE, _PEAK = 0.7, 0.95
_SHARP = 6_500
"""Hertz from which there is nothing but the hiss of an s."""
_HISS = 0.5
"""Of the level of speech: how loud an s may be."""


def polished(signal: Samples) -> Samples:
    """Without silence at the ends and rumble below, evenly loud, and always at the same level."""
    import numpy as np

    levels = envelope(signal)
    if not levels.size or not levels.max() > _TRIM / 10:
        return np.zeros(0, np.float32)
    heard = np.flatnonzero(levels > levels.max() * _TRIM)
    start, end = max(int(heard[0]) - 2, 0) * HOP, (int(heard[-1]) + 4) * HOP
    signal = _softened(filtered(signal[start:end], in_band(60, 24_000)))
    levels = envelope(signal)
    usual = _usual(levels)
    window = np.hanning(13)[1:-1].astype(np.float32)
    slow = np.convolve(np.maximum(levels, usual * 0.35), window / window.sum(), mode="same")
    slow = np.maximum(slow, usual * 0.35)
    signal = signal * spread((slow / usual) ** np.float32(-_EVEN), signal.size)
    loud = _usual(envelope(signal))
    return faded(_rounded(signal * np.float32(LEVEL / loud)), 0.008, 0.02)


def _usual(levels: Samples) -> float:
    """How loud it is while somebody speaks."""
    return loudness_of(levels[levels > levels.max() * _GATE])


def _softened(signal: Samples) -> Samples:
    """With every s no louder than it should be: small voices hiss."""
    import numpy as np

    sharp = filtered(signal, _above)
    hiss = envelope(sharp)
    most = np.float32(_usual(envelope(signal - sharp)) * _HISS)
    gains = held_down(np.minimum(most / np.maximum(hiss, most), 1).astype(np.float32), 1)
    softened: Samples = signal - sharp * (1 - spread(gains, signal.size))
    return softened


def _above(hertz: Samples) -> Samples:
    passed: Samples = 1 - 1 / (1 + (hertz / _SHARP) ** 8)
    return passed


def _rounded(signal: Samples) -> Samples:
    """Without a peak that would be cut off: what is above the knee is bent below one."""
    import numpy as np

    over = np.abs(signal) - np.float32(_KNEE)
    room = np.float32(_PEAK - _KNEE)
    bent = np.float32(_KNEE) + room * np.tanh(np.maximum(over, 0) / room)
    return np.where(over > 0, np.sign(signal) * bent, signal).astype(np.float32)
