"""What routes have in common: answers, lists, and how a run is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from callsheet.serve.http.route import Route, caller_of, service_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from callsheet.core.past.result import Result
    from callsheet.engine.tenant.tenant import Tenant

T = TypeVar("T")

JSON = "application/json"
Limit = Annotated[int, Query(ge=1, le=500, description="How many, at most.")]
Cursor = Annotated[
    str | None, Query(max_length=2000, description="Where to go on: `next` of the last answer.")
]


def routes_of(tag: str) -> APIRouter:
    """An empty set of routes under a heading."""
    return APIRouter(prefix="/api", tags=[tag], route_class=Route)


def told(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer."""
    return Response(msgspec.json.encode(data), status, headers=dict(headers or {}), media_type=JSON)


def tenant_of(request: Request) -> Tenant:
    """All that whoever asks can see."""
    return service_of(request).tenant(caller_of(request))


def page(
    request: Request,
    listed: str,
    found: Sequence[T],
    limit: int,
    spell: Callable[[T], object],
    name: Callable[[T], str],
) -> Response:
    """A page of a list; one more than the limit was looked for."""
    shown = found[:limit]
    service, caller = service_of(request), caller_of(request)
    more = len(found) > limit
    cursor = service.cursors.make(caller.tenant, listed, name(shown[-1])) if more else None
    return told({"items": [spell(each) for each in shown], "next": cursor})


def went_on(request: Request, listed: str, cursor: str | None) -> str | None:
    """What a list goes on after."""
    return service_of(request).cursors.read(caller_of(request).tenant, listed, cursor)


def run_json(result: Result, steps: str = "all", *, outputs: bool = True) -> dict[str, Any]:
    """A run as `Result.to_json` has it, with a label for each step; all of it, or less."""
    plain: dict[str, Any] = result.to_json()
    found: dict[str, Any] = {}
    for key, step in plain["steps"].items():
        if steps == "all" or (steps == "failed" and step["error"] is not None):
            if not outputs:
                del step["output"]
            step.setdefault("label", key)
            found[key] = step
    plain["steps"] = found
    if not outputs:
        del plain["output"]
    return plain
