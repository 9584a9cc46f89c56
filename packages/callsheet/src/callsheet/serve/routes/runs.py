"""Runs: started, listed, looked at, deleted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from callsheet.core.run.step import RunState
from callsheet.errors import EngineClosedError
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers, pages
from callsheet.serve.routes.models import HeadTold, RunTold, StartBody, StartedTold
from callsheet.serve.routes.plans import PLAN, plan_of
from callsheet.serve.routes.shared import (
    JSON,
    Cursor,
    Limit,
    page,
    routes_of,
    run_json,
    tenant_of,
    told,
    went_on,
)

if TYPE_CHECKING:
    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.result import Result
    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.runtime.run import Run
    from callsheet.serve.service import Service

routes = routes_of("runs")
LONGEST = 60
_COST = {"usd": 0.0, "credits": 0.0, "tokens": 0, "calls": 1}
STARTED = {
    "run": RUN,
    "state": "running",
    "plan": "greet",
    "started_at": "2026-11-18T05:05:15.294409Z",
    "links": {"self": f"/api/runs/{RUN}", "events": f"/api/runs/{RUN}/events"},
}
RESULT = {
    "run": RUN,
    "plan": "greet",
    "state": "succeeded",
    "paused": False,
    "interrupted": False,
    "cause": None,
    "output": "hello",
    "steps": {
        "a": {
            "state": "succeeded",
            "output": "hello",
            "error": None,
            "attempts": 1,
            "cost": _COST,
            "reason": "",
            "started_at": "2026-11-18T05:05:15.295603Z",
            "ended_at": "2026-11-18T05:05:15.310855Z",
            "label": "a",
        }
    },
    "cost": _COST,
    "seconds": 0.019129,
    "errors": {},
    "problems": [],
    "questions": [],
}
HEAD = {
    "run": RUN,
    "plan": "greet",
    "state": "succeeded",
    "paused": False,
    "interrupted": False,
    "started_at": "2026-11-18T05:05:15.294409Z",
    "ended_at": "2026-11-18T05:05:15.323691Z",
    "key": None,
    "tenant": "default",
    "digest": "31a53837f63199e6b0b9b1aeb9f7d89bd45e0accb7283a21db780dd775332426",
    "subject": None,
    "parent": None,
    "root": None,
}
Steps = Annotated[Literal["all", "failed", "none"], Query(description="Which steps are told.")]
Outputs = Annotated[bool, Query(description="Whether outputs are told.")]


def _start_answers() -> dict[int | str, dict[str, Any]]:
    told_result = answers(RunTold, RESULT, what="It has ended in the time that was waited")
    return {
        **answers(StartedTold, STARTED, 402, 409, 415, 507, status=201, what="It is started"),
        200: told_result[200],
    }


@routes.post("/runs", status_code=201, responses=_start_answers())
@needs("runs:write")
async def start(
    request: Request,
    body: StartBody,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST, description="Seconds to wait for its end.")
    ] = 0.0,
) -> Response:
    """Start a run. It does not depend on whoever started it: going away changes nothing.

    The same `key`, or without one the same `Idempotency-Key`, is the same run for ever.
    """
    service, caller, tenant = service_of(request), caller_of(request), tenant_of(request)
    service.counters.may_start(caller)
    plan = await plan_of(tenant, body.plan, body.plan_id)
    key = body.key if body.key is not None else request.headers.get("idempotency-key")
    run = await tenant.start(plan, body.inputs, key=key, open=body.open, subject=body.subject)
    service.counters.started(caller, run.id)
    return await begun(service, tenant, run, wait)


async def begun(service: Service, tenant: Tenant, run: Run, wait: float = 0.0) -> Response:
    """What is answered when a run was started: its result, if it ends while that is waited for."""
    where = {"Location": f"/api/runs/{run.id}"}
    if wait:
        result = await ended(service, run, wait)
        if result is not None:
            return told(run_json(result), 200, where)
    head = await tenant.head(run.id)
    links = {name: f"/api/runs/{run.id}{path}" for name, path in _LINKS.items()}
    return told(
        {
            "run": run.id,
            "state": head.ended or "running",
            "plan": head.name,
            "started_at": head.started_at,
            "links": links,
        },
        201,
        where,
    )


_LINKS = {"self": "", "events": "/events", "cancel": "/cancel", "undo": "/undo"}


async def ended(service: Service, run: Run, wait: float) -> Result | None:
    """A run that ends in time; None: it does not, or we do not go on."""
    with suppress(TimeoutError, EngineClosedError):
        async with asyncio.timeout(wait):
            if service.closing:
                return None
            return await run.wait()
    return None


@routes.get("/runs", responses=pages(HeadTold, HEAD))
@needs("runs:read")
async def listed(  # noqa: PLR0913 -- every one is optional and narrows the list
    request: Request,
    *,
    state: Annotated[
        RunState | None, Query(description="How they ended, or where they are.")
    ] = None,
    plan: Annotated[str | None, Query(max_length=1000)] = None,
    since: Annotated[datetime | None, Query(description="None that started before.")] = None,
    subject: Annotated[str | None, Query(max_length=1000)] = None,
    key: Annotated[str | None, Query(max_length=1000)] = None,
    top_level: bool = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Runs, newest first; each parameter leaves out those that differ in it."""
    if since is not None and since.tzinfo is None:
        raise Refusal(422, "request", "query.since: say the zone, as in 2026-11-18T00:00:00Z.")
    tenant = tenant_of(request)
    found = await tenant.runs(
        state=state,
        plan=plan,
        since=since,
        subject=subject,
        key=key,
        top_level=top_level,
        limit=limit + 1,
        before=went_on(request, "runs", cursor),
    )
    shown = {head.run: await _head_json(tenant, head) for head in found[:limit]}
    return page(request, "runs", found, limit, lambda head: shown[head.run], lambda head: head.run)


async def _head_json(tenant: Tenant, head: RunHead) -> dict[str, Any]:
    """A run in a list; what an open one is doing stands in its journal."""
    if head.ended is not None:
        return head.to_json()
    status = await (await tenant.get(head.run)).status()
    return head.to_json(
        state=str(status.state), paused=status.paused, interrupted=status.interrupted
    )


@routes.get("/runs/{run}", responses=answers(RunTold, RESULT))
@needs("runs:read")
async def shown(
    request: Request, run: str, steps: Steps = "all", outputs: Outputs = True
) -> Response:
    """A run as it stands: state, cause, output, steps, cost, problems and questions."""
    service, tenant = service_of(request), tenant_of(request)
    head = await tenant.head(run)
    asked = (run, steps, "outputs" if outputs else "")
    kept = service.shown.get(asked, head.ended_at) if head.ended is not None else None
    if kept is None:
        result = await (await tenant.get(run)).status()
        kept = msgspec.json.encode(run_json(result, steps, outputs=outputs))
        if head.ended is not None and result.state.ended:
            service.shown.keep(asked, head.ended_at, kept)
    return Response(kept, media_type=JSON)


@routes.delete(
    "/runs/{run}",
    status_code=204,
    responses={**answers(None, None, 409), 204: {"description": "It is gone"}},
)
@needs("runs:write")
async def delete(request: Request, run: str) -> Response:
    """Remove an ended run whole, with all that it alone held."""
    tenant = tenant_of(request)
    await tenant.head(run)
    await tenant.delete(run)
    return Response(status_code=204)


START_EXAMPLE = {"plan": PLAN}
