"""What DBOS does when things go wrong, shown by doing it. Arguments: scratch, and a stage."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

from dbos import DBOS, SetWorkflowID

from bench.peers.programs import probing
from bench.peers.programs.on_dbos import launched

diary = probing.Diary(Path(sys.argv[1]) / "diary.txt")
DYING = len(sys.argv) > 2
RUNS = 16
"""Of two branches each: which of the two goes on first after a crash is a matter of chance."""
all_recorded = asyncio.Event()
recorded, arrived = count(1), count(1)


@DBOS.step()
async def write(what: str) -> str:
    times = diary.write(what)
    if what == "doubted" and DYING and times == 1:
        probing.die()
    return what


@DBOS.step()
async def fail() -> None:
    raise ValueError("as planned")


@DBOS.step()
async def first(branch: str) -> str:
    # Before the crash, no left one goes on until every right one has finished and is recorded.
    if branch == "left" and DYING:
        await all_recorded.wait()
    return branch


@DBOS.step()
async def second(branch: str) -> str:
    if branch == "left" and DYING:
        if next(arrived) == RUNS:
            probing.die()
        await asyncio.Event().wait()
    return branch


@DBOS.workflow()
async def doubtful() -> str:
    return await write("doubted")


@DBOS.workflow()
async def branching() -> list[str]:
    async def branch(name: str) -> str:
        await first(name)
        given = await second(name)
        if DYING and next(recorded) == RUNS:
            all_recorded.set()
        return f"{name} got {given}"

    return list(await asyncio.gather(branch("left"), branch("right")))


@DBOS.workflow()
async def failing() -> None:
    await write("one")
    await write("two")
    await fail()


@DBOS.workflow()
async def plain() -> str:
    await write("before")
    return await write("after")


async def crash(stage: str) -> None:
    runs = []
    for number in range(RUNS if stage == "branching" else 1):
        with SetWorkflowID(f"{stage}-{number}"):
            runs.append(await DBOS.start_workflow_async(getattr(sys.modules[__name__], stage)))
    await runs[0].get_result()


async def ask() -> None:
    doubt = await DBOS.retrieve_workflow_async("doubtful-0")
    await doubt.get_result()
    probing.doubted(diary.count("doubted"))
    await own_results()
    await undo()
    probing.searched("budget", probing.BUDGET, "dbos")
    await replay()
    steps = await DBOS.list_workflow_steps_async("doubtful-0")
    probing.report(
        "lineage",
        "no",
        f"a recorded step has {', '.join(sorted(steps[0]))}: no arguments, and nothing says "
        "whose output it was given",
    )
    recv = "a workflow can wait with DBOS.recv, which the author writes before each call; "
    probing.searched("approval", probing.APPROVAL, "dbos", otherwise=recv)


async def own_results() -> None:
    own = ["left got left", "right got right"]
    runs = [await DBOS.retrieve_workflow_async(f"branching-{n}") for n in range(RUNS)]
    mixed = [pairs for pairs in [await run.get_result() for run in runs] if pairs != own]
    said = (
        f"some of {RUNS} runs ended with {'; '.join(mixed[0])}, with no error; its tutorial asks "
        "for code that begins steps in one order"
        if mixed
        else f"{RUNS} runs all ended with {'; '.join(own)}"
    )
    probing.report(
        "own results",
        "no" if mixed else "yes",
        f"two branches at once, the process killed between them: after recovery {said}",
    )


async def undo() -> None:
    with suppress(ValueError):
        await (await DBOS.start_workflow_async(failing)).get_result()
    standing = diary.count("one") + diary.count("two")
    probing.searched(
        "undo",
        probing.UNDO,
        "dbos",
        otherwise=f"{standing} of 2 writes stand after a failure; the author writes the except; ",
    )


async def replay() -> None:
    with SetWorkflowID("replayed"):
        await (await DBOS.start_workflow_async(plain)).get_result()
    await (await DBOS.fork_workflow_async("replayed", 2)).get_result()
    probing.report(
        "replay",
        "partly",
        "fork_workflow from step 2 took step 1 from the record and called step 2 again "
        f"({diary.count('before')} and {diary.count('after')} calls); nothing compares a finished "
        "run with its record without calling",
    )


def main(scratch: Path, *stage: str) -> None:
    if not stage:
        for dying in ("doubtful", "branching"):
            probing.until_dead(str(scratch), dying)
    # What was pending when the process died is recovered by the launch.
    with launched(f"sqlite:///{scratch / 'dbos.sqlite'}"):
        asyncio.run(crash(*stage) if stage else ask())


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
