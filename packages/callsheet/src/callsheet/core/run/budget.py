"""A run's pot: what is spent, what is reserved, and whether a call still fits under the caps."""

from __future__ import annotations

from callsheet.core.plan.plan import NOTHING, Budget, Cost

_CURRENCIES = ("usd", "credits", "tokens")


class Pot:
    """Reserve before the call, settle after it. `spent + reserved` never exceeds a cap by starts.

    A call that turns out dearer than its ceiling is charged in full all the same; `overrun` then
    says so, and nothing further may start. Calls are counted when they start.
    """

    __slots__ = (
        "_capped",
        "_keeps",
        "_open",
        "calls",
        "caps",
        "is_open",
        "kept",
        "reserved",
        "spent",
    )

    def __init__(self, caps: Budget | None) -> None:
        self.caps = caps or Budget()
        self._capped = tuple(name for name in _CURRENCIES if getattr(self.caps, name) is not None)
        self.is_open = not self._capped and self.caps.calls is None
        """Whether nothing is capped: everything fits."""
        self.spent = NOTHING
        self.reserved = NOTHING
        """For calls whose outcome is not known yet."""
        self.kept = NOTHING
        """For undos that may be owed; released when they are done, or never."""
        self.calls = 0
        self._open = self._keeps = 0
        """How many amounts are reserved and kept: where there are none, nothing is left over."""

    def copy(self) -> Pot:
        """A pot as full as this one, to try on it what would fit."""
        pot: Pot = Pot.__new__(Pot)
        pot.caps, pot.is_open, pot.calls = self.caps, self.is_open, self.calls
        pot.spent, pot.reserved, pot.kept = self.spent, self.reserved, self.kept
        pot._capped, pot._open, pot._keeps = self._capped, self._open, self._keeps
        return pot

    def fits(self, amount: Cost) -> bool:
        """Whether one more call of at most this amount may start now."""
        if self._lacks_calls(amount, self.reserved.calls):
            return False
        return not self._capped or self._short_of(amount, self.reserved) is None

    def may_fit_later(self, amount: Cost) -> bool:
        """Whether it would fit if every call that is open cost nothing."""
        if self._lacks_calls(amount, 0):
            return False
        return self._short_of(amount, NOTHING) is None

    def _lacks_calls(self, amount: Cost, open_: int) -> bool:
        # A call is one; a sub-plan sets all of its calls aside.
        cap = self.caps.calls
        return cap is not None and self.calls + open_ + max(amount.calls, 1) > cap

    def reserve(self, amount: Cost) -> None:
        """Set an amount aside."""
        if amount != NOTHING:
            self._open += 1
            self.reserved = self.reserved.plus(amount)

    def release(self, amount: Cost) -> None:
        """Give a reservation back."""
        if amount != NOTHING:
            self._open -= 1
            self.reserved = self.reserved.minus(amount) if self._open else NOTHING

    def keep(self, amount: Cost) -> None:
        """Set an amount aside for an undo."""
        if amount != NOTHING:
            self._keeps += 1
            self.kept = self.kept.plus(amount)

    def unkeep(self, amount: Cost) -> None:
        """The undo is done, or will never be."""
        if amount != NOTHING:
            self._keeps -= 1
            self.kept = self.kept.minus(amount) if self._keeps else NOTHING

    def charge(self, amount: Cost) -> None:
        """Take what was really spent."""
        self.spent = self.spent.plus(amount)
        self.calls += amount.calls

    @property
    def overrun(self) -> str | None:
        """The first cap that has been passed, in words; None while all hold."""
        for currency in self._capped:
            cap, spent = getattr(self.caps, currency), getattr(self.spent, currency)
            if spent > cap:
                return f"{spent:g} {currency} spent of {cap:g}"
        return None

    def shortage(self, amount: Cost) -> str:
        """Why the amount does not fit, in words."""
        if currency := self._short_of(amount, NOTHING):
            cap, wanted = getattr(self.caps, currency), getattr(amount, currency)
            left = max(cap - getattr(self.spent, currency) - getattr(self.kept, currency), 0)
            return f"the call may cost {wanted:g} {currency}, {left:g} of {cap:g} are left"
        if amount.calls > 1:
            left = (self.caps.calls or 0) - self.calls
            return f"it may make {amount.calls} calls, {left} of {self.caps.calls} are left"
        return f"{self.calls} of {self.caps.calls} calls are used up"

    def _short_of(self, amount: Cost, open_: Cost) -> str | None:
        """The currency in which the amount does not fit beside what is spent, kept and open."""
        for currency in self._capped:
            wanted = getattr(amount, currency)
            used = sum(getattr(part, currency) for part in (self.spent, self.kept, open_))
            if wanted > 0 and round(used + wanted, 9) > getattr(self.caps, currency):
                return currency
        return None
