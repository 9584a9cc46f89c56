"""An agent with schemas, a model that follows a script, and a plan that asks it."""

import asyncio

from pydantic import BaseModel

from callsheet import Agent, Budget, Capability, Engine
from callsheet.testing.models import Say, ScriptedModel


class Brief(BaseModel):
    """What the writer is given."""

    topic: str
    seconds: int = 30


class Script(BaseModel):
    """What it gives."""

    title: str
    lines: list[str]


writer = Agent(
    name="scriptsmith",
    role="writer",
    capabilities={"script.write": Capability(input=Brief, output=Script)},
    models=["mine"],
    prompt="You write scripts for short films.",
    budget=Budget(tokens=50_000),
)


async def main() -> None:
    """Ask for a script, whoever writes it."""
    mine = ScriptedModel([Say('{"result": {"title": "Oslo", "lines": ["A ferry leaves."]}}')])
    async with Engine.in_memory(agents=[writer], models={"mine": mine}) as engine:
        step = {"id": "draft", "agent": "script.write", "args": {"topic": "Oslo"}}
        result = await engine.run({"steps": [step], "output": "${steps.draft.title}"})
        print(result.output)


if __name__ == "__main__":
    asyncio.run(main())
