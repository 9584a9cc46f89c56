"""The seat of a set: whether it is seen, how near it is, and which way who sits there looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.figures.pose import SEATED
from callsheet_studio.draw.place import TALL

if TYPE_CHECKING:
    from callsheet_studio.draw.place import Framing, Place
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.sets import Painting, Spot

_ROOMY = 1.5
"""Widths per height from which a frame shows a room as it was furnished."""
_WIDE = 1.06
"""How much larger than in a great view a set is in a wide shot: people are measured by it."""
_NEAR = frozenset(("FS", "MWS", "MS"))
"""Sizes that show somebody's seat, but not the place as a whole."""


def seat_in(framing: Framing, painting: Painting | None) -> Spot | None:
    """The seat of a set; a room that is seen in a narrow frame has its chairs elsewhere."""
    if painting is None or (painting.is_room and framing.width < framing.height * _ROOMY):
        return None
    return painting.seat


def sat_at(framing: Framing, seat: Spot, place: Place) -> tuple[float, tuple[float, float]]:
    """How close a set is, and what is looked at, so that its seat is under who sits on it."""
    x, y, size = seat
    near = place.height / (TALL["WS"] * framing.base * size) * _WIDE
    aside = (place.x / framing.width - x * near) / (1 - near)
    return near, (aside, (place.foot / framing.height - y * near) / (1 - near))


def way_at(framing: Framing, subject: Subject, place: Painting) -> int:
    """The way who sits at the table of a set looks, where it can be turned for them; else 0.

    Somebody alone keeps the way of the shot; of a group, the first sits to the left of the table.
    """
    alone = len(subject.names) == 1
    if framing.size not in _NEAR or framing.view == "back" or not seat_in(framing, place):
        return 0
    if not place.faces or subject.pose not in SEATED or not (alone or framing.has_feet):
        return 0
    return framing.facing if alone else 1
