"""When each phrase and word of a line is heard, estimated from the voice's own pauses."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base.clauses import clauses
from callsheet_studio.sound.samples import HOP, SAMPLE_RATE, envelope, level_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.sound.samples import Samples

_PAUSE = 7
"""Hops of quiet that a speaker makes on purpose: 70 ms."""
_FLOOR = 0.06
"""Of the loud parts: what is below is quiet."""
_REACH = 0.6
"""Seconds that a pause may be from where its comma was expected."""
_STOPS = ",.;:!?\u2026\u2013\u2014"


class Heard(msgspec.Struct, frozen=True):
    """Some words and when they are heard, in seconds from the beginning of the line."""

    text: str
    start: float
    end: float

    def later(self, seconds: float) -> Heard:
        """The same, so much later."""
        return Heard(self.text, self.start + seconds, self.end + seconds)

    def at_tempo(self, tempo: float) -> Heard:
        """The same, said so much faster."""
        return Heard(self.text, self.start / tempo, self.end / tempo)


def phrases_of(text: str, signal: Samples) -> tuple[Heard, ...]:
    """The phrases of a text, as captions cut it, each with when it is heard.

    Args:
        text: as it is written.
        signal: the voice, without silence at its ends.
    """
    written = clauses(text)
    seconds = signal.size / SAMPLE_RATE
    if not written or not signal.size:
        return ()
    if len(written) == 1:
        return (Heard(text, 0.0, seconds),)
    weights = [_weight(clause) for clause in written]
    pauses = pauses_in(signal)
    edges, done = [(0.0, 0.0)], 0.0
    for clause, weight in zip(written[:-1], weights[:-1], strict=True):
        done += weight
        expected = seconds * done / sum(weights)
        edges.append(_nearest(pauses, expected, edges[-1][1], stops=clause[-1] in _STOPS))
    edges.append((seconds, seconds))
    return tuple(
        Heard(clause, before[1], max(after[0], before[1]))
        for clause, (before, after) in zip(written, pairwise(edges), strict=True)
    )


def words_of(phrase: Heard) -> tuple[Heard, ...]:
    """The words of a phrase: each as long as its letters."""
    words = phrase.text.split()
    weights = [_weight(word) for word in words]
    whole, done, found = sum(weights) or 1.0, 0.0, []
    length = phrase.end - phrase.start
    for word, weight in zip(words, weights, strict=True):
        start, done = phrase.start + length * done / whole, done + weight
        found.append(Heard(word, start, phrase.start + length * done / whole))
    return tuple(found)


def pauses_in(signal: Samples) -> tuple[tuple[float, float], ...]:
    """Where the voice pauses: start and end of each, in seconds."""
    import numpy as np

    levels = envelope(signal)
    if not levels.size:
        return ()
    quiet = levels < level_of(levels, 0.9) * _FLOOR
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(np.int8)))
    return tuple(
        (float(start * HOP / SAMPLE_RATE), float(end * HOP / SAMPLE_RATE))
        for start, end in edges.reshape(-1, 2)
        if end - start >= _PAUSE
    )


def _nearest(
    pauses: Sequence[tuple[float, float]], expected: float, after: float, *, stops: bool
) -> tuple[float, float]:
    expected = max(expected, after)
    near = [
        pause for pause in pauses if pause[0] > after and abs(sum(pause) / 2 - expected) < _REACH
    ]
    if not near or not stops:
        return (expected, expected)
    return min(near, key=lambda pause: (abs(sum(pause) / 2 - expected), pause[0] - pause[1]))


def _weight(text: str) -> float:
    """About how long it takes to say: letters, figures in words, and a breath at a stop."""
    letters = sum(character.isalpha() for character in text)
    figures = sum(character.isdigit() for character in text)
    breath = 3.0 if text[-1:] in _STOPS else 0.0
    return max(letters + 4.0 * figures + breath, 1.0)
