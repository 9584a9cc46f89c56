"""Whose picture a line is on: in a script that somebody has written, its speaker's.

The lines of a beat are heard one after the other from where it begins. A shot begins with each
speaker, and shows them; what else the beat tells is seen when all has been said.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.shots.wording import german

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.shots.cast import Cast
    from callsheet_studio.shots.moments import Moment
    from callsheet_studio.shots.spoken import Breath

_SHOWS = frozenset(("action", "face", "establish", "two", "speaker", "over"))
"""Roles of a picture that somebody can be in who speaks."""
_LEAST, _SILENT = 1, 1.5
"""Seconds of a shot in which somebody speaks, and of one in which nobody does."""


class Turn(msgspec.Struct, frozen=True):
    """A stretch of a beat in which the same people are heard and seen. Frames of the beat."""

    names: tuple[str, ...]
    start: int
    end: int


def by_turns(
    moments: Sequence[Moment],
    said: Sequence[Breath],
    frames: int,
    cast: Cast,
    rate: Rate,
    *,
    near: bool = False,
) -> tuple[list[Moment], tuple[int, ...]] | None:
    """The pictures of a beat and where each ends; None if nobody in them is heard.

    From near, nobody is seen but who speaks.
    """
    turns = _turns(said, cast, int(_LEAST * rate.fps))
    if not turns:
        return None
    made, left = _pictures(turns, moments, cast, near=near)
    ends = [turn.start for turn in turns[1:]]
    silent = frames - turns[-1].end
    room = int(silent // (_SILENT * rate.fps))
    kept = left[:room]
    for other in left[room:]:
        if other.main:
            # No time for a picture of its own: it is seen in the last one.
            last = (kept or made)[-1]
            joined = replace(last, text=f"{last.text} {other.text}")
            (kept or made)[-1] = joined
    if not kept:
        return made, (*ends, frames)
    share = silent // len(kept)
    ends.append(turns[-1].end)
    ends += [turns[-1].end + share * number for number in range(1, len(kept))]
    return [*made, *kept], (*ends, frames)


def _turns(said: Sequence[Breath], cast: Cast, least: int) -> list[Turn]:
    runs = [
        (name, list(group)) for name, group in groupby(said, key=lambda each: _seen(each, cast))
    ]
    if not any(name for name, _ in runs):
        return []
    found: list[Turn] = []
    for name, group in runs:
        names = (name,) if name else ()
        turn = Turn(names, group[0].start if found else 0, group[-1].end)
        # Who is only heard, and who says less than a shot, is heard over a neighbour.
        before = found[-1] if found else None
        if before and (not names or before.end - before.start < least or not before.names):
            together = tuple(dict.fromkeys((*before.names, *names)))
            found[-1] = Turn(together, before.start, turn.end)
        else:
            found.append(turn)
    if len(found) > 1 and found[-1].end - found[-1].start < least:
        last = found.pop()
        together = tuple(dict.fromkeys((*found[-1].names, *last.names)))
        found[-1] = Turn(together, found[-1].start, last.end)
    return found


def _seen(breath: Breath, cast: Cast) -> str:
    return cast.called(breath.piece.name) if breath.piece.seen else ""


def _pictures(
    turns: Sequence[Turn], moments: Sequence[Moment], cast: Cast, *, near: bool
) -> tuple[list[Moment], list[Moment]]:
    """A picture for each turn, and those that are left."""
    left = list(moments)
    made: list[Moment] = []
    for turn in turns:
        fit = [each for each in left if each.role in _SHOWS]
        showing = [each for each in fit if set(each.figures) & set(turn.names)]
        empty = [each for each in fit if not each.figures]
        # What opens a scene opens it, whoever speaks.
        opening = [each for each in fit[:1] if each.role == "establish" and not made]
        chosen = next(iter((*opening, *showing, *empty)), None)
        if chosen is None:
            made.append(_face(turn, moments[0], cast))
            continue
        left = [each for each in left if each is not chosen]
        figures = tuple(dict.fromkeys((*turn.names, *chosen.figures)))
        if near and turn.names:
            figures = turn.names
        made.append(replace(chosen, figures=figures, subject=" & ".join(figures)))
    return made, left


def _face(turn: Turn, like: Moment, cast: Cast) -> Moment:
    names = (" und " if german(cast.language) else " and ").join(turn.names)
    text = f"{names} im Gespr\u00e4ch." if german(cast.language) else f"{names} speaking."
    role = "speaker" if len(turn.names) == 1 else "two"
    subject = " & ".join(turn.names)
    return replace(like, role=role, text=text, figures=turn.names, subject=subject, main=False)
