"""The engine: runs any number of plans at once, outlives bad tools, and goes on where it was."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.isolated import dies, where, where_read
from tests.acceptance.stage import (
    a_plan,
    carry_out,
    finish,
    kinds,
    opened,
    pass_time,
    records,
    states,
    until,
)
from typing_extensions import override

from callsheet import CallsheetError, Limit, Plan, Retry, Step, Undo, tool
from callsheet.errors import InputError, PlanError, RequestRefusedError, TransientError
from callsheet.testing import World, blocks, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path


def a_world() -> World:
    world = World()
    world.pair("book", "cancel")
    world.tool("ok", waits(1))
    return world


# Any number of runs


@pytest.mark.requirement("E3")
@simulated
async def test_any_number_of_runs_go_on_at_once() -> None:
    world = a_world()
    async with opened(world) as engine:
        plan = a_plan(Step(id="a", tool="ok"), Step(id="b", tool="ok", needs=("a",)))
        runs = [await engine.start(plan) for _ in range(100)]
        results = [await run.wait() for run in runs]
        assert asyncio.get_running_loop().time() == pytest.approx(2, abs=0.1)
        listed = [head.run for head in await engine.runs(limit=1000)]
        assert listed == sorted((run.id for run in runs), reverse=True), "newest first"
        first_page = await engine.runs(limit=30)
        second_page = await engine.runs(limit=30, before=first_page[-1].run)
        assert [head.run for head in (*first_page, *second_page)] == listed[:60]
        assert not await engine.runs(open_only=True)
    assert {str(result.state) for result in results} == {"succeeded"}
    assert len(world.calls) == 200


@pytest.mark.requirement("E3")
@simulated
async def test_engines_share_no_state() -> None:
    one, other = World(), World()
    one.tool("same", waits(10, returns("one")), limit=Limit(at_once=1))
    other.tool("same", [raises(TransientError("x")), returns("other")], retry=Retry(backoff=0.1))
    plan = a_plan(Step(id="a", tool="same"), Step(id="b", tool="same"), output="${steps.a}")
    async with opened(one) as first, opened(other) as second:
        heard: list[Any] = []
        first.listen(heard.append)
        slow, quick = await first.start(plan, key="k"), await second.start(plan, key="k")
        assert (await quick.wait()).output == "other"
        assert asyncio.get_running_loop().time() < 10, "no limit of the other's held it"
        assert (await slow.wait()).output == "one"
        assert {event.run for event in heard} == {slow.id}
        with pytest.raises(InputError, match=quick.id):
            await first.get(quick.id)
        assert [head.run for head in await second.runs()] == [quick.id]


@pytest.mark.requirement("E3")
@simulated
async def test_the_request_never_owns_the_run() -> None:
    world = a_world()
    async with opened(world) as engine, asyncio.TaskGroup() as group:

        async def asks() -> None:
            run = await engine.start(a_plan(Step(id="a", tool="ok")), key="k")
            await run.wait()

        asking = group.create_task(asks())
        await pass_time(0.5)
        asking.cancel()
        await pass_time(1)
        run = await engine.start(a_plan(Step(id="a", tool="ok")), key="k")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert [call.told for call in world.calls] == [False]


@pytest.mark.requirement("states:ended-is-absorbing", "E3")
@simulated
async def test_an_ended_run_changes_no_more_except_by_undo() -> None:
    world = a_world()
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="book")))
        await finish(engine, run)
        before = await run.journal()
        for ask in (run.pause, run.resume, run.cancel):
            with pytest.raises(RequestRefusedError):
                await ask()
        with pytest.raises(RequestRefusedError):
            await run.answer("a", "approve")
        await engine.resume(run.id)
        await pass_time(5)
        assert await run.journal() == before
        await run.undo()
        assert (await finish(engine, run)).state == "undone"
        undone = await run.journal()
        for ask in (run.pause, run.resume, run.cancel, run.undo):
            with pytest.raises(RequestRefusedError):
                await ask()
        assert await run.journal() == undone


@pytest.mark.requirement("states:every-step-is-final")
@simulated
async def test_a_result_tells_all_about_a_run() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="ok", args={"x": 1}),
        Step(id="b", tool="ok", when="${steps.a.x == `2`}"),
        name="told",
        output={"x": "${steps.a.x}", "b": "${steps.b}"},
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert await run.status() == result
        attempts = await run.attempts()
    assert (result.run, result.plan, result.cause) == (run.id, "told", None)
    assert result.output == {"x": 1, "b": None}
    assert result.seconds == pytest.approx(1, abs=0.01)
    assert [(one.step, one.attempt, one.outcome) for one in attempts] == [("a", 1, "succeeded")]
    told = json.loads(json.dumps(result.to_json()))
    assert (told["state"], told["output"]) == ("succeeded", {"x": 1, "b": None})
    assert told["steps"]["b"]["state"] == "skipped"


# Where plans come from


@pytest.mark.requirement("E1")
@simulated
async def test_a_plan_may_be_yaml_json_a_mapping_or_python(tmp_path: Path) -> None:
    world = a_world()
    plan = {"callsheet": 1, "steps": [{"id": "a", "tool": "ok", "args": {"x": "${inputs.n}"}}],
            "inputs": {"n": {"type": "integer"}}, "output": "${steps.a.x}"}  # fmt: skip
    yaml, as_json = tmp_path / "plan.yaml", tmp_path / "plan.json"
    yaml.write_text(
        "callsheet: 1\ninputs: {n: {type: integer}}\n"
        "steps:\n  - {id: a, tool: ok, args: {x: '${inputs.n}'}}\n"
        "output: ${steps.a.x}\n",
        "utf-8",
    )
    as_json.write_text(json.dumps(plan), "utf-8")
    python = Plan(
        steps=(Step(id="a", tool="ok", args={"x": "${inputs.n}"}),),
        inputs={"n": {"type": "integer"}},
        output="${steps.a.x}",
    )
    async with opened(world) as engine:
        runs = [
            await engine.start(each, {"n": 7}, key="one plan")
            for each in (yaml, str(as_json), plan, python)
        ]
        result = await runs[0].wait()
    assert len({run.id for run in runs}) == 1, "the same content, however it was written"
    assert result.output == 7


@pytest.mark.parametrize("durable", [False, True], ids=["in memory", "on disk"])
@pytest.mark.requirement("E1")
@simulated
async def test_saved_plans_keep_every_version_and_are_not_deleted_while_runs_need_them(
    durable: bool, tmp_path: Path
) -> None:
    world, release = a_world(), asyncio.Event()
    world.tool("hangs", hangs(release))
    first = a_plan(Step(id="a", tool="hangs"), name="trip")
    second = a_plan(Step(id="a", tool="ok"), name="trip")
    async with opened(world, tmp_path / "home" if durable else None) as engine:
        assert (await engine.plans.save(first)).version == 1
        assert (await engine.plans.save(first)).version == 1
        assert (await engine.plans.save(second)).version == 2
        await engine.plans.save(a_plan(Step(id="z", tool="ok"), name="other"))
        assert [(saved.name, saved.version) for saved in await engine.plans.list()] == [
            ("other", 1),
            ("trip", 2),
        ]
        assert [saved.version for saved in await engine.plans.versions("trip")] == [1, 2]
        old = await engine.plans.get("trip", 1)
        run = await engine.start(old.plan)
        with pytest.raises(RequestRefusedError, match=run.id):
            await engine.plans.delete("trip")
        release.set()
        await run.wait()
        await engine.plans.delete("trip")
        with pytest.raises(InputError, match="'trip'"):
            await engine.plans.get("trip")


@pytest.mark.requirement("E2")
@simulated
async def test_a_plan_that_does_not_check_starts_nothing_and_says_everything_at_once() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="nope"),
        Step(id="b", tool="ok", args={"x": "${steps.missing.x}"}),
        Step(id="c", tool="ok", needs=("d",)),
        Step(id="d", tool="ok", needs=("c",)),
        Step(id="e", tool="book", undo=Undo(tool="gone")),
    )
    async with opened(world) as engine:
        with pytest.raises(PlanError) as refused:
            await engine.start(plan, key="k")
        assert not await engine.runs()
    assert not world.calls
    for told in ("nope", "missing", "c -> d", "gone"):
        assert told in str(refused.value), told
    assert len(refused.value.problems) >= 4


# Closing and going on


@pytest.mark.requirement("E3", "E5")
@simulated
async def test_a_run_in_the_middle_goes_on_when_the_engine_is_opened_again(tmp_path: Path) -> None:
    world = a_world()
    world.tool("slow", [hangs(), returns("at last")])
    plan = a_plan(
        Step(id="list", tool="book", args={"rooms": ["x", "y", "z"]}),
        Step(id="each", tool="ok", for_each="${steps.list.rooms}", args={"room": "${item}"}),
        Step(id="slow", tool="slow", needs=("each",)),
        Step(id="after", tool="ok", args={"rooms": "${steps.each[*].room}", "s": "${steps.slow}"}),
        output="${steps.after}",
    )
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="slow")
        await pass_time(0.1)
    async with opened(world, tmp_path / "home", recover=False) as engine:
        run = await engine.get(run.id)
        assert (await run.status()).state == "running"
        with pytest.raises(CallsheetError, match="resume"):
            await run.wait()
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    assert result.state == "succeeded"
    assert result.output == {"rooms": ["x", "y", "z"], "s": "at last"}
    finished = ["list", "each[0]", "each[1]", "each[2]"]
    assert world.steps == [*finished, "slow", "slow", "after"], "what had finished ran once"
    assert result.steps["slow"].attempts == 2
    assert [call.attempt for call in world.step("slow")] == [1, 2]


@pytest.mark.slow  # with a database at work, simulated time only hurries
@pytest.mark.requirement("E3", "E5")
@simulated
async def test_every_step_gets_its_own_result_back_in_whatever_order_they_ended(
    tmp_path: Path,
) -> None:
    world = World()
    half = asyncio.Event()

    async def the_last_first(call: Any, ctx: Any) -> Any:
        number = call.args["n"]
        if number < 5 and not half.is_set():
            await ctx.sleep(500)
        await ctx.sleep(10 - number)
        return {"mine": number}

    world.tool("work", the_last_first)
    plan = a_plan(
        *(Step(id=f"s{n}", tool="work", args={"n": n}) for n in range(10)),
        output=[f"${{steps.s{n}.mine}}" for n in range(10)],
        concurrency=10,
    )
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", times=5)
    half.set()
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    assert result.output == list(range(10)), "records are keyed by step, not by order"
    assert sorted(world.steps) == sorted([f"s{n}" for n in range(10)] + [f"s{n}" for n in range(5)])


@pytest.mark.requirement("E3", "E10", "doubt:never-blindly-repeated")
@simulated
async def test_a_write_that_was_interrupted_is_in_doubt(tmp_path: Path) -> None:
    world = a_world()
    world.pair("pay", "refund", [hangs(), returns("paid")])
    world.tool("careful", [hangs(), returns("done")], effect="write", idempotent=True)
    plan = a_plan(Step(id="pay", tool="pay"), Step(id="again", tool="careful"))
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await pass_time(0.1)
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        await until(run, "AttemptEnded", step="again", times=2)
        assert states(await run.status()) == {"pay": "in_doubt", "again": "succeeded"}
        assert world.count("pay") == 1
        await run.answer("pay", "did_not")
        result = await finish(engine, run)
        lost = [entry.outcome for entry in await records(run, "AttemptEnded")][:2]
    assert lost == ["lost", "lost"]
    assert result.state == "succeeded"
    assert world.count("pay") == 2


@pytest.mark.requirement("E3", "E9")
@simulated
async def test_an_undo_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    world, works = a_world(), asyncio.Event()

    async def undo(call: Any, ctx: Any) -> Any:
        await (world.takes_back(call, ctx) if works.is_set() else ctx.sleep(500))

    world.tool("unwrite", undo, effect="write", idempotent=True)
    world.tool("write", world.stands, effect="write", undo="unwrite")
    plan = a_plan(Step(id="a", tool="write"), Step(id="b", tool="write", needs=("a",)))
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await run.wait()
        await run.undo()
        await until(run, "UndoStarted")
        await pass_time(0.1)
    works.set()
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    assert result.state == "undone"
    assert [call.step for call in world.of("unwrite")] == ["b", "b", "a"]
    assert not world.standing


@pytest.mark.slow  # with a database at work, simulated time only hurries
@pytest.mark.requirement("E3")
@simulated
async def test_timers_and_questions_go_on_after_reopening(tmp_path: Path) -> None:
    world = a_world()
    world.tool("flaky", [raises(TransientError("x", retry_after=20)), returns(1)])
    plan = a_plan(
        Step(id="a", tool="flaky"), Step(id="q", ask="Well?", timeout=30), on_failure="continue"
    )
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded")
    async with opened(world, tmp_path / "home") as engine:
        result = await finish(engine, await engine.get(run.id))
    first, second = world.calls
    assert second.began_at - (first.ended_at or 0) > 19.99
    assert states(result) == {"a": "succeeded", "q": "failed"}


@pytest.mark.requirement("E3")
@simulated
async def test_a_run_whose_tools_are_missing_is_left_until_they_are_there(tmp_path: Path) -> None:
    world = a_world()
    world.tool("rare", [hangs(), returns(1)])
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(a_plan(Step(id="a", tool="rare")))
    async with opened(a_world(), tmp_path / "home") as engine:
        with pytest.raises(InputError, match="rare"):
            await engine.resume(run.id)
        assert (await carry_out(engine, a_plan(Step(id="a", tool="ok")))).state == "succeeded"
        before = len(await (await engine.get(run.id)).journal())
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        result = await finish(engine, run)
        assert len(await run.journal()) > before
    assert result.state == "succeeded"


@pytest.mark.requirement("E3")
@simulated
async def test_whoever_waits_when_the_engine_closes_is_told() -> None:
    world = a_world()
    world.tool("hangs", hangs())
    errors: list[Any] = []

    async def waits_for(run: Any) -> None:
        with pytest.raises(CallsheetError) as closed:
            await run.wait()
        errors.append(closed.value)

    async with asyncio.TaskGroup() as group, opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="hangs")))
        group.create_task(waits_for(run))
        await until(run, "AttemptStarted")
        await pass_time(0.1)
    assert [error.code for error in errors] == ["engine_closed"]
    with pytest.raises(CallsheetError) as closed:
        await engine.start(a_plan(Step(id="a", tool="ok")))
    assert closed.value.code == "engine_closed"
    assert [call.told for call in world.calls] == [True]


@pytest.mark.requirement("E3")
@simulated
async def test_an_ended_run_can_be_deleted_whole_and_an_open_one_not() -> None:
    world, release = a_world(), asyncio.Event()
    world.tool("hangs", hangs(release))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="hangs")))
        with pytest.raises(RequestRefusedError):
            await engine.delete(run.id)
        release.set()
        await run.wait()
        assert await engine.delete(run.id)
        assert not await engine.delete(run.id)
        with pytest.raises(InputError, match=run.id):
            await engine.get(run.id)
        with pytest.raises(InputError):
            await run.status()


# Bad tools


class NotJson:
    """Something that has no JSON."""


class Unspeakable(Exception):  # noqa: N818
    """It cannot even be printed."""

    @override
    def __str__(self) -> str:
        raise RuntimeError("no words")


class OddError(TransientError):
    """It breaks every rule there is for an error of a tool."""

    error_class = "odd"  # type: ignore[assignment]
    nothing_happened = "perhaps"  # type: ignore[assignment]

    def __init__(self) -> None:
        pass


BAD: dict[str, Any] = {
    "exits": raises(SystemExit(1)),
    "interrupts": raises(KeyboardInterrupt()),
    "generator exit": raises(GeneratorExit()),
    "cancels itself": raises(asyncio.CancelledError()),
    "stops iterating": raises(StopIteration()),
    "group": raises(ExceptionGroup("several", [ValueError("one")])),
    "unserialisable": returns(NotJson()),  # type: ignore[arg-type]
    "not a number": returns(float("nan")),
    "huge integer": returns(2**70),
    "not text": returns("\udc80"),
    "cannot be told": raises(ValueError("\udc80")),
    "cannot be printed": raises(Unspeakable()),
    "retry never": raises(TransientError("x", retry_after=1e300)),
    "retry at nan": raises(TransientError("x", retry_after=float("nan"))),
    "own class of error": raises(OddError()),
    "retry nonsense": raises(TransientError("x", retry_after="soon")),  # type: ignore[arg-type]
    "never returns": hangs(),
}


@pytest.mark.parametrize("act", BAD.values(), ids=BAD.keys())
@pytest.mark.requirement("E3", "E7")
@simulated
async def test_a_bad_tool_fails_its_own_step_and_nothing_else(act: Any) -> None:
    world = a_world()
    world.tool("bad", act, retry=1)
    plan = a_plan(
        Step(id="bad", tool="bad", timeout=30),
        Step(id="good", tool="ok"),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        other = await engine.start(a_plan(Step(id="a", tool="ok")))
        result = await finish(engine, run)
        assert (await other.wait()).state == "succeeded"
    assert result.state == "failed"
    assert states(result) == {"bad": "failed", "good": "succeeded"}
    assert world.count("bad") == 1
    error = result.steps["bad"].error
    assert error is not None
    assert error.message


@pytest.mark.requirement("E8", "retry:backoff-from-a-seed")
@simulated
async def test_a_tool_that_asks_for_a_wait_without_end_can_still_be_cancelled() -> None:
    world = a_world()
    world.tool("never", raises(TransientError("x", retry_after=1e300)))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="never")))
        await until(run, "AttemptEnded")
        assert states(await run.status()) == {"a": "retrying"}
        await run.cancel()
        result = await finish(engine, run)
    assert result.state == "cancelled"


@pytest.mark.requirement("idempotency:checkpoint-comes-back", "E3")
@simulated
async def test_an_abandoned_call_can_say_nothing_more_to_its_run() -> None:
    world, release = a_world(), asyncio.Event()
    told: list[str] = []

    async def zombie(call: Any, ctx: Any) -> Any:
        if call.attempt > 1:
            await ctx.sleep(100)
            return ctx.saved
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        try:
            await ctx.checkpoint({"from": "the grave"})
        except CallsheetError as exc:
            told.append(exc.message)
        ctx.charge(usd=1000)
        return "too late"

    world.tool("zombie", zombie, timeout=200, retry=Retry(attempts=2, backoff=0.01))
    plan = a_plan(Step(id="a", tool="zombie"), output="${steps.a}")
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", times=2)
        release.set()
        result = await finish(engine, run)
        assert "CheckpointSaved" not in await kinds(run)
    assert (result.state, result.output, result.cost.usd) == ("succeeded", None, 0)
    assert len(told) == 1
    assert "Attempt 1" in told[0]


async def charges_nonsense(_call: Any, ctx: Any) -> None:
    ctx.charge(usd=float("nan"))


async def saves_nonsense(_call: Any, ctx: Any) -> None:
    await ctx.checkpoint({"job": object()})


async def says_nonsense(_call: Any, ctx: Any) -> None:
    ctx.progress(float("nan"), "\udc80")
    ctx.log.info("nonsense", what=object())


async def charges_a_fraction(_call: Any, ctx: Any) -> None:
    ctx.charge(tokens=1.5)


async def saves_what_is_not_text(_call: Any, ctx: Any) -> None:
    await ctx.checkpoint("\udc80")


@pytest.mark.parametrize(
    "act",
    [charges_nonsense, charges_a_fraction, saves_nonsense, saves_what_is_not_text, says_nonsense],
)
@pytest.mark.requirement("E3", "E7")
@simulated
async def test_nonsense_that_a_tool_tells_its_context_harms_nobody(act: Any) -> None:
    world = a_world()
    world.tool("bad", act)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="bad", tool="bad")))
        result = await finish(engine, run)
        assert (await run.status()) == result, "the journal can be read"
    assert result.state in {"succeeded", "failed"}


@pytest.mark.slow  # it blocks for longer than the watchdog waits
@pytest.mark.requirement("E3")
@simulated
async def test_a_tool_that_blocks_the_event_loop_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.runtime.watchdog.BLOCKED_AFTER", 0.3)
    world = a_world()
    world.tool("blocker", blocks(1.5))
    world.tool("innocent", waits(5))
    plan = a_plan(Step(id="a", tool="innocent"), Step(id="b", tool="blocker"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        (noted,) = await records(run, "ProblemNoted")
    assert result.state == "succeeded"
    assert noted.step == "b"
    assert "blocker" in noted.message
    assert "event loop" in noted.message
    assert [problem.step for problem in result.problems] == ["b"]


@pytest.mark.slow  # worker processes have to come up
@pytest.mark.requirement("cancel:isolated-writes-are-killed")
@simulated
async def test_sync_reads_run_in_threads_and_sync_writes_in_a_process() -> None:
    @tool("thread_name", effect="read")
    def thread_name() -> str:
        return threading.current_thread().name

    world = World(tools=[where, where_read, thread_name])
    plan = a_plan(
        Step(id="write", tool="where"),
        Step(id="read", tool="where_read"),
        Step(id="thread", tool="thread_name"),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert result.steps["read"].output == os.getpid()
    assert result.steps["write"].output != os.getpid()
    assert result.steps["thread"].output != threading.main_thread().name


@pytest.mark.slow  # a worker process has to come up
@pytest.mark.requirement("E10", "doubt:never-blindly-repeated")
@simulated
async def test_a_write_whose_process_dies_is_in_doubt(tmp_path: Path) -> None:
    world, mark = World(tools=[dies]), tmp_path / "mark"
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="dies", args={"file": str(mark)})))
        await until(run, "QuestionAsked")
        assert states(await run.status()) == {"a": "in_doubt"}
        assert mark.read_text("utf-8") == "happened"
        await run.answer("a", "happened")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.steps["a"].attempts == 1


@pytest.mark.requirement("E5")
@simulated
async def test_an_output_that_cannot_be_resolved_is_a_problem_and_not_a_failure() -> None:
    world = a_world()
    plan = a_plan(Step(id="a", tool="ok", args={"x": "text"}), output="${abs(steps.a.x)}")
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert "ProblemNoted" in await kinds(run)
    assert (result.state, result.output) == ("succeeded", None)
    assert "output" in result.problems[0].message
