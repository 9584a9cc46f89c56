"""Plain YAML scalars: what a word without quotes stands for.

YAML 1.2's core schema. Words on which the versions of YAML disagree (`yes`, `0777`, `1:30`, dates)
are refused rather than guessed: whoever wrote them meant something, and we do not know what.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.value import MAX_INTEGER

if TYPE_CHECKING:
    from callsheet.core.value import Json

_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DISPUTED = frozenset(
    word for name in ("yes", "no", "on", "off") for word in (name, name.title(), name.upper())
)
DISPUTED = "true or false to some readers of YAML and text to others"
_NUMERIC_START = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?\Z")
_SIXTIES = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_ODD_NUMBER = re.compile(
    r"[-+]?(?:0[0-9_]+|0o[0-7]+|0b[01_]+|0x[0-9a-fA-F_]+|[0-9]+_[0-9_]*(?:\.[0-9_]*)?)\Z"
)
_MAX_DIGITS = 40
TOO_LARGE = MAX_INTEGER + 1
"""Stands for an integer that is not worth reading: over the limit, whatever it is."""


class Unclear(msgspec.Struct, frozen=True):
    """A word that means different things to different readers."""

    what: str


def read_plain(text: str) -> Json | Unclear:
    """What a word without quotes stands for."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMERIC_START:
        return _read_number(text)
    if text in _DISPUTED:
        return Unclear(DISPUTED)
    return text


def is_plain_text(text: str) -> bool:
    """Whether this text, written without quotes, is read as itself."""
    return read_plain(text) is text


def read_integer(digits: str) -> int:
    """An integer in decimal; one of absurd length is merely too large."""
    return int(digits) if len(digits) <= _MAX_DIGITS else TOO_LARGE


def _read_number(text: str) -> Json | Unclear:
    if _INTEGER.match(text):
        return read_integer(text)
    if _HEXADECIMAL.match(text):
        return int(text, 16) if len(text) <= _MAX_DIGITS else TOO_LARGE
    if _NOT_FINITE.match(text):
        return float(text.replace(".", "", 1))
    return _read_odd(text)


def _read_odd(text: str) -> Json | Unclear:
    if _DATE.match(text):
        return Unclear("a date to some readers of YAML and text to others")
    if _SIXTIES.match(text):
        return Unclear("a number of seconds to some readers of YAML and text to others")
    if _ODD_NUMBER.match(text):
        return Unclear("a number that readers of YAML do not agree on")
    return float(text) if _FLOAT.match(text) else text
