"""Which side of a place a shot sees: a crew turns its camera, the place stays the same.

A place has its main view and others: it is seen from another side, or the other way round. The same
camera of a setup sees the same side in every shot; what shows the place as a whole sees its main
view. Light, colours and people stay as they are. It follows from the shot alone, wherever in the
film it is.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet_studio.draw.stage import MAIN, Side

if TYPE_CHECKING:
    from callsheet_studio.draw.sets import Painting, Spot
    from callsheet_studio.model.shots import Shot

_WHOLE = frozenset(("EWS", "WS"))
"""Sizes that show where we are."""
_TURNS = (22, 28, 34, 40, 59, 115)
"""Degrees around somebody up to which a camera stands at one place; beyond them all, behind."""
_ACROSS = 5
"""How many views further those begin that are filmed from the other side of the line."""
_STRAIGHT = (0.5, 0.53)
"""What the camera comes closer to from a side."""


def side_of(shot: Shot, place: Painting | None) -> Side:
    """The side of its place that a shot sees."""
    if place is None or not place.is_place or shot.size in _WHOLE or shot.angle == "overhead":
        return MAIN
    ways = 1 + len(place.sides)
    at = (_camera(shot.bearing) + _first(shot)) % (2 * ways)
    return Side(at % ways, mirrored=at >= ways)


def _camera(bearing: int) -> int:
    """Where around the subject the camera stands."""
    return next((at for at, limit in enumerate(_TURNS) if abs(bearing) <= limit), len(_TURNS))


def _first(shot: Shot) -> int:
    """Where the cameras of a setup begin: by its hour, its light and its side of the line."""
    hour = f"{shot.lighting.time_of_day}/{shot.lighting.preset}"
    begun = int.from_bytes(sha256(hour.encode()).digest()[:2], "big")
    return begun + (_ACROSS if shot.bearing > 0 else 0)


def turned(place: Painting, side: Side) -> Painting:
    """A place as it is from a side: what is painted, and where people and things have room."""
    if side.number:
        # Seats and tables belong to the main view.
        paint = place.sides[side.number - 1]
        place = replace(place, paint=paint, spots=(), seat=None, surface=None, look=_STRAIGHT)
    if not side.mirrored:
        return place
    return replace(
        place,
        spots=tuple(_mirrored(spot) for spot in place.spots),
        seat=_mirrored(place.seat) if place.seat else None,
        faces=-place.faces,
        surface=(1 - place.surface[0], place.surface[1]) if place.surface else None,
        look=(1 - place.look[0], place.look[1]),
    )


def _mirrored(spot: Spot) -> Spot:
    return 1 - spot[0], spot[1], spot[2]
