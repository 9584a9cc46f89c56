"""Takes become shots: numbered, with their transitions, setups and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.model.shots import Shot
from callsheet_studio.shots import picture
from callsheet_studio.shots.prompts import board
from callsheet_studio.shots.scenes import AGAINST
from callsheet_studio.shots.wording import german

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief, OwnShot
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.shots.camera import Frame
    from callsheet_studio.shots.cast import Cast
    from callsheet_studio.shots.moments import Moment
    from callsheet_studio.shots.scenes import Scene
    from callsheet_studio.shots.spoken import Said

_SHOW_LIPS = 3
"""Step of size from which one sees that somebody speaks."""
_DISSOLVE = 2
"""Seconds that both shots have at least where one dissolves into the other."""


class Take(msgspec.Struct, frozen=True):
    """A shot before it is written down. Frames of the film."""

    beat: Beat
    scene: Scene
    moment: Moment
    start: int
    end: int
    said: Said
    text: str | None
    own: OwnShot | None = None
    frame: Frame | None = None

    @property
    def filmed(self) -> Frame:
        """How it is filmed."""
        assert self.frame is not None
        return self.frame

    @property
    def lip_sync(self) -> bool:
        """Whether one sees somebody speak."""
        near = self.filmed.step >= _SHOW_LIPS and self.filmed.kind != "INSERT"
        return near and bool(self.said.speakers) and self.moment.role in ("speaker", "two")


def letters(number: int) -> str:
    """The letters of a shot: A for 0, Z for 25, AA for 26."""
    found = ""
    while number >= 0:
        number, rest = divmod(number, 26)
        found = chr(ord("A") + rest) + found
        number -= 1
    return found


class _Label(msgspec.Struct, frozen=True):
    """What a shot has from its place among the others."""

    id: str
    order: int
    setup: str
    transition: str
    place: tuple[int, int]
    """Its number in its beat, and of how many."""


def written(takes: Sequence[Take], script: Script, brief: Brief, cast: Cast) -> tuple[Shot, ...]:
    """The shots of all takes."""
    labels = _labels(takes, script)
    rows = zip(takes, labels, strict=True)
    return tuple(_shot(take, label, brief, cast) for take, label in rows)


def _shot(take: Take, label: _Label, brief: Brief, cast: Cast) -> Shot:
    frame, beat, language = take.filmed, take.beat, brief.content.language
    composed = picture.composition(frame, take.scene, brief, text=bool(take.text))
    return Shot(
        id=label.id,
        scene=take.scene.number,
        beat=beat.id,
        order=label.order,
        start=take.start,
        end=take.end,
        size=frame.size,
        kind=frame.kind,
        subject=take.moment.subject,
        figures=take.moment.figures,
        action=take.moment.text,
        things=take.moment.things,
        graphic=take.moment.graphic,
        chosen=bool(beat.visual.pictures) or not take.moment.main,
        angle=frame.angle,
        bearing=frame.bearing,
        movement=frame.movement,
        lens_mm=frame.lens_mm,
        composition=composed,
        lighting=picture.lighting(take.scene),
        set=picture.setting(take.scene, language),
        complexity=picture.complexity(frame, beat, text=bool(take.text), lip_sync=take.lip_sync),
        dialogue=take.said.dialogue,
        voiceover=take.said.voiceover,
        on_screen_text=take.text,
        lip_sync=take.lip_sync,
        sound=picture.sound(beat, *label.place, language),
        transition=label.transition,
        setup=label.setup,
        notes=_notes(take, language),
        storyboard=board(frame, take.scene, composed, brief, cast),
        picture=take.own.picture if take.own else None,
        references=(
            *cast.references(take.moment.figures),
            *(r for r in beat.production.references if not cast.describes(r)),
        ),
    )


def _notes(take: Take, language: str) -> str:
    """Why it is filmed so, and whose picture it is."""
    told = [picture.intent(take.filmed, language)]
    if take.filmed.movement.kind == "rack":
        drawn = "im gezeichneten Film bleibt die Schärfe, wo sie ist"
        told.append(drawn if german(language) else "the drawn film keeps its focus")
    if take.own and take.own.picture:
        whose = "eigenes Bild" if german(language) else "own picture"
        told.append(f"{whose}: {take.own.picture.name}")
    return "; ".join(filter(None, told))


def _labels(takes: Sequence[Take], script: Script) -> tuple[_Label, ...]:
    in_scene: dict[int, int] = {}
    setups: dict[tuple[object, ...], str] = {}
    found = []
    for order, take in enumerate(takes, start=1):
        number = in_scene[take.scene.number] = in_scene.get(take.scene.number, -1) + 1
        found.append(
            _Label(
                id=f"{take.scene.number}{letters(number)}",
                order=order,
                setup=_setup(take, setups),
                transition=_transition(takes, order - 1, script),
                place=_in_beat(takes, order - 1),
            )
        )
    return tuple(found)


def _in_beat(takes: Sequence[Take], at: int) -> tuple[int, int]:
    same = [n for n, other in enumerate(takes) if other.beat.id == takes[at].beat.id]
    return same.index(at), len(same)


def _setup(take: Take, known: dict[tuple[object, ...], str]) -> str:
    """Same place, light and camera side: made together."""
    scene, bearing = take.scene, take.filmed.bearing
    side = (bearing > 0) - (bearing < 0)
    key = (scene.place.lower(), scene.time, scene.preset, side)
    if key not in known:
        same = sum(1 for other in known if other[0] == key[0])
        known[key] = f"{scene.place.replace('_', ' ')} {same + 1}"
    return known[key]


def _transition(takes: Sequence[Take], at: int, script: Script) -> str:
    """Cuts; where the hour or the mood of the story turns, a dissolve if there is time for it."""
    if at == 0:
        return "fade_in"
    if at == len(takes) - 1:
        return "fade_out"
    before, take = takes[at - 1], takes[at]
    least = _DISSOLVE * script.rate.fps
    short = min(before.end - before.start, take.end - take.start) < least
    ad = script.type == "social_ad" or script.structure == "ad"
    if ad or short or before.scene.number == take.scene.number:
        return "cut"
    later = before.scene.time != take.scene.time
    turned = (before.beat.function.part in AGAINST) != (take.beat.function.part in AGAINST)
    return "dissolve" if later or turned else "cut"
