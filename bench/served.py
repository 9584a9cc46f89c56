"""A service in a process of its own, with a constant to compare with: prints what it has as JSON.

`python -m bench.served HOME STREAMED`: so many runs go on, each with an entry a second.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request  # noqa: TC002 -- FastAPI reads the annotations
from starlette.responses import Response

from bench.machine import memory_of_self
from callsheet import Engine, tool
from callsheet.serve.http.route import needs
from callsheet.serve.routes.shared import routes_of
from callsheet.serve.server import Extras, listening, running, settle
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from fastapi import APIRouter

KEY = "cs_bench"
PAUSE = 2.0
"""Seconds of a step that waits: it has two entries."""
CONSTANTS: dict[str, bytes] = {}


@tool("bench.noop", effect="read")
async def noop() -> int:
    """Nothing."""
    return 1


def plan_of(steps: int) -> dict[str, Any]:
    """Steps that do nothing, at once."""
    return {
        "name": f"of{steps}",
        "steps": [{"id": f"s{n}", "tool": "bench.noop"} for n in range(steps)],
    }


def waits(steps: int) -> dict[str, Any]:
    """Steps that wait, one after the other."""
    found = [{"id": "s0", "tool": "wait", "args": {"seconds": PAUSE}}]
    found += [
        {"id": f"s{n}", "tool": "wait", "args": {"seconds": PAUSE}, "needs": [f"s{n - 1}"]}
        for n in range(1, steps)
    ]
    return {"name": "waits", "steps": found}


def constants() -> APIRouter:
    """Routes that return the same each time, behind all that stands before a route."""
    routes = routes_of("bench")

    @routes.get("/constant/{name}")
    @needs("runs:read")
    async def constant(request: Request, name: str) -> Response:
        del request
        return Response(CONSTANTS[name], media_type="application/json")

    @routes.get("/memory")
    @needs("runs:read")
    async def memory(request: Request) -> Response:
        del request
        return Response(json.dumps(memory_of_self("VmRSS")))

    return routes


async def main(home: Path, streamed: int) -> None:
    """Serve until stdin is closed."""
    async with Engine.open(home, [noop]) as engine:
        listener, address = listening("127.0.0.1", 0)
        found: dict[str, Any] = {"url": address.url}
        for steps in (5, 500):
            run = await engine.start(plan_of(steps))
            await run.wait()
            found[f"of{steps}"] = run.id
        settings = Settings(local_key=KEY, address=address.url)
        async with running(engine, settings, listener, Extras(routes=[constants()])):
            ids = []
            for number in range(streamed):
                ids.append((await engine.start(waits(60), key=f"w{number}")).id)
                await asyncio.sleep(PAUSE / streamed)  # not all in the same moment
            found["streamed"] = ids
            settle()
            print(json.dumps(found), flush=True)
            loop = asyncio.get_running_loop()
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                name, text = json.loads(line)
                CONSTANTS[name] = text.encode()
                print("{}", flush=True)
            for run_id in ids:
                await (await engine.get(run_id)).cancel()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
