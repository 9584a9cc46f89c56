"""What kind of a set a place is: the field that is an orchard, the shop that is a bakery.

The words of the place itself say it before all others, then those of the shot, then what the film
is about: it holds for every shot of a film in such a set.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.library import find_place, place_in, variant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.shots import Shot


_FRONT = "building_front"
_HOMES = re.compile(r"(?i)\b(?:buildings?|houses?|block|apartments?|flats?|wohnhaus|wohnblock)\Z")
_PRIVATE = frozenset(("", "home", "kitchen", "meeting", "abstract"))
"""Sets of places that have no board over their door."""


def kind_of(shot: Shot, name: str, film: Mapping[str, str]) -> str:
    """The kind of a shot's set; empty if nobody says.

    Args:
        shot: its place and its words.
        name: of the set.
        film: what the film says of each set, from `variants_in`.
    """
    if name == _FRONT:
        return _board(shot)
    said = (place_in(shot.set.heading), shot.set.place, f"{shot.subject}. {shot.action}")
    return next(
        (kind for kind in (variant(name, each) for each in said) if kind), film.get(name, "")
    )


def _board(shot: Shot) -> str:
    """What stands over the door of a building: what it is, if it is no home."""
    words = place_in(shot.set.heading)
    return "" if find_place(words) in _PRIVATE or _HOMES.search(words) else words
