"""What all loops of an engine share: ports, the feed, admission, and what is prepared of plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.runtime.resolve import Templates

if TYPE_CHECKING:
    from callsheet.core.graph import Graph
    from callsheet.ports import Clock, Journal, Toolbox
    from callsheet.runtime.admission import Admission
    from callsheet.runtime.feed import Feed

MAX_TEMPLATES = 64


class Surroundings:
    """What all loops of an engine share."""

    def __init__(
        self, journal: Journal, toolbox: Toolbox, clock: Clock, feed: Feed, admission: Admission
    ) -> None:
        self.journal = journal
        self.toolbox = toolbox
        self.clock = clock
        self.feed = feed
        self.admission = admission
        self._templates: dict[int, Templates] = {}

    def templates_of(self, graph: Graph) -> Templates:
        """The prepared parts of a plan's steps; runs of one plan share them."""
        found = self._templates.get(id(graph))
        if found is None or found.graph is not graph:
            if len(self._templates) >= MAX_TEMPLATES:
                self._templates.pop(next(iter(self._templates)))
            found = self._templates[id(graph)] = Templates(graph, self.toolbox)
        return found
