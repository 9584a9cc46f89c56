"""Commands: what a sentence has to name for a tool to be called. Apps bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from callsheet.agents.language.lexicon import HARMLESS
from callsheet.agents.language.slots import OPTIONAL, REFERRING, SLOTS
from callsheet.core.value import Json

if TYPE_CHECKING:
    from callsheet.agents.language.sentence import Sentence

SURE: Final = 0.6
"""Below this, nothing is done."""
FIRM: Final = 0.8
"""The same, for what changes something."""
_RUNS: Final = frozenset(("{run}", "{failed run}", "{that run}"))
ACTS: Final = (
    "CANCEL",
    "PAUSE",
    "UNDO",
    "RESUME",
    "RETRY",
    "WRITE",
    "DELETE",
    "MAKE",
    "DECIDE",
    "ABLE",
)
"""What changes something, or could: a sentence that names one does not only look."""
VALUES: Final = ("PATH", "URL", "ID", "QUOTED", "TIME")
MOST_UNKNOWN: Final = 2
"""Words that nobody knows, beside a command that only looks; of its own there have to be more."""
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
    looks: bool = False
    """Whether it only looks: then words beside it may be passed over."""
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


def read(command: Command, sentence: Sentence, *, loosely: bool = False) -> Reading | None:
    """The sentence as this command; None: it says something else, or more.

    `loosely`: what only looks may be asked for with words beside it that nobody explains.
    """
    filled = _filled(command, sentence) if _may_be_meant(command, sentence) else None
    if filled is None:
        return None
    args, explained = filled
    for concept in _allowed(command):
        explained |= sentence.at(concept)
    beside = sentence.told - explained - sentence.fillers
    if not explained or (beside and not (loosely and _is_idle(command, sentence, beside))):
        return None
    slips = len(sentence.slips & explained)
    confidence = 1 - (1 - SLIP) * slips / len(explained & sentence.told)
    if confidence < (FIRM if command.firm else SURE):
        return None
    return Reading(command, args, confidence, len(explained & sentence.told))


def _is_idle(command: Command, sentence: Sentence, beside: frozenset[int]) -> bool:
    """Whether words beside a command that only looks say nothing else: no act, and no topic."""
    if not command.looks or sentence.guards - sentence.at(HARMLESS) - _met(command, sentence):
        return False
    if any(sentence.at(each) & beside for each in (*ACTS, *VALUES)):
        return False
    unknown = beside - sentence.known
    most = min(MOST_UNKNOWN, len(_met(command, sentence) & sentence.told) - 1)
    return len(unknown) <= most and not any(_is_topic(sentence, each) for each in beside)


def _met(command: Command, sentence: Sentence) -> frozenset[int]:
    return frozenset().union(*(sentence.at(each) for each in _allowed(command)))


def _is_topic(sentence: Sentence, place: int) -> bool:
    """Whether a word names something else: a thing, or something that is to be done."""
    token = sentence.tokens[place]
    if any(place in sentence.at(each) for each in REFERRING):
        return False
    if place not in sentence.known and sentence.text[token.start].isupper() and place:
        return True
    before = sentence.tokens[place - 1].text if place else ""
    if before in sentence.words_for("before_a_topic"):
        return True
    # An order that nobody knows: `send the runs to Ada`, `show runs and burn them`.
    is_verb = before in sentence.words_for("after_an_order") or place == min(sentence.told)
    return is_verb and place not in sentence.known


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
    covered = _met(command, sentence)
    return met / max(len(command.needs), 1) + len(covered) / max(len(sentence.told), 1)
