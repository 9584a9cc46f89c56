"""Statistics per tool and preflight, drawn from the journals of real runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.pages import names_in, tables
from tests.acceptance.stage import a_plan, carry_out, opened

from callsheet import Budget, Cost, Engine, Step
from callsheet.errors import FatalError, NotDoneError, PlanError, TransientError
from callsheet.insight import statistics as module
from callsheet.insight.estimate import StepForecast
from callsheet.insight.statistics import Statistics
from callsheet.testing import World, raises, returns, simulated, waits
from callsheet.types import Preflight, ToolStatistics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from callsheet import Context
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.testing import Call
    from callsheet.types import RunHead


async def as_told(call: Call, ctx: Context) -> Json:
    """An act: take as long as the arguments say, and fail if they say so."""
    await ctx.sleep(float(str(call.args["seconds"])))
    if call.args.get("fails"):
        raise FatalError("As told.")
    return None


def told(tool: str, seconds: float, *, fails: bool = False) -> Step:
    return Step(id="a", tool=tool, args={"seconds": seconds, "fails": fails})


async def of_tool(engine: Engine, name: str) -> ToolStatistics:
    (found,) = await engine.statistics(tool=name)
    return found


@pytest.mark.requirement("E20")
@simulated
async def test_calls_errors_retries_and_times_are_counted_per_tool() -> None:
    world = World()
    world.tool("flaky", [waits(1.0, raises(TransientError("x"))), waits(3.0)])
    world.tool("good", waits(1.0))
    async with opened(world) as engine:
        plan = a_plan(Step(id="a", tool="flaky"), Step(id="b", tool="good"))
        await carry_out(engine, plan)
        await carry_out(engine, plan)
        flaky, good = await engine.statistics()
    assert (flaky.tool, flaky.calls, flaky.succeeded, flaky.failed) == ("flaky", 4, 2, 2)
    assert flaky.errors == {"transient": 2}
    assert flaky.error_rate == 0.5
    assert (flaky.retries, flaky.steps, flaky.steps_succeeded) == (2, 2, 2)
    assert flaky.seconds is not None
    assert flaky.seconds.mean == pytest.approx(2.0)
    assert flaky.seconds.max == pytest.approx(3.0)
    assert flaky.seconds.p50 == pytest.approx(1.0, rel=0.05)
    assert flaky.seconds.p90 == pytest.approx(3.0, rel=0.05)
    assert good.seconds is not None
    assert good.seconds.p50 == good.seconds.p99 == pytest.approx(1.0, rel=0.05)
    assert (good.error_rate, good.errors) == (0.0, {})


@pytest.mark.requirement("E20")
@simulated
async def test_costs_are_added_up_and_divided() -> None:
    world = World()
    world.tool("paid", returns(1), cost=Cost(usd=0.25), ceiling=Cost(usd=0.5))
    async with opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="paid", for_each=[1, 2, 3, 4])))
        paid = await of_tool(engine, "paid")
    assert paid.cost == Cost(usd=1.0, calls=4)
    assert paid.cost_per_call == Cost(usd=0.25)


@pytest.mark.requirement("E20")
@simulated
async def test_what_was_taken_back_is_counted_for_the_tool_and_for_its_undo() -> None:
    world = World()
    world.tool("book", returns("b1"), effect="write", undo="unbook")
    world.tool("unbook", returns(), effect="write", idempotent=True)
    world.tool("boom", raises(FatalError("no")))
    async with opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="book")))
        plan = a_plan(Step(id="a", tool="book"), Step(id="b", tool="boom", needs=("a",)))
        await carry_out(engine, plan)
        book, unbook = await of_tool(engine, "book"), await of_tool(engine, "unbook")
    assert (book.calls, book.undone, book.undo_rate, book.undos) == (2, 1, 0.5, 0)
    assert (unbook.calls, unbook.undos, unbook.undone) == (1, 1, 0)


@pytest.mark.requirement("E20")
@simulated
async def test_a_write_that_nobody_knows_of_is_in_doubt_and_one_that_says_so_is_not() -> None:
    world = World()
    world.tool("pay", raises(RuntimeError("gone")), effect="write")
    world.tool("send", raises(NotDoneError("no")), effect="write")
    world.tool("put", raises(RuntimeError("gone")), effect="write", idempotent=True)
    async with opened(world) as engine:
        for name in ("pay", "send", "put"):
            await carry_out(engine, a_plan(Step(id="a", tool=name, in_doubt="fail")))
        found = {each.tool: each.in_doubt for each in await engine.statistics()}
    assert found == {"pay": 1, "put": 0, "send": 0}


@simulated
async def test_runs_that_began_before_since_and_beyond_the_limit_are_left_out() -> None:
    world = World()
    world.tool("long", waits(60.0))
    async with opened(world) as engine:
        for _ in range(3):
            await carry_out(engine, a_plan(Step(id="a", tool="long")))
        assert (await of_tool(engine, "long")).calls == 3
        (recent,) = await engine.statistics(timedelta(seconds=90))
        assert recent.calls == 1
        (newest,) = await engine.statistics(limit=2)
        assert newest.calls == 2
        assert await engine.statistics(tool="short") == []


class CountingJournal:
    """The journals of an engine, and which of them were read."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.reads: list[str] = []

    async def heads(self, *, limit: int, before: str | None) -> Sequence[RunHead]:
        return await self._engine.runs(limit=limit, before=before)

    async def read(self, run: str) -> Sequence[AnyEntry]:
        self.reads.append(run)
        return await (await self._engine.get(run)).journal()


@simulated
async def test_an_ended_run_is_read_once_and_an_undone_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PAGE", 2)
    world = World()
    world.tool("book", returns("b1"), effect="write", undo="unbook")
    world.tool("unbook", returns(), effect="write", idempotent=True)
    async with opened(world) as engine:
        runs = [await engine.start(a_plan(Step(id="a", tool="book"))) for _ in range(5)]
        for run in runs:
            await run.wait()
        journal = CountingJournal(engine)
        statistics = Statistics(journal)
        assert (await statistics.history()).tallies["book"].calls == 5
        assert sorted(journal.reads) == sorted(run.id for run in runs)
        assert (await statistics.history()).tallies["book"].calls == 5
        assert len(journal.reads) == 5
        await runs[0].undo()
        await runs[0].wait()
        assert (await statistics.history()).tallies["book"].undone == 1
        assert journal.reads[5:] == [runs[0].id]


# Preflight


@pytest.mark.requirement("E21")
@simulated
async def test_a_preflight_learns_from_earlier_runs() -> None:
    world = World()
    world.tool("slow", waits(2.0))
    async with opened(world) as engine:
        plan = a_plan(
            Step(id="a", tool="slow"), Step(id="b", tool="slow", args={"after": "${steps.a}"})
        )
        before = await engine.preflight(plan)
        assert (before.runs, before.chance, before.steps[0].seconds) == (0, None, None)
        assert {each.what for each in before.unknown} == {"seconds", "cost", "chance"}
        result = await carry_out(engine, plan)
        after = await engine.preflight(plan)
    assert (after.runs, after.unknown) == (1, ())
    assert after.seconds.expected == pytest.approx(4.0, rel=0.05)
    assert after.seconds.low <= result.seconds <= after.seconds.high * 1.05
    assert after.chance == pytest.approx(2.5 / 3 * 3.5 / 4)
    assert after.observations == 2


@pytest.mark.requirement("E21")
@simulated
async def test_a_preflight_starts_nothing_and_writes_nothing() -> None:
    world = World()
    world.tool("look", returns(1))
    async with opened(world) as engine:
        await engine.preflight(a_plan(Step(id="a", tool="look")))
        assert not await engine.runs()
    assert not world.calls


@simulated
async def test_a_preflight_of_what_could_not_be_started_is_refused() -> None:
    async with opened(World()) as engine:
        with pytest.raises(PlanError):
            await engine.preflight(a_plan(Step(id="a", tool="nothing")))
        plan = a_plan(Step(id="a", tool="value", args={"value": 1}), inputs={"x": {}})
        with pytest.raises(PlanError):
            await engine.preflight(plan, {})


@pytest.mark.requirement("E21")
@simulated
async def test_suggestions_hold_what_checking_warns_of_and_more() -> None:
    world = World()
    world.tool("look", returns(1))
    world.tool("wipe", returns(1), effect="write", destructive=True)
    async with opened(world) as engine:
        plan = a_plan(
            Step(id="a", tool="look"),
            Step(id="b", tool="look"),
            Step(id="c", tool="wipe", needs=("b",)),
        )
        said = " / ".join(map(str, (await engine.preflight(plan)).suggestions))
    assert "wipe writes and has no undo" in said
    assert "wipe is destructive, and no approval is asked for" in said
    assert "b makes the same call as a" in said
    assert "c waits for b, which only reads" in said


@pytest.mark.requirement("E21")
@simulated
async def test_the_budget_is_held_against_what_earlier_runs_have_cost() -> None:
    world = World()
    world.tool("paid", returns(1), cost=Cost(usd=0.25), ceiling=Cost(usd=0.5))
    async with opened(world) as engine:
        one = Step(id="a", tool="paid", for_each=[1, 2, 3, 4])
        await carry_out(engine, a_plan(one, Step(id="b", tool="paid")))
        (line,) = (await engine.preflight(a_plan(one, budget=Budget(usd=1.5)))).budget
    # What it has really cost is known by now; the ceiling, three times over, is the worst case.
    assert (line.expected, line.high, line.worst) == (1.0, 1.0, 6.0)
    assert line.verdict == "should fit"


@pytest.mark.requirement("E21")
@simulated
async def test_calibration_counts_how_often_the_range_was_right() -> None:
    world = World()
    world.tool("even", as_told)
    world.tool("wild", as_told)
    async with opened(world) as engine:
        for _ in range(3):
            await carry_out(engine, a_plan(told("even", 2)))
        even = await engine.calibration()
        assert (even.runs, even.seconds_within, even.cost_within) == (2, 2, 2)
        assert (even.foretold, even.succeeded) == (2, 1.0)
        assert even.chance == pytest.approx((1.5 / 2 + 2.5 / 3) / 2)
        for step in (
            told("wild", 1),
            told("wild", 1),
            told("wild", 9),
            told("wild", 1, fails=True),
        ):
            await carry_out(engine, a_plan(step))
        found = await engine.calibration()
    # Of the wild ones, the first was unknown, the second as foretold, the third was not.
    assert (found.runs, found.seconds_within) == (4, 3)
    assert (found.foretold, found.succeeded) == (5, 0.8)


@simulated
async def test_an_engine_that_only_looks_knows_as_much(tmp_path: Path) -> None:
    world = World()
    world.tool("look", returns(1))
    async with opened(world, tmp_path) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="look")))
    async with Engine.open(tmp_path, drive=False) as engine:
        assert (await of_tool(engine, "look")).calls == 1


def test_every_member_of_a_preflight_and_of_statistics_is_on_the_page() -> None:
    said = tables("docs/reference/python.md")
    for kind in (Preflight, ToolStatistics):
        on_page = {name for row in said[kind.__name__] for name in names_in(row[0])}
        assert on_page == {*kind.__struct_fields__, "to_json"}
    steps = next(row for row in said["Preflight"] if names_in(row[0]) == ["steps"])
    assert set(StepForecast.__struct_fields__) <= set(names_in(steps[1]))
