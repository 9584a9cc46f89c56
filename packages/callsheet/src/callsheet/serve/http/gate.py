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

from starlette.responses import Response

from callsheet.runtime.log import log
from callsheet.serve.access import local
from callsheet.serve.access.caller import OWNER, Caller, keyless
from callsheet.serve.http import cors
from callsheet.serve.http.body import Body
from callsheet.serve.problems import Refusal, refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from callsheet.serve.http.body import Sent
    from callsheet.serve.service import Service

OPEN = frozenset({"/", "/health", "/ready", "/openapi.json"})
"""What anybody may read: it says nothing of anybody."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
BEARER = "Bearer "
_PASSED_ON = frozenset(
    {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"}
)
"""What proxies add: whoever sent it is not on this machine, whatever its address says."""
_ONCE = (b"host", b"authorization", b"idempotency-key", b"content-type")
_LARGER = 5
"""A plan may be so many times as large as another body."""
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


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
        headers = _headers_of(scope)
        shared = cors.headers_for(headers, self._service.settings.origins)
        if shared and cors.is_preflight(scope["method"], headers):
            await Response(status_code=204, headers={**cors.ALLOWED, **shared})(
                scope, receive, send
            )
            return
        await self._answered(scope, receive, send, headers, shared)

    async def _answered(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: Sent,
        shared: Mapping[str, str],
    ) -> None:
        request, status = scope["request_id"], 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _dress(message, request, shared)
            await send(message)

        caller: Caller | None = None
        try:
            _must_be_clear(scope, headers)
            caller = scope["caller"] = await self._caller(scope, headers)
            self._pass(scope, headers, caller)
            body = Body(receive, _most(scope["path"], caller))
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

    def _pass(self, scope: Scope, headers: Sent, caller: Caller) -> None:
        service = self._service
        if scope["path"] in OPEN:
            return
        if caller.key is None:
            self._must_be_near(scope, headers)
        service.counters.request(caller, asyncio.get_running_loop().time())
        if service.closing:
            raise Refusal(503, "closing", "The service is closing.", retry_after=1.0)

    async def _caller(self, scope: Scope, headers: Sent) -> Caller:
        """Who is asking.

        Raises:
            Refusal: nobody that is known.
        """
        said = headers.get(b"authorization")
        if said is not None:
            return await self._bearer(said.decode("latin-1"))
        if b"ticket" in scope["query_string"] and scope["method"] in READING:
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
            return OWNER
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
            return OWNER
        key = await self._service.keys.get(ticket.key)
        if key is None or not key.good(self._service.clock.now()):
            raise _unknown()
        return key.caller

    def _must_be_near(self, scope: Scope, headers: Sent) -> None:
        """Keep pages in this machine's browser from asking for anything.

        Raises:
            Refusal: it was sent to another name, by a page of another origin, or through a proxy.
        """
        if not _PASSED_ON.isdisjoint(headers):
            raise Refusal(403, "proxy", "Without a key, what a proxy passes on is not answered.")
        host = headers.get(b"host", b"").decode("latin-1")
        if not is_loopback(_name_of(host)):
            raise Refusal(
                403,
                "host",
                "Without a key, the service answers to 127.0.0.1, [::1] and localhost alone.",
            )
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") != f"{scope['scheme']}://{host}":
            raise Refusal(403, "origin", "Without a key, pages of other origins are not answered.")


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


def _headers_of(scope: Scope) -> Sent:
    """The headers of a request; of one that is there twice, the first."""
    sent: list[tuple[bytes, bytes]] = scope["headers"]
    return dict(reversed(sent))


def _must_be_clear(scope: Scope, headers: Sent) -> None:
    """Refuse a request that says to two places where it is going, or who sends it.

    Raises:
        Refusal: it does; or it does not say where it is going.
    """
    if len(headers) != len(scope["headers"]):
        names = [name for name, _ in scope["headers"]]
        twice = next((each for each in _ONCE if names.count(each) > 1), None)
        if twice is not None:
            raise Refusal(400, "http", f"The header {twice.decode()} is there twice.")
    if b"host" not in headers and scope["http_version"] == "1.1":
        raise Refusal(400, "http", "The header host is missing.")


def _dress(message: Message, request: str, shared: Mapping[str, str]) -> None:
    headers: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
    there = {name for name, _ in headers}
    headers += [each for each in _HEADERS if each[0] not in there]
    headers += [(name.lower().encode(), text.encode()) for name, text in shared.items()]
    headers.append((b"x-request-id", request.encode()))
    message["headers"] = headers


def _unknown() -> Refusal:
    return Refusal(401, "unauthenticated", "Send a key that is good: Authorization: Bearer cs_…")
