"""The tool stack in its tables: imported whole, kept for ever, true as of a day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import create_engine, func, select
from tests.unit.stack.files import file, offer, tool

from callsheet import Engine
from callsheet.errors import InputError
from callsheet_studio import schema
from callsheet_studio.branch import BRANCH
from callsheet_studio.migrations import studio_0001
from callsheet_studio.schema import metadata
from callsheet_studio.stack import StackTables, current_stack, read_stack, starting_stack

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet_studio.model.stack import Stack

pytestmark = pytest.mark.requirement("P8")


def a_stack(*tools: dict[str, Any], **changes: Any) -> Stack:
    return read_stack(file(*tools, **changes), "here")


BEFORE = a_stack()
AFTER = a_stack(
    tool(offers=[offer(usd=0.2, as_of="2026-12-10")], as_of="2026-12-10"), written="2026-12-10"
)


async def test_what_is_loaded_is_what_was_imported(home: str | Path | None) -> None:
    async with Engine.open(home) as engine:
        tables = StackTables(engine.database(BRANCH))
        assert await tables.is_empty()
        await tables.replace(starting_stack())
        assert not await tables.is_empty()
        assert await tables.load() == starting_stack()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path | None:
    if request.param == "postgresql":
        found: str = request.getfixturevalue("database")
        return found
    return tmp_path / "home" if request.param == "sqlite" else None


async def test_the_same_import_twice_changes_nothing() -> None:
    async with Engine.in_memory() as engine:
        database = engine.database(BRANCH)
        tables = StackTables(database)
        first = await tables.replace(starting_stack())
        assert (first.number, len(first.changes)) == (1, 78 + 194)

        def rows(connection: Any) -> list[int]:
            counts = (select(func.count()).select_from(t) for t in metadata.sorted_tables)
            return [connection.scalar(count) for count in counts]

        before = await database.read(rows)
        again = await tables.replace(starting_stack())
        assert (again.number, again.changes) == (None, ())
        assert await database.read(rows) == before


async def test_a_price_that_moves_is_recorded_with_before_after_and_source() -> None:
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(BEFORE)
        done = await tables.replace(AFTER)
        price, *others = [c for c in done.changes if c.kind != "tool_changed"]
        assert not others
        assert (price.kind, price.offer, price.source) == ("price", "acme-1@acme-api", "page")
        assert price.before is not None
        assert price.after is not None
        assert (price.before["usd"], price.after["usd"]) == (0.1, 0.2)
        assert price.as_of == date(2026, 12, 10)
        assert (await tables.changes("acme-1"))[: len(done.changes)] == done.changes
        assert await tables.changes("other") == ()


async def test_a_day_has_the_prices_that_were_known_then() -> None:
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(BEFORE)
        await tables.replace(AFTER)

        async def usd(day: date | None) -> float:
            return (await tables.load(day)).tools[0].offers[0].usd

        assert await usd(date(2026, 12, 9)) == 0.1
        assert await usd(date(2026, 12, 10)) == 0.2
        assert await usd(None) == 0.2
        assert (await tables.load(date(2026, 12, 9))).as_of == date(2026, 12, 9)
        with pytest.raises(InputError, match="2026-10-31"):
            await tables.load(date(2026, 10, 31))


async def test_a_price_that_was_wrong_is_corrected_for_its_day() -> None:
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(BEFORE)
        await tables.replace(a_stack(tool(offers=[offer(usd=0.01)])))
        assert (await tables.load(date(2026, 11, 20))).tools[0].offers[0].usd == 0.01


async def test_what_is_gone_is_gone_from_that_day_on_and_not_before() -> None:
    both = a_stack(tool(offers=[offer(), offer(provider="Other")]), tool(id="b"))
    less = a_stack(tool(), written="2026-12-10")
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(both)
        done = await tables.replace(less)
        kinds = [(change.kind, change.offer or change.tool) for change in done.changes]
        assert kinds == [
            ("offer_removed", "acme-1@other"),
            ("tool_removed", "b"),
            ("offer_removed", "b@acme-api"),
        ]
        assert await tables.load() == less
        assert [each.id for each in (await tables.load(date(2026, 12, 10))).tools] == ["acme-1"]
        earlier = await tables.load(date(2026, 12, 9))
        assert earlier.tools == both.tools


async def test_a_change_of_status_is_recorded() -> None:
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(BEFORE)
        (change,) = (await tables.replace(a_stack(tool(status="legacy")))).changes
        assert (change.kind, change.before, change.after) == (
            "status",
            {"status": "active", "retires": None},
            {"status": "legacy", "retires": None},
        )


async def test_facts_come_back_after_they_had_gone() -> None:
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        for stack in (BEFORE, a_stack(tool(id="b")), BEFORE):
            await tables.replace(stack)
            assert await tables.load() == stack


async def test_a_source_that_nobody_names_any_more_is_still_there_for_the_past() -> None:
    page = {"title": "P", "url": "u", "as_of": "2026-11-01"}
    two = a_stack(tool(offers=[offer(source="old")]), sources={"page": page, "old": page})
    async with Engine.in_memory() as engine:
        tables = StackTables(engine.database(BRANCH))
        await tables.replace(two)
        await tables.replace(AFTER)
        assert await tables.load() == AFTER
        past = await tables.load(date(2026, 12, 1))
        assert past.tools[0].offers[0].source in {source.id for source in past.sources}


async def test_comparing_writes_nothing_and_makes_no_tables() -> None:
    async with Engine.in_memory() as engine:
        database = engine.database(BRANCH)
        tables = StackTables(database)
        assert len((await tables.compare(BEFORE)).changes) == 2
        assert not await database.exists()
        await tables.replace(BEFORE)
        would = await tables.compare(AFTER)
        assert await tables.load() == BEFORE
        assert (await tables.replace(AFTER)).changes == would.changes


async def test_without_an_import_plans_are_made_with_what_is_shipped() -> None:
    async with Engine.in_memory() as engine:
        database = engine.database(BRANCH)
        assert await current_stack(database) == starting_stack()
        early = await current_stack(database, date(2026, 8, 21))
        assert all(o.as_of <= date(2026, 8, 21) for each in early.tools for o in each.offers)
        assert not await database.exists()
        await StackTables(database).replace(BEFORE)
        assert await current_stack(database) == BEFORE


async def test_prices_are_kept_as_whole_numbers_that_compare() -> None:
    def cheapest(connection: Any) -> tuple[str, int]:
        table = schema.offers
        by_price = table.c.nano_usd, table.c.id
        query = select(table.c.id, table.c.nano_usd).where(table.c.nano_usd > 0).order_by(*by_price)
        row = connection.execute(query).first()
        return row[0], row[1]

    async with Engine.in_memory() as engine:
        database = engine.database(BRANCH)
        await StackTables(database).replace(starting_stack())
        assert await database.read(cheapest) == ("openai-gpt-4o-mini-tts@openai", 250_000)


def test_the_migration_makes_the_tables_that_are_declared() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            studio_0001.upgrade()
            assert compare_metadata(context, metadata) == []
            studio_0001.downgrade()
        assert context.connection is not None
    assert BRANCH.head == studio_0001.revision
