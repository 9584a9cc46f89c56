"""Tenants' accounts: what they were granted, what is reserved and what is spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.plan import Cost

PostingKind = Literal["grant", "reserve", "charge", "refund"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One line of a tenant's account. Amounts are exact to a billionth."""

    number: int
    """Counted from 1 in each account; never reused."""
    tenant: str
    at: datetime
    kind: PostingKind
    amount: Cost
    """Never negative; what the kind does with it says `Account`."""
    run: str | None = None
    note: str = ""
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where a tenant stands: `granted = available + reserved + spent`, always.

    A grant adds to available. A reservation moves from available to reserved. A charge moves from
    reserved to spent, and what it exceeds the reservation by from available (which may then be
    below zero). A refund moves what is left of a reservation back.
    """

    tenant: str
    granted: Cost
    available: Cost
    reserved: Cost
    spent: Cost


class Ledger(Protocol):
    """Tenants' accounts. A tenant without one is not limited.

    Runs post by themselves, in the transaction of the append: `RunStarted.reserves` is reserved,
    or the append is refused; `RunEnded.spent` is charged (less what was charged before, when an
    ended run was undone) and the rest refunded. Deleting a run deletes no posting.
    """

    async def grant(
        self, tenant: str, amount: Cost, *, at: datetime, note: str = "", by: str | None = None
    ) -> Posting:
        """Put something into an account; opens it if there is none."""
        ...

    async def account(self, tenant: str) -> Account | None:
        """Where a tenant stands; None: there is no account."""
        ...

    async def accounts(self) -> Sequence[Account]:
        """All accounts, by tenant."""
        ...

    async def postings(
        self, tenant: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Sequence[Posting]:
        """The lines of an account, in order; from `since` on and before `until`."""
        ...
