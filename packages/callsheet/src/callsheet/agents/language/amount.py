"""Amounts in plain words: `half a second`, `five minutes`, `200 ms`, in English and German."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from callsheet.agents.language.lexicon import lexicon
from callsheet.agents.language.tokens import tokens

if TYPE_CHECKING:
    from callsheet.agents.language.tokens import Token

_SECONDS: Final = {"milliseconds": 0.001, "seconds": 1.0, "minutes": 60.0, "hours": 3600.0}
_AND: Final = ("and", "und")
_AND_A_HALF: Final = ("and", "a", "half")
_WORDS: Final = 4
"""Of the longest number."""


def seconds(text: str) -> float | None:
    """How long something takes, in seconds; None: it is no amount of time. Bare: seconds."""
    read = _read(text)
    found = duration(read, 0)
    return plain(found[0]) if found and found[1] == len(read) else None


def number(text: str) -> float | None:
    """A number, in digits or in words."""
    read = _read(text)
    found = _number(read, 0)
    return plain(found[0]) if found and found[1] == len(read) else None


def _read(text: str) -> tuple[Token, ...]:
    found, _ = lexicon().corrected(tokens(text.strip(), lexicon().reads))
    return found[1:] if found and found[0].text in ("for", "fuer") else found


def duration(read: tuple[Token, ...], place: int) -> tuple[float, int] | None:
    """How many seconds are said at a place, and where it goes on; a bare number counts seconds."""
    counted = _number(read, place)
    if counted is None:
        return None
    count, at = counted
    unit = lexicon().units.get(_word(read, at))
    if unit is None:
        # `wait a` is no amount of time, `wait 5` is.
        return (count, at) if read[place].kind == "number" or count not in (0.5, 1) else None
    each, at = _SECONDS[unit], at + 1
    total = count * each
    if tuple(_word(read, at + ahead) for ahead in range(3)) == _AND_A_HALF:
        return total + each / 2, at + 3
    after = at + 1 if _word(read, at) in _AND else at
    more = duration(read, after)
    # `2 minutes 30 seconds`: what is added has a unit of its own.
    if more is not None and lexicon().units.get(_word(read, more[1] - 1)) is not None:
        return total + more[0], more[1]
    return total, at


def _number(read: tuple[Token, ...], place: int) -> tuple[float, int] | None:
    if place < len(read) and read[place].kind == "number":
        return float(read[place].text), place + 1
    for length in range(_WORDS, 0, -1):
        words = tuple(_word(read, place + ahead) for ahead in range(length))
        if words in lexicon().numbers:
            return lexicon().numbers[words], place + length
    return None


def _word(read: tuple[Token, ...], place: int) -> str:
    return read[place].text if place < len(read) and read[place].kind == "word" else ""


def plain(amount: float) -> float:
    """2 instead of 2.0, and no dust of binary fractions."""
    rounded = round(amount, 6)
    return int(rounded) if rounded == int(rounded) else rounded
