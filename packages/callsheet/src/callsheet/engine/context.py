"""The door to context, the data that runs share: `engine.context`, and a tenant's own."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import given
from callsheet.core.index.context import MOST, ContextItem, check_names, expiry, size_of
from callsheet.core.run.start import TENANT, must_name_tenant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json
    from callsheet.engine.runs import Vet
    from callsheet.ports import Clock, ContextShelf


class TenantContext:
    """Named data of a tenant's projects and runs: versioned, bounded, expiring."""

    def __init__(
        self, shelf: ContextShelf, clock: Clock, tenant: str, vet: Vet | None = None
    ) -> None:
        """`vet` refuses what somebody names who may not name everything."""
        self._vet = vet
        self._shelf = shelf
        self._clock = clock
        self._tenant = tenant

    async def set(
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
        key: str | None = None,
    ) -> ContextItem:
        """Keep a value as the next version of an item, and return it.

        Args:
            scope: what it belongs to, as in `project:blue`; 16 MB at most in all.
            name: what it is called there.
            value: any JSON value.
            ttl: how long it lives, in seconds or as a timedelta; None: until it is deleted.
            after: the version it must follow (0: there must be none); None: any.
            key: the same key is the same version, however often it is put: as it was put first.

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
            key=self._key(key),
            tenant=self._tenant,
        )
        if self._vet is not None:
            await self._vet(value)
        return await self._shelf.put(item, after=after, most=MOST)

    def _key(self, key: str | None) -> str:
        if key is None:
            return ""
        given.name_or_none("key", key)
        # A key is its tenant's own: that of another tells nothing, and does nothing here.
        return f"client:{key}" if self._tenant == TENANT else f"client:{self._tenant}\n{key}"

    async def put(
        self,
        scope: str,
        name: str,
        value: Json,
        *,
        ttl: float | timedelta | None = None,
        after: int | None = None,
        key: str | None = None,
    ) -> ContextItem:
        """As `set`, which is the name that tools and commands have for it."""
        return await self.set(scope, name, value, ttl=ttl, after=after, key=key)

    async def get(self, scope: str, name: str, version: int | None = None) -> ContextItem | None:
        """A version of an item, or the newest; None: it is not there, or has expired."""
        scope, name = given.sought("scope", scope), given.sought("name", name)
        given.whole_or_none("version", version)
        now = self._clock.now()
        return await self._shelf.get(scope, name, at=now, version=version, tenant=self._tenant)

    async def list(self, scope: str) -> Sequence[ContextItem]:
        """The newest version of each item, by name."""
        scope = given.sought("scope", scope)
        return await self._shelf.list(scope, at=self._clock.now(), tenant=self._tenant)

    async def history(self, scope: str, name: str) -> Sequence[ContextItem]:
        """Every version of an item that has not expired, oldest first."""
        scope, name = given.sought("scope", scope), given.sought("name", name)
        return await self._shelf.history(scope, name, at=self._clock.now(), tenant=self._tenant)

    async def delete(self, scope: str, name: str | None = None) -> int:
        """Remove an item with all its versions, or a scope; returns how many versions."""
        name = None if name is None else given.sought("name", name)
        return await self._shelf.delete(given.sought("scope", scope), name, tenant=self._tenant)


class SharedContext:
    """Named data of projects and runs, of every tenant."""

    def __init__(self, shelf: ContextShelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock

    def of(self, tenant: str, vet: Vet | None = None) -> TenantContext:
        """What is one tenant's; the runs of one tenant see nothing of another's."""
        must_name_tenant(given.text("tenant", tenant))
        return TenantContext(self._shelf, self._clock, tenant, vet)

    async def set(  # noqa: PLR0913 -- as `TenantContext.set`
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
        """Keep a value as the next version of an item of a tenant's, and return it.

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
        own = self.of(tenant)
        return await own.set(scope, name, value, ttl=ttl, after=after, key=key)

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
        return await self.of(tenant).get(scope, name, version)

    async def list(self, scope: str, *, tenant: str = TENANT) -> Sequence[ContextItem]:
        """The newest version of each item, by name."""
        return await self.of(tenant).list(scope)

    async def history(
        self, scope: str, name: str, *, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """Every version of an item that has not expired, oldest first."""
        return await self.of(tenant).history(scope, name)

    async def delete(self, scope: str, name: str | None = None, *, tenant: str = TENANT) -> int:
        """Remove an item with all its versions, or a scope; returns how many versions."""
        return await self.of(tenant).delete(scope, name)

    async def prune(self) -> int:
        """Remove what has expired; returns how many versions."""
        return await self._shelf.prune(at=self._clock.now())
