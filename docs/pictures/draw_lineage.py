"""Draws `lineage.svg`: what the films of `docs_src/keep_files` are made from.

.venv/bin/python docs/pictures/draw_lineage.py
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from callsheet import Engine, load_tools

HERE = Path(__file__).parent
FILES = HERE.parents[1] / "docs_src" / "keep_files"


async def main() -> None:
    """Make a film, and a poster of the same story."""
    async with Engine.in_memory(load_tools(str(FILES / "studio.py"))) as engine:
        film = await engine.start(FILES / "film.yaml", {"about": "cat"})
        await film.wait()
        story, *_ = await engine.artifacts.list(run=film.id)
        given = {"story": story.artifact.to_json()}
        await (await engine.start(FILES / "poster.yaml", given)).wait()
        graph = await engine.lineage(story.artifact.digest)
        (HERE / "lineage.svg").write_text(engine.artifacts.draw(graph), "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
