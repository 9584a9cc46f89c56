"""`Inbox` on SQL: requests to runs, left by any process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.stores.sql import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.run.request import Request, Settled
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Session


class SqlInbox:
    """`Inbox` on SQL."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def put(self, request: Request) -> None:
        """Leave a request. Durable when this returns. The same id twice is one request."""
        body = records.encode(request)

        def act(session: Session) -> None:
            # Whoever puts the same at the same time is found when this is tried again.
            if session.one(self._sql.request.bind(id=request.id)) is None:
                session.do(self._sql.put.bind(id=request.id, run=request.run, body=body))
                session.tell("inbox")

        await self._writer.call(act)

    async def pending(self) -> Sequence[Request]:
        """Requests that are not settled, oldest first.

        One that cannot be read was left by a newer version, for a driver that understands it.
        """
        rows = await self._reader.all(self._sql.pending.bind())
        found = (records.request_if_known(*row) for row in rows)
        return tuple(request for request in found if request is not None)

    async def settle(self, request: str, settled: Settled) -> None:
        """Say what became of a request; the first word stands."""
        self._access.must_drive()
        verdict = records.encode(settled)

        def act(session: Session) -> None:
            self._access.must_drive()
            session.do(self._sql.settle.bind(request=request, verdict=verdict))
            session.tell("news")

        await self._writer.call(act)

    async def settled(self, request: str) -> Settled | None:
        """What became of a request; None while nobody has dealt with it."""
        row = await self._reader.one(self._sql.request.bind(id=request))
        return records.settled_of(row[0]) if row and row[0] is not None else None
