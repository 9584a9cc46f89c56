"""Where artifacts and backups lie is settled when an engine is opened, and remembered."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from callsheet import Engine, tool
from callsheet.engine.places import MARK_FILE
from callsheet.errors import StoreMissingError

pytestmark = pytest.mark.requirement("E14")

BIG = "x" * 50_000
PLAN: dict[str, Any] = {
    "callsheet": 1,
    "name": "large",
    "steps": [
        {"id": "make", "tool": "make"},
        {"id": "ok", "ask": "Go on?", "needs": ["make"]},
        {"id": "use", "tool": "use", "args": {"text": "${steps.make || 'none'}"}, "needs": ["ok"]},
    ],
    "output": "${steps.use}",
}


@tool("make")
async def make() -> str:
    return BIG


@tool("use")
async def use(text: str) -> int:
    return len(text)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, which tests may leave."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    return tmp_path / "two"


def names_in(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir()]


def move(source: Path, target: Path) -> None:
    source.rename(target)


async def asked(engine: Engine) -> str:
    """Start the plan, and return when it asks."""
    run = await engine.start(PLAN)
    async for result in run.watch():
        if result.questions:
            return run.id
    raise AssertionError


async def answered(engine: Engine, run: str) -> Any:
    handle = await engine.get(run)
    await handle.answer("ok", "yes")
    return (await handle.wait()).output


@pytest.mark.parametrize("artifacts", [None, "blobs"])
async def test_a_relative_home_stays_where_it_was_when_the_program_goes_elsewhere(
    elsewhere: Path, artifacts: str | None
) -> None:
    async with Engine.open("home", [make, use], artifacts=artifacts) as engine:
        os.chdir(elsewhere)
        run = await asked(engine)
    os.chdir(elsewhere.parent / "one")
    async with Engine.open("home", [make, use]) as engine:
        assert await answered(engine, run) == len(BIG)
    assert names_in(elsewhere) == []


@pytest.mark.requirement("store:postgresql")
async def test_a_database_is_driven_from_another_directory(database: str, elsewhere: Path) -> None:
    async with Engine.open(database, [make, use]) as engine:
        run = await asked(engine)
    os.chdir(elsewhere)
    async with Engine.open(database, [make, use]) as engine:
        assert await answered(engine, run) == len(BIG)
    assert names_in(elsewhere) == []


@pytest.mark.requirement("store:postgresql")
async def test_who_cannot_reach_the_artifacts_of_a_database_is_told_and_may_look(
    database: str, elsewhere: Path
) -> None:
    async with Engine.open(database, [make, use]) as engine:
        run = await asked(engine)
    here = Path(".callsheet")
    # What another machine has at this path, if anything, is not it.
    move(here, elsewhere / "moved")
    for other in (False, True):
        if other:
            (here / "artifacts").mkdir(parents=True)
            (here / "artifacts" / MARK_FILE).write_text("of another database")
        with pytest.raises(StoreMissingError, match=r"keeps artifacts in .* name the copy"):
            async with Engine.open(database, [make, use]):
                pass
    async with Engine.open(database, drive=False) as engine:
        status = await (await engine.get(run)).status()
        assert (status.interrupted, len(status.questions)) == (True, 1)
    # Whoever says where they are now is believed, and so is remembered.
    moved = elsewhere / "moved" / "artifacts"
    async with Engine.open(database, [make, use], artifacts=moved) as engine:
        pass
    async with Engine.open(database, [make, use]) as engine:
        assert await answered(engine, run) == len(BIG)


@pytest.mark.requirement("store:postgresql")
async def test_an_undo_from_another_directory_restores_what_a_write_replaced(
    database: str, elsewhere: Path
) -> None:
    file = elsewhere.parent / "text"
    file.write_text("before")
    args = {"path": str(file), "text": "after"}
    plan = {"callsheet": 1, "steps": [{"id": "w", "tool": "file.write", "args": args}]}
    async with Engine.open(database, files=elsewhere.parent) as engine:
        run = await engine.start(plan)
        await run.wait()
        assert file.read_text() == "after"
    os.chdir(elsewhere)
    async with Engine.open(database, files=elsewhere.parent) as engine:
        again = await engine.get(run.id)
        await again.undo()
        assert str((await again.wait()).state) == "undone"
    assert file.read_text() == "before"


async def test_an_undo_whose_backup_is_gone_does_not_say_that_it_was_done(tmp_path: Path) -> None:
    file, home = tmp_path / "text", tmp_path / "home"
    file.write_text("before")
    args = {"path": str(file), "text": "after"}
    plan = {"callsheet": 1, "steps": [{"id": "w", "tool": "file.write", "args": args}]}
    async with Engine.open(home, files=tmp_path) as engine:
        run = await engine.start(plan)
        await run.wait()
        (home / "undo").rename(tmp_path / "lost")
        await run.undo()
        result = await run.wait()
    assert str(result.state) == "stuck"
    assert str(home / "undo") in " ".join(problem.message for problem in result.problems)
    assert file.read_text() == "after"


@pytest.mark.requirement("store:postgresql")
async def test_a_backup_has_its_artifacts_with_it(
    database: str, elsewhere: Path, tmp_path: Path
) -> None:
    async with Engine.open(database, [make, use]) as engine:
        run = await asked(engine)
    # Now the directory is marked, and remembered from its root on.
    async with Engine.open(database, [make, use]) as engine:
        await engine.backup(tmp_path / "copy")
    move(Path(".callsheet"), elsewhere / "gone")
    async with Engine.open(tmp_path / "copy", [make, use]) as engine:
        assert await answered(engine, run) == len(BIG)
