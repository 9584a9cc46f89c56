"""A store that an older version wrote is upgraded with all that is in it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from alembic import command
from tests.replay.journals import GOLDEN
from tests.unit.stores.test_migrations import a_config, schema_of

from callsheet.core.past.replay import replay
from callsheet.core.plan.plan import Cost
from callsheet.errors import StoreVersionError
from callsheet.stores.postgres.address import Address
from callsheet.stores.postgres.lending import engine_of as engine_on
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.session import engine_of
from callsheet.stores.sqlite.store import DATABASE, SqlStore
from callsheet.testing.contracts.samples import at, ended, run_id, started

if TYPE_CHECKING:
    from pathlib import Path

    from tests.postgres import Server

pytestmark = pytest.mark.requirement("E22", "S7", "versions:old-journals-replay")

FIRST = GOLDEN / "0.1" / "store.sql"
"""A home as release 0.1 left it: runs of all kinds, one of them waiting, and a saved plan."""
KINDS = [("trip", "succeeded"), ("broken", "undone"), ("trip", "undone"), ("asking", None)]


def restore(home: Path) -> Path:
    """A home made of what release 0.1 wrote."""
    home.mkdir()
    db = sqlite3.connect(home / DATABASE)
    db.executescript(FIRST.read_text("utf-8"))
    db.close()
    return home


async def test_every_run_of_the_first_release_is_there_and_replays(tmp_path: Path) -> None:
    store = await SqlStore.open(restore(tmp_path / "home"))
    heads = list(reversed(await store.journal.heads()))
    assert [(head.name, head.ended) for head in heads] == KINDS
    for head in heads:
        report = replay(await store.journal.read(head.run))
        assert report.same, report.difference
        assert list(await store.lineage.of_run(head.run)) == []
    assert await store.journal.find("default", "monday") == heads[0]
    assert [saved.name for saved in await store.plans.list()] == ["trip"]
    await store.close()


async def test_an_upgraded_store_does_what_a_new_one_does(tmp_path: Path) -> None:
    store = await SqlStore.open(restore(tmp_path / "home"))
    old, new = (await store.journal.heads())[1].run, run_id(9_999_999)
    await store.ledger.grant("acme", Cost(usd=3), at=at(0))
    begun = started(new, tenant="acme", reserves=Cost(usd=2), consumed=("a" * 64,))
    await store.journal.append(new, [begun, ended(spent=Cost(usd=1))], after=0)
    account = await store.ledger.account("acme")
    assert account is not None
    assert (account.available, account.spent) == (Cost(usd=2), Cost(usd=1))
    assert [use.run for use in await store.lineage.uses("a" * 64)] == [new]
    # A run of the old release held nothing, and can be deleted like any other.
    assert await store.journal.delete(old)
    await store.close()


async def test_an_upgraded_store_has_the_tables_of_a_new_one(tmp_path: Path) -> None:
    home = restore(tmp_path / "home")
    await (await SqlStore.open(home)).close()
    versions.create(tmp_path / "new.db")
    assert schema_of(home / DATABASE) == schema_of(tmp_path / "new.db")


async def test_whoever_only_looks_upgrades_nothing(tmp_path: Path) -> None:
    home = restore(tmp_path / "home")
    before = schema_of(home / DATABASE)
    with pytest.raises(StoreVersionError, match="older version"):
        await SqlStore.open(home, drive=False)
    assert schema_of(home / DATABASE) == before


def test_the_second_revision_can_be_taken_back(tmp_path: Path) -> None:
    path = restore(tmp_path / "home") / DATABASE
    before = schema_of(path)
    versions.upgrade(path)
    assert schema_of(path) != before
    engine = engine_of(path)
    with engine.begin() as connection:
        config = a_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    engine.dispose()
    assert schema_of(path) == before


# About 1.5 s: a server makes a database and two versions of its tables.
@pytest.mark.slow
@pytest.mark.requirement("store:postgresql")
async def test_a_database_on_a_server_is_upgraded_likewise(
    tmp_path: Path, postgres: Server
) -> None:
    with postgres.database(empty=True) as url:
        old = sqlite3.connect(restore(tmp_path / "home") / DATABASE)
        engine = engine_on(Address.of(url))
        with engine.begin() as connection:
            config = a_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
            for table in ("journal", "runs", "plans"):
                rows = old.execute(f"SELECT * FROM {table}").fetchall()
                places = ", ".join(["%s"] * len(rows[0]))
                connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({places})", rows)
        engine.dispose()
        old.close()
        store = await PostgresStore.open(url)
        heads = list(reversed(await store.journal.heads()))
        assert [(head.name, head.ended) for head in heads] == KINDS
        for head in heads:
            assert replay(await store.journal.read(head.run)).same
        await store.ledger.grant("acme", Cost(usd=3), at=at(0))
        assert len(await store.ledger.accounts()) == 1
        await store.close()
