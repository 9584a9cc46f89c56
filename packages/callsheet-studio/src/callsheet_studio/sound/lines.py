"""The lines of a script, and when in the film each is spoken."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from callsheet_studio.base.speech import pace
from callsheet_studio.base.voices import FASTEST
from callsheet_studio.model.base import Violation
from callsheet_studio.shots.cast import cast_of
from callsheet_studio.shots.spoken import heard, lines
from callsheet_studio.sound.samples import SAMPLE_RATE, samples_in
from callsheet_studio.sound.tongues import tongues
from callsheet_studio.sound.voice import Spoken, cast, hurried, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import Shot
    from callsheet_studio.sound.timing import Heard
    from callsheet_studio.sound.voice import Voice

RULES: Final = {
    "voice-fits": "a line can be said while its beat is seen",
    "voice-heard": "a line has a sound",
    "voice-exists": "a voice speaks the language of the script",
}
_LEAD = 0.3
"""Seconds between a cut and the first word, if there is time."""
_BREATH = 0.3
_LEAST = 0.08
"""Seconds before a line and after it, however little time there is."""


class Line(msgspec.Struct, frozen=True):
    """What somebody says in a beat. Times are frames of the film."""

    beat: str
    speaker: str
    """Empty for the narrator."""
    text: str
    start: int
    """Where the beat starts; so does `end`."""
    end: int
    begins: int = 0
    """Where the shot begins that shows who says it."""


class Placed(msgspec.Struct, frozen=True, eq=False):
    """A spoken line and the sample at which it begins."""

    line: Line
    spoken: Spoken
    at: int

    @property
    def end(self) -> int:
        """The sample after its last."""
        return self.at + int(self.spoken.samples.size)

    @property
    def phrases(self) -> tuple[Heard, ...]:
        """Its phrases, in seconds of the film: what captions follow."""
        return tuple(phrase.later(self.at / SAMPLE_RATE) for phrase in self.spoken.phrases)


def lines_of(script: Script) -> tuple[Line, ...]:
    """All lines, in the order they are said: in a beat the narrator first."""
    found = []
    for beat in script.beats:
        said = [("", beat.script.voiceover.strip())] if beat.script.voiceover else []
        said += [(piece.name, heard(piece.text)) for piece in lines(beat.script.dialogue)]
        found += [Line(beat.id, who, text, beat.start, beat.end) for who, text in said if text]
    return tuple(found)


def heard_lines(script: Script) -> tuple[Line, ...]:
    """The lines that are spoken: all, or none if no voice speaks the script's language."""
    return lines_of(script) if _is_spoken(script) else ()


def on_shots(said: Sequence[Line], shots: Sequence[Shot]) -> tuple[Line, ...]:
    """Lines that do not begin before the shot that the list has them in."""
    found, place = [], 0
    for line in said:
        names = [{piece.name for piece in lines(shot.dialogue)} for shot in shots[place:]]
        at = next((n for n, each in enumerate(names, place) if line.speaker in each), None)
        if line.speaker and at is not None and shots[at].beat == line.beat:
            place = at
            found.append(replace(line, begins=shots[at].start))
        else:
            found.append(line)
    return tuple(found)


def check_voice(script: Script) -> tuple[Violation, ...]:
    """What is wrong if there is no voice for a script: its words are read, and not heard."""
    if _is_spoken(script) or not lines_of(script):
        return ()
    return (
        Violation(
            rule="voice-exists",
            where="",
            message=f"No voice speaks {script.language!r}: the words are in the captions only.",
            fix="Record a voice and lay it under the film in an editor (timeline.otio), or write "
            f"the script in one of {', '.join(tongues())}.",
        ),
    )


def _is_spoken(script: Script) -> bool:
    return script.language.strip()[:2].lower() in tongues()


def voices_for(script: Script) -> dict[str, Voice]:
    """Who speaks with which voice: one that goes with how they are drawn."""
    seen = cast_of(script, "")
    seen_as = {line.speaker: seen.called(line.speaker) for line in lines_of(script)}
    # Whoever is called by two names has one voice.
    first: dict[str, str] = {}
    one = {name: first.setdefault(figure or name, name) for name, figure in seen_as.items()}
    looks = {name: seen.look(figure) for name, figure in seen_as.items() if figure}
    voices = cast(one.values(), looks)
    return {name: voices[same] for name, same in one.items()}


def speak(
    line: Line,
    language: str,
    voices: Mapping[str, Voice],
    *,
    tone: str = "",
    hints: Mapping[str, str] | None = None,
) -> Spoken:
    """A line in the voice of its speaker, at the pace of the tone."""
    wanted = pace(tone, language) if tone else None
    return say(line.text, language, voices[line.speaker], pace=wanted, hints=hints)


def place(
    said: Sequence[tuple[Line, Spoken]], rate: Rate
) -> tuple[tuple[Placed, ...], tuple[Violation, ...]]:
    """When each line begins, and what does not fit.

    Lines of a beat follow each other, with a breath between. If they are too long together they
    are hurried, up to the limit. No word is ever cut: what is still too long reaches into the
    next beat, and is reported.
    """
    found: list[Placed] = []
    wrong: list[Violation] = []
    silent = [line for line, spoken in said if not spoken.samples.size]
    wrong += [_unheard(line) for line in silent]
    heard = [pair for pair in said if pair[1].samples.size]
    for _, group in groupby(heard, key=lambda pair: pair[0].beat):
        beat = list(group)
        free = found[-1].end if found else 0
        found += _in_beat(beat, rate, free)
        start, end = (samples_in(edge, rate) for edge in (beat[0][0].start, beat[0][0].end))
        late = found[-1].end - end
        if late > 0:
            wrong.append(_too_long(beat, found[-1], late, end - start, rate))
    return tuple(found), tuple(wrong)


def _in_beat(beat: Sequence[tuple[Line, Spoken]], rate: Rate, free: int) -> list[Placed]:
    start, end = (
        samples_in(edge, rate) / SAMPLE_RATE for edge in (beat[0][0].start, beat[0][0].end)
    )
    start = max(start, free / SAMPLE_RATE + (_LEAST if free else 0))
    needed = sum(spoken.seconds for _, spoken in beat)
    pauses = len(beat) + 1
    slack = end - start - needed
    if slack >= pauses * _LEAST:
        lead = min(_LEAD, slack / pauses)
        breath = min(_BREATH, slack / pauses)
    else:
        lead = breath = _LEAST
        room = max(end - start - pauses * _LEAST, 0.01)
        beat = [(line, hurried(spoken, spoken.seconds * room / needed)) for line, spoken in beat]
    found, at = [], start + lead
    for number, (line, spoken) in enumerate(beat):
        coming = sum(each.seconds + _LEAST for _, each in beat[number:])
        # Not before who says it is seen, as far as there is time.
        seen = samples_in(line.begins, rate) / SAMPLE_RATE
        at = max(at, min(seen, end - coming))
        found.append(Placed(line, spoken, round(at * SAMPLE_RATE)))
        at += spoken.seconds + breath
    return found


def _too_long(
    beat: Sequence[tuple[Line, Spoken]], last: Placed, late: int, room: int, rate: Rate
) -> Violation:
    seconds = late / SAMPLE_RATE
    words = sum(spoken.words for _, spoken in beat)
    fewer = max(round(words * late / (room + late) + 0.5), 1)
    frames = -(-late * rate.fps.numerator // (SAMPLE_RATE * rate.fps.denominator))
    hurry = round((FASTEST - 1) * 100)
    return Violation(
        rule="voice-fits",
        where=last.line.beat,
        message=f"{last.line.text!r} is still {seconds:.1f} s too long when hurried by {hurry} %.",
        fix=f"Shorten it by {fewer} word{'s'[: fewer > 1]}, or give the beat {frames} frames more.",
    )


def _unheard(line: Line) -> Violation:
    return Violation(
        rule="voice-heard",
        where=line.beat,
        message=f"There is nothing in {line.text!r} that the voice can say.",
        fix="Write it in letters of the script's language.",
    )
