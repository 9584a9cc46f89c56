"""A newer version of Callsheet, for tests of a rolling deploy: this one, with one revision more.

Its package is links to ours but for the few files that differ, so it is a process of its own with
its own idea of the tables and of the core.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING

import callsheet
from callsheet.core.run.entries import CORE_VERSION
from callsheet.stores.sqlite.versions import HEAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OURS = Path(callsheet.__file__).parent
NEWER = f"{int(HEAD) + 1:04}"
PATIENCE = 60.0

MIGRATION = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{NEWER}", "{HEAD}", None, None

def upgrade():
    op.add_column("runs", sa.Column("mood", sa.String()))
"""

PROGRAM = """
import asyncio, sys
from callsheet import Engine, Plan, Step
from callsheet.errors import CallsheetError

ASKING = Plan(name="asking", steps=(Step(id="ok", ask="Go on?", choices=("yes", "no")),))

async def asked(run):
    async for status in run.watch(0.01):
        if status.questions:
            return

async def main():
    try:
        async with Engine.open(sys.argv[1]) as engine:
            print("open", flush=True)
            while words := (await asyncio.to_thread(sys.stdin.readline)).split():
                run = await engine.start(ASKING) if words[0] == "start" else (
                    await engine.get(words[1])
                )
                if words[0] == "take":
                    while not run.is_driven_here:
                        await asyncio.sleep(0.01)
                await asked(run)
                if words[0] == "take":
                    await run.answer("ok", "yes")
                    print((await run.wait()).state, flush=True)
                else:
                    print(run.id, flush=True)
    except CallsheetError as exc:
        print(type(exc).__name__, exc.message, flush=True)

asyncio.run(main())
"""


def make(root: Path, *, only_adds: bool) -> Path:
    """Make the newer version in a directory, which is the one to import it from.

    Whether its revision only adds is what it says of itself.
    """
    entries, fold = Path("core/run/entries.py"), Path("core/run/fold.py")
    versions = Path("stores/sqlite/versions.py")
    migration = Path(f"stores/migrations/versions/engine_{NEWER}.py")
    changed = {
        entries: [(f"CORE_VERSION = {CORE_VERSION}", f"CORE_VERSION = {CORE_VERSION + 1}")],
        fold: [("CORES = frozenset({", f"CORES = frozenset({{{CORE_VERSION + 1}, ")],
        versions: [(f'"{HEAD}")', f'"{HEAD}", "{NEWER}")')],
    }
    if only_adds:
        changed[versions].append(("ADDING = frozenset({", f'ADDING = frozenset({{"{NEWER}", '))
    _link(OURS, root / "callsheet", {OURS / path for path in (*changed, migration)})
    for path, replacements in changed.items():
        text = (OURS / path).read_text()
        for old, new in replacements:
            assert text.count(old) == 1, f"{path} does not say {old!r} once"
            text = text.replace(old, new)
        (root / "callsheet" / path).write_text(text)
    (root / "callsheet" / migration).write_text(MIGRATION)
    return root


def _link(source: Path, target: Path, apart: set[Path]) -> None:
    """Link a directory's contents, and go into those that have something of their own."""
    target.mkdir(parents=True)
    for each in source.iterdir():
        if any(path.is_relative_to(each) for path in apart) and each.is_dir():
            _link(each, target / each.name, apart)
        elif each not in apart and each.name != "__pycache__":
            (target / each.name).symlink_to(each)


class Process:
    """A process of the newer version, told what to do line by line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def says(self) -> str:
        """Its next line."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            return (await self._process.stdout.readline()).decode().strip()

    async def told(self, words: str) -> str:
        """What it says when it has done that."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n".encode())
        return await self.says()

    async def end(self, *, kill: bool = False) -> str:
        """End it, in good order or not; returns what it has logged."""
        if kill:
            self._process.kill()
        _, logged = await self._process.communicate()
        return logged.decode()


@asynccontextmanager
async def opened(version: Path, home: str) -> AsyncIterator[Process]:
    """A process of the newer version on a home; what it says first is whether that went well."""
    environment = {**os.environ, "PYTHONPATH": str(version), "CALLSHEET_LOG": "text"}
    command = (sys.executable, "-c", PROGRAM, home)
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
