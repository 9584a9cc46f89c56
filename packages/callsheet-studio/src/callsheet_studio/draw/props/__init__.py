"""Props: the things that inserts and product shots show, found by their names and painted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.library.things import Entry, catalog, find_props

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.light import Light

__all__ = ["Entry", "catalog", "find_props", "paint_prop"]

_PARTS = 100
"""Painters count in hundredths of the size."""


def paint_prop(  # noqa: PLR0913 -- where and what of a picture
    brush: Brush,
    name: str,
    light: Light,
    *,
    x: float,
    y: float,
    size: float,
    accent: str,
    brand: str = "",
    shadow: bool = True,
) -> None:
    """Paint a thing of the catalog.

    Args:
        brush: what it is painted with.
        name: as the catalog calls it, with its state: `phone:broken`.
        light: that falls on it.
        x: its middle.
        y: its foot: what it stands on.
        size: the side of the square it fits into; what is wide may reach over it by its `grow`.
        accent: the film's own colour: one part of it has it.
        brand: lettered on it where a name would be.
        shadow: whether it throws one on what it stands on.

    Raises:
        InputError: there is no such thing in the catalog.
    """
    name, _, state = name.partition(":")
    entry = catalog().get(name)
    if entry is None:
        raise InputError(f"there is no prop {name!r}: use a name that find_props() gives")
    from callsheet_studio.draw.props.kit import Kit

    painters = import_module(f"{__name__}.{entry.group}").PAINTERS
    from callsheet_studio.draw.props.states import paint_over, paint_under

    with brush.moved(x, y, scale=size * entry.grow / _PARTS):
        kit = Kit(brush, light, accent, brand, grounded=shadow, state=state)
        paint_under(kit)
        painters[name](kit)
        if state not in entry.states:
            paint_over(kit)
