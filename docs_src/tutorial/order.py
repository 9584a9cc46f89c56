"""Starts an order from Python, follows it, and answers for the customer."""

import asyncio

from callsheet import Engine, load_tools


async def main() -> None:
    async with Engine.open("home", tools=load_tools("shop.py")) as engine:
        run = await engine.start("order.yaml", inputs={"address": "Bergen"}, key="order-17")
        async for status in run.watch():
            for question in status.questions:
                await run.answer(question.step, "send", by="shop")
        result = await run.wait()
        print(result.state, result.output)
        again = await engine.start("order.yaml", inputs={"address": "Bergen"}, key="order-17")
        print("the same run:", again.id == run.id)


if __name__ == "__main__":
    asyncio.run(main())
