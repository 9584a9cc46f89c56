"""Single notes and beats: soft, short to compute, without a click at either end."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from callsheet_studio.sound.samples import fade as soften
from callsheet_studio.sound.samples import faded

if TYPE_CHECKING:
    from callsheet_studio.sound.samples import Samples

RATE = 24_000
"""Music has nothing to say above 12 kHz; it is brought to 48 kHz at the end."""
_TABLE_BITS = 14
_TABLE = 1 << _TABLE_BITS
_TURN_BITS = 32
_TURN = 1 << _TURN_BITS
"""What a phase runs over at."""
_DETUNE = 0.0022
_NYQUIST = 10_500
"""Hertz: no harmonic above it, so that nothing folds back."""


def hertz(note: float) -> float:
    """The frequency of a note; 69 is the A of 440 Hz."""
    return 440.0 * float(2 ** ((note - 69) / 12))


@cache
def _table(harmonics: int, bright: float) -> Samples:
    """One period with so many harmonics, each weaker than the last."""
    import numpy as np

    place = np.arange(_TABLE) * (2 * math.pi / _TABLE)
    wave = sum(
        np.sin(place * number + number * 0.7) * number ** (-2.3 + 1.6 * bright)
        for number in range(1, harmonics + 1)
    )
    table: Samples = (wave / np.sqrt(np.mean(np.square(wave))) * 0.5).astype(np.float32)
    return table


def _wave(frequency: float, count: int, bright: float, phase: float) -> Samples:
    """The table, read at a pitch. Phases are whole numbers that run over, as on a synthesiser."""
    import numpy as np

    harmonics = max(min(int(_NYQUIST / frequency), 9), 1)
    # In whole numbers as NumPy counts places with: it would copy any others.
    places = np.arange(count, dtype=np.intp)
    places *= round(frequency * _TURN / RATE)
    places += int(phase * _TURN)
    places >>= _TURN_BITS - _TABLE_BITS
    places &= _TABLE - 1
    return _table(harmonics, bright).take(places, mode="wrap")


def pad(note: int, seconds: float, bright: float) -> Samples:
    """A soft chord tone in stereo that swells and dies away: strings far off."""
    import numpy as np

    count = int(seconds * RATE)
    tone = hertz(note)
    sound = np.empty((2, count), np.float32)
    low = _wave(tone, count, bright * 0.5, 0.4)
    low *= np.float32(0.6)
    for side, way, phases in zip(sound, (-1, 1), ((0.13, 0.71), (0.5, 0.42)), strict=True):
        near, far = (
            _wave(tone * (1 + way * _DETUNE * (1 + 0.15 * voice)), count, bright, phase)
            for voice, phase in enumerate(phases)
        )
        far *= np.float32(0.3)
        near += low
        np.add(near, far, out=side)
    sound *= np.float32(0.5)
    soften(sound, min(0.9, seconds * 0.3), min(1.4, seconds * 0.4), RATE)
    return sound


def pluck(note: int, bright: float) -> Samples:
    """A string or a felt hammer: the higher a harmonic, the sooner it is gone."""
    import numpy as np

    count = int(1.6 * RATE)
    time = np.arange(count, dtype=np.float32) / RATE
    tone, sound = hertz(note), np.zeros(count, np.float32)
    for number in range(1, 7):
        frequency = tone * number * (1 + 0.0004 * number * number)
        if frequency > _NYQUIST:
            break
        share = number ** (-2.2 + 1.5 * bright)
        decay = np.exp(time * -(2.2 + 1.4 * number * (1.4 - bright)))
        sound += share * decay * np.sin(time * (2 * math.pi * frequency))
    return faded(sound * np.float32(0.5), 0.006, 0.3, RATE)


def bell(note: int) -> Samples:
    """A glass bell, high and quiet: its partials are not harmonic."""
    import numpy as np

    time = np.arange(int(2.6 * RATE), dtype=np.float32) / RATE
    sound = np.zeros(time.size, np.float32)
    for ratio, share, fade in ((1.0, 0.6, 1.6), (2.76, 0.22, 3.0), (5.4, 0.08, 6.0), (0.5, 0.1, 1)):
        if hertz(note) * ratio < _NYQUIST:
            turn = time * (2 * math.pi * hertz(note) * ratio)
            sound += share * np.exp(-time * fade) * np.sin(turn)
    return faded(sound * np.float32(0.5), 0.01, 0.4, RATE)


def bass(note: int, seconds: float) -> Samples:
    """A round low tone; some of its octave, so that small speakers have it too."""
    import numpy as np

    time = np.arange(int(seconds * RATE), dtype=np.float32) / RATE
    turn = time * (2 * math.pi * hertz(note))
    sound = np.sin(turn) + 0.35 * np.sin(2 * turn) + 0.08 * np.sin(3 * turn)
    sound *= np.exp(-time * (1.1 / max(seconds, 0.3)))
    return faded(sound.astype(np.float32) * np.float32(0.45), 0.02, min(0.25, seconds * 0.4), RATE)


def drum(name: str) -> Samples:
    """One beat of the percussion: `kick`, `clap`, `hat`, `shaker` or `tom`."""
    import numpy as np

    lengths = {"kick": 0.4, "tom": 0.7, "clap": 0.25, "hat": 0.09, "shaker": 0.12}
    time = np.arange(int(lengths[name] * RATE), dtype=np.float32) / RATE
    if name in {"kick", "tom"}:
        low, drop, fade = (46.0, 70.0, 9.0) if name == "kick" else (68.0, 40.0, 6.0)
        turn = 2 * math.pi * (low * time + drop / 28 * (1 - np.exp(-28 * time)))
        return faded((np.sin(turn) * np.exp(-time * fade)).astype(np.float32), 0.003, 0.05, RATE)
    noise = np.random.default_rng(len(name)).standard_normal(time.size).astype(np.float32)
    fade, rise, smooth = {
        "clap": (22.0, 0.002, 3),
        "hat": (60.0, 0.001, 0),
        "shaker": (30.0, 0.03, 0),
    }[name]
    # Differences of neighbours are what is high in noise, sums what is low.
    shaped = np.diff(noise, 2, prepend=noise[:2]) * np.float32(0.35)
    if smooth:
        shaped = np.convolve(np.diff(noise, prepend=noise[:1]), np.ones(smooth) / smooth, "same")
    shaped = shaped * np.exp(-time * fade)
    return faded(shaped.astype(np.float32) * np.float32(0.5), rise, 0.03, RATE)
