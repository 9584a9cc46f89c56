"""A turn, offline: what the model said was recorded; the calls are made.

    python examples/turn.py

With `model="openai:gpt-5"` and a key, the same program asks a real one.
"""

import asyncio
from pathlib import Path

from callsheet import Engine, tool

TAPE = Path(__file__).with_name("turn.jsonl")


@tool(effect="read")
async def weather(city: str) -> dict[str, int]:
    """The weather in a city."""
    return {"Oslo": {"degrees": 4}, "Rome": {"degrees": 19}}[city]


async def main() -> None:
    """Ask, and show what comes."""
    async with Engine.in_memory([weather]) as engine:
        turn = await engine.turn(
            "Weather in Oslo and Rome?", model=f"recorded:{TAPE}", tools=["weather"]
        )
        async for update in turn.flow():
            if update["kind"] == "text" and "append" in update and "seq" in update:
                print(update["append"])
            elif update["kind"] == "call" and update.get("status") == "complete":
                print(f"  {update['id']}: {update['result']}")
        answer = await turn.wait()
        print(f"{answer.state}, {len(answer.calls)} calls, {answer.usage['output']} tokens")


if __name__ == "__main__":
    asyncio.run(main())
