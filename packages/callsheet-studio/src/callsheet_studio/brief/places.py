"""Places of a brief that have no drawing of their own: what is drawn instead is said beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.library import find_place, find_set, place_in, sets
from callsheet_studio.model.base import Inferred

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.brief import OwnShot

_INSIDE = ("INT", "INNEN")
_SIDE = 9
"""Signs in which a heading says whether it is inside, outside or both."""
_LONGEST = 60
"""Letters of a heading that are shown."""


def drawn_as(shots: Sequence[OwnShot], script: str) -> Iterator[Inferred]:
    """What is drawn for each place that the studio only comes near to, or does not know.

    Args:
        shots: those that the brief prescribes.
        script: the brief's own.
    """
    for number, shot in enumerate(shots):
        if shot.place and shot.picture is None:
            becomes = f"shot {number + 1} becomes a card"
            yield from _told(f"content.shots[{number}].place", shot.place, becomes)
    yield from _headings(script)


def _headings(script: str) -> Iterator[Inferred]:
    if not script:
        return
    # A screenplay is read by whoever writes the script; most briefs have none.
    from callsheet_studio.script.own.page import headings_in
    from callsheet_studio.script.own.scene import VEHICLE

    named = {place_in(heading).lower(): heading for heading in reversed(headings_in(script))}
    becomes = "it is where its action says, or its shots become cards"
    for place, heading in reversed(named.items()):
        key = f"content.script[{heading[:_LONGEST]}]"
        if heading.upper().startswith(_INSIDE) and VEHICLE.search(place):
            continue  # a car is drawn from within
        near = find_place(place)
        outside = near and not sets()[near].interior and heading.upper().startswith(_INSIDE)
        if outside and "/" not in heading[:_SIDE]:
            why = f"no drawing of '{place[:_LONGEST]}' from inside: {near} is drawn for it"
            yield Inferred(key=key, value=near, why=why)
        else:
            yield from _told(key, place, becomes)


def _told(key: str, place: str, becomes: str) -> Iterator[Inferred]:
    near = find_place(place)
    if not near:
        why = f"no drawing for '{place[:_LONGEST]}': {becomes}; places are {', '.join(sets())}"
        yield Inferred(key=key, value="card", why=why)
    elif near != find_set(place, ""):
        why = f"what comes nearest to '{place[:_LONGEST]}' of all that can be drawn"
        yield Inferred(key=key, value=near, why=why)
