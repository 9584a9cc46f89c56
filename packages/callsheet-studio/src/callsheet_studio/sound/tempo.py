"""Faster and slower speech at the same pitch, by overlapping pieces that match (WSOLA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet_studio.sound.samples import Samples

_WINDOW = 1200
"""Samples: 25 ms, two periods of a low voice."""
_SEARCH = 480


def stretched(signal: Samples, tempo: float) -> Samples:
    """The same words, `tempo` times as fast. Exactly `len / tempo` samples, nothing is cut."""
    import numpy as np

    wanted = round(signal.size / tempo)
    if tempo == 1 or signal.size < 4 * _WINDOW:
        return signal
    half = _WINDOW // 2
    window = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
    padded = np.pad(signal, (_SEARCH, _WINDOW + 2 * _SEARCH))
    out = np.zeros(wanted + 2 * _WINDOW, np.float32)
    last = _SEARCH
    for step, place in enumerate(range(0, wanted, half)):
        ideal = round(place * tempo) + _SEARCH
        ideal = min(ideal, padded.size - _WINDOW - _SEARCH)
        # The piece that goes on as the last one would have gone on.
        natural = padded[last + half : last + half + _WINDOW]
        if step and natural.size == _WINDOW:
            around = padded[ideal - _SEARCH : ideal + _SEARCH + _WINDOW]
            ideal += int(np.argmax(np.correlate(around, natural, mode="valid"))) - _SEARCH
        out[place : place + _WINDOW] += padded[ideal : ideal + _WINDOW] * window
        last = ideal
    # The first half window has nothing before it to overlap with.
    out[:half] = signal[:half]
    return out[:wanted]
