"""What is promised of a store holds for two on one database, asked in turns, as processes do."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from callsheet.errors import StaleWriteError
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts import (
    CacheContract,
    ContextContract,
    InboxContract,
    JournalContract,
    LedgerContract,
    LineageContract,
    PlanShelfContract,
)
from callsheet.testing.contracts.samples import ended, noted, run_id, started

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from callsheet.ports import Store


class InTurns:
    """A part of several stores: each call goes to the next of them."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = cycle(parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(next(self._parts), name)


class Stores:
    """Several stores on one database, as if they were one."""

    def __init__(self, *stores: Store) -> None:
        self._stores = stores
        for part in ("journal", "inbox", "plans", "lineage", "cache", "ledger", "context"):
            setattr(self, part, InTurns([getattr(store, part) for store in stores]))

    async def close(self) -> None:
        for store in self._stores:
            await store.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stores[0], name)


class Promises(
    JournalContract,
    InboxContract,
    PlanShelfContract,
    LineageContract,
    CacheContract,
    LedgerContract,
    ContextContract,
):
    """All that is promised, but for the order in which one store does what is asked at once."""

    @override
    async def test_appends_made_at_once_to_one_run_keep_their_order(self) -> None:
        """Of one store."""

    @override
    async def test_cancelling_the_caller_does_not_take_the_entries_back(self) -> None:
        """The next append has its place behind them, in the same store."""

    @override
    async def test_what_one_run_gives_back_another_may_reserve(self) -> None:
        """Asked at once: of two stores the second may come first, and is refused."""


@pytest.mark.long  # everything once more
@pytest.mark.requirement("E26", "E3")
class TestTwoOnOneFile(Promises):
    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"

    @override
    async def open(self) -> Any:
        stores = [await SqlStore.open(self.home, sync="normal") for _ in range(2)]
        return Stores(*stores)


@pytest.mark.long  # everything once more
@pytest.mark.requirement("E26", "E3", "store:postgresql")
class TestTwoOnOneServer(Promises):
    @pytest.fixture(autouse=True)
    def _database(self, database: str) -> None:
        self.url = database

    @override
    async def open(self) -> Any:
        stores = [await PostgresStore.open(self.url, sync="normal") for _ in range(2)]
        return Stores(*stores)


@pytest.mark.requirement("E26", "E14")
async def test_a_run_that_another_process_has_deleted_is_not_written_on(tmp_path: Path) -> None:
    mine, theirs = await SqlStore.open(tmp_path), await SqlStore.open(tmp_path)
    await mine.journal.append(run_id(1), [started(run_id(1)), ended()], after=0)
    assert await theirs.journal.delete(run_id(1))
    with pytest.raises(StaleWriteError):
        await mine.journal.append(run_id(1), [noted()], after=2)
    assert list(await theirs.journal.read(run_id(1))) == []
    await mine.close()
    await theirs.close()
