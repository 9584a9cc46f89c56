"""Where it happens, who is seen, and what they do: scenes, people and pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio import library
from callsheet_studio.script import words
from callsheet_studio.script.smith.lines import LONGEST_RUN
from callsheet_studio.script.smith.material import slots_of, table_key
from callsheet_studio.script.smith.things import tokens, with_article

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.lines import Dice, Teller
    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.phrases import Phrase
    from callsheet_studio.script.smith.plan import Task, Telling

_BY_AGE = {"": (24, 63), "young": (17, 26), "old": (64, 78)}
_AGES = re.compile(
    r"\b(?:between|zwischen|aged|ab|von|from|over|über) (\d\d)(?: (?:and|und|to|bis) (\d\d))?"
    r"(?=\s*(?:$|[,.;]|years|jahre))"
)
_CLOTHES = 3
"""Words of ours at the end of a look."""
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
_CLOCK = ("dawn", "morning", "day", "afternoon", "dusk", "evening", "night")
_AROUND = {
    "morning": ("dawn", "dawn", "morning", "morning", "morning", "day", "day"),
    "dusk": ("afternoon", "afternoon", "dusk", "dusk", "evening", "evening", "night"),
    "evening": ("afternoon", "dusk", "dusk", "evening", "evening", "night", "night"),
    "night": ("dusk", "evening", "evening", "night", "night", "night", "dawn"),
}
_TROUBLED = frozenset({"problem", "memory", "doubt"})
_FEW = 3
"""Words of ours before `she` in a picture."""
_TOLD = frozenset(
    {"show_pain", "show_message", "show_thing", "show_next", "show_brand", "end_card"}
)
"""Pictures with something of the brief in them."""
_LONG = 20
"""Beats of a film that stays in one place."""
_SHORT = 8
"""Beats of a film that stays at its hour."""


class Person(msgspec.Struct, frozen=True):
    """Whom the film follows."""

    name: str
    """As others call them."""
    full: str
    pronoun: str
    look: str
    """With age and clothes, as a crew has to know it once."""


class Scene(msgspec.Struct, frozen=True):
    """A place at an hour."""

    number: int
    place: str
    time: str
    light: str


def person(brief: Brief, given: Material, dice: Dice) -> Person:
    """Somebody from the audience; a name of the brief, if it names one."""
    told = " ".join((brief.message.core, *brief.message.must_include))
    known = [line.rsplit(" ", 1) for line in words.lines(given.language, "names")]
    genders = {name.split()[0]: gender for name, gender in known}
    full, gender = known[dice.number("person", len(known))]
    found = next((word for word in tokens(told) if word in genders), "")
    gender = genders.get(found, gender)
    least, most = _ages(brief.audience.who)
    age = least + dice.number("age", max(most - least, 1))
    clothes = dice.pick("wardrobe", words.lines(given.language, "wardrobe"))
    full = found or full
    first = full.split()[0]
    role = f"{given.one}, " if given.one else ""
    pronoun: str = words.table(f"{given.language}_scenes")[f"pronoun_{gender}"]
    return Person(first, full, pronoun, f"{full}, {role}{age}, {clothes}")


def _ages(who: str) -> tuple[int, int]:
    """How old they may be: as the audience says, in numbers or words."""
    if said := _AGES.search(who.lower()):
        least = int(said[1])
        return least, int(said[2] or least + 10)
    return _BY_AGE[table_key("ages", who)]


# Scenes


def scenes(brief: Brief, given: Material, tellings: list[Telling]) -> list[Scene]:
    """The scene of each beat: a new one where the place or the hour changes."""
    world = _world(brief)
    blocks = [_block(telling) for telling in tellings]
    homes = _homes(brief, world) if len(blocks) > _LONG else (world,) * len(_BLOCKS)
    places = {}
    for block in dict.fromkeys(blocks):
        told = [t for t, b in zip(tellings, blocks, strict=True) if b == block]
        places[block] = _place(told, world, homes[block], given)
    hour = library.time_of_day(f"{brief.style.mood} {brief.message.core} {brief.project.title}")
    result: list[Scene] = []
    for number, block in enumerate(blocks):
        place, time = places[block], _hours(hour, len(blocks))[block]
        if number == len(blocks) - 1 and len(blocks) > 1:
            place = _ending(brief, world, set(places.values()), len(blocks))
        result.append(_scene(result, place, time, brief))
    return result


def _hours(hour: str, beats: int) -> tuple[str, ...]:
    """The hour of each block: a day, or what comes before and after the hour of the brief."""
    if not hour:
        return _DAY
    return _AROUND.get(hour, (hour,) * len(_DAY)) if beats > _SHORT else (hour,) * len(_DAY)


def _scene(before: list[Scene], place: str, time: str, brief: Brief) -> Scene:
    entry = library.sets()[place]
    time = min(entry.times, key=lambda hour: abs(_CLOCK.index(hour) - _CLOCK.index(time)))
    if before and (before[-1].place, before[-1].time) == (place, time):
        return before[-1]
    light = library.find_preset(entry, time, f"{brief.style.mood} {brief.style.tone}")
    return Scene(before[-1].number + 1 if before else 1, place, time, light)


def _block(telling: Telling) -> int:
    return next(n for n, parts in enumerate(_BLOCKS) if telling.slot.part in parts)


def _world(brief: Brief) -> str:
    """Where the audience and its problems are at home."""
    told = brief.message
    near = " ".join((brief.audience.who, *brief.audience.pain_points))
    far = " ".join((told.core, *told.supporting, told.cta))
    around = f"{brief.project.title} {brief.project.context} {brief.style.look}"
    for text in (f"{near} {far} {around}", f"{near} {far}", near, around):
        found = library.find_set(f"{text} {_hints(text)}", "")
        if found not in {"", *_SCREENS, "product_table", "abstract"}:
            return found
    usual = {"explainer": "home", "product_demo": "office", "social_ad": "street"}
    return usual.get(brief.content.type, "home")


def _homes(brief: Brief, world: str) -> tuple[str, ...]:
    """Where each block of a long film is: it leaves the world it begins in, and comes back.

    First it goes where the words of the brief are at home, then to what lies around.
    """
    told = (brief.audience.who, *brief.audience.pain_points, *brief.message.supporting)
    named = [library.find_set(f"{text} {_hints(text)}", "") for text in told]
    around: str = words.table("tones")["around"].get(world, "")
    never = {"", world, *_SCREENS, "product_table", "abstract"}
    others = [place for place in dict.fromkeys((*named, *around.split())) if place not in never]
    first, second = (*others, world, world)[:2]
    return world, world, first, world, second, first, world


def _hints(text: str) -> str:
    """Names of sets that its words are at home in, twice each: a trade weighs more than a word."""
    spoken = [token.lower() for token in tokens(text)]
    places: dict[str, str] = words.table("tones")["places"]
    known = {word: place for place, listed in places.items() for word in listed.split()}
    return " ".join(f"{known[word]} {known[word]}" for word in spoken if word in known)


def _place(told: list[Telling], world: str, home: str, given: Material) -> str:
    """A screen or the world of the film, if the messages of a block speak of it, or its home."""
    said = [message.text for t in told for message in (*t.messages, *t.shown)]
    if any(t.core for t in told):
        said.append(given.core.text)
    found = library.find_set(" ".join(said), home) if said else home
    return found if found in {*_SCREENS, world} else home


def _ending(brief: Brief, world: str, places: set[str], beats: int) -> str:
    """Where the film ends: on the product, its screen, a card, or where the people are."""
    if brief.content.type in {"testimonial", "brand_story"} and beats > _SHORT:
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
        self._sells = brief.content.structure == "ad"
        self._shown: set[str] = set()
        self._place = 0

    def action(self, telling: Telling, scene: Scene, following: Telling | None) -> str:
        """Who does what with which thing, in two or three short sentences."""
        self._place += 1
        self._teller.about = telling.about
        slots = self._slots(telling, following)
        kinds = self._kinds(telling.task, telling, scene)
        if "thing" not in slots:
            kinds = ["show_plain" if kind == "show_message" else kind for kind in kinds]
        if telling.slot.start == 0:
            kinds = ["open_frame", *kinds]
        if self._metaphor and telling.task in {"hook", "feel", "close"}:
            kinds = [*kinds, "metaphor"]
        action = self._picture(kinds, slots) or self._picture(["solved"], slots)
        while action in self._shown:
            action = f"{action} {self._picture(['detail', 'solved'], slots)}"
        self._shown.add(action)
        return action

    def _picture(self, kinds: list[str], slots: dict[str, str]) -> str:
        lines: list[str] = []
        name = f"{self._who.name} "
        for kind in kinds:
            run = self._teller.run
            free = run == 0
            line = self._line(kind, slots)
            if line is None:
                continue
            known = any(name.strip() in before for before in lines)
            # Where words of the brief follow soon, so that no long row of ours comes about.
            told = (kind in _TOLD and run <= _FEW) or (free and len(line.split()) < LONGEST_RUN)
            if told and known and line.startswith(name):
                line = f"{self._who.pronoun} {line.removeprefix(name)}"
                self._teller.run += self._teller.run > 0
            if kind == "open_frame":
                self._teller.run = _CLOTHES
            lines.append(line)
        return " ".join(line[0].upper() + line[1:] + "." for line in lines)

    def _line(self, kind: str, slots: dict[str, str]) -> str | None:
        """A line that has not been used; when all of a kind have been, they come round again."""
        lines = words.lines(self._given.language, kind)
        line = self._teller.pick(lines, kind, slots)
        if line is None and not self._teller.used.isdisjoint(lines):
            self._teller.used.difference_update(lines)
            line = self._teller.pick(lines, kind, slots)
        return line

    def _kinds(self, task: Task, telling: Telling, scene: Scene) -> list[str]:
        here = f"set_{scene.place}"
        shown: list[str] = {
            "hook": [],
            "problem": [here, "show_pain", "trouble"],
            "reveal": ["solved", "show_brand"],
            "message": [here, "show_message"],
            "bridge": [here, "show_next"],
            "doubt": [here, "trouble"],
            "feel": ["detail", here],
            "people": [here, "solved"],
            "echo": ["show_thing", "solved"],
            "recall": [here, "show_thing"],
            "recap": [here, "show_thing"],
            "memory": ["trouble", "show_pain"],
            "scene": ["detail", here],
            "silent": [here, "detail"],
            "close": ["show_thing", "solved"],
            "cta": ["solved", "end_card"],
        }[task]
        if task == "message" and any(said.shape == "order" for said in telling.messages):
            shown = [here, "show_plain", "show_thing"]
        if task == "cta" and not self._given.brand:
            return ["solved", "end_card_plain"]
        if task == "hook":
            shown = [here, "show_pain", "trouble"] if telling.pain else [here, "show_thing"]
            return [*shown, "show_brand"] if self._sells else shown
        return [*shown, f"face_{self._given.emotion}"] if telling.turns else shown

    def _slots(self, telling: Telling, following: Telling | None) -> dict[str, str]:
        given = self._given
        slots = {"name": self._who.name, "look": self._who.look, "cta": given.cta.rstrip(".")}
        if given.product:
            slots |= {"brand": given.product}
        if self._metaphor:
            big = self._metaphor[0].upper() + self._metaphor[1:]
            slots |= {"metaphor": self._metaphor, "Metaphor": big}
        pain = telling.pain or (
            given.pains[self._place % len(given.pains)] if given.pains else None
        )
        if pain:
            slots |= slots_of(pain, "pain", given.language)
        said = next(iter((*telling.messages, *telling.shown)), None)
        if said:
            slots |= slots_of(said, "msg", given.language)
        if thing := self._thing(telling, following, said):
            told = (given.core, *given.messages, *given.pains)
            seen = with_article(thing, (phrase.text for phrase in told), given.language)
            slots |= {"thing": thing, "a_thing": seen}
        return slots

    def _thing(
        self, telling: Telling, following: Telling | None, said: Phrase | None
    ) -> str | None:
        """What is pictured: of the pain or the message that is told, or of the core."""
        given = self._given
        if telling.task == "bridge" and following and following.messages:
            return next(iter(following.messages[0].things), None)
        if telling.pain:
            things = telling.pain.things
        elif telling.task in _TROUBLED:
            things = tuple(thing for pain in given.pains for thing in pain.things)
        else:
            told = said or telling.after
            things = (told.things if told else ()) or given.core.things
            things = things or tuple(thing for other in given.messages for thing in other.things)
        return things[self._place % len(things)] if things else None
