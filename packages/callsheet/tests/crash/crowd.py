"""One of several processes on one home: starts, watches, answers and cancels what all of them do.

Each wants the same orders, under the same keys, and reacts to whatever it sees in the feed: so
every order is started by many and is one run, and every question is answered by many, and once.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from tests.crash import program
from tests.crash.program import HOME, KEY, PRICE, WORLD, Diary, Word
from tests.crash.world import World

from callsheet import Engine
from callsheet.core.ids import RunId, StepKey, idempotency_key
from callsheet.core.run import entries as e
from callsheet.errors import RequestPendingError, RequestRefusedError

if TYPE_CHECKING:
    from callsheet import Event
    from callsheet.core.value import Json

from pathlib import Path

TENANT = "acme"
GRANT = 10_000.0
BUYS = "buys"
NAMES = ("keeps", "fails", "cancelled", BUYS)
_BUYS: dict[str, Any] = {
    "callsheet": 1,
    "name": BUYS,
    "budget": {"usd": 20 * PRICE},
    "steps": [{"id": f"p{n}", "tool": "paid"} for n in range(3)],
}


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What a process of the crowd is told."""

    home: str
    """Where the world is, and the store, unless it is a database."""
    database: str = ""
    orders: int
    seed: int


def name_of(order: int) -> str:
    """The plan of an order."""
    return NAMES[order % len(NAMES)]


async def take_part(share: Share, diary: Diary) -> None:
    """Do what the others do, until somebody ends it."""
    chance = Random(share.seed)
    world = World(Path(share.home) / WORLD)
    place = share.database or share.home
    async with Engine.open(place, program.TOOLS) as engine, asyncio.TaskGroup() as group:
        diary.say(Word(said="ready"))
        group.create_task(watch(engine, world, group))
        orders = list(range(share.orders))
        chance.shuffle(orders)
        for order in orders:
            await start(engine, order)


async def start(engine: Engine, order: int) -> None:
    """Start an order, or find that somebody has."""
    name = name_of(order)
    key = f"{KEY}-{order}"
    if name == BUYS:
        await engine.start(_BUYS, key=key, tenant=TENANT)
    else:
        # One of the scenarios, as it is run alone.
        plan: dict[str, Any] = program.plan_of(name)  # type: ignore[arg-type]
        await engine.start(plan, {"city": "Oslo"}, key=key)


async def watch(engine: Engine, world: World, group: asyncio.TaskGroup) -> None:
    """React to everything that happens, whoever drives it."""
    position = 0
    async for event in engine.feed():
        assert event.position is not None
        assert event.position > position, "the feed went back"
        position = event.position
        group.create_task(react(engine, world, event))


async def react(engine: Engine, world: World, event: Event) -> None:
    """Answer what is asked, and cancel what hangs; others may have been quicker."""
    entry = event.entry
    hangs = isinstance(entry, e.AttemptStarted) and entry.step == "hang"
    if not hangs and not isinstance(entry, e.QuestionAsked):
        return
    run = await engine.get(event.run)
    status = await run.status()
    if status.state.ended:
        return  # it was long ago
    # Refused: others were quicker. Pending: recorded, for whoever takes the run over.
    with suppress(RequestRefusedError, RequestPendingError):
        if not isinstance(entry, e.QuestionAsked):
            await run.cancel(reason="Enough.", by="ann")
        elif any(each.id == entry.question for each in status.questions):
            answer, output = answer_to(world, event.run, entry)
            await run.answer(entry.step, answer, output=output, question=entry.question, by="ann")


def answer_to(world: World, run: RunId, asked: e.QuestionAsked) -> tuple[Json, Json]:
    """What somebody answers who knows only what can be seen from outside."""
    if asked.ask == "question":
        return "keep", None
    if asked.ask == "approval":
        return "approve", None
    # In doubt: go and look.
    if world.has("done", idempotency_key(run, StepKey(asked.step))):
        return "happened", {"id": f"book-{asked.step}"}
    return "did_not", None


def main(text: str) -> None:
    """Take part; `text` is a `Share` as JSON."""
    share = msgspec.json.decode(text, type=Share)
    os.environ[HOME] = share.home
    diary = Diary(Path(share.home))
    try:
        asyncio.run(take_part(share, diary))
    except BaseException:
        diary.say(Word(said="error", data=traceback.format_exc()))
        raise
