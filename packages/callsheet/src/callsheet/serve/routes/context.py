"""Context: the data that runs of a tenant share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Header, Query
from starlette.requests import Request
from starlette.responses import Response

from callsheet.serve.http.route import needs
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import answers, pages
from callsheet.serve.routes.models import ContextBody, ContextTold, WholeContextTold
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, told, went_on

if TYPE_CHECKING:
    from callsheet.core.index.context import ContextItem

routes = routes_of("context")
ITEM = {
    "scope": "project:blue",
    "name": "style",
    "version": 3,
    "size": 6,
    "saved_at": "2026-11-18T05:05:15.323137Z",
    "expires_at": None,
}
IfMatch = Annotated[
    str | None,
    Header(description='The version that it must follow, as `"3"`; `"0"`: there is none.'),
]


@routes.get("/context/{scope}", responses=pages(ContextTold, ITEM))
@needs("context:read")
async def listed(
    request: Request, scope: str, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """The items of a scope, by name; without their values."""
    after = went_on(request, f"context/{scope}", cursor)
    every = await tenant_of(request).context.list(scope)
    found = [each for each in every if after is None or each.name > after][: limit + 1]
    return page(
        request,
        f"context/{scope}",
        found,
        limit,
        lambda item: item.to_json(),
        lambda item: item.name,
    )


@routes.get(
    "/context/{scope}/{item}", responses=answers(WholeContextTold, {**ITEM, "value": "blue"})
)
@needs("context:read")
async def shown(
    request: Request,
    scope: str,
    item: str,
    version: Annotated[
        int | None, Query(ge=1, le=2**31, description="The newest if not said.")
    ] = None,
) -> Response:
    """An item of shared data. `ETag` is its version."""
    found = await tenant_of(request).context.get(scope, item, version)
    if found is None:
        raise _unknown(scope, item)
    return _told(found)


@routes.put(
    "/context/{scope}/{item}",
    responses=answers(WholeContextTold, {**ITEM, "value": "blue"}, 412, 415, 507),
)
@needs("context:write")
async def put(
    request: Request, scope: str, item: str, body: ContextBody, if_match: IfMatch = None
) -> Response:
    """Keep a value as the next version; with `If-Match`, only after that one."""
    kept = await tenant_of(request).context.set(
        scope,
        item,
        body.value,
        ttl=body.ttl,
        after=_version(if_match),
        key=request.headers.get("idempotency-key"),
    )
    return _told(kept)


@routes.delete(
    "/context/{scope}/{item}",
    status_code=204,
    responses={**answers(None, None, 412), 204: {"description": "It is gone"}},
)
@needs("context:write")
async def delete(request: Request, scope: str, item: str, if_match: IfMatch = None) -> Response:
    """Remove an item with all its versions."""
    context = tenant_of(request).context
    asked = _version(if_match)
    found = await context.get(scope, item)
    if asked is not None and (found.version if found else 0) != asked:
        raise Refusal(412, "stale_context", "The item has changed since it was read.")
    if not await context.delete(scope, item):
        raise _unknown(scope, item)
    return Response(status_code=204)


def _told(item: ContextItem) -> Response:
    return told({**item.to_json(), "value": item.value}, 200, {"ETag": f'"{item.version}"'})


def _version(said: str | None) -> int | None:
    """The version in `If-Match`; `*` is any."""
    if said is None or said == "*":
        return None
    plain = said.removeprefix("W/").strip('"')
    if not plain.isascii() or not plain.isdecimal() or len(plain) > 9:  # noqa: PLR2004 -- digits
        raise Refusal(422, "request", 'header.If-Match: write the version, as in "3".')
    return int(plain)


def _unknown(scope: str, name: str) -> Refusal:
    return Refusal(404, "unknown_context", f"There is no {name!r} in {scope!r}.")
