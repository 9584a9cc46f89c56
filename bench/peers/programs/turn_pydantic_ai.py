"""Eight slow calls in a stream, as an agent of pydantic-ai makes them: `URL TIMES`."""

from __future__ import annotations

import asyncio
import sys

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


async def slow(at: str) -> str:
    """Look at something."""
    await asyncio.sleep(1.0)
    return at


async def main() -> None:
    url, times = sys.argv[1], int(sys.argv[2])
    provider = OpenAIProvider(base_url=url, api_key="none")
    agent = Agent(OpenAIChatModel("gpt-4o", provider=provider), tools=[slow])
    for _ in range(times):
        async with agent.iter("Go!") as run:
            async for node in run:
                if Agent.is_model_request_node(node):
                    async with node.stream(run.ctx) as stream:
                        async for _ in stream:
                            pass


asyncio.run(main())
