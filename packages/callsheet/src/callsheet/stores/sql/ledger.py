"""`Ledger` on SQL: accounts and their lines are rows, changed with the entries they follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.index.ledger import Posting
from callsheet.stores.sql.keyed import Key
from callsheet.stores.sql.ledger_rows import (
    EVER,
    NEVER,
    books_of,
    line_of,
    standing_of,
    write_books,
)
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.index.ledger import Account
    from callsheet.core.plan.plan import Cost
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session


class SqlLedger:
    """`Ledger` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def grant(
        self,
        tenant: str,
        amount: Cost,
        *,
        at: datetime,
        note: str = "",
        by: str | None = None,
        key: str | None = None,
    ) -> Posting:
        """Put something into an account; opens it if there is none."""
        sql = self._sql
        content = value.digest([msgspec.to_builtins(amount), note, by])
        once = Key(scope=f"ledger:{tenant}", key=key, content=content)

        def act(session: Session) -> Posting:
            if made := once.answer(session, sql):
                return msgspec.json.decode(made, type=Posting)
            books = books_of(session, sql)
            posting = books.grant(tenant, amount, at, note=note, by=by).posting()
            write_books(session, sql, books)
            once.keep(session, sql, msgspec.json.encode(posting).decode(), at)
            return posting

        posting = await self._writer.call(act)
        assert isinstance(posting, Posting)
        return posting

    async def account(self, tenant: str) -> Account | None:
        """Where a tenant stands; None: there is no account."""
        row = await self._reader.one(self._sql.account.bind(tenant=tenant))
        return standing_of(row).account() if row else None

    async def accounts(self) -> Sequence[Account]:
        """All accounts, by tenant."""
        return await self._reader.apart(self._sql.accounts.bind(), _accounts)

    async def postings(
        self, tenant: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Sequence[Posting]:
        """The lines of an account, in order; from `since` on and before `until`."""
        query = self._sql.postings.bind(
            tenant=tenant,
            since=stamp(since) if since else EVER,
            until=stamp(until) if until else NEVER,
        )
        return await self._reader.apart(query, _postings)


def _accounts(rows: list[Row]) -> Sequence[Account]:
    return [standing_of(row).account() for row in rows]


def _postings(rows: list[Row]) -> Sequence[Posting]:
    return [line_of(row).posting() for row in rows]
