"""Agents speak only in messages that the journal of the run around them has, in order."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

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

from callsheet import Agent, Capability, Event, RunState
from callsheet.core.run.agents import AgentSaid
from callsheet.errors import InputError, TransientError
from callsheet.testing import simulated
from callsheet.testing.models import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from callsheet.agents.model import Request, Streamed

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


class Heard:
    """A handler that notes the numbers of messages, and may raise or sleep."""

    def __init__(self, until: int, *, raises: bool = False, sleeps: bool = False) -> None:
        self.numbers: list[int] = []
        self._until = until
        self._raises = raises
        self._awake = asyncio.Event()
        self._all = asyncio.Event()
        if not sleeps:
            self._awake.set()

    async def __call__(self, event: Event) -> None:
        assert isinstance(event.entry, AgentSaid)
        await self._awake.wait()
        self.numbers.append(event.entry.seq)
        if len(self.numbers) == self._until:
            self._all.set()
        if self._raises:
            raise RuntimeError("no")

    async def all(self) -> list[int]:
        """The numbers, when they are there."""
        async with asyncio.timeout(PATIENCE):
            await self._all.wait()
        return self.numbers


@simulated
async def test_a_handler_that_raises_or_sleeps_harms_nobody_and_catches_up_by_position() -> None:
    agents, models = two()
    raising, sleeping, again = Heard(4, raises=True), Heard(4, sleeps=True), Heard(2)
    async with troupe(agents, models) as engine:
        await engine.on("AgentSaid", raising)
        asleep = await engine.on("AgentSaid", sleeping)
        assert (await done(engine, step())).state is RunState.SUCCEEDED
        assert await raising.all() == [1, 2, 3, 4]
        assert not sleeping.numbers
        asleep.stop()
        # Whoever was away is told from where he was; here: what smith was told, and nothing else.
        await engine.on("to:smith", again, after=asleep.position)
        assert await again.all() == [2, 4]


async def _nothing(_: Event) -> None:
    """Hear it."""


@simulated
async def test_a_topic_that_is_none_is_refused() -> None:
    async with troupe([writer()], ScriptedModel()) as engine:
        with pytest.raises(InputError, match="no topic 'RunEned'"):
            await engine.on("RunEned", _nothing)


class Faltering:
    """A model that cannot be had every other time."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model
        self._asked = 0

    async def stream(self, asked: Request) -> AsyncGenerator[Streamed, None]:
        self._asked += 1
        if self._asked % 2 == 1:
            raise TransientError("away")
        async for part in self._model.stream(asked):
            yield part

    async def close(self) -> None:
        """Nothing is held."""


@simulated
async def test_a_model_that_is_asked_again_says_nothing_twice() -> None:
    agents, models = two()
    faltering = {name: Faltering(model) for name, model in models.items()}
    async with troupe(agents, faltering) as engine:
        assert (await done(engine, step())).state is RunState.SUCCEEDED
        assert [each.seq for each in await messages(engine)] == [1, 2, 3, 4]
        assert await all_replay(engine)


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
