"""Commands: what a sentence has to name for a tool to be called. Apps bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from callsheet.agents.language.slots import OPTIONAL, REFERRING, SLOTS
from callsheet.core.value import Json

if TYPE_CHECKING:
    from callsheet.agents.language.sentence import Sentence

SURE: Final = 0.6
"""Below this, nothing is done."""
FIRM: Final = 0.8
"""The same, for what changes something."""
_RUNS: Final = frozenset(("{run}", "{failed run}", "{that run}"))
SLIP: Final = 0.7
"""What a word with a slip of the pen counts for."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked for."""

    example: str
    """As it is shown to people who ask what they can say."""
    tool: str = ""
    says: str = ""
    """Instead of a tool: what is answered in words."""
    needs: tuple[str, ...] = ()
    """Every one has to be named; `A|B`: either."""
    may: tuple[str, ...] = ()
    rules_out: tuple[str, ...] = msgspec.field(name="not", default=())
    args: dict[str, Json] = {}
    firm: bool = False
    question: bool = False
    """Whether it is only meant where it is asked, and not told."""
    alone: bool = False
    """Whether it is only meant by itself: `wait a sec, that is not right` is no order to wait."""
    document: str = ""
    """The argument that may be a whole text instead: a brief that is pasted."""
    asks: str = ""
    """What is asked where such a text is missing."""
    words: dict[str, str] = {}
    """Words of an app's own, by what they stand for."""


class Reading(msgspec.Struct, frozen=True):
    """A sentence, as one command understands it."""

    command: Command
    args: dict[str, Json]
    confidence: float
    explained: int
    """Words that stand for something, without fillers."""


def read(command: Command, sentence: Sentence) -> Reading | None:
    """The sentence as this command; None: it says something else, or more."""
    filled = _filled(command, sentence) if _may_be_meant(command, sentence) else None
    if filled is None:
        return None
    args, explained = filled
    for concept in _allowed(command):
        explained |= sentence.at(concept)
    if (sentence.told - explained - sentence.fillers) or not explained:
        return None
    slips = len(sentence.slips & explained)
    confidence = 1 - (1 - SLIP) * slips / len(explained & sentence.told)
    if confidence < (FIRM if command.firm else SURE):
        return None
    return Reading(command, args, confidence, len(explained & sentence.told))


def _may_be_meant(command: Command, sentence: Sentence) -> bool:
    return (
        all(_named(need, sentence) for need in command.needs)
        and not any(sentence.at(each) for each in command.rules_out)
        and (sentence.is_question or not command.question)
    )


def _filled(command: Command, sentence: Sentence) -> tuple[dict[str, Json], set[int]] | None:
    """The arguments, and the words that say them; None: one is missing."""
    args: dict[str, Json] = {}
    explained: set[int] = set()
    for name, given in command.args.items():
        if not isinstance(given, str) or given not in SLOTS:
            args[name] = given
            continue
        slot = SLOTS[given](sentence)
        if slot is not None:
            args[name] = slot.value
            explained |= slot.where
        elif given not in OPTIONAL:
            return None
    return args, explained


def _named(need: str, sentence: Sentence) -> bool:
    return any(sentence.at(each) or each in ("PATH", "TEXT") for each in need.split("|"))


def _allowed(command: Command) -> set[str]:
    allowed = {each for need in command.needs for each in need.split("|")} | {*command.may}
    if _RUNS & {each for each in command.args.values() if isinstance(each, str)}:
        allowed |= {*REFERRING}
    return allowed


def closeness(command: Command, sentence: Sentence) -> float:
    """How much of a sentence a command could explain, where it does not explain it all."""
    met = sum(any(sentence.at(each) for each in need.split("|")) for need in command.needs)
    covered = frozenset().union(*(sentence.at(each) for each in _allowed(command)))
    return met / max(len(command.needs), 1) + len(covered) / max(len(sentence.told), 1)
