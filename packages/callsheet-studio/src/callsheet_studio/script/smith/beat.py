"""Everything about a beat that is not its words: camera, sound, feeling, function, making."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio import library
from callsheet_studio.model.script import (
    Audio,
    Beat,
    Emotion,
    Function,
    Making,
    Visual,
    Words,
)
from callsheet_studio.script import words
from callsheet_studio.script.smith.dice import fill

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Picture, PictureKind
    from callsheet_studio.script.smith.dice import Dice
    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.places import Scene
    from callsheet_studio.script.smith.plan import Telling

_INTENSITY = {
    "hook": 7,
    "solution": 6,
    "setup": 5,
    "confrontation": 6,
    "resolution": 8,
    "inciting_event": 6,
    "first_plot_point": 5,
    "first_pinch_point": 6,
    "midpoint": 8,
    "second_pinch_point": 7,
    "third_plot_point": 6,
    "climax": 9,
    "pain_point": 6,
    "product_reveal": 7,
    "selling_point": 6,
    "demo": 6,
    "trust": 5,
    "offer": 7,
    "call_to_action": 9,
}
_SIZES: dict[PictureKind, str] = {
    "product": "MCU",
    "thing": "CU",
    "hand": "CU",
    "screen": "MCU",
    "people": "MS",
    "place": "WS",
    "graphic": "MS",
    "fact": "MS",
    "card": "MS",
}
_MOVES: dict[PictureKind, str] = {
    "product": "arc",
    "thing": "push",
    "hand": "static",
    "screen": "push",
    "people": "static",
    "place": "pan",
    "graphic": "static",
    "fact": "static",
    "card": "static",
}
_ARC = {"hook": "up", "reveal": "up", "problem": "down", "cta": "end"}
_DRAWN = frozenset({"abstract", "product_table"})
_TELLS = {"people", "recall", "close", "silent", "problem", "reveal", "cta"}
"""Tasks whose beats ask a question of their own."""


class Said(msgspec.Struct, frozen=True):
    """The words of one beat."""

    voiceover: str | None = None
    dialogue: str | None = None
    text: str | None = None


class BeatMaker:
    """Makes the beats of one film, numbered as they come."""

    def __init__(self, brief: Brief, given: Material, dice: Dice) -> None:
        """One for each film."""
        self._brief = brief
        self._given = given
        self._dice = dice
        self._scene = 0
        self._in_scene = 0
        self._order = 0
        self._question: str | None = None
        self._last = given.core.big

    def beat(
        self,
        telling: Telling,
        scene: Scene,
        said: Said,
        pictures: tuple[Picture, ...],
        people: tuple[str, ...],
    ) -> Beat:
        """The next beat."""
        opens = scene.number != self._scene
        self._scene, self._in_scene = scene.number, 1 if opens else self._in_scene + 1
        self._order += 1
        question = self._ask(telling)
        answer = self._answer(telling)
        return Beat(
            id=f"{scene.number}.{self._in_scene}",
            scene=scene.number,
            order=self._order,
            start=telling.slot.start,
            end=telling.slot.end,
            question=question,
            answer=answer,
            script=Words(
                action=" ".join(picture.action for picture in pictures),
                dialogue=said.dialogue,
                voiceover=said.voiceover,
                on_screen_text=said.text,
            ),
            visual=self._visual(scene, pictures),
            audio=self._audio(telling, scene, said, pictures),
            emotion=self.emotion(telling),
            function=self._function(telling, answer, question),
            production=self._making(telling, said, pictures, people),
        )

    def _text(self, key: str) -> str:
        found: str = words.table(f"{self._given.language}_scenes")[key]
        return found

    def _slots(self) -> dict[str, str]:
        given = self._given
        who = given.who.small if given.who else self._text("everybody")
        return {"who": who, "product": given.product or who, "brand": given.product or who}

    # Meaning

    def _ask(self, telling: Telling) -> str:
        """The question of its part; a further beat of it asks for what it is there for."""
        key: str = telling.slot.part
        if telling.slot.number and telling.task in _TELLS:
            key = telling.task
        return fill(self._text(f"q_{key}"), self._slots())

    def _answer(self, telling: Telling) -> str:
        """What the audience knows afterwards, in the brief's words."""
        told = [line.about.rstrip(".") for line in telling.lines if not line.ours]
        told += [line.about.rstrip(".") for line in telling.shown]
        self._last = told[-1] if told else self._last
        return ". ".join(told) or self._last

    def _function(self, telling: Telling, answer: str, question: str) -> Function:
        answered, self._question = self._question, None
        if telling.task in {"hook", "problem"}:
            self._question = question
        parts = telling.slot.parts
        if telling.task == "cta" and "call_to_action" not in parts:
            parts = (*parts, "call_to_action")
        if telling.slot.part == "hook" and self._brief.content.structure == "three_act":
            parts = tuple(dict.fromkeys((*parts, "setup")))
        return Function(
            kind=self._text(f"kind_{telling.task}"),
            part=telling.slot.part,
            parts=parts,
            conveys=answer,
            raises=self._question,
            answers=answered,
        )

    def emotion(self, telling: Telling) -> Emotion:
        """What is felt; at the turn of the film, what the brief asks for."""
        strength = _INTENSITY.get(telling.slot.part, 5)
        if telling.turns:
            felt = self._text(f"feeling_{self._given.emotion}")
            who = self._given.who.small if self._given.who else self._text("everybody")
            return Emotion(character=felt, audience=f"{felt}, {who}", arc=felt, intensity=8)
        character, audience, arc = self._text(f"felt_{telling.task}").split(" | ")
        strength = max(strength - (telling.task == "silent"), 1)
        return Emotion(character=character, audience=audience, arc=arc, intensity=strength)

    # Picture and sound

    def _visual(self, scene: Scene, pictures: tuple[Picture, ...]) -> Visual:
        first = pictures[0].kind
        return Visual(
            size=_SIZES[first],
            movement=_MOVES[first],
            location=scene.place,
            time_of_day=scene.time,
            lighting=scene.light,
            keywords=self._keywords(scene, pictures),
            complexity=self._complexity(pictures),
            pictures=pictures,
        )

    def _keywords(self, scene: Scene, pictures: tuple[Picture, ...]) -> tuple[str, ...]:
        things = [
            library.called(thing, self._given.language)
            for picture in pictures
            for thing in picture.things
        ]
        found = [scene.place.replace("_", " "), scene.time, *things[:3]]
        found += [self._brief.style.look] if self._brief.style.look else []
        return tuple(dict.fromkeys(found))

    def _complexity(self, pictures: tuple[Picture, ...]) -> int:
        people = max(len(picture.people) for picture in pictures)
        screen = any(picture.kind == "screen" for picture in pictures)
        return min(2 + people + 2 * screen, 10)

    def _audio(
        self, telling: Telling, scene: Scene, said: Said, pictures: tuple[Picture, ...]
    ) -> Audio:
        tone = next((mark for mark in ("b", "c", "p") if mark in self._given.marks), "any")
        colour = self._dice.pick("music", self._text(f"music_{tone}").split(" | "))
        moves = self._text(f"music_{_ARC.get(telling.task, 'hold')}")
        if telling.turns:
            moves = self._text(f"feeling_{self._given.emotion}")
        kind = "in" if library.sets()[scene.place].interior else "out"
        if any(picture.kind == "screen" for picture in pictures):
            kind = "screen"
        if telling.task == "cta" or scene.place in _DRAWN:
            kind = "card"
        return Audio(
            dialogue_present=said.dialogue is not None,
            effects=tuple(self._text(f"effects_{kind}").split(", ")),
            music_mood=f"{colour}, {moves}",
            ambience=self._text(f"sound_{scene.place}"),
        )

    # Making

    def _making(
        self,
        telling: Telling,
        said: Said,
        pictures: tuple[Picture, ...],
        people: tuple[str, ...],
    ) -> Making:
        screen = any(picture.kind == "screen" for picture in pictures)
        vfx = [self._text("vfx_screen")] if screen else []
        if said.text or any(picture.graphic for picture in pictures):
            vfx.append(self._text("vfx_text"))
        if self._brief.style.medium != "live_action":
            vfx.append(self._text("vfx_draw"))
        assets = [fill(self._text("asset_screen"), self._slots())] if screen else []
        if telling.task in {"reveal", "cta"}:
            assets.append(fill(self._text("asset_brand"), self._slots()))
        if said.dialogue:
            assets.append(self._text("asset_speaker"))
        references = [*people, *self._brief.style.palette[:2]]
        references += [self._brief.style.look] if self._brief.style.look else []
        return Making(
            complexity=self._complexity(pictures),
            vfx=tuple(vfx) or (self._text("vfx_none"),),
            custom_assets=tuple(assets) or (self._text("vfx_none"),),
            category=self._brief.style.medium,
            references=tuple(references) or (self._given.product or self._brief.project.title,),
        )
