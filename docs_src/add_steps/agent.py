import asyncio

from callsheet import Engine, Plan


async def main() -> None:
    async with Engine.open("errands") as engine:
        run = await engine.start(Plan(name="errands", steps=()), open=True)
        await run.add([{"id": "bread", "tool": "value", "args": {"value": "a loaf"}}])
        # The first step may be done by now; the next one can refer to it all the same.
        await run.add([{"id": "toast", "tool": "value", "args": {"value": "${steps.bread}"}}])
        await run.seal()
        result = await run.wait()
        print(result.state, result.steps["toast"].output)


asyncio.run(main())
