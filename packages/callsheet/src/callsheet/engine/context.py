"""The door to context, the data that runs share: `engine.context`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import given
from callsheet.core.index.context import MOST, ContextItem, check_names, expiry, size_of
from callsheet.core.run.start import TENANT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json
    from callsheet.ports import Clock, ContextShelf


class SharedContext:
    """Named data of projects and runs: versioned, bounded, expiring."""

    def __init__(self, shelf: ContextShelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock

    async def set(  # noqa: PLR0913 -- each is optional and means something to a user
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
        key: str | None = None,
        tenant: str = TENANT,
    ) -> ContextItem:
        """Keep a value as the next version of an item, and return it.

        Args:
            scope: what it belongs to, as in `project:blue`; 16 MB at most in all.
            name: what it is called there.
            value: any JSON value.
            ttl: how long it lives, in seconds or as a timedelta; None: until it is deleted.
            after: the version it must follow (0: there must be none); None: any.
            key: the same key is the same version, however often it is put: as it was put first.
            tenant: whose it is; the runs of one tenant see nothing of another's.

        Raises:
            StaleContextError: the newest version is not `after`.
            InputError: the scope would be too large, or something cannot be kept.
        """
        check_names(scope, name)
        given.whole_or_none("after", after)
        now = self._clock.now()
        seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
        if seconds is not None:
            given.of_type("ttl", seconds, (int, float), "a number of seconds, or a timedelta")
        item = ContextItem(
            scope=scope,
            name=name,
            version=0,
            value=value,
            size=size_of(value),
            saved_at=now,
            expires_at=expiry(now, seconds),
            key=f"client:{key}" if key is not None else "",
            tenant=tenant,
        )
        return await self._shelf.put(item, after=after, most=MOST)

    async def put(  # noqa: PLR0913 -- as `set`
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
        key: str | None = None,
        tenant: str = TENANT,
    ) -> ContextItem:
        """As `set`, which is the name that tools and commands have for it."""
        return await self.set(scope, name, value, ttl=ttl, after=after, key=key, tenant=tenant)

    async def get(
        self, scope: str, name: str, version: int | None = None, *, tenant: str = TENANT
    ) -> ContextItem | None:
        """A version of an item, or the newest; None: it is not there, or has expired."""
        scope, name = given.sought("scope", scope), given.sought("name", name)
        given.whole_or_none("version", version)
        now = self._clock.now()
        return await self._shelf.get(scope, name, at=now, version=version, tenant=tenant)

    async def list(self, scope: str, *, tenant: str = TENANT) -> Sequence[ContextItem]:
        """The newest version of each item, by name."""
        scope = given.sought("scope", scope)
        return await self._shelf.list(scope, at=self._clock.now(), tenant=tenant)

    async def delete(self, scope: str, name: str | None = None, *, tenant: str = TENANT) -> int:
        """Remove an item with all its versions, or a scope; returns how many versions."""
        name = None if name is None else given.sought("name", name)
        return await self._shelf.delete(given.sought("scope", scope), name, tenant=tenant)

    async def prune(self) -> int:
        """Remove what has expired; returns how many versions."""
        return await self._shelf.prune(at=self._clock.now())
