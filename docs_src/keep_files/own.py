import asyncio
from pathlib import Path

from callsheet import Engine, load_tools

LETTER = Path("letter.txt")


async def main() -> None:
    async with Engine.open(".callsheet", load_tools("studio.py")) as engine:
        letter = await engine.artifacts.put(LETTER)
        run = await engine.start("poster.yaml", {"story": letter.to_json()})
        result = await run.wait()
        graph = await engine.lineage(letter.digest, direction="down")
        print(result.state, [artifact.name for artifact in graph.artifacts])


LETTER.write_text("Dear Ada,", "utf-8")
asyncio.run(main())
