"""Everything about a beat that is not its words: camera, sound, feeling, function, making."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from callsheet_studio.script.smith.lines import fill

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.lines import Dice
    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.plan import Task, Telling
    from callsheet_studio.script.smith.stage import Person, Scene
    from callsheet_studio.script.smith.voice import Said

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
_SIZES: dict[Task, tuple[str, ...]] = {
    "hook": ("CU", "MCU", "ECU"),
    "problem": ("MS", "MCU", "MWS"),
    "reveal": ("MCU", "CU", "MS"),
    "message": ("MS", "CU", "MWS", "MCU", "FS"),
    "bridge": ("MCU", "MS"),
    "doubt": ("CU", "MCU"),
    "feel": ("ECU", "CU"),
    "people": ("FS", "MS", "MWS"),
    "echo": ("CU", "MS", "ECU"),
    "recall": ("MWS", "FS", "MS"),
    "recap": ("MCU", "MS", "CU"),
    "memory": ("MCU", "CU"),
    "scene": ("WS", "FS", "CU"),
    "silent": ("EWS", "FS", "MWS"),
    "close": ("MWS", "FS"),
    "cta": ("MS", "WS"),
}
_MOVES: dict[Task, tuple[str, ...]] = {
    "hook": ("push", "handheld", "whip"),
    "problem": ("handheld", "static", "pan"),
    "reveal": ("dolly", "push", "rack"),
    "message": ("static", "push", "truck", "pan", "arc"),
    "bridge": ("pan", "rack", "tilt"),
    "doubt": ("static", "handheld"),
    "feel": ("push", "static"),
    "people": ("truck", "handheld", "arc"),
    "echo": ("static", "tilt", "truck"),
    "recall": ("dolly", "static"),
    "recap": ("truck", "pan", "static"),
    "memory": ("static", "rack"),
    "scene": ("crane", "pan", "dolly"),
    "silent": ("crane", "static", "pan"),
    "close": ("dolly", "arc"),
    "cta": ("static",),
}
_ARC = {
    "hook": "up",
    "reveal": "up",
    "feel": "up",
    "problem": "down",
    "doubt": "down",
    "memory": "down",
    "cta": "end",
}
_SCREENS = frozenset({"phone_screen", "laptop_screen"})
_DRAWN = frozenset({"abstract", "product_table"})


class BeatMaker:
    """Makes the beats of one film, numbered as they come."""

    def __init__(self, brief: Brief, given: Material, dice: Dice, who: Person) -> None:
        """One for each film."""
        self._brief = brief
        self._given = given
        self._dice = dice
        self._who = who
        self._scene = 0
        self._in_scene = 0
        self._order = 0
        self._question: str | None = None
        """What the beat before has left open."""
        self._last = given.who.big if given.who else given.core.big
        """What has been told last: silent beats let it sink in."""
        self._size = ""

    def beat(self, telling: Telling, scene: Scene, said: Said, action: str) -> Beat:
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
            script=self.words(said, action),
            visual=self._visual(telling, scene, opens=opens),
            audio=self._audio(telling, scene, said),
            emotion=self.emotion(telling),
            function=self._function(telling, answer, question),
            production=self._making(telling, scene, said),
        )

    def words(self, said: Said, action: str) -> Words:
        """What is seen, said and read."""
        return Words(
            action=action,
            dialogue=said.dialogue,
            voiceover=said.voiceover,
            on_screen_text=said.text,
        )

    def _text(self, key: str) -> str:
        found: str = words.table(f"{self._given.language}_scenes")[key]
        return found

    def _slots(self) -> dict[str, str]:
        given = self._given
        who = given.who.small if given.who else self._text("everybody")
        slots = {"who": who, "product": given.product or who, "name": self._who.name}
        return slots | ({"brand": given.product} if given.product else {"brand": who})

    # Meaning

    def _ask(self, telling: Telling) -> str:
        """The question of its part; a further beat of it asks for what it is there for."""
        task = telling.task
        if telling.slot.number == 0 and task != "cta":
            return fill(self._text(f"q_{telling.slot.part}"), self._slots())
        things = [thing for said in telling.messages for thing in said.things]
        if task == "message" and things:
            line = self._dice.pick(f"question/{telling.about}", self._lines("q_more"))
            return fill(line, {"thing": things[self._order % len(things)]})
        key = telling.slot.part if task in {"message", "hook"} else task
        return fill(self._text(f"q_{key}"), self._slots())

    def _lines(self, key: str) -> tuple[str, ...]:
        return words.lines(self._given.language, key)

    def _answer(self, telling: Telling) -> str:
        """What the audience knows afterwards, in the brief's words."""
        told = self._told(telling)
        if told:
            self._last = told[-1]
        return ". ".join(told) or self._last

    def _told(self, telling: Telling) -> list[str]:
        given = self._given
        pains = given.pains[self._order % max(len(given.pains), 1) :][:1]
        found = {
            "recall": [given.core.big],
            "people": [given.who.big] if given.who else [],
            "doubt": [pain.big for pain in pains],
            "reveal": [] if telling.core or telling.messages else [given.product],
            "memory": [pain.big for pain in pains],
        }.get(telling.task, [])
        if found:
            return found
        told = (*telling.messages, *telling.shown, *telling.again)
        told = told or ((telling.pain,) if telling.pain else ())
        call = [given.cta.rstrip(".")] if telling.task == "cta" else []
        return [given.core.big] * telling.core + [said.big for said in told] + call

    def _function(self, telling: Telling, answer: str, question: str) -> Function:
        answered, self._question = self._question, None
        if telling.task in {"hook", "problem", "bridge", "doubt"}:
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

    def _visual(self, telling: Telling, scene: Scene, *, opens: bool) -> Visual:
        options = [size for size in _SIZES[telling.task] if size != self._size]
        size = self._dice.pick(f"size/{telling.about}", options or ["MS"])
        if opens and telling.task not in {"hook", "cta"}:
            size = "WS"
        self._size = size
        movement = self._dice.pick(f"movement/{telling.about}", _MOVES[telling.task])
        return Visual(
            size=size,
            movement=movement,
            location=scene.place,
            time_of_day=scene.time,
            lighting=scene.light,
            keywords=self._keywords(telling, scene),
            complexity=self._complexity(telling, scene),
        )

    def _keywords(self, telling: Telling, scene: Scene) -> tuple[str, ...]:
        told = (*telling.messages, *telling.shown, *([telling.pain] if telling.pain else []))
        things = [thing for said in told for thing in said.things] or list(self._given.things[:2])
        found = [scene.place.replace("_", " "), scene.time, *things[:3]]
        found += [self._brief.style.look] if self._brief.style.look else []
        metaphor = self._brief.direction.visual_metaphors.strip()
        if metaphor and telling.task in {"hook", "feel", "close"}:
            found.append(metaphor)
        return tuple(dict.fromkeys(found))

    def _complexity(self, telling: Telling, scene: Scene) -> int:
        crowd = telling.task in {"people", "silent"}
        return min(3 + (scene.place in _SCREENS) + 2 * crowd + bool(telling.messages), 10)

    def _audio(self, telling: Telling, scene: Scene, said: Said) -> Audio:
        tone = next((mark for mark in ("b", "c", "p") if mark in self._given.marks), "any")
        colour = self._dice.pick("music", self._text(f"music_{tone}").split(" | "))
        moves = self._text(f"music_{_ARC.get(telling.task, 'hold')}")
        if telling.turns:
            moves = self._text(f"feeling_{self._given.emotion}")
        entry = library.sets()[scene.place]
        kind = "out" if not entry.interior else "in"
        if scene.place in _SCREENS:
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

    def _making(self, telling: Telling, scene: Scene, said: Said) -> Making:
        vfx = []
        if scene.place in _SCREENS:
            vfx.append(self._text("vfx_screen"))
        if said.text:
            vfx.append(self._text("vfx_text"))
        if self._brief.style.medium != "live_action":
            vfx.append(self._text("vfx_draw"))
        assets = [fill(self._text("asset_look"), self._slots())]
        if scene.place in _SCREENS:
            assets.append(fill(self._text("asset_screen"), self._slots()))
        if telling.task in {"reveal", "cta"}:
            assets.append(fill(self._text("asset_brand"), self._slots()))
        if said.dialogue:
            assets.append(self._text("asset_speaker"))
        references = [self._who.look, *self._brief.style.palette[:2]]
        references += [self._brief.style.look] if self._brief.style.look else []
        return Making(
            complexity=self._complexity(telling, scene),
            vfx=tuple(vfx) or (self._text("vfx_none"),),
            custom_assets=tuple(assets),
            category=self._brief.style.medium,
            references=tuple(references),
        )
