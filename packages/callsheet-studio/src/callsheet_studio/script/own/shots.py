"""A script from the user's own shots: one beat for each, as long as the shot says.

Only a voice that needs more time than its shot has goes on over the cut: those share a beat.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import InputError
from callsheet_studio.base.speech import (
    LIMIT,
    SLACK,
    load,
    pace,
    speech_frames,
    spoken_words,
    words_that_fit,
)
from callsheet_studio.library import acting
from callsheet_studio.model.base import Inferred
from callsheet_studio.script.own.beats import script_of
from callsheet_studio.script.own.cut import Moment
from callsheet_studio.script.own.draft import Say, even, labelled, spoken_by
from callsheet_studio.script.own.reading import two_lines, with_pace
from callsheet_studio.script.own.timing import Timed, fill
from callsheet_studio.script.rules.words import ends_on_call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief, OwnShot
    from callsheet_studio.model.script import Beat, Script

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
    language = brief.content.language
    moments = [
        _moment(number, shot, language) for number, shot in zip(settings, shots, strict=True)
    ]
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


def _moment(number: int, shot: OwnShot, language: str) -> Moment:
    says = [Say(even(shot.voiceover))] if shot.voiceover and shot.voiceover.strip() else []
    for line in (shot.dialogue or "").splitlines():
        label, aside, rest = labelled(line)
        if label and rest:
            says.append(spoken_by(label.upper(), aside, rest))
        elif even(line):
            says.append(Say(even(line), _speaker(shot, language).upper()))
    return Moment(number, tuple(says), even(shot.action), (shot.on_screen_text or "").strip())


def _speaker(shot: OwnShot, language: str) -> str:
    """Who says a line that names nobody: the subject, or who acts."""
    told = (*acting(shot.subject or "", language), *acting(shot.action, language))
    return told[0].name if told else even(shot.subject or "speaker")


def _made(moments: Sequence[Moment], shots: Sequence[OwnShot], brief: Brief) -> Script:
    given = [shot.seconds for shot in shots] + [None] * (len(moments) - len(shots))
    usual = pace(brief.style.tone, brief.content.language)
    frames = _lengths(moments, given, brief, usual)
    takes = _takes(moments, frames, brief)
    _refuse_late(takes, brief)
    wpm = max(usual, *(_pace_of(take, brief) for take in takes))
    timed = Timed(tuple(take.moment for take in takes), tuple(take.frames for take in takes), wpm)
    script = script_of(timed, "", _titles(shots), brief)
    changed = [*_changed(frames, given, brief), *_over_cuts(takes, script.beats)]
    script = script.model_copy(update={"inferred": (*script.inferred, *changed)})
    return with_pace(script, usual)


class _Take(msgspec.Struct, frozen=True):
    """Shots that share a beat, because a voice goes on over the cut between them."""

    moment: Moment
    frames: int
    first: int
    last: int


def _takes(moments: Sequence[Moment], frames: Sequence[int], brief: Brief) -> list[_Take]:
    """One for each shot, but where a voice needs the time of its neighbour too."""
    found = [
        _Take(moment, length, n, n)
        for n, (moment, length) in enumerate(zip(moments, frames, strict=True))
    ]
    at = 0
    while at < len(found):
        both = None
        if _pace_of(found[at], brief) > LIMIT:
            pairs = ((at, at + 1), (at - 1, at))
            near = (pair for pair in pairs if pair[0] >= 0 and pair[1] < len(found))
            shared = ((low, _shared(found[low], found[high], brief)) for low, high in near)
            both = next(((low, take) for low, take in shared if take), None)
        if both is None:
            at += 1
        else:
            at = both[0]
            found[at : at + 2] = [both[1]]
    return found


def _shared(first: _Take, second: _Take, brief: Brief) -> _Take | None:
    """Two takes as one, unless somebody is seen speaking, or it would be no beat any more."""
    a, b = first.moment, second.moment
    frames = first.frames + second.frames
    if a.dialogue or b.dialogue or (a.text and b.text) or frames > _MOST * brief.rate.fps:
        return None
    voice = " ".join(filter(None, (a.voiceover, b.voiceover)))
    action = " ".join(f"{each.action.rstrip('.')}." for each in (a, b) if each.action)
    text, why = a.text or b.text, a.text_added or b.text_added
    moment = Moment(a.setting, (Say(voice),), action, text, added=b.added, text_added=why)
    return _Take(moment, frames, first.first, second.last)


def _over_cuts(takes: Sequence[_Take], beats: Sequence[Beat]) -> list[Inferred]:
    why = "the voice goes on over the cut: these shots share a beat"
    return [
        Inferred(key=f"content.shots[{take.first}:{take.last + 1}]", value=beat.id, why=why)
        for take, beat in zip(takes, beats, strict=True)
        if take.first != take.last
    ]


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


def _pace_of(take: _Take, brief: Brief) -> int:
    """The words per minute that its words need."""
    words = load(take.moment.speech, brief.content.language)
    return math.ceil(words * 60 * brief.rate.fps * SLACK / max(take.frames, 1))


def _refuse_late(takes: Sequence[_Take], brief: Brief) -> None:
    rate, late = brief.rate, list[str]()
    for take in takes:
        if _pace_of(take, brief) <= LIMIT:
            continue
        words = spoken_words(take.moment.speech, brief.content.language)
        weight = load(take.moment.speech, brief.content.language)
        seconds = math.ceil(weight * 60 * SLACK / LIMIT * 10) / 10
        over = weight - words_that_fit(take.frames, rate, LIMIT)
        late.append(
            f"  content.shots[{take.first}]: {words} spoken words need {seconds} s, it has "
            f"{rate.seconds(take.frames):.1f} s. Take out {over} word{'s' if over > 1 else ''}, "
            f"give it seconds: {seconds}, or say some of them in another shot."
        )
    if late:
        head = f"What is said does not fit its shots, even at {LIMIT} words per minute:\n"
        raise InputError(head + "\n".join(late))


def _changed(frames: Sequence[int], given: Sequence[float | None], brief: Brief) -> list[Inferred]:
    """Lengths that are not the given ones, by more than rounding."""
    found = []
    for n, (length, seconds) in enumerate(zip(frames, given, strict=True)):
        made = round(brief.rate.seconds(length), 3)
        key = f"content.shots[{n}].seconds"
        if seconds is not None and abs(brief.rate.frames(seconds) - length) > 1:
            why = f"{seconds} s was given, but the shots do not add up to the film's length"
            found.append(Inferred(key=key, value=made, why=why))
        elif seconds is None and n < len(brief.content.shots or ()):
            found.append(Inferred(key=key, value=made, why="no length was given"))
    return found
