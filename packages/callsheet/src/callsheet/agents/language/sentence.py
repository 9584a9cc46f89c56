"""A sentence as it is read: its tokens, and what its words may stand for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from callsheet.agents.language.amount import duration
from callsheet.agents.language.lexicon import FILLER, GUARD, Lexicon, lexicon
from callsheet.agents.language.tokens import tokens

LONGEST: Final = 60
"""Words; what is longer is read as it is written."""
STATES: Final = ("FAILED", "RUNNING", "WAITING", "SUCCEEDED", "CANCELLED", "UNDONE")
NTH: Final = 5
_THEN = re.compile(
    r"\s*(?:,|;|\.)?\s+(?:and\s+then|then|after\s+that|afterwards|und\s+dann|danach|anschließend|dann)\s+",
    re.IGNORECASE,
)
_VALUES: Final = {"path": "PATH", "url": "URL", "id": "ID", "quoted": "QUOTED"}


class Sentence:
    """Everything that the words of a text may stand for, and where."""

    def __init__(self, text: str, words: Lexicon | None = None) -> None:
        self.text = text
        self._words = words if words is not None else lexicon()
        read = tokens(text, self._words.reads)
        self.tokens, self.slips = (
            self._words.corrected(read) if len(read) <= LONGEST else (read, frozenset())
        )
        self.told = frozenset(
            place for place, token in enumerate(self.tokens) if token.kind != "mark"
        )
        """Where something is said, and not only a mark."""

    @cached_property
    def concepts(self) -> dict[str, frozenset[int]]:
        """Where each concept stands."""
        found: dict[str, set[int]] = {}
        for span in self._words.spans(self.tokens):
            found.setdefault(span.concept, set()).update(span.where)
        for place, token in enumerate(self.tokens):
            if token.kind in _VALUES:
                found.setdefault(_VALUES[token.kind], set()).add(place)
        if self.time is not None:
            found["TIME"] = set(self.time[1])
        states = [found[each] for each in STATES if each in found]
        if states:
            found["STATE"] = set().union(*states)
        return {concept: frozenset(where) for concept, where in found.items()}

    def at(self, concept: str) -> frozenset[int]:
        """Where a concept stands."""
        return self.concepts.get(concept, frozenset())

    @property
    def fillers(self) -> frozenset[int]:
        """Words that change nothing."""
        return self.at(FILLER) - self.guards

    @property
    def guards(self) -> frozenset[int]:
        """Words that turn an order into something else, unless they are explained."""
        return self.at(GUARD)

    @cached_property
    def known(self) -> frozenset[int]:
        """Words that stand for something here, whatever it is."""
        return frozenset().union(*self.concepts.values())

    @cached_property
    def time(self) -> tuple[float, frozenset[int]] | None:
        """The one amount of time that is said, in seconds, and where."""
        found: list[tuple[float, frozenset[int]]] = []
        place = 0
        while place < len(self.tokens):
            said = duration(self.tokens, place)
            if said is not None:
                found.append((said[0], frozenset(range(place, said[1]))))
                place = said[1]
            else:
                place += 1
        named = [each for each in found if self._has_unit(each[1])] or found
        return named[0] if len(named) == 1 else None

    def _has_unit(self, where: frozenset[int]) -> bool:
        return any(self.tokens[place].text in self._words.units for place in where)

    @property
    def is_question(self) -> bool:
        """Whether it is asked, and not told or ordered."""
        if self.text.rstrip().endswith("?"):
            return True
        words = (each.text for each in self.tokens if each.kind == "word")
        return next(
            (each for each in words if each not in self.words_for("before_a_question")), ""
        ) in (self.words_for("asking"))

    @property
    def states(self) -> list[str]:
        """The states of runs that are named."""
        return [each.lower() for each in STATES if self.at(each)]

    def words_for(self, name: str) -> frozenset[str]:
        """A set of words that a sentence is looked through for."""
        return self._words.sets[name]

    def words(self, where: frozenset[int]) -> list[str]:
        """What is said at these places."""
        return [self.tokens[place].text for place in sorted(where)]

    def raw(self, first: int, last: int) -> str:
        """The text from one token to another, as it was written."""
        return self.text[self.tokens[first].start : self.tokens[last].end].strip()


def clauses(text: str) -> list[str]:
    """The parts of a text between its commas and full stops."""
    return [
        each
        for each in re.split(r"[,;!?\u2013\u2014\n]+\s*|\.(?:\s+|\Z)|\s-\s", text)
        if each.strip()
    ]


def series(text: str) -> list[str]:
    """The parts of a text between its `and then`s."""
    return _THEN.split(text)
