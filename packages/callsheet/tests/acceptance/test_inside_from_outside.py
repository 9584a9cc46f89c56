"""Steps from inside a step, on both databases: another process reads the text, stops a step."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Event
from callsheet.core.run.entries import AttemptStarted, StepsAdded
from callsheet.runtime.text import Transcript

if TYPE_CHECKING:
    from pathlib import Path

# A process of its own, which drives.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E27", "step:add", "step:stop")]

PATIENCE = 60.0
DRIVER = """
import asyncio, sys
from callsheet import Context, Engine, Plan, Step, tool

@tool("answer", effect="read")
async def answer(ctx: Context) -> str:
    ctx.emit("First I look. ")
    hang = {"id": "hang", "tool": "hang", "on_failure": "ignore"}
    await ctx.add([{"id": "look", "tool": "look"}, hang])
    ctx.emit("Then I wait.")
    seen = ["${outcomes.look.output}", "${outcomes.hang.state}"]
    await ctx.then([{"id": "tell", "tool": "tell", "args": {"seen": seen}}], seal=True)
    return ctx.run

@tool("look", effect="read")
async def look() -> int:
    return 7

@tool("hang", effect="read")
async def hang() -> None:
    await asyncio.Event().wait()

@tool("tell", effect="read")
async def tell(seen: list[object]) -> list[object]:
    return seen

async def main(home):
    async with Engine.open(home, [answer, look, hang, tell]) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="answer"),)), open=True)
        print(run.id, flush=True)
        await run.wait()

asyncio.run(main(sys.argv[1]))
"""


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "home")
    return str(request.getfixturevalue("database"))


async def test_another_process_reads_the_text_of_a_step_and_stops_one_that_it_has_added(
    home: str,
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", DRIVER, home, stdout=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE):
            assert process.stdout is not None
            name = (await process.stdout.readline()).decode().strip()
            async with Engine.open(home, drive=False) as looker:
                run = await looker.get(name)
                transcript, seen = Transcript(), []
                async for told in run.events():
                    entry = told.entry if isinstance(told, Event) else None
                    if (new := transcript.new(told)) is not None:
                        seen.append(new.text)
                    elif isinstance(entry, StepsAdded):
                        seen.append(", ".join(step.id for step in entry.steps))
                    if isinstance(entry, AttemptStarted) and entry.step == "hang":
                        await run.stop("hang", by="ann", reason="too long")
                result = await run.wait()
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert seen == ["First I look. ", "look, hang", "Then I wait.", "tell"]
    assert (result.state, result.steps["hang"].state) == ("succeeded", "cancelled")
    assert result.steps["tell"].output == [7, "cancelled"]
