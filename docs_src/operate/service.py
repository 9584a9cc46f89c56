"""A service that finishes what it is doing when it is told to end."""

import asyncio
import signal

from callsheet import Engine, load_tools


async def main() -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with Engine.open(".callsheet", tools=load_tools("shop.py"), drain=20):
        print("ready", flush=True)
        await ended.wait()
    print("drained")


if __name__ == "__main__":
    asyncio.run(main())
