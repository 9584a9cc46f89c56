"""What kind of a set a place is: the field that is an orchard, the shop that is a bakery.

The words of the place itself say it before all others, then those of the shot, then what the film
is about: it holds for every shot of a film in such a set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.library import variant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.shots import Shot


def kind_of(shot: Shot, name: str, film: Mapping[str, str]) -> str:
    """The kind of a shot's set; empty if nobody says.

    Args:
        shot: its place and its words.
        name: of the set.
        film: what the film says of each set, from `variants_in`.
    """
    said = (shot.set.place, f"{shot.subject}. {shot.action}")
    return next(
        (kind for kind in (variant(name, each) for each in said) if kind), film.get(name, "")
    )
