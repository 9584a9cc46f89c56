"""The OpenAPI document of the service: as FastAPI makes it, and what that cannot know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

from callsheet.serve.problems import MEDIA_TYPE
from callsheet.serve.routes.documented import REQUEST, RUN
from callsheet.serve.routes.plans import PLAN

if TYPE_CHECKING:
    from fastapi import FastAPI

JSON = "application/json"
IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key and body is answered alike for 7 days; another body is refused.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
BODIES: dict[str, object] = {
    "POST /api/plans/check": {"plan": PLAN},
    "POST /api/plans/preflight": {"plan": PLAN, "inputs": {}},
    "POST /api/plans": {"plan": PLAN},
    "POST /api/runs": {"plan": PLAN, "inputs": {}},
    "POST /api/runs/{run}/cancel": {"reason": "too expensive"},
    "POST /api/runs/{run}/undo": {"to": "a"},
    "POST /api/runs/{run}/steps": [{"id": "b", "tool": "value", "args": {"value": 2}}],
    "POST /api/runs/{run}/answer": {"question": "ok#1", "answer": "yes"},
    "POST /api/runs/{run}/fork": {"step": "a", "args": {"value": "bye"}},
    "POST /api/runs/{run}/steps/{step}/cancel": {"reason": "too slow"},
    "POST /api/conversations": {"id": "trip"},
    "POST /api/conversations/{conversation}/turns": {
        "message": "Weather in Oslo?",
        "id": "m1",
        "model": "writer",
        "tools": ["weather"],
    },
    "POST /api/turns/{turn}/cancel": {"reason": "too slow"},
    "POST /api/ledger/grants": {"tenant": "acme", "usd": 5.0, "note": "May"},
    "PUT /api/context/{scope}/{item}": {"value": "blue", "ttl": 3600},
    "POST /api/keys": {"name": "ci", "scopes": ["runs:write"]},
    "POST /api/tickets": {"path": f"/api/runs/{RUN}/events"},
}
"""An example of every body."""


_CONFLICT = {
    "description": "The `Idempotency-Key` was used for another request",
    "content": {
        MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/ProblemAnswer"},
            "example": {
                "type": "urn:callsheet:error:idempotency_key_reused",
                "title": "Its state does not allow it",
                "status": 409,
                "detail": "This Idempotency-Key was used for another request. Use a new one.",
                "code": "idempotency_key_reused",
                "retryable": False,
                "request": REQUEST,
            },
        }
    },
}


def document_of(app: FastAPI) -> dict[str, Any]:
    """The document."""
    told = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
    )
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            _mend(f"{method.upper()} {path}", operation)
    schemas = told["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    told["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "A key: cs_…"}
    }
    told["security"] = [{"key": []}, {}]
    return told


def _mend(name: str, operation: dict[str, Any]) -> None:
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if MEDIA_TYPE in content and JSON in content:
            # What is refused is a problem, whatever else is answered.
            content[MEDIA_TYPE] |= content.pop(JSON)
        if int(status) in (204, 304):
            answer.pop("content", None)
    if name.startswith("POST "):
        operation["responses"].setdefault("409", _CONFLICT)
        operation.setdefault("parameters", []).append(IDEMPOTENCY)
    operation["responses"] = dict(sorted(operation["responses"].items()))
    body = operation.get("requestBody")
    if body is not None and name in BODIES:
        body["content"][JSON]["example"] = BODIES[name]
