"""Agents: what the MCP server adds to what it serves, and what it costs before it answers."""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.routing import Route

from bench import fresh
from bench.sampling import Series, asked_in_turns, in_turns, number, spread
from bench.table import Row
from callsheet import Engine, tool
from callsheet.serve.mcp.http import HttpServer
from callsheet.serve.server import Extras, listening, running
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from fastapi import FastAPI

    from bench.cases import Bench

STATUS = 2.0
"""How much longer `run_status` may take than a tool that returns a constant."""
RUNS = 0.5
"""The share of the runs that REST starts in the same time."""
BEFORE = 0.6
"""Seconds of CPU before the first answer, beside importing the SDK."""
LONGEST = 1.5
LIST = 24_000
"""Bytes of the list of tools: every conversation pays for it."""
CLIENTS = 16
KEY = "cs_bench"
PLAN: dict[str, Any] = {
    "name": "five",
    "steps": [{"id": f"s{n}", "tool": "bench.noop"} for n in range(5)],
}
_IMPORT = "import mcp.server"
_HELLO: tuple[dict[str, Any], ...] = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list", "params": {}},
)


@tool("bench.noop", effect="read")
async def noop() -> int:
    """Nothing."""
    return 1


class Both:
    """A service, with clients of REST and of MCP."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.rest = httpx.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {KEY}"}, trust_env=False, timeout=60
        )
        self.agents: list[Client] = []

    async def agent(self, stack: AsyncExitStack) -> Client:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, trust_env=False)
        await stack.enter_async_context(http)
        wire = streamable_http_client(f"{self.url}/mcp", http_client=http)
        return await stack.enter_async_context(Client(wire, read_timeout_seconds=60))


@asynccontextmanager
async def served(home: Path) -> AsyncIterator[Both]:
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(Engine.open(home, [noop], sync="normal"))
        listener, address = listening("127.0.0.1", 0)
        stack.callback(listener.close)
        ready: asyncio.Future[FastAPI] = asyncio.get_running_loop().create_future()
        service = await stack.enter_async_context(
            running(engine, Settings(local_key=KEY), listener, Extras(mount=ready.set_result))
        )
        server = HttpServer(service)
        server.server.add_tool(_constant, name="constant", structured_output=False)
        answering = await stack.enter_async_context(server.running())
        (await ready).router.routes.append(Route("/mcp", endpoint=answering))
        both = Both(address.url)
        await stack.enter_async_context(both.rest)
        both.agents = [await both.agent(stack) for _ in range(CLIENTS)]
        yield both


async def _constant() -> str:
    """The same, always."""
    return "constant"


async def mcp(bench: Bench) -> list[Row]:
    """The server over HTTP, against itself and against REST; and how soon it answers on stdio."""
    async with served(bench.scratch / "home") as both:
        first = both.agents[0]
        run = (await _told(first, "run_plan", plan=PLAN))["run"]

        async def status() -> None:
            await _told(first, "run_status", run=run)

        async def constant() -> None:
            await first.call_tool("constant", {})

        asked = await in_turns({"status": status, "constant": constant}, bench.sizes)

        async def agents() -> None:
            async with asyncio.TaskGroup() as group:
                for client in both.agents:
                    group.create_task(_run(client))

        async def rest() -> None:
            async with asyncio.TaskGroup() as group:
                for _ in range(CLIENTS):
                    group.create_task(_rest(both.rest))

        started = await in_turns({"agents": agents, "rest": rest}, bench.sizes)
        listed = await first.list_tools()
        size = len(listed.model_dump_json(by_alias=True, exclude_none=True).encode())
    return [
        _status(asked),
        _runs(started),
        Row(
            case="the list of tools, in every conversation",
            ours=f"{size:,} bytes",
            bar=f"≤ {LIST:,} bytes",
            met=size <= LIST,
        ),
        await _answer(bench),
    ]


async def _told(client: Client, name: str, **args: Any) -> dict[str, Any]:
    found = await client.call_tool(name, args)
    assert not found.is_error, found
    return found.structured_content or {}


async def _run(client: Client) -> None:
    run = (await _told(client, "run_start", plan=PLAN))["run"]
    assert (await _told(client, "run_wait", run=run, seconds=50))["state"] == "succeeded"


async def _rest(client: httpx.AsyncClient) -> None:
    found = await client.post("/api/runs", params={"wait": 50}, json={"plan": PLAN})
    assert found.json()["state"] == "succeeded", found.text


def _status(asked: dict[str, Series]) -> Row:
    times = asked["status"].times(asked["constant"])
    each = " : ".join(f"{number(asked[side].median * 1000)} ms" for side in ("status", "constant"))
    return Row(
        case="`run_status` over HTTP against a tool that returns a constant",
        ours=f"{times.median:.2f} x ({spread(times.seconds)}): {each}",
        bar=f"≤ {STATUS} x",
        met=times.median <= STATUS,
    )


def _runs(started: dict[str, Series]) -> Row:
    share = started["rest"].times(started["agents"])
    each = " : ".join(
        f"{number(CLIENTS / started[side].median)} runs/s" for side in ("agents", "rest")
    )
    return Row(
        case=f"`run_start` and `run_wait` of 5 steps, {CLIENTS} agents, against REST",
        ours=f"{share.median:.2f} ({spread(share.seconds)}): {each}",
        bar=f"≥ {RUNS} of REST",
        met=share.median >= RUNS,
    )


async def _answer(bench: Bench) -> Row:
    """Seconds of CPU until `callsheet mcp` has listed its tools."""
    scratch = bench.scratch

    async def ours() -> float:
        return await asyncio.to_thread(_cpu, scratch, "serve")

    async def imported() -> float:
        return await asyncio.to_thread(_cpu, scratch, "import")

    series = await asked_in_turns({"ours": ours, "import": imported}, bench.sizes.fresh)
    mine, sdk = series["ours"].median, series["import"].median
    most = max(LONGEST, sdk + BEFORE)
    return Row(
        case="`callsheet mcp`: CPU until the first `tools/list` is answered",
        ours=f"{number(mine)} s, importing `mcp.server` is {number(sdk)} s of it",
        bar=f"≤ {LONGEST} s, or the import + {BEFORE} s",
        met=mine <= most,
    )


def _cpu(scratch: Path, what: str) -> float:
    words = (
        ("-c", _IMPORT)
        if what == "import"
        else ("-m", "callsheet", "mcp", "--home", str(scratch / "stdio"))
    )
    lines = b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in _HELLO)
    before = _children()
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=scratch,
        env={**fresh.keeping_bytecode(scratch), "PYTHONWARNINGS": "ignore"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    if what == "serve":
        process.stdin.write(lines)
        process.stdin.flush()
        while b'"id":2' not in process.stdout.readline():
            pass
    process.stdin.close()
    process.stdout.close()
    process.wait()
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
