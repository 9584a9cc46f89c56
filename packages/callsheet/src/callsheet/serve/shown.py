"""Runs as they are told, kept for as long as they are what they were."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

MOST_BYTES = 32_000_000
LARGEST = 1_000_000


class Shown:
    """The JSON of ended runs, by what was asked for; when a run ended says whether it holds."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, ...], tuple[datetime | None, bytes]] = OrderedDict()
        self._bytes = 0

    def get(self, asked: tuple[str, ...], ended_at: datetime | None) -> bytes | None:
        """What was told, if the run has not changed since."""
        found = self._kept.get(asked)
        if found is None or found[0] != ended_at:
            return None
        self._kept.move_to_end(asked)
        return found[1]

    def keep(self, asked: tuple[str, ...], ended_at: datetime | None, told: bytes) -> None:
        """Keep what is told of an ended run; what was not asked for longest goes first."""
        if len(told) > LARGEST:
            return
        old = self._kept.pop(asked, None)
        self._bytes += len(told) - (len(old[1]) if old else 0)
        self._kept[asked] = ended_at, told
        while self._bytes > self._most:
            self._bytes -= len(self._kept.popitem(last=False)[1][1])
