"""A beat whose pictures are known: each is a shot, as long as its words are heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.base.speech import speech_frames
from callsheet_studio.library import called
from callsheet_studio.shots.cutting import limits
from callsheet_studio.shots.moments import Moment, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.script import Beat, Picture, PictureKind, Script
    from callsheet_studio.shots.cast import Cast
    from callsheet_studio.shots.scenes import Scene

_ROLES: dict[PictureKind, Role] = {
    "product": "product",
    "thing": "detail",
    "hand": "detail",
    "screen": "screen",
    "people": "action",
    "place": "establish",
    "graphic": "graphic",
    "fact": "card",
    "card": "card",
}
_OPENS = 1.6
"""Seconds of a picture that comes before the first words."""
_BREATH = 2.2
"""Seconds that a picture without words has at least, where there is time."""


def pictured(beat: Beat, scene: Scene, script: Script, cast: Cast, brand: str) -> list[Moment]:
    """The moments of a beat, one for each of its pictures that there is time for."""
    fewest, _ = limits(script.rate)
    most = max(beat.frames // fewest, 1)
    pictures = _kept(beat.visual.pictures, most)
    return [_moment(picture, scene, (script.language, brand), cast) for picture in pictures]


def _kept(pictures: Sequence[Picture], most: int) -> list[Picture]:
    """As many as there is time for: those with words first."""
    kept = list(pictures)
    while len(kept) > most:
        spare = next((each for each in reversed(kept) if not each.said), kept[-1])
        kept.remove(spare)
    return kept


def _moment(picture: Picture, scene: Scene, of: tuple[str, str], cast: Cast) -> Moment:
    language, brand = of
    figures = tuple(filter(None, map(cast.called, picture.people)))
    role = _ROLES[picture.kind]
    if picture.kind == "people":
        role = "two" if len(figures) > 1 else "action"
    subject = " & ".join(figures)
    if not subject and picture.things and picture.kind != "card":
        subject = ", ".join(called(each, language) for each in picture.things)
    if picture.kind == "fact":
        subject = picture.action.partition(": ")[2].rstrip(".")
    if picture.kind == "card":
        subject = brand
    if not subject and picture.graphic:
        graphic = picture.graphic
        subject = f"{graphic.value} {graphic.unit}".strip() or ", ".join(graphic.steps)
    return Moment(
        role=role,
        text=picture.action,
        subject=subject or scene.place,
        figures=figures,
        things=picture.things,
        graphic=picture.graphic,
        fact=picture.kind == "fact",
        said=picture.said,
    )


def ends_by_words(beat: Beat, moments: Sequence[Moment], script: Script) -> tuple[int, ...]:
    """Where each shot ends: when its words have been said; the rest is for those without."""
    rate = script.rate
    fewest, most = limits(rate)
    silent = [not moment.said for moment in moments]
    lengths = [
        speech_frames(moment.said, rate, script.words_per_minute, script.language)
        if moment.said
        else 0
        for moment in moments
    ]
    spare = beat.frames - sum(lengths)
    for number, is_silent in enumerate(silent):
        if is_silent and not lengths[number]:
            wished = rate.frames(_OPENS if number == 0 else _BREATH)
            lengths[number] = max(min(wished, spare), fewest)
            spare -= lengths[number]
    return _fitted(lengths, beat.frames, fewest, most)


def _fitted(lengths: list[int], frames: int, fewest: int, most: int) -> tuple[int, ...]:
    """Lengths that tile the beat, none too short or too long."""
    if fewest * len(lengths) > frames:
        fewest = max(frames // len(lengths), 1)
    found = [max(length, fewest) for length in lengths]
    over = sum(found) - frames
    while over > 0:
        at = max(range(len(found)), key=lambda n: found[n])
        cut = min(over, max((found[at] - fewest + 1) // 2, 1))
        found[at] -= cut
        over -= cut
    if over < 0:
        # Time that is left goes to the last shot, and to others where that would be too long.
        at = len(found) - 1
        while over < 0:
            room = most - found[at]
            given = min(-over, max(room, 0))
            found[at] += given
            over += given
            at -= 1
            if at < 0:
                found[-1] -= over
                break
    ends, place = [], 0
    for length in found:
        place += length
        ends.append(place)
    return tuple(ends)
