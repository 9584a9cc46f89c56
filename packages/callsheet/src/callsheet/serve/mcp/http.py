"""The server at `/mcp` of the service: its keys, scopes, tenants and limits hold here, too."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from callsheet.errors import RateLimitedError
from callsheet.serve.mcp.door import Door
from callsheet.serve.mcp.server import build
from callsheet.serve.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from mcp.server.context import ServerRequestContext
    from starlette.types import ASGIApp, Receive, Scope, Send

    from callsheet.serve.access.caller import Caller
    from callsheet.serve.mcp.apps import Brought
    from callsheet.serve.mcp.call import Row
    from callsheet.serve.mcp.server import CallsheetServer
    from callsheet.serve.service import Service

HERE = "this service; it goes on by itself"
MOST = 5_000_000
"""Bytes of a request, as for a plan that is sent to the service otherwise; the gate counts, too."""


class HttpServer:
    """The server as the service mounts it. Who asks is known: every request came by the gate."""

    def __init__(
        self,
        service: Service,
        secrets: frozenset[str] = frozenset(),
        more: Iterable[Row] = (),
        apps: Iterable[Brought] = (),
    ) -> None:
        self._service = service
        self._secrets = secrets
        self.server: CallsheetServer = build(self.door, more=more, apps=apps)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[ASGIApp]:
        """What answers, for as long as the block goes on."""
        manager = StreamableHTTPSessionManager(self.server.low, max_request_body_size=MOST)
        async with manager.run():
            yield _Answering(manager)

    def door(self, request: ServerRequestContext[Any, Any]) -> Door:
        """The door of whoever has made a request."""
        service = self._service
        assert request.request is not None, "there is one behind every call over HTTP"
        caller: Caller = request.request.scope["caller"]
        return Door(
            tenant=service.tenant(caller, self._secrets),
            may=caller.may,
            secrets=self._secrets,
            here=HERE,
            by=caller.name,
            may_start=lambda: _may_start(service, caller),
            started=lambda run: service.counters.started(caller, run),
        )


class _Answering:
    """ASGI: the session manager, which is told who asks. A session is of the key that began it."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        caller: Caller = scope["caller"]
        token = AccessToken(
            token=caller.key or "",
            client_id=caller.key or caller.name,
            subject=caller.tenant,
            scopes=sorted(caller.scopes),
        )
        scope["user"] = AuthenticatedUser(token)
        await self._manager.handle_request(scope, receive, send)


def _may_start(service: Service, caller: Caller) -> None:
    try:
        service.counters.may_start(caller)
    except Refusal as refusal:
        raise RateLimitedError(refusal.detail, retry_after=refusal.retry_after) from refusal
