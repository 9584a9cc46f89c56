"""A service to ask: a real engine, a real server, a real socket."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
import msgspec

from callsheet import Engine, tool
from callsheet.chat import steering_tools
from callsheet.serve.access.caller import SCOPES, Limits
from callsheet.serve.server import Extras, listening, running
from callsheet.serve.service import Service, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

LOCAL = "cs_the-key-of-the-home"
SECONDS = 60.0
"""How long anything may take, on a very busy machine too."""
HELLO = {
    "name": "hello",
    "steps": [{"id": "a", "tool": "value", "args": {"value": "hello"}}],
    "output": "${steps.a}",
}
ASKS = {
    "name": "asks",
    "steps": [
        {"id": "ok", "ask": "Go on?", "choices": ["yes", "no"]},
        {"id": "then", "tool": "value", "args": {"value": "${steps.ok}"}},
    ],
    "output": "${steps.then}",
}


@tool(effect="write", undo="unbook")
async def book(city: str) -> dict[str, str]:
    """Book something."""
    return {"id": city}


@tool(effect="write", idempotent=True)
async def unbook(args: dict[str, str]) -> None:
    """Take it back."""


class Served(msgspec.Struct, kw_only=True):
    """A service that runs."""

    url: str
    service: Service
    engine: Engine
    stack: AsyncExitStack
    loop: asyncio.AbstractEventLoop = msgspec.field(default_factory=asyncio.get_running_loop)

    async def client(self, key: str | None = None, **headers: str) -> httpx.AsyncClient:
        """A client of it, with a key or without."""
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        return await self.stack.enter_async_context(
            httpx.AsyncClient(base_url=self.url, headers=headers, timeout=SECONDS, trust_env=False)
        )

    async def key(
        self, tenant: str, scopes: Iterable[str] = SCOPES, limits: Limits | None = None
    ) -> str:
        """A new key."""
        return (await self.service.keys.new(tenant, f"{tenant}-key", scopes, limits=limits))[1]

    async def tenant(
        self, tenant: str, scopes: Iterable[str] = SCOPES, limits: Limits | None = None
    ) -> httpx.AsyncClient:
        """A client with a new key of a tenant."""
        return await self.client(await self.key(tenant, scopes, limits))

    async def owner(self) -> httpx.AsyncClient:
        """A client with the key of the home."""
        return await self.client(LOCAL)


@asynccontextmanager
async def serving(
    home: str | Path | None,
    settings: Settings | None = None,
    *,
    talks: bool = False,
    extras: Extras | None = None,
    **options: Any,
) -> AsyncIterator[Served]:
    """A service on a home, for as long as the block goes on; one that `talks` steers runs."""
    options.setdefault("tools", [book, unbook])
    opened: list[Engine] = []
    if talks:
        options["tools"] = [*options["tools"], *steering_tools(lambda: opened[0])]
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(Engine.open(home, recover=False, **options))
        opened.append(engine)
        listener, address = listening("127.0.0.1", 0)
        stack.callback(listener.close)
        settings = settings or Settings(local_key=LOCAL)
        service = await stack.enter_async_context(running(engine, settings, listener, extras))
        clients = await stack.enter_async_context(AsyncExitStack())
        yield Served(url=address.url, service=service, engine=engine, stack=clients)


async def started(client: httpx.AsyncClient, plan: object = HELLO, **more: Any) -> str:
    """The id of a run that was started."""
    answer = await client.post("/api/runs", json={"plan": plan, **more})
    assert answer.status_code in (200, 201), answer.text
    run: str = answer.json()["run"]
    return run


async def until(client: httpx.AsyncClient, run: str, *states: str) -> Any:
    """A run, once it is in one of these states."""
    async with client.stream("GET", f"/api/runs/{run}/events?coalesce=20ms") as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                found = msgspec.json.decode(line.removeprefix("data: "))
                if found["state"] in states:
                    return found
    raise AssertionError(f"{run} never was {states}")


class Heard(msgspec.Struct, frozen=True):
    """One server-sent event."""

    event: str
    data: Any
    id: int | None


async def heard(lines: AsyncIterator[str]) -> AsyncIterator[Heard]:
    """The events of a stream; pings and hints are left out."""
    found: dict[str, str] = {}
    async for line in lines:
        if line and not line.startswith(":"):
            name, _, text = line.partition(": ")
            found[name] = text
        elif "data" in found:
            number = int(found["id"]) if "id" in found else None
            yield Heard(found["event"], msgspec.json.decode(found["data"]), number)
            found = {}
