"""A newer version beside this one, on one database.

What only adds disturbs nobody who is open; what changes more waits until it is alone.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.acceptance import newer

from callsheet import Engine, Plan, Step
from callsheet.errors import ReplayImpossibleError, StaleWriteError, StoreVersionError
from callsheet.runtime.clock import SystemClock
from callsheet.stores.sql.fence import Fence
from callsheet.stores.sqlite.store import DATABASE
from callsheet.stores.sqlite.versions import HEAD

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


def opened_on(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "home")
    return str(request.getfixturevalue("database"))


home = pytest.fixture(params=["sqlite", "postgres"])(opened_on)
shared = pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])(
    opened_on
)
"""The same; where other versions take part, which takes long, the server only in the long tests."""


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


@pytest.mark.slow  # processes of another version
async def test_old_and_new_side_by_side_each_drive_what_they_understand(
    shared: str, tmp_path: Path
) -> None:
    version = newer.make(tmp_path / "newer", only_adds=True)
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        older = await stack.enter_async_context(Engine.open(shared))
        mine, other = await older.start(ASKING), await older.start(ASKING)
        await until_asked(older, mine.id)
        async with newer.opened(version, shared) as first:
            assert await first.says() == "open"
            theirs = await first.told("start")
            # The older one goes on beside it, and begins runs of its own.
            await mine.answer("ok", "yes")
            assert (await mine.wait()).state == "succeeded"
            await until_asked(older, (await older.start(ASKING)).id)
            assert f"schema_before={HEAD}" in await first.end(kill=True)
        # What it does not understand it leaves alone, and does not keep from others.
        while await (await older.get(theirs)).is_driven():
            await SystemClock().sleep(0.01)
        with pytest.raises(ReplayImpossibleError, match="Upgrade"):
            await older.resume(theirs)
        assert (await (await older.get(theirs)).status()).state == "running"
        async with newer.opened(version, shared) as second:
            assert await second.says() == "open"
            assert await second.told(f"take {theirs}") == "succeeded"
            await stack.aclose()
            assert await second.told(f"take {other.id}") == "succeeded"
    with pytest.raises(StoreVersionError, match="newer"):
        async with Engine.open(shared):
            pass


@pytest.mark.slow  # processes of another version
async def test_what_would_disturb_others_is_migrated_only_by_one_who_is_alone(
    shared: str, tmp_path: Path
) -> None:
    version = newer.make(tmp_path / "newer", only_adds=False)
    async with asyncio.timeout(PATIENCE):
        async with Engine.open(shared) as older:
            run = await older.start(ASKING)
            await until_asked(older, run.id)
            async with newer.opened(version, shared) as refused:
                said = await refused.says()
            assert said.startswith("StoreBusyError")
            assert f"schema {HEAD}, not {newer.NEWER}" in said
            assert f"process {os.getpid()} on" in said
            await until_asked(older, (await older.start(ASKING)).id)
        async with newer.opened(version, shared) as alone:
            assert await alone.says() == "open"
            assert await alone.told(f"take {run.id}") == "succeeded"


async def test_whoever_begins_to_drive_while_it_is_migrated_is_refused(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Engine.open(home):
        pass
    enter = Fence.enter

    def late(fence: Fence, *args: Any) -> None:
        do(home, UPGRADE)
        enter(fence, *args)

    monkeypatch.setattr(Fence, "enter", late)
    with pytest.raises(StoreVersionError, match="newer"):
        async with Engine.open(home):
            pass


async def test_a_start_that_a_newer_version_has_left_is_left_for_one(home: str) -> None:
    async with Engine.open(home):
        pass
    async with asyncio.timeout(PATIENCE), Engine.open(home, drive=False) as looker:
        run = await looker.start(Plan(name="painting", steps=(Step(id="a", tool="nobody.has"),)))
        newer_plan = f"UPDATE inbox SET body = replace(body, '\"id\":\"a\"', '{NEWS}')"
        await asyncio.to_thread(do, home, [newer_plan])
        another = await looker.start(ASKING)
        async with Engine.open(home) as older:
            # It goes on with others, and has looked at this one before.
            await until_asked(older, another.id)
            store = older._store  # noqa: SLF001 -- what it says to whoever left it
            assert await store.inbox.settled(f"start-{run.id}") is None


NEWS = '"id":"a","mood":"blue"'


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
