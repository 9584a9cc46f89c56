"""Each tool, called once as a step of a plan."""

import asyncio
import sys
from pathlib import Path

from callsheet import Engine, Plan, Step, load_tools

STEPS = (
    Step(id="sky", tool="forecast", args={"city": "Oslo"}),
    Step(id="digest", tool="photo.digest", args={"path": "photo.jpg"}),
    Step(id="copy", tool="photo.copy", args={"path": "photo.jpg", "to": "copy.jpg"}),
    Step(id="room", tool="rooms.book", args={"hotel": "Grand"}),
    Step(id="mail", tool="mail.send", args={"address": "ada@example.org"}),
    Step(id="film", tool="film.make", args={"scene": "harbour"}),
)


async def main(*files: str) -> None:
    tools = [tool for file in files for tool in load_tools(file)]
    async with Engine.in_memory(tools) as engine:
        run = await engine.start(Plan(name="try", steps=STEPS))
        result = await run.wait()
    print(result.state, f"{result.cost.usd:.2f} USD")
    for name, step in result.steps.items():
        print(f"  {name}: {step.output}")


if __name__ == "__main__":
    Path("photo.jpg").write_bytes(b"a photo")
    asyncio.run(main(*sys.argv[1:]))
