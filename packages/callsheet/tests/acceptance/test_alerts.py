"""Alerts: somebody is told when a run fails, is stuck, meets a cap, or does not know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, until

from callsheet import Budget, Cost, Engine, Step
from callsheet.errors import FatalError
from callsheet.testing import SimulatedClock, World, raises, returns, simulated, waits
from callsheet.types import Alert

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

pytestmark = pytest.mark.requirement("E20")


def opened(world: World, heard: list[Alert]) -> AbstractAsyncContextManager[Engine]:
    return Engine.in_memory(world.tools, on_alert=heard.append, clock=SimulatedClock())


def kinds(heard: list[Alert]) -> list[tuple[str, str | None]]:
    return [(alert.kind, alert.step) for alert in heard]


@pytest.mark.parametrize("policy", ["undo", "stop", "continue"])
@simulated
async def test_a_run_that_fails_raises_one_alert_whatever_becomes_of_it(policy: str) -> None:
    world, heard = World(), list[Alert]()
    world.pair("book", "unbook")
    world.tool("boom", raises(FatalError("It broke.")))
    async with opened(world, heard) as engine:
        steps = Step(id="a", tool="book"), Step(id="b", tool="boom", needs=("a",))
        run = await engine.start(a_plan(*steps, on_failure=policy))
        await finish(engine, run)
        journal = await run.journal()
    assert kinds(heard) == [("failed", "b")]
    assert (heard[0].run, heard[0].message) == (run.id, "It broke.")
    assert (heard[0].seq, heard[0].at) == (len(journal), journal[-1].at)


@simulated
async def test_a_run_that_cannot_be_taken_back_is_stuck_and_says_so() -> None:
    world, heard = World(), list[Alert]()
    world.tool("book", returns(1), effect="write", undo="unbook")
    world.tool("unbook", raises(FatalError("no")), effect="write", idempotent=True)
    world.tool("boom", raises(FatalError("no")))
    async with opened(world, heard) as engine:
        steps = Step(id="a", tool="book"), Step(id="b", tool="boom", needs=("a",))
        await carry_out(engine, a_plan(*steps))
    assert kinds(heard) == [("stuck", "b")]


@simulated
async def test_each_way_to_meet_a_cap_is_an_alert_about_the_budget() -> None:
    world, heard = World(), list[Alert]()
    world.tool("slow", waits(60.0))
    world.tool("paid", returns(1), cost=Cost(usd=1), ceiling=Cost(usd=1))

    async def overcharges(_call: object, ctx: object) -> None:
        ctx.charge(usd=9)  # type: ignore[attr-defined]

    world.tool("dear", overcharges, ceiling=Cost(usd=1))
    async with opened(world, heard) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="slow"), budget=Budget(seconds=10)))
        await carry_out(engine, a_plan(Step(id="b", tool="dear"), budget=Budget(usd=2)))
        steps = Step(id="c", tool="paid"), Step(id="d", tool="dear", needs=("c",))
        await carry_out(engine, a_plan(*steps, budget=Budget(usd=1.5)))
    assert kinds(heard) == [("budget", None), ("budget", "b"), ("budget", "d")]


@simulated
async def test_a_doubt_is_an_alert_as_soon_as_it_is_asked_about() -> None:
    world, heard = World(), list[Alert]()
    world.tool("pay", raises(RuntimeError("gone")), effect="write")
    async with opened(world, heard) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="pay")))
        await until(run, "QuestionAsked")
        assert kinds(heard) == [("in_doubt", "a")]
        await run.answer("a", "happened", by="me")
        await finish(engine, run)
    assert len(heard) == 1


@simulated
async def test_what_goes_well_or_was_wanted_is_no_alert() -> None:
    world, heard = World(), list[Alert]()
    world.tool("look", returns(1))
    world.tool("slow", waits(60.0))
    world.tool("boom", raises(FatalError("no")))
    async with opened(world, heard) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="look")))
        await carry_out(engine, a_plan(Step(id="a", tool="boom", on_failure="ignore")))
        run = await engine.start(a_plan(Step(id="a", tool="slow")))
        await run.cancel()
        await finish(engine, run)
    assert not heard


@simulated
async def test_an_alert_is_also_a_line_in_the_log_and_a_bad_function_harms_nobody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLSHEET_LOG", "json")
    world = World()
    world.tool("boom", raises(FatalError("s3cret")))

    def fails(_: Alert) -> None:
        raise RuntimeError("mine")

    clock = SimulatedClock()
    async with Engine.in_memory(world.tools, on_alert=fails, clock=clock) as engine:
        result = await carry_out(engine, a_plan(Step(id="a", tool="boom")))
    err = capsys.readouterr().err
    said = [json.loads(line) for line in err.splitlines()]
    assert [(line["event"], line["level"]) for line in said] == [
        ("alert.raised", "warning"),
        ("listener.failed", "warning"),
    ]
    assert (said[0]["alert"], said[0]["run"], said[0]["step"]) == ("failed", result.run, "a")
    assert "s3cret" not in err
