"""What comes in at a door is checked there: what was acknowledged can always be read again."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, finish, opened, records, until

from callsheet import Artifact, Context, Engine, Step, tool
from callsheet.core.run.entries import encode
from callsheet.errors import InputError, TransientError
from callsheet.testing import SimulatedClock, World, hangs, simulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from callsheet import Run

pytestmark = pytest.mark.requirement("E11")

HALF = "half \ud800 a pair"


class Odd:
    """Something that is no JSON."""


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


NO_JSON = {
    "an object": Odd(),
    "a set": {1, 2},
    "bytes": b"yes",
    "NaN": math.nan,
    "half a pair": HALF,
    "half a pair as a key": {HALF: 1},
    "very deep": deep(100),
    "deeper than any stack": deep(100_000),
    "a key that is no text": {1: 2},
    "a huge number": 2**70,
}

STARTS: dict[str, dict[str, Any]] = {
    "key is a number": {"key": 5},
    "key is broken text": {"key": HALF},
    "key with a NUL": {"key": "a\0b"},
    "open is a number": {"open": 1},
    "tenant is a number": {"tenant": 7},
    "inputs are a list": {"inputs": ["a"]},
}

ASKED: dict[str, Callable[[Run, Any], Awaitable[None]]] = {
    "pause(by=…)": lambda run, bad: run.pause(by=bad),
    "resume(by=…)": lambda run, bad: run.resume(by=bad),
    "cancel(by=…)": lambda run, bad: run.cancel(by=bad),
    "cancel(reason=…)": lambda run, bad: run.cancel(reason=bad),
    "undo(by=…)": lambda run, bad: run.undo(by=bad),
    "undo(to=…)": lambda run, bad: run.undo(bad),
    "seal(by=…)": lambda run, bad: run.seal(by=bad),
    "answer(step=…)": lambda run, bad: run.answer(bad, "yes"),
    "answer(by=…)": lambda run, bad: run.answer("ok", "yes", by=bad),
    "answer(question=…)": lambda run, bad: run.answer("ok", "yes", question=bad),
    "add(by=…)": lambda run, bad: run.add([Step(id="x", tool="ok")], by=bad),
}

LOOKED: dict[str, Callable[[Engine], Awaitable[object]]] = {
    "get": lambda engine: engine.get(5),  # type: ignore[arg-type]
    "resume": lambda engine: engine.resume(5),  # type: ignore[arg-type]
    "replay": lambda engine: engine.replay(5),  # type: ignore[arg-type]
    "delete": lambda engine: engine.delete(5),  # type: ignore[arg-type]
    "fork": lambda engine: engine.fork("r", 5),  # type: ignore[arg-type]
    "fork(args=…)": lambda engine: engine.fork("r", "a", [1]),  # type: ignore[arg-type]
    "fork(key=…)": lambda engine: engine.fork("r", "a", key=5),  # type: ignore[arg-type]
    "runs(limit=…)": lambda engine: engine.runs(limit="5"),  # type: ignore[arg-type]
    "runs(before=…)": lambda engine: engine.runs(before=5),  # type: ignore[arg-type]
    "statistics(since=…)": lambda engine: engine.statistics(5),  # type: ignore[arg-type]
    "statistics(tool=…)": lambda engine: engine.statistics(tool=5),  # type: ignore[arg-type]
    "calibration(limit=…)": lambda engine: engine.calibration(limit=-1),
    "prune": lambda engine: engine.prune(5),  # type: ignore[arg-type]
    "collect": lambda engine: engine.collect(grace=5),  # type: ignore[arg-type]
    "lineage": lambda engine: engine.lineage(5),  # type: ignore[arg-type]
    "lineage(direction=…)": lambda engine: engine.lineage("r", direction="left"),  # type: ignore[arg-type]
    "plans.get": lambda engine: engine.plans.get(5),  # type: ignore[arg-type]
    "plans.get(version=…)": lambda engine: engine.plans.get("a", "1"),  # type: ignore[arg-type]
    "plans.versions": lambda engine: engine.plans.versions(5),  # type: ignore[arg-type]
    "plans.delete": lambda engine: engine.plans.delete(5),  # type: ignore[arg-type]
    "ledger.grant(tenant=…)": lambda engine: engine.ledger.grant(5, usd=1),  # type: ignore[arg-type]
    "ledger.grant(usd=…)": lambda engine: engine.ledger.grant("t", usd="1"),  # type: ignore[arg-type]
    "ledger.grant(usd=nan)": lambda engine: engine.ledger.grant("t", usd=math.nan),
    "ledger.grant(tokens=…)": lambda engine: engine.ledger.grant("t", tokens=1.5),  # type: ignore[arg-type]
    "ledger.grant(note=…)": lambda engine: engine.ledger.grant("t", usd=1, note=5),  # type: ignore[arg-type]
    "ledger.grant(by=…)": lambda engine: engine.ledger.grant("t", usd=1, by=HALF),
    "ledger.account": lambda engine: engine.ledger.account(5),  # type: ignore[arg-type]
    "ledger.statement": lambda engine: engine.ledger.statement("t", since=5),  # type: ignore[arg-type]
    "context.put(scope=…)": lambda engine: engine.context.put(5, "a", 1),  # type: ignore[arg-type]
    "context.put(value=…)": lambda engine: engine.context.put("s", "a", {HALF: 1}),
    "context.put(ttl=…)": lambda engine: engine.context.put("s", "a", 1, ttl="1"),  # type: ignore[arg-type]
    "context.put(after=…)": lambda engine: engine.context.put("s", "a", 1, after="1"),  # type: ignore[arg-type]
    "context.get": lambda engine: engine.context.get("s", 5),  # type: ignore[arg-type]
    "context.list": lambda engine: engine.context.list(5),  # type: ignore[arg-type]
    "context.delete": lambda engine: engine.context.delete(5),  # type: ignore[arg-type]
    "artifacts.put": lambda engine: engine.artifacts.put(5),  # type: ignore[arg-type]
    "artifacts.put(name=…)": lambda engine: engine.artifacts.put("a", name=5),  # type: ignore[arg-type]
    "artifacts.put(media_type=…)": lambda engine: engine.artifacts.put("a", media_type=HALF),
    "artifacts.get": lambda engine: engine.artifacts.get(5),  # type: ignore[arg-type]
    "artifacts.find": lambda engine: engine.artifacts.find(5),  # type: ignore[arg-type]
    "artifacts.list(run=…)": lambda engine: engine.artifacts.list(run=5),  # type: ignore[arg-type]
}


def a_world() -> World:
    world = World()
    world.tool("ok")
    world.tool("hangs", hangs())
    return world


ASKS = a_plan(Step(id="ok", ask="Go on?"), Step(id="slow", tool="hangs"))


@pytest.mark.parametrize("case", STARTS)
@simulated
async def test_a_start_with_a_wrong_argument_is_refused_by_name_and_leaves_nothing(
    case: str,
) -> None:
    async with opened(a_world()) as engine:
        with pytest.raises(InputError, match=next(iter(STARTS[case]))):
            await engine.start(a_plan(Step(id="a", tool="ok")), **STARTS[case])
        assert not await engine.runs()


@pytest.mark.parametrize("case", ASKED)
@pytest.mark.parametrize("bad", [7, HALF, Odd()], ids=["number", "half", "object"])
@simulated
async def test_a_request_with_a_wrong_argument_is_refused_and_the_run_does_not_notice(
    case: str, bad: Any
) -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(ASKS, open=True)
        await until(run, "QuestionAsked")
        before = await run.journal()
        with pytest.raises(InputError, match=r"step|by|reason|to|question|steps"):
            await ASKED[case](run, bad)
        assert await run.journal() == before
        await run.cancel(reason="enough", by="ann")
        assert (await finish(engine, run)).state == "cancelled"


@pytest.mark.parametrize("case", NO_JSON)
@simulated
async def test_an_answer_that_is_no_json_is_refused_and_can_be_given_again(case: str) -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(a_plan(Step(id="ok", ask="What?"), output="${steps.ok}"))
        await until(run, "QuestionAsked")
        with pytest.raises(InputError, match="answer"):
            await run.answer("ok", NO_JSON[case])
        with pytest.raises(InputError, match="output"):
            await run.answer("ok", "yes", output=NO_JSON[case])
        await run.answer("ok", {"go": [1, None]})
        assert (await finish(engine, run)).output == {"go": [1, None]}


@pytest.mark.parametrize("case", NO_JSON)
@simulated
async def test_steps_and_inputs_that_are_no_json_are_refused(case: str) -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(ASKS, open=True)
        before = await run.journal()
        with pytest.raises(InputError):
            await run.add([{"id": "b", "tool": "ok", "args": {"x": NO_JSON[case]}}])
        assert len(await run.journal()) == len(before)
        with pytest.raises(InputError):
            await engine.start(
                a_plan(Step(id="a", tool="ok"), inputs={"x": {}}), {"x": NO_JSON[case]}
            )
        assert len(await engine.runs()) == 1


@pytest.mark.parametrize("case", LOOKED)
@simulated
async def test_every_verb_of_the_engine_refuses_a_wrong_type_by_name(case: str) -> None:
    async with opened(a_world()) as engine:
        with pytest.raises(InputError):
            await LOOKED[case](engine)
        assert not await engine.ledger.accounts()


@simulated
async def test_a_stream_from_a_place_that_is_no_number_is_refused() -> None:
    async with opened(a_world()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="ok")))
        with pytest.raises(InputError, match="after"):
            _ = [told async for told in run.events("1")]  # type: ignore[arg-type]
        with pytest.raises(InputError, match="after"):
            await run.journal("1")  # type: ignore[arg-type]
        with pytest.raises(InputError, match="every"):
            _ = [told async for told in run.watch("1")]  # type: ignore[arg-type]


# From inside a tool

SAID: dict[str, Callable[[Context], Any]] = {
    "charge(usd=text)": lambda ctx: ctx.charge(usd="1"),  # type: ignore[arg-type]
    "charge(usd=-1)": lambda ctx: ctx.charge(usd=-1),
    "charge(tokens=nan)": lambda ctx: ctx.charge(tokens=math.nan),  # type: ignore[arg-type]
    "charge(usd=1e308)": lambda ctx: ctx.charge(usd=1e308),
    "progress(fraction=…)": lambda ctx: ctx.progress("half"),  # type: ignore[arg-type]
    "progress(message=…)": lambda ctx: ctx.progress(0.5, 7),  # type: ignore[arg-type]
    "checkpoint": lambda ctx: ctx.checkpoint(Odd()),  # type: ignore[arg-type]
    "checkpoint, half a pair": lambda ctx: ctx.checkpoint({"a": HALF}),
    "store(data=…)": lambda ctx: ctx.store(7),  # type: ignore[arg-type]
    "store(name=…)": lambda ctx: ctx.store(b"", name=7),  # type: ignore[arg-type]
    "load": lambda ctx: ctx.load("a" * 64),  # type: ignore[arg-type]
    "file": lambda ctx: ctx.file("a" * 64),  # type: ignore[arg-type]
    "sleep": lambda ctx: ctx.sleep("1"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", SAID)
@simulated
async def test_what_a_tool_says_wrongly_is_refused_to_the_tool(case: str) -> None:
    refused: list[Exception] = []

    @tool("says")
    async def says(ctx: Context) -> str:
        try:
            said = SAID[case](ctx)
            if said is not None:
                await said
        except InputError as exc:
            refused.append(exc)
        return "done"

    async with Engine.in_memory(tools=[says], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="says")))
        assert (await finish(engine, run)).state == "succeeded"
    assert len(refused) == 1


@simulated
async def test_charges_whose_sum_would_be_infinite_end_as_numbers() -> None:
    @tool("dear", cost=1e308)
    async def dear() -> None:
        pass

    async with Engine.in_memory(tools=[dear], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(*(Step(id=name, tool="dear") for name in "abc")))
        result = await finish(engine, run)
    assert math.isfinite(result.cost.usd)


@simulated
async def test_an_artifact_with_a_name_that_is_no_text_is_printable_and_the_run_goes_on(
    tmp_path: Any,
) -> None:
    odd = tmp_path / "caf\udce9.txt"
    odd.write_bytes(b"x")

    @tool("keeps")
    async def keeps(ctx: Context) -> Artifact:
        return await ctx.store(odd)

    async with Engine.in_memory(tools=[keeps], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="keeps"), output="${steps.a.name}"))
        assert (await finish(engine, run)).output == "caf\\udce9.txt"
        assert (await engine.artifacts.put(odd)).name == "caf\\udce9.txt"
        (ended,) = await records(run, "AttemptEnded")
        assert ended.artifacts[0].name == "caf\\udce9.txt"


@simulated
async def test_an_artifact_made_by_hand_with_broken_text_fails_its_step() -> None:
    @tool("forges")
    async def forges() -> Artifact:
        return Artifact(digest="a" * 64, name=HALF)

    async with Engine.in_memory(tools=[forges], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="forges")))
        result = await finish(engine, run)
    assert result.state == "failed"
    assert "name" in str(result.steps["a"].error)


@pytest.mark.requirement("E7")
@simulated
async def test_a_huge_error_message_is_kept_with_its_beginning_and_its_end() -> None:
    @tool("shouts", effect="read", retry=3)
    async def shouts() -> None:
        raise TransientError("first words " + "a" * 5_000_000 + " last words")

    async with Engine.in_memory(tools=[shouts], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="shouts")))
        result = await finish(engine, run)
        size = sum(len(encode(entry)) for entry in await run.journal())
    error = result.steps["a"].error
    assert error is not None
    assert error.message.startswith("first words")
    assert error.message.endswith("last words")
    assert "4,991,831 characters left out" in error.message
    assert size < 100_000


def test_a_time_span_is_a_timedelta() -> None:
    from callsheet.core import given

    assert given.duration("since", timedelta(1)) == timedelta(1)
