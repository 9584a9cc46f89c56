"""The door to tenants' accounts: `engine.ledger`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import given
from callsheet.core.index.ledger import Account, Posting, reservation
from callsheet.core.plan.amount import ZERO, Amount, amount_of
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.start import must_name_tenant
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Ledger

MOMENT = timedelta(seconds=1)
MOST_UNLIMITED = 10_000


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """An account over a time: where it stood, what was posted, where it stands after that."""

    tenant: str
    since: datetime | None
    until: datetime | None
    opening: Account
    postings: tuple[Posting, ...]
    closing: Account

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field, amounts with every currency of an account."""
        return {
            "tenant": self.tenant,
            "since": msgspec.to_builtins(self.since),
            "until": msgspec.to_builtins(self.until),
            "opening": self.opening.to_json(),
            "postings": [posting.to_json() for posting in self.postings],
            "closing": self.closing.to_json(),
        }


class TenantLedger:
    """Tenants' accounts. A tenant without one is not limited."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self._unlimited: dict[str, datetime] = {}
        """Tenants that had no account, and until when that is believed."""

    async def grant(  # noqa: PLR0913 -- the fields of a posting, and its key
        self,
        tenant: str,
        *,
        usd: float = 0.0,
        credits: float = 0.0,
        tokens: int = 0,
        note: str = "",
        by: str | None = None,
        key: str | None = None,
    ) -> Posting:
        """Add to a tenant's account; creates it if there is none.

        From then on a run of this tenant reserves its budget there when it starts. The same `key`
        is the same grant, however often it is made: whoever was not told what became of one makes
        it again.

        Raises:
            InputError: the tenant has no name, or the amount is none.
            KeyReusedError: something else was granted with the key.
        """
        must_name_tenant(given.text("tenant", tenant))
        usd, credits = given.number("usd", usd), given.number("credits", credits)
        given.whole("tokens", tokens)
        given.text("note", note)
        given.text_or_none("by", by)
        amount = Cost(usd=usd, credits=credits, tokens=tokens)
        posting = await self._ledger.grant(
            tenant, amount, at=self._clock.now(), note=note, by=by, key=key
        )
        self._unlimited.pop(tenant, None)
        return posting

    async def reservation(self, plan: Plan, tenant: str) -> Cost:
        """What a run sets aside of its tenant's account when it starts.

        That a tenant has none is believed for a moment: nearly no tenant has, and every start asks.
        So an account that another process opens holds for runs that start a moment later.

        Raises:
            LedgerShortError: there is something in the account that the plan has no cap on.
        """
        now = self._clock.now()
        if now < self._unlimited.get(tenant, now):
            return NOTHING
        account = await self._ledger.account(tenant)
        if account is None:
            if len(self._unlimited) >= MOST_UNLIMITED:
                self._unlimited.clear()
            self._unlimited[tenant] = now + MOMENT
        return reservation(plan, tenant, account)

    def of(self, tenant: str) -> OwnAccount:
        """The account of one tenant, for whoever may see no other."""
        return OwnAccount(self, tenant)

    async def account(self, tenant: str) -> Account | None:
        """Where a tenant stands; None: there is no account."""
        must_name_tenant(given.text("tenant", tenant))
        return await self._ledger.account(tenant)

    async def accounts(self) -> Sequence[Account]:
        """All accounts, by tenant."""
        return await self._ledger.accounts()

    async def statement(
        self, tenant: str, since: datetime | None = None, until: datetime | None = None
    ) -> Statement:
        """What was posted from `since` on and before `until`, and where the account stood.

        Raises:
            InputError: there is no account.
        """
        for name, found in (("since", since), ("until", until)):
            if found is not None:
                given.of_type(name, found, datetime, "a datetime")
        if await self.account(tenant) is None:
            raise InputError(
                f"Tenant {tenant!r} has no account. `callsheet ledger show` lists those there are."
            )
        lines = await self._ledger.postings(tenant, until=until)
        before = 0
        if since is not None:
            # Lines are in order of time: what was before is a beginning, without holes.
            before = sum(line.at < since for line in lines)
        return Statement(
            tenant=tenant,
            since=since,
            until=until,
            opening=account_after(tenant, lines[:before]),
            postings=tuple(lines[before:]),
            closing=account_after(tenant, lines),
        )


class OwnAccount:
    """A tenant's account, to be looked at; whoever runs the engine puts something in."""

    def __init__(self, ledger: TenantLedger, tenant: str) -> None:
        self._ledger = ledger
        self._tenant = tenant

    async def account(self) -> Account | None:
        """Where it stands; None: there is none, and nothing is limited."""
        return await self._ledger.account(self._tenant)

    async def statement(
        self, since: datetime | None = None, until: datetime | None = None
    ) -> Statement:
        """What was posted from `since` on and before `until`, and where the account stood.

        Raises:
            InputError: there is no account.
        """
        return await self._ledger.statement(self._tenant, since, until)


def account_after(tenant: str, postings: Iterable[Posting]) -> Account:
    """Where an account stands after these lines, all from its first."""
    granted = available = reserved = spent = ZERO
    held: dict[str | None, Amount] = {}
    for line in postings:
        amount, hold = amount_of(line.amount), held.get(line.run, ZERO)
        if line.kind == "grant":
            granted, available = granted.plus(amount), available.plus(amount)
        elif line.kind == "reserve":
            available, reserved = available.minus(amount), reserved.plus(amount)
            held[line.run] = hold.plus(amount)
        elif line.kind == "refund":
            available, reserved = available.plus(amount), reserved.minus(amount)
            held[line.run] = hold.minus(amount)
        else:
            from_hold = amount.least(hold)
            reserved = reserved.minus(from_hold)
            available = available.minus(amount.minus(from_hold))
            spent = spent.plus(amount)
            held[line.run] = hold.minus(from_hold)
    return Account(
        tenant=tenant,
        granted=granted.cost(),
        available=available.cost(),
        reserved=reserved.cost(),
        spent=spent.cost(),
    )
