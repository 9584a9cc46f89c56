"""Bookkeeping: what grants, starts and ends of runs do to accounts. Pure; nothing is stored here.

`Books` are the accounts as one transaction sees and changes them. Every store hands them what is
kept and keeps what comes out, so that all of them count alike.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from callsheet.core.plan.amount import MOST, ZERO, Amount, amount_of, spelled
from callsheet.core.plan.plan import NOTHING, Budget, Cost, Plan
from callsheet.errors import InputError, LedgerShortError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json


PostingKind = Literal["grant", "reserve", "charge", "refund"]

_GRANTED = Amount(MOST - 1, MOST - 1, MOST - 1)
_SPENT = Amount(8 * MOST, 8 * MOST, 8 * MOST)
"""With these two bounds, no column of an account ever needs more than 64 bits."""


class Posting(msgspec.Struct, frozen=True, kw_only=True):
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

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field, the amount with every currency of an account."""
        return {
            "number": self.number,
            "tenant": self.tenant,
            "at": msgspec.to_builtins(self.at),
            "kind": self.kind,
            "amount": _amount_json(self.amount),
            "run": self.run,
            "note": self.note,
            "by": self.by,
        }


class Account(msgspec.Struct, frozen=True, kw_only=True):
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

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field, amounts with every currency of an account."""
        return {
            "tenant": self.tenant,
            "granted": _amount_json(self.granted),
            "available": _amount_json(self.available),
            "reserved": _amount_json(self.reserved),
            "spent": _amount_json(self.spent),
        }


def _amount_json(cost: Cost) -> dict[str, Json]:
    return {"usd": cost.usd, "credits": cost.credits, "tokens": cost.tokens}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """An account, exactly."""

    tenant: str
    granted: Amount = ZERO
    available: Amount = ZERO
    reserved: Amount = ZERO
    spent: Amount = ZERO
    postings: int = 0
    """How many there are: the number of the last."""
    posted_at: datetime | None = None
    """When the last one was made."""

    def account(self) -> Account:
        """As the port shows it."""
        return Account(
            tenant=self.tenant,
            granted=self.granted.cost(),
            available=self.available.cost(),
            reserved=self.reserved.cost(),
            spent=self.spent.cost(),
        )


class Reservation(msgspec.Struct, frozen=True, kw_only=True):
    """What a run holds of its tenant's account, and what it has been charged so far."""

    run: str
    tenant: str
    held: Amount
    charged: Amount = ZERO


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A posting, exactly."""

    tenant: str
    number: int
    at: datetime
    kind: PostingKind
    amount: Amount
    run: str | None = None
    note: str = ""
    by: str | None = None

    def posting(self) -> Posting:
        """As the port shows it."""
        return Posting(
            number=self.number,
            tenant=self.tenant,
            at=self.at,
            kind=self.kind,
            amount=self.amount.cost(),
            run=self.run,
            note=self.note,
            by=self.by,
        )


class Books:
    """Accounts in one transaction: what was kept, and what has changed since it began."""

    def __init__(
        self,
        account: Callable[[str], Standing | None],
        reservation: Callable[[str], Reservation | None],
    ) -> None:
        """Begin, with the ways to look up what is kept."""
        self._account = account
        self._reservation = reservation
        self._kept: set[str] = set()
        self._opened: set[str] = set()
        self.standings: dict[str, Standing] = {}
        """Accounts that were looked at or changed, as they are now."""
        self.reservations: dict[str, Reservation] = {}
        """Reservations that were made or changed."""
        self.lines: list[Line] = []
        """Postings, in the order they were made."""

    def is_new(self, reservation: Reservation) -> bool:
        """Whether a reservation was made in this transaction."""
        return reservation.run not in self._kept

    def is_opened(self, standing: Standing) -> bool:
        """Whether an account was opened in this transaction."""
        return standing.tenant in self._opened

    def grant(self, tenant: str, cost: Cost, at: datetime, *, note: str, by: str | None) -> Line:
        """Put something into an account; opens it if there is none.

        Raises:
            InputError: it is below zero, or the account would be too large.
        """
        amount = amount_of(cost)
        kept = self._standing(tenant)
        standing = kept or Standing(tenant=tenant)
        granted = standing.granted.plus(amount)
        if amount.beyond(ZERO) != amount or not _GRANTED.covers(granted):
            raise InputError(
                f"{spelled(amount)} cannot be granted to {tenant!r}: a grant is not below zero, "
                "and all grants of an account together are less than a billion."
            )
        changed = replace(standing, granted=granted, available=standing.available.plus(amount))
        line = Line(tenant=tenant, number=0, at=at, kind="grant", amount=amount, note=note, by=by)
        self._post(changed, line)
        if kept is None:
            self._opened.add(tenant)
        return self.lines[-1]

    def reserve(
        self, run: str, tenant: str, wanted: Amount, at: datetime
    ) -> LedgerShortError | None:
        """Set something aside for a run; or say why that cannot be."""
        standing = self._standing(tenant)
        if standing is None or not standing.available.covers(wanted):
            return _short(tenant, wanted, standing)
        changed = replace(
            standing,
            available=standing.available.minus(wanted),
            reserved=standing.reserved.plus(wanted),
        )
        self._post(changed, _line(changed, "reserve", wanted, at, run))
        # One that is reopened was charged before, and is not charged for that again.
        before = self._reservation_of(run)
        charged = before.charged if before else ZERO
        self.reservations[run] = Reservation(run=run, tenant=tenant, held=wanted, charged=charged)
        return None

    def settle(self, run: str, spent: Amount, at: datetime) -> None:
        """Charge what a run has cost and was not charged yet; give back what is left of its hold.

        A run that has reserved nothing posts nothing.
        """
        reservation = self._reservation_of(run)
        standing = self._standing(reservation.tenant) if reservation else None
        if reservation is None or standing is None:
            return
        charge = spent.beyond(reservation.charged).least(_SPENT.minus(standing.spent))
        from_hold = charge.least(reservation.held)
        refund = reservation.held.minus(from_hold)
        charged = replace(
            standing,
            reserved=standing.reserved.minus(from_hold),
            available=standing.available.minus(charge.minus(from_hold)),
            spent=standing.spent.plus(charge),
        )
        if charge != ZERO:
            charged = self._post(charged, _line(charged, "charge", charge, at, run))
        if refund != ZERO:
            refunded = replace(
                charged,
                reserved=charged.reserved.minus(refund),
                available=charged.available.plus(refund),
            )
            self._post(refunded, _line(refunded, "refund", refund, at, run))
        self.reservations[run] = replace(
            reservation, held=ZERO, charged=reservation.charged.plus(charge)
        )

    def _standing(self, tenant: str) -> Standing | None:
        known = self.standings.get(tenant)
        if known is None:
            known = self._account(tenant)
            if known is not None:
                self.standings[tenant] = known
        return known

    def _reservation_of(self, run: str) -> Reservation | None:
        known = self.reservations.get(run)
        if known is None:
            known = self._reservation(run)
            if known is not None:
                self._kept.add(run)
        return known

    def _post(self, standing: Standing, line: Line) -> Standing:
        # Lines of an account are in order of time, whoever's clock says otherwise: so a statement
        # from one day to another is a piece of the account without holes.
        last = standing.posted_at
        at = line.at if last is None else max(line.at, last)
        number = standing.postings + 1
        self.lines.append(replace(line, number=number, at=at))
        standing = replace(standing, postings=number, posted_at=at)
        self.standings[standing.tenant] = standing
        return standing


def _line(standing: Standing, kind: PostingKind, amount: Amount, at: datetime, run: str) -> Line:
    return Line(tenant=standing.tenant, number=0, at=at, kind=kind, amount=amount, run=run)


def _short(tenant: str, wanted: Amount, standing: Standing | None) -> LedgerShortError:
    if standing is None:
        return LedgerShortError(
            f"Tenant {tenant!r} has no account, and the run would set {spelled(wanted)} aside. "
            f"Open one: callsheet ledger grant {tenant} …"
        )
    return LedgerShortError(
        f"The account of {tenant!r} has {spelled(standing.available)} available, and the run would "
        f"set {spelled(wanted)} aside. Grant more (callsheet ledger grant {tenant} …), lower the "
        f"plan's budget, or wait for other runs to end: {spelled(standing.reserved)} is reserved."
    )


def reservation(plan: Plan, tenant: str, account: Account | None) -> Cost:
    """What a run sets aside of its tenant's account; one without an account is not limited.

    Raises:
        LedgerShortError: there is something in the account that the plan has no cap on.
    """
    if account is None:
        return NOTHING
    caps = plan.budget or Budget()
    for currency in ("usd", "credits", "tokens"):
        if getattr(account.granted, currency) and getattr(caps, currency) is None:
            raise LedgerShortError(
                f"Tenant {tenant!r} has an account in {currency}, and the plan has no cap on it. "
                f"Write `budget: {{{currency}: …}}`."
            )
    return Cost(usd=caps.usd or 0.0, credits=caps.credits or 0.0, tokens=caps.tokens or 0)
