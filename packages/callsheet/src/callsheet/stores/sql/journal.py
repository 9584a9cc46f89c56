"""`Journal` on SQL: entries are rows, written through the one writer."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from callsheet.core.ids import RunId
from callsheet.core.index.heads import EVERY_RUN, Placed, RunHead, change_of
from callsheet.core.run.entries import encode
from callsheet.core.run.unknown import decode_all, decode_if_known
from callsheet.stores import refusals
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.index.heads import Filter
    from callsheet.core.run.entries import AnyEntry
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session
    from callsheet.stores.sql.statements import Param

FEW = 500
"""Entries that are read and decoded on the event loop: two or three milliseconds."""
EVERY = 2**31 - 1
"""More than any run has."""
LAST = "~"
"""Sorts after the id of any run."""


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
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        if which.subject is not None:
            query = self._sql.subject_heads
        elif which.open_only:
            query = self._sql.open_heads
        else:
            query = self._sql.tenant_heads if which.tenant is not None else self._sql.heads
        bound = query.bind(**_asked(which), limit=limit, before=before or LAST)
        if limit <= FEW:
            return _heads(await self._reader.all(bound))
        return await self._reader.apart(bound, _heads)

    async def since(
        self, position: int, which: Filter = EVERY_RUN, *, limit: int = 1000
    ) -> Sequence[Placed]:
        """Entries of all runs after a position, in the order of commits."""
        bound = self._sql.since.bind(**_asked(which), limit=limit, after=position)
        if limit <= FEW:
            return _placed(await self._reader.all(bound))
        return await self._reader.apart(bound, _placed)

    async def position(self) -> int:
        """The position of the newest entry."""
        row = await self._reader.one(self._sql.position.bind())
        return int(row[0]) if row else 0

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole, in one transaction; False when there is none."""
        self._access.must_drive()

        def act(session: Session) -> bool:
            self._access.must_drive()
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


def _asked(which: Filter) -> dict[str, Param]:
    return {
        "ended": which.ended,
        "plan": which.plan,
        "tenant": which.tenant,
        "subject": which.subject,
        "key": which.key,
        "since": stamp(which.since) if which.since else None,
        "top_level": int(which.top_level),
        "open_only": int(which.open_only),
    }


def _placed(rows: list[Row]) -> Sequence[Placed]:
    return tuple(
        Placed(position=position, head=_head_of(head), seq=seq, entry=decode_if_known(body))
        for position, seq, body, *head in rows
    )


def _heads(rows: list[Row]) -> Sequence[RunHead]:
    return tuple(map(_head_of, rows))


def _head(row: Row | None) -> RunHead | None:
    return None if row is None else _head_of(row)


def _head_of(row: Sequence[Any]) -> RunHead:
    run, name, plan, content, tenant, key, started_at, ended, ended_at, *more = row
    subject, parent, root, owner = more
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
        subject=subject,
        parent=RunId(parent) if parent else None,
        root=RunId(root) if root else None,
        owner=owner,
    )
