"""Slips of the pen: a letter too many, missing, wrong or out of order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST: Final = 4
"""Letters; of shorter words too many others are one letter away."""
SHORT: Final = 5
"""Letters; of shorter words only two that are swapped are a slip."""
LONGEST: Final = 24
_ENDINGS: Final = ("s", "d", "ed", "n", "en", "e", "r", "er", "t", "ing")
"""A word with another ending is the same word in another place of a sentence, and no slip."""


class Slips:
    """The words that may be meant."""

    def __init__(self, words: Iterable[str], lookalikes: Iterable[str]) -> None:
        """`lookalikes` are words of their own, however near to ours."""
        self._words = frozenset(words)
        self._own = self._words.union(lookalikes)

    def knows(self, word: str) -> bool:
        """Whether it is a word that is meant as it is written."""
        return word in self._own

    def meant(self, word: str) -> str | None:
        """The nearest word; None: none is near enough."""
        if not SHORTEST <= len(word) <= LONGEST or word in self._own:
            return None
        near = [(cost, each) for each in self._words if (cost := _cost(word, each)) is not None]
        return min(near)[1] if near else None


def _cost(said: str, meant: str) -> float | None:
    """How far two words are apart; None: too far for a slip."""
    if abs(len(said) - len(meant)) > 1 or len(meant) < SHORTEST:
        return None
    if _is_swapped(said, meant):
        return 0.5
    if _is_inflected(said, meant) or _is_inflected(meant, said):
        return None
    # People rarely miss the first letter; words that differ there are other words.
    if len(meant) < SHORT or len(said) < SHORT or said[0] != meant[0]:
        return None
    return 1.0 if _is_one_apart(said, meant) else None


def _is_inflected(word: str, stem: str) -> bool:
    return word.startswith(stem) and word[len(stem) :] in _ENDINGS


def _is_swapped(said: str, meant: str) -> bool:
    """Whether two neighbouring letters are swapped, and nothing else."""
    if len(said) != len(meant):
        return False
    wrong = [place for place in range(len(said)) if said[place] != meant[place]]
    if len(wrong) != 2 or wrong[1] != wrong[0] + 1:  # noqa: PLR2004 -- two neighbours
        return False
    first, second = wrong
    return said[first] == meant[second] and said[second] == meant[first]


def _is_one_apart(said: str, meant: str) -> bool:
    """Whether one letter is too many, missing or wrong."""
    first = next(
        (n for n, pair in enumerate(zip(said, meant, strict=False)) if pair[0] != pair[1]), None
    )
    if first is None:
        return abs(len(said) - len(meant)) == 1
    rests = {said[first:] == meant[first + 1 :], said[first + 1 :] == meant[first:]}
    return True in rests or said[first + 1 :] == meant[first + 1 :]
