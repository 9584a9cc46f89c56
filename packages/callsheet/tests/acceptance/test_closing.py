"""Closing drains: what runs may end, what ends is written, and nothing fails because of it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    finish,
    kinds,
    opened,
    pass_time,
    records,
    states,
    until,
)

from callsheet import Budget, Engine, Plan, Step, tool
from callsheet.errors import EngineClosedError, InputError, NotDoneError
from callsheet.testing import (
    SimulatedClock,
    World,
    hangs,
    ignores_stop,
    raises,
    returns,
    simulated,
    waits,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.requirement("E5")


def now() -> float:
    return asyncio.get_running_loop().time()


def outcomes(entries: list[Any]) -> list[tuple[str, bool]]:
    """What became of attempts, and whether they say that nothing happened."""
    return [(x.outcome, bool(x.error and x.error.nothing_happened)) for x in entries]


@pytest.mark.slow  # with a database at work, simulated time only hurries
@simulated
async def test_a_write_that_ends_while_the_engine_closes_is_journalled(tmp_path: Path) -> None:
    world = World()
    world.pair("pay", "refund", waits(3, world.stands))
    world.tool("next")
    plan = a_plan(Step(id="pay", tool="pay"), Step(id="next", tool="next", needs=("pay",)))
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
        await pass_time(0.1)
    async with opened(world, tmp_path / "home", recover=False) as engine:
        run = await engine.get(run.id)
        assert states(await run.status()) == {"pay": "succeeded", "next": "ready"}
        assert world.count("next") == 0, "nothing new starts"
        await engine.resume(run.id)
        assert (await finish(engine, run)).state == "succeeded"
    assert world.count("pay") == 1


@simulated
async def test_the_last_outcome_ends_the_run_while_the_engine_closes() -> None:
    world = World()
    world.tool("work", waits(3, returns(7)))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="work"), output="${steps.a}"))
        await pass_time(0.1)
    assert (await run.wait()).output == 7
    assert now() < 4, "nobody waits longer than there is something to wait for"


@simulated
async def test_a_call_that_does_not_end_is_told_and_is_lost_and_never_cancelled() -> None:
    world = World()
    world.pair("pay", "refund", hangs())
    world.tool("read", hangs())
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay"), Step(id="read", tool="read")))
        await pass_time(0.1)
        closing = now()
    assert closing + 10 <= now() < closing + 11, "it had its time, and listened then"
    assert [call.told for call in world.calls] == [True, True]
    entries = await run.journal()
    assert outcomes([x for x in entries if type(x).__name__ == "AttemptEnded"]) == [
        ("lost", False),
        ("lost", False),
    ]
    assert states(await run.status()) == {"pay": "in_doubt", "read": "ready"}
    assert "CancelRequested" not in await kinds(run)


@simulated
async def test_whatever_answers_when_it_is_told_is_journalled_as_what_it_is() -> None:
    world = World()

    def when_told(act: Callable[[], Any]) -> Any:
        async def play(call: Any, ctx: Any) -> Any:
            with suppress(asyncio.CancelledError):
                await ctx.sleep(500)
            await ctx.sleep(1)
            return act()

        return play

    def fails() -> None:
        raise ValueError("in a hurry")

    def not_done() -> None:
        raise NotDoneError("nothing was sent")

    world.tool("good", when_told(lambda: "in time"), effect="write")
    world.tool("sure", when_told(not_done), effect="write")
    world.tool("bad", when_told(fails), effect="write")
    plan = a_plan(*(Step(id=name, tool=name) for name in ("good", "sure", "bad")))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await pass_time(0.1)
    ended = {x.step: x for x in await records(run, "AttemptEnded")}
    assert outcomes([ended["good"], ended["sure"], ended["bad"]]) == [
        ("succeeded", False),
        ("lost", True),
        ("lost", False),
    ]
    assert states(await run.status()) == {"good": "succeeded", "sure": "ready", "bad": "in_doubt"}


@simulated
async def test_a_call_that_was_not_entered_has_not_begun_and_counts_for_nothing() -> None:
    world = World()
    world.tool("pay", effect="write")
    plan = a_plan(Step(id="pay", tool="pay"), budget=Budget(calls=1))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await engine.drain()
    assert world.calls == []
    assert outcomes(await records(run, "AttemptEnded")) == [("lost", True)]
    status = await run.status()
    assert states(status) == {"pay": "ready"}
    assert (status.cost.calls, status.steps["pay"].cost.calls) == (0, 0)


@pytest.mark.slow  # opens a database 25 times
@simulated
async def test_closing_again_and_again_uses_up_no_attempt_and_no_loss(tmp_path: Path) -> None:
    world = World()
    world.tool("pay", returns("paid"), effect="write")
    plan = a_plan(Step(id="pay", tool="pay"), budget=Budget(calls=1), output="${steps.pay}")
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
    for _ in range(24):
        async with opened(world, tmp_path / "home") as engine:
            pass
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    assert (result.state, result.output, result.cost.calls) == ("succeeded", "paid", 1)


@simulated
async def test_a_failure_in_the_drain_is_the_runs_own() -> None:
    world = World()
    world.pair("book", "cancel")
    world.tool("fails", waits(2, raises(ValueError("no"))))
    plan = a_plan(Step(id="book", tool="book"), Step(id="b", tool="fails", needs=("book",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="b")
        await pass_time(0.1)
    assert states(await run.status()) == {"book": "succeeded", "b": "failed"}
    assert world.count("cancel") == 0, "an undo is something new"
    assert len(world.standing) == 1


@simulated
async def test_children_questions_and_timers_are_just_left() -> None:
    world = World()
    world.tool("work", waits(3))
    world.tool("flaky", raises(NotDoneError("x", retry_after=2)))
    child = Plan(
        steps=(Step(id="inner", tool="work"), Step(id="then", tool="work", needs=("inner",)))
    )
    plan = a_plan(
        Step(id="child", plan=child),
        Step(id="ask", ask="Well?", timeout=1),
        Step(id="again", tool="flaky"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="again")
        await pass_time(0.1)
    seen = states(await run.status())
    assert seen == {"child": "running", "ask": "waiting", "again": "retrying"}
    (inner,) = [head.run for head in await engine.runs() if head.run != run.id]
    below = states(await (await engine.get(inner)).status())
    assert below == {"inner": "succeeded", "then": "ready"}


@simulated
async def test_nobody_is_asked_anything_new_while_the_engine_closes() -> None:
    world = World()
    world.tool("work", waits(3))
    plan = a_plan(Step(id="a", tool="work"), Step(id="ask", ask="Well?", timeout=1, needs=("a",)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await pass_time(0.1)
    seen = states(await run.status())
    assert seen == {"a": "succeeded", "ask": "pending"}, "its time has not begun"


@simulated
async def test_without_a_drain_closing_is_like_a_crash() -> None:
    world = World()
    world.pair("pay", "refund", waits(1, world.stands))
    async with opened(world, drain=0) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay")))
        await pass_time(0.1)
    assert now() < 0.5
    assert (await kinds(run))[-1] == "AttemptStarted"


@simulated
async def test_a_tool_that_does_not_listen_is_not_waited_for_longer_than_said() -> None:
    world, end = World(), asyncio.Event()
    world.tool("deaf", ignores_stop(end), effect="write")
    async with opened(world, drain=2) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="deaf")))
        await pass_time(0.1)
        closing = now()
    assert closing + 7 <= now() < closing + 8
    assert (await kinds(run))[-1] == "AttemptStarted", "as after a crash: nobody knows"
    end.set()


@simulated
async def test_an_engine_is_drained_before_it_is_closed() -> None:
    world = World()
    world.tool("work", waits(3, returns(1)))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="work")))
        await pass_time(0.1)
        assert await engine.drain(30) is True
        assert (await run.status()).state == "succeeded", "it still reads"
        with pytest.raises(EngineClosedError):
            await engine.start(a_plan(Step(id="a", tool="work")))
        with pytest.raises(InputError, match="seconds"):
            await engine.drain(-1)
        with pytest.raises(InputError, match="seconds"):
            await engine.drain("soon")  # type: ignore[arg-type]


@simulated
async def test_an_undo_that_goes_on_has_the_same_time_and_is_never_lost_for_it() -> None:
    world = World()
    world.tool("unwrite", waits(3, world.takes_back), effect="write", idempotent=True)
    world.tool("write", world.stands, effect="write", undo="unwrite")
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="write")))
        await run.wait()
        await run.undo()
        await until(run, "UndoStarted")
        await pass_time(0.1)
    assert (await run.wait()).state == "undone"
    assert not world.standing


@pytest.mark.slow  # with a database at work, simulated time only hurries
@pytest.mark.requirement("doubt:never-blindly-repeated")
@simulated
async def test_two_calls_with_one_key_are_never_alive_at_once(tmp_path: Path) -> None:
    world, end = World(), asyncio.Event()
    world.tool("deaf", [ignores_stop(end), returns("second")], effect="write", idempotent=True)
    world.tool("other")
    plan = a_plan(Step(id="a", tool="deaf"), Step(id="b", tool="other"), output="${steps.a}")
    async with opened(world, tmp_path / "home", drain=0.1) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="a")
        await pass_time(0.1)
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        await until(run, "StepDelayed", step="a")
        await pass_time(5)
        assert world.count("deaf") == 1, "the first one is still at work"
        end.set()
        result = await finish(engine, run)
    assert (result.state, result.output, world.count("deaf")) == ("succeeded", "second", 2)
    first, second = world.of("deaf")
    assert first.before(second)


@simulated
async def test_a_write_that_starts_in_the_turn_in_which_another_step_is_refused_is_not_begun() -> (
    None
):
    world = World()
    world.tool("list", returns({"found": None}))
    world.tool("read")
    world.tool("write", effect="write")
    plan = a_plan(
        Step(id="list", tool="list"),
        Step(id="write", tool="write", needs=("list",), priority=5),
        Step(id="refused", tool="read", args={"x": "${steps.list.found}"}),
    )
    async with opened(world) as engine:
        result = await finish(engine, run := await engine.start(plan))
        ends = {x.step: x for x in await records(run, "AttemptEnded")}
    assert result.state == "failed"
    assert world.count("write") == 0
    assert outcomes([ends["write"]]) == [("cancelled", True)]
    assert now() < 1, "at once"


@pytest.mark.slow  # a thread sleeps for real
@simulated
async def test_a_write_in_a_thread_that_was_left_behind_holds_back_its_next_attempt() -> None:
    go_on, at_work, most = threading.Event(), [0], [0]

    @tool("deaf", effect="write", idempotent=True, isolated=False, timeout=1)
    def deaf() -> str:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        go_on.wait(30)
        at_work[0] -= 1
        return "done"

    async with Engine.open(None, [deaf], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="deaf"), output="${steps.a}"))
        await until(run, "StepDelayed", step="a")
        assert at_work == [1]
        go_on.set()
        result = await finish(engine, run)
    assert (result.state, result.output, most) == ("succeeded", "done", [1])
