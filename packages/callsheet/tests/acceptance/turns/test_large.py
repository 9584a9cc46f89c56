"""Turns that are large: arguments of megabytes, hundreds of calls, outputs nobody can read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.turns.theatre import page_of

from callsheet import Engine, tool
from callsheet.agents.message import ResultsMessage
from callsheet.testing.models import Say, ScriptedModel, calls

if TYPE_CHECKING:
    from pathlib import Path

# Megabytes.
pytestmark = pytest.mark.slow

LONG = "_" + "x" * 150
"""In ids, so that the record of an answer is too large to stand in the journal."""


@tool("size", effect="read")
async def size(text: str) -> int:
    """How long a text is."""
    return len(text)


@tool("flood", effect="read")
async def flood(megabytes: int) -> str:
    """A very long text."""
    return "x" * megabytes * 1_000_000


async def test_an_argument_of_five_megabytes(tmp_path: Path) -> None:
    model = ScriptedModel()
    model.answers(*calls("c", "size", {"text": "y" * 5_000_000}, split=4096))
    model.answers(Say("Long."))
    async with asyncio.timeout(60), Engine.open(tmp_path, [size]) as engine:
        engine.models.add("m", model)
        turn = await engine.turn("Go!", model="m", tools=["size"])
        answer = await turn.wait()
        page = page_of([update async for update in turn.flow()])
        lines = sum(len(line) for line in map(str, await turn.run.journal()))
    assert answer.text == "Long."
    assert page.calls["c"]["result"] == 5_000_000
    assert len(str(page.calls["c"]["args"])) < 10_000
    assert lines < 1_000_000, "it does not stand in the journal"


async def test_two_hundred_calls_in_one_answer(tmp_path: Path) -> None:
    model = ScriptedModel()
    lines = [
        line
        for index in range(200)
        for line in calls(f"call_{index}{LONG}", "size", {"text": "z" * index}, index=index)
    ]
    model.answers(*lines, *calls("wrong", "size", {}, index=200))
    model.answers(Say("Many."))
    async with asyncio.timeout(120), Engine.open(tmp_path, [size], sync="normal") as engine:
        engine.models.add("m", model)
        turn = await engine.turn("Go!", model="m", tools=["size"])
        live = page_of([update async for update in turn.flow()])
        answer = await turn.wait()
        later = page_of([update async for update in turn.flow()])
        report = await engine.replay(turn.id)
    results = model.requests[1].messages[-1]
    assert isinstance(results, ResultsMessage)
    assert [each.id for each in results.results] == [
        *(f"call_{index}{LONG}" for index in range(200)),
        "wrong",
    ]
    assert [each.content for each in results.results[:200]] == [str(i) for i in range(200)]
    assert len(answer.calls) == 201
    assert answer.usage == {"input": 20, "output": 10}
    for page in (live, later):
        assert page.statuses["wrong"][-1] == "error"
        assert sum(seen[-1] == "complete" for seen in page.statuses.values()) == 200
    assert report.same


async def test_an_output_of_fifty_megabytes(tmp_path: Path) -> None:
    model = ScriptedModel()
    model.answers(*calls("c", "flood", {"megabytes": 50}))
    model.answers(Say("Enough."))
    async with asyncio.timeout(120), Engine.open(tmp_path, [flood]) as engine:
        engine.models.add("m", model)
        turn = await engine.turn("Go!", model="m", tools=["flood"])
        answer = await turn.wait()
        updates = [update async for update in turn.flow()]
    (result,) = model.requests[1].messages[-1].results  # type: ignore[union-attr]
    assert len(result.content) == 20_000
    assert f"{turn.id}/a1_c1" in result.content
    assert answer.text == "Enough."
    assert max(len(str(update)) for update in updates) < 20_000
