"""What the engine needs from the world: protocols only.

The promises below are executable: `callsheet.testing.contracts` runs them against every
implementation. Nothing here knows how a port is implemented, and the runtime knows nothing else.
"""

from callsheet.ports.accounts import Account, Ledger, Posting, PostingKind
from callsheet.ports.artifacts import (
    ArtifactStore,
    ArtifactUse,
    Cache,
    CachedCall,
    KeptArtifact,
    Lineage,
    UseRole,
)
from callsheet.ports.database import Branch, Database
from callsheet.ports.runs import (
    Inbox,
    Journal,
    PlanShelf,
    Request,
    RequestKind,
    RunHead,
    SavedPlan,
    Settled,
)
from callsheet.ports.store import ContextItem, ContextShelf, Store
from callsheet.ports.time import Clock, Timer
from callsheet.ports.tools import Context, Log, Secrets, Toolbox

__all__ = [
    "Account",
    "ArtifactStore",
    "ArtifactUse",
    "Branch",
    "Cache",
    "CachedCall",
    "Clock",
    "Context",
    "ContextItem",
    "ContextShelf",
    "Database",
    "Inbox",
    "Journal",
    "KeptArtifact",
    "Ledger",
    "Lineage",
    "Log",
    "PlanShelf",
    "Posting",
    "PostingKind",
    "Request",
    "RequestKind",
    "RunHead",
    "SavedPlan",
    "Secrets",
    "Settled",
    "Store",
    "Timer",
    "Toolbox",
    "UseRole",
]
