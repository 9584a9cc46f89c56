"""The mix: voices in front, music far enough behind, the place under both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.sound.ambience import BRIEF, LOOP, ambience
from callsheet_studio.sound.effects import effect
from callsheet_studio.sound.level import level, target_of
from callsheet_studio.sound.measure import silences
from callsheet_studio.sound.music import bed
from callsheet_studio.sound.samples import (
    HOP,
    SAMPLE_RATE,
    add,
    amplitude,
    decibels,
    envelope,
    faded,
    held_down,
    loudness_of,
    samples_in,
    scale,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.sound.lines import Placed
    from callsheet_studio.sound.samples import Samples
    from callsheet_studio.sound.score import Score

UNDER = 20.0
"""Decibels that music is below speech, at least."""

_AIM = UNDER + 1.5
_MUSIC = -29.0
"""Decibels of the music when nobody speaks; speech is at -20."""
_AHEAD = 35
"""Hops by which the music is down before the first word, and in which it comes back."""
_AFTER = 0.5
"""Seconds it stays down after the last."""
_CROSS = 0.5


class SoundReport(msgspec.Struct, frozen=True):
    """What was measured on the mix."""

    seconds: float
    integrated: float
    """LUFS."""
    true_peak: float
    """dBTP."""
    range: float
    """LU."""
    speech_over_music: float | None
    """Decibels, at the line where it is least; None if there is no speech or no music."""
    silences: tuple[tuple[float, float], ...]
    """Seconds from and to."""
    left_out: tuple[str, ...]


class Mixed(msgspec.Struct, frozen=True, eq=False):
    """The sound of a film: stereo at 48 kHz, exactly as long as its frames."""

    samples: Samples
    report: SoundReport
    gain: float
    """What the levelling has done to it, on the whole."""


def mix(
    score: Score,
    placed: Sequence[Placed],
    *,
    target: str | float = "web",
    music: bool = True,
) -> Mixed:
    """Mix a film.

    Args:
        score: places, effects and music.
        placed: the voices.
        target: a loudness in LUFS, or a name of `TARGETS`.
        music: False leaves it out.

    Raises:
        InputError: there is no such loudness, mood or tempo.
    """
    import numpy as np

    wanted = target_of(target)
    count = samples_in(score.frames, score.rate)
    out = _music(score, count) if music else np.zeros((2, count), np.float32)
    # While there is only music in it, for no second sound of this length is ever made.
    over = _duck(out, placed) if music and count else None
    _add_places(out, score)
    for frame, name in score.cues:
        add(out, effect(name, frame), samples_in(frame, score.rate))
    for line in placed:
        add(out, line.spoken.samples, line.at)
    before = loudness_of(out)
    found = level(out, wanted)
    return Mixed(
        samples=out,
        gain=round(loudness_of(out) / before, 4) if before else 1.0,
        report=SoundReport(
            seconds=count / SAMPLE_RATE,
            integrated=round(found.integrated, 2),
            true_peak=found.true_peak,
            range=round(found.range, 2),
            speech_over_music=over,
            silences=silences(out),
            left_out=score.left_out,
        ),
    )


def stems(score: Score, placed: Sequence[Placed], gain: float) -> Iterator[tuple[str, Samples]]:
    """The parts of a mix, one after the other, as loud as they are in it.

    Added up, they are the mix, but for what its limiter holds down.
    """
    import numpy as np

    count = samples_in(score.frames, score.rate)
    voice = np.zeros((1, count), np.float32)
    for line in placed:
        add(voice, line.spoken.samples, line.at)
    yield "voice", _as_loud(voice, gain)
    del voice
    music = _music(score, count)
    if count:
        _duck(music, placed)
    yield "music", _as_loud(music, gain)
    del music
    air = np.zeros((2, count), np.float32)
    _add_places(air, score)
    for frame, name in score.cues:
        add(air, effect(name, frame), samples_in(frame, score.rate))
    yield "atmosphere", _as_loud(air, gain)


def _as_loud(stem: Samples, gain: float) -> Samples:
    stem *= gain
    highest = max(-float(stem.min(initial=0)), float(stem.max(initial=0)))
    if highest > 1:
        stem /= highest  # what the limiter of the mix would hold down
    return stem


def _music(score: Score, count: int) -> Samples:
    arc = [(samples_in(frame, score.rate), felt) for frame, felt in score.arc]
    return bed(score.mood, count, tempo=score.tempo, seed=score.seed, arc=arc)


def _duck(music: Samples, placed: Sequence[Placed]) -> float | None:
    """Bring music to its level, and down for voices. Returns how far it is below, at least."""
    import numpy as np

    gain = np.float32(amplitude(_MUSIC) / max(loudness_of(music), 1e-9))
    scale(music, ducking(envelope(music) * gain, placed) * gain)
    return speech_over(music, placed)


def ducking(levels: Samples, placed: Sequence[Placed]) -> Samples:
    """The gain of the music in each hop, so that speech is heard.

    Args:
        levels: of the music, per hop.
        placed: the voices.
    """
    import numpy as np

    gains = np.ones(levels.size, np.float32)
    for line in placed:
        start = line.at // HOP
        end = math.ceil((line.end + _AFTER * SAMPLE_RATE) / HOP)
        allowed = amplitude(decibels(loudness_of(line.spoken.samples)) - _AIM)
        under = levels[start:end]
        # One gain for the whole line: music that pumps with every word is worse than none.
        gain = (
            min(allowed / max(float(np.sqrt(np.square(under).mean())), 1e-9), 1)
            if under.size
            else 1
        )
        gains[start:end] = np.minimum(gains[start:end], gain)
    return held_down(gains, _AHEAD)


def speech_over(music: Samples, placed: Sequence[Placed]) -> float | None:
    """Decibels between a voice and the music under it, at the line where it is least."""
    found = [
        decibels(loudness_of(line.spoken.samples)) - decibels(loudness_of(under))
        for line in placed
        if (under := music[:, line.at : line.end]).size
    ]
    return round(min(found), 1) if found else None


def _add_places(out: Samples, score: Score) -> None:
    """The sound of each place, crossing over half a second into the next."""
    count, half = out.shape[-1], int(_CROSS * SAMPLE_RATE / 2)
    starts = [samples_in(frame, score.rate) for frame, _ in score.places]
    ends = [*starts[1:], count]
    heard: dict[str, list[tuple[int, int]]] = {}
    for (_, place), start, end in zip(score.places, starts, ends, strict=True):
        heard.setdefault(place, []).append((max(start - half, 0), min(end + half, count)))
    # Place by place, wherever it is heard: so there is never more than one loop, and each once.
    for place, spans in heard.items():
        longest = max(last - first for first, last in spans)
        length = BRIEF if longest <= BRIEF else LOOP
        for first, last in spans:
            if last > first:
                _add_loop(out[:, first:last], ambience(place, length), first)


def _add_loop(onto: Samples, loop: Samples, at: int) -> None:
    """A loop as it is at this moment of the film, with a soft beginning and end."""
    import numpy as np

    count, length = onto.shape[-1], loop.shape[-1]
    edge = min(int(_CROSS * SAMPLE_RATE), count // 2)
    rise = faded(np.ones(edge, np.float32), _CROSS, 0)
    for start, curve in ((0, rise), (count - edge, rise[::-1])):
        places = np.arange(at + start, at + start + edge)
        onto[:, start : start + edge] += loop.take(places, axis=1, mode="wrap") * curve
    done = edge
    while done < count - edge:
        place = (at + done) % length
        part = loop[:, place : place + count - edge - done]
        add(onto, part, done)
        done += part.shape[-1]
