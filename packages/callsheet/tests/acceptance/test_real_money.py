"""The cap holds against money that is counted outside: billed with every call that begins."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.acceptance.stage import a_plan, carry_out, finish, opened, pass_time, records, until

from callsheet import Budget, Cost, Engine, Plan, Retry, Step
from callsheet.core.ids import RunId, StepKey, idempotency_key
from callsheet.errors import FatalError, NotDoneError, TransientError
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import (
    SimulatedClock,
    World,
    hangs,
    raises,
    returns,
    run_simulated,
    simulated,
    waits,
)
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet import Result, Run
    from callsheet.testing import Act, Call

pytestmark = pytest.mark.requirement("E16", "budget:cap-never-exceeded")

CEILING, USUAL = 1.0, 0.5
CAP = 25.0
LIVES = 4


class Provider:
    """Sends a bill for whatever begins, says so or not, and fails in every way there is."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.billed = 0.0
        self.bills = 0
        self.happened: set[str] = set()
        """Keys of calls that were billed."""
        self.world = World()
        retry = Retry(attempts=3, backoff=0.2)
        self.world.tool("ask", self.serve, cost=USUAL, ceiling=CEILING, retry=retry, timeout=2.0)
        self.world.tool("refund", self.serve_well, effect="write", idempotent=True, ceiling=CEILING)
        for name, idempotent in (("rent", True), ("buy", False)):
            self.world.tool(
                name,
                self.serve,
                effect="write",
                idempotent=idempotent,
                undo="refund",
                cost=USUAL,
                ceiling=CEILING,
                retry=retry,
                timeout=2.0,
            )

    def bill(self, call: Call, usd: float) -> float:
        self.billed = round(self.billed + usd, 9)
        self.bills += 1
        self.happened.add(call.key)
        return usd

    async def serve_well(self, call: Call, ctx: Any) -> Any:
        ctx.charge(usd=self.bill(call, CEILING))
        await ctx.sleep(0.1)

    async def serve(self, call: Call, ctx: Any) -> Any:
        kind = self.chance.random()
        if kind < 0.1:
            raise NotDoneError("busy")  # and nothing is billed
        if kind < 0.25:
            self.bill(call, USUAL)
            await ctx.sleep(self.chance.uniform(0, 1))
            raise TransientError("broke, and did not say what it cost")
        usd = self.bill(call, self.chance.choice((0.1, USUAL, CEILING)))
        if kind < 0.35:
            await asyncio.Event().wait()  # and nobody ever hears of it
        if kind < 0.5:
            ctx.charge(usd=usd)
            await ctx.sleep(self.chance.uniform(0, 1))
            raise TransientError("broke, and had said it")
        await ctx.sleep(self.chance.uniform(0, 1))
        ctx.charge(usd=usd)
        return {"usd": usd}


NUMBERS: dict[str, Any] = {"type": "array", "items": {"type": "integer"}}


def a_capped_plan(usd: float, *more: Step) -> Plan:
    """A call of each kind for every number: nobody can say beforehand that it is too much."""
    calls = [
        Step(id=tool, tool=tool, for_each="${inputs.numbers}", on_failure="skip")
        for tool in ("ask", "rent", "buy")
    ]
    inputs = {"numbers": NUMBERS}
    return a_plan(*more, *calls, inputs=inputs, budget=Budget(usd=usd), concurrency=200)


def flat() -> Plan:
    return a_capped_plan(CAP)


def nested() -> Plan:
    numbers: dict[str, Any] = {"numbers": list(range(10))}
    child = Step(id="c", plan=a_capped_plan(7), args=numbers, for_each=[1, 2, 3, 4, 5, 6])
    return a_capped_plan(CAP, replace(child, on_failure="skip"))


async def answer_doubts(engine: Engine, provider: Provider) -> None:
    """Go and look whether it was billed, and say so."""
    while True:
        for head in await engine.runs(open_only=True):
            run = await engine.get(head.run)
            for question in (await run.status()).questions:
                key = idempotency_key(RunId(head.run), StepKey(question.step))
                answer = "happened" if key in provider.happened else "did_not"
                await run.answer(question.step, answer)
        await pass_time(0.5)


async def attended(engine: Engine, run: Run, provider: Provider, seconds: float | None) -> bool:
    """Let a run live for a while, with somebody who answers; whether it has ended."""
    async with asyncio.TaskGroup() as group:
        person = group.create_task(answer_doubts(engine, provider))
        try:
            async with asyncio.timeout(seconds):
                await finish(engine, run)
        except TimeoutError:
            return False
        finally:
            person.cancel()
    return True


async def live(provider: Provider, plan: Plan) -> Result:
    """A run that is interrupted several times, as by `kill -9`, and taken up again."""
    store = MemoryStore()
    name = ""
    for life in range(LIVES):
        registry = Registry(provider.world.tools)
        engine = Engine(store, registry, SimulatedClock())
        seconds = provider.chance.uniform(0.1, 2.0) if life < LIVES - 1 else None
        async with engine.runtime:
            if not name:
                name = (await engine.start(plan, {"numbers": list(range(67))})).id
            await engine.recover()
            run = await engine.get(name)
            if await attended(engine, run, provider, seconds):
                return await run.status()
        await registry.close()
    raise AssertionError("the last life is as long as it takes")


MANY = [pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 200)]


@pytest.mark.parametrize("plan", [flat(), nested()], ids=["flat", "nested"])
@pytest.mark.parametrize("seed", [*range(8), *MANY])
@pytest.mark.slow  # two hundred calls at once, in four lives
@pytest.mark.requirement("E11")
def test_no_more_is_billed_than_the_cap_whatever_happens(seed: int, plan: Plan) -> None:
    provider = Provider(seed)
    result = run_simulated(live(provider, plan), seed=seed)
    assert provider.billed <= CAP, "counted outside"
    assert provider.billed <= result.cost.usd, "whatever was billed is charged"
    assert result.cost.usd <= CAP
    assert result.cost.usd > CAP - 3 * CEILING * 2, "and what there is, is used"
    assert provider.bills > 15
    assert result.state == "succeeded"


@pytest.mark.requirement("budget:reserved-with-the-start")
@simulated
async def test_an_undo_is_never_refused_for_money() -> None:
    world = World()
    billed: list[float] = []

    def bills(usd: float, then: Act | None = None) -> Act:
        async def act(call: Call, ctx: Any) -> Any:
            billed.append(usd)
            ctx.charge(usd=usd)
            await ctx.sleep(1)
            return await then(call, ctx) if then else None

        return act

    world.tool("refund", bills(2, world.takes_back), effect="write", idempotent=True, ceiling=2)
    world.tool("pay", bills(1, world.stands), effect="write", undo="refund", ceiling=1)
    world.tool("boom", waits(3, raises(FatalError("boom"))))
    plan = a_plan(
        *(Step(id=f"s{n}", tool="pay", on_failure="skip") for n in range(40)),
        Step(id="boom", tool="boom"),
        budget=Budget(usd=20),
        concurrency=50,
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "undone"
    assert not world.standing, "everything that was paid is refunded"
    assert sum(billed) == result.cost.usd == 18, "six of three, and no seventh"
    assert result.kept == Cost()


@simulated
async def test_an_overrun_is_charged_in_full_journalled_and_stops_everything() -> None:
    world = World()

    async def greedy(_call: Call, ctx: Any) -> Any:
        await ctx.sleep(1)
        ctx.charge(usd=30)

    world.tool("greedy", greedy, ceiling=1)
    world.tool("paid", waits(10), ceiling=1)
    plan = a_plan(
        Step(id="greedy", tool="greedy", on_failure="ignore"),
        *(Step(id=f"s{n}", tool="paid", on_failure="skip") for n in range(30)),
        budget=Budget(usd=20),
        on_failure="continue",
        concurrency=4,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        (ended,) = [x for x in await records(run, "AttemptEnded") if x.step == "greedy"]
        late = [x for x in await records(run, "AttemptStarted") if x.at > ended.at]
        (end,) = await records(run, "RunEnded")
    assert (ended.cost.usd, end.cause.kind) == (30, "budget")
    assert "of 20" in end.cause.message
    assert not late
    assert result.cost.usd == 33, "those that were stopped are charged their ceilings"
    assert end.spent.usd == 33


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@pytest.mark.parametrize(
    ("answer", "charged", "calls"), [("happened", 6, 1), ("did_not", 6, 2), ("undo", 6, 1)]
)
@simulated
async def test_a_doubt_is_charged_when_it_is_known_and_once(
    answer: str, charged: float, calls: int
) -> None:
    world = World()

    async def sold(_call: Call, ctx: Any) -> Any:
        ctx.charge(usd=6)

    world.tool("undo", effect="write", idempotent=True)
    world.tool("pay", [hangs(), sold], effect="write", undo="undo", ceiling=6, timeout=5.0)
    world.tool("other", returns(1), ceiling=6)
    plan = a_plan(
        Step(id="pay", tool="pay", on_failure="ignore"),
        Step(id="other", tool="other", priority=-1, on_failure="ignore", ceiling=Cost(usd=5)),
        budget=Budget(usd=10),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await pass_time(60)
        status = await run.status()
        assert (status.cost.usd, world.count("other")) == (0, 0), "it keeps its reservation"
        await run.answer("pay", answer)
        result = await finish(engine, run)
    assert result.steps["pay"].cost.usd == charged
    assert world.count("pay") == calls
    denied = result.steps["other"].error
    assert denied is not None
    assert "4 of 10 are left" in denied.message


@pytest.mark.parametrize("kind", ["timeout", "cancelled", "said", "failed", "nothing"])
@simulated
async def test_what_an_attempt_is_charged_that_did_not_end_well(kind: str) -> None:
    world = World()

    async def says_and_hangs(_call: Call, ctx: Any) -> Any:
        ctx.charge(usd=2)
        await asyncio.Event().wait()

    acts: dict[str, Act] = {
        "timeout": hangs(),
        "cancelled": hangs(),
        "said": says_and_hangs,
        "failed": raises(TransientError("no")),
        "nothing": raises(NotDoneError("no")),
    }
    world.tool("paid", acts[kind], cost=1, ceiling=5, timeout=9.0, retry=Retry(attempts=1))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="paid"), budget=Budget(usd=5)))
        await until(run, "AttemptStarted")
        if kind == "cancelled":
            await run.cancel()
        result = await finish(engine, run)
    charged = {"timeout": 5, "cancelled": 5, "said": 2, "failed": 1, "nothing": 0}
    assert result.cost.usd == charged[kind]
