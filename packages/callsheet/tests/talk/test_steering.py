"""What is said of runs, carried out: which run is meant, since when, one thing after the other."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, tool
from callsheet.chat import steering_tools
from callsheet.errors import FatalError
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.tools.registry import AnyTool

pytestmark = pytest.mark.requirement("M6")

PATIENCE = 60
NOTES: list[str] = []


@tool("note", effect="write", undo="forget")
async def note(text: str) -> str:
    """Note something."""
    NOTES.append(text)
    return text


@tool("forget", effect="write", idempotent=True)
async def forget(output: str) -> None:
    """Forget it again."""
    NOTES.remove(output)


@tool("look", effect="read")
async def look() -> str:
    """Look at the notes."""
    return ", ".join(NOTES)


@tool("boom", effect="read")
async def boom() -> str:
    """Fail."""
    raise FatalError("bang")


@asynccontextmanager
async def talking() -> AsyncIterator[Engine]:
    NOTES.clear()
    opened: list[Engine] = []
    tools: list[AnyTool] = [note, forget, look, boom, *steering_tools(lambda: opened[0])]
    async with Engine.in_memory(tools, clock=SimulatedClock()) as engine:
        opened.append(engine)
        yield engine


async def said(engine: Engine, message: str) -> str:
    async with asyncio.timeout(PATIENCE):
        answer = await (await engine.turn(message, model="offline", tools=["*"])).wait()
    return answer.text


async def ran(engine: Engine, name: str, tool: str, **args: str) -> str:
    steps = [
        {"id": "a", "tool": tool, "args": args},
        {"id": "later", "tool": "wait", "args": {"seconds": 1}},  # so that the next one is newer
    ]
    plan = {"name": name, "on_failure": "continue", "steps": steps}
    async with asyncio.timeout(PATIENCE):
        return (await engine.run(plan)).run


@simulated
async def test_a_run_is_found_by_its_place_its_state_its_plan_and_its_id() -> None:
    async with talking() as engine:
        trip = await ran(engine, "trip", "look")
        bad = await ran(engine, "bad", "boom")
        await ran(engine, "newest", "look")
        assert bad in await said(engine, "show the second one")
        assert bad in await said(engine, "show me the failed one")
        assert trip in await said(engine, 'show the run "trip"')
        assert trip in await said(engine, f"show {trip}")
        assert "bang" in await said(engine, "why did that fail?")
        assert "no number 5" in await said(engine, "show the fifth one")
        assert "No run is cancelled" in await said(engine, "show the cancelled one")
        assert "'nowhere'" in await said(engine, 'show the run "nowhere"')


@simulated
async def test_what_is_listed_and_counted_begins_where_somebody_says() -> None:
    async with talking() as engine:
        run = await ran(engine, "trip", "look")
        assert run in await said(engine, "what ran today?")
        assert "since today" in await said(engine, "how much have I spent today?")
        assert "no date" in await said(engine, "runs.cost since=soon")
        assert run not in await said(engine, "runs.list since=2999-01-01")


@simulated
async def test_undo_that_means_what_can_be_taken_back() -> None:
    async with talking() as engine:
        await said(engine, 'note "tea"')
        assert await said(engine, "look") == "tea"
        await said(engine, "show runs")
        assert (await said(engine, "oops, take that back")).startswith("Undone: ")
        assert NOTES == []


@simulated
async def test_one_thing_after_the_other_stops_where_one_fails() -> None:
    async with talking() as engine:
        assert await said(engine, 'note "one" and then look') == "one\n\none"
        await said(engine, 'note "this and then look"')
        assert NOTES.pop() == "this and then look"
        told = await said(engine, 'boom and then note "two"')
        assert "bang" in told
        assert "The rest (1 of 2) was not begun." in told
        assert NOTES == ["one"]


@simulated
async def test_a_run_is_paused_and_goes_on() -> None:
    async with talking() as engine:
        plan = {"name": "slow", "steps": [{"id": "a", "tool": "wait", "args": {"seconds": 900}}]}
        run = await engine.start(plan)
        assert "is paused" in await said(engine, "put it on hold for now")
        assert (await run.status()).paused
        assert "Nothing is running." in await said(engine, "pause it")
        assert "goes on" in await said(engine, "carry on")
        assert not (await run.status()).paused
        assert "is being cancelled" in await said(engine, "cancel it")


@simulated
@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("continue", "Nothing is interrupted or paused."),
        ("cancel", "Nothing is running."),
        ("undo", "Nothing is there to be undone."),
        ("try again", "Nothing has failed."),
    ],
)
async def test_where_nothing_is_meant_it_says_so_and_what_there_is(order: str, answer: str) -> None:
    async with talking() as engine:
        assert f"{answer} There are no runs here." in await said(engine, order)
        run = await ran(engine, "trip", "look")
        told = await said(engine, order)
        assert f"{answer} The last run, trip ({run}), is succeeded." in told


@simulated
async def test_what_a_run_does_not_allow_is_said_without_names_of_classes() -> None:
    async with talking() as engine:
        async with asyncio.timeout(PATIENCE):
            await engine.run({"name": "bad", "steps": [{"id": "a", "tool": "boom"}]})
        told = await said(engine, "try again")
        assert "its steps are not tried again" in told
        assert "Error" not in told
        assert "not known" not in told
