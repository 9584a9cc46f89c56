"""Amounts of money as whole numbers: what accounts are kept in, so that they add up exactly.

USD and credits are counted in billionths (nano-units), tokens one by one. Calls are no money: a
run's budget may cap them, an account has none. As a `Cost`, with its binary fractions, an amount
is exact up to eight million.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from callsheet.core.plan.plan import Cost

PER_UNIT = 10**9
MOST = 10**18
"""Of each currency, in one amount: a billion USD. What is more (or infinite) counts as this."""


class Amount(NamedTuple):
    """So much of each currency."""

    usd: int = 0
    """In billionths."""
    credits: int = 0
    """In billionths."""
    tokens: int = 0

    def plus(self, other: Amount) -> Amount:
        """The sum."""
        return Amount(*(a + b for a, b in zip(self, other, strict=True)))

    def minus(self, other: Amount) -> Amount:
        """What is left when the other is taken away; may be below zero."""
        return Amount(*(a - b for a, b in zip(self, other, strict=True)))

    def least(self, other: Amount) -> Amount:
        """The smaller of both, currency by currency."""
        return Amount(*(min(a, b) for a, b in zip(self, other, strict=True)))

    def beyond(self, other: Amount) -> Amount:
        """By how much it exceeds the other, currency by currency; never below zero."""
        return Amount(*(max(a - b, 0) for a, b in zip(self, other, strict=True)))

    def covers(self, wanted: Amount) -> bool:
        """Whether there is enough for this; what is not wanted need not be there."""
        return all(not b or b <= a for a, b in zip(self, wanted, strict=True))

    def cost(self) -> Cost:
        """The same, as costs are written."""
        return Cost(usd=self.usd / PER_UNIT, credits=self.credits / PER_UNIT, tokens=self.tokens)


ZERO = Amount()


def amount_of(cost: Cost) -> Amount:
    """A cost as an amount, to the nearest billionth; calls are left out."""
    if not (cost.usd or cost.credits or cost.tokens):
        return ZERO
    return Amount(_nano(cost.usd), _nano(cost.credits), max(-MOST, min(cost.tokens, MOST)))


def _nano(units: float) -> int:
    if not units:
        return 0
    # Exactly what the binary fraction is: nothing is lost before it is rounded once.
    exact = Decimal(units)
    if not abs(exact) < MOST // PER_UNIT:
        return MOST if units > 0 else -MOST
    return round(exact * PER_UNIT)


def spelled(amount: Amount) -> str:
    """An amount for people: `2.5 USD, 100 tokens`; `nothing` if it is that."""
    parts = [
        f"{Decimal(amount.usd) / PER_UNIT:f} USD" if amount.usd else "",
        f"{Decimal(amount.credits) / PER_UNIT:f} credits" if amount.credits else "",
        f"{amount.tokens} tokens" if amount.tokens else "",
    ]
    return ", ".join(filter(None, parts)) or "nothing"
