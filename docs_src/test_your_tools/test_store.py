from pathlib import Path

from callsheet.ports import Store
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing.contracts import (
    InboxContract,
    JournalContract,
    PlanShelfContract,
    StoreContract,
)


class TestMyStore(JournalContract, InboxContract, PlanShelfContract, StoreContract):
    async def open(self) -> Store:
        return MemoryStore()  # yours instead

    async def open_backup(self, target: Path) -> Store:
        return MemoryStore(target)
