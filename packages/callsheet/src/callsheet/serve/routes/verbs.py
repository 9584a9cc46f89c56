"""What is asked of a run: pause, resume, cancel, undo, seal, steps, answers, forks, replays."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from callsheet.core.problem import Problem
from callsheet.core.refs.references import prepare
from callsheet.errors import CallsheetError, PlanError, RequestPendingError
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers
from callsheet.serve.routes.models import (
    AnswerBody,
    CancelBody,
    ForkBody,
    ReplayTold,
    ServedTold,
    StartedTold,
    UndoBody,
)
from callsheet.serve.routes.plans import saved_plan
from callsheet.serve.routes.runs import STARTED, begun
from callsheet.serve.routes.shared import routes_of, tenant_of, told

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.runtime.run import Run

routes = routes_of("runs")


def served(request: str) -> dict[int | str, dict[str, Any]]:
    """What a request to a run is answered with."""
    example = {"run": RUN, "request": request, "served": True}
    found = answers(ServedTold, example, 409, 415, 507, what="It has taken effect")
    later = answers(
        ServedTold,
        {**example, "served": False},
        status=202,
        what="It is recorded; nobody drives the run now",
    )
    return {**found, 202: later[202]}


async def serve(run: Run, request: str, asked: Awaitable[None]) -> Response:
    """Ask something of a run; one that nobody drives now has it recorded."""
    try:
        await asked
    except RequestPendingError:
        return told({"run": run.id, "request": request, "served": False}, 202)
    return told({"run": run.id, "request": request, "served": True})


@routes.post("/runs/{run}/pause", responses=served("paused"))
@needs("runs:write")
async def pause(request: Request, run: str) -> Response:
    """Start nothing more in it; what runs may finish."""
    handle = await tenant_of(request).get(run)
    return await serve(handle, "paused", handle.pause(by=caller_of(request).name))


@routes.post("/runs/{run}/resume", responses=served("resumed"))
@needs("runs:write")
async def resume(request: Request, run: str) -> Response:
    """Go on with it; one that was interrupted is driven here."""
    handle = await tenant_of(request).get(run)
    return await serve(handle, "resumed", handle.resume(by=caller_of(request).name))


@routes.post("/runs/{run}/cancel", responses=served("cancelled"))
@needs("runs:write")
async def cancel(request: Request, run: str, body: CancelBody | None = None) -> Response:
    """Stop it. When this is answered with 200, no attempt starts any more."""
    handle = await tenant_of(request).get(run)
    reason = body.reason if body else ""
    asked = handle.cancel(reason=reason, by=caller_of(request).name)
    return await serve(handle, "cancelled", asked)


@routes.post("/runs/{run}/undo", responses=served("undone"))
@needs("runs:write")
async def undo(request: Request, run: str, body: UndoBody | None = None) -> Response:
    """Take back what it owes, in reverse; with `to`, keep that step and what it needed.

    With `only`, take back one step; the run goes on, or stays as it ended.
    """
    handle = await tenant_of(request).get(run)
    body = body or UndoBody(to=None, only=None)
    asked = handle.undo(body.to, only=body.only, by=caller_of(request).name)
    return await serve(handle, "undone", asked)


@routes.post("/runs/{run}/seal", responses=served("sealed"))
@needs("runs:write")
async def seal(request: Request, run: str) -> Response:
    """Take no more steps: it ends when those it has are done."""
    handle = await tenant_of(request).get(run)
    return await serve(handle, "sealed", handle.seal(by=caller_of(request).name))


@routes.post("/runs/{run}/steps", responses=served("added"))
@needs("runs:write")
async def add(request: Request, run: str, body: list[dict[str, Any]]) -> Response:
    """Add steps to an open run; they may refer to each other and to all that are there."""
    tenant = tenant_of(request)
    handle = await tenant.get(run)
    await must_be_offered(tenant, body)
    return await serve(handle, "added", handle.add(body, by=caller_of(request).name))


async def must_be_offered(tenant: Tenant, steps: Any) -> None:
    """See that steps, and what is inside them, call only what the tenant may.

    Raises:
        PlanError: there is a tool that is not theirs.
        UnknownPlanError: they name a plan that is not there.
    """
    waiting, seen = [steps], set[str]()
    while waiting:
        for plan in _called(tenant, waiting.pop()):
            if isinstance(plan, dict):
                waiting.append(plan.get("steps"))
            elif plan not in seen:
                # Saved plans may name each other, and themselves: each is looked at once.
                seen.add(plan)
                waiting.append((await saved_plan(tenant, plan)).plan.to_json()["steps"])


def _called(tenant: Tenant, steps: Any) -> Iterator[dict[str, Any] | str]:
    """The plans that steps call; what else they call is theirs to call."""
    for index, step in enumerate(steps if isinstance(steps, (list, tuple)) else ()):
        if not isinstance(step, dict):
            continue
        undo = step.get("undo")
        called = (step.get("tool"), undo.get("tool") if isinstance(undo, dict) else None)
        for tool in called:
            if isinstance(tool, str) and tenant.tools.spec(tool) is None:
                what = f"there is no tool {tool!r}"
                problem = Problem(place=f"steps[{index}].tool", what=what)
                raise PlanError(f"The steps do not check:\n{problem}", [problem])
        tenant.acceptance.must_offer(_secrets_in(step), f"steps[{index}]")
        plan = step.get("plan")
        if isinstance(plan, (str, dict)):
            yield plan


def _secrets_in(step: dict[str, Any]) -> Iterator[str]:
    """The secrets that a step names; whether it can be read is said by whoever reads it."""
    undo = step.get("undo")
    if step.get("literal") is True:
        return
    for args in (step.get("args"), undo.get("args") if isinstance(undo, dict) else None):
        with suppress(CallsheetError):
            yield from prepare(args).secrets


@routes.post("/runs/{run}/answer", responses=served("answered"))
@needs("runs:approve")
async def answer(request: Request, run: str, body: AnswerBody) -> Response:
    """Answer a question, an approval (`approve`, `deny`) or a doubt, once and by name."""
    handle = await tenant_of(request).get(run)
    step, mark, _ = body.question.rpartition("#")
    if not mark:
        raise Refusal(422, "request", "body.question: that is no id of a question.")
    asked = handle.answer(
        step,
        body.answer,
        output=body.output,
        by=caller_of(request).name,
        question=body.question,
    )
    return await serve(handle, "answered", asked)


@routes.post(
    "/runs/{run}/fork",
    status_code=201,
    responses=answers(
        StartedTold, STARTED, 402, 409, 415, 507, status=201, what="The new run is started"
    ),
)
@needs("runs:write")
async def fork(request: Request, run: str, body: ForkBody) -> Response:
    """Start a run that takes over what this one has done, up to a step that is done again."""
    service, caller, tenant = service_of(request), caller_of(request), tenant_of(request)
    service.counters.may_start(caller)
    key = body.key if body.key is not None else request.headers.get("idempotency-key")
    forked = await tenant.fork(run, body.step, body.args, key=key, repeat_writes=body.repeat_writes)
    service.counters.started(caller, forked.id)
    return await begun(service, tenant, forked)


@routes.post(
    "/runs/{run}/replay",
    responses=answers(
        ReplayTold,
        {"run": RUN, "entries": 10, "same": True, "digest": "9c9deef93eeaf117", "difference": None},
        409,
    ),
)
@needs("runs:read")
async def replay(request: Request, run: str) -> Response:
    """Fold and decide again over its journal; says whether anything comes out different."""
    tenant = tenant_of(request)
    await tenant.head(run)
    return told((await tenant.replay(run)).to_json())
