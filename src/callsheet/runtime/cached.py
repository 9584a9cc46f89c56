"""Looking for a read that another run has made: asked once per step, answered a moment later."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.entries import AttemptEnded
from callsheet.errors import CallsheetError
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from msgspec import Raw

    from callsheet.core.ids import StepKey
    from callsheet.core.toolspec import ToolSpec
    from callsheet.ports import Cache, CachedCall, Clock
    from callsheet.runtime.vault import Vault


def cache_key(spec: ToolSpec, args: Raw, tenant: str) -> str:
    """What two calls have in common that must give the same."""
    return value.digest([spec.name, spec.version, value.decode(args), tenant])


class Lookups:
    """The questions that one run has put to the cache."""

    def __init__(
        self,
        cache: Cache,
        vault: Vault,
        clock: Clock,
        *,
        spawn: Callable[[Coroutine[object, object, None]], object],
        nudge: Callable[[], None],
    ) -> None:
        self._cache = cache
        self._vault = vault
        self._clock = clock
        self._spawn = spawn
        self._nudge = nudge
        self._answers: dict[StepKey, CachedCall | None] = {}
        self._asked: set[StepKey] = set()

    def is_pending(self, step: StepKey, key: str, youngest: float | None) -> bool:
        """Whether the answer is still to come; asks, if nobody has. The run is nudged then."""
        if step in self._answers:
            return False
        if step not in self._asked:
            self._asked.add(step)
            self._spawn(self._look(step, key, youngest))
        return True

    def answer(self, step: StepKey, most: float | None) -> CachedCall | None:
        """The call that answers for a step, if there is one; it may be too old by now."""
        found = self._answers.get(step)
        return found if found is not None and self._is_young(found, most) else None

    def _is_young(self, found: CachedCall, most: float | None) -> bool:
        return most is None or self._clock.now() - found.entry.at <= timedelta(seconds=most)

    async def _look(self, step: StepKey, key: str, most: float | None) -> None:
        found: CachedCall | None = None
        try:
            found = await self._find(key, most)
        except CallsheetError as exc:
            # The call can still be made; that is all the cache is for.
            log.warning("cache.unreadable", error=exc.message)
        self._answers[step] = found
        self._nudge()

    async def _find(self, key: str, most: float | None) -> CachedCall | None:
        found = await self._cache.find(key)
        if found is None or not self._is_young(found, most):
            return None
        entry = await self._vault.whole(found.entry)
        assert isinstance(entry, AttemptEnded)
        return type(found)(run=found.run, entry=entry)
