"""`Ledger` on SQL: accounts and their lines are rows, changed with the entries they follow from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from callsheet.core.amount import Amount
from callsheet.ports import Posting
from callsheet.stores.books import Books, Line, Reservation, Standing
from callsheet.stores.schema import accounts, reservations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.plan import Cost
    from callsheet.ports import Account
    from callsheet.stores.access import Access
    from callsheet.stores.session import Row, Session
    from callsheet.stores.statements import Param, Statements

_EVER, _NEVER = "", "~"
"""Before and after every time, as text."""


class SqlLedger:
    """`Ledger` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def grant(
        self, tenant: str, amount: Cost, *, at: datetime, note: str = "", by: str | None = None
    ) -> Posting:
        """Put something into an account; opens it if there is none."""
        tried: list[Line] = []

        def act(session: Session) -> Posting:
            # Called again after a connection that broke, nobody knows when: perhaps it is there.
            if tried and self._is_posted(session, tried[-1]):
                return tried[-1].posting()
            books = books_of(session, self._sql)
            tried.append(books.grant(tenant, amount, at, note=note, by=by))
            write_books(session, self._sql, books)
            return tried[-1].posting()

        posting = await self._writer.call(act)
        assert isinstance(posting, Posting)
        return posting

    def _is_posted(self, session: Session, line: Line) -> bool:
        row = session.one(self._sql.posting.bind(tenant=line.tenant, number=line.number))
        return row is not None and tuple(row) == _line_row(line)

    async def account(self, tenant: str) -> Account | None:
        """Where a tenant stands; None: there is no account."""
        row = await self._reader.one(self._sql.account.bind(tenant=tenant))
        return _standing(row).account() if row else None

    async def accounts(self) -> Sequence[Account]:
        """All accounts, by tenant."""
        return await self._reader.apart(self._sql.accounts.bind(), _accounts)

    async def postings(
        self, tenant: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Sequence[Posting]:
        """The lines of an account, in order; from `since` on and before `until`."""
        query = self._sql.postings.bind(
            tenant=tenant,
            since=_stamp(since) if since else _EVER,
            until=_stamp(until) if until else _NEVER,
        )
        return await self._reader.apart(query, _postings)


def books_of(session: Session, sql: Statements) -> Books:
    """The accounts, as a transaction that has begun sees them."""

    def account(tenant: str) -> Standing | None:
        row = session.one(sql.account_to_change.bind(tenant=tenant))
        return _standing(row) if row else None

    def reservation(run: str) -> Reservation | None:
        row = session.one(sql.held.bind(run=run))
        return _reservation(row) if row else None

    return Books(account, reservation)


def write_books(session: Session, sql: Statements, books: Books) -> None:
    """Write down what has changed."""
    for tenant in dict.fromkeys(line.tenant for line in books.lines):
        standing = books.standings[tenant]
        row = _standing_row(standing)
        if books.is_opened(standing):
            session.insert(sql.open_account.text, [row])
        else:
            values = dict(zip(_ACCOUNT, row, strict=True))
            session.do(sql.change_account.bind(whose=tenant, **values))
    new = [held for held in books.reservations.values() if books.is_new(held)]
    if new:
        session.insert(sql.hold.text, [_reservation_row(held) for held in new])
    for held in books.reservations.values():
        if not books.is_new(held):
            values = dict(zip(_RESERVATION, _reservation_row(held), strict=True))
            session.do(sql.change_hold.bind(whose=held.run, **values))
    if books.lines:
        session.insert(sql.post.text, [_line_row(line) for line in books.lines])


_ACCOUNT = tuple(column.name for column in accounts.columns)
_RESERVATION = tuple(column.name for column in reservations.columns)


def _standing_row(standing: Standing) -> tuple[Param, ...]:
    amounts = (*standing.granted, *standing.available, *standing.reserved, *standing.spent)
    at = standing.posted_at
    return (standing.tenant, *amounts, standing.postings, _stamp(at) if at else _EVER)


def _standing(row: Row) -> Standing:
    tenant, *amounts, postings, posted_at = row
    granted, available, reserved, spent = (Amount(*amounts[at : at + 3]) for at in (0, 3, 6, 9))
    return Standing(
        tenant=tenant,
        granted=granted,
        available=available,
        reserved=reserved,
        spent=spent,
        postings=postings,
        posted_at=datetime.fromisoformat(posted_at),
    )


def _reservation_row(held: Reservation) -> tuple[Param, ...]:
    return (held.run, held.tenant, *held.held, *held.charged)


def _reservation(row: Row) -> Reservation:
    run, tenant, *amounts = row
    held, charged = Amount(*amounts[:3]), Amount(*amounts[3:])
    return Reservation(run=run, tenant=tenant, held=held, charged=charged)


def _line_row(line: Line) -> tuple[Param, ...]:
    at = _stamp(line.at)
    return (line.tenant, line.number, at, line.kind, *line.amount, line.run, line.note, line.by)


def _accounts(rows: list[Row]) -> Sequence[Account]:
    return [_standing(row).account() for row in rows]


def _postings(rows: list[Row]) -> Sequence[Posting]:
    return [
        Line(
            tenant=tenant,
            number=number,
            at=datetime.fromisoformat(at),
            kind=kind,
            amount=Amount(usd, credits_, tokens),
            run=run,
            note=note,
            by=by,
        ).posting()
        for tenant, number, at, kind, usd, credits_, tokens, run, note, by in rows
    ]


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
