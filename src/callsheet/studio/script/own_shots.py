"""A script from the user's own shots: one beat for each, as long as the shot says."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from callsheet import InputError
from callsheet.studio.model.base import Inferred
from callsheet.studio.script.own import two_lines, with_pace
from callsheet.studio.script.own_beats import script_of
from callsheet.studio.script.own_cut import Moment
from callsheet.studio.script.own_draft import Say, even, labelled, spoken_by
from callsheet.studio.script.own_timing import Timed, fill
from callsheet.studio.script.validate_words import ends_on_call
from callsheet.studio.speech import LIMIT, SLACK, pace, speech_frames, spoken_words, words_that_fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.studio.model.brief import Brief, OwnShot
    from callsheet.studio.model.script import Beat, Script

_LEAST, _LEAST_TEXT, _WANTED, _MOST = 1, 3, 5, 10
"""Seconds of a shot: at least, with a text in it, usually, and at most."""
_ADDED = "the shots have no call to action at their end"


def own_shots_script(brief: Brief) -> Script:
    """Beats that are the brief's own shots, in the film's exact length.

    Lengths that are given are kept if they add up, and scaled if they do not; what was changed
    and what was added is listed as inferred.

    Raises:
        InputError: what is said in a shot cannot be said in its time.
    """
    shots = brief.content.shots or ()
    settings = _settings(shots)
    moments = [_moment(number, shot) for number, shot in zip(settings, shots, strict=True)]
    script = _made(moments, shots, brief)
    if ends_on_call(script, brief):
        return script
    cta = two_lines(brief.message.cta)
    room = any(shot.seconds is None for shot in shots)
    if room and len(shots) * _WANTED < brief.content.duration:
        card = Moment(settings[-1] + 1, text=cta, added=_ADDED)
        return _made([*moments, card], shots, brief)
    if not moments[-1].text:
        last = moments.pop()
        moments.append(Moment(last.setting, last.says, last.action, text=cta, text_added=_ADDED))
    return _made(moments, shots, brief)


def _moment(number: int, shot: OwnShot) -> Moment:
    says = [Say(even(shot.voiceover))] if shot.voiceover and shot.voiceover.strip() else []
    for line in (shot.dialogue or "").splitlines():
        label, aside, rest = labelled(line)
        if label and rest:
            says.append(spoken_by(label.upper(), aside, rest))
        elif even(line):
            says.append(Say(even(line), even(shot.subject or "speaker").upper()))
    return Moment(number, tuple(says), even(shot.action), (shot.on_screen_text or "").strip())


def _made(moments: Sequence[Moment], shots: Sequence[OwnShot], brief: Brief) -> Script:
    given = [shot.seconds for shot in shots] + [None] * (len(moments) - len(shots))
    usual = pace(brief.style.tone)
    frames = _lengths(moments, given, brief, usual)
    wpm = _voice(moments, frames, brief, usual)
    script = script_of(Timed(tuple(moments), frames, wpm), "", _titles(shots), brief)
    changed = _changed(script.beats, given, brief)
    script = script.model_copy(update={"inferred": (*script.inferred, *changed)})
    return with_pace(script, usual)


def _settings(shots: Sequence[OwnShot]) -> list[int]:
    """The number of each shot's setting: a shot without a place stays where the last one was."""
    found, last = list[int](), ""
    for shot in shots:
        heading = _heading(shot) or last
        found.append((found[-1] if found else 0) + (bool(found) and heading != last))
        last = heading
    return found


def _titles(shots: Sequence[OwnShot]) -> list[str]:
    """What stands over each setting."""
    titles: dict[int, str] = {}
    for number, shot in zip(_settings(shots), shots, strict=True):
        titles[number] = titles.get(number) or _heading(shot)
    return list(titles.values())


def _heading(shot: OwnShot) -> str:
    return " - ".join(filter(None, (shot.place, shot.time_of_day)))


def _lengths(
    moments: Sequence[Moment], given: Sequence[float | None], brief: Brief, wpm: int
) -> tuple[int, ...]:
    """Frames that add up: what is given, scaled if it must be, and the rest for the others."""
    rate, total = brief.rate, brief.frames
    least = [_least(moment, brief, wpm) for moment in moments]
    open_ = [n for n, seconds in enumerate(given) if seconds is None]
    fixed = sum(Fraction(str(seconds)) for seconds in given if seconds is not None) * rate.fps
    needed = sum(least[n] for n in open_)
    room = Fraction(total - needed) if open_ else Fraction(total)
    scale = Fraction(1)
    if fixed and (fixed > room or (not open_ and int(fixed + Fraction(1, 2)) != total)):
        scale = max(room, Fraction(total, 2)) / fixed
    left = total - int(fixed * scale)
    wishes = [max(least[n], math.ceil(_WANTED * rate.fps)) for n in open_]
    base = [min(least[n], left // max(len(open_), 1)) for n in open_]
    rest = fill(base, [total] * len(open_), wishes, left) if open_ else ()
    share = dict(zip(open_, rest, strict=True))
    ends, place = list[int](), Fraction(0)
    for n, seconds in enumerate(given):
        place += share[n] if seconds is None else Fraction(str(seconds)) * rate.fps * scale
        ends.append(int(place + Fraction(1, 2)))
    ends[-1] = total
    return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))


def _least(moment: Moment, brief: Brief, wpm: int) -> int:
    spoken = speech_frames(moment.speech, brief.rate, wpm, brief.content.language)
    seconds = _LEAST_TEXT if moment.text else _LEAST
    return max(spoken, math.ceil(seconds * brief.rate.fps))


def _voice(moments: Sequence[Moment], frames: Sequence[int], brief: Brief, usual: int) -> int:
    """The slowest voice from the usual one on with which every shot's words fit."""
    rate, language, needed, late = brief.rate, brief.content.language, usual, list[str]()
    for n, (moment, length) in enumerate(zip(moments, frames, strict=True), start=1):
        words = spoken_words(moment.speech, language)
        wpm = math.ceil(words * 60 * rate.fps * SLACK / max(length, 1))
        needed = max(needed, wpm)
        if wpm > LIMIT:
            seconds = math.ceil(words * 60 * SLACK / LIMIT * 10) / 10
            over = words - words_that_fit(length, rate, LIMIT)
            late.append(
                f"  content.shots[{n - 1}]: {words} spoken words need {seconds} s, it has "
                f"{rate.seconds(length):.1f} s. Take out {over} words, give it seconds: {seconds}, "
                "or say them over two shots."
            )
    if late:
        head = f"What is said does not fit its shots, even at {LIMIT} words per minute:\n"
        raise InputError(head + "\n".join(late))
    return needed


def _changed(beats: Sequence[Beat], given: Sequence[float | None], brief: Brief) -> list[Inferred]:
    """Lengths that are not the given ones, by more than rounding."""
    found = []
    for n, (beat, seconds) in enumerate(zip(beats, given, strict=True)):
        made = brief.rate.seconds(beat.frames)
        key = f"content.shots[{n}].seconds"
        if seconds is not None and abs(brief.rate.frames(seconds) - beat.frames) > 1:
            why = f"{seconds} s was given, but the shots do not add up to the film's length"
            found.append(Inferred(key=key, value=round(made, 3), why=why))
        elif seconds is None and n < len(brief.content.shots or ()):
            found.append(Inferred(key=key, value=round(made, 3), why="no length was given"))
    return found
