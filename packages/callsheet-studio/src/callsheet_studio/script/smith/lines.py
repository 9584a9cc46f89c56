"""Saying things: chooses among the moves of a language, and never strings many of our own words.

Between the words of the brief, or what is one of several, stand at most five words of ours, over
the whole narration. So no long sequence of words turns up in film after film.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base import speech
from callsheet_studio.script import words
from callsheet_studio.script.wording import holds_form

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from callsheet_studio.script.words import Move

LONGEST_RUN = 5
"""Words of ours in a row."""
_WEIGHED = 4
"""Moves that fit, of which the one of the best length is taken."""
_ANY = 1 << 30
"""As many words as it likes."""
CLOSES = "\0"
"""After a clause: a comma, unless the sentence ends or pauses there anyway."""
_BEGINNING = 3
"""Words."""
_LONG_WORD = 4
_WORD = re.compile(r"[^\W\d_]+")
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(?<=[.?!]) ")
_CHOICE = re.compile(r"\[([^\[\]]+)\]")


class Dice(msgspec.Struct, frozen=True):
    """Chance that is none: the same film always throws the same for the same choice."""

    seed: str

    def number(self, place: str, below: int) -> int:
        """A number from 0, for a place in the script."""
        thrown = hashlib.sha256(f"{self.seed}/{place}".encode()).digest()
        return int.from_bytes(thrown[:8]) % below

    def order(self, place: str, count: int) -> list[int]:
        """The numbers from 0, shuffled."""
        left, thrown = list(range(count)), self.number(place, 1 << 63)
        found = []
        while left:
            thrown = (thrown * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            found.append(left.pop((thrown >> 33) % len(left)))
        return found

    def pick(self, place: str, options: Sequence[str]) -> str:
        """One of them."""
        return options[self.number(place, len(options))]

    def settle(self, place: str, text: str, told: Container[str] = ()) -> str:
        """A text of which every `[a|b|c]` is one of its options; one not yet told, if it can."""
        thrown = iter(range(1 << 10))

        def one(found: re.Match[str]) -> str:
            options = found[1].split("|")
            fresh = [option for option in options if option not in told]
            return self.pick(f"{place}/{next(thrown)}", fresh or options)

        return _CHOICE.sub(one, text)


@dataclass(slots=True)
class Teller:
    """Tells one stream of a film, as its narration or its pictures, and remembers what it said."""

    dice: Dice
    language: str
    marks: frozenset[str]
    """The tone and the form of address: which marked moves may be used."""
    avoid: tuple[str, ...]
    about: str = ""
    """What is told now. Chance follows from it, not from how much has been told before."""
    run: int = 0
    """Words of ours that it has said last, since the brief's."""
    used: set[str] = field(default_factory=set)
    starts: set[str] = field(default_factory=set)
    """How its sentences have begun."""
    halves: set[str] = field(default_factory=set)
    """Parts of them that were chosen among others."""
    _allowed: dict[str, bool] = field(default_factory=dict)

    def say(
        self, kind: str, slots: Mapping[str, str], most: int, wished: int | None = None
    ) -> str | None:
        """A move of a kind with at most so many spoken words, or None if none fits."""
        found = self._choose(words.moves(self.language, kind), kind, slots, (most, wished or most))
        return self._take(*found) if found else None

    def try_(self, move: Move, most: int) -> str | None:
        """One move, if it fits."""
        self.used.discard(move.text)
        found = self._choose([move], move.text, {}, (most, most))
        return self._take(*found) if found else None

    def pick(self, lines: Sequence[str], place: str, slots: Mapping[str, str]) -> str | None:
        """A line of some material, however long it is."""
        moves = [words.Move(line, frozenset()) for line in lines]
        found = self._choose(moves, place, slots, (_ANY, 0), weighed=1)
        return self._take(*found) if found else None

    def count(self, *slots: str) -> int:
        """How many of its moves had one of some slots."""
        return sum(any(slot in text for slot in slots) for text in self.used)

    def given(self, text: str) -> str:
        """Words of the brief, as they stand."""
        self.run = 0
        return text

    def _take(self, move: Move, text: str) -> str:
        self.used.add(move.text)
        if "[" in move.text:
            self.used.add(text)
            self.halves |= {option for option in _options(move.text) if option in text}
        said = _SENTENCE.split(text)
        self.starts.update(map(_start, said[move.text.startswith("{") :]))
        runs = words.own_runs(move.text)
        self.run = runs[-1] if len(runs) > 1 else self.run + runs[0]
        return text

    def _choose(
        self,
        moves: Sequence[Move],
        place: str,
        slots: Mapping[str, str],
        length: tuple[int, int],
        weighed: int = _WEIGHED,
    ) -> tuple[Move, str] | None:
        most, wished = length
        place = f"{place}/{self.about}"
        fitting: list[tuple[Move, str, int]] = []
        for number in self.dice.order(place, len(moves)):
            move = moves[number]
            if not self._possible(move, slots):
                continue
            text = fill(self.dice.settle(place, move.text, self.halves), slots)
            if text in self.used or any(_start(s) in self.starts for s in _SENTENCE.split(text)):
                continue
            spoken = speech.load(text, self.language) if most < _ANY else 0
            if spoken <= most and not self._avoided(move.text) and not _echoes(move, slots):
                fitting.append((move, text, spoken))
            if len(fitting) == weighed:
                break
        if not fitting:
            return None
        move, text, _ = min(fitting, key=lambda found: abs(found[2] - wished))
        return move, text

    def _possible(self, move: Move, slots: Mapping[str, str]) -> bool:
        runs = words.own_runs(move.text)
        return (
            move.text not in self.used
            and move.marks <= self.marks
            and all(slot in slots for slot in move.slots)
            and (runs[0] == 0 or self.run + runs[0] <= LONGEST_RUN)
        )

    def _avoided(self, text: str) -> bool:
        if text not in self._allowed:
            found = any(holds_form(text, phrase, self.language) for phrase in self.avoid)
            self._allowed[text] = not found
        return not self._allowed[text]


def _options(text: str) -> set[str]:
    return {option for found in _CHOICE.findall(text) for option in found.split("|")}


def _start(text: str) -> str:
    return " ".join(text.split()[:_BEGINNING])


def _echoes(move: Move, slots: Mapping[str, str]) -> bool:
    """Whether a longer word of ours stands in the brief's words beside it."""
    given = {word for slot in move.slots for word in _WORD.findall(slots[slot].lower())}
    own = _WORD.findall(_SLOT.sub(" ", move.text).lower())
    return any(len(word) >= _LONG_WORD and word in given for word in own)


def fill(text: str, slots: Mapping[str, str]) -> str:
    """The move with the brief's words in it, and one mark at the end of each sentence."""
    filled = _SLOT.sub(lambda found: slots[found[1]], text)
    filled = re.sub(rf"{CLOSES}(?=\W*(?:[.,:;?!]|\Z))", "", filled).replace(CLOSES, ",")
    filled = re.sub(r"([?!\u2026])[.,]", r"\1", filled)
    return re.sub(r"([.?!]) ([a-zäöü])", lambda m: f"{m[1]} {m[2].upper()}", filled)
