"""Breaking what is said into captions and lines, where the sense allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")
_PAUSES = (",", ";", ":", "\u2013", "\u2014", "\uff0c", "\u3001", "\uff1b", "\uff1a")
_QUOTES = "\"'\u201d\u2019\u00bb)]"
_SMALL = 3
"""Letters: articles, prepositions and their like, which want to stay with what follows."""

_EACH = 10.0
_AT_PAUSE = 4.0
_AT_BREATH = 6.0
_ANYWHERE = 12.0
_AFTER_SMALL = 20.0
_ACROSS = 13.0
_CRUMB = 6.0
_TOO_LONG = 60.0


class Word(msgspec.Struct, frozen=True):
    """A word and when it is said."""

    text: str
    start: int
    end: int
    last: bool = False
    """Whether somebody would breathe after it."""
    glued: bool = False
    """Whether it goes on where the one before it was cut, without a blank."""


Lines = tuple[tuple[Word, ...], ...]
"""One or two."""


class Room(msgspec.Struct, frozen=True):
    """What a caption has place for."""

    widest: int
    """Characters of a line."""
    longest: int
    """Frames that it is said in."""


def words_of(text: str, start: int, end: int, widest: int) -> tuple[Word, ...]:
    """The words of a breath, each for as long as it is written. Endless ones are cut."""
    pieces = [
        (piece, place > 0)
        for word in text.split()
        for place, piece in enumerate(_pieces(word, widest))
    ]
    whole = sum(len(piece) + 1 for piece, _ in pieces)
    found, place = [], 0
    for piece, glued in pieces:
        begin, place = place, place + len(piece) + 1
        first, after = (start + (end - start) * at // whole for at in (begin, place))
        found.append(Word(piece, first, after, last=place == whole, glued=glued))
    return tuple(found)


def columns(text: str) -> int:
    """How wide a text is, in letters: Chinese, Japanese and Korean signs are twice as wide."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _pieces(word: str, widest: int) -> list[str]:
    """A word without blanks in pieces that fit a line: after its signs of pause, or anywhere."""
    if columns(word) <= widest:
        return [word]
    found = [""]
    for before, sign in zip(" " + word, word, strict=False):
        pauses = before in (*_ENDS, *_PAUSES) and columns(before) > 1
        if found[-1] and (pauses or columns(found[-1] + sign) > widest):
            found.append("")
        found[-1] += sign
    return found


def joined(words: Sequence[Word]) -> str:
    """As it stands in a line."""
    text = "".join(word.text if word.glued else f" {word.text}" for word in words)
    return text.strip()


def broken(words: Sequence[Word], room: Room) -> list[Lines]:
    """The best way to show the words in captions: fewest, at sense units."""
    best: list[tuple[float, int, Lines]] = [(0.0, 0, ())]
    for end in range(1, len(words) + 1):
        ways = (
            (best[start][0] + cost, start, lines)
            for start, cost, lines in _captions_to(words, end, room)
        )
        best.append(min(ways, key=lambda way: way[:2]))
    found: list[Lines] = []
    end = len(words)
    while end:
        _, start, lines = best[end]
        found.append(lines)
        end = start
    return found[::-1]


def _captions_to(words: Sequence[Word], end: int, room: Room) -> Iterator[tuple[int, float, Lines]]:
    """Every caption that ends there, with what speaks against it."""
    for start in range(end - 1, -1, -1):
        shown = words[start:end]
        laid = _laid_out(shown, room)
        if laid is None:
            return
        cost, lines = laid
        crumb = _CRUMB if len(shown) == 1 and len(words) > 1 else 0.0
        slow = _TOO_LONG if shown[-1].end - shown[0].start > room.longest else 0.0
        against = _against(shown[-1]) + _across(shown)
        yield start, _EACH + against + crumb + slow + cost, lines


def _laid_out(words: Sequence[Word], room: Room) -> tuple[float, Lines] | None:
    if columns(joined(words)) <= room.widest:
        return 0.0, (tuple(words),)
    if len(words) == 1:
        return None
    ways = []
    for at in range(1, len(words)):
        above, below = columns(joined(words[:at])), columns(joined(words[at:]))
        if max(above, below) <= room.widest:
            cost = _against(words[at - 1]) / 2 + abs(above - below) / 10
            ways.append((cost, (tuple(words[:at]), tuple(words[at:]))))
    return min(ways, key=lambda way: way[0], default=None)


def _against(word: Word) -> float:
    """What speaks against a break after it."""
    bare = word.text.rstrip(_QUOTES)
    if bare.endswith(_ENDS):
        return 0.0
    if bare.endswith(_PAUSES):
        return _AT_PAUSE
    if word.last:
        return _AT_BREATH
    return _AFTER_SMALL if len(bare) <= _SMALL else _ANYWHERE


def _across(words: Sequence[Word]) -> float:
    """A sentence that ends inside, while another one is torn apart."""
    ends = any(word.text.rstrip(_QUOTES).endswith(_ENDS) for word in words[:-1])
    whole = words[-1].text.rstrip(_QUOTES).endswith(_ENDS)
    return _ACROSS if ends and not whole else 0.0
