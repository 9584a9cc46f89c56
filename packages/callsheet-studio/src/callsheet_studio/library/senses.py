"""Whether a noun means the thing that is drawn: its sense, its kind and its look.

A lock may be a canal's, a research ship is no liner, and a half-empty fridge is no closed one.
Where neither the sentence nor the brief has a word of the meaning that is drawn, nothing is drawn.
All are data, beside the grammar of each language.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml

from callsheet_studio.library.mentions import Text, grammar, read

if TYPE_CHECKING:
    from collections.abc import Mapping

_DETERMINERS = frozenset(
    ("a", "an", "the", "ein", "eine", "einen", "einem", "einer", "der", "die", "das")
)
_LABEL = 2
"""Words beside a noun up to which it stands for itself, as in a list of things."""
_SHOTS = frozenset(("close", "nah", "insert", "detail"))
"""How a picture begins of which its author says what it is of."""
_LOOK_BACK = 3
"""Words before a noun that say how it looks."""


class Sense(msgspec.Struct, frozen=True):
    """What decides about the nouns of a language."""

    needs: Mapping[str, tuple[str, ...]]
    """By noun: words of the meaning that is drawn."""
    unless: Mapping[str, tuple[str, ...]]
    """By thing: words of other meanings."""
    deny: frozenset[str]
    halves: frozenset[str]
    plain: frozenset[str]
    ends: tuple[str, ...]
    colours: Mapping[str, frozenset[str]]
    kinds: Mapping[str, frozenset[str]]


@cache
def sense(language: str) -> Sense:
    """The senses and kinds of a language."""
    senses = kinds = _table(language)
    return Sense(
        needs={word: tuple(told.split()) for word, told in senses["needs"].items()},
        unless={name: tuple(told.split()) for name, told in senses["unless"].items()},
        deny=frozenset(kinds["deny"].split()),
        halves=frozenset(kinds["halves"].split()),
        plain=frozenset(kinds["plain"].split()),
        ends=tuple(kinds["ends"].split()),
        colours={name: frozenset(told.split()) for name, told in kinds["colours"].items()},
        kinds={name: frozenset(told.split()) for name, told in kinds["kinds"].items()},
    )


def _table(language: str) -> dict[str, Any]:
    file = files("callsheet_studio.library").joinpath(f"grammar/{language}.toml")
    found: dict[str, Any] = rtoml.loads(file.read_text("utf-8"))["senses"]
    return found


def is_meant(text: Text, at: int, length: int, name: str, noun: str, about: str = "") -> bool:
    """Whether words of a text mean a thing as it is drawn.

    Args:
        text: they are in.
        at: the first of them.
        length: how many they are.
        name: of the thing, in the catalogue.
        noun: as the catalogue has it, in the singular.
        about: what else the brief says.
    """
    told = (*text.lower[:at], *text.lower[at + length :])
    is_label = text.lower[0] in _SHOTS or sum(word[:1].isalpha() for word in told) <= _LABEL
    if is_label and not about:
        return True
    whole = (*told, *read(about).lower) if about else told
    for language in text.languages:
        known = sense(language)
        wanted = known.needs.get(_bare(noun))
        if wanted and not _any(wanted, whole):
            return False
        if _any(known.unless.get(name, ()), whole):
            return False
        if _looks_other(text, at, name, known) or _other_kind(text, at, name, known):
            return False
    return True


def other_meaning(name: str, told: str) -> bool:
    """Whether a brief speaks of what a thing's noun means elsewhere: of a canal's lock."""
    text = read(told)
    return any(
        _any(sense(language).unless.get(name, ()), text.lower) for language in text.languages
    )


def _bare(noun: str) -> str:
    first, _, rest = noun.partition(" ")
    return rest if rest and first in _DETERMINERS else noun


@cache
def _any(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    exact = {each for each in wanted if not each.endswith("*")}
    begun = tuple(each[:-1] for each in wanted if each.endswith("*"))
    return any(word in exact or (bool(begun) and word.startswith(begun)) for word in words)


def _looks_other(text: Text, at: int, name: str, known: Sense) -> bool:
    """Whether it is said to look as no drawing of it does: `a red narrowboat`, `halb leer`."""
    own = known.colours.get(name, frozenset())
    behind = text.lower[at + 1 : at + 6]
    half = any(word in known.halves for word in (*text.lower[max(at - 2, 0) : at], *behind))
    if half or _half(behind):
        return True
    for place in range(at - 1, max(at - _LOOK_BACK, 0) - 1, -1):
        word = text.lower[place]
        if not word[:1].isalpha():
            return False
        german = known is sense("de")
        if german and text.words[place][:1].isupper():
            return False
        stems = {each for each in known.deny if _is_form(word, each, german=german)}
        if stems - own:
            return not stems & own
        if word in grammar("de" if german else "en").function:
            return False
    return False


def _half(behind: tuple[str, ...]) -> bool:
    joined = " ".join(behind)
    return "half empty" in joined or "half full" in joined or "half - " in joined


def _is_form(word: str, stem: str, *, german: bool) -> bool:
    if not german:
        return word == stem
    return word.startswith(stem) and word[len(stem) :] in ("", "e", "er", "es", "en", "em")


def _other_kind(text: Text, at: int, name: str, known: Sense) -> bool:
    """Whether the noun before it makes it another kind: `research ship`; German has compounds."""
    if not known.plain or at == 0 or text.lower[at] in _DETERMINERS:
        return False
    word = text.lower[at - 1]
    if word == "-" or not word[:1].isalpha() or text.words[at - 1][:1].isupper():
        return word == "-"
    fits = known.plain.union(known.kinds.get(name, ()), known.colours.get(name, ()))
    words = grammar("en")
    verbal = word.endswith(("'s", "s'", "n't", "'re", "ly", *known.ends))
    if word in fits or word in words.function or word in words.verbs or verbal:
        return False
    # Behind a verb nobody says of which kind it is: `we plant trees`.
    before = text.lower[at - 2] if at > 1 else ""
    return word not in words.also_verbs or before in _DETERMINERS


__all__ = ["Sense", "is_meant", "other_meaning", "sense"]
