"""Turns under whatever may happen to them: random answers, failures, cancels, kills."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.turns.theatre import Page

from callsheet import Context, Engine, tool
from callsheet.agents.message import AnswerMessage, ResultsMessage, UserMessage
from callsheet.errors import DeniedError, InvalidError, RequestRefusedError
from callsheet.runtime.clock import SystemClock
from callsheet.testing.models import (
    Drop,
    End,
    Line,
    Pause,
    Piece,
    Say,
    ScriptedModel,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from callsheet.agents.model import Request
    from callsheet.agents.turn import Turn
    from callsheet.tools.function.declare import AnyTool

MOMENT = 0.004
FINAL = {"complete", "error", "timeout", "cancelled"}


class Chance:
    """A model and tools that do whatever a seed says."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.effects: dict[str, int] = {}
        self.rounds = self.dice.randint(0, 3)
        self.calls = 0

    def answer(self, _request: Request) -> Iterable[Line]:
        """The next answer."""
        dice, lines = self.dice, list[Line]()
        if self.rounds <= 0:
            return [Say("That is all.", split=4), *self._trouble()]
        self.rounds -= 1
        count = dice.randint(1, 4)
        pieces: list[list[Piece]] = []
        for index in range(count):
            self.calls += 1
            id = f"call_{self.calls}" if dice.random() < 0.9 else "same"
            name = dice.choice(["read", "keep", "send", "read", "none"])
            args = dice.choice(
                [f'{{"x": {self.calls}}}', '{"x": 1}', '{"y": 1}', '{"x": 1', "{}", '{"x": -1}']
            )
            cut = dice.randint(1, len(args))
            head = Piece(index, id, name, args[:cut])
            pieces.append([head, Piece(index, arguments=args[cut:])])
        while any(pieces):
            one = dice.choice([each for each in pieces if each])
            if dice.random() < 0.3:
                lines.append(Say("Some words. ", split=3))
            if dice.random() < 0.2:
                lines.append(Pause(MOMENT))
            lines.append(one.pop(0))
            lines += self._trouble()
        return [*lines, End(dice.choice(["", "stop", "length"]))]

    def _trouble(self) -> list[Line]:
        return [Drop()] if self.dice.random() < 0.05 else []

    @property
    def tools(self) -> list[AnyTool]:
        """Tools that sometimes fail, and take their time."""

        async def do(ctx: Context, x: int) -> int:
            key = f"{ctx.run}/{ctx.step}"
            self.effects[key] = self.effects.get(key, 0) + 1
            if self.dice.random() < 0.5:
                await SystemClock().sleep(MOMENT)
            if x < 0:
                raise self.dice.choice([InvalidError("negative"), DeniedError("no"), ValueError()])
            return x

        @tool("read", effect="read")
        async def read(x: int, ctx: Context) -> int:
            return await do(ctx, x)

        @tool("keep", effect="write", undo="drop")
        async def keep(x: int, ctx: Context) -> int:
            return await do(ctx, x)

        @tool("drop", effect="write", idempotent=True)
        async def drop(output: int) -> None:
            return None

        @tool("send", effect="write")
        async def send(x: int, ctx: Context) -> int:
            return await do(ctx, x)

        return [read, keep, drop, send]


class Life:
    """One turn, whatever becomes of it; and another one after it."""

    def __init__(self, seed: int, home: Path) -> None:
        self.chance, self.model, self.home = Chance(seed), ScriptedModel(), home
        self.model.otherwise(self.chance.answer)
        self.kills = self.chance.dice.choice([0, 0, 1, 2])
        self.cancels = self.chance.dice.random() < 0.25
        self.run = ""

    async def lived(self) -> None:
        """All of it."""
        for life in range(self.kills + 1):
            async with Engine.open(self.home, self.chance.tools, drain=0, recover=False) as engine:
                engine.models.add("m", self.model)
                turn = await self._taken_up(engine)
                if life < self.kills:
                    await self._moment()
                    continue
                await self._ended(turn)
                assert (await engine.replay(self.run)).same
                self.chance.rounds = 0
                again = await engine.turn("And?", model="m", conversation=turn.conversation)
                await again.wait()
        for request in self.model.requests:
            _is_valid(request)
        often = [key for key, count in self.chance.effects.items() if count > 1]
        assert not often or self.kills, "a call is made once, unless somebody pulled the plug"

    async def _moment(self) -> None:
        await SystemClock().sleep(self.chance.dice.random() * 5 * MOMENT)

    async def _taken_up(self, engine: Engine) -> Turn:
        if self.run:
            await engine.resume(self.run)
            return await engine.get_turn(self.run)
        turn = await engine.turn("Go!", model="m", tools=["read", "keep", "send"])
        self.run = turn.id
        return turn

    async def _ended(self, turn: Turn) -> None:
        if self.cancels:
            await self._moment()
            with suppress(RequestRefusedError):  # it had ended
                await turn.cancel()
        answer = await turn.wait()
        page = Page()
        async for update in turn.flow():
            page.show(update)
        assert page.end is not None
        assert page.end["state"] == answer.state
        for id, seen in page.ends.items():
            assert seen[-1] in FINAL, (id, seen)
        assert all(count == 1 for count in page.closed.values())


def _is_valid(request: Request) -> None:
    """What every provider insists on: each call has one result, right after its answer."""
    messages = request.messages
    for at, message in enumerate(messages):
        if isinstance(message, AnswerMessage) and message.calls:
            following = messages[at + 1]
            assert isinstance(following, ResultsMessage)
            assert [each.id for each in following.results] == [call.id for call in message.calls]
            assert len({call.id for call in message.calls}) == len(message.calls)
        if isinstance(message, ResultsMessage):
            before = messages[at - 1]
            assert isinstance(before, AnswerMessage)
            assert before.calls
    assert isinstance(messages[0], UserMessage)


# Whole lives, on a disk.
@pytest.mark.slow
@pytest.mark.requirement("T3", "T4")
async def test_whatever_happens_every_call_has_one_end_and_one_result(tmp_path: Path) -> None:
    for seed in (*range(25), 193, 288):
        async with asyncio.timeout(60):
            try:
                await Life(seed, tmp_path / str(seed)).lived()
            except BaseException as exc:
                exc.add_note(f"seed {seed}")
                raise


@pytest.mark.long
@pytest.mark.requirement("T3", "T4")
async def test_a_thousand_turns(tmp_path: Path) -> None:
    for seed in range(100, 1100):
        async with asyncio.timeout(60):
            try:
                await Life(seed, tmp_path / str(seed)).lived()
            except BaseException as exc:
                exc.add_note(f"seed {seed}")
                raise
