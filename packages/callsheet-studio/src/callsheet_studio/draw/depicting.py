"""What was really drawn: noted by the painters while they paint, not taken from what was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True)
class Record:
    """A picture as its painters have painted it."""

    things: list[str] = field(default_factory=list)
    """Of the catalogue, with their states."""
    people: list[str] = field(default_factory=list)
    """Names of those who are seen, and what they look like."""
    act: str = ""
    place: str = ""
    """The set that stands behind everything; empty on a card."""
    kind: str = ""
    """Which kind of it."""
    bare: bool = False
    """Whether its shelves are empty."""
    light: str = ""
    """The preset that it is lit by."""
    weather: str = ""
    number: str = ""
    steps: tuple[str, ...] = ()
    screen: bool = False
    written: str = ""

    def thing(self, name: str) -> None:
        """A thing was painted."""
        if name not in self.things:
            self.things.append(name)

    def cast(self, names: Sequence[str], looks: Sequence[str], act: str) -> None:
        """People were painted."""
        for name, look in zip(names, looks, strict=False):
            self.people.append(f"{name} — {look}" if look else name)
        self.act = act
