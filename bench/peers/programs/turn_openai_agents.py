"""Eight slow calls in a stream, as OpenAI's Agents SDK makes them: `URL TIMES`."""

from __future__ import annotations

import asyncio
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI


@function_tool
async def slow(at: str) -> str:
    """Look at something."""
    await asyncio.sleep(1.0)
    return at


async def main() -> None:
    url, times = sys.argv[1], int(sys.argv[2])
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=url, api_key="none")
    model = OpenAIChatCompletionsModel("gpt-4o", openai_client=client)
    agent = Agent(name="agent", model=model, tools=[slow])
    for _ in range(times):
        run = Runner.run_streamed(agent, "Go!")
        async for _ in run.stream_events():
            pass


asyncio.run(main())
