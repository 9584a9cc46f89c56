"""A newer version beside this one, on one database: what it adds disturbs nobody who is open."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest

from callsheet import Engine, Plan, Step
from callsheet.errors import ReplayImpossibleError, StaleWriteError, StoreVersionError
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from callsheet import Event

pytestmark = pytest.mark.requirement("E26", "E22")

PATIENCE = 60.0
ASKING = Plan(name="asking", steps=(Step(id="ok", ask="Go on?", choices=("yes", "no")),))
UPGRADE = (
    "ALTER TABLE runs ADD COLUMN mood VARCHAR",
    "CREATE TABLE moods (name VARCHAR NOT NULL PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9999'",
)
"""What a newer version does to the tables when it opens them: it only adds."""


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "home")
    return str(request.getfixturevalue("database"))


def do(home: str, statements: Sequence[str]) -> None:
    """What another process does to the database."""
    if home.startswith("postgres"):
        with psycopg.connect(home) as server:
            for statement in statements:
                server.execute(statement.encode())
        return
    connection = sqlite3.connect(f"{home}/{DATABASE}", timeout=PATIENCE)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


async def test_an_older_process_goes_on_beside_a_newer_and_leaves_its_runs_alone(
    home: str,
) -> None:
    async with asyncio.timeout(PATIENCE), Engine.open(home) as older:
        mine = await older.start(ASKING)
        theirs = await older.start(ASKING)
        await until_asked(older, mine.id)
        await until_asked(older, theirs.id)
        await asyncio.to_thread(do, home, UPGRADE)
        # The newer version has taken one over, and has written what only it understands.
        await asyncio.to_thread(do, home, written_by_the_newer(theirs.id))
        with pytest.raises(StaleWriteError):
            await theirs.cancel()
        with pytest.raises(ReplayImpossibleError, match="Painted"):
            await older.replay(theirs.id)
        # Its own runs go on, new ones begin, and what it cannot read is passed over.
        await mine.answer("ok", "yes")
        assert (await mine.wait()).state == "succeeded"
        another = await older.start(ASKING)
        await until_asked(older, another.id)
        await another.cancel()
        assert (await another.wait()).state == "cancelled"
        told = {(event.run, event.seq) async for event in until_told(older, another.id)}
        assert {run for run, _ in told} == {mine.id, theirs.id, another.id}
        assert len(told) == sum([len(await run.journal()) for run in (mine, another)]) + 2
    with pytest.raises(StoreVersionError, match="newer"):
        async with Engine.open(home):
            pass


def written_by_the_newer(run: str) -> tuple[str, ...]:
    entry = '{"kind":"Painted","at":"2030-01-01T00:00:00Z"}'
    select = "max(seq) + 1, (SELECT last FROM positions) FROM journal"
    values = f"SELECT '{run}', '{entry}', {select} WHERE run = '{run}'"
    return (
        "UPDATE positions SET last = last + 1",
        f"INSERT INTO journal (run, body, seq, position) {values}",
    )


async def until_asked(engine: Engine, run: str) -> None:
    async for status in (await engine.get(run)).watch(0.01):
        if status.questions:
            return


async def until_told(engine: Engine, run: str) -> AsyncIterator[Event]:
    """The feed from the beginning, up to the end of a run."""
    async for event in engine.feed(0):
        yield event
        if event.run == run and event.kind == "RunEnded":
            return
