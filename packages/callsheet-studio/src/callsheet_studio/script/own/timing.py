"""Moments to the film's exact length: pauses and holds first, then a faster voice, then no."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.base.speech import LIMIT, SLACK, speech_frames, spoken_words, words_that_fit
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
_HOPELESS = 4
"""Times as many words as there is time for: nobody cuts beats out of that."""
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
    _refuse_hopeless(draft, total, replace(pace, wpm=LIMIT))
    for wpm in (*range(pace.wpm, LIMIT, _STEP), LIMIT):
        faster = replace(pace, wpm=wpm)
        moments = _gathered(cut(draft, faster), total, faster)
        moments += [card] if card else []
        needed = [_needed(moment, faster) for moment in moments]
        if sum(needed) <= total:
            return _timed(moments, total, faster)
    fastest = replace(pace, wpm=LIMIT)
    return _tight(_gathered(cut(draft, fastest), total, fastest), total, fastest, card)


def _refuse_hopeless(draft: Draft, total: int, fastest: Pace) -> None:
    """Say at once what no pace can change: that there are more words than time for them."""
    words = sum(
        spoken_words(say.text, fastest.language)
        for passage in draft.passages
        for say in passage.says
    )
    if words > _HOPELESS * max(words_that_fit(total, fastest.rate, LIMIT), 1):
        moments = cut(draft, fastest)
        needed = [max(_spoken(moment, fastest), 1) for moment in moments]
        raise InputError(_refusal(moments, needed, total, fastest))


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
    row = _Row(moments, pace)
    while row.count * _WANTED * pace.rate.fps > total and row.join_shortest():
        pass
    return row.moments()


class _Row:
    """Moments in a row, of which the shortest neighbours are joined: each join is looked up.

    What grows without end, the actions, is put together when all is done.
    """

    def __init__(self, moments: Sequence[Moment], pace: Pace) -> None:
        self._pace = pace
        self._parts = [[moment] for moment in moments]
        self._light = [replace(moment, action="", effects=(), notes=()) for moment in moments]
        self._before = [n - 1 for n in range(len(moments))]
        self._after = [n + 1 for n in range(len(moments))]
        self._pairs: dict[int, Moment] = {}
        """Of each that is left, it and the next one as one."""
        self._queue: list[tuple[int, int, int]] = []
        self._asked = [0] * len(moments)
        self.count = len(moments)
        for place in range(len(moments) - 1):
            self._ask(place)

    def join_shortest(self) -> bool:
        """Make one of the two that need the least time together; False: none go together."""
        while self._queue:
            _, place, asked = heappop(self._queue)
            if asked == self._asked[place]:
                self._join(place)
                return True
        return False

    def moments(self) -> list[Moment]:
        """Those that are left, in their order."""
        found, place = [], 0
        while place < len(self._light):
            found.append(self._whole(place))
            place = self._after[place]
        return found

    def _join(self, place: int) -> None:
        gone = self._after[place]
        self._light[place] = self._pairs.pop(place)
        self._parts[place] += self._parts[gone]
        self._asked[gone] += 1
        self._pairs.pop(gone, None)
        self._after[place] = self._after[gone]
        if self._after[gone] < len(self._light):
            self._before[self._after[gone]] = place
        self.count -= 1
        self._ask(place)
        if self._before[place] >= 0:
            self._ask(self._before[place])

    def _ask(self, place: int) -> None:
        """What it and the next one would be together."""
        self._asked[place] += 1
        self._pairs.pop(place, None)
        after = self._after[place]
        pair = None
        if after < len(self._light):
            pair = merged(self._light[place], self._light[after], self._pace)
        if pair is not None:
            self._pairs[place] = pair
            heappush(self._queue, (_needed(pair, self._pace), place, self._asked[place]))

    def _whole(self, place: int) -> Moment:
        parts = self._parts[place]
        if len(parts) == 1:
            return parts[0]
        return replace(
            self._light[place],
            action=" ".join(part.action for part in parts if part.action),
            effects=tuple(each for part in parts for each in part.effects),
            notes=tuple(each for part in parts for each in part.notes),
        )


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
