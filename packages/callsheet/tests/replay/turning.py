"""Turns whose journals are kept for ever: in memory, in simulated time, after a script."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, TypeAlias

from callsheet import Budget, Engine, tool
from callsheet.agents.money import Price
from callsheet.errors import InvalidError
from callsheet.testing import SimulatedClock, run_simulated
from callsheet.testing.models import Drop, End, Pause, Say, ScriptedModel, Think, calls

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from callsheet import Turn
    from callsheet.core.run import entries as e

Play: TypeAlias = "Callable[[Engine, ScriptedModel, SimulatedClock], Awaitable[Turn]]"
AT_MOST = 600.0


async def answered(engine: Engine, model: ScriptedModel, clock: SimulatedClock) -> Turn:
    """Two answers: one with calls of every kind, one that says what came of them."""
    model.answers(
        Think("Let me see."),
        Say("Looking both up. ", split=6),
        *calls("call_A", "weather", {"city": "Oslo"}, split=5),
        *calls("call_B", "note", {"page": "a", "text": "one"}, index=1),
        *calls("call_C", "note", {"page": "a", "text": "two"}, index=2),
        *calls("call_D", "mail", {"to": "Ada"}, index=3),
        *calls("call_E", "weather", {"town": "Rome"}, index=4),
        *calls("call_F", "wipe", {"disk": "a"}, index=5),
        End(input=100, output=50),
    )
    model.answers(Say("4 degrees."), End(input=200, output=10))
    turn = await engine.turn(
        "Weather?", model="m", tools=["*"], conversation="answered", budget=Budget(usd=1.0), key="k"
    )
    async for update in turn.flow():
        if update.get("status") == "waiting":
            await turn.run.answer("a1_c5", "approve", by="ada")
    return turn


async def cancelled(engine: Engine, model: ScriptedModel, clock: SimulatedClock) -> Turn:
    """Cancelled while the model talks and a call goes on."""
    model.answers(Say("Well, "), *calls("call_A", "slow", {"seconds": 60.0}), Pause(60.0))
    turn = await engine.turn("Go!", model="m", tools=["slow"], conversation="cancelled")
    await clock.sleep(1)
    await turn.cancel(reason="enough", by="ada")
    return turn


async def broken_off(engine: Engine, model: ScriptedModel, clock: SimulatedClock) -> Turn:
    """A stream that breaks after a call has begun, and a turn that its limit ends."""
    model.answers(Say("Well, "), *calls("call_A", "weather", {"city": "Oslo"}), Drop())
    for number in range(3):
        model.answers(*calls(f"call_{number}", "weather", {"city": "Nowhere"}))
    return await engine.turn("Go!", model="m", tools=["weather"], conversation="broken-off")


TURNS: dict[str, Play] = {
    "turn-answered": answered,
    "turn-broken-off-and-stopped": broken_off,
    "turn-cancelled": cancelled,
}


def record_turn(name: str) -> list[e.AnyEntry]:
    """The journal of a turn, the same every time."""
    return run_simulated(_played(TURNS[name]), seed=zlib.crc32(name.encode()), at_most=AT_MOST)


async def _played(play: Play) -> list[e.AnyEntry]:
    clock = SimulatedClock()

    @tool("weather", effect="read")
    async def weather(city: str) -> dict[str, int]:
        if city == "Nowhere":
            raise InvalidError("There is no such city.")
        return {"degrees": 4}

    @tool("note", effect="write", idempotent=True, touches="page:${args.page}")
    async def note(page: str, text: str) -> str:
        await clock.sleep(1)
        return f"{page}: {text}"

    @tool("mail", effect="write")
    async def mail(to: str) -> str:
        return f"sent to {to}"

    @tool("wipe", effect="write", destructive=True)
    async def wipe(disk: str) -> str:
        return f"{disk} is empty"

    @tool("slow", effect="read")
    async def slow(seconds: float) -> str:
        await clock.sleep(seconds)
        return "done"

    model = ScriptedModel(clock=clock)
    async with Engine.in_memory([weather, note, mail, wipe, slow], clock=clock) as engine:
        engine.models.add("m", model, price=Price(input=2.0, output=10.0))
        turn = await play(engine, model, clock)
        await turn.wait()
        return list(await turn.run.journal())
