"""The official conformance suite, against our server object with our gate, tasks and auth."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.routing import Route
from tests.conformance import fixtures, jobs

from callsheet import Engine
from callsheet.serve.mcp.http import HttpServer
from callsheet.serve.server import Extras, listening, running
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import FastAPI

PLACE = Path(__file__).parents[4] / ".conformance"
NODE = PLACE / "node_modules" / ".bin" / "node"
SUITE = PLACE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
SECONDS = 540
TASKS = (
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-status-notifications",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
)

pytestmark = [
    # The suite is a program of its own that asks a server for minutes.
    pytest.mark.slow,
    pytest.mark.skipif(
        not (PLACE / ".installed").exists(),
        reason="THE CONFORMANCE SUITE OF MCP WAS NOT RUN: .ci/conformance.py could not install it",
    ),
]


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """Our server with the fixtures, on the service; without a key everything may be done."""
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(Engine.in_memory(jobs.TOOLS, drain=0))
        listener, address = listening("127.0.0.1", 0)
        stack.callback(listener.close)
        ready: asyncio.Future[FastAPI] = asyncio.get_running_loop().create_future()
        settings = Settings(no_key=True)
        service = await stack.enter_async_context(
            running(engine, settings, listener, Extras(mount=ready.set_result))
        )
        server = HttpServer(service, more=jobs.rows())
        fixtures.add_all(server.server)
        answering = await stack.enter_async_context(server.running())
        (await ready).router.routes.append(Route("/mcp", endpoint=answering))
        yield f"{address.url}/mcp"


async def suite(*words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        NODE,
        SUITE,
        "server",
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=PLACE,
    )
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out.decode()


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
async def test_every_scored_scenario_of_a_revision_passes(revision: str) -> None:
    async with serving() as url:
        code, said = await suite("--url", url, "--requirements", revision)
    assert code == 0, said


@pytest.mark.requirement("S3")
async def test_every_scenario_of_tasks_passes() -> None:
    async with serving() as url:
        for scenario in TASKS:
            code, said = await suite(
                *("--url", url, "--scenario", scenario),
                *("--spec-version", "2026-07-28", "--force"),
            )
            assert code == 0, f"{scenario}: {said}"
