"""Before a run: its forecast, and what would make the plan better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.problem import Problem
from callsheet.insight.advice import advise
from callsheet.insight.forecast import Forecast, Outlook, forecast
from callsheet.insight.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.run.graph import Graph
    from callsheet.core.value import Json
    from callsheet.insight.statistics import History


MOST_NAMED = 5


class Preflight(Forecast, frozen=True, kw_only=True):
    """A run of a plan, before it is started, and what would make it better."""

    plan: str
    digest: str
    runs: int
    """How many earlier runs it is drawn from."""
    suggestions: tuple[Problem, ...]

    def to_json(self) -> Json:
        """As plain data: every field, amounts with every currency."""
        return plain(self)


def preflight(
    graph: Graph, history: History, inputs: Json, warnings: Iterable[Problem] = ()
) -> Preflight:
    """The preflight of a plan that checks. Pure: the history says all that was ever measured."""
    outlook = Outlook(graph, graph.tools, history.observed(), inputs)
    found = forecast(outlook)
    return Preflight(
        **{name: getattr(found, name) for name in structs.asdict(found)},
        plan=graph.plan.name,
        digest=graph.plan.digest,
        runs=history.runs,
        suggestions=(*warnings, *advise(outlook, found), *_left_out(history)),
    )


def _left_out(history: History) -> Iterable[Problem]:
    if history.passed_over:
        runs = ", ".join(history.passed_over[:MOST_NAMED])
        yield Problem(
            place="plan",
            what=f"{len(history.passed_over)} earlier runs cannot be read and are left out: {runs}",
            fix="`callsheet show` says why.",
            severity="warning",
        )
