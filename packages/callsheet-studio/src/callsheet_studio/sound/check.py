"""Checks of a film's sound: each finds its fault where it is, and nothing where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from callsheet_studio.model.base import Violation
from callsheet_studio.sound.level import PEAK
from callsheet_studio.sound.measure import measure, silences
from callsheet_studio.sound.mix import UNDER
from callsheet_studio.sound.samples import SAMPLE_RATE

if TYPE_CHECKING:
    from callsheet_studio.sound.measure import Loudness
    from callsheet_studio.sound.samples import Samples

RULES: Final = {
    "sound-length": "the sound is as long as the film",
    "sound-silent": "something is heard all the time",
    "sound-clipped": "no peak is cut off",
    "sound-peak": "the true peak is at most -1 dBTP",
    "sound-loudness": "the loudness is within 1 LU of its target",
    "speech-masked": "music is at least 20 dB under speech",
}
WITHIN = 1.0
"""LU."""
LONGEST_SILENCE = 1.5
"""Seconds. A film whose sound stops for longer seems broken."""
_FLAT = 3
"""Samples at the same highest value in a row: a wave that was cut."""
_HIGH = 0.5
_ENDING = 1.5
"""Seconds at the end that may fade into silence."""


def check_sound(
    signal: Samples, *, target: float, count: int | None = None, measured: Loudness | None = None
) -> tuple[Violation, ...]:
    """Everything that can be found in the sound alone.

    Args:
        signal: stereo at 48 kHz.
        target: LUFS.
        count: how many samples it has to have; None: any.
        measured: its loudness, if it is known; None: it is measured.
    """
    found = [*_lasting(signal, count), *find_silence(signal), *find_clipping(signal)]
    return (*found, *find_loudness(measured or measure(signal), target))


def _lasting(signal: Samples, count: int | None) -> list[Violation]:
    have = signal.shape[-1]
    if count is None or have == count:
        return []
    said = f"The sound has {have} samples, the film has {count}."
    return [_wrong("sound-length", said, "Mix it again.")]


def find_silence(signal: Samples) -> list[Violation]:
    """Where nothing is heard for too long."""
    whole = signal.shape[-1] / SAMPLE_RATE
    if not whole:
        return [_wrong("sound-silent", "There is no sound at all.", "Mix it again.")]
    spans = [
        (start, end)
        for start, end in silences(signal, LONGEST_SILENCE)
        if not (end >= whole - 0.1 and end - start <= _ENDING)
    ]
    return [
        _wrong(
            "sound-silent",
            f"Nothing is heard from {start:.1f} to {end:.1f} s.",
            "Turn the music or the sound of the place on.",
        )
        for start, end in spans
    ]


def find_clipping(signal: Samples) -> list[Violation]:
    """Waves that were cut: the same highest value several samples long."""
    import numpy as np

    if not signal.size:
        return []
    most = max(float(signal.max()), -float(signal.min()))
    cut = np.sort(np.concatenate([_cut(side, max(_HIGH, most * 0.99)) for side in signal]))
    places = cut[np.diff(cut, prepend=-1) > 0]
    if not places.size:
        return []
    first = places[0] / SAMPLE_RATE
    said = f"Waves are cut off in {places.size} places, first at {first:.1f} s."
    return [_wrong("sound-clipped", said, "Make it quieter before it is limited.")]


def _cut(side: Samples, high: float) -> Samples:
    """Where a wave stays at one high value. Only what is high is looked at: that is little."""
    import numpy as np

    places = np.flatnonzero((side >= high) | (side <= -high))
    size = np.abs(side[places])
    last = _FLAT - 1
    flat = places[last:] - places[:-last] == last
    for step in range(last):
        flat &= size[step : size.size - last + step] == size[last:]
    found: Samples = places[:-last][flat]
    return found


def find_loudness(found: Loudness, target: float) -> list[Violation]:
    """Too loud, too quiet, or with peaks that players distort."""
    wrong = []
    off = found.integrated - target
    if abs(off) > WITHIN:
        way = "loud" if off > 0 else "quiet"
        said = (
            f"It is {abs(off):.1f} LU too {way}: {found.integrated:.1f} instead of {target:g} LUFS."
        )
        wrong.append(_wrong("sound-loudness", said, "Level the mix to its target again."))
    if found.true_peak > PEAK:
        said = f"The true peak is {found.true_peak:.1f} dBTP; {PEAK:g} is allowed."
        wrong.append(_wrong("sound-peak", said, "Limit the mix."))
    return wrong


def find_masking(over: float | None) -> list[Violation]:
    """Music that speech has to be heard over.

    Args:
        over: decibels of speech over music where they are least, as the mix was measured.
    """
    if over is None or over >= UNDER:
        return []
    said = f"Music is only {over:.1f} dB under speech; {UNDER:g} are needed."
    return [_wrong("speech-masked", said, "Duck the music.")]


def _wrong(rule: str, message: str, fix: str) -> Violation:
    return Violation(rule=rule, where="", message=message, fix=fix)
