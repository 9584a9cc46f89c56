"""The application: the gate, the routes, those of apps, and how errors are answered."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from callsheet import __version__
from callsheet.errors import CallsheetError
from callsheet.serve.document import document_of
from callsheet.serve.http.gate import Gate
from callsheet.serve.http.route import invalid, translated
from callsheet.serve.http.switch import Switch
from callsheet.serve.problems import Refusal, broken, failed, refused
from callsheet.serve.routes import (
    artifacts,
    context,
    conversations,
    events,
    keys,
    ledger,
    looks,
    plans,
    runs,
    steps,
    turns,
    verbs,
)
from callsheet.serve.routes.shared import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import APIRouter
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from callsheet.serve.service import Service

TITLE = "Callsheet"
DESCRIPTION = "Runs AI tool calls as plans: durable, cancellable, undoable, exactly replayable."
ROUTES = tuple(
    each.routes
    for each in (
        plans,
        runs,
        verbs,
        steps,
        events,
        conversations,
        turns,
        looks,
        artifacts,
        ledger,
        context,
        keys,
    )
)
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Callsheet</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:16px/1.5 sans-serif;max-width:44em;margin:3em auto;padding:0 1em}}
pre{{padding:1em;overflow-x:auto;font-size:14px;border:1px solid #8886;border-radius:4px}}</style>
<h1>Callsheet {version}</h1>
<p>This is the service of <b>Callsheet</b>, which runs AI tool calls as plans: in parallel, durably,
inside a budget, cancellable, undoable and exactly replayable.</p>
<p>Start a run, and read what came of it:</p>
<pre>curl -s "$URL/api/runs?wait=10" \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{{"plan": {{"steps": [{{"id": "a", "tool": "value", "args": {{"value": "hello"}}}}]}}}}'</pre>
<p><code>URL</code> is the address of this page. <code>KEY</code> is a key that
<code>callsheet key new</code> has printed, or the one in
<code>serve.key</code> in the home.</p>
<ul><li><a href="/openapi.json">/openapi.json</a>: every route, with examples</li>
<li><a href="/health">/health</a>: it is there; <a href="/ready">/ready</a>: it answers</li>
<li>The documents: <code>docs/how-to/serve.md</code> for the first minute,
<code>docs/reference/rest.md</code> for every route</li></ul></html>
"""


def application(service: Service, more: Sequence[APIRouter] = ()) -> FastAPI:
    """An application that serves; `more` are the routes of apps.

    `app.mount` adds what speaks another protocol: it comes through the gate, too, and finds who is
    asking in its scope, as `caller`.
    """
    app = FastAPI(
        title=TITLE,
        description=DESCRIPTION,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.service = service
    for routes in (*ROUTES, *more):
        app.include_router(routes)
    app.state.switch = Switch(app, (*ROUTES, *more))
    _public(app, service)
    app.add_exception_handler(CallsheetError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Exception, _broken)
    return app


def gated(app: FastAPI) -> ASGIApp:
    """The application behind its gate: what a server runs."""
    return Gate(app.state.switch, app.state.service)


def _public(app: FastAPI, service: Service) -> None:
    async def health(request: Request) -> Response:
        del request
        return told({"status": "ok", "version": __version__})

    async def ready(request: Request) -> Response:
        del request
        if service.is_ready:
            return told({"ready": True})
        return told({"ready": False}, 503, {"Retry-After": "1"})

    @cache
    def document() -> bytes:
        return msgspec.json.encode(document_of(app))

    async def described(request: Request) -> Response:
        del request
        return Response(document(), media_type="application/json")

    async def page(request: Request) -> Response:
        del request
        rule = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
        return HTMLResponse(_PAGE.format(version=__version__), headers=rule)

    for path, answer in (
        ("/health", health),
        ("/ready", ready),
        ("/openapi.json", described),
        ("/", page),
    ):
        app.add_route(path, answer, methods=["GET"], include_in_schema=False)


def _name(request: Request) -> str:
    found: str = request.scope.get("request_id", "")
    return found


async def _failed(request: Request, error: Any) -> Response:
    return failed(error, _name(request))


async def _invalid(request: Request, error: Any) -> Response:
    return refused(invalid(error), _name(request))


async def _refused(request: Request, error: Any) -> Response:
    refusal = error if isinstance(error, Refusal) else translated(error)
    return refused(refusal, _name(request))


async def _broken(request: Request, error: Any) -> Response:
    return broken(error, _name(request))
