"""What every store promises, as tests that run on yours.

Subclass the contracts in a test module of your own, say how your store is opened, and let pytest
(with pytest-asyncio in `auto` mode) do the rest:

    class TestMyStore(JournalContract, InboxContract, PlanShelfContract, StoreContract):
        async def open(self) -> Store: ...
        async def open_backup(self, target: Path) -> Store: ...

`LineageContract`, `CacheContract`, `LedgerContract` and `ContextContract` are for its other parts;
`DurableContract` is for stores that outlive the process. Each promise in the docstrings of
`callsheet.ports` is one test with a sentence for a name.
"""

from __future__ import annotations

from callsheet.testing.contracts.artifacts import (
    ArtifactStoreContract,
    DamagedArtifactContract,
    DurableArtifactContract,
)
from callsheet.testing.contracts.cache import CacheContract
from callsheet.testing.contracts.context import ContextContract
from callsheet.testing.contracts.durable import DurableContract
from callsheet.testing.contracts.inbox import InboxContract
from callsheet.testing.contracts.journal import EntriesContract
from callsheet.testing.contracts.ledger import LedgerContract
from callsheet.testing.contracts.lineage import LineageContract
from callsheet.testing.contracts.order import OrderContract
from callsheet.testing.contracts.plans import PlanShelfContract
from callsheet.testing.contracts.runs import RunsContract
from callsheet.testing.contracts.store import StoreContract
from callsheet.testing.contracts.subject import Subject

__all__ = [
    "ArtifactStoreContract",
    "CacheContract",
    "ContextContract",
    "DamagedArtifactContract",
    "DurableArtifactContract",
    "DurableContract",
    "InboxContract",
    "JournalContract",
    "LedgerContract",
    "LineageContract",
    "PlanShelfContract",
    "StoreContract",
    "Subject",
]


class JournalContract(EntriesContract, RunsContract, OrderContract):
    """`callsheet.ports.Journal`: the entries, their order, and the index of runs."""
