"""Spoiling texts, from a seed: the same seed spoils in the same way, always."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

LARGEST = 200_000
"""Characters beyond which a text is not made longer."""
PIECES = (
    *"{}[]()\"'`#:,|&*!%@\\/<>=-+~^?.$ \n\t\r",
    "${steps.a}",
    "${item}",
    "${inputs.x | [@,@,@]}",
    "${secrets.X}",
    "null",
    "true",
    "-1",
    "1e400",
    "9" * 400,
    "0" * 5_000,
    "NaN",
    "\0",
    "\ufeff",
    "\u2028",
    "\U0001f600",
    "é",
    "for_each: ${inputs.x}",
    '{"$ref": "#"}',
    "&a [*a]",
    "<<: *a",
    "../../x",
    "/dev/zero",
    "[[",
    "]]",
    "{{",
    "00:00:00:00",
    "99:99:99:99",
    "INT. ",
    "(CONT'D)",
    "-->",
)


Way: TypeAlias = "Callable[[str, Random, Sequence[str]], str]"


def spoiled(text: str, chance: Random, others: Sequence[str]) -> str:
    """The text with a few things done to it."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        way: Way = chance.choice(_WAYS)
        text = way(text, chance, others)
    return text


def _cut(text: str, chance: Random, _others: Sequence[str]) -> str:
    begin, end = _span(text, chance)
    return text[:begin] + text[end:]


def _repeat(text: str, chance: Random, _others: Sequence[str]) -> str:
    begin, end = _span(text, chance)
    times = chance.choice((2, 3, 10, 100, 1_000))
    if (end - begin) * times > LARGEST - len(text):
        return text
    return text[:begin] + text[begin:end] * times + text[end:]


def _put(text: str, chance: Random, _others: Sequence[str]) -> str:
    place = chance.randrange(len(text) + 1)
    times: int = chance.choice((1, 1, 1, 2, 50))
    piece: str = chance.choice(PIECES)
    return text[:place] + piece * times + text[place:]


def _change(text: str, chance: Random, _others: Sequence[str]) -> str:
    if not text:
        return text
    place = chance.randrange(len(text))
    return text[:place] + chr(chance.choice((0x20, 0x7F, 0x100, 0x2FFF)) ^ 1) + text[place + 1 :]


def _swap(text: str, chance: Random, _others: Sequence[str]) -> str:
    lines = text.split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _line(text: str, chance: Random, _others: Sequence[str]) -> str:
    """A line once more, and perhaps deeper."""
    lines = text.split("\n")
    found = chance.choice(lines)
    lines.insert(chance.randrange(len(lines) + 1), " " * chance.randrange(6) + found)
    return "\n".join(lines)


def _cross(text: str, chance: Random, others: Sequence[str]) -> str:
    begin, end = _span(text, chance)
    other = chance.choice(others)
    first, last = _span(other, chance)
    return (text[:begin] + other[first:last] + text[end:])[:LARGEST]


def _span(text: str, chance: Random) -> tuple[int, int]:
    begin = chance.randrange(len(text) + 1)
    return begin, min(len(text), begin + chance.choice((1, 2, 5, 20, 100, 1_000)))


_WAYS: tuple[Way, ...] = (
    _cut,
    _repeat,
    _put,
    _put,
    _change,
    _swap,
    _line,
    _cross,
)
