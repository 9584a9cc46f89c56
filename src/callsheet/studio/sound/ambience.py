"""The sound of a place: a loop of air, hum and far voices, with a few things in it.

Noise is made from its spectrum, so it is a loop by itself: its end meets its beginning.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING
from zlib import crc32

from callsheet.studio.sound import effects
from callsheet.studio.sound.samples import (
    SAMPLE_RATE,
    add_around,
    amplitude,
    in_band,
    loudness_of,
    spread,
)

if TYPE_CHECKING:
    import numpy as np

    from callsheet.studio.sound.samples import Samples

LOOP = 1 << 19
"""Samples: eleven seconds."""
_UNKNOWN = "abstract"
_SLOW = 512
"""Samples for which a slow change is nearly a straight line."""
_VOICES = 4
_SYLLABLES = 48
"""In a loop, at most: four or five in a second."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is heard in a set."""

    noise: tuple[tuple[float, ...], ...]
    hum: tuple[float, float] | None
    voices: float | None
    events: tuple[tuple[str, int, float], ...]


@cache
def places() -> dict[str, Place]:
    """All sets, by name."""
    text = files(__package__).joinpath("ambience.toml").read_text(encoding="utf-8")
    return {
        name: Place(
            noise=tuple(map(tuple, entry["noise"])),
            hum=tuple(entry["hum"]) if "hum" in entry else None,
            voices=entry.get("voices"),
            events=tuple(map(tuple, entry.get("events", ()))),
        )
        for name, entry in tomllib.loads(text).items()
    }


@lru_cache(maxsize=4)
def ambience(place: str) -> Samples:
    """A stereo loop of a set, the same each time; an unknown place is nearly silent."""
    import numpy as np

    told = places().get(place) or places()[_UNKNOWN]
    chance = np.random.default_rng(crc32(place.encode()))
    out = np.zeros((2, LOOP), np.float32)
    for low, high, level, swells, depth in told.noise:
        air = _air(chance, low, high, 2) * _swell(chance, int(swells), depth)
        out += _at(air, level)
    if told.hum:
        out += _at(_hum(told.hum[0]), told.hum[1])
    if told.voices is not None:
        out += _at(_murmur(chance), told.voices)
    for name, often, level in told.events:
        _scatter(out, name, often, level, chance)
    # Whoever gets the loop shares it with the next who asks.
    out.flags.writeable = False
    return out


def _at(sound: Samples, level: float) -> Samples:
    import numpy as np

    return sound * np.float32(amplitude(level) / max(loudness_of(sound), 1e-9))


def _air(chance: np.random.Generator, low: float, high: float, channels: int) -> Samples:
    """Noise in a band: chance phases, and as much of each frequency as the band lets through."""
    import numpy as np

    pitches = np.fft.rfftfreq(LOOP, 1 / SAMPLE_RATE).astype(np.float32)
    kept = int(np.searchsorted(pitches, min(high * 6, SAMPLE_RATE / 2)))
    spectrum = np.zeros((channels, pitches.size), np.complex64)
    drawn = chance.standard_normal((channels, 2 * kept), dtype=np.float32).view(np.complex64)
    # Air is duller than white noise.
    curve = in_band(low, high)(pitches[1:kept]) / np.sqrt(pitches[1:kept])
    spectrum[:, 1:kept] = drawn[:, 1:] * curve
    return np.fft.irfft(spectrum, LOOP, axis=-1).astype(np.float32)


def _swell(chance: np.random.Generator, swells: int, depth: float) -> Samples:
    """How it comes and goes: two waves that fit the loop and never fall together."""
    import numpy as np

    turn = np.linspace(0, 2 * math.pi, LOOP // _SLOW, endpoint=False)
    first, second = chance.uniform(0, 2 * math.pi, 2)
    wave = 0.65 * np.sin(turn * swells + first) + 0.35 * np.sin(turn * (swells + 2) + second)
    return _drawn_out(1 - depth * (0.5 + 0.5 * wave))


def _drawn_out(slow: Samples) -> Samples:
    """A slow change for every sample of the loop; its end meets its beginning."""
    import numpy as np

    closed = np.append(slow, slow[0]).astype(np.float32)
    return spread(closed, LOOP, _SLOW)


def _hum(pitch: float) -> Samples:
    """A machine far off: the nearest pitch that fits the loop, and its octaves."""
    import numpy as np

    turns = round(pitch * LOOP / SAMPLE_RATE)
    place = np.arange(LOOP, dtype=np.float64) * (2 * math.pi * turns / LOOP)
    wave = np.sin(place) + 0.5 * np.sin(2 * place) + 0.2 * np.sin(3 * place)
    return np.stack([wave, wave]).astype(np.float32)


def _murmur(chance: np.random.Generator) -> Samples:
    """People too far away to be understood: bands of a voice, in syllables."""
    import numpy as np

    out = np.zeros((2, LOOP), np.float32)
    for number in range(_VOICES):
        low = 240.0 + 130 * number
        voice = _air(chance, low, low * 2.4, 1)[0]
        # Syllables are chance too, but slow: only the lowest tones of a short noise.
        drawn = chance.standard_normal((2, _SYLLABLES)).view(np.complex128).reshape(-1)
        slow = np.fft.irfft(np.append(0, drawn), LOOP // _SLOW)
        syllables = _drawn_out(np.clip(slow / slow.std() + 0.2, 0, None))
        side = np.float32(0.15 + 0.7 * number / (_VOICES - 1))
        said = voice * syllables / np.float32(max(loudness_of(voice), 1e-9))
        out[0] += said * (1 - side)
        out[1] += said * side
    return out


def _scatter(
    out: Samples, name: str, often: int, level: float, chance: np.random.Generator
) -> None:
    """Put a sound into the loop, now and then; a clock ticks evenly."""
    import numpy as np

    for number in range(often):
        sound = _event(name, number)
        apart = LOOP / often
        late = 0.0 if name == "tick" else float(chance.uniform(0, 0.7))
        side = 0.4 if name == "tick" else float(chance.uniform(0.2, 0.8))
        sides = np.stack([sound * np.float32(1 - side), sound * np.float32(side)])
        gain = amplitude(level + _CREST) / float(np.abs(sides).max())
        add_around(out, sides, round((number + late) * apart), gain)


_CREST = 14.0
"""Decibels from a level to its peak: short sounds are as loud as their loudest moment."""


def _event(name: str, number: int) -> Samples:
    if name == "halyard":
        # A rope against a mast: a light knock on metal.
        return effects.ringing(0.5, ((1890, 1, 14), (3140, 0.5, 18), (4760, 0.25, 26)))
    return effects.effect(name, number)
