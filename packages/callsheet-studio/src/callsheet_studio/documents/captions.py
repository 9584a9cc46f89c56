"""Captions: what is said, in lines that can be read, at the time it is said."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.documents.breaking import Room, Word, broken, joined, words_of
from callsheet_studio.documents.words import one_line
from callsheet_studio.model.base import Violation
from callsheet_studio.shots.spoken import Piece, breaths, heard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.brief import Aspect, Brief
    from callsheet_studio.model.script import Script

WIDEST = 42
"""Characters of a line."""
MOST_LINES = 2
SHORTEST = 20
"""Frames of a caption."""
LONGEST = 7
"""Seconds of a caption."""
APART = 2
"""Frames from one to the next."""
FASTEST = 20
"""Characters a second."""
_LINGER = 12
"""Frames: a shorter pause is not worth a flicker."""
_QUICK = Fraction(3, 2)
"""Seconds: who says less shares a caption with the answer."""


class Caption(msgspec.Struct, frozen=True):
    """A text of one or two lines, and its frames."""

    start: int
    end: int
    lines: tuple[str, ...]

    @property
    def signs(self) -> int:
        """How much there is to read."""
        return sum(len(line) for line in self.lines)


def caption_files(script: Script, brief: Brief) -> dict[str, bytes]:
    """The captions as SubRip and as WebVTT, the latter placed inside the safe area."""
    return files_of(captions(script), script.rate, brief.delivery.aspect)


def files_of(found: Sequence[Caption], rate: Rate, aspect: Aspect) -> dict[str, bytes]:
    """These captions as files."""
    return {
        "captions.srt": srt(found, rate).encode(),
        "captions.vtt": vtt(found, rate, aspect).encode(),
    }


def captions(script: Script) -> tuple[Caption, ...]:
    """What is said in a script, as it is said."""
    drafts = [draft for utterances in _said(script) for draft in _drafts(utterances, script.rate)]
    return tuple(_timed(drafts, script))


# What is said


class _Utterance(msgspec.Struct, frozen=True):
    """What one voice says in one go."""

    cue: str
    words: tuple[Word, ...]

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end


def _said(script: Script) -> Iterator[list[_Utterance]]:
    """Beat by beat, voice by voice."""
    for beat in script.beats:
        found: list[_Utterance] = []
        heard = breaths(
            beat.script, beat.frames, script.rate, script.words_per_minute, script.language
        )
        for breath in heard:
            start, end = beat.start + breath.start, beat.start + breath.end
            words = words_of(_plain(breath.piece), start, end, WIDEST)
            if found and found[-1].cue == breath.piece.cue:
                found[-1] = replace(found[-1], words=(*found[-1].words, *words))
            elif words:
                found.append(_Utterance(breath.piece.cue, words))
        yield found


def _plain(piece: Piece) -> str:
    return one_line(heard(piece.text) if piece.cue else piece.text)


def _drafts(utterances: Sequence[_Utterance], rate: Rate) -> Iterator[Caption]:
    place = 0
    while place < len(utterances):
        pair = utterances[place : place + 2]
        if (shared := _shared(pair, rate)) is not None:
            yield shared
            place += 2
            continue
        for group in broken(pair[0].words, Room(WIDEST, int(LONGEST * rate.fps))):
            words = [word for line in group for word in line]
            lines = tuple(joined(line) for line in group)
            yield Caption(words[0].start, words[-1].end, lines)
        place += 1


def _shared(pair: Sequence[_Utterance], rate: Rate) -> Caption | None:
    """A quick line and its answer, with a dash each."""
    if len(pair) != MOST_LINES or not all(each.cue for each in pair):
        return None
    lines = tuple(f"- {joined(each.words)}" for each in pair)
    quick = min(each.end - each.start for each in pair) < _QUICK * rate.fps
    brief = pair[1].end - pair[0].start <= LONGEST * rate.fps
    if pair[0].cue == pair[1].cue or not (quick and brief) or max(map(len, lines)) > WIDEST:
        return None
    return Caption(pair[0].start, pair[1].end, lines)


# When it is read


def _timed(drafts: Sequence[Caption], script: Script) -> Iterator[Caption]:
    """As long as it takes to read them, where the next one leaves the time."""
    starts: list[int] = []
    for draft in drafts:
        earliest = starts[-1] + SHORTEST + APART if starts else 0
        starts.append(max(draft.start, earliest))
    latest = script.frames - SHORTEST
    for place in range(len(drafts) - 1, -1, -1):
        starts[place] = max(min(starts[place], latest), 0)
        latest = starts[place] - APART - SHORTEST
    for place, draft in enumerate(drafts):
        last = place + 1 == len(drafts)
        limit = script.frames if last else max(starts[place + 1] - APART, starts[place] + 1)
        yield replace(
            draft, start=starts[place], end=_end(draft, starts[place], limit, script.rate)
        )


def _end(draft: Caption, start: int, limit: int, rate: Rate) -> int:
    wanted = max(draft.end, start + SHORTEST, start + _reading(draft, rate))
    if limit - wanted < _LINGER:
        wanted = limit
    return min(wanted, limit, start + int(LONGEST * rate.fps))


def _reading(caption: Caption, rate: Rate) -> int:
    return -int(-caption.signs * rate.fps // FASTEST)


# Files


def srt(found: Sequence[Caption], rate: Rate) -> str:
    """As SubRip."""
    blocks = [
        f"{number}\n{_clock(each.start, rate, ',')} --> {_clock(each.end, rate, ',')}\n"
        + "\n".join(map(_escaped, each.lines))
        for number, each in enumerate(found, 1)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def vtt(found: Sequence[Caption], rate: Rate, aspect: Aspect) -> str:
    """As WebVTT, inside the title-safe area; upright, above what a platform puts over it."""
    place = "line:52% size:88%" if aspect in {"9:16", "4:5"} else "line:82% size:90%"
    blocks = ["WEBVTT"] + [
        f"{number}\n{_clock(each.start, rate, '.')} --> {_clock(each.end, rate, '.')} {place}\n"
        + "\n".join(map(_escaped, each.lines))
        for number, each in enumerate(found, 1)
    ]
    return "\n\n".join(blocks) + "\n"


def _escaped(line: str) -> str:
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _clock(frames: int, rate: Rate, point: str) -> str:
    milliseconds = int(Fraction(frames * 1000) / rate.fps + Fraction(1, 2))
    seconds, milliseconds = divmod(milliseconds, 1000)
    minutes, second = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}{point}{milliseconds:03}"


# The rules


def check_captions(found: Sequence[Caption], rate: Rate) -> tuple[Violation, ...]:
    """Every caption that is too wide, too short, too long, too close or too fast to read."""
    return tuple(
        violation
        for place, caption in enumerate(found)
        for violation in _broken_rules(caption, found[place + 1 : place + 2], place + 1, rate)
    )


def _broken_rules(
    caption: Caption, after: Sequence[Caption], number: int, rate: Rate
) -> Iterator[Violation]:
    where = f"caption {number}"
    frames = caption.end - caption.start
    wide = max(map(len, caption.lines), default=0)
    rules = (
        ("caption-lines", len(caption.lines) > MOST_LINES, f"{len(caption.lines)} lines"),
        ("caption-width", wide > WIDEST, f"a line of {wide} characters"),
        ("caption-short", frames < SHORTEST, f"{frames} frames"),
        ("caption-long", frames > LONGEST * rate.fps, f"{frames} frames"),
        (
            "caption-apart",
            bool(after) and after[0].start - caption.end < APART,
            f"{after[0].start - caption.end if after else 0} frames to the next",
        ),
        (
            "caption-speed",
            caption.signs * rate.fps > FASTEST * frames,
            f"{caption.signs} characters in {frames} frames",
        ),
    )
    for rule, is_broken, what in rules:
        if is_broken:
            yield Violation(rule=rule, where=where, message=f"It has {what}.", fix=_FIXES[rule])


_FIXES = {
    "caption-lines": f"Break it into captions of {MOST_LINES} lines.",
    "caption-width": f"Break it into lines of at most {WIDEST} characters.",
    "caption-short": f"Show it for {SHORTEST} frames, or join it with its neighbour.",
    "caption-long": f"Show it for at most {LONGEST} s, or break it in two.",
    "caption-apart": f"End it {APART} frames before the next one.",
    "caption-speed": f"Say less in its beat, or lengthen the beat: {FASTEST} characters a second.",
}
