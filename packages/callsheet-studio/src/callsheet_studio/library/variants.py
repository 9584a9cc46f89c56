"""What kind of a set a place is, where words say so: the field that is an orchard."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import rtoml

if TYPE_CHECKING:
    from collections.abc import Mapping


def variant(name: str, text: str) -> str:
    """The kind of a set whose word comes first in a text; empty if nobody says."""
    found = [
        (match.start(), kind)
        for kind, pattern in _patterns().get(name, {}).items()
        if (match := pattern.search(text))
    ]
    return min(found)[1] if found else ""


def variants_in(text: str) -> dict[str, str]:
    """What a text says about each set, if something."""
    return {name: kind for name in _patterns() if (kind := variant(name, text))}


@cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    path = files("callsheet_studio.library").joinpath("variants.toml")
    return {
        name: {kind: _pattern(words) for kind, words in kinds.items()}
        for name, kinds in rtoml.loads(path.read_text("utf-8")).items()
    }


def _pattern(words: list[str]) -> re.Pattern[str]:
    said = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words)
    return re.compile(rf"\b(?:{said})(?!\w)", re.IGNORECASE)
