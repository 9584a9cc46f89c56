"""What kind of a set a place is: the field that is an orchard, the shop that is a bakery.

The words of the place itself say it before all others, then those of the shot, then what the film
is about: it holds for every shot of a film in such a set.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import rtoml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.shots import Shot


def kind_of(shot: Shot, name: str, film: Mapping[str, str]) -> str:
    """The kind of a shot's set; empty if nobody says.

    Args:
        shot: its place and its words.
        name: of the set.
        film: what the film says of each set, from `kinds_in`.
    """
    said = (shot.set.place, f"{shot.subject}. {shot.action}")
    return next(
        (kind for kind in (_found(name, each) for each in said) if kind), film.get(name, "")
    )


def kinds_in(text: str) -> dict[str, str]:
    """What a text says about each set, if something."""
    return {name: kind for name in _patterns() if (kind := _found(name, text))}


def _found(name: str, text: str) -> str:
    """The kind whose word comes first."""
    found = [
        (match.start(), kind)
        for kind, pattern in _patterns().get(name, {}).items()
        if (match := pattern.search(text))
    ]
    return min(found)[1] if found else ""


@cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    path = files("callsheet_studio.draw").joinpath("kinds.toml")
    return {
        name: {kind: _pattern(words) for kind, words in kinds.items()}
        for name, kinds in rtoml.loads(path.read_text("utf-8")).items()
    }


def _pattern(words: list[str]) -> re.Pattern[str]:
    said = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words)
    return re.compile(rf"\b(?:{said})(?!\w)", re.IGNORECASE)
