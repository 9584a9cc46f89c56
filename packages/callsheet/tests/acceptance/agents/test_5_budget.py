"""The fifth point of the contract: one pot, and nobody spends what another has reserved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.agents.troupe import (
    CAPABILITY,
    all_replay,
    choices,
    done,
    journal_of,
    result,
    step,
    troupe,
    writer,
)

from callsheet import RunState
from callsheet.core.run.entries import AttemptStarted
from callsheet.errors import PlanError
from callsheet.testing import simulated
from callsheet.testing.models import End, Say, ScriptedModel

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("M3", "M1")


@simulated
async def test_the_step_reserves_what_the_agent_may_spend_and_settles_what_it_has() -> None:
    model = ScriptedModel([result({"title": "x"}), End(input=100, output=50)])
    async with troupe([writer(budget={"tokens": 20_000})], model) as engine:
        ended = await done(engine, step(), budget={"tokens": 50_000})
        started = [e for e in await journal_of(engine, "plan") if isinstance(e, AttemptStarted)]
        assert [each.reserved.tokens for each in started] == [20_000]
        assert ended.cost.tokens == 150


@simulated
async def test_in_a_run_with_a_cap_an_agent_must_have_one() -> None:
    async with troupe([writer()], ScriptedModel()) as engine:
        with pytest.raises(PlanError, match="its agent has none"):
            await done(engine, step(), budget={"usd": 1.0})
        assert not await engine.runs()


@simulated
async def test_an_agent_that_may_spend_more_than_the_run_is_refused_before_it_starts() -> None:
    async with troupe([writer(budget={"tokens": 20_000})], ScriptedModel()) as engine:
        with pytest.raises(PlanError, match="20000 tokens"):
            await done(engine, step(), budget={"tokens": 10_000})
        assert not await engine.runs()


@simulated
async def test_an_answer_dearer_than_its_ceiling_is_charged_in_full_and_nothing_follows() -> None:
    model = ScriptedModel([Say("no"), End(input=10, output=10**6)])
    async with troupe([writer(budget={"tokens": 20_000})], model) as engine:
        ended = await done(engine, step())
        assert ended.state is RunState.FAILED
        assert ended.cost.tokens == 10**6 + 10
        assert len(model.requests) == 1
        assert await all_replay(engine)


@simulated
async def test_each_of_several_that_are_able_keeps_to_its_own_budget() -> None:
    poor = ScriptedModel([result({"title": "x"})])
    agents = [
        writer("poor", models=("poor",), budget={"tokens": 1_000}, preference=1),
        writer("rich", models=("rich",), budget={"tokens": 50_000}),
    ]
    async with troupe(agents, {"poor": poor, "rich": ScriptedModel()}) as engine:
        failed = (await done(engine, step())).steps["w"].error
        assert failed is not None
        assert "poor may spend 1000 tokens" in failed.message
        assert not poor.requests
        assert [each.agent for each in await choices(engine)] == ["poor"]


@simulated
async def test_of_those_alike_the_one_that_fails_less_is_asked_first() -> None:
    bad, good = ScriptedModel(), ScriptedModel()
    good.otherwise(lambda _: [result({"title": "x"})])
    agents = [writer("ann", models=("bad", "good")), writer("ben", models=("good",))]
    async with troupe(agents, {"bad": bad, "good": good}) as engine:
        # One by name, whose model is broken: what it says is invalid.
        args: dict[str, Json] = {"capability": CAPABILITY, "args": {"task": "t"}}
        await done(engine, {"id": "w", "tool": "agent.ann", "args": args})
        ended = await done(engine, step())
        assert [each.agent for each in await choices(engine, ended)] == ["ben"]
