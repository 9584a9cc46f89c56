"""Accounts: a tenant's runs together never promise more than was granted."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, finish, opened, pass_time

from callsheet import Budget, Cost, Engine, Step
from callsheet.errors import FatalError, InputError, LedgerShortError
from callsheet.testing import World, echo, raises, simulated

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Plan
    from callsheet.testing import Call
    from callsheet.types import Account

pytestmark = pytest.mark.requirement("E16", "budget:ledger-adds-up")


async def costing(call: Call, ctx: Any) -> Any:
    """Say what it cost, as its arguments have it."""
    ctx.charge(usd=call.args["usd"])
    return await echo(call, ctx)


def a_world() -> World:
    world = World()
    world.tool("paint", costing, cost=0.1, ceiling=5.0)
    world.pair("buy", "return", costing, cost=0.1, ceiling=5.0, idempotent=True)
    world.tool("boom", raises(FatalError("boom")))
    return world


def priced(cap: float, *costs: float, tool: str = "paint") -> Plan:
    """A plan that may spend so much, and does spend so much."""
    steps = (
        Step(id=f"s{n}", tool=tool, args={"usd": cost}, ceiling=Cost(usd=cost))
        for n, cost in enumerate(costs)
    )
    return a_plan(*steps, budget=Budget(usd=cap))


async def standing(engine: Engine, tenant: str = "acme") -> tuple[float, float, float]:
    """What is available, reserved and spent; it adds up, or this fails."""
    account: Account | None = await engine.ledger.account(tenant)
    assert account is not None
    parts = account.available.usd, account.reserved.usd, account.spent.usd
    assert round(sum(parts), 9) == account.granted.usd
    return parts


@simulated
async def test_a_run_reserves_its_budget_and_pays_for_what_happened() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=10, note="May")
        run = await engine.start(priced(4, 0.5, 0.75), tenant="acme")
        assert await standing(engine) == (6, 4, 0)
        assert (await finish(engine, run)).state == "succeeded"
        assert await standing(engine) == (8.75, 0, 1.25)
        lines = (await engine.ledger.statement("acme")).postings
        assert [(line.kind, line.amount.usd, line.run, line.note) for line in lines] == [
            ("grant", 10, None, "May"),
            ("reserve", 4, run.id, ""),
            ("charge", 1.25, run.id, ""),
            ("refund", 2.75, run.id, ""),
        ]


@simulated
@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0b", "\x1b[2J", "x" * 201])
async def test_what_cannot_be_read_in_a_list_is_no_tenant(name: str) -> None:
    async with opened(a_world()) as engine:
        with pytest.raises(InputError, match="cannot be a tenant's name"):
            await engine.start(priced(1, 0.5), tenant=name)
        with pytest.raises(InputError, match="cannot be a tenant's name"):
            await engine.ledger.grant(name, usd=1)
        assert not await engine.runs()


@simulated
async def test_a_tenant_without_an_account_is_not_limited() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=1)
        for tenant in ("default", "other"):
            run = await engine.start(priced(100, 2), tenant=tenant)
            assert (await finish(engine, run)).state == "succeeded"
            assert await engine.ledger.account(tenant) is None


@simulated
async def test_a_run_that_is_not_covered_does_not_start() -> None:
    world = a_world()
    async with opened(world) as engine:
        await engine.ledger.grant("acme", usd=3)
        with pytest.raises(LedgerShortError, match=r"3 USD available.*4 USD.*ledger grant acme"):
            await engine.start(priced(4, 1), tenant="acme")
        assert world.calls == []
        assert list(await engine.runs()) == []
        await engine.ledger.grant("acme", usd=1)
        assert (await finish(engine, await engine.start(priced(4, 1), tenant="acme"))).cost.usd == 1


@simulated
async def test_of_many_starts_at_once_the_account_covers_exactly_so_many() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=5)

        async def start() -> int:
            try:
                run = await engine.start(priced(1, 0.25), tenant="acme")
            except LedgerShortError:
                return 0
            await run.wait()
            return 1

        async with asyncio.TaskGroup() as tasks:
            started = [tasks.create_task(start()) for _ in range(20)]
        assert sum(task.result() for task in started) == 5
        assert await standing(engine) == (3.75, 0, 1.25)


@simulated
async def test_what_an_undo_costs_is_charged_too_and_nothing_twice() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=10)
        run = await engine.start(priced(4, 0.5, tool="buy"), tenant="acme")
        await finish(engine, run)
        before = await standing(engine)
        await run.undo(by="ada")
        result = await run.wait()
        assert result.state == "undone"
        available, reserved, spent = await standing(engine)
        assert (before[0] >= available, reserved) == (True, 0)
        assert spent == result.cost.usd


@simulated
async def test_a_run_that_fails_gives_back_what_it_did_not_spend() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=10)
        plan = a_plan(
            Step(id="a", tool="paint", args={"usd": 0.5}),
            Step(id="b", tool="boom", needs=("a",)),
            budget=Budget(usd=6),
        )
        result = await finish(engine, await engine.start(plan, tenant="acme"))
        assert result.state == "failed"
        assert await standing(engine) == (9.5, 0, 0.5)


@simulated
async def test_a_statement_begins_where_the_one_before_ended() -> None:
    async with opened(a_world()) as engine:
        await engine.ledger.grant("acme", usd=10)
        await pass_time(60)
        await finish(engine, await engine.start(priced(4, 1), tenant="acme"))
        whole = await engine.ledger.statement("acme")
        noon = whole.postings[0].at + timedelta(seconds=1)
        first = await engine.ledger.statement("acme", until=noon)
        second = await engine.ledger.statement("acme", since=noon)
        assert first.closing == second.opening
        assert (first.closing.available.usd, second.closing.available.usd) == (10, 9)
        assert first.postings + second.postings == whole.postings
        assert second.closing == await engine.ledger.account("acme")


@simulated
async def test_there_is_no_statement_without_an_account() -> None:
    async with opened(World()) as engine:
        with pytest.raises(InputError, match="'nobody' has no account"):
            await engine.ledger.statement("nobody")


@pytest.mark.parametrize("wrong", [{"usd": -1}, {"usd": float("nan")}, {"credits": float("inf")}])
@simulated
async def test_a_grant_is_an_amount(wrong: dict[str, Any]) -> None:
    async with opened(World()) as engine:
        with pytest.raises(InputError, match="finite number, not negative"):
            await engine.ledger.grant("acme", **wrong)
        with pytest.raises(InputError, match="tenant"):
            await engine.ledger.grant(" ", usd=1)
        assert list(await engine.ledger.accounts()) == []


@pytest.mark.requirement("durability:killed-anywhere-ends-the-same")
@simulated
async def test_a_reservation_outlives_the_engine_and_is_settled_by_the_next(tmp_path: Path) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="ok", ask="Go on?", choices=("yes", "no")),
        Step(id="a", tool="paint", args={"usd": 0.5}, needs=("ok",)),
        budget=Budget(usd=6),
    )
    async with opened(world, tmp_path) as engine:
        await engine.ledger.grant("acme", usd=10)
        run = await engine.start(plan, tenant="acme")
    async with opened(world, tmp_path) as engine:
        assert await standing(engine) == (4, 6, 0)
        again = await engine.get(run.id)
        await again.answer("ok", "yes", by="ada")
        await finish(engine, again)
        assert await standing(engine) == (9.5, 0, 0.5)


@pytest.mark.requirement("step:retry")
@simulated
async def test_a_run_that_is_reopened_reserves_what_it_has_not_spent_again() -> None:
    world = a_world()
    world.tool("once", [raises(FatalError("first")), costing], ceiling=1.0)
    steps = (
        Step(id="paint", tool="paint", args={"usd": 1.0}),
        Step(id="once", tool="once", args={"usd": 0.5}),
    )
    plan = a_plan(*steps, budget=Budget(usd=8), on_failure="continue")
    async with opened(world) as engine:
        await engine.ledger.grant("acme", usd=10)
        run = await engine.start(plan, tenant="acme")
        assert (await finish(engine, run)).state == "failed"
        assert await standing(engine) == (9, 0, 1)
        other = await engine.start(
            a_plan(Step(id="q", ask="?"), budget=Budget(usd=5)), tenant="acme"
        )
        with pytest.raises(LedgerShortError):
            await run.retry("once")
        assert (await run.status()).state == "failed"
        assert await standing(engine) == (4, 5, 1)
        await other.cancel()
        await finish(engine, other)
        await run.retry("once")
        result = await finish(engine, run)
        assert result.state == "succeeded"
        assert await standing(engine) == (8.5, 0, 1.5)
