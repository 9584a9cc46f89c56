"""Every store keeps lineage, cache, ledger and context as the ports promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from callsheet.stores.memory.store import MemoryStore
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts import (
    CacheContract,
    ContextContract,
    LedgerContract,
    LineageContract,
)

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.ports import Store


@pytest.mark.requirement("E5", "E14", "E16", "budget:ledger-adds-up")
class TestMemoryIndexes(LineageContract, CacheContract, LedgerContract, ContextContract):
    @override
    async def open(self) -> Store:
        return MemoryStore()


@pytest.mark.requirement("E5", "E14", "E16", "budget:ledger-adds-up")
class TestSqlIndexes(LineageContract, CacheContract, LedgerContract, ContextContract):
    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"

    @override
    async def open(self) -> Store:
        return await SqlStore.open(self.home, sync="normal")


@pytest.mark.requirement("E5", "E14", "E16", "budget:ledger-adds-up", "store:postgresql")
class TestPostgresIndexes(LineageContract, CacheContract, LedgerContract, ContextContract):
    @pytest.fixture(autouse=True)
    def _database(self, database: str) -> None:
        self.url = database

    @override
    async def open(self) -> Store:
        return await PostgresStore.open(self.url, sync="normal")
