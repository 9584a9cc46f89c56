"""A music bed by mood: eight bars of layers, arranged along the film's intensity.

The bars are composed once and then repeated, each layer as loud as the film is intense at that
moment, in one hall. So a long film costs little more than a short one. The tempo gives way a
little so that the last bar ends with the film.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec
import rtoml

from callsheet.errors import InputError
from callsheet_studio.sound import instruments
from callsheet_studio.sound.hall import in_a_hall
from callsheet_studio.sound.instruments import RATE
from callsheet_studio.sound.samples import SAMPLE_RATE, add, add_around, fade, spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from callsheet_studio.sound.samples import Samples

LAYERS: Final = ("pad", "bass", "figure", "beat", "shine")
SLOWEST, QUICKEST = 50, 180

_SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
_BEATS = 4
_BARS = 8
_ENTERS = {"pad": -4.0, "bass": 2.5, "figure": 3.5, "beat": 5.0, "shine": 6.0}
"""From which intensity on a layer is heard; three steps further it is all there."""
_FILLS = 3.0
_GAINS = {"pad": 0.13, "bass": 0.32, "figure": 0.34, "beat": 0.36, "shine": 0.26}
_WET = {"pad": 0.5, "bass": 0.05, "figure": 0.55, "beat": 0.18, "shine": 0.9}
_BEAT_PATTERNS: dict[str, dict[str, tuple[float, ...]]] = {
    "soft": {"shaker": (1, 3), "kick": (0,)},
    "steady": {"kick": (0, 2), "shaker": (0.5, 1.5, 2.5, 3.5), "clap": (3,)},
    "heart": {"kick": (0, 0.5), "tom": (2.5,)},
    "light": {"clap": (1, 3), "shaker": (0, 0.5, 1.5, 2, 2.5, 3.5), "kick": (0,)},
    "drums": {"tom": (0, 1.5, 2, 3), "kick": (0, 2), "clap": (3,)},
    "drive": {"kick": (0, 1, 2, 3), "clap": (1, 3), "hat": (0.5, 1.5, 2.5, 3.5)},
}
_DRUM_GAINS = {"kick": 0.9, "tom": 0.7, "clap": 0.35, "hat": 0.16, "shaker": 0.2}
_HOP = RATE // 10
"""Samples between two values of how intense it is."""
_STEP = 1 << 14


class Mood(msgspec.Struct, frozen=True):
    """What the music of a mood is made of."""

    id: str
    tempo: int
    key: int
    scale: tuple[int, ...]
    chords: tuple[tuple[int, ...], ...]
    """Degrees of the scale, from 0; one chord per bar."""
    levels: Mapping[str, float]
    bright: float
    figure: tuple[int, ...]
    beat: str
    words: tuple[str, ...]


@cache
def moods() -> dict[str, Mood]:
    """All moods, by name."""
    text = files(__package__).joinpath("moods.toml").read_text(encoding="utf-8")
    return {
        name: Mood(
            id=name,
            tempo=entry["tempo"],
            key=entry["key"],
            scale=_SCALES[entry["scale"]],
            chords=tuple(map(_degrees, entry["chords"])),
            levels=entry["levels"],
            bright=entry["bright"],
            figure=tuple(entry["figure"]),
            beat=entry["beat"],
            words=tuple(entry["words"]),
        )
        for name, entry in rtoml.loads(text).items()
    }


def find_mood(*words: str) -> str:
    """The mood that words mean, as those of a brief; the first text that says one decides."""
    for text in words:
        said = text.lower()
        tokens = set(said.replace(",", " ").split())
        counts = {
            name: sum(word in tokens or (" " in word and word in said) for word in mood.words)
            for name, mood in moods().items()
        }
        best = max(counts, key=lambda name: counts[name])
        if counts[best]:
            return best
    return "calm"


def bed(
    mood: str,
    count: int,
    *,
    tempo: int | None = None,
    seed: int = 0,
    arc: Sequence[tuple[int, float]] = ((0, 5.0),),
) -> Samples:
    """Music for a whole film: stereo, exactly so many samples, with an ending.

    Args:
        mood: one of `moods()`.
        count: samples.
        tempo: beats per minute; None: the mood's own. It may change by a few percent.
        seed: another one gives other figures of the same mood.
        arc: from which sample on the film is how intense, 1 to 10.

    Raises:
        InputError: there is no such mood, or nobody can follow the tempo.
    """
    import numpy as np

    told = moods().get(mood)
    if told is None:
        raise InputError(f"{mood!r} is no mood of the music. There are {', '.join(moods())}.")
    tempo = told.tempo if tempo is None else tempo
    if not SLOWEST <= tempo <= QUICKEST:
        raise InputError(f"A tempo of {tempo} is not between {SLOWEST} and {QUICKEST} per minute.")
    if not count:
        return np.zeros((2, 0), np.float32)
    length = -(-count * RATE // SAMPLE_RATE)
    bars = max(round(length * tempo / (60 * _BEATS * RATE)), 1)
    # What is shorter than a bar is the last chord alone.
    bar = max(length / bars, RATE)
    composed = _Composed(told, bar, np.random.default_rng(seed))
    arc = [(start * RATE // SAMPLE_RATE, felt) for start, felt in arc]
    played = _Played(composed, _intensities(arc, length), length)
    seconds = count / SAMPLE_RATE
    out = in_a_hall(played.add, length, _HOP)[:, :count]
    fade(out, min(0.5, seconds / 4), min(1.2, seconds / 4))
    return out


def _degrees(chord: str) -> tuple[int, ...]:
    """`6+7` is the triad on the sixth with its seventh."""
    root, _, more = chord.partition("+")
    base = int(root) - 1
    return (base, base + 2, base + 4, *([base + int(more) - 1] if more else []))


class _Composed:
    """The eight bars, layer by layer."""

    def __init__(self, mood: Mood, bar: float, chance: np.random.Generator) -> None:
        self._mood = mood
        self.bar = bar
        self._length = round(bar * _BARS)
        self._chance = chance
        self._turn = int(chance.integers(0, len(mood.figure)))
        self._seconds = bar / RATE

    def layers(self) -> dict[str, Samples]:
        """Loops of eight bars, in stereo if they are wide; not yet as loud as `gain` says."""
        return {name: getattr(self, f"_{name}")() for name in LAYERS if self._mood.levels[name] > 0}

    def ending(self) -> Samples:
        """The tonic, struck once and left to ring."""
        import numpy as np

        count = round(self.bar)
        out = np.zeros((2, count), np.float32)
        notes = [self._note(degree, 4) for degree in (0, 2, 4)]
        for note in notes:
            held = instruments.pad(note, self._seconds, self._mood.bright)[:, :count]
            out[:, : held.shape[-1]] += held * self.gain("pad")
        low = instruments.bass(self._low(0), self._seconds)[:count]
        out[:, : low.size] += low * self.gain("bass")
        for late, note in enumerate((*notes, notes[0] + 12)):
            struck = instruments.pluck(note, self._mood.bright)
            at = int(late * 0.045 * RATE)
            room = max(min(struck.size, count - at), 0)
            out[:, at : at + room] += struck[:room] * self.gain("figure")
        return out

    def gain(self, name: str) -> np.float32:
        """How loud a layer is in this mood."""
        import numpy as np

        return np.float32(_GAINS[name] * self._mood.levels[name])

    def _note(self, degree: int, octave: int) -> int:
        scale = self._mood.scale
        up, place = divmod(degree, len(scale))
        return 12 * (octave + up) + self._mood.key + scale[place] + 12

    def _low(self, degree: int) -> int:
        """In the octave of a bass, wherever the chord is."""
        return 33 + (self._note(degree, 2) - 33) % 12

    def _voiced(self, chord: Sequence[int], around: int) -> list[int]:
        """Each tone in the octave nearest to a note, so that chords lead into each other."""
        return sorted(around - 6 + (self._note(degree, 3) - around + 6) % 12 for degree in chord)

    def _empty(self, sides: int) -> Samples:
        import numpy as np

        return np.zeros((sides, self._length), np.float32)

    def _pad(self) -> Samples:
        out = self._empty(2)
        held: dict[int, Samples] = {}
        for number, chord in enumerate(self._mood.chords):
            for note in self._voiced(chord, 61):
                if note not in held:
                    held[note] = instruments.pad(note, self._seconds * 1.35, self._mood.bright)
                add_around(out, held[note], round(number * self.bar))
        return out

    def _bass(self) -> Samples:
        out = self._empty(1)
        pulses = (0.0,) if self._mood.beat == "soft" else (0.0, 2.5)
        length = self._seconds * (0.95 if len(pulses) == 1 else 0.4)
        tones: dict[int, Samples] = {}
        for number, chord in enumerate(self._mood.chords):
            note = self._low(chord[0])
            if note not in tones:
                tones[note] = instruments.bass(note, length)
            for beat in pulses:
                add_around(out, tones[note], round((number + beat / _BEATS) * self.bar))
        return out

    def _figure(self) -> Samples:
        """Broken chords, now to the left, now to the right."""
        out = self._empty(2)
        struck: dict[int, Samples] = {}
        pattern = self._mood.figure
        for number, chord in enumerate(self._mood.chords):
            tones = self._voiced(chord, 67)
            tones = [*tones, *(note + 12 for note in tones)]
            for step, tone in enumerate(pattern):
                note = tones[(tone + (self._turn if number % 2 else 0)) % len(tones)]
                strength = (0.75 + 0.25 * (step % 4 == 0)) * float(self._chance.uniform(0.8, 1))
                late = float(self._chance.uniform(0, 0.008)) * RATE
                if note not in struck:
                    struck[note] = instruments.pluck(note, self._mood.bright)
                side = 0.5 + 0.3 * math.sin(number * 2.1 + step * 1.3)
                at = round((number + step / len(pattern)) * self.bar + late)
                add_around(out[0], struck[note], at, (1 - side) * strength)
                add_around(out[1], struck[note], at, side * strength)
        return out

    def _beat(self) -> Samples:
        out = self._empty(1)
        for name, beats in _BEAT_PATTERNS[self._mood.beat].items():
            hit = instruments.drum(name)
            for number in range(_BARS):
                for beat in beats:
                    strength = _DRUM_GAINS[name] * float(self._chance.uniform(0.75, 1))
                    add_around(out, hit, round((number + beat / _BEATS) * self.bar), strength)
        return out

    def _shine(self) -> Samples:
        """A bell now and then, on a tone of the chord."""
        out = self._empty(1)
        struck: dict[int, Samples] = {}
        for number, chord in enumerate(self._mood.chords):
            tones = self._voiced(chord, 84)
            for beat in (0.0, 2.5) if number % 2 else (1.0,):
                note = tones[int(self._chance.integers(0, len(tones)))]
                if note not in struck:
                    struck[note] = instruments.bell(note)
                add_around(out, struck[note], round((number + beat / _BEATS) * self.bar))
        return out


class _Played:
    """The bars along the film: each layer repeated to the end, as loud as the arc wants it."""

    def __init__(self, composed: _Composed, felt: Samples, length: int) -> None:
        self._length = length
        self._layers = composed.layers()
        self._ending = composed.ending()
        hops = round(composed.bar / _HOP) + 1
        self._gains = {name: _heard(felt, name) * composed.gain(name) for name in self._layers}
        for gains in self._gains.values():
            gains[-hops:] *= _leaving(min(hops, gains.size))

    def add(self, onto: Samples, start: int) -> None:
        """Add what is played from a sample on: to the left, to the right, and into the hall.

        Args:
            onto: three channels.
            start: a whole number of hops.
        """
        import numpy as np

        count = onto.shape[-1]
        middle = np.zeros(count, np.float32)
        for name, loop in self._layers.items():
            gains = self._gains[name][start // _HOP :][: -(-count // _HOP) + 1]
            if gains.any():
                dry = onto[:2] if len(loop) > 1 else middle[None]
                _repeat(loop, start, spread(gains, count, _HOP), dry, onto[2], _WET[name])
        onto[:2] += middle
        at = max(self._length - self._ending.shape[-1], 0) - start
        if at < count:
            add(onto[:2], self._ending, at)
            add(onto[2], self._ending.mean(axis=0), at, _WET["pad"])


def _repeat(
    loop: Samples, start: int, curve: Samples, dry: Samples, send: Samples, wet: float
) -> None:
    """A part of a repeated loop, in small steps that stay in the cache."""
    import numpy as np

    done, share = 0, np.float32(wet / len(loop))
    room = np.empty((len(loop), _STEP), np.float32)
    while done < curve.size:
        place = (start + done) % loop.shape[-1]
        size = min(_STEP, loop.shape[-1] - place, curve.size - done)
        part = room[:, :size]
        np.multiply(loop[:, place : place + size], curve[done : done + size], out=part)
        dry[:, done : done + size] += part
        for other in part[1:]:
            part[0] += other
        part[0] *= share
        send[done : done + size] += part[0]
        done += size


def _intensities(arc: Sequence[tuple[int, float]], count: int) -> Samples:
    """The arc per hop: it starts thin, and changes over two seconds rather than at once."""
    import numpy as np

    places = np.arange(-(-count // _HOP)) * _HOP
    starts = np.array([start for start, _ in arc])
    values = np.array([value for _, value in arc], np.float32)
    felt = values[np.maximum(np.searchsorted(starts, places, side="right") - 1, 0)]
    felt = felt + np.minimum(places / (RATE * 4) - 1, 0) * 4
    width = min(21, max(felt.size, 1))
    window = np.hanning(width + 2)[1:-1]
    edged = np.pad(felt, (width // 2, width - 1 - width // 2), mode="edge")
    return np.convolve(edged, window / window.sum(), mode="valid").astype(np.float32)


def _heard(felt: Samples, name: str) -> Samples:
    import numpy as np

    share = np.clip((felt - _ENTERS[name]) / _FILLS, 0, 1)
    loud = np.float32(0.5) + np.float32(0.055) * felt
    return (share * share * (3 - 2 * share) * loud).astype(np.float32)


def _leaving(hops: int) -> Samples:
    """The bars go within a third of the last one; the last chord rings on."""
    import numpy as np

    return np.clip(1 - np.arange(hops) / max(hops * 0.3, 1), 0, 1).astype(np.float32)
