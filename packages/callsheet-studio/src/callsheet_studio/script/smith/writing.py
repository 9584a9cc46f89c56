"""ScriptSmith, the offline way: writes a script of ALT beats from a brief, the same one each time.

First the clock (`structure`), then who tells what where (`plan`), then the words
(`voice`) and the pictures (`stage`), and around them what a crew has to know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from callsheet_studio.model.script import Alternative, Beat, Script
from callsheet_studio.script import words
from callsheet_studio.script.smith.beat import BeatMaker
from callsheet_studio.script.smith.lines import Dice, Teller, fill
from callsheet_studio.script.smith.material import Material, material
from callsheet_studio.script.smith.plan import plan, spoken
from callsheet_studio.script.smith.stage import Director, person, scenes
from callsheet_studio.script.smith.voice import Said, Voice, lines_of
from callsheet_studio.script.structure import lay_out
from callsheet_studio.script.wording import holds_phrase, joined, told

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.plan import Telling
    from callsheet_studio.script.smith.stage import Person, Scene

_ATTEMPTS = 8
_READ = 3
"""Seconds that a text must be on screen."""


class OfflineWriter:
    """Writes without a model: fast, for nothing, and always the same."""

    def write(self, brief: Brief) -> Script:
        """The script of a brief."""
        given, dice, rate = material(brief), Dice(brief.identity), brief.rate
        slots = lay_out(brief.content.structure, brief.frames, rate)
        tellings = plan(given, slots, rate, dice, speaker=brief.content.type == "testimonial")
        who = person(brief, given, dice)
        speaks = who.name.upper() if brief.content.type == "testimonial" else None
        story = brief.content.type == "brand_story"
        teller = _teller(given, dice)
        told = [said for t in tellings if t.task != "cta" for said in t.messages]
        voice = Voice(given, teller, speaks, told=told, of=len(tellings), pictures=story)
        director = Director(brief, given, _teller(given, dice), who)
        places = scenes(brief, given, tellings)
        maker = BeatMaker(brief, given, dice, who)
        beats: list[Beat] = []
        for number, telling in enumerate(tellings):
            following = tellings[number + 1] if number + 1 < len(tellings) else None
            said = voice.say(telling, places[number], following)
            action = director.action(telling, places[number], following)
            beats.append(maker.beat(telling, places[number], said, action))
        second = _Second(brief, given, maker, Dice(f"{dice.seed}/second"))
        beats = [*second.thought(beats, tellings, places, who)]
        return Script(
            title=brief.project.title,
            type=brief.content.type,
            language=brief.content.language,
            structure=brief.content.structure,
            fps=rate.to_json(),
            frames=brief.frames,
            words_per_minute=given.wpm,
            beats=tuple(_with_all(beats, brief)),
        )


def _teller(given: Material, dice: Dice) -> Teller:
    return Teller(dice, given.language, given.marks, given.avoid)


# Alternatives


class _Second:
    """Second thoughts: the opening and the end again, from another angle."""

    def __init__(self, brief: Brief, given: Material, maker: BeatMaker, dice: Dice) -> None:
        self._brief = brief
        self._given = given
        self._maker = maker
        self._dice = dice

    def thought(
        self, beats: list[Beat], tellings: list[Telling], places: list[Scene], who: Person
    ) -> list[Beat]:
        """The same beats, the first and the last with an alternative."""
        result = list(beats)
        for at, kind in dict.fromkeys(((0, "c_hook"), (len(beats) - 1, "c_cta"))):
            telling = self._other(tellings[at]) if kind == "c_hook" else tellings[at]
            made = self._alternative(result[at], telling, places[at], who, kind)
            kept = (*result[at].alternatives, made)
            result[at] = result[at].model_copy(update={"alternatives": kept})
        return result

    def _other(self, telling: Telling) -> Telling:
        """The hook with another pain, or with none: it begins with the people or a thing."""
        others = [pain for pain in self._given.pains if pain is not telling.pain]
        fitting = [p for p in others if spoken(p, self._given.language) <= telling.most]
        return replace(telling, pain=fitting[0] if fitting else None, second=None)

    def _said(self, telling: Telling, beat: Beat, place: Scene) -> Said:
        """In other words; if there are none, without a voice, or with the name alone."""
        said = Said(text=beat.script.on_screen_text)
        for attempt in range(_ATTEMPTS):
            dice = Dice(f"{self._dice.seed}/{attempt}")
            said = Voice(self._given, _teller(self._given, dice), None).say(telling, place, None)
            if said.voiceover not in {None, beat.script.voiceover}:
                return said
        if telling.task != "cta":
            return structs.replace(
                said, voiceover=None if said.voiceover else f"{self._given.product}."
            )
        if telling.reads:
            return Said(text=lines_of(self._given.cta))
        return structs.replace(said, voiceover=f"{self._given.cta.rstrip('.!')}!")

    def _alternative(
        self, beat: Beat, telling: Telling, place: Scene, who: Person, kind: str
    ) -> Alternative:
        seen = _teller(self._given, self._dice)
        said = self._said(telling, beat, place)
        action = Director(self._brief, self._given, seen, who).action(telling, place, None)
        slots = {"product": self._given.product, "who": who.name}
        if self._given.who:
            slots["who"] = self._given.who.small
        options = [
            o
            for o in words.lines(self._given.language, kind)
            if self._given.product or "{product}" not in o
        ]
        number = len(beat.alternatives)
        return Alternative(
            id=f"{beat.id}{'abc'[number]}",
            condition=fill(self._dice.pick(f"{kind}/{number}", options), slots),
            script=self._maker.words(said, action),
            emotion=self._maker.emotion(telling),
        )


def _with_all(beats: list[Beat], brief: Brief) -> list[Beat]:
    """What must be included and has not come up is shown where nothing else is to be read."""
    for phrase in brief.message.must_include:
        whole = joined(joined((beat.script.action, told(beat.script))) for beat in beats)
        if holds_phrase(whole, phrase):
            continue
        least = brief.rate.frames(_READ)
        free = [
            number
            for number, beat in enumerate(beats)
            if not beat.script.on_screen_text and beat.frames >= least
        ]
        at = free[len(free) // 2] if free else len(beats) // 2
        shown = {"on_screen_text": lines_of(phrase)} if free else {}
        seen = f"{beats[at].script.action} {phrase}."
        script = beats[at].script.model_copy(update=shown or {"action": seen})
        beats[at] = beats[at].model_copy(update={"script": script})
    return beats
