"""Restate: a handler per plan, `ctx.run_typed` per step, the server and the SDK over HTTP/2.

The server is the one that `environments` put beside the environment. Argument: scratch.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import restate
from hypercorn.asyncio import serve
from hypercorn.config import Config

from bench.peers.programs.answering import answer
from bench.peers.programs.servers import LOOPBACK, free_port, listens, server
from bench.work import result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

service = restate.Service("Bench")
bodies: list[float] = []


async def noop(i: int) -> dict[str, object]:
    return result(i)


async def rest(i: int, seconds: float) -> dict[str, object]:
    await asyncio.sleep(seconds)
    return result(i)


async def mark(i: int) -> dict[str, object]:
    bodies.append(time.perf_counter())
    return result(i)


@service.handler()
async def chained(ctx: restate.Context, length: int) -> None:
    for i in range(length):
        await ctx.run_typed(f"s{i}", noop, i=i)


@service.handler()
async def fanned(ctx: restate.Context, width: int) -> None:
    await ctx.run_typed("first", noop, i=0)
    await restate.gather(*(ctx.run_typed(f"s{i}", noop, i=i) for i in range(width)))
    await ctx.run_typed("last", noop, i=width)


@service.handler()
async def resting(ctx: restate.Context, asked: list[float]) -> None:
    width, seconds = int(asked[0]), asked[1]
    await restate.gather(
        *(ctx.run_typed(f"s{i}", rest, i=i, seconds=seconds) for i in range(width))
    )


@service.handler()
async def marked(ctx: restate.Context, i: int) -> None:
    await ctx.run_typed("first", mark, i=i)


class Ports:
    """Where the server listens, and what it asks."""

    def __init__(self) -> None:
        self.node, self.ingress, self.admin, self.service = (free_port() for _ in range(4))


@contextmanager
def restate_server(scratch: Path, ports: Ports) -> Iterator[None]:
    """One node with its stock settings, except for where it listens."""
    (binary,) = Path(sys.prefix).glob("npm/node_modules/@restatedev/*/bin/restate-server")
    env = {
        **os.environ,
        "RESTATE_BASE_DIR": str(scratch / "restate"),
        "RESTATE_NODE_NAME": "bench",
        "RESTATE_LISTEN_MODE": "tcp",
        "RESTATE_BIND_ADDRESS": f"{LOOPBACK}:{ports.node}",
        "RESTATE_ADVERTISED_HOST": LOOPBACK,
        "RESTATE_INGRESS__BIND_ADDRESS": f"{LOOPBACK}:{ports.ingress}",
        "RESTATE_ADMIN__BIND_ADDRESS": f"{LOOPBACK}:{ports.admin}",
        "RESTATE_DISABLE_TELEMETRY": "true",
        "RESTATE_LOG_FILTER": "error",
    }
    with server(
        [str(binary), "--no-logo"],
        log=scratch / "restate.log",
        up=lambda: listens(ports.admin) and listens(ports.ingress),
        env=env,
    ):
        yield


@asynccontextmanager
async def served(ports: Ports, *services: restate.Service) -> AsyncIterator[None]:
    """The services, answered by this process."""
    config, over = Config(), asyncio.Event()
    config.bind = [f"{LOOPBACK}:{ports.service}"]
    config.loglevel = "ERROR"
    async with asyncio.TaskGroup() as group:
        group.create_task(serve(restate.app(services), config, shutdown_trigger=over.wait))
        while not listens(ports.service):  # noqa: ASYNC110 -- hypercorn tells nobody
            await asyncio.sleep(0.05)
        try:
            yield
        finally:
            over.set()


async def register(client: httpx.AsyncClient, ports: Ports) -> None:
    """Tell the server where the services are, as soon as it listens to that."""
    admin = f"http://{LOOPBACK}:{ports.admin}/deployments"
    there = {"uri": f"http://{LOOPBACK}:{ports.service}"}
    for _ in range(100):
        if (await client.post(admin, json=there)).is_success:
            return
        await asyncio.sleep(0.2)
    (await client.post(admin, json=there)).raise_for_status()


class Cases:
    def __init__(self, client: httpx.AsyncClient, ports: Ports) -> None:
        self._client = client
        self._address = f"http://{LOOPBACK}:{ports.ingress}/Bench"

    async def call(self, handler: str, given: Any) -> None:
        answered = await self._client.post(f"{self._address}/{handler}", json=given)
        answered.raise_for_status()

    async def chain(self, length: int) -> None:
        await self.call("chained", length)

    async def fan(self, width: int) -> None:
        await self.call("fanned", width)

    async def many(self, runs: int, length: int) -> None:
        await asyncio.gather(*(self.chain(length) for _ in range(runs)))

    async def sleep(self, width: int, seconds: float) -> None:
        await self.call("resting", [width, seconds])

    async def start(self) -> float:
        bodies.clear()
        began = time.perf_counter()
        await self.call("marked", 0)
        return bodies[0] - began


async def bench(ports: Ports) -> None:
    limits = httpx.Limits(max_connections=200)
    async with served(ports, service), httpx.AsyncClient(timeout=300, limits=limits) as client:
        await register(client, ports)
        cases = Cases(client, ports)
        await answer(
            {name: getattr(cases, name) for name in ("chain", "fan", "many", "start", "sleep")},
            "restate-sdk",
            also={"restate-server": _server_version()},
            settings="restate-server, one node, stock: its log in RocksDB, synced in batches",
        )


def _server_version() -> str:
    package = Path(sys.prefix, "npm", "node_modules", "@restatedev", "restate-server")
    found: str = json.loads((package / "package.json").read_text("utf-8"))["version"]
    return found


def main(scratch: Path) -> None:
    ports = Ports()
    with restate_server(scratch, ports):
        asyncio.run(bench(ports))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
