"""Settles what a stuck run does not know: the transfer of `ada` did not happen."""

import asyncio
import sys

from callsheet import Engine, load_tools


async def main(name: str) -> None:
    async with Engine.open(".callsheet", tools=load_tools("bank.py")) as engine:
        run = await engine.get(name)
        await run.answer("ada", "did_not_happen", by="accounting")
        await run.undo()
        result = await run.wait()
        print(result.state, {step: str(each.state) for step, each in result.steps.items()})


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
