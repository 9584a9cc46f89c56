"""Open runs: they take steps while they run, wait for more, and end when they are sealed."""

from __future__ import annotations

import asyncio
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
    until,
)

from callsheet import Budget, Engine, Plan, Step, tool
from callsheet.errors import FatalError, PlanError, RequestPendingError, RequestRefusedError
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Run

pytestmark = pytest.mark.requirement("E19")


def shop() -> World:
    world = World()
    world.tool("look", returns({"price": 7}))
    world.tool("slow", waits(5))
    world.pair("book", "cancel")
    world.pair("pin", "unpin", waits(2, world.stands), idempotent=True)
    world.tool("boom", raises(FatalError("boom")))
    return world


async def an_open_run(engine: Engine, *steps: Step, **fields: Any) -> Run:
    return await engine.start(a_plan(*steps, **fields), open=True)


async def until_waiting(run: Run) -> None:
    async for seen in run.watch():
        if seen.state == "waiting":
            return


@simulated
async def test_steps_are_added_while_it_runs_and_it_ends_when_it_is_sealed() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="look", tool="look"), output="${steps.look.price}")
        await run.add([{"id": "flight", "tool": "book", "args": {"p": "${steps.look.price}"}}])
        await pass_time(100)
        assert (await run.status()).state == "waiting", "it may be given more at any time"
        await run.add([Step(id="pin", tool="pin", needs=("flight",))], by="ann")
        await run.seal(by="ann")
        result = await finish(engine, run)
        added = await records(run, "StepsAdded")
        (sealed,) = await records(run, "RunSealed")
    assert (result.state, result.output) == ("succeeded", 7)
    assert states(result) == {"look": "succeeded", "flight": "succeeded", "pin": "succeeded"}
    assert world.of("book")[0].args == {"p": 7}
    assert (added[1].by, sealed.by) == ("ann", "ann")


@simulated
async def test_an_open_run_without_work_waits_and_its_seconds_do_not_run() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="slow"), budget=Budget(seconds=12))
        await pass_time(100)
        status = await run.status()
        assert status.state == "waiting"
        assert status.seconds == pytest.approx(5, abs=0.1)
        await run.add([Step(id="b", tool="slow")])
        await pass_time(100)
        assert (await run.status()).seconds == pytest.approx(10, abs=0.2)
        await run.add([Step(id="c", tool="slow")])
        result = await finish(engine, run)
    assert result.cause is not None
    assert (result.state, result.cause.kind) == ("failed", "budget")
    assert result.seconds == pytest.approx(12, abs=0.2)


@simulated
async def test_steps_added_one_by_one_come_to_what_the_closed_plan_comes_to() -> None:
    steps = [
        Step(id="look", tool="look"),
        Step(id="flight", tool="book", args={"p": "${steps.look.price}"}, touches=("x",)),
        Step(id="seats", tool="pin", for_each=[1, 2], args={"n": "${item}"}, touches=("x",)),
        Step(id="no", tool="book", when="${steps.look.price > `9`}"),
        Step(id="after_no", tool="book", needs=("no",)),
        Step(id="bad", tool="boom", on_failure="skip"),
        Step(id="after_bad", tool="book", needs=("bad",)),
        Step(id="worse", tool="boom", on_failure="ignore"),
        Step(id="after_worse", tool="book", needs=("worse",)),
        Step(id="anyway", tool="book", needs=("no", "flight"), run_if_skipped=True),
        Step(id="last", tool="boom", needs=("seats",)),
    ]
    outcomes = []
    for slowly in (False, True):
        world = shop()
        async with opened(world) as engine:
            run = await an_open_run(engine)
            for step in steps:
                await run.add([step])
                if slowly and step.id != "last":
                    await pass_time(60)
            result = await finish(engine, run)
        outcomes.append((result.state, states(result), sorted(world.steps)))
        assert not world.standing
    world = shop()
    async with opened(world) as engine:
        result = await carry_out(engine, a_plan(*steps))
    closed = (result.state, states(result), sorted(world.steps))
    assert outcomes == [closed, closed]
    assert closed[0] == "undone"


@simulated
async def test_a_step_added_after_what_it_needs_has_ended_is_settled_at_once() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(
            engine,
            Step(id="good", tool="look"),
            Step(id="bad", tool="boom"),
            Step(id="skipped", tool="look", when="${`false`}"),
            on_failure="continue",
        )
        await until_waiting(run)
        await run.add(
            [
                Step(id="a", tool="look", needs=("good",)),
                Step(id="b", tool="look", needs=("bad",)),
                Step(id="c", tool="look", needs=("skipped",)),
                Step(id="d", tool="look", needs=("skipped",), run_if_skipped=True),
                Step(id="e", tool="look", needs=("b", "a"), run_if_skipped=True),
            ]
        )
        await run.seal()
        result = await finish(engine, run)
    assert states(result) == {
        "good": "succeeded",
        "bad": "failed",
        "skipped": "skipped",
        "a": "succeeded",
        "b": "skipped",
        "c": "skipped",
        "d": "succeeded",
        "e": "skipped",
    }
    assert result.state == "failed"


@simulated
async def test_added_steps_wait_for_what_touches_the_same_and_start_by_priority() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="slow", touches=("x",)), concurrency=1)
        await until(run, "AttemptStarted")
        await run.add(
            [
                Step(id="b", tool="slow", touches=("x",)),
                Step(id="c", tool="slow"),
                Step(id="d", tool="slow", priority=3),
            ]
        )
        await run.seal()
        await finish(engine, run)
    assert world.steps == ["a", "d", "b", "c"]
    assert world.most_at_once == 1


@simulated
async def test_nothing_is_added_to_a_run_that_is_not_open() -> None:
    world = shop()
    world.tool("hang", hangs())
    more = [Step(id="more", tool="look")]
    async with opened(world) as engine:
        closed = await engine.start(a_plan(Step(id="a", tool="hang")))
        with pytest.raises(RequestRefusedError, match="not open"):
            await closed.add(more)
        sealed = await an_open_run(engine, Step(id="a", tool="hang"))
        await sealed.seal()
        with pytest.raises(RequestRefusedError, match="not open"):
            await sealed.add(more)
        await sealed.seal()
        assert (await kinds(sealed)).count("RunSealed") == 1, "twice is once"
        await sealed.cancel()
        await finish(engine, sealed)
        with pytest.raises(RequestRefusedError, match="has ended"):
            await sealed.add(more)
        with pytest.raises(RequestRefusedError, match="ended"):
            await sealed.seal()
        await closed.cancel()


@simulated
async def test_nothing_is_added_to_a_run_that_stops() -> None:
    world = shop()
    world.pair("keep", "unkeep", waits(1, world.stands))
    release = asyncio.Event()
    world.tool("undo_slowly", hangs(release), effect="write", idempotent=True)
    world.tool("make", effect="write", undo="undo_slowly")
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="make"))
        await until(run, "AttemptEnded")
        await run.cancel()
        await until(run, "UndoStarted")
        with pytest.raises(RequestRefusedError, match="stopping"):
            await run.add([Step(id="more", tool="look")])
        release.set()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert world.count("look") == 0


@simulated
async def test_what_does_not_check_is_refused_with_places_counted_from_the_first_added() -> None:
    @tool("typed", effect="read")
    async def typed(n: int) -> dict[str, int]:
        return {"n": n}

    world = shop()
    world.tools.append(typed)
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="look"), Step(id="b", tool="look"))
        cases: dict[str, Step] = {
            "steps[1].id": Step(id="a", tool="look"),
            "steps[1].tool": Step(id="z", tool="lok"),
            "steps[1].args.n": Step(id="z", tool="typed", args={"n": "many"}),
            "steps[1].needs[0]": Step(id="z", tool="look", needs=("nobody",)),
            "steps[1].args.x": Step(id="z", tool="look", args={"x": "${steps.nobody}"}),
        }
        for place, bad in cases.items():
            with pytest.raises(PlanError) as refused:
                await run.add([Step(id="fine", tool="look"), bad])
            assert places(refused.value) == [place]
        with pytest.raises(PlanError) as refused:
            await run.add(
                [Step(id="p", tool="look", needs=("q",)), Step(id="q", tool="look", needs=("p",))]
            )
        assert "p -> q -> p" in str(refused.value)
        assert not await records(run, "StepsAdded"), "all or none"
        await run.add([Step(id="fine", tool="typed", args={"n": 3})])
        await run.seal()
        result = await finish(engine, run)
    assert set(result.steps) == {"a", "b", "fine"}


@simulated
async def test_an_open_run_is_paused_and_resumed_and_takes_steps_meanwhile() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine)
        await run.pause()
        await run.add([Step(id="a", tool="look")])
        await pass_time(10)
        assert not world.calls
        await run.resume()
        await run.seal()
        result = await finish(engine, run)
    assert (result.state, world.count("look")) == ("succeeded", 1)


@simulated
async def test_an_open_run_is_undone_on_request_with_what_was_added() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="book"))
        await run.add([Step(id="b", tool="pin", needs=("a",))])
        await until(run, "AttemptEnded", step="b")
        await run.undo()
        result = await finish(engine, run)
        assert not world.standing
        assert [call.step for call in world.calls if call.key.endswith(":undo")] == ["b", "a"]
        other = await an_open_run(engine, Step(id="a", tool="book"))
        await other.add([Step(id="b", tool="pin", needs=("a",))])
        await other.seal()
        await finish(engine, other)
        await other.undo(to="a")
        kept = await finish(engine, other)
    assert states(result) == {"a": "undone", "b": "undone"}
    assert states(kept) == {"a": "succeeded", "b": "undone"}


@simulated
async def test_an_open_run_cancelled_while_it_waits_ends() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="book"))
        await until_waiting(run)
        await run.cancel(reason="enough")
        result = await finish(engine, run)
    assert (result.state, result.steps["a"].state) == ("undone", "undone")


@pytest.mark.requirement("children:one-run-per-step")
@simulated
async def test_added_steps_may_be_plans_that_name_saved_plans_however_deep() -> None:
    world = shop()
    part = a_plan(Step(id="x", tool="look"), output="${steps.x.price}", name="part")
    outer = a_plan(Step(id="deep", plan="part"), output="${steps.deep}")
    async with opened(world) as engine:
        await engine.plans.save(part)
        run = await an_open_run(engine)
        await run.add([Step(id="two", plan=outer)])
        await run.add([Step(id="one", plan="part")])
        with pytest.raises(PlanError, match="no saved plan 'nobody'"):
            await run.add([Step(id="three", plan="nobody")])
        await run.seal()
        result = await finish(engine, run)
    assert {key: step.output for key, step in result.steps.items()} == {"one": 7, "two": 7}


@pytest.mark.requirement("E11")
@pytest.mark.slow  # a database
@simulated
async def test_an_open_run_goes_on_in_another_engine_with_what_was_added(tmp_path: Path) -> None:
    world = shop()
    async with opened(world, tmp_path) as engine:
        run = await an_open_run(engine, Step(id="a", tool="look"))
        await run.add([Step(id="b", tool="book", args={"p": "${steps.a.price}"})])
        await until(run, "AttemptEnded", step="b")
    async with opened(world, tmp_path) as engine:
        again = await engine.get(run.id)
        await again.add([Step(id="c", tool="pin", args={"at": "${steps.b.id}"})])
        await again.seal()
        result = await finish(engine, again)
    assert result.state == "succeeded"
    assert world.of("pin")[0].args == {"at": "book-b"}
    assert (world.count("look"), world.count("book")) == (1, 1)


@pytest.mark.slow  # two engines on one database
@pytest.mark.requirement("processes:second-terminal")
@simulated
async def test_steps_are_added_from_another_process(tmp_path: Path) -> None:
    world = shop()
    async with opened(world, tmp_path) as engine:
        run = await an_open_run(engine, Step(id="a", tool="look"))
        async with opened(World(), tmp_path, drive=False) as other:
            seen = await other.get(run.id)
            await seen.add([Step(id="b", tool="book", args={"p": "${steps.a.price}"})], by="eve")
            with pytest.raises(RequestRefusedError, match=r"steps\[0\].tool.*lok"):
                await seen.add([Step(id="c", tool="lok")])
            with pytest.raises(PlanError, match="already"):
                await run.add([Step(id="b", tool="look")])
            await seen.seal()
            result = await seen.wait()
        assert result.state == "succeeded"
        (added,) = await records(run, "StepsAdded")
        await finish(engine, run)
    assert added.by == "eve"
    assert world.of("book")[0].args == {"p": 7}


@pytest.mark.slow  # three engines on one database, one after the other
@pytest.mark.requirement("processes:second-terminal")
@simulated
async def test_steps_left_for_later_are_checked_as_far_as_can_be_without_the_tools(
    tmp_path: Path,
) -> None:
    world = shop()
    async with opened(world, tmp_path) as engine:
        run = await an_open_run(engine, Step(id="a", tool="look"))
        await until(run, "AttemptEnded")
    async with opened(World(), tmp_path, drive=False) as other:
        seen = await other.get(run.id)
        with pytest.raises(PlanError, match="no step 'z'"):
            await seen.add([Step(id="b", tool="book", args={"p": "${steps.z}"})])
        with pytest.raises(RequestPendingError):
            await seen.add([Step(id="b", tool="book", args={"p": "${steps.a.price}"})])
        with pytest.raises(RequestPendingError):
            await seen.seal()
    async with opened(world, tmp_path) as engine:
        result = await finish(engine, await engine.get(run.id))
    assert (result.state, world.of("book")[0].args) == ("succeeded", {"p": 7})


async def test_an_addition_that_nobody_waits_for_and_that_is_refused_is_a_problem_of_the_run(
    tmp_path: Path,
) -> None:
    async with Engine.open(tmp_path) as engine:
        run = await engine.start(Plan(name="open", steps=()), open=True)
    async with Engine.open(tmp_path, drive=False) as looking:
        handle = await looking.get(run.id)
        for ask in (handle.add([Step(id="a", tool="of.nobody")]), handle.seal()):
            with pytest.raises(RequestPendingError):
                await ask
    async with Engine.open(tmp_path, recover=False) as engine:
        resumed = await engine.resume(run.id)
        result = await resumed.wait()
    (problem,) = result.problems
    assert "A request (add) was refused" in problem.message
    assert "there is no tool 'of.nobody'" in problem.message
    assert result.state == "succeeded"


@simulated
async def test_steps_that_are_added_together_may_need_each_other_in_any_order() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await an_open_run(engine, Step(id="a", tool="look"))
        await run.add(
            [
                {"id": "c", "tool": "book", "args": {"p": "${steps.b.price}"}, "needs": ["a"]},
                {"id": "b", "tool": "look"},
            ]
        )
        await run.seal()
        result = await finish(engine, run)
    assert states(result) == dict.fromkeys("acb", "succeeded")
    assert world.of("book")[0].args == {"p": 7}
