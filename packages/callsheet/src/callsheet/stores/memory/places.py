"""`Places` in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.ports import Place


class MemoryPlaces:
    """`Places` in memory: gone with what lies there."""

    def __init__(self) -> None:
        self._known: dict[str, Place] = {}

    async def all(self) -> Mapping[str, Place]:
        """Every place that is known, by what lies there."""
        return dict(self._known)

    async def settle(self, name: str, place: Place) -> None:
        """Say where something lies from now on."""
        self._known[name] = place

    async def are_needed(self) -> bool:
        """Nobody can come back to it."""
        return False
