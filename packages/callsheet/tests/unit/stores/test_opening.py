"""Opening a home: what is created, what is refused, and in which words."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from callsheet.core.run.request import Settled
from callsheet.errors import (
    EngineClosedError,
    ReplayImpossibleError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreReadOnlyError,
    StoreVersionError,
)
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.store import DATABASE, SqlStore
from callsheet.testing.contracts.samples import (
    a_plan,
    a_request,
    at,
    ended,
    noted,
    run_id,
    started,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.requirement("S7")

RUN = run_id(1)


async def a_home(directory: Path, *, entries: int = 1) -> Path:
    """A home with one run in it."""
    home = directory / "home"
    store = await SqlStore.open(home)
    await store.journal.append(RUN, [started(RUN), *[noted("x" * 500)] * (entries - 1)], after=0)
    await store.close()
    return home


async def test_a_missing_home_is_created_for_a_driver(tmp_path: Path) -> None:
    store = await SqlStore.open(tmp_path / "a" / "b")
    assert store.driving
    await store.close()
    assert (tmp_path / "a" / "b" / DATABASE).exists()


@pytest.mark.parametrize(("drive", "create"), [(False, True), (False, False), (True, False)])
async def test_nobody_else_creates_anything(tmp_path: Path, *, drive: bool, create: bool) -> None:
    with pytest.raises(StoreError, match="There is no Callsheet store in"):
        await SqlStore.open(tmp_path / "home", drive=drive, create=create)
    assert not (tmp_path / "home").exists()


async def test_what_was_left_by_a_creation_that_died_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / (DATABASE + ".new")).write_bytes(b"half a database")
    store = await SqlStore.open(tmp_path)
    assert await store.journal.append(RUN, [started(RUN)], after=0) == 1
    await store.close()


async def test_a_truncated_database_is_refused(tmp_path: Path) -> None:
    path = await a_home(tmp_path, entries=100) / DATABASE
    os.truncate(path, path.stat().st_size - 4096)
    with pytest.raises(StoreCorruptError, match=r"callsheet\.db' is damaged, truncated"):
        await SqlStore.open(path.parent)


async def test_a_database_cut_in_the_middle_of_a_page_is_refused(tmp_path: Path) -> None:
    path = await a_home(tmp_path) / DATABASE
    os.truncate(path, 1000)
    with pytest.raises(StoreCorruptError, match="damaged, truncated"):
        await SqlStore.open(path.parent)


async def test_a_database_cut_to_nothing_is_refused_and_not_begun_anew(tmp_path: Path) -> None:
    path = await a_home(tmp_path) / DATABASE
    os.truncate(path, 0)
    with pytest.raises(StoreCorruptError, match="is empty: it was truncated"):
        await SqlStore.open(path.parent)
    assert path.stat().st_size == 0


async def test_damage_inside_is_found_when_it_is_read_and_named(tmp_path: Path) -> None:
    path = await a_home(tmp_path, entries=300) / DATABASE
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 8192)
    store = await SqlStore.open(path.parent)
    with pytest.raises(StoreCorruptError, match="damaged"):
        await store.journal.read(RUN)
    await store.close()


async def test_an_entry_that_is_no_entry_is_named(tmp_path: Path) -> None:
    home = await a_home(tmp_path)
    db = sqlite3.connect(home / DATABASE)
    db.execute("INSERT INTO journal VALUES (?, 2, ?, 99)", (RUN, '{"kind": "FromTheFuture"}'))
    db.commit()
    db.close()
    store = await SqlStore.open(home)
    with pytest.raises(ReplayImpossibleError, match=r"Entry 2 .*'FromTheFuture'.* newer"):
        await store.journal.read(RUN)
    await store.close()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("Dear diary, " * 1000, "utf-8")
    with pytest.raises(StoreCorruptError, match="not a database"):
        await SqlStore.open(tmp_path)
    assert (tmp_path / DATABASE).read_text("utf-8").startswith("Dear diary")


async def test_somebody_elses_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("CREATE TABLE guests (name TEXT)")
    db.close()
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(StoreCorruptError, match="not a Callsheet store"):
        await SqlStore.open(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


async def test_a_log_without_its_database_is_not_played_into_a_new_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    store = await SqlStore.open(home)
    await store.journal.append(RUN, [started(RUN)], after=0)
    lost = tmp_path / "lost"
    lost.mkdir()
    shutil.copy(home / (DATABASE + "-wal"), lost)
    await store.close()
    with pytest.raises(StoreCorruptError, match="moved or deleted while in use"):
        await SqlStore.open(lost)


@pytest.mark.requirement("versions:newer-store-is-refused")
async def test_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    home = await a_home(tmp_path)
    _stamp(home, "0999")
    before = (home / DATABASE).read_bytes()
    for drive in (True, False):
        with pytest.raises(StoreVersionError, match=r"newer version .* Upgrade callsheet\."):
            await SqlStore.open(home, drive=drive)
    assert (home / DATABASE).read_bytes() == before


async def test_tables_of_a_client_with_a_branch_of_its_own_do_not_disturb(tmp_path: Path) -> None:
    home = await a_home(tmp_path)
    db = sqlite3.connect(home / DATABASE)
    db.execute("INSERT INTO alembic_version VALUES ('studio_0007')")
    db.commit()
    db.close()
    store = await SqlStore.open(home)
    assert len(await store.journal.read(RUN)) == 1
    await store.close()


async def test_a_reader_does_not_upgrade_an_older_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await a_home(tmp_path)
    monkeypatch.setattr(versions, "HEAD", "9999")
    with pytest.raises(StoreVersionError, match="older version"):
        await SqlStore.open(home, drive=False)


async def test_a_driver_upgrades_an_older_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await a_home(tmp_path)
    upgraded: list[Path] = []
    monkeypatch.setattr(versions, "HEAD", "9999")
    monkeypatch.setattr(versions, "upgrade", upgraded.append)
    store = await SqlStore.open(home)
    assert upgraded == [home / DATABASE]
    await store.close()


async def test_a_directory_in_the_place_of_the_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(StoreReadOnlyError, match="cannot be opened or written"):
        await SqlStore.open(tmp_path)


async def test_a_file_in_the_place_of_the_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", "utf-8")
    with pytest.raises(StoreError, match="home' could not be used"):
        await SqlStore.open(tmp_path / "home")


# About 0.7 s: only another user can be refused by the file system, when the tests run as root.
@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
async def test_a_home_without_the_right_to_write_is_refused(*, there: bool) -> None:
    with TemporaryDirectory() as directory:
        home = await a_home(Path(directory)) if there else Path(directory)
        with _protected(Path(directory)):
            assert "Give this user the right to write" in _open_as_nobody(home)


async def test_a_failed_opening_keeps_nothing_locked(tmp_path: Path) -> None:
    home = await a_home(tmp_path)
    _stamp(home, "0999")
    with pytest.raises(StoreVersionError):
        await SqlStore.open(home)
    _stamp(home, versions.HEAD)
    store = await SqlStore.open(home)
    await store.close()


async def test_a_store_that_does_not_drive_reads_and_takes_requests_and_plans(
    tmp_path: Path,
) -> None:
    driver = await SqlStore.open(tmp_path)
    await driver.journal.append(RUN, [started(RUN)], after=0)
    onlooker = await SqlStore.open(tmp_path, drive=False)
    assert not onlooker.driving
    assert await onlooker.owners.is_alive(driver.owners.driver)
    assert len(await onlooker.journal.read(RUN)) == 1
    await driver.journal.append(RUN, [noted(), ended()], after=1)
    assert len(await onlooker.journal.read(RUN)) == 3
    await onlooker.inbox.put(a_request(1))
    assert [request.id for request in await driver.inbox.pending()] == ["q1"]
    await driver.inbox.settle("q1", Settled())
    assert await onlooker.inbox.settled("q1") == Settled()
    await onlooker.plans.save(a_plan(), at(1))
    assert len(await driver.plans.list()) == 1
    await onlooker.close()
    await driver.close()


async def test_a_store_that_does_not_drive_writes_no_journal(tmp_path: Path) -> None:
    driver = await SqlStore.open(tmp_path)
    await driver.journal.append(RUN, [started(RUN), ended()], after=0)
    onlooker = await SqlStore.open(tmp_path, drive=False)
    with pytest.raises(StoreBusyError, match="does not drive"):
        await onlooker.journal.append(RUN, [noted()], after=2)
    with pytest.raises(StoreBusyError, match="does not drive"):
        await onlooker.journal.delete(RUN)
    with pytest.raises(StoreBusyError, match="does not drive"):
        await onlooker.inbox.settle("q1", Settled())
    await onlooker.close()
    await driver.close()


async def test_a_closed_store_is_not_read_either(tmp_path: Path) -> None:
    store = await SqlStore.open(tmp_path)
    await store.close()
    with pytest.raises(EngineClosedError):
        await store.journal.read(RUN)
    with pytest.raises(EngineClosedError):
        await store.journal.heads(limit=1_000_000)


async def test_closing_empties_the_log_even_if_somebody_still_looks_on(tmp_path: Path) -> None:
    driver = await SqlStore.open(tmp_path)
    onlooker = await SqlStore.open(tmp_path, drive=False)
    await driver.journal.append(RUN, [started(RUN)], after=0)
    log = tmp_path / (DATABASE + "-wal")
    assert log.stat().st_size
    await driver.close()
    assert log.stat().st_size == 0
    assert len(await onlooker.journal.read(RUN)) == 1
    await onlooker.close()


async def test_closing_leaves_no_log_behind(tmp_path: Path) -> None:
    home = await a_home(tmp_path)
    assert sorted(path.name for path in home.iterdir()) == [
        DATABASE,
        "driver.lock",
        "drivers",
        "write.lock",
    ]


def _stamp(home: Path, revision: str) -> None:
    db = sqlite3.connect(home / DATABASE)
    db.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    db.commit()
    db.close()


@contextmanager
def _protected(directory: Path) -> Iterator[None]:
    """A tree that everybody may read and nobody write."""
    everything = [directory, *directory.rglob("*")]
    for path in everything:
        path.chmod(0o555)
    yield
    for path in everything:
        path.chmod(0o755)


OPEN_AS_NOBODY = """
import asyncio, os, pathlib, sys
from callsheet.errors import StoreReadOnlyError
from callsheet.stores.sqlite.store import SqlStore
if os.geteuid() == 0:
    os.setuid(65534)  # only now: nobody may not be allowed to read where Python is
try:
    asyncio.run(SqlStore.open(pathlib.Path(sys.argv[1])))
except StoreReadOnlyError as exc:
    print(exc)
"""


def _open_as_nobody(home: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", OPEN_AS_NOBODY, str(home)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
