"""Rules of time: beats tile the film, have a fair length, and what is said in them fits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.base.speech import (
    LIMIT,
    SLACK,
    load,
    speech_frames,
    spoken_words,
    words_that_fit,
)
from callsheet_studio.model.base import Violation
from callsheet_studio.script.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script, Words

LEAST, MOST = 5, 10
"""Seconds of a beat."""
_LEAST_HOOK = 3
_LEAST_SECTION = 1
_LEAST_TEXT = 3
"""Seconds that somebody needs to read a line."""


def check_time(script: Script, brief: Brief) -> Iterator[Violation]:
    """Every violation of time."""
    yield from _clock(script, brief)
    yield from _tiling(script)
    yield from _order(script)
    for beat in script.beats:
        yield from _length(beat, script)
        yield from speech_overrun(beat.script, beat, script)
    yield from _reading(script)


def _clock(script: Script, brief: Brief) -> Iterator[Violation]:
    if script.rate != brief.rate:
        yield Violation(
            rule="same-rate",
            where="",
            message=f"The script counts {script.rate} frames a second, the brief {brief.rate}.",
            fix=f"Set fps to {brief.rate.to_json()} and count the beats anew.",
        )
    elif script.frames != brief.frames:
        yield Violation(
            rule="total-length",
            where="",
            message=f"The script is {script.frames} frames long, the brief says {brief.frames}.",
            fix=f"Set frames to {brief.frames} and let the last beat end there.",
        )
    if not 0 < script.words_per_minute <= LIMIT:
        yield Violation(
            rule="pace",
            where="",
            message=f"{script.words_per_minute} words per minute cannot be followed.",
            fix=f"Set words_per_minute to something from 1 to {LIMIT}.",
        )


def _tiling(script: Script) -> Iterator[Violation]:
    last = 0
    for beat in script.beats:
        if beat.start > last:
            yield _gap(beat.id, last, beat.start, f"Start it at {last}.")
        elif beat.start < last:
            yield Violation(
                rule="overlap",
                where=beat.id,
                message=f"It starts at {beat.start}, {last - beat.start} frames too early.",
                fix=f"Start it at {last}, where the beat before it ends.",
            )
        if beat.frames <= 0:
            yield Violation(
                rule="no-length",
                where=beat.id,
                message=f"It starts at {beat.start} and ends at {beat.end}.",
                fix="Let it end after it starts, or leave it out.",
            )
        last = beat.end
    if not script.beats:
        yield Violation(
            rule="no-beats", where="", message="There are no beats.", fix="Write at least one."
        )
    elif last < script.frames:
        yield _gap(script.beats[-1].id, last, script.frames, f"Let it end at {script.frames}.")
    elif last > script.frames:
        yield Violation(
            rule="overlap",
            where=script.beats[-1].id,
            message=f"It ends at {last}, {last - script.frames} frames after the film.",
            fix=f"Let it end at {script.frames}.",
        )


def _gap(where: str, start: int, end: int, fix: str) -> Violation:
    message = f"Nothing is there from frame {start} to {end}."
    return Violation(rule="gap", where=where, message=message, fix=fix)


def _order(script: Script) -> Iterator[Violation]:
    seen: set[str] = set()
    scene, place = 0, 0
    for number, beat in enumerate(script.beats, start=1):
        if beat.scene == scene:
            place += 1
        else:
            scene, place = scene + 1, 1
        wanted = f"{scene}.{place}"
        if beat.id in seen:
            yield Violation(
                rule="id-unique",
                where=beat.id,
                message=f"Another beat has the id {beat.id} already.",
                fix=f"Give it the id {wanted}.",
            )
        elif (beat.scene, beat.id, beat.order) != (scene, wanted, number):
            yield Violation(
                rule="id-order",
                where=beat.id,
                message=f"It has scene {beat.scene}, id {beat.id} and order {beat.order}.",
                fix=f"Give it scene {scene}, id {wanted} and order {number}.",
            )
        seen.add(beat.id)
        scene = beat.scene


def _length(beat: Beat, script: Script) -> Iterator[Violation]:
    rate = script.rate
    least = min(math.ceil(_least_seconds(beat, script) * rate.fps), script.frames)
    most = math.floor(MOST * rate.fps)
    if 0 < beat.frames < least:
        change = f"Make it {least - beat.frames} frames longer, or merge it with a neighbour."
    elif beat.frames > most:
        change = f"Make it {beat.frames - most} frames shorter, or cut it in two."
    else:
        return
    yield Violation(
        rule="beat-length",
        where=beat.id,
        message=f"It takes {rate.seconds(beat.frames):.2f} s; "
        f"{rate.seconds(least):.0f} to {MOST} s are right.",
        fix=change,
    )


def _least_seconds(beat: Beat, script: Script) -> int:
    if script.structure in {"ad", "own"}:
        return _LEAST_SECTION
    is_hook = "hook" in (beat.function.part, *beat.function.parts)
    return _LEAST_HOOK if is_hook and beat is script.beats[0] else LEAST


def speech_overrun(words: Words, beat: Beat, script: Script) -> Iterator[Violation]:
    """What is said in a beat takes longer than the beat, if it does: with three ways to mend it."""
    text, rate, wpm = spoken(words), script.rate, max(script.words_per_minute, 1)
    needed = speech_frames(text, rate, wpm, script.language)
    if needed <= beat.frames or beat.frames <= 0:
        return
    count = spoken_words(text, script.language)
    weight = load(text, script.language)
    over = weight - words_that_fit(beat.frames, rate, wpm)
    faster = math.ceil(weight * 60 * rate.fps * SLACK / beat.frames)
    speed = f", or speak at {faster} words per minute" if faster <= LIMIT else ""
    yield Violation(
        rule="speech-fits",
        where=beat.id,
        message=f"{count} spoken words take {needed} frames at {wpm} words per minute; "
        f"the beat has {beat.frames}.",
        fix=f"Shorten it by {over} word{'s' if over > 1 else ''}, or make the beat "
        f"{needed - beat.frames} frames longer{speed}.",
    )


def _reading(script: Script) -> Iterator[Violation]:
    """A text is on screen as long as beats in a row show it."""
    least = min(math.ceil(_LEAST_TEXT * script.rate.fps), script.frames)
    run: list[Beat] = []
    for beat in (*script.beats, None):
        text = beat.script.on_screen_text if beat else None
        if run and text != run[0].script.on_screen_text:
            shown = sum(each.frames for each in run)
            if 0 < shown < least:
                yield Violation(
                    rule="text-time",
                    where=run[0].id,
                    message=f"Its text is on screen for {shown} frames; {least} are needed.",
                    fix="Make the beat longer, show the text in the next beat too, or drop it.",
                )
            run = []
        if beat and text:
            run.append(beat)
