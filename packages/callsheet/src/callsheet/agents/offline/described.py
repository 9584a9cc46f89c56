"""A tool by what it is called and does, in a sentence: `what's the weather in Oslo?`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from callsheet.agents.language.lexicon import FILLER
from callsheet.agents.language.sentence import Sentence
from callsheet.agents.offline.named import Meant, fitted, required

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.model import Offered

MOST_WORDS: Final = 6
"""Of an argument that is said without quotes."""
_KNOWN: Final = ("SHOW", "WHAT", "HOW", "CALL", "FETCH", "MAKE", "GIVE", "TO", "FROM", "FILE")
_OURS: Final = ("runs.", "file.", "http.", "film.")
"""They have sentences of their own."""


def described(text: str, tools: Sequence[Offered]) -> Meant | None:
    """The one tool whose whole name a sentence says, with what else it says as its arguments."""
    sentence = Sentence(text)
    if sentence.guards:
        return None
    found = [meant for tool in tools if (meant := _called(tool, sentence)) is not None]
    return found[0] if len(found) == 1 else None


def _called(tool: Offered, sentence: Sentence) -> Meant | None:
    if tool.name.startswith(_OURS):
        return None
    where = _named(tool.name, sentence)
    wanted = required(tool)
    if where is None or len(wanted) > 1:
        return None
    known = frozenset().union(*(sentence.at(each) for each in (FILLER, *_KNOWN)))
    values = sentence.told - where - known
    if not values or not wanted:
        return fitted(tool, {}) if not values and not wanted else None
    first, last = min(values), max(values)
    # One stretch of words: what is scattered over the sentence is not one argument.
    if last - first >= MOST_WORDS or any(place in where for place in range(first, last)):
        return None
    alone = (
        sentence.tokens[first].text
        if first == last and sentence.tokens[first].kind == "quoted"
        else None
    )
    return fitted(tool, {wanted[0]: alone or sentence.raw(first, last)})


def _named(name: str, sentence: Sentence) -> frozenset[int] | None:
    """Where the words of a tool's name stand; None: not all are said."""
    where: set[int] = set()
    for part in re.split(r"[._-]", name.lower()):
        at = [
            place
            for place in sentence.told
            if sentence.tokens[place].kind == "word"
            and sentence.tokens[place].text in (part, f"{part}s")
        ]
        if not at:
            return None
        where.update(at)
    return frozenset(where)
