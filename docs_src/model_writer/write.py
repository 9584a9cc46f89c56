import asyncio
from pathlib import Path
from typing import Any

from callsheet import Engine
from callsheet.testing import ModelServer
from callsheet.testing.models import calls
from callsheet_studio import Studio, production_tools

LONG = (
    "Harbor keeps every berth in view, from the first boat to the last, by day and by night, "
    "in calm and in storm, for everybody who has ever waited at a pier for an answer."
)
LINES = {"1.1": "Booked twice?", "1.2": LONG, "1.3": "One live map for all berths.", "2.1": "Go!"}
BEATS: list[Any] = [
    {"id": id, "script": {"action": "A boat in the harbour.", "voiceover": line}}
    for id, line in LINES.items()
]


async def main(config: Path) -> None:
    async with ModelServer() as server:  # stands in for a provider: no key, no network
        server.otherwise(lambda _: calls("c1", "answer", {"beats": BEATS}))
        model = f'[models.local]\nmodel = "openai:gpt-4o"\nbase_url = "{server.openai}"\n'
        await asyncio.to_thread(config.write_text, model)
        async with Engine.open("home", production_tools("script"), config=config) as engine:
            made = await Studio(engine).production(
                "brief.yaml", stop_after="script", writer="local"
            )
            run = await (await engine.get(made.run)).wait()
    for beat in made.script.beats:
        print(beat.id, beat.source, beat.source_step, beat.script.voiceover, sep="  ")
    draft: Any = run.steps["script_draft_1"].output
    for each in draft["violations"]:
        print(each["where"], each["rule"], each["message"], sep="  ")


if __name__ == "__main__":
    asyncio.run(main(Path("models.toml")))
