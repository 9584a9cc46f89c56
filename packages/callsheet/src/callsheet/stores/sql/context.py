"""`ContextShelf` on SQL: every version of an item is a row."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.index.context import ContextItem, Place, placed
from callsheet.core.plan.artifact import MARK_BYTES, artifacts_in
from callsheet.core.run.start import TENANT
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session
    from callsheet.stores.sql.statements import Param, Statement

LARGE = 100_000
"""Bytes of a value from which on it is not written on the event loop."""


class SqlContext:
    """`ContextShelf` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def put(self, item: ContextItem, *, after: int | None, most: int) -> ContextItem:
        """Keep an item and return it as it is kept."""
        body = value.encode(item.value)
        named = artifacts_in(item.value) if MARK_BYTES in body else ()
        text = body.decode()
        tried: list[ContextItem] = []

        def act(session: Session) -> ContextItem:
            written = self._written(session, item, tried)
            if written is not None:
                return written
            kept = placed(item, self._place(session, item), after=after, most=most)
            session.insert(self._sql.put_item.text, [_row(kept, text)])
            rows = [
                (each.digest, kept.scope, kept.name, kept.version, kept.tenant) for each in named
            ]
            if rows:
                session.insert(self._sql.name_in_context.text, rows)
            tried.append(kept)
            return kept

        kept = await self._writer.call(act, heavy=item.size > LARGE)
        assert isinstance(kept, ContextItem)
        return kept

    def _written(
        self, session: Session, item: ContextItem, tried: Sequence[ContextItem]
    ) -> ContextItem | None:
        """The version that this very call has written before, if it has."""
        if item.key:
            row = session.one(self._sql.item_of_call.bind(key=item.key))
            return _item(row) if row else None
        if tried:
            # Called again after a connection that broke, nobody knows when: perhaps it is there.
            last = tried[-1]
            query = self._sql.item.bind(
                tenant=last.tenant,
                scope=last.scope,
                name=last.name,
                version=last.version,
                at=stamp(last.saved_at),
            )
            row = session.one(query)
            return last if row and _item(row) == last else None
        return None

    def _place(self, session: Session, item: ContextItem) -> Place:
        def number(statement: Statement, **values: Param) -> int:
            place: dict[str, Param] = {"tenant": item.tenant, "scope": item.scope}
            row = session.one(statement.bind(**place, name=item.name, **values))
            return int((row[0] if row else None) or 0)

        at = stamp(item.saved_at)
        return Place(
            newest=number(self._sql.newest_version, at=at),
            last=number(self._sql.last_version),
            others=number(self._sql.other_bytes, at=at),
        )

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
        place: dict[str, Param] = {"tenant": tenant, "scope": scope, "name": name}
        if version is None:
            query = self._sql.newest_item.bind(**place, at=stamp(at))
        else:
            query = self._sql.item.bind(**place, version=version, at=stamp(at))
        found = await self._reader.apart(query, _items)
        return found[0] if found else None

    async def list(
        self, scope: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """The newest version of each, by name."""
        query = self._sql.items.bind(tenant=tenant, scope=scope, at=stamp(at))
        return await self._reader.apart(query, _items)

    async def history(
        self, scope: str, name: str, *, at: datetime, tenant: str = TENANT
    ) -> Sequence[ContextItem]:
        """Every version of a name, oldest first."""
        query = self._sql.item_history.bind(tenant=tenant, scope=scope, name=name, at=stamp(at))
        return await self._reader.apart(query, _items)

    async def withdraw(self, key: str, *, at: datetime) -> ContextItem | None:
        """Have the version that a call wrote expire now."""

        def act(session: Session) -> ContextItem | None:
            row = session.one(self._sql.item_of_call.bind(key=key))
            item = _item(row) if row else None
            if item is None or (item.expires_at is not None and item.expires_at <= at):
                return item
            session.do(self._sql.expire_item.bind(call=key, at=stamp(at)))
            return replace(item, expires_at=at)

        item = await self._writer.call(act)
        assert item is None or isinstance(item, ContextItem)
        return item

    async def delete(self, scope: str, name: str | None = None, *, tenant: str = TENANT) -> int:
        """Remove all versions of a name, or everything in a scope."""
        place: dict[str, Param] = {"tenant": tenant, "scope": scope}
        if name is None:
            return await self._remove(self._sql.forget_scope, **place)
        return await self._remove(self._sql.forget_item, **place, name=name)

    async def prune(self, *, at: datetime) -> int:
        """Remove what has expired."""
        return await self._remove(self._sql.prune_context, at=stamp(at))

    async def _remove(self, statement: Statement, **values: Param) -> int:
        def act(session: Session) -> int:
            removed = session.run(statement.bind(**values))
            if removed:
                session.do(self._sql.forget_names.bind())
            return removed

        removed = await self._writer.call(act, heavy=True)
        assert isinstance(removed, int)
        return removed


def _row(item: ContextItem, body: str) -> tuple[Param, ...]:
    expires = stamp(item.expires_at) if item.expires_at else None
    saved = stamp(item.saved_at)
    numbers = (item.version, item.size)
    key = item.key or None
    return (item.scope, item.name, *numbers, saved, expires, key, body, item.tenant)


def _items(rows: list[Row]) -> Sequence[ContextItem]:
    return [_item(row) for row in rows]


def _item(row: Row) -> ContextItem:
    scope, name, version, size, saved_at, expires_at, key, body, tenant = row
    return ContextItem(
        scope=scope,
        name=name,
        version=version,
        value=value.decode(body),
        size=size,
        saved_at=datetime.fromisoformat(saved_at),
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
        key=key or "",
        tenant=tenant,
    )
