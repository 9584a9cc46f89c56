"""What timelines are made of: a planned edit as it goes out, and a cut as it comes back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import msgspec

from callsheet_studio.documents.words import in_words, lines, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Shot, ShotList

Transition = Literal["cut", "dissolve", "fade_in", "fade_out"]
TRANSITIONS: tuple[Transition, ...] = ("cut", "dissolve", "fade_in", "fade_out")
STEMS = {
    "Voice": "stems/voice.wav",
    "Music": "stems/music.wav",
    "Atmosphere": "stems/atmosphere.wav",
}
"""The sound that a film is delivered with, by the name of its track."""
OURS = "callsheet"
"""The name under which our metadata stand."""
LARGEST = 10_000_000
"""Characters of a cut that comes back."""
MOST_EVENTS = 10_000
"""Of a cut: a feature film has some two thousand."""
_MEDIA = re.compile(r"\.(mp4|mov|mxf|mkv|webm|avi|png|jpe?g|tiff?|exr)\Z", re.IGNORECASE)

# What comes back


class Piece(msgspec.Struct, frozen=True):
    """A shot as it is cut."""

    shot: str
    """Its id."""
    frames: int
    transition: Transition | None = "cut"
    """Into it; `fade_out` is at its end. None is a cut that may be a fade from or to black."""


class Cut(msgspec.Struct, frozen=True):
    """Shots in their order, with nothing between them."""

    rate: Rate
    pieces: tuple[Piece, ...]

    @property
    def frames(self) -> int:
        """How long it is."""
        return sum(piece.frames for piece in self.pieces)


def shot_named(name: str) -> str:
    """The shot that a clip's name stands for: editors call clips after their files."""
    return _MEDIA.sub("", one_line(name).replace("\\", "/").rpartition("/")[2])


# What goes out


class Clip(msgspec.Struct, frozen=True):
    """A shot in the planned edit."""

    shot: str
    start: int
    frames: int
    transition: Transition
    over: int
    """How many frames the transition takes: the first of the clip, of a fade-out the last."""
    media: str | None
    """Where its picture is, as a relative URL; None until there is one."""
    notes: Mapping[str, str]
    """Beat, size, action and words, for whoever edits."""

    @property
    def end(self) -> int:
        """Where the next one starts."""
        return self.start + self.frames


class Note(msgspec.Struct, frozen=True):
    """A stretch of the film with some words to it: a beat, or what is said in it."""

    name: str
    start: int
    frames: int
    text: str


class Edit(msgspec.Struct, frozen=True):
    """The film as it is planned."""

    title: str
    rate: Rate
    size: tuple[int, int]
    frames: int
    clips: tuple[Clip, ...]
    beats: tuple[Note, ...]
    voices: tuple[Note, ...]
    """What is spoken, beat by beat; beats without words are left out."""
    stems: Mapping[str, str] = {}
    """Where the sound is, by track, as relative URLs; none until there is a film."""


def planned(
    shots: ShotList,
    script: Script,
    brief: Brief,
    media: Mapping[str, str] | None = None,
    stems: Mapping[str, str] | None = None,
) -> Edit:
    """The edit that a shot list stands for, with the media that there are, by shot and track."""
    width, _, height = brief.delivery.resolution.lower().partition("x")
    found = media or {}
    places = range(len(shots.shots))
    return Edit(
        title=one_line(shots.title),
        rate=shots.rate,
        size=(int(width), int(height)),
        frames=shots.frames,
        clips=tuple(_clip(shots, place, found) for place in places),
        beats=tuple(_beat(beat) for beat in script.beats),
        voices=tuple(_voice(beat) for beat in script.beats if _words(beat)),
        stems=stems or {},
    )


def _clip(shots: ShotList, place: int, media: Mapping[str, str]) -> Clip:
    shot = shots.shots[place]
    kind = _transition(shot, place, len(shots.shots))
    before = shots.shots[place - 1].frames if kind == "dissolve" else shot.frames
    # Half a second; and never so long that nothing is left of a shot but its transition.
    over = min(shots.rate.base // 2, shot.frames // 2, before // 2)
    return Clip(
        shot=shot.id,
        start=shot.start,
        frames=shot.frames,
        transition=kind if over else "cut",
        over=over if kind != "cut" else 0,
        media=quote(media[shot.id]) if shot.id in media else None,
        notes=_notes(shot),
    )


def _transition(shot: Shot, place: int, count: int) -> Transition:
    """The one that can be where the shot is: what cannot is a cut."""
    possible = {
        "dissolve": place > 0,
        "fade_in": place == 0,
        "fade_out": place == count - 1,
    }
    for each in TRANSITIONS:
        if each == shot.transition and possible.get(each):
            return each
    return "cut"


def _notes(shot: Shot) -> dict[str, str]:
    found = {
        "beat": shot.beat,
        "size": shot.size,
        "movement": in_words(f"{shot.movement.kind} {shot.movement.direction}"),
        "action": one_line(shot.action),
        "voiceover": one_line(shot.voiceover),
        "dialogue": " / ".join(lines(shot.dialogue)),
        "text": " / ".join(lines(shot.on_screen_text)),
    }
    return {name: value for name, value in found.items() if value}


def _beat(beat: Beat) -> Note:
    return Note(one_line(beat.id), beat.start, beat.frames, one_line(beat.question))


def _words(beat: Beat) -> str:
    return " / ".join([*lines(beat.script.voiceover), *lines(beat.script.dialogue)])


def _voice(beat: Beat) -> Note:
    return Note(f"VO {one_line(beat.id)}", beat.start, beat.frames, _words(beat))
