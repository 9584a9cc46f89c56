import asyncio
from typing import Any

from callsheet import Engine, Plan, RunState, Step, tool


@tool("rooms.find", effect="read")
async def find(city: str) -> list[str]:
    """List the free rooms of a city."""
    return [f"{city} 1", f"{city} 2"]


@tool("rooms.book", effect="write", idempotent=True)
async def book(room: str) -> str:
    """Book a room."""
    return f"{room} is yours"


def ask_model(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stands for your provider's call: it has the messages and the tools, and returns calls."""
    assert [each["name"] for each in tools] == ["rooms.find", "rooms.book"]
    script = {
        1: [{"id": "c1", "name": "rooms.find", "arguments": {"city": "Oslo"}}],
        2: [{"id": "c2", "name": "rooms.book", "arguments": {"room": "Oslo 1"}}],
    }
    return script.get(len(messages), [])


async def main() -> None:
    async with Engine.in_memory([find, book]) as engine:
        tools = [
            {"name": spec.name, "description": spec.description, "parameters": spec.input_schema}
            for spec in (find.spec, book.spec)
        ]
        messages: list[dict[str, Any]] = [{"role": "user", "content": "A room in Oslo, please."}]
        run = await engine.start(Plan(name="chat", steps=[]), open=True)
        while calls := ask_model(messages, tools):
            await run.add(
                [Step(id=each["id"], tool=each["name"], args=each["arguments"]) for each in calls]
            )
            for each in calls:
                step = await run.step(each["id"]).result()
                content = step.error.message if step.error else step.output
                messages.append({"role": "tool", "call": each["id"], "content": content})
        await run.seal()
        result = await run.wait()
        assert result.state is RunState.SUCCEEDED
        print(messages[-1]["content"])


if __name__ == "__main__":
    asyncio.run(main())
