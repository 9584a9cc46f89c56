"""Recordings of steps that are agents: the run around one, and the run that its work is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import structs
from tests.replay.recordings import Recording, a_request, at_the_end

from callsheet.agents.choosing import context_of
from callsheet.core.plan.agent import CHOOSE
from callsheet.core.plan.card import TASK, AgentCard, CapabilityCard
from callsheet.core.plan.plan import Budget
from callsheet.core.run import entries as e
from callsheet.core.run.agents import AgentChosen, PassedOver
from callsheet.errors import TransientError

if TYPE_CHECKING:
    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing import Call, World

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
CARD = AgentCard(
    name="smith",
    role="writer",
    capabilities={"script.write": CapabilityCard(input=TASK, output={"type": "object"})},
    models=("first", "second"),
    instructions="Write ${well}.",
    budget=Budget(usd=1.0),
)


async def chooses(call: Call, ctx: Context) -> Json:
    """The first model, then the second."""
    number = 2 if call.args.get("tried") else 1
    model = CARD.models[number - 1]
    chosen = AgentChosen(
        at=NEVER,
        step=f"a{number}",
        agent="smith",
        model=model,
        reason="it is the one that is able",
        passed_over=(PassedOver(agent="smith", model="first", why="it is away"),) * (number - 1),
    )
    answer = {"id": f"a{number}", "tool": "model.answer.smith", "args": {"number": number}}
    await context_of(ctx).choose([{**answer, "ceiling": {"usd": 0.25}}], chosen)
    return {"model": model}


async def answers(call: Call, ctx: Context) -> Json:
    """What cannot be had of the first is had of the second, after a word with somebody."""
    await ctx.sleep(1)
    if call.args["number"] == 1:
        if ctx.attempt < 3:
            raise TransientError("it is away")
        tried = {"id": "c2", "tool": CHOOSE, "args": {"tried": ["${steps.a1.failed}"]}}
        await ctx.then([tried])
        return {"failed": {"message": "it is away"}}
    kept = await ctx.store("Is that all?", media_type="text/plain")
    await context_of(ctx).tell("smith", "script.check", kept)
    await ctx.add([{"id": "a2_c1", "tool": "book", "on_failure": "ignore"}])
    ctx.charge(usd=0.125)
    await ctx.then(seal=True, output="${steps.a2.result}")
    return {"result": {"title": "Oslo"}, "kept": [kept.to_json()]}


def troupe(world: World) -> None:
    world.tool(CHOOSE, chooses)
    world.tool("model.answer.smith", answers)
    world.pair("book", "cancel")
    smith = world.tool("agent.smith")
    world.tools.remove(smith)
    world.tools.append(replace(smith, spec=structs.replace(smith.spec, agent=CARD)))


WANTED: dict[str, Any] = {
    "id": "w",
    "agent": {"capability": "script.write"},
    "args": {"task": "a film"},
}
CALLED: dict[str, Any] = {
    "id": "c",
    "tool": "agent.smith",
    "args": {"capability": "script.write", "args": {"task": "${steps.w.title}"}},
}

RECORDINGS = (
    Recording(
        name="agents",
        steps=[WANTED, CALLED],
        tools=troupe,
        plan={"budget": {"usd": 3.0}, "output": "${steps.c.title}"},
    ),
    Recording(
        name="agents-undone",
        steps=[WANTED],
        tools=troupe,
        plan={"budget": {"usd": 3.0}},
        reactions=(at_the_end("succeeded", a_request("undo", "undo-1")),),
    ),
    Recording(name="agent", steps=[WANTED], tools=troupe, child="w"),
    Recording(
        name="agent-killed",
        steps=[WANTED],
        tools=troupe,
        child="w",
        cuts=(
            lambda entry: isinstance(entry, AgentChosen) and entry.step == "a2",
            lambda entry: isinstance(entry, e.RunSealed),
        ),
    ),
)
