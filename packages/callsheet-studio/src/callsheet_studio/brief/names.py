"""Names and sentences that are already in a brief's words."""

from __future__ import annotations

import re

from callsheet_studio.brief.choices import has_words
from callsheet_studio.brief.tongue import is_small

_LONGEST_HEADLINE = 7
_LONGEST_BRAND = 4
_FEWEST_WORDS = 3
_LONGEST_SENTENCE = 200
_NOT_PROSE = re.compile(
    r"\s*(?:int|ext|est|i/e|innen|aussen|außen)[./ ]|[^a-zäöüß]*\Z|[\w ]{1,20}:\s*\S|[.>=#@!~\[]",
    re.IGNORECASE,
)
_CUE = re.compile(r"[^a-zäöüß]+\Z")
_SENTENCE = re.compile(r"(.+?[.!?…])(?:\s|\Z)")
_NAME = re.compile(r"(?<=[a-z,] )([A-Z][\w-]+(?: [A-Z][\w-]+){0,2})")
_CALENDAR = """
Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July
August September October November December Christmas Easter
"""
_DAYS = frozenset(_CALENDAR.split())
_BETWEEN = re.compile(
    r"\s*[;:\u2013\u2014]\s*|,\s+(?:(?:and|but|und|aber|sondern)\s+)?|\s+(?:and|und)\s+"
)


def first_sentence(text: str) -> str:
    """The first sentence of prose in a script, or "": headings and names are none."""
    for line in text.splitlines():
        words = line.rpartition("|")[2].strip()
        if not words or _CUE.match(words) or _NOT_PROSE.match(words):
            continue
        sentence = found[1] if (found := _SENTENCE.match(words)) else words
        return " ".join(sentence.split())[:_LONGEST_SENTENCE]
    return ""


def headline(core: str) -> str:
    """A title from the first words of the core message."""
    words = core.rstrip(".!?… ").split()[:_LONGEST_HEADLINE]
    if len(core.split()) > _LONGEST_HEADLINE:
        while len(words) > 1 and (is_small(words[-1]) or words[-1].isdigit()):
            words.pop()
    return " ".join(words).rstrip(",;:-\u2013\u2014") or "Untitled"


def brand_in(
    core: str, *, title: str, others: list[str], wanted: list[str], is_german: bool
) -> tuple[str, str]:
    """The name that the film is about, and how it was found; two empty texts if none shows."""
    if title and has_words(core, title):
        return title, "the title, which the core message names"
    for word in wanted:
        if word[:1].isupper() and has_words(core, word):
            return word, "a name that must be included"
    first = core.partition(" ")[0].strip(".,:;!?")
    if first and not is_small(first) and any(has_words(each, first) for each in others):
        return first, "named in several messages"
    # In German every noun has a capital, so a capital tells nothing.
    names = [] if is_german else [name for name in _NAME.findall(core) if name not in _DAYS]
    if names:
        return names[0], "the name in the core message"
    # A longer title is a sentence, and no name.
    return (title, "the title") if 0 < len(title.split()) <= _LONGEST_BRAND else ("", "")


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that say something by themselves; none if it is one piece."""
    parts = [part.strip(" .!?…") for part in _BETWEEN.split(sentence)]
    whole = [part for part in parts if len(part.split()) >= _FEWEST_WORDS]
    return whole if len(whole) > 1 else []
