"""Cached reads: the same call of another run may answer, and the run says which it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    kinds,
    opened,
    pass_time,
    places,
    records,
    states,
)

from callsheet import Budget, Step
from callsheet.errors import FatalError, PlanError
from callsheet.stores.memory.store import MemoryJournal
from callsheet.testing import World, echo, raises, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Engine, Result
    from callsheet.core.ids import RunId
    from callsheet.testing import Call

pytestmark = pytest.mark.requirement("cache:names-its-source")


def library(version: str = "1") -> World:
    world = World()
    world.tool("read", waits(1), version=version)
    world.tool("other", waits(1), version=version)
    world.pair("book", "cancel")
    return world


def read(name: str = "a", tool: str = "read", *, cache: float | bool = True, **args: Any) -> Step:
    return Step(id=name, tool=tool, args=args, cache=cache)


async def source_of(engine: Engine, step: Step, tenant: str = "default") -> str:
    """The run whose call has answered for a step; empty: it was called."""
    result = await finish(engine, await engine.start(a_plan(step), tenant=tenant))
    assert result.state == "succeeded"
    return result.steps[step.id].source


@simulated
async def test_a_hit_names_its_source_calls_nothing_and_costs_nothing() -> None:
    world = library()

    async def paid(call: Call, ctx: Any) -> Any:
        ctx.charge(usd=2)
        return {"q": call.args["q"]}

    world.tool("paid", paid, ceiling=2)
    plan = a_plan(
        Step(id="a", tool="paid", args={"q": "x"}, cache=True),
        Step(id="b", tool="book", args={"of": "${steps.a.q}"}),
        budget=Budget(usd=3, calls=2),
        output="${steps.a}",
    )
    async with opened(world) as engine:
        first = await engine.start(plan)
        paid_for = await finish(engine, first)
        second = await engine.start(plan)
        free = await finish(engine, second)
        (cached,) = await records(second, "StepCached")
        (ended, _) = await records(first, "AttemptEnded")
    assert world.count("paid") == 1
    assert (cached.source, cached.source_step, cached.key) == (first.id, "a", ended.cache_key)
    assert free.steps["a"].source == first.id
    assert (paid_for.steps["a"].source, free.steps["a"].attempts) == ("", 0)
    assert free.output == paid_for.output == {"q": "x"}
    assert (paid_for.cost.usd, free.cost.usd, free.cost.calls) == (2, 0, 1)
    assert world.of("book")[1].args == {"of": "x"}


@simulated
async def test_a_run_never_waits_for_a_hit_that_it_did_not_ask_for() -> None:
    world = library()
    async with opened(world) as engine:
        await source_of(engine, read(q=1, cache=False))
        assert await source_of(engine, read(q=1)) == "", "what was not to be cached is not"
        assert await source_of(engine, read(q=1, cache=False)) == ""
        assert await source_of(engine, read(q=1)) != ""
    assert world.count("read") == 3


@simulated
async def test_tool_arguments_and_tenant_are_all_part_of_the_key() -> None:
    world = library()
    async with opened(world) as engine:
        assert await source_of(engine, read(q=1, r=[1, {"s": None}])) == ""
        assert await source_of(engine, read(r=[1, {"s": None}], q=1)) != "", "in any order"
        assert await source_of(engine, read("b", q=1, r=[1, {"s": None}])) != "", "of any step"
        assert await source_of(engine, read(q=1, r=[1, {"s": 0}])) == ""
        assert await source_of(engine, read(q="1", r=[1, {"s": None}])) == ""
        assert await source_of(engine, read(tool="other", q=1, r=[1, {"s": None}])) == ""
        assert await source_of(engine, read(q=1, r=[1, {"s": None}]), tenant="eve") == ""
        assert await source_of(engine, read(q=1, r=[1, {"s": None}]), tenant="eve") != ""


@pytest.mark.slow  # a database
@simulated
async def test_another_version_of_the_tool_is_another_call(tmp_path: Path) -> None:
    async with opened(library("1"), tmp_path) as engine:
        first = await engine.start(a_plan(read(q=1)))
        await finish(engine, first)
    async with opened(library("1"), tmp_path) as engine:
        assert await source_of(engine, read(q=1)) == first.id, "engines share what is stored"
    async with opened(library("2"), tmp_path) as engine:
        assert await source_of(engine, read(q=1)) == ""


@simulated
async def test_a_hit_is_no_older_than_the_step_allows() -> None:
    world = library()
    async with opened(world) as engine:
        assert await source_of(engine, read(q=1)) == ""
        await pass_time(60)
        assert await source_of(engine, read(q=1, cache=59.0)) == "", "too old: called again"
        await pass_time(50)
        assert await source_of(engine, read(q=1, cache=59.0)) != "", "the younger call answers"
        await pass_time(500)
        assert await source_of(engine, read(q=1)) != "", "any age will do"
    assert world.count("read") == 2


@pytest.mark.requirement("E2")
@simulated
async def test_only_reads_are_cached() -> None:
    world = library()
    async with opened(world) as engine:
        with pytest.raises(PlanError) as refused:
            await engine.start(a_plan(Step(id="w", tool="book", cache=True)))
        assert places(refused.value) == ["steps[0].cache"]
        assert not await engine.runs()


@simulated
async def test_a_failed_call_answers_for_nobody() -> None:
    world = library()
    world.tool("bad", raises(FatalError("no")))
    async with opened(world) as engine:
        for _ in range(2):
            result = await carry_out(engine, a_plan(read(tool="bad")))
            assert result.state == "failed"
    assert world.count("bad") == 2


@pytest.mark.requirement("E14")
@simulated
async def test_the_answer_goes_with_the_run_that_gave_it() -> None:
    world = library()
    async with opened(world) as engine:
        first = await engine.start(a_plan(read(q=1)))
        await finish(engine, first)
        await engine.delete(first.id)
        assert await source_of(engine, read(q=1)) == ""
    assert world.count("read") == 2


@simulated
async def test_many_steps_look_at_once_and_each_gets_its_answer() -> None:
    world = library()
    plan = a_plan(*(read(f"s{n}", q=n % 10) for n in range(50)), concurrency=50)
    async with opened(world) as engine:
        await carry_out(engine, a_plan(*(read(f"s{n}", q=n) for n in range(10))))
        world.calls.clear()
        result = await carry_out(engine, plan)
    assert not world.calls
    assert {key: step.output for key, step in result.steps.items()} == {
        f"s{n}": {"q": n % 10} for n in range(50)
    }


@simulated
async def test_a_read_that_the_run_has_just_made_is_not_made_again() -> None:
    world = library()
    plan = a_plan(
        Step(id="all", tool="read", for_each=[1, 1, 2, 1], args={"q": "${item}"}, cache=True),
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        cached = await records(run, "StepCached")
    assert [call.args["q"] for call in world.calls] == [1, 2]
    assert [(entry.step, entry.source) for entry in cached] == [
        ("all[1]", run.id),
        ("all[3]", run.id),
    ]
    assert result.steps["all[3]"].output == {"q": 1}


@simulated
async def test_a_step_that_finds_nothing_starts_in_the_append_that_lets_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    appended: list[list[str]] = []
    append = MemoryJournal.append

    async def noted(self: MemoryJournal, run: RunId, entries: Any, *, after: int) -> int:
        appended.append([type(entry).__name__ for entry in entries])
        return await append(self, run, entries, after=after)

    monkeypatch.setattr(MemoryJournal, "append", noted)
    after = Step(id="b", tool="read", args={"q": 2}, cache=True, needs=("a",))
    async with opened(library()) as engine:
        await carry_out(engine, a_plan(read("a", q=1), after))
    assert appended == [
        ["RunStarted", "AttemptStarted"],
        ["AttemptEnded", "AttemptStarted"],
        ["AttemptEnded", "RunEnded"],
    ]


@simulated
async def test_the_items_of_a_for_each_are_looked_for_one_by_one() -> None:
    world = library()
    plan = a_plan(
        Step(id="all", tool="read", for_each=[1, 2, 3], args={"q": "${item}"}, cache=True),
        output="${steps.all}",
    )
    async with opened(world) as engine:
        await source_of(engine, read(q=2))
        world.calls.clear()
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert (await kinds(run)).count("StepCached") == 1
    assert [call.args["q"] for call in world.calls] == [1, 3]
    assert result.output == [{"q": 1}, {"q": 2}, {"q": 3}]


@simulated
async def test_a_paused_or_cancelled_run_takes_no_answers() -> None:
    world = library()
    async with opened(world) as engine:
        await source_of(engine, read(q=1))
        after = Step(id="b", tool="read", args={"q": 1}, cache=True, needs=("a",))
        run = await engine.start(a_plan(read("a", q=5), after))
        await run.pause()
        await pass_time(50)
        assert "StepCached" not in await kinds(run)
        await run.resume()
        result = await finish(engine, run)
        other = await engine.start(a_plan(read("a", q=6), after))
        await other.cancel()
        stopped = await finish(engine, other)
    assert result.steps["b"].source
    assert states(stopped)["b"] == "cancelled"


LARGE = "x" * 40_000


@pytest.mark.slow  # a database and files
@pytest.mark.requirement("E14")
@simulated
async def test_a_hit_brings_large_outputs_and_keeps_its_artifacts(tmp_path: Path) -> None:
    world = library()

    async def make(_call: Call, ctx: Any) -> Any:
        artifact = await ctx.store(b"film", name="film.mp4")
        return {"film": artifact.to_json(), "notes": LARGE}

    world.tool("make", make)
    plan = a_plan(
        Step(id="make", tool="make", cache=True),
        Step(id="use", tool="read", args={"f": "${steps.make.film}", "n": "${steps.make.notes}"}),
    )
    async with opened(world, tmp_path) as engine:
        first = await engine.start(plan)
        await finish(engine, first)
        second = await engine.start(plan)
        result: Result = await finish(engine, second)
        (cached,) = await records(second, "StepCached")
        await engine.delete(first.id)
        made: Any = (await second.status()).steps["make"].output
        assert await engine.artifacts.get(made["film"]["$artifact"]) == b"film"
    assert (world.count("make"), result.state) == (1, "succeeded")
    assert cached.stored
    assert [artifact.media_type for artifact in cached.artifacts] == ["video/mp4"]
    assert world.of("read")[1].args["n"] == made["notes"] == LARGE


@simulated
async def test_a_run_with_hits_is_forked_and_undone_like_any_other() -> None:
    world = library()
    world.tool("say", echo)
    plan = a_plan(
        read("a", q=1),
        Step(id="b", tool="book", args={"q": "${steps.a.q}"}),
        Step(id="c", tool="say", needs=("b",)),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
        run = await engine.start(plan)
        await finish(engine, run)
        fork = await engine.fork(run.id, "c")
        await finish(engine, fork)
        await run.undo()
        result = await finish(engine, run)
    assert world.count("read") == 1
    assert states(result) == {"a": "succeeded", "b": "undone", "c": "succeeded"}
    assert len(world.standing) == 1
