"""A run that is being followed: folded as its journal grows, never from the beginning again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.entries import RunEnded
from callsheet.core.snapshot import Snapshot
from callsheet.runtime.outputs import Outputs, take_in
from callsheet.runtime.result import Result, result_of

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.ids import RunId
    from callsheet.core.value import Json
    from callsheet.runtime.vault import Vault


class Follower:
    """Reads what is new in a journal, whoever writes it, and says how the run stands."""

    def __init__(self, run: RunId, journal: Vault) -> None:
        self._run = run
        self._journal = journal
        self._snapshot = Snapshot()
        self._outputs = Outputs(self._snapshot)
        self._output: Json = None

    async def catch_up(self) -> bool:
        """Take in what is new; says whether there was anything."""
        entries = await self._journal.read(self._run, after=self._snapshot.length)
        take_in(self._snapshot, self._outputs, entries)
        for entry in entries:
            if isinstance(entry, RunEnded):
                self._output = value.decode(entry.output)
        return bool(entries)

    @property
    def is_moving(self) -> bool:
        """Whether an attempt or an undo is going on."""
        return bool(self._snapshot.active)

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended."""
        return self._snapshot.ended is not None

    def result(self, now: datetime) -> Result:
        """The run as it stood when the journal was last looked at."""
        return result_of(self._snapshot, self._outputs, self._output, now)
