"""Drafts that are cut: cancelled, killed, out of money. Nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.drafts.drawing import at, drawn, put, says
from tests.acceptance.turns.theatre import PATIENCE, Tools, config
from typing_extensions import override

from callsheet import Engine
from callsheet.core.plan.plan import Budget
from callsheet.errors import InputError
from callsheet.testing.models import Gate, ModelServer, Say, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from callsheet.agents.model import Request, Streamed

pytestmark = pytest.mark.requirement("M5")

BEGINS = '{"steps": [{"id": "a", "tool": "notes.put", "args": {"text": "x"}}, '


class Watched(ScriptedModel):
    """A model that says when its stream is closed."""

    closed = False

    @override
    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        try:
            async for piece in super().stream(request):
                yield piece
        finally:
            self.closed = True


async def test_cancel_closes_the_stream_and_undoes_what_ran() -> None:
    tools, model = Tools(), Watched((Say(BEGINS), Gate(asyncio.Event())))
    async with asyncio.timeout(PATIENCE), Engine.in_memory(tools.all) as engine:
        engine.models.add("m", model)
        run = await engine.plan_for("Go", tools=["notes.put"], model="m")
        await run.step("a").result()
        await run.cancel()
        result = await run.wait()
        report = await engine.replay(run.id)
    assert model.closed
    assert result.steps["drafting"].state == "cancelled"
    assert tools.done == [("notes.put", "x"), ("notes.drop", "note x")]
    assert report.same


async def test_a_step_that_fails_ends_the_draft_and_undoes_what_ran() -> None:
    tools = Tools()
    lost = '{"id": "b", "tool": "weather.at", "args": {"city": "Nowhere"}, "needs": ["a"]}, '
    model = Watched((Say(BEGINS + lost), Gate(asyncio.Event())))
    async with asyncio.timeout(PATIENCE), Engine.in_memory(tools.all) as engine:
        engine.models.add("m", model)
        run = await engine.plan_for("Go", tools=["notes.put", "weather.at"], model="m")
        result = await run.wait()
    assert model.closed
    assert result.state == "undone"
    assert result.cause is not None
    assert result.cause.step == "b"
    assert tools.done[-1] == ("notes.drop", "note x")


CHILD = """
import asyncio, sys
from pathlib import Path
from callsheet import Engine, tool

home, config, marks = sys.argv[1:]

@tool("look", effect="read")
async def look(at: str) -> str:
    with Path(marks).open("a") as file:
        file.write(at + " ")
    return at

async def main():
    async with Engine.open(home, [look], config=config) as engine:
        heads = await engine.runs(plan="draft")
        if heads:
            run = await engine.get(heads[0].run)
        else:
            run = await engine.plan_for("Look twice", tools=["look"], model="writer")
        print(run.id, flush=True)
        print((await run.wait()).output, flush=True)

asyncio.run(main())
"""


@pytest.mark.slow  # two processes, real sockets, and the provider's own library
async def test_killed_in_the_middle_of_a_draft_nothing_is_lost_or_done_twice(
    tmp_path: Path,
) -> None:
    def look(name: str, where: str) -> dict[str, object]:
        return {"id": name, "tool": "look", "args": {"at": where}}

    (whole,) = says(look("a", "one"), look("b", "${steps.a}"), output="${steps.b}")
    path, marks, script = tmp_path / "callsheet.toml", tmp_path / "marks", tmp_path / "child.py"
    script.write_text(CHILD)
    argv = [sys.executable, str(script), str(tmp_path / "home"), str(path), str(marks)]
    async with asyncio.timeout(2 * PATIENCE), ModelServer() as server:
        server.answers(Say(whole.text[: whole.text.index('{"id": "b"')]), Gate(asyncio.Event()))
        server.answers(whole)
        path.write_text(config(server))
        first = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
        assert first.stdout is not None
        run = (await first.stdout.readline()).decode().strip()
        async with Engine.open(tmp_path / "home", drive=False) as looking:
            await (await looking.get(run)).step("a").result()
        os.kill(first.pid, signal.SIGKILL)
        await first.wait()
        second = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
        out, _ = await second.communicate()
        bodies = [asked.body["messages"] for asked in server.requests]
    assert out.decode().split("\n")[:2] == [run, "one"]
    assert marks.read_text().split() == ["one", "one"], "a once, and then b"
    assert bodies[0] == bodies[1], "the same is asked again: a tape has it"


async def test_wrong_input_is_refused_before_anything_is_written() -> None:
    async with drawn(Tools()) as (engine, model):
        for goal, more, words in (
            ("", {}, "The goal is empty"),
            ("g" * 1_000_000, {}, "at most 100,000 characters; this has 1,000,000"),
            ("Go", {"model": "nobody"}, "no model 'nobody'"),
            ("Go", {"tools": ["nothing"]}, "No tool is called 'nothing'"),
            ("Go", {"tools": []}, "no tools to plan with"),
            ("Go", {"tools": ["plan:gone"]}, "no saved plan 'gone'"),
            ("Go", {"on_failure": "continue"}, "Write 'undo' or 'stop'"),
            ("Go", {"name": "a b"}, "cannot be the name of a plan"),
        ):
            with pytest.raises(InputError, match=words):
                await engine.plan_for(goal, **{"model": "m", "tools": ["weather.at"], **more})  # type: ignore[arg-type]  # on purpose
        assert not await engine.runs()
        assert not model.requests


async def test_a_budget_that_is_too_small_for_the_draft_ends_it_before_the_model_is_asked() -> None:
    from callsheet.agents.money import Price

    tools, model = Tools(), ScriptedModel(says(at("a", "X")))
    async with asyncio.timeout(PATIENCE), Engine.in_memory(tools.all) as engine:
        engine.models.add("m", model, price=Price(input=1000.0, output=1000.0))
        with pytest.raises(Exception, match=r"budget|ceiling|cap"):
            await engine.plan_for("Go", tools=["weather.at"], model="m", budget=Budget(usd=0.01))
    assert not model.requests


async def test_without_a_model_the_saved_plan_is_run_whose_words_fit() -> None:
    tools = Tools()
    weather = {"name": "weather-report", "steps": [at("oslo", "Oslo")], "output": "${steps.oslo}"}
    notes = {"name": "take-notes", "description": "Put a note down", "steps": [put("n", "x")]}
    async with drawn(tools) as (engine, _):
        for plan in (weather, notes):
            await engine.plans.save(engine.read({"callsheet": 1, **plan}))
        result = await (await engine.plan_for("I need a report about the weather")).wait()
        assert (result.plan, result.state) == ("weather-report", "succeeded")
        fits = await engine.plans.fitting("put down a note, please")
        assert (fits[0].plan.name, fits[0].words, fits[0].clear) == (
            "take-notes",
            ("put", "down", "note"),
            True,
        )
        with pytest.raises(InputError, match="There are take-notes, weather-report"):
            await engine.plan_for("Book a flight")
