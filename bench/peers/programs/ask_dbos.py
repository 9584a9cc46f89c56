"""What DBOS does when things go wrong, shown by doing it. Arguments: scratch, and a stage."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from dbos import DBOS, SetWorkflowID

from bench.peers.programs import probing
from bench.peers.programs.on_dbos import launched

diary = probing.Diary(Path(sys.argv[1]) / "diary.txt")
DYING = len(sys.argv) > 2


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
    # The branches finish in another order before the crash than after it.
    await asyncio.sleep(0.3 if branch == "left" else 0.0)
    return branch


@DBOS.step()
async def second(branch: str) -> str:
    if branch == "left" and DYING:
        probing.die()
    return branch


@DBOS.workflow()
async def doubtful() -> str:
    return await write("doubted")


@DBOS.workflow()
async def branching() -> list[str]:
    async def branch(name: str) -> str:
        await first(name)
        return f"{name} got {await second(name)}"

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
    with SetWorkflowID(stage):
        await (await DBOS.start_workflow_async(getattr(sys.modules[__name__], stage))).get_result()


async def ask() -> None:
    doubt = await DBOS.retrieve_workflow_async("doubtful")
    await doubt.get_result()
    probing.doubted(diary.count("doubted"))
    pairs = await (await DBOS.retrieve_workflow_async("branching")).get_result()
    mixed = [pair for pair in pairs if len(set(pair.split(" got "))) == 2]
    probing.report(
        "own results",
        "no" if mixed else "yes",
        "two branches at once, the process killed between them: after recovery "
        + ("; ".join(pairs))
        + (
            ", with no error; its tutorial asks for code that begins steps in one order"
            if mixed
            else ""
        ),
    )
    await undo()
    probing.searched("budget", probing.BUDGET, "dbos")
    await replay()
    steps = await DBOS.list_workflow_steps_async("doubtful")
    probing.report(
        "lineage",
        "no",
        f"a recorded step has {', '.join(sorted(steps[0]))}: no arguments, and nothing says "
        "whose output it was given",
    )
    recv = "a workflow can wait with DBOS.recv, which the author writes before each call; "
    probing.searched("approval", probing.APPROVAL, "dbos", otherwise=recv)


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
