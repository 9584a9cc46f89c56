"""What Temporal does when things go wrong, shown by doing it.

Arguments: scratch; and for a worker: its server, and which activity kills it.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from temporalio import activity, workflow
from temporalio.api.history.v1 import ActivityTaskScheduledEventAttributes
from temporalio.client import WorkflowFailureError
from temporalio.common import RetryPolicy
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner, Worker

from bench.peers.programs import probing
from bench.peers.programs.answering import end_when_told
from bench.peers.programs.on_temporal import connect, dev_server
from bench.peers.programs.servers import stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from temporalio.client import Client

QUEUE = "probe"
NOBODY = ""
KILLER = sys.argv[3] if len(sys.argv) > 3 else NOBODY
diary = probing.Diary(Path(sys.argv[1]) / "diary.txt")


@activity.defn
async def write(what: str) -> str:
    diary.write(what)
    if what == KILLER:
        probing.die()
    return what


@activity.defn
async def fail() -> None:
    raise ValueError("as planned")


@activity.defn
async def first(branch: str) -> str:
    await asyncio.sleep(0.5 if branch == "left" else 0.0)
    return branch


@activity.defn
async def second(branch: str) -> str:
    if KILLER == branch == "left":
        probing.die()
    return branch


async def step(what: Any, *args: str, attempts: int = 0) -> Any:
    return await workflow.execute_activity(
        what,
        args=args,
        start_to_close_timeout=timedelta(seconds=1.5),
        retry_policy=RetryPolicy(
            maximum_attempts=attempts, initial_interval=timedelta(milliseconds=100)
        ),
    )


@workflow.defn
class Writing:
    @workflow.run
    async def run(self, what: str, attempts: int) -> None:
        await step(write, what, attempts=attempts)


@workflow.defn
class Branching:
    @workflow.run
    async def run(self) -> list[str]:
        async def branch(name: str) -> str:
            await step(first, name)
            return f"{name} got {await step(second, name)}"

        return list(await asyncio.gather(branch("left"), branch("right")))


@workflow.defn
class Failing:
    @workflow.run
    async def run(self) -> None:
        await step(write, "one")
        await step(write, "two")
        await step(fail, attempts=1)


@workflow.defn(name="Failing")
class Changed:
    """The same, with a step more at its beginning."""

    @workflow.run
    async def run(self) -> None:
        await step(first, "new")
        await step(write, "one")


async def work(address: str) -> None:
    end_when_told()
    worker = Worker(
        await connect(address),
        task_queue=QUEUE,
        workflows=[Writing, Branching, Failing],
        activities=[write, fail, first, second],
        workflow_runner=UnsandboxedWorkflowRunner(),
        max_cached_workflows=0,  # or the server waits for a dead worker to go on with its own
    )
    await worker.run()


@contextmanager
def worker(address: str, killer: str = NOBODY) -> Iterator[Any]:
    process = probing.again(sys.argv[1], address, killer)
    try:
        yield process
    finally:
        stop(process)


async def started(client: Client, run: Any, name: str, *args: object) -> Any:
    return await client.start_workflow(run, args=args, id=name, task_queue=QUEUE)


async def crashed(client: Client, address: str, killer: str, run: Any, *args: object) -> Any:
    """A run whose worker has died in the middle."""
    with worker(address, killer) as process:
        handle = await started(client, run, killer, *args)
        await asyncio.to_thread(process.wait, probing.PATIENCE)
    return handle


async def ask(address: str) -> None:
    client = await connect(address)
    doubted = await crashed(client, address, "doubted", Writing.run, "doubted", 0)
    once = await crashed(client, address, "once", Writing.run, "once", 1)
    branches = await crashed(client, address, "left", Branching.run)
    with worker(address):
        await doubted.result()
        await doubt(once)
        pairs = await branches.result()
        probing.report(
            "own results",
            "yes" if pairs == ["left got left", "right got right"] else "no",
            "two branches at once, the worker killed between them: afterwards " + "; ".join(pairs),
        )
        handle = await started(client, Failing.run, "failing")
        await ended(handle)
    undo()
    packages = (
        "temporalio.client",
        "temporalio.common",
        "temporalio.worker",
        "temporalio.workflow",
    )
    probing.searched("budget", probing.BUDGET, *packages)
    await replay(handle)
    fields = sorted(ActivityTaskScheduledEventAttributes.DESCRIPTOR.fields_by_name)
    probing.report(
        "lineage",
        "no",
        f"a scheduled activity is recorded with {', '.join(fields)}: its input is a copy, and "
        "nothing says whose output it was",
    )
    waits = "a workflow can wait for a signal or an update, which the author writes for each call; "
    probing.searched("approval", probing.APPROVAL, *packages, otherwise=waits)


async def doubt(once: Any) -> None:
    said = await ended(once)
    rest = (
        f"; with one attempt at most it was done {diary.count('once')} time and the run failed "
        f"with {said}: to find out what happened is left to the author"
    )
    probing.doubted(diary.count("doubted"), rest)


async def ended(handle: Any) -> str:
    """The error at the bottom of a run that fails."""
    try:
        await handle.result()
    except WorkflowFailureError as error:
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        return type(cause).__name__
    return "no error"


def undo() -> None:
    standing = diary.count("one") + diary.count("two")
    probing.searched(
        "undo",
        probing.UNDO,
        "temporalio.workflow",
        "temporalio.activity",
        otherwise=f"{standing} of 2 writes stand after a failure; the author writes the except; ",
    )


async def replay(handle: Any) -> None:
    history, before = await handle.fetch_history(), len(diary.lines())
    runner = UnsandboxedWorkflowRunner()
    await Replayer(workflows=[Failing], workflow_runner=runner).replay_workflow(history)
    try:
        await Replayer(workflows=[Changed], workflow_runner=runner).replay_workflow(history)
        noticed = "did not notice"
    except workflow.NondeterminismError:
        noticed = "noticed"
    probing.report(
        "replay",
        "yes",
        f"Replayer ran the code of a finished run against its history with "
        f"{len(diary.lines()) - before} calls, and {noticed} that code had been changed",
    )


def main(scratch: Path, *worker_of: str) -> None:
    if worker_of:
        asyncio.run(work(worker_of[0]))
        return
    with dev_server(scratch) as address:
        asyncio.run(ask(address))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
