"""Verbs of an engine about what is kept: for how long, from where, copies of it, and closing."""

from __future__ import annotations

from datetime import timedelta
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.core import given
from callsheet.engine import leaving
from callsheet.engine.home import back_up
from callsheet.engine.listing import the_run
from callsheet.engine.retention import GRACE, Retention
from callsheet.errors import InputError, RequestRefusedError
from callsheet.runtime.runtime import DRAIN

if TYPE_CHECKING:
    from callsheet.core.index.heads import RunHead
    from callsheet.engine.artifacts import Artifacts
    from callsheet.engine.retention import Collected
    from callsheet.engine.runs import Runs
    from callsheet.insight.lineage import Direction, LineageGraph
    from callsheet.ports import ArtifactStore, Clock, Store
    from callsheet.runtime.runtime import Runtime
    from callsheet.tools.configuration import Configuration


class Keeping:
    """What `Engine` does with what is there."""

    artifacts: Artifacts
    runtime: Runtime
    _store: Store
    _clock: Clock
    _bytes: ArtifactStore
    _undo: Path | None
    _runs: Runs
    _retention: Retention
    _said: Configuration | None

    @property
    def keeps(self) -> timedelta | None:
        """How long ended runs are kept, as the configuration says; None: until they are deleted."""
        keep = self._said.keep if self._said is not None else None
        return timedelta(seconds=keep) if keep is not None else None

    async def drain(self, timeout: float = DRAIN) -> bool:  # noqa: ASYNC109 -- not all of it
        """Start nothing more, and let the calls that go on end; returns whether all have.

        After `timeout` seconds they are told to stop, and have at most 5 s more. What ends is
        journalled as what it is; no step fails by it, and no run is cancelled or undone. Runs that
        have not ended go on when they are resumed, or the engine is opened again. From here on the
        engine reads, and starts and resumes nothing. Closing an engine drains it.

        Raises:
            InputError: `timeout` is not a number of seconds.
        """
        must_be_seconds("timeout", timeout)
        return await self.runtime.drain(timeout)

    async def delete(self, run: str) -> bool:
        """Remove an ended run whole, with all that it alone held; False when there is none.

        One that is damaged can never end by itself, and is removed all the same; so is a start that
        was refused or cancelled.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        name = the_run(run)
        if await self._store.journal.head(name) is None:
            return await leaving.forget(self._store, name)
        if self.runtime.loop_of(name) is not None:
            raise RequestRefusedError(f"Run {run!r} has not ended. Cancel it first.")
        return await self._retention.delete(name)

    async def prune(self, older_than: timedelta, *, dry_run: bool = False) -> list[RunHead]:
        """Remove ended runs that ended longer ago than that; returns them, oldest last.

        Starts that were refused or cancelled longer ago go with them, and come last.

        Raises:
            StoreBusyError: this engine does not drive.
        """
        self._runs.must_drive()
        given.duration("older_than", older_than)
        given.flag("dry_run", dry_run)
        runs = await self._retention.prune(older_than, dry_run=dry_run)
        before = self._clock.now() - older_than
        return [*runs, *await leaving.forget_old(self._store, before, dry_run=dry_run)]

    async def collect(self, *, grace: timedelta = GRACE, dry_run: bool = False) -> Collected:
        """Remove the artifacts that no run, context item or running call refers to.

        Only those that nobody has put within the grace: a run may be about to name them.

        Raises:
            StoreBusyError: this engine does not drive.
        """
        self._runs.must_drive()
        given.duration("grace", grace)
        given.flag("dry_run", dry_run)
        return await self._retention.collect(grace, dry_run=dry_run)

    async def lineage(self, name: str, *, direction: Direction = "both") -> LineageGraph:
        """What an artifact, or all of a run, was made from (up), and what was made of it (down).

        Raises:
            UnknownRunError, UnknownArtifactError: there is no run or artifact of that name.
        """
        return await self.artifacts.lineage(name, direction=direction)

    async def backup(self, target: str | Path) -> None:
        """Write a consistent copy of everything into a new home, while runs go on."""
        await back_up(self._store, self._bytes, self._undo, Path(target))


def must_be_seconds(name: str, given: float) -> None:
    """Refuse what is no number of seconds.

    Raises:
        InputError: it is negative, infinite, or no number at all.
    """
    number: object = given
    if not (isinstance(number, (int, float)) and 0 <= number < inf):
        raise InputError(f"{name}={given!r} is not a number of seconds. Write 0 or more.")
