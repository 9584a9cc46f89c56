"""What the engine needs from the world: protocols only.

The promises below are executable: `callsheet.testing.contracts` runs them against every
implementation. Nothing here knows how a port is implemented, and the runtime knows nothing else.
"""

from callsheet.ports.accounts import Ledger
from callsheet.ports.artifacts import ArtifactStore, Cache, KeptArtifact, Lineage
from callsheet.ports.database import Branch, Database
from callsheet.ports.places import Place, Places
from callsheet.ports.runs import Inbox, Journal, Owners, PlanShelf
from callsheet.ports.store import ContextShelf, Store
from callsheet.ports.time import Clock, Timer
from callsheet.ports.tools import Context, GivenSecrets, Log, Provisioner, Secrets, Toolbox

__all__ = [
    "ArtifactStore",
    "Branch",
    "Cache",
    "Clock",
    "Context",
    "ContextShelf",
    "Database",
    "GivenSecrets",
    "Inbox",
    "Journal",
    "KeptArtifact",
    "Ledger",
    "Lineage",
    "Log",
    "Owners",
    "Place",
    "Places",
    "PlanShelf",
    "Provisioner",
    "Secrets",
    "Store",
    "Timer",
    "Toolbox",
]
