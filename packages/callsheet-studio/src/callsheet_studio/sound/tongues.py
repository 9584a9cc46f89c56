"""The languages that are spoken, each in a file: its voice, and how it says signs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
import rtoml

_FILES = Path(__file__).parent / "languages"
_FIRST = "en"
"""What is taken where a language is not known."""


class Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language, as it is spoken."""

    name: str
    """As the tracks of a film name it: ISO 639-2."""
    voice: str
    """What the package that speaks it calls its voice."""
    sample: str
    """A text of some sentences, on which the pace of a voice is measured."""
    signs: Mapping[str, str]
    """In addresses."""
    words: Mapping[str, str]
    """Signs that are said wherever they stand."""
    money: Mapping[str, str]
    readings: Mapping[str, str]
    """`lines`: what the voice reads when it is measured."""


@cache
def tongues() -> Mapping[str, Tongue]:
    """Every language that is spoken, by its code; English first."""
    codes = sorted((file.stem for file in _FILES.glob("*.toml")), key=lambda c: (c != _FIRST, c))
    return {code: _read(code) for code in codes}


def tongue_or_english(language: str) -> Tongue:
    """How a language is spoken, of a code like `de-AT`; English for one that is not spoken."""
    known = tongues()
    return known.get(language.strip()[:2].lower(), known[_FIRST])


def _read(code: str) -> Tongue:
    text = (_FILES / f"{code}.toml").read_text("utf-8")
    return msgspec.convert(rtoml.loads(text), Tongue)
