"""Who is seen: whom the brief names, or a role from its words; never somebody made up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import form_of, outfit, people
from callsheet_studio.library.naming import people_named
from callsheet_studio.library.shelves import given_names

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

_INTRODUCED = re.compile(
    r"(?P<title>(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau)\.? )?(?P<first>[A-ZÄÖÜ][\w-]+)"
    r"(?P<last>(?: [A-ZÄÖÜ][\w-]+)?), (?P<rest>.+)"
)
_OF = re.compile(
    r"(?:\b(?:of|by|with|from|von|mit)\s+)(?P<title>(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau)\.? )?"
    r"(?P<first>[A-Z\u00c4\u00d6\u00dc][\w-]+)(?P<last> [A-Z\u00c4\u00d6\u00dc][\w-]+)"
    r"(?P<rest>, (?:aged? )?\d{1,2}\b.*)"
)
"""Somebody with both names and an age."""
_AGED = re.compile(
    r"(?P<title>(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau)\.? )?(?P<first>[A-Z\u00c4\u00d6\u00dc][\w-]+)"
    r"(?P<last>(?: [A-Z\u00c4\u00d6\u00dc][\w-]+)?)(?:, | \()(?:aged? )?(?P<rest>\d{1,2}\b[^.;()]*)"
)
"""Somebody whose age is told: `Doreen, 78, a retired conductor`."""
_TELLS = re.compile(
    r"(?i)\b(?:tells?|speaks?|talks?|says|reports?|in (?:her|his) own words|to camera|"
    r"erzählt|spricht|"
    r"berichtet|sagt|selbst|in die kamera)\b"
)
_MOST_ROLE = 5
_WITH = re.compile(r"\s+(?:with|mit)\s+(?:an? |eine[mnr]? )?")
"""Between what somebody is and what they look like."""
_GREY = 60
"""Years."""
_HAIR = re.compile(r"(?i)hair|haar|beard|bart|bun\b|dutt|locken|curls")


class Person(msgspec.Struct, frozen=True):
    """Somebody whom the brief names."""

    name: str
    """As others call them: the first name."""
    full: str
    role: str
    """What they are, in the brief's words."""
    look: str

    @property
    def reference(self) -> str:
        """As a crew has to know it."""
        return f"figure:{self.name} — {self.look}"


def introduction(text: str) -> re.Match[str] | None:
    """Whether a text introduces somebody: `Dr Marta Oliveira, dentist in Bristol, tells it`."""
    found = _INTRODUCED.match(text.strip())
    known = found is not None and found["first"].lower() in given_names()
    return found if known else None


def _about(text: str) -> re.Match[str] | None:
    """Whether a text says of whom it is: `testimonial of Ilse Kr\u00fcger, 79, retired`."""
    return _OF.search(text)


def instructs(text: str) -> bool:
    """Whether a text only says who tells the film, and is none of its messages."""
    return introduction(text) is not None and bool(_TELLS.search(text))


def speaker_of(brief: Brief) -> Person | None:
    """Who tells a testimonial: only somebody whom the brief names."""
    told = brief.message
    texts = (*told.must_include, *told.supporting, brief.project.context, brief.audience.who)
    for text in texts:
        if found := introduction(text) or _about(text):
            return _person(found, brief.content.language)
    single = [name for name in told.must_include if name.split() and _named(name)]
    for text in (*single, told.core, brief.project.title, brief.project.context):
        name = next((word for word in re.findall(r"[^\W\d_]+", text) if _named(word)), "")
        if name:
            return Person(name, name, "", outfit(name, brief.content.language, 0))
    return None


def _named(word: str) -> bool:
    return word[:1].isupper() and word.split(maxsplit=1)[0].lower() in given_names()


def _person(found: re.Match[str], language: str) -> Person:
    full = f"{found['title'] or ''}{found['first']}{found['last']}".strip()
    parts = [part.strip(" .") for part in found["rest"].split(",")]
    age = next((part for part in parts if part.isdigit()), "")
    role = next((p for p in parts if p and not p.isdigit() and not _TELLS.search(p)), "")
    role, _, told = _WITH.sub(" with ", role).partition(" with ")
    role = role if len(role.split()) <= _MOST_ROLE else ""
    worn = _worn(role, found["first"], language)
    if told and _HAIR.search(told):
        kept = [each for each in worn.split(", ") if not _HAIR.search(each)]
        worn = ", ".join((*kept, told))
    if age and int(age) >= _GREY and not _HAIR.search(told):
        # Whoever is that old has not the hair of just any outfit.
        kept = [each for each in worn.split(", ") if not _HAIR.search(each)]
        worn = ", ".join((*kept, "graue Haare" if language[:2].lower() == "de" else "grey hair"))
    return Person(found["first"], full, role, ", ".join(filter(None, (age, worn))))


def _worn(role: str, name: str, language: str) -> str:
    """What somebody of a trade wears: the trade decides, the name only what suits them."""
    trade = next(iter(people_named(role, language)), "")
    return (
        outfit(trade, language, 0)
        if trade and _works(trade, language)
        else outfit(name, language, 1)
    )


def _works(trade: str, language: str) -> bool:
    listed = people(language).workwear.values()
    return any(trade.lower().endswith(each) for trades in listed for each in trades)


class Roles:
    """The roles of a film's words: the same word is the same person, with a look that stays."""

    def __init__(self, brief: Brief, speaker: Person | None) -> None:
        """One for each film."""
        self._language = brief.content.language
        self._avoid = brief.message.must_avoid
        self._speaker = speaker
        self.looks: dict[str, str] = {}
        told = brief.message
        for text in (told.core, *told.supporting, brief.project.context, brief.audience.who):
            for found in _AGED.finditer(text):
                person = _person(found, brief.content.language)
                self.looks.setdefault(person.name, person.look)

    def of(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The people that some words are: at most three, each with a look."""
        found = []
        for word in words[:3]:
            name = self._name(word)
            self.looks.setdefault(name, outfit(name, self._language, len(self.looks)))
            found.append(name)
        return tuple(dict.fromkeys(found))

    def _name(self, word: str) -> str:
        if self._speaker and word.lower() == self._speaker.name.lower():
            return self._speaker.name
        known = people(self._language)
        german = self._language[:2].lower() == "de"
        plain = word if german or word.lower() in given_names() else word.lower()
        if plain.lower() in known.many | known.one or german or not plain.endswith("s"):
            return plain
        single = plain.removesuffix("s")
        return single if single in known.one else plain

    def references(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What keeps them looking the same."""
        mine = (self._speaker,) if self._speaker and self._speaker.name in names else ()
        others = [name for name in names if not mine or name != mine[0].name]
        return (
            *(each.reference for each in mine),
            *(f"figure:{name} — {self.looks[name]}" for name in others),
        )


__all__ = ["Person", "Roles", "form_of", "instructs", "introduction", "speaker_of"]
