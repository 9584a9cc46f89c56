"""`/mcp` on the service. The protocol is imported when somebody first asks for it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.routing import Route

from callsheet.serve.alongside import alongside
from callsheet.serve.server import Extras

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

    from callsheet.serve.mcp.http import HttpServer
    from callsheet.serve.service import Service

PATH = "/mcp"


@asynccontextmanager
async def mounted(secrets: frozenset[str], *, apps: bool = True) -> AsyncIterator[Extras]:
    """What is served beside the routes of the service: nothing, where the extra is missing.

    `apps`: with what installed apps bring.
    """
    if find_spec("mcp") is None:
        yield Extras()
        return
    late = _Late(secrets, apps=apps)
    async with alongside(mcp=late.keep()):
        yield Extras(mount=late.mount)


class _Late:
    """ASGI: asks for the server, waits for it, and has it answer."""

    def __init__(self, secrets: frozenset[str], *, apps: bool) -> None:
        self._secrets = secrets
        self._apps = apps
        self._service: Service | None = None
        self._wanted = asyncio.Event()
        self._there: asyncio.Future[ASGIApp] = asyncio.get_running_loop().create_future()

    def mount(self, app: FastAPI) -> None:
        """Answer at `/mcp`."""
        self._service = app.state.service
        app.router.routes.append(Route(PATH, endpoint=self))

    async def keep(self) -> None:
        """Once it is wanted, have the server at hand for as long as the service serves."""
        await self._wanted.wait()
        if self._service is None:
            return
        server = await asyncio.to_thread(_made, self._service, self._secrets, apps=self._apps)
        async with server.running() as answering:
            self._there.set_result(answering)
            await self._service.closed()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        self._wanted.set()
        await (await asyncio.shield(self._there))(scope, receive, send)


def _made(service: Service, secrets: frozenset[str], *, apps: bool) -> HttpServer:
    # Here: it takes a second, and most services are never asked for it.
    from callsheet.serve.mcp.apps import brought_by_apps
    from callsheet.serve.mcp.http import HttpServer

    return HttpServer(service, secrets, apps=brought_by_apps() if apps else ())
