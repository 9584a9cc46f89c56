"""What is to be heard besides words: where the film is, what happens, and how it feels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import sets
from callsheet_studio.sound.effects import find_effects
from callsheet_studio.sound.music import find_mood

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.script import Beat, Script

_EFFECTS_TO, _PLACES_TO = 17_000, 14_000
"""Hertz. What the air of a place has above is 60 dB under the voices."""


class Score(msgspec.Struct, frozen=True):
    """The sound of a film but for its voices. Times are frames."""

    frames: int
    rate: Rate
    mood: str
    tempo: int | None
    seed: int
    arc: tuple[tuple[int, float], ...]
    """From which frame on the film is how intense."""
    places: tuple[tuple[int, str], ...]
    """From which frame on it is heard which set."""
    cues: tuple[tuple[int, str], ...]
    """At which frame there is which effect."""
    left_out: tuple[str, ...]
    """Effects that were asked for and have no good sound here."""

    @property
    def highest(self) -> int:
        """Hertz up to which there is something to hear: music and voices end at 12,000."""
        return _EFFECTS_TO if self.cues else _PLACES_TO


def score_of(script: Script, *moods: str, tempo: int | None = None, seed: int = 0) -> Score:
    """The score of a script.

    Args:
        script: its beats say where it is, what is heard and how intense it is.
        moods: words for the music, the most important first, as the brief's mood and tone; after
            them the beats' own are asked.
        tempo: beats per minute; None: the mood's own.
        seed: of the music.
    """
    said = dict.fromkeys(beat.audio.music_mood for beat in script.beats)
    cues, left_out = _cues(script.beats)
    return Score(
        frames=script.frames,
        rate=script.rate,
        mood=find_mood(*moods, *said),
        tempo=tempo,
        seed=seed,
        arc=tuple((beat.start, float(beat.emotion.intensity)) for beat in script.beats),
        places=_places(script.beats),
        cues=cues,
        left_out=left_out,
    )


def _places(beats: Sequence[Beat]) -> tuple[tuple[int, str], ...]:
    """One place until another comes; a place that is not in the library is nearly silent."""
    found: list[tuple[int, str]] = []
    for beat in beats:
        where = beat.visual.location if beat.visual.location in sets() else "abstract"
        if not found or found[-1][1] != where:
            found.append((beat.start, where))
    return tuple(found)


def _cues(beats: Sequence[Beat]) -> tuple[tuple[tuple[int, str], ...], tuple[str, ...]]:
    """In a scene each effect once, on one beat after the other."""
    cues: list[tuple[int, str]] = []
    left_out: dict[str, None] = {}
    used: set[tuple[int, str]] = set()
    for beat in beats:
        known, unknown = find_effects(beat.audio.effects)
        left_out |= dict.fromkeys(unknown)
        fresh = [name for name in known if (beat.scene, name) not in used]
        if fresh:
            used.add((beat.scene, fresh[0]))
            cues.append((beat.start, fresh[0]))
    return tuple(cues), tuple(left_out)
