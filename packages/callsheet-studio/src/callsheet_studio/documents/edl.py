"""CMX3600 edit decision lists, out and back.

A dissolve begins at the cut, as the format has it: the first frames of the shot it leads into.
Fades from and to black are comments: as events of their own they are more than many can read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.documents.pieces import MOST_EVENTS, Cut, Piece, Transition, shot_named
from callsheet_studio.documents.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.pieces import Clip, Edit

BLACK = "BL"
LONGEST = 1000
"""Characters of a line."""
_REEL = 8
_TIMECODE = r"(\d{2,3}:\d{2}:\d{2}[:;.]\d{2})"
_EVENT = re.compile(
    rf"\s*(\d+)\s+(\S+)\s+(\S+)\s+([A-Z]\w*)\s*(\d+)?\s+{_TIMECODE}\s+{_TIMECODE}"
    rf"\s+{_TIMECODE}\s+{_TIMECODE}\s*\Z"
)
_LOOKS_LIKE_AN_EVENT = re.compile(r"\s*\d+\s+\S")
_NAME = re.compile(r"\*?\s*(FROM|TO) CLIP NAME:\s*(.*)\Z", re.IGNORECASE)

# Out


def edl(edit: Edit) -> str:
    """The edit as a list of events, one for each shot, with its notes as comments."""
    drops = "DROP FRAME" if edit.rate.drops else "NON-DROP FRAME"
    return "\n".join([f"TITLE: {edit.title}", f"FCM: {drops}", "", *_events(edit)]) + "\n"


def _events(edit: Edit) -> Iterator[str]:
    before: Clip | None = None
    for event, clip in enumerate(edit.clips, 1):
        kind = "C       "
        if clip.transition == "dissolve" and before is not None:
            out, end = before.frames, before.end
            yield _line(event, _reel(before), kind, (out, out), (end, end), edit.rate)
            kind = f"D    {clip.over:03}"
        record = (clip.start, clip.end)
        yield _line(event, _reel(clip), kind, (0, clip.frames), record, edit.rate)
        yield from _comments(clip, before, edit)
        before = clip


def _line(
    event: int,
    reel: str,
    kind: str,
    source: tuple[int, int],
    record: tuple[int, int],
    rate: Rate,
) -> str:
    times = " ".join(rate.timecode(frames) for frames in (*source, *record))
    return f"{event:03}  {reel:8} V     {kind} {times}"


def _reel(clip: Clip) -> str:
    name = re.sub(r"[^A-Za-z0-9]", "", clip.shot)[:_REEL]
    return name if name and name != BLACK else "AX"


def _comments(clip: Clip, before: Clip | None, edit: Edit) -> Iterator[str]:
    whose = "FROM"
    if clip.transition == "dissolve" and before is not None:
        yield f"* FROM CLIP NAME: {one_line(before.shot)}"
        whose = "TO"
    yield f"* {whose} CLIP NAME: {one_line(clip.shot)}"
    if clip.media:
        yield f"* {whose} FILE: {clip.media}"
    for beat in edit.beats:
        if clip.start <= beat.start < clip.end:
            place = edit.rate.timecode(beat.start)
            yield f"* LOC: {place} YELLOW  {beat.name} {beat.text}".rstrip()
    if clip.transition in {"fade_in", "fade_out"}:
        yield f"* {clip.transition.replace('_', ' ').upper()}: {clip.over} FRAMES"
    for name, value in clip.notes.items():
        yield f"* {name.upper()}: {one_line(value)}"


# Back


@dataclass(slots=True)
class _Event:
    line: int
    number: str
    reel: str
    kind: str
    start: int
    end: int
    names: dict[str, str] = field(default_factory=dict)


def read_edl(text: str, rate: Rate) -> Cut:
    """The cut that a list stands for, by its record times.

    Raises:
        InputError: with the line, if it is no list of our shots, one after the other.
    """
    events = _read_events(text, rate)
    if not events:
        raise InputError("There is no event in the EDL. Export the timeline as CMX3600.")
    pieces: list[Piece] = []
    place = events[0].start
    for event in events:
        if event.start != place:
            what = "a gap" if event.start > place else "an overlap"
            raise InputError(
                f"EDL line {event.line}: there is {what} at {rate.timecode(place)}. "
                "Let every shot begin where the one before it ends."
            )
        place = event.end
        _add(pieces, event)
    return Cut(rate, tuple(pieces))


def _add(pieces: list[Piece], event: _Event) -> None:
    frames = event.end - event.start
    if frames == 0:
        return
    if event.reel == BLACK:
        if not pieces or event.kind != "D":
            raise InputError(
                f"EDL line {event.line}: black is a gap. Let the film begin and end with a shot."
            )
        # It fades to black: these are the last frames of the shot before.
        pieces[-1] = replace(pieces[-1], frames=pieces[-1].frames + frames, transition="fade_out")
        return
    kind: Transition | None = "dissolve" if pieces else "fade_in"
    pieces.append(Piece(_shot(event), frames, kind if event.kind == "D" else None))


def _shot(event: _Event) -> str:
    order = ("TO", "FROM") if event.kind == "D" else ("FROM", "TO")
    named = next((event.names[each] for each in order if event.names.get(each)), event.reel)
    return shot_named(named)


def _read_events(text: str, rate: Rate) -> list[_Event]:
    events: list[_Event] = []
    pictures = False
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST or len(events) > MOST_EVENTS:
            raise InputError(
                f"EDL line {number}: a line has at most {LONGEST:,} characters, and a cut at most "
                f"{MOST_EVENTS:,} events. Export the timeline as CMX3600."
            )
        _check_line(line, number, rate)
        if found := _EVENT.match(line):
            # Sound has events of its own: the cut is that of the picture.
            pictures = "V" in found[3].upper() or found[3].upper() == "B"
            if pictures:
                events.append(_event(found, number, rate))
        elif _LOOKS_LIKE_AN_EVENT.match(line):
            raise InputError(f"EDL line {number} is not an event of CMX3600: {line.strip()[:60]!r}")
        elif pictures and (name := _NAME.match(line)):
            _name(events, name[1].upper(), name[2].strip())
    return events


def _name(events: list[_Event], side: str, name: str) -> None:
    """Both lines of a dissolve have one number, and the comments after them."""
    for event in events[-2:]:
        if event.number == events[-1].number:
            event.names[side] = name


def _check_line(line: str, number: int, rate: Rate) -> None:
    words = line.upper().split()
    if words[:1] == ["M2"]:
        raise InputError(
            f"EDL line {number}: a clip runs at another speed. Trim it instead; a shot of the "
            "project has no speed."
        )
    if words[:2] == ["FCM:", "DROP"] and not rate.drops:
        raise InputError(
            f"EDL line {number}: drop frame timecode is of 29.97 fps, the project has {rate} fps."
        )


def _event(found: re.Match[str], number: int, rate: Rate) -> _Event:
    kind = found[4].upper()
    if kind not in {"C", "D"}:
        raise InputError(
            f"EDL line {number}: {kind!r} is a transition that the project has not. "
            "Use cuts and dissolves."
        )
    times = [found[n].replace(".", ":") for n in (8, 9)]
    if not rate.drops and ";" in "".join(times):
        raise InputError(
            f"EDL line {number}: drop frame timecode is of 29.97 fps, the project has {rate} fps."
        )
    try:
        start, end = (rate.from_timecode(time) for time in times)
    except InputError as exc:
        raise InputError(f"EDL line {number}: {exc}") from exc
    if end < start:
        raise InputError(f"EDL line {number}: it ends before it begins.")
    return _Event(number, found[1], found[2].upper(), kind, start, end)
