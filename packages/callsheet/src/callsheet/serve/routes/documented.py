"""What the OpenAPI document says of answers: their shapes, with an example of each."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any

from callsheet.serve.problems import MEDIA_TYPE, TITLES
from callsheet.serve.routes.models import ProblemAnswer

if TYPE_CHECKING:
    from pydantic import BaseModel

USUAL = (400, 401, 403, 404, 408, 413, 422, 429, 500, 503)
"""What every route may be answered with."""
_CODES = {
    202: "request_pending",
    400: "body",
    401: "unauthenticated",
    402: "ledger_short",
    403: "scope",
    404: "unknown_run",
    405: "method",
    406: "media_type",
    408: "timeout",
    409: "request_refused",
    410: "missing_value",
    412: "stale_context",
    413: "too_large",
    415: "media_type",
    416: "range",
    422: "request",
    429: "rate_limited",
    500: "internal",
    503: "store_busy",
    507: "store_full",
}
RUN = "r00t3v8bfg9qbvt0emeprjcd"
REQUEST = "req_4440b11c30e540e4"


def problem(status: int) -> dict[str, Any]:
    """A refusal, as the document tells it."""
    code = _CODES[status]
    example = {
        "type": f"urn:callsheet:error:{code}",
        "title": TITLES[status],
        "status": status,
        "detail": f"{TITLES[status]}.",
        "code": code,
        "retryable": status in (408, 429, 503),
        "request": REQUEST,
    }
    return {
        "description": TITLES[status],
        "model": ProblemAnswer,
        "content": {MEDIA_TYPE: {"example": example}},
    }


def answers(
    model: type[BaseModel] | Any,
    example: object,
    *more: int,
    status: int = 200,
    what: str = "It is as told",
) -> dict[int | str, dict[str, Any]]:
    """All that a route may be answered with: this, and refusals."""
    refusals: dict[int | str, dict[str, Any]] = {
        each: problem(each) for each in sorted({*USUAL, *more})
    }
    if model is None:
        return refusals
    told = {
        "description": what,
        "model": model,
        "content": {"application/json": {"example": example}},
    }
    return {status: told, **refusals}


def pages(model: type[BaseModel], example: object) -> dict[int | str, dict[str, Any]]:
    """The answers of a list."""
    from pydantic import create_model

    items = GenericAlias(list, (model,))
    fields: dict[str, Any] = {"items": (items, ...), "next": (str | None, ...)}
    page = create_model(f"{model.__name__}Page", **fields)
    return answers(page, {"items": [example], "next": None})
