"""The schema as declared and as migrated is the same, and Alembic stays out of sight."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from callsheet.errors import StoreCorruptError
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.session import engine_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S7")


def a_config() -> Config:
    config = Config()
    config.set_main_option("script_location", "callsheet.stores:migrations")
    return config


def schema_of(path: Path) -> list[tuple[str, str]]:
    """Everything SQLite knows about the schema, spaces aside."""
    db = sqlite3.connect(path)
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    db.close()
    return sorted((name, " ".join(sql.split())) for name, sql in rows)


def test_a_new_database_and_a_migrated_one_have_the_same_schema(tmp_path: Path) -> None:
    versions.create(tmp_path / "new.db")
    versions.upgrade(tmp_path / "migrated.db")
    assert schema_of(tmp_path / "new.db") == schema_of(tmp_path / "migrated.db")


def test_a_database_at_our_revision_is_migrated_to_itself(tmp_path: Path) -> None:
    versions.create(tmp_path / "test.db")
    before = schema_of(tmp_path / "test.db")
    versions.upgrade(tmp_path / "test.db")
    assert schema_of(tmp_path / "test.db") == before


def test_the_revisions_we_know_are_those_of_the_scripts() -> None:
    scripts = ScriptDirectory.from_config(a_config())
    known = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(known)) == versions.REVISIONS
    assert scripts.get_heads() == [versions.HEAD]
    assert all(versions.BRANCH in script.branch_labels for script in scripts.walk_revisions())


@pytest.mark.requirement("E26")
def test_a_revision_that_is_said_only_to_add_leaves_every_column_as_it_was(tmp_path: Path) -> None:
    # Another process writes on beside it: what is new must do without a word from it.
    assert set(versions.REVISIONS[1:]) >= versions.ADDING
    for each in versions.ADDING:
        path = tmp_path / f"{each}.db"
        migrate_to(path, versions.REVISIONS[versions.REVISIONS.index(each) - 1])
        before = columns_of(path)
        migrate_to(path, each)
        after = columns_of(path)
        for table, columns in before.items():
            assert columns.items() <= after[table].items()
            for name in after[table].keys() - columns.keys():
                _, needs_value, default, _ = after[table][name]
                assert not needs_value or default is not None


def migrate_to(path: Path, revision: str) -> None:
    engine = engine_of(path)
    with engine.begin() as connection:
        config = a_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def columns_of(path: Path) -> dict[str, dict[str, tuple[object, ...]]]:
    """Of each table and column: type, whether it needs a value, default, part of the key."""
    db = sqlite3.connect(path)
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {
        table: {row[1]: row[2:] for row in db.execute(f"PRAGMA table_info({table})")}
        for table in tables
    }
    db.close()
    return found


def test_the_first_revision_can_be_taken_back(tmp_path: Path) -> None:
    versions.upgrade(tmp_path / "test.db")
    engine = engine_of(tmp_path / "test.db")
    with engine.begin() as connection:
        config = a_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    engine.dispose()
    assert [name for name, _ in schema_of(tmp_path / "test.db")] == [
        "alembic_version",
        "sqlite_sequence",
    ]


def test_a_migration_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "test.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE plans (name TEXT)")
    db.close()
    with pytest.raises(Exception, match="plans"):
        versions.upgrade(path)
    assert [name for name, _ in schema_of(path)] == ["plans"]


def test_a_file_that_is_no_database_is_not_migrated(tmp_path: Path) -> None:
    (tmp_path / "test.db").write_text("Dear diary, " * 1000, "utf-8")
    with pytest.raises(StoreCorruptError, match="not a database"):
        versions.upgrade(tmp_path / "test.db")
