"""A service with `/mcp` on it, and agents that come with keys."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.serve.stage import LOCAL, SECONDS, Served

from callsheet import Engine
from callsheet.serve.mcp.mounted import mounted
from callsheet.serve.server import listening, running
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.mcp.stage import Outside


@asynccontextmanager
async def serving(outside: Outside, **settings: Any) -> AsyncIterator[Served]:
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(Engine.in_memory(outside.tools(), drain=1.0))
        listener, address = listening("127.0.0.1", 0)
        stack.callback(listener.close)
        extras = await stack.enter_async_context(mounted(frozenset()))
        terms = Settings(local_key=LOCAL, **settings)
        service = await stack.enter_async_context(running(engine, terms, listener, extras))
        clients = await stack.enter_async_context(AsyncExitStack())
        yield Served(url=address.url, service=service, engine=engine, stack=clients)


async def agent(served: Served, key: str | None = None, **settings: Any) -> Client:
    """The official client, with a key or without."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    http = httpx2.AsyncClient(headers=headers, timeout=SECONDS, trust_env=False)
    await served.stack.enter_async_context(http)
    wire = streamable_http_client(f"{served.url}/mcp", http_client=http)
    settings.setdefault("read_timeout_seconds", SECONDS)
    return await served.stack.enter_async_context(Client(wire, **settings))
