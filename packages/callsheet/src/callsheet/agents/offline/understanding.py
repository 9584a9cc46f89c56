"""What a sentence means: something to say, calls, or nothing that is known here.

A sentence is understood where one command explains every word of it that is no filler. Whatever is
left over (another verb, a negation, a condition, a word that nobody knows) means something else,
and then nothing is done.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import msgspec

from callsheet.agents.intent import PARTING, classify, is_foreign
from callsheet.agents.language.command import VALUES, Command, Reading, closeness, read
from callsheet.agents.language.phrase import Phrase
from callsheet.agents.language.phrases import words_of
from callsheet.agents.language.sentence import Sentence, clauses, series
from callsheet.agents.offline.described import described
from callsheet.agents.offline.named import Meant, Misfit, fitted, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.language.lexicon import Lexicon
    from callsheet.agents.language.phrases import Known
    from callsheet.agents.model import Offered

MOST = 4_000
"""Characters of a sentence; what is longer is a document, and no sentence."""
NEAREST = 3
"""How many things that can be done are named when a sentence is not understood."""
A_TEXT: Final = 8
"""Words after what is asked for; what has fewer is no text to make something of."""
MOST_JOINED: Final = 400
"""Characters that are looked at for two orders in one."""
SURE_OF_IT: Final = 0.9

Topic: TypeAlias = Literal["help", "tools", "greeting", "parting", "smalltalk"]
_TOLD: Final = ("REGRET", "FAIL", "FAILED", "LOST")
"""What is told of oneself or of a run with `not` and `never`, and turns no order round."""
_ACTIONS: Final = ("CANCEL", "PAUSE", "UNDO", "RESUME", "RETRY", "WAIT", "WRITE", "FETCH")
_BEFORE = re.compile(
    r"(?:(?:please|bitte|hey|ok|okay|now|so|and|then|just|callsheet|can\s+you|could\s+you|would\s+you|"
    r"will\s+you|i\s+want\s+(?:you\s+)?to|i'd\s+like\s+(?:you\s+)?to|let's|kannst\s+du|könntest\s+du)"
    r"(?![\w'])[\s,:]*)+",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,]*(?:(?:please|bitte|for\s+me|now|thanks|danke|pls)[\s.!?]*|[.!?]+)\Z", re.IGNORECASE
)


class Said(msgspec.Struct, frozen=True):
    """Something that is answered in words alone."""

    about: Topic


class Asked(msgspec.Struct, frozen=True):
    """Something that can be done as soon as it is known what with."""

    question: str


class Series(msgspec.Struct, frozen=True):
    """Calls, one after the other."""

    calls: tuple[Meant, ...]


class Unclear(msgspec.Struct, frozen=True):
    """Nothing that is known here, why, and what comes nearest to it."""

    nearest: tuple[str, ...]
    why: str = ""


Meaning: TypeAlias = Said | Meant | Series | Asked | Unclear


def understand(text: str, tools: Sequence[Offered], known: Sequence[Known]) -> Meaning:
    """What a sentence means to whoever may call these tools. Guesses nothing."""
    if len(text) > MOST or not text.strip():
        return Unclear(
            (), f"it has over {MOST:,} characters" if text.strip() else "there is nothing in it"
        )
    if not text.strip(" ?"):
        return Said("help")
    offered = {tool.name: tool for tool in tools}
    here = [
        each for each in known if each.tool in offered or (isinstance(each, Command) and each.says)
    ]
    reader = _Reader(offered, here)
    return (
        reader.series(text)
        or reader.whole(text)
        or reader.one_clause(text)
        or described(text, tools)
        or reader.document(text)
        or reader.met(text)
    )


class _Reader:
    """Somebody who knows these commands, and may call these tools."""

    def __init__(self, offered: dict[str, Offered], known: list[Known]) -> None:
        self._offered = offered
        self._commands = [each for each in known if isinstance(each, Command)]
        self._phrases = [each for each in known if isinstance(each, Phrase)]
        self._words: Lexicon = words_of(known)

    def whole(self, text: str) -> Meaning | None:
        """What the text says as a whole."""
        bare = _bare(text)
        found = named(bare, self._offered)
        return found if isinstance(found, Meant) else self._phrased(bare) or self._commanded(text)

    def series(self, text: str) -> Series | None:
        """`wait 5 seconds and then …`: only where every part is a call by itself."""
        said = series(text)
        if len(said) == 1 or any(each.count('"') % 2 for each in said):
            return None  # what stands in quotes is one thing
        parts = [self.whole(each) for each in said]
        calls = [each for each in parts if isinstance(each, Meant)]
        return Series(tuple(calls)) if len(calls) == len(parts) > 1 else None

    def one_clause(self, text: str) -> Meaning | None:
        """`that was a mistake, please undo it`: one order, beside what only tells about it."""
        parts = clauses(text)
        if len(parts) == 1:
            return None
        found = [(each, self._commanded(each, beside=True)) for each in parts]
        orders = {
            msgspec.json.encode(meaning): meaning for _, meaning in found if meaning is not None
        }
        if len(orders) != 1 or any(
            meaning is None and self._matters(each) for each, meaning in found
        ):
            return None
        return next(iter(orders.values()))

    def _matters(self, clause: str) -> bool:
        """Whether something in it may change what is wanted."""
        sentence = Sentence(clause, self._words)
        told = frozenset().union(*(sentence.at(each) for each in _TOLD))
        values = any(sentence.at(each) for each in VALUES)
        if values or sentence.guards - told or any(sentence.at(each) - told for each in _ACTIONS):
            return True
        # People tell about themselves, or about what they see; anything else is part of the matter.
        left = sentence.told - sentence.fillers - told
        return not sentence.at("TELLING") and bool(left)

    def _phrased(self, bare: str) -> Meant | None:
        """The call that the first fitting phrase of an app stands for."""
        for phrase in self._phrases:
            found = phrase.match(bare)
            if (
                found is not None
                and (meant := fitted(self._offered[phrase.tool], found)) is not None
            ):
                return meant
        return None

    def _commanded(
        self, text: str, *, beside: bool = False, loosely: bool = False
    ) -> Meaning | None:
        """The command that explains every word; of several, the one that explains most of them.

        `loosely`: one that only looks, and only if no other explains as much.
        """
        sentence = Sentence(text, self._words)
        here = [each for each in self._commands if not (beside and each.alone)]
        readings = [
            each for each in (read(every, sentence, loosely=loosely) for every in here) if each
        ]
        best = max(readings, key=lambda each: each.explained, default=None)
        if best is None or (loosely and _is_tied(best, readings)):
            return None
        return self._meaning(best)

    def _meaning(self, reading: Reading) -> Meaning | None:
        about = next((each for each in get_args(Topic) if each == reading.command.says), None)
        if about is not None:
            return Said(about)
        return fitted(self._offered[reading.command.tool], reading.args)

    def document(self, text: str) -> Meaning | None:
        """What is made of a text, with the text in the message; without, it is asked for."""
        takes = next((each for each in self._commands if each.document), None)
        intent = classify(text)
        if takes is None or intent.intent != "production" or not intent.is_clear:
            return None
        sentence = Sentence(text, self._words)
        if sentence.at("PATH"):
            return None
        parts = re.split(r"[:\n]|[.!?]\s", text.strip(), maxsplit=1)
        is_sure = intent.confidence >= SURE_OF_IT or Sentence(parts[0], self._words).at("TIME")
        if len(parts) == 1 or len(parts[1].split()) < A_TEXT or not is_sure:
            return Asked(takes.asks)
        return fitted(self._offered[takes.tool], {takes.document: text.strip()})

    def met(self, text: str) -> Meaning:
        """A greeting, or nothing that is known here."""
        intent = classify(text)
        if intent.why == PARTING:
            return Said("parting")
        if intent.is_clear and intent.intent in ("greeting", "smalltalk"):
            return Said("greeting" if intent.intent == "greeting" else "smalltalk")
        found = named(_bare(text), self._offered)
        if isinstance(found, Misfit):
            return Unclear((), found.why)
        if not is_foreign(text) and (looking := self._commanded(text, loosely=True)) is not None:
            return looking
        return Unclear(self._nearest(text), self._joined(text))

    def _joined(self, text: str) -> str:
        """Why `get … and save it as …` is not done: what one brings may be cut for the other."""
        sentence = Sentence(text[:MOST_JOINED], self._words)
        if all(sentence.at(each) for each in ("FETCH", "URL", "WRITE", "PATH")):
            return 'it takes two sentences, `get URL` and `write "…" to FILE`'
        return ""

    def _nearest(self, text: str) -> tuple[str, ...]:
        sentence, said = Sentence(text[:400], self._words), text[:400].lower()
        # Of fillers (`the`) every example has some: they make nothing alike.
        words = {*sentence.words(sentence.told - sentence.fillers)}
        scores: dict[str, float] = {}
        known: list[Known] = [*self._commands, *self._phrases]
        for each in known:
            alike = SequenceMatcher(None, said, each.example.lower()).ratio()
            shared = len(words & {*each.example.lower().strip("?").split()})
            close = closeness(each, sentence) if isinstance(each, Command) else 0.0
            scores[each.example] = alike + shared + close
        return tuple(sorted(scores, key=lambda each: (-scores[each], each))[:NEAREST])


def _is_tied(best: Reading, readings: Sequence[Reading]) -> bool:
    """Whether something else is as likely."""
    return any(
        each.explained == best.explained
        and (each.command.tool, each.command.says) != (best.command.tool, best.command.says)
        for each in readings
    )


def _bare(text: str) -> str:
    """A sentence without courtesies around it, and without the mark at its end."""
    said, shorter = "", " ".join(text.split())
    while shorter != said:
        said = shorter
        polite = _BEFORE.match(said)
        shorter = _AFTER.sub("", said[polite.end() :] if polite else said)
    return said
