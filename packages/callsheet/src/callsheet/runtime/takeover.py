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
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from callsheet.core.ids import RunId
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.ports import Clock, Store, Toolbox

LOOK = 0.25
"""Seconds between two looks for drivers that are gone."""
PROMISES = ("version", "effect", "idempotent", "undo", "ceiling")
"""What a tool promises a run that knows it."""
FIRST = 100
"""Runs that whoever opens an engine waits for; the others are taken up while it is used."""


class TakeOver:
    """Looks for runs that nobody drives any more, as long as its engine is open."""

    def __init__(
        self,
        store: Store,
        toolbox: Toolbox,
        clock: Clock,
        take_up: Callable[[RunId], Awaitable[object]],
    ) -> None:
        self._store = store
        self._toolbox = toolbox
        self._clock = clock
        self._take_up = take_up
        self._due: dict[RunId, None] = {}
        """Found, and not looked at yet."""
        self._first = asyncio.Event()
        """Those that whoever opens waits for have been looked at."""

    def is_due(self, run: RunId) -> bool:
        """Whether a run is about to be looked at."""
        return run in self._due

    async def opened(self) -> None:
        """Return when there is nothing to be waited for before the engine is used."""
        await self._first.wait()

    async def watch(self) -> None:
        """Look again and again."""
        while True:
            try:
                found = await self._store.owners.abandoned()
            except CallsheetError as exc:
                log.warning("runs.unreadable", error=exc.message)
                if not is_outage(exc):
                    return
            else:
                # Also those whose turn had come while the store was away: nobody names them again.
                await self._take_up_all(
                    [*self._due, *(run for run in found if run not in self._due)]
                )
            finally:
                self._first.set()
            await self._clock.sleep(LOOK)

    async def _take_up_all(self, found: Sequence[RunId]) -> None:
        self._due = dict.fromkeys(found)
        # The newest first: somebody who has just restarted looks for them.
        for count, run in enumerate(reversed(found), 1):
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
            if count == FIRST:
                self._first.set()

    async def _must_have_same_tools(self, run: RunId) -> None:
        """See that nobody who merely waits for runs carries one out with other tools.

        Raises:
            MissingToolsError: a tool is not here, or promises something else.
        """
        for started in await self._store.journal.read(run, limit=1):
            if isinstance(started, RunStarted):
                other = differing(started.tools.values(), self._toolbox)
                if other:
                    raise MissingToolsError(
                        f"Run {run!r} was started with other tools than are here: "
                        f"{', '.join(other)}. `callsheet resume {run}` goes on with those you give."
                    )


def differing(recorded: Iterable[ToolSpec], toolbox: Toolbox) -> list[str]:
    """The tools that are not here as a run knows them, each with what is different."""
    found = []
    for spec in recorded:
        here = toolbox.spec(spec.name)
        if here is None:
            found.append(f"{spec.name} (missing)")
        elif other := [field for field in PROMISES if getattr(here, field) != getattr(spec, field)]:
            found.append(f"{spec.name} ({', '.join(other)})")
    return found
