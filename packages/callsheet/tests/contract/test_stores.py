"""Every store keeps every promise of the ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from typing_extensions import override

from callsheet.stores.memory.store import MemoryStore
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts import (
    DurableContract,
    InboxContract,
    JournalContract,
    PlanShelfContract,
    StoreContract,
)

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.ports import Store


@pytest.mark.requirement("E1", "E11", "E15", "E18", "S7")
class TestMemoryStore(JournalContract, InboxContract, PlanShelfContract, StoreContract):
    @override
    async def open(self) -> Store:
        return MemoryStore()

    @override
    async def open_backup(self, target: Path) -> Store:
        return MemoryStore(target)


class OnDisk(JournalContract, InboxContract, PlanShelfContract, StoreContract, DurableContract):
    sync: Literal["full", "normal"]

    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"

    @override
    async def open(self) -> Store:
        return await SqlStore.open(self.home, sync=self.sync)

    @override
    async def open_backup(self, target: Path) -> Store:
        return await SqlStore.open(target, sync=self.sync)


@pytest.mark.requirement("E1", "E11", "E15", "E18", "S7")
class TestSqlStoreFull(OnDisk):
    sync = "full"


@pytest.mark.requirement("E1", "E11", "E15", "E18", "S7")
class TestSqlStoreNormal(OnDisk):
    sync = "normal"


class OnServer(JournalContract, InboxContract, PlanShelfContract, StoreContract, DurableContract):
    sync: Literal["full", "normal"]

    @pytest.fixture(autouse=True)
    def _database(self, database: str) -> None:
        self.url = database

    @override
    async def open(self) -> Store:
        return await PostgresStore.open(self.url, sync=self.sync)

    @override
    async def open_backup(self, target: Path) -> Store:
        return await SqlStore.open(target)


@pytest.mark.requirement("E1", "E11", "E15", "E18", "S7", "store:postgresql")
class TestPostgresStoreFull(OnServer):
    sync = "full"


@pytest.mark.requirement("store:postgresql")
class TestPostgresStoreNormal(OnServer):
    sync = "normal"
