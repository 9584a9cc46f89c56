"""Ask for a fork twice, as a service does that has died in between: it is one run."""

import asyncio
import sys

from callsheet import Engine, load_tools


async def main(run: str) -> None:
    async with Engine.open(".callsheet", tools=load_tools("film.py")) as engine:
        for _ in range(2):
            fork = await engine.fork(run, "second", {"lens": "long"}, key="second take")
            print(fork.id, (await fork.wait()).state)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
