"""What the words of a brief are: their shape, and how they can be set into a sentence.

No grammar book, a few habits of English and German that are right nearly always; and where they
are not, the phrase is only ever set down as a fragment, which is never wrong.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet_studio.script import words
from callsheet_studio.script.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

Shape = Literal[
    "noun", "sentence", "verb", "order", "invitation", "doing", "state", "amount", "price"
]
"""`one live map` · `payments arrive early` · `works offline` · `book in two taps` · `booking` ·
`made from local clay` · `half the bill` · `two pounds a week`. An order that sells invites."""

ARTICLES = [[word] for word in ("a", "an", "the", "your", "every", "all", "its", "one", "you")]
_ADVICE = frozenset({"never", "always", "don't", "please", "just", "simply"})
_STATES = frozenset(
    {"made", "sewn", "built", "sold", "kept", "grown", "run", "drawn", "written", "used"}
)
_UNTIL = frozenset({"until", "up", "from", "every", "all", "at", "on"})
_QUALITIES = frozenset({"warm", "clean", "clear", "cool", "slow", "light", "open", "set"})
"""That look like verbs."""
_AS = frozenset({"as", "to", "than"})
_CLAUSE = re.compile(r"\A((?:[a-zäöü]+ )?[A-ZÄÖÜ][a-zäöüß]+) (die) (?=[^,]*[a-zäöü][nt]\Z)")
"""`Tische die wackeln`, written in a hurry."""
_FORMS: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    (
        "price",
        re.compile(
            r"(?:[\w.,]+ (?:pounds?|dollars?|euros?|cents?)|[$€£][\d.,]+)"
            r"(?: (?:a|per|am|im|pro)\b.*)?\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "amount",
        re.compile(
            r"(?:half|a third|a quarter|no|[\w.,]+ percent|[\d.,]+ ?%|[\d.,]+ Prozent) |"
            r"[\w.,]+ (?:hours?|minutes?|days?|weeks?|years?|metres?|Kilometer|Stunden|Jahre)\b",
            re.IGNORECASE,
        ),
    ),
)
"""Nouns that want words of their own around them."""
_GERMAN_VERB = re.compile(r"(?!ge|alle|direkt|sofort|inklu)[a-zäöü]{2,}(?<!ier)t")
_ENDS = " \t\n.!;:,\u2026"
_SENTENCE = 4
"""Words."""


class Phrase(msgspec.Struct, frozen=True):
    """Something that the brief says, ready to be set into a sentence."""

    text: str
    """Without a full stop at its end."""
    shape: Shape
    small: str
    """As it stands within a sentence: without its capital, unless that is a name's."""

    @property
    def big(self) -> str:
        """As it stands at the beginning of a sentence."""
        return self.text[:1].upper() + self.text[1:]

    @property
    def asks(self) -> bool:
        """Whether it brings its own mark at the end."""
        return self.text.endswith("?")


def phrase(text: str, language: str, names: Iterable[str] = ()) -> Phrase:
    """A phrase of the brief, understood as far as it can be."""
    bare = " ".join(text.split()).strip(_ENDS)
    if language == "de":
        bare = _CLAUSE.sub(r"\1, \2 ", bare)
    known = words.grammar(language)
    first = tokens(bare)[0] if tokens(bare) else ""
    named = next((n for n in names if n and bare.lower().startswith(f"{n.lower()} ")), "")
    shape = _shape(f"It{bare[len(named) :]}" if named else bare, known, language)
    if shape == "noun" and text.rstrip().endswith(".") and len(bare.split()) >= _SENTENCE:
        shape = "sentence"  # Whoever sets a full stop has written one.
    if shape == "noun":
        shape = next((kind for kind, form in _FORMS if form.match(bare)), shape)
    return Phrase(
        text=bare,
        shape=shape,
        small=_small(bare, first, _lowered(known, language, shape), tuple(names)),
    )


# Shape


def _shape(text: str, known: words.Grammar, language: str) -> Shape:
    found = [token.lower() for token in tokens(text)]
    if not found:
        return "noun"
    if language == "de":
        return _german_shape(tokens(text), known)
    first, rest = found[0], found[1:]
    if first.endswith("ing") and first not in known.nouns:
        return "sentence" if any(word in known.finite for word in rest) else "doing"
    return _quality(first, rest, known) or _doing(first, rest, known) or _plain(found, known)


def _quality(first: str, rest: list[str], known: words.Grammar) -> Shape | None:
    """`open until midnight`, `warm water`, `made by hand`: what looks like a verb and is none."""
    if first in _QUALITIES and rest:
        if rest[0] in _UNTIL:
            return "state"
        return None if rest[0] in known.small else "noun"
    if first in known.adjectives and rest[:1] and rest[0] in known.half | _AS:
        return "state"
    past = first.endswith("ed") and len(first) > _SENTENCE
    return "state" if (past and _goes_on(rest, known)) or first in _STATES else None


def _goes_on(rest: list[str], known: words.Grammar) -> bool:
    """Whether what follows goes with a participle: `insured against`, but not `fixed price`."""
    known_words = known.small | known.adverbs | known.adjectives
    return not rest or rest[0] in known_words or rest[0].endswith("ly") or rest[0][0].isdigit()


def _doing(first: str, rest: list[str], known: words.Grammar) -> Shape | None:
    if first in known.bare or (first in _ADVICE and rest[:1] and rest[0] in known.bare):
        return "order"
    verb = first in known.third and (first not in known.nouns or rest[:1] in ARTICLES)
    return "verb" if verb else None


def _plain(found: list[str], known: words.Grammar) -> Shape:
    return "sentence" if _has_verb(found, known) else "noun"


def _has_verb(found: list[str], known: words.Grammar) -> bool:
    """A finite verb after a subject, and not within a clause that only describes it."""
    if found[1:2] and found[0].endswith("s") and found[1] in known.pronouns:
        return False  # `keys nobody can find`
    for before, word, after in zip(found, found[1:], [*found[2:], ""], strict=False):
        if before in known.relative:
            return False
        if word in known.finite:
            return True
        # `tracks` is a verb only if something follows that it could take.
        takes = after in known.small and after not in known.relative | known.half
        noun = word in known.nouns and not takes
        if word in known.third and not noun and before not in known.small:
            return True
        plural = before.endswith("s") or before in known.pronouns
        if word in known.bare and plural and before not in known.small:
            return True
    return False


def _german_shape(found: list[str], known: words.Grammar) -> Shape:
    first = found[0].lower()
    polite = len(found) > 1 and found[1] == "Sie" and first.endswith("n")
    if polite or first in known.bare:
        return "order"
    looks = first not in known.small and _GERMAN_VERB.fullmatch(first)
    if found[0] == first and (first in known.finite or looks):
        return "verb"
    ends = found[-1].islower() and found[-1].endswith(("en", "eln", "ern"))
    lower = first == found[0] and first.isalpha()
    if lower and first not in known.determiners and not ends:
        bent = first.endswith(("e", "er", "es", "en")) and first not in known.half
        if first in known.half or (len(found) > 1 and not bent):
            return "state"
    for place, (before, word) in enumerate(pairwise(found)):
        if place and before in known.relative and found[place - 1][0].isupper():
            return "noun"
        if word in known.finite or word in known.third:
            return "sentence"
    begins = first == found[0] and first.endswith("en") and not found[-1].istitle()
    return "doing" if ends or begins else "noun"


def _lowered(known: words.Grammar, language: str, shape: Shape) -> frozenset[str] | None:
    """The words that may lose their capital; None is every one."""
    if language == "en":
        return None
    return known.small if shape == "noun" else known.small | known.finite | known.bare


def _small(text: str, first: str, lowered: frozenset[str] | None, names: tuple[str, ...]) -> str:
    """Without the capital of its beginning, if that is no name's and, in German, no noun's."""
    if not text or not text[0].isupper() or (len(first) > 1 and first.isupper()) or first == "I":
        return text
    if any(text.lower().startswith(name.lower()) for name in names if name):
        return text
    if re.search(r"[A-Z]", first[1:]):
        return text
    if lowered is not None and first.lower() not in lowered:
        return text
    return text[0].lower() + text[1:]
