"""The word material of the offline way: data files, read once when they are first needed."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

import msgspec
import rtoml

LANGUAGES = ("en", "de")
_LISTS = (
    "small",
    "pronouns",
    "relative",
    "half",
    "numbers",
    "limits",
    "describes",
    "vague",
    "determiners",
    "adverbs",
    "adjectives",
    "absent",
    "mass",
    "money",
)

_WORD = re.compile(r"[^\W_]+(?:['\u2019.\-/][^\W_]+)*")


class Grammar(msgspec.Struct, frozen=True):
    """What is known of a language: closed lists, to tell shapes and things apart."""

    small: frozenset[str]
    pronouns: frozenset[str]
    relative: frozenset[str]
    half: frozenset[str]
    """Words before which a phrase can be set in two."""
    numbers: frozenset[str]
    limits: frozenset[str]
    """After them a number is not to be taken alone."""
    describes: frozenset[str]
    vague: frozenset[str]
    """Audiences that are nobody in particular."""
    determiners: frozenset[str]
    """That a noun phrase can begin with."""
    adverbs: frozenset[str]
    """That no name of a thing has in it."""
    adjectives: frozenset[str]
    """That say how a thing is, and are none."""
    absent: frozenset[str]
    """What comes after them is not there to be seen: `without`."""
    mass: frozenset[str]
    """Nouns that need no article, as nobody counts them: `bread`."""
    money: frozenset[str]
    """What prices and hours are counted in."""
    finite: frozenset[str]
    bare: frozenset[str]
    third: frozenset[str]
    nouns: frozenset[str]
    """That look like something else."""
    abstract: frozenset[str]
    abstract_ends: tuple[str, ...]
    mass_ends: tuple[str, ...]
    plurals: dict[str, str]


@cache
def table(name: str) -> dict[str, Any]:
    """A data file, whole."""
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return rtoml.loads(text)


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language."""
    found = table(f"{language}_grammar")
    lists = {key: frozenset(_split(found[key])) for key in _LISTS}
    bare = _split(found["verbs"])
    third = _split(found.get("third", "")) or [_third(verb) for verb in bare]
    return Grammar(
        **lists,
        finite=frozenset(_split(found["finite"])),
        bare=frozenset(bare),
        third=frozenset(third),
        nouns=frozenset(_split(found["nouns"])),
        abstract=frozenset(_split(found["abstract"])),
        abstract_ends=tuple(_split(found["abstract_ends"])),
        mass_ends=tuple(_split(found["mass_ends"])),
        plurals=dict(found.get("plurals", {})),
    )


@cache
def lines(language: str, name: str) -> tuple[str, ...]:
    """A list of the scenes' material: people, actions, feelings."""
    return tuple(_lines(table(f"{language}_scenes")[name]))


def tokens(text: str) -> list[str]:
    """Its words."""
    return _WORD.findall(text)


def _split(text: str) -> list[str]:
    return text.split()


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
