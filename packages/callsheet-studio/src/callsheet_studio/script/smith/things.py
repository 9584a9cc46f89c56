"""The things that a brief speaks of: what a camera could find and a sentence could name.

Careful rather than rich: an adverb, a price, a feeling or a noun bent by its preposition is none,
for a film that shows `the anywhere` is worse than one that shows the product again.
"""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from callsheet_studio.script import words

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_THING = 3
"""Words."""
_SHORTEST_THING = 3
"""Letters."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.\-/][^\W_]+)*")
_CLAUSE = re.compile(r"[.,;:!?()\u2013\u2014\"](?!\d)| - ")
_CLAUSES = frozenset({"who", "that", "which", "nobody"})
"""What begins with them only describes."""
_JOINS = frozenset({"and", "or", "und", "oder"})
_TAUGHT = frozenset({"you", "us", "them", "how", "people", "everyone", "children", "ready", "time"})
"""After them, `to` leads a verb: `teaches you to weld`."""
_DATIVE = frozenset(
    {"in", "an", "auf", "aus", "bei", "mit", "nach", "von", "vor", "seit", "unter", "über", "zu"}
    | {"zwischen", "neben", "hinter", "ab"}
)
_ALONE = frozenset(
    {"der", "einer", "dem", "einem", "einen", "dieser", "diesem", "jeder", "jedem", "jeden"}
    | {"derselben", "demselben"}
)
"""After them a German noun is one, and has no ending of its own."""
_BENDS = ("en", "ern", "eln")
_BASE = (
    "garten",
    "laden",
    "ofen",
    "boden",
    "wagen",
    "hafen",
    "rasen",
    "brunnen",
    "kuchen",
    "kasten",
    "becken",
    "rücken",
    "chen",
    "ungen",
    "innen",
    "daten",
    "zutaten",
)
"""Ends of nouns that have such an ending anyway."""
_DOING = frozenset({"zum", "beim"})
_GENITIVE = frozenset({"des", "eines", "ihres", "deines", "unseres"})
_A = {"eine": "eine", "einer": "eine", "zur": "eine"} | dict.fromkeys(
    (
        "ein",
        "einen",
        "einem",
        "das",
        "dem",
        "im",
        "am",
        "zum",
        "vom",
        "beim",
        "mein",
        "dein",
        "unser",
        "ihr",
    ),
    "ein",
)
"""What tells a German noun's article."""


def tokens(text: str) -> list[str]:
    """Its words."""
    return _WORD.findall(text)


def things_in(text: str, language: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """What it speaks of that a camera could find, in its order, once each."""
    known = words.grammar(language)
    hidden = {part.lower() for name in names for part in tokens(name)}
    taken = _german_things if language == "de" else _english_things
    found = [thing for clause in _CLAUSE.split(text) for thing in taken(tokens(clause), known)]
    kept = [
        thing
        for thing in found
        if not _abstract(thing, known) and not hidden & {part.lower() for part in tokens(thing)}
    ]
    return tuple(dict.fromkeys(kept))


def _abstract(thing: str, known: words.Grammar) -> bool:
    last = tokens(thing)[-1].lower()
    return last in known.abstract | known.adjectives or last.endswith(known.abstract_ends)


# English


def _english_things(clause: list[str], known: words.Grammar) -> list[str]:
    result: list[str] = []
    chunk: list[str] = []
    before: list[str] = []
    """The small words that lead to a chunk."""
    named = list(takewhile(lambda token: token.lower() not in _CLAUSES, clause))
    for place, token in enumerate([*named, ""]):
        verb = place > 1 and named[place - 1] == "to" and named[place - 2].lower() in _TAUGHT
        if not verb and not _breaks(token, known):
            chunk.append(token)
            continue
        if chunk:
            result += [] if _missing(before, known) else _thing(chunk)
            # What is joined to something absent is absent, too.
            before = [*before, token.lower()] if token.lower() in _JOINS else []
            chunk = []
        before.append(token.lower())
    return result


def _missing(before: list[str], known: words.Grammar) -> bool:
    """Whether what they lead to is not there, or only what something is compared with."""
    compared = any(first == "as" for first in before)
    return compared or not known.absent.isdisjoint(before)


def _breaks(token: str, known: words.Grammar) -> bool:
    """Whether it cannot be within the name of a thing."""
    lower = token.lower()
    return (
        not token
        or any(sign.isdigit() for sign in token)
        or lower in known.small | known.finite | known.adverbs
        or (lower in known.bare | known.third and lower not in known.nouns)
        or lower.endswith(("ly", "ed", "n't", "'ll", "'re", "'ve"))
        or (lower.endswith("ing") and lower not in known.nouns)
    )


def _thing(chunk: list[str]) -> list[str]:
    fits = len(chunk) <= LONGEST_THING and len(chunk[-1]) >= _SHORTEST_THING
    thing = " ".join(token if token.isupper() else token.lower() for token in chunk)
    return [thing] if fits else []


# German


def _german_things(clause: list[str], known: words.Grammar) -> list[str]:
    """In German the capitals tell; what leads to a noun, whether it is bent."""
    result: list[str] = []
    before: list[str] = []
    led: list[str] = []
    """What led to the noun just before."""
    for token in clause:
        if not _is_noun(token, known):
            before = [*led, token.lower()] if token in _JOINS else [*before, token.lower()]
            led = []
            continue
        if known.absent.isdisjoint(before) and not _bent(token, before):
            result.append(token)
        before, led = [], before
    return result


def _is_noun(token: str, known: words.Grammar) -> bool:
    return (
        token[0].isupper()
        and len(token) >= _SHORTEST_THING
        and token.lower() not in known.small | known.bare
        and not token.isupper()
    )


def _bent(noun: str, before: list[str]) -> bool:
    """Whether it looks different from how it would alone: `in 5 Tagen`, `des Hofs`."""
    if not _GENITIVE.isdisjoint(before):
        return noun.endswith("s")
    if not _DOING.isdisjoint(before) and noun.endswith("en"):
        return not noun.lower().endswith(_BASE)  # `zum Mitnehmen`
    many = not _DATIVE.isdisjoint(before) and _ALONE.isdisjoint(before)
    return many and noun.endswith(_BENDS) and not noun.lower().endswith(_BASE)


def with_article(thing: str, texts: Iterable[str], language: str) -> str:
    """`ein Fahrrad`, if a text tells what it is; in English lines have the article."""
    if language == "en" or thing.lower().endswith(tuple(words.grammar(language).mass)):
        return thing
    for text in texts:
        found = tokens(text)
        for before, noun in pairwise(found):
            if noun == thing and before.lower() in _A:
                return f"{_A[before.lower()]} {thing}"
    return thing
