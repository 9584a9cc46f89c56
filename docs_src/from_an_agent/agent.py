import asyncio
from typing import Any

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(command="callsheet", args=["mcp", "--tools", "trips.py"])
PLAN: dict[str, Any] = {
    "name": "trip",
    "inputs": {"city": {"type": "string"}},
    "steps": [{"id": "flight", "tool": "flights.bok", "args": {"to": "${inputs.city}"}}],
    "output": "${steps.flight}",
}


async def main() -> None:
    async with Client(SERVER, read_timeout_seconds=60) as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            return (await client.call_tool(tool, arguments)).structured_content or {}

        checked = await call("plan_check", plan=PLAN)
        for problem in checked["problems"]:
            print(problem["place"], "-", problem["what"], "-", problem["fix"])

        PLAN["steps"][0]["tool"] = "flights.book"
        started = await call("run_start", plan=PLAN, inputs={"city": "Oslo"}, key="oslo-1")
        ended = await call("run_wait", run=started["run"], seconds=50)
        print(ended["state"], "-", ended["output"], "-", ended["next"])

        await call("run_undo", run=started["run"])
        print((await call("run_wait", run=started["run"]))["state"])


if __name__ == "__main__":
    asyncio.run(main())
