"""Timed moments as beats: the words are their author's, the rest follows from them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import drawn_as, place_in
from callsheet_studio.library.asking import film_of
from callsheet_studio.model.base import Inferred
from callsheet_studio.model.script import (
    Audio,
    Beat,
    Emotion,
    Function,
    Making,
    Part,
    Script,
    Visual,
    Words,
)
from callsheet_studio.script.line import Clock
from callsheet_studio.script.own.narration import sentences
from callsheet_studio.script.own.scene import Scene, scenes_of
from callsheet_studio.script.people import Roles
from callsheet_studio.script.pictures import Pictures
from callsheet_studio.script.wording import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Picture
    from callsheet_studio.script.own.cut import Moment
    from callsheet_studio.script.own.introduced import Person
    from callsheet_studio.script.own.timing import Timed

_ENGLISH = {
    "hook": "Why keep watching?",
    "own": "What must the audience know now?",
    "call_to_action": "What shall the viewer do?",
    "speaks": "{names} speaking",
    "text": "The words stand on the screen",
    "goes_on": "The picture goes on: {seen}",
    "card": "An end card with the call to action",
    "curious": "curious",
    "follows": "follows",
    "ready": "ready to act",
    "rising": "rising",
    "steady": "steady",
    "falling": "falling",
    "and": " and ",
}
_GERMAN = {
    "hook": "Warum weiter zusehen?",
    "own": "Was muss das Publikum jetzt wissen?",
    "call_to_action": "Was soll das Publikum tun?",
    "speaks": "{names} im Gespräch",
    "text": "Der Text steht im Bild",
    "goes_on": "Das Bild geht weiter: {seen}",
    "card": "Eine Schlusstafel mit dem Aufruf",
    "curious": "neugierig",
    "follows": "folgt",
    "ready": "bereit zu handeln",
    "rising": "steigend",
    "steady": "gleichbleibend",
    "falling": "fallend",
    "and": " und ",
}
_CURVE = (7, 6, 5, 6, 8, 7, 6, 9)
"""The intensity of a film from its beginning to its end."""
_SIZES = ("MS", "CU", "MWS", "MCU")
_MOVES = ("static", "push", "pan", "dolly")
_EFFECTS = re.compile(
    r"\b(explo\w+|hologra\w+|particle\w*|partikel\w*|morph\w*|glow\w*|leucht\w*|magic\w*|magisch\w*"
    r"|fire|feuer|smoke|rauch|x-ray|röntgen\w*|hud|overlay\w*)\b",
    re.IGNORECASE,
)
_NOWHERE = frozenset(("plain_room", "open_air"))
"""What stands for a place that has no drawing."""
_OFF = re.compile(r"(?i)\((?:v\.?\s?o\.?|o\.?s\.?|o\.?c\.?|off)\)")
_KEYWORDS, _LETTERS = 6, 3
_NAMES = re.compile(r"\s*\([^)]*\)")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


@dataclass(slots=True)
class _Pictures:
    """Hands out what a place has to show, each once as long as there is something."""

    shown: dict[str, int] = field(default_factory=dict)

    def next(self, scene: Scene, language: str) -> str:
        found = scene.pictures(language)
        number = self.shown.get(scene.place, 0)
        self.shown[scene.place] = number + 1
        again, at = divmod(number, len(found))
        return found[at] + (f" ({again + 1})" if again else "")


def script_of(
    timed: Timed,
    title: str,
    headings: Sequence[str],
    brief: Brief,
    people: Sequence[Person] = (),
) -> Script:
    """The script of moments that have their times."""
    scenes = scenes_of(timed.moments, headings, brief)
    pictures, beats, start = _Pictures(), list[Beat](), 0
    seen = _seen(brief, timed.wpm)
    for number, (moment, frames, scene) in enumerate(
        zip(timed.moments, timed.frames, scenes, strict=True)
    ):
        share = len(_CURVE) * number // len(timed.moments)
        shown = _shown(moment, scene, seen, last=number == len(timed.moments) - 1)
        action = moment.action or _action(moment, scene, pictures, brief)
        if shown and not moment.action:
            action = " ".join(picture.action for picture in shown)
        references = seen.references(shown)
        beats.append(
            _Maker(moment, scene, brief, action, shown, references, _present(moment, people)).beat(
                place=(start, start + frames),
                intensity=_CURVE[-1] if number == len(scenes) - 1 else _CURVE[share],
                before=beats,
                last=number == len(scenes) - 1,
            )
        )
        start += frames
    return Script(
        title=title or brief.project.title,
        type=brief.content.type,
        language=brief.content.language,
        structure="own",
        fps=brief.rate.to_json(),
        frames=brief.frames,
        words_per_minute=timed.wpm,
        beats=tuple(beats),
        inferred=tuple(_inferred(timed.moments, beats)),
    )


def _present(moment: Moment, people: Sequence[Person]) -> tuple[Person, ...]:
    """Those whom a moment names, and of whom the script says how they look."""
    spoken = {_NAMES.sub("", say.speaker).casefold() for say in moment.says}
    told = f" {_words(moment.action)} "
    return tuple(
        person
        for person in people
        if person.look and (person.name.casefold() in spoken or f" {_words(person.name)} " in told)
    )


def _called(name: str) -> str:
    return name.title().replace("'S ", "'s ") if name.isupper() else name


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _seen(brief: Brief, wpm: int) -> Pictures:
    """Who finds the pictures of what is only said."""
    language, message = brief.content.language, brief.message
    clock = Clock(brief.rate, wpm, language)
    about = (brief.project.title, message.core, brief.project.context)
    film = film_of(about, language, message.brand)
    found = Pictures(film, Roles(brief, None), clock, None)
    found.name = message.brand or brief.project.title
    return found


def _shown(moment: Moment, scene: Scene, seen: Pictures, *, last: bool) -> tuple[Picture, ...]:
    """What a narration asks for that does not say what is seen; the card of the call to action."""
    if moment.added and moment.text:
        return (seen.card(moment.text.replace("\n", " "), said=bool(moment.says)),)
    heard = " ".join(say.text for say in moment.says)
    ends = last or _is_nowhere(scene)
    if ends and moment.text and not moment.action and not moment.dialogue:
        # What is to be read is a card, whoever speaks meanwhile.
        return (seen.written(moment.text.replace("\n", " "), heard),)
    off = all(not say.speaker or _OFF.search(say.speaker) for say in moment.says)
    if heard and off and (not moment.action or _is_nowhere(scene)):
        # What no set is drawn for is not seen as bare walls: then the words have the picture.
        return seen.spoken(sentences(heard), scene)
    return ()


def _is_nowhere(scene: Scene) -> bool:
    return bool(scene.heading) and drawn_as(scene.place, scene.heading) in _NOWHERE


def _action(moment: Moment, scene: Scene, pictures: _Pictures, brief: Brief) -> str:
    language = _tongue(brief)
    words = _GERMAN if language == "de" else _ENGLISH
    names = list(dict.fromkeys(_NAMES.sub("", say.speaker) for say in moment.says if say.speaker))
    if moment.added and moment.text:
        return f"{words['card']}."
    if names:
        return words["speaks"].format(names=words["and"].join(names)) + "."
    # In a place the words stand over what is seen of it; nowhere, they are all there is.
    if moment.text and not moment.says and scene.place == "abstract":
        return f"{words['text']}."
    if moment.seen:
        return words["goes_on"].format(seen=moment.seen)
    picture = pictures.next(scene, language)
    return f"{picture[0].upper()}{picture[1:]}."


def _tongue(brief: Brief) -> str:
    return "de" if brief.content.language[:2].lower() == "de" else "en"


class _Maker(msgspec.Struct, frozen=True):
    """One beat in the making."""

    moment: Moment
    scene: Scene
    brief: Brief
    action: str
    pictures: tuple[Picture, ...] = ()
    references: tuple[str, ...] = ()
    """The roles that its pictures show."""
    people: tuple[Person, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        return _GERMAN if _tongue(self.brief) == "de" else _ENGLISH

    def beat(
        self, place: tuple[int, int], intensity: int, before: Sequence[Beat], *, last: bool
    ) -> Beat:
        scene = self.scene
        goes_on = bool(before) and before[-1].scene == scene.number
        nth = 1 + (int(before[-1].id.partition(".")[2]) if goes_on else 0)
        part: Part = "own"
        if not before:
            part = "hook"
        elif last:
            part = "call_to_action"
        said = self.moment.said or self.moment.text or self.action
        conveys = sentences(said)[0]
        middle = place[0] <= self.brief.frames // 2 < place[1]
        return Beat(
            id=f"{scene.number}.{nth}",
            scene=scene.number,
            order=len(before) + 1,
            start=place[0],
            end=place[1],
            question=self.words[part],
            answer=conveys,
            script=self._script(),
            visual=self._visual(nth, len(before)),
            audio=self._audio(),
            emotion=self._emotion(intensity, part, before, middle=middle),
            function=Function(kind=self._kind(part), part=part, conveys=conveys),
            production=self._production(),
        )

    def _script(self) -> Words:
        return Words(
            action=self.action,
            dialogue=self.moment.dialogue or None,
            voiceover=self.moment.voiceover or None,
            on_screen_text=self.moment.text or None,
        )

    def _visual(self, nth: int, number: int) -> Visual:
        speaks = bool(self.moment.dialogue)
        size = "WS" if nth == 1 and not speaks else _SIZES[number % len(_SIZES)]
        move = "static" if speaks or self.moment.text else _MOVES[number % len(_MOVES)]
        return Visual(
            size="MCU" if speaks and size == "CU" else size,
            movement=move,
            location=self.scene.place,
            time_of_day=self.scene.hour,
            lighting=self.scene.light,
            keywords=self._keywords(),
            complexity=self._complexity(),
            heading=None if self.brief.content.shots else self.scene.heading or None,
            pictures=self.pictures,
        )

    def _keywords(self) -> tuple[str, ...]:
        found = content_words(f"{self.action} {self.moment.said}")
        fair = [word for word in found if len(word) > _LETTERS]
        return tuple((fair or found or [self.scene.place])[:_KEYWORDS])

    def _complexity(self) -> int:
        speakers = len({say.speaker for say in self.moment.says if say.speaker})
        effects = len(_EFFECTS.findall(self.action))
        return min(2 + speakers + 2 * effects + (self.scene.place != "abstract"), 10)

    def _audio(self) -> Audio:
        return Audio(
            dialogue_present=bool(self.moment.dialogue),
            effects=self.moment.effects,
            music_mood=self.moment.music or self.brief.style.mood or "neutral",
            ambience=self.scene.ambience,
        )

    def _emotion(
        self, intensity: int, part: str, before: Sequence[Beat], *, middle: bool
    ) -> Emotion:
        last = before[-1].emotion.intensity if before else intensity
        arc = "rising" if intensity > last else "falling" if intensity < last else "steady"
        feeling = {"hook": "curious", "call_to_action": "ready"}.get(part, "follows")
        mood = self.brief.style.mood or self.brief.style.tone or "calm"
        return Emotion(
            character=(self.brief.direction.midpoint_emotion if middle else "") or mood,
            audience=self.words[feeling],
            arc=self.words[arc],
            intensity=intensity,
        )

    def _kind(self, part: str) -> str:
        if part != "own":
            return part
        if not self.moment.says:
            return "picture"
        return "dialogue" if self.moment.dialogue else "narration"

    def _production(self) -> Making:
        looks = [f"figure:{_called(each.name)} \u2014 {each.look}" for each in self.people]
        effects = tuple(dict.fromkeys(word.lower() for word in _EFFECTS.findall(self.action)))
        return Making(
            complexity=self._complexity(),
            vfx=effects,
            custom_assets=("text",) if self.moment.text else (),
            category=self.brief.style.medium,
            references=tuple(
                filter(None, (self.scene.heading, *self.moment.notes, *self.references, *looks))
            ),
        )


def _inferred(moments: Sequence[Moment], beats: Sequence[Beat]) -> list[Inferred]:
    found = [
        Inferred(
            key="beats",
            value="visual, audio, emotion, function, production",
            why="an own script gives the words; the rest is chosen from them and the brief",
        )
    ]
    for moment, beat in zip(moments, beats, strict=True):
        if moment.added:
            value = moment.text or beat.script.action
            found.append(Inferred(key=f"beats.{beat.id}", value=value, why=moment.added))
        elif moment.text_added:
            key = f"beats.{beat.id}.script.on_screen_text"
            found.append(Inferred(key=key, value=moment.text, why=moment.text_added))
        elif not moment.action:
            key, why = f"beats.{beat.id}.script.action", "the script does not say what is seen"
            found.append(Inferred(key=key, value=beat.script.action, why=why))
    return [*found, *_undrawn(beats)]


def _undrawn(beats: Sequence[Beat]) -> list[Inferred]:
    """The places that have no drawing, each once, with what is drawn for them."""
    found: dict[str, Inferred] = {}
    for beat in beats:
        heading = beat.visual.heading or ""
        drawn = drawn_as(beat.visual.location, heading)
        if heading and drawn in _NOWHERE:
            key, why = f"scenes.{beat.scene}.place", f"'{place_in(heading)}' has no drawing"
            found.setdefault(place_in(heading), Inferred(key=key, value=drawn, why=why))
    return [*found.values()]
