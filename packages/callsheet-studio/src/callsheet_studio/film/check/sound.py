"""The sound of a film, as it is after it was encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.film.packets import opened
from callsheet_studio.model.base import Data, Violation

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet_studio.base.time import Rate
    from callsheet_studio.sound.samples import Samples

_FULL = 0.985
_FLAT = 3
"""Samples in a row at full height: a wave that was cut, even after it was encoded."""


class Track(Data):
    """What was measured on it."""

    loudness: float | None
    true_peak: float | None
    violations: tuple[Violation, ...]


def check_track(path: Path, frames: int, rate: Rate, loudness: float) -> Track:
    """Silent, clipped, too loud or quiet, too long or short.

    Args:
        path: a film, or its sound alone.
        frames: of the film, as long as which it should last.
        rate: of the film.
        loudness: LUFS that it should have.
    """
    from callsheet_studio.sound.check import check_sound
    from callsheet_studio.sound.encode import read_sound
    from callsheet_studio.sound.measure import measure
    from callsheet_studio.sound.samples import SAMPLE_RATE, decibels

    with opened(path) as film:
        has_sound = bool(film.streams.audio)
    if not has_sound:
        return Track(loudness=None, true_peak=None, violations=(_missing(),))
    signal = read_sound(path)
    count = round(frames * SAMPLE_RATE / rate.fps)
    # An encoder works in blocks; what is checked is that nobody hears a difference.
    kept = count if abs(signal.shape[-1] - count) * rate.fps >= SAMPLE_RATE else None
    level = measure(signal)
    found = check_sound(signal, target=loudness, count=kept, measured=level)
    # No sample is higher than what lies between them, too.
    is_high = level.true_peak > decibels(_FULL) - 0.1
    if is_high and not any(each.rule == "sound-clipped" for each in found):
        found = (*found, *_clipped(signal))
    return Track(loudness=level.integrated, true_peak=level.true_peak, violations=found)


def _clipped(signal: Samples) -> list[Violation]:
    import numpy as np

    full = (signal >= _FULL) | (signal <= -_FULL)
    runs = full[:, :-2] & full[:, 1:-1] & full[:, 2:]
    places = np.flatnonzero(runs.any(axis=0))
    if not places.size:
        return []
    from callsheet_studio.sound.samples import SAMPLE_RATE

    return [
        Violation(
            rule="sound-clipped",
            where="",
            message=f"Waves are cut off, first at {places[0] / SAMPLE_RATE:.1f} s.",
            fix="Make it quieter before it is limited.",
        )
    ]


def _missing() -> Violation:
    return Violation(
        rule="sound-silent",
        where="",
        message="There is no sound in the film.",
        fix="Mix it, and assemble the film again.",
    )
