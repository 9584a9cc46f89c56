"""Text: what a step says while it works, told at once and journalled at a pace."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console
from tests.acceptance.stage import a_plan, finish, kinds, opened, pass_time, records

from callsheet import Engine, Step
from callsheet.cli.show.view import LineView
from callsheet.errors import InputError, InvalidError, RequestRefusedError, TransientError
from callsheet.runtime import text as text_module
from callsheet.runtime.feed import Event, Text
from callsheet.runtime.text import Transcript, Veil
from callsheet.testing import World, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Context
    from callsheet.testing import Call

pytestmark = pytest.mark.requirement("step:text")


def speaker(*acts: Any) -> World:
    world = World()
    world.tool("speak", list(acts))
    world.tool("look")
    return world


def said(entries: list[Any]) -> str:
    """The text of a step, as its entries have it, each where the one before ended."""
    whole = ""
    for entry in entries:
        assert entry.offset == len(whole)
        whole += entry.text
    return whole


@simulated
async def test_watchers_hear_each_text_at_once_and_the_journal_has_twenty_entries_a_second() -> (
    None
):
    async def speak(_call: Call, ctx: Context) -> None:
        for n in range(400):
            ctx.emit(f"{n} ")
            await ctx.sleep(0.005)

    heard: list[Text] = []
    world = speaker(speak)
    async with opened(world) as engine:
        stop = engine.listen(lambda told: heard.append(told) if isinstance(told, Text) else None)
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        await finish(engine, run)
        stop()
        entries = await records(run, "TextEmitted")
    whole = "".join(f"{n} " for n in range(400))
    assert "".join(each.text for each in heard) == whole
    assert [each.offset for each in heard][:3] == [0, 2, 4]
    assert len(heard) == 400
    assert said(entries) == whole
    assert 30 <= len(entries) <= 41, "two seconds, twenty a second, and the first at once"


@simulated
async def test_text_stands_before_what_it_introduces_and_before_the_end() -> None:
    async def speak(_call: Call, ctx: Context) -> None:
        ctx.emit("Let me ")
        ctx.emit("look.")
        await ctx.add([{"id": "b", "tool": "look"}], checkpoint=1)
        ctx.emit(" Done.")
        await ctx.then(seal=True)

    world = speaker(speak)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")), open=True)
        await finish(engine, run)
        names = await kinds(run)
        entries = await records(run, "TextEmitted")
    assert said(entries) == "Let me look. Done."
    assert names.index("TextEmitted") < names.index("StepsAdded")
    ended = [n for n, name in enumerate(names) if name == "AttemptEnded"]
    last = len(names) - 1 - names[::-1].index("TextEmitted")
    assert last + 1 in ended


@simulated
async def test_the_next_attempt_reads_what_was_said_and_goes_on_from_there() -> None:
    seen: list[str] = []

    async def once(_call: Call, ctx: Context) -> None:
        ctx.emit("Once upon ")
        raise TransientError("cut off")

    async def again(_call: Call, ctx: Context) -> None:
        seen.append(ctx.emitted)
        ctx.emit("a time.")
        seen.append(ctx.emitted)

    world = speaker(once, again)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        await finish(engine, run)
        entries = await records(run, "TextEmitted")
    assert seen == ["Once upon ", "Once upon "]
    assert said(entries) == "Once upon a time."
    assert [each.attempt for each in entries] == [1, 2]


@simulated
async def test_offsets_count_characters_and_not_bytes() -> None:
    async def speak(_call: Call, ctx: Context) -> None:
        ctx.emit("Zürich 🏔")
        await ctx.sleep(1)
        ctx.emit("!")

    world = speaker(speak)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        await finish(engine, run)
        entries = await records(run, "TextEmitted")
    assert [each.offset for each in entries] == [0, 8]


@simulated
async def test_what_is_no_text_is_refused_and_so_is_a_tool_that_speaks_after_its_end() -> None:
    left: list[Context] = []

    async def speak(_call: Call, ctx: Context) -> None:
        left.append(ctx)
        wrong: Any
        for wrong in ("\ud83d", b"bytes", None, 7):
            with pytest.raises(InputError):
                ctx.emit(wrong)
        ctx.emit("")

    world = speaker(speak)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        result = await finish(engine, run)
        assert result.state == "succeeded"
        with pytest.raises(RequestRefusedError, match="is over"):
            left[0].emit("late")
        assert not await records(run, "TextEmitted")


@simulated
async def test_a_step_that_says_too_much_fails_whatever_it_makes_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_module, "MOST", 10)

    async def speak(_call: Call, ctx: Context) -> str:
        ctx.emit("0123456789")
        with pytest.raises(InvalidError):
            ctx.emit("!")
        return "fine"

    world = speaker(speak)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak"), on_failure="stop"))
        result = await finish(engine, run)
        entries = await records(run, "TextEmitted")
    error = result.steps["a"].error
    assert error is not None
    assert (error.error_class, error.nothing_happened) == ("invalid", False)
    assert said(entries) == "0123456789"


@simulated
async def test_a_secret_is_hidden_also_when_it_comes_in_pieces() -> None:
    async def speak(call: Call, ctx: Context) -> None:
        token = str(call.args["token"])
        for character in f"It is {token}, and {token[:5]}; {token[:7]}":
            ctx.emit(character)
            await ctx.sleep(0.01)

    heard: list[str] = []
    world = speaker(speak)
    async with opened(world, secrets={"TOKEN": "s3cr3t-value"}) as engine:
        engine.listen(lambda told: heard.append(told.text) if isinstance(told, Text) else None)
        step = Step(id="a", tool="speak", args={"token": "${secrets.TOKEN}"})
        run = await engine.start(a_plan(step))
        await finish(engine, run)
        entries = await records(run, "TextEmitted")
    expected = "It is ${secrets.TOKEN}, and s3cr3; s3cr3t-"
    assert "".join(heard) == expected
    assert said(entries) == expected


@pytest.mark.parametrize(
    ("looks", "pieces", "shown"),
    [
        ([("abcab", "A")], ["abc", "ab", "c"], "${secrets.A}c"),
        ([("abcdef", "L"), ("abc", "S")], ["abc", "def"], "${secrets.L}"),
        ([("abcdef", "L"), ("abc", "S")], ["abc", "deg"], "${secrets.S}deg"),
        ([("xsecrety", "L"), ("secret", "S")], ["xsecret", "z"], "x${secrets.S}z"),
        ([("secret", "S")], ["sec", "secret", "sec"], "sec${secrets.S}sec"),
        ([("aaaa", "S")], ["aaa", "aa", "a"], "${secrets.S}aa"),
    ],
)
def test_a_veil_holds_back_no_more_than_it_must(
    looks: list[tuple[str, str]], pieces: list[str], shown: str
) -> None:
    veil = Veil(looks)
    seen = ""
    for piece in pieces:
        seen += veil.shown(piece)
    assert seen + veil.rest() == shown


@simulated
async def test_a_watcher_puts_together_every_character_once_whenever_he_comes() -> None:
    async def speak(_call: Call, ctx: Context) -> None:
        for n in range(200):
            ctx.emit(f"{n},")
            await ctx.sleep(0.007)

    world = speaker(speak)
    whole = "".join(f"{n}," for n in range(200))

    async def watch(run: Any, delay: float) -> str:
        await pass_time(delay)
        transcript, text = Transcript(), ""
        async for told in run.events():
            new = transcript.new(told)
            if new is not None:
                assert new.offset == len(text)
                text += new.text
        return text

    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        delays = (0.0, 0.004, 0.1, 0.333, 1.0, 5.0)
        async with asyncio.TaskGroup() as group:
            watchers = [group.create_task(watch(run, delay)) for delay in delays]
    assert [each.result() for each in watchers] == [whole] * len(delays)


@simulated
async def test_the_seconds_of_a_call_are_those_that_its_run_has_been_running() -> None:
    seen: list[float] = []

    async def look(_call: Call, ctx: Context) -> None:
        seen.append(ctx.seconds)
        await ctx.sleep(2)
        seen.append(ctx.seconds)

    world = World()
    world.tool("slow", waits(3))
    world.tool("clock", look)
    async with opened(world) as engine:
        steps = [
            Step(id="a", tool="slow"),
            Step(id="ok", ask="Go on?", needs=("a",)),
            Step(id="b", tool="clock", needs=("ok",)),
        ]
        run = await engine.start(a_plan(*steps))
        await pass_time(100)
        await run.answer("ok", "yes")
        await finish(engine, run)
    assert seen == [pytest.approx(3, abs=0.1), pytest.approx(5, abs=0.1)]


async def test_after_a_restart_what_was_said_is_known(tmp_path: Path) -> None:
    seen: list[str] = []
    hold = asyncio.Event()

    async def speak(_call: Call, ctx: Context) -> None:
        seen.append(ctx.emitted)
        if ctx.attempt == 1:
            ctx.emit("Half a sen")
            await hold.wait()
        ctx.emit("tence.")

    world = speaker(speak)
    async with Engine.open(tmp_path, world.tools, drain=0) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="speak")))
        async for told in run.events():
            if isinstance(told, Event) and told.kind == "TextEmitted":
                break
    async with Engine.open(tmp_path, world.tools) as engine:
        run = await engine.get(run.id)
        await finish(engine, run)
        entries = await records(run, "TextEmitted")
    assert seen == ["", "Half a sen"]
    assert said(entries) == "Half a sentence."


@pytest.mark.requirement("step:add")
async def test_who_looks_on_from_another_engine_reads_the_text_before_what_it_introduces(
    tmp_path: Path,
) -> None:
    go_on = asyncio.Event()

    async def speak(_call: Call, ctx: Context) -> None:
        ctx.emit("First I look, ")
        await ctx.add([{"id": "b", "tool": "look"}])
        await go_on.wait()
        ctx.emit("then I tell.")
        await ctx.then(seal=True)

    world = speaker(speak)
    async with (
        Engine.open(tmp_path, world.tools) as engine,
        Engine.open(tmp_path, drive=False) as other,
    ):
        run = await engine.start(a_plan(Step(id="a", tool="speak")), open=True)
        transcript, seen = Transcript(), []
        async for told in (await other.get(run.id)).events():
            if (new := transcript.new(told)) is not None:
                seen.append(new.text)
                go_on.set()
            elif isinstance(told, Event) and told.kind == "StepsAdded":
                seen.append("(added)")
        await finish(engine, run)
    assert seen == ["First I look, ", "(added)", "then I tell."]


@pytest.mark.requirement("S5")
def test_lines_that_a_step_says_are_printed_with_its_name() -> None:
    out = io.StringIO()
    view = LineView(Console(file=out, width=80))
    view.speak("a", "Let me ")
    view.speak("b", "Me, too.\n")
    view.speak("a", "look.\nAnd then")
    assert out.getvalue() == "b│ Me, too.\na│ Let me look.\n"
    view.finish("a")
    view.speak("b", "The end.")
    view.close()
    assert out.getvalue().splitlines()[2:] == ["a│ And then", "b│ The end."]
