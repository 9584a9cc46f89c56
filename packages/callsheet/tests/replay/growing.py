"""Recordings of runs that grow from inside, and of steps that say text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.replay.recordings import Recording

from callsheet.core.plan.artifact import LARGE
from callsheet.core.run import entries as e
from callsheet.errors import TransientError
from callsheet.testing import World, returns, waits

if TYPE_CHECKING:
    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing import Call

BIG = "b" * (LARGE + 1)


async def answers(call: Call, ctx: Context) -> int:
    """As a model would: say something, call tools, and have the next answer follow."""
    if call.args["round"] == 1:
        ctx.emit("Let me look ")
        await ctx.sleep(0.2)
        ctx.emit("at that.")
        look = {"id": "look_1", "label": "call_AbC-1", "tool": "look", "literal": True}
        await ctx.add([{**look, "args": {"where": "${nowhere}"}}], checkpoint={"calls": 1})
        await ctx.sleep(1)
        if ctx.attempt == 1:
            raise TransientError("the stream broke")
        await ctx.add([look | {"args": {"where": "${nowhere}"}}, {"id": "book_1", "tool": "book"}])
        ctx.emit(f" Again, after {len(ctx.emitted)} characters.")
        results = {"round": 2, "seen": "${steps.look_1}", "booked": "${steps.book_1.id}"}
        await ctx.then([{"id": "answer_2", "tool": "answer", "args": results}])
    else:
        await ctx.then(seal=True)
        ctx.emit("Done.")
    return len(call.args)


async def hands_on(_call: Call, ctx: Context) -> None:
    """Add steps with arguments that are too large to stand in the journal."""
    await ctx.add([{"id": "seen", "tool": "slow", "args": {"text": BIG}}])
    used = {"id": "used", "tool": "book", "args": {"all": [BIG, "${steps.seen.text}"]}}
    await ctx.then([used, {"id": "last", "tool": "look", "needs": ["used"]}], seal=True)


async def says_what_it_gives(_call: Call, ctx: Context) -> None:
    """As a draft would: what the run gives is known with the last step."""
    await ctx.add([{"id": "seen", "tool": "look"}])
    booked = {"id": "booked", "tool": "book", "args": {"price": "${steps.seen.price}"}}
    gives: Json = {
        "price": "${steps.seen.price}",
        "name": "${inputs.who}",
        "by": "${steps.booked.id}",
    }
    await ctx.then([booked], seal=True, output=gives)


def planners(world: World) -> None:
    world.tool("answer", answers)
    world.tool("hand", hands_on)
    world.tool("draft", says_what_it_gives)
    world.tool("look", returns({"price": 7}))
    world.tool("slow", waits(2))
    world.pair("book", "cancel")


FIRST = {"id": "answer_1", "tool": "answer", "args": {"round": 1}, "label": "the first answer"}

RECORDINGS = (
    Recording(name="grown-from-inside", steps=[FIRST], tools=planners, open=True),
    Recording(
        name="grown-and-killed",
        steps=[FIRST],
        tools=planners,
        open=True,
        cuts=(
            lambda entry: isinstance(entry, e.CheckpointSaved),
            lambda entry: isinstance(entry, e.StepsAdded) and entry.steps[0].id == "answer_2",
        ),
    ),
    Recording(
        name="grown-large",
        steps=[{"id": "hand", "tool": "hand"}],
        tools=planners,
        open=True,
        large=True,
    ),
    Recording(
        name="sealed-with-an-output",
        steps=[{"id": "draft", "tool": "draft"}],
        plan={"inputs": {"who": {"type": "string"}}},
        inputs={"who": "Ada"},
        tools=planners,
        open=True,
    ),
)
