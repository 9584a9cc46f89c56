"""Values over 32 KB lie beside the journal, and everybody gets them whole."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records, until

from callsheet import Step, Undo
from callsheet.core import value
from callsheet.core.plan.artifact import LARGE
from callsheet.core.run import entries as e
from callsheet.core.run.entries import LARGE_FIELDS
from callsheet.errors import MissingValueError, TransientError
from callsheet.runtime.feed import Event
from callsheet.testing import World, echo, hangs, raises, returns, simulated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from callsheet import Engine, Plan, Result, Run
    from callsheet.testing import Call

pytestmark = [
    pytest.mark.requirement("E14"),
    pytest.mark.slow,  # a database and files
]

BIG = "b" * (LARGE + 1)
SMALL_ENTRY = 4096


def text_of(size: int, mark: str = "x") -> str:
    """A text that takes so many bytes as JSON."""
    return mark * (size - 2)


def step(name: str, tool: str, *needs: str, **fields: Any) -> Step:
    return Step(id=name, tool=tool, needs=needs, **fields)


def stored_in(entries: Sequence[e.AnyEntry]) -> set[tuple[str, str]]:
    """Which fields of which kinds are beside the journal."""
    found = {(type(entry).__name__, field) for entry in entries for field in entry.stored or ()}
    for entry in entries:
        undo = getattr(entry, "undo", None)
        if undo is not None and undo.stored:
            found.add((type(entry).__name__, "undo"))
    return found


async def entries_of(run: Run) -> list[e.AnyEntry]:
    """What a watcher is told, to the end."""
    return [told.entry async for told in run.events() if isinstance(told, Event)]


@simulated
async def test_a_value_is_stored_from_one_byte_over_the_limit(tmp_path: Path) -> None:
    world = World()
    world.tool("just", returns(text_of(LARGE)))
    world.tool("over", returns(text_of(LARGE + 1)))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(a_plan(step("just", "just"), step("over", "over")))
        result = await finish(engine, run)
        ended = {entry.step: entry for entry in await records(run, "AttemptEnded")}
        assert await engine.artifacts.get(ended["over"].stored["output"]) == value.canonical(
            text_of(LARGE + 1)
        )
    assert not ended["just"].stored
    assert value.decode(ended["just"].output) == text_of(LARGE)
    assert bytes(ended["over"].output) == b"null"
    assert ended["over"].stored["output"] == value.digest(text_of(LARGE + 1))
    assert result.steps["just"].output == text_of(LARGE)
    assert result.steps["over"].output == text_of(LARGE + 1)


def a_large_world() -> World:
    """Tools that give, take, remember and doubt large values."""
    world = World()

    async def remembers(_call: Call, ctx: Any) -> Any:
        if ctx.saved is None:
            await ctx.checkpoint(BIG)
            raise TransientError("again")
        return ctx.saved

    world.tool("make", returns({"big": BIG}))
    world.tool("remember", remembers)
    world.tool("say", echo)
    world.tool("put", echo, effect="write")
    world.tool("doubtful", raises(ConnectionResetError()), effect="write")
    world.tool("unput", echo, effect="write", idempotent=True)
    return world


def a_large_plan() -> Plan:
    undo = Undo(tool="unput", args={"a": "${args.big}"})
    constant = Undo(tool="unput", args={"a": BIG})
    big = {"big": "${steps.make.big}"}
    return a_plan(
        step("make", "make", cache=True),
        step("remember", "remember"),
        step("each", "say", for_each="${[steps.make.big, 'x']}", args={"i": "${item}"}),
        step("put", "put", args=big, undo=undo, approval="required"),
        step("const", "put", undo=constant),
        Step(id="q", ask="?"),
        step("last", "doubtful", "put", "each", args={"q": "${steps.q}"}, undo="none"),
        output="${steps.last}",
    )


async def live_largely(engine: Engine) -> tuple[Run, Result]:
    """A run with everything large, cached before, answered and ended."""
    await carry_out(engine, a_plan(step("make", "make", cache=True)))
    run = await engine.start(a_large_plan())
    await until(run, "QuestionAsked", step="put")
    await run.answer("q", BIG)
    await run.answer("put", "approve")
    await until(run, "QuestionAsked", step="last")
    await run.answer("last", "happened", output=[BIG])
    return run, await finish(engine, run)


@pytest.mark.requirement("E12", "replay:byte-identical")
@simulated
async def test_whatever_is_large_is_stored_and_comes_back_wherever_it_is_used(
    tmp_path: Path,
) -> None:
    world = a_large_world()
    async with opened(world, tmp_path) as engine:
        run, result = await live_largely(engine)
        fork = await engine.fork(run.id, "const", repeat_writes=True)
        await finish(engine, fork)
        await run.undo()
        undone = await finish(engine, run)
        entries = [*await run.journal(), *await fork.journal()]
    assert stored_in(entries) == {
        *((kind.__name__, field) for kind, fields in LARGE_FIELDS.items() for field in fields),
        *(("AttemptStarted", "undo"), ("AttemptEnded", "undo")),
    }
    for entry in entries:
        if not isinstance(entry, e.RunStarted):
            assert len(e.encode(entry)) < SMALL_ENTRY, type(entry).__name__
    assert (result.output, undone.state) == ([BIG], "undone")
    assert [call.args for call in world.of("unput")].count({"a": BIG}) == 2
    assert world.step("each[0]")[0].args == {"i": BIG}
    assert world.of("remember")[1].saved == BIG
    assert result.steps["remember"].output == BIG


@simulated
async def test_equal_values_are_kept_once(tmp_path: Path) -> None:
    world = World()
    world.tool("one", returns({"a": 1, "b": BIG}))
    world.tool("two", returns({"b": BIG, "a": 1}))
    plan = a_plan(step("x", "one"), step("y", "two"))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        await carry_out(engine, plan)
        ended = await records(run, "AttemptEnded")
        files = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]
    assert len({entry.stored["output"] for entry in ended}) == 1, "in whatever order of keys"
    large = [path for path in files if path.stat().st_size > LARGE]
    assert len(large) == 1


@pytest.mark.requirement("E11")
@simulated
async def test_a_run_that_is_taken_up_again_finds_its_values(tmp_path: Path) -> None:
    world = World()
    forever = asyncio.Event()
    world.tool("make", returns({"big": BIG}))
    world.tool("say", [hangs(forever), echo])
    plan = a_plan(step("make", "make"), step("say", "say", args={"t": "${steps.make.big}"}))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted", step="say")
    async with opened(world, tmp_path) as engine:
        result = await finish(engine, await engine.get(run.id))
    assert (result.state, world.count("make")) == ("succeeded", 1)
    assert result.steps["say"].output == {"t": BIG}


@pytest.mark.requirement("processes:second-terminal", "E15")
@simulated
async def test_whoever_watches_from_another_process_gets_whole_values(tmp_path: Path) -> None:
    world = World()
    world.tool("make", returns({"big": BIG}))
    plan = a_plan(
        step("make", "make"), Step(id="q", ask="?", needs=("make",)), output="${steps.make}"
    )
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        async with opened(World(), tmp_path, drive=False) as other:
            seen = await other.get(run.id)
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(entries_of(seen))
                await until(seen, "QuestionAsked")
                await seen.answer("q", "go on")
                result = await seen.wait()
            status = await seen.status()
        near = await entries_of(run)
    assert result.output == status.output == {"big": BIG}
    for entries in (watching.result(), near):
        (ended,) = [entry for entry in entries if isinstance(entry, e.AttemptEnded)]
        assert value.decode(ended.output) == {"big": BIG}
        assert not ended.stored


def lose_values(home: Path) -> list[Path]:
    """Delete every artifact, as somebody might by hand."""
    files = [path for path in (home / "artifacts").rglob("*") if path.stat().st_size > LARGE]
    for path in files:
        path.rename(path.with_suffix(".lost"))
    return files


@pytest.mark.requirement("E15")
@simulated
async def test_a_run_whose_value_is_missing_is_shown_and_not_undone(tmp_path: Path) -> None:
    world = World()
    world.tool("make", returns({"big": BIG}))
    world.pair("book", "cancel")
    plan = a_plan(
        step("make", "make"), step("book", "book", args={"b": "${steps.make.big}"}), output=1
    )
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
    lost = lose_values(tmp_path)
    async with opened(world, tmp_path) as engine:
        again = await engine.get(run.id)
        status = await again.status()
        assert (status.state, status.output, status.interrupted) == ("succeeded", 1, False)
        told = " ".join(each.message for each in status.problems)
        assert any(path.name in told for path in lost)
        assert str(tmp_path / "artifacts") in told
        assert (await engine.replay(run.id)).same, "replay needs no artifacts"
        assert [event async for event in again.events()]
        with pytest.raises(MissingValueError, match="cannot go on, be undone or forked"):
            await again.undo()
        with pytest.raises(MissingValueError):
            await engine.fork(run.id, "book")
        assert world.count("cancel") == 0
        for path in lost:
            path.with_suffix(".lost").rename(path)
        await again.undo()
        assert (await finish(engine, again)).state == "undone"


@pytest.mark.requirement("E15")
@simulated
async def test_a_run_whose_value_is_missing_goes_on_when_it_is_back_and_not_before(
    tmp_path: Path,
) -> None:
    world = World()
    world.tool("make", returns({"big": BIG}))
    world.tool("use", returns("used"))
    plan = a_plan(
        step("make", "make"),
        Step(id="ok", ask="Go on?", needs=("make",)),
        Step(id="use", tool="use", args={"b": "${steps.make.big || 'nothing'}"}, needs=("ok",)),
    )
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
    lost = lose_values(tmp_path)
    async with opened(world, tmp_path) as engine:
        again = await engine.get(run.id)
        assert (await again.status()).interrupted
        for ask in (again.answer("ok", "yes"), again.resume(), engine.resume(run.id)):
            with pytest.raises(MissingValueError, match=lost[0].name):
                await ask
        assert world.count("use") == 0
        for path in lost:
            path.with_suffix(".lost").rename(path)
        await again.answer("ok", "yes")
        result = await finish(engine, again)
    assert (result.state, world.count("use"), result.interrupted) == ("succeeded", 1, False)


@simulated
async def test_values_go_with_the_runs_that_hold_them(tmp_path: Path) -> None:
    world = World()
    world.tool("make", returns({"big": BIG}))
    async with opened(world, tmp_path) as engine:
        first = await engine.start(a_plan(step("make", "make")))
        await finish(engine, first)
        second = await engine.start(a_plan(step("other", "make")))
        await finish(engine, second)
        await engine.delete(first.id)
        await engine.collect(grace=timedelta(0))
        assert (await second.status()).steps["other"].output == {"big": BIG}
        await engine.delete(second.id)
        await engine.collect(grace=timedelta(0))
        files = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]
    assert not [path for path in files if path.stat().st_size > LARGE]


@simulated
async def test_a_child_hands_a_large_output_to_its_parent(tmp_path: Path) -> None:
    world = World()
    world.tool("make", returns({"big": BIG}))
    world.tool("say", echo)
    inner = a_plan(step("make", "make"), output="${steps.make.big}")
    plan = a_plan(Step(id="sub", plan=inner), step("say", "say", args={"t": "${steps.sub}"}))
    async with opened(world, tmp_path) as engine:
        run = await engine.start(plan)
        await finish(engine, run)
        (ended, _) = await records(run, "AttemptEnded")
    assert ended.stored
    assert world.of("say")[0].args == {"t": BIG}


@pytest.mark.requirement("E19")
@simulated
async def test_large_arguments_of_added_steps_are_stored_once_and_keep_their_dependencies(
    tmp_path: Path,
) -> None:
    world = World()
    big = "v" * 5_000_000

    async def plan(_call: Call, ctx: Any) -> None:
        if ctx.attempt == 1:
            await ctx.add([{"id": "send", "tool": "put", "literal": True, "args": {"b": big}}])
            raise TransientError("again")
        await ctx.add([{"id": "send", "tool": "put", "literal": True, "args": {"b": big}}])
        wants = {"id": "use", "tool": "say", "args": {"b": BIG, "a": "${steps.send.n}"}}
        await ctx.then([wants, step("last", "say", "use")], seal=True)

    world.tool("plan", plan)
    world.tool("say", returns("said"))
    world.tool("put", returns({"n": 1}), effect="write")
    async with opened(world, tmp_path) as engine:
        run = await engine.start(a_plan(step("first", "plan")), open=True)
        await finish(engine, run)
        first, second = await records(run, "StepsAdded")
        started = {each.step: each for each in await records(run, "AttemptStarted")}
        told = [each for each in await entries_of(run) if isinstance(each, e.StepsAdded)]
    assert len(e.encode(first)) < SMALL_ENTRY
    assert first.stored == {"steps[0].args": started["send"].stored["args"]}, "once"
    assert first.steps[0].args == {}
    referred = {"use": e.Refers(steps=("send",))}
    assert (second.stored.keys(), second.refers) == ({"steps[0].args"}, referred)
    assert told[0].steps[0].args == {"b": big}
    assert (told[1].refers, told[1].stored) == ({}, None)
    files = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]
    assert len([path for path in files if path.stat().st_size > len(big)]) == 1
    assert world.of("put")[0].args == {"b": big}
    assert world.of("say")[0].args == {"b": BIG, "a": 1}
