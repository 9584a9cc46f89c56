"""The words of a beat onto its shots: word for word, cut where a speaker would breathe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base.clauses import clauses
from callsheet_studio.base.speech import speech_frames

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.script import Words

_CUE = re.compile(r"(?P<name>[^:\n]{1,40}):[ \t]+(?P<words>\S.*)\Z")
_ASIDE = re.compile(r"\s*\([^)]*\)")
_MANNER = re.compile(r"\A\s*\([^)]*\)")
_OFF = re.compile(r"\((?:V\.?O\.?|O\.?S\.?|O\.?C\.?|OFF)\)", re.IGNORECASE)


class Piece(msgspec.Struct, frozen=True):
    """What is said in one breath. Nobody is named in a voice-over."""

    cue: str
    """`MARA`, or `MARA (V.O.)`, as the script has it."""
    text: str

    @property
    def name(self) -> str:
        """Who says it."""
        return _ASIDE.sub("", self.cue).strip()

    @property
    def seen(self) -> bool:
        """Whether whoever says it is in the picture."""
        return bool(self.cue) and not _OFF.search(self.cue)


def lines(dialogue: str | None) -> tuple[Piece, ...]:
    """The lines of a dialogue, each with who says it."""
    found: list[Piece] = []
    for line in (dialogue or "").splitlines():
        cue = _CUE.match(line.strip())
        if cue and _ASIDE.sub("", cue["name"]).isupper():
            found.append(Piece(cue["name"].strip(), cue["words"]))
        elif line.strip():
            found.append(Piece(found[-1].cue if found else "", line.strip()))
    return tuple(found)


def heard(line: str) -> str:
    """A line without the manner in brackets before it, which is not said aloud."""
    return _MANNER.sub("", line).strip() or line.strip()


def pieces(words: Words) -> tuple[Piece, ...]:
    """What is said in a beat, in breaths: first the voice-over, then the dialogue."""
    said = [Piece("", clause) for clause in clauses(words.voiceover or "")]
    for line in lines(words.dialogue):
        said += [Piece(line.cue or "-", clause) for clause in clauses(heard(line.text))]
    return tuple(said)


class Breath(msgspec.Struct, frozen=True):
    """A piece and its time in the beat, in frames."""

    piece: Piece
    start: int
    end: int


def breaths(words: Words, frames: int, rate: Rate, wpm: int, language: str) -> tuple[Breath, ...]:
    """When each piece is said. What is too long for the beat is hurried, evenly."""
    said = pieces(words)
    lengths = [speech_frames(piece.text, rate, wpm, language) for piece in said]
    total = sum(lengths)
    scale = (frames, total) if total > frames else (1, 1)
    found, place = [], 0
    for piece, length in zip(said, lengths, strict=True):
        start, place = place, place + length
        found.append(Breath(piece, start * scale[0] // scale[1], place * scale[0] // scale[1]))
    return tuple(found)


class Said(msgspec.Struct, frozen=True):
    """What is said in one shot."""

    dialogue: str | None = None
    voiceover: str | None = None
    speakers: tuple[str, ...] = ()
    """Who is heard and would be seen."""


def when_seen(said: Sequence[Breath], seen: Mapping[str, int], frames: int) -> tuple[Breath, ...]:
    """The same, with each line begun when its speaker is seen, as far as there is time."""
    left = frames - said[-1].end if said else 0
    pause, found = 0, []
    for breath in said:
        wanted = seen.get(breath.piece.name, 0) if breath.piece.seen else 0
        wait = max(min(wanted - breath.start - pause, left), 0)
        pause, left = pause + wait, left - wait
        found.append(Breath(breath.piece, breath.start + pause, breath.end + pause))
    return tuple(found)


def onto_shots(said: Sequence[Breath], ends: Sequence[int]) -> tuple[Said, ...]:
    """What is said in each shot; a piece belongs to the one that most of it is heard in."""
    rows: list[list[Piece]] = [[] for _ in ends]
    shot = 0
    for breath in said:
        middle = (breath.start + breath.end) // 2
        while shot < len(ends) - 1 and middle >= ends[shot]:
            shot += 1
        rows[shot].append(breath.piece)
    return tuple(_said(row) for row in rows)


def _said(row: list[Piece]) -> Said:
    voiceover = " ".join(piece.text for piece in row if not piece.cue)
    spoken: list[Piece] = []
    for piece in row:
        if not piece.cue:
            continue
        if spoken and spoken[-1].cue == piece.cue:
            spoken[-1] = Piece(piece.cue, f"{spoken[-1].text} {piece.text}")
        else:
            spoken.append(piece)
    dialogue = "\n".join(p.text if p.cue == "-" else f"{p.cue}: {p.text}" for p in spoken)
    names = dict.fromkeys(p.name for p in spoken if p.seen and p.cue != "-")
    return Said(dialogue or None, voiceover or None, tuple(names))


def told(dialogue: str | None, voiceover: str | None) -> tuple[tuple[str, str], ...]:
    """Every word with who says it, to compare what a beat and its shots say."""
    spoken = [(line.name, word) for line in lines(dialogue) for word in heard(line.text).split()]
    return (*(("", word) for word in (voiceover or "").split()), *spoken)
