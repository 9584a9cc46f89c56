"""Which words of a text say that something is there: what a drawing may rest on.

A word is no thing where it is denied (`without a car`), likened (`like a cat`), a part of another
word (`bus conductor`), a name (`Rose Street`), a verb (`we train bakers`) or a figure of speech.
Grammar is data, in one file for each language; where a sentence is doubtful, nothing is there.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec
import rtoml

LANGUAGES = ("en", "de")
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?|[.!?;:,()\u2013\u2014\u2026]|(?<=\s)-(?=\s)|-")
_ENDS = frozenset(".!?;:()\u2013\u2014\u2026") | {" - "}
_STARTS = frozenset(".!?:\u2026\u2013\u2014(")
_NP = 5
"""Words within which `without` or `instead of` finds its noun."""
_REACH = 9
"""Words that a negation reaches over."""
_HEADLINE = 0.7
"""Share of words with a capital from which a text is a headline, and capitals say nothing."""


class Grammar(msgspec.Struct, frozen=True):
    """What one language says with which words."""

    function: frozenset[str]
    verbs: frozenset[str]
    nouns_too: frozenset[str]
    also_verbs: frozenset[str]
    before_nouns: frozenset[str]
    subjects: frozenset[str]
    negations: frozenset[str]
    like_verbs: frozenset[str]
    but: frozenset[str]
    titles: frozenset[str]
    instead: tuple[str, ...]
    not_negated: tuple[str, ...]
    unneeded: tuple[str, ...]
    likened: tuple[str, ...]
    idioms: frozenset[str]


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language."""
    file = files("callsheet_studio.library").joinpath(f"grammar/{language}.toml")
    told = rtoml.loads(file.read_text("utf-8"))
    words = {key: frozenset(value.split()) for key, value in told.items() if isinstance(value, str)}
    return Grammar(
        **words,
        instead=tuple(told["instead"]),
        not_negated=tuple(told["not_negated"]),
        unneeded=tuple(told["unneeded"]),
        likened=tuple(told["likened"]),
        idioms=frozenset(told["idioms"]),
    )


@cache
def tongues(text: str) -> tuple[str, ...]:
    """The languages that a text may be in: one, where its small words tell."""
    spoken = re.findall(r"[^\W\d_]+", text.lower())
    counts = {each: sum(w in grammar(each).function for w in spoken) for each in LANGUAGES}
    best = max(counts.values())
    found = tuple(each for each in LANGUAGES if counts[each] == best)
    if len(found) > 1 and re.search(r"[\u00e4\u00f6\u00fc\u00df]", text.lower()):
        return ("de",)
    return found


class Text(msgspec.Struct, frozen=True):
    """A text in words, with what is known about each of them."""

    words: tuple[str, ...]
    """As they are written; a sign is a word."""
    lower: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each of them begins."""
    languages: tuple[str, ...]
    headline: bool
    masked: frozenset[int]
    """Words that are part of a figure of speech."""

    def states(self, at: int, length: int, *, named: bool = False) -> bool:
        """Whether the words from here on say that what they name is there.

        Args:
            at: the first of them.
            length: how many they are.
            named: whether a name will do, too.
        """
        if self.masked & set(range(at, at + length)):
            return False
        checks = (_denied, _likened) if named else (_part, _name, _verb, _denied, _likened)
        return not any(
            check(self, at, length, grammar(each)) for check in checks for each in self.languages
        )

    def at(self, sign: int) -> int:
        """The word that a sign of the text is in."""
        return max((n for n, start in enumerate(self.starts) if start <= sign), default=0)

    def first(self, at: int) -> int:
        """How many words of its clause stand before a word."""
        return at - _clause(self, at)


def stated(text: str, match: re.Match[str] | None, group: int = 0) -> bool:
    """Whether what was found in a text is said to be there, and not denied or only likened."""
    if match is None:
        return False
    words = read(text)
    at = words.at(match.start(group))
    return words.states(at, words.at(match.end(group) - 1) - at + 1, named=True)


@cache
def read(text: str) -> Text:
    """A text in words."""
    found = [*_TOKEN.finditer(text)]
    words = tuple(each[0] for each in found)
    spoken = [word for word in words if word[:1].isalpha()]
    capitals = sum(word[:1].isupper() for word in spoken)
    languages = tongues(text)
    lower = tuple(word.lower().replace("\u2019", "'") for word in words)
    return Text(
        words=words,
        lower=lower,
        starts=tuple(each.start() for each in found),
        languages=languages,
        headline=bool(spoken) and capitals / len(spoken) >= _HEADLINE,
        masked=frozenset(at for each in LANGUAGES for at in _idioms(lower, grammar(each).idioms)),
    )


def _idioms(lower: tuple[str, ...], idioms: frozenset[str]) -> set[int]:
    found: set[int] = set()
    for at in range(len(lower)):
        for size in range(1, 5):
            if " ".join(lower[at : at + size]) in idioms:
                found |= set(range(at, at + size))
    return found


def _clause(text: Text, at: int) -> int:
    """Where the clause of a word begins."""
    start = at
    while start > 0 and text.words[start - 1] not in _ENDS:
        start -= 1
    return start


def _part(text: Text, at: int, length: int, known: Grammar) -> bool:
    """Whether it only says of which kind something else is: a bus conductor, a Bus-Depot."""
    end = at + length
    if end >= len(text.words):
        return False
    after = text.lower[end]
    if after == "-":
        return end + 1 < len(text.words)
    if text.lower[end - 1].endswith("'s"):
        return True
    if not known.verbs or not after[:1].isalpha() or text.languages != ("en",):
        return False
    if after in known.nouns_too:
        return True
    doing = after.endswith(("ed", "ing", "ly")) and len(after) > len("being")
    noun = after.endswith(("ers", "ors", "ings", "ists", "ments", "ness", "ss", "us"))
    doing = doing or (after.endswith("s") and not noun and _one(text, at))
    return not (after in known.function or after in known.verbs or doing)


def _one(text: Text, at: int) -> bool:
    """Whether one thing is meant, which does what the word behind it says: `the boat rocks`."""
    before = text.lower[at - 1] if at else ""
    return before in _ONE or before.endswith("'s") or text.lower[at] in _ONE


_ONE = frozenset(
    ("a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "that")
)


def _name(text: Text, at: int, length: int, known: Grammar) -> bool:
    """Whether it is a name: `Rose Street`, `Frau Baum`."""
    before = text.lower[at - 1].rstrip(".") if at else ""
    if before == "." and at > 1:
        before = text.lower[at - 2]
    if before in known.titles and text.words[at][:1].isupper():
        return True
    if text.languages != ("en",) or text.headline:
        return False
    word = text.words[at]
    capital = word[:1].isupper() and not (len(word) > 1 and word.isupper())
    if not capital:
        return False
    if at and text.words[at - 1] not in _STARTS:
        return True
    end = at + length
    after = text.words[end] if end < len(text.words) else ""
    return after[:1].isupper() and not after.isupper()


def _verb(text: Text, at: int, length: int, known: Grammar) -> bool:
    """Whether it is something that somebody does: `we train bakers`, `prices rose`."""
    if length > 1 or text.lower[at] not in known.also_verbs:
        return False
    before = text.lower[at - 1] if at else "."
    after = text.lower[at + 1] if at + 1 < len(text.words) else "."
    if before in known.subjects and (before not in ("and", "or") or after in known.before_nouns):
        return True
    starts = before in _STARTS
    if starts:
        return after[:1].isalpha() and after not in (
            "is",
            "are",
            "and",
            "or",
            "for",
            "by",
            "on",
            "in",
            "with",
        )
    if any(each in _ONE for each in text.lower[max(at - 3, 0) : at]):
        return False
    adjective = before.endswith(("y", "ed", "al", "ful", "ing", "ic", "en", "er"))
    return before[:1].isalpha() and before not in known.before_nouns and not adjective


def _denied(text: Text, at: int, length: int, known: Grammar) -> bool:
    """Whether it is said not to be there: `no more cups`, `statt einer Lampe`."""
    begin = max(_clause(text, at), at - _REACH)
    if _negated(text, at, begin, known) or _replaced(text, at, begin, known):
        return True
    end = at + length
    rest = " ".join(text.lower[end : end + 5])
    return any(
        rest.startswith(each) or f" {each}" in rest.partition(" ,")[0] for each in known.unneeded
    )


def _negated(text: Text, at: int, begin: int, known: Grammar) -> bool:
    lower = text.lower
    for place in range(at - 1, begin - 1, -1):
        word = lower[place]
        if word in known.but or (word == "," and lower[place + 1] not in known.negations):
            return False
        if word in known.negations or (word.endswith("n't") and known.like_verbs):
            said = " ".join(lower[place : place + 4])
            if not said.startswith(known.not_negated):
                return True
    return False


def _replaced(text: Text, at: int, begin: int, known: Grammar) -> bool:
    """Whether it is what something else is there for: `instead of a car`."""
    for phrase in known.instead:
        size = len(phrase.split())
        for place in range(begin, at - size + 1):
            between = range(place + size, at)
            if " ".join(text.lower[place : place + size]) != phrase or len(between) > _NP:
                continue
            if not any(_noun(text, each, known) for each in between):
                return True
    return False


def _noun(text: Text, at: int, known: Grammar) -> bool:
    """Whether a word before another ends the reach of what came before both."""
    word = text.words[at]
    if text.lower[at] in ("and", "or", "und", "oder"):
        return False
    if text.languages == ("de",):
        return word[:1].isupper() and bool(at)
    return not word[:1].isalpha() or text.lower[at] in known.verbs


def _likened(text: Text, at: int, length: int, known: Grammar) -> bool:
    """Whether something else is only like it: `as flat as a card`, `wie ein Schwein`."""
    del length
    lower, start = text.lower, _clause(text, at)
    for place in range(start, at):
        if lower[place] == ",":
            continue
        if "," in lower[place:at]:
            continue
        for phrase in known.likened:
            size = len(phrase.split())
            if " ".join(lower[place : place + size]) == phrase and place + size <= at:
                return True
        if _compares(text, place, start, known):
            return True
    return False


def _compares(text: Text, place: int, start: int, known: Grammar) -> bool:
    lower = text.lower
    word = lower[place]
    before = lower[place - 1] if place > start else ""
    after = lower[place + 1] if place + 1 < len(lower) else ""
    if known.like_verbs:  # English
        if word == "like":
            return before not in known.like_verbs
        second = word == "as" and "as" in lower[max(start, place - 3) : place]
        return second or (word == "as" and after in ("a", "an", "any"))
    if word == "wie":
        asks = place == start and after not in ("ein", "eine", "einen", "einem", "einer")
        return not asks
    more = any(each.endswith("er") for each in lower[max(start, place - 3) : place])
    return word == "als" and (more or before in ("mehr", "weniger"))
