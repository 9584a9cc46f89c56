"""The door to context, the data that runs share: `engine.context`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core.index.context import MOST, ContextItem, check_names, expiry, size_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json
    from callsheet.ports import Clock, ContextShelf


class SharedContext:
    """Named data of projects and runs: versioned, bounded, expiring."""

    def __init__(self, shelf: ContextShelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock

    async def set(
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
    ) -> ContextItem:
        """Keep a value as the next version of an item, and return it.

        Args:
            scope: what it belongs to, as in `project:blue`; 16 MB at most in all.
            name: what it is called there.
            value: any JSON value.
            ttl: how long it lives, in seconds or as a timedelta; None: until it is deleted.
            after: the version it must follow (0: there must be none); None: any.

        Raises:
            StaleContextError: the newest version is not `after`.
            InputError: the scope would be too large, or something cannot be kept.
        """
        check_names(scope, name)
        now = self._clock.now()
        seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
        item = ContextItem(
            scope=scope,
            name=name,
            version=0,
            value=value,
            size=size_of(value),
            saved_at=now,
            expires_at=expiry(now, seconds),
        )
        return await self._shelf.put(item, after=after, most=MOST)

    async def put(
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
    ) -> ContextItem:
        """As `set`, which is the name that tools and commands have for it."""
        return await self.set(scope, name, value, ttl=ttl, after=after)

    async def get(self, scope: str, name: str, version: int | None = None) -> ContextItem | None:
        """A version of an item, or the newest; None: it is not there, or has expired."""
        return await self._shelf.get(scope, name, at=self._clock.now(), version=version)

    async def list(self, scope: str) -> Sequence[ContextItem]:
        """The newest version of each item, by name."""
        return await self._shelf.list(scope, at=self._clock.now())

    async def delete(self, scope: str, name: str | None = None) -> int:
        """Remove an item with all its versions, or a scope; returns how many versions."""
        return await self._shelf.delete(scope, name)

    async def prune(self) -> int:
        """Remove what has expired; returns how many versions."""
        return await self._shelf.prune(at=self._clock.now())
