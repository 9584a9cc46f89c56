"""What the tests of agents share: an engine with agents whose models follow a script."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from callsheet import Agent, Capability, Engine, tool
from callsheet.core.run.agents import AgentChosen, AgentSaid
from callsheet.testing import SimulatedClock
from callsheet.testing.models import Say, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from callsheet import Result
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.tools.function.declare import AnyTool

PATIENCE = 60
"""Seconds: nothing here takes that long, whatever else the machine does."""
TITLED: dict[str, Json] = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "required": ["title"],
    "additionalProperties": False,
}
CAPABILITY = "script.write"


def result(value: Json) -> Say:
    """An answer that is a result."""
    return Say(json.dumps({"result": value}))


def request(capability: str, args: Json, why: str = "I need it") -> Say:
    """An answer that asks for something."""
    return Say(json.dumps({"request": {"capability": capability, "args": args, "why": why}}))


def writer(name: str = "smith", **said: Any) -> Agent:
    """An agent that writes titles."""
    usual: dict[str, Any] = {
        "role": "writer",
        "capabilities": {CAPABILITY: Capability(output=TITLED)},
        "models": ("scripted",),
    }
    return Agent(name=name, **{**usual, **said})


def step(task: str = "go", **said: Json) -> dict[str, Json]:
    """A step that wants something written, whoever does it."""
    return {"id": "w", "agent": {"capability": CAPABILITY}, "args": {"task": task}, **said}


class Deeds:
    """Tools that note what was done with them."""

    def __init__(self) -> None:
        self.done: list[str] = []

    @property
    def tools(self) -> list[AnyTool]:
        """All of them."""

        @tool("notes.put", effect="write", undo="notes.drop")
        async def put(text: str) -> str:
            """Put a note down."""
            self.done.append(f"put {text}")
            return text

        @tool("notes.drop", effect="write", idempotent=True)
        async def drop(output: str) -> None:
            """Drop a note."""
            self.done.append(f"drop {output}")

        @tool("notes.look", effect="read")
        async def look() -> str:
            """Look at the notes."""
            self.done.append("look")
            return "nothing"

        return [put, drop, look]


@asynccontextmanager
async def troupe(
    agents: Sequence[Agent],
    models: dict[str, Any] | ScriptedModel,
    tools: Sequence[AnyTool] = (),
    **options: Any,
) -> AsyncIterator[Engine]:
    """An engine with these agents; its time is simulated, so no backoff is waited for."""
    named = models if isinstance(models, dict) else {"scripted": models}
    options.setdefault("clock", SimulatedClock())
    async with Engine.in_memory(tools, agents=agents, models=named, **options) as engine:
        yield engine


async def done(engine: Engine, *steps: dict[str, Json], **plan: Json) -> Result:
    """The result of a run of these steps."""
    written: dict[str, Json] = {"steps": [*steps], **plan}
    async with asyncio.timeout(PATIENCE):
        return await engine.run(written)


async def journal_of(engine: Engine, plan: str = "agent") -> list[AnyEntry]:
    """The journal of the newest run of a plan."""
    (head, *_) = await engine.runs(plan=plan)
    return await (await engine.get(head.run)).journal()


async def choices(engine: Engine, ended: Result | None = None) -> list[AgentChosen]:
    """Who was chosen, in the run that was the step of another, or in the only one of an agent."""
    if ended is None:
        journal = await journal_of(engine)
    else:
        journal = await (await engine.get(ended.steps["w"].child)).journal()
    return [each for each in journal if isinstance(each, AgentChosen)]


async def messages(engine: Engine) -> list[AgentSaid]:
    """What agents have said to each other, in all runs, in commit order."""
    found: list[AgentSaid] = []
    for head in reversed(await engine.runs(limit=1000)):
        journal = await (await engine.get(head.run)).journal()
        found += [each for each in journal if isinstance(each, AgentSaid)]
    return found


async def all_replay(engine: Engine) -> bool:
    """Whether every run comes out the same again."""
    runs = [head.run for head in await engine.runs(limit=1000)]
    return all([(await engine.replay(run)).same for run in runs])
