import asyncio

from callsheet import Context, Engine, Plan, Step, tool

SEATS: dict[str, str] = {}


@tool("flights.cancel", effect="write", idempotent=True)
async def cancel(key: str) -> None:
    """Give a seat back; no harm if there is none."""
    SEATS.pop(key, None)


@tool("flights.book", effect="write", idempotent=True, undo=cancel)
async def book(city: str, ctx: Context) -> dict[str, str]:
    """Book a seat: one for each key, however often it is called."""
    SEATS[ctx.key] = city
    return {"seat": "12A", "city": city}


TRIP = Plan(
    name="trip",
    inputs={"city": {"type": "string"}},
    steps=(
        Step(id="flight", tool="flights.book", args={"city": "${inputs.city}"}),
        Step(id="ok", ask="Keep seat ${steps.flight.seat}?", choices=("keep", "drop")),
    ),
    output="${steps.ok}",
)


async def main() -> None:
    async with Engine.open("trips", tools=[book, cancel]) as engine:
        run = await engine.start(TRIP, inputs={"city": "Oslo"})
        async for status in run.watch():
            for question in status.questions:
                await run.answer(question.step, "keep")
        result = await run.wait()
        print(result.state, result.output, list(SEATS.values()))
        await run.undo()
        result = await run.wait()
        print(result.state, list(SEATS.values()))


if __name__ == "__main__":
    asyncio.run(main())
