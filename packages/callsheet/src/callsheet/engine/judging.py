"""Verbs of an engine that start nothing: plans read, checked, and judged by what has been."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.core import given
from callsheet.core.plan.inputs import bind_inputs, read_inputs
from callsheet.core.renamed import renamed
from callsheet.engine.checking import Checking
from callsheet.errors import PlanError
from callsheet.runtime.checker import bytes_of, found_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from callsheet.core.plan.plan import Plan
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json
    from callsheet.insight.calibration import Calibration
    from callsheet.insight.foresight import Foresight
    from callsheet.insight.preflight import Preflight
    from callsheet.insight.statistics import ToolStatistics
    from callsheet.ports import Clock, Store, Toolbox
    from callsheet.runtime.checker import Acceptance, CheckedPlan, Checker, PlanLike, Written


class Judging:
    """What `Engine` says of plans and of tools."""

    tools: Toolbox
    _store: Store
    _clock: Clock
    _checker: Checker
    _acceptance: Acceptance

    # Plans

    def read(self, plan: PlanLike) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        return self._checker.read(plan)

    def check(self, plan: PlanLike | Written, *, source: str | Path | None = None) -> Checking:
        """Every problem of a plan and of the saved plans that it names, errors first.

        Against the tools of this engine, in one pass: what is wrong in one place hides nothing
        elsewhere. Each has its patch where the remedy is certain, and its line where the plan is a
        file, or with the file it was read from as `source`. Starts nothing, raises nothing.

        To be awaited. Read at once, it leaves out the saved plans.
        """

        async def whole() -> tuple[Problem, ...]:
            try:
                return await self._acceptance.check(plan, source)
            except PlanError as error:
                return found_in(error)

        def at_once() -> tuple[Problem, ...]:
            try:
                found = self._checker.examine(plan, advise=True).problems
            except PlanError as error:
                return found_in(error)
            return found if source is None else self._checker.located(found, source)

        return Checking(whole, at_once)

    async def examine(
        self, plan: PlanLike, *, source: str | Path | None = None
    ) -> tuple[Problem, ...]:
        """The name of `check` in version 0.1."""
        renamed("examine", "check")
        return await self.check(plan, source=source)

    async def problems(self, plan: PlanLike | Written) -> tuple[Problem, ...]:
        """Another name of `check` in version 0.1."""
        renamed("problems", "check")
        return await self.check(plan)

    def read_inputs(self, path: str | Path) -> dict[str, Json]:
        """Inputs from a YAML or JSON file, as they stand there.

        Raises:
            InputsError: it cannot be read, or is not a mapping.
        """
        return read_inputs(bytes_of(Path(path), "inputs"))

    def bind(self, plan: PlanLike, inputs: Mapping[str, Json]) -> dict[str, Json]:
        """The inputs of a run of this plan, defaults included.

        Raises:
            InputsError: every input that is missing, unknown or does not fit.
        """
        return bind_inputs(self._checker.plan(plan), inputs)

    # Before and after

    async def preflight(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
    ) -> Preflight:
        """What a run will probably take, from what is declared and from earlier runs.

        Without inputs, what depends on them is unknown. Starts nothing, writes nothing.

        Raises:
            PlanError: the plan or the inputs do not check.
        """
        return await self._foresight.preflight(plan, inputs)

    async def statistics(
        self, since: timedelta | None = None, tool: str | None = None, *, limit: int = 1000
    ) -> list[ToolStatistics]:
        """What was made of each tool, in the newest runs, none that started before `since`."""
        if since is not None:
            given.duration("since", since)
        given.text_or_none("tool", tool)
        given.whole("limit", limit)
        return await self._foresight.statistics(since, tool, limit)

    async def calibration(self, *, limit: int = 200) -> Calibration:
        """How good forecasts have been, over the newest runs."""
        given.whole("limit", limit)
        return await self._foresight.calibration(limit)

    @cached_property
    def _foresight(self) -> Foresight:
        from callsheet.insight.foresight import Foresight

        return Foresight(self._store.journal, self._acceptance, self.tools, self._clock)
