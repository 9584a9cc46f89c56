"""The words that are known here (`words.toml`), and where a sentence has which of them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec

from callsheet.agents.language.slips import Slips

if TYPE_CHECKING:
    from callsheet.agents.language.tokens import Token

GAP: Final = "~"
WIDEST: Final = 9
"""Words between the two parts of a verb that comes apart."""
SURE: Final = 6
"""Letters of a filler that a slip of the pen is forgiven in."""
FILLER: Final = "filler"
GUARD: Final = "guard"
HARMLESS: Final = "harmless"
"""Guards that turn an order into something else, and no question."""


class Span(msgspec.Struct, frozen=True):
    """Words of a sentence that stand for something together."""

    concept: str
    where: frozenset[int]


class Lexicon:
    """Expressions, by what they stand for."""

    def __init__(self, text: str, more: tuple[tuple[str, str], ...] = ()) -> None:
        """`more` are the words of apps, by what they stand for."""
        table = tomllib.loads(text)
        self.reads: dict[str, str] = table.get("reads", {})
        self.numbers = {
            tuple(each.split("_")): float(number)
            for number, expressions in table.get("numbers", {}).items()
            for each in expressions.split()
        }
        self.units: dict[str, str] = {
            each: unit for unit, units in table.get("units", {}).items() for each in units.split()
        }
        self._tongues = {
            tongue: frozenset(words.split()) for tongue, words in table.get("tongues", {}).items()
        }
        self.sets: dict[str, frozenset[str]] = {
            name: frozenset(words.split()) for name, words in table.get("sets", {}).items()
        }
        self._only: dict[tuple[str, tuple[str, ...]], str] = {}
        self._by_first: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._beginnings: list[tuple[str, tuple[str, ...]]] = []
        self._add_all({FILLER: " ".join(table.get("fillers", {}).values())})
        guards = table.get("guards", {})
        self._add_all({GUARD: guards.get("words", ""), HARMLESS: guards.get("harmless", "")})
        self._add_all(table.get("concepts", {}))
        for concept, expressions in more:
            self._add_all({concept: expressions})
        lookalikes = table.get("lookalikes", {}).get("words", "").split()
        self._slips = Slips(self._vocabulary(), [*lookalikes, *self._words()])

    def _add_all(self, concepts: dict[str, str]) -> None:
        for concept, expressions in concepts.items():
            for expression in expressions.split():
                tongue, marked, bare = expression.rpartition(":")
                words = tuple(bare.split("_"))
                if marked:
                    self._only[concept, words] = tongue
                if words[0].endswith("*"):
                    self._beginnings.append((concept, words))
                else:
                    self._by_first.setdefault(words[0], []).append((concept, words))

    def _vocabulary(self) -> set[str]:
        expressions = [each for every in self._by_first.values() for each in every]
        known = {
            word.rstrip("*")
            for concept, words in (*expressions, *self._beginnings)
            for word in words
            # A word that changes nothing need not be guessed, unless it is long enough to be sure.
            if concept not in (FILLER, GUARD, HARMLESS) or len(word) >= SURE
        }
        return (known | self.units.keys() | {each for words in self.numbers for each in words}) - {
            GAP
        }

    def _words(self) -> set[str]:
        return {word for every in self._by_first.values() for _, words in every for word in words}

    def knows(self, word: str) -> bool:
        """Whether a word is one of ours, or begins as one does."""
        return self._slips.knows(word) or any(
            word.startswith(words[0][:-1]) for _, words in self._beginnings
        )

    def corrected(self, tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], frozenset[int]]:
        """The tokens without slips of the pen, and where there were some."""
        slips: dict[int, Token] = {}
        for place, token in enumerate(tokens):
            if token.kind == "word" and not self.knows(token.text):
                meant = self._slips.meant(token.text)
                if meant is not None:
                    slips[place] = msgspec.structs.replace(token, text=meant)
        return tuple(slips.get(place, each) for place, each in enumerate(tokens)), frozenset(slips)

    def spans(self, tokens: tuple[Token, ...]) -> list[Span]:
        """Everything that the words may stand for; one word may be part of several."""
        found: list[Span] = []
        tongue = self._tongue(tokens)
        for place, token in enumerate(tokens):
            if token.kind != "word":
                continue
            beginnings = [each for each in self._beginnings if _is(token, each[1][0])]
            for concept, words in (*self._by_first.get(token.text, ()), *beginnings):
                where = _matched(tokens, place, words)
                if where is not None and self._only.get((concept, words), tongue) == tongue:
                    found.append(Span(concept, where))
        return found

    def _tongue(self, tokens: tuple[Token, ...]) -> str:
        """The language with more words of its own in it; German where there are none (`was?`)."""
        said = {token.text for token in tokens if token.kind == "word"}
        return max(("de", "en"), key=lambda each: len(said & self._tongues.get(each, frozenset())))


def _is(token: Token, word: str) -> bool:
    if token.kind != "word":
        return False
    return token.text.startswith(word[:-1]) if word.endswith("*") else token.text == word


def _matched(
    tokens: tuple[Token, ...], place: int, words: tuple[str, ...]
) -> frozenset[int] | None:
    """Where an expression that begins at a place has its words."""
    at, where = place, {place}
    gap = False
    for word in words[1:]:
        if word == GAP:
            gap = True
            continue
        last = min(at + 1 + (WIDEST if gap else 0), len(tokens) - 1)
        at = next((each for each in range(at + 1, last + 1) if _is(tokens[each], word)), -1)
        if at < 0:
            return None
        where.add(at)
        gap = False
    return frozenset(where)


@cache
def lexicon(more: tuple[tuple[str, str], ...] = ()) -> Lexicon:
    """Our words, and those of apps."""
    text = files("callsheet.agents.language").joinpath("words.toml").read_text("utf-8")
    return Lexicon(text, more)
