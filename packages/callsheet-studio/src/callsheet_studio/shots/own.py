"""Shots that the brief prescribes: kept in their order and as they are, put onto the beats."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import msgspec

from callsheet_studio.model.base import Inferred
from callsheet_studio.model.shots import Angle, Kind, Movement, Shot, Size
from callsheet_studio.shots.camera import Wish
from callsheet_studio.shots.cutting import ends_of
from callsheet_studio.shots.moves import read_movement
from callsheet_studio.shots.spoken import Said, lines, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.brief import OwnShot
    from callsheet_studio.model.script import Beat, Script

_SIZE_OF_KIND: dict[str, Size | None] = {"INSERT": "CU", "OTS": "MS", "POV": None, "TWO_SHOT": None}


class OwnBeat(msgspec.Struct, frozen=True):
    """The prescribed shots of one beat."""

    shots: tuple[OwnShot, ...]
    who: tuple[tuple[str, ...], ...]
    """Those who are seen in each."""

    def ends(self, frames: int, rate: Rate) -> tuple[int, ...]:
        """Where each shot ends: as long as it was told, as far as the beat allows."""
        told = [shot.seconds for shot in self.shots if shot.seconds]
        usual = sum(told) / len(told) if told else 1
        weights = [rate.frames(shot.seconds or usual) for shot in self.shots]
        return ends_of(frames, weights, rate, ())

    def said(self, beat: Beat) -> tuple[Said, ...] | None:
        """What each shot says, if together that is what the beat says."""
        dialogue = "\n".join(shot.dialogue for shot in self.shots if shot.dialogue)
        voiceover = " ".join(shot.voiceover for shot in self.shots if shot.voiceover)
        script = beat.script
        if told(dialogue, voiceover) != told(script.dialogue, script.voiceover):
            return None
        return tuple(_said(shot) for shot in self.shots)

    def texts(self, beat: Beat) -> tuple[str | None, ...] | None:
        """The words on each shot, if the beat's are among them."""
        found = tuple(shot.on_screen_text for shot in self.shots)
        return found if beat.script.on_screen_text in found else None


def _said(shot: OwnShot) -> Said:
    seen = dict.fromkeys(line.name for line in lines(shot.dialogue) if line.seen)
    return Said(shot.dialogue, shot.voiceover, tuple(seen))


def onto_beats(
    own: tuple[OwnShot, ...], who: Sequence[tuple[str, ...]], script: Script
) -> dict[int, OwnBeat]:
    """The shots of each beat, by its place in the script: by their words, else by their time."""
    found = _by_words(own, script.beats)
    places = found if found is not None else _by_time(own, script)
    rows = [*zip(own, who, places, strict=True)]
    return {
        beat: OwnBeat(
            tuple(shot for shot, _, place in rows if place == beat),
            tuple(names for _, names, place in rows if place == beat),
        )
        for beat in sorted(set(places))
    }


def _by_words(own: tuple[OwnShot, ...], beats: tuple[Beat, ...]) -> list[int] | None:
    places: list[int] = []
    at, hits = 0, 0
    for shot in own:
        found = next((i for i in range(at, len(beats)) if _told(shot, beats[i])), None)
        hits += found is not None
        at = at if found is None else found
        places.append(at)
    return places if hits == len(own) else None


def _told(shot: OwnShot, beat: Beat) -> bool:
    script = beat.script
    pairs = (
        (shot.action, script.action),
        (shot.voiceover, script.voiceover),
        (shot.dialogue, script.dialogue),
    )
    return any(_plain(one) and _plain(one) in _plain(other) for one, other in pairs)


def _plain(text: str | None) -> str:
    return " ".join((text or "").lower().split()).rstrip(".")


def _by_time(own: tuple[OwnShot, ...], script: Script) -> list[int]:
    """Each shot to the beat that the middle of its time falls into."""
    usual = sum(shot.seconds or 0 for shot in own) / max(sum(1 for s in own if s.seconds), 1) or 1
    lengths = [shot.seconds or usual for shot in own]
    total, place, places = sum(lengths), 0.0, list[int]()
    for length in lengths:
        middle = (place + length / 2) / total * script.frames
        last = len(script.beats) - 1
        places.append(next((i for i, b in enumerate(script.beats) if middle < b.end), last))
        place += length
    return places


def wish_of(shot: OwnShot, nearest: Size | None = None) -> Wish:
    """What a shot prescribes for the camera; how near it may be else, with people in it."""
    size = next((s for s in get_args(Size) if s == shot.size), None)
    kind: Kind | None = next((k for k in get_args(Kind) if k == shot.size), None)
    angle: Angle | None = next((a for a in get_args(Angle) if a == shot.angle), None)
    if kind is not None:
        size = _SIZE_OF_KIND[kind]
    movement: Movement | None = read_movement(shot.movement) if shot.movement else None
    return Wish(
        size=size,
        kind=kind or ("standard" if size else None),
        angle=angle,
        movement=movement,
        nearest=nearest,
    )


def inferred(own: Sequence[OwnShot | None], shots: Sequence[Shot]) -> tuple[Inferred, ...]:
    """Everything that the prescribed shots have left open, and every shot that is not theirs."""
    found = []
    for given, shot in zip(own, shots, strict=True):
        if given is None:
            why = f"no shot was given for beat {shot.beat}"
            found.append(Inferred(key=f"shots.{shot.id}", value=shot.action, why=why))
            continue
        chosen = {
            "size": shot.size,
            "angle": shot.angle,
            "movement": f"{shot.movement.kind} {shot.movement.direction}".strip(),
            "subject": shot.subject,
            "place": shot.set.place,
            "time_of_day": shot.lighting.time_of_day,
        }
        found += [
            Inferred(key=f"shots.{shot.id}.{name}", value=value, why="the shot leaves it open")
            for name, value in chosen.items()
            if getattr(given, name) is None
        ]
    return tuple(found)
