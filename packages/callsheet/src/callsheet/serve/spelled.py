"""Entries as they are sent, spelled once for all who read them at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet.runtime.feed import Event

MOST = 2048
LARGEST = 16_000


class Spelled:
    """The newest entries that were sent, in JSON."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int, bool], bytes] = {}

    def entry(self, event: Event) -> bytes:
        """An entry as `callsheet journal --json` has it."""
        name = event.run, event.seq, event.position is None
        found = self._kept.get(name)
        if found is None:
            found = msgspec.json.encode(event.to_json())
            if len(found) <= LARGEST:
                if len(self._kept) >= MOST:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[name] = found
        return found
