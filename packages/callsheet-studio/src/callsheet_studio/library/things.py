"""The things that can be drawn: what each is called in English and German, and what hints at it.

Their states are data, too: `phone:broken` is a phone that is broken.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
import rtoml

from callsheet_studio.library.mentions import Text, read
from callsheet_studio.library.senses import is_meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST = 6
"""Words in the longest name."""
_ENDINGS = {
    "en": (("", ""), ("s", ""), ("es", ""), ("ies", "y")),
    "de": (
        ("", ""),
        ("n", ""),
        ("en", ""),
        ("e", ""),
        ("er", ""),
        ("s", ""),
        ("es", ""),
        ("ern", ""),
    ),
}
"""What a plural ends in, and what a singular has there instead."""
_SHORT = 3
"""Letters that a word has at least before an ending counts as a plural."""


_ARTICLE = re.compile(r"\A(?:the|an?|her|his|eine?n?|der|die|das) ")
_STATES: Mapping[str, tuple[str, str, str]] = {
    "empty": ("empty", "leer", r"empty|sold out|all gone|run out|bare|leer\w*|ausverkauft\w*"),
    "full": ("full", "voll", r"full|filled|stocked|fill|fills|voll\w*|gef\u00fcllt\w*"),
    "wet": ("wet", "nass", r"wet|soaked|soaking|dripping|nass\w*|durchn\u00e4sst\w*"),
    "broken": (
        "broken",
        "kaputt",
        r"broken|cracked|shattered|smashed|damaged|kaputt\w*|gesprungen\w*|zerbrochen\w*|defekt\w*",
    ),
    "open": ("open", "offen", r"open|opens|opened|unpacked|offen\w*|ge\u00f6ffnet\w*|\u00f6ffnet"),
    "closed": ("closed", "geschlossen", r"closed|shut|locked|geschlossen\w*|verschlossen\w*"),
    "lit": (
        "lit",
        "leuchtend",
        (
            r"lit|glow\w*|shines?|brighter|lights up|switched on|goes on|light is on|leucht\w*|"
            r"strahlt|eingeschaltet"
        ),
    ),
    "off": (
        "off",
        "aus",
        (
            r"(?:switch|turn)(?:es|s|ed)? (?:itself )?off|goes dark|ausgeschaltet\w*|erloschen\w*|"
            r"schaltet sich(?: \w+){0,2} (?:ab|aus)"
        ),
    ),
}
"""What a state is called in both languages, and the words that say it."""
ANY_STATE = frozenset(("wet", "broken", "lit"))
"""States that any thing can be drawn in."""
_CONTRARY = {"empty": "full", "open": "closed", "lit": "off"} | {
    "full": "empty",
    "closed": "open",
    "off": "lit",
}


class Entry(msgspec.Struct, frozen=True):
    """A thing that can be drawn."""

    group: str
    metres: float
    """How large it is, along its longest side."""
    grow: float
    """How much wider than its size it may be drawn."""
    en: tuple[str, ...]
    de: tuple[str, ...]
    weak: tuple[str, ...]
    """Words that only hint at it."""
    states: tuple[str, ...] = ()
    """States that it has a drawing of, besides those that anything can have."""


class _Index(msgspec.Struct, frozen=True):
    """Names to look words up in."""

    names: Mapping[tuple[str, str], str]
    """By language and name."""
    hints: Mapping[tuple[str, str], str]
    tails: Mapping[str, str]
    """By how a German word ends."""


@cache
def catalog() -> Mapping[str, Entry]:
    """All props, by name."""
    file = files("callsheet_studio.library").joinpath("things.toml")
    table = rtoml.loads(file.read_text("utf-8"))
    return {
        name: Entry(
            group=told["group"],
            metres=told["metres"],
            grow=told.get("grow", 1.0),
            en=tuple(told["en"]),
            de=tuple(told["de"]),
            weak=tuple(told.get("weak", ())),
            states=tuple(told.get("states", ())),
        )
        for name, told in table["props"].items()
    }


@cache
def _index() -> _Index:
    names: dict[tuple[str, str], str] = {}
    hints: dict[tuple[str, str], str] = {}
    tails: dict[str, str] = {}
    for name, entry in catalog().items():
        for language, called in (("en", entry.en), ("de", entry.de)):
            for word in called:
                if word.startswith("*"):
                    tails.setdefault(word[1:], name)
                else:
                    names.setdefault((language, word), name)
        for word in entry.weak:
            for language in _ENDINGS:
                hints.setdefault((language, word), name)
    return _Index(names, hints, tails)


@cache
def find_props(words: str) -> tuple[str, ...]:
    """The things that a text names, those it names first before others; else what it hints at.

    A longer name wins over a shorter one in it: a cargo bike is no bike.
    """
    return named_things(words) or hinted_things(words)


@cache
def named_things(words: str, about: str = "") -> tuple[str, ...]:
    """The things that a text names outright, in its order.

    Args:
        words: the text.
        about: what else the brief says: it tells which meaning a word has.
    """
    index = _index()
    return tuple(dict.fromkeys(_found(read(words), index, index.names, about)))


@cache
def hinted_things(words: str) -> tuple[str, ...]:
    """The things that a text only hints at: who bakes has bread."""
    index = _index()
    return tuple(dict.fromkeys(_found(read(words), index, index.hints)))


def called(name: str, language: str) -> str:
    """What a thing is called first in a language."""
    thing, _, state = name.partition(":")
    entry = catalog()[thing]
    words = entry.de if language[:2].lower() == "de" else entry.en
    first = next(word for word in words if not word.startswith("*"))
    first = _ARTICLE.sub("", first)
    if language[:2].lower() == "de":
        first = first[:1].upper() + first[1:]
    return f"{first}, {state_word(state, language)}" if state else first


def _found(
    text: Text, index: _Index, table: Mapping[tuple[str, str], str], about: str = ""
) -> Iterator[str]:
    place = 0
    while place < len(text.words):
        length, name, noun = _longest(text, place, index, table)
        meant = name and text.states(place, length)
        hinted = table is index.hints  # a hint is no name, and makes no picture of its own
        if name and meant and (hinted or is_meant(text, place, length, name, noun, about)):
            yield name
        place += length


def _longest(
    text: Text, place: int, index: _Index, table: Mapping[tuple[str, str], str]
) -> tuple[int, str | None, str]:
    """How many words from here belong together, what they name, and as which noun."""
    for length in range(min(_LONGEST, len(text.words) - place), 0, -1):
        # A t-shirt is a t shirt.
        phrase = " ".join(text.lower[place : place + length]).replace(" - ", " ")
        for language in text.languages:
            # Where the language is doubtful, a German ending is none: `better` is no bed.
            exact = language == "de" and len(text.languages) > 1
            for single in (phrase,) if exact else _singulars(phrase, language):
                if (language, single) in table:
                    return length, table[language, single], single
    german = table is index.names and "de" in text.languages
    found = _tail(text.lower[place], index) if german else None
    return 1, found, text.lower[place]


def _tail(word: str, index: _Index) -> str | None:
    """What a German compound is, by its end: rye bread is bread."""
    for single in _singulars(word, "de"):
        for tail, name in index.tails.items():
            if single.endswith(tail) and len(single) > len(tail):
                return name
    return None


def _singulars(phrase: str, language: str) -> Iterator[str]:
    for ending, instead in _ENDINGS[language]:
        if phrase.endswith(ending) and len(phrase) - len(ending) >= (_SHORT if ending else 0):
            yield phrase.removesuffix(ending) + instead if ending else phrase


def states_in(words: str) -> tuple[str, ...]:
    """The states that a text speaks of, in its order."""
    found = (
        (match.start(), state)
        for state, (_, _, said) in _STATES.items()
        if (match := re.search(rf"(?i)(?<!\w)(?:{said})(?!\w)", words))
    )
    return tuple(state for _, state in sorted(found))


def with_state(name: str, words: str) -> str:
    """A thing in the state that a text speaks of, if it has a drawing of it: `phone:broken`."""
    has = frozenset(catalog()[name].states) | ANY_STATE
    return next((f"{name}:{state}" for state in states_in(words) if state in has), name)


def state_word(state: str, language: str) -> str:
    """What a state is called."""
    english, german, _ = _STATES[state]
    return german if language[:2].lower() == "de" else english


def contrary(state: str) -> str:
    """The state that denies another, or nothing."""
    return _CONTRARY.get(state, "")
