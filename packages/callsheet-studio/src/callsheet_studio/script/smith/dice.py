"""Chance that is none: the same film always throws the same for the same choice."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SLOT = re.compile(r"\{(\w+)\}")


class Dice(msgspec.Struct, frozen=True):
    """Thrown for a place in the script, not for how much came before it."""

    seed: str

    def number(self, place: str, below: int) -> int:
        """A number from 0, for a place in the script."""
        thrown = hashlib.sha256(f"{self.seed}/{place}".encode()).digest()
        return int.from_bytes(thrown[:8]) % below

    def pick(self, place: str, options: Sequence[str]) -> str:
        """One of them."""
        return options[self.number(place, len(options))]


def fill(text: str, slots: Mapping[str, str]) -> str:
    """A line with the brief's words in it."""
    return _SLOT.sub(lambda found: slots.get(found[1], ""), text)
