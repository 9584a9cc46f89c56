"""What lies in a home: the store, the artifacts, and what `file.write` keeps for its undo."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from callsheet.engine import custody
from callsheet.engine.places import ARTIFACTS, UNDO
from callsheet.engine.trust import MARK
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from callsheet.engine.places import Home
    from callsheet.ports import ArtifactStore, Store

Sync: TypeAlias = Literal["full", "normal"]

DRAFT = "backup.part"
"""What a backup that was interrupted leaves behind."""


async def open_store(home: Home, sync: Sync, *, drive: bool, create: bool) -> Store:
    """The store of a home."""
    if home.directory is None:
        from callsheet.stores.memory.store import MemoryStore

        return MemoryStore()
    # Imported here: an engine in memory needs no database, and one on SQLite no server.
    from callsheet.stores.postgres.address import Address, is_address

    if home.address is not None and is_address(home.address):
        address = Address.of(home.address)  # says so if the driver is not installed
        from callsheet.stores.postgres.store import PostgresStore

        served = await PostgresStore.open(address, sync=sync, drive=drive, create=drive and create)
        _say_if_upgraded(address.shown, served.upgraded)
        return served
    from callsheet.stores.sqlite.store import SqlStore

    root = home.root or Path(home.address or "")
    store = await SqlStore.open(root, sync=sync, drive=drive, create=drive and create)
    _say_if_upgraded(str(root), store.upgraded)
    return store


def _say_if_upgraded(name: str, before: str | None) -> None:
    """Versions that know only what was before cannot open it any more."""
    if before is not None:
        log.warning("store.upgraded", store=name, schema_before=before)


def forget(undo: Path | None, keys: Iterable[str]) -> None:
    """Remove what was kept for the undo of some calls."""
    if undo is None:
        return
    from callsheet.tools.builtin.backup import Backups

    backups = Backups(undo)
    for key in keys:
        backups.forget(key)


def copy_undo(undo: Path, target: Path) -> None:
    """Copy what is kept for undos into another home."""
    from callsheet.tools.builtin.backup import Backups

    Backups(undo).copy_to(target / UNDO)


@asynccontextmanager
async def drafted(target: Path) -> AsyncIterator[Path]:
    """A directory to copy a home into; at `target` there is a home when all of it is there.

    Raises:
        StoreError: there is something at `target`.
    """
    from callsheet.stores.refusals import claim

    await asyncio.to_thread(claim, target)
    await asyncio.to_thread(custody.take, target, create=True)
    # Inside, because the target may be a disk of its own.
    draft = target / DRAFT
    try:
        yield draft
        await asyncio.to_thread(_move, draft, target)
        await asyncio.to_thread(custody.close, target)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, draft, ignore_errors=True)
        with suppress(OSError):
            (target / MARK).unlink(missing_ok=True)
            await asyncio.to_thread(target.rmdir)
        raise


def _move(draft: Path, target: Path) -> None:
    # The database last: without it, this is no home.
    for each in sorted(draft.iterdir(), key=lambda path: path.is_file()):
        each.rename(target / each.name)
    draft.rmdir()


async def back_up(store: Store, artifacts: ArtifactStore, undo: Path | None, target: Path) -> None:
    """Write a consistent copy of everything into a new home."""
    async with drafted(target) as draft:
        await artifacts.backup(draft / ARTIFACTS, lambda: store.backup(draft))
        if undo is not None:
            await asyncio.to_thread(copy_undo, undo, draft)
