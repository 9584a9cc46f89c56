"""The parts of a store that are SQL and nothing else: the same on SQLite and on PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.stores.sql.context import SqlContext
from callsheet.stores.sql.inbox import SqlInbox
from callsheet.stores.sql.journal import SqlJournal
from callsheet.stores.sql.ledger import SqlLedger
from callsheet.stores.sql.lineage import SqlCache, SqlLineage
from callsheet.stores.sql.owners import SqlOwners
from callsheet.stores.sql.places import SqlPlaces
from callsheet.stores.sql.plans import SqlShelf

if TYPE_CHECKING:
    from callsheet.ports import (
        Cache,
        ContextShelf,
        Inbox,
        Journal,
        Ledger,
        Lineage,
        Owners,
        Places,
        PlanShelf,
    )
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.owners import Liveness


class SqlParts:
    """What every SQL store consists of."""

    def __init__(self, access: Access, liveness: Liveness) -> None:
        self.journal: Journal = SqlJournal(access)
        self.inbox: Inbox = SqlInbox(access)
        self.plans: PlanShelf = SqlShelf(access)
        self.lineage: Lineage = SqlLineage(access)
        self.cache: Cache = SqlCache(access)
        self.ledger: Ledger = SqlLedger(access)
        self.context: ContextShelf = SqlContext(access)
        self.owners: Owners = SqlOwners(access, liveness)
        self.places: Places = SqlPlaces(access)
