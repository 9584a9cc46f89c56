"""Whom a sentence of a letter is for: the viewers of the film, or whoever makes it.

The words are data, one file a language, and all of them are read: people mix languages in letters.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import rtoml

if TYPE_CHECKING:
    from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])\s+")
LONGEST = 600
"""Letters of a sentence, and of the end of a paragraph, that are looked at: nobody talks longer."""
KINDS = ("film", "craft", "wish", "asked", "talk")
"""Words about the film; about how it looks and sounds and where it runs; what is wished for, what
is asked of whoever makes it, and what is said to them besides."""


def is_aside(sentence: str) -> bool:
    """Whether a sentence is said to whoever makes the film, and not in it."""
    return any(_pattern(kind).search(sentence[:LONGEST]) for kind in KINDS)


def refers_back(sentence: str) -> bool:
    """Whether what is wished for was told in the sentence before: `Something like that …`."""
    return bool(_pattern("wish").search(sentence) and _pattern("back").match(sentence))


def call_in(paragraph: str) -> tuple[str, str] | None:
    """What a letter asks to be said at the end: what stands before it, and the words themselves."""
    begins = max(len(paragraph) - LONGEST, 0)
    found = _ending().search(paragraph, begins)
    if found is None:
        return None
    before = _SENTENCE_END.split(paragraph[: found.start()])
    return " ".join(before[:-1]), found["call"].strip()


def first_of(sentences: Sequence[str]) -> int:
    """Which sentence the film is about: the one that says so, or that says what we do."""
    for kind in ("main", "own"):
        found = (at for at, each in enumerate(sentences) if _opens(kind, each))
        if (at := next(found, None)) is not None:
            return at
    return 0


def _opens(kind: str, sentence: str) -> bool:
    pattern = _pattern(kind)
    return bool(pattern.search(sentence) if kind == "main" else pattern.match(sentence))


def bare(sentence: str) -> str:
    """A sentence without what only leads to it, and without a remark at its end."""
    told = _lead().sub("", sentence.strip())
    told = _tail().sub(r"\1", told)
    return told[:1].upper() + told[1:]


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(_begun(each) for each in _listed(kind)), re.IGNORECASE)


def _begun(pattern: str) -> str:
    return pattern if pattern.startswith(r"\A") else rf"\b(?:{pattern})"


@cache
def _ending() -> re.Pattern[str]:
    listed = "|".join(_listed("ending"))
    quotes = '"\u201e\u201c\u201d\u00ab\u00bb'
    return re.compile(
        rf"\b(?:{listed})\b(?:[ ,]+\w+){{0,6}}(?:\s*:\s*[{quotes}]?|\s*[{quotes}])"
        rf"(?P<call>(?-i:[A-Z\u00c4\u00d6\u00dc])[^{quotes}]+)(?:[{quotes}].*)?\Z",
        re.IGNORECASE | re.DOTALL,
    )


@cache
def _lead() -> re.Pattern[str]:
    return re.compile(rf"\A(?:{'|'.join(_listed('lead'))})\s*[:,]\s*(?:dass\s+)?", re.IGNORECASE)


@cache
def _tail() -> re.Pattern[str]:
    listed = "|".join(_listed("tail"))
    return re.compile(rf"\s*[,(\u2013-]+\s*(?:{listed})\)?([.!?]*)\Z", re.IGNORECASE)


@cache
def _listed(kind: str) -> tuple[str, ...]:
    folder = files("callsheet_studio.brief.letter")
    tables = [
        rtoml.loads(each.read_text("utf-8"))
        for each in sorted(folder.iterdir(), key=lambda file: file.name)
        if each.name.endswith(".toml")
    ]
    return tuple(each for table in tables for each in table[kind])
