"""What a shot says and what its picture depicts, side by side, and whether they agree."""

from __future__ import annotations

from typing import Literal

from callsheet_studio.model.base import Data

Verdict = Literal["shown", "generic", "contradicts", "card", "not_drawable"]


class Seen(Data):
    """What is named by words, or drawn in a picture."""

    things: tuple[str, ...] = ()
    """As the library calls them, with their states: `shelf:empty`."""
    people: tuple[str, ...] = ()
    act: str = ""
    place: str = ""
    """A set of the library."""
    light: str = ""
    """The time of day."""
    weather: str = ""
    state: str = ""
    number: str = ""
    steps: tuple[str, ...] = ()
    screen: bool = False
    written: str = ""
    """What a card says."""


class Judged(Data):
    """One shot: what it says, what it depicts, and whether that is the same."""

    shot: str
    verdict: Verdict
    says: Seen
    depicts: Seen
    wrong: tuple[str, ...] = ()
    """What contradicts: `place`, `thing`, `person`, `state`, `light`."""
    message: str = ""
    fix: str = ""
