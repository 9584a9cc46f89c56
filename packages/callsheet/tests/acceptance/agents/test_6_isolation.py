"""The sixth point of the contract: an agent that goes wrong costs its own step, and no more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.agents.troupe import all_replay, done, result, step, troupe, writer

from callsheet import RunState, StepState
from callsheet.testing import SimulatedClock, simulated
from callsheet.testing.models import Gate, Say, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from callsheet.agents.model import Request, Streamed

pytestmark = pytest.mark.requirement("M3", "M1")


class Raising:
    """A model that is a mistake."""

    async def stream(self, _request: Request) -> AsyncGenerator[Streamed, None]:
        raise ZeroDivisionError("oops")
        yield

    async def close(self) -> None:
        """Nothing is held."""


def fine() -> ScriptedModel:
    """A model that always delivers."""
    model = ScriptedModel()
    model.otherwise(lambda _: [result({"title": "fine"})])
    return model


def two(bad: str = "bad") -> list[Any]:
    """One agent that goes wrong, and one that does not."""
    return [writer("wrong", models=(bad,), role="wrong"), writer("right", models=("fine",))]


BOTH = (
    {**step(agent={"capability": "script.write", "role": "wrong"}), "id": "bad"},
    {**step(agent={"capability": "script.write", "role": "writer"}), "id": "good"},
)


async def both(engine: Any) -> Any:
    ended = await done(engine, *BOTH, on_failure="continue")
    assert ended.steps["good"].state is StepState.SUCCEEDED
    assert await all_replay(engine)
    return ended.steps["bad"].error


@simulated
async def test_one_that_raises() -> None:
    async with troupe(two(), {"bad": Raising(), "fine": fine()}) as engine:
        error = await both(engine)
        assert error.error_class == "fatal"


@simulated
async def test_one_that_floods() -> None:
    flood = ScriptedModel([Say("n" * 200_000, split=20)])
    flood.otherwise(lambda _: [Say("no")])
    async with troupe(two(), {"bad": flood, "fine": fine()}) as engine:
        error = await both(engine)
        assert error.error_class == "invalid"


@pytest.mark.slow  # fifty megabytes are read
@simulated
async def test_one_that_answers_fifty_megabytes() -> None:
    flood = ScriptedModel([Say("n" * 50_000_000, split=1_000_000)])
    async with troupe(two(), {"bad": flood, "fine": fine()}) as engine:
        error = await both(engine)
        assert error.error_class == "invalid"


@pytest.mark.slow  # what hangs is waited for on the real clock
async def test_one_that_hangs_has_its_time_and_no_more() -> None:
    hanging = ScriptedModel()
    hanging.otherwise(lambda _: [Gate(asyncio.Event())])
    agents = [
        writer("wrong", models=("bad",), role="wrong", limits={"seconds": 0.3}),
        writer("right", models=("fine",)),
    ]
    async with troupe(agents, {"bad": hanging, "fine": fine()}, clock=None) as engine:
        error = await both(engine)
        assert error.error_class == "timeout"


@simulated
async def test_no_more_answers_of_an_agent_go_on_at_once_than_it_says() -> None:
    at_once, most = 0, 0

    class Counting:
        async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await SimulatedClock().sleep(1)
            async for each in fine().stream(request):
                yield each
            at_once -= 1

        async def close(self) -> None:
            """Nothing is held."""

    agent = writer(concurrency=2)
    async with troupe([agent], {"scripted": Counting()}) as engine:
        steps = [{**step(), "id": f"w{number}"} for number in range(9)]
        ended = await done(engine, *steps)
        assert (ended.state, most) == (RunState.SUCCEEDED, 2)


@simulated
async def test_cancelling_the_run_around_it_stops_the_agent() -> None:
    model = ScriptedModel([Gate(asyncio.Event())])
    async with troupe([writer()], model) as engine:
        run = await engine.start({"steps": [step()]})
        await SimulatedClock().sleep(5)
        assert model.requests
        await run.cancel()
        ended = await run.wait()
        assert ended.state is RunState.CANCELLED
        (head,) = await engine.runs(plan="agent")
        assert head.ended == "cancelled"


@simulated
async def test_pausing_the_run_around_it_pauses_the_agent() -> None:
    gate = asyncio.Event()
    model = ScriptedModel([Gate(gate), Say("no")], [result({"title": "x"})])
    async with troupe([writer()], model) as engine:
        run = await engine.start({"steps": [step()]})
        await SimulatedClock().sleep(5)
        assert model.requests
        await run.pause()
        await SimulatedClock().sleep(1)
        gate.set()
        await SimulatedClock().sleep(5)
        assert len(model.requests) == 1
        await run.resume()
        assert (await run.wait()).state is RunState.SUCCEEDED
