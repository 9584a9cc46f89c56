"""Tenants' accounts: what they were granted, what is reserved and what is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.index.ledger import Account, Posting
    from callsheet.core.plan.plan import Cost


class Ledger(Protocol):
    """Tenants' accounts. A tenant without one is not limited.

    Runs post by themselves, in the transaction of the append: `RunStarted.reserves` is reserved,
    or the append is refused; `RunEnded.spent` is charged (less what was charged before, when an
    ended run was undone) and the rest refunded. Deleting a run deletes no posting.
    """

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
        """Put something into an account; opens it if there is none.

        The same key of a tenant is the same grant, however often it is made.

        Raises:
            KeyReusedError: another amount, note or person was granted with the key.
        """
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
