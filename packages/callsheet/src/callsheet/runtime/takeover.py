"""Runs whose driver is gone: taken up here, if all that they need is here.

Looked for when the engine opens, and then as often as it takes to go on within a second. What
cannot be driven here is left for a process that can, and said once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.core.run.entries import RunStarted
from callsheet.errors import CallsheetError, DrivenElsewhereError, MissingToolsError
from callsheet.runtime.log import log
from callsheet.runtime.outage import is_outage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.core.ids import RunId
    from callsheet.ports import Clock, Store

LOOK = 0.25
"""Seconds between two looks for drivers that are gone."""
FEW = 10
"""Runs that whoever opens an engine waits for; more are taken up while it is used already."""


class TakeOver:
    """Looks for runs that nobody drives any more, as long as its engine is open."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        take_up: Callable[[RunId], Awaitable[object]],
        missing: Callable[[RunStarted], list[str]],
    ) -> None:
        """`missing` says what a run was started with that is not here."""
        self._missing = missing
        self._store = store
        self._clock = clock
        self._take_up = take_up
        self._due: dict[RunId, None] = {}
        """Found, and not looked at yet."""
        self._first = asyncio.Event()
        """Whoever opens the engine need not wait any longer."""
        self._listed = False
        """All that were there when the engine was opened are known."""

    def is_due(self, run: RunId) -> bool:
        """Whether a run is about to be looked at, or may be."""
        return run in self._due or not self._listed

    async def opened(self) -> None:
        """Return when there is nothing to be waited for before the engine is used."""
        await self._first.wait()

    async def watch(self) -> None:
        """Look again and again."""
        while True:
            try:
                if not self._listed:
                    await self._wait_for_few()
                found = await self._store.owners.abandoned()
            except CallsheetError as exc:
                log.warning("runs.unreadable", error=exc.message)
                if not is_outage(exc):
                    self._listed = True
                    return
            else:
                # Also those whose turn had come while the store was away: nobody names them again.
                await self._take_up_all(
                    [*self._due, *(run for run in found if run not in self._due)]
                )
            finally:
                self._first.set()
            await self._clock.sleep(LOOK)

    async def _wait_for_few(self) -> None:
        """If there are many, whoever opens the engine does not wait for them."""
        if len(await self._store.owners.abandoned(newest=FEW + 1)) > FEW:
            self._first.set()

    async def _take_up_all(self, found: Sequence[RunId]) -> None:
        self._due = dict.fromkeys(found)
        self._listed = True
        # The newest first: somebody who has just restarted looks for them.
        for run in reversed(found):
            try:
                await self._must_have_same_tools(run)
                await self._take_up(run)
            except DrivenElsewhereError:
                self._due.pop(run, None)  # another process was quicker
            except CallsheetError as exc:
                # Whatever is wrong with this one, the others have nothing to do with it.
                log.warning("run.left", run=run, reason=exc.message)
                if not is_outage(exc):
                    self._due.pop(run, None)
            else:
                self._due.pop(run, None)

    async def _must_have_same_tools(self, run: RunId) -> None:
        """See that nobody who merely waits for runs carries one out with other tools.

        Raises:
            MissingToolsError: a tool is not here, or promises something else.
        """
        for started in await self._store.journal.read(run, limit=1):
            if isinstance(started, RunStarted) and (missing := self._missing(started)):
                raise MissingToolsError(
                    f"Run {run!r} was started with other tools than are here: "
                    f"{', '.join(missing)}. `callsheet resume {run} --tools …` resumes it."
                )
