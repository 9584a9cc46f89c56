"""Accounts and rows: how one becomes the other, inside a transaction that has begun."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from callsheet.core.index.ledger import Books, Line, Reservation, Standing
from callsheet.core.plan.amount import Amount
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from callsheet.stores.sql.session import Row, Session
    from callsheet.stores.sql.statements import Param, Statements

EVER, NEVER = "", "~"
"""Before and after every time, as text."""


def books_of(session: Session, sql: Statements) -> Books:
    """The accounts, as a transaction that has begun sees them."""

    def account(tenant: str) -> Standing | None:
        row = session.one(sql.account_to_change.bind(tenant=tenant))
        return standing_of(row) if row else None

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
            values = dict(zip(sql.open_account.names, row, strict=True))
            session.do(sql.change_account.bind(**values))
    new = [held for held in books.reservations.values() if books.is_new(held)]
    if new:
        session.insert(sql.hold.text, [_reservation_row(held) for held in new])
    for held in books.reservations.values():
        if not books.is_new(held):
            values = dict(zip(sql.hold.names, _reservation_row(held), strict=True))
            session.do(sql.change_hold.bind(**values))
    if books.lines:
        session.insert(sql.post.text, [line_row(line) for line in books.lines])


def _standing_row(standing: Standing) -> tuple[Param, ...]:
    amounts = (*standing.granted, *standing.available, *standing.reserved, *standing.spent)
    at = standing.posted_at
    return (standing.tenant, *amounts, standing.postings, stamp(at) if at else EVER)


def standing_of(row: Row) -> Standing:
    """The account that a row stands for."""
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


def line_row(line: Line) -> tuple[Param, ...]:
    """A line as a row."""
    at = stamp(line.at)
    return (line.tenant, line.number, at, line.kind, *line.amount, line.run, line.note, line.by)


def line_of(row: Row) -> Line:
    """The line that a row stands for."""
    tenant, number, at, kind, usd, credits_, tokens, run, note, by = row
    return Line(
        tenant=tenant,
        number=number,
        at=datetime.fromisoformat(at),
        kind=kind,
        amount=Amount(usd, credits_, tokens),
        run=run,
        note=note,
        by=by,
    )
