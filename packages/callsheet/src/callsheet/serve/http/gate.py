"""The gate: every request comes through here, and what it is answered with goes out through here.

It sees who is asking, refuses what nobody may ask, bounds what is read, and puts on every answer
the headers that keep a browser from making more of it than it is.
"""

from __future__ import annotations

import asyncio
import ipaddress
import traceback
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from callsheet.runtime.log import log
from callsheet.serve.access import local
from callsheet.serve.access.caller import Caller, keyless, owner
from callsheet.serve.http import cors
from callsheet.serve.problems import Refusal, refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from callsheet.serve.service import Service

OPEN = frozenset({"/", "/health", "/ready", "/openapi.json"})
"""What anybody may read: it says nothing of anybody."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
STALLED = 30.0
"""Seconds in which at least `LEAST` bytes of a body must arrive."""
LEAST = 1024
BEARER = "Bearer "
_LARGER = 5
"""A plan may be so many times as large as another body."""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}


class Gate:
    """ASGI middleware; the caller of a request is in its scope as `caller`."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = self._service.request_id()
        headers = Headers(scope=scope)
        shared = cors.headers_for(headers, self._service.settings.origins)
        if shared and cors.is_preflight(scope["method"], headers):
            await Response(status_code=204, headers={**cors.ALLOWED, **shared})(
                scope, receive, send
            )
            return
        await self._answered(scope, receive, send, shared)

    async def _answered(
        self, scope: Scope, receive: Receive, send: Send, shared: Mapping[str, str]
    ) -> None:
        headers, request = Headers(scope=scope), scope["request_id"]
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _dress(message, request, shared)
            await send(message)

        caller: Caller | None = None
        try:
            caller = scope["caller"] = await self._caller(scope, headers)
            self._pass(scope, headers, caller)
            body = _Body(receive, _most(scope["path"], caller))
            body.must_fit(headers)
            await self._app(scope, body, answer)
        except Refusal as refusal:
            await refused(refusal, request)(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 -- it is answered; whoever runs us reads of it
            trace = "".join(traceback.format_exception(error))
            log.warning("request.broken", request=request, error=repr(error), trace=trace)
        finally:
            if caller is not None and scope["method"] not in READING:
                self._service.audit.note(scope, caller, status)

    def _pass(self, scope: Scope, headers: Headers, caller: Caller) -> None:
        service = self._service
        if scope["path"] in OPEN:
            return
        if caller.key is None:
            self._must_be_near(scope, headers)
        service.counters.request(caller, asyncio.get_running_loop().time())
        if service.closing:
            raise Refusal(503, "closing", "The service is closing.", retry_after=1.0)

    async def _caller(self, scope: Scope, headers: Headers) -> Caller:
        """Who is asking.

        Raises:
            Refusal: nobody that is known.
        """
        said = headers.get("authorization")
        if said is not None:
            return await self._bearer(said)
        if scope["query_string"] and scope["method"] in READING:
            asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            if "ticket" in asked:
                return await self._ticket(asked["ticket"], scope["path"])
        if self._service.settings.keyless or scope["path"] in OPEN:
            return keyless(everything=self._service.settings.no_key)
        raise _unknown()

    async def _bearer(self, said: str) -> Caller:
        if not said.startswith(BEARER):
            raise _unknown()
        secret = said[len(BEARER) :].strip()
        if local.is_it(secret, self._service.settings.local_key):
            return owner()
        key = await self._service.keys.find(secret)
        if key is None:
            raise _unknown()
        return key.caller

    async def _ticket(self, secret: str, path: str) -> Caller:
        ticket = await self._service.tickets.take(secret, path)
        if ticket is None:
            raise _unknown()
        if ticket.key is None:
            return keyless(everything=self._service.settings.no_key)
        if ticket.key == "local":
            return owner()
        key = await self._service.keys.get(ticket.key)
        if key is None or not key.good(self._service.clock.now()):
            raise _unknown()
        return key.caller

    def _must_be_near(self, scope: Scope, headers: Headers) -> None:
        """Keep pages in this machine's browser from asking for anything.

        Raises:
            Refusal: it was sent to another name, or by a page of another origin.
        """
        host = headers.get("host", "")
        if not is_loopback(_name_of(host)):
            raise Refusal(
                403,
                "host",
                "Without a key, the service answers to 127.0.0.1, [::1] and localhost alone.",
            )
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope['scheme']}://{host}":
            raise Refusal(403, "origin", "Without a key, pages of other origins are not answered.")


class _Body:
    """What is received of a request: no more than it may be, and not forever."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = self._most = most
        self._is_whole = False

    def must_fit(self, headers: Headers) -> None:
        """Refuse what says of itself that it is too large.

        Raises:
            Refusal: it is.
        """
        said = headers.get("content-length", "")
        if said.isdigit() and int(said) > self._most:
            raise self._too_large()

    async def __call__(self) -> Message:
        """The next piece.

        Raises:
            Refusal: there is too much of it, or it does not come.
        """
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(STALLED):
                message = await self._some()
        except TimeoutError as exc:
            raise Refusal(
                408, "timeout", f"Nothing worth speaking of came for {STALLED:g} s."
            ) from exc
        if message["type"] == "http.request":
            self._is_whole = not message.get("more_body", False)
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise self._too_large()
        return message

    async def _some(self) -> Message:
        """At least so much that it is worth waiting for more."""
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return message
        pieces = [message.get("body", b"")]
        while sum(map(len, pieces)) < LEAST:
            message = await self._receive()
            if message["type"] != "http.request":
                return message
            pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                break
        return {**message, "body": b"".join(pieces)}

    def _too_large(self) -> Refusal:
        return Refusal(413, "too_large", f"The body may have {self._most:,} bytes.")


def is_loopback(name: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _name_of(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _most(path: str, caller: Caller) -> int:
    if path.startswith("/api/artifacts"):
        return caller.limits.upload
    has_plan = path.startswith(("/api/plans", "/api/runs", "/mcp"))
    return caller.limits.body * (_LARGER if has_plan else 1)


def _dress(message: Message, request: str, shared: Mapping[str, str]) -> None:
    headers = MutableHeaders(scope=message)
    headers.update(shared)
    for name, text in _HEADERS.items():
        headers.setdefault(name, text)
    headers["X-Request-Id"] = request


def _unknown() -> Refusal:
    return Refusal(401, "unauthenticated", "Send a key that is good: Authorization: Bearer cs_…")
