"""Keys, tickets, and the audit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from callsheet.serve.access.tickets import GOOD_FOR, Ticket
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import REQUEST, RUN, answers, pages
from callsheet.serve.routes.models import (
    AuditTold,
    KeyBody,
    KeyTold,
    NewKeyTold,
    TicketBody,
    TicketTold,
)
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, told, went_on

routes = routes_of("keys")
KEY: dict[str, Any] = {
    "id": "key_4440b11c30e540e4",
    "tenant": "acme",
    "name": "ci",
    "scopes": ["runs:write"],
    "limits": {
        "requests": 100.0,
        "runs": 100,
        "streams": 100,
        "body": 1_000_000,
        "upload": 1_000_000_000,
    },
    "made_at": "2026-11-18T05:05:15.369968Z",
    "expires_at": None,
    "revoked_at": None,
}
LINE = {
    "id": "a019d2c7f3ab24440b11c30e540e4",
    "tenant": "acme",
    "at": "2026-11-18T05:05:15.369968Z",
    "who": "ci",
    "key": KEY["id"],
    "address": "192.0.2.7",
    "method": "POST",
    "path": "/api/runs",
    "status": 201,
    "request": REQUEST,
}


@routes.get("/keys", responses=pages(KeyTold, KEY))
@needs("admin")
async def listed(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """The keys of the tenant, oldest first; never the keys themselves."""
    after = went_on(request, "keys", cursor)
    every = await service_of(request).keys.list(caller_of(request).tenant)
    names = [key.id for key in every]
    first = names.index(after) + 1 if after in names else 0
    found = every[first : first + limit + 1]
    return page(request, "keys", found, limit, lambda key: key.to_json(), lambda key: key.id)


@routes.post(
    "/keys",
    status_code=201,
    responses=answers(
        NewKeyTold, {**KEY, "key": "cs_…"}, 409, 415, 507, status=201, what="It is made"
    ),
)
@needs("admin")
async def new(request: Request, body: KeyBody) -> Response:
    """Make a key. It is told this once; of an answer that is told again it is left out.

    Who has the key of the home makes keys for every tenant, others for their own.
    """
    caller = caller_of(request)
    tenant = body.tenant or caller.tenant
    if tenant != caller.tenant and not caller.machine:
        raise Refusal(403, "tenant", "This key makes keys for its own tenant alone.")
    key, secret = await service_of(request).keys.new(
        tenant,
        body.name,
        body.scopes,
        expires=None if body.expires is None else timedelta(seconds=body.expires),
    )
    response = told({**key.to_json(), "key": secret}, 201)
    # Kept for whoever asks again: without the key, which is kept nowhere.
    response.kept = msgspec.json.encode({**key.to_json(), "key": None})  # type: ignore[attr-defined]  # read by `idempotency`
    return response


@routes.delete(
    "/keys/{id}",
    status_code=204,
    responses={**answers(None, None), 204: {"description": "It opens nothing any more"}},
)
@needs("admin")
async def revoke(request: Request, id: str) -> Response:
    """Let a key open nothing any more."""
    if not await service_of(request).keys.revoke(id, tenant=caller_of(request).tenant):
        raise Refusal(404, "unknown_key", "There is no such key.")
    return Response(status_code=204)


@routes.get("/audit", responses=pages(AuditTold, LINE))
@needs("admin")
async def audit(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Every change of the tenant, newest first: who, what, when, from where, and its outcome."""
    before = went_on(request, "audit", cursor)
    found = await service_of(request).audit.lines(
        caller_of(request).tenant, limit=limit + 1, before=before
    )
    return page(request, "audit", found, limit, lambda line: line.to_json(), lambda line: line.id)


@routes.post(
    "/tickets",
    status_code=201,
    responses=answers(
        TicketTold, {"ticket": "ct_…", "expires_in": 60}, 415, 507, status=201, what="It is made"
    ),
    openapi_extra={"x-example": {"path": f"/api/runs/{RUN}/events"}},
)
@needs("runs:read")
async def ticket(request: Request, body: TicketBody) -> Response:
    """A ticket for one GET of one path, within a minute: for what cannot send a header."""
    path = body.path.partition("?")[0]
    if not path.startswith("/api/"):
        raise Refusal(422, "request", "body.path: write it as in /api/runs/r00…/events.")
    secret = await service_of(request).tickets.new(Ticket(key=caller_of(request).key, path=path))
    return told({"ticket": secret, "expires_in": int(GOOD_FOR.total_seconds())}, 201)
