"""A client keeps tables of its own in the engine's database, on every store."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import (
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)

from callsheet import Context, Engine, tool
from callsheet.apps import Branch
from callsheet.errors import EngineClosedError, StoreCorruptError, StoreError, StoreVersionError
from callsheet.stores.postgres.lending import PgLender

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection
    from tests.postgres import Server

pytestmark = pytest.mark.requirement("S7", "store:postgresql")

WRITERS = 50


def a_branch(revision: int = 2, *, name: str = "notes") -> Branch:
    """The tables of `notes`, as they were declared at a revision."""
    metadata = MetaData()
    word = String().with_variant(String(collation="C"), "postgresql")
    items = Table(
        f"{name}_item",
        metadata,
        Column("name", word, nullable=False),
        Column("count", Integer, nullable=False),
        PrimaryKeyConstraint("name", name=f"pk_{name}_item"),
    )
    if revision > 1:
        items.append_column(Column("ended", Text))
        has_ended = text("ended IS NOT NULL")
        Index(
            f"ux_{name}_item_ended",
            items.c.ended,
            unique=True,
            sqlite_where=has_ended,
            postgresql_where=has_ended,
        )
    revisions = tuple(f"{name}_000{number}" for number in range(1, revision + 1))
    return Branch(
        name=name, metadata=metadata, revisions=revisions, migrations="tests.contract.migrations"
    )


NOTES = a_branch()
ITEMS = NOTES.declared.tables["notes_item"]


def add(name: str, **more: object) -> Callable[[Connection], None]:
    def act(connection: Connection) -> None:
        connection.execute(insert(ITEMS).values(name=name, count=0, **more))

    return act


def names(connection: Connection) -> list[str]:
    return list(connection.scalars(select(ITEMS.c.name).order_by(ITEMS.c.name)))


def tables(connection: Connection) -> list[str]:
    return sorted(name for name in inspect(connection).get_table_names() if "notes" in name)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path | None:
    if request.param == "postgresql":
        found: str = request.getfixturevalue("database")
        return found
    return tmp_path / "home" if request.param == "sqlite" else None


@pytest.fixture(params=["sqlite", "postgresql"])
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    if request.param == "postgresql":
        found: str = request.getfixturevalue("database")
        return found
    return tmp_path / "home"


async def test_a_client_reads_what_it_has_written(home: str | Path | None) -> None:
    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        await database.write(add("b"))
        await database.write(add("a"))
        assert await database.read(names) == ["a", "b"]


@pytest.mark.requirement("E11")
async def test_the_same_key_is_the_same_write_and_returns_what_it_returned(
    home: str | Path | None,
) -> None:
    def counted(name: str) -> Callable[[Connection], list[str]]:
        def act(connection: Connection) -> list[str]:
            add(name)(connection)
            return names(connection)

        return act

    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        assert await database.write(counted("a"), key="one") == ["a"]
        assert await database.write(counted("b"), key="two") == ["a", "b"]
        assert await database.write(counted("a"), key="one") == ["a"]
        assert await database.read(names) == ["a", "b"]


async def test_asking_whether_the_tables_are_there_makes_none(home: str | Path | None) -> None:
    async with Engine.open(home) as engine:
        assert not await engine.database(NOTES).exists()
        assert not await engine.database(NOTES).exists()
        assert await engine.database(NOTES).read(names) == []
        assert await engine.database(NOTES).exists()


async def test_two_handles_are_one_database(home: str | Path | None) -> None:
    async with Engine.open(home) as engine:
        await engine.database(NOTES).write(add("a"))
        assert await engine.database(NOTES).read(names) == ["a"]


async def test_what_is_raised_takes_everything_back(home: str | Path | None) -> None:
    def act(connection: Connection) -> None:
        add("b")(connection)
        raise LookupError("changed my mind")

    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        await database.write(add("a"))
        with pytest.raises(LookupError, match="changed my mind"):
            await database.write(act)
        assert await database.read(names) == ["a"]


async def test_what_the_database_refuses_is_our_error_and_takes_everything_back(
    home: str | Path | None,
) -> None:
    def act(connection: Connection) -> None:
        add("b")(connection)
        add("a")(connection)

    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        await database.write(add("a"))
        with pytest.raises(StoreError):
            await database.write(act)
        assert await database.read(names) == ["a"]


# Slow: fifty threads, and fifty commits one after the other.
@pytest.mark.slow
async def test_no_writer_overwrites_another(home: str | Path | None) -> None:
    def count(connection: Connection) -> int:
        seen = connection.scalar(select(ITEMS.c.count).where(ITEMS.c.name == "a"))
        assert seen is not None
        connection.execute(update(ITEMS).values(count=seen + 1))
        return int(seen)

    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        await database.write(add("a"))
        async with asyncio.TaskGroup() as group:
            counts = [group.create_task(database.write(count)) for _ in range(WRITERS)]
        seen = [each.result() for each in counts]
        assert sorted(seen) == list(range(WRITERS))


async def test_a_client_that_fails_disturbs_no_run(home: str | Path | None) -> None:
    @tool(effect="read")
    async def say(word: str) -> str:
        return word

    def act(connection: Connection) -> None:
        connection.execute(text("SELECT nonsense FROM nowhere"))

    steps = [{"id": f"s{number}", "tool": "say", "args": {"word": "hi"}} for number in range(20)]
    async with Engine.open(home, [say]) as engine:
        database = engine.database(NOTES)
        run = await engine.start({"callsheet": 1, "name": "talk", "steps": steps})
        for _ in range(10):
            with pytest.raises(StoreError):
                await database.write(act)
        assert (await run.wait()).state == "succeeded"
        assert (await engine.replay(run.id)).same


async def test_a_closed_engine_lends_nothing(home: str | Path | None) -> None:
    async with Engine.open(home) as engine:
        database = engine.database(NOTES)
        await database.write(add("a"))
    with pytest.raises(EngineClosedError):
        await database.read(names)


async def test_it_is_there_when_the_home_is_opened_again(lasting: str | Path) -> None:
    async with Engine.open(lasting) as engine:
        await engine.database(NOTES).write(add("a"))
    async with Engine.open(lasting) as engine:
        assert await engine.database(NOTES).read(names) == ["a"]


async def test_another_process_reads_and_writes_while_one_drives(lasting: str | Path) -> None:
    async with Engine.open(lasting) as driver, Engine.open(lasting, drive=False) as other:
        assert not other.driving
        await other.database(NOTES).write(add("theirs"))
        await driver.database(NOTES).write(add("ours"))
        assert await other.database(NOTES).read(names) == ["ours", "theirs"]


async def test_the_tables_are_made_once_however_many_begin(lasting: str | Path) -> None:
    async with Engine.open(lasting) as driver, Engine.open(lasting, drive=False) as other:
        async with asyncio.TaskGroup() as group:
            for number, engine in enumerate([driver, other, driver, other]):
                group.create_task(engine.database(NOTES).write(add(str(number))))
        assert await driver.database(NOTES).read(names) == ["0", "1", "2", "3"]


async def test_all_queries_of_a_reader_see_one_moment(lasting: str | Path) -> None:
    loop = asyncio.get_running_loop()
    async with Engine.open(lasting) as engine:
        database = engine.database(NOTES)
        await database.write(add("a"))

        def act(connection: Connection) -> tuple[list[str], list[str]]:
            before = names(connection)
            asyncio.run_coroutine_threadsafe(database.write(add("b")), loop).result(timeout=20)
            return before, names(connection)

        assert await database.read(act) == (["a"], ["a"])
        assert await database.read(names) == ["a", "b"]


async def test_older_tables_are_brought_up_to_date_with_what_is_in_them(
    lasting: str | Path,
) -> None:
    old = a_branch(1).declared.tables["notes_item"]

    def act(connection: Connection) -> None:
        connection.execute(insert(old).values(name="a", count=7))

    async with Engine.open(lasting) as engine:
        await engine.database(a_branch(1)).write(act)
    async with Engine.open(lasting) as engine:
        database = engine.database(NOTES)
        await database.write(add("b", ended="today"))
        rows = await database.read(lambda c: c.execute(select(ITEMS).order_by("name")).all())
        assert [tuple(row) for row in rows] == [("a", 7, None), ("b", 0, "today")]


async def test_migrated_tables_are_what_new_ones_are(lasting: str | Path) -> None:
    def differences(connection: Connection) -> list[Any]:
        options = {
            "version_table": NOTES.stamp,
            "include_name": lambda name, kind, _: kind != "table" or "notes" in (name or ""),
        }
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, NOTES.declared))

    async with Engine.open(lasting) as engine:
        await engine.database(a_branch(1)).read(tables)
        database = engine.database(NOTES)
        assert await database.read(differences) == []
        assert await database.read(tables) == ["alembic_version_notes", "notes_item"]


@pytest.mark.requirement("versions:newer-store-is-refused")
async def test_newer_tables_are_refused_and_left_alone(lasting: str | Path) -> None:
    async with Engine.open(lasting) as engine:
        await engine.database(NOTES).write(add("a"))
        older = engine.database(a_branch(1))
        for act in (older.exists(), older.read(names), older.write(add("b"))):
            with pytest.raises(StoreVersionError, match=r"'notes'.*notes_0002.*notes_0001"):
                await act
        assert await engine.database(NOTES).read(names) == ["a"]


async def test_tables_of_somebody_else_are_not_taken_for_ours(tmp_path: Path) -> None:
    async with Engine.open(tmp_path) as engine:
        db = sqlite3.connect(tmp_path / "callsheet.db")
        db.execute("CREATE TABLE notes_item (theirs TEXT)")
        db.close()
        with pytest.raises(StoreCorruptError, match="notes_item"):
            await engine.database(NOTES).write(add("a"))
        with pytest.raises(StoreCorruptError, match="notes_item"):
            await engine.database(NOTES).exists()


async def test_tables_are_declared_when_they_are_first_used(home: str | Path | None) -> None:
    asked = []

    def declared() -> MetaData:
        asked.append(1)
        return NOTES.declared

    late = Branch(
        name="notes",
        metadata=declared,
        revisions=NOTES.revisions,
        migrations=NOTES.migrations,
    )
    assert not asked
    async with Engine.open(home) as engine:
        assert not await engine.database(late).exists()
        await engine.database(late).write(add("a"))
        assert asked
        assert await engine.database(late).exists()
        assert await engine.database(NOTES).read(names) == ["a"]


# Slow: a whole home is copied, and opened again.
@pytest.mark.slow
async def test_a_backup_has_the_tables_and_what_makes_rows_unique(
    lasting: str | Path, tmp_path: Path
) -> None:
    target = tmp_path / "copy"
    async with Engine.open(lasting) as engine:
        await engine.database(NOTES).write(add("a", ended="today"))
        await engine.database(NOTES).write(add("Ö"))
        await engine.backup(target)
    async with Engine.open(target) as engine:
        database = engine.database(NOTES)
        assert await database.exists()
        assert await database.read(names) == ["a", "Ö"]
        await database.write(add("b"))
        for twice in (add("a"), add("c", ended="today")):
            with pytest.raises(StoreError):
                await database.write(twice)


async def test_two_clients_do_not_see_each_other(lasting: str | Path) -> None:
    async with Engine.open(lasting) as engine:
        await engine.database(NOTES).write(add("a"))
        assert not await engine.database(a_branch(name="other")).exists()


@pytest.mark.parametrize("name", ["", "Notes", "no_tes", "x" * 30])
def test_a_branch_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValueError, match="branch"):
        a_branch(name=name)


def test_a_branch_has_its_own_tables_only() -> None:
    with pytest.raises(ValueError, match="runs"):
        Branch(
            name="notes",
            metadata=a_branch(name="runs").metadata,
            revisions=("notes_0001",),
            migrations="tests.contract.migrations",
        )
    late = Branch(
        name="notes",
        metadata=lambda: a_branch(name="runs").declared,
        revisions=("notes_0001",),
        migrations="tests.contract.migrations",
    )
    with pytest.raises(ValueError, match="runs"):
        _ = late.declared


def test_a_branch_has_a_first_revision() -> None:
    with pytest.raises(ValueError, match="revision"):
        Branch(name="notes", metadata=NOTES.metadata, revisions=(), migrations=NOTES.migrations)


@tool("note", effect="write", idempotent=True)
async def note(name: str, ctx: Context) -> list[str]:
    """An app's own tool, which keeps something in the app's own tables."""
    database = ctx.database(NOTES)
    await database.write(add(name), key=ctx.key)
    return await database.read(names)


async def test_a_tool_of_an_app_reaches_the_tables_of_the_app(home: str) -> None:
    async with Engine.open(home, [note]) as engine:
        done = await engine.run({"steps": [{"id": "a", "tool": "note", "args": {"name": "x"}}]})
        assert done.steps["a"].output == ["x"]
        assert await engine.database(NOTES).read(names) == ["x"]


@pytest.mark.requirement("E11")
@pytest.mark.parametrize("key", [None, "once"])
@pytest.mark.parametrize("done", [True, False])
async def test_a_commit_that_is_lost_was_made_or_is_an_error_and_never_guessed(
    database: str,
    postgres: Server,
    monkeypatch: pytest.MonkeyPatch,
    *,
    done: bool,
    key: str | None,
) -> None:
    async with Engine.open(database) as engine:
        notes = engine.database(NOTES)
        assert await notes.read(names) == []
        commit = psycopg.Connection.commit
        broken: list[bool] = []

        def breaking(connection: psycopg.Connection) -> None:
            if broken:
                return commit(connection)
            broken.append(True)
            if done:
                commit(connection)
            # The server has answered, or was never asked; the client cannot tell the two apart.
            postgres.end_sessions(database)
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        monkeypatch.setattr(psycopg.Connection, "commit", breaking)
        if done:
            await notes.write(add("a"), key=key)
        else:
            with pytest.raises(StoreError):
                await notes.write(add("a"), key=key)
        assert broken
        assert await notes.read(names) == (["a"] if done else [])
        if key is not None:
            # The same key is the same write, whatever became of the first.
            await notes.write(add("a"), key=key)
            assert await notes.read(names) == ["a"]


async def test_a_commit_of_which_nobody_knows_says_so_and_the_same_key_settles_it(
    database: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Engine.open(database) as engine:
        notes = engine.database(NOTES)
        assert await notes.read(names) == []
        commit = psycopg.Connection.commit

        def breaking(connection: psycopg.Connection) -> None:
            commit(connection)
            postgres.end_sessions(database)
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        with monkeypatch.context() as patched:
            patched.setattr(psycopg.Connection, "commit", breaking)
            patched.setattr(PgLender, "was_made", lambda *_: None)
            with pytest.raises(StoreError, match="write again with the same key"):
                await notes.write(add("a"), key="once")
        await notes.write(add("a"), key="once")
        assert await notes.read(names) == ["a"]
