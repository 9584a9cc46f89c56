"""From beats to shots: cut, show, film, and put into words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet_studio.library import behind, find_set
from callsheet_studio.library.things import find_props
from callsheet_studio.model.shots import ShotList
from callsheet_studio.shots.camera import Operator, Wish
from callsheet_studio.shots.cast import Cast, cast_of
from callsheet_studio.shots.cues import CLOSE_UP
from callsheet_studio.shots.cutting import counts, ends_of, limits
from callsheet_studio.shots.moments import Director, Moment, Role, Shown
from callsheet_studio.shots.own import OwnBeat, inferred, onto_beats, wish_of
from callsheet_studio.shots.own_cast import own_cast
from callsheet_studio.shots.pictured import ends_by_words, pictured
from callsheet_studio.shots.reading import text_on
from callsheet_studio.shots.scenes import Scout
from callsheet_studio.shots.spoken import Breath, Said, breaths, onto_shots, when_seen
from callsheet_studio.shots.turns import by_turns
from callsheet_studio.shots.writing import Take, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.model.brief import Brief, OwnShot
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Size
    from callsheet_studio.shots.scenes import Scene

_WEIGHTS = {"establish": 11, "face": 9, "detail": 8, "card": 12}
"""How long a shot is against others of its beat; an action has 10."""
_USUAL = 10
_UPGRADED = frozenset(("action", "face", "establish", "two"))
"""Roles that become somebody who speaks, if somebody does."""
_SHORT = 3
"""Words up to which nothing but a face is told."""
_WHOSE = re.compile(r"[^\W\d_]+['\u2019]s?(?!\w)")
"""`Mara's phone rings` shows a phone."""


def plan_shots(script: Script, brief: Brief, wishes: Mapping[int, Wish] | None = None) -> ShotList:
    """The shots of a script: they tile its beats, say its words and keep continuity.

    Shots that the brief prescribes are kept as they are; what they leave open is chosen, and listed
    as inferred.

    Args:
        script: in beats.
        brief: that it is of.
        wishes: how shots are to be filmed, by their place in the list; they are kept, whatever
            follows from it.
    """
    shots = brief.content.shots or ()
    told = own_cast(shots, script.language)
    own = onto_beats(shots, told.shots, script) if shots else {}
    planner = _Planner(script, brief, cast_of(script, brief.identity, told.looks, own))
    planner.wishes = wishes or {}
    for number, (beat, count) in enumerate(zip(script.beats, counts(script), strict=True)):
        if number in own:
            planner.own(beat, own[number])
        else:
            planner.chosen(beat, count)
    made = written(planner.takes, script, brief, planner.cast)
    return ShotList(
        title=script.title,
        fps=script.fps,
        frames=script.frames,
        figures=planner.cast.figures,
        shots=made,
        inferred=inferred([take.own for take in planner.takes], made) if own else (),
    )


class _Planner:
    """Goes from beat to beat, and remembers what was shown and how."""

    def __init__(self, script: Script, brief: Brief, cast: Cast) -> None:
        self.cast = cast
        self.takes: list[Take] = []
        self.wishes: Mapping[int, Wish] = {}
        self._script = script
        self._brand = brief.message.brand or brief.project.title
        told: dict[int, str] = {}
        for beat in script.beats:
            told[beat.scene] = f"{told.get(beat.scene, '')} {beat.script.action}"
        self._scout = Scout(brief, told)
        self._shown = Shown()
        self._director = Director(brief, cast, script.language, script.structure == "own")
        self._operator = Operator(brief.identity)
        self._scene = 0
        self._first_speaker = ""
        self._seen_in_beat: set[str] = set()

    def chosen(self, beat: Beat, count: int) -> None:
        """A beat whose shots are ours to choose."""
        scene = self._scout.scene(beat)
        if beat.visual.pictures:
            self._pictured(beat, scene)
            return
        fewest = -(-beat.frames // limits(self._script.rate)[1])
        opens = scene.fresh and scene.number != self._scene
        moments = self._director.moments(beat, scene, (fewest, count), self._shown, opens=opens)
        ends = self._ends(beat, [_WEIGHTS.get(moment.role, _USUAL) for moment in moments])
        turned = self._turned(beat, moments, near=scene.is_bare)
        moments, ends = turned or (moments, ends)
        said = onto_shots(self._breaths(beat), ends) if turned else self._said(beat, ends, moments)
        texts = self._texts(beat, moments, ends)
        self._seen_in_beat = {name for moment in moments for name in moment.figures}
        for moment, words, text, start, end in zip(
            moments, said, texts, (0, *ends), ends, strict=False
        ):
            self._take(Take(beat, scene, moment, beat.start + start, beat.start + end, words, text))

    def _turned(
        self, beat: Beat, moments: Sequence[Moment], *, near: bool
    ) -> tuple[list[Moment], tuple[int, ...]] | None:
        """In a script that somebody has written, whoever speaks is seen."""
        if self._script.structure != "own" or not beat.script.dialogue or not moments:
            return None
        said, rate = self._breaths(beat), self._script.rate
        return by_turns(moments, said, beat.frames, self.cast, rate, near=near)

    def _pictured(self, beat: Beat, scene: Scene) -> None:
        """A beat whose words ask for its pictures."""
        moments = pictured(beat, scene, self._script, self.cast, self._brand)
        ends = ends_by_words(beat, moments, self._script)
        whole = " ".join(moment.said for moment in moments if moment.said)
        kept = not beat.script.dialogue and whole == (beat.script.voiceover or "")
        said = (
            tuple(Said(voiceover=moment.said or None) for moment in moments)
            if kept
            else self._said(beat, ends, moments)
        )
        texts = self._texts(beat, moments, ends)
        self._seen_in_beat = {name for moment in moments for name in moment.figures}
        for moment, words, text, start, end in zip(
            moments, said, texts, (0, *ends), ends, strict=False
        ):
            self._take(Take(beat, scene, moment, beat.start + start, beat.start + end, words, text))

    def own(self, beat: Beat, shots: OwnBeat) -> None:
        """A beat whose shots are prescribed."""
        ends = shots.ends(beat.frames, self._script.rate)
        places = [self._scout.scene(beat, s.place, s.time_of_day) for s in shots.shots]
        moments = [
            self._as_told(shot, place, who)
            for shot, place, who in zip(shots.shots, places, shots.who, strict=True)
        ]
        said = shots.said(beat) or self._said(beat, ends, moments)
        self._seen_in_beat = {name for moment in moments for name in moment.figures}
        texts = shots.texts(beat) or self._texts(beat, moments, ends)
        for number, (shot, moment) in enumerate(zip(shots.shots, moments, strict=True)):
            start = beat.start + (ends[number - 1] if number else 0)
            end, words = beat.start + ends[number], said[number]
            self._take(
                Take(beat, places[number], moment, start, end, words, texts[number], own=shot)
            )

    def _as_told(self, shot: OwnShot, place: Scene, who: tuple[str, ...]) -> Moment:
        """In the words of the brief, with the subject that it names."""
        told = f"{shot.subject or ''}. {_WHOSE.sub('', shot.action)}"
        moment = self._director.moment(
            shot.action, place, self._shown, who=who or self.cast.named(told)
        )
        # Who was described is called by name: their look is in the references.
        described = who and "," in (shot.subject or "")
        subject = moment.subject if described else shot.subject or self._seen(moment, place)
        role = "action" if moment.role == "over" else moment.role
        return replace(moment, role=role, text=shot.action, subject=subject)

    def _seen(self, moment: Moment, place: Scene) -> str:
        """The subject; of an idea that is no place, or a thing that is not the brand, its words."""
        told = moment.text.rstrip(".")
        if moment.role == "product":
            return moment.subject if moment.subject.lower() in told.lower() else told
        is_place = moment.subject != place.place or find_set(told, "")
        return moment.subject if is_place or moment.role != "action" else told

    def _wish(self, take: Take, moment: Moment) -> Wish:
        """What is prescribed; in a written script, that one sees what somebody does."""
        if (wish := self.wishes.get(len(self.takes))) is not None:
            return wish
        if take.own:
            return wish_of(take.own, self._nearest(moment))
        written = self._script.structure == "own" and not take.beat.visual.pictures
        if not (written and moment.main and moment.figures):
            return Wish()
        near = self._nearest(moment)
        # Whoever speaks with something in their hands is seen with it.
        return Wish(nearest="MS" if near == "CU" and find_props(moment.text) else near)

    def _nearest(self, moment: Moment) -> Size | None:
        """How near a shot still shows what it says: several people, or what somebody holds.

        Of somebody who speaks, or who smiles and no more, the face.
        """
        if not moment.figures:
            return None
        if moment.role == "speaker" or CLOSE_UP.search(moment.text):
            return "CU"
        if len(moment.figures) > 1 or self.cast.many(moment.figures[0]):
            return "MWS"
        short = len(behind(moment.text, self._script.language).split()) <= _SHORT
        return "MCU" if moment.role == "face" and short else "MS"

    def _ends(self, beat: Beat, weights: list[int]) -> tuple[int, ...]:
        heard = [breath.end for breath in self._breaths(beat)]
        return ends_of(beat.frames, weights, self._script.rate, heard)

    def _breaths(self, beat: Beat) -> Sequence[Breath]:
        told = self._script
        return breaths(beat.script, beat.frames, told.rate, told.words_per_minute, told.language)

    def _said(self, beat: Beat, ends: Sequence[int], moments: Sequence[Moment]) -> tuple[Said, ...]:
        starts = tuple(zip((0, *ends), moments, strict=False))
        said = self._breaths(beat)
        seen = {}
        for name in dict.fromkeys(breath.piece.name for breath in said if breath.piece.seen):
            figure = self.cast.called(name)
            seen[name] = next((start for start, m in starts if figure in m.figures), 0)
        return onto_shots(when_seen(said, seen, beat.frames), ends)

    def _texts(
        self, beat: Beat, moments: Sequence[Moment], ends: Sequence[int]
    ) -> tuple[str | None, ...]:
        lengths = [end - start for start, end in zip((0, *ends), ends, strict=False)]
        cards = [n for n, moment in enumerate(moments) if moment.role == "card" and not moment.fact]
        text = beat.script.on_screen_text
        return text_on(text, lengths, self._script.rate, cards[-1] if cards else None)

    def _take(self, take: Take) -> None:
        scene = take.scene
        opens = scene.fresh and scene.number != self._scene
        if scene.number != self._scene:
            self._first_speaker = ""
        self._scene = scene.number
        is_pictured = bool(take.beat.visual.pictures)
        moment = self._speaking(take.moment, take.said, opens=opens, is_pictured=is_pictured)
        frame = self._operator.film(
            moment,
            take.beat,
            scene,
            self._script.rate.seconds(take.end - take.start),
            opens=opens,
            wish=self._wish(take, moment),
        )
        self.takes.append(replace(take, moment=moment, frame=frame))

    def _speaking(self, moment: Moment, said: Said, *, opens: bool, is_pictured: bool) -> Moment:
        """With whoever is heard and can be seen; over things they are heard only."""
        heard = [name for name in map(self.cast.called, said.speakers) if name]
        if not heard or moment.role not in _UPGRADED or (is_pictured and not moment.figures):
            return moment
        if moment.main and not moment.figures and self._seen_in_beat & set(heard):
            return moment
        others = [name for name in moment.figures if name not in heard]
        figures = tuple(dict.fromkeys((*heard, *(others if moment.main else ()))))
        role: Role = "two" if len(figures) > 1 else "speaker"
        if opens and moment.role == "establish":
            return replace(moment, figures=figures)
        self._first_speaker = self._first_speaker or heard[0]
        answers = role == "speaker" and heard[0] != self._first_speaker
        subject = " & ".join(figures)
        return replace(moment, role=role, figures=figures, subject=subject, answers=answers)
