"""Spans and metrics as an SDK of OpenTelemetry collects them, from real runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.acceptance.pages import names_in, tables
from tests.acceptance.stage import a_plan, carry_out, records, until

from callsheet import Cost, Engine, Step, tool
from callsheet.errors import FatalError, TransientError
from callsheet.observe import spans
from callsheet.observe.alerts import AlertKind
from callsheet.observe.meters import METRICS
from callsheet.testing import SimulatedClock, World, hangs, raises, returns, simulated, waits
from callsheet.types import Telemetry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractAsyncContextManager

    from opentelemetry.sdk.trace import ReadableSpan

    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing import Call

pytestmark = pytest.mark.requirement("E20")


class Collector:
    """An SDK that keeps what it is told."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self._exporter))
        self._reader = InMemoryMetricReader()
        self.meters = MeterProvider([self._reader])

    def telemetry(self) -> Telemetry:
        return Telemetry(tracer_provider=self.tracers, meter_provider=self.meters)

    def opened(self, world: World, home: Path | None = None) -> AbstractAsyncContextManager[Engine]:
        clock = SimulatedClock()
        return Engine.open(home, world.tools, telemetry=self.telemetry(), clock=clock)

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def one(self, name: str) -> ReadableSpan:
        (span,) = self.named(name)
        return span

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """The points of one metric: attributes, and the value or the sum."""
        return [
            (dict(point.attributes), getattr(point, "value", getattr(point, "sum", None)))
            for metric in self._metrics()
            if metric.name == name
            for point in metric.data.data_points
        ]

    def described(self) -> dict[str, str]:
        return {metric.name: metric.description for metric in self._metrics()}

    def _metrics(self) -> Iterator[Any]:
        data = self._reader.get_metrics_data()
        for resource in data.resource_metrics if data else ():
            for scope in resource.scope_metrics:
                yield from scope.metrics


def said(span: ReadableSpan, *names: str) -> list[object]:
    return [(span.attributes or {}).get(f"callsheet.{name}") for name in names]


def seconds(span: ReadableSpan) -> float:
    assert span.start_time is not None
    assert span.end_time is not None
    return (span.end_time - span.start_time) / 1e9


@simulated
async def test_a_run_is_a_span_with_an_attempt_s_spans_in_it() -> None:
    world, collector = World(), Collector()
    world.tool("look", waits(2.0), version="7")
    async with collector.opened(world) as engine:
        result = await carry_out(engine, a_plan(Step(id="a", tool="look"), name="trip"))
    run, call = collector.one("run trip"), collector.one("call look")
    assert said(run, "run", "plan", "state", "resumed") == [result.run, "trip", "succeeded", False]
    assert said(call, "run", "step", "attempt", "seq") == [result.run, "a", 1, 2]
    assert said(call, "tool", "tool.version", "tool.effect") == ["look", "7", "read"]
    assert said(call, "outcome", "error.class") == ["succeeded", None]
    assert call.parent is not None
    assert call.parent.span_id == run.context.span_id
    assert f"{run.context.trace_id:032x}" == Telemetry.trace_id(result.run)
    assert (seconds(call), seconds(run)) == (2.0, 2.0)


@simulated
async def test_every_attempt_and_every_undo_has_a_span_of_its_own() -> None:
    world, collector = World(), Collector()
    world.tool("book", returns(1), effect="write", undo="unbook", cost=Cost(usd=0.5))
    world.tool("unbook", returns(), effect="write", idempotent=True)
    world.tool("flaky", [raises(TransientError("x")), raises(FatalError("no"))])
    async with collector.opened(world) as engine:
        plan = a_plan(Step(id="a", tool="book"), Step(id="b", tool="flaky", needs=("a",)))
        await carry_out(engine, plan)
    attempts = collector.named("call flaky")
    assert [said(span, "attempt", "error.class") for span in attempts] == [
        [1, "transient"],
        [2, "fatal"],
    ]
    assert [span.status.is_ok for span in attempts] == [False, False]
    assert said(collector.one("undo with unbook"), "undo", "step") == [True, "a"]
    assert said(collector.one("call book"), "cost.usd") == [0.5]
    run = collector.one("run plan")
    assert said(run, "state", "cause") == ["undone", "failure"]
    assert not run.status.is_ok


@simulated
async def test_spans_have_the_times_of_the_journal() -> None:
    world, collector = World(), Collector()
    world.tool("look", waits(1.5))
    async with collector.opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="look")))
        await run.wait()
        (started,) = await records(run, "AttemptStarted")
        (ended,) = await records(run, "AttemptEnded")
    call = collector.one("call look")
    assert call.start_time == pytest.approx(started.at.timestamp() * 1e9, abs=2000)
    assert call.end_time == pytest.approx(ended.at.timestamp() * 1e9, abs=2000)


@simulated
async def test_a_span_that_a_tool_makes_hangs_under_its_attempt() -> None:
    world, collector = World(), Collector()
    tracer = collector.tracers.get_tracer("mine")

    async def works(_call: Call, ctx: Context) -> Json:
        with tracer.start_as_current_span("inside"):
            await ctx.sleep(1.0)
        return None

    world.tool("look", works)
    async with collector.opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="look", for_each=[1, 2])))
    parents = {span.parent.span_id for span in collector.named("inside") if span.parent}
    assert parents == {span.context.span_id for span in collector.named("call look")}
    assert len(parents) == 2


@simulated
async def test_whoever_started_a_run_is_linked_to_it() -> None:
    world, collector = World(), Collector()
    world.tool("look", returns(1))
    tracer = collector.tracers.get_tracer("mine")
    async with collector.opened(world) as engine:
        with tracer.start_as_current_span("request") as request:
            await carry_out(engine, a_plan(Step(id="a", tool="look")))
    (link,) = collector.one("run plan").links
    assert link.context.span_id == request.get_span_context().span_id


@simulated
async def test_a_resumed_run_goes_on_in_the_same_trace_and_says_so(tmp_path: Path) -> None:
    collector, first, second = Collector(), World(), World()
    first.tool("look", hangs())
    second.tool("look", returns(1))
    async with collector.opened(first, tmp_path) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="look"), name="trip"))
        await until(run, "AttemptStarted")
    interrupted = collector.one("run trip")
    assert said(interrupted, "interrupted", "state") == [True, None]
    async with collector.opened(second, tmp_path) as engine:
        await (await engine.get(run.id)).wait()
    resumed = collector.named("run trip")[1]
    assert resumed.context.trace_id == interrupted.context.trace_id
    assert said(resumed, "resumed", "state", "plan") == [True, "succeeded", "trip"]
    kinds = {(link.attributes or {})["callsheet.link"] for link in resumed.links}
    assert "resumed" in kinds
    lost, again = collector.named("call look")
    assert said(lost, "outcome", "attempt", "tool") == ["lost", 1, "look"]
    assert said(again, "outcome", "attempt") == ["succeeded", 2]
    assert again.parent is not None
    assert again.parent.span_id == resumed.context.span_id


@simulated
async def test_a_sub_plan_is_a_run_of_its_own_that_is_linked_to_its_parent() -> None:
    world, collector = World(), Collector()
    world.tool("look", returns(1))
    inner = a_plan(Step(id="x", tool="look"), name="inner")
    async with collector.opened(world) as engine:
        result = await carry_out(engine, a_plan(Step(id="a", plan=inner), name="outer"))
    links = [link.context.trace_id for link in collector.one("run inner").links]
    assert int(Telemetry.trace_id(result.run), 16) in links
    assert (
        collector.one("call look").context.trace_id == collector.one("run inner").context.trace_id
    )


@simulated
async def test_steps_that_are_added_later_have_spans_with_their_tools() -> None:
    world, collector = World(), Collector()
    world.tool("look", returns(1))
    world.tool("find", returns(2))
    async with collector.opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="look")), open=True)
        await run.add([Step(id="b", tool="find")])
        await run.seal()
        await run.wait()
        assert [each.tool for each in await engine.statistics()] == ["find", "look"]
    assert said(collector.one("call find"), "step", "outcome") == ["b", "succeeded"]


@simulated
async def test_metrics_count_calls_times_costs_and_runs() -> None:
    world, collector = World(), Collector()
    world.tool("paid", waits(2.0), cost=Cost(usd=0.25), ceiling=Cost(usd=0.5))
    world.tool("pay", raises(RuntimeError("gone")), effect="write")
    async with collector.opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="paid", for_each=[1, 2]), name="good"))
        await carry_out(engine, a_plan(Step(id="a", tool="pay", in_doubt="fail"), name="bad"))
        assert collector.points("callsheet.runs.active") == [
            ({"plan": "good"}, 0),
            ({"plan": "bad"}, 0),
        ]
    good = {"tool": "paid", "undo": False, "outcome": "succeeded"}
    bad = {"tool": "pay", "undo": False, "outcome": "failed"}
    assert collector.points("callsheet.calls") == [
        ({**good, "error_class": ""}, 2),
        ({**bad, "error_class": "fatal"}, 1),
    ]
    assert collector.points("callsheet.call.duration")[0] == (good, 4.0)
    assert collector.points("callsheet.cost") == [({"tool": "paid", "currency": "usd"}, 0.5)]
    assert collector.points("callsheet.in_doubt") == [({"tool": "pay"}, 1)]
    assert collector.points("callsheet.runs") == [
        ({"plan": "good", "state": "succeeded"}, 1),
        ({"plan": "bad", "state": "failed"}, 1),
    ]
    assert len(collector.points("callsheet.commit.duration")) == 1


@simulated
async def test_an_open_breaker_and_the_delay_it_makes_are_metrics() -> None:
    world, collector = World(), Collector()
    world.tool("down", [raises(TransientError("x")), returns(1)])
    async with collector.opened(world) as engine:
        step = Step(id="a", tool="down", for_each=[1, 2, 3, 4, 5, 6])
        run = await engine.start(a_plan(step, concurrency=5))
        await until(run, "StepDelayed")
        assert collector.points("callsheet.breakers.open") == [({"tool": "down"}, 1)]
        await run.wait()
        assert collector.points("callsheet.delays")[0][0] == {"tool": "down"}
        assert collector.points("callsheet.breakers.open") == []


@simulated
async def test_a_run_that_is_left_is_no_longer_active() -> None:
    world, collector = World(), Collector()
    world.tool("look", hangs())
    async with collector.opened(world) as engine:
        await until(await engine.start(a_plan(Step(id="a", tool="look"))), "AttemptStarted")
        assert collector.points("callsheet.runs.active") == [({"plan": "plan"}, 1)]
    assert collector.points("callsheet.runs.active") == [({"plan": "plan"}, 0)]


@simulated
async def test_what_can_be_measured_is_measured_and_described() -> None:
    world, collector = World(), Collector()
    world.tool("down", [raises(TransientError("x")), hangs()], cost=Cost(usd=1))
    world.tool("pay", raises(RuntimeError("gone")), effect="write")
    async with collector.opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="pay", in_doubt="fail")))
        step = Step(id="a", tool="down", for_each=[1, 2, 3, 4, 5, 6])
        await until(await engine.start(a_plan(step, concurrency=5)), "StepDelayed")
        assert collector.described() == METRICS


def test_every_metric_and_every_attribute_of_a_span_is_on_the_page() -> None:
    said = tables("docs/reference/observability.md")
    assert {names_in(row[0])[0] for row in said["Metrics"]} == set(METRICS)
    assert {names_in(row[0])[0] for row in said["Alerts"]} == set(get_args(AlertKind))
    source = Path(spans.__file__).read_text("utf-8")
    set_there = set(re.findall(r'"(callsheet\.[a-z._]*[a-z])"', source)) - {"callsheet.link"}
    currencies = {f"callsheet.cost.{name}" for name in ("usd", "credits", "tokens")}
    on_page = {name for row in said["Spans"] for name in names_in(row[0])}
    assert on_page == set_there | currencies


@simulated
async def test_without_an_sdk_it_does_nothing_and_harms_nobody() -> None:
    world = World()
    world.tool("look", returns(1))
    async with Engine.in_memory(world.tools, telemetry=True, clock=SimulatedClock()) as engine:
        result = await carry_out(engine, a_plan(Step(id="a", tool="look")))
    assert result.state == "succeeded"
    assert not trace.get_current_span().is_recording()


@simulated
async def test_spans_and_metrics_hold_no_arguments_no_outputs_and_no_messages() -> None:
    world, collector = World(), Collector()
    world.tool("look", [raises(TransientError("s3cret")), returns("s3cret")])
    async with collector.opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="look", args={"x": "s3cret"})))
    for span in collector.spans:
        assert "s3cret" not in span.to_json()


@pytest.mark.requirement("tool:traceback")
@simulated
async def test_an_unexpected_exception_is_an_event_of_its_span() -> None:
    @tool(effect="read")
    async def look() -> None:
        raise KeyError("b")  # here

    world, collector = World(), Collector()
    world.tools.append(look)
    async with collector.opened(world) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="look")))
    (span,) = collector.named("call look")
    (event,) = [each for each in span.events if each.name == "exception"]
    assert event.attributes is not None
    assert event.attributes["exception.type"] == "KeyError"
    assert "# here" in str(event.attributes["exception.stacktrace"])


# A process of its own: whether something is imported can be seen only where nothing was.
@pytest.mark.slow
def test_nobody_who_does_not_ask_for_telemetry_imports_it() -> None:
    program = """
import asyncio, sys
from callsheet import Engine, Plan, Step
async def main():
    async with Engine.in_memory(on_alert=print) as engine:
        step = Step(id="a", tool="value", args={"value": 1})
        await (await engine.start(Plan(steps=(step,)))).wait()
asyncio.run(main())
sys.exit(any(name.startswith("opentelemetry") for name in sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
