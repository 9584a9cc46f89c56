"""Retry: what is tried again, how often, after how long; breakers and timeouts."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    opened,
    records,
    states,
    until,
)

from callsheet import Result, Retry, Step
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    TransientError,
)
from callsheet.testing import (
    World,
    hangs,
    ignores_stop,
    raises,
    returns,
    run_simulated,
    simulated,
    waits,
)


async def try_out(world: World, step: Step) -> Result:
    async with opened(world) as engine:
        return await carry_out(engine, a_plan(step))


def gaps(world: World) -> list[float]:
    """The waits between the end of each call and the beginning of the next."""
    calls = pairwise(world.calls)
    return [later.began_at - (earlier.ended_at or 0) for earlier, later in calls]


@pytest.mark.parametrize(
    ("error", "error_class", "attempts"),
    [
        (TransientError("x"), "transient", 3),
        (NotDoneError("x"), "transient", 3),
        (RateLimitedError("x"), "rate_limited", 3),
        (TimeoutError("x"), "timeout", 3),
        (ConnectionResetError("x"), "transient", 3),
        (ConnectionRefusedError("x"), "transient", 3),
        (InvalidError("x"), "invalid", 1),
        (DeniedError("x"), "denied", 1),
        (FatalError("x"), "fatal", 1),
        (ToolError("x"), "fatal", 1),
        (ValueError("x"), "fatal", 1),
        (SystemExit(3), "fatal", 1),
        (KeyboardInterrupt(), "fatal", 1),
        (asyncio.CancelledError(), "fatal", 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
@pytest.mark.requirement("retry:only-retryable-classes", "E7", "E8")
@simulated
async def test_only_transient_rate_limited_and_timeout_are_retried(
    error: BaseException, error_class: str, attempts: int
) -> None:
    world = World()
    world.tool("bad", raises(error))
    result = await try_out(world, Step(id="a", tool="bad"))
    assert result.state == "failed"
    assert world.count("bad") == attempts
    assert [call.attempt for call in world.calls] == list(range(1, attempts + 1))
    step = result.steps["a"]
    assert step.attempts == attempts
    assert step.error is not None
    assert step.error.error_class == error_class


@pytest.mark.requirement("retry:only-retryable-classes", "undo:recovered-errors-undo-nothing")
@simulated
async def test_a_step_that_works_at_last_succeeds_and_nothing_is_undone() -> None:
    world = World()
    world.pair("book", "cancel")
    world.tool("flaky", [raises(TransientError("1")), raises(RateLimitedError("2")), returns(7)])
    plan = a_plan(
        Step(id="before", tool="book"),
        Step(id="a", tool="flaky", needs=("before",)),
        output="${steps.a}",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert (result.state, result.output) == ("succeeded", 7)
    assert result.steps["a"].error is None
    assert world.count("cancel") == 0
    assert len(world.standing) == 1


@pytest.mark.parametrize(
    ("terms", "fields", "attempts"),
    [
        ({}, {}, 3),
        ({"effect": "write", "idempotent": True}, {}, 3),
        ({"effect": "write"}, {}, 1),
        ({"effect": "write"}, {"idempotent": True}, 3),
        ({"effect": "write", "idempotent": True}, {"idempotent": False}, 1),
        ({"effect": "write", "retry": 4}, {}, 4),
        ({"retry": 5}, {}, 5),
        ({"retry": 5}, {"retry": Retry(attempts=2)}, 2),
        ({"effect": "write"}, {"retry": Retry(attempts=2)}, 2),
    ],
)
@pytest.mark.requirement("retry:attempts-by-effect", "E8")
@simulated
async def test_reads_and_idempotent_writes_have_three_attempts_others_one_unless_declared(
    terms: Any, fields: Any, attempts: int
) -> None:
    world = World()
    world.tool("bad", raises(NotDoneError("not yet")), **terms)
    result = await try_out(world, Step(id="a", tool="bad", **fields))
    assert world.count("bad") == attempts
    assert states(result) == {"a": "failed"}


async def waits_of_retries() -> list[float]:
    world = World()
    world.tool("bad", raises(RateLimitedError("x")))
    retry = Retry(attempts=8, backoff=1, max_backoff=20)
    await try_out(world, Step(id="a", tool="bad", retry=retry))
    return gaps(world)


@pytest.mark.slow  # a dozen simulations
@pytest.mark.requirement("retry:backoff-from-a-seed", "E8")
def test_backoff_grows_and_its_jitter_comes_from_the_seed() -> None:
    longest = [1, 2, 4, 8, 16, 20, 20]
    many = [run_simulated(waits_of_retries(), seed=seed) for seed in range(12)]
    assert many[7] == run_simulated(waits_of_retries(), seed=7)
    assert len({wait[0] for wait in many}) == 12
    for all_waits in many:
        assert all(0 <= wait <= most for wait, most in zip(all_waits, longest, strict=True))
    middles = [sorted(wait)[6] for wait in zip(*many, strict=True)]
    assert middles[4] > middles[2] > middles[0], "full jitter, but longer each time"
    assert max(max(each[5:]) for each in many) > 16, "up to the longest"


@pytest.mark.requirement("retry:backoff-from-a-seed", "E8")
@simulated
async def test_retry_after_is_honoured() -> None:
    world = World()
    slow_down = [raises(RateLimitedError("x", retry_after=45)), returns(1)]
    world.tool("busy", slow_down, retry=Retry(backoff=0.1))
    result = await try_out(world, Step(id="a", tool="busy"))
    assert result.state == "succeeded"
    assert gaps(world) == [pytest.approx(45, abs=0.01)]


@pytest.mark.requirement("retry:backoff-from-a-seed")
@simulated
async def test_a_backoff_that_is_over_is_an_entry() -> None:
    world = World()
    world.tool("flaky", [raises(TransientError("x")), returns(1)], retry=Retry(backoff=9))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="flaky")))
        await until(run, "AttemptEnded")
        assert states(await run.status()) == {"a": "retrying"}
        await finish(engine, run)
        (fired,) = await records(run, "TimerFired")
        ended, _ = await records(run, "AttemptEnded")
    assert (fired.step, fired.attempt) == ("a", 1)
    assert fired.at > ended.at


@pytest.mark.requirement("retry:breaker-opens-and-says-so", "E8")
@simulated
async def test_a_breaker_opens_after_repeated_failures_and_says_so() -> None:
    world = World()
    world.tool("down", raises(TransientError("503")), retry=Retry(attempts=4, backoff=0.001))
    plan = a_plan(
        *(Step(id=f"s{n}", tool="down") for n in range(4)), on_failure="continue", concurrency=1
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        delays = await records(run, "StepDelayed")
    assert world.count("down") == 16
    begun = [call.began_at for call in world.calls]
    assert begun[4] < 1, "five calls, one after the other"
    pauses = [later - earlier for earlier, later in pairwise(begun[4:])]
    assert all(pause == pytest.approx(10, abs=0.1) for pause in pauses), "then a probe at a time"
    assert delays
    assert "breaker of down is open" in delays[0].reason
    assert delays[0].until is not None
    assert result.state == "failed"


@pytest.mark.requirement("retry:breaker-opens-and-says-so")
@simulated
async def test_a_breaker_lets_one_probe_through_and_closes_when_it_succeeds() -> None:
    world, recovered = World(), asyncio.Event()

    async def outage(call: Any, ctx: Any) -> Any:
        if not recovered.is_set():
            raise TransientError("503")
        await ctx.sleep(3)

    world.tool("shaky", outage, retry=Retry(attempts=9, backoff=0.001))
    plan = a_plan(*(Step(id=f"s{n}", tool="shaky") for n in range(5)))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "StepDelayed")
        assert world.count("shaky") == 5
        assert any("breaker" in step.reason for step in (await run.status()).steps.values())
        recovered.set()
        result = await finish(engine, run)
    assert result.state == "succeeded"
    probe, *others = [call for call in world.calls if call.attempt == 2]
    assert all(probe.before(other) for other in others), "the probe is alone"
    assert probe.began_at == pytest.approx(10, abs=0.1)
    assert all(call.began_at == pytest.approx(13, abs=0.1) for call in others)


@pytest.mark.requirement("retry:breaker-opens-and-says-so")
@simulated
async def test_errors_that_are_the_callers_fault_do_not_open_a_breaker() -> None:
    world = World()
    world.tool("strict", raises(InvalidError("no")))
    steps = [Step(id=f"s{n}", tool="strict", on_failure="ignore") for n in range(20)]
    async with opened(world) as engine:
        run = await engine.start(a_plan(*steps))
        await finish(engine, run)
        assert not await records(run, "StepDelayed")
    assert world.count("strict") == 20
    assert {call.began_at for call in world.calls} == {0}


@pytest.mark.parametrize(
    ("terms", "fields", "seconds"),
    [
        pytest.param({}, {}, 600, marks=pytest.mark.slow),
        ({"timeout": "90s"}, {}, 90),
        ({"timeout": 90}, {"timeout": 2.5}, 2.5),
    ],
    ids=["by default", "of the tool", "of the step"],
)
@pytest.mark.requirement("E8")
@simulated
async def test_a_call_has_a_timeout_and_the_tool_is_told(
    terms: Any, fields: Any, seconds: float
) -> None:
    world = World()
    world.tool("slow", hangs(), retry=1, **terms)
    result = await try_out(world, Step(id="a", tool="slow", **fields))
    (call,) = world.calls
    assert call.told
    assert (call.ended_at or 0) - call.began_at == pytest.approx(seconds, abs=0.01)
    error = result.steps["a"].error
    assert error is not None
    assert error.error_class == "timeout"
    assert f"{seconds:g} s" in error.message


@pytest.mark.requirement("E8")
@simulated
async def test_a_timeout_counts_per_attempt() -> None:
    world = World()
    world.tool("slow", [hangs(), hangs(), waits(4)], retry=Retry(attempts=3, backoff=0.001))
    result = await try_out(world, Step(id="a", tool="slow", timeout=5))
    assert result.state == "succeeded"
    assert [call.told for call in world.calls] == [True, True, False]
    assert result.errors == {"slow": {"timeout": 2}}


@pytest.mark.requirement("E8", "cancel:isolated-writes-are-killed")
@simulated
async def test_a_read_that_ignores_its_timeout_is_abandoned_and_reported() -> None:
    world, release = World(), asyncio.Event()
    world.tool("deaf", ignores_stop(release), retry=1)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="deaf", timeout=5)))
        result = await finish(engine, run)
        (end,) = await records(run, "AttemptEnded")
        (start,) = await records(run, "AttemptStarted")
    release.set()
    assert end.abandoned
    assert (end.at - start.at).total_seconds() == pytest.approx(17, abs=0.1)
    assert end.error.error_class == "timeout"
    assert [problem.step for problem in result.problems] == ["a"]
