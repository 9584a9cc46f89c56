"""A service with the studio's routes: a real engine, a real server, a real socket."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.serve.stage import LOCAL, Served

from callsheet import Engine
from callsheet.serve.mcp.mounted import mounted
from callsheet.serve.server import Extras, listening, running
from callsheet.serve.service import Settings
from callsheet_studio import production_tools
from callsheet_studio.serve.routes import production, research

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

ROUTES = (production.brought(), research.brought())
BRIEF: dict[str, Any] = {
    "message": {"core": "Harbor keeps every berth in view.", "cta": "Try Harbor"},
    "content": {"duration": "15s"},
}
LETTER = "Hello,\n\nHarbor keeps every berth in view. We need 15 seconds.\n\nBest,\nAnn\n"


@asynccontextmanager
async def studio_serving(
    home: Path | None = None, tools: Any = None, config: Path | None = None
) -> AsyncIterator[Served]:
    """A service with the studio, for as long as the block goes on."""
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(
            Engine.open(home, tools or production_tools("plan"), recover=False, config=config)
        )
        listener, address = listening("127.0.0.1", 0)
        stack.callback(listener.close)
        agents = await stack.enter_async_context(mounted(frozenset()))
        extras = Extras(routes=ROUTES, mount=agents.mount)
        service = await stack.enter_async_context(
            running(engine, Settings(local_key=LOCAL), listener, extras)
        )
        clients = await stack.enter_async_context(AsyncExitStack())
        yield Served(url=address.url, service=service, engine=engine, stack=clients)
