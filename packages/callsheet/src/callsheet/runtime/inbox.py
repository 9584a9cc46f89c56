"""Requests of other processes: read while this one drives, served run by run.

Those to one run are served in order. Those to different runs have nothing to do with each other: a
run that is slow to take up, or whose tools are not here, holds up nobody else.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from callsheet.errors import CallsheetError
from callsheet.runtime import crash
from callsheet.runtime.log import log
from callsheet.runtime.wakeup import News

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.core.run.request import Request, Settled
    from callsheet.ports import Clock, Store, Timer
    from callsheet.runtime.children import Children

POLL = 0.05
"""How often the inbox is looked at, in seconds."""
FIRST_REST, LONGEST_REST = 0.1, 5.0
"""How long a run is left alone that could not be served; each time twice as long."""


class InboxReader:
    """Serves what is in the inbox."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        children: Children,
        serve: Callable[[Request, bool], Awaitable[Settled | None]],
    ) -> None:
        """`serve` does what is asked; None: it cannot be done here and now.

        It is told whether this is one of the first that a run hears when it is taken up.
        """
        self._store = store
        self._clock = clock
        self._children = children
        self._serve = serve
        self._busy: set[str] = set()
        """Runs whose requests are being served."""
        self._rests: dict[str, float] = {}
        """Runs that could not be served, and how long they are left alone then."""
        self._resting: dict[str, Timer] = {}
        """Runs that are left alone, and what ends that."""

    async def read(self) -> None:
        """Serve requests for as long as this process drives."""
        with News(partial(self._store.listen, requests=True), self._clock) as news:
            while True:
                try:
                    pending = await self._store.inbox.pending()
                except CallsheetError as exc:
                    log.warning("inbox.unreadable", error=exc.message)
                    pending = ()
                self._hand_out(pending, news)
                await news.wait(POLL)

    def _hand_out(self, pending: Sequence[Request], news: News) -> None:
        asked: dict[str, list[Request]] = {}
        for request in pending:
            asked.setdefault(request.run, []).append(request)
        for run in self._rests.keys() - asked.keys() - self._busy:
            del self._rests[run]
        for run, requests in asked.items():
            if run not in self._busy and run not in self._resting:
                self._busy.add(run)
                self._children.begin(self._serve_run(run, requests, news), name=f"inbox-{run}")

    async def _serve_run(self, run: str, requests: Sequence[Request], news: News) -> None:
        try:
            for request in requests:
                if not await self.settle(request):
                    self._leave_alone(run, news)
                    return
            self._rests.pop(run, None)
        finally:
            self._busy.discard(run)
            news.tell()  # something may have been asked meanwhile

    def disturb(self, run: str) -> None:
        """Leave a run alone no longer: it is driven here now, and what is asked of it is served."""
        self._rests.pop(run, None)
        if (timer := self._resting.pop(run, None)) is not None:
            timer.cancel()

    def _leave_alone(self, run: str, news: News) -> None:
        rest = self._rests[run] = min(self._rests.get(run, FIRST_REST / 2) * 2, LONGEST_REST)

        def over() -> None:
            self._resting.pop(run, None)
            news.tell()

        self._resting[run] = self._clock.call_later(rest, over)

    async def settle(self, request: Request, *, first: bool = False) -> bool:
        """Do what is asked, and say what became of it; False: it stays in the inbox.

        `first`: its run is just being taken up, and this comes before anything else.
        """
        try:
            settled = await self._serve(request, first)
            if settled is None:
                return False
            await self._store.inbox.settle(request.id, settled)
        except CallsheetError as exc:
            log.warning("inbox.unwritable", error=exc.message)
            return False
        crash.reach("settle.after")
        return True
