"""What all loops of an engine share: ports, the feed, admission, and what is prepared of plans."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Protocol

import msgspec

from callsheet.core.grants import Grants
from callsheet.runtime.clock import AheadClock
from callsheet.runtime.families import Families
from callsheet.runtime.resolve import Templates

if TYPE_CHECKING:
    from datetime import timedelta

    from callsheet.core.ids import RunId
    from callsheet.core.past.result import Result
    from callsheet.core.run.graph import Graph
    from callsheet.core.run.request import Request
    from callsheet.core.run.start import Start
    from callsheet.ports import ArtifactStore, Clock, Provisioner, Secrets, Store, Toolbox
    from callsheet.runtime.admission import Admission
    from callsheet.runtime.feed import Feed
    from callsheet.runtime.journal import WholeJournal

MAX_TEMPLATES = 64


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """What a runtime is given of the world."""

    store: Store
    toolbox: Toolbox
    clock: Clock
    artifacts: ArtifactStore
    secrets: Secrets
    grants: Grants = msgspec.field(default_factory=Grants)
    provisioner: Provisioner | None = None
    """None: nothing is recorded of what runs may use."""


class Runs(Protocol):
    """The other runs, as far as one needs them: those that are its sub-plans."""

    async def begin(self, start: Start) -> None:
        """Have a run started, or go on, if it is there already."""
        ...

    async def exists(self, run: RunId) -> bool:
        """Whether there is such a run."""
        ...

    async def request(self, request: Request) -> None:
        """Do what is asked of a run."""
        ...

    async def paused_by(self, run: RunId) -> str | None:
        """The request that has paused a run; None: it is not paused, or nobody knows."""
        ...

    async def ended(self, run: RunId) -> Result:
        """The result of a run, when it has ended.

        Raises:
            CallsheetError: it is not driven any more and has not ended.
        """
        ...


class Environment:
    """What all loops of an engine share."""

    def __init__(
        self, ports: Ports, *, journal: WholeJournal, feed: Feed, admission: Admission, runs: Runs
    ) -> None:
        self.journal = journal
        self.toolbox = ports.toolbox
        self.clock: Clock = ports.clock
        self.artifacts = ports.artifacts
        self.secrets = ports.secrets
        self.grants = ports.grants
        self.provisioner = ports.provisioner
        self.cache = ports.store.cache
        self.plans = ports.store.plans
        self.lineage = ports.store.lineage
        self.lend = ports.store.lend
        self.feed = feed
        self.admission = admission
        self.families = Families(ports.clock)
        self.runs = runs
        self._templates: dict[int, Templates] = {}

    def ahead(self, by: timedelta) -> Environment:
        """The same, for a run whose time is ahead of everybody else's."""
        shifted = copy(self)
        shifted.clock = AheadClock(self.clock, by)
        return shifted

    def templates_of(self, graph: Graph) -> Templates:
        """The prepared parts of a plan's steps; runs of one plan share them."""
        if graph.grows:
            return Templates(graph, self.toolbox)
        found = self._templates.get(id(graph))
        if found is None or found.graph is not graph:
            if len(self._templates) >= MAX_TEMPLATES:
                self._templates.pop(next(iter(self._templates)))
            found = self._templates[id(graph)] = Templates(graph, self.toolbox)
        return found
