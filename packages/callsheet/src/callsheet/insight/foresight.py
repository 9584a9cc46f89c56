"""What an engine knows of the past, and makes of it for the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.past.outputs import Outputs, take_in
from callsheet.core.plan.inputs import bind_inputs
from callsheet.core.run.graph import Graph
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.unknown import UNREADABLE
from callsheet.insight.calibration import calibrate
from callsheet.insight.preflight import preflight
from callsheet.insight.statistics import Statistics, heads
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from callsheet.core.value import Json
    from callsheet.insight.calibration import Calibration
    from callsheet.insight.preflight import Preflight
    from callsheet.insight.statistics import ToolStatistics
    from callsheet.ports import Clock, Journal, Toolbox
    from callsheet.runtime.checker import Acceptance, CheckedPlan, PlanLike


class Foresight:
    """Reads journals and plans; starts nothing, writes nothing."""

    def __init__(
        self, journal: Journal, acceptance: Acceptance, toolbox: Toolbox, clock: Clock
    ) -> None:
        self._journal = journal
        self._acceptance = acceptance
        self._toolbox = toolbox
        self._clock = clock
        self._statistics = Statistics(journal)

    async def preflight(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None,
    ) -> Preflight:
        """What a run of a plan will probably take.

        Raises:
            PlanError: the plan or the inputs do not check.
        """
        accepted = await self._acceptance.accept(plan)
        bound = bind_inputs(accepted.plan, inputs) if inputs is not None else None
        history = await self._statistics.history()
        # All tools there are, also for the steps of sub-plans.
        specs = {name: self._toolbox.spec(name) for name in self._toolbox.names()}
        tools = {name: spec for name, spec in specs.items() if spec is not None}
        graph = Graph(accepted.plan, tools, accepted.children)
        # A forecast is about the plan, not about the file that it may have been read from.
        warnings = (structs.replace(warning, line=None) for warning in accepted.problems)
        return preflight(graph, history, bound, warnings)

    async def statistics(
        self, since: timedelta | None, tool: str | None, limit: int
    ) -> list[ToolStatistics]:
        """What was made of each tool, by name."""
        earliest = self._clock.now() - since if since is not None else None
        history = await self._statistics.history(since=earliest, limit=limit)
        return [each for each in history.statistics() if tool is None or each.tool == tool]

    async def calibration(self, limit: int) -> Calibration:
        """How good the forecasts of the newest runs would have been."""
        journals = []
        async for head in heads(self._journal, limit=limit):
            try:
                entries = await self._journal.read(head.run)
                take_in(snapshot := Snapshot(), Outputs(snapshot), entries)
            except UNREADABLE as exc:
                log.warning("run.unreadable", run=head.run, reason=exc.message)
            else:
                journals.append(entries)
        return calibrate(reversed(journals))
