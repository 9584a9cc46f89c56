"""What a sentence is made of: words, and what stands for itself (a path, an address, a number)."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["word", "quoted", "url", "path", "id", "number", "mark"]

_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "\u2019": "'", "\u00b4": "'"}
)
_TOKEN: Final = re.compile(
    r"""
      "(?P<quoted>[^"]*)" | „(?P<low>[^“”"]*)[“”"] | “(?P<curly>[^”]*)” | «(?P<angle>[^»]*)»
    | `(?P<tick>[^`]*)` | (?<![\w'])'(?P<single>[^']*)'(?!\w)
    | (?P<url>https?://[^\s"'<>]+)
    | (?P<path>(?:[\w.~-]{0,99}/){1,40}[\w.-]*\w
        | ~?[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,7}(?![\w.]*@))
    | (?P<id>\br(?=[0-9a-z]*\d)[0-9a-z]{3,}\b)
    | (?P<number>\d+(?:[.,]\d+)?)
    | (?P<word>[^\W\d_]+(?:['\u2019\u00b4-][^\W\d_]+)*['\u2019\u00b4]?)
    | (?P<mark>[,;:.!?…\u2013\u2014>(){}\[\]\n-])
    | (?P<other>\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTES: Final = ("quoted", "low", "curly", "angle", "tick", "single")
_IS: Final = frozenset(
    ("what", "how", "who", "where", "why", "it", "that", "there", "here", "when", "which")
)


class Token(msgspec.Struct, frozen=True):
    """A word as it is read, or a value as it was written."""

    kind: Kind
    text: str
    """A word without case and umlauts; a value as it is, without its quotes."""
    start: int
    end: int


def folded(word: str) -> str:
    """A word as the lists of words have it."""
    return word.lower().translate(_UMLAUTS)


def tokens(text: str, reads: dict[str, str]) -> tuple[Token, ...]:
    """The tokens of a text, in order; `reads` says what is read for what people write."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if kind == "word":
            found += _words(folded(match[0]), reads, match.start(), match.end())
        elif kind in _QUOTES:
            found.append(Token("quoted", match[kind], match.start(), match.end()))
        elif kind == "url":
            url = match[0].rstrip(".,;!?)")
            found.append(Token("url", url, match.start(), match.end()))
        elif kind in ("path", "id", "number"):
            found.append(_valued(kind, match[0], match.start(), match.end()))
        else:
            found.append(Token("mark", match[0], match.start(), match.end()))
    return tuple(found)


def _valued(kind: str, text: str, start: int, end: int) -> Token:
    match kind:
        case "path":
            return Token("path", text, start, end)
        case "id":
            return Token("id", text.lower(), start, end)
        case _:
            return Token("number", text.replace(",", "."), start, end)


def _words(word: str, reads: dict[str, str], start: int, end: int) -> list[Token]:
    return [Token("word", each, start, end) for each in _read(word, reads)]


def _read(word: str, reads: dict[str, str]) -> list[str]:
    """`what's` is two words, and so are `didn't` and `geht's`."""
    if word in reads:
        return reads[word].split()
    bare = word.rstrip("'")
    if bare.endswith("n't"):
        return [bare[:-3], "not"]
    stem, apostrophe, ending = bare.rpartition("'")
    if not apostrophe:
        return [bare]
    meant = {
        "s": "is" if stem in _IS else "es",
        "d": "would",
        "ll": "will",
        "ve": "have",
        "re": "are",
    }
    return [*reads.get(stem, stem).split(), *([meant[ending]] if ending in meant else [ending])]
