"""A process that is killed while it collects artifacts leaves a home that can be used."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Context, Engine, tool

if TYPE_CHECKING:
    from pathlib import Path

STRAYS = 30

COLLECT_AND_DIE = """
import asyncio, os, pathlib, signal, sys
from datetime import timedelta
from callsheet import Engine

left = 10
unlink = pathlib.Path.unlink

def dying(self, missing_ok=False):
    global left
    unlink(self, missing_ok)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with Engine.open(sys.argv[1], recover=False) as engine:
        pathlib.Path.unlink = dying
        await engine.collect(grace=timedelta(0))

asyncio.run(main())
"""


@tool(effect="read")
async def draw(ctx: Context) -> dict[str, Any]:
    """Draw a picture."""
    return (await ctx.store("picture", name="cat.png")).to_json()


PLAN = {"callsheet": 1, "name": "film", "steps": [{"id": "draw", "tool": "draw"}]}


@pytest.mark.slow  # a process of its own
@pytest.mark.requirement("E14", "E11")
async def test_a_process_killed_while_it_collects_leaves_what_is_referred_to(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    async with Engine.open(home, [draw]) as engine:
        run = await engine.start({**PLAN, "output": "${steps.draw}"})
        output: Any = (await run.wait()).output
        for number in range(STRAYS):
            await engine.artifacts.put(f"stray {number}")

    assert _code_of([sys.executable, "-c", COLLECT_AND_DIE, str(home)]) == -signal.SIGKILL

    async with Engine.open(home, [draw]) as engine:
        assert len(await engine.artifacts.list()) == STRAYS + 1 - 10
        assert await engine.artifacts.get(output["$artifact"]) == b"picture"
        assert (await engine.replay(run.id)).same
        collected = await engine.collect(grace=timedelta(0))
        assert len(collected.digests) == STRAYS - 10
        assert [each.artifact.name for each in await engine.artifacts.list()] == ["cat.png"]
        # And what was collected can be put again.
        assert await engine.artifacts.get(await engine.artifacts.put("stray 1")) == b"stray 1"


def _code_of(command: list[str]) -> int:
    return subprocess.run(command, check=False, timeout=60).returncode
