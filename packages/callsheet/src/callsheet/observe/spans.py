"""Spans of OpenTelemetry: one for a run, one for each attempt in it, with the journal's times.

All spans of a run share a trace, whose id is drawn from the run's: a run that is resumed by another
process goes on in the same trace, with a new span that is linked to the run's own context.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from opentelemetry import trace
from opentelemetry.trace import Link, NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags

from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry.context import Context as OtelContext
    from opentelemetry.trace import Span, Tracer
    from opentelemetry.util.types import AttributeValue

    from callsheet.core.past.calls import Call
    from callsheet.runtime.feed import Event

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_QUIET = (e.StepDecided, e.StepExpanded, e.CheckpointSaved, e.TimerFired, e.RunStarted, e.RunEnded)
"""Entries that are no event of the run's span: too many, or said by the span itself."""


def context_of(run: str) -> SpanContext:
    """What all spans of a run hang on, in whatever process they are made."""
    digest = hashlib.sha256(f"callsheet run\n{run}".encode()).digest()
    return SpanContext(
        trace_id=int.from_bytes(digest[:16], "big"),
        span_id=int.from_bytes(digest[16:24], "big"),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )


class RunSpans:
    """The spans of one run, as far as this process has to do with it."""

    def __init__(self, tracer: Tracer, event: Event, *, plan: str, digest: str) -> None:
        self._tracer = tracer
        context = trace.set_span_in_context(NonRecordingSpan(context_of(event.run)))
        resumed = not isinstance(event.entry, e.RunStarted)
        self._run = tracer.start_span(
            f"run {plan}",
            context,
            attributes={
                "callsheet.run": event.run,
                "callsheet.plan": plan,
                "callsheet.plan.digest": digest,
                "callsheet.resumed": resumed,
            },
            links=list(_links(event)),
            start_time=nanoseconds(event.entry.at),
        )
        self._within: OtelContext = trace.set_span_in_context(self._run)
        self._attempts: dict[tuple[str, int, bool], Span] = {}

    def of_attempt(self, step: str, attempt: int, *, undo: bool) -> Span | None:
        """The span of an attempt that goes on."""
        return self._attempts.get((step, attempt, undo))

    def tell(self, event: Event, call: Call | None) -> None:
        """Take an event into account."""
        entry = event.entry
        if call is not None:
            self._tell_call(event, call)
        elif isinstance(entry, e.RunEnded):
            self._end_run(event, entry)
        elif not isinstance(entry, _QUIET):
            said: dict[str, AttributeValue] = {"callsheet.seq": event.seq}
            if step := getattr(entry, "step", None):
                said["callsheet.step"] = step
            self._run.add_event(event.kind, said, nanoseconds(entry.at))

    def close(self) -> None:
        """The run is no longer driven here: whatever is open ends, unfinished."""
        for span in (*self._attempts.values(), self._run):
            span.set_attribute("callsheet.interrupted", value=True)
            span.end()
        self._attempts.clear()

    def _tell_call(self, event: Event, call: Call) -> None:
        name = (call.step, call.attempt, call.undo)
        at = nanoseconds(event.entry.at)
        span = self._attempts.pop(name, None) or self._begin(event, call, at)
        if call.outcome is None:
            self._attempts[name] = span
            return
        span.set_attributes(_outcome(call))
        if call.outcome != "succeeded":
            if call.error is not None and call.error.traceback:
                span.add_event("exception", _exception(call.error), at)
            span.set_status(Status(StatusCode.ERROR, call.error_class))
        span.end(at)

    def _begin(self, event: Event, call: Call, at: int) -> Span:
        return self._tracer.start_span(
            f"{'undo with' if call.undo else 'call'} {call.tool}",
            self._within,
            attributes={
                "callsheet.run": event.run,
                "callsheet.seq": event.seq,
                "callsheet.step": call.step,
                "callsheet.attempt": call.attempt,
                "callsheet.undo": call.undo,
                "callsheet.tool": call.tool,
                "callsheet.tool.version": call.version,
                "callsheet.tool.effect": call.effect,
            },
            start_time=at,
        )

    def _end_run(self, event: Event, entry: e.RunEnded) -> None:
        self._run.set_attributes({"callsheet.state": entry.state, "callsheet.seq": event.seq})
        if entry.cause is not None:
            self._run.set_attribute("callsheet.cause", entry.cause.kind)
        if entry.state != "succeeded":
            self._run.set_status(Status(StatusCode.ERROR, entry.state))
        self._run.end(nanoseconds(entry.at))


def _links(event: Event) -> Iterator[Link]:
    """To whoever started it, to the run it belongs to, and to what it goes on with."""
    entry = event.entry
    caller = trace.get_current_span().get_span_context()
    if caller.is_valid:
        yield Link(caller, {"callsheet.link": "caller"})
    if not isinstance(entry, e.RunStarted):
        yield Link(context_of(event.run), {"callsheet.link": "resumed"})
    elif entry.parent is not None:
        yield Link(context_of(entry.parent.run), {"callsheet.link": "parent"})
    elif entry.forked_from is not None:
        yield Link(context_of(entry.forked_from.run), {"callsheet.link": "forked"})


def _outcome(call: Call) -> dict[str, AttributeValue]:
    said: dict[str, AttributeValue] = {"callsheet.outcome": str(call.outcome)}
    if call.error_class:
        said["callsheet.error.class"] = call.error_class
    if call.in_doubt:
        said["callsheet.in_doubt"] = True
    for currency in ("usd", "credits", "tokens"):
        if amount := getattr(call.cost, currency):
            said[f"callsheet.cost.{currency}"] = amount
    return said


def _exception(error: e.Failure) -> dict[str, AttributeValue]:
    """An exception that nobody expected, in the words of the semantic conventions."""
    return {
        "exception.type": error.type or error.error_class,
        "exception.message": error.message,
        "exception.stacktrace": error.traceback,
    }


def nanoseconds(at: datetime) -> int:
    """A time as spans want it."""
    return (at - _EPOCH) // _MICROSECOND * 1000
