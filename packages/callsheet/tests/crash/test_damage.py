"""One run is damaged, or one request is not understood: the others have nothing to do with it."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import pytest

from callsheet import Context, Engine, tool
from callsheet.core.run import entries as e
from callsheet.errors import CallsheetError, RequestRefusedError, StoreError
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.feed import Event
from callsheet.stores.memory.store import MemoryStore
from callsheet.stores.sqlite.store import DATABASE
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Run

pytestmark = [pytest.mark.slow, pytest.mark.requirement("E11", "E12")]  # opens databases

PLAN = {
    "callsheet": 1,
    "steps": [
        {"id": "a", "tool": "quick"},
        {"id": "b", "tool": "hangs", "needs": ["a"]},
    ],
}
DAMAGES = {
    "first entry lost": (
        "DELETE FROM journal WHERE run = ? AND seq = 1",
        "[Ee]ntry 1 .*is missing",
        [],
    ),
    "first entry of a wrong type": (
        """UPDATE journal SET body = replace(body, '"flags"', '"key":5,"flags"')
        WHERE run = ? AND seq = 1""",
        "[Ee]ntry 1 .*cannot be read",
        [],
    ),
    "entry lost": (
        "DELETE FROM journal WHERE run = ? AND seq = 2",
        "[Ee]ntry 2 .*is missing",
        ["ready", "pending"],
    ),
    "entry spoiled": (
        "UPDATE journal SET body = 'rubbish' WHERE run = ? AND seq = 3",
        "[Ee]ntry 3 .*cannot be read",
        ["running", "pending"],
    ),
    "entry of another plan": (
        """UPDATE journal SET body = replace(body, '"a"', '"z"') WHERE run = ? AND seq = 3""",
        "Entry 3 .*does not fit what is before it",
        ["running", "pending"],
    ),
}


@tool("quick", effect="read")
async def quick() -> int:
    return 1


@tool("hangs", effect="read")
async def hangs(ctx: Context) -> None:
    await ctx.sleep(600)


async def until_b(run: Run) -> Run:
    async for told in run.events():
        entry = told.entry if isinstance(told, Event) else None
        if isinstance(entry, e.AttemptStarted) and entry.step == "b":
            break
    return run


async def two_runs(home: Path) -> tuple[str, str]:
    """Two runs that were interrupted."""
    async with Engine.open(home, [quick, hangs], drain=0) as engine:
        runs = [await until_b(await engine.start(PLAN)) for _ in range(2)]
    return runs[0].id, runs[1].id


def execute(home: Path, statement: str, *args: str) -> None:
    database = sqlite3.connect(home / DATABASE)
    with database:
        database.execute(statement, args)
    database.close()


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_run_is_shown_as_far_as_it_reads_and_the_others_go_on(
    damage: str, tmp_path: Path
) -> None:
    bad, good = await two_runs(tmp_path)
    statement, says, shown = DAMAGES[damage]
    execute(tmp_path, statement, bad)
    async with Engine.open(tmp_path, [quick, hangs], drain=0) as engine:
        status = await (await engine.get(bad)).status()
        assert re.search(says, status.damaged)
        assert status.damaged in [problem.message for problem in status.problems]
        assert [str(step.state) for step in status.steps.values()] == shown
        assert status.to_json()["damaged"] == status.damaged
        with pytest.raises(StoreError, match=says):
            await engine.resume(bad)
        with pytest.raises(StoreError, match=says):
            await (await engine.get(bad)).wait()
        watched = [each async for each in (await engine.get(bad)).watch()]
        assert [each.damaged for each in watched] == [status.damaged]
        run = await engine.get(good)
        await run.cancel()
        assert (await run.wait()).state == "cancelled"
        assert (await engine.replay(good)).same


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_run_is_passed_over_and_can_be_deleted(damage: str, tmp_path: Path) -> None:
    bad, good = await two_runs(tmp_path)
    execute(tmp_path, DAMAGES[damage][0], bad)
    async with Engine.open(tmp_path, [quick, hangs], drain=0) as engine:
        await (await engine.get(good)).cancel()
        await (await engine.get(good)).wait()
        (statistics,) = await engine.statistics(tool="quick")
        assert statistics.calls == 1
        assert (await engine.calibration()).runs == 0
        foreseen = await engine.preflight(PLAN)
        if damage != "entry of another plan":  # each of its entries reads, and is counted
            assert foreseen.runs == 1
            assert any(bad in suggestion.what for suggestion in foreseen.suggestions)
        assert {head.run for head in await engine.runs()} == {bad, good}
        await engine.collect()
        assert (await engine.lineage(bad)).artifacts == ()
        assert await engine.delete(bad)
        assert [head.run for head in await engine.runs()] == [good]


async def test_what_a_damaged_run_had_reserved_is_given_back_when_it_is_deleted(
    tmp_path: Path,
) -> None:
    async with Engine.open(tmp_path, [quick, hangs], drain=0) as engine:
        await engine.ledger.grant("default", usd=10)
        run = await until_b(await engine.start({**PLAN, "budget": {"usd": 4}}))
    execute(tmp_path, "UPDATE journal SET body = 'rubbish' WHERE run = ? AND seq = 3", run.id)
    async with Engine.open(tmp_path, [quick, hangs], drain=0) as engine:
        assert await engine.delete(run.id)
        (account,) = await engine.ledger.accounts()
    assert (account.available.usd, account.reserved.usd) == (10, 0)


async def test_a_run_that_goes_on_is_not_deleted(tmp_path: Path) -> None:
    async with Engine.open(tmp_path, [quick, hangs], drain=0) as engine:
        run = await until_b(await engine.start(PLAN))
        with pytest.raises(RequestRefusedError, match="Cancel it first"):
            await engine.delete(run.id)


@pytest.mark.requirement("processes:second-terminal")
async def test_a_request_of_a_newer_version_does_not_hold_up_the_others(tmp_path: Path) -> None:
    _, run_id = await two_runs(tmp_path)
    newer = f'{{"id": "x", "run": "{run_id}", "kind": "paint"}}'
    execute(tmp_path, "INSERT INTO inbox (id, run, body) VALUES ('x', ?, ?)", run_id, newer)
    async with (
        Engine.open(tmp_path, [quick, hangs], drain=0) as engine,
        Engine.open(tmp_path, drive=False) as other,
    ):
        await (await other.get(run_id)).cancel()
        assert (await (await engine.get(run_id)).wait()).state == "cancelled"


async def test_a_mistake_in_the_engine_is_named_and_the_run_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    registry = Registry([quick, hangs])
    engine = Engine(store, registry, SystemClock())
    mistaken = AsyncFailure(ZeroDivisionError("oops"))
    async with engine.runtime:
        run = await until_b(await engine.start(PLAN))
        with monkeypatch.context() as patch:
            patch.setattr(store.journal, "append", mistaken)
            with pytest.raises(CallsheetError, match="bug in the engine: ZeroDivisionError"):
                await run.cancel()
        await engine.resume(run.id)
        await run.cancel()
        assert (await run.wait()).state == "cancelled"
    await registry.close()


class AsyncFailure:
    """An async function that only raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def __call__(self, *_args: object, **_kwargs: object) -> int:
        raise self._error
