"""Moments to the film's exact length: pauses and holds first, then a faster voice, then no."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.base.speech import LIMIT, SLACK, speech_frames, words_that_fit
from callsheet_studio.script.own.cut import MOST, Moment, Pace, cut, merged
from callsheet_studio.script.own.narration import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.script.own.draft import Draft

_WANTED = 5
"""Seconds that a beat should have."""
_LEAST, _LEAST_TEXT = 1, 3
_ACTION = 3
"""Seconds in which something is seen to happen."""
_SILENT = 8
"""Seconds of a picture that is added."""
_STEP = 5
"""Words per minute by which a voice is sped up."""
_IDEA, _SCENE = 2, 4
"""What a pause weighs at the end of an idea, and of a scene."""
_IN_A_ROW = 3
"""Pictures without words that may follow each other."""
_NAMED = 5
_OPENING = 5


class Timed(msgspec.Struct, frozen=True):
    """Moments with the frames of each, and how fast is spoken."""

    moments: tuple[Moment, ...]
    frames: tuple[int, ...]
    wpm: int


def fit(draft: Draft, total: int, pace: Pace, card: Moment | None) -> Timed:
    """All moments in exactly `total` frames, the added end card last.

    Raises:
        InputError: it cannot be spoken in that time, however fast.
    """
    for wpm in (*range(pace.wpm, LIMIT, _STEP), LIMIT):
        faster = replace(pace, wpm=wpm)
        moments = _gathered(cut(draft, faster), total, faster)
        moments += [card] if card else []
        needed = [_needed(moment, faster) for moment in moments]
        if sum(needed) <= total:
            return _timed(moments, total, faster)
    fastest = replace(pace, wpm=LIMIT)
    return _tight(_gathered(cut(draft, fastest), total, fastest), total, fastest, card)


def _tight(moments: list[Moment], total: int, pace: Pace, card: Moment | None) -> Timed:
    """Without any room: a frame for what is silent, and the end card on the last picture."""
    needed = [max(_spoken(moment, pace), 1) for moment in moments]
    if sum(needed) > total:
        raise InputError(_refusal(moments, needed, total, pace))
    shortest = math.ceil(_LEAST * pace.rate.fps)
    if card and not moments[-1].text:
        moments[-1] = replace(moments[-1], text=card.text, text_added=card.added)
    elif card and sum(needed) + shortest <= total:
        moments, needed = [*moments, card], [*needed, shortest]
    wishes = [_needed(moment, pace) for moment in moments]
    weights = [max(wish - frames, 1) for wish, frames in zip(wishes, needed, strict=True)]
    most = [total] * len(moments)
    return Timed(tuple(moments), fill(needed, most, weights, total), pace.wpm)


def _spoken(moment: Moment, pace: Pace) -> int:
    return speech_frames(moment.speech, pace.rate, pace.wpm, pace.language)


def _needed(moment: Moment, pace: Pace) -> int:
    least = _LEAST_TEXT if moment.text else _LEAST
    return max(_spoken(moment, pace), math.ceil(least * pace.rate.fps))


def _gathered(moments: list[Moment], total: int, pace: Pace) -> list[Moment]:
    """Short ones together, until each can have the length of a beat."""
    made = list(moments)
    pairs = [merged(*pair, pace) for pair in pairwise(made)]
    while pairs and len(made) * _WANTED * pace.rate.fps > total:
        costs = [(_needed(pair, pace), n) for n, pair in enumerate(pairs) if pair]
        if not costs:
            break
        at = min(costs)[1]
        together = pairs.pop(at)
        assert together is not None
        made[at : at + 2] = [together]
        for n in {max(at - 1, 0), min(at, len(pairs) - 1)} if pairs else ():
            pairs[n] = merged(made[n], made[n + 1], pace)
    return made


def _timed(moments: list[Moment], total: int, pace: Pace) -> Timed:
    most = int(MOST * pace.rate.fps)
    missing = total - sum(max(_needed(moment, pace), most) for moment in moments)
    if missing > 0:
        moments = _with_pictures(moments, math.ceil(missing / (_SILENT * pace.rate.fps)))
    needed = [_needed(moment, pace) for moment in moments]
    limits = [max(frames, most) for frames in needed]
    natural = [
        min(max(_natural(moment, pace), frames), limit)
        for moment, frames, limit in zip(moments, needed, limits, strict=True)
    ]
    if sum(natural) >= total:
        weights = [max(wish - frames, 0) for wish, frames in zip(natural, needed, strict=True)]
        frames = fill(needed, natural, weights, total)
    else:
        frames = fill(natural, limits, _holds(moments), total)
    return Timed(tuple(moments), frames, pace.wpm)


def _natural(moment: Moment, pace: Pace) -> int:
    """How long it would be if nobody was in a hurry."""
    seen = min(_ACTION * len(sentences(moment.action)), MOST)
    return math.ceil(max(seen, _WANTED) * pace.rate.fps)


def _holds(moments: Sequence[Moment]) -> list[int]:
    """What a pause weighs: more where an idea ends, most where a scene does."""
    following = [*(moment.setting for moment in moments[1:]), -1]
    return [
        _SCENE if moment.setting != after else _IDEA if moment.closes or moment.added else 1
        for moment, after in zip(moments, following, strict=True)
    ]


def _with_pictures(moments: list[Moment], count: int) -> list[Moment]:
    """Pictures without words between the others: where scenes end, ideas end, then anywhere."""
    holds = _holds(moments)
    places = range(len(moments) - 1 if moments[-1].added else len(moments)) or range(1)
    scenes = [n for n in places if holds[n] >= _SCENE]
    ideas = [n for n in places if holds[n] >= _IDEA]
    chosen = scenes if count <= len(scenes) else ideas
    if count > _IN_A_ROW * len(chosen):
        chosen = list(places)
    number = dict.fromkeys(chosen, 0)
    for turn in range(count):
        at = turn * len(chosen) // count if count < len(chosen) else turn % len(chosen)
        number[chosen[at]] += 1
    made: list[Moment] = []
    for place, moment in enumerate(moments):
        made.append(moment)
        why = "the film is longer than the words: a picture holds the time"
        made += [Moment(moment.setting, added=why)] * number.get(place, 0)
    return made


def fill(
    least: Sequence[int], most: Sequence[int], weights: Sequence[int], total: int
) -> tuple[int, ...]:
    """Lengths from `least` to `most` that add up to `total`, the rest shared out by weight."""
    frames = list(least)
    left = total - sum(frames)
    while left > 0:
        open_ = [n for n, length in enumerate(frames) if length < most[n]]
        heavy = [n for n in open_ if weights[n]] or open_
        assert heavy, f"{left} frames have no place"
        weight = sum(max(weights[n], 1) for n in heavy)
        before = left
        for n in heavy:
            share = min(before * max(weights[n], 1) // weight, most[n] - frames[n])
            frames[n] += share
            left -= share
        if left == before:
            # Fewer frames than places: one each, from the first.
            for n in heavy[:left]:
                frames[n] += 1
                left -= 1
    return tuple(frames)


def _refusal(moments: list[Moment], needed: list[int], total: int, pace: Pace) -> str:
    rate = pace.rate
    words = sum(pace.words(moment.speech) for moment in moments)
    over = words - words_that_fit(total, rate, LIMIT)
    longest = sorted(range(len(moments)), key=lambda n: (-needed[n], n))
    dropped, rest = 0, sum(needed)
    while rest > total:
        rest -= needed[longest[dropped]]
        dropped += 1
    longest_ones = f"{dropped} longest" if dropped > 1 else "longest"
    fewer = f"{over} words" if over > 1 else "1 word"
    seconds = math.ceil(sum(needed) / rate.fps)
    exact = float(words * 60 * SLACK / LIMIT)
    named = "\n".join(
        f"  {_opening(moments[n])}: {rate.seconds(needed[n]):.1f} s" for n in longest[:_NAMED]
    )
    return (
        f"The script does not fit: {words} spoken words take {exact:.1f} s even at {LIMIT} words "
        f"per minute, and the film has {rate.seconds(total):.1f} s. What takes longest:\n{named}\n"
        f"Take out {fewer}, or set content.duration to {seconds}s, "
        f"or leave out the {longest_ones} of {len(moments)} beats."
    )


def _opening(moment: Moment) -> str:
    said = (moment.said or moment.action or moment.text).split()
    return f"{' '.join(said[:_OPENING])!r}" + (" …" if len(said) > _OPENING else "")
