"""The contract of `Ledger`, and of the appends that post in it."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from callsheet.core.plan.amount import amount_of
from callsheet.core.plan.plan import Cost
from callsheet.errors import (
    CallsheetError,
    EngineClosedError,
    InputError,
    KeyReusedError,
    LedgerShortError,
    StaleWriteError,
)
from callsheet.testing.contracts.samples import (
    at,
    ended,
    noted,
    reopened,
    run_id,
    started,
    undo_requested,
)
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from callsheet.core.ids import RunId
    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Store

RUN, OTHER = run_id(1), run_id(2)
TENANT = "acme"


class LedgerContract(Subject):
    """Accounts add up: `granted = available + reserved + spent`, after everything."""

    async def test_a_tenant_without_an_account_has_none(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN, tenant=TENANT), ended()], after=0)
            assert await store.ledger.account(TENANT) is None
            assert list(await store.ledger.accounts()) == []
            assert list(await store.ledger.postings(TENANT)) == []

    async def test_a_grant_opens_an_account_and_adds_to_it(self) -> None:
        async with self.opened() as store:
            first = await store.ledger.grant(
                TENANT, Cost(usd=2.5, credits=10), at=at(1), note="May", by="ada"
            )
            assert (first.number, first.tenant, first.at, first.kind) == (1, TENANT, at(1), "grant")
            assert (first.amount, first.run) == (Cost(usd=2.5, credits=10), None)
            assert (first.note, first.by) == ("May", "ada")
            second = await store.ledger.grant(TENANT, Cost(usd=0.1, tokens=7), at=at(2))
            assert (second.number, second.note, second.by) == (2, "", None)
            assert await _books(store) == [Cost(usd=2.6, credits=10, tokens=7), {}, {}]
            assert list(await store.ledger.postings(TENANT)) == [first, second]

    async def test_the_same_key_is_the_same_grant(self) -> None:
        async with self.opened() as store:
            first = await store.ledger.grant(TENANT, Cost(usd=2), at=at(1), note="May", key="k")
            again = await store.ledger.grant(TENANT, Cost(usd=2), at=at(2), note="May", key="k")
            assert again == first
            with refused(KeyReusedError):
                await store.ledger.grant(TENANT, Cost(usd=3), at=at(3), note="May", key="k")
            await store.ledger.grant("other", Cost(usd=3), at=at(3), key="k")
            assert list(await store.ledger.postings(TENANT)) == [first]

    async def test_accounts_are_apart_and_listed_by_tenant(self) -> None:
        async with self.opened() as store:
            for tenant in ("b", "a", "b"):
                await store.ledger.grant(tenant, Cost(usd=1), at=at(1))
            accounts = await store.ledger.accounts()
            assert [(each.tenant, each.available.usd) for each in accounts] == [("a", 1), ("b", 2)]
            assert [line.number for line in await store.ledger.postings("b")] == [1, 2]

    async def test_a_grant_is_not_below_zero_and_not_beyond_counting(self) -> None:
        async with self.opened() as store:
            for wrong in (Cost(usd=-1), Cost(usd=5, tokens=-1), Cost(credits=2e9)):
                with refused(InputError):
                    await store.ledger.grant(TENANT, wrong, at=at(1))
            assert await store.ledger.account(TENANT) is None
            await store.ledger.grant(TENANT, Cost(usd=6e8), at=at(1))
            with refused(InputError):
                await store.ledger.grant(TENANT, Cost(usd=6e8), at=at(1))

    async def test_amounts_are_exact_to_a_billionth(self) -> None:
        async with self.opened() as store:
            for _ in range(10):
                await store.ledger.grant(TENANT, Cost(usd=0.1, credits=1e-9), at=at(1))
            assert await _books(store) == [Cost(usd=1, credits=1e-8), {}, {}]

    async def test_a_start_reserves_and_the_end_charges_and_refunds(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10, tokens=100), at=at(0))
            await _start(store, RUN, Cost(usd=4, tokens=50))
            assert await _books(store) == [
                Cost(usd=6, tokens=50),
                Cost(usd=4, tokens=50),
                {},
            ]
            await _append(store, RUN, ended(spent=Cost(usd=1.5, tokens=50, calls=3)), after=1)
            assert await _books(store) == [
                Cost(usd=8.5, tokens=50),
                {},
                Cost(usd=1.5, tokens=50),
            ]
            lines = await store.ledger.postings(TENANT)
            assert [(line.number, line.kind, line.amount, line.run) for line in lines] == [
                (1, "grant", Cost(usd=10, tokens=100), None),
                (2, "reserve", Cost(usd=4, tokens=50), RUN),
                (3, "charge", Cost(usd=1.5, tokens=50), RUN),
                (4, "refund", Cost(usd=2.5), RUN),
            ]
            assert [line.at for line in lines] == [at(0), at(0), at(3), at(3)]

    async def test_a_run_that_cost_nothing_gets_everything_back(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))
            await _start(store, RUN, Cost(usd=1))
            await _append(store, RUN, ended("cancelled"), after=1)
            assert await _books(store) == [Cost(usd=1), {}, {}]
            assert await _kinds(store) == ["grant", "reserve", "refund"]

    async def test_a_run_that_reserves_nothing_posts_nothing(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))
            await _start(store, RUN, Cost(calls=5))
            await _append(store, RUN, ended(spent=Cost(usd=0.5)), after=1)
            assert await _kinds(store) == ["grant"]

    async def test_a_start_that_is_not_covered_is_refused_whole(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1, tokens=5), at=at(0))
            for wanted in (Cost(usd=1.000000001), Cost(usd=1, tokens=6), Cost(credits=1)):
                with refused(LedgerShortError):
                    await _append(store, RUN, _started(RUN, wanted), noted(), after=0)
            assert list(await store.journal.read(RUN)) == []
            assert await store.journal.head(RUN) is None
            assert await _books(store) == [Cost(usd=1, tokens=5), {}, {}]
            assert await _kinds(store) == ["grant"]
            with refused(StaleWriteError):
                await _append(store, RUN, noted(), after=2)
            await _start(store, RUN, Cost(usd=1, tokens=5))

    async def test_the_refusal_says_what_there_is_and_what_was_wanted(self) -> None:
        async with self.opened() as store:
            assert "no account" in await _refusal(_start(store, RUN, Cost(usd=2)))
            await store.ledger.grant(TENANT, Cost(usd=1.25), at=at(0))
            said = await _refusal(_start(store, RUN, Cost(usd=2)))
            assert "1.25 USD available" in said
            assert " 2 USD " in said

    async def test_a_tenant_without_an_account_cannot_reserve(self) -> None:
        async with self.opened() as store:
            with refused(LedgerShortError):
                await _start(store, RUN, Cost(usd=1))
            assert await store.journal.head(RUN) is None

    async def test_what_goes_beyond_the_reservation_is_charged_in_full(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=5), at=at(0))
            await _start(store, RUN, Cost(usd=4))
            await _append(store, RUN, ended(spent=Cost(usd=7, tokens=3)), after=1)
            assert await _books(store) == [
                Cost(usd=-2, tokens=-3),
                {},
                Cost(usd=7, tokens=3),
            ]
            assert await _kinds(store) == ["grant", "reserve", "charge"]
            with refused(LedgerShortError):
                await _start(store, OTHER, Cost(usd=0.01))
            await store.ledger.grant(TENANT, Cost(usd=3), at=at(1))
            # What it does not want need not be there.
            await _start(store, OTHER, Cost(usd=1))

    async def test_an_ended_run_that_was_undone_is_charged_the_difference(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10), at=at(0))
            await _start(store, RUN, Cost(usd=5))
            await _append(store, RUN, ended(spent=Cost(usd=2)), undo_requested(), after=1)
            assert await _books(store) == [Cost(usd=8), {}, Cost(usd=2)]
            await _append(store, RUN, ended("undone", spent=Cost(usd=2.75)), after=3)
            assert await _books(store) == [Cost(usd=7.25), {}, Cost(usd=2.75)]
            last = (await store.ledger.postings(TENANT))[-1]
            assert (last.kind, last.amount) == ("charge", Cost(usd=0.75))
            await _append(
                store, RUN, undo_requested(), ended("undone", spent=Cost(usd=2.75)), after=4
            )
            assert await _kinds(store) == ["grant", "reserve", "charge", "refund", "charge"]

    async def test_a_run_that_is_reopened_reserves_again_and_is_charged_once(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10), at=at(0))
            await _start(store, RUN, Cost(usd=5))
            await _append(store, RUN, ended("failed", spent=Cost(usd=2)), after=1)
            await _append(store, RUN, reopened(TENANT, Cost(usd=3)), after=2)
            assert await _books(store) == [Cost(usd=5), Cost(usd=3), Cost(usd=2)]
            head = await store.journal.head(RUN)
            assert head is not None
            assert head.ended is None
            await _append(store, RUN, ended(spent=Cost(usd=2.5)), after=3)
            assert await _books(store) == [Cost(usd=7.5), {}, Cost(usd=2.5)]
            await _start(store, OTHER, Cost(usd=7))
            with refused(LedgerShortError):
                await _append(store, RUN, reopened(TENANT, Cost(usd=3)), after=4)
            assert len(await store.journal.read(RUN)) == 4
            assert await _books(store) == [Cost(usd=0.5), Cost(usd=7), Cost(usd=2.5)]

    async def test_a_run_that_begins_and_ends_in_one_append_posts_both(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10), at=at(0))
            await _append(store, RUN, _started(RUN, Cost(usd=5)), ended(spent=Cost(usd=2)), after=0)
            assert await _books(store) == [Cost(usd=8), {}, Cost(usd=2)]

    async def test_deleting_a_run_deletes_no_posting(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10), at=at(0))
            await _start(store, RUN, Cost(usd=5))
            await _append(store, RUN, ended(spent=Cost(usd=2)), after=1)
            await store.journal.delete(RUN)
            assert await _books(store) == [Cost(usd=8), {}, Cost(usd=2)]
            assert await _kinds(store) == ["grant", "reserve", "charge", "refund"]

    async def test_an_append_that_is_refused_posts_nothing(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=10), at=at(0))
            await _append(store, RUN, _started(RUN, Cost(usd=5), key="k"), after=0)
            with refused(StaleWriteError):
                await _start(store, RUN, Cost(usd=1))
            with refused(StaleWriteError):
                await _append(store, RUN, ended(spent=Cost(usd=1)), after=5)
            with refused(KeyReusedError):
                await _append(store, OTHER, _started(OTHER, Cost(usd=1), key="k"), after=0)
            assert await _kinds(store) == ["grant", "reserve"]

    async def test_a_key_that_is_taken_is_said_before_an_account_that_is_short(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))
            answers = await _together(
                _append(store, RUN, _started(RUN, Cost(usd=1), key="k"), after=0),
                _append(store, OTHER, _started(OTHER, Cost(usd=1), key="k"), after=0),
            )
            assert answers == [None, KeyReusedError]
            with refused(StaleWriteError):
                await _start(store, RUN, Cost(usd=1))

    async def test_of_many_starts_at_once_exactly_those_are_made_that_are_covered(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=50), at=at(0))
            runs = [run_id(number) for number in range(200)]
            answers = await _together(
                *(_start(store, run, Cost(usd=1)) for run in runs),
            )
            begun = [run for run, answer in zip(runs, answers, strict=True) if answer is None]
            assert len(begun) == 50
            assert set(answers) == {None, LedgerShortError}
            assert [head.run for head in reversed(await store.journal.heads(limit=300))] == begun
            assert await _books(store) == [{}, Cost(usd=50), {}]
            await _together(
                *(_append(store, run, ended(spent=Cost(usd=0.1)), after=1) for run in begun)
            )
            assert await _books(store) == [Cost(usd=45), {}, Cost(usd=5)]

    async def test_a_refused_start_takes_nobody_down_with_it(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))
            others = [run_id(number) for number in range(3, 8)]
            answers = await _together(
                *(_append(store, run, started(run), noted(), after=0) for run in others[:3]),
                _start(store, RUN, Cost(usd=2)),
                *(_append(store, run, started(run), noted(), after=0) for run in others[3:]),
                _start(store, OTHER, Cost(usd=1)),
            )
            assert [answer for answer in answers if answer] == [LedgerShortError]
            lengths = [len(await store.journal.read(run)) for run in (RUN, OTHER, *others)]
            assert lengths == [0, 1, 2, 2, 2, 2, 2]

    async def test_a_conflict_beside_it_has_nothing_posted_twice(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=9), at=at(0))
            await _append(store, RUN, _started(RUN, Cost(usd=1), key="k"), after=0)
            third, fourth = run_id(3), run_id(4)
            answers = await _together(
                _start(store, third, Cost(usd=2)),
                _append(store, OTHER, _started(OTHER, Cost(usd=1), key="k"), after=0),
                _start(store, fourth, Cost(usd=3)),
                _append(store, RUN, ended(spent=Cost(usd=0.5)), after=1),
            )
            assert answers == [None, KeyReusedError, None, None]
            assert await _kinds(store) == ["grant", *["reserve"] * 3, "charge", "refund"]
            assert await _books(store) == [Cost(usd=3.5), Cost(usd=5), Cost(usd=0.5)]

    async def test_what_one_run_gives_back_another_may_reserve(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))
            await _start(store, RUN, Cost(usd=1))
            await _together(
                _append(store, RUN, ended(), after=1), _start(store, OTHER, Cost(usd=1))
            )
            assert await _books(store) == [{}, Cost(usd=1), {}]

    async def test_postings_are_chosen_by_their_time_and_are_in_its_order(self) -> None:
        async with self.opened() as store:
            # The clock of the third was late.
            for seconds in (1, 5, 3, 5.5, 9):
                await store.ledger.grant(TENANT, Cost(usd=1), at=at(seconds))
            lines = await store.ledger.postings(TENANT)
            assert [line.at for line in lines] == [at(each) for each in (1, 5, 5, 5.5, 9)]
            chosen = await store.ledger.postings(TENANT, since=at(5), until=at(9))
            assert [line.number for line in chosen] == [2, 3, 4]
            assert len(await store.ledger.postings(TENANT, until=at(5))) == 1
            assert len(await store.ledger.postings(TENANT, since=at(5.25))) == 2

    async def test_no_cost_is_too_large_to_be_counted(self) -> None:
        async with self.opened() as store:
            await store.ledger.grant(TENANT, Cost(usd=9e8, credits=1), at=at(0))
            for run in map(run_id, range(12)):
                await _start(store, run, Cost(credits=0.01))
                await _append(store, run, ended(spent=Cost(usd=1e300, tokens=10**18)), after=1)
            account = await store.ledger.account(TENANT)
            assert account is not None
            assert (account.spent.usd, account.spent.tokens) == (8e9, 8 * 10**18)
            assert (account.available.usd, account.available.tokens) == (-7.1e9, -8 * 10**18)

    async def test_a_closed_store_grants_nothing(self) -> None:
        async with self.opened() as store:
            await store.close()
            with refused(EngineClosedError):
                await store.ledger.grant(TENANT, Cost(usd=1), at=at(0))


async def _append(store: Store, run: RunId, *entries: AnyEntry, after: int) -> None:
    await store.journal.append(run, entries, after=after)


async def _start(store: Store, run: RunId, reserves: Cost) -> None:
    await _append(store, run, _started(run, reserves), after=0)


def _started(run: RunId, reserves: Cost, *, key: str | None = None) -> AnyEntry:
    return started(run, tenant=TENANT, reserves=reserves, key=key)


async def _together(*appends: Coroutine[Any, Any, None]) -> list[type[Exception] | None]:
    """Make appends in one turn of the loop; how each ended."""
    async with asyncio.TaskGroup() as tasks:
        tries = [tasks.create_task(_outcome(append)) for append in appends]
    return [type(outcome) if (outcome := each.result()) else None for each in tries]


async def _outcome(append: Coroutine[Any, Any, None]) -> CallsheetError | None:
    try:
        await append
    except CallsheetError as exc:
        return exc
    return None


async def _refusal(append: Coroutine[Any, Any, None]) -> str:
    refusal = await _outcome(append)
    assert isinstance(refusal, LedgerShortError)
    return str(refusal)


async def _kinds(store: Store) -> list[str]:
    return [line.kind for line in await store.ledger.postings(TENANT)]


async def _books(store: Store) -> list[Cost | dict[str, float]]:
    """What is available, reserved and spent; an empty mapping for nothing. Adds up, or fails."""
    account = await store.ledger.account(TENANT)
    assert account is not None
    parts = (account.available, account.reserved, account.spent)
    total = amount_of(parts[0]).plus(amount_of(parts[1])).plus(amount_of(parts[2]))
    assert total == amount_of(account.granted), "granted = available + reserved + spent"
    return [part if part != Cost() else {} for part in parts]
