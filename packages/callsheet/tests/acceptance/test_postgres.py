"""Two engines on one database: what one asks or watches, the other drives."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Engine, Run, tool
from callsheet.errors import RequestRefusedError
from callsheet.runtime import wakeup as news
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [
    pytest.mark.requirement("store:postgresql", "processes:second-terminal"),
    # Nobody is to be saved by looking by himself: what is not told is not noticed in time.
    pytest.mark.usefixtures("told_or_never"),
]


@pytest.fixture
def told_or_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "SELDOM", 3600.0)


@tool("hold", effect="read")
async def hold(ctx: Any) -> None:
    """Runs until it is told to stop."""
    await ctx.sleep(3600.0)


@tool("count", effect="read")
async def count(i: int) -> int:
    return i


ASKS: dict[str, Any] = {
    "callsheet": 1,
    "name": "asks",
    "steps": [{"id": "ok", "ask": "Go on?", "choices": ["yes", "no"]}],
    "output": "${steps.ok}",
}
HOLDS: dict[str, Any] = {
    "callsheet": 1,
    "name": "holds",
    "steps": [{"id": "held", "tool": "hold"}],
}
COUNTS: dict[str, Any] = {
    "callsheet": 1,
    "name": "counts",
    "steps": [
        {"id": "ok", "ask": "Go on?"},
        *({"id": f"s{i}", "tool": "count", "args": {"i": i}, "needs": ["ok"]} for i in range(20)),
    ],
}


@asynccontextmanager
async def two_engines(url: str) -> AsyncIterator[tuple[Engine, Engine]]:
    async with (
        asyncio.timeout(20),
        Engine.open(url, [hold, count]) as driver,
        Engine.open(url, drive=False) as onlooker,
    ):
        yield driver, onlooker


async def waiting(run: Run) -> None:
    """Return when the run waits for an answer."""
    async for told in run.events():
        if isinstance(told, Event) and told.kind == "QuestionAsked":
            return


async def test_an_answer_from_another_engine_arrives(database: str) -> None:
    async with two_engines(database) as (driver, onlooker):
        run = await driver.start(ASKS)
        await waiting(run)
        there = await onlooker.get(run.id)
        await there.answer("ok", "yes", by="ann")
        assert (await there.wait()).output == "yes"
        with pytest.raises(RequestRefusedError):
            await there.answer("ok", "no", by="ben")


async def test_a_cancel_from_another_engine_arrives(database: str) -> None:
    async with two_engines(database) as (driver, onlooker):
        run = await driver.start(HOLDS)
        there = await onlooker.get(run.id)
        await there.cancel(reason="Enough.", by="ann")
        assert (await there.wait()).state == (await run.wait()).state == "cancelled"


@pytest.mark.requirement("step:stop", "step:retry", "E27")
async def test_one_step_is_stopped_and_tried_again_from_another_engine(database: str) -> None:
    steps = [
        {"id": "held", "tool": "hold"},
        {"id": "stay", "ask": "Go on?"},
        {"id": "told", "tool": "count", "args": {"i": "${length(outcomes.held.state)}"}},
    ]
    plan = {"callsheet": 1, "on_failure": "continue", "steps": steps}
    async with two_engines(database) as (driver, onlooker):
        run = await driver.start(plan)
        there = await onlooker.get(run.id)
        await there.stop("held", by="ann", reason="Enough.")
        assert (await there.step("held").result()).state == "cancelled"
        assert (await there.step("told").result()).output == len("cancelled")
        await there.retry("held", by="ben")
        with pytest.raises(RequestRefusedError, match="only what failed or was stopped"):
            await there.retry("held", by="ben")
        await there.stop("held", by="ann")
        await there.answer("stay", "yes")
        assert (await there.wait()).state == "succeeded"
        by = [getattr(entry, "by", None) for entry in await there.journal()]
        assert [name for name in by if name] == ["ann", "ben", "ann"]


@pytest.mark.requirement("E15")
async def test_a_watcher_elsewhere_sees_every_entry_once_and_in_order(database: str) -> None:
    async with two_engines(database) as (driver, onlooker):
        run = await driver.start(COUNTS)
        await waiting(run)
        there = await onlooker.get(run.id)
        seen: list[int] = []

        async def watch() -> None:
            async for told in there.events():
                assert isinstance(told, Event)
                seen.append(told.seq)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(watch())
            await run.answer("ok", "yes")
        assert seen == [*range(1, len(await run.journal()) + 1)]


async def test_a_backup_of_a_database_opens_as_a_home(database: str, tmp_path: Path) -> None:
    async with Engine.open(database, [count]) as engine:
        run = await engine.start(ASKS)
        await waiting(run)
        await engine.backup(tmp_path / "copy")
        await run.answer("ok", "yes")
    async with Engine.open(tmp_path / "copy") as copy:
        there = await copy.get(run.id)
        await there.answer("ok", "no")
        assert (await there.wait()).output == "no"
        assert (await copy.replay(run.id)).same
