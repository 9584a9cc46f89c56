"""Turns that wait for people: however long that takes, and whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, tool
from callsheet.testing import SimulatedClock, simulated
from callsheet.testing.models import Say, ScriptedModel, calls

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Turn
    from callsheet.agents.message import CallResult

WIPED: list[str] = []


@tool("wipe", effect="write", destructive=True)
async def wipe(disk: str) -> str:
    """Wipe a disk."""
    WIPED.append(disk)
    return f"{disk} is empty"


@tool("look", effect="read")
async def look(at: str) -> str:
    """Look at something."""
    return f"{at} is there"


def asked(model: ScriptedModel) -> None:
    model.answers(
        *calls("one", "wipe", {"disk": "a"}),
        *calls("two", "look", {"at": "b"}, index=1),
        *calls("three", "wipe", {"disk": "c"}, index=2),
    )
    model.answers(Say("Done."))


async def waits(turn: Turn) -> None:
    """Return when two calls wait for a person, and the other has ended."""
    seen: set[tuple[str, str]] = set()
    wanted = {("one", "waiting"), ("two", "complete"), ("three", "waiting")}
    async for update in turn.flow():
        told = update.get("calls")
        for call in told if isinstance(told, list) else [update]:
            assert isinstance(call, dict)
            seen.add((str(call.get("id")), str(call.get("status"))))
        if wanted <= seen:
            return


def results(model: ScriptedModel) -> dict[str, CallResult]:
    return {each.id: each for each in model.requests[-1].messages[-1].results}  # type: ignore[union-attr]


@simulated
async def test_time_that_waits_for_a_person_does_not_count() -> None:
    clock = SimulatedClock()
    model = ScriptedModel(clock=clock)
    asked(model)
    async with Engine.in_memory([wipe, look], clock=clock) as engine:
        engine.models.add("m", model)
        turn = await engine.turn("Wipe!", model="m", tools=["wipe", "look"])
        await waits(turn)
        await clock.sleep(400)
        for step in ("a1_c2", "a1_c3"):
            await turn.run.answer(step, "approve", by="ada")
        answer = await turn.wait()
    assert (answer.state, answer.text) == ("answered", "Done.")


# On a disk, opened twice.
@pytest.mark.slow
async def test_nothing_is_lost_when_the_process_dies_while_somebody_thinks(tmp_path: Path) -> None:
    # openai/openai-agents-python#3004
    model = ScriptedModel()
    asked(model)
    WIPED.clear()
    async with asyncio.timeout(60):
        async with Engine.open(tmp_path, [wipe, look], drain=0) as engine:
            engine.models.add("m", model)
            turn = await engine.turn("Wipe!", model="m", tools=["wipe", "look"])
            await waits(turn)
        async with Engine.open(tmp_path, [wipe, look]) as engine:
            engine.models.add("m", model)
            turn = await engine.get_turn(turn.id)
            await turn.run.answer("a1_c3", "deny", by="ada")
            await turn.run.answer("a1_c2", "approve", by="ada")
            answer = await turn.wait()
    assert answer.text == "Done."
    assert WIPED == ["a"]
    told = results(model)
    assert list(told) == ["one", "two", "three"]
    assert told["one"].content == "a is empty"
    assert told["two"].content == "b is there"
    assert told["three"].error
