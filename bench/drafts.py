"""Drafts: a plan that runs while a model writes it, beside the same drafted first and run after."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from bench.table import Row
from bench.turns import served
from callsheet import tool
from callsheet.testing.models import Line, ModelServer, Pause, Say

if TYPE_CHECKING:
    from bench.cases import Bench

STEPS, WIDTH, STREAM, TOOL = 20, 5, 2.0, 0.2
SAMPLES = 3


@tool("slow", effect="read")
async def slow(at: str) -> str:
    await asyncio.sleep(TOOL)
    return at


def _lines() -> list[Line]:
    """Chains side by side, each step 0.1 s after the one before it."""
    lines: list[Line] = [Say('{"output": "${steps.s19}", "steps": [')]
    for number in range(STEPS):
        before = f"${{steps.s{number - WIDTH}}}" if number >= WIDTH else "begin"
        step: dict[str, Any] = {"id": f"s{number}", "tool": "slow", "args": {"at": before}}
        comma = "" if number + 1 == STEPS else ", "
        lines += [Pause(STREAM / STEPS), Say(json.dumps(step) + comma)]
    return [*lines, Say("]}")]


async def drafts(bench: Bench) -> list[Row]:
    """The one row."""
    streamed: list[float] = []
    after: list[float] = []
    loop = asyncio.get_running_loop()
    async with (
        ModelServer() as server,
        served(bench.scratch / "drafts", server.openai, slow) as engine,
    ):
        server.answers(Say("Hello."))
        await (await engine.turn("Warm up.", model="m", tools=["slow"])).wait()
        server.otherwise(lambda _: _lines())
        for _ in range(SAMPLES):
            began = loop.time()
            run = await engine.plan_for("Go", tools=["slow"], model="m", concurrency=WIDTH + 1)
            result = await run.wait()
            assert result.state == "succeeded", result.cause
            streamed.append(loop.time() - began)
            began = loop.time()
            run = await engine.plan_for("Go", tools=["slow"], model="m", only_draft=True)
            await run.wait()
            await engine.run(await engine.drafted(run.id))
            after.append(loop.time() - began)
    # The last step is complete with the stream; all that it waits for has been done by then.
    limit = max(STREAM, STREAM + TOOL)
    best = min(streamed) / limit
    return [
        Row(
            case=(
                f"draft: {STEPS} steps of {TOOL * 1000:g} ms, {WIDTH} at once, written in "
                f"{STREAM:g} s (drafted first and run after: {min(after):.2f} s)"
            ),
            ours=f"{min(streamed):.2f} s",
            limits=(f"{limit:.2f} s", "-"),
            ratios=(f"{best:.2f}", "-"),
            bar="≤ 1.2",
            met=best <= 1.2,
        )
    ]
