"""The sound of a place: a loop of air, hum and far voices, with a few things in it.

It is made as a spectrum, so it is a loop by itself: its end meets its beginning. All of its parts
are one spectrum, so the transform that costs most is done once.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec
import rtoml

from callsheet_studio.sound import effects
from callsheet_studio.sound.samples import (
    SAMPLE_RATE,
    add,
    add_around,
    amplitude,
    in_band,
    loudness_of,
    sound_of,
    spread,
    tones_of,
)

if TYPE_CHECKING:
    import numpy as np

    from callsheet_studio.sound.samples import Samples

LOOP = 1 << 19
"""Samples: eleven seconds."""
BRIEF = LOOP // 2
"""Samples of the loop of a place that is never heard for longer at a time."""
_UNKNOWN = "abstract"
_SLOW = 512
"""Samples for which a slow change is nearly a straight line."""
_ROOM = 16
"""Tones above a band that its swells reach."""
_VOICES = 4
_SYLLABLES = 48
"""In a loop, at most: four or five in a second."""
_FAR = 4
"""Voices are made at a quarter of the rate: of far ones, nothing is heard above 6 kHz."""


class Place(msgspec.Struct, frozen=True):
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
        for name, entry in rtoml.loads(text).items()
    }


@lru_cache(maxsize=1)
def ambience(place: str, length: int = LOOP) -> Samples:
    """A stereo loop of a set, the same each time; an unknown place is nearly silent.

    Args:
        place: a name of `places()`.
        length: `LOOP`, or `BRIEF` for a loop with half as many swells, and events of half a loop.
    """
    import numpy as np

    told = places().get(place) or places()[_UNKNOWN]
    chance = np.random.default_rng(crc32(place.encode()))
    parts = []
    for low, high, level, swells, depth in told.noise:
        air = _swelling(_air(chance, low, high, (2, length)), chance, length, (swells, depth))
        # As loud as all its tones together: two numbers each, and each a second time, mirrored.
        loud = 2 * math.sqrt(air.shape[-1] / length) * loudness_of(air.view(np.float32))
        air *= np.float32(amplitude(level) / loud)
        parts.append(air)
    if told.voices is not None:
        parts.append(_murmur(told.voices, chance, length))
    # It ends with the highest tone: above it there is nothing to add up.
    spectrum = max(parts, key=lambda part: part.shape[-1])
    for part in parts:
        if part is not spectrum:
            spectrum[:, : part.shape[-1]] += part
    if told.hum:
        _add_hum(spectrum, *told.hum, length)
    out = sound_of(spectrum, length)
    for name, often, level in told.events:
        _scatter(out, name, often, level, chance)
    # Whoever gets the loop shares it with the next who asks.
    out.flags.writeable = False
    return out


def _air(
    chance: np.random.Generator, low: float, high: float, shape: tuple[int, int], far: int = 1
) -> Samples:
    """The spectrum of noise in a band: chance, and as much of each tone as the band lets through.

    It ends where nothing is left of it, and has room for its swells there.

    Args:
        chance: what the tones are drawn from.
        low: Hertz from which they are heard.
        high: Hertz to which they are.
        shape: how many channels, and samples of a loop.
        far: by how much the rate is lower at which it will be heard.
    """
    import numpy as np

    channels, length = shape
    kept = min(int(high * 6 * length / SAMPLE_RATE), length // 2 // far - _ROOM)
    pitches = np.arange(1, kept, dtype=np.float32) * np.float32(SAMPLE_RATE / length)
    spectrum = np.zeros((channels, kept + _ROOM), np.complex64)
    # Of so many tones nobody hears how each was drawn: the sum is the same as from a bell curve.
    drawn = chance.random((channels, 2 * kept - 2), dtype=np.float32)
    drawn -= np.float32(0.5)
    # Air is duller than white noise.
    np.multiply(
        drawn.view(np.complex64),
        in_band(low, high)(pitches) / np.sqrt(pitches),
        out=spectrum[:, 1:kept],
    )
    return spectrum


def _swelling(
    air: Samples, chance: np.random.Generator, length: int, wave: tuple[float, float]
) -> Samples:
    """As it comes and goes: two waves that fit the loop and never fall together.

    A tone that swells so often in a loop is a tone with two others beside it, that far away.
    """
    import numpy as np

    swells, depth = wave
    short = LOOP // length
    often = -(-int(swells) // short)
    out: Samples = air * np.float32(1 - depth / 2)
    count = air.shape[-1] - _ROOM
    part = np.empty((len(air), count), np.complex64)
    for apart, share in ((often, 0.65), (often + 2 // short, 0.35)):
        turn = 0.25 * depth * share * np.exp(1j * chance.uniform(0, 2 * math.pi))
        np.multiply(air[:, :count], np.complex64(1j * turn), out=part)
        out[:, apart : apart + count] += part
        np.multiply(air[:, apart : apart + count], np.complex64(-1j * turn.conjugate()), out=part)
        out[:, :count] += part
    return out


def _add_hum(spectrum: Samples, pitch: float, level: float, length: int) -> None:
    """A machine far off: the nearest pitch that fits the loop, and its octaves."""
    turns = round(pitch * length / SAMPLE_RATE)
    shares = (1.0, 0.5, 0.2)
    loud = math.sqrt(sum(share * share for share in shares) / 2)
    for number, share in enumerate(shares, 1):
        spectrum[:, number * turns] -= 1j * math.sqrt(length) / 2 * share * amplitude(level) / loud


def _murmur(level: float, chance: np.random.Generator, length: int) -> Samples:
    """The spectrum of people too far away to be understood: bands of a voice, in syllables."""
    import numpy as np

    count = length // _FAR
    out = np.zeros((2, count), np.float32)
    for number in range(_VOICES):
        low = 240.0 + 130 * number
        voice = sound_of(_air(chance, low, low * 2.4, (1, length), _FAR)[0], count)
        # Syllables are chance too, but slow: only the lowest tones of a short noise.
        drawn = chance.standard_normal((2, _SYLLABLES * length // LOOP)).view(np.complex128)
        slow = np.fft.irfft(np.append(0, drawn), length // _SLOW)
        slow = np.clip(slow / slow.std() + 0.2, 0, None) / max(loudness_of(voice), 1e-9)
        # The end of the loop meets its beginning.
        closed = np.append(slow, slow[0]).astype(np.float32)
        voice *= spread(closed, count, _SLOW // _FAR)
        side = 0.15 + 0.7 * number / (_VOICES - 1)
        add(out[0], voice, 0, 1 - side)
        add(out[1], voice, 0, side)
    tones = tones_of(out, count)
    tones *= np.float32(math.sqrt(_FAR) * amplitude(level) / max(loudness_of(out), 1e-9))
    return tones


def _scatter(
    out: Samples, name: str, often: int, level: float, chance: np.random.Generator
) -> None:
    """Put a sound into the loop, now and then; a clock ticks evenly."""
    import numpy as np

    for number in range(often):
        apart = LOOP / often
        late = 0.0 if name == "tick" else float(chance.uniform(0, 0.7))
        side = 0.4 if name == "tick" else float(chance.uniform(0.2, 0.8))
        at = round((number + late) * apart)
        # A brief loop is as rich as a part of a long one.
        if at >= out.shape[-1]:
            break
        sound = _event(name, number)
        gain = amplitude(level + _CREST) / (float(np.abs(sound).max()) * max(side, 1 - side))
        for channel, share in zip(out, (1 - side, side), strict=True):
            add_around(channel, sound, at, gain * share)


_CREST = 14.0
"""Decibels from a level to its peak: short sounds are as loud as their loudest moment."""


def _event(name: str, number: int) -> Samples:
    if name == "halyard":
        # A rope against a mast: a light knock on metal.
        return effects.ringing(0.5, ((1890, 1, 14), (3140, 0.5, 18), (4760, 0.25, 26)))
    return effects.effect(name, number)
