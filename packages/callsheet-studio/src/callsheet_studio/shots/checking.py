"""Whether a shot list can be made: it tiles the script, says its words, and lacks nothing."""

from __future__ import annotations

import re
from itertools import count, groupby
from typing import TYPE_CHECKING

from callsheet_studio.library import compositions, lenses, movements, presets
from callsheet_studio.model.base import Violation
from callsheet_studio.shots.cutting import LEAST, MOST, limits
from callsheet_studio.shots.reading import SECONDS, frames_to_read
from callsheet_studio.shots.spoken import told
from callsheet_studio.shots.writing import letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Shot, ShotList


def check_shots(shots: ShotList, script: Script) -> tuple[Violation, ...]:
    """Everything that is wrong with a shot list as such, each with its shot or beat and a fix."""
    listed = shots.shots
    return (
        *_clock(shots, script),
        *_tiles(listed, script),
        *_names(listed),
        *_lengths(listed, shots),
        *_words(listed, script),
        *_reading(listed, script),
        *_filled(listed),
        *_known(listed),
    )


def _clock(shots: ShotList, script: Script) -> Iterator[Violation]:
    if shots.fps != script.fps or shots.frames != script.frames:
        yield Violation(
            rule="length",
            where="",
            message=(
                f"The list has {shots.frames} frames at {shots.fps}, the script "
                f"{script.frames} at {script.fps}."
            ),
            fix="Plan the shots again, or give both the same length.",
        )


def _tiles(shots: Sequence[Shot], script: Script) -> Iterator[Violation]:
    by_beat = {beat: tuple(group) for beat, group in groupby(shots, key=lambda shot: shot.beat)}
    for beat in script.beats:
        own = by_beat.pop(beat.id, ())
        if not own:
            yield _tile(beat.id, f"beat {beat.id} has no shot", "Add one.")
        place = beat.start
        for shot in own:
            if shot.start != place:
                says = f"{shot.id} begins at frame {shot.start}, not at {place}"
                yield _tile(shot.id, says, f"Let it begin at {place}.")
            place = shot.end
        if own and place != beat.end:
            says = f"{own[-1].id} ends at frame {place}, its beat {beat.id} at {beat.end}"
            yield _tile(own[-1].id, says, f"Let it end at {beat.end}.")
    for unknown, group in by_beat.items():
        says = f"{group[0].id} belongs to beat {unknown}, which the script does not have"
        yield _tile(group[0].id, says, "Give it a beat of the script.")


def _tile(where: str, says: str, fix: str) -> Violation:
    return Violation(rule="tiling", where=where, message=f"{says[0].upper()}{says[1:]}.", fix=fix)


def _names(shots: Sequence[Shot]) -> Iterator[Violation]:
    """Scene and letter, each once. Who recuts a film keeps its names: letters may be left out."""
    taken: set[str] = set()
    for order, shot in enumerate(shots, start=1):
        lettered = re.fullmatch(rf"{shot.scene}[A-Z]+", shot.id)
        if lettered is None or shot.id in taken or shot.order != order:
            name = shot.id
            if lettered is None or shot.id in taken:
                name = _free(shot.scene, {*taken, *(each.id for each in shots)})
            yield Violation(
                rule="numbering",
                where=shot.id,
                message=f"Shot {order} is {shot.id}, number {shot.order}.",
                fix=f"Call it {name}, number {order}.",
            )
        taken.add(shot.id)


def _free(scene: int, taken: set[str]) -> str:
    names = (f"{scene}{letters(number)}" for number in count())
    return next(name for name in names if name not in taken)


def _lengths(shots: Sequence[Shot], all_: ShotList) -> Iterator[Violation]:
    fewest, most = limits(all_.rate)
    for shot in shots:
        if not fewest <= shot.frames <= most:
            seconds = f"{all_.rate.seconds(shot.frames):.2f} s"
            yield Violation(
                rule="shot-length",
                where=shot.id,
                message=f"{shot.id} is {seconds} long; a shot has {LEAST} to {MOST} s.",
                fix="Cut it in two." if shot.frames > most else "Join it with its neighbour.",
            )


def _words(shots: Sequence[Shot], script: Script) -> Iterator[Violation]:
    for beat in script.beats:
        own = [shot for shot in shots if shot.beat == beat.id]
        dialogue = "\n".join(shot.dialogue for shot in own if shot.dialogue)
        voiceover = " ".join(shot.voiceover for shot in own if shot.voiceover)
        said = told(dialogue, voiceover)
        should = told(beat.script.dialogue, beat.script.voiceover)
        if said != should:
            place = _first_difference(said, should)
            yield Violation(
                rule="words",
                where=beat.id,
                message=(
                    f"The shots of beat {beat.id} do not say its words: they differ at word "
                    f"{place + 1}, {_word(said, place)} instead of {_word(should, place)}."
                ),
                fix="Say every word of the beat once, in its order.",
            )


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    pairs = zip(one, other, strict=False)
    shorter = min(len(one), len(other))
    return next((place for place, (a, b) in enumerate(pairs) if a != b), shorter)


def _word(said: Sequence[tuple[str, str]], place: int) -> str:
    return repr(said[place][1]) if place < len(said) else "nothing"


def _reading(shots: Sequence[Shot], script: Script) -> Iterator[Violation]:
    beats = {beat.id: beat for beat in script.beats}
    least = frames_to_read(script.rate)
    for text, run in groupby(shots, key=lambda shot: shot.on_screen_text):
        group = tuple(run)
        if not text or sum(shot.frames for shot in group) >= least:
            continue
        if _whole(group, beats):
            continue  # the beat itself is too short, which the script's check says
        yield Violation(
            rule="reading-time",
            where=group[0].id,
            message=f"{text!r} stands less than {SECONDS} s.",
            fix="Let it stand on the next shot, too, or on a longer one.",
        )
    for beat in script.beats:
        text = beat.script.on_screen_text
        own = [shot for shot in shots if shot.beat == beat.id]
        if own and text and all(shot.on_screen_text != text for shot in own):
            yield Violation(
                rule="on-screen-text",
                where=beat.id,
                message=f"No shot of beat {beat.id} shows {text!r}.",
                fix="Put it on the longest of them.",
            )


def _whole(group: Sequence[Shot], beats: dict[str, Beat]) -> bool:
    beat = beats.get(group[0].beat)
    return beat is not None and sum(shot.frames for shot in group) >= beat.frames


def _filled(shots: Sequence[Shot]) -> Iterator[Violation]:
    for shot in shots:
        told_fields = {
            "subject": shot.subject,
            "action": shot.action,
            "sound": shot.sound,
            "transition": shot.transition,
            "setup": shot.setup,
            "composition.thirds": shot.composition.thirds,
            "composition.focal_point": shot.composition.focal_point,
            "composition.headroom": shot.composition.headroom,
            "composition.lead_room": shot.composition.lead_room,
            "lighting.preset": shot.lighting.preset,
            "lighting.time_of_day": shot.lighting.time_of_day,
            "lighting.mood": shot.lighting.mood,
            "lighting.key": shot.lighting.key,
            "set.place": shot.set.place,
            "set.dressing": shot.set.dressing,
            "storyboard.description": shot.storyboard.description,
            "storyboard.prompt": shot.storyboard.prompt,
        }
        empty = [name for name, value in told_fields.items() if not value.strip()]
        if empty:
            yield Violation(
                rule="metadata",
                where=shot.id,
                message=f"{shot.id} has no {', '.join(empty)}.",
                fix="Fill them.",
            )


def _known(shots: Sequence[Shot]) -> Iterator[Violation]:
    for shot in shots:
        ways = movements()[shot.movement.kind].directions
        shelves = (
            ("lighting.preset", shot.lighting.preset, tuple(presets())),
            ("lens_mm", str(shot.lens_mm), tuple(lenses())),
            ("composition.thirds", shot.composition.thirds, tuple(compositions())),
            (f"direction of {shot.movement.kind}", shot.movement.direction, ways),
        )
        for name, value, known in shelves:
            if value not in known:
                yield Violation(
                    rule="library",
                    where=shot.id,
                    message=f"{shot.id}: {value!r} is no {name} of the library.",
                    fix=f"Write one of {', '.join(way or 'none' for way in known)}.",
                )
        if shot.lip_sync and not shot.dialogue:
            yield Violation(
                rule="lip-sync",
                where=shot.id,
                message=f"{shot.id} shows somebody speak who says nothing.",
                fix="Give it a line, or take lip_sync away.",
            )
