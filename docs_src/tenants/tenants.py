import asyncio

from callsheet import Engine
from callsheet.errors import UnknownRunError

PLAN = {
    "name": "greeting",
    "steps": [{"id": "wait", "tool": "wait", "args": {"seconds": 0}}],
}


async def main() -> None:
    async with Engine.in_memory() as engine:
        acme, beta = engine.tenant("acme"), engine.tenant("beta")
        run = await acme.start(PLAN)
        await run.wait()
        print(len(await acme.runs()), len(await beta.runs()))
        try:
            await beta.get(run.id)
        except UnknownRunError as error:
            print(error.code)


if __name__ == "__main__":
    asyncio.run(main())
