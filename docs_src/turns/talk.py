import asyncio

from callsheet import Engine, Limits, tool


@tool(effect="read")
async def weather(city: str) -> dict[str, int]:
    """The weather in a city."""
    return {"degrees": len(city)}


async def main() -> None:
    async with Engine.open("talk", [weather], config="callsheet.toml") as engine:
        turn = await engine.turn(
            "Weather in Oslo and Rome?",
            model="writer",
            tools=["weather"],
            limits=Limits(turn=60),
        )
        async for update in turn.flow():  # text and calls, as they come
            print(update)
        answer = await turn.wait()
        print(answer.text, answer.cost.usd)
        again = await engine.turn("And now?", model="writer", conversation=turn.conversation)
        print((await again.wait()).text)


if __name__ == "__main__":
    asyncio.run(main())
