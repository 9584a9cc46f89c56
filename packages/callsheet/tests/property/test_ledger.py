"""Accounts add up after everything, and so does every statement, whatever the history."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core.plan.amount import ZERO, Amount, amount_of
from callsheet.core.plan.plan import Cost
from callsheet.engine.ledger import Statement, TenantLedger
from callsheet.errors import LedgerShortError
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock
from callsheet.testing.contracts import samples

if TYPE_CHECKING:
    from callsheet.core.index.ledger import Account

pytestmark = pytest.mark.requirement("E16", "budget:ledger-adds-up")

TENANTS = ("acme", "zen")
NANO = 10**9

AMOUNTS = st.builds(
    Amount,
    st.integers(0, 5 * NANO),
    st.sampled_from([0, 1, 333_333_333]),
    st.integers(0, 4),
)


@dataclass(frozen=True)
class Grant:
    tenant: str
    amount: Amount


@dataclass(frozen=True)
class Start:
    tenant: str
    amount: Amount


@dataclass(frozen=True)
class End:
    """A run ends (again) with so much more spent than before."""

    which: int
    more: Amount
    back: int = 0
    """Seconds that its clock is late."""


@dataclass(frozen=True)
class Delete:
    which: int


HISTORIES = st.lists(
    st.one_of(
        st.builds(Grant, st.sampled_from(TENANTS), AMOUNTS),
        st.builds(Start, st.sampled_from(TENANTS), AMOUNTS),
        st.builds(End, st.integers(0, 9), AMOUNTS, st.integers(0, 3)),
        st.builds(Delete, st.integers(0, 9)),
    ),
    max_size=30,
)


@dataclass
class Kept:
    """A run, as the test itself keeps books of it."""

    tenant: str
    length: int = 1
    held: Amount = ZERO
    spent: Amount = ZERO
    reserved: bool = False
    deleted: bool = False


@dataclass
class History:
    """Plays a history on a store, and counts along in the most simple way there is."""

    store: MemoryStore = field(default_factory=MemoryStore)
    runs: list[Kept] = field(default_factory=list)
    granted: dict[str, Amount] = field(default_factory=dict)
    seconds: int = 0

    async def play(self, step: Grant | Start | End | Delete) -> None:
        self.seconds += 1
        if isinstance(step, Grant):
            await self.store.ledger.grant(step.tenant, step.amount.cost(), at=self.now())
            self.granted[step.tenant] = self.granted.get(step.tenant, ZERO).plus(step.amount)
        elif isinstance(step, Start):
            await self._start(step)
        elif step.which < len(self.runs) and not self.runs[step.which].deleted:
            await (self._end(step) if isinstance(step, End) else self._delete(step))

    def now(self, back: int = 0) -> datetime:
        return samples.at(self.seconds - back)

    async def _start(self, step: Start) -> None:
        run, seconds = samples.run_id(len(self.runs)), self.seconds
        wanted = step.amount.cost()
        begun = samples.started(run, tenant=step.tenant, reserves=wanted, seconds=seconds)
        covered = step.amount == ZERO or (
            step.tenant in self.granted and self.expected(step.tenant)[1].covers(step.amount)
        )
        try:
            await self.store.journal.append(run, [begun], after=0)
        except LedgerShortError:
            assert not covered
        else:
            assert covered
            kept = Kept(step.tenant, held=step.amount, reserved=step.amount != ZERO)
            self.runs.append(kept)

    async def _end(self, step: End) -> None:
        kept, run = self.runs[step.which], samples.run_id(step.which)
        spent = kept.spent.plus(step.more)
        end = samples.ended(seconds=self.seconds - step.back, spent=spent.cost())
        undo = [samples.undo_requested()] if kept.length > 1 else []
        await self.store.journal.append(run, [*undo, end], after=kept.length)
        kept.length += 1 + len(undo)
        kept.held, kept.spent = ZERO, spent

    async def _delete(self, step: Delete) -> None:
        kept = self.runs[step.which]
        if kept.length > 1:
            kept.deleted = await self.store.journal.delete(samples.run_id(step.which))

    def expected(self, tenant: str) -> tuple[Amount, Amount, Amount, Amount]:
        """What was granted, is available, is reserved and is spent."""
        reserved = spent = ZERO
        for kept in self.runs:
            if kept.tenant == tenant and kept.reserved:
                reserved, spent = reserved.plus(kept.held), spent.plus(kept.spent)
        granted = self.granted[tenant]
        return granted, granted.minus(reserved).minus(spent), reserved, spent


def amounts(account: Account) -> tuple[Amount, Amount, Amount, Amount]:
    """An account, exactly."""
    granted, available = amount_of(account.granted), amount_of(account.available)
    return granted, available, amount_of(account.reserved), amount_of(account.spent)


@given(HISTORIES)
def test_an_account_is_the_sum_of_its_history_after_every_step(
    steps: list[Grant | Start | End | Delete],
) -> None:
    async def main() -> None:
        history = History()
        for step in steps:
            await history.play(step)
            for tenant in TENANTS:
                account = await history.store.ledger.account(tenant)
                if tenant not in history.granted:
                    assert account is None
                    continue
                assert account is not None
                granted, available, reserved, spent = amounts(account)
                assert granted == available.plus(reserved).plus(spent)
                assert amounts(account) == history.expected(tenant)

    asyncio.run(main())


@given(HISTORIES, st.integers(0, 31), st.integers(0, 31))
def test_statements_add_up_and_follow_one_another(
    steps: list[Grant | Start | End | Delete], first: int, second: int
) -> None:
    async def main() -> None:
        history = History()
        await history.play(Grant("acme", Amount(3 * NANO, 0, 2)))
        for step in steps:
            await history.play(step)
        ledger = TenantLedger(history.store.ledger, SimulatedClock())
        early, late = sorted((first, second))
        parts = [
            await ledger.statement("acme", until=samples.at(early)),
            await ledger.statement("acme", samples.at(early), samples.at(late)),
            await ledger.statement("acme", since=samples.at(late)),
        ]
        whole = await ledger.statement("acme")
        assert amounts(parts[0].opening) == (ZERO, ZERO, ZERO, ZERO)
        assert parts[0].closing == parts[1].opening
        assert parts[1].closing == parts[2].opening
        assert parts[2].closing == whole.closing
        assert whole.closing == await ledger.account("acme")
        lines = [line for part in parts for line in part.postings]
        assert lines == list(whole.postings)
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        for part in (*parts, whole):
            _adds_up(part)

    asyncio.run(main())


def _adds_up(statement: Statement) -> None:
    """The opening and the lines, kind by kind, are the closing."""
    sums = dict.fromkeys(("grant", "reserve", "charge", "refund"), ZERO)
    for line in statement.postings:
        sums[line.kind] = sums[line.kind].plus(amount_of(line.amount))
        assert amount_of(line.amount).beyond(ZERO) == amount_of(line.amount)
    before, after = amounts(statement.opening), amounts(statement.closing)
    assert after[0] == before[0].plus(sums["grant"])
    assert after[3] == before[3].plus(sums["charge"])
    # What is not available any more is reserved or spent; and there is nothing else.
    assert after[1].plus(after[2]) == before[1].plus(before[2]).plus(sums["grant"]).minus(
        sums["charge"]
    )
    for account in (before, after):
        assert account[0] == account[1].plus(account[2]).plus(account[3])


@pytest.mark.parametrize(
    ("cost", "amount"),
    [
        (Cost(usd=0.1), Amount(100_000_000)),
        (Cost(usd=0.1 + 0.2), Amount(300_000_000)),
        (Cost(credits=1e-9, tokens=7, calls=3), Amount(0, 1, 7)),
        (Cost(usd=4e-10), Amount(0)),
        (Cost(usd=-2.5), Amount(-2_500_000_000)),
        (Cost(usd=float("inf")), Amount(10**18)),
        (Cost(usd=8_000_000.123456789), Amount(8_000_000_123_456_789)),
    ],
)
def test_a_cost_is_counted_in_billionths(cost: Cost, amount: Amount) -> None:
    assert amount_of(cost) == amount


@given(st.integers(-8 * 10**15, 8 * 10**15), st.integers(-(10**17), 10**17))
def test_an_amount_survives_being_written_as_a_cost(nano: int, tokens: int) -> None:
    amount = Amount(nano, -nano, tokens)
    assert amount_of(amount.cost()) == amount


def test_a_line_is_never_before_the_one_before_it() -> None:
    async def main() -> None:
        history = History()
        await history.play(Grant("acme", Amount(NANO)))
        await history.play(Start("acme", Amount(NANO)))
        await history.play(End(0, Amount(1), back=3))
        lines = await history.store.ledger.postings("acme")
        assert [line.at - lines[0].at for line in lines] == [
            timedelta(seconds=second) for second in (0, 1, 1, 1)
        ]

    asyncio.run(main())
