"""Where what lies beside a store is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A directory, or the address of a bucket."""

    where: str
    """A path below the home, a path from the root, or an address."""
    mark: str = ""
    """What a file in the directory says; empty: there is none, and whatever is there is it."""


class Places(Protocol):
    """What a store remembers of everything that belongs to it and lies elsewhere."""

    async def all(self) -> Mapping[str, Place]:
        """Every place that is known, by what lies there."""
        ...

    async def settle(self, name: str, place: Place) -> None:
        """Say where something lies from now on.

        Raises:
            StoreBusyError: this process does not drive.
        """
        ...

    async def are_needed(self) -> bool:
        """Whether any entry names bytes that lie beside the store."""
        ...
