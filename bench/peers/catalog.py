"""Which engines there are to compare with, and what each needs to be installed and run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """An engine with an environment of its own."""

    name: str
    """Of its environment, its requirements and its programs."""
    title: str
    npm: str = ""
    """A package of npm that brings its server, where the Python packages do not."""

    @property
    def requirements(self) -> Path:
        return HERE / "requirements" / f"{self.name}.txt"

    @property
    def probe(self) -> str:
        """The module that shows what it does when things go wrong."""
        return f"bench.peers.programs.ask_{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A peer on one of its stores."""

    peer: Peer
    title: str
    arguments: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        return f"bench.peers.programs.on_{self.peer.name}"

    @property
    def slug(self) -> str:
        return "-".join((self.peer.name, *self.arguments))


DBOS = Peer(name="dbos", title="DBOS")
LANGGRAPH = Peer(name="langgraph", title="LangGraph")
RESTATE = Peer(name="restate", title="Restate", npm="@restatedev/restate-server@1.7.12")
TEMPORAL = Peer(name="temporal", title="Temporal")

# Who needs the longest comes first: there is an end to the time, and it should not meet one alone.
PEERS = (TEMPORAL, RESTATE, LANGGRAPH, DBOS)
VARIANTS = (
    Variant(peer=TEMPORAL, title="Temporal, dev server"),
    Variant(peer=RESTATE, title="Restate, one node"),
    Variant(peer=LANGGRAPH, title="LangGraph, SQLite"),
    Variant(peer=DBOS, title="DBOS, PostgreSQL", arguments=("postgres",)),
    Variant(peer=DBOS, title="DBOS, SQLite", arguments=("sqlite",)),
)
