"""Budget: what may be spent is reserved with the start, and the caps hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    of_kind,
    opened,
    pass_time,
    records,
    states,
    until,
)

from callsheet import Budget, Cost, Retry, Step
from callsheet.errors import FatalError, NotDoneError, PlanError, TransientError
from callsheet.testing import World, echo, raises, returns, simulated, waits

if TYPE_CHECKING:
    from callsheet import Run
    from callsheet.testing import Act, Call


def charges(usd: float = 0, seconds: float = 1, then: Act = echo, **other: Any) -> Act:
    """Take so long, say what it cost, and go on."""

    async def act(call: Call, ctx: Any) -> Any:
        await ctx.sleep(seconds)
        ctx.charge(usd=usd, **other)
        return await then(call, ctx)

    return act


async def most_committed(run: Run, currency: str = "usd") -> float:
    """What was spent and reserved at the same time, at most, as the journal tells it."""
    reserved: dict[str, float] = {}
    spent = most = 0.0
    entries: list[Any] = await run.journal()
    for entry in entries:
        kind = type(entry).__name__
        if kind == "AttemptStarted":
            reserved[entry.step] = getattr(entry.reserved, currency)
        elif kind in {"AttemptEnded", "UndoEnded"}:
            reserved.pop(entry.step, None)
            spent += getattr(entry.cost, currency)
        most = max(most, spent + sum(reserved.values()))
    return round(most, 6)


@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_the_cap_is_never_exceeded_by_two_hundred_parallel_steps() -> None:
    world = World()
    paid = [
        charges(0.25, then=raises(TransientError("again"))),
        charges(0.5, seconds=2),
    ]
    world.tool("paid", paid, ceiling=1, retry=Retry(attempts=2, backoff=0.5))
    plan = a_plan(
        *(Step(id=f"s{n}", tool="paid", on_failure="skip") for n in range(200)),
        budget=Budget(usd=20),
        concurrency=200,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        assert len(world.calls) <= 20, "they reserve together"
        result = await finish(engine, run)
        assert await most_committed(run) <= 20
    assert world.most_at_once <= 20, "counted outside: each could have cost 1"
    done = [call for call in world.calls if call.attempt == 2]
    assert result.cost.usd == pytest.approx(0.25 * (len(world.calls) - len(done)) + 0.5 * len(done))
    assert 19 < result.cost.usd <= 20, "and what there is, is used"
    classes = {step.error.error_class for step in result.steps.values() if step.error}
    assert "denied" in classes
    assert result.state == "succeeded"


@pytest.mark.requirement("budget:reserved-with-the-start")
@simulated
async def test_the_ceiling_is_reserved_in_the_entry_that_starts_the_call() -> None:
    world = World()
    world.tool("paid", charges(0.1), cost=0.1, ceiling=3)
    plan = a_plan(
        Step(id="tool", tool="paid"),
        Step(id="own", tool="paid", ceiling=Cost(usd=0.5)),
        budget=Budget(usd=5),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        reserved = {e.step: e.reserved.usd for e in await records(run, "AttemptStarted")}
    assert reserved == {"tool": 3, "own": 0.5}
    assert result.cost.usd == pytest.approx(0.2)
    assert result.steps["tool"].cost.usd == pytest.approx(0.1)


@pytest.mark.requirement("budget:reserved-with-the-start", "E2")
@simulated
async def test_a_paid_tool_without_a_ceiling_is_refused_in_a_capped_run() -> None:
    world = World()
    world.tool("paid", cost=0.1)
    step = Step(id="a", tool="paid")
    async with opened(world) as engine:
        with pytest.raises(PlanError, match="ceiling"):
            await engine.start(a_plan(step, budget=Budget(usd=5)))
        assert not world.calls
        assert not await engine.runs()
        free = await carry_out(engine, a_plan(step))
        other = await carry_out(engine, a_plan(step, budget=Budget(tokens=5)))
    assert (free.state, other.state) == ("succeeded", "succeeded")
    assert free.cost.usd == pytest.approx(0.1), "it did not say, so it cost what is declared"


@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_a_step_that_cannot_reserve_waits_while_others_may_release_enough() -> None:
    world = World()
    world.tool("paid", charges(1), ceiling=6)
    plan = a_plan(*(Step(id=f"s{n}", tool="paid") for n in range(3)), budget=Budget(usd=10))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert await most_committed(run) <= 10
    assert result.state == "succeeded"
    assert [call.began_at for call in world.calls] == [0, 1, 2]


@pytest.mark.requirement("budget:cap-never-exceeded", "E7")
@simulated
async def test_a_step_that_can_never_reserve_is_denied() -> None:
    world = World()
    world.pair("book", "cancel")
    world.tool("paid", charges(5), ceiling=6)
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="paid", needs=("a",)),
        Step(id="c", tool="paid", needs=("b",)),
        budget=Budget(usd=10),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    error = result.steps["c"].error
    assert error is not None
    assert error.error_class == "denied"
    assert "6 usd" in error.message
    assert "5 of 10" in error.message
    assert world.count("paid") == 1
    assert result.state == "undone"
    assert result.cost.usd == 5


@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_an_overrun_is_charged_in_full_and_nothing_further_starts() -> None:
    world = World()
    world.tool("greedy", charges(12), ceiling=6)
    world.tool("slow", waits(100))
    world.tool("ok")
    plan = a_plan(
        Step(id="a", tool="greedy"),
        Step(id="slow", tool="slow"),
        Step(id="b", tool="ok", needs=("a",)),
        budget=Budget(usd=10),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        journal = await run.journal()
    assert result.cost.usd == 12
    assert result.cause is not None
    assert (result.cause.kind, result.cause.step) == ("budget", "a")
    assert "12 usd spent of 10" in result.cause.message
    assert result.state == "failed"
    assert states(result) == {"a": "succeeded", "slow": "cancelled", "b": "cancelled"}
    assert world.count("ok") == 0
    assert of_kind(journal, "RunEnded")[0].cause.kind == "budget"


@pytest.mark.requirement("budget:reserved-with-the-start")
@simulated
async def test_the_cost_of_an_undo_is_reserved_with_its_step() -> None:
    world = World()
    world.tool("refund", charges(3), effect="write", idempotent=True, ceiling=3)
    world.tool("pay", charges(2), effect="write", undo="refund", ceiling=2)
    world.tool("boom", raises(FatalError("boom")))
    plan = a_plan(
        *(Step(id=f"s{n}", tool="pay", on_failure="skip") for n in range(3)),
        Step(id="boom", tool="boom", needs=("s0", "s1", "s2"), run_if_skipped=True),
        budget=Budget(usd=12),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        started = await records(run, "AttemptStarted")
    assert {entry.reserved.usd for entry in started if entry.step != "boom"} == {5}
    assert world.count("pay") == 2, "a third would have left nothing to take it back with"
    assert world.count("refund") == 2
    assert result.state == "undone"
    assert result.cost.usd == 10


@pytest.mark.parametrize("currency", ["credits", "tokens"])
@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_credits_and_tokens_are_capped_like_money(currency: str) -> None:
    world = World()
    world.tool("paid", charges(0, 1, echo, **{currency: 3}), ceiling={currency: 4})
    plan = a_plan(
        *(Step(id=f"s{n}", tool="paid", on_failure="skip") for n in range(8)),
        budget=Budget(**{currency: 10}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert await most_committed(run, currency) <= 10
    assert world.most_at_once == 2
    assert len(world.calls) == 3
    assert getattr(result.cost, currency) == 9
    assert result.cost.calls == 3


@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_calls_are_capped_and_every_attempt_is_one() -> None:
    world = World()
    world.tool("flaky", raises(TransientError("x")), retry=Retry(attempts=9, backoff=0.1))
    world.tool("ok")
    plan = a_plan(
        Step(id="a", tool="flaky"), Step(id="b", tool="ok", needs=("a",)), budget=Budget(calls=4)
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert len(world.calls) == result.cost.calls == 4
    error = result.steps["a"].error
    assert error is not None
    assert (error.error_class, result.state) == ("denied", "failed")
    assert "4 of 4 calls" in error.message


@pytest.mark.requirement("budget:seconds-count-running")
@simulated
async def test_seconds_count_running_and_not_paused_or_waiting() -> None:
    world = World()
    world.tool("slow", waits(20))
    plan = a_plan(
        Step(id="a", tool="slow"),
        Step(id="q", ask="Go on?", needs=("a",)),
        Step(id="b", tool="slow", needs=("q",)),
        Step(id="c", tool="slow", needs=("b",)),
        budget=Budget(seconds=65),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await pass_time(200)
        assert (await run.status()).seconds == pytest.approx(20, abs=0.1)
        await run.answer("q", "yes")
        await until(run, "AttemptStarted", step="b")
        await run.pause()
        await pass_time(200)
        assert (await run.status()).seconds == pytest.approx(20, abs=0.1)
        await run.resume()
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.seconds == pytest.approx(40, abs=0.2), "b ran while it was paused"


@pytest.mark.requirement("budget:seconds-count-running")
@simulated
async def test_when_the_seconds_are_used_up_the_run_stops() -> None:
    world = World()
    world.pair("book", "cancel")
    world.tool("slow", waits(20))
    steps = [
        Step(id=f"s{n}", tool="slow", needs=(f"s{n - 1}",) if n else ("book",)) for n in range(9)
    ]
    plan = a_plan(Step(id="book", tool="book"), *steps, budget=Budget(seconds=50))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        (spent,) = await records(run, "SecondsSpent")
        (started,) = await records(run, "RunStarted")
    assert (spent.at - started.at).total_seconds() == pytest.approx(50, abs=0.1)
    assert world.count("slow") == 3
    assert world.of("slow")[2].told
    assert result.cause is not None
    assert result.cause.kind == "budget"
    assert "50 seconds" in result.cause.message
    assert result.state == "undone"
    assert not world.standing


@pytest.mark.requirement("budget:cap-never-exceeded", "doubt:never-blindly-repeated")
@pytest.mark.parametrize(
    ("answer", "state", "spent"), [("happened", "failed", 6), ("did_not", "succeeded", 2)]
)
@simulated
async def test_a_doubt_keeps_its_reservation_until_it_is_answered(
    answer: str, state: str, spent: float
) -> None:
    world = World()
    world.tool("pay", [raises(ConnectionResetError()), charges(1)], effect="write", ceiling=6)
    world.tool("other", charges(1), ceiling=6)
    plan = a_plan(
        Step(id="pay", tool="pay"),
        Step(id="other", tool="other", priority=-1),
        budget=Budget(usd=10),
        on_failure="stop",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await pass_time(100)
        assert world.count("other") == 0, "the money may be gone"
        status = await run.status()
        assert status.state == "waiting", "nothing can proceed until a person answers"
        assert status.seconds == pytest.approx(0, abs=0.1)
        await run.answer("pay", answer)
        result = await finish(engine, run)
    # If it happened, it may have cost all that it could, and too little is left for the other.
    assert (result.state, result.cost.usd) == (state, spent)
    assert world.count("other") == (state == "succeeded")


@pytest.mark.requirement("budget:cap-never-exceeded")
@simulated
async def test_an_attempt_that_did_nothing_costs_nothing() -> None:
    world = World()
    world.tool("paid", [raises(NotDoneError("busy")), returns(1)], cost=2, ceiling=2)
    plan = a_plan(Step(id="a", tool="paid"), budget=Budget(usd=2))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert result.cost.usd == 2
    assert result.steps["a"].attempts == 2
