"""The reference of the routes, from the OpenAPI document: `python -m tests.serve.rest_page`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet import Engine
from callsheet.serve.access.caller import SCOPES
from callsheet.serve.app import ROUTES, application
from callsheet.serve.document import document_of
from callsheet.serve.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastapi import APIRouter

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "rest.md"
HEAD = """# Reference: REST

Made from the OpenAPI document, which a [service](../how-to/serve.md) has at `/openapi.json`, with
an example of every body and every answer. All routes take and give JSON, unless something else is
said.

- **Keys**: `Authorization: Bearer cs_…`. Each route needs a scope; who may write may read, and
  `admin` is all of them.
- **Lists** take `limit` (1 to 500) and `cursor`, and give `{"items": […], "next": …}`; `next` is
  the cursor of what follows, or null.
- **Errors** are `application/problem+json`: `{type, title, status, detail, code, retryable,
  request, problems?}`, with the [codes](errors.md) of the engine. Every route may be answered with
  400, 401, 403, 404, 408, 413, 422, 429, 500 and 503.
- **`Idempotency-Key`** on a POST: the same request again gets the same answer for 7 days.
- What is not known is refused: parameters, fields, duplicate keys, NaN, more than 64 levels.

`GET /`, `/health`, `/ready` and `/openapi.json` need no key.

## Codes of the service

Beside those of the engine. What a store says of its machine stays in the log.

| status | code | when |
|---|---|---|
| 400 | `body` | the body is no strict JSON |
| 400 | `http` | the request is no HTTP that can be read, or has a header twice |
| 400 | `cursor` | the cursor was not made here, or for another list |
| 400 | `idempotency_key` | the `Idempotency-Key` is none |
| 401 | `unauthenticated` | no key, or one that is unknown, expired or revoked |
| 403 | `scope`, `tenant` | the key does not open this |
| 403 | `host`, `origin` | without a key: sent to another name, or by a page of another origin |
| 403 | `proxy` | without a key: passed on by a proxy |
| 404 | `unknown_path`, `unknown_tool`, `unknown_key` | there is no such thing |
| 404 | `unknown_step`, `unknown_context`, `unknown_account` | there is no such thing |
| 404 | `unknown_conversation`, `unknown_turn` | there is no such thing |
| 405 | `method` | this method is not for this path |
| 408 | `timeout` | the body does not come |
| 409 | `idempotency_key_reused` | the `Idempotency-Key` belongs to another request |
| 413 | `too_large` | the body is larger than the key allows |
| 415 | `media_type` | it is not of the type that is taken |
| 416 | `range` | the range begins beyond the end |
| 422 | `request` | a field or parameter is wrong or unknown; `problems` names each |
| 429 | `rate_limited` | too many requests, runs or streams; `Retry-After` says when |
| 500 | `internal` | a bug in Callsheet; the log has it under `request` |
| 503 | `closing` | the service ends; another one, or the next, answers |
"""
USUAL = {"400", "401", "403", "404", "408", "413", "422", "429", "500", "503"}


def scopes(routers: Iterable[APIRouter]) -> dict[str, str]:
    every: list[Any] = [route for routes in routers for route in routes.routes]
    return {
        f"{method.lower()} {route.path}": route.endpoint.scope
        for route in every
        for method in route.methods
    }


async def page() -> str:
    """The page, as it is to be."""
    return await page_of(HEAD, ROUTES)


async def page_of(head: str, routers: Iterable[APIRouter], *more: APIRouter) -> str:
    """A page about the routes of some routers; `more` are those of apps."""
    async with Engine.in_memory() as engine:
        told = document_of(application(Service(engine), more))
    needed = scopes(routers)
    lines = [head]
    tag = ""
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            if f"{method} {path}" not in needed:
                continue
            if operation["tags"][0] != tag:
                tag = operation["tags"][0]
                lines += [f"## {tag.capitalize()}", ""]
            lines += _route(method, path, operation, needed[f"{method} {path}"], told)
    assert set(needed.values()) <= set(SCOPES)
    return "\n".join(lines).rstrip() + "\n"


def _route(
    method: str, path: str, operation: dict[str, Any], scope: str, told: dict[str, Any]
) -> list[str]:
    lines = [f"### {method.upper()} {path}", "", operation["description"], ""]
    lines += [f"Scope: `{scope}`.", ""]
    asked = [
        each
        for each in operation.get("parameters", ())
        if each["in"] != "path" and each["name"] not in ("limit", "cursor", "Idempotency-Key")
    ]
    if asked:
        lines += ["| parameter | in | meaning |", "|---|---|---|"]
        lines += [
            f"| `{each['name']}` | {each['in']} | {each.get('description', '')} |" for each in asked
        ]
        lines += [""]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        fields = _fields(body["schema"], told)
        if fields:
            lines += ["| field | meaning |", "|---|---|", *fields, ""]
    answers = [
        f"{status} ({answer['description'].lower()})"
        for status, answer in operation["responses"].items()
        if status not in USUAL
    ]
    return [*lines, f"Answers: {', '.join(answers)}.", ""]


def _fields(schema: dict[str, Any], told: dict[str, Any]) -> list[str]:
    for each in (schema, *schema.get("anyOf", ())):
        if "$ref" in each:
            found = told["components"]["schemas"][each["$ref"].rpartition("/")[2]]
            needed = found.get("required", ())
            return [
                f"| `{name}` | {field.get('description', '')}"
                f"{'' if name in needed else ' (optional)'} |"
                for name, field in found["properties"].items()
            ]
    return []


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(page()), "utf-8")
