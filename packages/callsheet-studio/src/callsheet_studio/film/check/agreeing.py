"""Whether a picture agrees with the words of its shot: both read for themselves.

Nothing here asks why a picture was chosen. What was drawn comes from the painters' own record, what
is said from the check's own reader; what nobody has said, and is no plain ground, contradicts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.film.check.words import Heard, drawn_numbers, heard, lexicon
from callsheet_studio.library import place_in, presets

if TYPE_CHECKING:
    from callsheet_studio.draw.depicting import Record
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.seen import Verdict
    from callsheet_studio.model.shots import Shot

NEUTRAL = frozenset((
    "product_table", "abstract", "plain_room", "open_air", "building_front", "phone_screen",
    "laptop_screen", "",
))  # fmt: skip
"""Grounds that are nowhere in particular."""
_SYMBOLS = frozenset(("clock", "calendar", "coins", "thermometer"))
"""What stands beside a number of hours, days, money or degrees."""
_FITTINGS = frozenset(
    ("door", "window", "lamp", "sun", "cloud", "snowflake", "tree", "table", "chair")
)
"""What belongs to a place, and is no reason to look at it."""
_CONTRARY = {"empty": "full", "open": "closed", "lit": "off", "wet": "dry"}
_CONTRARY |= {against: state for state, against in _CONTRARY.items()}
_SIDES = {
    "kitchen": frozenset(("home",)),
    "home": frozenset(("kitchen",)),
    "road": frozenset(("street",)),
}
_SIDES |= {"street": frozenset(("road", "skyline")), "skyline": frozenset(("street",))}
_SIDES |= {"forest": frozenset(("field", "mountain")), "field": frozenset(("forest",))}
"""Places that are seen in one another: a kitchen is at home, woods are on mountains."""


class Story(msgspec.Struct, frozen=True):
    """What holds for all shots of a film, as the check reads its brief."""

    language: str
    brand: str
    about: Heard
    """Title, core and messages."""
    core: Heard


class Opinion(msgspec.Struct, frozen=True):
    """What the check thinks of a shot."""

    verdict: Verdict
    wrong: tuple[str, ...] = ()


def story_of(brief: Brief) -> Story:
    """What a film is about."""
    told, language = brief.message, brief.content.language
    core = f"{brief.project.title}. {told.core}. {brief.project.context}"
    return Story(
        language=language,
        brand=told.brand or brief.project.title,
        about=heard(f"{core}. {'. '.join(told.supporting)}", language),
        core=heard(core, language),
    )


def opinion(shot: Shot, record: Record, words: str, story: Story) -> Opinion:
    """Whether what was drawn is what is said."""
    said = heard(words, story.language)
    look = _Look(shot, record, said, story, words)
    wrong = tuple(look.wrong())
    if wrong:
        return Opinion("contradicts", wrong)
    return Opinion(look.verdict())


class _Look(msgspec.Struct, frozen=True):
    shot: Shot
    record: Record
    said: Heard
    story: Story
    words: str

    @property
    def things(self) -> dict[str, str]:
        """What was drawn, each with its state."""
        return dict(each.partition(":")[::2] for each in self.record.things)

    @property
    def flat(self) -> bool:
        """Whether it is a card, a figure or a diagram."""
        return not self.record.place

    # What contradicts

    def wrong(self) -> list[str]:
        found = []
        if self._other_thing():
            found.append("thing")
        if self._denied_people():
            found.append("person")
        if self._other_state():
            found.append("state")
        if self._other_place():
            found.append("place")
        if self._other_light():
            found.append("light")
        return found

    def _other_thing(self) -> bool:
        record = self.record
        if record.number and not self._number():
            return True
        if record.steps and not self._steps():
            return True
        if not self.shot.chosen and self.shot.figures:
            return False  # what people hold is theirs to say, and judged with their deed
        drawn = set(self.things) - (_SYMBOLS if record.number else frozenset())
        unsaid = {name for name in drawn if self.said.things.get(name) != "said"}
        if self.shot.figures and self.shot.chosen:
            unsaid -= self.story.about.said("things")
        if record.screen and unsaid <= {"phone", "laptop", "tablet", "screen"}:
            return not self._screen()
        if not self.shot.chosen:
            unsaid -= _FITTINGS
        card = self.flat and bool(record.written)
        about = (self.story.about if card else self.story.core).said("things")
        return bool(unsaid - about) and not (record.steps and unsaid < drawn)

    def _number(self) -> bool:
        """Whether the number that stands there, and what it counts, was said."""
        graphic = self.shot.graphic
        value = self.record.number
        unit = graphic.unit if graphic else ""
        told = drawn_numbers(value.removesuffix(unit) if unit else value) - {0.0}
        if graphic is not None and graphic.kind == "ratio":
            told -= {1.0}  # every third is one in three
        return told <= self.said.numbers and self.said.has(unit.replace("\u00b0", ""))

    def _steps(self) -> bool:
        labels = [part for step in self.record.steps for part in re.split(r" \| ", step)]
        return all(self.said.has(label) for label in labels)

    def _screen(self) -> bool:
        return not lexicon(self.story.language).grammar["screen"].isdisjoint(self.said.words)

    def _denied_people(self) -> bool:
        """Whether somebody is seen who is said not to be there."""
        if not self.shot.chosen or self.shot.dialogue:
            return False
        names = {word for name in self._people() for word in name.split()}
        return bool(names) and names <= self.said.denied and bool(names & self.said.words)

    def _people(self) -> set[str]:
        seen = {each.partition(" \u2014 ")[0].lower() for each in self.record.people}
        return {re.sub(r" \d+\Z", "", each) for each in seen}

    def _other_state(self) -> bool:
        rules = lexicon(self.story.language).grammar
        for state in filter(None, self.things.values()):
            if _CONTRARY.get(state, "-") in self.said.states and state not in self.said.states:
                return True
            rain = state == "wet" and not rules["rain"].isdisjoint(self.said.words)
            if self.shot.chosen and state not in self.said.states and not rain:
                return True
        shelves = {"shelf", "shelve", "shelves", "regal", "theke", "counter"} & self.said.words
        gone = "empty" in self.said.states and shelves
        return bool(gone) and self.record.place == "shop" and not self.record.bare

    def _other_place(self) -> bool:
        record = self.record
        if record.place in NEUTRAL:
            return False
        if self.shot.set.heading:
            return self._off_the_slug()
        places = self.said.said("places")
        whole = not (record.things or record.number or record.people or record.written)
        if _FOR.match(self.words):
            return False  # where those are for whom it is made
        near = _SIDES.get(record.place, frozenset())
        return whole and bool(places) and record.place not in places and not places & near

    def _off_the_slug(self) -> bool:
        """Whether it is another place than the slug line's; without a word for it, it is none."""
        words = place_in(self.shot.set.heading)
        for language in (self.story.language, "en", "de"):
            allowed = heard(words.lower(), language).places
            if allowed:
                near = {side for each in allowed for side in _SIDES.get(each, ())}
                return self.record.place not in {*allowed, *near}
        return False

    def _other_light(self) -> bool:
        """Whether an own script says another hour than one sees."""
        record = self.record
        if self.shot.chosen or record.place in NEUTRAL or record.light not in presets():
            return False
        hours = self.said.hours
        dark = {"dusk", "evening", "night"}
        times = set(presets()[record.light].times)
        return bool(hours) and (
            (hours <= dark and not times & dark) or (not hours & dark and times <= dark)
        )

    # What is shown

    def verdict(self) -> Verdict:
        record = self.record
        if record.number or record.steps:
            return "shown"
        if record.written and not self.things:
            return "card" if self.shot.chosen or record.place or self._title() else "not_drawable"
        if record.written and self.flat:
            return "shown"  # the end card, with what the film is about on it
        return "shown" if self._shows() else "generic"

    def _title(self) -> bool:
        text = (self.shot.on_screen_text or "").split("\n")[0]
        brand = self.story.brand
        return bool(
            (brand and brand in self.record.written) or (text and text in self.record.written)
        )

    def _shows(self) -> bool:
        record = self.record
        if record.screen and self._screen():
            return True
        if set(self.things) & self.said.said("things"):
            return True
        if record.people:
            return self._person()
        if self.things:
            return self._product()
        return self._view()

    def _product(self) -> bool:
        """Whether the film's own thing is seen while it is spoken of, or nobody speaks."""
        if not set(self.things) & self.story.about.said("things"):
            return False
        words = self.words.strip()
        first = (re.findall(r"[^\W\d_]+", words.lower()) or [""])[0]
        by_name = self.story.brand and self.story.brand.lower() in words.lower()
        return not words or bool(by_name) or first in lexicon(self.story.language).grammar["it"]

    def _person(self) -> bool:
        shot = self.shot
        if shot.lip_sync or (shot.dialogue and shot.figures):
            return True
        if not shot.chosen:
            return self._acts()
        return any(self._names(name) for name in self._people())

    def _names(self, name: str) -> bool:
        forms = {name, name.removesuffix("s"), f"{name}s", name.removesuffix("in"), f"{name}n"}
        return not forms.isdisjoint(self.said.words)

    def _acts(self) -> bool:
        """Whether somebody does what the action says: with its things, in a pose, or is named."""
        told = heard(self.shot.action, self.story.language)
        wanted = {name for name in told.said("things") if name not in _FITTINGS}
        if wanted:
            return bool(wanted & set(self.things)) or self.record.act not in _IDLE
        return self.record.act not in _IDLE

    def _view(self) -> bool:
        """Whether the place is seen that is spoken of, or where a scene is that has no words."""
        record = self.record
        if record.place in NEUTRAL:
            return False
        if record.place in self.said.said("places"):
            return True
        return not self.words.strip() or (not self.shot.chosen and not self.shot.figures)


_FOR = re.compile(r"(?i)\W*(?:(?:this|das|it|es) (?:is|ist) )?(?:for|f\u00fcr)\b")
_IDLE = frozenset(("", "standing", "neutral"))
