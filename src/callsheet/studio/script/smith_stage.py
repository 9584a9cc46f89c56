"""Where it happens, who is seen, and what they do: scenes, people and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.studio import library
from callsheet.studio.script import words
from callsheet.studio.script.smith_material import slots_of
from callsheet.studio.script.smith_phrases import tokens

if TYPE_CHECKING:
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.script.smith_lines import Dice, Teller
    from callsheet.studio.script.smith_material import Material
    from callsheet.studio.script.smith_phrases import Phrase
    from callsheet.studio.script.smith_plan import Task, Telling

_YOUNGEST, _OLDEST = 24, 63
_SCREENS = ("phone_screen", "laptop_screen")
_BLOCKS: tuple[frozenset[str], ...] = (
    frozenset({"hook", "inciting_event", "pain_point", "setup"}),
    frozenset({"first_plot_point", "product_reveal", "solution"}),
    frozenset({"first_pinch_point", "selling_point", "confrontation"}),
    frozenset({"midpoint", "demo"}),
    frozenset({"second_pinch_point", "trust"}),
    frozenset({"third_plot_point", "offer", "resolution"}),
    frozenset({"climax", "call_to_action", "own"}),
)
"""Parts that are told at one place and hour."""
_DAY = ("morning", "morning", "day", "day", "afternoon", "afternoon", "dusk")
"""The hour of each block: a film is a day."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whom the film follows."""

    name: str
    """As others call them."""
    full: str
    look: str
    """With age and clothes, as a crew has to know it once."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A place at an hour."""

    number: int
    place: str
    time: str
    light: str


def person(given: Material, dice: Dice, told: str) -> Person:
    """Somebody from the audience; a name of the brief, if it names one."""
    known = [line.rsplit(" ", 1) for line in words.lines(given.language, "names")]
    names = [name for name, _ in known]
    spoken = tokens(told)
    at = dice.number("person", len(names))
    full = names[at]
    found = next((word for word in spoken if any(word == n.split()[0] for n in names)), "")
    age = _YOUNGEST + dice.number("age", _OLDEST - _YOUNGEST)
    clothes = dice.pick("wardrobe", words.lines(given.language, "wardrobe"))
    full = found or full
    first = full.split()[0]
    role = f"{given.one}, " if given.one else ""
    return Person(first, full, f"{full}, {role}{age}, {clothes}")


# Scenes


def scenes(brief: Brief, given: Material, tellings: list[Telling]) -> list[Scene]:
    """The scene of each beat: a new one where the place or the hour changes."""
    world = _world(brief)
    blocks = [_block(telling) for telling in tellings]
    places = {}
    for block in dict.fromkeys(blocks):
        told = [t for t, b in zip(tellings, blocks, strict=True) if b == block]
        places[block] = _place(told, world, given)
    hour = library.time_of_day(f"{brief.style.mood} {brief.message.core} {brief.project.title}")
    result: list[Scene] = []
    for number, block in enumerate(blocks):
        place, time = places[block], hour or _DAY[block]
        if number == len(blocks) - 1 and len(blocks) > 1:
            place = _ending(brief, world, set(places.values()))
        result.append(_scene(result, place, time, brief))
    return result


def _scene(before: list[Scene], place: str, time: str, brief: Brief) -> Scene:
    entry = library.sets()[place]
    time = time if time in entry.times else entry.times[0]
    if before and (before[-1].place, before[-1].time) == (place, time):
        return before[-1]
    light = library.find_preset(entry, time, f"{brief.style.mood} {brief.style.tone}")
    return Scene(before[-1].number + 1 if before else 1, place, time, light)


def _block(telling: Telling) -> int:
    return next(n for n, parts in enumerate(_BLOCKS) if telling.slot.part in parts)


def _world(brief: Brief) -> str:
    """Where the audience and its problems are at home."""
    told = brief.message
    near = " ".join((brief.audience.who, *brief.audience.pain_points, brief.project.context))
    far = " ".join((told.core, *told.supporting, told.cta, brief.project.title, brief.style.look))
    usual = {"explainer": "home", "product_demo": "office", "social_ad": "street"}
    found = library.find_set(f"{near} {far}", "")
    if found in {*_SCREENS, "product_table", "abstract"}:
        found = library.find_set(near, "")
    if found in {"", *_SCREENS, "product_table", "abstract"}:
        return usual.get(brief.content.type, "home")
    return found


def _place(told: list[Telling], world: str, given: Material) -> str:
    """What the messages of a block speak of, or the world of the film."""
    said = [message.text for t in told for message in (*t.messages, *t.shown)]
    if any(t.core for t in told):
        said.append(given.core.text)
    return library.find_set(" ".join(said), world) if said else world


def _ending(brief: Brief, world: str, places: set[str]) -> str:
    """Where the film ends: on the product, its screen, a card, or where the people are."""
    if brief.content.type in {"testimonial", "brand_story"} and len(places) > 1:
        return world
    screen = next((place for place in _SCREENS if place in places), "")
    if screen:
        return screen
    sold = brief.content.type in {"social_ad", "product_demo"} and bool(brief.message.brand)
    return "product_table" if sold else "abstract"


# Pictures


class Director:
    """Says what is seen in each beat; the same people, and no picture twice."""

    def __init__(self, brief: Brief, given: Material, teller: Teller, who: Person) -> None:
        """A director of its own for each film."""
        self._given = given
        self._teller = teller
        self._who = who
        metaphor = brief.direction.visual_metaphors.strip().rstrip(".")
        self._metaphor = metaphor
        self._introduced = False
        self._place = 0

    def action(self, telling: Telling, scene: Scene, following: Telling | None) -> str:
        """Who does what with which thing, in two or three short sentences."""
        self._place += 1
        slots = self._slots(telling, following)
        lines = [self._opening(slots)] if not self._introduced else []
        for kind in self._kinds(telling.task, telling, scene):
            lines.append(self._teller.pick(self._lines(kind), kind, slots))
        if self._metaphor and telling.task in {"hook", "feel", "close"}:
            lines.append(self._teller.pick(self._lines("metaphor"), "metaphor", slots))
        found = [line for line in lines if line] or [self._again(slots)]
        return " ".join(line[0].upper() + line[1:] + "." for line in found)

    def _lines(self, kind: str) -> tuple[str, ...]:
        return words.lines(self._given.language, kind)

    def _opening(self, slots: dict[str, str]) -> str | None:
        self._introduced = True
        return self._teller.pick(self._lines("open_frame"), "open", slots)

    def _again(self, slots: dict[str, str]) -> str:
        """When every line has been used: the first thing that comes to hand, once more."""
        self._teller.used.clear()
        return self._teller.pick(self._lines("solved"), "again", slots) or self._who.name

    def _kinds(self, task: Task, telling: Telling, scene: Scene) -> list[str]:
        here = f"set_{scene.place}"
        shown = {
            "hook": [here, "trouble", "show_pain"],
            "problem": [here, "show_pain", "trouble"],
            "reveal": ["show_brand", "solved", "detail"],
            "message": ["show_message", here],
            "bridge": ["show_next", here],
            "doubt": ["trouble", here, "detail"],
            "feel": [f"face_{self._given.emotion}", "show_thing", "detail"],
            "people": [here, "solved", "detail"],
            "echo": ["show_thing", "solved"],
            "unfold": [here, "show_thing"],
            "recall": ["show_thing", here],
            "silent": [here, "show_thing", "detail"],
            "close": ["solved", "show_thing"],
            "cta": ["end_card", "solved"],
        }[task]
        if task == "cta" and not self._given.brand:
            return ["end_card_plain", "solved"]
        if task == "hook" and not telling.pain:
            return [here, "show_thing"]
        return shown

    def _slots(self, telling: Telling, following: Telling | None) -> dict[str, str]:
        given = self._given
        slots = {"name": self._who.name, "look": self._who.look, "cta": given.cta.rstrip(".")}
        if given.product:
            slots |= {"brand": given.product}
        if self._metaphor:
            big = self._metaphor[0].upper() + self._metaphor[1:]
            slots |= {"metaphor": self._metaphor, "Metaphor": big}
        pain = telling.pain or (given.pains[self._place % len(given.pains)] if given.pains else None)
        if pain:
            slots |= slots_of(pain, "pain", given.language)
        said = next(iter((*telling.messages, *telling.shown)), None)
        if said:
            slots |= slots_of(said, "msg", given.language)
        if thing := self._thing(telling, following, said):
            slots |= {"thing": thing, "Thing": thing[0].upper() + thing[1:]}
        return slots

    def _thing(
        self, telling: Telling, following: Telling | None, said: Phrase | None
    ) -> str | None:
        if telling.task == "bridge" and following and following.messages:
            return next(iter(following.messages[0].things), None)
        things = (said.things if said else ()) or self._given.things
        return things[self._place % len(things)] if things else None
