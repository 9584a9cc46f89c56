"""What came of an order."""

from __future__ import annotations

from callsheet import Artifact
from callsheet_studio.model.base import Data


class Ordered(Data):
    """An order that was given, or refused at once."""

    id: str = ""
    """What the provider calls it."""
    made: Artifact | None = None
    """The thing itself, if the answer was it."""
    refused: str = ""
    """Why nothing was ordered, in the provider's words."""


class Received(Data):
    """What came of an order."""

    made: Artifact | None = None
    why: str = ""
    """Why there is nothing."""
    again: bool = False
    """Whether the same may be ordered again."""
