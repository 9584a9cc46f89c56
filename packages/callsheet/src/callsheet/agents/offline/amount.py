"""Amounts in plain words: `half a second`, `five minutes`, `200 ms`, in English and German."""

from __future__ import annotations

import re

_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "zero null",
            "one a an ein eine einer einen",
            "two zwei",
            "three drei",
            "four vier",
            "five fünf",
            "six sechs",
            "seven sieben",
            "eight acht",
            "nine neun",
            "ten zehn",
            "eleven elf",
            "twelve zwölf",
        )
    )
    for word in words.split()
} | {"fifteen": 15, "fünfzehn": 15, "twenty": 20, "zwanzig": 20, "thirty": 30, "dreißig": 30,
     "half a": 0.5, "half an": 0.5, "eine halbe": 0.5, "half": 0.5, "sixty": 60,
     "a couple of": 2, "one and a half": 1.5, "anderthalb": 1.5}  # fmt: skip
_SECONDS = {
    unit: seconds
    for seconds, units in (
        (0.001, "ms millisecond milliseconds millisekunde millisekunden"),
        (1, "s sec secs second seconds sekunde sekunden"),
        (60, "m min mins minute minutes minuten"),
        (3600, "h hour hours stunde stunden"),
    )
    for unit in units.split()
}
_WORDS = "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))
_DIGITS = r"\d{1,15}(?:[.,]\d{1,15})?"
"""More of them are no amount of anything, and beyond a few hundred no number of this machine."""
_AMOUNT = re.compile(rf"(?:for\s+)?({_DIGITS}|{_WORDS})\s*([a-zäöü]*)", re.IGNORECASE)


def seconds(text: str) -> float | None:
    """How long something takes, in seconds; None: it is no amount of time. Bare: seconds."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or found[2].lower() not in {*_SECONDS, ""}:
        return None
    return _plain(_number(found[1]) * _SECONDS.get(found[2].lower(), 1))


def number(text: str) -> float | None:
    """A number, in digits or in words."""
    found = _AMOUNT.fullmatch(text.strip())
    return None if found is None or found[2] else _plain(_number(found[1]))


def _number(text: str) -> float:
    word = " ".join(text.lower().split())
    return _NUMBERS[word] if word in _NUMBERS else float(text.replace(",", "."))


def _plain(amount: float) -> float:
    """2 instead of 2.0, and no dust of binary fractions."""
    rounded = round(amount, 6)
    return int(rounded) if rounded == int(rounded) else rounded
