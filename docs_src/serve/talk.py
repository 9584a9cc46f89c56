import asyncio
import os

from callsheet.client import Client


async def main() -> None:
    async with Client("http://127.0.0.1:8400", os.environ.get("CALLSHEET_KEY")) as client:
        turn = await client.turn("wait 0.1 seconds", model="offline", tools=["wait"])
        async for update in turn.flow():
            print(update)
        answer = await turn.wait()
        print(answer.state, answer.text)
        for message in await client.conversations.messages(turn.conversation):
            print(message)


if __name__ == "__main__":
    asyncio.run(main())
