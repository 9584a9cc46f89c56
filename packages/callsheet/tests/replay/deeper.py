"""More runs whose journals are kept for ever: open, forked, cached, of sub-plans, with secrets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.replay import growing, orchestrated, single
from tests.replay import recordings as first
from tests.replay.recordings import Recording, after, asked, at_the_end, costs, shops, when

from callsheet.core.run import entries as e
from callsheet.errors import NotDoneError
from callsheet.testing import waits

if TYPE_CHECKING:
    from tests.replay.recordings import Reaction

    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing import Call, World

LARGE = "y" * 40_000
OUTPUT: dict[str, Json] = {"notes": LARGE, "price": 3}


async def makes(_call: Call, ctx: Context) -> Json:
    """A file, and something large to say about it."""
    artifact = await ctx.store(b"frames", name="clip.mp4")
    return {**OUTPUT, "clip": artifact.to_json()}


def studio(world: World) -> None:
    shops(world)
    world.tool("film", makes)
    world.tool("paid", waits(1, costs(0.4)), ceiling=0.5)
    world.tool("call", waits(1))
    world.pair("rent", "give_back", waits(1, costs(0.4, world.stands)), ceiling=0.5)


async def takes_long_at_first(_call: Call, ctx: Context) -> Json:
    """Longer than a closing engine waits."""
    await ctx.sleep(500 if ctx.attempt == 1 else 1)
    return "done"


async def says_not_done(call: Call, ctx: Context) -> Json:
    """As long; and when it is told to stop, it says that nothing was done."""
    try:
        return await takes_long_at_first(call, ctx)
    except asyncio.CancelledError:
        raise NotDoneError("Stopped in time.") from None


def closing_shop(world: World) -> None:
    """One call ends while the engine closes, one says that nothing was done, one is lost."""
    shops(world)
    world.tool("brief", waits(3))
    world.tool("stays", takes_long_at_first)
    world.tool("shy", says_not_done, effect="write")


def more(*steps: dict[str, Any], after: str) -> Reaction:
    return when(e.AttemptEnded, after, "add", steps=list(steps))


PART: dict[str, Any] = {
    "callsheet": 1,
    "name": "part",
    "inputs": {"city": {"type": "string"}},
    "budget": {"usd": 1.0, "calls": 3},
    "steps": [
        {"id": "room", "tool": "rent", "args": {"in": "${inputs.city}"}},
        {"id": "ok", "ask": "Keep ${steps.room.id}?", "timeout": "1m", "on_failure": "ignore"},
    ],
    "output": "${steps.room.id}",
}
PARENT: list[dict[str, Any]] = [
    {"id": "look", "tool": "look"},
    {"id": "part", "plan": PART, "args": {"city": "Oslo"}, "needs": ["look"]},
    {"id": "each", "plan": PART, "for_each": ["Rome", "Bern"], "args": {"city": "${item}"}},
    {"id": "pin", "tool": "pin", "args": {"at": "${steps.part}"}},
]
FORKED: list[dict[str, Any]] = [
    {"id": "look", "tool": "look"},
    {"id": "flight", "tool": "book", "args": {"to": "Oslo", "price": "${steps.look.price}"}},
    {"id": "seat", "tool": "pin", "args": {"on": "${steps.flight.to}"}},
    {"id": "rooms", "tool": "pin", "for_each": "${steps.look.rooms}", "args": {"n": "${item.id}"}},
    {"id": "no", "tool": "slow", "when": "${steps.look.open}"},
    {"id": "bad", "tool": "boom", "on_failure": "ignore"},
]
TOKEN = {"token": "${secrets.TOKEN}", "header": "Bearer ${secrets.TOKEN}"}

DEEPER = (
    Recording(
        name="open-and-sealed",
        steps=[{"id": "look", "tool": "look"}],
        tools=shops,
        plan={"output": "${steps.look.price}"},
        open=True,
        reactions=(
            more(
                {"id": "flight", "tool": "book", "args": {"price": "${steps.look.price}"}},
                {"id": "pin", "tool": "pin", "needs": ["flight"]},
                after="look",
            ),
            more({"id": "late", "tool": "slow", "needs": ["look"]}, after="pin"),
            when(e.AttemptEnded, "late", "seal"),
        ),
    ),
    Recording(
        name="open-and-cancelled",
        steps=[{"id": "look", "tool": "look"}],
        tools=shops,
        open=True,
        reactions=(
            more({"id": "flight", "tool": "book"}, after="look"),
            when(e.AttemptEnded, "flight", "cancel", reason="Enough."),
        ),
    ),
    Recording(
        name="forked",
        steps=FORKED,
        tools=shops,
        plan={"output": {"to": "${steps.seat.on}", "rooms": "${steps.rooms[*].n}"}},
        fork=("flight", {"to": "Rome"}),
    ),
    Recording(
        name="forked-at-an-item-then-undone",
        steps=FORKED,
        tools=shops,
        fork=("rooms[1]", {}),
        reactions=(at_the_end("succeeded", first.a_request("undo", "back")),),
    ),
    Recording(
        name="cached",
        steps=[
            {"id": "look", "tool": "look", "cache": True},
            {"id": "paid", "tool": "paid", "cache": "10m", "args": {"q": "${steps.look.price}"}},
            {"id": "pin", "tool": "pin", "args": {"at": "${steps.paid.q}"}},
        ],
        tools=studio,
        plan={"budget": {"usd": 1.0}, "output": "${steps.paid}"},
        earlier=1,
    ),
    Recording(
        name="parent",
        steps=PARENT,
        tools=studio,
        plan={"budget": {"usd": 4.0, "calls": 20}, "output": "${steps.each}"},
    ),
    Recording(
        name="parent-undone",
        steps=[*PARENT, {"id": "boom", "tool": "boom", "needs": ["pin", "each"]}],
        tools=studio,
        plan={"budget": {"usd": 4.0}},
    ),
    Recording(name="child", steps=PARENT, tools=studio, child="part", reactions=(asked("ok", 1),)),
    Recording(
        name="large-values",
        steps=[
            {"id": "film", "tool": "film"},
            {"id": "cut", "tool": "call", "args": {"clip": "${steps.film.clip}"}},
            {"id": "book", "tool": "book", "args": {"notes": "${steps.film.notes}"}},
            {"id": "boom", "tool": "boom", "needs": ["book", "cut"]},
        ],
        tools=studio,
        large=True,
    ),
    Recording(
        name="secrets",
        steps=[
            {"id": "call", "tool": "call", "args": TOKEN, "approval": "required"},
            {
                "id": "book",
                "tool": "book",
                "args": TOKEN,
                "undo": {"tool": "cancel", "args": {"key": "${key}", **TOKEN}},
                "needs": ["call"],
            },
            {"id": "boom", "tool": "boom", "needs": ["book"]},
        ],
        tools=studio,
        reactions=(asked("call", "approve", ask="approval"),),
    ),
    Recording(
        name="literal",
        steps=[
            {"id": "call", "tool": "call"},
            {
                "id": "book",
                "tool": "book",
                "literal": True,
                "args": {**TOKEN, "text": "${steps.boom} {{ steps.boom }} $${x}"},
                "needs": ["call"],
            },
            {"id": "boom", "tool": "boom", "needs": ["book"]},
        ],
        tools=studio,
    ),
    Recording(
        name="paid-from-an-account",
        steps=[
            {"id": "one", "tool": "paid"},
            {"id": "two", "tool": "paid", "needs": ["one"]},
        ],
        tools=studio,
        plan={"budget": {"usd": 1.0, "seconds": 60}},
        granted=5.0,
    ),
    Recording(
        name="closed",
        steps=[
            {"id": "look", "tool": "look"},
            {"id": "stays", "tool": "stays"},
            {"id": "shy", "tool": "shy"},
            {"id": "brief", "tool": "brief"},
            {"id": "book", "tool": "book", "needs": ["brief"]},
            {"id": "pin", "tool": "pin", "needs": ["book"]},
        ],
        tools=closing_shop,
        closes=after(e.AttemptEnded, "look"),
    ),
    Recording(
        name="closed-before-it-began",
        steps=[{"id": "book", "tool": "book"}, {"id": "pin", "tool": "pin", "needs": ["book"]}],
        tools=shops,
        plan={"budget": {"calls": 4}},
        closes=after(e.AttemptStarted, "book"),
    ),
)

RECORDINGS = (
    *first.RECORDINGS,
    *DEEPER,
    *growing.RECORDINGS,
    *single.RECORDINGS,
    *orchestrated.RECORDINGS,
)

__all__ = ["RECORDINGS"]
