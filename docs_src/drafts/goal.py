import asyncio

from callsheet import Budget, Engine, tool


@tool(effect="read")
async def weather(city: str) -> dict[str, int]:
    """The weather in a city."""
    return {"degrees": len(city)}


async def main() -> None:
    async with Engine.open("talk", [weather], config="callsheet.toml") as engine:
        run = await engine.plan_for(
            "Which of Oslo, Rome and Bern is the coldest?",
            tools=["weather"],
            model="writer",
            budget=Budget(usd=0.50),
        )
        result = await run.wait()
        print(result.state, result.output)
        print((await engine.drafted(run.id)).to_yaml())


if __name__ == "__main__":
    asyncio.run(main())
