"""Hears of everything that happens in its own engine."""

import asyncio

from callsheet import Engine, Event, Plan, Progress, Step, Text


def hear(told: Event | Progress | Text) -> None:
    if isinstance(told, Event):
        print(told.seq, told.kind)


async def main() -> None:
    async with Engine.in_memory() as engine:
        stop = engine.listen(hear)
        step = Step(id="tea", tool="value", args={"value": 1})
        await (await engine.start(Plan(steps=(step,)))).wait()
        stop()


if __name__ == "__main__":
    asyncio.run(main())
