import asyncio
import os

from callsheet.client import Client

PLAN = {
    "name": "hello",
    "steps": [{"id": "a", "tool": "value", "args": {"value": "hello"}}],
    "output": "${steps.a}",
}


async def main() -> None:
    async with Client("http://127.0.0.1:8400", os.environ.get("CALLSHEET_KEY")) as client:
        run = await client.start(PLAN)
        async for event in run.events():
            print(event.to_json())
        print((await run.status()).output)


if __name__ == "__main__":
    asyncio.run(main())
