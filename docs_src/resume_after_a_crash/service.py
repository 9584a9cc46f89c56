"""A service that goes on with whatever it was doing when it last died."""

import asyncio

from callsheet import Engine, load_tools


async def main() -> None:
    async with Engine.open(".callsheet", tools=load_tools("shop.py")) as engine:
        for head in await engine.runs(open_only=True):
            run = await engine.get(head.run)
            async for result in run.watch():
                for question in result.questions:
                    await run.answer(question.step, "send", by="service")
            print(head.name, (await run.wait()).state)


if __name__ == "__main__":
    asyncio.run(main())
