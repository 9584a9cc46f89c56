"""Which version a context item becomes, and what is refused. Pure; the same for every store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from callsheet.errors import InputError, StaleContextError
from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from callsheet.ports import ContextItem


class Place(Frozen, kw_only=True):
    """What is there already where an item is to go."""

    newest: int
    """The newest version of its name that has not expired; 0: none."""
    last: int
    """The highest number of its name that is known, expired or not."""
    others: int
    """Bytes of the newest versions of all other names in its scope."""


def placed(item: ContextItem, place: Place, *, after: int | None, most: int) -> ContextItem:
    """The item with its version.

    Raises:
        StaleContextError: the newest version is not the one it must follow.
        InputError: the scope would be too large.
    """
    if after is not None and after != place.newest:
        there = f"at version {place.newest}" if place.newest else "not there"
        raise StaleContextError(
            f"{item.name!r} in {item.scope!r} is {there}, not at version {after}: somebody else "
            "has changed it. Read it again, and write what follows from that."
        )
    size = place.others + item.size
    if size > most:
        raise InputError(
            f"{item.name!r} has {item.size:,} bytes; with it {item.scope!r} would have {size:,}, "
            f"and {most:,} is the most. Delete something there, or keep it as an artifact."
        )
    return replace(item, version=place.last + 1)
