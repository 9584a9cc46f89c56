import asyncio

from callsheet import Engine
from callsheet_studio import Studio, production_tools

BRIEF = {"message": {"core": "Harbor keeps every berth in view."}, "content": {"duration": "30s"}}


async def main() -> None:
    checked = Studio.check(BRIEF)
    print(len(checked.questions), "questions are worth asking")
    async with Engine.open("home", tools=production_tools()) as engine:
        studio = Studio(engine)
        script = await studio.script(BRIEF)
        print(len(script.beats), "beats in", script.frames, "frames")
        making = await studio.make(Studio.commission(BRIEF, out="planned", stop_after="plan"))
        result = await making.run.wait()
        print(result.state)


if __name__ == "__main__":
    asyncio.run(main())
