"""Starts of a process that does not drive: left for one that has the tools."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from subprocess import DEVNULL
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Plan, Step, tool
from callsheet.errors import (
    InputsError,
    KeyReusedError,
    LedgerShortError,
    PlanError,
    RequestRefusedError,
    UnknownRunError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet import Run

pytestmark = pytest.mark.requirement("E26", "E3")

PATIENCE = 60.0
KILLED = -signal.SIGKILL


@tool("greet", effect="read")
async def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello {name}"


PLAN = Plan(
    name="greeting",
    inputs={"name": {"type": "string"}},
    steps=(Step(id="g", tool="greet", args={"name": "${inputs.name}"}),),
    output="${steps.g}",
)
ANN, BEN = {"name": "Ann"}, {"name": "Ben"}


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "home")
    return str(request.getfixturevalue("database"))


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def looker(home: str, stack: AsyncExitStack) -> Engine:
    """An engine that does not drive, on a home that is there."""
    async with Engine.open(home):
        pass
    return await stack.enter_async_context(Engine.open(home, drive=False))


async def states(run: Run) -> list[str]:
    return [str(status.state) async for status in run.watch(0.01)]


async def test_a_start_waits_for_a_process_that_has_the_tools(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    run = await looker.start(PLAN, ANN, subject="project:p", tenant="acme")
    assert (await run.status()).state == "pending"
    assert await run.is_pending()
    assert {step.state for step in (await run.status()).steps.values()} == {"pending"}
    other = await stack.enter_async_context(Engine.open(home))  # without the tool
    assert await (await other.get(run.id)).is_pending()
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(states(run))
        await stack.enter_async_context(Engine.open(home, [greet]))
        result = await run.wait()
    assert (result.state, result.output, result.run) == ("succeeded", "Hello Ann", run.id)
    seen = watching.result()
    assert (seen[0], seen[-1]) == ("pending", "succeeded")
    assert not await run.is_pending()
    (head,) = await looker.runs()
    assert (head.run, head.tenant, head.subject, head.ended) == (
        run.id,
        "acme",
        "project:p",
        "succeeded",
    )
    assert (await other.replay(run.id)).same


async def test_a_start_is_listed_and_found(looker: Engine) -> None:
    first, second = await looker.start(PLAN, ANN), await looker.start(PLAN, BEN, key="k")
    listed = await looker.runs()
    assert [head.run for head in listed] == sorted([first.id, second.id], reverse=True)
    assert [head.run for head in await looker.runs(key="k")] == [second.id]
    assert [head.run for head in await looker.runs(state="pending", limit=1)] == [listed[0].run]
    assert [head.run for head in await looker.runs(before=listed[0].run)] == [listed[1].run]
    assert not await looker.runs(state="succeeded")
    assert not await looker.runs(tenant="acme")
    assert (await looker.find("last")).id == listed[0].run
    assert (await looker.find(listed[1].run)).id == listed[1].run
    assert not await looker.tenant("acme").runs()
    with pytest.raises(UnknownRunError):
        await looker.tenant("acme").get(first.id)


async def test_events_begin_when_the_run_does(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    run = await looker.start(PLAN, ANN)

    async def kinds() -> list[str]:
        return [getattr(told, "kind", "") async for told in run.events()]

    async with asyncio.TaskGroup() as group:
        heard = group.create_task(kinds())
        await stack.enter_async_context(Engine.open(home, [greet]))
    assert heard.result()[0::3] == ["RunStarted", "RunEnded"]


async def test_a_cancelled_start_never_begins(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    run = await looker.start(PLAN, ANN, key="k")
    with pytest.raises(RequestRefusedError, match="has not begun"):
        await run.pause()
    await run.cancel(by="ann", reason="too late")
    result = await run.wait()
    assert result.state == "cancelled"
    assert result.cause is not None
    assert "by ann" in result.cause.message
    assert await states(run) == ["cancelled"]
    assert not [told async for told in run.events()]
    driver = await stack.enter_async_context(Engine.open(home, [greet]))
    again = await driver.start(PLAN, ANN, key="k")  # the key was not used up
    assert (await again.wait()).state == "succeeded"
    assert again.id != run.id
    assert not await looker.runs(state="pending")


async def test_one_key_is_one_start_and_one_run(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    others = [await stack.enter_async_context(Engine.open(home, drive=False)) for _ in range(3)]
    async with asyncio.TaskGroup() as group:
        starts = [
            group.create_task(each.start(PLAN, ANN, key="once")) for each in (looker, *others) * 3
        ]
    (name,) = {start.result().id for start in starts}
    with pytest.raises(KeyReusedError, match="other inputs"):
        await looker.start(PLAN, BEN, key="once")
    await stack.enter_async_context(Engine.open(home, [greet]))
    assert (await starts[0].result().wait()).output == "Hello Ann"
    assert (await looker.start(PLAN, ANN, key="once")).id == name
    with pytest.raises(KeyReusedError):
        await looker.start(PLAN, BEN, key="once")
    assert [head.run for head in await looker.runs()] == [name]


async def test_a_start_whose_key_another_run_has_meanwhile_is_that_run(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    run = await looker.start(PLAN, ANN, key="k")
    left = run.id
    # Opened for its own runs: it takes no start that it finds.
    driver = await stack.enter_async_context(Engine.open(home, [greet], recover=False))
    first = await driver.start(PLAN, ANN, key="k")
    await first.wait()
    await stack.enter_async_context(Engine.open(home, [greet]))
    assert (await run.wait()).run == first.id
    assert run.id == first.id
    assert (await (await looker.get(left)).status()).run == first.id
    assert [head.run for head in await looker.runs()] == [first.id]


async def test_a_refusal_is_kept_for_whoever_waits(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    reused = await looker.start(PLAN, ANN, key="k")
    paid = await looker.start(
        {**as_document(), "budget": {"usd": 5}}, ANN, tenant="poor", key="paid"
    )
    wrong = await looker.start({**as_document(), "steps": [BAD]}, ANN)
    first = await stack.enter_async_context(Engine.open(home, [greet], recover=False))
    await first.ledger.grant("poor", usd=1)
    await (await first.start(PLAN, BEN, key="k")).wait()
    await stack.enter_async_context(Engine.open(home, [greet]))
    for run, refusal in ((reused, KeyReusedError), (paid, LedgerShortError), (wrong, PlanError)):
        with pytest.raises(refusal, match="was not started"):
            await run.wait()
        with pytest.raises(refusal):  # whoever asks, however often
            await (await looker.get(run.id)).status()
    # Once there is money the same key is good for it.
    await first.ledger.grant("poor", usd=9)
    again = await looker.start(
        {**as_document(), "budget": {"usd": 5}}, ANN, tenant="poor", key="paid"
    )
    assert (await again.wait()).state == "succeeded"


@pytest.mark.requirement("E14")
async def test_starts_that_never_began_are_collected_with_old_runs(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    cancelled = await looker.start(PLAN, ANN, key="k")
    await cancelled.cancel()
    again = await looker.start(PLAN, ANN, key="k")
    refused = await looker.start({**as_document(), "steps": [BAD]}, ANN, tenant="acme")
    waits = await looker.start(NOTE)
    driver = await stack.enter_async_context(Engine.open(home, [greet]))
    await again.wait()
    with pytest.raises(PlanError):
        await refused.wait()
    assert await driver.prune(timedelta(days=1)) == []
    old = await driver.prune(timedelta(0), dry_run=True)
    assert [(head.run, head.ended) for head in old] == [
        (again.id, "succeeded"),
        (refused.id, None),
        (cancelled.id, "cancelled"),
    ]
    assert (await cancelled.status()).state == "cancelled"  # it has only said so
    assert await driver.prune(timedelta(0)) == old
    assert await driver.prune(timedelta(0)) == []
    for run in (cancelled, refused):
        with pytest.raises(UnknownRunError):
            await driver.get(run.id)
    assert await waits.is_pending()
    # A key whose starts are gone is as good as new.
    assert (await (await looker.start(PLAN, BEN, key="k")).wait()).output == "Hello Ben"


@pytest.mark.requirement("E14")
async def test_a_start_that_never_began_is_deleted_as_a_run_is(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    driver = await stack.enter_async_context(Engine.open(home))
    run = await looker.start(PLAN, ANN, tenant="acme")
    with pytest.raises(RequestRefusedError, match="has not begun"):
        await driver.delete(run.id)
    await run.cancel()
    assert not await driver.tenant("other").delete(run.id)
    assert await driver.tenant("acme").delete(run.id)
    assert not await driver.delete(run.id)


BAD = {"id": "g", "tool": "greet", "args": {"nobody": 1}}


def as_document() -> dict[str, object]:
    return {
        "name": "greeting",
        "inputs": {"name": {"type": "string"}},
        "steps": [{"id": "g", "tool": "greet", "args": {"name": "${inputs.name}"}}],
        "output": "${steps.g}",
    }


async def test_what_is_wrong_without_tools_is_refused_at_once(home: str, looker: Engine) -> None:
    with pytest.raises(PlanError):
        await looker.start({"steps": [{"id": "A b"}]})
    with pytest.raises(InputsError):
        await looker.start(PLAN, {"nome": "Ann"})
    async with Engine.open(home, [greet], drive=False) as knowing:
        with pytest.raises(PlanError):
            await knowing.start({**as_document(), "steps": [BAD]}, ANN)
    assert not await looker.runs()


async def test_a_fork_is_left_as_a_start_is(
    home: str, looker: Engine, stack: AsyncExitStack
) -> None:
    async with Engine.open(home, [greet]) as driver:
        source = await driver.start(PLAN, ANN)
        await source.wait()
    forks = [await looker.fork(source.id, "g", {"name": "Cleo"}, key="f") for _ in range(3)]
    assert len({fork.id for fork in forks}) == 1
    with pytest.raises(KeyReusedError):
        await looker.fork(source.id, "g", {"name": "Dan"}, key="f")
    assert await forks[0].is_pending()
    second = await stack.enter_async_context(Engine.open(home, [greet]))
    assert (await forks[0].wait()).output == "Hello Cleo"
    same = await second.fork(source.id, "g", {"name": "Cleo"}, key="f")
    assert same.id == forks[0].id


TAKER = """
import asyncio, sys
from callsheet import Context, Engine, tool

@tool("note", effect="write", idempotent=True)
async def note(ctx: Context) -> str:
    with open(sys.argv[2], "a") as file:
        file.write(ctx.key + "\\n")
    return ctx.key

async def main():
    async with Engine.open(sys.argv[1], [note]) as engine:
        print("open", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""
NOTE = Plan(name="noting", steps=(Step(id="n", tool="note"),), output="${steps.n}")


@pytest.mark.slow  # processes of their own, killed
@pytest.mark.parametrize("place", ["append.before:1", "append.after:1", "call.after:1"])
async def test_a_start_survives_the_death_of_whoever_takes_it(
    place: str, home: str, looker: Engine, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    run = await looker.start(NOTE, key="k")
    assert await taker(home, notes, place) == KILLED
    assert await (await looker.start(NOTE, key="k")).is_pending() == (place == "append.before:1")
    async with alive(home, notes):
        result = await run.wait()
    assert (result.state, result.run) == ("succeeded", run.id)
    assert set(notes.read_text().split()) == {result.output}
    assert [head.run for head in await looker.runs()] == [run.id]


async def taker(home: str, notes: Path, place: str) -> int:
    """A process that takes what it finds, until it is killed at some place."""
    env = {**os.environ, "CALLSHEET_CRASH_AT": place}
    command = (sys.executable, "-c", TAKER, home, str(notes))
    process = await asyncio.create_subprocess_exec(*command, env=env, stdout=DEVNULL)
    return await process.wait()


@asynccontextmanager
async def alive(home: str, notes: Path) -> AsyncIterator[None]:
    """A process that takes what it finds, as long as it is wanted."""
    command = (sys.executable, "-c", TAKER, home, str(notes))
    process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL)
    try:
        yield
    finally:
        process.kill()
        await process.wait()
