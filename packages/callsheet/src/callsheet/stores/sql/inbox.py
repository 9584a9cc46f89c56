"""`Inbox` on SQL: requests to runs, left by any process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.stores.sql import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.ids import RunId
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

    async def put(self, request: Request) -> Request:
        """Leave a request. Durable when this returns. The same id twice is one request."""
        body = records.encode(request)

        def act(session: Session) -> str:
            # Whoever puts the same at the same time is found when this is tried again.
            there = session.one(self._sql.request.bind(id=request.id))
            if there is not None:
                return str(there[1])
            session.do(self._sql.put.bind(id=request.id, run=request.run, body=body))
            session.tell("inbox")
            return body

        stands = await self._writer.call(act)
        return request if stands == body else records.request_of(str(stands))

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

    async def withdraw(self, request: str, settled: Settled) -> bool:
        """Take back a request that nobody has dealt with."""
        verdict = records.encode(settled)

        def act(session: Session) -> bool:
            row = session.one(self._sql.deal_with.bind(request=request, verdict=verdict))
            session.tell("news")
            return row is not None

        return bool(await self._writer.call(act))

    async def over(self) -> Sequence[tuple[Request, Settled]]:
        """What was settled and belongs to no run, newest first."""
        rows = await self._reader.all(self._sql.over.bind())
        found = ((records.request_if_known(*row), settled) for *row, settled in rows)
        return tuple((each, records.settled_of(verdict)) for each, verdict in found if each)

    async def forget(self, request: str, *, unless: str = "") -> bool:
        """Remove a request that is settled, unless there is one of the other id."""

        def act(session: Session) -> bool:
            bound = self._sql.forget_request.bind(request=request, unless=unless)
            return session.one(bound) is not None

        return bool(await self._writer.call(act))

    async def start_of(self, run: RunId) -> tuple[Request, Settled | None] | None:
        """The start that was left under this id, and what became of it."""
        for *row, settled in await self._reader.all(self._sql.requests_to.bind(run=run)):
            request = records.request_if_known(*row)
            if request is not None and request.kind == "start":
                return request, records.settled_of(settled) if settled is not None else None
        return None
