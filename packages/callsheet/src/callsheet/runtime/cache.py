"""Looking for a read that another run has made: asked once per step, and mostly answered at once.

What the cache has at hand is taken in the same turn, so that the outcome of one step and the start
of the next stay one commit. What comes over a network, or lies beside the journal, comes later, and
the run is nudged.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.index.derived import CachedCall
from callsheet.core.run.entries import AttemptEnded
from callsheet.errors import CallsheetError
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable, Coroutine

    from msgspec import Raw

    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.ports import Cache, Clock
    from callsheet.runtime.journal import WholeJournal

MANY = 64
"""Answers at hand that are taken one after the other before others on the loop have their turn."""


def cache_key(spec: ToolSpec, args: Raw, tenant: str) -> str:
    """What two calls have in common that must give the same."""
    return value.digest([spec.name, spec.version, value.decode(args), tenant])


class Lookups:
    """The questions that one run has put to the cache."""

    def __init__(
        self,
        cache: Cache,
        journal: WholeJournal,
        clock: Clock,
        *,
        spawn: Callable[[Coroutine[object, object, None]], object],
        nudge: Callable[[], None],
    ) -> None:
        self._cache = cache
        self._journal = journal
        self._clock = clock
        self._spawn = spawn
        self._nudge = nudge
        self._answers: dict[StepKey, CachedCall | None] = {}
        self._asked: set[StepKey] = set()
        self._made: dict[str, tuple[RunId, AttemptEnded]] = {}
        """This run's own calls that no store knows of yet, by their keys."""
        self._in_a_row = 0

    def is_pending(self, step: StepKey, key: str, youngest: float | None) -> bool:
        """Whether the answer is still to come; asks, if nobody has. The run is nudged then."""
        if step not in self._asked:
            if self._in_a_row == MANY:
                return True
            self._asked.add(step)
            self._ask(step, key, youngest)
        return step not in self._answers

    def answer(self, step: StepKey, most: float | None) -> CachedCall | None:
        """The call that answers for a step, if there is one; it may be too old by now."""
        found = self._answers.get(step)
        return found if found is not None and self._is_young(found, most) else None

    def note_made(self, run: RunId, entry: AttemptEnded) -> None:
        """Remember a call of this run until it is written."""
        self._made[entry.cache_key] = run, entry

    def note_written(self) -> None:
        """A turn is over: whatever was made up to now is found in the store."""
        self._made.clear()
        self._in_a_row = 0

    def _is_young(self, found: CachedCall, most: float | None) -> bool:
        return most is None or self._clock.now() - found.entry.at <= timedelta(seconds=most)

    def _ask(self, step: StepKey, key: str, most: float | None) -> None:
        if key in self._made:
            run, entry = self._made[key]
            self._answer(step, CachedCall(run=run, entry=entry))
            return
        try:
            looking = self._cache.find(key)
            found = looking.result() if looking.done() else None
        except CallsheetError as exc:
            self._cannot_read(step, exc)
            return
        if not looking.done() or (found is not None and found.entry.stored):
            self._spawn(self._wait(step, looking, most))
        else:
            self._answer(step, found)

    def _answer(self, step: StepKey, found: CachedCall | None) -> None:
        self._answers[step] = found
        self._in_a_row += 1
        if self._in_a_row == MANY:
            self._spawn(self._rest())

    async def _rest(self) -> None:
        self._in_a_row = 0
        self._nudge()

    async def _wait(
        self, step: StepKey, looking: Future[CachedCall | None], most: float | None
    ) -> None:
        try:
            found = await looking
            young = found is not None and self._is_young(found, most)
            self._answers[step] = await self._whole(found) if found and young else None
        except CallsheetError as exc:
            self._cannot_read(step, exc)
        self._nudge()

    async def _whole(self, found: CachedCall) -> CachedCall:
        entry = await self._journal.whole(found.entry)
        assert isinstance(entry, AttemptEnded)
        return CachedCall(run=found.run, entry=entry)

    def _cannot_read(self, step: StepKey, exc: CallsheetError) -> None:
        # The call can still be made; that is all the cache is for.
        log.warning("cache.unreadable", error=exc.message)
        self._answers[step] = None
