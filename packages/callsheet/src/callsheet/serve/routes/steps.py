"""One step of a run."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from callsheet.core.past.attempts import attempts_of
from callsheet.serve.http.route import caller_of, needs
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import pages
from callsheet.serve.routes.models import AttemptTold, CancelBody, RepeatTold
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, told, went_on
from callsheet.serve.routes.verbs import serve, served

routes = routes_of("steps")
REPEAT = {"step": "mail", "tool": "mail.send", "idempotent": False}
ATTEMPT = {
    "step": "a",
    "attempt": 1,
    "undo": False,
    "started_at": "2026-11-18T05:05:15.295603Z",
    "ended_at": "2026-11-18T05:05:15.310855Z",
    "outcome": "succeeded",
    "error": None,
    "cost": {"usd": 0.0, "credits": 0.0, "tokens": 0, "calls": 0},
}


@routes.post("/runs/{run}/steps/{step}/cancel", responses=served("cancelled"))
@needs("runs:write")
async def cancel(request: Request, run: str, step: str, body: CancelBody | None = None) -> Response:
    """Stop one step, or one item of it; the run goes on."""
    handle = await tenant_of(request).get(run)
    reason = body.reason if body else ""
    asked = handle.stop(step, reason=reason, by=caller_of(request).name)
    return await serve(handle, "cancelled", asked)


@routes.post("/runs/{run}/steps/{step}/retry", responses=served("retried"))
@needs("runs:write")
async def retry(request: Request, run: str, step: str) -> Response:
    """Try a step again that failed or was stopped, in a run with `on_failure: continue`."""
    handle = await tenant_of(request).get(run)
    return await serve(handle, "retried", handle.retry(step, by=caller_of(request).name))


@routes.get("/runs/{run}/steps/{step}/repeats", responses=pages(RepeatTold, REPEAT))
@needs("runs:read")
async def repeats(request: Request, run: str, step: str) -> Response:
    """The writes that the run has done and a fork at this step would do again."""
    tenant = tenant_of(request)
    await tenant.head(run)
    found = await tenant.repeats(run, step)
    return told({"items": [each.to_json() for each in found], "next": None})


@routes.get("/runs/{run}/steps/{step}/attempts", responses=pages(AttemptTold, ATTEMPT))
@needs("runs:read")
async def attempts(
    request: Request, run: str, step: str, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """Every attempt of a step so far, in the order they started; undos are attempts, too."""
    listed = f"runs/{run}/{step}"
    after = went_on(request, listed, cursor)
    handle = await tenant_of(request).get(run)
    if step not in (await handle.status()).steps:
        raise Refusal(404, "unknown_step", f"The run has no step {step!r}.")
    every = [each for each in attempts_of(await handle.journal()) if each.step == step]
    skipped = int(after) if after is not None else 0
    found = list(enumerate(every, 1))[skipped : skipped + limit + 1]
    return page(
        request,
        listed,
        found,
        limit,
        lambda each: each[1].to_json(),
        lambda each: str(each[0]),
    )
