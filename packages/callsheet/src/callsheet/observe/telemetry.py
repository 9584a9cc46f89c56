"""Telemetry: an engine's runs as spans and metrics of OpenTelemetry.

A listener on the feed, and a toolbox around the toolbox: nothing else in the engine knows of it.
Imported only when it is asked for. Without an SDK that somebody has set up, all of it does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry import context, metrics, trace
from typing_extensions import override

from callsheet.core.past.calls import Calls
from callsheet.core.run import entries as e
from callsheet.observe.meters import Meters
from callsheet.observe.spans import RunSpans, context_of
from callsheet.ports import Toolbox
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span, TracerProvider

    from callsheet.core.ids import RunId
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Context
    from callsheet.runtime.feed import Told
    from callsheet.runtime.runtime import Runtime

SCOPE = "callsheet"


@dataclass(slots=True)
class _Seen:
    """A run that is driven here."""

    plan: str
    calls: Calls
    spans: RunSpans


class Telemetry:
    """Spans and metrics of one engine: `Engine.open(telemetry=Telemetry())`, or `telemetry=True`.

    Providers that are not given are the global ones.
    """

    def __init__(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        self._tracer = trace.get_tracer(SCOPE, tracer_provider=tracer_provider)
        self._meter = metrics.get_meter(SCOPE, meter_provider=meter_provider)
        self._runs: dict[RunId, _Seen] = {}
        self._runtime: Runtime
        self._clock: Clock
        self._meters: Meters

    @staticmethod
    def trace_id(run: str) -> str:
        """The id of a run's trace, as back ends write it."""
        return f"{context_of(run).trace_id:032x}"

    def attach(self, runtime: Runtime, clock: Clock) -> None:
        """Listen to an engine; called by the engine itself, before anything is driven."""
        self._runtime = runtime
        self._clock = clock
        self._meters = Meters(self._meter, runtime.open_breakers)
        runtime.feed.listen(self)

    def around(self, toolbox: Toolbox) -> Toolbox:
        """The same tools, called inside the span of their attempt."""
        return _TracedTools(toolbox, self)

    def __call__(self, told: Told) -> None:
        """Hear of an event."""
        if not isinstance(told, Event):
            return
        entry, seen = told.entry, self._runs.get(told.run)
        if seen is None:
            seen = self._begin(told)
        call = seen.calls.take(entry)
        seen.spans.tell(told, call)
        tool = seen.calls.tool_of(entry.step) if isinstance(entry, e.StepDelayed) else ""
        self._meters.tell(entry, call, plan=seen.plan, tool=tool)
        self._meters.committed((self._clock.now() - entry.at).total_seconds())
        if isinstance(entry, e.RunEnded):
            del self._runs[told.run]
            self._meters.left(seen.plan)

    def close(self) -> None:
        """The engine closes: end what is open."""
        for seen in self._runs.values():
            seen.spans.close()
            self._meters.left(seen.plan)
        self._runs.clear()

    def span_of(self, run: RunId, step: str, attempt: int, *, undo: bool) -> Span | None:
        """The span of an attempt that goes on."""
        seen = self._runs.get(run)
        return seen.spans.of_attempt(step, attempt, undo=undo) if seen else None

    def _begin(self, event: Event) -> _Seen:
        entry = event.entry
        if isinstance(entry, e.RunStarted):
            plan, calls = entry.plan, Calls()
        else:
            # Somebody else began it, and it goes on here; its loop knows what it consists of.
            graph = self._runtime.graph_of(event.run)
            plan, calls = graph.plan, Calls.of_graph(graph)
        spans = RunSpans(self._tracer, event, plan=plan.name, digest=plan.digest)
        self._meters.began(plan.name)
        seen = self._runs[event.run] = _Seen(plan.name, calls, spans)
        return seen


class _TracedTools(Toolbox):
    """Tools whose own spans hang under the attempt's."""

    def __init__(self, toolbox: Toolbox, telemetry: Telemetry) -> None:
        self._toolbox = toolbox
        self._telemetry = telemetry

    @override
    def spec(self, name: str) -> ToolSpec | None:
        return self._toolbox.spec(name)

    @override
    def names(self) -> Sequence[str]:
        return self._toolbox.names()

    @override
    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        undo = ctx.key.endswith(":undo")
        span = self._telemetry.span_of(ctx.run, ctx.step, ctx.attempt, undo=undo)
        if span is None:
            return await self._toolbox.call(name, args, ctx)
        token = context.attach(trace.set_span_in_context(span))
        try:
            return await self._toolbox.call(name, args, ctx)
        finally:
            context.detach(token)

    @override
    async def close(self) -> None:
        await self._toolbox.close()
