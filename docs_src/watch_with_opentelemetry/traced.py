"""Prints the spans of a run, as a collector would get them."""

import asyncio

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

from callsheet import Context, Engine, Plan, Step, tool
from callsheet.errors import FatalError
from callsheet.types import Alert, Telemetry


@tool("lamp.find", effect="read")
async def find(room: str, ctx: Context) -> str:
    """Find a lamp."""
    await ctx.sleep(0.1)
    return f"lamp of the {room}"


@tool("lamp.light", effect="write", idempotent=True)
async def light(lamp: str) -> None:
    """Light a lamp."""
    raise FatalError(f"the {lamp} is broken")


def line(span: ReadableSpan) -> str:
    said = span.attributes or {}
    return f"{span.name}: {said.get('callsheet.outcome') or said.get('callsheet.state')}\n"


def tell(alert: Alert) -> None:
    print(f"ALERT {alert.kind}, step {alert.step}: {alert.message}")


async def main() -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(formatter=line)))
    telemetry = Telemetry(tracer_provider=provider)
    plan = Plan(
        name="evening",
        steps=(
            Step(id="lamp", tool="lamp.find", args={"room": "hall"}),
            Step(id="light", tool="lamp.light", args={"lamp": "${steps.lamp}"}, undo="none"),
        ),
    )
    async with Engine.in_memory([find, light], telemetry=telemetry, on_alert=tell) as engine:
        run = await engine.start(plan)
        await run.wait()


if __name__ == "__main__":
    asyncio.run(main())
