"""A mix brought to its loudness, and its peaks below the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.sound.measure import Loudness, follow, integrated_of
from callsheet_studio.sound.peaks import BLOCK, peaks_of, true_peak
from callsheet_studio.sound.samples import amplitude, decibels, held_down, power_of, scale

if TYPE_CHECKING:
    from callsheet_studio.sound.measure import Course
    from callsheet_studio.sound.samples import Samples

TARGETS: Final = {"web": -16.0, "loud": -14.0, "europe": -23.0, "america": -24.0, "quiet": -27.0}
"""LUFS: web and podcasts, music services, EBU R 128, ATSC A/85, streaming with dialogue first."""
PEAK: Final = -1.0
"""dBTP that a film may have."""
_CEILING = -1.6
"""dBTP of the mix: coding it moves peaks by some tenths."""
_AHEAD = 4
"""Blocks of 2.5 ms by which the gain is down before a peak."""
_TENTH = 40
"""Blocks between two moments."""
_MOMENT = 4
"""Tenths of a second that a moment lasts."""
_CLOSE = 0.05
_TRIES = 4
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


def level(signal: Samples, target: float) -> Loudness:
    """Bring a mix to its target, no peak above the limit, in place. Silence stays silence.

    What the limiter takes away is worked out from the power of each block and the moments, so the
    mix itself is nearly always changed once and measured twice; once, if nothing is taken away.
    """
    course = follow(signal)
    if course.integrated > target - _MOST:
        for _ in range(_TRIES):
            gains = _gains(signal, course, target)
            scale(signal, gains, BLOCK)
            if gains.min() == gains.max():
                course = replace(course, integrated=target)
                break
            course = follow(signal)
            if abs(course.integrated - target) <= _CLOSE:
                break
    highest = round(decibels(true_peak(signal)), 2)
    return Loudness(integrated=course.integrated, true_peak=highest, range=course.range)


def limit(signal: Samples, ceiling: float) -> None:
    """Hold every peak down, also between the samples, to at most so high, in place."""
    top = amplitude(ceiling)
    gains = _held(peaks_of(signal, top), top)
    if gains.min(initial=1) < 1:
        scale(signal, gains, BLOCK)


def _gains(signal: Samples, course: Course, target: float) -> Samples:
    """The gain of each block with which the sound should be at its target."""
    import numpy as np

    top, gain = amplitude(_CEILING), target - course.integrated
    peaks = peaks_of(signal, top / amplitude(gain + 2))
    powers, before = power_of(signal, BLOCK), integrated_of(course.moments)

    def raised() -> Samples:
        up = np.float32(amplitude(gain))
        return _held(peaks * up, top) * up

    gains = raised()
    for _ in range(_TRIES):
        after = integrated_of(course.moments + _change(gains, powers, course.moments.size))
        off = target - (course.integrated + after - before)
        if abs(off) <= _CLOSE / 5:
            break
        gain += off
        gains = raised()
    return gains


def _held(peaks: Samples, top: float) -> Samples:
    """The gain of each block that brings its peak below the top."""
    import numpy as np

    gains = np.minimum(top / np.maximum(peaks, 1e-9), 1).astype(np.float32)
    return held_down(gains, _AHEAD) if gains.min(initial=1) < 1 else gains


def _change(gains: Samples, powers: Samples, count: int) -> Samples:
    """By how many decibels the gains change each moment; its loudest blocks count most."""
    import numpy as np

    before = powers + np.float32(1e-12)
    sums = []
    for power in (before * np.square(gains), before):
        tenths = np.zeros(count + _MOMENT, np.float64)
        parts = np.add.reduceat(power, np.arange(0, power.size, _TENTH), dtype=np.float64)
        tenths[_MOMENT : _MOMENT + parts.size] = parts[:count]
        whole = np.cumsum(tenths)
        sums.append(whole[_MOMENT:] - whole[:-_MOMENT] + 1e-12)
    change: Samples = 10 * np.log10(sums[0] / sums[1])
    return change
