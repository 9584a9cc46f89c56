"""The pot: reserve before the call, settle after it, and never promise the same twice."""

from __future__ import annotations

import pytest

from callsheet.core.plan.plan import NOTHING, Budget, Cost
from callsheet.core.run.budget import Pot


def a_pot(**caps: float) -> Pot:
    # The caps are those of a budget, whatever they are.
    return Pot(Budget(**caps))  # type: ignore[arg-type]


def test_without_caps_everything_fits() -> None:
    pot = Pot(None)
    pot.reserve(Cost(usd=1e9))
    assert pot.fits(Cost(usd=1e9, tokens=10**12))
    assert pot.may_fit_later(Cost(credits=1e9))
    pot.charge(Cost(usd=1e12))
    assert pot.overrun is None


@pytest.mark.requirement("budget:cap-never-exceeded")
def test_what_is_spent_reserved_and_kept_counts_against_the_cap() -> None:
    pot = a_pot(usd=1.0)
    pot.charge(Cost(usd=0.3))
    pot.reserve(Cost(usd=0.3))
    pot.keep(Cost(usd=0.3))
    assert pot.fits(Cost(usd=0.1))
    assert not pot.fits(Cost(usd=0.2))
    assert pot.may_fit_later(Cost(usd=0.2)), "the open call may turn out to cost nothing"
    assert not pot.may_fit_later(Cost(usd=0.5)), "what is kept for an undo does not come back"
    assert pot.shortage(Cost(usd=0.5)) == "the call may cost 0.5 usd, 0.4 of 1 are left"


def test_a_call_that_costs_nothing_fits_into_a_full_pot() -> None:
    pot = a_pot(usd=1.0, tokens=5)
    pot.charge(Cost(usd=1.0))
    assert pot.fits(NOTHING)
    assert pot.fits(Cost(tokens=5))
    assert not pot.fits(Cost(tokens=6))
    assert not pot.fits(Cost(usd=0.000000001))


def test_caps_are_compared_without_binary_dust() -> None:
    pot = a_pot(usd=0.3)
    pot.charge(Cost(usd=0.1))
    assert pot.fits(Cost(usd=0.2))


def test_calls_are_counted_when_they_start_and_none_comes_back() -> None:
    pot = a_pot(calls=1)
    assert pot.fits(NOTHING)
    pot.calls += 1
    assert not pot.fits(NOTHING)
    assert not pot.may_fit_later(NOTHING)
    assert pot.shortage(NOTHING) == "1 of 1 calls are used up"


@pytest.mark.parametrize("currency", ["usd", "credits", "tokens"])
def test_an_overrun_is_said_in_words(currency: str) -> None:
    pot = a_pot(**{currency: 2})
    pot.charge(Cost(**{currency: 2}))
    assert pot.overrun is None
    pot.charge(Cost(**{currency: 1}))
    assert pot.overrun == f"3 {currency} spent of 2"


def test_a_shortage_never_says_that_less_than_nothing_is_left() -> None:
    pot = a_pot(usd=1.0)
    pot.charge(Cost(usd=3.0))
    assert pot.shortage(Cost(usd=0.5)) == "the call may cost 0.5 usd, 0 of 1 are left"


def test_a_shortage_of_calls_is_said_in_words() -> None:
    pot = a_pot(calls=3)
    pot.calls = 2
    assert pot.shortage(NOTHING) == "2 of 3 calls are used up"
    assert pot.shortage(Cost(calls=4)) == "it may make 4 calls, 1 of 3 are left"


@pytest.mark.parametrize("amount", [0.3333333333, 1e9 + 0.1, 1e-10])
def test_when_everything_is_released_nothing_is_left_over(amount: float) -> None:
    pot = a_pot(usd=2e9)
    dear, odd = Cost(usd=amount), Cost(usd=0.7)
    for set_aside, give_back in ((pot.reserve, pot.release), (pot.keep, pot.unkeep)):
        for part in (dear, odd, dear, NOTHING):
            set_aside(part)
        for part in (odd, NOTHING, dear, dear):
            give_back(part)
    # Dust would make a step that needs the whole cap wait for a release that never comes.
    assert pot.reserved == NOTHING
    assert pot.kept == NOTHING
