"""How long the voices take, as it was measured: what a script is timed with.

`voices.toml` is written by `python -m callsheet_studio.sound.measuring`, which lets every voice
read lines aloud and looks at the clock. Nothing is spoken here: who plans loads no voice.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import rtoml

if TYPE_CHECKING:
    from collections.abc import Sequence

FASTEST: Final = 1.15
"""Times the ordinary tempo. Beyond it words run into each other."""
SLOWEST: Final = 0.75
"""Below it, each word stands alone."""
_MODELS = {"en": "hibari"}
"""The languages whose voice is a model, and the module that it is in."""

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_PAUSE = re.compile(r"[,;:\u2013\u2014](?=\s)")
_STOP = re.compile(r"[.!?\u2026]+(?=\s+\S)")
_VOWELS = re.compile(r"[aeiouyàáâäèéêëìíîïòóôöùúûüœæ]+")
_MUTE = {
    "en": re.compile(r"(?<![aeiouy])(?<![tdsxzcgl])e[sd]?\Z|(?<=[tdsxzcg])e\Z"),
    "fr": re.compile(r"(?<![aeiouyéè])es?\Z"),
}
"""Endings that are written and not said."""


def is_loaded(language: str) -> bool:
    """Whether its voice takes long to load; the others are programs, started for each line.

    A model that is not installed is not loaded: a program speaks its language then.
    """
    module = _MODELS.get(language.strip()[:2].lower())
    return module is not None and _is_installed(module)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # somebody has put it out of use
        return False


class Sounds(NamedTuple):
    """What there is to say in a text. Each takes its time."""

    syllables: int
    letters: int
    words: int
    others: int
    """Words that are not written as such: of numbers, prices, addresses."""
    pauses: int
    """At commas and colons."""
    stops: int
    """Between sentences."""
    lines: int = 1
    """What beginning and ending takes, however short a line is."""


class Measured(msgspec.Struct, frozen=True):
    """A voice, as it was measured."""

    words_per_minute: int
    """Of text that runs on, at its own tempo."""
    seconds: Sounds
    """What each takes, in thousandths of a second."""
    tempos: tuple[tuple[float, float], ...]
    """The tempo that the voice was told, and the one that was heard."""

    def takes(self, sounds: Sounds) -> int:
        """Thousandths of a second that it takes at the voice's own tempo."""
        return sum(count * each for count, each in zip(sounds, self.seconds, strict=True))

    @property
    def joint(self) -> int:
        """What a sentence more takes beside its own time, in thousandths of a second."""
        return max(self.seconds.stops - self.seconds.lines, 0)

    def tempo(self, pace: int) -> float:
        """The tempo nearest to a pace that still sounds natural; 1 is the voice's own."""
        return min(max(pace / self.words_per_minute, SLOWEST), FASTEST)

    def nearest(self, pace: int) -> int:
        """The words per minute that it really speaks when it is asked for a pace."""
        return round(self.words_per_minute * self.tempo(pace))

    def told(self, tempo: float) -> float:
        """What the voice must be told, so that a tempo is heard."""
        for (low, heard), (high, sooner) in pairwise(self.tempos):
            if tempo <= sooner:
                share = max(tempo - heard, 0.0) / (sooner - heard)
                return round(low + (high - low) * share, 3)
        return self.tempos[-1][0]


def sounds_of(text: str, language: str, others: int = 0) -> Sounds:
    """What there is to say in a text.

    Args:
        text: as it is written.
        language: as `en` or `de-AT`.
        others: how many words it is spoken with beside those that are written.
    """
    words = written_words(text)
    mute = _MUTE.get(language[:2].lower())
    return Sounds(
        syllables=sum(_syllables(word.lower(), mute) for word in words),
        letters=sum(map(len, words)),
        words=len(words),
        others=others,
        pauses=len(_PAUSE.findall(text)),
        stops=len(_STOP.findall(text)),
    )


def written_words(text: str) -> Sequence[str]:
    """Its words of letters."""
    return _WORD.findall(text)


def _syllables(word: str, mute: re.Pattern[str] | None) -> int:
    found = len(_VOWELS.findall(word))
    if found > 1 and mute is not None and mute.search(word):
        found -= 1
    return max(found, 1)


@lru_cache(maxsize=16)
def measured(language: str) -> Measured | None:
    """The voice of a language; None if none was measured."""
    found = voices().get(language.strip()[:2].lower())
    if found is None:
        return None
    return Measured(
        words_per_minute=found["words_per_minute"],
        seconds=Sounds(**found["milliseconds"]),
        tempos=tuple((told, heard) for told, heard in found["tempos"]),
    )


@cache
def voices() -> dict[str, dict[str, Any]]:
    """All that was measured, by language."""
    return rtoml.loads(files("callsheet_studio.base").joinpath("voices.toml").read_text("utf-8"))
