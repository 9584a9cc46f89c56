"""An editor's cut back into script and shot list."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from callsheet.errors import InputError
from callsheet_studio.documents.pieces import TRANSITIONS, Piece, shot_named
from callsheet_studio.documents.words import one_line
from callsheet_studio.model.shots import Board, Movement
from callsheet_studio.script.rules.time import speech_overrun
from callsheet_studio.shots import check_continuity, check_shots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet_studio.documents.pieces import Cut
    from callsheet_studio.model.base import Violation
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Shot, ShotList


_MOST_TOLD = 20
_LONGEST_NAME = 60
FOREIGN = "foreign clip: "
"""What is told of a clip that is none of our shots."""


class Retimed(NamedTuple):
    """The project as it was cut, and the rules that it breaks since."""

    script: Script
    shots: ShotList
    violations: tuple[Violation, ...]


def retime(script: Script, shots: ShotList, cut: Cut) -> Retimed:
    """Script and shots as long, and in the order, as in the cut. Beats follow their shots.

    Shots and beats keep their ids. A beat whose shots are all gone goes too. Words stay as they
    are. What fitted before and does not any more is told as violations: words without time,
    shots too short or too long, pictures that do not cut together.

    Raises:
        InputError: it is no cut of these shots; names everything that is wrong.
    """
    if cut.rate != shots.rate:
        raise InputError(
            f"The cut has {cut.rate} frames a second, the project {shots.rate}. "
            "Export the timeline at the rate of the project."
        )
    chosen = _chosen(shots, cut)
    _check_beats([shot.beat for shot, _ in chosen])
    made = _spoken_again(shots.shots, _placed(chosen))
    beats = tuple(_beats(script, made))
    new_script = script.model_copy(update={"beats": beats, "frames": cut.frames})
    new_shots = shots.model_copy(update={"shots": made, "frames": cut.frames})
    before = _broken(script, shots)
    broken = [each for each in _broken(new_script, new_shots) if each not in before]
    return Retimed(new_script, new_shots, tuple(broken))


def _chosen(shots: ShotList, cut: Cut) -> list[tuple[Shot, Piece]]:
    """The shots of the cut. Two pieces of one shot that meet are one again."""
    known = {shot_named(shot.id): shot for shot in shots.shots}
    known |= {shot.id: shot for shot in shots.shots}
    found: list[tuple[Shot, Piece]] = []
    problems: list[str] = []
    for place, piece in enumerate(cut.pieces, 1):
        shot = known.get(piece.shot)
        if shot is None:
            near = found[-1][0] if found else shots.shots[0]
            found.append((_foreign(near, piece, place), piece))
        elif found and found[-1][0] is shot:
            first = found[-1][1]
            frames = first.frames + piece.frames
            end = piece.transition if piece.transition == "fade_out" else first.transition
            found[-1] = (shot, Piece(first.shot, frames, end))
        elif any(each is shot for each, _ in found):
            problems.append(f"Clip {place}: shot {shot.id} is there twice. Keep one of them.")
        else:
            found.append((shot, piece))
    if not any(shot.id in known for shot, _ in found) and not problems:
        what = f" Its first clip is {found[0][0].subject!r}." if found else ""
        problems.append(f"There is no shot of this project in the cut.{what}")
    if problems:
        raise InputError(_listed(problems))
    return found


def _foreign(near: Shot, piece: Piece, place: int) -> Shot:
    """A clip that the editor has brought: a card holds its place, and says what goes there."""
    name = one_line(piece.shot)[:_LONGEST_NAME] or f"clip {place}"
    nothing: dict[str, object] = dict.fromkeys(("dialogue", "voiceover", "picture"))
    blank = near.set.model_copy(update={"place": "abstract", "props": (), "heading": ""})
    update = {
        **nothing,
        "id": f"X{place}",
        "kind": "standard",
        "size": "WS",
        "subject": name,
        "action": f"{FOREIGN}{name}",
        "figures": (),
        "movement": Movement(kind="static"),
        "set": blank,
        "on_screen_text": name,
        "lip_sync": False,
        "transition": "cut",
        "notes": f"{FOREIGN}{name}",
        "references": (f"{FOREIGN}{name}",),
        "storyboard": Board(description=f"{FOREIGN}{name}", prompt=""),
    }
    return near.model_copy(update=update)


def _listed(problems: Sequence[str]) -> str:
    more = len(problems) - _MOST_TOLD
    rest = [f"And {more:,} more."] if more > 0 else []
    return "\n".join([*problems[:_MOST_TOLD], *rest])


def _check_beats(order: Sequence[str]) -> None:
    runs = [beat for beat, _ in groupby(order)]
    torn = sorted({beat for beat in runs if runs.count(beat) > 1})
    if torn:
        raise InputError(
            "\n".join(
                f"The shots of beat {beat} are not together any more. Move whole beats, "
                "or shots inside their beat."
                for beat in torn
            )
        )


def _placed(chosen: Sequence[tuple[Shot, Piece]]) -> list[Shot]:
    made, start = [], 0
    for order, (shot, piece) in enumerate(chosen, 1):
        end = start + piece.frames
        update = {"order": order, "start": start, "end": end}
        kind = _transition(shot, piece, first=order == 1, last=order == len(chosen))
        made.append(shot.model_copy(update={**update, "transition": kind}))
        start = end
    return made


def _transition(shot: Shot, piece: Piece, *, first: bool, last: bool) -> str:
    """The one of the cut; what the cut cannot tell stays as it is."""
    if piece.transition not in {"cut", None}:
        return piece.transition or "cut"
    fades = (first and shot.transition == "fade_in") or (last and shot.transition == "fade_out")
    untold = shot.transition not in TRANSITIONS or (fades and piece.transition is None)
    return shot.transition if untold else "cut"


def _spoken_again(before: Sequence[Shot], after: Sequence[Shot]) -> tuple[Shot, ...]:
    """What is said in a beat is said in the same order over the shots that are left of it."""
    found: list[Shot] = []
    for beat, group in groupby(after, key=lambda shot: shot.beat):
        left = list(group)
        old = [shot for shot in before if shot.beat == beat]
        if [shot.id for shot in old] == [shot.id for shot in left]:
            found += left
        else:
            words = _dealt([shot.voiceover for shot in old], len(left))
            found += [
                shot.model_copy(update={"voiceover": said})
                for shot, said in zip(left, words, strict=True)
            ]
    return tuple(found)


def _dealt(words: Sequence[str | None], among: int) -> list[str | None]:
    rest = " ".join(each for each in words[among - 1 :] if each)
    return [*words[: among - 1], rest or None]


def _beats(script: Script, shots: Sequence[Shot]) -> Iterator[Beat]:
    known: Mapping[str, Beat] = {beat.id: beat for beat in script.beats}
    for order, (name, group) in enumerate(groupby(shots, key=lambda shot: shot.beat), 1):
        left = list(group)
        if name not in known:
            raise InputError(f"Shot {left[0].id} is of beat {name}, which the script has not.")
        update = {"order": order, "start": left[0].start, "end": left[-1].end}
        yield known[name].model_copy(update=update)


def _broken(script: Script, shots: ShotList) -> list[Violation]:
    """Every rule that is broken."""
    return [
        *(each for beat in script.beats for each in speech_overrun(beat.script, beat, script)),
        *check_shots(shots, script),
        *check_continuity(shots),
    ]
