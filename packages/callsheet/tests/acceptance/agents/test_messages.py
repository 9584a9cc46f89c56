"""Agents speak only in messages that the journal of the run around them has, in order."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from tests.acceptance.agents.troupe import (
    PATIENCE,
    TITLED,
    all_replay,
    done,
    journal_of,
    messages,
    request,
    result,
    step,
    troupe,
    writer,
)

from callsheet import Agent, Capability
from callsheet.core.run.agents import AgentSaid
from callsheet.testing import simulated
from callsheet.testing.models import ScriptedModel

pytestmark = pytest.mark.requirement("M4")

CHECK = "script.check"


def two() -> tuple[list[Agent], dict[str, ScriptedModel]]:
    """A writer who has two things checked before it is done."""
    smith = ScriptedModel(
        [request(CHECK, {"title": "one"}, "is it good?")],
        [request(CHECK, {"title": "two"})],
        [result({"title": "two"})],
    )
    eve = ScriptedModel([result("no")], [result("yes")])
    wanted = {CHECK: Capability(input=TITLED)}
    agents = [writer(), writer("eve", role="checker", capabilities=wanted, models=("checking",))]
    return agents, {"scripted": smith, "checking": eve}


@simulated
async def test_a_request_and_what_came_of_it_are_messages_with_an_order() -> None:
    agents, models = two()
    async with troupe(agents, models) as engine:
        await done(engine, step())
        said = await messages(engine)
        assert [(each.sender, each.to, each.seq) for each in said] == [
            ("smith", CHECK, 1),
            (CHECK, "smith", 2),
            ("smith", CHECK, 3),
            (CHECK, "smith", 4),
        ]
        texts = [(await engine.artifacts.get(each.content)).decode() for each in said]
        assert "is it good?" in texts[0]
        assert '"text":"no"' in texts[1]
        assert await all_replay(engine)


@simulated
async def test_the_feed_delivers_them_in_order_and_whoever_was_away_catches_up() -> None:
    agents, models = two()
    async with troupe(agents, models) as engine:
        await done(engine, step())
        seen: list[tuple[int, int]] = []
        position = 0
        for _ in range(4):
            # Each time somebody comes back with the last position that they have seen.
            async with asyncio.timeout(PATIENCE):
                async for event in engine.feed(after=position):
                    position = event.position or 0
                    if isinstance(event.entry, AgentSaid):
                        seen.append((position, event.entry.seq))
                        break
        assert [seq for _, seq in seen] == [1, 2, 3, 4]
        assert sorted(seen) == seen


@simulated
async def test_what_was_said_is_kept_as_long_as_the_run_is() -> None:
    agents, models = two()
    async with troupe(agents, models) as engine:
        await done(engine, step())
        await engine.collect(grace=timedelta(0))
        for each in await messages(engine):
            assert await engine.artifacts.get(each.content)


@simulated
async def test_an_agent_that_asks_nobody_says_nothing_to_anybody() -> None:
    async with troupe([writer()], ScriptedModel([result({"title": "x"})])) as engine:
        await done(engine, step())
        assert not [each for each in await journal_of(engine) if isinstance(each, AgentSaid)]
