"""Follows the newest run of a home that another process drives."""

import asyncio

from callsheet import Engine, Event


async def main() -> None:
    async with Engine.open(".callsheet", drive=False) as engine:
        head = (await engine.runs(limit=1))[0]
        run = await engine.get(head.run)
        async for told in run.events(after=0):
            if isinstance(told, Event) and told.kind == "AttemptEnded":
                print(told.seq, told.to_json()["step"], told.to_json()["outcome"])
        print((await run.status()).state)


if __name__ == "__main__":
    asyncio.run(main())
