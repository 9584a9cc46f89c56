"""The statements of the ledger."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update

from callsheet.stores.compiling import Compiled, is_
from callsheet.stores.schema import accounts, postings, reservations

if TYPE_CHECKING:
    from callsheet.stores.compiled import Statement


class LedgerStatements(Compiled):
    """What is said about accounts."""

    @cached_property
    def open_account(self) -> Statement:
        """Add an account."""
        return self._compile(insert(accounts))

    @cached_property
    def account(self) -> Statement:
        """Where a tenant stands."""
        return self._compile(select(accounts).where(is_(accounts.c.tenant)))

    @cached_property
    def account_to_change(self) -> Statement:
        """The same; until the transaction ends nobody else changes it."""
        query = select(accounts).where(is_(accounts.c.tenant)).with_for_update()
        return self._compile(query)

    @cached_property
    def change_account(self) -> Statement:
        """Say where a tenant stands now."""
        changed = [column for column in accounts.c if not column.primary_key]
        query = (
            update(accounts)
            .where(accounts.c.tenant == bindparam("whose"))
            .values({column.name: bindparam(column.name) for column in changed})
        )
        return self._compile(query)

    @cached_property
    def accounts(self) -> Statement:
        """All accounts, by tenant."""
        return self._compile(select(accounts).order_by(accounts.c.tenant))

    @cached_property
    def post(self) -> Statement:
        """Add a line to an account."""
        return self._compile(insert(postings))

    @cached_property
    def posting(self) -> Statement:
        """A line of an account."""
        query = select(postings).where(is_(postings.c.tenant), is_(postings.c.number))
        return self._compile(query)

    @cached_property
    def postings(self) -> Statement:
        """The lines of an account between two times, in order."""
        query = (
            select(postings)
            .where(
                is_(postings.c.tenant),
                postings.c.at >= bindparam("since"),
                postings.c.at < bindparam("until"),
            )
            .order_by(postings.c.number)
        )
        return self._compile(query)

    @cached_property
    def hold(self) -> Statement:
        """Add what a run holds."""
        return self._compile(insert(reservations))

    @cached_property
    def held(self) -> Statement:
        """What a run holds, and has been charged."""
        return self._compile(select(reservations).where(is_(reservations.c.run)))

    @cached_property
    def change_hold(self) -> Statement:
        """Say what a run holds now, and has been charged."""
        changed = [column for column in reservations.c if not column.primary_key]
        query = (
            update(reservations)
            .where(reservations.c.run == bindparam("whose"))
            .values({column.name: bindparam(column.name) for column in changed})
        )
        return self._compile(query)

    @cached_property
    def forget_hold(self) -> Statement:
        """Remove what a run held; its postings stay."""
        return self._compile(delete(reservations).where(is_(reservations.c.run)))
