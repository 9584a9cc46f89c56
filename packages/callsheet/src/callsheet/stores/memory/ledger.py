"""The ledger in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.index.ledger import Books, Posting
from callsheet.stores.sql.keyed import other_content

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.index.derived import Derived
    from callsheet.core.index.ledger import Account
    from callsheet.core.plan.plan import Cost
    from callsheet.errors import LedgerShortError
    from callsheet.stores.memory.contents import Contents


class MemoryLedger:
    """`Ledger` in memory."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

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
        self._contents.writable()
        content = msgspec.json.encode([amount, note, by]).decode()
        place = f"ledger:{tenant}:{key}"
        if key is not None and (made := self._contents.writes.get(place)):
            if made[0] != content:
                raise other_content(key)
            return msgspec.json.decode(made[1], type=Posting)
        books = self._books()
        posting = books.grant(tenant, amount, at, note=note, by=by).posting()
        self._keep(books)
        if key is not None:
            self._contents.writes[place] = content, msgspec.json.encode(posting).decode()
        return posting

    async def account(self, tenant: str) -> Account | None:
        """Where a tenant stands; None: there is no account."""
        standing = self._contents.accounts.get(tenant)
        return standing.account() if standing else None

    async def accounts(self) -> Sequence[Account]:
        """All accounts, by tenant."""
        return [standing.account() for _, standing in sorted(self._contents.accounts.items())]

    async def postings(
        self, tenant: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Sequence[Posting]:
        """The lines of an account, in order; from `since` on and before `until`."""
        return [
            line.posting()
            for line in self._contents.lines
            if line.tenant == tenant
            and (since is None or line.at >= since)
            and (until is None or line.at < until)
        ]

    def post(self, run: str, derived: Derived) -> LedgerShortError | None:
        """Post what an append says; or say why it cannot be made, and post nothing."""
        books = self._books()
        if derived.hold is not None:
            hold = derived.hold
            refusal = books.reserve(run, hold.tenant, hold.amount, hold.at)
            if refusal is not None:
                return refusal
        for bill in derived.bills:
            books.settle(run, bill.amount, bill.at)
        self._keep(books)
        return None

    def forget(self, run: str) -> None:
        """Drop what a deleted run held; its postings stay."""
        self._contents.reservations.pop(run, None)

    def _books(self) -> Books:
        return Books(self._contents.accounts.get, self._contents.reservations.get)

    def _keep(self, books: Books) -> None:
        self._contents.accounts.update(books.standings)
        self._contents.reservations.update(books.reservations)
        self._contents.lines.extend(books.lines)
