"""The sets that can be drawn, by the names of the library; a module each, loaded when used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet_studio.library import find_place, sets

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.stage import Stage

Spot: TypeAlias = tuple[float, float, float]
"""Where somebody can be: parts of the width and the height, and how large against the usual."""

_GROUND = 0.88
_LOOK = (0.5, 0.55)
_FORMS = frozenset(("product_table", "phone_screen", "laptop_screen", "abstract"))


class Painting(msgspec.Struct, frozen=True):
    """A set, and where in it people and things have their place."""

    name: str
    paint: Callable[[Stage], None]
    ground: float = _GROUND
    """Where feet stand, as a part of the height."""
    spots: tuple[Spot, ...] = ()
    seat: Spot | None = None
    faces: int = 0
    """The side of the seat on which its table or screen is: 1 right, -1 left; 0: it has none."""
    surface: tuple[float, float] | None = None
    """Where a thing is put, as parts of the width and the height."""
    is_room: bool = False
    is_place: bool = True
    """Whether one can look around in it: not at a screen, a plinth or a form."""
    look: tuple[float, float] = _LOOK
    """What the camera comes closer to."""
    is_narrow: bool = False
    """Whether it has a floor at its spots only, and water elsewhere."""
    sides: tuple[Callable[[Stage], None], ...] = ()
    """What is seen of it when the camera turns."""


def drawn() -> tuple[str, ...]:
    """The sets of the library that have a drawing."""
    return tuple(name for name in sets() if painting(name))


@cache
def painting(place: str) -> Painting | None:
    """The set that a place is drawn as: by its name, or by what its words speak of; or none."""
    name = find_place(place)
    module = f"{__name__}.{name}"
    if not name or find_spec(module) is None:
        return None
    told = import_module(module)
    return Painting(
        name=name,
        paint=told.paint,
        ground=getattr(told, "GROUND", _GROUND),
        spots=tuple(getattr(told, "SPOTS", ())),
        seat=getattr(told, "SEAT", None),
        faces=getattr(told, "FACES", 0),
        surface=getattr(told, "SURFACE", None),
        is_room=sets()[name].interior,
        is_place=name not in _FORMS,
        look=getattr(told, "LOOK", _LOOK),
        is_narrow=getattr(told, "NARROW", False),
        sides=tuple(getattr(told, "SIDES", ())),
    )
