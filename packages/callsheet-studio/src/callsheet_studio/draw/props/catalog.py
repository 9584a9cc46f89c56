"""The catalog of props: what each is called in English and German, and which words hint at it."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
import rtoml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WORD = re.compile(r"[^\W_]+")
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


class _Index(msgspec.Struct, frozen=True):
    """Names to look words up in."""

    names: Mapping[tuple[str, str], str]
    """By language and name."""
    hints: Mapping[tuple[str, str], str]
    tails: Mapping[str, str]
    """By how a German word ends."""
    ignored: frozenset[str]


@cache
def catalog() -> Mapping[str, Entry]:
    """All props, by name."""
    told, _ = _read()
    return told


@cache
def _read() -> tuple[Mapping[str, Entry], frozenset[str]]:
    file = files("callsheet_studio.draw.props").joinpath("catalog.toml")
    table = rtoml.loads(file.read_text("utf-8"))
    entries = {
        name: Entry(
            group=told["group"],
            metres=told["metres"],
            grow=told["grow"],
            en=tuple(told["en"]),
            de=tuple(told["de"]),
            weak=tuple(told["weak"]),
        )
        for name, told in table["props"].items()
    }
    return entries, frozenset(table["ignored"])


@cache
def _index() -> _Index:
    entries, ignored = _read()
    names: dict[tuple[str, str], str] = {}
    hints: dict[tuple[str, str], str] = {}
    tails: dict[str, str] = {}
    for name, entry in entries.items():
        for language, called in (("en", entry.en), ("de", entry.de)):
            for word in called:
                if word.startswith("*"):
                    tails.setdefault(word[1:], name)
                else:
                    names.setdefault((language, word), name)
        for word in entry.weak:
            for language in _ENDINGS:
                hints.setdefault((language, word), name)
    return _Index(names, hints, tails, ignored)


@cache
def find_props(words: str) -> tuple[str, ...]:
    """The things that a text names, those it names first before others; else what it hints at.

    A longer name wins over a shorter one in it: a cargo bike is no bike.
    """
    index = _index()
    tokens = _tokens(words, index.ignored)
    named = tuple(dict.fromkeys(_found(tokens, index, index.names)))
    return named or tuple(dict.fromkeys(_found(tokens, index, index.hints)))


def _tokens(words: str, ignored: frozenset[str]) -> list[str]:
    """The words in small letters, without what only sounds like a thing."""
    text = f" {' '.join(_WORD.findall(words.lower()))} "
    for phrase in ignored:
        text = text.replace(f" {phrase} ", " . ")
    return text.split()


def _found(tokens: list[str], index: _Index, table: Mapping[tuple[str, str], str]) -> Iterator[str]:
    place = 0
    while place < len(tokens):
        length, name = _longest(tokens, place, index, table)
        if name:
            yield name
        place += length


def _longest(
    tokens: list[str], place: int, index: _Index, table: Mapping[tuple[str, str], str]
) -> tuple[int, str | None]:
    """How many words from here belong together, and what they name."""
    for length in range(min(_LONGEST, len(tokens) - place), 0, -1):
        phrase = " ".join(tokens[place : place + length])
        for language in _ENDINGS:
            for single in _singulars(phrase, language):
                if (language, single) in table:
                    return length, table[language, single]
    return 1, _tail(tokens[place], index) if table is index.names else None


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
