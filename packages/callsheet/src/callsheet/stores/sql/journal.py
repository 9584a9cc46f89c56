"""`Journal` on SQL: entries are rows, written through the one writer."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from callsheet.core.ids import RunId
from callsheet.core.index.heads import RunHead, change_of
from callsheet.core.run.entries import encode
from callsheet.core.run.unknown import decode_all
from callsheet.stores import refusals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.run.entries import AnyEntry
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session

FEW = 500
"""Entries that are read and decoded on the event loop: two or three milliseconds."""
EVERY = 2**31 - 1
"""More than any run has."""


class SqlJournal:
    """`Journal` on SQL."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """Append entries atomically and return the new length."""
        self._access.must_drive()
        # Encoded here and now: what the caller does with them afterwards is his business.
        rows = [(run, seq, encode(entry).decode()) for seq, entry in enumerate(entries, after + 1)]
        change = change_of(run, entries, after=after)
        length = await self._writer.append(run, after, rows, change)
        assert isinstance(length, int)
        return length

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries numbered after+1 and up, in order."""
        wanted = EVERY if limit is None else limit
        convert = partial(entries_of, after=after)
        few = await self._reader.all(
            self._sql.entries.bind(run=run, after=after, limit=min(wanted, FEW))
        )
        if len(few) < FEW or wanted <= FEW:
            return convert(few)
        query = self._sql.entries.bind(run=run, after=after, limit=wanted)
        return await self._reader.apart(query, convert)

    async def lines(self, run: RunId) -> Sequence[tuple[int, str]]:
        """The entries as they are written, with their numbers."""
        query = self._sql.entries.bind(run=run, after=0, limit=EVERY)
        return await self._reader.apart(query, lambda rows: [(seq, body) for seq, body in rows])

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run."""
        return _head(await self._reader.one(self._sql.head.bind(run=run)))

    async def find(self, tenant: str, key: str) -> RunHead | None:
        """The run that was started with this key."""
        return _head(await self._reader.one(self._sql.find.bind(tenant=tenant, key=key)))

    async def heads(
        self, *, limit: int = 50, before: RunId | None = None, open_only: bool = False
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        sql = self._sql
        if before is None:
            query = (sql.open_heads if open_only else sql.heads).bind(limit=limit)
        else:
            paged = sql.open_heads_before if open_only else sql.heads_before
            query = paged.bind(limit=limit, before=before)
        if limit <= FEW:
            return _heads(await self._reader.all(query))
        return await self._reader.apart(query, _heads)

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole, in one transaction; False when there is none."""
        self._access.must_drive()

        def act(session: Session) -> bool:
            head = _head(session.one(self._sql.head.bind(run=run)))
            if head is None:
                return False
            if head.ended is None:
                raise refusals.still_open(run)
            sql = self._sql
            for part in (
                *(sql.forget_run, sql.forget_entries, sql.forget_requests),
                *(sql.forget_uses, sql.forget_calls, sql.forget_hold),
            ):
                session.do(part.bind(run=run))
            return True

        return bool(await self._writer.call(act, run=run, heavy=True))


def entries_of(rows: list[Row], *, after: int) -> Sequence[AnyEntry]:
    """The entries that rows stand for, numbered without a hole.

    Raises:
        StoreCorruptError: one is missing, or cannot be read.
        ReplayImpossibleError: one was written by a newer version.
    """
    return tuple(decode_all(rows, after=after))


def _heads(rows: list[Row]) -> Sequence[RunHead]:
    return tuple(head for head in map(_head, rows) if head is not None)


def _head(row: Row | None) -> RunHead | None:
    if row is None:
        return None
    run, name, plan, content, tenant, key, started_at, ended, ended_at = row
    return RunHead(
        run=RunId(run),
        name=name,
        plan=plan,
        content=content,
        tenant=tenant,
        key=key,
        started_at=datetime.fromisoformat(started_at),
        ended=ended,
        ended_at=datetime.fromisoformat(ended_at) if ended_at else None,
    )
