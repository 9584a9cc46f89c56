"""Metrics of OpenTelemetry: calls, their times and costs, runs, doubts, delays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry.metrics import Observation

from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opentelemetry.metrics import CallbackOptions, Meter

    from callsheet.core.past.calls import Call

METRICS = {
    "callsheet.calls": "attempts that have ended, by tool, outcome and class of error",
    "callsheet.call.duration": "seconds of an attempt that succeeded or failed",
    "callsheet.cost": "what calls have cost, by tool and currency",
    "callsheet.in_doubt": "writes of which nobody knew what had become",
    "callsheet.delays": "steps that admission held back: limits, rates, open breakers",
    "callsheet.runs": "runs that have ended, by plan and state",
    "callsheet.runs.active": "runs that are driven here",
    "callsheet.commit.duration": "seconds from an entry's time until it was durable",
    "callsheet.breakers.open": "1 for each tool whose breaker is open",
}


class Meters:
    """The instruments of one engine."""

    def __init__(self, meter: Meter, open_breakers: Callable[[], Iterable[str]]) -> None:
        def counter(name: str) -> Callable[..., None]:
            return meter.create_counter(name, description=METRICS[name]).add

        def histogram(name: str) -> Callable[..., None]:
            return meter.create_histogram(name, "s", METRICS[name]).record

        self._calls = counter("callsheet.calls")
        self._seconds = histogram("callsheet.call.duration")
        self._cost = counter("callsheet.cost")
        self._in_doubt = counter("callsheet.in_doubt")
        self._delays = counter("callsheet.delays")
        self._runs = counter("callsheet.runs")
        active = meter.create_up_down_counter
        self._active = active("callsheet.runs.active", "", METRICS["callsheet.runs.active"]).add
        self._commit = histogram("callsheet.commit.duration")

        def breakers(_: CallbackOptions) -> Iterator[Observation]:
            for tool in open_breakers():
                yield Observation(1, {"tool": tool})

        meter.create_observable_gauge(
            "callsheet.breakers.open", [breakers], "", METRICS["callsheet.breakers.open"]
        )

    def began(self, plan: str) -> None:
        """A run is driven here from now on."""
        self._active(1, {"plan": plan})

    def left(self, plan: str) -> None:
        """It is not any more."""
        self._active(-1, {"plan": plan})

    def tell(self, entry: e.AnyEntry, call: Call | None, *, plan: str, tool: str) -> None:
        """Count an entry; `tool` is that of the step it is about."""
        if call is not None:
            if call.outcome is not None:
                self._tell_call(call)
        elif isinstance(entry, e.StepDelayed):
            self._delays(1, {"tool": tool})
        elif isinstance(entry, e.RunEnded):
            self._runs(1, {"plan": plan, "state": entry.state})

    def committed(self, seconds: float) -> None:
        """An entry has become durable, so long after it was made."""
        self._commit(max(seconds, 0.0))

    def _tell_call(self, call: Call) -> None:
        kind = {"tool": call.tool, "undo": call.undo, "outcome": str(call.outcome)}
        self._calls(1, {**kind, "error_class": call.error_class})
        if call.seconds is not None:
            self._seconds(call.seconds, kind)
        if call.in_doubt:
            self._in_doubt(1, {"tool": call.tool})
        for currency in ("usd", "credits", "tokens"):
            if amount := getattr(call.cost, currency):
                self._cost(amount, {"tool": call.tool, "currency": currency})
