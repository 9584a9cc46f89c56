"""Hear what agents say to each other, and everything else that happens."""

import asyncio

from callsheet import Engine, Event, tool


@tool("look", effect="read")
async def look() -> str:
    """Look out of the window."""
    return "rain"


async def main() -> None:
    """Be told of runs that end, from now on."""
    over = asyncio.Event()

    async def heard(event: Event) -> None:
        print(event.kind)
        over.set()

    async with Engine.in_memory([look]) as engine:
        listening = await engine.on("RunEnded", heard)
        await engine.run({"steps": [{"id": "window", "tool": "look"}]})
        await over.wait()
        listening.stop()


if __name__ == "__main__":
    asyncio.run(main())
