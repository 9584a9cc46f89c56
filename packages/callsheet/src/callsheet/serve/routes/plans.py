"""Plans: checked, looked at before they run, saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from callsheet.runtime.checker import Written
from callsheet.serve.http.route import needs
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import answers, pages
from callsheet.serve.routes.models import (
    CheckTold,
    PlanBody,
    PreflightBody,
    PreflightTold,
    SavedPlanTold,
    WholePlanTold,
)
from callsheet.serve.routes.shared import (
    Cursor,
    Limit,
    page,
    routes_of,
    tenant_of,
    told,
    went_on,
)

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.engine.tenant.tenant import Tenant

routes = routes_of("plans")
PLAN = {"name": "greet", "steps": [{"id": "a", "tool": "value", "args": {"value": "hello"}}]}
SAVED = {
    "name": "greet",
    "version": 1,
    "digest": "31a53837f63199e6b0b9b1aeb9f7d89bd45e0accb7283a21db780dd775332426",
    "steps": 1,
    "description": "",
    "saved_at": "2026-11-18T05:05:15.283122Z",
}
_AMOUNT = {"usd": 0.0, "credits": 0.0, "tokens": 0, "calls": 1}
PREFLIGHT = {
    "plan": "greet",
    "digest": SAVED["digest"],
    "waves": [["a"]],
    "width": 1,
    "critical_path": ["a"],
    "seconds": {"low": 0.0, "expected": 0.0, "high": 0.0},
    "cost": {"low": _AMOUNT, "expected": _AMOUNT, "high": _AMOUNT},
    "suggestions": [],
}
DIGEST = 64
"""Characters of one."""


def document_of(plan: dict[str, Any] | str) -> Any:
    """A plan as it was sent. Text is never taken for the path of a file."""
    return Written(Path("plan"), plan.encode()) if isinstance(plan, str) else plan


@routes.post(
    "/plans/check",
    responses=answers(CheckTold, {"ok": True, "problems": []}, 415, what="What is wrong with it"),
)
@needs("plans:read")
async def check(request: Request, body: PlanBody) -> Response:
    """Check a plan: list every problem, with its fix."""
    problems = await tenant_of(request).check(document_of(body.plan))
    ok = not any(each.severity == "error" for each in problems)
    return told({"ok": ok, "problems": [each.to_json() for each in problems]})


@routes.post("/plans/preflight", responses=answers(PreflightTold, PREFLIGHT, 409, 415))
@needs("plans:read")
async def preflight(request: Request, body: PreflightBody) -> Response:
    """What a run will probably take: order, width, critical path, cost and seconds, advice."""
    found = await tenant_of(request).preflight(document_of(body.plan), body.inputs)
    return told(found.to_json())


@routes.get("/plans", responses=pages(SavedPlanTold, SAVED))
@needs("plans:read")
async def listed(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Saved plans: the newest version of each, by name."""
    after = went_on(request, "plans", cursor)
    every = sorted(await tenant_of(request).plans.list(), key=lambda each: each.name)
    found = [each for each in every if after is None or each.name > after][: limit + 1]
    return page(request, "plans", found, limit, lambda each: each.to_json(), _name)


@routes.post(
    "/plans",
    status_code=201,
    responses=answers(SavedPlanTold, SAVED, 409, 415, 507, status=201, what="It is saved"),
)
@needs("plans:write")
async def save(request: Request, body: PlanBody) -> Response:
    """Save a plan under its name, as a new version if its content is new."""
    tenant = tenant_of(request)
    key = request.headers.get("idempotency-key")
    saved = await tenant.plans.save(tenant.read(document_of(body.plan)), key=key)
    return told(saved.to_json(), 201, {"Location": f"/api/plans/{saved.name}"})


@routes.get("/plans/{name}", responses=answers(WholePlanTold, {**SAVED, "plan": PLAN}))
@needs("plans:read")
async def shown(request: Request, name: str) -> Response:
    """A saved plan: `name`, `name@version`, or its digest."""
    saved = await saved_plan(tenant_of(request), name)
    return told({**saved.to_json(), "plan": saved.plan.to_json()})


@routes.delete(
    "/plans/{name}",
    status_code=204,
    responses={**answers(None, None, 409), 204: {"description": "It is gone"}},
)
@needs("plans:write")
async def delete(request: Request, name: str) -> Response:
    """Remove a saved plan with all its versions."""
    await tenant_of(request).plans.delete(name)
    return Response(status_code=204)


@routes.get("/plans/{name}/versions", responses=pages(SavedPlanTold, SAVED))
@needs("plans:read")
async def versions(
    request: Request, name: str, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """All versions of a saved plan, oldest first."""
    after = went_on(request, f"plans/{name}", cursor)
    tenant = tenant_of(request)
    await tenant.plans.get(name)
    every = await tenant.plans.versions(name)
    found = [each for each in every if after is None or each.version > int(after)][: limit + 1]
    return page(
        request,
        f"plans/{name}",
        found,
        limit,
        lambda each: each.to_json(),
        lambda each: str(each.version),
    )


async def saved_plan(tenant: Tenant, name: str) -> SavedPlan:
    """The saved plan that somebody means.

    Raises:
        UnknownPlanError: there is none.
    """
    plain, at, version = name.rpartition("@")
    if at and version.isdecimal() and len(version) < DIGEST // 4:
        return await tenant.plans.get(plain, max(1, int(version)))
    if len(name) == DIGEST:
        for saved in await tenant.plans.list():
            for each in await tenant.plans.versions(saved.name):
                if each.plan.digest == name:
                    return each
    return await tenant.plans.get(name)


async def plan_of(tenant: Tenant, plan: dict[str, Any] | str | None, named: str | None) -> Plan:
    """The plan that a run is to be of: one that was sent, or a saved one.

    Raises:
        Refusal: neither is named, or both are.
        UnknownPlanError: there is no such saved plan.
    """
    if (plan is None) == (named is None):
        raise Refusal(422, "request", "Send either `plan` or `plan_id`.")
    if named is not None:
        return (await saved_plan(tenant, named)).plan
    found: Plan = document_of(plan or "")
    return found


def _name(saved: SavedPlan) -> str:
    return saved.name
