"""Context in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.index.context import ContextItem, Place, placed
from callsheet.core.run.start import TENANT
from callsheet.stores.memory.contents import ContextVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from callsheet.stores.memory.contents import Contents


class MemoryContext:
    """`ContextShelf` in memory."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    async def put(self, item: ContextItem, *, after: int | None, most: int) -> ContextItem:
        """Keep an item and return it as it is kept."""
        self._contents.writable()
        written = self._by_key(item.key)
        if written is not None:
            return _item(written)
        kept = placed(item, self._place(item), after=after, most=most)
        self._contents.context.append(
            ContextVersion(
                kept.scope,
                kept.name,
                kept.version,
                value.encode(kept.value),
                kept.saved_at,
                kept.expires_at,
                kept.key,
                kept.tenant,
            )
        )
        return kept

    def _place(self, item: ContextItem) -> Place:
        same = [
            kept.version
            for kept in self._contents.context
            if (kept.tenant, kept.scope, kept.name) == (item.tenant, item.scope, item.name)
        ]
        newest = self._newest(item.tenant, item.scope, item.saved_at)
        return Place(
            newest=newest[item.name].version if item.name in newest else 0,
            last=max(same, default=0),
            others=sum(len(kept.body) for name, kept in newest.items() if name != item.name),
        )

    def _newest(self, tenant: str, scope: str, at: datetime) -> dict[str, ContextVersion]:
        place = (tenant, scope)
        found = [kept for kept in self._contents.context if (kept.tenant, kept.scope) == place]
        found = [kept for kept in found if _is_there(kept, at)]
        return {kept.name: kept for kept in sorted(found, key=lambda kept: kept.version)}

    async def get(
        self,
        scope: str,
        name: str,
        *,
        at: datetime,
        version: int | None = None,
        tenant: str = TENANT,
    ) -> ContextItem | None:
        """A version, or the newest."""
        if version is None:
            found = self._newest(tenant, scope, at).get(name)
            return _item(found) if found else None
        wanted = (tenant, scope, name, version)
        for kept in self._contents.context:
            place = (kept.tenant, kept.scope, kept.name, kept.version)
            if place == wanted and _is_there(kept, at):
                return _item(kept)
        return None

    async def list(
        self, scope: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """The newest version of each, by name."""
        return [_item(kept) for _, kept in sorted(self._newest(tenant, scope, at).items())]

    async def history(
        self, scope: str, name: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """Every version of a name, oldest first."""
        wanted = (tenant, scope, name)
        return [
            _item(kept)
            for kept in sorted(self._contents.context, key=lambda kept: kept.version)
            if (kept.tenant, kept.scope, kept.name) == wanted and _is_there(kept, at)
        ]

    async def withdraw(self, key: str, *, at: datetime) -> ContextItem | None:
        """Have the version that a call wrote expire now."""
        self._contents.writable()
        written = self._by_key(key)
        if written is None:
            return None
        if _is_there(written, at):
            place = self._contents.context.index(written)
            self._contents.context[place] = written = replace(written, expires_at=at)
        return _item(written)

    def _by_key(self, key: str) -> ContextVersion | None:
        return next((kept for kept in self._contents.context if key and kept.key == key), None)

    async def delete(self, scope: str, name: str | None = None, *, tenant: str = TENANT) -> int:
        """Remove all versions of a name, or everything in a scope."""
        return self._remove(
            lambda kept: (
                (kept.tenant, kept.scope) == (tenant, scope) and (name is None or kept.name == name)
            )
        )

    async def prune(self, *, at: datetime) -> int:
        """Remove what has expired, but for the last number of a name that is still there."""
        kept = self._contents.context
        last: dict[tuple[str, str, str], int] = {}
        for each in kept:
            named = (each.tenant, each.scope, each.name)
            last[named] = max(each.version, last.get(named, 0))
        there = {(each.tenant, each.scope, each.name) for each in kept if _is_there(each, at)}

        def is_over(each: ContextVersion) -> bool:
            named = (each.tenant, each.scope, each.name)
            is_remembered = named in there and each.version == last[named]
            return not _is_there(each, at) and not is_remembered

        return self._remove(is_over)

    def _remove(self, condition: Callable[[ContextVersion], bool]) -> int:
        self._contents.writable()
        before = len(self._contents.context)
        self._contents.context = [kept for kept in self._contents.context if not condition(kept)]
        return before - len(self._contents.context)


def _is_there(kept: ContextVersion, at: datetime) -> bool:
    return kept.expires_at is None or kept.expires_at > at


def _item(kept: ContextVersion) -> ContextItem:
    return ContextItem(
        scope=kept.scope,
        name=kept.name,
        version=kept.version,
        value=value.decode(kept.body),
        size=len(kept.body),
        saved_at=kept.saved_at,
        expires_at=kept.expires_at,
        key=kept.key,
        tenant=kept.tenant,
    )
