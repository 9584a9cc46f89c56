"""The same questions, put to Callsheet. Arguments: scratch, and the id of a run that is to die."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.peers.programs import probing
from callsheet import Context, Engine, tool
from callsheet.errors import FatalError

if TYPE_CHECKING:
    from callsheet import Result, Run, Tool

SCRATCH = Path(sys.argv[1])
DYING = len(sys.argv) > 2
diary = probing.Diary(SCRATCH / "diary.txt")


@tool(effect="write")
async def write(what: str) -> str:
    times = diary.write(what)
    if what == "doubted" and DYING and times == 1:
        probing.die()
    return what


@tool(effect="write")
async def take_back(what: str) -> None:
    diary.write(f"not {what}")


@tool(effect="read")
async def fail() -> None:
    raise FatalError("as planned")


@tool(effect="read")
async def first(branch: str) -> str:
    # The branches finish in another order before the crash than after it.
    await asyncio.sleep(0.3 if branch == "left" else 0.0)
    return branch


@tool(effect="read")
async def second(branch: str) -> str:
    if branch == "left" and DYING:
        probing.die()
    return branch


@tool(effect="read")
async def draw(ctx: Context) -> dict[str, object]:
    picture = await ctx.store(b"a picture", media_type="image/png")
    return {"picture": picture.to_json()}


@tool(effect="read")
async def look(picture: dict[str, object]) -> list[str]:
    return sorted(picture)


@tool(effect="write", ceiling={"usd": 1.0})
async def pay(ctx: Context) -> str:
    ctx.charge(usd=1.0)
    diary.write("paid")
    return "paid"


def step(id: str, tool: str, *needs: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "tool": tool, "needs": list(needs), **more}


def written(what: str, *needs: str) -> dict[str, Any]:
    undo = {"tool": "take_back", "args": {"what": what}}
    return step(what, "write", *needs, args={"what": what}, undo=undo)


PLANS: dict[str, list[dict[str, Any]]] = {
    "doubtful": [step("doubted", "write", args={"what": "doubted"}, undo="none")],
    "branching": [
        branch
        for name in ("left", "right")
        for branch in (
            step(f"first_{name}", "first", args={"branch": name}),
            step(f"second_{name}", "second", args={"branch": f"${{steps.first_{name}}}"}),
        )
    ],
    "failing": [written("one"), written("two", "one"), step("fail", "fail", "two")],
    "paying": [step("once", "pay", undo="none"), step("twice", "pay", "once", undo="none")],
    "drawing": [
        step("draw", "draw"),
        step("look", "look", args={"picture": "${steps.draw.picture}"}),
    ],
    "approved": [step("approved", "write", args={"what": "ok"}, undo="none", approval="required")],
}


async def started(engine: Engine, name: str, **more: Any) -> Run:
    return await engine.start(
        {"callsheet": 1, "name": name, "steps": PLANS[name], **more}, key=name
    )


async def settled(run: Run) -> Result:
    """A run that has ended, or waits for a person."""
    async for result in run.watch(every=0.02):
        if result.questions:
            return result
    return await run.wait()


async def ask(engine: Engine) -> None:
    recovered = {(await run.status()).plan: run for run in await engine.recover()}
    doubt = await settled(recovered["doubtful"])
    rest = f"; the run is {doubt.state} and asks: {doubt.questions[0].text}"
    probing.doubted(diary.count("doubted"), rest)
    steps = (await recovered["branching"].wait()).steps
    pairs = [f"{name} got {steps[f'second_{name}'].output}" for name in ("left", "right")]
    probing.report(
        "own results",
        "yes" if pairs == ["left got left", "right got right"] else "no",
        "two branches at once, the process killed between them: afterwards " + "; ".join(pairs),
    )
    failed = await (await started(engine, "failing")).wait()
    taken_back = [line for line in diary.lines() if line.startswith("not ")]
    probing.report(
        "undo",
        "yes" if taken_back == ["not two", "not one"] else "no",
        f"2 writes and a failure: the run is {failed.state}, taken back were "
        + " and ".join(taken_back).replace("not ", ""),
    )
    await budget(engine)
    await replay(engine, failed.run)
    await lineage(engine)
    await approval(engine)


async def budget(engine: Engine) -> None:
    run = await started(engine, "paying", budget={"usd": 1.5}, on_failure="stop")
    result = await run.wait()
    error = result.steps["twice"].error
    probing.report(
        "budget",
        "yes" if diary.count("paid") == 1 else "no",
        f"a cap of 1.50 and two calls of at most 1.00 each: made were {diary.count('paid')}; the "
        f"second is {result.steps['twice'].state} ({error.error_class if error else 'no error'})",
    )


async def replay(engine: Engine, run: str) -> None:
    before = len(diary.lines())
    found = await engine.replay(run)
    probing.report(
        "replay",
        "yes" if found.same else "no",
        f"the {found.entries} entries of a run that was undone were decided again with "
        f"{len(diary.lines()) - before} calls, and the snapshots are equal",
    )


async def lineage(engine: Engine) -> None:
    run = await started(engine, "drawing")
    await run.wait()
    entries = await run.journal()
    made = {found.digest for entry in entries for found in getattr(entry, "artifacts", ())}
    used = {digest for entry in entries for digest in getattr(entry, "consumed", ())}
    probing.report(
        "lineage",
        "yes" if made and made == used else "no",
        f"the journal says which attempt made an artifact ({len(made)}) and which was given it "
        f"({len(made & used)}), by the digest of its bytes",
    )


async def approval(engine: Engine) -> None:
    run = await started(engine, "approved")
    (question,) = (await settled(run)).questions
    before = diary.count("ok")
    await run.answer(question.step, "approve", by="bench")
    result = await run.wait()
    probing.report(
        "approval",
        "yes" if (before, diary.count("ok")) == (0, 1) else "no",
        f"approval: required on a step: {before} calls before the answer, {diary.count('ok')} "
        f"after it, the run {result.state}",
    )


async def main(*dying: str) -> None:
    if not dying:
        for name in ("doubtful", "branching"):
            await asyncio.to_thread(probing.until_dead, str(SCRATCH), name)
    tools: list[Tool[..., Any]] = [write, take_back, fail, first, second, draw, look, pay]
    async with Engine.open(SCRATCH / "home", tools=tools, sync="full") as engine:
        await ((await started(engine, *dying)).wait() if dying else ask(engine))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[2:]))
