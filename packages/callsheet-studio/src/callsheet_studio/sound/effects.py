"""Single sounds that can be made well from nothing: a step, a click, a gust, a bell.

What cannot be made so that it sounds like itself, as a gull or a chair, is left out and named: no
sound is better than a wrong one.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from callsheet.errors import InputError
from callsheet_studio.sound.samples import (
    SAMPLE_RATE,
    add,
    amplitude,
    faded,
    filtered,
    in_band,
    loudness_of,
    resampled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np

    from callsheet_studio.sound.samples import Samples

    Made = Callable[[np.random.Generator], Samples]

_WORDS: Final = {
    "beep": ("beep", "beeps", "piepen", "piepton"),
    "bell": ("bell", "door bell", "doorbell", "glocke", "klingel", "türglocke"),
    "buzz": ("vibration", "vibrates", "phone buzz", "vibrieren", "vibriert"),
    "chime": (
        "chime",
        "ding",
        "notification",
        "interface tone",
        "soft tone",
        "tone",
        "signalton",
        "benachrichtigung",
        "leiser ton",
        "klang",
    ),
    "chirps": ("birds", "bird", "birdsong", "vögel", "vogel", "vogelgesang"),
    "clink": ("clink", "cups", "glasses", "glass", "tassen", "gläser", "klirren"),
    "click": ("click", "mouse click", "switch", "klick", "mausklick", "schalter"),
    "crickets": ("crickets", "grillen", "zikaden"),
    "door": ("door", "door shuts", "door closes", "knock", "tür", "türe", "klopfen"),
    "gust": ("gust", "wind", "wind gust", "windstoß", "wind", "böe"),
    "heart": ("heartbeat", "heart", "herzschlag"),
    "keys": ("typing", "keyboard", "keys", "keyboards", "tippen", "tastatur", "tasten"),
    "pop": ("pop", "bubble", "plopp"),
    "rain": ("rain", "regen"),
    "shutter": ("shutter", "camera click", "auslöser"),
    "steps": ("footsteps", "steps", "footstep", "walking", "schritte", "schritt"),
    "swell": ("swell", "soft swell", "riser", "rise", "anschwellen", "weiches anschwellen"),
    "tap": ("tap", "taps", "soft tap", "touch", "leises tippen", "antippen"),
    "thunder": ("thunder", "donner"),
    "tick": ("clock", "ticking", "tick", "uhr", "ticken"),
    "wave": ("wave", "waves", "surf", "splash", "welle", "wellen", "brandung"),
    "whoosh": ("whoosh", "swoosh", "swish", "transition", "wischen", "rauschen"),
}
_PEAKS = {"thunder": -16.0, "heart": -16.0, "steps": -24.0, "keys": -27.0, "click": -24.0}
_PEAK = -21.0
"""In decibels, if nothing else is said. Speech peaks near -5."""


def find_effects(words: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The effects that words ask for, and the words that there is no good sound for."""
    found: list[str] = []
    left_out = []
    for asked in words:
        name = _named(asked)
        if name is None:
            left_out.append(asked)
        elif name not in found:
            found.append(name)
    return tuple(found), tuple(left_out)


def _named(asked: str) -> str | None:
    said = asked.lower().strip()
    known = ((word, name) for name, words in _WORDS.items() for word in words)
    # The longest word that occurs decides: a door bell is a bell.
    for word, name in sorted(known, key=lambda pair: (-len(pair[0]), pair)):
        if re.search(rf"\b{re.escape(word)}\b", said):
            return name
    return None


def effect(name: str, seed: int = 0) -> Samples:
    """The sound of an effect: mono, at the level it is mixed at.

    Raises:
        InputError: there is no such effect.
    """
    import numpy as np

    made = makers().get(name)
    if made is None:
        raise InputError(f"{name!r} is no effect. There are {', '.join(makers())}.")
    sound = made(np.random.default_rng(seed)).astype(np.float32)
    wanted = amplitude(_PEAKS.get(name, _PEAK))
    return faded(sound * np.float32(wanted / np.abs(sound).max()), 0.002, 0.01)


@cache
def makers() -> dict[str, Made]:
    """How each effect is made."""
    return {
        "beep": lambda _: ringing(0.25, ((880, 1, 4), (1760, 0.15, 6)), 0.02),
        "bell": lambda _: ringing(
            1.6, ((1568, 1, 3), (2093, 0.7, 3), (4236, 0.3, 6), (6900, 0.1, 9))
        ),
        "buzz": _buzz,
        "chime": lambda _: _two(_glass(1174.7), _glass(1568.0), 0.13),
        "chirps": _chirps,
        "click": lambda chance: _burst(chance, 0.02, 1500, 7000, 260),
        "clink": lambda _: ringing(
            0.7, ((2637, 1, 9), (4170, 0.6, 12), (6030, 0.4, 16), (8360, 0.2, 22))
        ),
        "crickets": _crickets,
        "door": _door,
        "gust": lambda chance: _sweep(chance, 2.6, (180, 420, 260)),
        "heart": _heart,
        "keys": _keys,
        "pop": _pop,
        "rain": lambda chance: _soft_noise(chance, 3.0, 900, 9000),
        "shutter": lambda chance: _two(
            _burst(chance, 0.03, 1200, 6000, 150), _burst(chance, 0.04, 900, 5000, 120), 0.07
        ),
        "steps": _steps,
        "swell": _swell,
        "tap": lambda chance: _burst(chance, 0.05, 150, 1400, 110),
        "thunder": _thunder,
        "tick": lambda chance: _burst(chance, 0.03, 1800, 5200, 240),
        "wave": lambda chance: _sweep(chance, 4.5, (350, 900, 500)),
        "whoosh": lambda chance: _sweep(chance, 0.9, (350, 1800, 700)),
    }


def _time(seconds: float) -> Samples:
    import numpy as np

    return np.arange(int(seconds * SAMPLE_RATE), dtype=np.float32) / SAMPLE_RATE


def ringing(
    seconds: float, partials: tuple[tuple[float, float, float], ...], rise: float = 0.003
) -> Samples:
    """Tones that die away: frequency, share and how fast."""
    import numpy as np

    time = _time(seconds)
    sound = sum(
        share * np.exp(-time * fade) * np.sin(time * (2 * math.pi * pitch))
        for pitch, share, fade in partials
    )
    return faded(np.asarray(sound, np.float32), rise, seconds * 0.2)


def _glass(pitch: float) -> Samples:
    return ringing(1.4, ((pitch, 1, 4), (pitch * 2, 0.25, 6), (pitch * 2.76, 0.1, 10)), 0.006)


def _two(first: Samples, second: Samples, apart: float) -> Samples:
    import numpy as np

    at = int(apart * SAMPLE_RATE)
    out = np.zeros(max(first.size, at + second.size), np.float32)
    add(out, first, 0)
    add(out, second, at)
    return out


def _burst(
    chance: np.random.Generator, seconds: float, low: float, high: float, fade: float
) -> Samples:
    """A short knock of noise in one band."""
    import numpy as np

    time = _time(seconds)
    noise = chance.standard_normal(time.size).astype(np.float32)
    return faded(filtered(noise, in_band(low, high)) * np.exp(-time * fade), 0.0008, seconds * 0.3)


def _soft_noise(chance: np.random.Generator, seconds: float, low: float, high: float) -> Samples:
    import numpy as np

    noise = chance.standard_normal(int(seconds * SAMPLE_RATE)).astype(np.float32)
    return faded(filtered(noise, in_band(low, high)), seconds * 0.3, seconds * 0.45)


def _sweep(
    chance: np.random.Generator, seconds: float, centres: tuple[float, float, float]
) -> Samples:
    """Air that comes, passes and goes: noise whose band moves."""
    import numpy as np

    count = int(seconds * SAMPLE_RATE)
    place = np.linspace(0, 1, count, dtype=np.float32)
    noise = chance.standard_normal(count).astype(np.float32)
    out = np.zeros(count, np.float32)
    for number, centre in enumerate(centres):
        near = np.clip(1 - np.abs(place - (0.2 + 0.3 * number)) / 0.4, 0, 1)
        band = filtered(noise, in_band(centre * 0.6, centre * 1.7))
        out += band / max(loudness_of(band), 1e-6) * near * near * (1.0, 1.6, 0.8)[number]
    return faded(out, seconds * 0.1, seconds * 0.25)


def _buzz(_chance: np.random.Generator) -> Samples:
    import numpy as np

    time = _time(0.9)
    hum = np.sin(time * (2 * math.pi * 155)) + 0.4 * np.sin(time * (2 * math.pi * 310))
    gate = np.clip(np.sin(time * (2 * math.pi / 0.45)) * 12, 0, 1)
    return faded((hum * gate).astype(np.float32), 0.02, 0.05)


def _chirps(chance: np.random.Generator) -> Samples:
    """A small bird: a few quick falling or rising whistles."""
    import numpy as np

    out = np.zeros(int(0.9 * SAMPLE_RATE), np.float32)
    base, at = float(chance.uniform(3200, 4400)), 0
    for _ in range(int(chance.integers(3, 6))):
        time = _time(float(chance.uniform(0.05, 0.11)))
        bend = float(chance.uniform(-900, 700))
        turn = 2 * math.pi * (base * time + bend * time * time / (2 * time[-1]))
        add(out, faded(np.sin(turn).astype(np.float32), 0.015, 0.025), at)
        at += int(float(chance.uniform(0.1, 0.17)) * SAMPLE_RATE)
    return out


def _crickets(_chance: np.random.Generator) -> Samples:
    import numpy as np

    time = _time(2.4)
    pulse = np.clip(np.sin(time * (2 * math.pi * 28)), 0, 1) ** 2
    song = np.clip(np.sin(time * (2 * math.pi / 0.8)) * 3, 0, 1)
    sound: Samples = np.sin(time * (2 * math.pi * 4350)) * pulse * song
    return sound


def _door(chance: np.random.Generator) -> Samples:
    import numpy as np

    time = _time(0.5)
    thud = np.sin(time * (2 * math.pi * 78)) * np.exp(-time * 16)
    latch = _burst(chance, 0.05, 900, 3500, 120) * np.float32(0.25)
    return _two(latch, _two(thud.astype(np.float32), _burst(chance, 0.12, 120, 900, 45), 0.0), 0.06)


def _heart(_chance: np.random.Generator) -> Samples:
    import numpy as np

    time = _time(0.25)
    beat = faded(
        (np.sin(time * (2 * math.pi * 54)) * np.exp(-time * 18)).astype(np.float32), 0.01, 0.05
    )
    pair = _two(beat, beat * np.float32(0.7), 0.26)
    return _two(pair, pair, 0.95)


def _keys(chance: np.random.Generator) -> Samples:
    """Somebody types a short word."""
    import numpy as np

    out = np.zeros(int(1.4 * SAMPLE_RATE), np.float32)
    at = 0.0
    for _ in range(8):
        strength = float(chance.uniform(0.5, 1))
        add(out, _burst(chance, 0.035, 700, 4200, 170), int(at * SAMPLE_RATE), strength)
        at += float(chance.uniform(0.09, 0.19))
    return out


def _pop(_chance: np.random.Generator) -> Samples:
    import numpy as np

    time = _time(0.12)
    turn = 2 * math.pi * (320 * time + 2600 * time * time)
    return faded((np.sin(turn) * np.exp(-time * 38)).astype(np.float32), 0.003, 0.03)


def _steps(chance: np.random.Generator) -> Samples:
    """Four steps: a heel, then a sole."""
    import numpy as np

    out = np.zeros(int(2.4 * SAMPLE_RATE), np.float32)
    for number in range(4):
        at = 0.55 * number + float(chance.uniform(0, 0.03))
        heel = _burst(chance, 0.09, 70, 480, 55)
        sole = _burst(chance, 0.11, 500, 2600, 38) * np.float32(0.16)
        strength = float(chance.uniform(0.75, 1))
        add(out, _two(heel, sole, 0.055), int(at * SAMPLE_RATE), strength)
    return out


def _swell(_chance: np.random.Generator) -> Samples:
    """A bell played backwards into a bell: something opens."""
    rising = ringing(1.5, ((392, 1, 3), (587.3, 0.6, 3), (784, 0.4, 3.5)))[::-1].copy()
    open_bell = ringing(1.8, ((392, 1, 2.2), (587.3, 0.6, 2.4), (784, 0.4, 2.8)), 0.05)
    return _two(faded(rising, 0.3, 0.1), open_bell, 1.42)


def _thunder(chance: np.random.Generator) -> Samples:
    import numpy as np

    count = int(3.5 * SAMPLE_RATE) // 3
    rumble = np.cumsum(chance.standard_normal(count)).astype(np.float32)
    low = filtered(resampled(rumble, 3, 1), in_band(35, 160))
    time = np.arange(low.size, dtype=np.float32) / SAMPLE_RATE
    rolls = 1 + 0.6 * np.sin(time * 5.1) * np.sin(time * 2.3 + 1)
    return faded((low * rolls * np.exp(-time * 0.9)).astype(np.float32), 0.08, 1.0)
