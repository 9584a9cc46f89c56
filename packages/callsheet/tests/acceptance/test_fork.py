"""Forks: a new run that takes over what another has done, up to a step that is done again."""

from __future__ import annotations

import asyncio
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

from callsheet import Budget, Plan, Step, tool
from callsheet.errors import (
    FatalError,
    InputError,
    PlanError,
    RequestRefusedError,
    UnknownRunError,
)
from callsheet.testing import World, echo, hangs, raises, returns, simulated

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Engine, Result, Run
    from callsheet.testing import Act, Call

pytestmark = pytest.mark.requirement("E12", "replay:fork")

LARGE = "x" * 40_000


def shop() -> World:
    world = World()
    world.tool("look", returns({"price": 7, "rooms": [1, 2, 3]}))
    world.tool("say", echo)
    world.pair("book", "cancel")
    world.tool("boom", raises(FatalError("boom")))
    return world


def step(name: str, tool: str, *needs: str, **fields: Any) -> Step:
    return Step(id=name, tool=tool, needs=needs, **fields)


def unless(broken: asyncio.Event) -> Act:
    """Works, as long as the event is not set."""

    async def act(_call: Call, _ctx: Any) -> Any:
        if broken.is_set():
            raise FatalError("out of order")

    return act


TRIP = a_plan(
    step("look", "look"),
    step("flight", "book", args={"to": "Oslo", "p": "${steps.look.price}"}),
    step("seat", "book", args={"on": "${steps.flight.to}"}),
    step("hotel", "book", args={"p": "${steps.look.price}"}),
    output=["${steps.seat.on}", "${steps.hotel.p}"],
)


async def forked(engine: Engine, run: Run, step: str, **args: Any) -> tuple[Run, Result]:
    fork = await engine.fork(run.id, step, args or None, repeat_writes=True)
    return fork, await finish(engine, fork)


async def a_run(engine: Engine, plan: Plan, inputs: dict[str, Any] | None = None) -> Run:
    run = await engine.start(plan, inputs)
    await finish(engine, run)
    return run


@simulated
async def test_everything_that_does_not_depend_on_the_step_is_copied() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await a_run(engine, TRIP)
        before = await run.journal()
        keys = {call.key for call in world.calls}
        world.calls.clear()
        fork, result = await forked(engine, run, "flight", to="Rome")
        (started,) = await records(fork, "RunStarted")
        copied = {entry.step: entry.outcome for entry in await records(fork, "StepCopied")}
        assert await run.journal() == before, "the old run stays as it is"
    assert copied == {"look": "succeeded", "hotel": "succeeded"}
    assert sorted(world.steps) == ["flight", "seat"]
    assert world.of("book")[0].args == {"to": "Rome", "p": 7}, "over the arguments it had"
    assert world.of("book")[1].args == {"on": "Rome"}
    assert not keys & {call.key for call in world.calls}, "new keys"
    assert result.output == ["Rome", 7]
    assert (started.forked_from.run, started.forked_from.step) == (run.id, "flight")
    assert result.cost.calls == 2
    assert result.steps["hotel"].attempts == 0


@pytest.mark.requirement("fork:repeats-are-told")
@simulated
async def test_a_fork_says_what_it_repeats_and_does_not_pay_twice_unasked() -> None:
    world = World()
    world.tool("pay", returns(1), effect="write")
    world.tool("note", returns(1), effect="write", idempotent=True)
    world.tool("look", returns(1))
    plan = a_plan(
        Step(id="look", tool="look"),
        Step(id="note", tool="note", args={"x": "${steps.look}"}),
        Step(id="pay", tool="pay", args={"x": "${steps.look}"}),
        Step(id="aside", tool="pay"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.wait()
        told = [each.to_json() for each in await engine.repeats(run.id, "look")]
        assert told == [
            {"step": "note", "tool": "note", "idempotent": True},
            {"step": "pay", "tool": "pay", "idempotent": False},
        ]
        with pytest.raises(
            RequestRefusedError, match=r"not idempotent: pay \(pay\).*repeat_writes"
        ):
            await engine.fork(run.id, "look")
        assert world.count("pay") == 2
        await (await engine.fork(run.id, "look", repeat_writes=True)).wait()
        assert world.count("pay") == 3
        await (await engine.fork(run.id, "note")).wait()


@pytest.mark.requirement("undo:at-most-once")
@simulated
async def test_a_fork_owes_only_its_own_effects() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await a_run(engine, TRIP)
        stood = set(world.standing)
        fork, _ = await forked(engine, run, "flight")
        assert len(world.standing) == 5
        await fork.undo()
        result = await finish(engine, fork)
        assert set(world.standing) == stood, "what the other run did stands"
        await run.undo()
        await finish(engine, run)
    assert states(result) == {
        "look": "succeeded",
        "hotel": "succeeded",
        "flight": "undone",
        "seat": "undone",
    }
    assert not world.standing
    assert [call.step for call in world.of("cancel")].count("hotel") == 1


@simulated
async def test_a_fork_that_fails_takes_back_only_what_it_did_itself() -> None:
    world = shop()
    broken = asyncio.Event()
    world.tool("risky", unless(broken))
    plan = a_plan(*TRIP.steps, step("last", "risky", "seat", "hotel"))
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        stood = set(world.standing)
        broken.set()
        _, result = await forked(engine, run, "flight")
    assert (result.state, result.steps["hotel"].state) == ("undone", "succeeded")
    assert set(world.standing) == stood


@simulated
async def test_one_item_of_a_for_each_is_done_again_alone() -> None:
    world = shop()
    plan = a_plan(
        step("look", "look"),
        step("rooms", "book", for_each="${steps.look.rooms}", args={"n": "${item}"}),
        step("sum", "say", args={"all": "${steps.rooms[*].n}"}),
        step("other", "say"),
    )
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        world.calls.clear()
        fork, result = await forked(engine, run, "rooms[1]")
        names = await kinds(fork)
    assert world.steps == ["rooms[1]", "sum"]
    assert world.of("say")[0].args == {"all": [1, 2, 3]}
    assert result.state == "succeeded"
    assert names.count("StepCopied") == 4
    assert names.count("StepExpanded") == 1


@simulated
async def test_a_whole_for_each_is_expanded_again() -> None:
    world = shop()
    plan = a_plan(
        step("rooms", "book", for_each=[1, 2], args={"n": "${item}", "k": "a"}),
        step("sum", "say", args={"all": "${steps.rooms[*].k}"}),
    )
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        world.calls.clear()
        _, result = await forked(engine, run, "rooms", k="b")
    assert world.steps == ["rooms[0]", "rooms[1]", "sum"]
    assert result.steps["sum"].output == {"all": ["b", "b"]}


@simulated
async def test_single_steps_of_a_run_that_went_on_after_a_failure_are_retried() -> None:
    world = shop()
    broken = asyncio.Event()
    world.tool("flaky", unless(broken), effect="write", idempotent=True)
    plan = a_plan(
        step("a", "book"),
        step("bad", "flaky"),
        step("after_bad", "say", "bad"),
        step("deep", "say", "after_bad", run_if_skipped=True),
        step("good", "book"),
        on_failure="continue",
    )
    broken.set()
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        assert (await run.status()).state == "failed"
        broken.clear()
        world.calls.clear()
        _, result = await forked(engine, run, "bad")
        assert sorted(world.steps) == ["after_bad", "bad", "deep"]
        assert (result.state, set(states(result).values())) == ("succeeded", {"succeeded"})
        world.calls.clear()
        # Forked elsewhere, what had failed is done again all the same, and what was built on it.
        fork, result = await forked(engine, run, "good")
        copied = {entry.step for entry in await records(fork, "StepCopied")}
    assert copied == {"a"}
    assert sorted(world.steps) == ["after_bad", "bad", "deep", "good"]
    assert (result.state, set(states(result).values())) == ("succeeded", {"succeeded"})


@simulated
async def test_skipped_and_ignored_steps_are_copied_as_they_ended() -> None:
    world = shop()
    plan = a_plan(
        step("no", "say", when="${`false`}"),
        step("after_no", "say", "no"),
        step("bad", "boom", on_failure="ignore"),
        step("after_bad", "say", "bad", args={"b": "${steps.bad || 'nothing'}"}),
        step("worse", "boom", on_failure="skip"),
        step("after_worse", "say", "worse"),
        step("last", "say", "after_bad"),
    )
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        first = await run.status()
        world.calls.clear()
        fork, result = await forked(engine, run, "last")
        copied = {entry.step: entry.outcome for entry in await records(fork, "StepCopied")}
    assert world.steps == ["last"]
    assert states(result) == states(first)
    assert copied == {
        "no": "skipped",
        "after_no": "skipped",
        "bad": "failed",
        "after_bad": "succeeded",
        "worse": "failed",
        "after_worse": "skipped",
    }
    assert {problem.step for problem in result.problems} == {"bad", "worse"}
    assert result.state == "succeeded"


@simulated
async def test_a_fork_of_an_undone_run_does_the_writes_again_and_what_was_built_on_them() -> None:
    world = shop()
    plan = a_plan(
        step("look", "look"),
        step("flight", "book", "look"),
        step("read", "say", args={"id": "${steps.flight.id}"}),
        step("last", "say", "read"),
        step("boom", "say", "last"),
    )
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        await run.undo()
        await finish(engine, run)
        assert not world.standing
        world.calls.clear()
        _, result = await forked(engine, run, "last")
    assert world.steps == ["flight", "read", "last", "boom"]
    assert [call.step for call in world.standing.values()] == ["flight"]
    assert (result.state, set(states(result).values())) == ("succeeded", {"succeeded"})


@simulated
async def test_a_fork_of_a_cancelled_run_goes_on_with_what_was_kept() -> None:
    world = shop()
    plan = a_plan(
        step("a", "book"),
        Step(id="ok", ask="?", needs=("a",)),
        step("z", "book", "ok"),
        on_cancel="keep",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await run.cancel()
        await finish(engine, run)
        fork = await engine.fork(run.id, "z")
        await until(fork, "QuestionAsked")
        await fork.answer("ok", "yes")
        result = await finish(engine, fork)
    assert world.steps == ["a", "z"]
    assert result.state == "succeeded"


@simulated
async def test_a_fork_of_a_run_that_still_goes_on_copies_what_has_ended() -> None:
    world = shop()
    world.tool("hang", hangs())
    plan = a_plan(step("a", "book"), step("b", "book", "a"), step("wait", "hang", "b"))
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="wait")
        fork = await engine.fork(run.id, "b", repeat_writes=True)
        await until(fork, "AttemptStarted", step="wait")
        await pass_time(1)
        assert world.steps == ["a", "b", "wait", "b", "wait"]
        await fork.cancel()
        await finish(engine, fork)
        assert [call.run for call in world.standing.values()] == [run.id, run.id]
        assert (await run.status()).state == "running"
        await run.cancel()


@pytest.mark.requirement("E19")
@simulated
async def test_a_fork_of_an_open_run_is_open_and_has_what_was_added() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await engine.start(a_plan(step("a", "book")), open=True)
        await run.add([step("b", "book", "a"), step("c", "say", args={"id": "${steps.b.id}"})])
        await until(run, "AttemptEnded", step="c")
        fork = await engine.fork(run.id, "b", {"x": 1}, repeat_writes=True)
        await until(fork, "AttemptEnded", step="c")
        await fork.add([step("d", "say", "c")])
        await fork.seal()
        result = await finish(engine, fork)
        await run.seal()
        await finish(engine, run)
        closed = await engine.fork(run.id, "c")
        again = await finish(engine, closed)
    assert (result.state, list(result.steps)) == ("succeeded", ["a", "b", "c", "d"])
    assert again.state == "succeeded", "the other was sealed, so it ends by itself"


@pytest.mark.requirement("E14", "children:one-run-per-step")
@simulated
async def test_a_fork_of_a_run_with_children_copies_them_or_has_its_own() -> None:
    world = shop()
    inner = a_plan(step("x", "book"), output="${steps.x.id}", name="part")
    async with opened(world) as engine:
        await engine.plans.save(inner)
        run = await engine.start(a_plan(step("look", "look")), open=True)
        await run.add([Step(id="one", plan="part")])
        await run.add([Step(id="two", plan="part", needs=("one",)), step("z", "say", "two")])
        await run.seal()
        await finish(engine, run)
        await engine.plans.save(a_plan(step("y", "say"), output="other", name="part"))
        world.calls.clear()
        fork, result = await forked(engine, run, "two")
        old = await run.status()
        await fork.undo()
        await finish(engine, fork)
    assert [call.step for call in world.calls] == ["x", "z", "x"], "as it was saved then"
    assert result.steps["one"].output == result.steps["two"].output == "book-x"
    assert result.steps["two"].child != old.steps["two"].child
    assert len(world.standing) == 2


@pytest.mark.requirement("E14", "children:one-run-per-step")
@simulated
async def test_a_fork_does_not_need_the_saved_plans_that_were_deleted_since() -> None:
    world = shop()
    async with opened(world) as engine:
        await engine.plans.save(a_plan(step("x", "book"), output="${steps.x.id}", name="part"))
        run = await engine.start(a_plan(Step(id="one", plan="part")))
        await finish(engine, run)
        await engine.plans.delete("part")
        _, result = await forked(engine, run, "one")
    assert (result.state, result.steps["one"].output) == ("succeeded", "book-x")


def makes(size: int) -> Act:
    async def act(_call: Call, ctx: Any) -> Any:
        artifact = await ctx.store(b"b" * size, name="b.bin")
        return {"file": artifact.to_json(), "text": LARGE}

    return act


@pytest.mark.slow  # a database and files
@pytest.mark.requirement("E14")
@simulated
async def test_a_fork_has_the_large_values_and_artifacts_of_the_other(tmp_path: Path) -> None:
    world = shop()
    world.tool("make", makes(10))
    plan = a_plan(
        step("make", "make"),
        step("read", "say", args={"f": "${steps.make.file}", "t": "${steps.make.text}"}),
    )
    async with opened(world, tmp_path) as engine:
        run = await a_run(engine, plan)
        world.calls.clear()
        fork, _ = await forked(engine, run, "read")
        (copied,) = await records(fork, "StepCopied")
        assert world.of("say")[0].args["t"] == LARGE
        await engine.delete(run.id)
        await pass_time(1)
        result = await fork.status()
        made: Any = result.steps["make"].output
        assert await engine.artifacts.get(made["file"]["$artifact"]) == b"b" * 10
    assert copied.stored
    assert [artifact.name for artifact in copied.artifacts] == ["b.bin"]
    assert made["text"] == LARGE
    assert world.steps == ["read"]


@pytest.mark.requirement("E16")
@simulated
async def test_a_fork_has_a_budget_of_its_own() -> None:
    world = shop()

    async def paid(_call: Call, ctx: Any) -> Any:
        ctx.charge(usd=3)

    world.tool("paid", paid, ceiling=3)
    plan = a_plan(step("a", "paid"), step("b", "paid", "a"), budget=Budget(usd=6))
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        _, result = await forked(engine, run, "b")
    assert (result.state, result.cost.usd) == ("succeeded", 3)


@simulated
async def test_a_fork_of_a_fork() -> None:
    world = shop()
    async with opened(world) as engine:
        run = await a_run(engine, TRIP)
        fork, _ = await forked(engine, run, "flight", to="Rome")
        world.calls.clear()
        second, result = await forked(engine, fork, "seat")
        await second.undo()
        await finish(engine, second)
    assert result.output == ["Rome", 7]
    assert [call.tool for call in world.calls] == ["book", "cancel"]


@simulated
async def test_what_cannot_be_forked_is_refused_and_nothing_is_written() -> None:
    @tool("typed", effect="read")
    async def typed(n: int) -> int:
        return n

    world = shop()
    world.tools.append(typed)
    plan = a_plan(step("a", "typed", args={"n": 1}), step("l", "say", for_each=[1, 2]))
    async with opened(world) as engine:
        run = await a_run(engine, plan)
        with pytest.raises(InputError, match=r"no step 'nobody'.*there are: a, l"):
            await engine.fork(run.id, "nobody")
        with pytest.raises(InputError, match=r"no step 'l\[7\]'"):
            await engine.fork(run.id, "l[7]")
        with pytest.raises(InputError, match="change the arguments of 'l'"):
            await engine.fork(run.id, "l[1]", {"x": 1})
        with pytest.raises(PlanError, match="n"):
            await engine.fork(run.id, "a", {"n": "many"})
        with pytest.raises(PlanError, match="m"):
            await engine.fork(run.id, "a", {"m": 2})
        with pytest.raises(UnknownRunError):
            await engine.fork("r0", "a")
        assert len(await engine.runs()) == 1


@pytest.mark.requirement("E11")
@pytest.mark.slow  # a database
@simulated
async def test_a_fork_goes_on_in_another_engine(tmp_path: Path) -> None:
    world = shop()
    plan = a_plan(step("a", "book"), step("q", "say", "a"), Step(id="ok", ask="?", needs=("q",)))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await run.answer("ok", "yes")
        await finish(engine, run)
        fork = await engine.fork(run.id, "ok")
        await until(fork, "QuestionAsked")
    world.calls.clear()
    async with opened(world, tmp_path) as engine:
        again = await engine.get(fork.id)
        await again.answer("ok", "no")
        result = await finish(engine, again)
    assert not world.calls
    assert (result.state, result.steps["ok"].output) == ("succeeded", "no")
    assert result.steps["q"].output == {}
